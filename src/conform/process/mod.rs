//! An adapter as a process: lines out, lines in, and the one to blame when it fails.
//!
//! An [`Adapter`] speaks the protocol's frame (`spec/protocol.md`) and knows nothing of what is
//! asked. It pipelines requests, matches answers by id, and gives each request exactly one
//! [`Wire`]: the raw answer, or the [`Fault`] that it brings about. A process that dies, hangs or
//! breaks the protocol is killed with its whole group; what it had not answered is asked again, one
//! request at a time. A request is to blame only when a *fresh* process fails on it *alone*; all
//! others get their true answers, and then the pipeline goes on.
//!
//! Everything is bounded: a line, what is in flight, what is kept of stderr, the time to start, to
//! answer and to end, and the number of restarts ([`Limits`]).

use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use child::Process;
pub(in crate::conform) use child::spawn_error;
pub use fault::{ByeError, Exit, Fault, Incident, Offence, StartError, Stopped, What};

mod child;
mod fault;
mod line;
mod serve;
mod start;
mod window;

/// The last line that an adapter is sent.
pub const BYE: &str = r#"{"bye":{}}"#;

/// The bounds of an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest line that it may write, in bytes without the line feed.
    pub line_bytes: usize,
    /// How much of the end of its stderr is kept.
    pub stderr_bytes: usize,
    /// The time from spawning to its hello.
    pub start: Duration,
    /// The time without any answer while one is due.
    pub case: Duration,
    /// The time for everything, from the first start on.
    pub run: Option<Duration>,
    /// The time to exit after `bye` and the end of its stdin.
    pub bye: Duration,
    /// The time between SIGTERM and SIGKILL.
    pub grace: Duration,
    /// How often it may be started again within one [`Adapter::run`].
    pub respawns: u32,
    /// How many requests may be in flight.
    pub in_flight: usize,
    /// How many bytes of requests may be in flight; one request always may.
    pub in_flight_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes: 16 * 1024 * 1024,
            stderr_bytes: 64 * 1024,
            start: Duration::from_secs(10),
            case: Duration::from_secs(10),
            run: None,
            bye: Duration::from_secs(2),
            grace: Duration::from_millis(200),
            respawns: 64,
            in_flight: 1024,
            in_flight_bytes: 1024 * 1024,
        }
    }
}

/// What is spawned: no shell comes between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// A path, or a name to be found on `PATH`.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl Command {
    /// From words, the program first; `None` when there are none.
    pub fn new<S: Into<OsString>>(words: impl IntoIterator<Item = S>) -> Option<Self> {
        let mut words = words.into_iter().map(Into::into);
        Some(Self {
            program: words.next()?,
            args: words.collect(),
        })
    }

    /// The program as it is named in messages.
    fn name(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }
}

/// One line for the adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its number, which no other request to this adapter has. Numbers that go up are found
    /// fastest.
    pub id: u64,
    /// The whole line without its line feed: a JSON object whose `id` is that number as a decimal
    /// string. It has no line feed inside.
    pub line: String,
}

