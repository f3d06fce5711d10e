//! Counterexamples, kept as values: replayed alone, and first on the next run.
//!
//! ```
//! use gatespec::conform::kept::Counterexample;
//! use gatespec::conform::shrink::Failing;
//! use gatespec::conform::Answer;
//!
//! let case = gatespec::conform::vectors::embedded().unwrap().remove(0);
//! let failing = Failing::of(case.clone(), Answer::Error("broke".to_owned())).unwrap();
//! let kept = Counterexample::of(&failing);
//! assert_eq!(kept.case(case.op.clone()).op, case.op);
//! assert!(kept.file_name().starts_with(failing.clauses[0].id()));
//! ```

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::shrink::Failing;
use super::{Answer, Case, Depth, SPEC};
use crate::model::Clause;
use crate::ops::{Op, json};

/// The format of a kept counterexample.
pub const FORMAT: u32 = 1;

/// The largest file that is read as a counterexample, in bytes.
pub const MOST_BYTES: u64 = 64 << 20;

/// A failing case on disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Counterexample {
    /// The format of this file: 1.
    pub counterexample: u32,
    /// The spec that the case belongs to.
    pub spec: String,
    /// The clauses that were broken, the one to name first.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub clauses: Vec<Clause>,
    /// The id of the case that it was made from.
    pub from: String,
    /// The op's name.
    pub op: String,
    /// The op's input.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub input: Box<RawValue>,
    /// The model's answer when it was kept; a replay asks the model again.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub expected: Box<RawValue>,
    /// What came back.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub got: Box<RawValue>,
}

/// What is wrong with a kept counterexample.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeptError {
    /// The file or its folder cannot be read or written.
    #[error("cannot {what} `{path}`: {error}")]
    Io {
        /// Read or write.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The file is larger than a counterexample can be.
    #[error("`{0}` is larger than {MOST_BYTES} bytes; it is no counterexample")]
    TooLarge(PathBuf),
    /// The file is no counterexample.
    #[error("`{path}` is no counterexample: {error}")]
    Shape {
        /// The file.
        path: PathBuf,
        /// Where and why.
        error: serde_json::Error,
    },
    /// The file is of another version.
    #[error("`{path}` is of format {format} and spec {spec}; this is format {FORMAT}, spec {SPEC}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u32,
        /// Its spec.
        spec: String,
    },
}

impl Counterexample {
    /// What is kept of a failure.
    #[must_use]
    pub fn of(failing: &Failing) -> Self {
        let Failing {
            case,
            answer,
            clauses,
            ..
        } = failing;
        Self {
            counterexample: FORMAT,
            spec: SPEC.to_owned(),
            clauses: clauses.clone(),
            from: case.id.clone(),
            op: case.op.name().to_owned(),
            input: case.op.input(),
            expected: json(&case.op.expected()),
            got: match answer {
                Answer::Output(output) => json(output),
                _ => RawValue::NULL.to_owned(),
            },
        }
    }

    /// A file name that says the clause and differs for different cases.
    #[must_use]
    pub fn file_name(&self) -> String {
        let clause = self
            .clauses
            .first()
            .map_or("no-clause", |clause| clause.id());
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in self.op.bytes().chain(self.input.get().bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        format!("{clause}-{:08x}.json", hash >> 32)
    }

    /// Writes it into a folder, and gives the file's path.
    ///
    /// # Errors
    /// When the folder cannot be made or the file cannot be written.
    pub fn keep(&self, folder: &Path) -> Result<PathBuf, KeptError> {
        let path = folder.join(self.file_name());
        let failed = |error| KeptError::Io {
            what: "write",
            path: path.clone(),
            error,
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        std::fs::write(&path, text + "\n").map_err(failed)?;
        Ok(path)
    }

    /// Reads one from a file.
    ///
    /// # Errors
    /// When the file cannot be read, is too large, has another shape or is of another version.
    pub fn read(path: &Path) -> Result<(Self, Op), KeptError> {
        let failed = |error| KeptError::Io {
            what: "read",
            path: path.to_owned(),
            error,
        };
        if std::fs::metadata(path).map_err(failed)?.len() > MOST_BYTES {
            return Err(KeptError::TooLarge(path.to_owned()));
        }
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let shape = |error| KeptError::Shape {
            path: path.to_owned(),
            error,
        };
        let kept: Self = serde_json::from_str(&text).map_err(shape)?;
        if kept.counterexample != FORMAT || kept.spec != SPEC {
            return Err(KeptError::Version {
                path: path.to_owned(),
                format: kept.counterexample,
                spec: kept.spec,
            });
        }
        let op = Op::parse(&kept.op, &kept.input).map_err(shape)?;
        Ok((kept, op))
    }

    /// The case to run again.
    #[must_use]
    pub fn case(&self, op: Op) -> Case {
        Case {
            id: self.from.clone(),
            depth: Depth::Kept,
            op,
        }
    }
}

/// Every counterexample in a folder, in order of the file names; none when there is no folder.
///
/// # Errors
/// The first file that cannot be read as one.
pub fn load(folder: &Path) -> Result<Vec<Case>, KeptError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(KeptError::Io {
                what: "read",
                path: folder.to_owned(),
                error,
            });
        }
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| Counterexample::read(path).map(|(kept, op)| kept.case(op)))
        .collect()
}
