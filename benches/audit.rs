//! An audit's bytes a second, against a scan for line feeds, and typed parsing alone by serde_json
//! and by sonic-rs: of the same log, in memory.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

mod common;

use std::borrow::Cow;
use std::sync::Arc;

use common::Contest;
use gatespec::audit::reader::Input;
use gatespec::audit::sample::Sample;
use gatespec::audit::{Audit, Line, Settings};
use serde::Deserialize;

/// The members of a line as the fastest typed parser would take them: borrowed, flat where it can
/// be, and nothing decoded. (The published shapes are tagged unions, which serde parses twice.)
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Flat<'a> {
    kind: &'a str,
    session: Option<&'a str>,
    call: &'a str,
    at: Option<&'a str>,
    tool: Option<&'a str>,
    seq: Option<u64>,
    #[serde(borrow)]
    event: Option<FlatEvent<'a>>,
    #[serde(borrow)]
    record: Option<FlatRecord<'a>>,
    runs: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FlatRecord<'a> {
    decision: &'a str,
    denied_by: Option<&'a str>,
    cause: Option<&'a str>,
    #[serde(borrow)]
    settlement: Option<FlatSettlement<'a>>,
    origin: Option<&'a str>,
    classifier: Option<&'a str>,
    released: Option<&'a str>,
    mode_refusal: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FlatSettlement<'a> {
    kind: &'a str,
    by: Option<&'a str>,
    reason: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FlatEvent<'a> {
    event: &'a str,
    decision: Option<&'a str>,
    reason: Option<&'a str>,
    origin: Option<&'a str>,
    #[serde(borrow)]
    record: Option<FlatAttestation<'a>>,
    #[serde(borrow)]
    resolution: Option<FlatResolution<'a>>,
    #[serde(borrow)]
    asked: Option<FlatAsked<'a>>,
    request: Option<&'a str>,
    runs: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FlatResolution<'a> {
    decision: &'a str,
    #[serde(borrow)]
    record: Option<FlatAttestation<'a>>,
    edited: Option<&'a str>,
    settlement: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FlatAttestation<'a> {
    call: &'a str,
    origin: &'a str,
    #[serde(borrow)]
    classes: Vec<Cow<'a, str>>,
    digest: &'a str,
    #[serde(borrow)]
    settlement: FlatSettlement<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FlatAsked<'a> {
    origin: &'a str,
    #[serde(borrow)]
    classes: Vec<Cow<'a, str>>,
    real_approval: Option<bool>,
}

impl Flat<'_> {
    /// Something of every member, so that none is left unread.
    fn sum(&self) -> u64 {
        let text = |text: &Option<&str>| text.map_or(0, str::len);
        let settled = |one: &FlatSettlement<'_>| one.kind.len() + text(&one.by) + text(&one.reason);
        let attested = |one: &FlatAttestation<'_>| {
            let classes: usize = one.classes.iter().map(|class| class.len()).sum();
            let words = one.call.len() + one.origin.len() + one.digest.len();
            words + classes + settled(&one.settlement)
        };
        let record = self.record.as_ref().map_or(0, |one| {
            let words = [
                one.denied_by,
                one.cause,
                one.origin,
                one.classifier,
                one.released,
            ];
            let words: usize = words.iter().map(text).sum();
            one.decision.len()
                + words
                + text(&one.mode_refusal)
                + one.settlement.as_ref().map_or(0, settled)
        });
        let event = self.event.as_ref().map_or(0, |one| {
            let words = [one.decision, one.reason, one.origin, one.request, one.runs];
            let words: usize = words.iter().map(text).sum();
            let resolution = one.resolution.as_ref().map_or(0, |one| {
                one.decision.len()
                    + text(&one.edited)
                    + usize::from(one.settlement == Some(true))
                    + one.record.as_ref().map_or(0, attested)
            });
            let asked = one.asked.as_ref().map_or(0, |one| {
                let classes: usize = one.classes.iter().map(|class| class.len()).sum();
                one.origin.len() + classes + usize::from(one.real_approval == Some(true))
            });
            one.event.len() + words + resolution + asked + one.record.as_ref().map_or(0, attested)
        });
        let head = [self.session, self.at, self.tool, self.runs];
        let head: usize = head.iter().map(text).sum();
        (self.kind.len() + self.call.len() + head + record + event) as u64 + self.seq.unwrap_or(0)
    }
}

