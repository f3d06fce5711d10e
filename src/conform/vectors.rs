//! The golden vectors: loading, strictly, and writing them from the model.
//!
//! A person writes a case's id, reason, twin, op and input; its clauses and its expected value are
//! the model's, written by `gatespec vectors --write`. Loading refuses unknown and doubled members,
//! doubled ids, a file that is not where its suite and topic say, a twin that is not there, and a
//! case that the model no longer agrees with.
//!
//! ```
//! use gatespec::conform::vectors::{fill, load};
//!
//! let cases = r#"[{"id":"key/mine/plain","why":"it is one","op":"key.id","input":{"subject":"a"}}]"#;
//! let text = format!(r#"{{"suite":"key","topic":"mine","why":"mine","cases":{cases}}}"#);
//! let file = "spec/vectors/key/accept/mine.json";
//! let filled = fill(file, &text).unwrap();
//! let loaded = load([(file.to_owned(), filled.clone())].into_iter()).unwrap();
//! assert_eq!(loaded[0].id, "key/mine/plain");
//! // an answer that is not the model's does not load
//! let wrong = filled.replace("a#taint", "b#taint");
//! assert!(load([(file.to_owned(), wrong)].into_iter()).is_err());
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Case, Depth};
use crate::model::{Clause, Suite};
use crate::ops::{Op, json};

/// A file of `spec/vectors/`: one topic of one suite.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VectorFile {
    /// The suite's word: the folder that the file is in.
    pub suite: String,
    /// The topic, named by the fault: the file's name.
    pub topic: String,
    /// What the topic is about.
    pub why: String,
    /// The cases.
    pub cases: Vec<Vector>,
}

/// A golden case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// Permanent and never reused: `<suite>/<topic>/<name>`.
    pub id: String,
    /// Why the answer is what it is.
    pub why: String,
    /// The id of a case one step away whose answer is the opposite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<String>,
    /// The op's name.
    pub op: String,
    /// The op's input.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub input: Box<RawValue>,
    /// The clauses that the answer rests on, the deciding one first.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub clauses: Vec<Clause>,
    /// The model's answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub expected: Option<Box<RawValue>>,
}

/// What is wrong with a vector file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// The file cannot be read or written.
    #[error("`{file}`: {error}")]
    Io {
        /// The file.
        file: String,
        /// Why not.
        error: std::io::Error,
    },
    /// The file is no vector file.
    #[error("`{file}` is no vector file: {error}")]
    Shape {
        /// The file.
        file: String,
        /// Where and why.
        error: serde_json::Error,
    },
    /// A case asks no question that a gate can be asked.
    #[error("`{id}` in `{file}` has no op of this spec: {error}")]
    Op {
        /// The file.
        file: String,
        /// The case.
        id: String,
        /// Where and why.
        error: serde_json::Error,
    },
    /// A file or id is not where it belongs.
    #[error("`{file}`: {what}")]
    Place {
        /// The file.
        file: String,
        /// What is misplaced.
        what: String,
    },
    /// Two cases share an id.
    #[error("the id `{id}` is in `{first}` and again in `{file}`; ids are permanent and unique")]
    Doubled {
        /// The second file.
        file: String,
        /// The id.
        id: String,
        /// The first file.
        first: String,
    },
    /// A twin is not there.
    #[error("`{id}` in `{file}` names the twin `{twin}`, and no case has that id")]
    Twin {
        /// The file.
        file: String,
        /// The case.
        id: String,
        /// The missing twin.
        twin: String,
    },
    /// The model does not agree.
    #[error(
        "`{id}` in `{file}`: the model does not agree with `{member}`; if the model is right, run \
         `gatespec vectors --write` and read the difference"
    )]
    Disagrees {
        /// The file.
        file: String,
        /// The case.
        id: String,
        /// `expected` or `clauses`.
        member: &'static str,
    },
}

impl Vector {
    /// The question of this case.
    ///
    /// # Errors
    /// When the op is unknown or the input has not its shape.
    pub fn question(&self) -> Result<Op, serde_json::Error> {
        Op::parse(&self.op, &self.input)
    }
}

/// The vectors that the crate carries.
///
/// # Errors
/// When one of them breaks a rule of loading.
pub fn embedded() -> Result<Vec<Case>, VectorError> {
    load(
        EMBEDDED
            .iter()
            .map(|&(name, text)| (name.to_owned(), text.to_owned())),
    )
}

const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

/// Loads vector files, given as name and text, and checks each case against the model.
///
/// # Errors
/// The first rule that a file breaks.
pub fn load(files: impl Iterator<Item = (String, String)>) -> Result<Vec<Case>, VectorError> {
    let mut cases = Vec::new();
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    let mut twins = Vec::new();
    for (file, text) in files {
        for vector in parse(&file, &text)?.cases {
            if let Some(first) = ids.insert(vector.id.clone(), file.clone()) {
                return Err(VectorError::Doubled {
                    file,
                    id: vector.id,
                    first,
                });
            }
            if let Some(twin) = &vector.twin {
                twins.push((file.clone(), vector.id.clone(), twin.clone()));
            }
            let op = question(&file, &vector)?;
            agrees(&file, &vector, &op)?;
            cases.push(Case {
                id: vector.id,
                depth: Depth::Vector,
                op,
            });
        }
    }
    match twins
        .into_iter()
        .find(|(_, _, twin)| !ids.contains_key(twin))
    {
        Some((file, id, twin)) => Err(VectorError::Twin { file, id, twin }),
        None => Ok(cases),
    }
}

