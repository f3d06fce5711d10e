//! `gatespec promote`: a kept counterexample made a golden vector.

use std::path::PathBuf;

use gatespec::conform::kept::Counterexample;
use gatespec::conform::promote::{self, VectorId};
use gatespec::conform::vectors;

use super::{CliError, print};

/// Turns a kept counterexample into a golden vector, with the model's clauses and answer.
///
/// It is printed as a vector file of one case, or put into a folder of vectors with `--into`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec promote .gatespec/KEY-02-9181983c.json
  gatespec promote .gatespec/KEY-02-9181983c.json --into spec/vectors \\
    --id key/bad-iteration/two-zeros --why \"Two zeros are no number.\"
  gatespec promote .gatespec/KEY-02-9181983c.json --into my-vectors --fate refuse")]
pub(super) struct Args {
    /// The counterexample's file, as `check` named it.
    file: PathBuf,
    /// The vector's permanent id, suite/topic/name; made of the clause and a hash unless given.
    #[arg(long, value_name = "ID", value_parser = VectorId::read)]
    id: Option<VectorId>,
    /// Why the answer is what it is, in a sentence; the clause's text unless given.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Put it into the vectors below this folder.
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Whether a gate must say yes or no to it; needed when the topic has no file yet.
    #[arg(long, requires = "into")]
    fate: Option<Fate>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Fate {
    Accept,
    Refuse,
}

impl From<Fate> for promote::Fate {
    fn from(fate: Fate) -> Self {
        match fate {
            Fate::Accept => Self::Accept,
            Fate::Refuse => Self::Refuse,
        }
    }
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let (kept, op) = Counterexample::read(&args.file).map_err(CliError::usage)?;
    let id = args.id.unwrap_or_else(|| VectorId::of(&kept, &op));
    let promoted = promote::promote(&op, &id, args.why.as_deref()).map_err(CliError::usage)?;
    if let Some(known) = promote::golden(&op).map_err(CliError::usage)? {
        eprintln!("gatespec: the case is golden already, as `{known}`");
    }
    let Some(folder) = args.into else {
        return print(&vectors::write(&promoted));
    };
    let fate = args.fate.map(Into::into);
    let path = promote::add(promoted, &op, &id, &folder, fate).map_err(CliError::usage)?;
    print(&format!("wrote {id} into {}\n", path.display()))
}
