//! The questions that can be put to a gate: one file a suite, each with its wire shape, the
//! model's answer, the judge of another's answer, and how a question is made smaller.
//!
//! An [`Op`] is one stateless question: it carries all that the answer depends on, so that a case
//! can be sent alone, replayed alone and shrunk alone. Its JSON is
//! `{"op": "key.base", "input": {…}}`, and an answer's is the bare [`Output`]. `spec/protocol.md`
//! states each shape for people who write adapters.
//!
//! ```
//! use gatespec::model::Clause;
//! use gatespec::ops::Op;
//! use serde_json::value::RawValue;
//!
//! let input = RawValue::from_string(r#"{"subject":"node:iter:03:x"}"#.to_owned()).unwrap();
//! let op = Op::parse("key.planKey", &input).unwrap();
//! let wrong = op.read_output(r#"{"planKey":{"key":"node:iter:03:x","iteration":"3","node":"x"}}"#);
//! assert_eq!(op.judge(&wrong.unwrap()).first(), Some(&Clause::Key02));
//! assert!(op.judge(&op.expected()).is_empty());
//! ```

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::model::{Clause, Suite};

mod asked;
pub mod boundary;
mod fate;
pub mod key;
pub mod ledger;
pub mod outcome;
pub mod pass;
#[cfg(feature = "schema")]
mod schema;
pub mod shrink;
pub mod text;
pub mod verdict;
pub mod window;

pub use text::Text;

/// What one suite brings to the kit.
pub trait SuiteOp: Clone + Debug + PartialEq + Serialize + DeserializeOwned {
    /// What a gate answers.
    type Output: Clone + Debug + PartialEq + Serialize;

    /// The op's name on the wire, such as `key.base`.
    fn name(&self) -> &'static str;

    /// The model's answer.
    fn expected(&self) -> Self::Output;

    /// Reads a gate's output for this op.
    ///
    /// # Errors
    /// When the output has not the shape that `spec/protocol.md` states for this op: a member is
    /// missing, unknown, doubled or of another type.
    fn read_output(&self, output: &str) -> Result<Self::Output, serde_json::Error>;

    /// The clauses that a gate's answer breaks: empty when it conforms. The first is the one to
    /// name.
    ///
    /// Where a clause leaves a choice to the implementation, every permitted answer conforms.
    fn judge(&self, got: &Self::Output) -> Vec<Clause>;

    /// The clauses that the expected answer rests on, the deciding one first. Never empty.
    fn clauses(&self) -> Vec<Clause>;

    /// The words of the spec that a gate must have to be asked this: what it may declare that it
    /// `lacks` in its hello.
    fn needs(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Whether the law answers this question, so that a gate may be asked it. A question of the
    /// right shape that the spec leaves open is none.
    fn is_asked(&self) -> bool {
        true
    }

    /// Questions that are each one step smaller than this one, the boldest step first. Repeated
    /// steps must end: each is smaller by [`weight`].
    fn smaller(&self) -> Vec<Self>;

    /// What happens in this case, in the field's words, a line a step: *let … then …*.
    fn story(&self) -> Vec<String>;

    /// The story with the step marked at which this answer parts from it, where a suite can say.
    fn told(&self, _got: &Self::Output) -> Vec<String> {
        self.story()
    }
}

macro_rules! ops {
    ($($suite:ident $module:ident;)*) => {
        /// One question to a gate.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Op { $(#[doc = concat!("A question of the `", stringify!($module), "` suite.")] $suite($module::Op),)* }

        /// A gate's answer to an [`Op`] of the same suite.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Output { $(#[doc = concat!("An answer of the `", stringify!($module), "` suite.")] $suite($module::Output),)* }

        impl Op {
            /// The suite that the question belongs to.
            #[must_use]
            pub const fn suite(&self) -> Suite {
                match self { $(Self::$suite(_) => Suite::$suite,)* }
            }

            /// The op's name on the wire.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $(Self::$suite(op) => op.name(),)* }
            }

            /// The model's answer.
            #[must_use]
            pub fn expected(&self) -> Output {
                match self { $(Self::$suite(op) => Output::$suite(op.expected()),)* }
            }

            /// Reads a gate's output for this op.
            ///
            /// # Errors
            /// When the output has not the shape that `spec/protocol.md` states for this op.
            pub fn read_output(&self, output: &str) -> Result<Output, serde_json::Error> {
                match self { $(Self::$suite(op) => op.read_output(output).map(Output::$suite),)* }
            }

            /// The clauses that an answer breaks, the one to name first; empty when it conforms.
            #[must_use]
            pub fn judge(&self, got: &Output) -> Vec<Clause> {
                match (self, got) {
                    $((Self::$suite(op), Output::$suite(got)) => op.judge(got),)*
                    // an answer of another suite is an answer to another question
                    _ => self.clauses(),
                }
            }

            /// The clauses that the expected answer rests on, the deciding one first.
            #[must_use]
            pub fn clauses(&self) -> Vec<Clause> {
                match self { $(Self::$suite(op) => op.clauses(),)* }
            }

            /// Whether the law answers this question, so that a gate may be asked it.
            #[must_use]
            pub fn is_asked(&self) -> bool {
                match self { $(Self::$suite(op) => op.is_asked(),)* }
            }

            /// The words that a gate must have to be asked this.
            #[must_use]
            pub fn needs(&self) -> Vec<&'static str> {
                match self { $(Self::$suite(op) => op.needs(),)* }
            }

            /// Questions one step smaller, the boldest first.
            #[must_use]
            pub fn smaller(&self) -> Vec<Self> {
                match self {
                    $(Self::$suite(op) => op.smaller().into_iter().map(Self::$suite).collect(),)*
                }
            }

            /// What happens in this case, a line a step.
            #[must_use]
            pub fn story(&self) -> Vec<String> {
                match self { $(Self::$suite(op) => op.story(),)* }
            }

            /// The story with the step marked at which an answer parts from it, where the suite
            /// can say; an answer of another suite marks none.
            #[must_use]
            pub fn told(&self, got: &Output) -> Vec<String> {
                match (self, got) {
                    $((Self::$suite(op), Output::$suite(got)) => op.told(got),)*
                    _ => self.story(),
                }
            }

            /// The names of every op of a suite.
            #[must_use]
            pub const fn names(suite: Suite) -> &'static [&'static str] {
                match suite { $(Suite::$suite => $module::NAMES,)* }
            }

