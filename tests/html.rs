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

/// The page with a script of the test's own behind its own, which clicks and types and writes down
/// what is shown; `None` where there is no browser.
fn used(folder: &Path, name: &str) -> Option<String> {
    let page = std::fs::read_to_string(folder.join(name)).unwrap();
    let script = r##"<script>
    const errors = [];
    addEventListener("error", (event) => errors.push(event.message));
    addEventListener("DOMContentLoaded", () => {
      const shown = () => [...document.querySelectorAll("[data-state]")].filter((row) => !row.hidden);
      const said = {};
      for (const button of document.querySelectorAll("[data-show]")) {
        button.click();
        const state = button.dataset.show;
        const fit = shown().every((row) => state === "all" || row.dataset.state === state);
        const pressed = button.getAttribute("aria-pressed");
        said[state] = `${shown().length} ${fit} ${pressed} ${document.querySelector("#count").textContent}`;
      }
      document.querySelector("[data-show=all]").click();
      const search = document.querySelector("#search");
      search.value = "key-02";
      search.dispatchEvent(new Event("input"));
      said.search = shown().map((row) => row.querySelector("code").textContent).join(" ");
      said.errors = errors.join("; ");
      document.body.append("RES" + "ULT:", JSON.stringify(said), ":RES" + "ULT");
    });
    </script></head>"##;
    assert!(page.contains("</head>"));
    let path = folder.join(format!("used-{name}"));
    std::fs::write(&path, page.replacen("</head>", script, 1)).unwrap();
    let dom = opened(&path)?;
    let said = dom.split("RESULT:").nth(1);
    let said = said.unwrap_or_else(|| panic!("{name}: nothing was said"));
    Some(said.split(":RESULT").next().unwrap().to_owned())
}

#[test]
fn the_filters_of_a_page_and_of_a_comparison_show_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let gate = [GATESPEC, "serve", "--mutant", "key/leading_zero"];
    check(folder.path(), "bad", &gate);
    check(folder.path(), "good", &[GATESPEC, "serve"]);
    let compared = Command::new(GATESPEC)
        .args(["compare", "good.json", "bad.json", "--out", "both.html"])
        .current_dir(folder.path())
        .status();
    assert!(compared.unwrap().success());
    for name in ["bad.html", "both.html"] {
        let Some(said) = used(folder.path(), name) else {
            return;
        };
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        let rows = |state: &str| -> (u64, u64) {
            let text = said[state].as_str().unwrap();
            let words: Vec<&str> = text.split(' ').collect();
            let [shown, "true", "true", counted, "of", all] = words.as_slice() else {
                panic!("{name}: {state}: {text}")
            };
            assert_eq!(shown, counted, "{name}: {state}: {text}");
            (shown.parse().unwrap(), all.parse().unwrap())
        };
        let (all, of) = rows("all");
        assert_eq!(all, of, "{name}");
        assert_eq!(rows("failed").0, 1, "{name}: {said}");
        let states = ["failed", "untested", "unsupported", "passed"];
        assert_eq!(
            states.map(|state| rows(state).0).iter().sum::<u64>(),
            all,
            "{name}"
        );
        assert!(rows("passed").0 > 5, "{name}: {said}");
        assert_eq!(said["search"], "KEY-02", "{name}");
        assert_eq!(said["errors"], "", "{name}");
    }
}

#[test]
fn what_is_no_report_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("not.json"), "{}").unwrap();
    for (file, says) in [("not.json", "is no report"), ("none.json", "cannot read")] {
        let ran = Command::new(GATESPEC)
            .args(["compare", file])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(2));
        let err = String::from_utf8(ran.stderr).unwrap();
        assert!(err.contains(file) && err.contains(says), "{err}");
    }
}
