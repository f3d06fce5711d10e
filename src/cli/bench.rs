//! `gatespec bench`: an implementation's own throughput, once it conforms.

use std::fmt::Write as _;

use gatespec::conform::bench::{Bench, Measured, Size, Times, bench};
use gatespec::conform::shrink::ShrinkLimits;
use gatespec::conform::{Depth, Plan, Stopped, check};
use gatespec::model::Suite;
use gatespec::report::Report;
use gatespec::report::human::{self, grouped};
use gatespec::report::json::Word;

use super::check::AdapterArgs;
use super::{CliError, print};

/// Measures an implementation's throughput on a suite's standard workload.
///
/// It is checked on that suite first: the speed of wrong answers is of no interest. The pipe and
/// the adapter are measured apart by the `echo` op, where the adapter has it (spec/protocol.md).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec bench key -- python3 examples/python/gate.py")]
pub(super) struct Args {
    /// The workload.
    #[arg(value_enum)]
    workload: Workload,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Rounds that count.
    #[arg(long, value_name = "N", default_value_t = Size::default().rounds, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Rounds before them, to warm up.
    #[arg(long, value_name = "N", default_value_t = Size::default().warm_up, value_parser = clap::value_parser!(u32).range(0..=1000))]
    warm_up: u32,
    /// Questions a batch.
    #[arg(long, value_name = "N", default_value_t = Size::default().batch, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    batch: u32,
    /// Batches a round.
    #[arg(long, value_name = "N", default_value_t = Size::default().batches, value_parser = clap::value_parser!(u32).range(1..=1000))]
    batches: u32,
    /// The seed of the workload.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    adapter: AdapterArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Workload {
    /// Short keys, all of them different.
    Key,
    /// Traces of a ledger.
    Ledger,
    /// The facts of the mint.
    Mint,
}

impl Workload {
    const fn suite(self) -> Suite {
        match self {
            Self::Key => Suite::Key,
            Self::Ledger => Suite::Ledger,
            Self::Mint => Suite::Outcome,
        }
    }
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let suite = args.workload.suite();
    if let Some(code) = unfit(&args, suite)? {
        return Ok(code);
    }
    let mut size = Size::default();
    (size.batch, size.batches) = (args.batch, args.batches);
    (size.rounds, size.warm_up) = (args.rounds, args.warm_up);
    let this = std::env::current_exe().map_err(CliError::usage)?;
    let (subject, reference) = args
        .adapter
        .processes(&[this.into_os_string(), "serve".into()])?;
    let measured =
        bench(subject, reference, suite, args.seed, size).map_err(|stopped| match stopped {
            Stopped::Interrupted => CliError::inconclusive("interrupted"),
            other => CliError::inconclusive(other),
        })?;
    if args.json {
        let mut json = serde_json::to_string_pretty(&measured).unwrap_or_default();
        json.push('\n');
        return print(&json);
    }
    print(&table(&measured))
}

/// A check of the suite first: the exit code when there is nothing to measure.
fn unfit(args: &Args, suite: Suite) -> Result<Option<u8>, CliError> {
    let mut plan = Plan::new(args.seed).map_err(CliError::usage)?;
    plan.settings = plan.settings.deeper(-1);
    plan.generated = 2000;
    plan.selection.suites = [suite].into();
    plan.selection.depths = [Depth::Vector, Depth::Enumerated, Depth::Generated].into();
    let mut adapter = args.adapter.adapter()?;
    let checked = check(&mut adapter, &plan, &ShrinkLimits::default(), &mut |_| {});
    let report = Report::new(&checked, args.seed, args.adapter.words());
    if report.outcome == Word::Conforms {
        return Ok(None);
    }
    print(&human::render(&report, super::check::colour()))?;
    eprintln!("gatespec: nothing is measured until the implementation conforms on `{suite}`");
    Ok(Some(report.outcome.exit_code()))
}

fn table(bench: &Bench) -> String {
    let mut out = String::new();
    let name = format!(
        "{} {}",
        bench.implementation.name, bench.implementation.version
    );
    let _ = writeln!(
        out,
        "{}: it conforms; {} questions a batch, {} batches a round, {} rounds\n",
        name.trim(),
        grouped(bench.batch.into()),
        grouped(bench.batches.into()),
        grouped(bench.rounds.into())
    );
    if bench.left_out > 0 {
        let count = grouped(bench.left_out);
        let _ = writeln!(
            out,
            "{count} questions need a word that it lacks, and are left out\n"
        );
    }
    let _ = writeln!(
        out,
        "{:22} {:>10} {:>10} {:>10} {:>19} {:>12}",
        "microseconds each", "p50", "p90", "p99", "rounds", "per second"
    );
    let mut row = |what: &str, times: &Times| {
        let rounds = format!(
            "{} to {}",
            micros(times.fastest_round),
            micros(times.slowest_round)
        );
        let _ = writeln!(
            out,
            "{what:22} {:>10} {:>10} {:>10} {rounds:>19} {:>12}",
            micros(times.p50),
            micros(times.p90),
            micros(times.p99),
            grouped(times.per_second as u64)
        );
    };
    for (who, measured) in [
        ("implementation", &bench.subject),
        ("reference (serve)", &bench.reference),
    ] {
        row(who, &measured.all);
        if let Some(echo) = &measured.echo {
            row("  its echo alone", echo);
        }
    }
    out.push('\n');
    for (who, measured) in [
        ("implementation", &bench.subject),
        ("reference", &bench.reference),
    ] {
        let _ = writeln!(out, "{}", own(who, measured));
    }
    let _ = writeln!(
        out,
        "the model without protocol: {} microseconds each",
        micros(bench.model_nanos)
    );
    out
}

fn own(who: &str, measured: &Measured) -> String {
    match measured.own_nanos {
        None => format!("{who}: it has no `echo`, so that adapter and pipe are part of its times"),
        Some(own) => format!(
            "{who}: {} microseconds each beyond its echo, {:.0}% of its time",
            micros(own),
            100.0 * own / measured.all.p50.max(f64::MIN_POSITIVE)
        ),
    }
}

fn micros(nanos: f64) -> String {
    format!("{:.3}", nanos / 1000.0)
}
