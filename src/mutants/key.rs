//! Faulty key grammars.
//!
//! ```
//! use gatespec::mutants::key::{Fault, answer};
//! use gatespec::ops::SuiteOp;
//! use gatespec::ops::key::Op;
//!
//! for op in Op::all(b"node:iter:3:step:x") {
//!     assert_eq!(answer(Fault::Nowhere, &op), op.expected());
//! }
//! ```

use super::{FaultClass, Mutant, run};
use crate::model::Clause;
use crate::ops::key::{Op, Output};
use crate::ops::{self, Text};

/// Where this grammar can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nowhere: it must agree with the model.
    Nowhere,
    /// The prefix is not asked for.
    NoPrefix,
    /// `03` opens an iteration.
    LeadingZero,
    /// `+3` opens an iteration.
    Sign,
    /// 2^63 opens an iteration.
    Wide,
    /// `iter:` that opens no iteration is no name.
    IterReserved,
    /// An iteration that no node name follows is read as a part of one.
    Backtracks,
    /// An empty node name is a name.
    EmptyNode,
    /// A node name that holds `#` is none.
    HashReserved,
    /// The subject is trimmed.
    Trims,
    /// The prefix is matched in any case.
    FoldsCase,
    /// A Step's name ends at its next `:`.
    CutsStep,
    /// An empty Step name is a name.
    EmptyStep,
    /// A Step's key is a node key.
    StepIsNode,
    /// A Step has its node's name.
    StepHasName,
    /// A node's instance takes the call's suffix.
    NodeInstanceHash,
    /// The instance of an id that is a plan key takes the node's suffix.
    IdLooksAtPlanKey,
    /// A plan key that ends in `:taint` is an instance.
    SuffixFirst,
    /// A Step's key and `:taint` is an instance.
    StepInstance,
    /// A node's instance is not taken apart.
    NodeInstanceWhole,
    /// A call's instance is not taken apart.
    CallInstance,
    /// A call's `#taint` is read under `node:` too.
    HashUnderNode,
    /// A subject that does not start with `node:` and ends in `:taint` is an instance.
    TaintAnywhere,
    /// `node:iter:3:taint` is the instance of a node in no iteration.
    IterationInstance,
    /// A live id may hold `#`.
    LiveHash,
    /// A live id may start with `node:`.
    LiveNode,
}

use Fault as F;

#[derive(Clone, Copy)]
struct Grammar(Fault);

struct Plan<'a> {
    key: &'a [u8],
    iteration: Option<String>,
    node: &'a [u8],
    step: Option<&'a [u8]>,
}

impl Grammar {
    fn has(self, fault: Fault) -> bool {
        self.0 == fault
    }

    fn after_prefix(self, subject: &[u8]) -> Option<&[u8]> {
        match subject.split_at_checked(5) {
            Some((b"node:", body)) => Some(body),
            Some((head, body)) if self.has(F::FoldsCase) && head.eq_ignore_ascii_case(b"node:") => {
                Some(body)
            }
            _ if self.has(F::NoPrefix) => Some(subject),
            _ => None,
        }
    }

    fn number(self, text: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(text).ok()?;
        let unsigned = if self.has(F::Sign) {
            text.trim_start_matches('+')
        } else {
            text
        };
        let zero = unsigned.len() > 1 && unsigned.starts_with('0') && !self.has(F::LeadingZero);
        let digits = !unsigned.is_empty() && unsigned.bytes().all(|b| b.is_ascii_digit());
        let most = if self.has(F::Wide) {
            u64::MAX
        } else {
            u64::MAX / 2
        };
        let n: u64 = unsigned.parse().ok()?;
        (digits && !zero && n <= most).then(|| n.to_string())
    }

