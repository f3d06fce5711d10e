//! The promise: what `gatespec init` writes runs, conforms on the suite that it takes on, and
//! fails once it is broken.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

#[path = "common/toolchain.rs"]
mod toolchain;

use std::path::Path;
use std::process::{Command, Output};

use toolchain::has;

const GATESPEC: &str = env!("CARGO_BIN_EXE_gatespec");

fn run(folder: &Path, words: &[&str]) -> Output {
    let (program, args) = words.split_first().unwrap();
    let ran = Command::new(program)
        .args(args)
        .current_dir(folder)
        // what is built here is built in the folder
        .env_remove("CARGO_TARGET_DIR")
        .output();
    ran.unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

fn check(folder: &Path, adapter: &[&str]) -> (Option<i32>, String) {
    let quick = [
        GATESPEC, "check", "--seed", "7", "--cases", "2000", "--depth", "-2", "--",
    ];
    let ran = run(folder, &[&quick[..], adapter].concat());
    (ran.status.code(), String::from_utf8(ran.stdout).unwrap())
}

/// Writes the skeleton, builds it, checks it, breaks a line of it, and checks it again.
fn conforms_until_broken(lang: &str, build: &[&str], adapter: &[&str], edit: (&str, &str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let ran = run(folder, &[GATESPEC, "init", "--lang", lang, "."]);
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let built = |folder: &Path| {
        if !build.is_empty() {
            let ran = run(folder, build);
            assert!(
                ran.status.success(),
                "{}",
                String::from_utf8_lossy(&ran.stderr)
            );
        }
    };
    built(folder);
    let (code, out) = check(folder, adapter);
    assert_eq!(code, Some(0), "{out}");
    let (file, from, to) = edit;
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    assert!(text.contains(from), "{file} holds no {from}");
    std::fs::write(folder.join(file), text.replace(from, to)).unwrap();
    built(folder);
    let (code, out) = check(folder, adapter);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("FAIL KEY-08"), "{out}");
}

#[test]
fn python() {
    let edit = (
        "adapter.py",
        "parts[\"step\"] = tail[5:]",
        "parts[\"step\"] = tail[5:].split(\":\")[0]",
    );
    conforms_until_broken("python", &[], &["python3", "adapter.py"], edit);
}

#[test]
fn node() {
    if has("node") {
        let edit = ("adapter.mjs", "tail.slice(6)", "tail.split(\":\")[2]");
        conforms_until_broken("node", &[], &["node", "adapter.mjs"], edit);
    }
}

#[test]
fn go() {
    if has("go") {
        let edit = (
            "main.go",
            "parts[\"step\"] = p.step",
            "parts[\"step\"] = strings.Split(p.step, \":\")[0]",
        );
        conforms_until_broken(
            "go",
            &["go", "build", "-o", "adapter", "."],
            &["./adapter"],
            edit,
        );
    }
}

#[test]
fn rust() {
    let edit = (
        "src/main.rs",
        "parts[\"step\"] = step.into();",
        "parts[\"step\"] = step.split(':').next().into();",
    );
    let build = ["cargo", "build", "--quiet"];
    conforms_until_broken("rust", &build, &["target/debug/adapter"], edit);
}

#[test]
fn what_is_there_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("adapter.py"), "mine").unwrap();
    let ran = run(folder.path(), &[GATESPEC, "init", "--lang", "python", "."]);
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(
        std::fs::read_to_string(folder.path().join("adapter.py")).unwrap(),
        "mine"
    );
}
