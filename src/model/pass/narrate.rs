//! A pass in plain words, a line a step.

use super::{Did, Passed, Station};

/// A line a step: the station, what it was asked, what it said, what stood after it, the clause.
///
/// ```
/// use gatespec::model::pass::{Script, narrate, run};
/// let script = Script::plain("call-1", serde_json::json!({ "path": "a" }));
/// let lines = narrate(&run(&script));
/// assert_eq!(lines.last().map(String::as_str), Some("the pass ends: allow"));
/// ```
#[must_use]
pub fn narrate(passed: &Passed<'_>) -> Vec<String> {
    let mut lines: Vec<String> = passed
        .trace
        .iter()
        .map(|step| {
            let (station, said) = (step.station, step.said);
            let about = match step.did {
                Did::Asked | Did::Rewrote => format!(", about {}", step.input),
                Did::Settled | Did::Noted | Did::Acted => String::new(),
            };
            let stands = match step.station {
                Station::Exit => String::new(),
                _ => format!("; {} stands", step.stands),
            };
            format!("{station} {said}{about}{stands} ({})", step.clause)
        })
        .collect();
    let told = if passed.told {
        ", and the observer is told"
    } else {
        ""
    };
    let failed = if passed.park_failed {
        ", with the failed park on it"
    } else {
        ""
    };
    lines.push(format!("the pass ends: {}{told}{failed}", passed.result));
    lines
}
