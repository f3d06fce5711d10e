//! Adjudication and fold: the policy's answer, the hook's ask, the tightens.

use std::collections::BTreeSet;

use super::super::Clause;
use super::super::ledger::{Attestation, Classified, Returned, Verdict};
use super::super::outcome::{Cause, Decision, Layer};
use super::script::{Attested, Probe, Protection, Ruling, nth};
use super::state::{Bytes, Flow, Mandate, Pass, Words};
use super::trace::{Did, Stands, Station};

/// The policy is asked about the call (PASS-09 to PASS-13).
pub(super) fn policy(pass: &mut Pass<'_>) -> Flow {
    adjudicate(pass, Station::Policy, Clause::Pass09)
}

/// The policy is asked about the input as it stands; `clause` says why it is.
pub(super) fn adjudicate(pass: &mut Pass<'_>, at: Station, clause: Clause) -> Flow {
    let script = pass.script;
    let Some(ruling) = nth(&script.policy, pass.asked.policy) else {
        return Flow::Continue(());
    };
    pass.asked.policy += 1;
    match ruling {
        Ruling::Throw {} => pass.deny(at, "throws", Layer::Policy, Clause::Pass10),
        Ruling::Ask { question, rewrite } => {
            let asks = if at == Station::Policy {
                clause
            } else {
                Clause::Pass48
            };
            pass.put(at, "asks", question, asks)?;
            rewritten(pass, at, rewrite.as_ref());
            Flow::Continue(())
        }
        Ruling::Allow {
            rewrite,
            record,
            round,
        } => {
            pass.step(at, Did::Asked, "allows", clause);
            rewritten(pass, at, rewrite.as_ref());
            noted(pass, at, Decision::Allow, None, round.as_deref());
            decided(pass, at, Verdict::Allow, record.as_ref(), clause)
        }
        Ruling::Deny {
            record,
            cause,
            round,
        } => {
            pass.stands = Stands::Deny(Layer::Policy);
            pass.step(at, Did::Asked, "denies", clause);
            noted(pass, at, Decision::Deny, *cause, round.as_deref());
            decided(pass, at, Verdict::Deny, record.as_ref(), clause)
        }
    }
}

/// The policy's rewrite, remembered: a hook's allow is silent after it (PASS-12, PASS-28).
fn rewritten<'a>(pass: &mut Pass<'a>, at: Station, rewrite: Option<&'a super::script::Input>) {
    pass.policy_rewrote |= rewrite.is_some();
    pass.rewrite(at, rewrite, Clause::Pass12);
}

/// What an inherited classifier left on the decision (PASS-13).
fn noted<'a>(
    pass: &mut Pass<'a>,
    at: Station,
    decision: Decision,
    cause: Option<Cause>,
    round: Option<&'a str>,
) {
    if cause.is_none() && round.is_none() {
        return;
    }
    let call: &'a str = &pass.script.call;
    let classified = Classified::<Words<'a>> { call, cause, round };
    pass.cause = pass.ledger.cause_of(decision, Some(&classified));
    pass.round = pass
        .ledger
        .classifier_round_of(Some(&classified))
        .copied()
        .or(pass.round);
    pass.step(
        at,
        Did::Noted,
        "carries a classifier's round",
        Clause::Pass13,
    );
}

/// The ledger reads the decision's record (PASS-11).
fn decided<'a>(
    pass: &mut Pass<'a>,
    at: Station,
    verdict: Verdict,
    record: Option<&'a Attested>,
    clause: Clause,
) -> Flow {
    let runs = Bytes(pass.input);
    let attestation = record.map(|record| Attestation::<Words<'a>> {
        call: record.call.as_deref().unwrap_or(&pass.script.call),
        origin: &record.origin,
        classes: BTreeSet::new(),
        digest: record.licenses.as_ref().map_or(runs, Bytes),
        settlement: record.settlement,
    });
    let returned = pass.ledger.decision(verdict, attestation.as_ref(), &runs);
    let denied = match returned {
        Returned::Deny(layer) => {
            pass.stands = Stands::Deny(layer);
            true
        }
        _ => false,
    };
    if record.is_some() {
        pass.step(at, Did::Settled, "carries a record", Clause::Pass11);
    } else if denied {
        pass.step(at, Did::Acted, "is final", clause);
    }
    if denied {
        Flow::Break(super::state::Ending::Exit)
    } else {
        Flow::Continue(())
    }
}

