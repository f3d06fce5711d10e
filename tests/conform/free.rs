//! Which parts of an answer the law leaves open.

use std::collections::BTreeSet;

use gatespec::conform::free::{compared, free};
use gatespec::ops::Op;

fn golden() -> Vec<(String, Op)> {
    let vectors = gatespec::conform::vectors::embedded().unwrap();
    vectors.into_iter().map(|case| (case.id, case.op)).collect()
}

#[test]
fn without_what_is_open_the_answer_still_conforms_and_nothing_else_can_go() {
    for (id, op) in golden() {
        let rest = compared(&op, &free(&op));
        let output = op.read_output(rest.get());
        let output = output.unwrap_or_else(|error| panic!("{id}: {rest}: {error}"));
        assert_eq!(op.judge(&output), [], "{id}: {rest}");
        if free(&op).is_empty() {
            assert_eq!(output, op.expected(), "{id}");
        }
    }
}

#[test]
fn the_ops_whose_answers_have_open_parts_are_these() {
    let mut found: BTreeSet<String> = BTreeSet::new();
    for (_, op) in golden() {
        for pointer in free(&op) {
            let names = pointer.split('/').map(|part| match part.parse::<u64>() {
                Ok(_) => "*",
                Err(_) => part,
            });
            found.insert(format!(
                "{} {}",
                op.name(),
                names.collect::<Vec<_>>().join("/")
            ));
        }
    }
    let found: Vec<String> = found.into_iter().collect();
    insta::assert_snapshot!(found.join("\n"), @r"
    boundary.run /events/*/refused
    boundary.scoped /events/*/refused
    outcome.directDeny /defect
    outcome.mint /defect
    pass.run /consulted
    pass.run /consulted/*
    pass.run /finalInput
    pass.run /observer/*/input/more
    pass.run /observer/*/input/path
    verdict.adjudicate /detail
    verdict.parse /fault
    window.run /drives/*
    window.run /drives/*/events/*
    ");
}

#[test]
fn a_part_that_is_not_there_is_left_out_in_vain() {
    let op = golden()
        .into_iter()
        .find(|(_, op)| op.name() == "window.run")
        .unwrap()
        .1;
    let whole = serde_json::to_string(&op.expected()).unwrap();
    let drives = op.expected();
    let drives = serde_json::to_value(drives).unwrap()["drives"]
        .as_array()
        .unwrap()
        .len();
    for pointer in [
        format!("/drives/{drives}"),
        "/drives/x".to_owned(),
        "/no/where".to_owned(),
    ] {
        assert_eq!(compared(&op, &[pointer]).get(), whole);
    }
}
