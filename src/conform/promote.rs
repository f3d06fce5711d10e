//! A kept counterexample made a golden vector: what one gate got wrong once, every gate is asked
//! for good.
//!
//! ```
//! use gatespec::conform::promote::VectorId;
//! use gatespec::model::Suite;
//!
//! let id = VectorId::read("key/leading-zero/two-digits").unwrap();
//! assert_eq!((id.suite, id.name.as_str()), (Suite::Key, "two-digits"));
//! assert!(VectorId::read("key/Leading Zero/1").is_err());
//! ```

use std::fmt;
use std::path::{Path, PathBuf};

use super::kept::Counterexample;
use super::vectors::{self, Vector, VectorError, VectorFile};
use crate::model::Suite;
use crate::ops::{Op, json};

/// A vector's permanent id, taken apart: `<suite>/<topic>/<name>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorId {
    /// The suite: the folder.
    pub suite: Suite,
    /// The topic: the file.
    pub topic: String,
    /// The case's own name.
    pub name: String,
}

impl VectorId {
    /// Reads an id of three parts; topic and name are of small letters, digits and hyphens.
    ///
    /// # Errors
    /// A sentence that says which part is wrong.
    pub fn read(id: &str) -> Result<Self, String> {
        let parts: Vec<&str> = id.split('/').collect();
        let [suite, topic, name] = parts.as_slice() else {
            return Err(format!(
                "`{id}` is no vector id; write suite/topic/name, such as key/leading-zero/two-digits"
            ));
        };
        let suite =
            Suite::from_word(suite).ok_or_else(|| format!("`{suite}` in `{id}` is no suite"))?;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        for part in [topic, name] {
            if part.is_empty() || !part.chars().all(plain) {
                return Err(format!(
                    "`{part}` in `{id}` is no name; use small letters, digits and hyphens"
                ));
            }
        }
        Ok(Self {
            suite,
            topic: (*topic).to_owned(),
            name: (*name).to_owned(),
        })
    }

    /// The id that a counterexample gets unless it is given one: its clause, and a hash of it.
    #[must_use]
    pub fn of(kept: &Counterexample, op: &Op) -> Self {
        let file = kept.file_name();
        let hash = file.trim_end_matches(".json").rsplit('-').next();
        let clause = kept.clauses.first().copied();
        let clause = clause.or_else(|| op.clauses().first().copied());
        Self {
            suite: op.suite(),
            topic: clause.map_or("kept".to_owned(), |of| of.id().to_ascii_lowercase()),
            name: hash.unwrap_or_default().to_owned(),
        }
    }
}

impl fmt::Display for VectorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.suite, self.topic, self.name)
    }
}

/// What a vector file says a gate must do: the folder that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The gate must say yes.
    Accept,
    /// The gate must say no.
    Refuse,
}

impl Fate {
    /// The folder's name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Refuse => "refuse",
        }
    }
}

/// Why a counterexample is not made a vector.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PromoteError {
    /// The id is of another suite than the case.
    #[error("the case is of suite `{suite}`, and the id `{id}` is not; write `{suite}/{}/{}`", id.topic, id.name)]
    Suite {
        /// The case's suite.
        suite: Suite,
        /// The id.
        id: VectorId,
    },
    /// The vectors that are there already break a rule of loading.
    #[error(transparent)]
    Vectors(#[from] VectorError),
    /// The same question is a vector already.
    #[error("the case is in `{folder}` already, as `{id}`; nothing was written")]
    There {
        /// The folder of the vectors.
        folder: PathBuf,
        /// The id that it has.
        id: String,
    },
    /// The id is given to another case.
    #[error(
        "`{folder}` has another case with the id `{id}`; ids are permanent and unique, so name \
         another --id"
    )]
    Taken {
        /// The folder of the vectors.
        folder: PathBuf,
        /// The id.
        id: VectorId,
    },
    /// The topic is new, or is in both folders.
    #[error(
        "`{folder}` has {} file for the topic `{topic}` of `{suite}`; say with --fate accept or \
         --fate refuse whether a gate must say yes or no to the case, or name the topic of a file \
         that is there in --id",
        if *both { "more than one" } else { "no" }
    )]
    Fate {
        /// The folder of the vectors.
        folder: PathBuf,
        /// The suite.
        suite: Suite,
        /// The topic.
        topic: String,
        /// Whether both `accept` and `refuse` have it.
        both: bool,
    },
}

