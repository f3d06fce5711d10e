//! Counterexamples on disk, and golden vectors made of them.

use std::path::Path;

use gatespec::conform::kept::{Counterexample, MOST_BYTES, load};
use gatespec::conform::promote::{Fate, VectorId, add, golden, promote};
use gatespec::conform::shrink::Failing;
use gatespec::conform::{Answer, Case, Depth, vectors};
use gatespec::ops::Op;

use super::fake::key;

fn kept(op: Op, answer: Answer) -> Counterexample {
    let case = Case {
        id: "key/generated/7".to_owned(),
        depth: Depth::Generated,
        op,
    };
    Counterexample::of(&Failing::of(case, answer).unwrap())
}

fn broken(op: Op) -> Counterexample {
    kept(op, Answer::Error("broke".to_owned()))
}

#[test]
fn a_counterexample_says_what_was_asked_expected_and_got() {
    let op = key("key.id", "a");
    let got = key("key.id", "b").expected();
    let kept = kept(op.clone(), Answer::Output(got));
    insta::assert_snapshot!(
        serde_json::to_string(&kept).unwrap(),
        @r#"{"counterexample":1,"spec":"1.0","clauses":["KEY-12"],"from":"key/generated/7","op":"key.id","input":{"subject":"a"},"expected":{"instance":"a#taint"},"got":{"instance":"b#taint"}}"#
    );
    assert_eq!(broken(op.clone()).got.get(), "null");
    let case = kept.case(op.clone());
    assert_eq!(
        (case.id.as_str(), case.depth, case.op),
        ("key/generated/7", Depth::Kept, op)
    );
}

#[test]
fn a_file_is_named_by_its_clause_and_what_it_asks() {
    assert_eq!(
        broken(key("key.id", "a")).file_name(),
        "KEY-12-be2215d6.json"
    );
    assert_ne!(
        broken(key("key.id", "a")).file_name(),
        broken(key("key.id", "b")).file_name()
    );
    let mut nameless = broken(key("key.id", "a"));
    nameless.clauses.clear();
    assert!(nameless.file_name().starts_with("no-clause-"));
}

#[test]
fn what_is_kept_is_read_again_in_order_of_the_names() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("new/folder");
    assert_eq!(load(&below).unwrap(), []);
    let mut paths = Vec::new();
    for subject in ["a", "b", "c"] {
        let kept = broken(key("key.id", subject));
        let path = kept.keep(&below).unwrap();
        assert_eq!(path, below.join(kept.file_name()));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("{\n") && text.ends_with("}\n"), "{text}");
        paths.push((path, key("key.id", subject)));
    }
    std::fs::write(below.join("notes.txt"), "not one").unwrap();
    paths.sort_by(|one, other| one.0.cmp(&other.0));
    let cases = load(&below).unwrap();
    assert!(cases.iter().all(|case| case.depth == Depth::Kept));
    let ops: Vec<Op> = cases.into_iter().map(|case| case.op).collect();
    assert_eq!(ops, paths.into_iter().map(|of| of.1).collect::<Vec<_>>());
    // a folder that is a file is no folder without counterexamples
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(
        load(&file)
            .unwrap_err()
            .to_string()
            .starts_with("cannot read")
    );
}

#[test]
fn what_is_no_counterexample_of_this_spec_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = broken(key("key.id", "a")).keep(folder.path()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let says = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let said = Counterexample::read(&path).unwrap_err().to_string();
        said.replace(&path.display().to_string(), "FILE")
    };
    assert_eq!(
        says(&text.replace("\"counterexample\": 1", "\"counterexample\": 2")),
        "`FILE` is of format 2 and spec 1.0; this is format 1, spec 1.0"
    );
    assert_eq!(
        says(&text.replace("\"1.0\"", "\"0.9\"")),
        "`FILE` is of format 1 and spec 0.9; this is format 1, spec 1.0"
    );
    assert!(says("{}").starts_with("`FILE` is no counterexample: missing field"));
    assert!(says(&text.replace("key.id", "key.ids")).contains("unknown op"));
    let there = |len| {
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(len).unwrap();
        Counterexample::read(&path)
            .unwrap_err()
            .to_string()
            .contains("is larger than")
    };
    assert!(there(MOST_BYTES + 1));
    std::fs::remove_file(&path).unwrap();
    assert!(
        Counterexample::read(&path)
            .unwrap_err()
            .to_string()
            .starts_with("cannot read")
    );
}

