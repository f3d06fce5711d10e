//! The promise: the tree keeps its shape. The arrows between modules run one way, lines and files
//! stay short, nothing is switched off without a reason, and prose and code name the same clauses.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gatespec::model::{Clause, Suite};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a folder with this extension, with its text.
fn files(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == extension) {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no .{extension} files below {folder}");
    found
}

#[test]
fn the_arrows_between_modules_run_one_way() {
    // what each module may import of its siblings
    let arrows: &[(&str, &[&str])] = &[
        ("model", &["model"]),
        ("ops", &["model", "ops"]),
        ("laws", &["model", "ops", "generate", "laws"]),
        ("generate", &["model", "ops", "generate"]),
        ("mutants", &["model", "ops", "mutants"]),
        (
            "conform",
            &["model", "ops", "laws", "generate", "mutants", "conform"],
        ),
        ("audit", &["model", "laws", "audit"]),
        (
            "report",
            &[
                "model", "ops", "laws", "generate", "mutants", "conform", "audit", "report",
            ],
        ),
    ];
    let modules = [
        "model", "ops", "laws", "generate", "mutants", "conform", "audit", "report", "cli",
    ];
    for (path, text) in files("src", "rs") {
        let Some(module) = path
            .components()
            .nth(1)
            .and_then(|c| c.as_os_str().to_str())
        else {
            continue;
        };
        let module = module.trim_end_matches(".rs");
        let Some((_, allowed)) = arrows.iter().find(|(name, _)| *name == module) else {
            continue;
        };
        for other in modules.iter().filter(|other| !allowed.contains(other)) {
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap();
                let named = [format!("crate::{other}::"), format!("gatespec::{other}::")];
                assert!(
                    !named.iter().any(|name| code.contains(name)),
                    "{}:{}: `{module}` may not import `{other}`",
                    path.display(),
                    number + 1
                );
            }
        }
    }
}

#[test]
fn the_model_needs_no_crate_but_serde_and_what_canonical_bytes_need() {
    for (path, text) in files("src/model", "rs") {
        for (number, line) in text.lines().enumerate() {
            let Some(used) = line.trim_start().strip_prefix("use ") else {
                continue;
            };
            let used = used.split([':', ';', ' ']).next().unwrap();
            let known = [
                "std",
                "crate",
                "super",
                "self",
                "serde",
                "serde_json",
                "memchr",
                "wide",
                "sha2",
            ];
            let known = known.contains(&used) || used == "serde_json_canonicalizer";
            let local = used.chars().next().is_some_and(char::is_uppercase)
                || text.contains(&format!("mod {used};"));
            assert!(
                known || local,
                "{}:{}: uses `{used}`",
                path.display(),
                number + 1
            );
        }
    }
}

#[test]
fn lines_and_files_stay_short() {
    let mut long = Vec::new();
    for (path, text) in files("src", "rs").into_iter().chain(files("tests", "rs")) {
        let path = path.display();
        let lines = text.lines().count();
        if lines > 1000 {
            long.push(format!("{path} has {lines} lines: it holds two ideas"));
        }
        for (number, line) in text.lines().enumerate() {
            // a sentence in a table is not broken, and text for people is as wide as it is
            let table = line.contains('"') || path.to_string().starts_with("src/report/");
            let width = line.chars().count();
            if width > 100 && !table {
                long.push(format!("{path}:{}: {width} wide", number + 1));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn nothing_is_switched_off_without_a_reason_and_nothing_is_left_to_do() {
    for (path, text) in files("src", "rs") {
        for (number, line) in text.lines().enumerate() {
            let at = format!("{}:{}", path.display(), number + 1);
            for left in ["todo!", "unimplemented!", "FIXME", "// XXX", "dbg!"] {
                assert!(!line.contains(left), "{at}: {left}");
            }
            if line.contains("allow(") && line.trim_start().starts_with("#") {
                let near: String = text
                    .lines()
                    .skip(number)
                    .take(4)
                    .collect::<Vec<_>>()
                    .join(" ");
                assert!(
                    near.contains("reason"),
                    "{at}: an override without a reason"
                );
            }
        }
    }
}

#[test]
fn chapters_and_clauses_say_the_same() {
    for suite in Suite::ALL {
        let path = root().join(format!("spec/{suite}.md"));
        let clauses: Vec<Clause> = Clause::ALL
            .iter()
            .copied()
            .filter(|clause| clause.suite() == suite)
            .collect();
        if gatespec::ops::Op::names(suite).is_empty() {
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("spec/{suite}.md: {error}"));
        let mut lines = text.lines();
        let mut headed = BTreeSet::new();
        while let Some(line) = lines.next() {
            let Some(heading) = line.strip_prefix("### ") else {
                continue;
            };
            let Some((id, provenance)) = heading.split_once(" · ") else {
                continue;
            };
            let clause = Clause::from_id(id)
                .unwrap_or_else(|| panic!("spec/{suite}.md states {id}, and the enum has no such"));
            assert_eq!(clause.suite(), suite, "{id} stands in the wrong chapter");
            assert_eq!(clause.provenance().word(), provenance, "{id}");
            let stated = lines.next().unwrap_or_default();
            assert_eq!(
                stated,
                clause.text(),
                "spec/{suite}.md states {id} in other words"
            );
            assert!(headed.insert(clause), "{id} is stated twice");
        }
        for clause in clauses {
            assert!(
                headed.contains(&clause),
                "spec/{suite}.md does not state {clause}"
            );
        }
    }
}

#[test]
fn clause_ids_are_unique() {
    let ids: BTreeSet<&str> = Clause::ALL.iter().map(|clause| clause.id()).collect();
    assert_eq!(ids.len(), Clause::ALL.len());
}

/// The file of each public module, with its text, found from `lib.rs` on.
fn public_modules() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut left = vec![PathBuf::from("src/lib.rs")];
    while let Some(path) = left.pop() {
        let text = std::fs::read_to_string(root().join(&path)).unwrap();
        let folder = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("lib" | "mod") => path.parent().unwrap().to_owned(),
            _ => path.with_extension(""),
        };
        for line in text.lines() {
            let module = line
                .strip_prefix("pub mod ")
                .and_then(|m| m.strip_suffix(';'));
            left.extend(module.map(|module| {
                let file = folder.join(module).with_extension("rs");
                match root().join(&file).exists() {
                    true => file,
                    false => folder.join(module).join("mod.rs"),
                }
            }));
        }
        found.push((path, text));
    }
    found
}

#[test]
fn each_public_module_has_an_example_that_can_fail() {
    let modules = public_modules();
    assert!(modules.len() > 70, "{}", modules.len());
    for (path, text) in modules {
        // within a fence: whether it is Rust
        let mut fence = None;
        let mut examples = Vec::new();
        for line in text.lines().map(str::trim_start) {
            let Some(doc) = line.strip_prefix("//!").or(line.strip_prefix("///")) else {
                continue;
            };
            match (doc.trim_start().strip_prefix("```"), fence) {
                (Some(_), Some(_)) => fence = None,
                (Some(language), None) => {
                    fence = Some(language.is_empty());
                    examples.push(String::new());
                }
                (None, Some(true)) => examples.last_mut().unwrap().push_str(doc),
                (None, _) => {}
            }
        }
        let fails = |code: &String| code.contains("assert") || code.contains("conformance_tests!");
        assert!(
            examples.iter().any(fails),
            "{} has no example",
            path.display()
        );
    }
}
