//! The `html` report: one page that needs nothing from anywhere, and the page that sets several
//! implementations side by side.
//!
//! ```
//! use gatespec::conform::Check;
//! use gatespec::report::{Report, html};
//!
//! let command = vec!["<script>".to_owned()];
//! let page = html::render(&Report::new(&Check::default(), 0, command));
//! assert!(page.contains("&lt;script&gt;") && !page.contains("src=\"http"));
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Report;
use super::human::grouped;
use super::json::{Failure, Word};
use super::junit::escaped;
use crate::conform::{Depth, Kind};
use crate::model::{Clause, Suite};

mod diff;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// One run as a page.
#[must_use]
pub fn render(report: &Report) -> String {
    let name = name(report);
    let mut body = head(report, &name);
    scores(&mut body, report);
    failures(&mut body, report);
    clauses(&mut body, report);
    page(&format!("{name} · gatespec"), &body)
}

/// The page around a body. The policy in its head forbids every request, so that a page which was
/// tampered with cannot call out.
fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style></head>\n<body>\n{body}\
         <script>\n{SCRIPT}</script>\n</body></html>\n",
        escaped(title)
    )
}

fn name(report: &Report) -> String {
    report.implementation.as_ref().map_or_else(
        || report.command.join(" "),
        |hello| {
            format!("{} {}", hello.name, hello.version)
                .trim()
                .to_owned()
        },
    )
}

const fn word(outcome: Word) -> (&'static str, &'static str) {
    match outcome {
        Word::Conforms => ("conforms", "conforms"),
        Word::Fails => ("fails", "does not conform"),
        Word::Inconclusive => ("inconclusive", "inconclusive"),
    }
}

fn mark(class: &str, text: &str) -> String {
    format!("<span class=\"mark {class}\">{}</span>", escaped(text))
}

fn head(report: &Report, name: &str) -> String {
    let (class, says) = word(report.outcome);
    let total = report.total();
    let mut out = format!("<h1>{} {}</h1>\n", escaped(name), mark(class, says));
    let language = report
        .implementation
        .as_ref()
        .map_or("", |hello| hello.language.as_str());
    let _ = writeln!(
        out,
        "<p>{} of {} cases passed</p>\n<p class=\"dim\">gatespec {} · spec {} · seed {}{}{} · \
         <code>{}</code></p>",
        grouped(total.passed),
        grouped(total.planned),
        escaped(&report.gatespec),
        escaped(&report.spec),
        report.seed,
        if language.is_empty() { "" } else { " · " },
        escaped(language),
        escaped(&report.command.join(" "))
    );
    for why in report
        .reason
        .iter()
        .chain(&report.stopped)
        .chain(&report.incidents)
    {
        let _ = writeln!(out, "<p>{}</p>", mark("inconclusive", why));
    }
    for stale in &report.stale {
        let why = format!("{stale} is in the baseline and fails no longer");
        let _ = writeln!(out, "<p>{}</p>", mark("failed", &why));
    }
    for (word, count) in report.lacked.iter().chain(&report.declined) {
        let not_run = format!("without {word}: {} cases not run", grouped(*count));
        let _ = writeln!(out, "<p>{}</p>", mark("unsupported", &not_run));
    }
    out
}

fn scores(out: &mut String, report: &Report) {
    if report.suites.is_empty() {
        return;
    }
    out.push_str("<h2>Score</h2>\n<div class=\"scroll\"><table><tr><th>suite</th>");
    for depth in Depth::ALL {
        let _ = write!(out, "<th class=\"n\">{depth}</th>");
    }
    out.push_str("<th class=\"n\">failed</th><th class=\"n\">unsupported</th></tr>\n");
    for suite in &report.suites {
        let _ = write!(out, "<tr><td>{}</td>", escaped(&suite.suite));
        for depth in Depth::ALL {
            let tally = suite.depths.get(&depth).cloned().unwrap_or_default();
            let (passed, planned) = (grouped(tally.passed), grouped(tally.planned));
            let _ = write!(out, "<td class=\"n\">{passed} of {planned}</td>");
        }
        let total = suite.total();
        let failed = grouped(total.failures());
        let failed = if total.failures() > 0 {
            mark("failed", &failed)
        } else {
            failed
        };
        let unsupported = grouped(total.unsupported);
        let _ = writeln!(
            out,
            "<td class=\"n\">{failed}</td><td class=\"n\">{unsupported}</td></tr>"
        );
    }
    out.push_str("</table></div>\n");
}

