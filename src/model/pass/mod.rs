//! One gate pass: a pure function from a [`Script`] to what the gate returns (`spec/pass.md`).
//!
//! A pass walks its stations in order. Each reads and writes the cells of the pass; the first that
//! denies is the last that speaks (PASS-14). What was settled is kept by the very ledger of
//! [`super::ledger`], and the record is minted by [`super::outcome::mint`].
//!
//! ```
//! use gatespec::model::outcome::Layer;
//! use gatespec::model::pass::script::{Ruling, Script, Screen};
//! use gatespec::model::pass::{Verdict, run};
//!
//! let mut script = Script::plain("call-1", serde_json::json!({"path": "/x"}));
//! assert_eq!(run(&script).result, Verdict::Allow);
//!
//! // a hook that breaks fails closed, whatever the policy would say
//! script.policy = vec![Ruling::Allow { rewrite: None, record: None, round: None }];
//! script.screening = vec![Screen::Throw {}];
//! assert_eq!(run(&script).denied_by(), Some(Layer::Engine));
//! ```

mod choice;
mod entry;
mod exit;
mod fold;
mod lanes;
mod narrate;
mod resolution;
pub mod script;
mod state;
mod trace;

pub use choice::{Choice, Readings, open};
pub use exit::{Passed, Verdict};
pub use narrate::narrate;
pub use script::Script;
pub use trace::{Did, Stands, Station, Step};

use state::{Act, Ending, Flow, Pass};

/// Runs a pass under the readings that the spec takes.
#[must_use]
pub fn run(script: &Script) -> Passed<'_> {
    static TAKEN: Readings = Readings::new();
    run_under(script, &TAKEN)
}

/// Runs a pass of a gate that takes the other reading in these choices.
#[must_use]
pub fn run_under<'a>(script: &'a Script, readings: &'a Readings) -> Passed<'a> {
    let mut pass = Pass::new(script, readings);
    let ending = walk(&mut pass);
    exit::exit(pass, ending)
}

fn walk(pass: &mut Pass<'_>) -> Ending {
    for station in stations(pass) {
        if let Flow::Break(ending) = station(pass) {
            return ending;
        }
    }
    Ending::Exit
}

/// The stations, in the order of the spec; where the seeds give none, in the order of the reading.
fn stations(pass: &Pass<'_>) -> [Act; 21] {
    let [first, second, third] = match pass.reads(Choice::LocksBeforeScreening) {
        false => [entry::screening, lock(pass, false), lock(pass, true)],
        true => [lock(pass, false), lock(pass, true), entry::screening],
    };
    let [probe, read_station]: [Act; 2] = match pass.reads(Choice::ReadStationFirst) {
        false => [fold::probe, fold::read_station],
        true => [fold::read_station, fold::probe],
    };
    let [classifier, mode, sandbox] = arbiters(pass);
    [
        entry::entry,
        first,
        second,
        third,
        fold::policy,
        fold::hook_ask,
        probe,
        read_station,
        fold::write_protection,
        fold::unstated,
        lanes::supersede,
        lanes::org,
        lanes::supersede,
        lanes::stored_rules,
        lanes::read_only_arm,
        lanes::hook_allow,
        classifier,
        mode,
        sandbox,
        lanes::content,
        resolution::resolution,
    ]
}

fn lock(pass: &Pass<'_>, second: bool) -> Act {
    if pass.reads(Choice::PlanModeFirst) == second {
        entry::compliance
    } else {
        entry::plan_mode
    }
}

fn arbiters(pass: &Pass<'_>) -> [Act; 3] {
    let before_classifier = pass.reads(Choice::ModeBeforeClassifier);
    let after_sandbox = pass.reads(Choice::SandboxBeforeMode);
    match (before_classifier, after_sandbox) {
        (false, false) => [lanes::classifier, lanes::mode, lanes::sandbox],
        (true, false) => [lanes::mode, lanes::classifier, lanes::sandbox],
        // the classifier is before the sandbox in the seed, so the mode is last here
        (_, true) => [lanes::classifier, lanes::sandbox, lanes::mode],
    }
}