    fn plan_key(self, subject: &[u8]) -> Option<Plan<'_>> {
        let subject = if self.has(F::Trims) {
            subject.trim_ascii()
        } else {
            subject
        };
        let body = self.after_prefix(subject)?;
        let mut parts = body.splitn(3, |&b| b == b':');
        if parts.next() == Some(b"iter")
            && let (Some(n), Some(rest)) = (parts.next(), parts.next())
        {
            if let Some(n) = self.number(n) {
                let read = self.node(subject, rest, Some(n));
                return read.or_else(|| self.backtrack(subject, body, rest));
            } else if self.has(F::IterReserved) {
                return None;
            }
        }
        self.node(subject, body, None)
    }

    /// Reads `iter:3:step:x` as the Step `x` of a node `iter:3`.
    fn backtrack<'a>(self, subject: &'a [u8], body: &'a [u8], rest: &'a [u8]) -> Option<Plan<'a>> {
        let step = rest
            .strip_prefix(b"step:")
            .filter(|step| !step.is_empty())?;
        let tail = rest.len().checked_add(1)?;
        let (key, _) = subject.split_at_checked(subject.len().checked_sub(tail)?)?;
        let (node, _) = body.split_at_checked(body.len().checked_sub(tail)?)?;
        let plan = Plan {
            key,
            iteration: None,
            node,
            step: Some(step),
        };
        self.has(F::Backtracks).then_some(plan)
    }

    fn node<'a>(
        self,
        subject: &'a [u8],
        rest: &'a [u8],
        iteration: Option<String>,
    ) -> Option<Plan<'a>> {
        let end = rest.iter().position(|&b| b == b':').unwrap_or(rest.len());
        let (node, tail) = rest.split_at_checked(end)?;
        let (key, _) = subject.split_at_checked(subject.len().checked_sub(tail.len())?)?;
        let named = (!node.is_empty() || self.has(F::EmptyNode))
            && !(node.contains(&b'#') && self.has(F::HashReserved));
        if !named {
            return None;
        }
        if tail.is_empty() {
            return Some(Plan {
                key,
                iteration,
                node,
                step: None,
            });
        }
        let step = tail.strip_prefix(b":step:")?;
        let step = match step.iter().position(|&b| b == b':') {
            Some(end) if self.has(F::CutsStep) => step.get(..end)?,
            _ => step,
        };
        let step = (!step.is_empty() || self.has(F::EmptyStep)).then_some(step)?;
        Some(Plan {
            key,
            iteration,
            node,
            step: Some(step),
        })
    }

    fn is_node_key(self, subject: &[u8]) -> bool {
        self.plan_key(subject)
            .is_some_and(|plan| plan.step.is_none() || self.has(F::StepIsNode))
    }

    fn node_name(self, subject: &[u8]) -> Option<&[u8]> {
        let plan = self.plan_key(subject)?;
        (plan.step.is_none() || self.has(F::StepHasName)).then_some(plan.node)
    }

    fn instance(self, key: &[u8]) -> Vec<u8> {
        let suffix: &[u8] = if self.has(F::NodeInstanceHash) {
            b"#taint"
        } else {
            b":taint"
        };
        [key, suffix].concat()
    }

    fn id(self, id: &[u8]) -> Vec<u8> {
        let plan = self.has(F::IdLooksAtPlanKey) && self.plan_key(id).is_some();
        [id, if plan { b":taint" } else { b"#taint" }].concat()
    }

    fn base(self, subject: &[u8]) -> (&[u8], bool) {
        let plan = self.plan_key(subject);
        let node = subject.strip_suffix(b":taint");
        let call = subject.strip_suffix(b"#taint");
        if let (Some(plan), Some(key)) = (&plan, node) {
            let iteration = plan.iteration.is_some() && plan.step.is_none();
            let of_step = self.plan_key(key).is_some_and(|plan| plan.step.is_some());
            if (self.has(F::IterationInstance) && iteration)
                || (self.has(F::SuffixFirst) && !iteration)
                || (self.has(F::StepInstance) && of_step)
            {
                return (key, true);
            }
        }
        if !subject.starts_with(b"node:") {
            let any = match self.0 {
                F::TaintAnywhere => call.or(node),
                F::CallInstance => None,
                _ => call,
            };
            return any.map_or((subject, false), |id| (id, true));
        }
        match (plan, node, call) {
            (_, _, Some(id)) if self.has(F::HashUnderNode) => (id, true),
            (Some(_), ..) => (subject, false),
            (None, Some(_), _) if self.has(F::NodeInstanceWhole) => (subject, false),
            (None, Some(key), _) if self.is_node_key(key) => (key, true),
            _ => (subject, false),
        }
    }

    fn is_live_id(self, id: &[u8]) -> bool {
        (!id.contains(&b'#') || self.has(F::LiveHash))
            && (!id.starts_with(b"node:") || self.has(F::LiveNode))
    }

    fn answer(self, op: &Op) -> Output {
        let subject = op.subject();
        match op {
            Op::PlanKey(_) => Output::PlanKey(ops::key::PlanKeyOutput {
                plan_key: self.plan_key(subject).map(|plan| ops::key::Parts {
                    key: plan.key.into(),
                    iteration: plan.iteration,
                    node: plan.node.into(),
                    step: plan.step.map(Text::from),
                }),
            }),
            Op::IsNodeKey(_) => Output::is_node_key(self.is_node_key(subject)),
            Op::NodeName(_) => Output::node_name(self.node_name(subject)),
            Op::NodeInstance(_) => Output::instance(&self.instance(subject)),
            Op::Id(_) => Output::instance(&self.id(subject)),
            Op::Base(_) => Output::base(self.base(subject)),
            Op::LiveId(_) => Output::live(self.is_live_id(subject)),
        }
    }
}

