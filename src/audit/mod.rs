//! Recorded gate logs, held to the same clauses as a gate that is asked.
//!
//! A log is JSON, one record a line (`spec/audit.md`): **outcomes**, judged by themselves, and
//! **ledger traces**, the events of a call ended by an exit, which the model replays. In reading
//! order:
//!
//! - [`record`]: the published shapes of a line.
//! - [`entry`]: a line as the replay takes it: numbers, digests and places in the text.
//! - [`scan`]: the fast reader of ordinary lines; on any doubt the shapes decide.
//! - [`reader`]: files and streams, packed or not, cut into chunks of whole lines.
//! - [`replay`]: the open calls, the model at work, and the verdicts; [`judge`] names the clauses.
//! - [`finding`]: what is said of a line.
//! - [`parallel`]: several threads, the same findings in the same order.
//! - [`map`]: another log's members and words, read as the spec's.
//! - [`sample`]: a lawful log, for tests and benches.
//! - [`summary`]: the counts, which add up over shards.
//!
//! ```
//! use gatespec::audit::reader::Input;
//! use gatespec::audit::{Audit, Note, Settings};
//!
//! let line = r#"{"kind":"outcome","call":"c1","record":{"decision":"allow","deniedBy":"policy"}}"#;
//! let log = Input::Memory("log".to_owned(), line.as_bytes().into());
//! let mut notes = Vec::new();
//! let audit = Audit::new(vec![log], Settings::default());
//! let audited = audit.run(&mut |note| notes.push(note.clone()));
//! assert_eq!(audited.summary.unlawful(), 1);
//! assert!(matches!(&notes[..], [Note::Finding(finding)] if finding.call == "c1"));
//! ```

pub mod entry;
pub mod finding;
pub mod judge;
pub mod map;
pub mod parallel;
pub mod reader;
pub mod record;
pub mod replay;
pub mod sample;
pub mod scan;
pub mod summary;

pub use finding::{Finding, Note};
pub use parallel::{Audit, Audited, Settings};
pub use record::Line;
pub use summary::Summary;
