//! The words of a pass on the wire, and a script in plain words.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::outcome::{Approver, Record, Settlement};
use crate::model::pass::script::{
    Answered, Arm, Attested, Classified, Lock, Org, Probe, Protection, Question, Resolution,
    Ruling, Screen, Writer,
};
use crate::model::pass::{self as model, Script, Station};

/// The word of a seat that the host put in another's place (PASS-03).
pub const REPLACED: &str = "replaced";

/// What a writer writes in the place of every string (PASS-02).
pub const WRITTEN: &str = "written";

/// A value after somebody wrote into it: each string in it, at any depth, is [`WRITTEN`].
#[must_use]
pub fn written(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::String(WRITTEN.to_owned()),
        Value::Array(items) => items.iter().map(written).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), written(value)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// A minted record with words of its own.
pub(super) fn minted(record: &Record<&str>) -> Record<String> {
    Record {
        decision: record.decision,
        denied_by: record.denied_by,
        cause: record.cause,
        settlement: record.settlement,
        origin: record.origin.map(str::to_owned),
        classifier: record.classifier.map(str::to_owned),
        released: record.released.map(str::to_owned),
        mode_refusal: record.mode_refusal.map(str::to_owned),
    }
}

macro_rules! seats {
    ($($(#[$doc:meta])* $name:ident $word:literal;)*) => {
        /// A seat of the consult log.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Seat { $($(#[$doc])* #[serde(rename = $word)] $name,)* }

        impl Seat {
            /// Every seat.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The word on the wire.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

seats! {
    /// The hook.
    Screening "screening";
    /// The compliance lock.
    Compliance "compliance";
    /// The plan-mode block.
    PlanMode "plan_mode";
    /// The policy.
    Policy "policy";
    /// The reversibility probe.
    Probe "probe";
    /// The shell read station.
    ReadStation "read_station";
    /// The write-protection judge.
    WriteProtection "write_protection";
    /// The question of a tool that does not state its effects.
    Unstated "unstated";
    /// The organisation's rules.
    Org "org";
    /// The stored allow rules.
    StoredRules "stored_rules";
    /// The arm for commands that only read.
    ReadOnlyArm "read_only_arm";
    /// The classifier.
    Classifier "classifier";
    /// The permission mode.
    Mode "mode";
    /// The sandbox.
    Sandbox "sandbox";
    /// The content lane.
    Content "content";
    /// The durable park.
    Park "park";
    /// The resolver.
    Resolver "resolver";
    /// A seat that the host put in another's place.
    Replaced "replaced";
}

impl Seat {
    /// The seat behind a station.
    #[must_use]
    pub fn of(station: Station) -> Option<Self> {
        let word = station.seat()?;
        Self::ALL.iter().copied().find(|seat| seat.word() == word)
    }

    /// Whether the log of this seat is compared consult by consult. The others may be left out of
    /// the log; what is in it must be true.
    #[must_use]
    pub const fn exact(self) -> bool {
        matches!(
            self,
            Self::Screening | Self::Policy | Self::Classifier | Self::Resolver | Self::Replaced
        )
    }
}

/// The words that a gate must have to be given this script.
pub(super) fn needs(script: &Script) -> Vec<&'static str> {
    let screens = |is: fn(&Screen) -> bool| script.screening.iter().any(is);
    let edits = script.resolutions().iter().any(edits);
    let rewrites =
        script.screening.iter().any(screen_rewrites) || script.policy.iter().any(ruling_rewrites);
    let inherited = script.policy.iter().any(inherits);
    let capped = edits
        && model::run(script)
            .trace
            .iter()
            .any(|step| step.station == Station::EditCap);
    let delegate = serde_json::to_string(script)
        .is_ok_and(|json| json.contains(&format!("\"by\":\"{}\"", Approver::Delegate)));
    [
        ("unowned", script.unowned),
        ("screening", !script.screening.is_empty()),
        (
            "hook_ask",
            screens(|screen| matches!(screen, Screen::Ask { .. })),
        ),
        (
            "hook_allow",
            screens(|screen| matches!(screen, Screen::Allow { .. })),
        ),
        (
            "cancel",
            screens(|screen| matches!(screen, Screen::Cancelled {})),
        ),
        ("compliance", script.locks.contains(&Lock::Compliance)),
        ("plan_mode", script.locks.contains(&Lock::PlanMode)),
        ("rewrite", rewrites),
        ("policy_record", script.policy.iter().any(attests)),
        ("inherited_classifier", inherited),
        ("probe", script.probe.is_some()),
        ("read_station", script.read_station.is_some()),
        ("write_protection", !script.write_protection.is_empty()),
        ("unstated", script.unstated.is_some()),
        ("org", script.org.is_some()),
        ("stored_rules", script.clears.contains(&Arm::StoredRules)),
        ("read_only_arm", script.clears.contains(&Arm::ReadOnlyArm)),
        ("classifier", script.classifier.is_some()),
        ("mode", script.mode.is_some()),
        ("sandbox", script.clears.contains(&Arm::Sandbox)),
        ("content", script.unshown),
        ("park", script.park.is_some()),
        (
            "retired",
            script.resolutions().contains(&Resolution::Retired {}),
        ),
        ("edit", edits),
        ("edit_cap", capped),
        ("delegate", delegate),
        ("writers", !script.writers.is_empty()),
        ("rebinds", !script.rebinds.is_empty()),
    ]
    .into_iter()
    .filter_map(|(word, needed)| needed.then_some(word))
    .collect()
}

fn edits(answer: &Resolution) -> bool {
    matches!(answer, Resolution::Allow { edit: Some(_), .. })
}

fn screen_rewrites(screen: &Screen) -> bool {
    matches!(
        screen,
        Screen::None { rewrite: Some(_) }
            | Screen::Allow { rewrite: Some(_) }
            | Screen::Ask {
                rewrite: Some(_),
                ..
            }
    )
}

fn ruling_rewrites(ruling: &Ruling) -> bool {
    matches!(
        ruling,
        Ruling::Allow {
            rewrite: Some(_),
            ..
        } | Ruling::Ask {
            rewrite: Some(_),
            ..
        }
    )
}

fn attests(ruling: &Ruling) -> bool {
    matches!(
        ruling,
        Ruling::Allow {
            record: Some(_),
            ..
        } | Ruling::Deny {
            record: Some(_),
            ..
        }
    )
}

fn inherits(ruling: &Ruling) -> bool {
    matches!(
        ruling,
        Ruling::Allow { round: Some(_), .. }
            | Ruling::Deny { round: Some(_), .. }
            | Ruling::Deny { cause: Some(_), .. }
    )
}

/// The script in plain words, a line a seat.
pub(super) fn lets(script: &Script) -> Vec<String> {
    let mut lines = vec![format!(
        "let call `{}` come with {}",
        script.call, script.args
    )];
    let mut say = |line: String| lines.push(format!("let {line}"));
    if script.unowned {
        say("the arguments hold something that cannot be copied".to_owned());
    }
    answers(&script.screening, "the hook", screen, &mut say);
    for lock in &script.locks {
        say(format!("the lock `{lock}` be shut"));
    }
    answers(&script.policy, "the policy", ruling, &mut say);
    seats(script, &mut say);
    for arm in &script.clears {
        say(format!("`{arm}` clear a standing ask"));
    }
    if let Some(classifier) = &script.classifier {
        let round = classifier
            .round
            .as_ref()
            .map_or(String::new(), |round| format!(" in round `{round}`"));
        say(match classifier.say {
            Classified::Allow => format!("the classifier allow{round}"),
            Classified::Deny => format!("the classifier deny{round}"),
            Classified::Unavailable => format!("the classifier be unavailable{round}"),
            Classified::ParseError => format!("the classifier answer what cannot be read{round}"),
        });
    }
    if let Some(mode) = &script.mode {
        say(format!(
            "the mode {} a standing ask, as `{}`",
            mode.say, mode.word
        ));
    }
    if script.unshown {
        say("what would be asked be impossible to show".to_owned());
    }
    if let Some(park) = script.park {
        say(format!("the park say that it {park}"));
    }
    match &script.resolver {
        None => {}
        Some(none) if none.is_empty() => say("nobody be there to ask".to_owned()),
        Some(list) => answers(list, "the resolver", resolution, &mut say),
    }
    say(format!(
        "a pass take at most {} rounds of edits",
        script.edit_cap
    ));
    for writer in &script.writers {
        say(match writer {
            Writer::Host => "the host write into the arguments after the call".to_owned(),
            _ => format!("the {writer} write into what it was handed"),
        });
    }
    for bound in &script.rebinds {
        say(format!("the host replace the {bound} under way"));
    }
    lines
}

/// The seats of the fold and the organisation's.
fn seats(script: &Script, say: &mut impl FnMut(String)) {
    match &script.probe {
        None => {}
        Some(Probe::Reversible { .. }) => say("the probe answer that it can be undone".to_owned()),
        Some(Probe::Irreversible { question, .. }) => {
            say(format!(
                "the probe answer that it cannot be undone, and ask{}",
                about(question)
            ));
        }
        Some(Probe::Unanswered { question }) => {
            say(format!(
                "the probe not answer; its question is{}",
                about(question)
            ));
        }
    }
    if let Some(
        Probe::Reversible {
            boundary_declined: true,
        }
        | Probe::Irreversible {
            boundary_declined: true,
            ..
        },
    ) = &script.probe
    {
        say("the read boundary decline to judge where the command reads".to_owned());
    }
    if let Some(found) = &script.read_station {
        if let Some(question) = &found.question {
            say(format!("the read station ask{}", about(question)));
        }
        if found.write_protected {
            say("the read station find a protected target".to_owned());
        }
        if found.target_unresolved {
            say("the read station not resolve a written target".to_owned());
        }
    }
    answers(
        &script.write_protection,
        "write protection",
        protection,
        say,
    );
    if let Some(question) = &script.unstated {
        say(format!(
            "the tool not state its effects; its question is{}",
            about(question)
        ));
    }
    match &script.org {
        None => {}
        Some(Org::Deny {}) => say("the organisation deny".to_owned()),
        Some(Org::Ask { question }) => say(format!("the organisation ask{}", about(question))),
    }
}

fn answers<T>(list: &[T], who: &str, word: fn(&T) -> String, say: &mut impl FnMut(String)) {
    for (at, answer) in list.iter().enumerate() {
        let when = match (at, at + 1 == list.len()) {
            (0, true) => String::new(),
            (0, false) => " first".to_owned(),
            (at, true) => format!(" from time {} on", at + 1),
            (at, false) => format!(" the time {}", at + 1),
        };
        say(format!("{who}{when} {}", word(answer)));
    }
}

fn about(question: &Question) -> String {
    let real = if question.real {
        ", which needs a real approval"
    } else {
        ""
    };
    format!(" about {:?}{real}", question.classes)
}

fn to(rewrite: Option<&Value>) -> String {
    rewrite.map_or(String::new(), |rewrite| {
        format!(" and rewrite to {rewrite}")
    })
}

fn screen(screen: &Screen) -> String {
    match screen {
        Screen::None { rewrite } => format!("have no opinion{}", to(rewrite.as_ref())),
        Screen::Allow { rewrite } => format!("allow{}", to(rewrite.as_ref())),
        Screen::Ask { question, rewrite } => {
            format!("ask{}{}", about(question), to(rewrite.as_ref()))
        }
        Screen::Deny {} => "deny".to_owned(),
        Screen::Throw {} => "throw".to_owned(),
        Screen::Silent {} => "never answer".to_owned(),
        Screen::Cancelled {} => "be cancelled".to_owned(),
    }
}

fn ruling(ruling: &Ruling) -> String {
    match ruling {
        Ruling::Allow {
            rewrite,
            record,
            round,
        } => {
            let round = round
                .as_ref()
                .map_or(String::new(), |round| format!(" after round `{round}`"));
            format!(
                "allow{}{}{round}",
                to(rewrite.as_ref()),
                attested(record.as_ref())
            )
        }
        Ruling::Ask { question, rewrite } => {
            format!("ask{}{}", about(question), to(rewrite.as_ref()))
        }
        Ruling::Deny {
            record,
            cause,
            round,
        } => {
            let cause = cause
                .as_ref()
                .map_or(String::new(), |cause| format!(" because `{cause}`"));
            let round = round
                .as_ref()
                .map_or(String::new(), |round| format!(" after round `{round}`"));
            format!("deny{}{cause}{round}", attested(record.as_ref()))
        }
        Ruling::Throw {} => "throw".to_owned(),
    }
}

fn ended(settlement: Settlement) -> String {
    match settlement {
        Settlement::Approved { by } => format!("approved by a {by}"),
        Settlement::Refused { reason } => format!("refused, `{reason}`"),
    }
}

fn attested(record: Option<&Attested>) -> String {
    let Some(record) = record else {
        return String::new();
    };
    let call = record
        .call
        .as_ref()
        .map_or(String::new(), |call| format!(" of call `{call}`"));
    let bytes = record
        .licenses
        .as_ref()
        .map_or(String::new(), |bytes| format!(" for {bytes}"));
    format!(
        ", on record an ask of `{}`{call} {}{bytes}",
        record.origin,
        ended(record.settlement)
    )
}

fn protection(protection: &Protection) -> String {
    match protection {
        Protection::Clear {} => "find nothing".to_owned(),
        Protection::Match { question } => format!("match, and ask{}", about(question)),
    }
}

fn resolution(resolution: &Resolution) -> String {
    match resolution {
        Resolution::Allow { record, edit } => {
            let edit = edit
                .as_ref()
                .map_or(String::new(), |edit| format!(" with the edit {edit}"));
            format!("allow{edit}{}", answered(record.as_ref()))
        }
        Resolution::Deny { record } => format!("deny{}", answered(record.as_ref())),
        Resolution::Retired {} => "allow with the retired `settlement`".to_owned(),
        Resolution::Throw {} => "throw".to_owned(),
    }
}

fn answered(record: Option<&Answered>) -> String {
    let Some(record) = record else {
        return " with no record".to_owned();
    };
    let mut line = format!(", on record {}", ended(record.settlement));
    if let Some(origin) = &record.origin {
        line.push_str(&format!(", for an ask of `{origin}`"));
    }
    if let Some(classes) = &record.classes {
        line.push_str(&format!(", about {classes:?}"));
    }
    if let Some(call) = &record.call {
        line.push_str(&format!(", of call `{call}`"));
    }
    if let Some(bytes) = &record.licenses {
        line.push_str(&format!(", for {bytes}"));
    }
    line
}
