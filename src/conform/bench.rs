//! An adapter's own throughput on the standard workloads, its overhead apart.
//!
//! A round puts batch after batch through the adapter: the workload, and where the adapter has the
//! `echo` op, the same inputs as echoes. What an echo costs is the pipe, the JSON and the loop;
//! what the workload costs beyond that is the implementation. The reference is driven in the same
//! rounds, in turns, so that both see the same machine.
//!
//! ```
//! use gatespec::conform::bench::Size;
//!
//! let size = Size::default();
//! assert!(size.rounds > size.warm_up && size.rounds % 2 == 1, "a median is one of the rounds");
//! ```

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::adapter::read_hello;
use super::process::{Adapter, Request, Wire};
use super::{Hello, Stopped};
use crate::generate::{Settings, workload};
use crate::model::Suite;
use crate::ops::Op;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Size {
    /// Questions a batch.
    pub batch: u32,
    /// Batches a round.
    pub batches: u32,
    /// Rounds that count.
    pub rounds: u32,
    /// Rounds before them.
    pub warm_up: u32,
}

impl Default for Size {
    fn default() -> Self {
        Self {
            batch: 1000,
            batches: 10,
            rounds: 9,
            warm_up: 2,
        }
    }
}

/// The throughput of one adapter beside the reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Bench {
    /// The version of gatespec.
    pub gatespec: String,
    /// The suite.
    pub suite: String,
    /// What the implementation said of itself.
    pub implementation: Hello,
    /// Questions a batch.
    pub batch: u32,
    /// Batches a round.
    pub batches: u32,
    /// Rounds that count.
    pub rounds: u32,
    /// Questions of the workload that need a word that the implementation lacks: left out.
    pub left_out: u64,
    /// The implementation.
    pub subject: Measured,
    /// The model behind the same protocol: `gatespec serve`.
    pub reference: Measured,
    /// The model in this process, without protocol: nanoseconds a question, the median round.
    pub model_nanos: f64,
}

/// What one adapter took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Measured {
    /// The workload.
    pub all: Times,
    /// The same inputs, echoed; absent when the adapter has no echo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Times>,
    /// The workload without its overhead: nanoseconds a question. Absent without an echo, and 0
    /// when it is lost in the noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_nanos: Option<f64>,
}

/// Times of batches, as nanoseconds a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Times {
    /// Half of the batches were faster.
    pub p50: f64,
    /// Nine of ten were faster.
    pub p90: f64,
    /// 99 of 100 were faster.
    pub p99: f64,
    /// The fastest round's median batch.
    pub fastest_round: f64,
    /// The slowest round's.
    pub slowest_round: f64,
    /// Questions a second, by the median batch.
    pub per_second: f64,
}

/// Measures an adapter, and the reference beside it.
///
/// # Errors
/// When an adapter cannot be asked, or answers anything but an output: a benchmark of faults would
/// say nothing.
pub fn bench(
    subject: Adapter,
    reference: Adapter,
    suite: Suite,
    seed: u64,
    size: Size,
) -> Result<Bench, Stopped> {
    let mut subject = Driven::start(subject)?;
    let mut reference = Driven::start(reference)?;
    let count = size.batch.saturating_mul(size.batches);
    let Some(mut ops) = workload::ops(suite, count, &Settings::seeded(seed)) else {
        return Err(Stopped::GaveUp(format!(
            "there is no workload for the suite `{suite}`"
        )));
    };
    let whole = ops.len();
    ops.retain(|op| subject.hello.has(&op.needs()).is_ok());
    if ops.is_empty() {
        let why = "the implementation lacks a word that each question of the workload needs";
        return Err(Stopped::GaveUp(why.to_owned()));
    }
    let tails = Tails::new(&ops);
    let mut model = Vec::new();
    for round in 0..size.warm_up + size.rounds {
        let counts = round >= size.warm_up;
        subject.round(&tails, size.batch, counts)?;
        reference.round(&tails, size.batch, counts)?;
        let start = Instant::now();
        for op in &ops {
            std::hint::black_box(op.expected());
        }
        if counts {
            model.push(each(start.elapsed(), ops.len()));
        }
    }
    model.sort_by(f64::total_cmp);
    Ok(Bench {
        gatespec: env!("CARGO_PKG_VERSION").to_owned(),
        suite: suite.word().to_owned(),
        batch: size.batch,
        batches: size.batches,
        rounds: size.rounds,
        left_out: (whole - ops.len()) as u64,
        subject: subject.measured(),
        reference: reference.measured(),
        model_nanos: at(&model, 0.5),
        implementation: subject.hello,
    })
}

/// The questions and their echoes as they go behind an id.
struct Tails {
    ask: Vec<String>,
    echo: Vec<String>,
}

