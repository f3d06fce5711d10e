//! What a run reached: how many cases put each clause to the test, and came to each fate.
//!
//! ```
//! use gatespec::conform::{InProcess, Plan, check};
//! use gatespec::model::Suite;
//! use gatespec::report::{Report, stats};
//!
//! let mut plan = Plan::new(7).unwrap();
//! (plan.generated, plan.enumerated) = (0, Some(1));
//! plan.selection.suites = [Suite::Key].into();
//! let checked = check(&mut InProcess::reference(), &plan, &Default::default(), &mut |_| {});
//! let table = stats::render(&Report::new(&checked, 7, Vec::new()));
//! assert!(table.contains("KEY-18") && !table.contains("VER-01"));
//! ```

use std::fmt::Write as _;

use super::Report;
use super::human::grouped;
use crate::conform::tally::Reach;
use crate::model::{Clause, Suite};
use crate::ops::Op;

/// What is put beside a row that no case reached.
pub const IDLE: &str = "<- no case";

/// The statistics of a run, a row a clause and a row a fate of every suite that was run.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    let run = |suite: &Suite| {
        report
            .suites
            .iter()
            .any(|tally| tally.suite == suite.word())
    };
    for suite in Suite::ALL.into_iter().filter(run) {
        let _ = writeln!(
            out,
            "\n{suite}: cases by clause (passed, failed, unsupported)"
        );
        for clause in Clause::ALL.iter().filter(|clause| clause.suite() == suite) {
            let reach = report.clauses.get(clause).cloned().unwrap_or_default();
            let Reach {
                passed,
                failed,
                unsupported,
            } = reach;
            let counts = [passed, failed, unsupported].map(grouped);
            let [passed, failed, unsupported] = counts;
            let idle = if reach == Reach::default() { IDLE } else { "" };
            let row = format!(
                "  {:<8} {passed:>11} {failed:>11} {unsupported:>11}  {idle}",
                clause.id()
            );
            let _ = writeln!(out, "{}", row.trim_end());
        }
        let _ = writeln!(out, "{suite}: cases that passed, by what they came to");
        for fate in Op::fates(suite) {
            let fates = report.fates.get(suite.word());
            let count = fates
                .and_then(|fates| fates.get(*fate))
                .copied()
                .unwrap_or_default();
            let idle = if count == 0 { IDLE } else { "" };
            let row = format!("  {fate:<26} {:>11}  {idle}", grouped(count));
            let _ = writeln!(out, "{}", row.trim_end());
        }
    }
    out
}