pub(super) fn parse(file: &str, text: &str) -> Result<VectorFile, VectorError> {
    let parsed: VectorFile = serde_json::from_str(text).map_err(|error| VectorError::Shape {
        file: file.to_owned(),
        error,
    })?;
    let place = |what: String| {
        Err(VectorError::Place {
            file: file.to_owned(),
            what,
        })
    };
    let Some(suite) = Suite::from_word(&parsed.suite) else {
        return place(format!("`{}` is no suite", parsed.suite));
    };
    let names = |fate: &str| file.ends_with(&format!("{suite}/{fate}/{}.json", parsed.topic));
    if !names("accept") && !names("refuse") {
        return place(format!(
            "a file of suite `{suite}` and topic `{0}` belongs at `{suite}/accept/{0}.json` or \
             `{suite}/refuse/{0}.json`",
            parsed.topic
        ));
    }
    let under = format!("{suite}/{}/", parsed.topic);
    if let Some(vector) = parsed
        .cases
        .iter()
        .find(|vector| !vector.id.starts_with(&under))
    {
        return place(format!(
            "the id `{}` does not start with `{under}`",
            vector.id
        ));
    }
    Ok(parsed)
}

fn question(file: &str, vector: &Vector) -> Result<Op, VectorError> {
    vector.question().map_err(|error| VectorError::Op {
        file: file.to_owned(),
        id: vector.id.clone(),
        error,
    })
}

fn agrees(file: &str, vector: &Vector, op: &Op) -> Result<(), VectorError> {
    let disagrees = |member| VectorError::Disagrees {
        file: file.to_owned(),
        id: vector.id.clone(),
        member,
    };
    if vector.clauses != op.clauses() {
        return Err(disagrees("clauses"));
    }
    let expected = vector
        .expected
        .as_ref()
        .and_then(|raw| op.read_output(raw.get()).ok());
    if expected.is_none_or(|expected| expected != op.expected()) {
        return Err(disagrees("expected"));
    }
    Ok(())
}

/// Fills in `clauses` and `expected` of every case from the model, and gives the file's new text.
///
/// # Errors
/// When the file breaks a rule of loading other than agreement with the model.
pub fn fill(file: &str, text: &str) -> Result<String, VectorError> {
    let mut parsed = parse(file, text)?;
    for vector in &mut parsed.cases {
        let op = question(file, vector)?;
        vector.clauses = op.clauses();
        vector.input = op.input();
        vector.expected = Some(json(&op.expected()));
    }
    Ok(write(&parsed))
}

/// A vector file's text: a member a line, inputs and outputs on one.
#[must_use]
pub fn write(file: &VectorFile) -> String {
    let mut text = format!(
        "{{\n  \"suite\": {},\n  \"topic\": {},\n  \"why\": {},\n  \"cases\": [",
        line(&file.suite),
        line(&file.topic),
        line(&file.why)
    );
    for (at, vector) in file.cases.iter().enumerate() {
        text.push_str(if at == 0 { "\n    {\n" } else { ",\n    {\n" });
        let mut members = vec![("id", line(&vector.id)), ("why", line(&vector.why))];
        members.extend(vector.twin.as_ref().map(|twin| ("twin", line(twin))));
        members.extend([
            ("op", line(&vector.op)),
            ("input", vector.input.get().to_owned()),
        ]);
        members.push(("clauses", line(&vector.clauses)));
        members.extend(
            vector
                .expected
                .as_ref()
                .map(|raw| ("expected", raw.get().to_owned())),
        );
        let members: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("      \"{name}\": {value}"))
            .collect();
        text.push_str(&members.join(",\n"));
        text.push_str("\n    }");
    }
    text.push_str("\n  ]\n}\n");
    text
}

/// A value's JSON on one line.
fn line<T: Serialize>(value: &T) -> String {
    json(value).get().to_owned()
}

/// The vector files below a folder, as name and text, in order of their names.
///
/// # Errors
/// When the folder or a file cannot be read.
pub fn files(folder: &Path) -> Result<Vec<(PathBuf, String)>, VectorError> {
    let io = |path: &Path, error| VectorError::Io {
        file: path.display().to_string(),
        error,
    };
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| io(&folder, error))? {
            let path = entry.map_err(|error| io(&folder, error))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "json") {
                let text = std::fs::read_to_string(&path).map_err(|error| io(&path, error))?;
                found.push((path, text));
            }
        }
    }
    found.sort();
    Ok(found)
}
