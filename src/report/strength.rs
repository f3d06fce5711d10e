//! How strong the suite is, for people: at a terminal, and as the page `spec/strength.md`.
//!
//! ```
//! use gatespec::conform::strength::{Bounds, measure};
//! use gatespec::model::Suite;
//! use gatespec::report::strength::human;
//!
//! let mut bounds = Bounds::shallow(200).unwrap();
//! bounds.plan.selection.suites = [Suite::Outcome].into();
//! let text = human(&measure(&bounds, None, &|_| {}));
//! assert!(text.contains("outcome") && !text.contains("ledger"));
//! ```

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::human::grouped;
use crate::conform::Depth;
use crate::conform::strength::{Caught, GateRow, Killed, MEASURED, Strength, VectorUse};
use crate::model::{Clause, Suite};

/// What stands above the part of the page that people write.
pub const BY_HAND: &str =
    "<!-- what follows is written by hand; `gatespec mutants --write` keeps it -->";

/// The suites that were measured.
fn suites(strength: &Strength) -> impl Iterator<Item = Suite> + '_ {
    strength
        .reference
        .iter()
        .filter_map(|row| Suite::from_word(row.suite))
}

/// For a terminal.
#[must_use]
pub fn human(strength: &Strength) -> String {
    let mut out = String::new();
    for suite in suites(strength) {
        let _ = writeln!(
            out,
            "{suite}: {} killed; {}",
            strength.score(suite, None),
            alone(strength, suite).join(", ")
        );
        for killed in strength.of(suite) {
            let _ = writeln!(out, "  {}", line(killed));
        }
        out.push('\n');
        out.push_str(&matrix(strength, suite));
        let count = |count: usize| grouped(u64::try_from(count).unwrap_or(u64::MAX));
        let _ = writeln!(
            out,
            "\n  {} vectors: {} kill nothing, {} kill nothing that others don't\n",
            count(strength.vectors_of(suite).count()),
            count(strength.idle(suite).count()),
            count(strength.doubled(suite).len()),
        );
    }
    for row in &strength.gates {
        let _ = writeln!(out, "{:<32} {}", row.id, row_cells(row).join(" "));
    }
    let complaints = strength.complaints();
    out.push('\n');
    for complaint in &complaints {
        let _ = writeln!(out, "FAIL {complaint}");
    }
    if complaints.is_empty() {
        let of = strength.mutants.len() + strength.gates.len();
        let _ = writeln!(
            out,
            "all {of} faulty gates are caught, and the model passes"
        );
    }
    out
}

fn alone(strength: &Strength, suite: Suite) -> Vec<String> {
    let measured = MEASURED
        .into_iter()
        .filter(|depth| was_measured(strength, *depth));
    measured
        .map(|depth| {
            format!(
                "by {depth} alone {}",
                strength.score(suite, Some(depth)).killed
            )
        })
        .collect()
}

fn was_measured(strength: &Strength, depth: Depth) -> bool {
    strength
        .mutants
        .iter()
        .any(|killed| killed.depths.contains_key(&depth))
}

fn line(killed: &Killed) -> String {
    let fate = match (killed.first(), killed.complaint()) {
        (Some((depth, kill)), _) => {
            let after = kill.after.unwrap_or_default();
            let small = killed.smallest();
            let small = small
                .map(|case| format!("{} {}", case.op, case.input))
                .unwrap_or_default();
            format!("{depth}, case {}: {small}", grouped(after))
        }
        (None, complaint) => format!("NOT KILLED: {}", complaint.unwrap_or_default()),
    };
    format!("{:<32} {:<8} {fate}", killed.id, killed.clause.id())
}