/// An ordinary log of at least so many bytes.
fn log(bytes: usize, width: usize) -> Vec<u8> {
    let mut log = Vec::with_capacity(bytes + 4096);
    let mut sample = Sample::new(5, width);
    while log.len() < bytes {
        serde_json::to_writer(&mut log, &sample.next().unwrap()).unwrap();
        log.push(b'\n');
    }
    for line in sample.rest() {
        serde_json::to_writer(&mut log, &line).unwrap();
        log.push(b'\n');
    }
    log
}

fn audited(log: &Arc<[u8]>, threads: usize) -> u64 {
    let input = Input::Memory("log".to_owned(), Arc::clone(log));
    let mut settings = Settings::default();
    settings.threads = threads;

    let summary = Audit::new(vec![input], settings).run(&mut |_| {}).summary;
    assert_eq!(
        summary.unlawful() + summary.traces.unknown + summary.read.bad_lines,
        0
    );
    summary.read.lines
}

fn lines(log: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = log;
    std::iter::from_fn(move || {
        let at = memchr::memchr(b'\n', rest)?;
        let (line, tail) = rest.split_at_checked(at)?;
        rest = tail.get(1..).unwrap_or_default();
        Some(line)
    })
}

fn main() {
    let mut criterion = common::criterion();
    let bytes = std::env::var("GATESPEC_LOG_MB")
        .ok()
        .and_then(|mb| mb.parse::<usize>().ok());
    let plain = log(bytes.unwrap_or(32) * 1_000_000, Sample::WIDTH);
    let count = lines(&plain).count() as u64;
    println!(
        "{} lines of {:.1} bytes",
        count,
        plain.len() as f64 / count as f64
    );
    let shared: Arc<[u8]> = plain.clone().into();
    let size = plain.len() as u64;
    Contest::new("audit, one thread", count, "lines")
        .bytes(size)
        .way("gatespec, all of it", || audited(&shared, 1))
        .way("sonic-rs, typed parse", || {
            lines(&plain)
                .map(|line| sonic_rs::from_slice::<Flat<'_>>(line).unwrap().sum())
                .sum()
        })
        .way("serde_json, typed parse", || {
            lines(&plain)
                .map(|line| serde_json::from_slice::<Flat<'_>>(line).unwrap().sum())
                .sum()
        })
        .way("sonic-rs, published shape", || {
            let read = |line| sonic_rs::from_slice::<Line>(line).unwrap();
            lines(&plain)
                .map(|line| matches!(read(line), Line::Exit(_)) as u64)
                .sum()
        })
        .way("serde_json, published shape", || {
            let read = |line| serde_json::from_slice::<Line>(line).unwrap();
            lines(&plain)
                .map(|line| matches!(read(line), Line::Exit(_)) as u64)
                .sum()
        })
        .way("newline scan", || lines(&plain).count() as u64)
        .run(&mut criterion);
    Contest::new("audit, threads", count, "lines")
        .bytes(size)
        .way("two threads", || audited(&shared, 2))
        .way("one thread", || audited(&shared, 1))
        .run(&mut criterion);
    let wide: Arc<[u8]> = log(bytes.unwrap_or(32) * 1_000_000, 100_000).into();
    Contest::new("audit, calls open at a time", count, "lines")
        .bytes(wide.len() as u64)
        .way("16", || audited(&shared, 1))
        .way("100,000", || audited(&wide, 1))
        .run(&mut criterion);
    criterion.final_summary();
}
