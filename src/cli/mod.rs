//! The command line: a file a subcommand; this one dispatches.

use std::fmt;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{Parser, Subcommand};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

mod audit;
mod bench;
mod check;
mod clauses;
mod compare;
mod completions;
mod control;
mod doctor;
mod explain;
mod explore;
mod fuzz;
mod init;
mod key;
mod man;
mod merge;
mod mutants;
mod promote;
mod replay;
mod schema;
mod select;
mod serve;
mod trace;
mod vectors;

/// What every AI-agent tool gate must do, and whether yours does.
#[derive(Parser)]
#[command(name = "gatespec", version, after_help = AFTER, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER: &str = "Examples:
  gatespec init --lang python my-adapter
  gatespec check -- python3 my-adapter/adapter.py
  gatespec completions bash; gatespec man | man -l -

Exit codes: 0 conforms, 1 does not, 2 wrong usage or input, 3 inconclusive (nothing selected, \
nothing run, no handshake, everything unsupported).";

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Replay(replay::Args),
    Promote(promote::Args),
    Serve(serve::Args),
    Key(key::Args),
    Compare(compare::Args),
    Control(control::Args),
    Doctor(doctor::Args),
    Explain(explain::Args),
    Explore(explore::Args),
    Fuzz(fuzz::Args),
    Init(init::Args),
    Clauses(clauses::Args),
    Vectors(vectors::Args),
    Schema(schema::Args),
    Audit(audit::Args),
    Bench(bench::Args),
    Merge(merge::Args),
    Mutants(mutants::Args),
    Trace(trace::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Why a command did not do what it was asked, and the exit code that says so.
#[derive(Debug)]
struct CliError {
    code: u8,
    says: String,
}

impl CliError {
    /// Wrong usage or wrong input: exit code 2.
    fn usage(says: impl fmt::Display) -> Self {
        Self {
            code: 2,
            says: says.to_string(),
        }
    }

    /// Nothing can be said: exit code 3.
    fn inconclusive(says: impl fmt::Display) -> Self {
        Self {
            code: 3,
            says: says.to_string(),
        }
    }
}

/// Runs the command that the arguments name.
pub(crate) fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Check(args) => check::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Promote(args) => promote::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Key(args) => key::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Control(args) => control::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Init(args) => init::run(args),
        Command::Fuzz(args) => fuzz::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Explore(args) => explore::run(args),
        Command::Clauses(args) => clauses::run(args),
        Command::Vectors(args) => vectors::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Audit(args) => audit::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Mutants(args) => mutants::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("gatespec: {}", error.says);
            ExitCode::from(error.code)
        }
    }
}

/// Writes to stdout; a reader that went away is no error.
fn print(text: &str) -> Result<u8, CliError> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(CliError::usage(
            format_args!("cannot write to stdout: {error}"),
        )),
        _ => Ok(0),
    }
}

/// A flag that Ctrl-C, SIGTERM and SIGHUP raise; the second one ends the command at once.
fn interrupt() -> std::io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&flag))?;
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
    }
    Ok(flag)
}
