//! A campaign: cases that are drawn from the grammar of a suite, mixed with mutations of past cases
//! that were new in some way.
//!
//! A case is *new* when the clauses that it rests on, or the shape of the gate's answer to it, had
//! not been seen together before. New cases are kept and mutated on: their bytes, and the parts of
//! their JSON. A mutation that is no question of the suite any more is dropped. The same seed, the
//! same number of cases and the same answers give the same campaign.
//!
//! ```
//! use gatespec::conform::fuzz::{Limits, fuzz};
//! use gatespec::conform::{Hello, InProcess};
//! use gatespec::generate::Settings;
//! use gatespec::model::Suite;
//!
//! let mut limits = Limits::default();
//! limits.cases = 500;
//! let (mut gate, hello) = (InProcess::reference(), Hello::reference());
//! let settings = Settings::seeded(1);
//! let ran = fuzz(&mut gate, &hello, Suite::Key, &settings, &limits, &mut |_| true);
//! assert_eq!((ran.state.cases, ran.found.len()), (500, 0));
//! ```

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::RngExt as _;
use proptest::test_runner::TestRng;
use serde_json::Value;

use super::plan::{generated, rng};
use super::shrink::{Failing, ShrinkLimits, shrink};
use super::{Answer, Case, Depth, Hello, Kind, Stopped, Subject};
use crate::generate::Settings;
use crate::model::{Clause, Suite};
use crate::ops::{Op, json, weight};

/// The bounds of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// It ends after this many cases.
    pub cases: u64,
    /// How many cases are under way at once.
    pub batch: usize,
    /// How many new cases are kept to mutate; the oldest go.
    pub corpus: usize,
    /// A case that grows beyond this many bytes of JSON is dropped.
    pub case_bytes: usize,
    /// How many different divergences are kept.
    pub findings: usize,
    /// How far a divergence is made smaller.
    pub shrink: ShrinkLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            cases: u64::MAX,
            batch: 1024,
            corpus: 4096,
            case_bytes: 16 << 10,
            findings: 64,
            shrink: ShrinkLimits::default(),
        }
    }
}

/// How a campaign stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct State {
    /// Cases that were answered.
    pub cases: u64,
    /// Cases that are kept to mutate.
    pub corpus: usize,
    /// Pairs of clauses and answer shape that were seen.
    pub seen: usize,
    /// Clauses that a case put to the test.
    pub clauses: BTreeSet<Clause>,
    /// Cases that failed.
    pub failed: u64,
}

/// What a campaign found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Campaign {
    /// How it stood in the end.
    pub state: State,
    /// The divergences, each by its smallest case, one a clause and shape.
    pub found: Vec<Failing>,
    /// Why it ended before its end, if it did.
    pub stopped: Option<Stopped>,
}

/// What makes two divergences the same: the clause that is broken first, the way, and the shape of
/// the answer.
type Key = (Option<Clause>, Kind, u64);

/// Runs a campaign on one suite until its cases are through or `go_on` says no.
pub fn fuzz(
    subject: &mut dyn Subject,
    hello: &Hello,
    suite: Suite,
    settings: &Settings,
    limits: &Limits,
    go_on: &mut dyn FnMut(&State) -> bool,
) -> Campaign {
    let mut source = Source {
        fresh: Box::new(generated(suite, settings)),
        rng: rng(settings.seed ^ 0xf022, suite),
        corpus: Vec::new(),
        limits: *limits,
    };
    let mut state = State::default();
    let mut seen = BTreeSet::new();
    let mut found: BTreeMap<Key, Failing> = BTreeMap::new();
    let mut stopped = None;
    while state.cases < limits.cases && stopped.is_none() && go_on(&state) {
        let left = usize::try_from(limits.cases - state.cases).unwrap_or(usize::MAX);
        let batch = source.batch(suite, hello, left.min(limits.batch), state.cases);
        if batch.is_empty() {
            break;
        }
        let mut answers: Vec<(Case, Answer)> = Vec::with_capacity(batch.len());
        let ran = subject.run(&mut batch.into_iter(), &mut |case, answer| {
            answers.push((case, answer));
        });
        stopped = ran.err();
        // in the order in which they were asked, whatever the order of the answers
        answers.sort_by_key(|(case, _)| number(case));
        for (case, answer) in answers {
            state.cases += 1;
            state.clauses.extend(case.op.clauses());
            let shape = shape(&answer);
            if seen.insert((case.op.clauses(), case.op.name(), shape)) {
                source.keep(case.op.clone());
            }
            if let Some(failing) = Failing::of(case, answer) {
                state.failed += 1;
                keep(&mut found, failing, shape, limits.findings);
            }
        }
        (state.corpus, state.seen) = (source.corpus.len(), seen.len());
    }
    let mut smallest = Vec::new();
    for failing in found.into_values() {
        match stopped {
            None => {
                let (small, ended) = shrink(subject, hello, failing, &limits.shrink);
                stopped = ended.err();
                smallest.push(small);
            }
            Some(_) => smallest.push(failing),
        }
    }
    // what differed in shape may be the same case when it is small
    let mut told = BTreeSet::new();
    smallest.retain(|of: &Failing| told.insert((of.kind, json(&of.case.op).get().to_owned())));
    Campaign {
        state,
        found: smallest,
        stopped,
    }
}

