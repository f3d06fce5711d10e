//! What a run says: for people, and for programs.
//!
//! ```
//! use gatespec::conform::{InProcess, Plan, check};
//! use gatespec::model::Suite;
//! use gatespec::report::{Report, badge, junit};
//!
//! let mut plan = Plan::new(7).unwrap();
//! (plan.generated, plan.enumerated) = (50, Some(50));
//! plan.selection.suites = [Suite::Key].into();
//! let checked = check(&mut InProcess::reference(), &plan, &Default::default(), &mut |_| {});
//! let report = Report::new(&checked, 7, vec!["./my-gate".to_owned()]);
//! assert!(badge::render(&report).contains("conforms (1 suites)"));
//! assert!(junit::render(&report).contains("KEY-02"));
//! ```

pub mod audit;
pub mod badge;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod schema;
pub mod stats;
pub mod strength;
pub mod timeline;
pub mod trace;

pub use json::Report;
