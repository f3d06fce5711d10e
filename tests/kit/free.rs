//! What the law leaves open does not look like what a gate has to say, in any report.

use gatespec::conform::free::{compared, free};
use gatespec::ops::Op;

use super::run_in;

/// A gate that lets a call run which the spec holds back, where seats are asked that need not be
/// in the log.
#[test]
fn a_seat_that_is_not_compared_is_not_shown_as_expected() {
    let folder = tempfile::tempdir().unwrap();
    let golden = gatespec::conform::vectors::embedded().unwrap();
    let open = |op: &Op| op.name() == "pass.run" && !free(op).is_empty();
    let id = golden.into_iter().find(|case| open(&case.op)).unwrap().id;
    // it answers that question only, and wrongly
    let script = r#"
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "hello" in m:
        print(json.dumps({"hello": {"protocol": 1, "name": "x", "suites": ["pass"]}}), flush=True)
    elif "bye" in m:
        break
    else:
        print(json.dumps({"id": m["id"], "output": {"result": "defect"}}), flush=True)
"#;
    let kinds = ["json", "markdown", "html", "junit"];
    let reports: Vec<String> = kinds.map(|kind| format!("{kind}=r.{kind}")).to_vec();
    let mut args = vec!["check", "--case", &id];
    for report in &reports {
        args.extend(["--report", report]);
    }
    args.extend(["--", "python3", "-c", script]);
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let text =
        |kind: &str| std::fs::read_to_string(folder.path().join(format!("r.{kind}"))).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text("json")).unwrap();
    let failure = &report["failures"][0];
    let open = failure["free"].as_array().unwrap();
    assert!(!open.is_empty(), "{failure}");
    let first = open[0].as_str().unwrap();
    assert!(failure["expected"].pointer(first).is_some(), "{failure}");

    let op = Op::parse(
        failure["op"].as_str().unwrap(),
        &serde_json::value::to_raw_value(&failure["input"]).unwrap(),
    );
    let op = op.unwrap();
    let rest = compared(&op, &free(&op)).get().to_owned();
    let whole = serde_json::to_string(&op.expected()).unwrap();
    assert_ne!(rest, whole);
    for (kind, text) in [
        ("human", ran.out),
        ("markdown", text("markdown")),
        ("junit", text("junit")),
    ] {
        let text = text.replace("&quot;", "\"");
        assert!(text.contains(&format!("expected {rest}")), "{kind}: {text}");
        assert!(!text.contains(&whole), "{kind}: {text}");
        // Markdown for a pull request is cut short
        let says = if kind == "markdown" {
            "free  "
        } else {
            "left open by the law, not compared"
        };
        assert!(text.contains(says), "{kind}: {text}");
    }
    assert!(text("html").contains("left open by the law, not compared: "));

    // the kept case is explained likewise
    let kept = std::fs::read_dir(folder.path().join(".gatespec"))
        .unwrap()
        .next()
        .unwrap();
    let kept = kept.unwrap().path();
    let ran = run_in(folder.path(), &["explain", kept.to_str().unwrap()]);
    assert!(ran.out.contains(&format!("expected {rest}")), "{}", ran.out);
}
