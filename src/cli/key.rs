//! `gatespec key STRING`: a parse, drawn under the string.

use gatespec::model::key::{self, PlanKey};

use super::{CliError, print};

/// Reads a subject by the grammar, and draws its parts under it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec key node:iter:3:x:step:s
  gatespec key 'call_7#taint'")]
pub(super) struct Args {
    /// The subject, such as `node:iter:3:x:step:s` or `call_7#taint`.
    subject: std::ffi::OsString,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    print(&draw(args.subject.as_encoded_bytes()))
}

/// The subject with a line under each part, and what the functions of the spec say of it.
fn draw(subject: &[u8]) -> String {
    let mut out = format!("{}\n", subject.escape_ascii());
    let parsed = key::plan_key(subject);
    if let Some(parsed) = &parsed {
        for (start, part, what) in parts(subject, parsed) {
            let before = subject
                .get(..start)
                .unwrap_or_default()
                .escape_ascii()
                .count();
            let under = part.escape_ascii().count();
            out.push_str(&format!(
                "{}{} {what}\n",
                " ".repeat(before),
                "^".repeat(under)
            ));
        }
    }
    let says = match &parsed {
        Some(PlanKey { step: Some(_), .. }) => "a plan key: a Step",
        Some(_) => "a plan key: a node",
        None => "no plan key",
    };
    let (base, instance) = key::base(subject);
    let of = if instance {
        format!("an escalation instance of `{}`", base.escape_ascii())
    } else {
        "its own base, no instance".to_owned()
    };
    let live = if key::is_live_id(subject) {
        "may"
    } else {
        "may not"
    };
    out.push_str(&format!(
        "{says}; {of}; a live tool-use id {live} be this\n"
    ));
    out
}

/// Where each part of a plan key lies in it.
fn parts<'a>(subject: &'a [u8], parsed: &PlanKey<'a>) -> Vec<(usize, &'a [u8], String)> {
    let node_at = parsed.key.len().saturating_sub(parsed.node.len());
    let mut parts = Vec::new();
    if let Some(n) = parsed.iteration {
        let at = "node:iter:".len();
        let digits = subject
            .get(at..node_at.saturating_sub(1))
            .unwrap_or_default();
        parts.push((at, digits, format!("iteration {n}")));
    }
    parts.push((node_at, parsed.node, "node".to_owned()));
    if let Some(step) = parsed.step {
        parts.push((
            subject.len().saturating_sub(step.len()),
            step,
            "Step".to_owned(),
        ));
    }
    parts
}