            fn read(suite: Suite, text: &str) -> Result<Self, serde_json::Error> {
                match suite {
                    $(Suite::$suite => serde_json::from_str(text).map(Self::$suite),)*
                }
            }
        }

        /// The schemas of every suite's requests and outputs, by name.
        #[cfg(feature = "schema")]
        #[must_use]
        pub fn schemas() -> Vec<(String, schemars::Schema)> {
            vec![$(
                (format!("{}.request", Suite::$suite), schemars::schema_for!($module::Op)),
                (format!("{}.output", Suite::$suite), schemars::schema_for!($module::Output)),
            )*]
        }

        impl Serialize for Op {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$suite(op) => op.serialize(serializer),)* }
            }
        }

        $(impl From<$module::Op> for Op {
            fn from(op: $module::Op) -> Self { Self::$suite(op) }
        })*
    };
}

ops! {
    Key key;
    Verdict verdict;
    Window window;
    Boundary boundary;
    Outcome outcome;
    Ledger ledger;
    Pass pass;
}

impl Op {
    /// Reads a question from the op's name and the JSON of its input, strictly.
    ///
    /// # Errors
    /// When the op is unknown, or the input has not the shape that `spec/protocol.md` states.
    pub fn parse(name: &str, input: &RawValue) -> Result<Self, serde_json::Error> {
        let suite = name
            .split_once('.')
            .and_then(|(suite, _)| Suite::from_word(suite));
        match suite.filter(|&suite| Self::names(suite).contains(&name)) {
            // the name is one of the spec's: it needs no escapes
            Some(suite) => Self::read(suite, &format!(r#"{{"op":"{name}","input":{input}}}"#)),
            None => Err(serde::de::Error::custom(format_args!(
                "unknown op `{name}`; spec/protocol.md lists them"
            ))),
        }
    }

    /// The JSON of the input.
    #[must_use]
    pub fn input(&self) -> Box<RawValue> {
        #[derive(Deserialize)]
        struct Input {
            input: Box<RawValue>,
        }
        let written: Result<Input, _> = serde_json::from_str(json(self).get());
        written.map_or_else(|_| RawValue::NULL.to_owned(), |written| written.input)
    }
}

/// Reads an output of type `T`, strictly; the `read_output` of most ops.
///
/// # Errors
/// When `output` is no JSON of that shape.
pub fn read<T: DeserializeOwned>(output: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(output)
}

/// How large a question is: the bytes of its JSON. Shrinking goes down in it.
#[must_use]
pub fn weight<T: Serialize>(op: &T) -> usize {
    serde_json::to_string(op).map_or(usize::MAX, |json| json.len())
}

/// The JSON of a value as it goes over the wire: no spaces, members in the order of the type.
#[must_use]
pub fn json<T: Serialize>(value: &T) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
