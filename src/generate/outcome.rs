//! Outcomes: every fact that a pass can hand the mint, and every direct refusal.
//!
//! The space over the words is finite and all of it is enumerated, so conformance of a mint is
//! decided, not sampled. The strategy is there for fresh words and for other orders.
//!
//! ```
//! use gatespec::generate::{Settings, outcome};
//! use gatespec::laws::outcome::lawful;
//! use gatespec::model::outcome::mint;
//!
//! // the whole space, of which some hundreds are lawful
//! let all = outcome::facts(&Settings::default());
//! let minted = all.iter().filter(|facts| mint(facts).is_ok()).count();
//! assert_eq!(minted, lawful("w").len());
//! assert!(all.len() > 10_000);
//! ```

use proptest::prelude::*;

use super::Settings;
use crate::model::outcome::{Approver, Cause, Facts, Layer, Refusal, SettledFacts, Settlement};
use crate::ops::outcome::{DirectDenyInput, MintInput, Op};

/// Every direct refusal, then every fact of the space.
pub fn enumerate(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let direct = Layer::ALL
        .iter()
        .map(|&layer| Op::DirectDeny(DirectDenyInput { layer }));
    direct.chain(
        facts(settings)
            .into_iter()
            .map(|facts| Op::Mint(MintInput { facts })),
    )
}

/// Every fact: each of thirteen words for who refused, three for the cause, thirty-seven settled
/// asks, and each of three members there or not. Those with the fewest members come first.
#[must_use]
pub fn facts(settings: &Settings) -> Vec<Facts> {
    let names = settings.names();
    let word = |kind: &'static str| [None, Some(names.name(kind, 0))];
    let asks = asks(settings);
    let mut all = Vec::with_capacity(13 * 3 * asks.len() * 8);
    for denied_by in layers() {
        for cause in causes() {
            for settled in &asks {
                for classifier in word("round") {
                    for released in word("released") {
                        for mode_refusal in word("refusal") {
                            all.push(Facts {
                                denied_by,
                                cause,
                                settled: settled.clone(),
                                classifier: classifier.clone(),
                                released: released.clone(),
                                mode_refusal,
                            });
                        }
                    }
                }
            }
        }
    }
    all.sort_by_key(size);
    all
}

/// How many members the facts hold.
fn size(facts: &Facts) -> usize {
    let settled = facts.settled.as_ref().map_or(0, |settled| {
        1 + usize::from(settled.settlement.is_some())
            + usize::from(settled.origin.is_some())
            + usize::from(settled.licensed.is_some())
    });
    settled
        + usize::from(facts.denied_by.is_some())
        + usize::from(facts.cause.is_some())
        + usize::from(facts.classifier.is_some())
        + usize::from(facts.released.is_some())
        + usize::from(facts.mode_refusal.is_some())
}

fn layers() -> impl Iterator<Item = Option<Layer>> {
    std::iter::once(None).chain(Layer::ALL.iter().copied().map(Some))
}

fn causes() -> impl Iterator<Item = Option<Cause>> {
    std::iter::once(None).chain(Cause::ALL.iter().copied().map(Some))
}

/// Every settlement there is.
pub(super) fn settlements() -> Vec<Settlement> {
    let approved = Approver::ALL.iter().map(|&by| Settlement::Approved { by });
    approved
        .chain(
            Refusal::ALL
                .iter()
                .map(|&reason| Settlement::Refused { reason }),
        )
        .collect()
}

/// Every settled ask: none, and each of its three members there or not.
fn asks(settings: &Settings) -> Vec<Option<SettledFacts>> {
    let names = settings.names();
    let mut all = vec![None];
    let known: Vec<_> = std::iter::once(None)
        .chain(settlements().into_iter().map(Some))
        .collect();
    for settlement in known {
        for origin in [None, Some(names.name("origin", 0))] {
            for licensed in [None, Some(names.name("digest", 0))] {
                all.push(Some(SettledFacts {
                    settlement,
                    origin: origin.clone(),
                    licensed,
                }));
            }
        }
    }
    all
}