/// The hook's ask stands over a policy's allow (PASS-15).
pub(super) fn hook_ask(pass: &mut Pass<'_>) -> Flow {
    promote(pass, Clause::Pass15)
}

/// Promotes the hook's ask, of the call or of an edit.
pub(super) fn promote(pass: &mut Pass<'_>, clause: Clause) -> Flow {
    let Some(question) = pass.hook_question else {
        return Flow::Continue(());
    };
    if pass.stands == Stands::Allow {
        pass.stands = Stands::Ask(Station::HookAsk);
        pass.question = Some(question);
        pass.step(Station::HookAsk, Did::Acted, "is promoted", clause);
    } else {
        pass.step(
            Station::HookAsk,
            Did::Acted,
            "is not promoted",
            Clause::Pass15,
        );
    }
    Flow::Continue(())
}

/// The reversibility probe (PASS-16, PASS-17).
pub(super) fn probe(pass: &mut Pass<'_>) -> Flow {
    let script = pass.script;
    let at = Station::Probe;
    let declined = match &script.probe {
        None => return Flow::Continue(()),
        Some(Probe::Reversible { boundary_declined }) => {
            pass.step(at, Did::Asked, "is reversible", Clause::Pass16);
            *boundary_declined
        }
        Some(Probe::Irreversible {
            question,
            boundary_declined,
        }) => {
            pass.put(at, "is irreversible", question, Clause::Pass16)?;
            *boundary_declined
        }
        Some(Probe::Unanswered { question }) => {
            pass.put(at, "does not answer", question, Clause::Pass17)?;
            pass.mandate(at, Mandate::Person(Clause::Pass17));
            false
        }
    };
    pass.boundary_declined = declined;
    if declined {
        pass.step(
            at,
            Did::Noted,
            "says that the boundary declined",
            Clause::Pass27,
        );
    }
    Flow::Continue(())
}

/// The shell read station (PASS-18 to PASS-20).
pub(super) fn read_station(pass: &mut Pass<'_>) -> Flow {
    let Some(found) = &pass.script.read_station else {
        return Flow::Continue(());
    };
    let at = Station::ReadStation;
    match &found.question {
        Some(question) => pass.put(at, "asks", question, Clause::Pass18)?,
        None => pass.heard(at, "has no question", Clause::Pass18)?,
    }
    if found.write_protected {
        pass.write_protected = true;
        pass.mandate(at, Mandate::LiveDecider(Clause::Pass19));
    }
    if found.target_unresolved {
        pass.mandate(at, Mandate::Person(Clause::Pass20));
    }
    Flow::Continue(())
}

/// The write-protection judge (PASS-19).
pub(super) fn write_protection(pass: &mut Pass<'_>) -> Flow {
    let script = pass.script;
    let at = Station::WriteProtection;
    let Some(judged) = nth(&script.write_protection, pass.asked.protection) else {
        return Flow::Continue(());
    };
    pass.asked.protection += 1;
    match judged {
        Protection::Clear {} => pass.heard(at, "is clear", Clause::Pass19),
        Protection::Match { question } => {
            pass.put(at, "matches", question, Clause::Pass19)?;
            pass.write_protected = true;
            pass.mandate(at, Mandate::LiveDecider(Clause::Pass19));
            Flow::Continue(())
        }
    }
}

/// A tool that does not state its effects (PASS-21).
pub(super) fn unstated(pass: &mut Pass<'_>) -> Flow {
    match &pass.script.unstated {
        Some(question) => pass.put(Station::Unstated, "asks", question, Clause::Pass21),
        None => Flow::Continue(()),
    }
}
