//! `gatespec clauses`: every rule of the spec in a line.

use gatespec::model::{Clause, Profile, Suite};

use super::{CliError, print, select};

/// Lists the clauses of the spec: id, provenance, text.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec clauses
  gatespec clauses --suite ledger
  gatespec clauses --profile scoped-answers")]
pub(super) struct Args {
    /// Only the clauses of this suite.
    #[arg(long, value_parser = select::suite)]
    suite: Option<Suite>,
    /// Only the clauses of this profile: core, or an extension.
    #[arg(long, value_parser = select::profile)]
    profile: Option<Profile>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let chosen = |clause: &&Clause| {
        args.suite.is_none_or(|suite| clause.suite() == suite)
            && args.profile.is_none_or(|of| clause.profile() == of)
    };
    let lines: String = Clause::ALL
        .iter()
        .filter(chosen)
        .map(|clause| {
            let (id, provenance) = (clause.id(), clause.provenance().word());
            format!("{id:<8} {provenance:<9} {}\n", clause.text())
        })
        .collect();
    print(&lines)
}
