//! One conformance run: every selected case to a gate, what failed made small, and the outcome.
//!
//! ```
//! use gatespec::conform::{Outcome, Plan, check};
//! use gatespec::conform::subject::mutant;
//! use gatespec::model::{Clause, Suite};
//!
//! let faulty = gatespec::mutants::all().into_iter().find(|m| m.id == "key/leading_zero").unwrap();
//! let mut plan = Plan::new(7).unwrap();
//! (plan.generated, plan.enumerated) = (200, Some(2_000));
//! let checked = check(&mut mutant(faulty), &plan, &Default::default(), &mut |_| {});
//! assert_eq!(checked.outcome, Outcome::Fails);
//! assert_eq!(checked.findings[0].clause(), Some(Clause::Key02));
//! ```

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::shrink::{Failing, ShrinkLimits, shrink};
use super::tally::{Fates, Reached, SuiteTally, Tally};
use super::{Case, Depth, Hello, Kind, Plan, Stopped, Subject, Verdict};
use crate::model::{Clause, Profile, Suite};
use crate::ops::weight;

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Every selected case that the gate has the words for was put to it and passed.
    Conforms,
    /// A case failed.
    Fails,
    /// Neither can be said, for this reason.
    Inconclusive(String),
}

/// What has not been run is inconclusive.
impl Default for Outcome {
    fn default() -> Self {
        Self::Inconclusive("nothing was run".to_owned())
    }
}

/// A failure, by its smallest case.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The smallest case that fails so.
    pub smallest: Failing,
    /// How many cases failed so.
    pub count: u64,
    /// How many of the same suite and depth had passed or failed when the first one failed.
    pub after: u64,
}

impl Finding {
    /// A failure that was seen once.
    #[must_use]
    pub const fn once(smallest: Failing, after: u64) -> Self {
        Self {
            smallest,
            count: 1,
            after,
        }
    }

    /// The clause to name.
    #[must_use]
    pub fn clause(&self) -> Option<Clause> {
        self.smallest.clauses.first().copied()
    }
}

/// What a run found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Check {
    /// What the gate said of itself, if it did.
    pub hello: Option<Hello>,
    /// What the run came to.
    pub outcome: Outcome,
    /// Why the run ended before its end, if it did.
    pub stopped: Option<String>,
    /// The counts by suite.
    pub suites: Vec<SuiteTally>,
    /// How often each clause was put to the test.
    pub reached: Reached,
    /// How many cases that passed came to each fate, by the suite's word.
    pub fates: Fates,
    /// Cases not run, by the word that the gate declared it lacks.
    pub lacked: BTreeMap<String, u64>,
    /// Cases that the gate declined though it declared no such lack, by what it said.
    pub declined: BTreeMap<String, u64>,
    /// The cases of [`Plan::known`] that were run, and whether each failed.
    pub known: BTreeMap<String, bool>,
    /// What the adapter did wrong that belongs to no case, a sentence each.
    pub incidents: Vec<String>,
    /// What failed, in the order of the clauses.
    pub findings: Vec<Finding>,
}

impl Check {
    /// Whether the run went to its end, and the adapter did nothing wrong outside its cases.
    #[must_use]
    pub fn is_clean_but_for_findings(&self) -> bool {
        self.stopped.is_none() && self.incidents.is_empty()
    }
}

/// How the state of a run is told while it goes on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The suite that is being run.
    pub suite: Suite,
    /// The depth that is being run.
    pub depth: Depth,
    /// Cases of it that are finished.
    pub finished: u64,
    /// Cases that have failed so far, in the whole run.
    pub failed: u64,
}

/// How many different answers `declined` keeps apart; the rest is counted under `…`.
const DECLINED_KINDS: usize = 32;

/// Every how many cases progress is told.
const PROGRESS_EVERY: u64 = 512;

/// Puts the plan's cases to a gate.
pub fn check(
    subject: &mut dyn Subject,
    plan: &Plan,
    limits: &ShrinkLimits,
    progress: &mut dyn FnMut(Progress),
) -> Check {
    let mut run = Run::default();
    let hello = match subject.hello() {
        Ok(hello) => hello,
        Err(stopped) => return run.end(plan, None, &[], Err(stopped)),
    };
    let suites = match suites(&hello, plan) {
        Ok(suites) => suites,
        Err(why) => return run.end(plan, Some(hello), &[], Err(Stopped::GaveUp(why))),
    };
    let mut stopped = Ok(());
    for &suite in &suites {
        for depth in Depth::ALL {
            stopped = run.depth(subject, &hello, plan, (suite, depth), progress, stopped);
        }
    }
    if stopped.is_ok() {
        stopped = run.shrink(subject, &hello, limits);
    }
    run.incidents = subject.end();
    run.end(plan, Some(hello), &suites, stopped)
}