/// Random facts with fresh words: half of them lawful, most others one member away from lawful.
pub fn strategy(settings: &Settings) -> impl Strategy<Value = Op> + use<> {
    let names = settings.names();
    let fresh = move |(shape, index): (Shape, u32)| {
        Op::Mint(MintInput {
            facts: shape.facts(|kind| names.name(kind, index)),
        })
    };
    let index = 1u32..100_000;
    prop_oneof![
        1 => prop::sample::select(Layer::ALL.to_vec())
            .prop_map(|layer| Op::DirectDeny(DirectDenyInput { layer })),
        6 => (any_shape().prop_map(Shape::mended), index.clone()).prop_map(fresh),
        5 => (near(), index.clone()).prop_map(fresh),
        1 => (any_shape(), index).prop_map(fresh),
    ]
}

/// Which members there are: the words are put in last.
#[derive(Clone, Copy, Debug)]
struct Shape {
    denied_by: Option<Layer>,
    cause: Option<Cause>,
    settled: bool,
    settlement: Option<Settlement>,
    origin: bool,
    licensed: bool,
    classifier: bool,
    released: bool,
    mode_refusal: bool,
}

impl Shape {
    /// The facts, each word made by `word` from its kind.
    fn facts(self, word: impl Fn(&str) -> String) -> Facts {
        Facts {
            denied_by: self.denied_by,
            cause: self.cause,
            settled: self.settled.then(|| SettledFacts {
                settlement: self.settlement,
                origin: self.origin.then(|| word("origin")),
                licensed: self.licensed.then(|| word("digest")),
            }),
            classifier: self.classifier.then(|| word("round")),
            released: self.released.then(|| word("released")),
            mode_refusal: self.mode_refusal.then(|| word("refusal")),
        }
    }

    /// The nearest lawful shape, by what it says of who refused.
    fn mended(mut self) -> Self {
        let refused = matches!(self.settlement, Some(Settlement::Refused { .. }));
        let yes = matches!(self.settlement, Some(Settlement::Approved { .. }));
        let fits = match self.denied_by {
            None => !refused,
            Some(Layer::AskResolution) => refused,
            Some(layer) => self.settlement.is_none() || (yes && layer.can_veto()),
        };
        if !fits {
            self.settlement = match self.denied_by {
                Some(Layer::AskResolution) => Some(Settlement::Refused {
                    reason: Refusal::Timeout,
                }),
                _ => None,
            };
        }
        self.settled |= self.settlement.is_some();
        self.origin = self.settlement.is_some();
        self.licensed &= self.settlement.is_some();
        self.cause = self.cause.filter(|_| self.denied_by.is_some());
        self.released &= self.denied_by.is_none();
        self.mode_refusal &= self.denied_by == Some(Layer::Mode);
        self
    }
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let layer = prop_oneof![
        2 => Just(None),
        2 => Just(Some(Layer::AskResolution)),
        5 => prop::sample::select(Layer::ALL.to_vec()).prop_map(Some),
    ];
    let cause = prop::option::weighted(0.3, prop::sample::select(Cause::ALL.to_vec()));
    let settlement = prop::option::weighted(0.7, prop::sample::select(settlements()));
    (layer, cause, settlement, any::<[bool; 6]>()).prop_map(
        |(denied_by, cause, settlement, there)| {
            let [
                settled,
                origin,
                licensed,
                classifier,
                released,
                mode_refusal,
            ] = there;
            Shape {
                denied_by,
                cause,
                settled,
                settlement,
                origin,
                licensed,
                classifier,
                released,
                mode_refusal,
            }
        },
    )
}

/// A lawful shape with one member taken, given or put in another's place.
fn near() -> impl Strategy<Value = Shape> {
    (any_shape().prop_map(Shape::mended), any_shape(), 0u8..8).prop_map(
        |(mut shape, other, which)| {
            match which {
                0 => shape.denied_by = other.denied_by,
                1 => shape.cause = other.cause,
                2 => (shape.settled, shape.settlement) = (true, other.settlement),
                3 => (shape.settled, shape.origin) = (true, !shape.origin),
                4 => (shape.settled, shape.licensed) = (true, !shape.licensed),
                5 => shape.classifier = !shape.classifier,
                6 => shape.released = !shape.released,
                _ => shape.mode_refusal = !shape.mode_refusal,
            }
            shape
        },
    )
}
