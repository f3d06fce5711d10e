//! The judge of another's pass: the first station at which it parts from the spec's.
//!
//! A pass is compared in the order in which it happens: the consults one by one, what it comes to,
//! the record member by member, who was told, the final input. Between two consults the steps of
//! the spec's pass are the suspects, and the last of them is named: in a smallest script every
//! earlier one is needed for it.

use serde_json::Value;

use super::words::Seat;
use super::{Consulted, Outcome, Output, WRITTEN, written};
use crate::model::Clause;
use crate::model::outcome::{Layer, Settlement};
use crate::model::pass::script::{Arbitration, Classified, Park, Screen, Script, Writer};
use crate::model::pass::{
    Choice, Did, Passed, Readings, Stands, Station, Step, Verdict, open, run, run_under,
};

/// Where a gate parts from the spec's pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The step, by its place in the trace, when it is about one.
    pub step: Option<usize>,
    /// The clause that decides it.
    pub clause: Clause,
}

/// Where an answer parts from the pass, unless a reading that the seeds leave open gives it.
pub(super) fn judge(script: &Script, got: &Output) -> Option<Fault> {
    let fault = Case {
        script,
        passed: &run(script),
    }
    .differs(got)?;
    let choices = open(script);
    let other = (1_u32..1 << choices.len().min(12)).any(|bits| {
        let takes = |(at, choice): (usize, &Choice)| (bits >> at & 1 == 1).then_some(*choice);
        let readings: Readings = choices.iter().enumerate().filter_map(takes).collect();
        Case {
            script,
            passed: &run_under(script, &readings),
        }
        .differs(got)
        .is_none()
    });
    (!other).then_some(fault)
}

/// Whether a seat that is asked after a deny could have let the call run (PASS-14).
pub(super) fn releases_later(script: &Script) -> bool {
    !script.clears.is_empty()
        || script
            .screening
            .iter()
            .any(|screen| matches!(screen, Screen::Allow { .. }))
        || script
            .classifier
            .as_ref()
            .is_some_and(|seat| seat.say == Classified::Allow)
        || script
            .mode
            .as_ref()
            .is_some_and(|mode| mode.say == Arbitration::Release)
        || script.park == Some(Park::Parks)
}

struct Case<'a> {
    script: &'a Script,
    passed: &'a Passed<'a>,
}

impl<'a> Case<'a> {
    fn differs(&self, got: &Output) -> Option<Fault> {
        self.consults(got)
            .or_else(|| self.result(got))
            .or_else(|| self.ran(got))
            .or_else(|| self.record(got))
            .or_else(|| self.said(got))
            .or_else(|| self.told(got))
            .or_else(|| self.inputs(got))
            .or_else(|| self.seen(got))
    }

    fn steps(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Step<'a>)> {
        self.passed.trace.iter().enumerate()
    }

    /// The last step before `end` that `is` picks.
    fn last(&self, end: usize, is: impl Fn(&Step<'_>) -> bool) -> Option<Fault> {
        let (at, step) = self
            .steps()
            .rev()
            .find(|(at, step)| *at < end && is(step))?;
        Some(Fault {
            step: Some(at),
            clause: step.clause,
        })
    }

    /// The suspect among the steps before `end`: the last that decided anything.
    fn suspect(&self, end: usize) -> Fault {
        let general = |step: &Step<'_>| {
            matches!(
                step.station,
                Station::Entry | Station::Supersede | Station::Keep | Station::Exit
            )
        };
        self.last(end, |step| !general(step) || step.clause == Clause::Pass01)
            .unwrap_or(Fault {
                step: None,
                clause: Clause::Pass09,
            })
    }

    /// The suspect behind a deny of the spec that the gate does not make.
    fn loosened(&self) -> Fault {
        let fault = self.suspect(self.passed.trace.len());
        if self.is_final(fault) && releases_later(self.script) {
            return Fault {
                clause: Clause::Pass14,
                ..fault
            };
        }
        fault
    }

    /// Whether a suspect is a deny that nothing after it may touch.
    fn is_final(&self, fault: Fault) -> bool {
        let own = matches!(
            fault.clause,
            Clause::Pass09 | Clause::Pass11 | Clause::Pass24
        );
        self.passed.result == Verdict::Deny && own
    }

