//! A log of lawful calls, as long as one likes: for tests, benches and a first look.
//!
//! Calls overlap as they do in a log of several agents: so many are open at a time. The same seed
//! gives the same log.
//!
//! ```
//! use gatespec::audit::sample::Sample;
//!
//! let of = |seed| Sample::new(seed, Sample::WIDTH).take(100).collect::<Vec<_>>();
//! assert_eq!(of(1), of(1));
//! assert_ne!(of(1), of(2));
//! ```

use std::collections::VecDeque;

use super::record::{
    Asked, Attestation, Digest, Event, EventLine, ExitLine, Line, OutcomeLine, Resolution,
};
use crate::model::ledger::Verdict;
use crate::model::outcome::{Approver, Cause, Decision, Layer, Record, Refusal, Settlement};

/// An endless log of lawful calls.
pub struct Sample {
    state: u64,
    calls: u64,
    open: Vec<VecDeque<Line>>,
    width: usize,
}

impl Sample {
    /// How many calls overlap unless asked otherwise.
    pub const WIDTH: usize = 16;

    /// A log of this seed, in which `width` calls are open at a time.
    #[must_use]
    pub const fn new(seed: u64, width: usize) -> Self {
        // a state of xorshift is never 0
        Self {
            state: seed.wrapping_mul(2) | 1,
            calls: 0,
            open: Vec::new(),
            width,
        }
    }

    /// How many calls have begun.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.calls
    }

    /// No more calls begin: what is left of the open ones.
    pub fn rest(mut self) -> impl Iterator<Item = Line> {
        self.width = 0;
        self
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % below.max(1)
    }

    fn digest(&mut self) -> Digest {
        let mut bytes = [0u8; 32];
        for part in bytes.as_chunks_mut::<8>().0 {
            *part = self.draw(u64::MAX).to_le_bytes();
        }
        Digest(bytes)
    }

    fn begin(&mut self) -> VecDeque<Line> {
        self.calls += 1;
        let id = self.draw(u64::MAX);
        let tag = self.draw(1 << 20);
        let mut call = Call {
            session: format!("sess_{:05x}", self.draw(1 << 20)),
            call: format!("toolu_{id:014x}{tag:05x}"),
            at: format!(
                "2026-11-{:02}T{:02}:{:02}:{:02}Z",
                1 + self.calls / 86_400 % 28,
                self.calls / 3600 % 24,
                self.calls / 60 % 60,
                self.calls % 60
            ),
            lines: VecDeque::new(),
            seq: 0,
        };
        match self.draw(10) {
            0..3 => self.alone(&mut call),
            3..5 => call.adjudicated(Verdict::Allow, self.digest()),
            5 => call.adjudicated(Verdict::Deny, self.digest()),
            _ => self.asked(&mut call),
        }
        call.lines
    }

    /// An outcome without a trace.
    fn alone(&mut self, call: &mut Call) {
        let record = match self.draw(6) {
            0 => denied(Layer::Hook),
            1 => Record {
                cause: Some(Cause::Unavailable),
                classifier: Some("guard-2".to_owned()),
                ..denied(Layer::Classifier)
            },
            2 => Record {
                settlement: Some(Settlement::Approved {
                    by: Approver::Person,
                }),
                origin: Some("policy".to_owned()),
                ..allowed()
            },
            3 => Record {
                released: Some("accept_edits".to_owned()),
                ..allowed()
            },
            _ => allowed(),
        };
        let line = OutcomeLine {
            session: Some(call.session.clone()),
            call: call.call.clone(),
            at: Some(call.at.clone()),
            tool: Some("read".to_owned()),
            record,
        };
        call.lines.push_back(Line::Outcome(line));
    }

    /// A trace in which somebody is asked.
    fn asked(&mut self, call: &mut Call) {
        let (bytes, other) = (self.digest(), self.digest());
        let origin = ["policy", "shell_write", "hook"].get(self.draw(3) as usize);
        let origin = (*origin.unwrap_or(&"policy")).to_owned();
        let mut classes = vec!["write".to_owned()];
        if self.draw(2) == 0 {
            classes.push("network".to_owned());
        }
        call.event(Event::Decision {
            decision: Verdict::Ask,
            record: None,
            runs: bytes,
        });
        call.event(Event::Supersede {});
        let ended = match self.draw(8) {
            0 => Settlement::Refused {
                reason: Refusal::Declined,
            },
            1 => Settlement::Refused {
                reason: Refusal::Timeout,
            },
            2 => Settlement::Approved {
                by: Approver::Delegate,
            },
            _ => Settlement::Approved {
                by: Approver::Person,
            },
        };
        let yes = matches!(ended, Settlement::Approved { .. });
        let record = Attestation {
            call: call.call.clone(),
            origin: origin.clone(),
            classes: classes.iter().rev().cloned().collect(),
            digest: bytes,
            settlement: ended,
        };
        call.event(Event::Resolved {
            resolution: Resolution {
                decision: if yes { Decision::Allow } else { Decision::Deny },
                record: Some(record),
                edited: None,
                settlement: false,
            },
            asked: Asked {
                origin: origin.clone(),
                classes,
                real_approval: true,
            },
            request: bytes,
        });
        let settled = Record {
            settlement: Some(ended),
            origin: Some(origin),
            ..allowed()
        };
        if !yes {
            let deny = Record {
                settlement: settled.settlement,
                ..denied(Layer::AskResolution)
            };
            call.exit(
                None,
                Record {
                    origin: settled.origin,
                    ..deny
                },
            );
            return;
        }
        match self.draw(8) {
            // another layer's veto: the yes stays
            0 => call.exit(
                None,
                Record {
                    decision: Decision::Deny,
                    denied_by: Some(Layer::WriteProtection),
                    ..settled
                },
            ),
            // other bytes run, unattributed
            1 => {
                call.event(Event::KeepForBytes { runs: other });
                call.exit(None, allowed());
            }
            _ => call.exit(Some(bytes), settled),
        }
    }
}

