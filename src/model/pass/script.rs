//! The script of a pass: what each seat answers, each time that it is asked.
//!
//! A seat that a script leaves out is not configured, or has no opinion. A seat that answers a
//! list gives its answers in turn, and the last one again when the list is at its end.
//!
//! ```
//! use gatespec::model::pass::script::{Script, nth};
//!
//! let script = Script::plain("call-1", serde_json::json!([]));
//! assert_eq!(script.resolutions().len(), 1, "a person says yes unless the script says otherwise");
//! assert_eq!(nth(&["first", "last"], 5), Some(&"last"));
//! ```

mod answers;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use answers::{
    Answered, Arbitration, Arm, Attested, Bound, Classified, Classifier, Lock, Mode, Org, Park,
    Probe, Protection, ReadStation, Resolution, Ruling, Screen, Writer,
};

/// Arguments of a call: any JSON.
pub type Input = Value;

/// All that a pass depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Script {
    /// The id of the call.
    pub call: String,
    /// The arguments that the model chose.
    pub args: Input,
    /// The arguments hold something that cannot be copied (PASS-01).
    #[serde(default, skip_serializing_if = "is_false")]
    pub unowned: bool,
    /// The hook's answers: to the call, then to each approved edit. Empty: no hook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub screening: Vec<Screen>,
    /// The locks that are shut.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub locks: BTreeSet<Lock>,
    /// The policy's answers: to the call, then to each approved edit. Empty: no policy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy: Vec<Ruling>,
    /// Whether the call can be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
    /// What a shell command reads, and where it writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_station: Option<ReadStation>,
    /// Whether the call writes where writing is protected: of the call, then of each edit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write_protection: Vec<Protection>,
    /// The question that stands for a tool that does not state its effects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unstated: Option<Question>,
    /// The organisation's rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<Org>,
    /// The automatic arms that would clear a standing ask.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub clears: BTreeSet<Arm>,
    /// The classifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classifier: Option<Classifier>,
    /// The permission mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// What would be asked cannot be shown (PASS-36).
    #[serde(default, skip_serializing_if = "is_false")]
    pub unshown: bool,
    /// The durable park.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub park: Option<Park>,
    /// The resolver's answers, one an ask. Left out: a person says yes to every ask. Empty: there
    /// is nobody to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolver: Option<Vec<Resolution>>,
    /// How many rounds of edits a pass may take.
    pub edit_cap: u8,
    /// Who writes into what was handed to them, as soon as they hold it (PASS-02).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub writers: BTreeSet<Writer>,
    /// The seats that the host replaces when the first seat is asked (PASS-03).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub rebinds: BTreeSet<Bound>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Script {
    /// A call that no seat has an opinion on.
    #[must_use]
    pub fn plain(call: impl Into<String>, args: Input) -> Self {
        Self {
            call: call.into(),
            args,
            unowned: false,
            screening: Vec::new(),
            locks: BTreeSet::new(),
            policy: Vec::new(),
            probe: None,
            read_station: None,
            write_protection: Vec::new(),
            unstated: None,
            org: None,
            clears: BTreeSet::new(),
            classifier: None,
            mode: None,
            unshown: false,
            park: None,
            resolver: None,
            edit_cap: 2,
            writers: BTreeSet::new(),
            rebinds: BTreeSet::new(),
        }
    }

    /// What the resolver answers (PASS-39).
    #[must_use]
    pub fn resolutions(&self) -> &[Resolution] {
        static YES: [Resolution; 1] = [Resolution::Allow {
            record: Some(Answered::yes()),
            edit: None,
        }];
        self.resolver.as_deref().unwrap_or(&YES)
    }
}

/// The `nth` answer of a seat that answers a list: the last again past its end.
#[must_use]
pub fn nth<T>(answers: &[T], nth: usize) -> Option<&T> {
    answers.get(nth).or(answers.last())
}

/// A question that a station puts over the call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The classes that the ask is about, as a set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// An allow must rest on a real approval: a yes that is on record.
    #[serde(default, skip_serializing_if = "is_false")]
    pub real: bool,
}
