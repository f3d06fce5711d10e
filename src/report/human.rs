//! The report for a person at a terminal.
//!
//! ```
//! use gatespec::conform::Check;
//! use gatespec::report::Report;
//! use gatespec::report::human::{Colour, grouped, render};
//!
//! let text = render(&Report::new(&Check::default(), 0, Vec::new()), Colour::Off);
//! assert!(text.contains("inconclusive") && !text.contains('\u{1b}'));
//! assert_eq!(grouped(1_234_567), "1,234,567");
//! ```

use std::fmt::Write as _;

use super::Report;
use super::json::{Failure, Word};
use crate::conform::Depth;
use crate::conform::tally::Tally;

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Colour {
    /// Escape codes, for a terminal.
    On,
    /// Plain text.
    Off,
}

impl Colour {
    pub(super) fn paint(self, code: &str, text: &str) -> String {
        match self {
            Self::On => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Self::Off => text.to_owned(),
        }
    }

    pub(super) fn red(self, text: &str) -> String {
        self.paint("31;1", text)
    }

    pub(super) fn green(self, text: &str) -> String {
        self.paint("32;1", text)
    }

    pub(super) fn yellow(self, text: &str) -> String {
        self.paint("33;1", text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }
}

/// The whole report.
#[must_use]
pub fn render(report: &Report, colour: Colour) -> String {
    let mut out = String::new();
    head(&mut out, report);
    if !report.suites.is_empty() {
        table(&mut out, report);
    }
    for (words, counts) in [("lacks", &report.lacked), ("declined", &report.declined)] {
        for (word, count) in counts {
            let _ = writeln!(out, "{words} `{word}`: {} cases not run", grouped(*count));
        }
    }
    for known in &report.known {
        let _ = writeln!(out, "known to fail: {known}");
    }
    for stale in &report.stale {
        let fault = "is in the baseline and fails no longer, or no case puts it to the test";
        let _ = writeln!(
            out,
            "{} {stale} {fault}; remove it",
            colour.red("FAIL baseline")
        );
    }
    for incident in &report.incidents {
        let _ = writeln!(out, "\n{} {incident}", colour.red("FAIL protocol"));
    }
    for failure in &report.failures {
        out.push('\n');
        out.push_str(&render_failure(failure, colour));
    }
    out.push('\n');
    out.push_str(&verdict(report, colour));
    out
}

fn head(out: &mut String, report: &Report) {
    let _ = writeln!(
        out,
        "gatespec {} · spec {} · seed {}",
        report.gatespec, report.spec, report.seed
    );
    if let Some(hello) = &report.implementation {
        let mut parts = vec![
            format!("{} {}", hello.name, hello.version)
                .trim()
                .to_owned(),
        ];
        if !hello.language.is_empty() {
            parts.push(hello.language.clone());
        }
        parts.push(format!("suites {}", hello.suites.join(", ")));
        if !hello.profiles.is_empty() {
            parts.push(format!("profiles {}", hello.profiles.join(", ")));
        }
        let _ = writeln!(out, "{}\n", parts.join(" · "));
    }
}

fn table(out: &mut String, report: &Report) {
    let kept = report.suites.iter().any(|suite| {
        suite
            .depths
            .get(&Depth::Kept)
            .is_some_and(|tally| tally.planned > 0)
    });
    let depths: Vec<Depth> = Depth::ALL
        .into_iter()
        .filter(|&depth| depth != Depth::Kept || kept)
        .collect();
    let mut rows = vec![vec!["suite".to_owned()]];
    if let Some(first) = rows.first_mut() {
        first.extend(depths.iter().map(|depth| depth.word().to_owned()));
    }
    for suite in &report.suites {
        let mut row = vec![suite.suite.clone()];
        row.extend(
            depths
                .iter()
                .map(|depth| suite.depths.get(depth).map_or_else(|| "-".to_owned(), cell)),
        );
        rows.push(row);
    }
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.len())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..=depths.len()).map(width).collect();
    for row in &rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        let _ = writeln!(out, "{}", cells.join("  ").trim_end());
    }
}

