//! The `junit` report: a test suite a suite of the spec, a test case a clause.
//!
//! ```
//! use gatespec::conform::Check;
//! use gatespec::report::{Report, junit};
//!
//! let xml = junit::render(&Report::new(&Check::default(), 0, Vec::new()));
//! assert!(xml.starts_with("<?xml"));
//! ```

use std::fmt::Write as _;

use super::Report;
use super::json::Failure;
use crate::model::{Clause, Suite};

/// The report as JUnit XML, which continuous integration shows.
///
/// A clause that failed is a failed test, one that was never put to the test is skipped, and a
/// run that is inconclusive has an error of its own, so that it is not green.
#[must_use]
pub fn render(report: &Report) -> String {
    let name = report
        .implementation
        .as_ref()
        .map_or("", |hello| hello.name.as_str());
    let mut suites = String::new();
    for tally in &report.suites {
        if let Some(suite) = Suite::from_word(&tally.suite) {
            render_suite(&mut suites, report, suite);
        }
    }
    let outside = outside(report);
    if !outside.is_empty() {
        let count = outside.len();
        let _ = writeln!(
            suites,
            "  <testsuite name=\"run\" tests=\"{count}\" errors=\"{count}\">"
        );
        for (what, why) in outside {
            let _ = writeln!(
                suites,
                "    <testcase name=\"{what}\"><error message=\"{}\"/></testcase>",
                escaped(&why)
            );
        }
        suites.push_str("  </testsuite>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gatespec {}\">\n{suites}\
         </testsuites>\n",
        escaped(name)
    )
}

/// What went wrong that belongs to no clause.
fn outside(report: &Report) -> Vec<(&'static str, String)> {
    let mut outside = Vec::new();
    outside.extend(report.reason.iter().map(|why| ("conclusive", why.clone())));
    if report.reason.is_none() {
        outside.extend(
            report
                .stopped
                .iter()
                .map(|why| ("ran to the end", why.clone())),
        );
    }
    outside.extend(report.incidents.iter().map(|why| ("protocol", why.clone())));
    outside
}

fn render_suite(out: &mut String, report: &Report, suite: Suite) {
    let clauses: Vec<Clause> = Clause::ALL
        .iter()
        .copied()
        .filter(|clause| clause.suite() == suite)
        .collect();
    let failures = |clause: Clause| -> Vec<&Failure> {
        report
            .failures
            .iter()
            .filter(|failure| failure.clauses.first() == Some(&clause))
            .collect()
    };
    let failed = clauses
        .iter()
        .filter(|clause| !failures(**clause).is_empty())
        .count();
    let tested = |clause: Clause| {
        report
            .clauses
            .get(&clause)
            .is_some_and(|reach| reach.passed > 0)
    };
    let skipped = clauses
        .iter()
        .filter(|clause| failures(**clause).is_empty() && !tested(**clause))
        .count();
    let _ = writeln!(
        out,
        "  <testsuite name=\"{suite}\" tests=\"{}\" failures=\"{failed}\" skipped=\"{skipped}\">",
        clauses.len()
    );
    for clause in clauses {
        let name = escaped(&format!("{clause} {}", clause.text()));
        let _ = write!(out, "    <testcase classname=\"{suite}\" name=\"{name}\"");
        match failures(clause).as_slice() {
            [] if tested(clause) => out.push_str("/>\n"),
            [] => out.push_str("><skipped message=\"no case of it was run\"/></testcase>\n"),
            failures => {
                out.push_str(">\n");
                for failure in failures {
                    let body = super::human::render_failure(failure, super::human::Colour::Off);
                    let _ = writeln!(
                        out,
                        "      <failure type=\"{}\" message=\"{}\">{}</failure>",
                        failure.kind.word(),
                        escaped(&failure.text),
                        escaped(&body)
                    );
                }
                out.push_str("    </testcase>\n");
            }
        }
    }
    out.push_str("  </testsuite>\n");
}

/// Text for XML and HTML: what markup would read is written as references, and what XML cannot
/// hold is replaced.
#[must_use]
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
