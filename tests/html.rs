//! The promise: the HTML report is one page that calls nothing, runs without a script error in a
//! real browser, and shows what a hostile gate says as text.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::path::Path;
use std::process::Command;

const GATESPEC: &str = env!("CARGO_BIN_EXE_gatespec");

fn check(folder: &Path, name: &str, gate: &[&str]) -> String {
    let [html, json] = ["html", "json"].map(|kind| format!("{kind}={name}.{kind}"));
    Command::new(GATESPEC)
        .args([
            "check", "--suite", "key", "--seed", "7", "--cases", "300", "--depth", "-3",
        ])
        .args(["--report", &html, "--report", &json, "--"])
        .args(gate)
        .current_dir(folder)
        .output()
        .unwrap();
    std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap()
}

/// The page as the browser holds it once its script has run, or `None` where there is no browser.
/// On a build server there has to be one.
fn opened(page: &Path) -> Option<String> {
    let profile = tempfile::tempdir().unwrap();
    let ran = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(["--virtual-time-budget=3000", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .output();
    match ran {
        Ok(ran) => Some(String::from_utf8(ran.stdout).unwrap()),
        Err(error) if std::env::var_os("CI").is_none() => {
            eprintln!("not opened in a browser: chromium: {error}");
            None
        }
        Err(error) => panic!("a build server needs chromium: {error}"),
    }
}

/// What must hold of every page: nothing is fetched, and the script ran to its end.
fn sound(folder: &Path, name: &str) {
    let path = folder.join(name);
    let page = std::fs::read_to_string(&path).unwrap();
    for outside in [
        "src=\"",
        "href=\"http",
        "url(",
        "@import",
        "fetch(",
        "http-equiv=\"refresh",
    ] {
        assert!(!page.contains(outside), "{name} reaches out: {outside}");
    }
    if let Some(dom) = opened(&path) {
        assert!(
            dom.contains("data-ready=\"yes\""),
            "the script of {name} failed"
        );
        let rows = dom.matches("data-state=").count();
        assert!(
            dom.contains(&format!(">{rows} of {rows}<")),
            "{name} does not show all rows"
        );
    }
}

#[test]
fn a_page_shows_failures_and_clauses_and_opens_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let page = check(
        folder.path(),
        "bad",
        &[GATESPEC, "serve", "--mutant", "key/leading_zero"],
    );
    assert!(page.contains("does not conform"));
    assert!(page.contains("id=\"KEY-02\""));
    assert!(page.contains("data-state=\"failed\"><td><code>KEY-02</code>"));
    assert!(page.contains("data-state=\"passed\"><td><code>KEY-03</code>"));
    assert!(page.contains("<span class=\"less\">"));
    sound(folder.path(), "bad.html");
}

#[test]
fn implementations_stand_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    check(
        folder.path(),
        "bad",
        &[GATESPEC, "serve", "--mutant", "key/leading_zero"],
    );
    check(folder.path(), "good", &[GATESPEC, "serve"]);
    let ran = Command::new(GATESPEC)
        .args(["compare", "bad.json", "good.json", "--out", "both.html"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let page = std::fs::read_to_string(folder.path().join("both.html")).unwrap();
    assert!(page.contains("key/leading_zero") && page.contains("gatespec 0.1.0"));
    sound(folder.path(), "both.html");
}

#[test]
fn what_a_gate_says_is_text() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "hello" in m:
        name = "</title><script>document.documentElement.dataset.ready='no'</script>"
        print(json.dumps({"hello": {"protocol": 1, "name": name, "suites": ["key"]}}), flush=True)
    elif "bye" in m:
        break
    else:
        print(json.dumps({"id": m["id"], "error": "</pre><img src=x onerror=alert(1)>"}), flush=True)
"#;
    let adapter = folder.path().join("hostile.py");
    std::fs::write(&adapter, script).unwrap();
    let page = check(
        folder.path(),
        "hostile",
        &["python3", adapter.to_str().unwrap()],
    );
    assert!(!page.contains("<script>document") && !page.contains("<img"));
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    if let Some(dom) = opened(&folder.path().join("hostile.html")) {
        assert!(
            dom.contains("data-ready=\"yes\""),
            "the script failed, or another ran"
        );
    }
}
