//! `gatespec merge`: the summaries of shards, added up.

use std::path::PathBuf;

use gatespec::audit::Summary;
use gatespec::report::audit::{self, Words};

use super::{CliError, print};

/// Adds up the summaries that `gatespec audit --summary json` wrote of the shards of a log.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec merge shard-*.json")]
pub(super) struct Args {
    /// How the sum is written.
    #[arg(long, value_enum, default_value_t = Words::Human, value_name = "FORMAT")]
    summary: Words,
    /// Bad lines make it fail.
    #[arg(long)]
    strict: bool,
    /// The summaries, in the order of the shards.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let mut all: Option<Summary> = None;
    for path in &args.files {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| CliError::usage(format_args!("cannot read `{shown}`: {error}")))?;
        let summary: Summary = serde_json::from_str(&text).map_err(|error| {
            CliError::usage(format_args!(
                "`{shown}` is no summary: {error}; write one with `gatespec audit --summary json`"
            ))
        })?;
        match &mut all {
            None => all = Some(summary),
            Some(all) => all.merge(summary),
        }
    }
    let summary = all.unwrap_or_default();
    print(&audit::summary(
        &summary,
        args.summary,
        super::check::colour(),
    ))?;
    Ok(audit::exit_code(&summary, args.strict))
}
