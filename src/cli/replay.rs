//! `gatespec replay`: a kept counterexample, alone.

use std::path::PathBuf;

use gatespec::conform::kept::Counterexample;
use gatespec::conform::shrink::Failing;
use gatespec::conform::{Finding, Stopped, Subject as _, Verdict};
use gatespec::report::human;
use gatespec::report::json::Failure;

use super::check::{AdapterArgs, colour};
use super::{CliError, print};

/// Puts one kept counterexample to an adapter again.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec replay .gatespec/KEY-02-9181983c.json -- ./my-gate
  gatespec replay .gatespec/KEY-02-9181983c.json --print-stdin | ./my-gate",
    mut_arg("command", |arg| arg.required(false).required_unless_present("print_stdin")))]
pub(super) struct Args {
    /// The counterexample's file, as `check` named it.
    file: PathBuf,
    /// Print the exact lines that the adapter reads on its stdin, and run nothing.
    #[arg(long)]
    print_stdin: bool,
    #[command(flatten)]
    adapter: AdapterArgs,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let (kept, op) = Counterexample::read(&args.file).map_err(CliError::usage)?;
    let case = kept.case(op);
    if args.print_stdin {
        return super::check::print_stdin(std::iter::once(case));
    }
    let mut adapter = args.adapter.adapter()?;
    adapter.hello().map_err(CliError::inconclusive)?;
    let mut came = None;
    let ran = adapter.run(&mut std::iter::once(case), &mut |case, answer| {
        came = Some((case, answer))
    });
    let (case, answer) = match (came, ran) {
        (Some(came), _) => came,
        (None, Err(stopped)) => return Err(CliError::inconclusive(stopped)),
        (None, Ok(())) => return Err(CliError::inconclusive(Stopped::Interrupted)),
    };
    match case.judge(&answer) {
        Verdict::Passed => print(&format!("passes now: {} ({})\n", case.op.name(), case.id)),
        Verdict::Unsupported(why) => Err(CliError::inconclusive(format_args!(
            "the adapter declined the case: {why}"
        ))),
        Verdict::Failed { kind, clauses } => {
            let smallest = Failing {
                case,
                answer,
                kind,
                clauses,
            };
            let failure = Failure::new(&Finding::once(smallest, 1));
            print(&human::render_failure(&failure, colour()))?;
            Ok(1)
        }
    }
}
