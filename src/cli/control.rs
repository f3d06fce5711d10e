//! `gatespec control`: a real control, consulted as a harness would.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gatespec::conform::control::{ControlReport, ControlSettings, Finding, Rule, check_control};
use gatespec::conform::process::Command;
use serde_json::Value;

use super::check::seconds;
use super::{CliError, print};

/// Checks a control executable from the outside, by the rules of `spec/verdict.md`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec control -- python3 examples/control/control.py")]
pub(super) struct Args {
    /// Seconds that one consult may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    timeout: f64,
    /// The seed of the names in the requests.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// A file with one request of yours (JSON, five members); may be given more than once.
    #[arg(long, value_name = "FILE")]
    request: Vec<PathBuf>,
    /// Write the report as JSON.
    #[arg(long)]
    json: bool,
    /// The control's command, run as it is: no shell.
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let mut settings = ControlSettings::default();
    settings.timeout = Duration::from_secs_f64(args.timeout);
    settings.seed = args.seed;
    for path in &args.request {
        settings.requests.push(request(path)?);
    }
    let Some(command) = Command::new(args.command) else {
        return Err(CliError::usage("give the control's command after `--`"));
    };
    let report = check_control(&command, &settings).map_err(CliError::inconclusive)?;
    if args.json {
        let json = serde_json::to_string_pretty(&report).map_err(CliError::usage)?;
        print(&(json + "\n"))?;
    } else {
        print(&human(&report))?;
    }
    Ok(u8::from(!report.conforms()))
}

/// A request of the user's own, with the members that a control is asked with.
fn request(path: &Path) -> Result<Value, CliError> {
    let file = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| CliError::usage(format_args!("`{file}`: {error}")))?;
    let request: Value = serde_json::from_str(&text)
        .map_err(|error| CliError::usage(format_args!("`{file}` is no JSON: {error}")))?;
    let names = ["id", "name", "role", "agent_id"];
    let whole = names
        .iter()
        .all(|name| request.get(name).is_some_and(Value::is_string));
    if whole && request.get("input").is_some() {
        Ok(request)
    } else {
        Err(CliError::usage(format_args!(
            "`{file}` is no request: it needs `id`, `name`, `role` and `agent_id` as strings, and `input`"
        )))
    }
}

/// The report for people: a line a rule, and under it what breaks it.
fn human(report: &ControlReport) -> String {
    let mut text = String::new();
    for rule in Rule::ALL {
        let count = report.checks.get(&rule).copied().unwrap_or_default();
        let broken: Vec<&Finding> = report
            .findings
            .iter()
            .filter(|finding| finding.rule == rule)
            .collect();
        let mark = if broken.is_empty() { "ok  " } else { "FAIL" };
        let _ = writeln!(
            text,
            "{mark} {:<17} {count:>3} checks  {}",
            rule.word(),
            rule.text()
        );
        for finding in broken.iter().take(3) {
            text.push_str(&told(finding));
        }
        if let Some(more) = broken.len().checked_sub(3).filter(|more| *more > 0) {
            let _ = writeln!(text, "       and {more} more of this kind");
        }
    }
    let said: Vec<String> = report
        .verdicts
        .iter()
        .map(|(word, count)| format!("{word} {count}"))
        .collect();
    let said = if said.is_empty() {
        "none".to_owned()
    } else {
        said.join(", ")
    };
    let _ = writeln!(text, "\n{} consults, verdicts: {said}", report.consults);
    if report.gave_up {
        text.push_str("gave up: it hung too often, and the rest was not asked\n");
    }
    text.push_str(match report.conforms() {
        true => "the control keeps every rule\n",
        false => "the control breaks a rule: see spec/verdict.md, For authors of controls\n",
    });
    text
}

fn told(finding: &Finding) -> String {
    let clause = finding
        .clause
        .map(|clause| format!(" ({clause})"))
        .unwrap_or_default();
    let mut text = format!("       {}{clause}\n", finding.what);
    let _ = writeln!(text, "         stdin:  {}", finding.request.escape_debug());
    for (name, said) in [("stdout", &finding.stdout), ("stderr", &finding.stderr)] {
        if !said.is_empty() {
            let _ = writeln!(text, "         {name}: {}", said.trim_end().escape_debug());
        }
    }
    text
}
