//! The `badge` report: an endpoint for a badge service.
//!
//! ```
//! use gatespec::conform::Check;
//! use gatespec::report::{Report, badge};
//!
//! // what was not run is not green
//! let badge = badge::render(&Report::new(&Check::default(), 0, Vec::new()));
//! assert!(badge.contains(r#""message":"inconclusive""#) && !badge.contains("green"));
//! ```

use serde::Serialize;

use super::Report;
use super::json::Word;
use crate::ops::json;

/// What a badge endpoint serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Badge {
    schema_version: u8,
    label: String,
    message: String,
    color: &'static str,
}

/// The report as the JSON of a badge endpoint.
#[must_use]
pub fn render(report: &Report) -> String {
    let whole = report.suites.len();
    let clean = report
        .suites
        .iter()
        .filter(|suite| suite.total().failures() == 0)
        .count();
    let (message, color) = match report.outcome {
        Word::Conforms => (format!("conforms ({whole} suites)"), "brightgreen"),
        Word::Fails => (format!("{clean} of {whole} suites"), "red"),
        Word::Inconclusive => ("inconclusive".to_owned(), "lightgrey"),
    };
    let label = format!("gatespec {}", report.spec);
    format!(
        "{}\n",
        json(&Badge {
            schema_version: 1,
            label,
            message,
            color
        })
    )
}