/// The suites to run: selected, and declared by the gate.
fn suites(hello: &Hello, plan: &Plan) -> Result<Vec<Suite>, String> {
    for word in &hello.suites {
        if Suite::from_word(word).is_none() {
            return Err(format!(
                "the adapter declares the suite `{word}`, and this spec has none"
            ));
        }
    }
    let declared = |suite: &Suite| hello.suites.iter().any(|word| word == suite.word());
    if let Some(missing) = plan.selection.suites.iter().find(|suite| !declared(suite)) {
        return Err(format!(
            "the suite `{missing}` is selected, but the adapter declares only: {}",
            hello.suites.join(", ")
        ));
    }
    let lacks = |profile: &&Profile| hello.has(&[profile.word()]).is_err();
    let extensions = plan.selection.profiles.iter();
    if let Some(missing) = extensions.filter(|of| **of != Profile::Core).find(lacks) {
        let missing = missing.word();
        return Err(format!(
            "the profile `{missing}` is selected, but the adapter's hello does not name it in \
             `profiles`"
        ));
    }
    let chosen = |suite: &Suite| declared(suite) && plan.selection.suite(*suite);
    let suites: Vec<Suite> = Suite::ALL.into_iter().filter(chosen).collect();
    if suites.is_empty() {
        return Err("no suite is both selected and declared by the adapter".to_owned());
    }
    Ok(suites)
}

/// What makes two failures the same finding. A case that got no proper answer says nothing of a
/// clause, so such failures are one finding a suite.
type Key = (Suite, Option<Clause>, Kind);

#[derive(Default)]
struct Run {
    tallies: BTreeMap<(Suite, Depth), Tally>,
    reached: Reached,
    fates: Fates,
    lacked: BTreeMap<String, u64>,
    declined: BTreeMap<String, u64>,
    known: BTreeMap<String, bool>,
    incidents: Vec<String>,
    findings: BTreeMap<Key, Finding>,
}

impl Run {
    /// Runs one depth of one suite; after a stop, only counts what is left undone. After an
    /// interrupt nothing is counted either: a person waits, and the whole plan is long.
    fn depth(
        &mut self,
        subject: &mut dyn Subject,
        hello: &Hello,
        plan: &Plan,
        (suite, depth): (Suite, Depth),
        progress: &mut dyn FnMut(Progress),
        stopped: Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let interrupted = |stopped: &Result<(), Stopped>| *stopped == Err(Stopped::Interrupted);
        if interrupted(&stopped) {
            return stopped;
        }
        let run = RefCell::new(self);
        let mut planned = 0;
        let mut cases = plan.cases(suite, depth).inspect(|_| planned += 1);
        let stopped = stopped.and_then(|()| {
            let mut supported = cases.by_ref().filter(|case| {
                hello
                    .has(&case.op.needs())
                    .inspect_err(|word| run.borrow_mut().lack(case, word))
                    .is_ok()
            });
            subject.run(&mut supported, &mut |case, answer| {
                let mut run = run.borrow_mut();
                run.count(plan, case, answer);
                let finished = run.tallies.get(&(suite, depth)).map_or(0, Tally::finished);
                if finished.is_multiple_of(PROGRESS_EVERY) {
                    let failed = run.findings.values().map(|finding| finding.count).sum();
                    progress(Progress {
                        suite,
                        depth,
                        finished,
                        failed,
                    });
                }
            })
        });
        if !interrupted(&stopped) {
            cases.by_ref().for_each(drop);
        }
        drop(cases);
        run.into_inner()
            .tallies
            .entry((suite, depth))
            .or_default()
            .planned = planned;
        stopped
    }

    /// Counts a case that is not put to the gate for want of a word.
    fn lack(&mut self, case: &Case, word: &str) {
        *self.lacked.entry(word.to_owned()).or_default() += 1;
        self.tallies
            .entry((case.suite(), case.depth))
            .or_default()
            .unsupported += 1;
        for clause in case.op.clauses() {
            self.reached.entry(clause).or_default().unsupported += 1;
        }
    }

    fn count(&mut self, plan: &Plan, case: Case, answer: super::Answer) {
        let verdict = case.judge(&answer);
        let tally = self.tallies.entry((case.suite(), case.depth)).or_default();
        tally.count(&verdict);
        let after = tally.finished();
        if plan.known.contains(&case.id) {
            let failed = matches!(verdict, Verdict::Failed { .. });
            self.known.insert(case.id, failed);
            return;
        }
        match verdict {
            Verdict::Passed => {
                for clause in case.op.clauses() {
                    self.reached.entry(clause).or_default().passed += 1;
                }
                if let super::Answer::Output(output) = &answer {
                    let fates = self
                        .fates
                        .entry(case.suite().word().to_owned())
                        .or_default();
                    for fate in output.fates() {
                        *fates.entry(fate.to_owned()).or_default() += 1;
                    }
                }
            }
            Verdict::Unsupported(why) => {
                let known =
                    self.declined.len() < DECLINED_KINDS || self.declined.contains_key(&why);
                let why = if known { why } else { "…".to_owned() };
                *self.declined.entry(why).or_default() += 1;
                for clause in case.op.clauses() {
                    self.reached.entry(clause).or_default().unsupported += 1;
                }
            }
            Verdict::Failed { kind, clauses } => {
                let first = clauses.first().copied();
                if let Some(first) = first {
                    self.reached.entry(first).or_default().failed += 1;
                }
                let key = (case.suite(), first.filter(|_| kind == Kind::Diverged), kind);
                let failing = Failing {
                    case,
                    answer,
                    kind,
                    clauses,
                };
                self.keep(key, failing, after);
            }
        }
    }

