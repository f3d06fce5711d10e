//! What an implementer in Rust builds on: each trait as a gate, and what a run says of a clause.

use gatespec::conform::implement::{
    self, Boundary, GatePass, KeyGrammar, Ledger, Mint, Seam, Unlawful, Window,
};
use gatespec::conform::{Answer, Check, Outcome, Plan};
use gatespec::model::outcome::{Decision, Facts, Layer, Record, direct_deny, mint};
use gatespec::model::{Clause, Suite, key};
use gatespec::ops::key::Parts;
use gatespec::ops::{self, Op};

use super::fake::{Fake, failing, vectors_of};

type Gate = Box<dyn FnMut(&Op) -> Answer>;

/// The model, as an implementer would write it.
struct Model;

impl KeyGrammar for Model {
    fn plan_key(&self, subject: &[u8]) -> Option<Parts> {
        key::plan_key(subject).map(Parts::from)
    }
    fn is_node_key(&self, subject: &[u8]) -> bool {
        key::is_node_key(subject)
    }
    fn node_name(&self, subject: &[u8]) -> Option<Vec<u8>> {
        key::node_name(subject).map(<[u8]>::to_vec)
    }
    fn node_instance(&self, key: &[u8]) -> Vec<u8> {
        key::node_instance(key).unwrap_or_default()
    }
    fn id(&self, call: &[u8]) -> Vec<u8> {
        key::id(call)
    }
    fn base(&self, subject: &[u8]) -> (Vec<u8>, bool) {
        let (base, instance) = key::base(subject);
        (base.to_vec(), instance)
    }
    fn is_live_id(&self, id: &[u8]) -> bool {
        key::is_live_id(id)
    }
}

impl Mint for Model {
    fn mint(&self, facts: &Facts) -> Result<Record, String> {
        mint(facts).map_err(|defects| format!("{defects:?}"))
    }
    fn direct_deny(&self, layer: Layer) -> Result<Record, String> {
        direct_deny(layer).map_err(|defect| format!("{defect:?}"))
    }
}

macro_rules! answers {
    ($($name:ident $suite:ident $module:ident;)*) => {
        $(impl $name for Model {
            fn answer(&self, op: &ops::$module::Op) -> ops::$module::Output {
                match Op::from(op.clone()).expected() {
                    ops::Output::$suite(output) => output,
                    other => panic!("{other:?}"),
                }
            }
        })*
    };
}

answers! {
    Seam Verdict verdict;
    Window Window window;
    Boundary Boundary boundary;
    Ledger Ledger ledger;
    GatePass Pass pass;
}

#[test]
fn each_trait_is_a_gate_of_its_suite_alone() {
    let plan = Plan::new(7).unwrap();
    let mut gates: Vec<(Suite, Gate)> = vec![
        (Suite::Key, Box::new(implement::key(&Model))),
        (Suite::Verdict, Box::new(implement::verdict(&Model))),
        (Suite::Window, Box::new(implement::window(&Model))),
        (Suite::Boundary, Box::new(implement::boundary(&Model))),
        (Suite::Outcome, Box::new(implement::outcome(&Model))),
        (Suite::Ledger, Box::new(implement::ledger(&Model))),
        (Suite::Pass, Box::new(implement::pass(&Model))),
    ];
    for (suite, gate) in &mut gates {
        let mut asked = 0;
        for case in &plan.vectors {
            let answer = gate(&case.op);
            if case.suite() == *suite {
                asked += 1;
                let Answer::Output(output) = answer else {
                    panic!("{}: {answer:?}", case.id)
                };
                assert_eq!(case.op.judge(&output), [], "{}", case.id);
            } else {
                let says = format!("{} is of another suite", case.op.name());
                assert_eq!(answer, Answer::Unsupported(says), "{}", case.id);
            }
        }
        assert!(asked > 10, "{suite}");
    }
}

#[test]
fn all_cases_of_a_suite_are_run() {
    let check = implement::run(Suite::Outcome, implement::outcome(&Model));
    assert_eq!(check.outcome, Outcome::Conforms);
    let total = check.suites[0].total();
    assert!(
        total.passed > Plan::GENERATED && total.unfinished() == 0,
        "{total:?}"
    );
    let hello = check.hello.unwrap();
    assert_eq!(
        (hello.name.as_str(), hello.suites),
        ("this crate", vec!["outcome".to_owned()])
    );
}

#[test]
fn a_run_says_of_a_clause_what_broke_it() {
    let check = failing();
    assert_eq!(implement::broken(&check), [Clause::Key12].into());
    assert_eq!(implement::clause(&check, Clause::Key01), Ok(()));
    let says = [
        "KEY-12 The instance of a tool call is its id and `#taint`, for every id, even one that is a plan key.",
        "  case     key.id {\"subject\":\"\"}",
        "           let the subject be ``; ask key.id",
        "  expected {\"instance\":\"#taint\"}",
        "  got      {\"instance\":\"other#taint\"}",
    ];
    let said = implement::clause(&check, Clause::Key12).unwrap_err();
    assert_eq!(said.lines().collect::<Vec<_>>(), says);
    let good = Fake::right().check(&vectors_of(Suite::Key));
    assert_eq!(implement::clause(&good, Clause::Key12), Ok(()));
    assert_eq!(implement::broken(&good), [].into());
}

#[test]
fn a_failure_without_a_clause_and_a_run_that_says_nothing_fail_every_clause() {
    let mut check = failing();
    check.findings[0].smallest.clauses.clear();
    assert!(implement::clause(&check, Clause::Key01).is_err());
    let nothing = Check::default();
    assert_eq!(
        implement::clause(&nothing, Clause::Key01),
        Err("KEY-01: inconclusive: nothing was run".to_owned())
    );
}

#[test]
fn a_failure_tells_its_story_and_any_answer() {
    let mut fake = Fake::new(|_| Answer::Error("broke".to_owned()));
    let check = fake.check(&vectors_of(Suite::Ledger));
    let clause = check.findings[0].clause().unwrap();
    let says = implement::clause(&check, clause).unwrap_err();
    let op = &check.findings[0].smallest.case.op;
    for line in op.story() {
        assert!(says.contains(&format!("           {line}\n")), "{says}");
    }
    assert!(says.ends_with(r#"got      Error("broke")"#), "{says}");
}

fn says_of(defects: &impl std::fmt::Debug) -> String {
    format!("{defects:?}").to_lowercase()
}

#[test]
fn a_record_is_lawful_when_the_mint_would_have_made_it() {
    let mut record = direct_deny::<String>(Layer::Policy).unwrap();
    assert_eq!(implement::lawful(&record), Ok(()));
    implement::assert_lawful(&record);
    record.decision = Decision::Allow;
    assert_eq!(implement::lawful(&record), Err(Unlawful::Decision));
    record.decision = Decision::Deny;
    record.denied_by = Some(Layer::AskResolution);
    let Err(Unlawful::Defects(defects)) = implement::lawful(&record) else {
        panic!()
    };
    assert!(says_of(&defects).contains("ask"), "{defects:?}");
    let says = std::panic::catch_unwind(|| implement::assert_lawful(&record)).unwrap_err();
    let says = says.downcast_ref::<String>().unwrap();
    assert!(
        says.starts_with("the record holds") && says.contains("ask_resolution"),
        "{says}"
    );
}
