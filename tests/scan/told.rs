//! An entry in words, so that two readers of a line can be compared: used here and by the fuzz
//! target of the log reader.

use gatespec::audit::entry::{Body, Entry, Span};
use gatespec::model::outcome::Record;

/// An entry with its places replaced by what stands there.
pub(crate) fn told(entry: &Entry, text: &[u8]) -> String {
    let word = |span: Span| String::from_utf8_lossy(span.of(text)).into_owned();
    let record = |record: &Record<Span>| {
        let words = [
            record.origin,
            record.classifier,
            record.released,
            record.mode_refusal,
        ];
        let words = words.map(|span| span.map(word));
        let fixed = (
            record.decision,
            record.denied_by,
            record.cause,
            record.settlement,
        );
        format!("{fixed:?} {words:?}")
    };
    let body = match &entry.body {
        Body::Outcome(of) => format!("outcome {}", record(of)),
        Body::Exit(exit) => format!("exit {} {:?} {}", exit.seq, exit.runs, record(&exit.record)),
        Body::Event(step) => {
            let claim = step.returned.map(|claim| {
                let fixed = (claim.decision, claim.denied_by, claim.fault, claim.cause);
                (fixed, claim.round.map(word))
            });
            let (origins, round) = (step.origins.map(word), word(step.round));
            format!(
                "event {} {:?} {origins:?} {round:?} {claim:?}",
                step.seq, step.event
            )
        }
    };
    format!("{:?} {:?} {body}", word(entry.session), word(entry.call))
}
