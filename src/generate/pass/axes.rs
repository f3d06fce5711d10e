//! The answers of each seat that the enumeration combines.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::Names;
use crate::model::outcome::{Approver, Cause, Refusal, Settlement};
use crate::model::pass::Script;
use crate::model::pass::script::{
    Answered, Arbitration, Arm, Attested, Bound, Classified, Classifier, Lock, Mode, Org, Park,
    Probe, Protection, Question, ReadStation, Resolution, Ruling, Screen, Writer,
};

/// One way in which a seat departs from the plain script.
#[derive(Clone)]
pub struct Answer {
    /// Whether it is among the chief answers.
    pub chief: bool,
    /// Puts it into a script.
    pub set: Arc<dyn Fn(&mut Script) + Send + Sync>,
}

/// All ways in which a seat departs from the plain script.
#[derive(Clone)]
pub struct Axis {
    /// The answers.
    pub answers: Vec<Answer>,
}

impl Axis {
    /// The same seat with its chief answers alone.
    #[must_use]
    pub fn chief(&self) -> Self {
        Self {
            answers: self
                .answers
                .iter()
                .filter(|answer| answer.chief)
                .cloned()
                .collect(),
        }
    }
}

/// Arguments that no other place of a script holds.
pub(super) fn input(names: Names, index: u32) -> Value {
    json!({ "in": names.name("path", index), "more": { "text": names.name("text", index) } })
}

pub(super) fn question(names: Names, index: u32, real: bool) -> Question {
    let classes = vec![names.name("class", index), names.name("class", index + 1)];
    Question { classes, real }
}

/// The script that no seat speaks in.
pub(super) fn plain(names: Names) -> Script {
    Script::plain(names.name("call", 0), input(names, 0))
}

fn axis<T: Clone + Send + Sync + 'static>(
    put: fn(&mut Script, T),
    chief: impl IntoIterator<Item = T>,
    rest: impl IntoIterator<Item = T>,
) -> Axis {
    let answer = |chief: bool| {
        move |value: T| Answer {
            chief,
            set: Arc::new(move |script: &mut Script| put(script, value.clone())),
        }
    };
    let mut answers: Vec<Answer> = chief.into_iter().map(answer(true)).collect();
    answers.extend(rest.into_iter().map(answer(false)));
    Axis { answers }
}

/// Every seat, in the order of the spec.
#[must_use]
pub fn axes(names: Names) -> Vec<Axis> {
    let asks = |index, real| question(names, index, real);
    let mut all = vec![
        axis(|script, ()| script.unowned = true, [], [()]),
        screening(names),
        axis(
            |script, locks: Vec<Lock>| script.locks.extend(locks),
            [vec![Lock::Compliance], vec![Lock::PlanMode]],
            [Lock::ALL.to_vec()],
        ),
        policy(names),
        probe(names),
        read_station(names),
        axis(
            |script, answers| script.write_protection = answers,
            [
                vec![Protection::Match {
                    question: asks(4, false),
                }],
                vec![
                    Protection::Clear {},
                    Protection::Match {
                        question: asks(4, false),
                    },
                ],
            ],
            [vec![
                Protection::Match {
                    question: asks(4, true),
                },
                Protection::Clear {},
            ]],
        ),
        axis(
            |script, question| script.unstated = Some(question),
            [asks(6, false)],
            [asks(6, true)],
        ),
        axis(
            |script, org| script.org = Some(org),
            [Org::Deny {}],
            [
                Org::Ask {
                    question: asks(8, false),
                },
                Org::Ask {
                    question: asks(8, true),
                },
            ],
        ),
    ];
    let clears = |script: &mut Script, arm| _ = script.clears.insert(arm);
    all.extend([
        axis(clears, [Arm::StoredRules], []),
        axis(clears, [Arm::ReadOnlyArm], []),
        classifier(names),
        axis(
            |script, mode| script.mode = Some(mode),
            Arbitration::ALL.iter().map(|&say| Mode {
                say,
                word: names.name("mode", 0),
            }),
            [],
        ),
        axis(clears, [Arm::Sandbox], []),
        axis(|script, ()| script.unshown = true, [()], []),
        axis(
            |script, park| script.park = Some(park),
            [Park::Parks, Park::Fails],
            [],
        ),
        resolver(names),
        axis(|script, cap| script.edit_cap = cap, [1], [0]),
        axis(
            |script: &mut Script, writer| _ = script.writers.insert(writer),
            [Writer::Tool, Writer::Observer],
            [
                Writer::Host,
                Writer::Screening,
                Writer::Policy,
                Writer::Resolver,
            ],
        ),
        axis(
            |script: &mut Script, bound| _ = script.rebinds.insert(bound),
            [Bound::Policy],
            [Bound::Screening, Bound::Park, Bound::Resolver],
        ),
    ]);
    all
}

