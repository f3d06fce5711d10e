//! The promise: what is published holds all that its tests read, a test is built only with what it
//! needs, and the library is light: a gate that depends on it takes in nothing of the command.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn cargo(args: &[&str]) -> String {
    let ran = Command::new(env!("CARGO"))
        .args(args)
        .arg("--offline")
        .current_dir(root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "cargo {args:?}: {said}");
    String::from_utf8(ran.stdout).unwrap()
}

/// Every file below a folder, by its path from the root, but what a run of the examples leaves.
fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            if root().join(&path).is_dir() {
                if !path.ends_with("__pycache__") && !path.ends_with("target") {
                    folders.push(path);
                }
            } else if path.extension().is_none_or(|ext| ext != "new") {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

/// The file that cargo keeps in a package, and in nothing else: here the package is unpacked.
fn is_unpacked() -> bool {
    root().join("Cargo.toml.orig").exists()
}

#[test]
fn the_package_holds_what_is_built_tested_and_read() {
    if is_unpacked() {
        return; // cargo makes no package of a package
    }
    let packed = cargo(&["package", "--list", "--allow-dirty"]);
    let packed: BTreeSet<&str> = packed.lines().collect();
    for folder in ["src", "spec", "tests", "benches", "examples"] {
        for file in files(folder) {
            // cargo leaves out what is a package of its own
            let own = file.starts_with("examples/rust-gate/");
            assert_eq!(packed.contains(file.as_str()), !own, "{file}");
        }
    }
    for file in [
        "build.rs",
        "Cargo.lock",
        "README.md",
        "DESIGN.md",
        "clippy.toml",
    ] {
        assert!(packed.contains(file), "{file}");
    }
    for outside in ["fuzz/", ".ci/", ".cargo/"] {
        let kept = packed.iter().find(|file| file.starts_with(outside));
        assert_eq!(kept, None);
    }
}

#[test]
fn a_test_names_the_features_that_it_is_built_with() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for kind in ["test", "bench"] {
        let head = format!("[[{kind}]]");
        let mut entries = Vec::new();
        for entry in manifest.split(&head).skip(1) {
            let entry = entry.split("\n[").next().unwrap();
            let after = |member: &str| {
                let rest = entry.split_once(&format!("{member} = "))?.1;
                Some(rest.split('"').nth(1).unwrap().to_owned())
            };
            entries.push((after("name").unwrap(), after("required-features")));
        }
        for file in files(&format!("{kind}s").replace("benchs", "benches")) {
            let Some(name) = file.strip_suffix(".rs").and_then(|f| f.split('/').nth(1)) else {
                continue;
            };
            let text = std::fs::read_to_string(root().join(&file)).unwrap();
            let uses = |words: &[&str]| words.iter().any(|word| text.contains(word));
            // each feature brings those before it
            let features = ["", "digest", "generate", "audit", "cli"];
            let needs = if file == "tests/package.rs" || name == "common" {
                ""
            } else if uses(&["CARGO_BIN_EXE_", "gatespec::report"]) {
                "cli"
            } else if uses(&["gatespec::audit"]) {
                "audit"
            } else if uses(&["gatespec::"]) {
                "generate"
            } else {
                ""
            };
            let entry = entries.iter().find(|(named, _)| named == name);
            let has = entry.and_then(|(_, feature)| feature.as_deref());
            let rank = |feature: &str| features.iter().position(|f| *f == feature).unwrap();
            assert!(
                rank(has.unwrap_or_default()) >= rank(needs),
                "{file} needs `{needs}`: say so in the [[{kind}]] entry of `{name}`"
            );
        }
    }
}

/// The crates in the tree of the library with these features, itself, its macros and what builds
/// it included.
fn tree(features: &str) -> BTreeSet<String> {
    let args =
        "tree --edges normal,build --prefix none --no-dedupe --no-default-features --features";
    let mut args: Vec<&str> = args.split(' ').collect();
    args.push(features);
    cargo(&args)
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// The crates that a feature names itself.
fn named_by(feature: &str) -> Vec<String> {
    let metadata = cargo(&["metadata", "--no-deps", "--format-version=1"]);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let words = metadata["packages"][0]["features"][feature]
        .as_array()
        .unwrap();
    let crates = words
        .iter()
        .filter_map(|word| word.as_str()?.strip_prefix("dep:"));
    crates.map(str::to_owned).collect()
}

#[test]
fn the_library_alone_is_light() {
    let alone = tree("");
    assert!(
        alone.len() < 20 && alone.contains("serde_json"),
        "{alone:?}"
    );
    assert!(!alone.contains("proptest"), "{alone:?}");
}

#[test]
fn the_kit_needs_nothing_of_the_command() {
    let kit = tree("generate");
    assert!(kit.contains("proptest"), "{kit:?}");
    let command = named_by("cli");
    assert!(command.contains(&"clap".to_owned()), "{command:?}");
    let others = [named_by("audit"), named_by("schema")].concat();
    for name in command.iter().chain(&others) {
        assert!(!kit.contains(name), "{name} in {kit:?}");
    }
}

#[test]
fn no_dependency_wants_a_newer_toolchain_than_the_crate_says() {
    let metadata = cargo(&["metadata", "--format-version=1"]);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let version = |package: &serde_json::Value| -> Option<Vec<u32>> {
        let parts = package["rust_version"].as_str()?.split('.');
        Some(parts.map(|part| part.parse().unwrap()).collect())
    };
    let packages = metadata["packages"].as_array().unwrap();
    let named = |name: &str| {
        packages
            .iter()
            .find(|package| package["name"] == name)
            .unwrap()
    };
    let ours = version(named("gatespec")).unwrap();
    for name in tree("cli") {
        let theirs = version(named(&name));
        assert!(
            theirs.clone().is_none_or(|theirs| theirs <= ours),
            "{name}: {theirs:?}"
        );
    }
}
