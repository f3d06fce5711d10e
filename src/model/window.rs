//! A tool window under a hold: the calls of one step, over the drives that it takes to answer
//! them all (`spec/window.md`).
//!
//! A [`Window`] keeps what outlives a drive: which calls have their result, the mark of the call
//! that is held, and whether the last drive ended in a fault. [`Window::drive`] walks the calls
//! once and says what happened, in order.
//!
//! ```
//! use gatespec::model::verdict::Gate;
//! use gatespec::model::window::{AfterFault, Call, End, Kind, Window};
//!
//! let call = |id: &str| Call { id: id.into(), tool: "sh".into() };
//! let mut window = Window::new(vec![call("a"), call("b")]);
//! let mut holds = |call: &Call| match call.id.as_str() {
//!     "b" => Gate::Hold { reason: "ask".into() },
//!     _ => Gate::Proceed,
//! };
//! let drive = window.drive(Some(&mut holds), AfterFault::Adjudicate);
//! assert_eq!((drive.end, window.results()), (End::Held, &[Kind::Result][..]));
//!
//! // without a control the held call passes: only the mark said that it was parked
//! assert_eq!(window.drive(None, AfterFault::Adjudicate).end, End::Done);
//! assert_eq!(window.mark(), None);
//! ```

use super::verdict::Gate;

/// A tool call of the step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// Its id, unique in the conversation.
    pub id: String,
    /// The tool that it calls.
    pub tool: String,
}

/// The hold mark: what says that a call is parked (WIN-06).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// The held call's id.
    pub id: String,
    /// The held call's tool.
    pub tool: String,
    /// Why it is held.
    pub reason: String,
}

/// What kind of result a call got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// What executing it gave.
    Result,
    /// The control's refusal, an error (WIN-04).
    Refusal,
    /// An error that says that it was interrupted: it never ran (WIN-17).
    Interrupted,
}

/// One thing that happens in a drive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// The control was consulted about a call.
    Consulted {
        /// The call's id.
        id: String,
    },
    /// The mark of a call was taken away.
    Lifted {
        /// The call's id.
        id: String,
    },
    /// A call entered its executor.
    Executed {
        /// The call's id.
        id: String,
    },
    /// A call's result was committed.
    Committed {
        /// The call's id.
        id: String,
        /// What kind of result.
        kind: Kind,
    },
}

/// How a drive ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// Every call has its result (WIN-22).
    Done,
    /// A call is held (WIN-07).
    Held,
    /// The harness was stopped (WIN-16).
    Stopped,
    /// The control failed (WIN-19).
    Fault,
}

/// What one drive did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drive {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// How it ended.
    pub end: End,
    /// The mark that stands after it.
    pub mark: Option<Mark>,
}

/// What a drive does about calls that an unmarked fault left unanswered (WIN-20): the
/// implementation's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AfterFault {
    /// Adjudicate them.
    #[default]
    Adjudicate,
    /// Settle them all as errors.
    Settle,
}

/// A tool window between two drives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Window {
    calls: Vec<Call>,
    results: Vec<Kind>,
    mark: Option<Mark>,
    faulted: bool,
}

impl Window {
    /// The window of a step that was just emitted: nothing has its result. Ids must differ; what
    /// becomes of a repeated one is outside the model (WIN-21).
    #[must_use]
    pub const fn new(calls: Vec<Call>) -> Self {
        Self {
            calls,
            results: Vec::new(),
            mark: None,
            faulted: false,
        }
    }

    /// The calls of the step, in order.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The results committed so far: those of the first calls, in order (WIN-14, WIN-15).
    #[must_use]
    pub fn results(&self) -> &[Kind] {
        &self.results
    }

    /// The mark that stands.
    #[must_use]
    pub const fn mark(&self) -> Option<&Mark> {
        self.mark.as_ref()
    }

    /// Whether the last drive ended in a fault with no mark standing, so that the next one may
    /// settle what is unanswered (WIN-20).
    #[must_use]
    pub const fn faulted(&self) -> bool {
        self.faulted
    }

    /// The first call without a result.
    #[must_use]
    pub fn next_call(&self) -> Option<&Call> {
        self.calls.get(self.results.len())
    }

    /// Drives the window once. `control` is the seam about one call, or `None` with no control
    /// configured: then every call proceeds and nothing is consulted (WIN-02, WIN-10).
    pub fn drive(
        &mut self,
        mut control: Option<&mut dyn FnMut(&Call) -> Gate>,
        after: AfterFault,
    ) -> Drive {
        let mut events = Vec::new();
        if std::mem::take(&mut self.faulted) && after == AfterFault::Settle {
            self.interrupt(&mut events);
        }
        if self.next_call().is_none() {
            self.lift(&mut events); // a stop settled its call: the mark is stale (WIN-18)
        }
        let mut end = End::Done;
        while let Some(call) = self.next_call().cloned() {
            let gate = match &mut control {
                None => Gate::Proceed,
                Some(seam) => {
                    events.push(Event::Consulted {
                        id: call.id.clone(),
                    });
                    seam(&call)
                }
            };
            match gate {
                Gate::Proceed => {
                    self.lift(&mut events);
                    events.push(Event::Executed {
                        id: call.id.clone(),
                    });
                    self.commit(&call, Kind::Result, &mut events);
                }
                Gate::Refuse { .. } => {
                    self.lift(&mut events);
                    self.commit(&call, Kind::Refusal, &mut events);
                }
                Gate::Hold { reason } => {
                    self.mark = Some(Mark {
                        id: call.id,
                        tool: call.tool,
                        reason,
                    });
                    end = End::Held;
                    break;
                }
                Gate::Stopped => {
                    self.interrupt(&mut events);
                    end = End::Stopped;
                    break;
                }
                Gate::Fault(_) => {
                    self.faulted = self.mark.is_none();
                    end = End::Fault;
                    break;
                }
            }
        }
        Drive {
            events,
            end,
            mark: self.mark.clone(),
        }
    }

    /// Takes the mark away, if one stands (WIN-11, WIN-18).
    fn lift(&mut self, events: &mut Vec<Event>) {
        events.extend(self.mark.take().map(|mark| Event::Lifted { id: mark.id }));
    }

    /// Commits a call's only result (WIN-14, WIN-15).
    fn commit(&mut self, call: &Call, kind: Kind, events: &mut Vec<Event>) {
        self.results.push(kind);
        events.push(Event::Committed {
            id: call.id.clone(),
            kind,
        });
    }

    /// Settles every unanswered call as interrupted (WIN-17).
    fn interrupt(&mut self, events: &mut Vec<Event>) {
        while let Some(call) = self.next_call().cloned() {
            self.commit(&call, Kind::Interrupted, events);
        }
    }
}
