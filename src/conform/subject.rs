//! A gate under test, in this process or in another.
//!
//! ```
//! use gatespec::conform::Hello;
//!
//! let mut hello = Hello::reference();
//! assert_eq!(hello.has(&["delegate", "scoped-answers"]), Ok(()));
//! hello.lacks = vec!["delegate".to_owned()];
//! assert_eq!(hello.has(&["delegate"]), Err("delegate"));
//! hello.profiles.clear();
//! assert_eq!(hello.has(&["scoped-answers"]), Err("scoped-answers"));
//! ```

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Case, PROTOCOL, SPEC};
use crate::model::Suite;
use crate::mutants::{Mutant, Reply};
use crate::ops::{Op, Output};

/// Something that answers cases.
pub trait Subject {
    /// What the gate says of itself.
    ///
    /// # Errors
    /// When it cannot be started or does not say hello.
    fn hello(&mut self) -> Result<Hello, Stopped>;

    /// Puts every case to the gate. Each case that was taken is given back once, with its answer,
    /// in any order.
    ///
    /// # Errors
    /// When the gate can be asked no more; cases that were taken and not given back were not run.
    fn run(
        &mut self,
        cases: &mut dyn Iterator<Item = Case>,
        done: &mut dyn FnMut(Case, Answer),
    ) -> Result<(), Stopped>;

    /// Sends the gate away. What it did wrong that belongs to no case, a sentence each.
    fn end(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// What came back for a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// An output of the op's shape.
    Output(Output),
    /// The gate has not what the case asks about.
    Unsupported(String),
    /// An output that is not of the op's shape.
    Malformed {
        /// What was said.
        output: String,
        /// What is wrong with it.
        why: String,
    },
    /// The gate says that it broke.
    Error(String),
    /// The adapter died: how, and the end of its stderr.
    Crashed(String),
    /// No answer within the time-out: the end of its stderr.
    TimedOut(String),
    /// The adapter broke the protocol: how.
    Protocol(String),
}

impl Answer {
    /// What a reply of a gate in this process comes to, read as an adapter's is.
    #[must_use]
    pub fn of(op: &Op, reply: Reply) -> Self {
        match reply {
            Reply::Output(output) => Self::Output(output),
            Reply::Unsupported(why) => Self::Unsupported(why),
            Reply::Raw(output) => match op.read_output(&output) {
                Ok(output) => Self::Output(output),
                Err(why) => Self::Malformed {
                    output,
                    why: why.to_string(),
                },
            },
        }
    }
}

/// Why a gate can be asked no more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    /// It was never there to be asked: the handshake failed.
    #[error("{0}")]
    Handshake(String),
    /// It was given up under way.
    #[error("{0}")]
    GaveUp(String),
    /// The person who ran the check ended it.
    #[error("interrupted; what was finished is reported")]
    Interrupted,
}

/// What a gate says of itself in the handshake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The protocol that it speaks: 1.
    pub protocol: u32,
    /// The implementation's name.
    pub name: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The language that it is written in.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// The suites that it takes on.
    pub suites: Vec<String>,
    /// The words of the spec that it has not: cases that need one are counted as unsupported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    /// The extension profiles that it takes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
    /// Whether it has the `echo` op, by which its overhead is measured apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub echo: bool,
}

impl Hello {
    /// The reference's hello: every suite, every profile, nothing lacked.
    #[must_use]
    pub fn reference() -> Self {
        Self {
            protocol: PROTOCOL,
            name: "gatespec".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            language: "rust".to_owned(),
            suites: Suite::ALL.map(|suite| suite.word().to_owned()).to_vec(),
            lacks: Vec::new(),
            profiles: vec![crate::model::Profile::ScopedAnswers.word().to_owned()],
            echo: true,
        }
    }

    /// The line that gatespec opens the conversation with.
    #[must_use]
    pub fn line() -> String {
        format!(r#"{{"hello":{{"protocol":{PROTOCOL},"spec":"{SPEC}"}}}}"#)
    }

    /// Whether a case that needs these words can be put to this gate; else the word that it lacks.
    ///
    /// # Errors
    /// The first word that the gate lacks: of its `lacks`, or a profile that it did not declare.
    pub fn has<'a>(&self, needs: &[&'a str]) -> Result<(), &'a str> {
        let profiles: BTreeSet<&str> = self.profiles.iter().map(String::as_str).collect();
        let extension = |word: &str| crate::model::Profile::ALL.iter().any(|p| p.word() == word);
        let lacked = |word: &&&str| {
            self.lacks.iter().any(|lack| lack == **word)
                || (extension(word) && !profiles.contains(**word))
        };
        needs.iter().find(lacked).map_or(Ok(()), |word| Err(word))
    }
}

/// A gate in this process: a hello and a function.
pub struct InProcess<F> {
    hello: Hello,
    answer: F,
}

impl<F: FnMut(&Op) -> Answer> InProcess<F> {
    /// A gate that answers by a function.
    pub const fn new(hello: Hello, answer: F) -> Self {
        Self { hello, answer }
    }
}

impl InProcess<fn(&Op) -> Answer> {
    /// The model itself.
    #[must_use]
    pub fn reference() -> Self {
        Self::new(Hello::reference(), |op| Answer::Output(op.expected()))
    }
}

/// A mutant as a gate: it answers the suite of its clause wrongly in one way.
#[must_use]
pub fn mutant(mutant: Mutant) -> InProcess<impl FnMut(&Op) -> Answer> {
    let hello = Hello {
        name: mutant.id.to_owned(),
        suites: vec![mutant.clause.suite().word().to_owned()],
        ..Hello::reference()
    };
    InProcess::new(hello, move |op| Answer::Output((mutant.answer)(op)))
}

impl<F: FnMut(&Op) -> Answer> Subject for InProcess<F> {
    fn hello(&mut self) -> Result<Hello, Stopped> {
        Ok(self.hello.clone())
    }

    fn run(
        &mut self,
        cases: &mut dyn Iterator<Item = Case>,
        done: &mut dyn FnMut(Case, Answer),
    ) -> Result<(), Stopped> {
        for case in cases {
            let answer = (self.answer)(&case.op);
            done(case, answer);
        }
        Ok(())
    }
}
