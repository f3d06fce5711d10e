//! Every command shows what it is for, in `--help`, in a shell's completions and in the manual.

use std::path::Path;

use super::{Ran, run_in};

fn run(args: &[&str]) -> Ran {
    let ran = run_in(Path::new(env!("CARGO_MANIFEST_DIR")), args);
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    ran
}

/// The names of the subcommands, as `--help` lists them.
fn commands() -> Vec<String> {
    let help = run(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).unwrap();
    let list = list.split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?;
        (!name.starts_with(' ')).then(|| name.split(' ').next().unwrap().to_owned())
    });
    let names: Vec<String> = names.filter(|name| name != "help").collect();
    assert!(names.len() >= 20, "{names:?}");
    names
}

#[test]
fn every_command_shows_by_example_what_it_is_for() {
    for command in commands() {
        let help = run(&[&command, "--help"]).out;
        let examples = help.split("Examples:\n").nth(1);
        let examples = examples.unwrap_or_else(|| panic!("{command} --help has no Examples:"));
        let own = format!("gatespec {command}");
        let shown = examples.lines().any(|line| line.contains(&own));
        assert!(shown || command == "serve", "{command}: {examples}");
    }
    assert!(run(&["--help"]).out.contains("Examples:\n"));
}

#[test]
fn a_chapter_is_there_without_the_repository() {
    let folder = tempfile::tempdir().unwrap();
    for (name, says) in [("protocol", "hello"), ("ledger", "## On the wire")] {
        let ran = run_in(folder.path(), &["explain", name]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains(says), "{}", ran.out);
    }
}

#[test]
fn every_shell_can_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell]).out;
        for command in commands() {
            assert!(script.contains(&command), "{shell} knows no {command}");
        }
        assert!(script.contains("write-baseline"), "{shell} knows no option");
    }
    // a shell that is there takes it
    let script = run(&["completions", "bash"]).out;
    let checked = std::process::Command::new("bash")
        .args(["-n", "-c", &script])
        .output()
        .unwrap();
    assert!(checked.status.success(), "{checked:?}");
    let near = run_in(Path::new("."), &["completions", "bahs"]);
    assert_eq!(near.code, 2);
    assert!(near.err.contains("bash"), "{}", near.err);
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let page = run(&["man"]).out;
    assert!(page.contains(".TH gatespec 1"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    run(&["man", folder.path().to_str().unwrap()]);
    let text = |name: &str| {
        std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    };
    assert!(text("gatespec.1").contains("Exit codes"));
    for command in commands() {
        let page = text(&format!("gatespec-{command}.1"));
        assert!(page.contains("Examples:"), "{command}");
    }
    let in_the_way = run_in(folder.path(), &["man", "gatespec.1"]);
    assert_eq!(in_the_way.code, 2);
    assert!(
        in_the_way.err.contains("`gatespec.1`"),
        "{}",
        in_the_way.err
    );
}
