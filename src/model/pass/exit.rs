//! The exits: what stands becomes the result and the one record of the pass.

use super::super::Clause;
use super::super::outcome::{Facts, Layer, Record, mint};
use super::super::words::words;
use super::script::Input;
use super::state::{Bytes, Ending, Pass};
use super::trace::{Did, Stands, Station, Step};

words! {
    /// What a pass comes to.
    Verdict {
        /// The call runs.
        Allow "allow";
        /// The call waits for an answer from outside this pass.
        Suspended "suspended";
        /// The call does not run.
        Deny "deny";
        /// The gate found a fault of its own: the call does not run.
        Defect "defect";
    }
}

/// What a pass came to, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Passed<'a> {
    /// What it comes to.
    pub result: Verdict,
    /// The record, of a pass that ended (PASS-53).
    pub outcome: Option<Record<&'a str>>,
    /// The input that the exit decided on (PASS-54).
    pub input: &'a Input,
    /// Whether the observer is told (PASS-52).
    pub told: bool,
    /// Whether a deny has to say that a park failed (PASS-38).
    pub park_failed: bool,
    /// Every step, in order.
    pub trace: Vec<Step<'a>>,
}

impl<'a> Passed<'a> {
    /// Who refused.
    #[must_use]
    pub fn denied_by(&self) -> Option<Layer> {
        self.outcome.as_ref().and_then(|record| record.denied_by)
    }

    /// The steps at which a seat was asked.
    pub fn consulted(&self) -> impl Iterator<Item = &Step<'a>> {
        self.trace
            .iter()
            .filter(|step| step.did == Did::Asked && step.station.seat().is_some())
    }
}

/// Ends a pass (PASS-51 to PASS-55).
pub(super) fn exit<'a>(mut pass: Pass<'a>, ending: Ending) -> Passed<'a> {
    let result = match (ending, pass.stands) {
        (Ending::Suspended, _) => return bare(pass, Verdict::Suspended),
        (Ending::Defect, _) => return bare(pass, Verdict::Defect),
        (Ending::Exit, Stands::Allow) => Verdict::Allow,
        // an ask that reached the exit is a deny that nobody signed: the mint finds the defect
        (Ending::Exit, _) => Verdict::Deny,
    };
    if result == Verdict::Allow && pass.ledger.settled().is_some() {
        pass.ledger.keep_for_bytes(&Bytes(pass.input));
        pass.step(
            Station::Keep,
            Did::Settled,
            "keeps a yes for what runs",
            Clause::Pass51,
        );
    }
    let denied_by = match pass.stands {
        Stands::Deny(layer) => Some(layer),
        _ => None,
    };
    let facts = Facts {
        denied_by,
        cause: pass.cause,
        settled: pass
            .ledger
            .settled()
            .map(|settled| settled.facts(|origin| *origin, |_| "")),
        classifier: pass.round,
        released: pass.released,
        mode_refusal: pass.mode_refusal,
    };
    let consistent = (result == Verdict::Deny) == denied_by.is_some();
    let Some(record) = mint(&facts).ok().filter(|_| consistent) else {
        pass.stands = Stands::Defect;
        pass.step(
            Station::Exit,
            Did::Acted,
            "cannot be minted",
            Clause::Pass53,
        );
        return bare(pass, Verdict::Defect);
    };
    let clause = if result == Verdict::Deny {
        Clause::Pass52
    } else {
        Clause::Pass55
    };
    pass.step(Station::Exit, Did::Acted, "mints the record", clause);
    Passed {
        result,
        outcome: Some(record),
        input: pass.input,
        told: denied_by.is_some_and(|layer| layer != Layer::Hook),
        park_failed: pass.park_failed && result == Verdict::Deny,
        trace: pass.trace,
    }
}

/// A pass that mints nothing.
fn bare(pass: Pass<'_>, result: Verdict) -> Passed<'_> {
    Passed {
        result,
        outcome: None,
        input: pass.input,
        told: false,
        park_failed: false,
        trace: pass.trace,
    }
}
