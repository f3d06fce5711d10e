//! Smaller scripts: one part less, or one part plainer.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::pass::Script;
use crate::model::pass::script::{Probe, Question, Resolution, Ruling, Screen};
use crate::ops::weight;

/// Every script that is one step smaller, the boldest step first.
pub(super) fn smaller(script: &Script) -> Vec<Script> {
    let mut all = Vec::new();
    let mut say = |change: &dyn Fn(&mut Script)| {
        let mut next = script.clone();
        change(&mut next);
        all.push(next);
    };
    say(&|next| next.unowned = false);
    say(&|next| next.screening.clear());
    say(&|next| next.policy.clear());
    say(&|next| next.probe = None);
    say(&|next| next.read_station = None);
    say(&|next| next.write_protection.clear());
    say(&|next| next.unstated = None);
    say(&|next| next.org = None);
    say(&|next| next.classifier = None);
    say(&|next| next.mode = None);
    say(&|next| next.unshown = false);
    say(&|next| next.park = None);
    say(&|next| next.resolver = None);
    for lock in &script.locks {
        say(&|next| _ = next.locks.remove(lock));
    }
    for arm in &script.clears {
        say(&|next| _ = next.clears.remove(arm));
    }
    for writer in &script.writers {
        say(&|next| _ = next.writers.remove(writer));
    }
    for bound in &script.rebinds {
        say(&|next| _ = next.rebinds.remove(bound));
    }
    shorter(script, |next| &mut next.screening, &mut all);
    shorter(script, |next| &mut next.policy, &mut all);
    shorter(script, |next| &mut next.write_protection, &mut all);
    if script.resolver.is_some() {
        shorter(script, resolver, &mut all);
        plainer(script, resolver, plainer_resolution, &mut all);
    }
    plainer(script, |next| &mut next.screening, plainer_screen, &mut all);
    plainer(script, |next| &mut next.policy, plainer_ruling, &mut all);
    members(script, &mut all);
    let size = weight(script);
    let inputs = inputs(script);
    all.retain(|next| weight(next) < size && distinct(next, &inputs));
    all
}

/// The resolver's own answers, where it has some.
fn resolver(script: &mut Script) -> &mut Vec<Resolution> {
    script.resolver.get_or_insert_default()
}

/// Without one answer of a list.
fn shorter<T>(script: &Script, list: fn(&mut Script) -> &mut Vec<T>, all: &mut Vec<Script>) {
    let count = list(&mut script.clone()).len();
    for at in 0..count {
        let mut next = script.clone();
        list(&mut next).remove(at);
        all.push(next);
    }
}

/// With one answer of a list plainer.
fn plainer<T: Clone>(
    script: &Script,
    list: fn(&mut Script) -> &mut Vec<T>,
    plainer: fn(&T) -> Vec<T>,
    all: &mut Vec<Script>,
) {
    for (at, answer) in list(&mut script.clone()).iter().enumerate() {
        for plain in plainer(answer) {
            let mut next = script.clone();
            if let Some(place) = list(&mut next).get_mut(at) {
                *place = plain;
            }
            all.push(next);
        }
    }
}

fn plainer_screen(screen: &Screen) -> Vec<Screen> {
    match screen {
        Screen::None { rewrite: Some(_) } => vec![Screen::None { rewrite: None }],
        Screen::Allow { rewrite } => {
            vec![
                Screen::None {
                    rewrite: rewrite.clone(),
                },
                Screen::Allow { rewrite: None },
            ]
        }
        Screen::Ask { question, rewrite } => {
            let mut all = vec![
                Screen::None {
                    rewrite: rewrite.clone(),
                },
                Screen::Ask {
                    question: question.clone(),
                    rewrite: None,
                },
            ];
            all.extend(plainer_question(question).map(|question| Screen::Ask {
                question,
                rewrite: rewrite.clone(),
            }));
            all
        }
        _ => Vec::new(),
    }
}

fn plainer_ruling(ruling: &Ruling) -> Vec<Ruling> {
    match ruling {
        Ruling::Allow {
            rewrite,
            record,
            round,
        } => {
            let with = |rewrite: &Option<Value>, record: &Option<_>, round: &Option<String>| {
                Ruling::Allow {
                    rewrite: rewrite.clone(),
                    record: record.clone(),
                    round: round.clone(),
                }
            };
            let mut all = vec![
                with(&None, record, round),
                with(rewrite, &None, round),
                with(rewrite, record, &None),
            ];
            if let Some(record) = record {
                let mut plain = record.clone();
                plain.call = None;
                all.push(with(rewrite, &Some(plain), round));
                let mut plain = record.clone();
                plain.licenses = None;
                all.push(with(rewrite, &Some(plain), round));
            }
            all
        }
        Ruling::Ask { question, rewrite } => {
            let mut all = vec![Ruling::Ask {
                question: question.clone(),
                rewrite: None,
            }];
            all.extend(plainer_question(question).map(|question| Ruling::Ask {
                question,
                rewrite: rewrite.clone(),
            }));
            all
        }
        Ruling::Deny {
            record,
            cause,
            round,
        } => {
            let with =
                |record: &Option<_>, cause: &Option<_>, round: &Option<String>| Ruling::Deny {
                    record: record.clone(),
                    cause: *cause,
                    round: round.clone(),
                };
            let mut all = vec![
                with(&None, cause, round),
                with(record, &None, round),
                with(record, cause, &None),
            ];
            if let Some(record) = record {
                let mut plain = record.clone();
                plain.licenses = None;
                plain.call = None;
                all.push(with(&Some(plain), cause, round));
            }
            all
        }
        Ruling::Throw {} => Vec::new(),
    }
}

