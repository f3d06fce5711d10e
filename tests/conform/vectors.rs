//! Golden vectors: loading them strictly, and writing them.

use std::path::Path;

use gatespec::conform::Depth;
use gatespec::conform::vectors::{embedded, files, fill, load};

#[test]
fn loading_vectors_refuses_what_is_not_right() {
    let case = |extra: &str, id: &str, op: &str, expected: &str| {
        format!(
            r#"{{"id":"{id}","why":"w"{extra},"op":"{op}","input":{{"subject":"x"}},"clauses":["KEY-12"],"expected":{expected}}}"#
        )
    };
    let file =
        |cases: &str| format!(r#"{{"suite":"key","topic":"t","why":"w","cases":[{cases}]}}"#);
    let good = case("", "key/t/a", "key.id", r##"{"instance":"x#taint"}"##);
    let at = "spec/vectors/key/accept/t.json";
    let says = |name: &str, text: String| match load([(name.to_owned(), text)].into_iter()) {
        Ok(cases) => format!("{} cases", cases.len()),
        Err(error) => error.to_string(),
    };
    assert_eq!(says(at, file(&good)), "1 cases");
    let table = [
        (file(&format!("{good},{good}")), "permanent and unique"),
        (
            file(&case(r#","because":"x""#, "key/t/a", "key.id", "{}")),
            "unknown field `because`",
        ),
        (
            file(&case(r#","why":"x""#, "key/t/a", "key.id", "{}")),
            "duplicate field `why`",
        ),
        (
            file(&case(
                r#","twin":"key/t/b""#,
                "key/t/a",
                "key.id",
                r##"{"instance":"x#taint"}"##,
            )),
            "no case has that id",
        ),
        (
            file(&case("", "key/t/a", "key.ids", "{}")),
            "unknown op `key.ids`",
        ),
        (
            file(&case("", "key/t/a", "key.id", r#"{"instance":"x"}"#)),
            "does not agree with `expected`",
        ),
        (
            file(&case("", "key/u/a", "key.id", "{}")),
            "does not start with `key/t/`",
        ),
        (
            file(&good.replace("KEY-12", "KEY-13")),
            "does not agree with `clauses`",
        ),
        (
            file(&good.replace("KEY-12", "KEY-77")),
            "unknown clause `KEY-77`",
        ),
        (
            file(&good.replace(r#""subject":"x""#, r#""subject":"x","subject":"y""#)),
            "duplicate field",
        ),
        (
            file(&good.replace(r#""subject":"x""#, r#""subject":"x","more":1"#)),
            "unknown field `more`",
        ),
        ("[".to_owned(), "is no vector file"),
    ];
    for (text, why) in table {
        let said = says(at, text);
        assert!(said.contains(why), "{said} should say {why}");
    }
    assert!(says("spec/vectors/key/accept/u.json", file(&good)).contains("belongs at"));
}

#[test]
fn a_file_is_where_its_suite_and_topic_say() {
    let text = r#"{"suite":"key","topic":"t","why":"w","cases":[]}"#;
    let says = |name: &str, text: &str| {
        load([(name.to_owned(), text.to_owned())].into_iter()).map_err(|error| error.to_string())
    };
    assert_eq!(says("any/key/refuse/t.json", text), Ok(Vec::new()));
    assert_eq!(says("any/key/accept/t.json", text), Ok(Vec::new()));
    for elsewhere in [
        "any/ledger/accept/t.json",
        "any/key/t.json",
        "any/key/accept/u.json",
    ] {
        let said = says(elsewhere, text).unwrap_err();
        assert!(
            said.starts_with(&format!("`{elsewhere}`: ")) && said.contains("belongs at"),
            "{said}"
        );
    }
    let said = says("any/key/accept/t.json", &text.replace("key", "keys")).unwrap_err();
    assert!(said.ends_with("`keys` is no suite"), "{said}");
}

#[test]
fn the_vectors_that_the_crate_carries_are_those_of_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/vectors");
    let found = files(&folder).unwrap();
    assert!(found.is_sorted() && found.len() > 100, "{}", found.len());
    assert!(
        found
            .iter()
            .all(|(path, _)| path.extension().is_some_and(|ext| ext == "json"))
    );
    let named = found
        .iter()
        .map(|(path, text)| (path.display().to_string(), text.clone()));
    let loaded = load(named).unwrap();
    assert!(loaded.iter().all(|case| case.depth == Depth::Vector));
    assert_eq!(embedded().unwrap(), loaded);
    // written again from what a person writes of them, they are the same to the byte
    for (path, text) in found {
        assert_eq!(
            fill(&path.display().to_string(), &text).unwrap(),
            text,
            "{}",
            path.display()
        );
    }
    let missing = files(&folder.join("nowhere")).unwrap_err().to_string();
    assert!(missing.contains("nowhere`: "), "{missing}");
}
