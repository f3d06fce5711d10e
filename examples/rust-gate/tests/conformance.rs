//! The grammar of this crate keeps the law: a test a clause, and one of its own over the kit's
//! strategies.

use gatespec::conform::implement::KeyGrammar;
use gatespec::generate::{self, Settings};
use gatespec::ops::Text;
use gatespec::ops::key::Parts;
use proptest::prelude::*;

struct Grammar;

impl KeyGrammar for Grammar {
    fn plan_key(&self, subject: &[u8]) -> Option<Parts> {
        rust_gate::parse(subject).map(|key| Parts {
            key: key.key.into(),
            iteration: key.iteration.map(|n| String::from_utf8_lossy(n).into_owned()),
            node: key.node.into(),
            step: key.step.map(Text::from),
        })
    }

    fn is_node_key(&self, subject: &[u8]) -> bool {
        rust_gate::node_name(subject).is_some()
    }

    fn node_name(&self, subject: &[u8]) -> Option<Vec<u8>> {
        rust_gate::node_name(subject).map(<[u8]>::to_vec)
    }

    fn node_instance(&self, key: &[u8]) -> Vec<u8> {
        rust_gate::node_instance(key)
    }

    fn id(&self, call: &[u8]) -> Vec<u8> {
        rust_gate::call_instance(call)
    }

    fn base(&self, subject: &[u8]) -> (Vec<u8>, bool) {
        let (base, instance) = rust_gate::base(subject);
        (base.to_vec(), instance)
    }

    fn is_live_id(&self, id: &[u8]) -> bool {
        rust_gate::is_live_id(id)
    }
}

gatespec::conformance_tests!(key: Grammar);

proptest! {
    // the kit's strategies are yours to use
    #[test]
    fn a_key_is_a_prefix_of_its_subject(op in generate::key::strategy(&Settings::default())) {
        if let Some(key) = rust_gate::parse(op.subject()) {
            prop_assert!(op.subject().starts_with(key.key));
        }
    }
}
