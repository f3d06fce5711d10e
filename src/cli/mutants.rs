//! `gatespec mutants`: how strong the suite is.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use gatespec::conform::process::Command;
use gatespec::conform::strength::{Bounds, Strength, measure};
use gatespec::conform::{Depth, Plan};
use gatespec::model::Suite;
use gatespec::mutants;
use gatespec::report::strength as page;

use super::{CliError, print, select};

/// Runs the suite against every built-in faulty gate, and says what kills each.
#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when a mutant survives or dies only by the check of another clause than it breaks, when a
gate that is wrong as a whole conforms, or when the model does not.

Examples:
  gatespec mutants --suite key
  gatespec mutants --list"
)]
pub(super) struct Args {
    /// Only the faulty gates of this suite; may be given more than once.
    #[arg(long, value_name = "SUITE", value_parser = select::suite)]
    suite: Vec<Suite>,
    /// List the faulty gates: id, clause, sentence.
    #[arg(long)]
    list: bool,
    /// The seed of fresh names and random cases.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many random cases a suite.
    #[arg(long, value_name = "N", default_value_t = Plan::GENERATED)]
    cases: u64,
    /// Only the golden vectors.
    #[arg(long)]
    vectors_only: bool,
    /// How many gates are tested at once; as many as there are cores unless given.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Print this instead of the table for people.
    #[arg(long, value_name = "KIND")]
    report: Option<Kind>,
    /// Write the page `spec/strength.md` anew.
    #[arg(long, conflicts_with_all = ["suite", "vectors_only", "seed", "cases"])]
    write: bool,
    /// Say whether the page `spec/strength.md` is stale.
    #[arg(long, conflicts_with_all = ["suite", "vectors_only", "seed", "cases", "write"])]
    check: bool,
    /// The page.
    #[arg(long, value_name = "FILE", default_value = "spec/strength.md")]
    page: PathBuf,
}

/// The reports that programs and pages take.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    Json,
    Markdown,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    if args.list {
        return list(&args.suite.iter().copied().collect());
    }
    let mut bounds = Bounds::whole(args.seed).map_err(CliError::usage)?;
    bounds.plan.selection.suites = args.suite.iter().copied().collect();
    bounds.plan.generated = args.cases;
    bounds.threads = args.jobs.unwrap_or(bounds.threads);
    if args.vectors_only {
        bounds.depths = vec![Depth::Vector];
    }
    let strength = measured(&bounds)?;
    let text = page::markdown(&strength);
    if args.write || args.check {
        let old = std::fs::read_to_string(&args.page).unwrap_or_default();
        let by_hand = old
            .find(page::BY_HAND)
            .and_then(|at| old.get(at..))
            .unwrap_or(page::BY_HAND);
        let new = format!("{text}{}\n", by_hand.trim_end());
        let name = args.page.display();
        if new == old {
            print(&format!("`{name}` is what was measured\n"))?;
        } else if args.check {
            let says = format!("`{name}` is stale; run `gatespec mutants --write`");
            return Err(CliError { code: 1, says });
        } else {
            std::fs::write(&args.page, new)
                .map_err(|error| CliError::usage(format_args!("cannot write `{name}`: {error}")))?;
            print(&format!("wrote {name}\n"))?;
        }
    }
    match args.report {
        Some(Kind::Json) => {
            let json = serde_json::to_string_pretty(&strength).map_err(CliError::usage)?;
            print(&format!("{json}\n"))?;
        }
        Some(Kind::Markdown) => {
            print(&text)?;
        }
        None if args.write || args.check => {}
        None => {
            print(&page::human(&strength))?;
        }
    }
    let complaints = strength.complaints();
    if args.report.is_some() || args.write || args.check {
        complaints
            .iter()
            .for_each(|complaint| eprintln!("gatespec: {complaint}"));
    }
    Ok(u8::from(!complaints.is_empty()))
}

/// Measures, with a progress line on a terminal; gates that only a process can be are started from
/// this very command.
fn measured(bounds: &Bounds) -> Result<Strength, CliError> {
    let me = std::env::current_exe().map_err(CliError::usage)?;
    let spawn = |id: &str| {
        let words = ["serve", "--mutant", id].map(std::ffi::OsString::from);
        Command::new(std::iter::once(me.clone().into_os_string()).chain(words))
    };
    let bar = std::io::stderr()
        .is_terminal()
        .then(indicatif::ProgressBar::new_spinner);
    let strength = measure(bounds, Some(&spawn), &|id| {
        if let Some(bar) = &bar {
            bar.set_message(id.to_owned());
            bar.tick();
        }
    });
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    Ok(strength)
}

fn list(suites: &BTreeSet<Suite>) -> Result<u8, CliError> {
    let mut out = String::new();
    let chosen = |suite: Suite| suites.is_empty() || suites.contains(&suite);
    for mutant in mutants::all()
        .iter()
        .filter(|mutant| chosen(mutant.clause.suite()))
    {
        let (id, clause) = (mutant.id, mutant.clause.id());
        out.push_str(&format!("{id:<32} {clause:<8} {}\n", mutant.sentence));
    }
    for gate in mutants::gates() {
        out.push_str(&format!("{:<32} {:<8} {}\n", gate.id, "all", gate.sentence));
    }
    print(&out)
}
