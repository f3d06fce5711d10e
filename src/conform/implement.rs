//! For implementers in Rust: a trait a suite, and a macro that turns an implementation into tests.
//!
//! The tests put the same cases to an implementation as `gatespec check` does (vectors, the
//! enumeration, random cases made small), in this process and without an adapter. There is one a
//! clause, and it has the clause's name:
//!
//! ```
//! use gatespec::conform::implement::KeyGrammar;
//! use gatespec::ops::key::Parts;
//! # use gatespec::model::key;
//!
//! struct MyGrammar;
//!
//! impl KeyGrammar for MyGrammar {
//!     fn plan_key(&self, subject: &[u8]) -> Option<Parts> {
//!         // your parser here
//!         # key::plan_key(subject).map(Parts::from)
//!     }
//!     # fn is_node_key(&self, s: &[u8]) -> bool { key::is_node_key(s) }
//!     # fn node_name(&self, s: &[u8]) -> Option<Vec<u8>> { key::node_name(s).map(<[u8]>::to_vec) }
//!     # fn node_instance(&self, s: &[u8]) -> Vec<u8> { key::node_instance(s).unwrap_or_default() }
//!     # fn id(&self, s: &[u8]) -> Vec<u8> { key::id(s) }
//!     # fn base(&self, s: &[u8]) -> (Vec<u8>, bool) { let b = key::base(s); (b.0.to_vec(), b.1) }
//!     # fn is_live_id(&self, s: &[u8]) -> bool { key::is_live_id(s) }
//!     // … and the other functions of the chapter
//! }
//!
//! gatespec::conformance_tests!(key: MyGrammar);
//! # fn main() {}
//! ```

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::free::{compared, free};
use super::shrink::ShrinkLimits;
use super::{Answer, Check, Finding, Hello, InProcess, Outcome, Plan, check};
use crate::model::outcome::{Defects, Facts, Layer, Record, SettledFacts, mint};
use crate::model::{Clause, Suite};
use crate::ops::{self, Op, Output, json};

/// The functions of the subject grammar (`spec/key.md`).
pub trait KeyGrammar {
    /// The parts of a plan key (KEY-01 to KEY-08).
    fn plan_key(&self, subject: &[u8]) -> Option<ops::key::Parts>;
    /// Is it the key of a node (KEY-09)?
    fn is_node_key(&self, subject: &[u8]) -> bool;
    /// The node name of a node key (KEY-10).
    fn node_name(&self, subject: &[u8]) -> Option<Vec<u8>>;
    /// The instance of a node; asked of node keys only (KEY-11).
    fn node_instance(&self, key: &[u8]) -> Vec<u8>;
    /// The instance of a tool call (KEY-12).
    fn id(&self, call: &[u8]) -> Vec<u8>;
    /// What a subject belongs to, and whether it is an instance (KEY-13 to KEY-17).
    fn base(&self, subject: &[u8]) -> (Vec<u8>, bool);
    /// May a live turn choose this id (KEY-18)?
    fn is_live_id(&self, id: &[u8]) -> bool;
}

/// The mint (`spec/outcome.md`).
pub trait Mint {
    /// The record of a pass (I1 to I4, OUT-01 and on).
    ///
    /// # Errors
    /// What the mint finds wrong with the facts, in its own words.
    fn mint(&self, facts: &Facts) -> Result<Record, String>;
    /// The record of a direct refusal by one layer.
    ///
    /// # Errors
    /// When the layer refuses by the resolution of an ask only.
    fn direct_deny(&self, layer: Layer) -> Result<Record, String>;
}

