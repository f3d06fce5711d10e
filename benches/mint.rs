//! The mint over all facts, against the invariants asked of what comes out.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

mod common;

use common::Contest;
use gatespec::generate::workload;
use gatespec::laws::outcome::{INVARIANTS, unscreened};
use gatespec::model::outcome::{Facts, SettledFacts, mint};

/// The same facts with words that cost nothing to carry.
fn bare(facts: &Facts) -> Facts<()> {
    let word = |word: &Option<String>| word.as_ref().map(|_| ());
    Facts {
        denied_by: facts.denied_by,
        cause: facts.cause,
        settled: facts.settled.as_ref().map(|settled| SettledFacts {
            settlement: settled.settlement,
            origin: word(&settled.origin),
            licensed: word(&settled.licensed),
        }),
        classifier: word(&facts.classifier),
        released: word(&facts.released),
        mode_refusal: word(&facts.mode_refusal),
    }
}

fn main() {
    let mut criterion = common::criterion();
    let all = workload::facts(1);
    let lawful: Vec<Facts> = all
        .iter()
        .filter(|facts| mint(facts).is_ok())
        .cloned()
        .collect();
    for (name, facts) in [("mint, lawful facts", &lawful), ("mint, all facts", &all)] {
        let words: Vec<Facts<()>> = facts.iter().map(bare).collect();
        Contest::new(name, facts.len() as u64, "facts")
            .way("gatespec", || {
                words
                    .iter()
                    .map(|facts| u64::from(mint(facts).is_ok()))
                    .sum()
            })
            .way("gatespec, with its words", || {
                facts
                    .iter()
                    .map(|facts| u64::from(mint(facts).is_ok()))
                    .sum()
            })
            .way("the laws' invariants", || {
                let lawful = facts.iter().filter(|facts| {
                    let record = unscreened(facts);
                    INVARIANTS
                        .iter()
                        .all(|invariant| (invariant.holds)(&record))
                });
                lawful.count() as u64
            })
            .run(&mut criterion);
    }
    criterion.final_summary();
}