impl Iterator for Sample {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        while self.open.len() < self.width {
            let call = self.begin();
            self.open.push(call);
        }
        let at = self.draw(self.open.len() as u64) as usize;
        let call = self.open.get_mut(at)?;
        let line = call.pop_front();
        if call.is_empty() {
            self.open.swap_remove(at);
        }
        line
    }
}

struct Call {
    session: String,
    call: String,
    at: String,
    lines: VecDeque<Line>,
    seq: u64,
}

impl Call {
    fn event(&mut self, event: Event) {
        self.lines.push_back(Line::Event(EventLine {
            session: Some(self.session.clone()),
            call: self.call.clone(),
            at: Some(self.at.clone()),
            tool: None,
            seq: self.seq,
            event,
            returned: None,
        }));
        self.seq += 1;
    }

    fn exit(&mut self, runs: Option<Digest>, record: Record) {
        self.lines.push_back(Line::Exit(ExitLine {
            session: Some(self.session.clone()),
            call: self.call.clone(),
            at: Some(self.at.clone()),
            tool: Some("bash".to_owned()),
            seq: self.seq,
            runs,
            record,
        }));
    }

    /// A trace that a policy alone decides.
    fn adjudicated(&mut self, decision: Verdict, runs: Digest) {
        self.event(Event::Decision {
            decision,
            record: None,
            runs,
        });
        self.exit(
            None,
            if decision == Verdict::Deny {
                denied(Layer::Policy)
            } else {
                allowed()
            },
        );
    }
}

fn allowed() -> Record {
    Record {
        decision: Decision::Allow,
        denied_by: None,
        cause: None,
        settlement: None,
        origin: None,
        classifier: None,
        released: None,
        mode_refusal: None,
    }
}

fn denied(layer: Layer) -> Record {
    Record {
        decision: Decision::Deny,
        denied_by: Some(layer),
        ..allowed()
    }
}
