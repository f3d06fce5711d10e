//! Entry, screening, locks: what is read before anyone adjudicates.

use super::super::Clause;
use super::super::outcome::Layer;
use super::script::{Lock, Screen, nth};
use super::state::{Flow, Pass};
use super::trace::{Did, Station};

/// The pass takes its own copy of the arguments, or nobody judges them (PASS-01).
pub(super) fn entry(pass: &mut Pass<'_>) -> Flow {
    if pass.script.unowned {
        return pass.deny(
            Station::Entry,
            "cannot be copied",
            Layer::Policy,
            Clause::Pass01,
        );
    }
    pass.step(Station::Entry, Did::Acted, "takes a copy", Clause::Pass02);
    Flow::Continue(())
}

/// The hook is asked about the call (PASS-04 to PASS-06).
pub(super) fn screening(pass: &mut Pass<'_>) -> Flow {
    let Some(answer) = nth(&pass.script.screening, pass.asked.screening) else {
        return Flow::Continue(());
    };
    pass.asked.screening += 1;
    let at = Station::Screening;
    let rewrite = match answer {
        Screen::Throw {} => return pass.deny(at, "throws", Layer::Engine, Clause::Pass04),
        Screen::Silent {} => return pass.deny(at, "is silent", Layer::Engine, Clause::Pass04),
        Screen::Cancelled {} => {
            return pass.deny(at, "is cancelled", Layer::Engine, Clause::Pass04);
        }
        Screen::Deny {} => return pass.deny(at, "denies", Layer::Hook, Clause::Pass05),
        Screen::None { rewrite } => {
            pass.step(at, Did::Asked, "has no opinion", Clause::Pass06);
            rewrite
        }
        Screen::Allow { rewrite } => {
            pass.hook_allows = true;
            pass.step(at, Did::Asked, "allows", Clause::Pass28);
            rewrite
        }
        Screen::Ask { question, rewrite } => {
            pass.hook_question = Some(question);
            pass.step(at, Did::Asked, "asks", Clause::Pass15);
            rewrite
        }
    };
    pass.rewrite(at, rewrite.as_ref(), Clause::Pass06);
    Flow::Continue(())
}

/// The compliance lock (PASS-07).
pub(super) fn compliance(pass: &mut Pass<'_>) -> Flow {
    if !pass.script.locks.contains(&Lock::Compliance) {
        return Flow::Continue(());
    }
    pass.deny(
        Station::Compliance,
        "is shut",
        Layer::Compliance,
        Clause::Pass07,
    )
}

/// The plan-mode block (PASS-08).
pub(super) fn plan_mode(pass: &mut Pass<'_>) -> Flow {
    if !pass.script.locks.contains(&Lock::PlanMode) {
        return Flow::Continue(());
    }
    pass.deny(
        Station::PlanMode,
        "is shut",
        Layer::PlanMode,
        Clause::Pass08,
    )
}