fn plainer_resolution(resolution: &Resolution) -> Vec<Resolution> {
    let records = |record: &Option<crate::model::pass::script::Answered>| {
        let Some(record) = record else {
            return Vec::new();
        };
        let mut all = vec![None];
        let mut plain = record.clone();
        plain.origin = None;
        all.push(Some(plain));
        let mut plain = record.clone();
        plain.classes = None;
        all.push(Some(plain));
        let mut plain = record.clone();
        plain.call = None;
        all.push(Some(plain));
        let mut plain = record.clone();
        plain.licenses = None;
        all.push(Some(plain));
        all
    };
    match resolution {
        Resolution::Allow { record, edit } => {
            let mut all = vec![Resolution::Allow {
                record: record.clone(),
                edit: None,
            }];
            all.extend(records(record).into_iter().map(|record| Resolution::Allow {
                record,
                edit: edit.clone(),
            }));
            all
        }
        Resolution::Deny { record } => records(record)
            .into_iter()
            .map(|record| Resolution::Deny { record })
            .collect(),
        Resolution::Retired {} | Resolution::Throw {} => Vec::new(),
    }
}

/// A question about less, or one that any allow answers.
fn plainer_question(question: &Question) -> impl Iterator<Item = Question> + use<> {
    let fewer = question.classes.split_last().map(|(_, classes)| Question {
        classes: classes.to_vec(),
        real: question.real,
    });
    let plain = question.real.then(|| Question {
        classes: question.classes.clone(),
        real: false,
    });
    fewer.into_iter().chain(plain)
}

/// With one member of a seat left out, a question plainer, or the arguments smaller.
fn members(script: &Script, all: &mut Vec<Script>) {
    let mut say = |change: &dyn Fn(&mut Script)| {
        let mut next = script.clone();
        change(&mut next);
        all.push(next);
    };
    if let Some(Probe::Irreversible {
        question,
        boundary_declined: true,
    }) = &script.probe
    {
        say(&|next| {
            next.probe = Some(Probe::Reversible {
                boundary_declined: true,
            })
        });
        say(&|next| {
            next.probe = Some(Probe::Irreversible {
                question: question.clone(),
                boundary_declined: false,
            });
        });
    }
    if script.read_station.is_some() {
        say(&|next| {
            if let Some(found) = &mut next.read_station {
                found.question = None;
            }
        });
        say(&|next| {
            if let Some(found) = &mut next.read_station {
                found.target_unresolved = false;
            }
        });
        say(&|next| {
            if let Some(found) = &mut next.read_station {
                found.write_protected = false;
            }
        });
    }
    for which in 0..6 {
        for plain in question(script, which).iter().flat_map(plainer_question) {
            let mut next = script.clone();
            if let Some(question) = question_mut(&mut next, which) {
                *question = plain;
            }
            all.push(next);
        }
    }
    let mut say = |change: &dyn Fn(&mut Script)| {
        let mut next = script.clone();
        change(&mut next);
        all.push(next);
    };
    say(&|next| {
        if let Some(classifier) = &mut next.classifier {
            classifier.round = None;
        }
    });
    if script.edit_cap > 0 {
        say(&|next| next.edit_cap /= 10);
    }
    if let Some(members) = script.args.as_object() {
        for name in members.keys() {
            say(&|next| {
                if let Some(members) = next.args.as_object_mut() {
                    members.remove(name);
                }
            });
        }
    }
}

/// The questions of the seats that do not answer a list.
fn question(script: &Script, which: usize) -> Option<Question> {
    question_mut(&mut script.clone(), which).map(|question| question.clone())
}

fn question_mut(script: &mut Script, which: usize) -> Option<&mut Question> {
    use crate::model::pass::script::{Org, Protection};
    match which {
        0 => match script.probe.as_mut()? {
            Probe::Irreversible { question, .. } | Probe::Unanswered { question } => Some(question),
            Probe::Reversible { .. } => None,
        },
        1 => script.read_station.as_mut()?.question.as_mut(),
        2 | 3 => match script.write_protection.get_mut(which - 2)? {
            Protection::Match { question } => Some(question),
            Protection::Clear {} => None,
        },
        4 => script.unstated.as_mut(),
        _ => match script.org.as_mut()? {
            Org::Ask { question } => Some(question),
            Org::Deny {} => None,
        },
    }
}

/// Every input of a script, by its text, as often as it stands there.
fn inputs(script: &Script) -> Vec<String> {
    let screens = script.screening.iter().map(|screen| match screen {
        Screen::None { rewrite } | Screen::Allow { rewrite } | Screen::Ask { rewrite, .. } => {
            rewrite.as_ref()
        }
        _ => None,
    });
    let rulings = script.policy.iter().map(|ruling| match ruling {
        Ruling::Allow { rewrite, .. } | Ruling::Ask { rewrite, .. } => rewrite.as_ref(),
        _ => None,
    });
    let edits = script.resolutions().iter().map(|answer| match answer {
        Resolution::Allow { edit, .. } => edit.as_ref(),
        _ => None,
    });
    let all = screens.chain(rulings).chain(edits).flatten();
    std::iter::once(&script.args)
        .chain(all)
        .map(Value::to_string)
        .collect()
}

/// Whether no two inputs became one: an edit to what stands already is an open question.
fn distinct(next: &Script, before: &[String]) -> bool {
    let count = |inputs: &[String]| inputs.iter().collect::<BTreeSet<_>>().len();
    let after = inputs(next);
    after.len() - count(&after) <= before.len() - count(before)
}
