//! The exits.

use super::super::faults::Fault as F;
use super::{End, Gate, Held};
use crate::model::outcome::{Decision, Layer, Record};
use crate::model::pass::Verdict;
use crate::model::pass::script::{Screen, Writer};
use crate::ops::pass::{Output, Told, written};

impl Gate<'_> {
    pub(super) fn finish(self, end: Option<End>) -> Output {
        if self.denied {
            // a deny that a fault made something of
            let asked = self.has(F::TightenOverDeny);
            return match (asked, end) {
                (true, Some(End::Denied(layer))) => self.deny(layer),
                _ => self.allow(),
            };
        }
        match end {
            None | Some(End::Run) => self.allow(),
            Some(End::Denied(layer)) => self.deny(layer),
            Some(End::Parked) => self.bare(Verdict::Suspended),
            Some(End::Fault) => self.bare(Verdict::Defect),
        }
    }

    fn bare(self, result: Verdict) -> Output {
        let minted = result == Verdict::Suspended && self.has(F::SuspendedMints);
        let outcome = minted.then(|| self.record(None));
        Output {
            result,
            outcome,
            final_input: None,
            runs: None,
            park_failed: false,
            observer: Vec::new(),
            consulted: self.log,
        }
    }

    fn record(&self, denied_by: Option<Layer>) -> Record<String> {
        Record {
            decision: if denied_by.is_some() {
                Decision::Deny
            } else {
                Decision::Allow
            },
            denied_by,
            cause: self.cause.filter(|_| denied_by.is_some()),
            settlement: self.held.as_ref().map(|held| held.settlement),
            origin: self.held.as_ref().map(|held| held.origin.clone()),
            classifier: self.round.clone(),
            released: self.released.clone(),
            mode_refusal: self.refusal.clone(),
        }
    }

    fn allow(mut self) -> Output {
        let other = |held: &Held| held.bytes.as_ref().is_some_and(|bytes| *bytes != self.live);
        if self.held.as_ref().is_some_and(other) && !self.has(F::KeepForgotten) {
            self.held = None;
        }
        let record = self.record(None);
        if self.has(F::HookRewriteNotRun) && self.script.screening.iter().any(rewrites) {
            self.live = self.script.args.clone();
        }
        let tool = self.script.writers.contains(&Writer::Tool) && self.has(F::ToolWritesFinal);
        let kept = if tool {
            written(&self.live)
        } else {
            self.live.clone()
        };
        let told = Told {
            outcome: record.clone(),
            input: self.live.clone(),
        };
        Output {
            result: Verdict::Allow,
            final_input: (!self.has(F::FinalInputIsFirst)).then_some(kept),
            runs: Some(self.live.clone()),
            park_failed: false,
            observer: if self.has(F::AllowTold) {
                vec![told]
            } else {
                Vec::new()
            },
            outcome: (!self.has(F::NothingMinted)).then_some(record),
            consulted: self.log,
        }
    }

    fn deny(self, layer: Layer) -> Output {
        let record = self.record(Some(layer));
        let mut payload = record.clone();
        if self.has(F::PayloadDerived) {
            payload.settlement = None;
            payload.origin = None;
        }
        let crash = matches!(layer, Layer::Engine);
        let times = match self.fault {
            F::HookDenyTold if layer == Layer::Hook => 1,
            _ if layer == Layer::Hook => 0,
            F::HookCrashUntold if crash => 0,
            F::UnownedUntold if self.script.unowned => 0,
            F::DenyUntold if !crash && !self.script.unowned => 0,
            F::ToldTwice => 2,
            _ => 1,
        };
        let told = Told {
            outcome: payload,
            input: self.live.clone(),
        };
        let observer =
            self.script.writers.contains(&Writer::Observer) && self.has(F::ObserverWritesFinal);
        let shared = observer && times > 0;
        Output {
            result: Verdict::Deny,
            final_input: Some(if shared {
                written(&self.live)
            } else {
                self.live.clone()
            }),
            runs: self.has(F::DenyRuns).then(|| self.live.clone()),
            park_failed: self.park_failed,
            observer: vec![told; times],
            outcome: Some(record),
            consulted: self.log,
        }
    }
}

fn rewrites(screen: &Screen) -> bool {
    matches!(
        screen,
        Screen::None { rewrite: Some(_) }
            | Screen::Allow { rewrite: Some(_) }
            | Screen::Ask {
                rewrite: Some(_),
                ..
            }
    )
}