/// What came of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire<'a> {
    /// The line that the adapter wrote, whose `id` is the request's. Nothing else of it has been
    /// looked at: it may be no JSON, or name `id` again.
    Reply(&'a str),
    /// A fresh process failed when it was asked this alone.
    Fault(&'a Fault),
}

/// What happens on the wire, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A process was spawned.
    Started {
        /// Its id, which is its group's too.
        pid: u32,
    },
    /// A line was put out for the adapter, without its line feed.
    Sent(&'a str),
    /// The adapter wrote a line, without its line feed, or the first half of one.
    Received(&'a [u8]),
    /// The adapter wrote to its stderr.
    Stderr(&'a [u8]),
    /// The process ended, or was killed, and all its group with it.
    Ended {
        /// How its leader ended.
        exit: Exit,
    },
}

/// Who listens to the wire, if anyone does.
#[derive(Default)]
struct Trace(Option<Listener>);

type Listener = Box<dyn FnMut(Event<'_>) + Send>;

impl Trace {
    fn tell(&mut self, event: Event<'_>) {
        if let Some(listener) = &mut self.0 {
            listener(event);
        }
    }
}

/// An adapter: a command that is spawned when it is needed, and as often as it is needed.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
/// use gatespec::conform::process::{Adapter, Command, Limits, Request, Wire};
///
/// let script = r#"while IFS= read -r line; do case $line in
///     *hello*) echo '{"hello":{"protocol":1}}';; *bye*) exit;; *) echo "$line";; esac; done"#;
/// let command = Command::new(["sh", "-c", script]).expect("three words");
/// let interrupt = Arc::new(AtomicBool::new(false));
/// let hello = r#"{"hello":{"protocol":1,"spec":"1.0"}}"#.to_owned();
/// let mut adapter = Adapter::new(command, Limits::default(), hello, interrupt);
///
/// assert_eq!(adapter.start()?, r#"{"hello":{"protocol":1}}"#);
/// let mut asked = (0..3).map(|id| Request { id, line: format!(r#"{{"id":"{id}","op":"x"}}"#) });
/// let mut replies = Vec::new();
/// adapter.run(&mut || asked.next(), &mut |id, wire| match wire {
///     Wire::Reply(line) => replies.push((id, line.to_owned())),
///     Wire::Fault(fault) => eprintln!("{id}: {fault}\n{}", fault.stderr),
/// })?;
/// assert_eq!(replies[2], (2, r#"{"id":"2","op":"x"}"#.to_owned()));
/// adapter.bye()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Adapter {
    command: Command,
    limits: Limits,
    hello: String,
    interrupt: Arc<AtomicBool>,
    trace: Trace,
    deadline: Option<Instant>,
    session: Option<Session>,
    incidents: Vec<Incident>,
}

/// One process that has said hello, and what it holds.
struct Session {
    process: Process,
    window: window::Window,
    /// How many requests it has been sent.
    served: u64,
    /// That it was sent a request that an earlier one left unanswered, and has not answered it.
    alone: bool,
    /// That its last output was a few lines only.
    trickles: bool,
}

impl fmt::Debug for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adapter")
            .field("command", &self.command)
            .finish_non_exhaustive()
    }
}

impl Adapter {
    /// An adapter that is not yet started. `hello` is the first line that each process is sent.
    /// When `interrupt` becomes true, whatever goes on ends soon, and the process with it.
    #[must_use]
    pub const fn new(
        command: Command,
        limits: Limits,
        hello: String,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        Self {
            command,
            limits,
            hello,
            interrupt,
            trace: Trace(None),
            deadline: None,
            session: None,
            incidents: Vec::new(),
        }
    }

    /// Has all that happens on the wire told to `listener`.
    #[must_use]
    pub fn traced(mut self, listener: impl FnMut(Event<'_>) + Send + 'static) -> Self {
        self.trace = Trace(Some(Box::new(listener)));
        self
    }

    /// Starts a process, in the place of one that runs, and gives the line that it greets with.
    ///
    /// # Errors
    /// A [`StartError`] when it cannot be spawned or says no hello in time. No process is left.
    pub fn start(&mut self) -> Result<String, StartError> {
        self.kill();
        let (session, hello) = self.greet()?;
        self.session = Some(session);
        Ok(hello)
    }

    /// Asks what `next` gives until it gives `None`, and hands what came of each request to `done`,
    /// exactly once, in the order of the answers. Starts the adapter if it is not running.
    ///
    /// Both are called on this thread; while they take their time, the adapter works on what is in
    /// flight, and the time does not count against it.
    ///
    /// # Errors
    /// When it had to be [`Stopped`]. What `done` has been given stays true; a request that was
    /// taken from `next` and not given to `done` has not been decided. No process is left.
    pub fn run(
        &mut self,
        next: &mut dyn FnMut() -> Option<Request>,
        done: &mut dyn FnMut(u64, Wire<'_>),
    ) -> Result<(), Stopped> {
        let ended = self.serve_all(next, done);
        if ended.is_err() {
            self.kill();
        }
        ended
    }

    /// The faults for which no request has been given a [`Wire::Fault`]. A run that leaves any is
    /// no clean run.
    pub fn take_incidents(&mut self) -> Vec<Incident> {
        std::mem::take(&mut self.incidents)
    }

    /// Says goodbye with [`BYE`], closes the adapter's stdin and waits for its end.
    ///
    /// # Errors
    /// When it wrote, stayed or failed instead ([`ByeError`]). No process is left either way.
    pub fn bye(mut self) -> Result<(), ByeError> {
        self.leave(BYE)
    }

    /// Ends the process and its group, if there is one.
    pub fn kill(&mut self) {
        if let Some(mut session) = self.session.take() {
            session.process.end(self.limits.grace, &mut self.trace);
        }
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        self.kill();
    }
}
