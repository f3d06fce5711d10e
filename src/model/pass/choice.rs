//! What the seeds leave open: each choice with the reading taken, and the other.
//!
//! A gate that takes the other reading conforms as well. So a pass can be run under either reading
//! ([`super::run_under`]), and [`open`] says which choices a script comes near: where there is
//! none, the seeds alone decide the pass.

use std::collections::BTreeSet;

use super::super::words::words;
use super::script::{Arm, Lock, Probe, Resolution, Ruling, Script};

words! {
    /// A choice that the seeds leave open. The doc of each says the reading that is taken first.
    Choice {
        /// The locks are read after the screening; else before it.
        LocksBeforeScreening "locks_before_screening";
        /// The compliance lock is read before the plan-mode block; else after it.
        PlanModeFirst "plan_mode_first";
        /// The probe is asked before the read station; else after it.
        ReadStationFirst "read_station_first";
        /// The classifier is asked before the mode arbitrates; else after it.
        ModeBeforeClassifier "mode_before_classifier";
        /// The mode arbitrates before the sandbox admits; else after it.
        SandboxBeforeMode "sandbox_before_mode";
        /// The classifier is asked about an ask that only a person may answer, and its deny
        /// counts; else it is not asked.
        ClassifierStandsAside "classifier_stands_aside";
        /// The pass's own classifier round is recorded over an inherited one; else the inherited.
        InheritedRoundStays "inherited_round_stays";
        /// A resolver that fails broke its contract; else it was unavailable.
        FailedResolverUnavailable "failed_resolver_unavailable";
        /// A protected target of an edit refuses always; else not where the ask that was answered
        /// stood under write protection already.
        ConfirmedTargetPasses "confirmed_target_passes";
        /// An edit to the very arguments that stand is an edit; else it is none.
        SameBytesNoEdit "same_bytes_no_edit";
        /// Write protection judges an edit after the policy did; else before it.
        RejudgeFirst "rejudge_first";
    }
}

/// The readings of a gate: the choices in which it takes the other one.
pub type Readings = BTreeSet<Choice>;

/// The choices that a script comes near: where there is none, the seeds alone decide the pass.
#[must_use]
pub fn open(script: &Script) -> Vec<Choice> {
    let edits = script
        .resolutions()
        .iter()
        .any(|answer| matches!(answer, Resolution::Allow { edit: Some(_), .. }));
    let mode = script.mode.is_some();
    let classifier = script.classifier.is_some();
    let inherited = script.policy.iter().any(|ruling| {
        matches!(
            ruling,
            Ruling::Allow { round: Some(_), .. } | Ruling::Deny { round: Some(_), .. }
        )
    });
    let met = |choice: &Choice| match choice {
        Choice::LocksBeforeScreening => !script.screening.is_empty() && !script.locks.is_empty(),
        Choice::PlanModeFirst => script.locks.len() == Lock::ALL.len(),
        Choice::ReadStationFirst => script.probe.is_some() && script.read_station.is_some(),
        Choice::ModeBeforeClassifier => mode && classifier,
        Choice::SandboxBeforeMode => mode && script.clears.contains(&Arm::Sandbox),
        Choice::ClassifierStandsAside => {
            classifier
                && (matches!(script.probe, Some(Probe::Unanswered { .. }))
                    || script
                        .read_station
                        .as_ref()
                        .is_some_and(|found| found.target_unresolved))
        }
        Choice::InheritedRoundStays => classifier && inherited,
        Choice::FailedResolverUnavailable => script.resolutions().contains(&Resolution::Throw {}),
        Choice::SameBytesNoEdit => edits,
        Choice::ConfirmedTargetPasses | Choice::RejudgeFirst => {
            edits && !script.write_protection.is_empty()
        }
    };
    Choice::ALL.iter().copied().filter(met).collect()
}
