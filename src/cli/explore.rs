//! `gatespec explore`: every state that acts and drives of several agents can reach.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use gatespec::laws::joint::{Bounds, Exploration, explore};

use super::{CliError, print};

/// Explores every reachable state of windows under the boundary, and checks its invariants.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec explore --calls 3 --interruptions")]
pub(super) struct Args {
    /// How many agents there are.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=3))]
    agents: u8,
    /// How many calls each agent's step has.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    calls: u8,
    /// Let drives be stopped and controls fail, too.
    #[arg(long)]
    interruptions: bool,
    /// Follow paths of at most this many events; without it, every reachable state is explored.
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let mut bounds = Bounds::default();
    bounds.agents = usize::from(args.agents);
    bounds.calls = usize::from(args.calls);
    bounds.interruptions = args.interruptions;
    bounds.depth = args.depth;
    let began = Instant::now();
    let mut shown = began;
    let live = std::io::stderr().is_terminal();
    let found = explore(&bounds, |now| {
        if live && shown.elapsed() > Duration::from_millis(200) {
            shown = Instant::now();
            eprint!(
                "\r\x1b[Kconfiguration {} of {}, depth {}: {} states, {} transitions",
                now.configuration, now.configurations, now.depth, now.states, now.transitions
            );
        }
    });
    if live {
        eprint!("\r\x1b[K");
    }
    print(&said(&found, began.elapsed()))?;
    Ok(u8::from(found.broken.is_some()))
}

/// What was explored, and what was found.
fn said(found: &Exploration, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    let mut out = format!(
        "{} states and {} transitions in {} configurations, paths of up to {} events\n\
         {seconds:.1} s, {:.0} states a second, {:.0} transitions a second\n\n",
        found.states,
        found.transitions,
        found.configurations,
        found.depth,
        found.states as f64 / seconds,
        found.transitions as f64 / seconds,
    );
    for (invariant, reached) in &found.reached {
        out.push_str(&format!("{reached:>12} transitions reach {invariant}\n"));
    }
    match &found.broken {
        None => out.push_str("\nevery invariant holds in every state\n"),
        Some(broken) => {
            out.push_str(&format!(
                "\n{} is broken: {}\n",
                broken.invariant, broken.how
            ));
            for event in &broken.path {
                out.push_str(&format!("  {event:?}\n"));
            }
        }
    }
    out
}
