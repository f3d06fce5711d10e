//! What a scanned event comes to: its members, whichever came, as the step that they spell.

use std::collections::BTreeSet;

use super::super::entry::{Claim, InLine, OTHER_CALL, Span, Step, THIS_CALL};
use crate::model::ledger::{Asked, Attestation, Classified, Event, Resolution, Verdict};
use crate::model::outcome::{Cause, Decision, Refusal, Settlement};

/// A record of the engine before it is known what it is compared with.
pub(super) struct Attested {
    pub(super) call: Span,
    pub(super) origin: Span,
    pub(super) classes: Span,
    pub(super) digest: [u8; 32],
    pub(super) settlement: Settlement,
}

pub(super) struct Resolved {
    pub(super) decision: Decision,
    pub(super) record: Option<Attested>,
    pub(super) edited: Option<[u8; 32]>,
    pub(super) retired: bool,
}

/// The members of an event, of whichever kind.
#[derive(Default)]
pub(super) struct Members {
    pub(super) event: Option<EventWord>,
    pub(super) reason: Option<Refusal>,
    pub(super) origin: Option<Span>,
    pub(super) resolution: Option<Resolved>,
    pub(super) asked: Option<(Span, Span, bool)>,
    pub(super) request: Option<[u8; 32]>,
    pub(super) decision: Option<Verdict>,
    pub(super) record: Option<Attested>,
    pub(super) runs: Option<[u8; 32]>,
    pub(super) classified: Option<(Span, Option<Cause>, Option<Span>)>,
}

#[derive(Clone, Copy)]
pub(super) enum EventWord {
    Set,
    Resolved,
    Decision,
    Supersede,
    KeepForBytes,
    CauseOf,
    ClassifierRoundOf,
}

impl EventWord {
    pub(super) fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"resolved" => Self::Resolved,
            b"decision" => Self::Decision,
            b"keepForBytes" => Self::KeepForBytes,
            b"supersede" => Self::Supersede,
            b"set" => Self::Set,
            b"causeOf" => Self::CauseOf,
            b"classifierRoundOf" => Self::ClassifierRoundOf,
            _ => return None,
        })
    }

    /// The members that it may have, as bits in the order of [`Members`].
    const fn members(self) -> u16 {
        match self {
            Self::Set => 0b11,
            Self::Resolved => 0b1_1100,
            Self::Decision => 0b1110_0000,
            Self::Supersede => 0,
            Self::KeepForBytes => 0b1000_0000,
            Self::CauseOf | Self::ClassifierRoundOf => 0b1_0010_0000,
        }
    }
}

impl Members {
    fn present(&self) -> u16 {
        [
            self.reason.is_some(),
            self.origin.is_some(),
            self.resolution.is_some(),
            self.asked.is_some(),
            self.request.is_some(),
            self.decision.is_some(),
            self.record.is_some(),
            self.runs.is_some(),
            self.classified.is_some(),
        ]
        .iter()
        .rev()
        .fold(0, |bits, &there| bits << 1 | u16::from(there))
    }

    #[inline]
    pub(super) fn step(
        &self,
        word: EventWord,
        text: &[u8],
        call: Span,
        seq: u64,
        returned: Option<Claim>,
    ) -> Option<Step> {
        if self.present() & !word.members() != 0 {
            return None;
        }
        let mut origins = [Span::default(); 2];
        let mut round = Span::default();
        let event = match word {
            EventWord::Set => {
                origins = [self.origin?, Span::default()];
                Event::Set {
                    reason: self.reason?,
                    origin: 0,
                }
            }
            EventWord::Resolved => {
                let (origin, classes, real_approval) = self.asked?;
                let resolved = self.resolution.as_ref()?;
                let record = resolved.record.as_ref().map(|record| {
                    let other = record.origin.of(text) != origin.of(text);
                    origins = [
                        origin,
                        if other {
                            record.origin
                        } else {
                            Span::default()
                        },
                    ];
                    let classes = !same_set(text, record.classes, classes);
                    record.numbered(text, call, u8::from(other), u8::from(classes))
                });
                if record.is_none() {
                    origins = [origin, Span::default()];
                }
                Event::Resolved {
                    resolution: Resolution {
                        decision: resolved.decision,
                        record,
                        edited: resolved.edited,
                        retired: resolved.retired,
                    },
                    asked: Asked {
                        origin: 0,
                        classes: 0,
                        real_approval,
                    },
                    request: self.request?,
                }
            }
            EventWord::Decision => Event::Decision {
                decision: self.decision?,
                record: self.record.as_ref().map(|record| {
                    origins = [record.origin, Span::default()];
                    record.numbered(text, call, 0, 0)
                }),
                runs: self.runs?,
            },
            EventWord::Supersede => Event::Supersede,
            EventWord::KeepForBytes => Event::KeepForBytes { runs: self.runs? },
            EventWord::CauseOf | EventWord::ClassifierRoundOf => {
                let decision = match self.decision? {
                    Verdict::Allow => Decision::Allow,
                    Verdict::Deny => Decision::Deny,
                    Verdict::Ask => return None,
                };
                let classified = self.classified.map(|(of, cause, word)| Classified {
                    call: number(text, call, of),
                    cause,
                    round: word.map(|word| {
                        round = word;
                        0
                    }),
                });
                match word {
                    EventWord::CauseOf => Event::CauseOf {
                        decision,
                        classified,
                    },
                    _ => Event::ClassifierRoundOf {
                        decision,
                        classified,
                    },
                }
            }
        };
        Some(Step {
            seq,
            event,
            origins,
            round,
            returned,
        })
    }
}

impl Attested {
    #[inline]
    fn numbered(&self, text: &[u8], call: Span, origin: u8, classes: u8) -> Attestation<InLine> {
        Attestation {
            call: number(text, call, self.call),
            origin,
            classes,
            digest: self.digest,
            settlement: self.settlement,
        }
    }
}

#[inline]
fn number(text: &[u8], this: Span, call: Span) -> u8 {
    if call.of(text) == this.of(text) {
        THIS_CALL
    } else {
        OTHER_CALL
    }
}

/// The longest list, in bytes, of which each word is looked for among the words of another.
const SHORT_LIST: usize = 256;

/// Whether two lists hold the same words, order and doubles apart.
fn same_set(text: &[u8], one: Span, other: Span) -> bool {
    let (one, other) = (one.of(text), other.of(text));
    if one == other {
        return true;
    }
    if one.len().max(other.len()) > SHORT_LIST {
        return words(one).collect::<BTreeSet<_>>() == words(other).collect();
    }
    let within = |part, whole| words(part).all(|word| words(whole).any(|known| known == word));
    within(one, other) && within(other, one)
}

/// The strings of a list, none of which has an escape.
fn words(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|&byte| byte == b'"').skip(1).step_by(2)
}
