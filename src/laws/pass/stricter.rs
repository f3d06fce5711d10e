//! The lattice of a pass: results in order, and what makes a script stricter in one seat.

use crate::model::pass::script::{
    Arbitration, Arm, Classified, Lock, Org, Probe, Protection, Question, ReadStation, Resolution,
    Ruling, Screen,
};
use crate::model::pass::{Script, Verdict};

/// How strict a result is: an allow, a call that waits, a call that does not run.
#[must_use]
pub const fn rank(result: Verdict) -> u8 {
    match result {
        Verdict::Allow => 0,
        Verdict::Suspended => 1,
        // a defect runs nothing, as a deny does
        Verdict::Deny | Verdict::Defect => 2,
    }
}

/// Whether a question that is put earlier may not take the place of a later one.
///
/// The exception to the lattice that the seed makes: the first question stands (PASS-22), with its
/// own needs and its own origin. So a seat that begins to ask may displace a question that needed
/// a real approval, or one that a record was made for; there, stricter is not comparable.
fn questions_are_alike(script: &Script) -> bool {
    let real = |question: &Question| question.real;
    let hook = script.screening.iter().any(|screen| match screen {
        Screen::Ask { question, .. } => real(question),
        _ => false,
    });
    let policy = script.policy.iter().any(|ruling| match ruling {
        Ruling::Ask { question, .. } => real(question),
        _ => false,
    });
    let probe = match &script.probe {
        Some(Probe::Irreversible { question, .. } | Probe::Unanswered { question }) => {
            real(question)
        }
        _ => false,
    };
    let found = script
        .read_station
        .as_ref()
        .and_then(|found| found.question.as_ref());
    let protected = script.write_protection.iter().any(|judged| match judged {
        Protection::Match { question } => real(question),
        Protection::Clear {} => false,
    });
    let org = matches!(&script.org, Some(Org::Ask { question }) if real(question));
    let records = script.resolutions().iter().all(|answer| match answer {
        Resolution::Allow { record, .. } | Resolution::Deny { record } => {
            record.as_ref().is_none_or(|record| {
                record.origin.is_none()
                    && record.classes.is_none()
                    && record.call.is_none()
                    && record.licenses.is_none()
            })
        }
        Resolution::Retired {} | Resolution::Throw {} => true,
    });
    !hook
        && !policy
        && !probe
        && !found.is_some_and(real)
        && !protected
        && !script.unstated.as_ref().is_some_and(real)
        && !org
        && records
}

/// Scripts that are stricter than this one in just one seat, each with what is.
#[must_use]
pub fn stricter(script: &Script) -> Vec<(&'static str, Script)> {
    let mut all = Vec::new();
    let mut say = |what: &'static str, change: &dyn Fn(&mut Script)| {
        let mut next = script.clone();
        change(&mut next);
        if next != *script {
            all.push((what, next));
        }
    };
    say("the arguments cannot be copied", &|next| {
        next.unowned = true
    });
    for lock in Lock::ALL {
        say("a lock is shut", &|next| _ = next.locks.insert(*lock));
    }
    for arm in Arm::ALL {
        say("an arm clears nothing", &|next| _ = next.clears.remove(arm));
    }
    say("the organisation denies", &|next| {
        next.org = Some(Org::Deny {})
    });
    say("the mode does not release", &|next| {
        next.mode.take_if(|mode| mode.say == Arbitration::Release);
    });
    say("the mode refuses", &|next| {
        if let Some(mode) = &mut next.mode {
            mode.say = Arbitration::Refuse;
        }
    });
    for says in [
        Classified::Deny,
        Classified::Unavailable,
        Classified::ParseError,
    ] {
        say("the classifier does not allow", &|next| {
            if let Some(classifier) = &mut next.classifier {
                classifier.say = says;
            }
        });
    }
    say("what would be asked cannot be shown", &|next| {
        next.unshown = true
    });
    say("nobody is there to ask", &|next| {
        next.resolver = Some(Vec::new())
    });
    say("fewer rounds of edits", &|next| next.edit_cap /= 2);
    say("a target is protected or not resolved", &|next| {
        if let Some(found) = &mut next.read_station {
            (found.target_unresolved, found.write_protected) = (true, true);
        }
    });
    answers(script, &mut all);
    if questions_are_alike(script) {
        questions(script, &mut all);
    }
    all
}

