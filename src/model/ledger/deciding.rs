//! Which clause decides a step, apart from the machine: a step pays nothing for it.

use super::{Asked, Attestation, Event, Ledger, Resolution, Settled, Verdict, Vocabulary};
use crate::model::Clause;
use crate::model::outcome::{Decision, Settlement};

impl<V: Vocabulary> Ledger<V> {
    /// The clause that decides what an event does to this ledger, before it is taken.
    ///
    /// For a record that does not count, it is the clause that says why not; what happens then is
    /// decided by LED-12 to LED-14 and LED-16, as if it were absent.
    #[must_use]
    pub fn deciding(&self, event: &Event<V>) -> Clause {
        match event {
            Event::Set { .. } => Clause::Led04,
            Event::Resolved {
                resolution,
                asked,
                request,
            } => self.deciding_resolved(resolution, asked, request),
            Event::Decision {
                decision,
                record,
                runs,
            } => self.deciding_decision(*decision, record.as_ref(), runs),
            Event::Supersede => Clause::Led22,
            Event::KeepForBytes { runs } => {
                match self.settled.as_ref().and_then(Settled::licensed) {
                    Some(licensed) if licensed != runs => Clause::Led23,
                    _ => Clause::Led24,
                }
            }
            Event::CauseOf { .. } => Clause::Led25,
            Event::ClassifierRoundOf { .. } => Clause::Led26,
        }
    }

    fn deciding_resolved(
        &self,
        resolution: &Resolution<V>,
        asked: &Asked<V>,
        request: &V::Digest,
    ) -> Clause {
        let licensed = resolution.edited.as_ref().unwrap_or(request);
        match (&resolution.record, resolution.decision) {
            _ if resolution.retired => Clause::Led15,
            (Some(record), _) if record.call != self.call => Clause::Led05,
            (Some(record), _) if record.origin != asked.origin => Clause::Led06,
            (Some(record), _) if record.classes != asked.classes => Clause::Led07,
            (Some(record), _) if record.digest != *licensed => Clause::Led08,
            (
                Some(Attestation {
                    settlement: Settlement::Refused { .. },
                    ..
                }),
                _,
            ) => Clause::Led09,
            (Some(_), Decision::Allow) => Clause::Led10,
            (Some(_), Decision::Deny) => Clause::Led11,
            (None, Decision::Deny) => Clause::Led12,
            (None, Decision::Allow) if asked.real_approval => Clause::Led13,
            (None, Decision::Allow) => Clause::Led14,
        }
    }

    fn deciding_decision(
        &self,
        decision: Verdict,
        record: Option<&Attestation<V>>,
        runs: &V::Digest,
    ) -> Clause {
        match (decision, record) {
            (Verdict::Ask, _) => Clause::Led21,
            (_, None) => Clause::Led16,
            (_, Some(record)) if record.call != self.call => Clause::Led05,
            (
                _,
                Some(Attestation {
                    settlement: Settlement::Refused { .. },
                    ..
                }),
            ) => Clause::Led17,
            (Verdict::Deny, Some(_)) => Clause::Led18,
            (Verdict::Allow, Some(record)) if record.digest == *runs => Clause::Led19,
            (Verdict::Allow, Some(_)) => Clause::Led20,
        }
    }
}
