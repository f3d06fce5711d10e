//! What an audit says: for people, a JSON object a line, and the summary.
//!
//! ```
//! use gatespec::audit::Summary;
//! use gatespec::report::audit::exit_code;
//!
//! let mut summary = Summary::default();
//! assert_eq!(exit_code(&summary, false), 3, "nothing was judged");
//! summary.outcomes.lawful = 1;
//! assert_eq!(exit_code(&summary, false), 0);
//! summary.read.bad_lines = 1;
//! assert_eq!(exit_code(&summary, true), 1);
//! ```

use std::fmt::Write as _;

use super::human::{Colour, grouped};
use crate::audit::finding::{Finding, Note};
use crate::audit::summary::{Summary, Verdicts};

/// How a summary is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Words {
    /// For people.
    Human,
    /// As JSON that `gatespec merge` adds up.
    Json,
    /// Not at all.
    None,
}

/// The exit code of an audit: 0 lawful, 1 unlawful, 2 a log could not be read, 3 nothing judged.
#[must_use]
pub const fn exit_code(summary: &Summary, strict: bool) -> u8 {
    if summary.unlawful() > 0 || (strict && summary.read.bad_lines > 0) {
        1
    } else if summary.read.unread > 0 {
        2
    } else if summary.judged() == 0 {
        3
    } else {
        0
    }
}

/// A note as a line of JSON.
#[must_use]
pub fn line(note: &Note) -> String {
    let mut line = serde_json::to_string(note).unwrap_or_default();
    line.push('\n');
    line
}

/// The summary as the last line behind notes.
#[must_use]
pub fn summary_line(summary: &Summary) -> String {
    format!(
        "{{\"summary\":{}}}\n",
        serde_json::to_string(summary).unwrap_or_default()
    )
}

/// Writes notes for people, up to a number of them.
pub struct Writer {
    colour: Colour,
    most: u64,
    findings: u64,
    unknown: u64,
}

/// How many traces of which nothing can be said are shown.
const UNKNOWN: u64 = 5;

impl Writer {
    /// A writer that shows so many findings.
    #[must_use]
    pub const fn new(colour: Colour, most: u64) -> Self {
        Self {
            colour,
            most,
            findings: 0,
            unknown: 0,
        }
    }

    /// A note, or nothing when there were enough of its kind.
    pub fn human(&mut self, note: &Note) -> String {
        match note {
            Note::Finding(finding) => {
                self.findings += 1;
                if self.findings > self.most {
                    return String::new();
                }
                self.finding(finding)
            }
            Note::Unknown(unknown) => {
                self.unknown += 1;
                if self.unknown > UNKNOWN {
                    return String::new();
                }
                let word = self.colour.yellow("unknown");
                let (file, line) = (&unknown.file, unknown.line);
                format!(
                    "{word} {file}:{line} · call `{}`: {}\n",
                    unknown.call, unknown.why
                )
            }
            Note::BadLine(bad) => {
                let word = if bad.torn { "torn line" } else { "bad line" };
                let start = if bad.start.is_empty() {
                    String::new()
                } else {
                    format!("\n  {}", self.colour.dim(&bad.start))
                };
                format!(
                    "{} {}:{} · {}{start}\n",
                    self.colour.yellow(word),
                    bad.file,
                    bad.line,
                    bad.why
                )
            }
            Note::Log(log) => {
                format!(
                    "{} {}: {}\n",
                    self.colour.yellow("note"),
                    log.file,
                    log.says
                )
            }
        }
    }

    fn finding(&self, finding: &Finding) -> String {
        let mut out = String::new();
        let clause = self.colour.red(&format!("UNLAWFUL {}", finding.clause));
        let _ = writeln!(out, "{clause} {}", finding.text);
        let session = finding
            .session
            .as_ref()
            .map(|session| format!(" of session `{session}`"))
            .unwrap_or_default();
        let also: Vec<String> = finding.also.iter().map(ToString::to_string).collect();
        let also = if also.is_empty() {
            String::new()
        } else {
            format!("; also {}", also.join(", "))
        };
        let _ = writeln!(
            out,
            "  {} {}:{} · call `{}`{session}{also}",
            self.colour.dim("where"),
            finding.file,
            finding.line,
            finding.call
        );
        for line in &finding.story {
            let _ = writeln!(out, "  {line}");
        }
        out
    }

    /// What was not shown.
    #[must_use]
    pub fn rest(&self) -> String {
        let mut out = String::new();
        for (count, shown, what) in [
            (
                self.findings,
                self.most,
                "findings; --show N or --format ndjson shows them",
            ),
            (
                self.unknown,
                UNKNOWN,
                "unknown traces; --format ndjson shows them",
            ),
        ] {
            if count > shown {
                let _ = writeln!(out, "… and {} more {what}", grouped(count - shown));
            }
        }
        out
    }
}

/// The summary.
#[must_use]
pub fn summary(summary: &Summary, words: Words, colour: Colour) -> String {
    match words {
        Words::None => String::new(),
        Words::Json => {
            let mut json = serde_json::to_string_pretty(summary).unwrap_or_default();
            json.push('\n');
            json
        }
        Words::Human => human(summary, colour),
    }
}

fn human(summary: &Summary, colour: Colour) -> String {
    let mut out = String::new();
    let read = &summary.read;
    let _ = writeln!(
        out,
        "read {} lines of {}, {} bytes: {} events, {} that are no records, {} torn",
        grouped(read.lines),
        plural(read.files, "log"),
        grouped(read.bytes),
        grouped(read.events),
        grouped(read.bad_lines),
        grouped(read.torn)
    );
    let _ = writeln!(out, "outcomes {}", verdicts(summary.outcomes));
    let _ = writeln!(out, "traces   {}", verdicts(summary.traces));
    for (why, count) in &summary.unknown {
        let _ = writeln!(out, "  {} unknown: {why}", grouped(*count));
    }
    for (clause, broken) in &summary.clauses {
        let _ = writeln!(
            out,
            "  {} {}, first at {}:{}",
            colour.red(clause.id()),
            plural(broken.findings, "finding"),
            broken.first.file,
            broken.first.line
        );
    }
    let verdict = if summary.unlawful() > 0 {
        let count = plural(summary.unlawful(), "record");
        format!(
            "{}: {count} or traces break a clause",
            colour.red("unlawful")
        )
    } else if summary.judged() == 0 {
        format!(
            "{}: nothing in it could be judged",
            colour.yellow("inconclusive")
        )
    } else {
        let but = match (read.bad_lines, summary.traces.unknown, read.unread) {
            (0, 0, 0) => "",
            _ => ", as far as could be read and judged",
        };
        format!(
            "{}: {} judged{but}",
            colour.green("lawful"),
            grouped(summary.judged())
        )
    };
    let _ = writeln!(out, "{verdict}");
    out
}

fn verdicts(verdicts: Verdicts) -> String {
    format!(
        "{} lawful, {} unlawful, {} unknown",
        grouped(verdicts.lawful),
        grouped(verdicts.unlawful),
        grouped(verdicts.unknown)
    )
}

fn plural(count: u64, what: &str) -> String {
    format!(
        "{} {what}{}",
        grouped(count),
        if count == 1 { "" } else { "s" }
    )
}
