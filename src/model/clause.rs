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

    /// The profile with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.word() == word)
    }
}

macro_rules! clauses {
    // the dollar is handed in, for the macros that this one makes
    (($d:tt) $($suite:ident $list:ident {
        $($name:ident $id:literal $provenance:ident $text:literal;)*
    })*) => {
        /// A normative sentence of the spec, by its permanent id.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

        $(
            /// Hands the names of a suite's clauses to another macro.
            #[doc(hidden)]
            #[macro_export]
            macro_rules! $list {
                ($d callback:ident) => { $d callback! { $($name)* } };
            }
        )*
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
    ($)
    Key key_clauses {
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
    Verdict verdict_clauses {
        Ver01 "VER-01" Seed
            "With no control configured the call proceeds, and nothing is spawned or consulted.";
        Ver02 "VER-02" Seed
            "A configured control is consulted about the call before the call can execute.";
        Ver03 "VER-03" Seed
            "The request on the control's stdin is one JSON object of exactly `id`, `name`, `input`, `role` and `agent_id`, with the call's own values.";
        Ver04 "VER-04" Seed
            "`input` reaches the control verbatim: nothing in it is dropped, added or changed, at any depth.";
        Ver05 "VER-05" Seed
            "`pass` lets the call proceed.";
        Ver06 "VER-06" Seed
            "`refuse` refuses the call, with the control's reason.";
        Ver07 "VER-07" Seed
            "`hold` holds the call, with the control's reason.";
        Ver08 "VER-08" Seed
            "A control that will not spawn is a fault.";
        Ver09 "VER-09" Seed
            "A control that a signal kills while the stop flag is not set is a fault, whatever it printed.";
        Ver10 "VER-10" Seed
            "A control that exits non-zero is a fault, whatever it printed.";
        Ver11 "VER-11" Seed
            "A control that exits 0 and prints anything but exactly one well-formed verdict is a fault.";
        Ver12 "VER-12" Derived
            "A control that does not end in time is a fault, whatever it printed, and under the stop flag too.";
        Ver13 "VER-13" Seed
            "A control that a signal kills while the stop flag is set is the stop: the call does not execute, and it is no fault.";
        Ver14 "VER-14" Seed
            "The stop flag changes nothing else: a verdict stands, and a control that does not spawn, exits non-zero or prints no verdict is still a fault.";
        Ver15 "VER-15" Seed
            "A fault names the control's command, the tool, and a detail of what went wrong.";
        Ver16 "VER-16" Derived
            "A verdict is one JSON object, with nothing but JSON white space before or after it.";
        Ver17 "VER-17" Derived
            "`verdict` is one of the strings `pass`, `refuse` and `hold`, in that case, and it is never missing.";
        Ver18 "VER-18" Derived
            "`reason` is a string, there beside `refuse` and `hold` and absent beside `pass`; whether `\"reason\": null` beside `pass` is a fault is left to the implementation.";
        Ver19 "VER-19" Derived
            "A member other than `verdict` and `reason` is a fault.";
        Ver20 "VER-20" Derived
            "A member given twice is a fault, however its name is written and whether or not its values agree.";
        Ver21 "VER-21" Derived
            "The output is read as JSON text in UTF-8, escapes and inner white space included; what is none is a fault, and no bytes whatever crash or hang the reader.";
        Ver22 "VER-22" Derived
            "A reason is carried as the control gave it: nothing is trimmed, cut, folded or added, and an empty one is a reason.";
        Ver23 "VER-23" Seed
            "The refusal that the model reads is marked an error, names the tool and carries the reason.";
        Ver24 "VER-24" Seed
            "A refusal carries no exit code: no child ran.";
    }
    Window window_clauses {
        Win01 "WIN-01" Derived
            "A drive walks the calls of the step in order: one is adjudicated, and executed where it may be, before the next is looked at.";
        Win02 "WIN-02" Seed
            "No call executes in a drive that its control did not pass in that drive; with no control configured a call proceeds and nothing is consulted.";
        Win03 "WIN-03" Seed
            "A call that passes executes in that drive, and its result commits.";
        Win04 "WIN-04" Seed
            "A refused call never executes: what commits is an error result that is its refusal.";
        Win05 "WIN-05" Derived
            "After a refusal the walk goes on with the next call.";
        Win06 "WIN-06" Seed
            "A held call is parked before execution: the mark names its id, its tool and the reason.";
        Win07 "WIN-07" Seed
            "A hold ends the window: nothing at or past the held call is executed or committed in that drive, and nothing past it is consulted.";
        Win08 "WIN-08" Derived
            "A drive skips every call whose result is committed: it is neither consulted about nor executed again.";
        Win09 "WIN-09" Seed
            "A later drive adjudicates the held call afresh, and only that releases it.";
        Win10 "WIN-10" Derived
            "The mark, not the configuration, asserts the park: with the control removed the held call passes.";
        Win11 "WIN-11" Derived
            "The mark lifts when its call is adjudicated to anything but hold, and before the call can execute.";
        Win12 "WIN-12" Derived
            "A fault leaves the mark standing.";
        Win13 "WIN-13" Derived
            "A call that is held again has its mark restated, with the new reason.";
        Win14 "WIN-14" Derived
            "Each call executes at most once and gets at most one result, over any number of drives.";
        Win15 "WIN-15" Derived
            "Results commit in the order of the calls, each after what it reports.";
        Win16 "WIN-16" Seed
            "A stop ends the window: the stopped call and every call after it are not executed.";
        Win17 "WIN-17" Derived
            "A stop settles every unanswered call by an error result that says it was interrupted.";
        Win18 "WIN-18" Derived
            "A mark whose call a stop has settled is stale: it is gone after the next drive at the latest.";
        Win19 "WIN-19" Seed
            "A fault ends the drive: nothing commits for that call, and nothing after it is consulted about, executed or committed.";
        Win20 "WIN-20" Derived
            "After a fault with no mark standing, the next drive adjudicates the unanswered calls or settles them all as errors, as the implementation chooses; none of them runs unadjudicated.";
        Win21 "WIN-21" Derived
            "What a harness does with a repeated id is left to it, save that no call runs unadjudicated.";
        Win22 "WIN-22" Derived
            "A drive that reaches the end of its calls is done, and no mark stands after it.";
    }
    Boundary boundary_clauses {
        Bnd01 "BND-01" Seed
            "There are three verdicts, and an operator is offered them in the order `pass`, `refuse`, `hold`.";
        Bnd02 "BND-02" Seed
            "An act is an envelope that holds its word in `op`, then `workspace` and `agent`, and for an answer `verdict`.";
        Bnd03 "BND-03" Derived
            "An envelope with an unknown act, an unknown verdict or a missing member is refused and changes nothing.";
        Bnd04 "BND-04" Derived
            "An agent descends from each agent whose id, with a `-` after it, begins its own id byte for byte, and from no other.";
        Bnd05 "BND-05" Derived
            "Workspaces are apart: what happens in one changes nothing in another.";
        Bnd06 "BND-06" Seed
            "A call is ruled by the answer to this very call; without one by the floor; without a floor by policy.";
        Bnd07 "BND-07" Derived
            "A call that is ruled hold is the one held at its agent; a call that is ruled pass or refuse is held no longer.";
        Bnd08 "BND-08" Derived
            "When another call is ruled at the agent, the call that was held there has left, and its answer with it.";
        Bnd09 "BND-09" Seed
            "An answer is about the one call that is held at the agent when it is given, and rules no other call.";
        Bnd10 "BND-10" Seed
            "An answer is refused when nothing is held at the agent, and nothing changes.";
        Bnd11 "BND-11" Seed
            "The answer `pass` lets the held call through, under a floor too.";
        Bnd12 "BND-12" Seed
            "The answer `refuse` declines the held call.";
        Bnd13 "BND-13" Seed
            "The answer `hold` keeps the held call parked, even if it would pass without the answer.";
        Bnd14 "BND-14" Seed
            "The answers `pass` and `refuse` drive the conversation on; `hold` drives nothing.";
        Bnd15 "BND-15" Derived
            "A later answer to the same held call replaces the earlier.";
        Bnd16 "BND-16" Derived
            "An answer is spent when its call is ruled pass or refuse: the same id later is a new question.";
        Bnd17 "BND-17" Seed
            "Under a floor every call but a read is held.";
        Bnd18 "BND-18" Seed
            "A read is ruled by policy under a floor too.";
        Bnd19 "BND-19" Seed
            "What policy refuses stays refused under a floor.";
        Bnd20 "BND-20" Seed
            "A floor covers its agent and all its descendants, those that do not exist yet too, and no other agent.";
        Bnd21 "BND-21" Seed
            "`revoke` and `restore` release no held call and take no answer away.";
        Bnd22 "BND-22" Seed
            "`restore` lowers the agent's own floor and no other.";
        Bnd23 "BND-23" Seed
            "The receipt of `revoke` and `restore` says whether a floor stands over the agent after the act, an ancestor's too.";
        Bnd24 "BND-24" Seed
            "`revoke` and `restore` are never refused, not for an agent that was never floored or does not exist.";
        Bnd25 "BND-25" Seed
            "`revoke` and `restore` drive nothing.";
        Bnd26 "BND-26" Seed
            "The latest of `revoke` and `restore` on one agent decides whether its own floor stands, however often either came before.";
        Bnd27 "BND-27" Extension
            "An answer may say in `scope` how far it stands: `call`, `conversation` or `workspace`; without a scope it is `call`, and another word is refused and changes nothing.";
        Bnd28 "BND-28" Extension
            "An answer of scope `conversation` rules later calls of the same tool and effect at its agent and all its descendants.";
        Bnd29 "BND-29" Extension
            "An answer of scope `workspace` rules later calls of the same tool and effect at every agent of its workspace.";
        Bnd30 "BND-30" Extension
            "A destructive or secret call takes an answer of scope `call` only: a wider one is refused and changes nothing.";
        Bnd31 "BND-31" Extension
            "The nearest conversation's standing answer rules, and the workspace's where no conversation's stands.";
        Bnd32 "BND-32" Extension
            "While a floor stands over an agent no standing answer rules there; when it is lowered they stand again.";
        Bnd33 "BND-33" Extension
            "What policy refuses no standing answer loosens.";
        Bnd34 "BND-34" Extension
            "A later standing answer of the same scope, place and class replaces the earlier.";
        Bnd35 "BND-35" Derived
            "A drive rules each call when it comes to it: an act counts for every call that is ruled after it and for none that was ruled before.";
    }
    Outcome outcome_clauses {
        I1 "I1" Seed
            "A record carries a settlement and the origin of its ask, or neither.";
        I2 "I2" Derived
            "Who refused is named exactly when the pass refused, and `ask_resolution` is named exactly when the settlement that the pass consumed is a refusal.";
        I3 "I3" Seed
            "A yes beside a deny is a later layer's veto: the yes stays on the settlement, the layer is who refused, and only a layer that can speak after a resolution may stand there.";
        I4 "I4" Seed
            "The record says what ended the wait, whatever the decision claims: an allow that carries a refusal settlement is that refusal, and a refusal is never an approval or another refusal.";
        Out01 "OUT-01" Seed
            "Facts that break an invariant or a rule of this chapter are a defect of the gate, and a defect is neither a deny nor an allow: nothing is minted.";
        Out02 "OUT-02" Seed
            "All other facts are minted, into a record that carries each of them unchanged, save the licence.";
        Out03 "OUT-03" Seed
            "A cause stands only beside who refused.";
        Out04 "OUT-04" Seed
            "A release by the permission mode never stands beside who refused.";
        Out05 "OUT-05" Seed
            "A refusal by the permission mode stands only beside `mode` as who refused.";
        Out06 "OUT-06" Seed
            "A classification that the pass ran is recorded on an allow and on a deny alike.";
        Out07 "OUT-07" Derived
            "Who refused is one of twelve layers, each under its own name.";
        Out08 "OUT-08" Derived
            "The layers that can speak after a resolution, and so veto a yes, are `policy`, `org`, `write_protection`, `hook_rescreen` and `edit_cap`.";
        Out09 "OUT-09" Derived
            "A settlement is approved by a person or by a delegate, never by the engine, or refused for one of six reasons.";
        Out10 "OUT-10" Seed
            "A direct refusal by one layer is a deny by that layer, with no ask settled and nothing else on the record.";
        Out11 "OUT-11" Seed
            "There is no direct refusal by `ask_resolution`.";
        Out12 "OUT-12" Seed
            "The record of a pass is minted once, and whatever shows the outcome shows that object.";
        Out13 "OUT-13" Derived
            "A settled ask of which nothing is known is no settled ask.";
    }
    Ledger ledger_clauses {
        Led01 "LED-01" Seed
            "A ledger is one pass's and one call's, and starts with nothing settled.";
        Led02 "LED-02" Seed
            "The latest resolution wins: an event that settles puts its settlement in the place of any earlier one.";
        Led03 "LED-03" Derived
            "An event that does not settle, supersede or drop leaves what is settled as it was.";
        Led04 "LED-04" Seed
            "`set` settles the refusal that the engine composed.";
        Led05 "LED-05" Seed
            "A record of another call never counts, on a resolution and on a decision alike.";
        Led06 "LED-06" Seed
            "A resolution's record counts only under the origin word of the ask that was put.";
        Led07 "LED-07" Seed
            "A resolution's record counts only with the class set of the ask that was put, compared as a set.";
        Led08 "LED-08" Seed
            "A resolution's record counts only for the bytes that the answer licenses: the resolver's edited input where there is one, else the request's.";
        Led09 "LED-09" Seed
            "A resolution whose record counts and is a refusal settles that refusal and is a deny by `ask_resolution`, whatever it claims.";
        Led10 "LED-10" Seed
            "An allow whose record counts and is a yes settles that yes, licensed for exactly the bytes that the record counts for.";
        Led11 "LED-11" Derived
            "A deny whose record counts and is a yes contradicts itself: it settles a refusal, `approver_contract`, and is a deny by `ask_resolution`.";
        Led12 "LED-12" Seed
            "A resolution that denies without a record that counts settles a refusal, `approver_contract`, and is a deny by `ask_resolution`.";
        Led13 "LED-13" Seed
            "A resolution that allows without a record that counts, of an ask that needs a real approval, is refused likewise.";
        Led14 "LED-14" Seed
            "A resolution that allows without a record that counts, of any other ask, is a posture allow and settles nothing.";
        Led15 "LED-15" Seed
            "A resolution that carries the retired member `settlement` is a loud fault, whatever else it carries; it settles nothing.";
        Led16 "LED-16" Seed
            "A decision without a record settles nothing: an allow stays an allow, and a deny is by `policy`.";
        Led17 "LED-17" Seed
            "An allow or a deny with a refusal record settles that refusal and is a deny by `ask_resolution`.";
        Led18 "LED-18" Seed
            "A deny with a yes on its record is a veto: the yes is settled and the deny is by `policy`.";
        Led19 "LED-19" Seed
            "An allow with a yes on its record settles that yes if it licensed the bytes that will run.";
        Led20 "LED-20" Seed
            "An allow with a yes on its record for other bytes than will run stays an allow and settles nothing.";
        Led21 "LED-21" Derived
            "A decision that asks settles nothing and stays an ask, whatever record it carries.";
        Led22 "LED-22" Seed
            "A surviving ask supersedes whatever was settled: nothing is.";
        Led23 "LED-23" Seed
            "A yes that was licensed for other bytes than run leaves the record.";
        Led24 "LED-24" Seed
            "A yes that was licensed for the bytes that run stays, and so does a refusal.";
        Led25 "LED-25" Seed
            "`causeOf` reads the classifier's cause that a deny recorded for this call, and of anything else nothing.";
        Led26 "LED-26" Seed
            "`classifierRoundOf` reads the round that a decision recorded for this call, on an allow and on a deny alike.";
        Led27 "LED-27" Derived
            "Two inputs have the same digest exactly when they are the same input.";
    }
    Pass pass_clauses {
        Pass01 "PASS-01" Seed
            "Arguments that cannot be copied are refused before anyone judges them, by `policy`, and the observer is told.";
        Pass02 "PASS-02" Seed
            "A pass works on its own copy of the arguments: what anyone writes into what was handed to them changes nothing in it.";
        Pass03 "PASS-03" Seed
            "Each seat's binding is read once, at the entry: a seat that is replaced under way changes nothing in this pass.";
        Pass04 "PASS-04" Seed
            "A screening that threw, never answered or was cancelled is a deny by `engine`, and the observer is told.";
        Pass05 "PASS-05" Seed
            "The hook's own deny is a deny by `hook`, and the observer is not told.";
        Pass06 "PASS-06" Seed
            "A rewrite by the hook is the input that every later station sees.";
        Pass07 "PASS-07" Seed
            "The compliance lock, when it is shut, is a deny by `compliance`.";
        Pass08 "PASS-08" Seed
            "The plan-mode block, when it is shut, is a deny by `plan_mode`.";
        Pass09 "PASS-09" Seed
            "The policy's allow, ask or deny stands, a deny by `policy`; where no policy is configured an allow stands.";
        Pass10 "PASS-10" Derived
            "A policy that threw or never answered is a deny by `policy`.";
        Pass11 "PASS-11" Seed
            "The record on a policy's decision is read by the ledger: a refusal on record is the refusal of the ask whatever the decision claims, a yes is kept for the bytes that it licensed, and a yes beside a deny is a veto.";
        Pass12 "PASS-12" Seed
            "A rewrite by the policy is the input that every later station sees and that runs, an approval in between included.";
        Pass13 "PASS-13" Seed
            "The cause and the classifier round that a policy's decision carries are on the record, the cause beside a deny alone.";
        Pass14 "PASS-14" Seed
            "A deny is final: no later station is asked, and none makes it anything softer.";
        Pass15 "PASS-15" Seed
            "The hook's ask stands over a policy's allow, and nowhere else.";
        Pass16 "PASS-16" Seed
            "A probe that says irreversible puts its question over a surviving allow.";
        Pass17 "PASS-17" Seed
            "A probe that was asked and did not answer puts its question over a surviving allow, and whichever ask then stands only a person may answer with a yes.";
        Pass18 "PASS-18" Seed
            "The read station puts its question over a surviving allow.";
        Pass19 "PASS-19" Seed
            "A write-protection match puts its question over a surviving allow, and whichever ask then stands no automatic arm clears: a live decider may.";
        Pass20 "PASS-20" Seed
            "Where a written target could not be resolved, whichever ask then stands only a person may answer with a yes.";
        Pass21 "PASS-21" Seed
            "A tool that does not state its effects has its question put over a surviving allow, after every tighten.";
        Pass22 "PASS-22" Seed
            "The first station that puts a question is the origin of the ask; a later one changes neither the ask nor its origin.";
        Pass23 "PASS-23" Seed
            "An ask that stands after the fold supersedes whatever an earlier decision settled.";
        Pass24 "PASS-24" Seed
            "The organisation's deny is a deny by `org`, whatever stood before it.";
        Pass25 "PASS-25" Derived
            "The organisation's question is put over a surviving allow.";
        Pass26 "PASS-26" Seed
            "A stored allow rule clears a surviving ask, but none that write protection, an unresolved target or a silent probe mandates.";
        Pass27 "PASS-27" Seed
            "The read-only arm clears a surviving ask, but no mandated one, and none where the read boundary declined to judge.";
        Pass28 "PASS-28" Seed
            "The hook's own allow clears a surviving ask while no policy rewrote the arguments since, but no mandated one.";
        Pass29 "PASS-29" Seed
            "The classifier is asked about a surviving ask alone: its allow clears the ask, its deny is a deny by `classifier`.";
        Pass30 "PASS-30" Seed
            "A classifier that answers nothing usable is a deny by `classifier` with the cause.";
        Pass31 "PASS-31" Seed
            "The classifier's round is on the record, of an allow and of a deny alike, when the classifier can name its model.";
        Pass32 "PASS-32" Seed
            "The mode's release of a surviving ask is an allow, and the record says how it was released.";
        Pass33 "PASS-33" Seed
            "The mode's refusal of a surviving ask is a deny by `mode`, and the record says how it was refused.";
        Pass34 "PASS-34" Derived
            "The mode and the sandbox release no mandated ask; what the mode did not release is not recorded as released.";
        Pass35 "PASS-35" Derived
            "The sandbox admits a call under a surviving ask, but never where the hook asked for a question.";
        Pass36 "PASS-36" Seed
            "An ask whose content cannot be shown ends as a refusal, `unshown_content`, that the gate settles itself.";
        Pass37 "PASS-37" Seed
            "An ask that can be parked suspends the pass: nothing is minted, nobody is told, nothing runs.";
        Pass38 "PASS-38" Seed
            "A park that failed leaves the ask to the resolver, and a deny of the pass says that it failed.";
        Pass39 "PASS-39" Seed
            "An ask that nobody can be asked ends as a refusal, `unavailable`.";
        Pass40 "PASS-40" Seed
            "A resolution is read by the ledger: only a record that answers this ask of this call over these bytes counts, what it says ended the wait stands, and a deny without one is `approver_contract`.";
        Pass41 "PASS-41" Seed
            "An allow of an ask that needs a real approval, with no record that counts, is a refusal, `approver_contract`.";
        Pass42 "PASS-42" Derived
            "An ask that only a person may answer needs a real approval.";
        Pass43 "PASS-43" Seed
            "A resolution that still carries the retired member `settlement` is a defect.";
        Pass44 "PASS-44" Derived
            "A resolver that threw or never answered ends the ask as a refusal.";
        Pass45 "PASS-45" Seed
            "An approved edit is screened again, over the edited bytes.";
        Pass46 "PASS-46" Seed
            "A screening of an edit that denies, throws, is silent or is cancelled is a deny by `hook_rescreen`, which vetoes the yes.";
        Pass47 "PASS-47" Seed
            "An approved edit is adjudicated again, over the edited bytes and on the same binding of the policy; a deny vetoes the yes.";
        Pass48 "PASS-48" Derived
            "A question that the policy or the hook has about an edit supersedes the yes and is put to the resolver anew.";
        Pass49 "PASS-49" Seed
            "A protected target of an edit is a deny by `write_protection`, which vetoes the yes.";
        Pass50 "PASS-50" Seed
            "An edit past the cap on rounds is a deny by `edit_cap`, which vetoes the yes.";
        Pass51 "PASS-51" Seed
            "The allow exit keeps a yes for the bytes that run alone; a call that runs other bytes runs unattributed.";
        Pass52 "PASS-52" Seed
            "Every deny but the hook's own tells the observer exactly once; an allow and a suspension tell nobody.";
        Pass53 "PASS-53" Seed
            "A pass that is not suspended mints its record exactly once, from who refused and what was settled, and the observer is told that record.";
        Pass54 "PASS-54" Seed
            "The final input is a deep and frozen copy of the input that the exit decided on.";
        Pass55 "PASS-55" Seed
            "An allow runs the input that stood at the exit, and nothing but an allow runs anything.";
    }
}
