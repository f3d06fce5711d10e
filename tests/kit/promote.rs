//! A kept counterexample becomes a golden vector.

use std::path::Path;

use super::{GATESPEC, Ran, run_in};

/// Checks a faulty gate, and gives the file of the counterexample that was kept.
fn kept(folder: &Path) -> String {
    let args = [
        "check",
        "--seed",
        "7",
        "--suite",
        "key",
        "--depth",
        "-3",
        "--",
        GATESPEC,
        "serve",
        "--mutant",
        "key/trims",
    ];
    assert_eq!(run_in(folder, &args).code, 1);
    let mut files = std::fs::read_dir(folder.join(".gatespec")).unwrap();
    let file = files.next().unwrap().unwrap().path();
    file.to_str().unwrap().to_owned()
}

fn promote(folder: &Path, args: &[&str]) -> Ran {
    run_in(folder, &[&["promote"], args].concat())
}

/// The vectors below a folder are what `gatespec vectors` takes.
fn assert_taken(folder: &Path, below: &str, says: &str) {
    let ran = run_in(folder, &["vectors", below]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains(says), "{}", ran.out);
}

#[test]
fn a_counterexample_is_printed_as_a_vector_file_that_loads() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = kept(folder);
    let ran = promote(folder, &[&file, "--id", "key/padded/space"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let at = folder.join("printed/key/refuse");
    std::fs::create_dir_all(&at).unwrap();
    std::fs::write(at.join("padded.json"), &ran.out).unwrap();
    assert_taken(folder, "printed", "1 cases in 1 files");

    // unless it is given an id, it is named by its clause and its hash
    let ran = promote(folder, &[&file]);
    let hash = file.trim_end_matches(".json").rsplit('-').next().unwrap();
    let vector: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let topic = vector["topic"].as_str().unwrap();
    assert!(topic.starts_with("key-"), "{topic}");
    assert_eq!(vector["cases"][0]["id"], format!("key/{topic}/{hash}"));
    assert_eq!(vector["cases"][0]["why"], vector["why"]);
}

#[test]
fn a_counterexample_is_put_into_a_folder_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = kept(folder);
    let put = |id: &str, more: &[&str]| {
        let args = [&file, "--into", "mine", "--id", id];
        promote(folder, &[&args, more].concat())
    };
    let refused = |ran: Ran, says: &str| {
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert!(ran.err.contains(says), "{} should say {says}", ran.err);
        assert_eq!(ran.out, "");
    };
    refused(put("key/padded/space", &[]), "--fate accept or --fate ref");
    assert!(!folder.join("mine").exists());
    let why = "A key is not trimmed.";
    let ran = put("key/padded/space", &["--fate", "refuse", "--why", why]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let at = folder.join("mine/key/refuse/padded.json");
    assert!(
        ran.out.contains("mine/key/refuse/padded.json"),
        "{}",
        ran.out
    );
    assert!(std::fs::read_to_string(&at).unwrap().contains(why));
    assert_taken(folder, "mine", "1 cases in 1 files");

    // the same case again, under any id
    refused(
        put("key/padded/again", &[]),
        "already, as `key/padded/space`",
    );

    // another case: its id must be free, and a topic that is there takes it
    let other = file.replace("/KEY", "/other-KEY");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("\"subject\":", "\"subject\": \"node:iter:7:q\", \"was\":");
    let input = text.find("\"was\"").unwrap();
    let end = input + text[input..].find('}').unwrap();
    let text = format!(
        "{}{}",
        text[..input].trim_end_matches([',', ' ']),
        &text[end..]
    );
    std::fs::write(&other, text).unwrap();
    let args = [&other, "--into", "mine", "--id", "key/padded/space"];
    refused(promote(folder, &args), "permanent and unique");
    let args = [&other, "--into", "mine", "--id", "key/padded/seven"];
    let ran = promote(folder, &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_taken(folder, "mine", "2 cases in 1 files");
}

#[test]
fn what_cannot_be_promoted_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = kept(folder);
    std::fs::create_dir(folder.join("bad")).unwrap();
    std::fs::write(folder.join("bad/x.json"), "[").unwrap();
    let table: &[(&[&str], &str)] = &[
        (&["none.json"], "cannot read `none.json`"),
        (&[&file, "--id", "key/space"], "write suite/topic/name"),
        (&[&file, "--id", "kye/padded/space"], "`kye` in"),
        (&[&file, "--id", "key/Padded/space"], "`Padded` in"),
        (&[&file, "--id", "key//space"], "`` in"),
        (
            &[&file, "--id", "ledger/padded/space"],
            "write `key/padded/space`",
        ),
        (&[&file, "--into", "bad", "--fate", "refuse"], "bad/x.json"),
        (&[&file, "--fate", "refuse"], "--into"),
    ];
    for (args, says) in table {
        let ran = promote(folder, args);
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.out, ran.err);
        assert!(
            ran.err.contains(says),
            "{args:?} should say {says}: {}",
            ran.err
        );
    }
}

#[test]
fn a_case_that_is_golden_already_is_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = gatespec::conform::vectors::embedded().unwrap();
    let golden = vectors
        .iter()
        .find(|case| case.id.starts_with("key/"))
        .unwrap();
    let text = format!(
        r#"{{"counterexample":1,"spec":"1.0","clauses":[],"from":"x","op":"{}","input":{},"expected":null,"got":null}}"#,
        golden.op.name(),
        golden.op.input()
    );
    std::fs::write(folder.path().join("case.json"), text).unwrap();
    let ran = promote(folder.path(), &["case.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let says = format!("golden already, as `{}`", golden.id);
    assert!(ran.err.contains(&says), "{}", ran.err);
}