fn failures(out: &mut String, report: &Report) {
    if !report.failures.is_empty() {
        out.push_str("<h2>What failed</h2>\n");
    }
    for failure in &report.failures {
        let id = failure
            .clauses
            .first()
            .map_or_else(String::new, Clause::to_string);
        let _ = writeln!(
            out,
            "<details open id=\"{0}\"><summary>{1} {2}</summary>",
            escaped(&id),
            mark("failed", &id),
            escaped(&failure.text)
        );
        let also: Vec<String> = failure
            .clauses
            .iter()
            .skip(1)
            .map(Clause::to_string)
            .collect();
        let also = if also.is_empty() {
            String::new()
        } else {
            format!(" · rests on {}", also.join(", "))
        };
        let _ = writeln!(
            out,
            "<p class=\"dim\">{} · {} cases · made smaller from {}{also}</p>",
            failure.kind.word(),
            grouped(failure.count),
            escaped(&failure.from)
        );
        let story: String = failure
            .story
            .iter()
            .map(|line| format!("{line}\n"))
            .collect();
        let _ = writeln!(out, "<pre>{}</pre>", escaped(&story));
        sides(out, failure);
        let wire = format!(
            "→ {{\"id\":\"1\",\"op\":\"{}\",\"input\":{}}}\n← {}",
            failure.op,
            failure.input,
            answer(failure)
        );
        let _ = writeln!(out, "<h3>the wire</h3><pre>{}</pre>", escaped(&wire));
        if let Some(replay) = &failure.replay {
            let _ = writeln!(out, "<h3>replay</h3><pre>{}</pre>", escaped(replay));
        }
        out.push_str("</details>\n");
    }
}

fn answer(failure: &Failure) -> String {
    match failure.kind {
        Kind::Diverged => format!("{{\"id\":\"1\",\"output\":{}}}", failure.got),
        _ => failure.got.to_string(),
    }
}

/// Expected beside got, the lines that differ marked.
fn sides(out: &mut String, failure: &Failure) {
    let (expected, got) = diff::lines(failure.compared().get(), failure.got.get());
    // what is left open is no difference where it is as the model has it
    let (whole, _) = diff::lines(failure.expected.get(), "");
    let side = |lines: &[diff::Line<'_>], class: &str| -> String {
        let line = |line: &diff::Line<'_>| match line {
            diff::Line::Same(text) => format!("{}\n", escaped(text)),
            diff::Line::Differs(text) => {
                format!("<span class=\"{class}\">{}</span>\n", escaped(text))
            }
        };
        lines.iter().map(line).collect()
    };
    let (expected, got) = (diff::split(&expected, &got), diff::split(&got, &whole));
    let _ = writeln!(
        out,
        "<div class=\"sides\"><div><h3>expected</h3><pre>{}</pre></div>\
         <div><h3>got</h3><pre>{}</pre></div></div>",
        side(&expected, "less"),
        side(&got, "more")
    );
    if let Some(open) = failure.open() {
        let _ = writeln!(out, "<p class=\"dim\">{}</p>", escaped(&open));
    }
}

const FILTERS: &str = "<div class=\"filters\"><button data-show=\"all\">all</button>\
    <button data-show=\"failed\">failed</button><button data-show=\"untested\">untested</button>\
    <button data-show=\"unsupported\">unsupported</button>\
    <button data-show=\"passed\">passed</button>\
    <input id=\"search\" type=\"search\" placeholder=\"find\" aria-label=\"find\">\
    <span class=\"dim\" id=\"count\"></span></div>\n";