/// The answer of a grammar with this fault.
#[must_use]
pub fn answer(fault: Fault, op: &Op) -> Output {
    Grammar(fault).answer(op)
}

macro_rules! mutants {
    ($($fault:ident $clause:ident [$($class:ident)*] $id:literal $sentence:literal;)*) => {
        /// The faulty grammars.
        pub const MUTANTS: &[Mutant] = &[$(Mutant {
            id: $id,
            sentence: $sentence,
            clause: Clause::$clause,
            classes: &[$(FaultClass::$class),*],
            answer: |op| run!(op, Key, |op| answer(Fault::$fault, op)),
        }),*];
    };
}

mutants! {
    NoPrefix Key01 [Grammar] "key/no_prefix" "A name without `node:` is read as a plan key.";
    LeadingZero Key02 [Grammar] "key/leading_zero" "`03` opens an iteration.";
    Sign Key02 [Grammar] "key/sign" "`+3` opens an iteration.";
    Wide Key03 [Grammar] "key/wide_iteration" "2^63 opens an iteration.";
    IterReserved Key04 [Grammar] "key/iter_reserved" "`iter:` that opens no iteration is refused.";
    Backtracks Key05 [Grammar] "key/backtracks" "`iter:3:step:x` is read as the Step `x` of a node `iter:3`.";
    EmptyNode Key06 [Grammar] "key/empty_node" "An empty node name is taken.";
    HashReserved Key07 [Grammar] "key/hash_reserved" "A node name that holds `#` is refused.";
    Trims Key07 [Grammar LopsidedMatch] "key/trims" "White space around the subject is dropped.";
    FoldsCase Key07 [Grammar LopsidedMatch] "key/folds_case" "`NODE:` is read as `node:`.";
    CutsStep Key08 [Grammar] "key/cuts_step" "A Step's name ends at its next `:`.";
    EmptyStep Key08 [Grammar] "key/empty_step" "An empty Step name is taken.";
    StepIsNode Key09 [Grammar] "key/step_is_node" "A Step's key is taken for a node key.";
    StepHasName Key10 [Grammar] "key/step_has_name" "A Step has its node's name.";
    NodeInstanceHash Key11 [Identity Grammar] "key/node_instance_hash" "A node's instance takes the suffix of a call's.";
    IdLooksAtPlanKey Key12 [Identity Grammar] "key/id_looks_at_plan_key" "An id that is a plan key takes the suffix of a node's instance.";
    SuffixFirst Key13 [Identity Grammar] "key/suffix_first" "A plan key that ends in `:taint` is taken for an instance.";
    StepInstance Key13 [Identity Grammar] "key/step_instance" "A Step is given an instance.";
    NodeInstanceWhole Key14 [Identity Grammar] "key/node_instance_whole" "A node's instance is taken for a subject of its own.";
    CallInstance Key15 [Identity Grammar] "key/call_instance" "A call's instance is taken for a call.";
    HashUnderNode Key16 [Identity Grammar] "key/hash_under_node" "`#taint` makes an instance under `node:` too.";
    TaintAnywhere Key16 [Identity Grammar] "key/taint_anywhere" "`:taint` makes an instance of any subject.";
    IterationInstance Key17 [Identity Grammar] "key/iteration_instance" "The node `taint` of an iteration is taken for an instance.";
    LiveHash Key18 [Identity Grammar] "key/live_hash" "A live id may hold `#`.";
    LiveNode Key18 [Identity Grammar] "key/live_node" "A live id may start with `node:`.";
}
