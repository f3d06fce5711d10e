//! The lanes: what may refuse, clear or hold the standing ask before anybody is asked.

use super::super::Clause;
use super::super::outcome::{Cause, Layer, Refusal};
use super::choice::Choice;
use super::script::{Arbitration, Arm, Classified, Org};
use super::state::{Flow, Pass};
use super::trace::{Did, Stands, Station};

/// The organisation's rules (PASS-24, PASS-25).
pub(super) fn org(pass: &mut Pass<'_>) -> Flow {
    match &pass.script.org {
        None => Flow::Continue(()),
        Some(Org::Deny {}) => pass.deny(Station::Org, "denies", Layer::Org, Clause::Pass24),
        Some(Org::Ask { question }) => pass.put(Station::Org, "asks", question, Clause::Pass25),
    }
}

/// A surviving ask is a new question (PASS-23).
pub(super) fn supersede(pass: &mut Pass<'_>) -> Flow {
    if pass.asks() && pass.ledger.settled().is_some() {
        pass.ledger.supersede();
        pass.step(
            Station::Supersede,
            Did::Settled,
            "nothing is settled",
            Clause::Pass23,
        );
    }
    Flow::Continue(())
}

/// A stored allow rule (PASS-26).
pub(super) fn stored_rules(pass: &mut Pass<'_>) -> Flow {
    if !would(pass, Arm::StoredRules) {
        return Flow::Continue(());
    }
    match pass.mandate {
        None => pass.allow(Station::StoredRules, "allow", Clause::Pass26),
        Some(_) => pass.heard(Station::StoredRules, "allow a mandated ask", Clause::Pass26),
    }
}

/// The read-only arm (PASS-27).
pub(super) fn read_only_arm(pass: &mut Pass<'_>) -> Flow {
    if !would(pass, Arm::ReadOnlyArm) {
        return Flow::Continue(());
    }
    let at = Station::ReadOnlyArm;
    match pass.mandate {
        Some(_) => pass.heard(at, "allows a mandated ask", Clause::Pass27),
        None if pass.boundary_declined => pass.heard(at, "stands down", Clause::Pass27),
        None => pass.allow(at, "allows", Clause::Pass27),
    }
}

/// The hook's own allow (PASS-28).
pub(super) fn hook_allow(pass: &mut Pass<'_>) -> Flow {
    if !pass.asks() || !pass.hook_allows {
        return Flow::Continue(());
    }
    let silent = match pass.mandate {
        Some(_) => Some("allows a mandated ask"),
        None if pass.policy_rewrote => Some("allowed other arguments"),
        None => None,
    };
    match silent {
        Some(said) => pass.step(Station::HookAllow, Did::Acted, said, Clause::Pass28),
        None => {
            pass.stands = Stands::Allow;
            pass.question = None;
            pass.step(
                Station::HookAllow,
                Did::Acted,
                "clears the ask",
                Clause::Pass28,
            );
        }
    }
    Flow::Continue(())
}

/// The classifier (PASS-29 to PASS-31).
pub(super) fn classifier(pass: &mut Pass<'_>) -> Flow {
    let script = pass.script;
    let (true, Some(classifier)) = (pass.asks(), &script.classifier) else {
        return Flow::Continue(());
    };
    let person_only = pass.person_only();
    if person_only.is_some() && pass.reads(Choice::ClassifierStandsAside) {
        return Flow::Continue(());
    }
    let at = Station::Classifier;
    if let Some(round) = &classifier.round
        && !(pass.round.is_some() && pass.reads(Choice::InheritedRoundStays))
    {
        pass.round = Some(round);
    }
    let unusable = |pass: &mut Pass<'_>, cause: Cause| {
        pass.cause = Some(cause);
        pass.deny(at, cause.word(), Layer::Classifier, Clause::Pass30)
    };
    match (classifier.say, person_only) {
        (Classified::Unavailable, _) => unusable(pass, Cause::Unavailable),
        (Classified::ParseError, _) => unusable(pass, Cause::ParseError),
        (Classified::Deny, _) => pass.deny(at, "denies", Layer::Classifier, Clause::Pass29),
        (Classified::Allow, Some(clause)) => pass.heard(at, "allows a person's ask", clause),
        (Classified::Allow, None) => {
            // a live decider may answer what write protection mandates
            let protected = pass.mandate.is_some();
            let clause = if protected {
                Clause::Pass19
            } else {
                Clause::Pass29
            };
            pass.allow(at, "allows", clause)
        }
    }
}

/// The permission mode (PASS-32 to PASS-34).
pub(super) fn mode(pass: &mut Pass<'_>) -> Flow {
    let script = pass.script;
    let (true, Some(mode)) = (pass.asks(), &script.mode) else {
        return Flow::Continue(());
    };
    let at = Station::Mode;
    match (mode.say, pass.mandate) {
        (Arbitration::Refuse, _) => {
            pass.mode_refusal = Some(&mode.word);
            pass.deny(at, "refuses", Layer::Mode, Clause::Pass33)
        }
        (Arbitration::Release, Some(_)) => {
            pass.heard(at, "releases a mandated ask", Clause::Pass34)
        }
        (Arbitration::Release, None) => {
            pass.released = Some(&mode.word);
            pass.allow(at, "releases", Clause::Pass32)
        }
    }
}

/// The sandbox (PASS-34, PASS-35).
pub(super) fn sandbox(pass: &mut Pass<'_>) -> Flow {
    if !would(pass, Arm::Sandbox) {
        return Flow::Continue(());
    }
    let at = Station::Sandbox;
    if pass.mandate.is_some() {
        return pass.heard(at, "admits a mandated ask", Clause::Pass34);
    }
    if pass.hook_question.is_some() {
        return pass.heard(at, "admits what the hook asks about", Clause::Pass35);
    }
    pass.allow(at, "admits", Clause::Pass35)
}

/// The content lane (PASS-36).
pub(super) fn content(pass: &mut Pass<'_>) -> Flow {
    let Stands::Ask(minted) = pass.stands else {
        return Flow::Continue(());
    };
    if !pass.script.unshown {
        return Flow::Continue(());
    }
    pass.ledger.set(Refusal::UnshownContent, minted.origin());
    pass.deny(
        Station::Content,
        "cannot be shown",
        Layer::AskResolution,
        Clause::Pass36,
    )
}

/// Whether an arm has an ask to clear, and would.
fn would(pass: &Pass<'_>, arm: Arm) -> bool {
    pass.asks() && pass.script.clears.contains(&arm)
}
