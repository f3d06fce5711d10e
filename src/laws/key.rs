//! The laws of the subject grammar, and an oracle that enumerates derivations.
//!
//! ```
//! use gatespec::laws::key::derivations;
//!
//! assert_eq!(derivations(b"node:iter:3:x").len(), 1);
//! assert!(derivations(b"node:iter:03:x").is_empty());
//! ```

use super::{Law, Violation, ensure};
use crate::model::Clause;
use crate::model::key::{MAX_ITERATION, base, id, is_node_key, node_instance, plan_key};

/// A derivation of a subject from the rule `plan-key`: where each part lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The iteration number, if the option is taken.
    pub iteration: Option<u64>,
    /// The node name.
    pub node: Vec<u8>,
    /// The Step's name, if the option is taken.
    pub step: Option<Vec<u8>>,
}

/// Every derivation of a subject: tries each way to cut it into the rule's parts.
///
/// The rule is taken as it stands, with no order among the parts: every place where the node name
/// may end and every place where a number may end is tried. The one priority of the grammar
/// (`iter:n:` is an iteration wherever it can be one, KEY-05) is stated last, as a filter.
#[must_use]
pub fn derivations(subject: &[u8]) -> Vec<Derivation> {
    let Some(body) = subject.strip_prefix(b"node:") else {
        return Vec::new();
    };
    let mut all = tails(body, None);
    for end in 0..=body.len() {
        let Some((head, rest)) = body.split_at_checked(end) else {
            continue;
        };
        if let Some(n) = opens(head) {
            // KEY-05: the reading without iteration is no longer open
            all.retain(|derivation| derivation.iteration.is_some());
            all.extend(tails(rest, Some(n)));
        }
    }
    all
}

/// The number, if `head` is `iter:n:` to the last byte.
fn opens(head: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(head).ok()?;
    let n: u128 = text
        .strip_prefix("iter:")?
        .strip_suffix(':')?
        .parse()
        .ok()?;
    let written = format!("iter:{n}:");
    (written == text && n <= u128::from(MAX_ITERATION)).then(|| u64::try_from(n).ok())?
}

/// Every way to read `node [ ":step:" step ]` over all of `rest`.
fn tails(rest: &[u8], iteration: Option<u64>) -> Vec<Derivation> {
    let named = |node: &[u8]| !node.is_empty() && !node.contains(&b':');
    let mut all = Vec::new();
    if named(rest) {
        all.push(Derivation {
            iteration,
            node: rest.to_vec(),
            step: None,
        });
    }
    for at in 0..rest.len() {
        let Some((node, tail)) = rest.split_at_checked(at) else {
            continue;
        };
        if let Some(step) = tail.strip_prefix(b":step:")
            && named(node)
            && !step.is_empty()
        {
            all.push(Derivation {
                iteration,
                node: node.to_vec(),
                step: Some(step.to_vec()),
            });
        }
    }
    all
}