/// A seat that answers a list is stricter at one place of it.
fn answers(script: &Script, all: &mut Vec<(&'static str, Script)>) {
    for at in 0..script.screening.len() {
        for answer in [Screen::Deny {}, Screen::Throw {}, Screen::Silent {}] {
            let mut next = script.clone();
            set(&mut next.screening, at, answer);
            all.push(("the hook denies or fails", next));
        }
        let mut next = script.clone();
        if let Some(Screen::Allow { rewrite }) = script.screening.get(at) {
            set(
                &mut next.screening,
                at,
                Screen::None {
                    rewrite: rewrite.clone(),
                },
            );
            all.push(("the hook does not allow", next));
        }
    }
    for at in 0..script.policy.len() {
        for answer in [
            Ruling::Deny {
                record: None,
                cause: None,
                round: None,
            },
            Ruling::Throw {},
        ] {
            let mut next = script.clone();
            set(&mut next.policy, at, answer);
            all.push(("the policy denies or fails", next));
        }
    }
    for at in 0..script.resolver.as_ref().map_or(0, Vec::len) {
        let mut next = script.clone();
        if let Some(resolver) = &mut next.resolver {
            set(resolver, at, Resolution::Deny { record: None });
        }
        all.push(("the resolver denies", next));
    }
    for at in 1..script.write_protection.len() {
        let mut next = script.clone();
        set(
            &mut next.write_protection,
            at,
            Protection::Match {
                question: Question::default(),
            },
        );
        all.push(("an edit's target is protected", next));
    }
}

/// A seat begins to ask.
fn questions(script: &Script, all: &mut Vec<(&'static str, Script)>) {
    let question = Question::default;
    for at in 0..script.screening.len() {
        if let Some(Screen::None { rewrite } | Screen::Allow { rewrite }) = script.screening.get(at)
        {
            let mut next = script.clone();
            let asks = Screen::Ask {
                question: question(),
                rewrite: rewrite.clone(),
            };
            set(&mut next.screening, at, asks);
            all.push(("the hook asks", next));
        }
    }
    for at in 0..script.policy.len() {
        if let Some(Ruling::Allow {
            rewrite,
            record: None,
            ..
        }) = script.policy.get(at)
        {
            let mut next = script.clone();
            let asks = Ruling::Ask {
                question: question(),
                rewrite: rewrite.clone(),
            };
            set(&mut next.policy, at, asks);
            all.push(("the policy asks", next));
        }
    }
    let mut say = |what: &'static str, change: &dyn Fn(&mut Script)| {
        let mut next = script.clone();
        change(&mut next);
        all.push((what, next));
    };
    say("the probe does not answer", &|next| {
        next.probe = Some(Probe::Unanswered {
            question: question(),
        });
    });
    if script.probe.is_none() {
        say("the probe says irreversible", &|next| {
            next.probe = Some(Probe::Irreversible {
                question: question(),
                boundary_declined: false,
            });
        });
    }
    say("the read station asks", &|next| {
        next.read_station
            .get_or_insert_with(ReadStation::default)
            .question = Some(question());
    });
    say(
        "the call's target is protected",
        &|next| match next.write_protection.first_mut() {
            Some(first) => {
                *first = Protection::Match {
                    question: question(),
                }
            }
            None => {
                next.write_protection = vec![
                    Protection::Match {
                        question: question(),
                    },
                    Protection::Clear {},
                ];
            }
        },
    );
    say("the tool does not state its effects", &|next| {
        next.unstated = Some(question())
    });
    if script.org.is_none() {
        say("the organisation asks", &|next| {
            next.org = Some(Org::Ask {
                question: question(),
            })
        });
    }
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}