/// The kill matrix of a suite: a row a mutant, a column a clause.
#[must_use]
pub fn matrix(strength: &Strength, suite: Suite) -> String {
    let columns: Vec<Clause> = Clause::ALL
        .iter()
        .copied()
        .filter(|clause| clause.suite() == suite)
        .collect();
    let mut out = String::new();
    let wide = strength
        .of(suite)
        .map(|killed| killed.id.len())
        .max()
        .unwrap_or(0);
    let short = |clause: &Clause| {
        clause
            .id()
            .rsplit('-')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let heads: Vec<String> = columns
        .iter()
        .map(|clause| format!("{:>2}", short(clause)))
        .collect();
    let _ = writeln!(out, "{:wide$}  {}", "", heads.join(" "));
    for killed in strength.of(suite) {
        let named = killed.clauses();
        let cell = |clause: &Clause| match (named.contains(clause), killed.clause == *clause) {
            (true, true) => " #",
            (true, false) => " +",
            (false, true) => " !",
            (false, false) => " ·",
        };
        let cells: Vec<&str> = columns.iter().map(cell).collect();
        let _ = writeln!(out, "{:<wide$}  {}", killed.id, cells.join(" "));
    }
    out
}

/// What each suite made of a gate, in a word or two.
fn row_cells(row: &GateRow) -> Vec<String> {
    row.suites
        .iter()
        .map(|(suite, caught)| format!("{suite}: {}", cell(caught)))
        .collect()
}

fn cell(caught: &Caught) -> String {
    let kinds: Vec<&str> = caught.kinds.iter().map(|kind| kind.word()).collect();
    match (caught.fails.is_empty(), caught.depths.is_empty()) {
        (false, _) => {
            format!(
                "{} in {} of {}",
                kinds.join(", "),
                grouped(caught.failed),
                grouped(caught.cases)
            )
        }
        (true, false) => "inconclusive".to_owned(),
        (true, true) => "CONFORMS".to_owned(),
    }
}

/// The page, all but what is written by hand.
#[must_use]
pub fn markdown(strength: &Strength) -> String {
    let mut out = HEAD.to_owned();
    scores(&mut out, strength);
    wholes(&mut out, strength);
    out.push_str(&vectors_alone(strength));
    for suite in suites(strength) {
        chapter(&mut out, strength, suite);
    }
    out
}

const HEAD: &str = "# How strong the suite is

Generated by `cargo run --release -- mutants --write`; `--check` says whether this page is stale. Every
faulty gate of `src/mutants/` is run through the code that checks a stranger's gate. A mutant breaks one
clause, and is *killed* when a finding names that clause. Each depth is run alone: the golden vectors
(all that users of `spec/vectors/` without the runner have), the enumerations (until the mutant is
killed), and the random cases of seed 0.

";

fn scores(out: &mut String, strength: &Strength) {
    out.push_str("## Scores\n\n| suite | mutants | killed | by vectors alone | by the enumeration alone | by random cases alone | vectors | of them idle |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
    for suite in suites(strength) {
        let all = strength.score(suite, None);
        let by = |depth| strength.score(suite, Some(depth)).killed.to_string();
        let cells = [
            suite.word().to_owned(),
            all.of.to_string(),
            all.killed.to_string(),
            by(Depth::Vector),
            by(Depth::Enumerated),
            by(Depth::Generated),
            strength.vectors_of(suite).count().to_string(),
            strength.idle(suite).count().to_string(),
        ];
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    let killed = strength
        .mutants
        .iter()
        .filter(|killed| killed.first().is_some())
        .count();
    let alone = |depth| {
        strength
            .mutants
            .iter()
            .filter(|killed| killed.by(depth))
            .count()
    };
    let _ = writeln!(
        out,
        "| **all** | {} | {killed} | {} | {} | {} | {} | {} |\n",
        strength.mutants.len(),
        alone(Depth::Vector),
        alone(Depth::Enumerated),
        alone(Depth::Generated),
        strength.vectors.len(),
        strength
            .vectors
            .iter()
            .filter(|vector| vector.kills.is_empty())
            .count(),
    );
    out.push_str("A vector is idle when no mutant fails it. It may still be the vector that says what conforms.\n\n");
    let complaints = strength.complaints();
    if !complaints.is_empty() {
        out.push_str("What is wrong:\n\n");
        for complaint in complaints {
            let _ = writeln!(out, "- {complaint}");
        }
        out.push('\n');
    }
}

fn wholes(out: &mut String, strength: &Strength) {
    out.push_str("## Gates that are wrong as a whole\n\nEach must fail every suite; one that cheats must at least not conform. The cell says how it fails.\n\n");
    let words: Vec<&str> = suites(strength).map(Suite::word).collect();
    let _ = writeln!(out, "| gate | {} |", words.join(" | "));
    let _ = writeln!(out, "|---|{}", "---|".repeat(words.len()));
    for row in &strength.gates {
        let cells: Vec<String> = words
            .iter()
            .map(|word| row.suites.get(word).map_or_else(String::new, short))
            .collect();
        let _ = writeln!(
            out,
            "| `{}`: {} | {} |",
            row.id,
            row.sentence,
            cells.join(" | ")
        );
    }
    out.push('\n');
}

/// What a suite made of a gate, without counts.
fn short(caught: &Caught) -> String {
    let kinds: Vec<&str> = caught.kinds.iter().map(|kind| kind.word()).collect();
    let clauses = match caught.clauses.len() {
        1 => "1 clause".to_owned(),
        many => format!("{many} clauses"),
    };
    match (caught.fails.is_empty(), caught.depths.is_empty()) {
        (false, _) => format!("{}, {clauses}", kinds.join(", ")),
        (true, false) => "inconclusive".to_owned(),
        (true, true) => "**conforms**".to_owned(),
    }
}

/// The section on the vectors without the runner: a test holds it to the vectors.
#[must_use]
pub fn vectors_alone(strength: &Strength) -> String {
    let mut out = "## Vectors alone\n\nFor those who have only `spec/vectors/`: which vectors kill each mutant by its own clause or another's.\n\n".to_owned();
    for suite in suites(strength) {
        let _ = writeln!(
            out,
            "### {suite}\n\n| mutant | vectors that it fails | the first |\n|---|--:|---|"
        );
        for killed in strength.of(suite) {
            let by: Vec<&VectorUse> = strength
                .vectors_of(suite)
                .filter(|vector| vector.kills.contains(&killed.id))
                .collect();
            let first = by.first().map_or("none", |vector| vector.id.as_str());
            let _ = writeln!(out, "| `{}` | {} | {first} |", killed.id, by.len());
        }
        let idle: Vec<&str> = strength
            .idle(suite)
            .map(|vector| vector.id.as_str())
            .collect();
        if !idle.is_empty() {
            let _ = writeln!(out, "\nIdle: {}.", idle.join(", "));
        }
        out.push('\n');
    }
    out
}

fn chapter(out: &mut String, strength: &Strength, suite: Suite) {
    let _ = writeln!(out, "## {suite}: the kill matrix\n");
    out.push_str("`#` the mutant dies by the clause that it breaks, `+` another clause is named too, `!` its clause is not named.\n\n```\n");
    out.push_str(&matrix(strength, suite));
    out.push_str("```\n\n| mutant | breaks | what it does | classes | first killed by | its smallest case |\n|---|---|---|---|---|---|\n");
    for killed in strength.of(suite) {
        let first = killed.first().map_or_else(
            || "**nothing**".to_owned(),
            |(depth, kill)| format!("{depth}, case {}", grouped(kill.after.unwrap_or_default())),
        );
        let small = killed.smallest();
        let small = small.map_or_else(String::new, |case| {
            format!("`{} {}`", case.op, case.input.get().replace('|', "\\|"))
        });
        let classes: Vec<String> = killed.classes.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {first} | {small} |",
            killed.id,
            killed.clause,
            killed.sentence,
            classes.join(" "),
        );
    }
    out.push('\n');
    let bare = unkilled_clauses(strength, suite);
    if !bare.is_empty() {
        let _ = writeln!(
            out,
            "Clauses of which no mutant dies by their own check: {}.\n",
            bare.join(", ")
        );
    }
}

/// Clauses of a suite that no mutant dies by as its own.
fn unkilled_clauses(strength: &Strength, suite: Suite) -> Vec<&'static str> {
    let own: BTreeSet<Clause> = strength
        .of(suite)
        .filter(|killed| killed.first().is_some())
        .map(|killed| killed.clause)
        .collect();
    let bare = Clause::ALL
        .iter()
        .filter(|clause| clause.suite() == suite && !own.contains(clause));
    bare.map(|clause| clause.id()).collect()
}