/// The laws, each of every subject.
pub const LAWS: &[Law<[u8]>] = &[
    Law {
        id: "every_subject_has_at_most_one_derivation",
        sentence: "The enumerator of all derivations finds one where the parser gives parts, and none elsewhere.",
        clauses: &[
            Clause::Key01,
            Clause::Key02,
            Clause::Key03,
            Clause::Key04,
            Clause::Key05,
            Clause::Key06,
            Clause::Key07,
            Clause::Key08,
        ],
        reaches: |subject| plan_key(subject).is_some(),
        check: |subject| {
            let parsed: Vec<Derivation> = plan_key(subject)
                .map(|key| Derivation {
                    iteration: key.iteration,
                    node: key.node.to_vec(),
                    step: key.step.map(<[u8]>::to_vec),
                })
                .into_iter()
                .collect();
            let derived = derivations(subject);
            ensure(parsed == derived, || {
                format!("parsed {parsed:?}, derived {derived:?}")
            })
        },
    },
    Law {
        id: "parse_then_format_is_identity",
        sentence: "The parts of a plan key, written out again, are the subject, and its key is a node key.",
        clauses: &[Clause::Key01, Clause::Key09],
        reaches: |subject| plan_key(subject).is_some_and(|key| key.step.is_some()),
        check: |subject| {
            let Some(key) = plan_key(subject) else {
                return Ok(());
            };
            let mut written = b"node:".to_vec();
            if let Some(n) = key.iteration {
                written.extend_from_slice(format!("iter:{n}:").as_bytes());
            }
            written.extend_from_slice(key.node);
            ensure(written == key.key, || {
                format!("the key is {:?}", key.key.escape_ascii())
            })?;
            ensure(is_node_key(key.key), || "the key is no node key".to_owned())?;
            if let Some(step) = key.step {
                written.extend_from_slice(b":step:");
                written.extend_from_slice(step);
            }
            ensure(written == subject, || {
                format!("written {:?}", written.escape_ascii())
            })
        },
    },
    Law {
        id: "base_undoes_node_instance",
        sentence: "The base of a node's instance is the node's key, and the instance is one.",
        clauses: &[Clause::Key10, Clause::Key11, Clause::Key14, Clause::Key17],
        reaches: is_node_key,
        check: |subject| match node_instance(subject) {
            Some(instance) => ensure(base(&instance) == (subject, true), || {
                format!(
                    "the base of {:?} is {:?}",
                    instance.escape_ascii(),
                    base(&instance)
                )
            }),
            None => Ok(()),
        },
    },
    Law {
        id: "base_undoes_id",
        sentence: "The base of a call's instance is the call's id, unless the id starts with `node:`.",
        clauses: &[Clause::Key12, Clause::Key15],
        reaches: |subject| !subject.starts_with(b"node:"),
        check: |subject| {
            let instance = id(subject);
            let undone = base(&instance) == (subject, true);
            ensure(undone != subject.starts_with(b"node:"), || {
                format!(
                    "the base of {:?} is {:?}",
                    instance.escape_ascii(),
                    base(&instance)
                )
            })
        },
    },
    Law {
        id: "no_instance_is_a_plan_key",
        sentence: "A subject that is an instance is no plan key, and its base is no instance of the same kind of suffix.",
        clauses: &[Clause::Key13, Clause::Key14],
        reaches: |subject| subject.starts_with(b"node:") && base(subject).1,
        check: |subject| {
            let instance = base(subject).1;
            ensure(!(instance && plan_key(subject).is_some()), || {
                "it is both".to_owned()
            })
        },
    },
    Law {
        id: "instances_of_one_kind_are_never_of_the_other",
        sentence: "A node's instance starts with `node:` and a call's does not.",
        clauses: &[Clause::Key14, Clause::Key15],
        reaches: |subject| base(subject).1,
        check: |subject| {
            let (of, instance) = base(subject);
            if !instance {
                return Ok(());
            }
            let node = is_node_key(of) && node_instance(of).as_deref() == Some(subject);
            let call = !of.starts_with(b"node:") && id(of) == subject;
            ensure(node != call, || format!("node's {node}, call's {call}"))
        },
    },
    Law {
        id: "what_is_no_instance_is_its_own_base",
        sentence: "A base is the subject itself or shorter by a suffix, and only an instance is shorter.",
        clauses: &[Clause::Key13, Clause::Key16],
        reaches: |subject| !base(subject).1 && subject.ends_with(b"taint"),
        check: |subject| {
            let (of, instance) = base(subject);
            let cut = subject.len().saturating_sub(of.len());
            ensure(cut == if instance { 6 } else { 0 }, || {
                format!("{cut} bytes are cut")
            })
        },
    },
    Law {
        id: "no_live_id_is_an_instance_or_a_plan_key",
        sentence: "A live tool-use id collides with no plan key and no instance.",
        clauses: &[Clause::Key18],
        reaches: crate::model::key::is_live_id,
        check: |subject: &[u8]| -> Result<(), Violation> {
            let live = crate::model::key::is_live_id(subject);
            ensure(
                !live || (plan_key(subject).is_none() && !base(subject).1),
                || "it is live and a gate subject of another kind".to_owned(),
            )
        },
    },
];