fn number(case: &Case) -> u64 {
    case.id
        .rsplit('/')
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(u64::MAX)
}

/// Keeps the smaller of two divergences that are the same.
fn keep(found: &mut BTreeMap<Key, Failing>, failing: Failing, shape: u64, most: usize) {
    let key = (failing.clauses.first().copied(), failing.kind, shape);
    let smaller = found.get(&key).map_or(found.len() < most, |old| {
        weight(&failing.case.op) < weight(&old.case.op)
    });
    if smaller {
        found.insert(key, failing);
    }
}

/// The shape of an answer: its JSON with every free text and number made alike.
fn shape(answer: &Answer) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |text: &str| {
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    match answer {
        Answer::Output(output) => {
            let value: Value = serde_json::from_str(json(output).get()).unwrap_or_default();
            shape_of(&value, &mut mix);
        }
        Answer::Unsupported(_) => mix("unsupported"),
        Answer::Malformed { .. } => mix("malformed"),
        Answer::Error(_) => mix("error"),
        Answer::Crashed(_) => mix("crashed"),
        Answer::TimedOut(_) => mix("timed out"),
        Answer::Protocol(_) => mix("protocol"),
    }
    hash
}

fn shape_of(value: &Value, mix: &mut dyn FnMut(&str)) {
    match value {
        Value::Null => mix("n"),
        Value::Bool(true) => mix("t"),
        Value::Bool(false) => mix("f"),
        Value::Number(_) => mix("1"),
        // the words of the spec are short and plain; a name made up for a case holds a `-`
        Value::String(word) if word.len() < 20 && !word.contains(['-', ':', '#']) => mix(word),
        Value::String(_) => mix("s"),
        Value::Array(items) => {
            mix("[");
            items.iter().for_each(|item| shape_of(item, mix));
        }
        Value::Object(members) => {
            mix("{");
            for (name, member) in members {
                mix(name);
                shape_of(member, mix);
            }
        }
    }
}

/// Where cases come from.
struct Source {
    fresh: Box<dyn Iterator<Item = Op>>,
    rng: TestRng,
    corpus: Vec<Op>,
    limits: Limits,
}

impl Source {
    /// The next cases, numbered from `from` on.
    fn batch(&mut self, suite: Suite, hello: &Hello, most: usize, from: u64) -> Vec<Case> {
        let mut batch = Vec::with_capacity(most);
        // a gate that lacks most words makes most tries void: the tries are bounded
        for _ in 0..most.saturating_mul(8) {
            if batch.len() == most {
                break;
            }
            let Some(op) = self.next() else { continue };
            if hello.has(&op.needs()).is_ok() && weight(&op) <= self.limits.case_bytes {
                let number = from + batch.len() as u64 + 1;
                let id = format!("{suite}/fuzz/{number}");
                batch.push(Case {
                    id,
                    depth: Depth::Generated,
                    op,
                });
            }
        }
        batch
    }

    fn next(&mut self) -> Option<Op> {
        if self.corpus.is_empty() || self.rng.random_range(0..5) < 2 {
            return self.fresh.next();
        }
        let parent = self.pick()?.clone();
        let other = self.pick()?.clone();
        let mut input: Value = serde_json::from_str(parent.input().get()).ok()?;
        let donor: Value = serde_json::from_str(other.input().get()).ok()?;
        for _ in 0..self.rng.random_range(1..4) {
            mutate(&mut input, &donor, &mut self.rng);
        }
        let op = Op::parse(parent.name(), &json(&input)).ok()?;
        op.is_asked().then_some(op)
    }

    fn pick(&mut self) -> Option<&Op> {
        let at = self.rng.random_range(0..self.corpus.len().max(1));
        self.corpus.get(at)
    }

