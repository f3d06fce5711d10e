//! `gatespec vectors`: the golden cases.

use std::path::PathBuf;

use gatespec::conform::vectors;

use super::{CliError, print};

/// Checks the golden vectors against the model, or writes what the model says into them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec vectors
  gatespec vectors --write my-vectors")]
pub(super) struct Args {
    /// The folder of the vector files.
    #[arg(default_value = "spec/vectors")]
    folder: PathBuf,
    /// Fill in `clauses` and `expected` of every case from the model.
    #[arg(long)]
    write: bool,
    /// List the cases: id and clauses.
    #[arg(long, conflicts_with = "write")]
    list: bool,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let files = vectors::files(&args.folder).map_err(CliError::usage)?;
    if files.is_empty() {
        let folder = args.folder.display();
        return Err(CliError::inconclusive(format_args!(
            "there are no vector files in `{folder}`"
        )));
    }
    if args.write {
        for (path, text) in &files {
            let name = path.display().to_string();
            let filled = vectors::fill(&name, text).map_err(CliError::usage)?;
            if filled != *text {
                std::fs::write(path, filled).map_err(|error| {
                    CliError::usage(format_args!("cannot write `{name}`: {error}"))
                })?;
                print(&format!("wrote {name}\n"))?;
            }
        }
    }
    let files = vectors::files(&args.folder).map_err(CliError::usage)?;
    let count = files.len();
    let named = files
        .into_iter()
        .map(|(path, text)| (path.display().to_string(), text));
    let cases = vectors::load(named).map_err(CliError::usage)?;
    if args.list {
        for case in &cases {
            let clauses: Vec<&str> = case.op.clauses().iter().map(|clause| clause.id()).collect();
            print(&format!("{} {}\n", case.id, clauses.join(" ")))?;
        }
        return Ok(0);
    }
    print(&format!(
        "{} cases in {count} files, and the model agrees with each\n",
        cases.len()
    ))
}
