//! `gatespec man`: the manual, as pages that `man` reads.

use std::path::PathBuf;

use clap::CommandFactory as _;

use super::{Cli, CliError, print};

/// Prints the manual's main page, or writes a page for each command into a folder.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec man | man -l -
  gatespec man ~/.local/share/man/man1")]
pub(super) struct Args {
    /// The folder to write `gatespec.1`, `gatespec-check.1` and so on into.
    folder: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let command = Cli::command().disable_help_subcommand(true);
    let Some(folder) = args.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|error| CliError::usage(format_args!("cannot write the page: {error}")))?;
        return print(&String::from_utf8_lossy(&page));
    };
    std::fs::create_dir_all(&folder)
        .and_then(|()| clap_mangen::generate_to(command, &folder))
        .map_err(|error| {
            CliError::usage(format_args!(
                "cannot write the pages into `{}`: {error}",
                folder.display()
            ))
        })?;
    print(&format!("wrote the manual into {}\n", folder.display()))
}
