//! Park, resolution and the chain of edits: the standing ask is put to somebody.

use super::super::Clause;
use super::super::ledger::{self, Asked, Attestation, Returned};
use super::super::outcome::{Decision, Layer, Refusal};
use super::choice::Choice;
use super::fold::{adjudicate, promote};
use super::lanes::supersede;
use super::script::{Answered, Input, Park, Protection, Resolution, Screen, nth};
use super::state::{Bytes, Ending, Flow, Pass, Words};
use super::trace::{Did, Stands, Station};

/// Puts the standing ask, and what an edit leaves of it, until none stands.
pub(super) fn resolution(pass: &mut Pass<'_>) -> Flow {
    let mut rounds = 0;
    while let Stands::Ask(minted) = pass.stands {
        park(pass)?;
        let edit = resolve(pass, minted)?;
        let none = |edit: &&Input| pass.reads(Choice::SameBytesNoEdit) && **edit == *pass.input;
        if let Some(edit) = edit.filter(|edit| !none(edit)) {
            pass.input = edit;
            pass.step(Station::Resolver, Did::Rewrote, "edits", Clause::Pass47);
            if rounds == pass.script.edit_cap {
                return pass.capped();
            }
            rounds += 1;
            edited(pass)?;
        }
    }
    Flow::Continue(())
}

/// The durable park (PASS-37, PASS-38).
fn park(pass: &mut Pass<'_>) -> Flow {
    match pass.script.park {
        None => Flow::Continue(()),
        Some(Park::Parks) => {
            pass.stands = Stands::Suspended;
            pass.step(Station::Park, Did::Asked, "parks the call", Clause::Pass37);
            Flow::Break(Ending::Suspended)
        }
        Some(Park::Fails) => {
            pass.park_failed = true;
            pass.heard(Station::Park, "fails", Clause::Pass38)
        }
    }
}

/// Puts the ask to the resolver; gives the edit that an allow carries (PASS-39 to PASS-44).
fn resolve<'a>(
    pass: &mut Pass<'a>,
    minted: Station,
) -> std::ops::ControlFlow<Ending, Option<&'a Input>> {
    let script = pass.script;
    let at = Station::Resolver;
    let refuse = |pass: &mut Pass<'a>, said, reason, clause| {
        pass.ledger.set(reason, minted.origin());
        pass.deny(at, said, Layer::AskResolution, clause)
    };
    let Some(answer) = nth(script.resolutions(), pass.asked.resolver) else {
        pass.ledger.set(Refusal::Unavailable, minted.origin());
        pass.stands = Stands::Deny(Layer::AskResolution);
        pass.step(at, Did::Settled, "there is nobody to ask", Clause::Pass39);
        return Flow::Break(Ending::Exit).map_continue(|()| None);
    };
    pass.asked.resolver += 1;
    let (decision, record, edit) = match answer {
        Resolution::Throw {} => {
            let reason = if pass.reads(Choice::FailedResolverUnavailable) {
                Refusal::Unavailable
            } else {
                Refusal::ApproverContract
            };
            return refuse(pass, "throws", reason, Clause::Pass44).map_continue(|()| None);
        }
        Resolution::Retired {} => {
            pass.stands = Stands::Defect;
            pass.step(at, Did::Asked, "carries `settlement`", Clause::Pass43);
            return Flow::Break(Ending::Defect).map_continue(|()| None);
        }
        Resolution::Allow { record, edit } => (Decision::Allow, record.as_ref(), edit.as_ref()),
        Resolution::Deny { record } => (Decision::Deny, record.as_ref(), None),
    };
    settle(pass, minted, decision, record, edit).map_continue(|()| edit)
}

