//! What a pass leaves behind: each station that it came to, and what stood after it.

use super::super::Clause;
use super::super::outcome::Layer;
use super::super::words::words;
use super::script::Input;

words! {
    /// A station, by the word of the seat behind it.
    Station {
        /// The pass takes the arguments.
        Entry "entry";
        /// The hook is asked about the call.
        Screening "screening";
        /// The compliance lock.
        Compliance "compliance";
        /// The plan-mode block.
        PlanMode "plan_mode";
        /// The policy is asked about the call.
        Policy "policy";
        /// The hook's ask is promoted.
        HookAsk "hook_ask";
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
        /// A surviving ask supersedes the ledger.
        Supersede "supersede";
        /// A stored allow rule.
        StoredRules "stored_rules";
        /// The arm for commands that only read.
        ReadOnlyArm "read_only_arm";
        /// The hook's own allow.
        HookAllow "hook_allow";
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
        /// The cap on rounds of edits.
        EditCap "edit_cap";
        /// The hook is asked about an approved edit.
        Rescreen "hook_rescreen";
        /// The policy is asked about an approved edit.
        Readjudicate "readjudicate";
        /// Write protection judges an approved edit.
        Rejudge "rejudge";
        /// The bytes that run are decided.
        Keep "keep_for_bytes";
        /// The record is minted.
        Exit "exit";
    }
}

impl Station {
    /// The seat that is asked at this station, by the word of the consult log.
    #[must_use]
    pub const fn seat(self) -> Option<&'static str> {
        Some(match self {
            Self::Rescreen => "screening",
            Self::Readjudicate => "policy",
            Self::Rejudge => "write_protection",
            Self::Screening
            | Self::Compliance
            | Self::PlanMode
            | Self::Policy
            | Self::Probe
            | Self::ReadStation
            | Self::WriteProtection
            | Self::Unstated
            | Self::Org
            | Self::StoredRules
            | Self::ReadOnlyArm
            | Self::Classifier
            | Self::Mode
            | Self::Sandbox
            | Self::Content
            | Self::Park
            | Self::Resolver => self.word(),
            Self::Entry
            | Self::HookAsk
            | Self::Supersede
            | Self::HookAllow
            | Self::EditCap
            | Self::Keep
            | Self::Exit => return None,
        })
    }

    /// The origin word of an ask that this station mints.
    #[must_use]
    pub const fn origin(self) -> &'static str {
        match self {
            Self::HookAsk => "hook",
            Self::Readjudicate => "policy",
            _ => self.word(),
        }
    }
}

/// What stands after a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stands {
    /// The call may run.
    Allow,
    /// The ask that this station minted.
    Ask(Station),
    /// A deny by this layer.
    Deny(Layer),
    /// The call is parked.
    Suspended,
    /// The gate found a fault of its own.
    Defect,
}

impl std::fmt::Display for Stands {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Allow => f.write_str("allow"),
            Self::Ask(station) => write!(f, "an ask of `{}`", station.origin()),
            Self::Deny(layer) => write!(f, "deny by `{layer}`"),
            Self::Suspended => f.write_str("suspended"),
            Self::Defect => f.write_str("defect"),
        }
    }
}

words! {
    /// What a step did, beside what stands after it.
    Did {
        /// A seat was asked.
        Asked "asked";
        /// The input changed.
        Rewrote "rewrote";
        /// The ledger was read or written.
        Settled "settled";
        /// Something was noted for the record.
        Noted "noted";
        /// The pass itself acted.
        Acted "acted";
    }
}

/// One step at a station of a pass. A station may take several; the first is the one that asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// The station.
    pub station: Station,
    /// The arguments that it was asked about.
    pub input: &'a Input,
    /// What it said.
    pub said: &'static str,
    /// What stood after it.
    pub stands: Stands,
    /// What the step did.
    pub did: Did,
    /// The clause that decided it.
    pub clause: Clause,
}