fn screening(names: Names) -> Axis {
    let hook = || question(names, 10, false);
    let rewrite = || Some(input(names, 1));
    let none = || Screen::None { rewrite: None };
    axis(
        |script, answers| script.screening = answers,
        [
            vec![Screen::Allow { rewrite: None }],
            vec![Screen::Ask {
                question: hook(),
                rewrite: None,
            }],
            vec![Screen::None { rewrite: rewrite() }, none()],
            vec![Screen::Deny {}],
            vec![Screen::Throw {}],
            vec![none(), Screen::Deny {}],
            vec![none(), Screen::Throw {}],
            vec![
                none(),
                Screen::None {
                    rewrite: Some(input(names, 2)),
                },
            ],
        ],
        [
            vec![none()],
            vec![Screen::Silent {}],
            vec![Screen::Cancelled {}],
            vec![Screen::Allow { rewrite: rewrite() }, none()],
            vec![
                Screen::Ask {
                    question: hook(),
                    rewrite: rewrite(),
                },
                none(),
            ],
            vec![none(), Screen::Silent {}],
            vec![none(), Screen::Cancelled {}],
            vec![
                none(),
                Screen::Ask {
                    question: hook(),
                    rewrite: None,
                },
                none(),
            ],
        ],
    )
}

fn attested(names: Names, settlement: Settlement) -> Attested {
    Attested {
        settlement,
        origin: names.name("origin", 0),
        call: None,
        licenses: None,
    }
}

fn policy(names: Names) -> Axis {
    let asks = |real| Ruling::Ask {
        question: question(names, 0, real),
        rewrite: None,
    };
    let allow = || Ruling::Allow {
        rewrite: None,
        record: None,
        round: None,
    };
    let deny = || Ruling::Deny {
        record: None,
        cause: None,
        round: None,
    };
    let yes = || {
        attested(
            names,
            Settlement::Approved {
                by: Approver::Person,
            },
        )
    };
    let no = || {
        attested(
            names,
            Settlement::Refused {
                reason: Refusal::Timeout,
            },
        )
    };
    let carries = |record| Ruling::Allow {
        rewrite: None,
        record: Some(record),
        round: None,
    };
    let vetoes = |record| Ruling::Deny {
        record: Some(record),
        cause: None,
        round: None,
    };
    let round = || Some(names.name("round", 1));
    let rewrite = || Some(input(names, 3));
    let again = || Some(input(names, 4));
    let other_bytes = Attested {
        licenses: Some(input(names, 9)),
        ..yes()
    };
    let other_call = Attested {
        call: Some(names.name("call", 1)),
        ..no()
    };
    axis(
        |script, answers| script.policy = answers,
        [
            vec![asks(false)],
            vec![asks(true), allow()],
            vec![
                Ruling::Ask {
                    question: question(names, 0, false),
                    rewrite: rewrite(),
                },
                allow(),
            ],
            vec![
                Ruling::Allow {
                    rewrite: rewrite(),
                    record: None,
                    round: None,
                },
                allow(),
            ],
            vec![carries(yes())],
            vec![deny()],
            vec![asks(false), deny()],
            vec![asks(false), allow()],
        ],
        [
            vec![allow()],
            vec![Ruling::Throw {}],
            vec![asks(false), Ruling::Throw {}],
            vec![carries(no())],
            vec![carries(other_bytes)],
            vec![carries(other_call.clone())],
            vec![vetoes(yes())],
            vec![vetoes(no())],
            vec![vetoes(other_call)],
            vec![Ruling::Allow {
                rewrite: None,
                record: None,
                round: round(),
            }],
            vec![Ruling::Deny {
                record: None,
                cause: None,
                round: round(),
            }],
            vec![Ruling::Deny {
                record: None,
                cause: Some(Cause::Unavailable),
                round: None,
            }],
            vec![Ruling::Deny {
                record: None,
                cause: Some(Cause::ParseError),
                round: round(),
            }],
            vec![
                asks(false),
                Ruling::Allow {
                    rewrite: again(),
                    record: None,
                    round: None,
                },
            ],
            vec![asks(false), vetoes(no())],
            vec![asks(false), carries(yes())],
            vec![
                asks(false),
                Ruling::Ask {
                    question: question(names, 2, true),
                    rewrite: None,
                },
                allow(),
            ],
        ],
    )
}

