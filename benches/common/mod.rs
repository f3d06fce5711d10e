//! What the benches share: contests whose ratios hold on a machine that is not quiet.
//!
//! Criterion measures one contestant after the other, so that whatever else the machine does falls
//! on some of them only. A contest therefore also runs all of them in turns, many short rounds
//! long, and its ratios are those of the medians.
#![allow(clippy::indexing_slicing, reason = "a bench that is wrong ends")]
#![allow(dead_code, reason = "not every bench uses all of it")]
#![allow(missing_docs, unreachable_pub, reason = "a bench is no library")]

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};

/// One way of doing the work; it gives a sum that shows that the work was done.
type Way<'a> = Box<dyn FnMut() -> u64 + 'a>;

/// Several ways of doing the same work.
pub struct Contest<'a> {
    name: &'a str,
    /// How many units one turn does, and what a unit is.
    units: u64,
    unit: &'a str,
    bytes: Option<u64>,
    ways: Vec<(&'a str, Way<'a>)>,
}

impl<'a> Contest<'a> {
    pub fn new(name: &'a str, units: u64, unit: &'a str) -> Self {
        Self {
            name,
            units,
            unit,
            bytes: None,
            ways: Vec::new(),
        }
    }

    /// The work is also so many bytes.
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// A contestant. The first is ours.
    pub fn way(mut self, name: &'a str, way: impl FnMut() -> u64 + 'a) -> Self {
        self.ways.push((name, Box::new(way)));
        self
    }

    /// All of them in turns, and then one after the other by criterion.
    pub fn run(mut self, criterion: &mut Criterion) {
        self.turns();
        let mut group = criterion.benchmark_group(self.name);
        group.throughput(match self.bytes {
            Some(bytes) => Throughput::Bytes(bytes),
            None => Throughput::Elements(self.units),
        });
        for (name, way) in &mut self.ways {
            group.bench_function(*name, |bencher| bencher.iter(&mut *way));
        }
        group.finish();
    }

    fn turns(&mut self) {
        let rounds: usize = std::env::var("GATESPEC_ROUNDS")
            .ok()
            .and_then(|rounds| rounds.parse().ok())
            .unwrap_or(25);
        // each turn is long enough for the clock and short enough to be undisturbed
        let mut times: Vec<(usize, Vec<f64>)> = Vec::new();
        for (_, way) in &mut self.ways {
            way();
            let once = timed(way, 1);
            let repeat = (4_000_000.0 / once).ceil().clamp(1.0, 1e6) as usize;
            times.push((repeat, Vec::with_capacity(rounds)));
        }
        for _ in 0..rounds {
            for ((_, way), (repeat, times)) in self.ways.iter_mut().zip(&mut times) {
                times.push(timed(way, *repeat));
            }
        }
        println!(
            "\n{}: {} {} a turn, {rounds} rounds in turns",
            self.name, self.units, self.unit
        );
        println!(
            "  {:24} {:>12} {:>14} {:>9} {:>8}",
            "", "ns each", "per second", "ours is", "spread"
        );
        let mut ours = None;
        for ((name, _), (_, times)) in self.ways.iter().zip(&mut times) {
            times.sort_by(f64::total_cmp);
            let middle = times[times.len() / 2];
            let (low, high) = (times[times.len() / 4], times[times.len() * 3 / 4]);
            let ours = *ours.get_or_insert(middle);
            let each = middle / self.units as f64;
            let rate = match self.bytes {
                Some(bytes) => format!("{:.3} GB/s", bytes as f64 / middle),
                None => format!("{:.1} M/s", 1e3 / each),
            };
            println!(
                "  {name:24} {each:>12.2} {rate:>14} {:>8.2}x {:>7.0}%",
                middle / ours,
                (high - low) / middle * 100.0
            );
        }
    }
}

/// Nanoseconds of one of so many repetitions.
fn timed(way: &mut dyn FnMut() -> u64, repeat: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..repeat {
        std::hint::black_box(way());
    }
    start.elapsed().as_nanos() as f64 / repeat as f64
}

/// Criterion, brief unless it is told otherwise.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20)
        .configure_from_args()
}
