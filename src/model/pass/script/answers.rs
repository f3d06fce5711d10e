//! What the seats of a script answer.

use serde::{Deserialize, Serialize};

use super::{Input, Question, is_false};
use crate::model::outcome::{Approver, Cause, Refusal, Settlement};
use crate::model::words::words;

/// What came of a screening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub enum Screen {
    /// No opinion.
    None {
        /// The arguments that the hook would have run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rewrite: Option<Input>,
    },
    /// The hook's own allow.
    Allow {
        /// The arguments that the hook would have run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rewrite: Option<Input>,
    },
    /// The hook asks for a question.
    Ask {
        /// The question.
        question: Question,
        /// The arguments that the hook would have run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rewrite: Option<Input>,
    },
    /// The hook's own deny.
    Deny {},
    /// The hook threw.
    Throw {},
    /// The hook never answered.
    Silent {},
    /// The screening was cancelled.
    Cancelled {},
}

words! {
    /// A lock over whole kinds of calls.
    Lock {
        /// The compliance lock.
        Compliance "compliance";
        /// The plan-mode block.
        PlanMode "plan_mode";
    }
}

/// The policy's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ruling {
    /// The call may run.
    Allow {
        /// The arguments that may run, when they are not those that the policy saw.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rewrite: Option<Input>,
        /// The wait that ended inside the policy's check.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<Attested>,
        /// The round of an inherited classifier.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<String>,
    },
    /// A question.
    Ask {
        /// The question.
        question: Question,
        /// The arguments that it is about, when they are not those that the policy saw.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rewrite: Option<Input>,
    },
    /// The call may not run.
    Deny {
        /// The wait that ended inside the policy's check.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<Attested>,
        /// Why an inherited classifier did not rule.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<Cause>,
        /// The round of an inherited classifier.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<String>,
    },
    /// The policy threw, or never answered.
    Throw {},
}

/// A record of a wait that ended inside a policy's check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Attested {
    /// How the wait ended.
    pub settlement: Settlement,
    /// The origin word of the ask that it was about.
    pub origin: String,
    /// The call that it was made for, when it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The arguments that it licensed, when they are not those that the decision runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licenses: Option<Input>,
}

/// The reversibility probe's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "say", rename_all = "camelCase", deny_unknown_fields)]
pub enum Probe {
    /// The call can be undone.
    #[serde(rename_all = "camelCase")]
    Reversible {
        /// The read boundary declined to judge where the command reads (PASS-27).
        #[serde(default, skip_serializing_if = "is_false")]
        boundary_declined: bool,
    },
    /// It cannot: a question.
    #[serde(rename_all = "camelCase")]
    Irreversible {
        /// The question.
        question: Question,
        /// The read boundary declined to judge where the command reads (PASS-27).
        #[serde(default, skip_serializing_if = "is_false")]
        boundary_declined: bool,
    },
    /// The probe threw, or never answered: a question that only a person may answer.
    Unanswered {
        /// The question.
        question: Question,
    },
}

/// What the read station found: a question, when it has one, and what the targets are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadStation {
    /// The question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// A written target leads nobody knows where (PASS-20).
    #[serde(default, skip_serializing_if = "is_false")]
    pub target_unresolved: bool,
    /// A written target is protected (PASS-19).
    #[serde(default, skip_serializing_if = "is_false")]
    pub write_protected: bool,
}

/// What the write-protection judge found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub enum Protection {
    /// No target is protected.
    Clear {},
    /// A target is: a question.
    Match {
        /// The question.
        question: Question,
    },
}

/// The organisation's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub enum Org {
    /// A question.
    Ask {
        /// The question.
        question: Question,
    },
    /// The call may not run.
    Deny {},
}

words! {
    /// An automatic arm that would clear a standing ask.
    Arm {
        /// A stored allow rule matches.
        StoredRules "stored_rules";
        /// The command only reads.
        ReadOnlyArm "read_only_arm";
        /// The call runs in a sandbox.
        Sandbox "sandbox";
    }
}

/// The classifier's answer, and the word of its round when it can name its model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Classifier {
    /// The answer.
    pub say: Classified,
    /// The round: which model was asked and which answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
}

words! {
    /// What a classifier ruled, or why it did not.
    Classified {
        /// The call may run.
        Allow "allow";
        /// It may not.
        Deny "deny";
        /// No answer came.
        Unavailable "unavailable";
        /// The answer could not be read.
        ParseError "parse_error";
    }
}

/// What the permission mode does about the standing ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mode {
    /// Release or refuse.
    pub say: Arbitration,
    /// The mode's account of it, as the record keeps it.
    pub word: String,
}

words! {
    /// What a mode does about a standing ask.
    Arbitration {
        /// The call runs.
        Release "release";
        /// It does not.
        Refuse "refuse";
    }
}

words! {
    /// What comes of a durable park.
    Park {
        /// The call is parked.
        Parks "parks";
        /// The park was tried and failed.
        Fails "fails";
    }
}

/// What came of putting an ask to the resolver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub enum Resolution {
    /// The call may run.
    Allow {
        /// The engine's record of the wait.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<Answered>,
        /// The arguments that may run, when they are not those that were asked about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edit: Option<Input>,
    },
    /// The call may not run.
    Deny {
        /// The engine's record of the wait.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<Answered>,
    },
    /// An allow that still carries the retired member `settlement`.
    Retired {},
    /// The resolver threw, or never answered.
    Throw {},
}

/// A record of the wait on an ask. What it leaves out is as the ask that was put.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// How the wait ended.
    pub settlement: Settlement,
    /// The origin word, when it is another's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The classes, when they are another's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<Vec<String>>,
    /// The call that it was made for, when it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The arguments that it licensed, when they are not those that the answer would run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licenses: Option<Input>,
}

impl Answered {
    /// A record that answers just the ask that was put.
    #[must_use]
    pub const fn of(settlement: Settlement) -> Self {
        Self {
            settlement,
            origin: None,
            classes: None,
            call: None,
            licenses: None,
        }
    }

    /// A person's yes to the ask that was put.
    #[must_use]
    pub const fn yes() -> Self {
        Self::of(Settlement::Approved {
            by: Approver::Person,
        })
    }

    /// A wait that ended without a yes.
    #[must_use]
    pub const fn no(reason: Refusal) -> Self {
        Self::of(Settlement::Refused { reason })
    }
}

words! {
    /// Who may hold the arguments, and write into them.
    Writer {
        /// The host, into the arguments that it called the gate with.
        Host "host";
        /// The hook.
        Screening "screening";
        /// The policy.
        Policy "policy";
        /// The resolver.
        Resolver "resolver";
        /// The observer of a deny, into what it was told.
        Observer "observer";
        /// The tool, into the arguments that it runs with.
        Tool "tool";
    }
}

words! {
    /// A seat whose binding a pass reads once.
    Bound {
        /// The hook.
        Screening "screening";
        /// The policy.
        Policy "policy";
        /// The park.
        Park "park";
        /// The resolver.
        Resolver "resolver";
    }
}
