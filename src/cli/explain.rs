//! `gatespec explain`: a clause or a chapter in full, or a kept case told step by step.

use std::path::Path;

use gatespec::conform::free;
use gatespec::conform::kept::Counterexample;
use gatespec::model::Clause;

use super::{CliError, print, select};

/// Explains a clause, a chapter of the spec, or a kept counterexample step by step.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec explain KEY-05
  gatespec explain ledger; gatespec explain protocol
  gatespec explain .gatespec/KEY-02-9181983c.json")]
pub(super) struct Args {
    /// A clause's id, a chapter (a suite, or `protocol`), or a file that `check` kept.
    what: String,
}

/// The chapters that the command carries.
const CHAPTERS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/chapters.rs"));

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let path = Path::new(&args.what);
    if path.exists() {
        return print(&told(path)?);
    }
    if let Some((_, text)) = CHAPTERS.iter().find(|(name, _)| *name == args.what) {
        return print(text);
    }
    match select::clause(&args.what) {
        Ok(clause) => print(&section(clause)),
        Err(error) => Err(CliError::usage(format_args!(
            "{error} (and there is no such file)"
        ))),
    }
}

/// A kept case: what happens, the clause, expected and got.
fn told(path: &Path) -> Result<String, CliError> {
    let (kept, op) = Counterexample::read(path).map_err(CliError::usage)?;
    let mut out = format!("{} {}\n\n", op.name(), kept.input);
    let story = match op.read_output(kept.got.get()) {
        Ok(got) => op.told(&got),
        // what came back has not even the op's shape
        Err(_) => op.story(),
    };
    for line in story {
        out.push_str(&format!("  {line}\n"));
    }
    if let Some(drawn) = gatespec::report::timeline::timeline(&op) {
        out.push_str(&format!("\n{drawn}"));
    }
    let open = free::free(&op);
    out.push_str(&format!("\nexpected {}\n", free::compared(&op, &open)));
    let whole = serde_json::to_value(op.expected()).unwrap_or_default();
    if let Some(open) = gatespec::report::json::open(&whole, &open) {
        out.push_str(&format!("free     {open}\n"));
    }
    out.push_str(&format!("got      {}\n", kept.got));
    for clause in kept.clauses.iter().take(1) {
        out.push_str(&format!("\n{}", section(*clause)));
    }
    Ok(out)
}

/// A clause with all that its chapter says of it.
fn section(clause: Clause) -> String {
    let chapter = clause.suite().word();
    let text = CHAPTERS
        .iter()
        .find(|(name, _)| *name == chapter)
        .map_or("", |(_, text)| text);
    let heading = format!("### {clause} · ");
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&heading));
    let mut out = String::new();
    match lines.next() {
        Some(first) => {
            out.push_str(&format!(
                "{} (spec/{chapter}.md)\n",
                first.trim_start_matches('#').trim()
            ));
            for line in lines.take_while(|line| !line.starts_with('#')) {
                out.push_str(line);
                out.push('\n');
            }
        }
        None => out.push_str(&format!("{clause} {}\n", clause.text())),
    }
    out
}