impl Tails {
    fn new(ops: &[Op]) -> Self {
        let tail = |name: &str, op: &Op| format!("\",\"op\":\"{name}\",\"input\":{}}}", op.input());
        Self {
            ask: ops.iter().map(|op| tail(op.name(), op)).collect(),
            echo: ops.iter().map(|op| tail(super::ECHO, op)).collect(),
        }
    }
}

/// An adapter under way.
struct Driven {
    adapter: Adapter,
    hello: Hello,
    next_id: u64,
    asked: Rounds,
    echoed: Rounds,
}

/// The batches of each round, as nanoseconds a question.
type Rounds = Vec<Vec<f64>>;

impl Driven {
    fn start(mut adapter: Adapter) -> Result<Self, Stopped> {
        let line = adapter
            .start()
            .map_err(|error| Stopped::Handshake(error.to_string()))?;
        let hello = read_hello(&line).map_err(Stopped::Handshake)?;
        Ok(Self {
            adapter,
            hello,
            next_id: 0,
            asked: Vec::new(),
            echoed: Vec::new(),
        })
    }

    fn round(&mut self, tails: &Tails, batch: u32, counts: bool) -> Result<(), Stopped> {
        let mut asked = Vec::new();
        let mut echoed = Vec::new();
        let batch = batch.max(1) as usize;
        for (ask, echo) in tails.ask.chunks(batch).zip(tails.echo.chunks(batch)) {
            asked.push(self.batch(ask)?);
            if self.hello.echo {
                echoed.push(self.batch(echo)?);
            }
        }
        if counts {
            self.asked.push(asked);
            self.echoed.push(echoed);
        }
        Ok(())
    }

    /// Puts a batch through; gives nanoseconds a question.
    fn batch(&mut self, tails: &[String]) -> Result<f64, Stopped> {
        let mut left = tails.iter();
        let mut wrong = None;
        let next_id = &mut self.next_id;
        let start = Instant::now();
        let ran = self.adapter.run(
            &mut || {
                let tail = left.next()?;
                *next_id += 1;
                Some(Request {
                    id: *next_id,
                    line: format!("{{\"id\":\"{next_id}{tail}"),
                })
            },
            &mut |_, wire| match wire {
                Wire::Reply(line) if line.contains("\"output\"") => {}
                Wire::Reply(line) => wrong = Some(format!("it answered `{line}`")),
                Wire::Fault(fault) => wrong = Some(fault.to_string()),
            },
        );
        let took = start.elapsed();
        ran.map_err(|stopped| Stopped::GaveUp(stopped.to_string()))?;
        match wrong {
            Some(wrong) => Err(Stopped::GaveUp(format!("no output to time: {wrong}"))),
            None => Ok(each(took, tails.len())),
        }
    }

    fn measured(&self) -> Measured {
        let all = Times::of(&self.asked);
        let echo = self.hello.echo.then(|| Times::of(&self.echoed));
        Measured {
            all,
            echo,
            own_nanos: echo.map(|echo| (all.p50 - echo.p50).max(0.0)),
        }
    }
}

impl Times {
    fn of(rounds: &Rounds) -> Self {
        let sorted = |batches: &mut Vec<f64>| batches.sort_by(f64::total_cmp);
        let mut all: Vec<f64> = rounds.iter().flatten().copied().collect();
        sorted(&mut all);
        let mut medians: Vec<f64> = rounds
            .iter()
            .map(|round| {
                let mut round = round.clone();
                sorted(&mut round);
                at(&round, 0.5)
            })
            .collect();
        sorted(&mut medians);
        let p50 = at(&all, 0.5);
        Self {
            p50,
            p90: at(&all, 0.9),
            p99: at(&all, 0.99),
            fastest_round: at(&medians, 0.0),
            slowest_round: at(&medians, 1.0),
            per_second: if p50 > 0.0 { 1e9 / p50 } else { 0.0 },
        }
    }
}

/// The value that a share of the sorted values does not go beyond.
fn at(sorted: &[f64], share: f64) -> f64 {
    let place = (share * sorted.len() as f64).ceil() as usize;
    sorted
        .get(place.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}

/// The nanoseconds of each of so many questions.
fn each(time: Duration, count: usize) -> f64 {
    time.as_nanos() as f64 / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_batches() {
        let rounds = vec![vec![1.0, 3.0, 2.0], vec![9.0, 7.0, 8.0]];
        let times = Times::of(&rounds);
        assert_eq!((times.p50, times.p90, times.p99), (3.0, 9.0, 9.0));
        assert_eq!((times.fastest_round, times.slowest_round), (2.0, 8.0));
        assert_eq!(times.per_second, 1e9 / 3.0);
        assert_eq!(Times::of(&Vec::new()), Times::default());
        assert_eq!(at(&[1.0, 2.0, 3.0, 4.0], 0.75), 3.0);
        assert_eq!(each(Duration::from_nanos(10), 4), 2.5);
    }
}