/// The ledger reads the resolution (PASS-40 to PASS-42).
fn settle<'a>(
    pass: &mut Pass<'a>,
    minted: Station,
    decision: Decision,
    record: Option<&'a Answered>,
    edit: Option<&'a Input>,
) -> Flow {
    let at = Station::Resolver;
    let request = Bytes(pass.input);
    let question = pass.question;
    let real = question.is_some_and(|question| question.real);
    let person = pass.person_only();
    let asked = Asked::<Words<'a>> {
        origin: minted.origin(),
        classes: question
            .iter()
            .flat_map(|question| classes(&question.classes))
            .collect(),
        real_approval: real || person.is_some(),
    };
    let record = record.map(|record| Attestation {
        call: record.call.as_deref().unwrap_or(&pass.script.call),
        origin: record.origin.as_deref().unwrap_or(asked.origin),
        classes: match &record.classes {
            Some(own) => classes(own).collect(),
            None => asked.classes.clone(),
        },
        digest: record
            .licenses
            .as_ref()
            .map_or(edit.map_or(request, Bytes), Bytes),
        settlement: record.settlement,
    });
    let unattested = record.is_none();
    let said = match decision {
        Decision::Allow => "allows",
        Decision::Deny => "denies",
    };
    let resolution = ledger::Resolution {
        decision,
        record,
        edited: edit.map(Bytes),
        retired: false,
    };
    let returned = pass.ledger.resolved(&resolution, &asked, &request);
    let clause = match (decision, unattested) {
        (Decision::Allow, true) if real => Clause::Pass41,
        (Decision::Allow, true) if person.is_some() => Clause::Pass42,
        _ => Clause::Pass40,
    };
    match returned {
        Returned::Allow => pass.allow(at, said, clause),
        Returned::Deny(layer) => pass.deny(at, said, layer, clause),
        _ => {
            pass.stands = Stands::Defect;
            pass.step(at, Did::Asked, said, Clause::Pass43);
            Flow::Break(Ending::Defect)
        }
    }
}

fn classes(classes: &[String]) -> impl Iterator<Item = &str> {
    classes.iter().map(String::as_str)
}

impl Pass<'_> {
    /// An edit past the cap (PASS-50).
    fn capped(&mut self) -> Flow {
        self.stands = Stands::Deny(Layer::EditCap);
        self.step(Station::EditCap, Did::Acted, "is reached", Clause::Pass50);
        Flow::Break(Ending::Exit)
    }
}

/// An approved edit is screened, adjudicated and judged again (PASS-45 to PASS-49).
fn edited(pass: &mut Pass<'_>) -> Flow {
    rescreen(pass)?;
    if pass.reads(Choice::RejudgeFirst) {
        rejudge(pass)?;
        adjudicate(pass, Station::Readjudicate, Clause::Pass47)?;
    } else {
        adjudicate(pass, Station::Readjudicate, Clause::Pass47)?;
        rejudge(pass)?;
    }
    promote(pass, Clause::Pass48)?;
    supersede(pass)
}

/// The hook is asked about the edit (PASS-45, PASS-46).
fn rescreen(pass: &mut Pass<'_>) -> Flow {
    let script = pass.script;
    pass.hook_question = None;
    let Some(answer) = nth(&script.screening, pass.asked.screening) else {
        return Flow::Continue(());
    };
    pass.asked.screening += 1;
    let at = Station::Rescreen;
    let rewrite = match answer {
        Screen::Deny {} => return refused(pass, "denies"),
        Screen::Throw {} => return refused(pass, "throws"),
        Screen::Silent {} => return refused(pass, "is silent"),
        Screen::Cancelled {} => return refused(pass, "is cancelled"),
        Screen::None { rewrite } => {
            pass.step(at, Did::Asked, "has no opinion", Clause::Pass45);
            rewrite
        }
        Screen::Allow { rewrite } => {
            pass.step(at, Did::Asked, "allows", Clause::Pass45);
            rewrite
        }
        Screen::Ask { question, rewrite } => {
            pass.hook_question = Some(question);
            pass.step(at, Did::Asked, "asks", Clause::Pass48);
            rewrite
        }
    };
    pass.rewrite(at, rewrite.as_ref(), Clause::Pass06);
    Flow::Continue(())
}

fn refused(pass: &mut Pass<'_>, said: &'static str) -> Flow {
    pass.deny(Station::Rescreen, said, Layer::HookRescreen, Clause::Pass46)
}

/// Write protection judges the edit (PASS-49).
fn rejudge(pass: &mut Pass<'_>) -> Flow {
    let script = pass.script;
    let Some(judged) = nth(&script.write_protection, pass.asked.protection) else {
        return Flow::Continue(());
    };
    pass.asked.protection += 1;
    let at = Station::Rejudge;
    let confirmed = pass.write_protected && pass.reads(Choice::ConfirmedTargetPasses);
    match judged {
        Protection::Match { .. } if !confirmed => {
            pass.deny(at, "matches", Layer::WriteProtection, Clause::Pass49)
        }
        Protection::Match { .. } | Protection::Clear {} => {
            pass.heard(at, "is clear", Clause::Pass49)
        }
    }
}