/// `passed of planned`, and what came between.
fn cell(tally: &Tally) -> String {
    let mut cell = format!("{} of {}", grouped(tally.passed), grouped(tally.planned));
    for (count, word) in [
        (tally.failures(), "failed"),
        (tally.unsupported, "unsupported"),
        (tally.unfinished(), "not run"),
    ] {
        if count > 0 {
            let _ = write!(cell, ", {} {word}", grouped(count));
        }
    }
    cell
}

/// One failure: clause and text, case, story, expected beside got, replay.
#[must_use]
pub fn render_failure(failure: &Failure, colour: Colour) -> String {
    let mut out = String::new();
    let clause = failure.clauses.first();
    let id = clause.map_or_else(|| "?".to_owned(), ToString::to_string);
    let chapter = clause.map_or("", |clause| clause.suite().word());
    let _ = writeln!(
        out,
        "{} {}",
        colour.red(&format!("FAIL {id}")),
        failure.text
    );
    let also: Vec<String> = failure
        .clauses
        .iter()
        .skip(1)
        .map(ToString::to_string)
        .collect();
    let also = if also.is_empty() {
        String::new()
    } else {
        format!("; rests on {}", also.join(", "))
    };
    let _ = writeln!(
        out,
        "  {} spec/{chapter}.md{also} · {} · {} · made smaller from {}",
        colour.dim("where   "),
        failure.kind.word(),
        cases(failure.count),
        failure.from
    );
    let _ = writeln!(
        out,
        "  {} {} {}",
        colour.dim("case    "),
        failure.op,
        failure.input
    );
    for line in &failure.story {
        let _ = writeln!(out, "  {} {line}", colour.dim("        "));
    }
    let _ = writeln!(
        out,
        "  {} {}",
        colour.dim("expected"),
        colour.green(failure.compared().get())
    );
    if let Some(open) = failure.open() {
        let _ = writeln!(out, "  {} {open}", colour.dim("free    "));
    }
    let _ = writeln!(
        out,
        "  {} {}",
        colour.dim("got     "),
        colour.red(failure.got.get())
    );
    if let Some(replay) = &failure.replay {
        let _ = writeln!(out, "  {} {replay}", colour.dim("replay  "));
    }
    out
}

fn cases(count: u64) -> String {
    if count == 1 {
        "1 case fails so".to_owned()
    } else {
        format!("{} cases fail so", grouped(count))
    }
}

fn verdict(report: &Report, colour: Colour) -> String {
    let total = report.total();
    let counts = format!(
        "{} of {} cases passed",
        grouped(total.passed),
        grouped(total.planned)
    );
    let stopped = report
        .stopped
        .as_ref()
        .map(|why| format!("\nended early: {why}"))
        .unwrap_or_default();
    match report.outcome {
        Word::Conforms => {
            let but = if total.unsupported > 0 {
                format!(", {} not supported", grouped(total.unsupported))
            } else {
                String::new()
            };
            format!("{}: {counts}{but}\n", colour.green("conforms"))
        }
        Word::Fails => {
            let clauses = report
                .failures
                .iter()
                .filter_map(|failure| failure.clauses.first());
            let mut clauses: Vec<String> = clauses.map(ToString::to_string).collect();
            if !report.incidents.is_empty() {
                clauses.push("the protocol".to_owned());
            }
            if !report.stale.is_empty() {
                clauses.push("the baseline".to_owned());
            }
            let word = colour.red("does not conform");
            format!(
                "{word}: {counts}; broken: {}{stopped}\n",
                clauses.join(", ")
            )
        }
        Word::Inconclusive => {
            let why = report.reason.as_deref().unwrap_or("nothing was run");
            format!("{}: {why}\n", colour.yellow("inconclusive"))
        }
    }
}

/// A number with its thousands apart.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