    /// Keeps the smallest case of each finding: memory is bounded by the number of clauses.
    fn keep(&mut self, key: Key, failing: Failing, after: u64) {
        match self.findings.get_mut(&key) {
            None => {
                self.findings.insert(
                    key,
                    Finding {
                        smallest: failing,
                        count: 1,
                        after,
                    },
                );
            }
            Some(finding) => {
                finding.count += 1;
                let size = |failing: &Failing| (weight(&failing.case.op), failing.case.depth);
                let (new, old) = (size(&failing), size(&finding.smallest));
                // answers come in any order: equal sizes are settled by the text, not by the clock
                let text = |failing: &Failing| crate::ops::json(&failing.case.op).get().to_owned();
                if new < old || (new == old && text(&failing) < text(&finding.smallest)) {
                    finding.smallest = failing;
                }
            }
        }
    }

    fn shrink(
        &mut self,
        subject: &mut dyn Subject,
        hello: &Hello,
        limits: &ShrinkLimits,
    ) -> Result<(), Stopped> {
        for finding in self.findings.values_mut() {
            let (smallest, stopped) = shrink(subject, hello, finding.smallest.clone(), limits);
            finding.smallest = smallest;
            stopped?;
        }
        Ok(())
    }

    fn end(
        self,
        plan: &Plan,
        hello: Option<Hello>,
        suites: &[Suite],
        stopped: Result<(), Stopped>,
    ) -> Check {
        let mut check = Check {
            hello,
            outcome: Outcome::Conforms,
            stopped: stopped.as_ref().err().map(ToString::to_string),
            suites: Vec::new(),
            reached: self.reached,
            fates: self.fates,
            lacked: self.lacked,
            declined: self.declined,
            known: self.known,
            incidents: self.incidents,
            findings: self.findings.into_values().collect(),
        };
        for &suite in suites {
            let depths = self.tallies.iter().filter(|((of, _), _)| *of == suite);
            check.suites.push(SuiteTally {
                suite: suite.word().to_owned(),
                depths: depths
                    .map(|((_, depth), tally)| (*depth, tally.clone()))
                    .collect(),
            });
        }
        check.outcome = outcome(&check, plan, suites, stopped);
        check
    }
}

/// A run conforms only when nothing failed, nothing was left undone, and every clause that the gate
/// has the words for was reached by a case that passed.
fn outcome(check: &Check, plan: &Plan, suites: &[Suite], stopped: Result<(), Stopped>) -> Outcome {
    if !check.findings.is_empty() || (stopped.is_ok() && !check.incidents.is_empty()) {
        return Outcome::Fails;
    }
    if let Err(stopped) = stopped {
        return Outcome::Inconclusive(stopped.to_string());
    }
    let mut total = Tally::default();
    for suite in &check.suites {
        total.add(&suite.total());
        if suite.total().passed == 0 {
            let why = if suite.total().planned == 0 {
                "nothing was selected"
            } else {
                "nothing of it was supported"
            };
            return Outcome::Inconclusive(format!("no case of `{}` was run: {why}", suite.suite));
        }
    }
    if total.unfinished() > 0 {
        return Outcome::Inconclusive(format!("{} cases got no answer", total.unfinished()));
    }
    if let Some((why, count)) = check.declined.iter().next() {
        return Outcome::Inconclusive(format!(
            "{count} cases were declined (`{why}`) without a word for it in the hello's `lacks`; \
             declare the word, or answer the cases"
        ));
    }
    match unreached(check, plan, suites).first() {
        Some(clause) if plan.selection.is_whole() => {
            Outcome::Inconclusive(format!("no case that passed puts {clause} to the test"))
        }
        _ => Outcome::Conforms,
    }
}

/// Clauses that some vector could have put to the test with the words that the gate has, and that
/// no passing case did.
fn unreached(check: &Check, plan: &Plan, suites: &[Suite]) -> BTreeSet<Clause> {
    let Some(hello) = &check.hello else {
        return BTreeSet::new();
    };
    let passed = |clause: &Clause| {
        check
            .reached
            .get(clause)
            .is_some_and(|reach| reach.passed > 0)
    };
    suites
        .iter()
        .flat_map(|&suite| plan.covered(suite))
        .filter(|(_, needs)| needs.iter().any(|needs| hello.has(needs).is_ok()))
        .map(|(clause, _)| clause)
        .filter(|clause| !passed(clause))
        .collect()
}
