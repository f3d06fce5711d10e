//! A baseline: failures that are known, each with a reason. One that no longer fails fails the run.
//!
//! ```
//! use gatespec::conform::baseline::Baseline;
//!
//! assert!(Baseline::read(r#"{"clauses":{"KEY-02":"known since 2.3, ticket 41"}}"#).is_ok());
//! assert!(Baseline::read(r#"{"clauses":{"KEY-02":""}}"#).is_err());
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Check, Outcome};
use crate::model::Clause;

/// The known failures of an implementation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Clauses that are known to fail, each with the reason.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub clauses: BTreeMap<Clause, String>,
    /// Cases that are known to fail, by id, each with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cases: BTreeMap<String, String>,
}

/// What a baseline says of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judged {
    /// What failed and is known: clauses and case ids.
    pub known: Vec<String>,
    /// What the baseline lists and did not fail, though it was put to the test.
    pub stale: Vec<String>,
    /// What the baseline lists and no case of the run put to the test.
    pub unmatched: Vec<String>,
    /// Clauses that failed and are not listed.
    pub new: Vec<Clause>,
}

/// What is wrong with a baseline file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// It is no baseline.
    #[error("this is no baseline: {0}")]
    Shape(#[from] serde_json::Error),
    /// An entry has no reason.
    #[error("the baseline's entry {0} gives no reason; write why the failure is known")]
    NoReason(String),
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// When the text is no baseline, or an entry has no reason.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let baseline: Self = serde_json::from_str(text)?;
        let clauses = baseline
            .clauses
            .iter()
            .map(|(clause, reason)| (clause.to_string(), reason));
        let cases = baseline
            .cases
            .iter()
            .map(|(case, reason)| (case.clone(), reason));
        match clauses
            .chain(cases)
            .find(|(_, reason)| reason.trim().is_empty())
        {
            Some((entry, _)) => Err(BaselineError::NoReason(entry)),
            None => Ok(baseline),
        }
    }

    /// The baseline that lists what failed in a run, for a person to give the reasons.
    #[must_use]
    pub fn of(check: &Check) -> Self {
        let clauses = check.findings.iter().filter_map(super::Finding::clause);
        let reason = |clause| (clause, "not yet fixed".to_owned());
        Self {
            clauses: clauses.map(reason).collect(),
            cases: BTreeMap::new(),
        }
    }

    /// Holds a run against the baseline.
    #[must_use]
    pub fn judge(&self, check: &Check) -> Judged {
        let failed: Vec<Clause> = check
            .findings
            .iter()
            .filter_map(super::Finding::clause)
            .collect();
        let tested = |clause: &Clause| {
            check
                .reached
                .get(clause)
                .is_some_and(|reach| reach.passed + reach.failed > 0)
        };
        let mut judged = Judged::default();
        for clause in self.clauses.keys() {
            let list = match (failed.contains(clause), tested(clause)) {
                (true, _) => &mut judged.known,
                (false, true) => &mut judged.stale,
                (false, false) => &mut judged.unmatched,
            };
            list.push(clause.to_string());
        }
        for case in self.cases.keys() {
            let list = match check.known.get(case) {
                Some(true) => &mut judged.known,
                Some(false) => &mut judged.stale,
                None => &mut judged.unmatched,
            };
            list.push(case.clone());
        }
        judged.new = failed
            .into_iter()
            .filter(|clause| !self.clauses.contains_key(clause))
            .collect();
        judged.new.dedup();
        judged
    }
}

impl Judged {
    /// What the run comes to with the baseline: known failures are no failures, and an entry that
    /// no longer fails, or matches nothing, is one.
    #[must_use]
    pub fn outcome(&self, check: &Check) -> Outcome {
        let listed = !self.stale.is_empty() || !self.unmatched.is_empty();
        match check.outcome {
            Outcome::Fails
                if self.new.is_empty() && !listed && check.is_clean_but_for_findings() =>
            {
                Outcome::Conforms
            }
            Outcome::Conforms if listed => Outcome::Fails,
            ref other => other.clone(),
        }
    }
}
