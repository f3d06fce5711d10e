//! The languages of the examples.

use std::process::Command;

/// Whether a language is there. On a build server it has to be.
pub(crate) fn has(program: &str) -> bool {
    // go has no `--version`, and python no `version`: that it starts is enough
    let there = Command::new(program).arg("--version").output().is_ok();
    assert!(
        there || std::env::var_os("CI").is_none(),
        "a build server needs {program}"
    );
    if !there {
        eprintln!("not checked: there is no {program}");
    }
    there
}