macro_rules! answering {
    ($($(#[$doc:meta])* $name:ident $module:ident;)*) => {
        $($(#[$doc])*
        pub trait $name {
            /// The answer to a question, as its chapter states it.
            fn answer(&self, op: &ops::$module::Op) -> ops::$module::Output;
        })*
    };
}

answering! {
    /// The tool-control seam (`spec/verdict.md`).
    Seam verdict;
    /// The tool window under a hold (`spec/window.md`).
    Window window;
    /// The operator's acts (`spec/boundary.md`).
    Boundary boundary;
    /// The settlement ledger (`spec/ledger.md`).
    Ledger ledger;
    /// The gate pass (`spec/pass.md`).
    GatePass pass;
}

/// A key grammar as a gate.
pub fn key(grammar: &impl KeyGrammar) -> impl FnMut(&Op) -> Answer {
    use ops::key::Op as Ask;
    |op| {
        let Op::Key(op) = op else {
            return elsewhere(op);
        };
        let subject = op.subject();
        Answer::Output(Output::Key(match op {
            Ask::PlanKey(_) => ops::key::Output::PlanKey(ops::key::PlanKeyOutput {
                plan_key: grammar.plan_key(subject),
            }),
            Ask::IsNodeKey(_) => ops::key::Output::is_node_key(grammar.is_node_key(subject)),
            Ask::NodeName(_) => ops::key::Output::node_name(grammar.node_name(subject).as_deref()),
            Ask::NodeInstance(_) => ops::key::Output::instance(&grammar.node_instance(subject)),
            Ask::Id(_) => ops::key::Output::instance(&grammar.id(subject)),
            Ask::Base(_) => {
                let (base, instance) = grammar.base(subject);
                ops::key::Output::base((&base, instance))
            }
            Ask::LiveId(_) => ops::key::Output::live(grammar.is_live_id(subject)),
        }))
    }
}

/// A mint as a gate.
pub fn outcome(mint: &impl Mint) -> impl FnMut(&Op) -> Answer {
    use ops::outcome::Op as Ask;
    |op| {
        let Op::Outcome(op) = op else {
            return elsewhere(op);
        };
        let minted = match op {
            Ask::Mint(input) => mint.mint(&input.facts),
            Ask::DirectDeny(input) => mint.direct_deny(input.layer),
        };
        Answer::Output(Output::Outcome(match minted {
            Ok(record) => ops::outcome::Output::Record { record },
            Err(defect) => ops::outcome::Output::Defect { defect },
        }))
    }
}

macro_rules! gates {
    ($($(#[$doc:meta])* $module:ident $suite:ident $name:ident;)*) => {
        $($(#[$doc])*
        pub fn $module(gate: &impl $name) -> impl FnMut(&Op) -> Answer {
            |op| match op {
                Op::$suite(op) => Answer::Output(Output::$suite(gate.answer(op))),
                other => elsewhere(other),
            }
        })*
    };
}

gates! {
    /// A seam as a gate.
    verdict Verdict Seam;
    /// A window as a gate.
    window Window Window;
    /// A boundary as a gate.
    boundary Boundary Boundary;
    /// A ledger as a gate.
    ledger Ledger Ledger;
    /// A pass as a gate.
    pass Pass GatePass;
}

fn elsewhere(op: &Op) -> Answer {
    Answer::Unsupported(format!("{} is of another suite", op.name()))
}

/// How a test run is bounded: as `gatespec check` is, and a step less deep, since test builds are
/// slow.
pub const DEPTH: i32 = -1;

/// Puts all cases of one suite to a gate in this process. The seed is fixed, as a test's must be.
#[must_use]
pub fn run(suite: Suite, gate: impl FnMut(&Op) -> Answer) -> Check {
    let suites = vec![suite.word().to_owned()];
    let hello = Hello {
        name: "this crate".to_owned(),
        suites,
        ..Hello::reference()
    };
    let mut subject = InProcess::new(hello, gate);
    match Plan::new(0) {
        Ok(mut plan) => {
            plan.settings = plan.settings.deeper(DEPTH);
            check(&mut subject, &plan, &ShrinkLimits::default(), &mut |_| {})
        }
        // the vectors that the crate carries are right: a test holds that
        Err(error) => Check {
            outcome: Outcome::Inconclusive(error.to_string()),
            ..Check::default()
        },
    }
}

/// What a run says of one clause.
///
/// # Errors
/// The report of each failure that breaks the clause first, or of why nothing can be said.
pub fn clause(check: &Check, clause: Clause) -> Result<(), String> {
    let broken =
        |finding: &&Finding| finding.clause() == Some(clause) || finding.clause().is_none();
    let reports: Vec<String> = check.findings.iter().filter(broken).map(told).collect();
    match &check.outcome {
        _ if !reports.is_empty() => Err(reports.join("\n")),
        Outcome::Inconclusive(why) => Err(format!("{clause}: inconclusive: {why}")),
        Outcome::Conforms | Outcome::Fails => Ok(()),
    }
}

/// A failure in a few lines: the clause, the smallest case, expected and got.
fn told(finding: &Finding) -> String {
    let failing = &finding.smallest;
    let mut out = String::new();
    for clause in failing.clauses.iter().take(1) {
        let _ = writeln!(out, "{clause} {}", clause.text());
    }
    let _ = writeln!(
        out,
        "  case     {} {}",
        failing.case.op.name(),
        failing.case.op.input()
    );
    for line in failing.case.op.story() {
        let _ = writeln!(out, "           {line}");
    }
    let _ = writeln!(
        out,
        "  expected {}",
        compared(&failing.case.op, &free(&failing.case.op))
    );
    let got = match &failing.answer {
        Answer::Output(output) => json(output).get().to_owned(),
        other => format!("{other:?}"),
    };
    let _ = write!(out, "  got      {got}");
    out
}

/// Asserts that a finished record keeps I1–I4 and the mint's other rules, for tests of one's own
/// gate.
///
/// # Panics
/// When it does not: with every defect that it holds.
///
/// ```
/// use gatespec::conform::implement::assert_lawful;
/// use gatespec::model::outcome::{Layer, direct_deny};
///
/// let mut record = direct_deny::<String>(Layer::Policy).unwrap();
/// assert_lawful(&record);
/// // a deny that names nobody
/// record.denied_by = None;
/// assert!(std::panic::catch_unwind(|| assert_lawful(&record)).is_err());
/// ```
#[track_caller]
#[allow(clippy::panic, reason = "an assertion ends the test that makes it")]
pub fn assert_lawful(record: &Record) {
    if let Err(unlawful) = lawful(record) {
        panic!("{unlawful}: {}", json(record));
    }
}

/// Whether a finished record keeps I1–I4 and the mint's other rules.
///
/// # Errors
/// Every defect that it holds.
///
/// ```
/// use gatespec::conform::implement::{Unlawful, lawful};
/// use gatespec::model::outcome::{Layer, direct_deny};
///
/// let mut record = direct_deny::<String>(Layer::Policy).unwrap();
/// assert_eq!(lawful(&record), Ok(()));
/// record.denied_by = None;
/// assert_eq!(lawful(&record), Err(Unlawful::Decision));
/// ```
pub fn lawful(record: &Record) -> Result<(), Unlawful> {
    let facts = Facts {
        denied_by: record.denied_by,
        cause: record.cause,
        settled: Some(SettledFacts {
            settlement: record.settlement,
            origin: record.origin.clone(),
            licensed: None,
        }),
        classifier: record.classifier.clone(),
        released: record.released.clone(),
        mode_refusal: record.mode_refusal.clone(),
    };
    match mint(&facts) {
        Err(defects) => Err(Unlawful::Defects(defects)),
        Ok(minted) if minted.decision != record.decision => Err(Unlawful::Decision),
        Ok(_) => Ok(()),
    }
}

/// Why a record is not lawful.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unlawful {
    /// The mint would have refused what it holds.
    #[error("the record holds {0:?}")]
    Defects(Defects),
    /// Its decision and who refused contradict each other (I2).
    #[error("the record's decision is not that of who refused (I2)")]
    Decision,
}

/// The clauses of a suite that a gate in this process fails, for a test of the tests.
#[must_use]
pub fn broken(check: &Check) -> BTreeSet<Clause> {
    check.findings.iter().filter_map(Finding::clause).collect()
}

/// Turns an implementation into tests, one a clause: `conformance_tests!(key: MyGrammar);`.
///
/// The word is the suite's; what follows is an expression that gives a value of a type that
/// implements the suite's trait in [`conform::implement`](crate::conform::implement).
#[macro_export]
macro_rules! conformance_tests {
    (key: $gate:expr) => {
        $crate::conformance_tests!(@ key_law key key_clauses Key $gate);
    };
    (verdict: $gate:expr) => {
        $crate::conformance_tests!(@ verdict_law verdict verdict_clauses Verdict $gate);
    };
    (window: $gate:expr) => {
        $crate::conformance_tests!(@ window_law window window_clauses Window $gate);
    };
    (boundary: $gate:expr) => {
        $crate::conformance_tests!(@ boundary_law boundary boundary_clauses Boundary $gate);
    };
    (outcome: $gate:expr) => {
        $crate::conformance_tests!(@ outcome_law outcome outcome_clauses Outcome $gate);
    };
    (ledger: $gate:expr) => {
        $crate::conformance_tests!(@ ledger_law ledger ledger_clauses Ledger $gate);
    };
    (pass: $gate:expr) => {
        $crate::conformance_tests!(@ pass_law pass pass_clauses Pass $gate);
    };
    (@ $tests:ident $module:ident $list:ident $suite:ident $gate:expr) => {
        mod $tests {
            #[allow(unused_imports, reason = "the gate may be named by a whole path")]
            use super::*;

            static CHECK: ::std::sync::OnceLock<$crate::conform::Check> =
                ::std::sync::OnceLock::new();

            fn check() -> &'static $crate::conform::Check {
                CHECK.get_or_init(|| {
                    let gate = &$gate;
                    let gate = $crate::conform::implement::$module(gate);
                    $crate::conform::implement::run($crate::model::Suite::$suite, gate)
                })
            }

            use $crate::__clause_tests;
            $crate::$list!(__clause_tests);
        }
    };
}

/// One test a clause, over the check of the module that it is used in.
#[doc(hidden)]
#[macro_export]
macro_rules! __clause_tests {
    ($($clause:ident)*) => {
        $(
            #[test]
            #[allow(non_snake_case, reason = "the test has the clause's name")]
            fn $clause() {
                let says = $crate::conform::implement::clause(
                    check(),
                    $crate::model::Clause::$clause,
                );
                if let Err(report) = says {
                    panic!("\n{report}");
                }
            }
        )*
    };
}
