//! One mutant through the suite, and the model itself.

use super::{Bounds, Kill, Killed, Reference, Smallest, VectorUse};
use crate::conform::shrink::ShrinkLimits;
use crate::conform::{Depth, InProcess, Outcome, check, subject};
use crate::model::{Clause, Suite};
use crate::mutants::Mutant;
use crate::ops::Op;

/// What became of the model itself.
pub(super) fn reference(bounds: &Bounds, suite: Suite) -> Reference {
    let mut plan = bounds.plan.clone();
    plan.selection.suites = [suite].into();
    plan.enumerated = bounds.rungs.last().copied().flatten();
    if bounds.depths.len() < super::MEASURED.len() {
        plan.selection.depths = bounds.depths.iter().copied().collect();
    }
    let limits = ShrinkLimits::default();
    let check = check(&mut InProcess::reference(), &plan, &limits, &mut |_| {});
    let passed = check.suites.iter().map(|tally| tally.total().passed).sum();
    let wrong = match check.outcome {
        Outcome::Conforms => None,
        Outcome::Inconclusive(why) => Some(why),
        Outcome::Fails => {
            let by: Vec<String> = check
                .findings
                .iter()
                .map(|finding| format!("{:?} in {}", finding.clause(), finding.smallest.case.id))
                .collect();
            Some(by.join(", "))
        }
    };
    Reference {
        suite: suite.word(),
        passed,
        wrong,
    }
}

/// What became of a mutant.
pub(super) fn mutant(bounds: &Bounds, mutant: &Mutant) -> Killed {
    let mut killed = Killed {
        id: mutant.id,
        sentence: mutant.sentence,
        clause: mutant.clause,
        classes: mutant.classes,
        depths: std::collections::BTreeMap::new(),
    };
    for &depth in &bounds.depths {
        let rungs: &[Option<u64>] = if depth == Depth::Enumerated {
            &bounds.rungs
        } else {
            &[None]
        };
        let mut kill = Kill::default();
        for &rung in rungs {
            kill = at(bounds, mutant, depth, rung);
            if kill.after.is_some() || rung.is_none_or(|most| kill.cases < most) {
                break;
            }
        }
        killed.depths.insert(depth, kill);
    }
    killed
}

/// One depth, up to a number of cases.
fn at(bounds: &Bounds, mutant: &Mutant, depth: Depth, most: Option<u64>) -> Kill {
    let mut plan = bounds.only(mutant.clause.suite(), depth);
    plan.enumerated = most;
    let mut gate = subject::mutant(*mutant);
    let check = check(&mut gate, &plan, &ShrinkLimits::default(), &mut |_| {});
    let mut kill = Kill {
        cases: check
            .suites
            .iter()
            .map(|suite| suite.total().finished())
            .sum(),
        ..Kill::default()
    };
    for finding in &check.findings {
        let Some(clause) = finding.clause() else {
            continue;
        };
        *kill.clauses.entry(clause).or_default() += finding.count;
        if clause == mutant.clause {
            kill.after = Some(finding.after);
            kill.smallest = Some(Smallest::of(&finding.smallest));
        }
    }
    kill
}

/// The vectors of the suites, with the mutants that each kills.
pub(super) fn vectors(bounds: &Bounds, suites: &[Suite], mutants: &[Mutant]) -> Vec<VectorUse> {
    let fails = |op: &Op, mutant: &Mutant| !op.judge(&(mutant.answer)(op)).is_empty();
    let of = |clause: Clause, op: &Op| clause.suite() == op.suite();
    bounds
        .plan
        .vectors
        .iter()
        .filter(|case| suites.contains(&case.suite()))
        .map(|case| VectorUse {
            id: case.id.clone(),
            clauses: case.op.clauses(),
            kills: mutants
                .iter()
                .filter(|mutant| of(mutant.clause, &case.op) && fails(&case.op, mutant))
                .map(|mutant| mutant.id)
                .collect(),
        })
        .collect()
}
