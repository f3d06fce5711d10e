//! The `markdown` report: fits the summary of a pull request.
//!
//! ```
//! use gatespec::conform::Check;
//! use gatespec::report::{Report, markdown};
//!
//! let text = markdown::render(&Report::new(&Check::default(), 0, Vec::new()));
//! assert!(text.contains("inconclusive"));
//! ```

use std::fmt::Write as _;

use super::Report;
use super::human::grouped;
use super::json::Word;
use crate::conform::Depth;

/// How many characters of a case are shown; the whole is in the other reports.
const MOST: usize = 1_000;

/// The report as Markdown.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    let (mark, word) = match report.outcome {
        Word::Conforms => ("✅", "conforms"),
        Word::Fails => ("❌", "does not conform"),
        Word::Inconclusive => ("⚠️", "inconclusive"),
    };
    let name = report.implementation.as_ref().map_or_else(
        || report.command.join(" "),
        |hello| {
            format!("{} {}", hello.name, hello.version)
                .trim()
                .to_owned()
        },
    );
    let total = report.total();
    let _ = writeln!(
        out,
        "### {mark} {} {word}\n\n{} of {} cases passed · gatespec {} · spec {} · seed {}\n",
        inline(&name),
        grouped(total.passed),
        grouped(total.planned),
        report.gatespec,
        report.spec,
        report.seed
    );
    for why in report
        .reason
        .iter()
        .chain(&report.stopped)
        .chain(&report.incidents)
    {
        let _ = writeln!(out, "> {}\n", inline(why));
    }
    if !report.suites.is_empty() {
        out.push_str(
            "| suite | vectors | enumerated | generated | failed |\n|---|--:|--:|--:|--:|\n",
        );
    }
    for suite in &report.suites {
        let passed = |depth| suite.depths.get(&depth).map_or(0, |tally| tally.passed);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            suite.suite,
            grouped(passed(Depth::Vector)),
            grouped(passed(Depth::Enumerated)),
            grouped(passed(Depth::Generated)),
            grouped(suite.total().failures())
        );
    }
    for (word, count) in &report.lacked {
        let _ = writeln!(out, "\nlacks `{word}`: {} cases not run", grouped(*count));
    }
    for failure in &report.failures {
        let clause = failure
            .clauses
            .first()
            .map_or_else(String::new, ToString::to_string);
        let mut case = format!("{} {}\n", failure.op, failure.input);
        for line in &failure.story {
            let _ = writeln!(case, "{line}");
        }
        let _ = writeln!(case, "expected {}", failure.compared());
        if let Some(open) = failure.open() {
            let _ = writeln!(case, "free     {open}");
        }
        let _ = write!(case, "got      {}", failure.got);
        let _ = writeln!(
            out,
            "\n<details><summary><b>{clause}</b> {} ({} cases)</summary>\n\n{}\n\n</details>",
            super::junit::escaped(&failure.text),
            grouped(failure.count),
            fenced(&case)
        );
    }
    out
}

/// Text in a sentence of Markdown: nothing in it is markup.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_punctuation() && !",.:;/-()".contains(c) {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

/// Text in a code block that it cannot end.
fn fenced(text: &str) -> String {
    let mut clipped: String = text.chars().take(MOST).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    let longest = clipped.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{clipped}\n{fence}")
}