fn probe(names: Names) -> Axis {
    let asks = || question(names, 20, false);
    axis(
        |script, probe| script.probe = Some(probe),
        [
            Probe::Irreversible {
                question: asks(),
                boundary_declined: false,
            },
            Probe::Irreversible {
                question: asks(),
                boundary_declined: true,
            },
            Probe::Unanswered { question: asks() },
        ],
        [
            Probe::Reversible {
                boundary_declined: false,
            },
            Probe::Reversible {
                boundary_declined: true,
            },
        ],
    )
}

fn read_station(names: Names) -> Axis {
    let asks = || Some(question(names, 22, false));
    let found = |question, target_unresolved, write_protected| ReadStation {
        question,
        target_unresolved,
        write_protected,
    };
    axis(
        |script, found| script.read_station = Some(found),
        [found(asks(), false, false), found(asks(), true, false)],
        [
            found(asks(), false, true),
            found(None, false, false),
            found(None, true, false),
            found(None, false, true),
        ],
    )
}

fn classifier(names: Names) -> Axis {
    let rules = |say| Classifier { say, round: None };
    let named = |say| Classifier {
        say,
        round: Some(names.name("round", 0)),
    };
    axis(
        |script, classifier| script.classifier = Some(classifier),
        [rules(Classified::Allow), rules(Classified::Deny)],
        [
            named(Classified::Allow),
            named(Classified::Deny),
            rules(Classified::Unavailable),
            rules(Classified::ParseError),
            named(Classified::Unavailable),
            named(Classified::ParseError),
        ],
    )
}

fn resolver(names: Names) -> Axis {
    let allow = |record, edit| Resolution::Allow { record, edit };
    let deny = |record| Resolution::Deny { record };
    let edit = |index: u32| Some(input(names, 5 + index));
    let yes = || Some(Answered::yes());
    let no = |reason| Some(Answered::no(reason));
    let turned = vec![names.name("class", 1), names.name("class", 0)];
    axis(
        |script, answers| script.resolver = Some(answers),
        [
            vec![],
            vec![allow(None, None)],
            vec![deny(no(Refusal::Declined))],
            vec![
                allow(yes(), edit(0)),
                allow(yes(), edit(1)),
                allow(yes(), edit(2)),
            ],
            vec![allow(None, edit(0)), allow(None, None)],
        ],
        [
            vec![allow(yes(), edit(0)), deny(no(Refusal::Declined))],
            vec![allow(
                Some(Answered::of(Settlement::Approved {
                    by: Approver::Delegate,
                })),
                None,
            )],
            vec![allow(yes(), None)],
            vec![deny(None)],
            vec![deny(yes())],
            vec![allow(no(Refusal::Declined), None)],
            vec![allow(no(Refusal::Cancelled), None)],
            vec![deny(no(Refusal::Timeout))],
            vec![Resolution::Retired {}],
            vec![Resolution::Throw {}],
            vec![allow(
                Some(Answered {
                    origin: Some(names.name("origin", 1)),
                    ..Answered::yes()
                }),
                None,
            )],
            vec![allow(
                Some(Answered {
                    classes: Some(vec![names.name("class", 0)]),
                    ..Answered::yes()
                }),
                None,
            )],
            vec![allow(
                Some(Answered {
                    classes: Some(turned),
                    ..Answered::yes()
                }),
                None,
            )],
            vec![allow(
                Some(Answered {
                    call: Some(names.name("call", 1)),
                    ..Answered::yes()
                }),
                None,
            )],
            vec![allow(
                Some(Answered {
                    licenses: Some(input(names, 9)),
                    ..Answered::yes()
                }),
                None,
            )],
            vec![
                allow(
                    Some(Answered {
                        licenses: Some(input(names, 0)),
                        ..Answered::yes()
                    }),
                    edit(0),
                ),
                allow(yes(), None),
            ],
            vec![deny(Some(Answered {
                call: Some(names.name("call", 1)),
                ..Answered::no(Refusal::Timeout)
            }))],
        ],
    )
}