/// The counterexample as a file of one vector; `clauses` and `expected` are the model's of today.
///
/// # Errors
/// When the id is of another suite than the case.
pub fn promote(op: &Op, id: &VectorId, why: Option<&str>) -> Result<VectorFile, PromoteError> {
    if id.suite != op.suite() {
        return Err(PromoteError::Suite {
            suite: op.suite(),
            id: id.clone(),
        });
    }
    let clauses = op.clauses();
    let text = clauses.first().map_or("", |clause| clause.text());
    let vector = Vector {
        id: id.to_string(),
        why: why.unwrap_or(text).to_owned(),
        twin: None,
        op: op.name().to_owned(),
        input: op.input(),
        clauses,
        expected: Some(json(&op.expected())),
    };
    Ok(VectorFile {
        suite: id.suite.word().to_owned(),
        topic: id.topic.clone(),
        why: text.to_owned(),
        cases: vec![vector],
    })
}

/// The id of the vector that the crate carries and that asks the same question, if there is one.
///
/// # Errors
/// When a vector that the crate carries breaks a rule of loading.
pub fn golden(op: &Op) -> Result<Option<String>, VectorError> {
    let same = vectors::embedded()?.into_iter().find(|case| case.op == *op);
    Ok(same.map(|case| case.id))
}

/// Adds a promoted case to the vectors below a folder, and gives the file that has it now. The
/// folder is made when it is not there; a file of the topic that is there is added to.
///
/// # Errors
/// When the folder's vectors do not load, have the case or its id, or leave open which file the
/// case belongs in, and when the file cannot be written. Nothing is written then.
pub fn add(
    promoted: VectorFile,
    op: &Op,
    id: &VectorId,
    folder: &Path,
    fate: Option<Fate>,
) -> Result<PathBuf, PromoteError> {
    let files = if folder.exists() {
        vectors::files(folder)?
    } else {
        Vec::new()
    };
    let named = files
        .iter()
        .map(|(path, text)| (path.display().to_string(), text.clone()));
    let cases = vectors::load(named)?;
    let folder_is = || folder.to_owned();
    if let Some(same) = cases.iter().find(|case| case.op == *op) {
        return Err(PromoteError::There {
            folder: folder_is(),
            id: same.id.clone(),
        });
    }
    if cases.iter().any(|case| case.id == id.to_string()) {
        return Err(PromoteError::Taken {
            folder: folder_is(),
            id: id.clone(),
        });
    }
    let place = |fate: Fate| {
        let below = format!("{}/{}/{}.json", id.suite, fate.word(), id.topic);
        folder.join(below)
    };
    let there = [Fate::Accept, Fate::Refuse].map(place);
    let path = match (fate, there.each_ref().map(|path| path.exists())) {
        (Some(fate), _) => place(fate),
        (None, [true, false]) => place(Fate::Accept),
        (None, [false, true]) => place(Fate::Refuse),
        (None, [both, _]) => {
            return Err(PromoteError::Fate {
                folder: folder_is(),
                suite: id.suite,
                topic: id.topic.clone(),
                both,
            });
        }
    };
    let old = files.iter().find(|(of, _)| *of == path);
    let file = match old {
        None => promoted,
        Some((path, text)) => {
            let mut file = vectors::parse(&path.display().to_string(), text)?;
            file.cases.extend(promoted.cases);
            file
        }
    };
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(&path, vectors::write(&file)))
        .map_err(|error| VectorError::Io {
            file: path.display().to_string(),
            error,
        })?;
    Ok(path)
}
