//! The promise: a gate in Rust is checked by its own `cargo test`, and a test that fails has the
//! name of the clause that is broken.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs cargo in the example, or in a copy of it, with a target folder of its own.
fn cargo(folder: &Path, args: &[&str]) -> (bool, String) {
    let ran = Command::new(env!("CARGO"))
        .args(args)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", root().join("target/rust-gate"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    (ran.status.success(), text.into_owned())
}

/// A copy of the example with one line of its parser changed.
fn planted(folder: &Path, from: &str, to: &str) -> PathBuf {
    let example = root().join("examples/rust-gate");
    for file in ["Cargo.toml", "src/lib.rs", "tests/conformance.rs"] {
        let text = std::fs::read_to_string(example.join(file)).unwrap();
        let text = text.replace("\"../..\"", &format!("{:?}", root().display().to_string()));
        let text = if file == "src/lib.rs" {
            assert_eq!(text.matches(from).count(), 1, "{from}");
            text.replace(from, to)
        } else {
            text
        };
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder.to_owned()
}

#[test]
fn the_example_conforms_and_a_planted_fault_fails_the_test_of_its_clause() {
    // a package holds no other package: the example stays behind, and cargo leaves this file there
    if root().join("Cargo.toml.orig").exists() {
        return;
    }
    // both from a copy: in one target folder, only newer files are built again
    let folder = tempfile::tempdir().unwrap();
    let first_zero = "(digits == b\"0\" || digits[0] != b'0')";
    let good = planted(folder.path(), first_zero, first_zero);
    let (passed, text) = cargo(&good, &["test", "--tests"]);
    assert!(passed, "{text}");
    for test in [
        "key_law::Key01 ... ok",
        "key_law::Key18 ... ok",
        "19 passed",
    ] {
        assert!(text.contains(test), "{test}: {text}");
    }

    let (passed, text) = cargo(
        &planted(folder.path(), first_zero, "true"),
        &["test", "--tests"],
    );
    assert!(!passed, "{text}");
    assert!(text.contains("key_law::Key02 ... FAILED"), "{text}");
    assert!(text.contains("key_law::Key03 ... ok"), "{text}");
    assert!(
        text.contains("KEY-02 An iteration number is a decimal number"),
        "{text}"
    );
}
