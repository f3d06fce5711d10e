//! The gates that are wrong as a whole, through the suite: in this process, or as a process when
//! only that can be so wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Bounds, Caught, GateRow};
use crate::conform::process::{Command, Limits};
use crate::conform::shrink::ShrinkLimits;
use crate::conform::{
    Adapter, Answer, Check, Depth, Hello, InProcess, Kind, Outcome, Subject, check,
};
use crate::model::{Clause, Suite};
use crate::mutants::cheat::Table;
use crate::mutants::degenerate::{SENTINEL, is_refusal};
use crate::mutants::{Gate, Manner};
use crate::ops::Op;

/// How the gate with an id is started as a process.
pub type Spawn<'a> = &'a (dyn Fn(&str) -> Option<Command> + Sync);

/// At most how many cases a gate is put to that is wrong everywhere.
const ENUMERATED: u64 = 4096;
const GENERATED: u64 = 1000;

/// Those who cheat have all published vectors.
pub(super) fn table(bounds: &Bounds) -> Table {
    Table::new(bounds.plan.vectors.iter().map(|case| &case.op))
}

/// What a suite makes of a gate; `None` when the gate cannot be started here.
pub(super) fn caught(
    bounds: &Bounds,
    table: &Table,
    gate: &Gate,
    suite: Suite,
    spawn: Option<Spawn<'_>>,
) -> Option<Caught> {
    let mut caught = Caught::default();
    let hello = Hello::reference();
    match gate.manner {
        Manner::Plain(answer) => {
            let answer = |op: &Op| Answer::of(op, answer(op));
            in_process(
                bounds,
                suite,
                &mut InProcess::new(hello, answer),
                &mut caught,
            );
        }
        Manner::Cribbed(answer) => {
            let answer = |op: &Op| Answer::of(op, answer(table, op));
            in_process(
                bounds,
                suite,
                &mut InProcess::new(hello, answer),
                &mut caught,
            );
        }
        Manner::Tricked(_) => {
            let command = spawn?(gate.id)?;
            add(
                &mut caught,
                Depth::Vector,
                &as_process(bounds, suite, command),
            );
        }
    }
    Some(caught)
}

fn in_process(bounds: &Bounds, suite: Suite, gate: &mut dyn Subject, caught: &mut Caught) {
    for &depth in &bounds.depths {
        let mut plan = bounds.only(suite, depth);
        plan.enumerated = Some(ENUMERATED);
        plan.generated = plan.generated.min(GENERATED);
        let limits = ShrinkLimits {
            answered: 0,
            ..ShrinkLimits::default()
        };
        add(caught, depth, &check(gate, &plan, &limits, &mut |_| {}));
    }
}

/// Two cases that are refused and two that are not: each that fails may cost a time-out.
fn as_process(bounds: &Bounds, suite: Suite, command: Command) -> Check {
    let mut plan = bounds.only(suite, Depth::Vector);
    let of_suite = |refused: bool| {
        let cases = bounds
            .plan
            .vectors
            .iter()
            .filter(move |case| case.suite() == suite);
        cases
            .filter(move |case| is_refusal(&case.op) == refused)
            .take(2)
    };
    plan.selection.ids = of_suite(true)
        .chain(of_suite(false))
        .map(|case| case.id.clone())
        .collect();
    let limits = Limits {
        case: Duration::from_millis(150),
        bye: Duration::from_millis(500),
        grace: Duration::from_millis(50),
        respawns: 16,
        ..Limits::default()
    };
    let mut adapter = Adapter::new(command, limits, Arc::new(AtomicBool::new(false)));
    let limits = ShrinkLimits {
        answered: 0,
        crashing: 0,
        hanging: 0,
        batch: 1,
    };
    check(&mut adapter, &plan, &limits, &mut |_| {})
}

fn add(caught: &mut Caught, depth: Depth, check: &Check) {
    if check.outcome != Outcome::Conforms {
        caught.depths.insert(depth);
    }
    if check.outcome == Outcome::Fails {
        caught.fails.insert(depth);
    }
    if !check.incidents.is_empty() {
        caught.kinds.insert(Kind::Protocol);
    }
    for finding in &check.findings {
        caught.kinds.insert(finding.smallest.kind);
        caught.clauses.extend(finding.clause());
        caught.failed += finding.count;
    }
    caught.cases += check
        .suites
        .iter()
        .map(|suite| suite.total().finished())
        .sum::<u64>();
}

/// The family of a clause: the letters of its id.
#[must_use]
pub(super) fn family(clause: Clause) -> &'static str {
    clause
        .id()
        .split(|c: char| c == '-' || c.is_ascii_digit())
        .next()
        .unwrap_or_default()
}

/// What is wrong with a suite that lets such a gate pass.
pub(super) fn complaints(rows: &[GateRow], beyond_vectors: bool) -> Vec<String> {
    let mut all = Vec::new();
    for row in rows {
        for (suite, caught) in &row.suites {
            // the vectors are what those who cheat know
            let known = row.id.starts_with("cheat/") && !beyond_vectors;
            if known {
                continue;
            }
            if caught.depths.is_empty() {
                all.push(format!("`{}` conforms to the suite `{suite}`", row.id));
            } else if caught.fails.is_empty() && !row.id.starts_with("cheat/") {
                all.push(format!("`{}` does not fail the suite `{suite}`", row.id));
            } else if row.id == SENTINEL {
                all.extend(unreached(suite, caught));
            }
        }
        if matches!(
            row.id,
            "degenerate/always_pass" | "degenerate/always_refuse"
        ) {
            all.extend(unbroken(row));
        }
    }
    all
}

/// Depths that the sentinel passes.
fn unreached(suite: &str, caught: &Caught) -> Option<String> {
    (caught.fails.len() < caught.depths.len())
        .then(|| format!("`{SENTINEL}` is not seen by every depth of the suite `{suite}`"))
}

/// Families of clauses of which a gate that says one word to everything breaks none.
fn unbroken(row: &GateRow) -> Vec<String> {
    let mut families: BTreeMap<&str, bool> = BTreeMap::new();
    let suites: BTreeSet<&str> = row.suites.keys().copied().collect();
    for clause in Clause::ALL
        .iter()
        .filter(|clause| suites.contains(clause.suite().word()))
    {
        families.entry(family(*clause)).or_default();
    }
    for clause in row.suites.values().flat_map(|caught| &caught.clauses) {
        families.insert(family(*clause), true);
    }
    let whole = families.into_iter().filter(|(_, broken)| !broken);
    whole
        .map(|(family, _)| format!("`{}` breaks no clause of {family}", row.id))
        .collect()
}
