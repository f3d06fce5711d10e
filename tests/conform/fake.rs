//! A gate that a test can make do anything, and plans of few cases.

use gatespec::conform::{Answer, Case, Check, Hello, Plan, Stopped, Subject, check};
use gatespec::model::Suite;
use gatespec::ops::Op;

/// Answers by a function, can stop, and remembers what it was asked.
pub(crate) struct Fake {
    pub(crate) hello: Result<Hello, Stopped>,
    pub(crate) answer: Box<dyn FnMut(&Op) -> Answer + Send>,
    /// Stops, for this reason, after so many cases.
    pub(crate) stops: Option<(usize, Stopped)>,
    pub(crate) incidents: Vec<String>,
    /// Gives all answers of a run from the last to the first.
    pub(crate) backwards: bool,
    pub(crate) asked: Vec<Case>,
}

impl Fake {
    pub(crate) fn new(answer: impl FnMut(&Op) -> Answer + Send + 'static) -> Self {
        Self {
            hello: Ok(Hello::reference()),
            answer: Box::new(answer),
            stops: None,
            incidents: Vec::new(),
            backwards: false,
            asked: Vec::new(),
        }
    }

    pub(crate) fn right() -> Self {
        Self::new(right)
    }

    /// Wrong at every question whose input holds a text.
    pub(crate) fn broken_at(text: &'static str) -> Self {
        Self::new(move |op| match op.input().get().contains(text) {
            true => Answer::Error("broke".to_owned()),
            false => right(op),
        })
    }

    pub(crate) fn check(&mut self, plan: &Plan) -> Check {
        check(self, plan, &Default::default(), &mut |_| {})
    }
}

pub(crate) fn right(op: &Op) -> Answer {
    Answer::Output(op.expected())
}

impl Subject for Fake {
    fn hello(&mut self) -> Result<Hello, Stopped> {
        self.hello.clone()
    }

    fn run(
        &mut self,
        cases: &mut dyn Iterator<Item = Case>,
        done: &mut dyn FnMut(Case, Answer),
    ) -> Result<(), Stopped> {
        let mut answers = Vec::new();
        let ended = loop {
            if let Some((after, stopped)) = &self.stops
                && self.asked.len() >= *after
            {
                break Err(stopped.clone());
            }
            let Some(case) = cases.next() else {
                break Ok(());
            };
            self.asked.push(case.clone());
            let answer = (self.answer)(&case.op);
            match self.backwards {
                true => answers.push((case, answer)),
                false => done(case, answer),
            }
        };
        answers
            .into_iter()
            .rev()
            .for_each(|(case, answer)| done(case, answer));
        ended
    }

    fn end(&mut self) -> Vec<String> {
        std::mem::take(&mut self.incidents)
    }
}

/// The vectors of one suite, and nothing else.
pub(crate) fn vectors_of(suite: Suite) -> Plan {
    let mut plan = Plan::new(7).unwrap();
    (plan.generated, plan.enumerated) = (0, Some(0));
    plan.selection.suites = [suite].into();
    plan
}

/// A question of the key suite.
pub(crate) fn key(op: &str, subject: &str) -> Op {
    let input = serde_json::value::to_raw_value(&serde_json::json!({ "subject": subject }));
    Op::parse(op, &input.unwrap()).unwrap()
}

/// A run in which KEY-12 fails, and nothing else.
pub(crate) fn failing() -> Check {
    let mut fake = Fake::new(|op| match op.name() {
        "key.id" => right(&key("key.id", "other")),
        _ => right(op),
    });
    fake.check(&vectors_of(Suite::Key))
}
