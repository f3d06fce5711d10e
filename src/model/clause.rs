//! Clauses: the spine. Every normative sentence of `spec/` has an id that is never reused.
//!
//! `spec/<suite>.md` states each clause under a heading `### <ID> · <provenance>`, whose first
//! line is the [`Clause::text`] of the clause here, word for word; a test holds the two together.

use std::fmt;

/// The seven suites, in the order in which the spec is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suite {
    /// The subject grammar.
    Key,
    /// The tool-control seam.
    Verdict,
    /// A tool window under a hold.
    Window,
    /// The operator's acts.
    Boundary,
    /// The mint and the invariants I1–I4.
    Outcome,
    /// Latest resolution wins.
    Ledger,
    /// One gate pass: stations and exits.
    Pass,
}

impl Suite {
    /// Every suite, in reading order.
    pub const ALL: [Self; 7] = [
        Self::Key,
        Self::Verdict,
        Self::Window,
        Self::Boundary,
        Self::Outcome,
        Self::Ledger,
        Self::Pass,
    ];

    /// The suite's word: the name of its chapter, of its files and of the prefix of its ops.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Verdict => "verdict",
            Self::Window => "window",
            Self::Boundary => "boundary",
            Self::Outcome => "outcome",
            Self::Ledger => "ledger",
            Self::Pass => "pass",
        }
    }

    /// The suite with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.word() == word)
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Where a clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provenance {
    /// A seed document says so.
    Seed,
    /// A seed implies it, or leaves it open and this is the safest reading.
    Derived,
    /// Useful, in no seed, and tested only in a profile of its own.
    Extension,
}

impl Provenance {
    /// The mark beside the clause in `spec/`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Derived => "derived",
            Self::Extension => "extension",
        }
    }
}

/// A set of clauses that an implementation takes on as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// What every gate must do.
    Core,
    /// Answers that stand over a conversation or a workspace.
    ScopedAnswers,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 2] = [Self::Core, Self::ScopedAnswers];

    /// The profile's word, as an adapter declares it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::ScopedAnswers => "scoped-answers",
        }
    }
}

macro_rules! clauses {
    ($($suite:ident { $($name:ident $id:literal $provenance:ident $text:literal;)* })*) => {
        /// A normative sentence of the spec, by its permanent id.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "the text of each clause is its documentation")]
        #[non_exhaustive]
        pub enum Clause { $($(#[doc = $text] $name,)*)* }

        impl Clause {
            /// Every clause, in reading order.
            pub const ALL: &'static [Self] = &[$($(Self::$name,)*)*];

            /// The permanent id, such as `KEY-07`.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $($(Self::$name => $id,)*)* }
            }

            /// The suite, and so the chapter, that states the clause.
            #[must_use]
            pub const fn suite(self) -> Suite {
                match self { $($(Self::$name => Suite::$suite,)*)* }
            }

            /// Where the clause comes from.
            #[must_use]
            pub const fn provenance(self) -> Provenance {
                match self { $($(Self::$name => Provenance::$provenance,)*)* }
            }

            /// The clause in one line.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $($(Self::$name => $text,)*)* }
            }
        }
    };
}

impl Clause {
    /// The clause with this id.
    ///
    /// ```
    /// use gatespec::model::Clause;
    /// assert_eq!(Clause::from_id("KEY-01").map(Clause::id), Some("KEY-01"));
    /// assert_eq!(Clause::from_id("KEY-1"), None);
    /// ```
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|clause| clause.id() == id)
    }

    /// The profile that the clause belongs to: extensions are outside the core.
    #[must_use]
    pub const fn profile(self) -> Profile {
        match self.provenance() {
            Provenance::Extension => Profile::ScopedAnswers,
            Provenance::Seed | Provenance::Derived => Profile::Core,
        }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl serde::Serialize for Clause {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> serde::Deserialize<'de> for Clause {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::from_id(&id).ok_or_else(|| {
            serde::de::Error::custom(format_args!(
                "unknown clause `{id}`; `gatespec clauses` lists them"
            ))
        })
    }
}

clauses! {
    Key {
        Key01 "KEY-01" Seed
            "A plan key is `node:`, an optional iteration `iter:n:`, a node name, and for a Step `:step:` and the Step's name; nothing else is one.";
        Key02 "KEY-02" Seed
            "An iteration number is a decimal number with no leading zero and no sign.";
        Key03 "KEY-03" Derived
            "An iteration number above 9223372036854775807 opens no iteration.";
        Key04 "KEY-04" Seed
            "`iter:` followed by anything else than a number and `:` opens no iteration: the node is named `iter`.";
        Key05 "KEY-05" Derived
            "Once `iter:n:` is read it is the iteration, whatever follows.";
        Key06 "KEY-06" Seed
            "A node name is not empty and holds no `:`.";
        Key07 "KEY-07" Seed
            "A node name may hold any byte but `:`, `#` included; matching is on bytes, case-sensitive, and nothing is trimmed or normalised.";
        Key08 "KEY-08" Derived
            "The first `:` after the node name must begin `:step:` with a non-empty rest, and all of the rest is the Step's name.";
        Key09 "KEY-09" Seed
            "A node key is a plan key without a Step.";
        Key10 "KEY-10" Seed
            "The node name of a node key is the name of its node; a Step, an instance and any other name have none.";
        Key11 "KEY-11" Seed
            "The instance of a node is its key and `:taint`.";
        Key12 "KEY-12" Seed
            "The instance of a tool call is its id and `#taint`, for every id, even one that is a plan key.";
        Key13 "KEY-13" Seed
            "A plan key is its own base and no instance, whatever it ends with.";
        Key14 "KEY-14" Seed
            "A subject that starts with `node:`, is no plan key and ends in `:taint` is the instance of the node key before it, if that is a node key.";
        Key15 "KEY-15" Seed
            "A subject that does not start with `node:` and ends in `#taint` is the instance of the call before it.";
        Key16 "KEY-16" Seed
            "Every other subject is its own base and no instance.";
        Key17 "KEY-17" Derived
            "`node:iter:taint` is the instance of the node `iter`; `node:iter:3:taint` is the node `taint` of iteration 3.";
        Key18 "KEY-18" Seed
            "A live tool-use id holds no `#` and does not start with `node:`; whether an empty one is refused is left to the implementation.";
    }
}