    fn keep(&mut self, op: Op) {
        if self.corpus.len() >= self.limits.corpus {
            self.corpus.remove(0);
        }
        self.corpus.push(op);
    }
}

/// Changes one place of a value: a text by its bytes, a list by its items, anything by what stands
/// at a like place of another case.
fn mutate(value: &mut Value, donor: &Value, rng: &mut TestRng) {
    let mut places = 0;
    count(value, &mut places);
    let target = rng.random_range(0..places.max(1));
    let mut at = 0;
    visit(value, &mut at, target, &mut |place| {
        change(place, donor, rng)
    });
}

fn count(value: &Value, places: &mut usize) {
    *places += 1;
    match value {
        Value::Array(items) => items.iter().for_each(|item| count(item, places)),
        Value::Object(members) => members.values().for_each(|member| count(member, places)),
        _ => {}
    }
}

fn visit(value: &mut Value, at: &mut usize, target: usize, act: &mut dyn FnMut(&mut Value)) {
    if *at == target {
        act(value);
        *at += 1;
        return;
    }
    *at += 1;
    match value {
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| visit(item, at, target, act)),
        Value::Object(members) => {
            members
                .values_mut()
                .for_each(|member| visit(member, at, target, act));
        }
        _ => {}
    }
}

fn change(place: &mut Value, donor: &Value, rng: &mut TestRng) {
    match place {
        Value::Bool(flag) => *flag = !*flag,
        Value::Array(items) => change_list(items, rng),
        Value::String(text) if rng.random_range(0..3) > 0 => {
            if let Some(changed) = change_text(text, rng) {
                *text = changed;
            }
        }
        Value::Object(members) if !members.is_empty() && rng.random_range(0..2) == 0 => {
            let at = rng.random_range(0..members.len());
            if let Some(name) = members.keys().nth(at).cloned() {
                members.remove(&name);
            }
        }
        other => {
            let mut like = Vec::new();
            alike(donor, other, &mut like);
            if !like.is_empty()
                && let Some(found) = like.get(rng.random_range(0..like.len()))
            {
                *other = (*found).clone();
            }
        }
    }
}

/// Everything in a value that is of the same kind as another.
fn alike<'a>(value: &'a Value, like: &Value, found: &mut Vec<&'a Value>) {
    if std::mem::discriminant(value) == std::mem::discriminant(like) {
        found.push(value);
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| alike(item, like, found)),
        Value::Object(members) => members
            .values()
            .for_each(|member| alike(member, like, found)),
        _ => {}
    }
}

fn change_list(items: &mut Vec<Value>, rng: &mut TestRng) {
    if items.is_empty() {
        return;
    }
    let (one, other) = (
        rng.random_range(0..items.len()),
        rng.random_range(0..items.len()),
    );
    match rng.random_range(0..3) {
        0 => items.swap(one, other),
        1 => {
            items.remove(one);
        }
        _ => {
            if let Some(item) = items.get(one).cloned() {
                items.insert(other, item);
            }
        }
    }
}

/// A text with one character changed, dropped, doubled or put in, cut short, or with a number at
/// its edge.
fn change_text(text: &str, rng: &mut TestRng) -> Option<String> {
    const EDGES: [&str; 8] = [
        "0",
        "00",
        "-1",
        "9223372036854775807",
        "9223372036854775808",
        ":",
        "#taint",
        "node:",
    ];
    let mut chars: Vec<char> = text.chars().collect();
    let at = rng.random_range(0..=chars.len());
    match rng.random_range(0..6) {
        0 => {
            let edge = EDGES.get(rng.random_range(0..EDGES.len()))?;
            chars.splice(at..at, edge.chars());
        }
        1 if at < chars.len() => {
            chars.remove(at);
        }
        2 if at < chars.len() => {
            let doubled = *chars.get(at)?;
            chars.insert(at, doubled);
        }
        3 => {
            // a run of digits gives way to a number at the edge
            let start = chars.iter().position(char::is_ascii_digit)?;
            let digits = chars
                .iter()
                .skip(start)
                .take_while(|c| c.is_ascii_digit())
                .count();
            let edge = EDGES.get(rng.random_range(0..5))?;
            chars.splice(start..start + digits, edge.chars());
        }
        // what follows a delimiter may have to be there
        4 => chars.truncate(at),
        _ => chars.insert(at, char::from(rng.random_range(0u8..128))),
    }
    Some(chars.into_iter().collect())
}