/// What became of a clause in a run.
fn state(report: &Report, clause: Clause) -> &'static str {
    let reach = report.clauses.get(&clause).cloned().unwrap_or_default();
    let failed = report
        .failures
        .iter()
        .any(|failure| failure.clauses.first() == Some(&clause));
    match () {
        () if failed => "failed",
        () if reach.passed > 0 => "passed",
        () if reach.unsupported > 0 => "unsupported",
        () => "untested",
    }
}

fn of_suites(suites: &[&str]) -> Vec<Clause> {
    let chosen = |clause: &Clause| suites.contains(&clause.suite().word());
    Clause::ALL.iter().copied().filter(chosen).collect()
}

fn clauses(out: &mut String, report: &Report) {
    let suites: Vec<&str> = report
        .suites
        .iter()
        .map(|suite| suite.suite.as_str())
        .collect();
    if suites.is_empty() {
        return;
    }
    out.push_str("<h2>Clauses</h2>\n");
    out.push_str(FILTERS);
    out.push_str(
        "<div class=\"scroll\"><table><tr><th>clause</th><th></th><th>rule</th>\
        <th class=\"n\">cases passed</th></tr>\n",
    );
    for clause in of_suites(&suites) {
        let state = state(report, clause);
        let passed = report.clauses.get(&clause).map_or(0, |reach| reach.passed);
        let _ = writeln!(
            out,
            "<tr data-state=\"{state}\"><td><code>{clause}</code></td><td>{}</td><td>{}</td>\
             <td class=\"n\">{}</td></tr>",
            mark(state, state),
            escaped(clause.text()),
            grouped(passed)
        );
    }
    out.push_str("</table></div>\n");
}

/// Several runs side by side: a column an implementation, a row a clause.
#[must_use]
pub fn compare(reports: &[Report]) -> String {
    let mut body = String::from("<h1>Implementations side by side</h1>\n");
    body.push_str("<div class=\"scroll\"><table><tr><th>suite</th>");
    let names: Vec<String> = reports.iter().map(name).collect();
    for (name, report) in names.iter().zip(reports) {
        let (class, says) = word(report.outcome);
        let _ = write!(body, "<th>{}<br>{}</th>", escaped(name), mark(class, says));
    }
    body.push_str("</tr>\n");
    for suite in Suite::ALL {
        suite_row(&mut body, reports, suite);
    }
    body.push_str("</table></div>\n<h2>Clauses</h2>\n");
    body.push_str(FILTERS);
    clause_rows(&mut body, reports, &names);
    page("gatespec: implementations side by side", &body)
}

fn suite_row(out: &mut String, reports: &[Report], suite: Suite) {
    let _ = write!(out, "<tr><td>{suite}</td>");
    for report in reports {
        let tally = report
            .suites
            .iter()
            .find(|tally| tally.suite == suite.word());
        let cell = tally.map_or_else(
            || mark("untested", "not taken on"),
            |tally| {
                let total = tally.total();
                let counts = format!("{} of {}", grouped(total.passed), grouped(total.planned));
                mark(
                    if total.failures() == 0 {
                        "passed"
                    } else {
                        "failed"
                    },
                    &counts,
                )
            },
        );
        let _ = write!(out, "<td>{cell}</td>");
    }
    out.push_str("</tr>\n");
}

fn clause_rows(out: &mut String, reports: &[Report], names: &[String]) {
    out.push_str("<div class=\"scroll\"><table><tr><th>clause</th><th>rule</th>");
    for name in names {
        let _ = write!(out, "<th>{}</th>", escaped(name));
    }
    out.push_str("</tr>\n");
    for clause in Clause::ALL.iter().copied() {
        let states: Vec<&str> = reports.iter().map(|report| state(report, clause)).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for state in &states {
            *counts.entry(state).or_default() += 1;
        }
        // the row is found under the worst that any of them came to
        let order = ["failed", "untested", "unsupported", "passed"];
        let worst = order
            .iter()
            .find(|state| counts.contains_key(*state))
            .unwrap_or(&"untested");
        let _ = write!(
            out,
            "<tr data-state=\"{worst}\"><td><code>{clause}</code></td><td>{}</td>",
            escaped(clause.text())
        );
        for state in states {
            let _ = write!(out, "<td>{}</td>", mark(state, state));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
}
