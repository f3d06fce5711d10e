//! `gatespec trace`: what tests each clause.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gatespec::conform::trace::Parts;
use gatespec::model::Suite;
use gatespec::report::trace as page;

use super::{CliError, print};

/// Prints what tests each clause: law, vectors, cases, mutants. Exit code 1 when one is missing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec trace
  gatespec trace --write")]
pub(super) struct Args {
    /// The folder of the chapters.
    #[arg(default_value = "spec")]
    folder: PathBuf,
    /// Write the page `traceability.md` in that folder anew.
    #[arg(long)]
    write: bool,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let mut chapters = BTreeMap::new();
    for suite in Suite::ALL {
        if let Ok(text) = std::fs::read_to_string(args.folder.join(format!("{suite}.md"))) {
            chapters.insert(suite, text);
        }
    }
    let parts = Parts::of_crate(chapters).map_err(CliError::usage)?;
    let text = page::markdown(&parts);
    if args.write {
        let path = args.folder.join("traceability.md");
        std::fs::write(&path, text).map_err(|error| {
            CliError::usage(format_args!("cannot write `{}`: {error}", path.display()))
        })?;
        print(&format!("wrote {}\n", path.display()))?;
    } else {
        print(&text)?;
    }
    let gaps = parts.gaps();
    gaps.iter().for_each(|gap| eprintln!("gatespec: {gap}"));
    Ok(u8::from(!gaps.is_empty()))
}