fn put(op: &Op, id: &str, folder: &Path, fate: Option<Fate>) -> Result<String, String> {
    let id = VectorId::read(id)?;
    let promoted = promote(op, &id, None).map_err(|error| error.to_string())?;
    let path = add(promoted, op, &id, folder, fate).map_err(|error| error.to_string())?;
    Ok(path.strip_prefix(folder).unwrap().display().to_string())
}

#[test]
fn an_id_has_three_plain_parts() {
    for (id, says) in [
        ("key/a", "is no vector id"),
        ("key/a/b/c", "is no vector id"),
        ("keys/a/b", "`keys` in `keys/a/b` is no suite"),
        ("key//b", "`` in `key//b` is no name"),
        ("key/a/B", "`B` in `key/a/B` is no name"),
        ("key/a_b/c", "`a_b` in `key/a_b/c` is no name"),
    ] {
        let said = VectorId::read(id).unwrap_err();
        assert!(said.contains(says), "{said}");
    }
    assert_eq!(
        VectorId::read("key/a-1/2-b").unwrap().to_string(),
        "key/a-1/2-b"
    );
}

#[test]
fn an_id_that_is_not_given_is_made_of_clause_and_hash() {
    let op = key("key.id", "a");
    let mut kept = broken(op.clone());
    let name = kept.file_name();
    let hash = name.trim_start_matches("KEY-12-").trim_end_matches(".json");
    assert_eq!(
        VectorId::of(&kept, &op).to_string(),
        format!("key/key-12/{hash}")
    );
    // what is kept names no clause: the model's
    kept.clauses.clear();
    assert_eq!(VectorId::of(&kept, &op).topic, "key-12");
}

#[test]
fn a_promoted_case_goes_where_its_topic_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("vectors");
    let (a, b, c) = (key("key.id", "a"), key("key.id", "b"), key("key.id", "c"));
    let says = |said: Result<String, String>, what: &str| {
        let said = said.unwrap_err();
        assert!(said.contains(what), "{said} should say {what}");
    };
    says(put(&a, "ledger/t/one", &at, None), "write `key/t/one`");
    says(
        put(&a, "key/t/one", &at, None),
        "has no file for the topic `t` of `key`",
    );
    assert!(!at.exists());
    assert_eq!(
        put(&a, "key/t/one", &at, Some(Fate::Refuse)).unwrap(),
        "key/refuse/t.json"
    );
    says(put(&a, "key/t/two", &at, None), "already, as `key/t/one`");
    says(
        put(&b, "key/t/one", &at, None),
        "another case with the id `key/t/one`",
    );
    assert_eq!(
        put(&b, "key/t/two", &at, None).unwrap(),
        "key/refuse/t.json"
    );
    assert_eq!(
        put(&c, "key/u/one", &at, Some(Fate::Accept)).unwrap(),
        "key/accept/u.json"
    );
    assert_eq!(
        put(&key("key.id", "d"), "key/u/two", &at, None).unwrap(),
        "key/accept/u.json"
    );
    assert_eq!(
        put(&key("key.id", "e"), "key/t/three", &at, Some(Fate::Accept)).unwrap(),
        "key/accept/t.json"
    );
    says(
        put(&key("key.id", "f"), "key/t/four", &at, None),
        "has more than one file",
    );
    let files = vectors::files(&at).unwrap();
    let names = files
        .iter()
        .map(|(path, text)| (path.display().to_string(), text.clone()));
    let ids: Vec<String> = vectors::load(names)
        .unwrap()
        .into_iter()
        .map(|case| case.id)
        .collect();
    assert_eq!(
        ids,
        [
            "key/t/three",
            "key/u/one",
            "key/u/two",
            "key/t/one",
            "key/t/two"
        ]
    );
}

#[test]
fn a_promoted_case_says_why_in_the_clause_s_words_or_in_one_s_own() {
    let op = key("key.id", "a");
    let id = VectorId::read("key/t/one").unwrap();
    let clause = op.clauses()[0];
    let file = promote(&op, &id, None).unwrap();
    assert_eq!(
        (file.why.as_str(), file.cases[0].why.as_str()),
        (clause.text(), clause.text())
    );
    let file = promote(&op, &id, Some("mine")).unwrap();
    assert_eq!(
        (file.why.as_str(), file.cases[0].why.as_str()),
        (clause.text(), "mine")
    );
}

#[test]
fn a_question_that_is_golden_already_is_known_by_its_id() {
    let case = vectors::embedded().unwrap().remove(3);
    assert_eq!(golden(&case.op).unwrap(), Some(case.id));
    assert_eq!(golden(&key("key.id", "nobody asks this")).unwrap(), None);
}
