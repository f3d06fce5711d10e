//! `gatespec compare`: several reports on one page.

use std::path::PathBuf;

use gatespec::report::{Report, html};

use super::{CliError, print};

/// Sets the JSON reports of several implementations side by side, on one HTML page.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec compare python.json go.json --out compare.html")]
pub(super) struct Args {
    /// JSON reports, as `check --report json=FILE` writes them.
    #[arg(required = true)]
    reports: Vec<PathBuf>,
    /// The page to write; without it, the page goes to stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let reports = args
        .reports
        .iter()
        .map(read)
        .collect::<Result<Vec<Report>, _>>()?;
    let page = html::compare(&reports);
    match args.out {
        None => print(&page),
        Some(path) => std::fs::write(&path, page).map(|()| 0).map_err(|error| {
            CliError::usage(format_args!("cannot write `{}`: {error}", path.display()))
        }),
    }
}

fn read(path: &PathBuf) -> Result<Report, CliError> {
    let path_is = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| CliError::usage(format_args!("cannot read `{path_is}`: {error}")))?;
    serde_json::from_str(&text)
        .map_err(|error| CliError::usage(format_args!("`{path_is}` is no report: {error}")))
}
