//! `gatespec completions`: what a shell needs to complete this command.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Cli, CliError, print};

/// Prints the completions of this command for a shell.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec completions bash > ~/.local/share/bash-completion/completions/gatespec
  gatespec completions zsh > ~/.zfunc/_gatespec
  gatespec completions fish > ~/.config/fish/completions/gatespec.fish")]
pub(super) struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gatespec", &mut script);
    print(&String::from_utf8_lossy(&script))
}