    /// A seat was asked after the last that has to be.
    fn asked_on(&self, seat: Seat) -> Fault {
        let fault = self.suspect(self.passed.trace.len());
        let asks = self
            .steps()
            .any(|(_, step)| matches!(step.stands, Stands::Ask(_)));
        match seat {
            _ if self.is_final(fault) => Fault {
                clause: Clause::Pass14,
                ..fault
            },
            Seat::Classifier if !asks => Fault {
                step: None,
                clause: Clause::Pass29,
            },
            _ => fault,
        }
    }

    /// The consults of the seats whose log is compared consult by consult.
    fn consults(&self, got: &Output) -> Option<Fault> {
        let expected: Vec<(usize, Seat, &Step<'_>)> = self
            .steps()
            .filter(|(_, step)| step.did == Did::Asked)
            .filter_map(|(at, step)| Some((at, Seat::of(step.station)?, step)))
            .filter(|(_, seat, _)| seat.exact())
            .collect();
        let consulted: Vec<&Consulted> = got
            .consulted
            .iter()
            .filter(|consult| consult.seat.exact())
            .collect();
        for at in 0..expected.len().max(consulted.len()) {
            match (expected.get(at), consulted.get(at)) {
                (_, Some(consult)) if consult.seat == Seat::Replaced => {
                    let step = expected.get(at).map(|(step, ..)| *step);
                    return Some(Fault {
                        step,
                        clause: Clause::Pass03,
                    });
                }
                (Some((step, seat, expected)), Some(consult)) if consult.seat == *seat => {
                    // an input that cannot be copied cannot be logged either
                    if consult.input != *expected.input {
                        return Some(self.other_input(*step, &consult.input));
                    }
                }
                (Some((step, ..)), Some(_)) => return Some(self.skipped(*step, true)),
                (Some((step, ..)), None) => {
                    let went_on = !matches!(got.result, Verdict::Deny | Verdict::Defect);
                    return Some(self.skipped(*step, went_on));
                }
                (None, Some(consult)) => return Some(self.asked_on(consult.seat)),
                (None, None) => {}
            }
        }
        None
    }

    /// A seat was not asked that has to be.
    fn skipped(&self, at: usize, went_on: bool) -> Fault {
        let own = self
            .passed
            .trace
            .get(at)
            .and_then(|step| match step.station {
                Station::Screening => Some(step.clause),
                Station::Policy => Some(Clause::Pass09),
                Station::Rescreen => Some(Clause::Pass45),
                Station::Readjudicate => Some(Clause::Pass47),
                _ => None,
            });
        match own {
            Some(clause) if went_on => Fault {
                step: Some(at),
                clause,
            },
            _ => self.suspect(at),
        }
    }

    /// A seat was asked about other arguments than it has to be.
    fn other_input(&self, at: usize, input: &Value) -> Fault {
        if wrote(self.script, input) {
            return Fault {
                step: Some(at),
                clause: Clause::Pass02,
            };
        }
        let rewrote = self.last(at, |step| step.did == Did::Rewrote);
        match (self.passed.trace.get(at).map(|step| step.station), rewrote) {
            (Some(Station::Rescreen), Some(_)) => Fault {
                step: Some(at),
                clause: Clause::Pass45,
            },
            (_, Some(fault)) => fault,
            (_, None) => Fault {
                step: Some(at),
                clause: Clause::Pass02,
            },
        }
    }

    /// What the pass comes to, and who refused.
    fn result(&self, got: &Output) -> Option<Fault> {
        let end = self.passed.trace.len();
        if got.result != self.passed.result {
            return Some(match (self.passed.result, got.result) {
                (Verdict::Deny, Verdict::Allow | Verdict::Suspended) => self.loosened(),
                _ => self.suspect(end),
            });
        }
        match (&self.passed.outcome, &got.outcome) {
            (None, Some(_)) | (Some(_), None) => Some(match self.passed.result {
                Verdict::Suspended | Verdict::Defect => self.suspect(end),
                Verdict::Allow | Verdict::Deny => Fault {
                    step: None,
                    clause: Clause::Pass53,
                },
            }),
            (Some(expected), Some(got)) if got.denied_by != expected.denied_by => {
                Some(self.last(end, |step| matches!(step.stands, Stands::Deny(_)))?)
                    .map(|exit| self.last(exit.step.unwrap_or(end), denies).unwrap_or(exit))
            }
            _ => None,
        }
    }

    /// The record, member by member.
    fn record(&self, got: &Output) -> Option<Fault> {
        let (expected, got) = (self.passed.outcome.as_ref()?, got.outcome.as_ref()?);
        let end = self.passed.trace.len();
        let at = |station: Station| self.last(end, |step| step.station == station);
        let plain = |clause| Some(Fault { step: None, clause });
        if got.decision != expected.decision {
            return plain(Clause::Pass53);
        }
        if got.settlement != expected.settlement {
            return Some(self.settlement(got));
        }
        if got.origin.as_deref() != expected.origin {
            let named = |step: &Step<'_>| Some(step.station.origin()) == got.origin.as_deref();
            let later = self.last(end, |step| {
                step.clause == Clause::Pass22 || (step.station == Station::HookAsk && named(step))
            });
            let minted = self.last(end, |step| matches!(step.stands, Stands::Ask(_)));
            return later
                .or_else(|| self.minter())
                .or(minted)
                .or(plain(Clause::Pass53));
        }
        if got.cause != expected.cause {
            let noted = self.last(end, |step| step.clause == Clause::Pass13);
            return at(Station::Classifier).or(noted).or(plain(Clause::Pass53));
        }
        if got.classifier.as_deref() != expected.classifier {
            let asked = at(Station::Classifier).map(|fault| Fault {
                clause: Clause::Pass31,
                ..fault
            });
            let noted = self.last(end, |step| step.clause == Clause::Pass13);
            return asked.or(noted).or(plain(Clause::Pass31));
        }
        if got.released.as_deref() != expected.released {
            return at(Station::Mode).or(plain(Clause::Pass32));
        }
        (got.mode_refusal.as_deref() != expected.mode_refusal).then(|| {
            at(Station::Mode).unwrap_or(Fault {
                step: None,
                clause: Clause::Pass33,
            })
        })
    }

    /// The step that minted the ask that was settled last.
    fn minter(&self) -> Option<Fault> {
        let mut stood = Stands::Allow;
        let mut minted = None;
        for (at, step) in self.steps() {
            if matches!(step.stands, Stands::Ask(_)) && step.stands != stood {
                minted = Some(Fault {
                    step: Some(at),
                    clause: step.clause,
                });
            }
            stood = step.stands;
        }
        minted
    }

    /// The step that decides what was settled.
    fn settlement(&self, got: &Outcome) -> Fault {
        let end = self.passed.trace.len();
        let expected = self
            .passed
            .outcome
            .as_ref()
            .and_then(|record| record.settlement);
        let vetoed = matches!(expected, Some(Settlement::Approved { .. }))
            && self.passed.denied_by().is_some();
        let dropped = expected.is_none() || got.settlement.is_none();
        let settled = |step: &Step<'_>| {
            matches!(step.station, Station::Resolver | Station::Content)
                || step.clause == Clause::Pass11
        };
        let by = if vetoed {
            self.last(end, |step| {
                matches!(step.stands, Stands::Deny(_)) && denies(step)
            })
        } else if dropped {
            let fell = |step: &Step<'_>| {
                matches!(
                    step.clause,
                    Clause::Pass51 | Clause::Pass23 | Clause::Pass48
                )
            };
            self.last(end, |step| expected.is_none() && fell(step))
                .or_else(|| self.last(end, |step| settled(step) && step.did != Did::Rewrote))
        } else {
            self.last(end, |step| settled(step) && step.did != Did::Rewrote)
        };
        by.unwrap_or(Fault {
            step: None,
            clause: Clause::Pass53,
        })
    }

    /// Whether the deny says what it has to.
    fn said(&self, got: &Output) -> Option<Fault> {
        (got.park_failed != self.passed.park_failed)
            .then_some(Fault {
                step: None,
                clause: Clause::Pass38,
            })
            .map(|fault| {
                self.last(self.passed.trace.len(), |step| {
                    step.station == Station::Park
                })
                .unwrap_or(fault)
            })
    }

    /// Who was told, and what.
    fn told(&self, got: &Output) -> Option<Fault> {
        if self.passed.result == Verdict::Defect {
            return None;
        }
        let layer = self.passed.denied_by();
        if got.observer.len() != usize::from(self.passed.told) {
            let clause = match layer {
                Some(Layer::Hook) => Clause::Pass05,
                Some(Layer::Engine) if got.observer.is_empty() => Clause::Pass04,
                _ if self.script.unowned && got.observer.is_empty() => Clause::Pass01,
                _ => Clause::Pass52,
            };
            return Some(Fault { step: None, clause });
        }
        let told = got.observer.first()?;
        if Some(&told.outcome) != got.outcome.as_ref() {
            return Some(Fault {
                step: None,
                clause: Clause::Pass53,
            });
        }
        (self.decided_on_input() && told.input != *self.passed.input)
            .then(|| self.strayed(&told.input))
    }

    /// What ran.
    fn ran(&self, got: &Output) -> Option<Fault> {
        let allow = self.passed.result == Verdict::Allow;
        match (&got.runs, allow) {
            (Some(_), false) | (None, true) => Some(Fault {
                step: None,
                clause: Clause::Pass55,
            }),
            (Some(runs), true) if *runs != *self.passed.input => Some(self.strayed(runs)),
            _ => None,
        }
    }

    /// The final input.
    fn inputs(&self, got: &Output) -> Option<Fault> {
        let must = self.passed.result == Verdict::Allow;
        let fault = Fault {
            step: None,
            clause: Clause::Pass54,
        };
        match &got.final_input {
            None if must => Some(fault),
            Some(input) if self.decided_on_input() && *input != *self.passed.input => Some(fault),
            Some(_)
                if self.passed.outcome.is_none() && self.passed.result == Verdict::Suspended =>
            {
                Some(fault)
            }
            _ => None,
        }
    }

    /// Whether the exit decided on an input that the spec names: arguments that cannot be copied
    /// have no copy, and of an edit past the cap the seeds do not say which input was decided on.
    fn decided_on_input(&self) -> bool {
        let capped = self.passed.denied_by() == Some(Layer::EditCap);
        !self.script.unowned && !capped && self.passed.outcome.is_some()
    }

    /// Arguments at the exit that are not those that stood there.
    fn strayed(&self, input: &Value) -> Fault {
        if wrote(self.script, input) {
            return Fault {
                step: None,
                clause: Clause::Pass02,
            };
        }
        self.last(self.passed.trace.len(), |step| step.did == Did::Rewrote)
            .unwrap_or(Fault {
                step: None,
                clause: Clause::Pass55,
            })
    }

    /// The seats whose consults may be left out of the log: those that are in it saw what stood.
    fn seen(&self, got: &Output) -> Option<Fault> {
        got.consulted
            .iter()
            .filter(|consult| !consult.seat.exact())
            .find_map(|consult| {
                let asked = |step: &Step<'_>| {
                    step.did == Did::Asked && Seat::of(step.station) == Some(consult.seat)
                };
                let (at, _) = self.steps().find(|(_, step)| asked(step))?;
                let saw = self
                    .passed
                    .trace
                    .iter()
                    .any(|s| asked(s) && *s.input == consult.input);
                (!saw).then(|| self.other_input(at, &consult.input))
            })
    }
}

/// Whether a step is a seat's or the pass's own deny, not the exit that follows it.
fn denies(step: &Step<'_>) -> bool {
    matches!(step.stands, Stands::Deny(_)) && step.station != Station::Exit
}

/// Whether an input bears what a writer other than the tool and the observer writes.
fn wrote(script: &Script, input: &Value) -> bool {
    let writes = script
        .writers
        .iter()
        .any(|writer| !matches!(writer, Writer::Tool | Writer::Observer));
    writes && *input == written(input) && input.to_string().contains(WRITTEN)
}
