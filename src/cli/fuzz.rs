//! `gatespec fuzz`: a campaign against an implementation in any language.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gatespec::conform::fuzz::{Campaign, Limits, State, fuzz};
use gatespec::conform::kept::Counterexample;
use gatespec::conform::{Finding, Subject as _};
use gatespec::generate::Settings;
use gatespec::model::Suite;
use gatespec::report::human::{self, grouped};
use gatespec::report::json::Failure;

use super::check::{AdapterArgs, colour, fresh_seed};
use super::{CliError, print, select};

/// Looks for divergences until the time or the cases are through, and makes each one small.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec fuzz key --time 60 -- python3 examples/python/gate.py")]
pub(super) struct Args {
    /// The suite to fuzz.
    #[arg(value_parser = select::suite)]
    suite: Suite,
    /// Seconds to go on for.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
    /// End after this many cases, whatever the time: with a seed, the same campaign each time.
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// The seed; a new one each time unless given.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The folder for what is found; `check` runs it first next time.
    #[arg(long, value_name = "DIR", default_value = ".gatespec")]
    keep: PathBuf,
    #[command(flatten)]
    adapter: AdapterArgs,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let mut adapter = args.adapter.adapter()?;
    let hello = adapter.hello().map_err(CliError::inconclusive)?;
    if !hello.suites.iter().any(|word| word == args.suite.word()) {
        let declared = hello.suites.join(", ");
        return Err(CliError::inconclusive(format_args!(
            "the adapter declares only: {declared}; there is no `{}` to fuzz",
            args.suite
        )));
    }
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut limits = Limits::default();
    limits.cases = args.cases.unwrap_or(u64::MAX);

    let began = Instant::now();
    // with a number of cases the clock decides nothing
    let until = args
        .cases
        .is_none()
        .then(|| began + Duration::from_secs(args.time));
    let bar = std::io::stderr()
        .is_terminal()
        .then(indicatif::ProgressBar::new_spinner);
    let mut go_on = |state: &State| {
        if let Some(bar) = &bar {
            bar.set_message(line(state, began));
            bar.tick();
        }
        until.is_none_or(|until| Instant::now() < until)
    };
    let settings = Settings::seeded(seed);
    let campaign = fuzz(
        &mut adapter,
        &hello,
        args.suite,
        &settings,
        &limits,
        &mut go_on,
    );
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    print(&format!(
        "{} · seed {seed} · {}\n",
        args.suite,
        line(&campaign.state, began)
    ))?;
    end(&args, &campaign)
}

fn line(state: &State, began: Instant) -> String {
    let seconds = began.elapsed().as_secs_f64();
    let rate = state.cases as f64 / seconds.max(0.001);
    format!(
        "{} cases in {seconds:.0} s ({rate:.0} a second), {} clauses, {} kinds of answer, {} kept \
         to mutate, {} failed",
        grouped(state.cases),
        state.clauses.len(),
        state.seen,
        state.corpus,
        grouped(state.failed)
    )
}

/// Shows and keeps what was found.
fn end(args: &Args, campaign: &Campaign) -> Result<u8, CliError> {
    for failing in &campaign.found {
        let kept = Counterexample::of(failing)
            .keep(&args.keep)
            .map_err(CliError::usage)?;
        let finding = Finding::once(failing.clone(), 0);
        let mut failure = Failure::new(&finding);
        failure.replay = Some(args.adapter.replay(&kept));
        print(&format!("\n{}", human::render_failure(&failure, colour())))?;
    }
    match (&campaign.stopped, campaign.found.is_empty()) {
        (_, false) => Ok(1),
        (Some(stopped), true) => Err(CliError::inconclusive(stopped)),
        (None, true) if campaign.state.cases == 0 => {
            Err(CliError::inconclusive("no case was run: give it more time"))
        }
        (None, true) => print("no divergence was found\n"),
    }
}
