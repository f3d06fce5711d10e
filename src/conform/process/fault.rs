//! What can go wrong with an adapter, each thing by its own name and with what to do about it.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// It ended by itself, with this status.
    Status(i32),
    /// A signal ended it.
    Signal(i32),
    /// It was gone, and the system no longer says how.
    Unknown,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Status(status) => write!(f, "exited with status {status}"),
            Self::Signal(signal) => match signal_name(signal) {
                Some(name) => write!(f, "was killed by {name}"),
                None => write!(f, "was killed by signal {signal}"),
            },
            Self::Unknown => write!(f, "ended"),
        }
    }
}

/// The name of a signal whose number is the same on every system.
const fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL (out of memory, often)",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return None,
    })
}

/// A breach of the protocol. Lines are excerpts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Offence {
    /// A line that is no JSON object, or names its `id` twice.
    #[error(
        "wrote `{line}`, which is no answer ({why}); \
         only answers go to stdout, everything else to stderr"
    )]
    NotAnAnswer {
        /// What it wrote.
        line: String,
        /// What is wrong with it.
        why: String,
    },
    /// A JSON object whose `id` is missing or no string.
    #[error("wrote `{line}` without an `id`; an answer repeats the request's id, as a string")]
    NoId {
        /// What it wrote.
        line: String,
    },
    /// An answer to nothing that is open.
    #[error(
        "answered id `{id}`, which is not open: it was never asked of this process, \
         or was answered long ago"
    )]
    UnknownId {
        /// The id that it gave.
        id: String,
    },
    /// A second answer to one request.
    #[error("answered id `{id}` twice; each request has one answer")]
    Doubled {
        /// The id of both.
        id: u64,
    },
    /// A line that is not UTF-8.
    #[error("wrote a line that is not UTF-8: `{line}`")]
    NotUtf8 {
        /// What it wrote, its bad bytes replaced.
        line: String,
    },
    /// A line over the bound.
    #[error("wrote a line of more than {bound} bytes; does it end its lines?")]
    LongLine {
        /// [`Limits::line_bytes`](super::Limits::line_bytes).
        bound: usize,
    },
    /// Its output ended inside a line, although it exited with status 0.
    #[error("ended in the middle of the line `{line}`; each answer ends with a line feed")]
    HalfLine {
        /// What there was of it.
        line: String,
    },
    /// It closed its stdin while it was still being asked.
    #[error("closed its stdin before `bye`; it reads until then")]
    ClosedInput,
    /// It closed its stdout and lived on.
    #[error("closed its stdout before `bye`; it answers until then")]
    ClosedOutput,
}

/// What a process did that ended it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum What {
    /// It ended before it had answered.
    #[error("the adapter {0} before it had answered")]
    Crashed(Exit),
    /// It gave no answer in time.
    #[error("the adapter gave no answer for {} s; does it flush its stdout after each line?",
        .0.as_secs_f64())]
    TimedOut(Duration),
    /// It broke the protocol.
    #[error("the adapter {0}")]
    Protocol(Offence),
}

/// The end of a process, and what it had said on stderr.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct Fault {
    /// What it did.
    pub what: What,
    /// The end of its stderr, up to [`Limits::stderr_bytes`](super::Limits::stderr_bytes).
    pub stderr: String,
}

/// A fault that no single request could be given as its answer.
///
/// Either the request had already been answered (a doubled id), or none of those that were open
/// brought the fault about again when each was asked alone: a gate that keeps state from case to
/// case, or writes more than answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Incident {
    /// What happened.
    pub fault: Fault,
    /// The request to blame, where one is known although it had its answer.
    pub culprit: Option<(u64, String)>,
    /// The request that was answered last before it.
    pub after: Option<(u64, String)>,
    /// The ids of the first and the last request that were open.
    pub open: Option<(u64, u64)>,
}

impl fmt::Display for Incident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fault)?;
        match (&self.culprit, &self.after) {
            (Some((_, line)), _) => write!(f, "; it was asked `{}`", excerpt(line.as_bytes())),
            (None, Some((_, line))) => write!(
                f,
                "; no one request is to blame, and the last that it answered was `{}`",
                excerpt(line.as_bytes())
            ),
            (None, None) => f.write_str("; no one request is to blame"),
        }
    }
}

/// Why an adapter could not be started: each a sentence with the next step.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StartError {
    /// No such program.
    #[error("there is no program `{program}`; give its path, or a name that is on PATH")]
    NotFound {
        /// The first word of the command.
        program: String,
    },
    /// The script is there, its interpreter is not.
    #[error("`{program}` is there, but the interpreter that its `#!` line names is not")]
    NoInterpreter {
        /// The first word of the command.
        program: String,
    },
    /// No permission to run it.
    #[error("`{program}` is not executable; run `chmod +x` on it, or name its interpreter first")]
    NotExecutable {
        /// The first word of the command.
        program: String,
    },
    /// Another reason of the system.
    #[error("`{program}` cannot be started: {why}")]
    Spawn {
        /// The first word of the command.
        program: String,
        /// What the system says.
        why: String,
    },
    /// It ended instead of greeting.
    #[error("`{program}` {exit} before it said hello; it must answer and go on until `bye`")]
    Exited {
        /// The first word of the command.
        program: String,
        /// How it ended.
        exit: Exit,
        /// The end of its stderr.
        stderr: String,
    },
    /// It said nothing in time.
    #[error(
        "`{program}` said no hello within {} s; \
         does it read stdin and flush its stdout after each line?", .limit.as_secs_f64()
    )]
    TimedOut {
        /// The first word of the command.
        program: String,
        /// [`Limits::start`](super::Limits::start).
        limit: Duration,
        /// The end of its stderr.
        stderr: String,
    },
    /// Its first line was something else than a hello.
    #[error(
        "`{program}` wrote `{line}` before its hello; \
         only the protocol goes to stdout, everything else to stderr"
    )]
    Banner {
        /// The first word of the command.
        program: String,
        /// What it wrote.
        line: String,
        /// The end of its stderr.
        stderr: String,
    },
    /// It went on after its hello, unasked.
    #[error("`{program}` wrote `{line}` after its hello, before it was asked anything")]
    Chatter {
        /// The first word of the command.
        program: String,
        /// What it wrote.
        line: String,
        /// The end of its stderr.
        stderr: String,
    },
    /// It gave back what it read.
    #[error("`{program}` gives back what it reads; it is no adapter (see spec/protocol.md)")]
    Echo {
        /// The first word of the command.
        program: String,
    },
    /// It broke the protocol with its first line.
    #[error("`{program}` said no hello: it {offence}")]
    Offence {
        /// The first word of the command.
        program: String,
        /// How.
        offence: Offence,
        /// The end of its stderr.
        stderr: String,
    },
    /// The run's time was over.
    #[error("the time for the run was over before the adapter had said hello")]
    RunTimeout,
    /// The run was interrupted.
    #[error("interrupted before the adapter had said hello")]
    Interrupted,
}

impl StartError {
    /// The end of the adapter's stderr, if it had been started.
    #[must_use]
    pub fn stderr(&self) -> &str {
        match self {
            Self::Exited { stderr, .. }
            | Self::TimedOut { stderr, .. }
            | Self::Banner { stderr, .. }
            | Self::Chatter { stderr, .. }
            | Self::Offence { stderr, .. } => stderr,
            _ => "",
        }
    }
}

/// Why a run ended before every request had its answer. What had one, keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Stopped {
    /// It had to be started again too often.
    #[error("stopped after {respawns} restarts of the adapter; the last time, {last}")]
    RespawnLimit {
        /// [`Limits::respawns`](super::Limits::respawns).
        respawns: u32,
        /// The fault that was one too many.
        last: Fault,
    },
    /// It could not be started, or not again.
    #[error(transparent)]
    Start(StartError),
    /// The run's time was over.
    #[error("the time for the run, {} s, was over", .limit.as_secs_f64())]
    RunTimeout {
        /// [`Limits::run`](super::Limits::run).
        limit: Duration,
    },
    /// The interrupt flag was raised.
    #[error("interrupted")]
    Interrupted,
}

/// What was wrong with how an adapter left.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ByeError {
    /// It wrote although it was asked nothing more.
    #[error("the adapter wrote `{line}` after its last answer; after that it only ends")]
    Spoke {
        /// What it wrote first.
        line: String,
    },
    /// It did not end.
    #[error("the adapter did not end within {} s of `bye` and the end of its stdin",
        .limit.as_secs_f64())]
    Stayed {
        /// [`Limits::bye`](super::Limits::bye).
        limit: Duration,
    },
    /// It ended with something else than status 0.
    #[error("the adapter {0} after `bye`; it should exit with status 0")]
    Exited(Exit),
}

/// A line cut to what fits in a sentence.
pub(super) fn excerpt(line: &[u8]) -> String {
    const KEPT: usize = 160;
    let text = String::from_utf8_lossy(line.get(..4 * KEPT).unwrap_or(line));
    let mut short: String = text.trim_end().chars().take(KEPT).collect();
    if short.len() < text.trim_end().len() || line.len() > 4 * KEPT {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_told_by_status_or_by_the_name_of_the_signal() {
        let says = |exit: Exit| exit.to_string();
        assert_eq!(says(Exit::Status(3)), "exited with status 3");
        assert_eq!(says(Exit::Unknown), "ended");
        assert_eq!(says(Exit::Signal(5)), "was killed by signal 5");
        let names = [
            (1, "SIGHUP"),
            (2, "SIGINT"),
            (3, "SIGQUIT"),
            (4, "SIGILL"),
            (6, "SIGABRT"),
            (8, "SIGFPE"),
            (9, "SIGKILL (out of memory, often)"),
            (11, "SIGSEGV"),
            (13, "SIGPIPE"),
            (14, "SIGALRM"),
            (15, "SIGTERM"),
        ];
        for (signal, name) in names {
            assert_eq!(says(Exit::Signal(signal)), format!("was killed by {name}"));
        }
    }

    #[test]
    fn an_excerpt_is_cut_and_says_so() {
        let of = |count: usize| "é".repeat(count);
        assert_eq!(excerpt(of(160).as_bytes()), of(160));
        assert_eq!(excerpt(of(161).as_bytes()), of(160) + "…");
        assert_eq!(excerpt(b"one line\n"), "one line");
        assert_eq!(excerpt(&[b'x'; 640]), "x".repeat(160) + "…");
        // what is behind the excerpt counts, even if it is blank
        let padded = |blanks: usize| excerpt(format!("x{}", " ".repeat(blanks)).as_bytes());
        assert_eq!([padded(300), padded(639), padded(640)], ["x", "x", "x…"]);
    }

    #[test]
    fn an_incident_names_whom_it_can() {
        let fault = Fault {
            what: What::Protocol(Offence::ClosedInput),
            stderr: String::new(),
        };
        let mut incident = Incident {
            fault,
            culprit: None,
            after: None,
            open: None,
        };
        let start = "the adapter closed its stdin before `bye`; it reads until then";
        assert_eq!(
            incident.to_string(),
            format!("{start}; no one request is to blame")
        );
        incident.after = Some((3, "three".to_owned()));
        assert_eq!(
            incident.to_string(),
            format!(
                "{start}; no one request is to blame, and the last that it answered was `three`"
            )
        );
        incident.culprit = Some((2, "two".to_owned()));
        assert_eq!(incident.to_string(), format!("{start}; it was asked `two`"));
    }

    #[test]
    fn the_stderr_of_a_start_is_the_adapter_s_own() {
        let program = "gate".to_owned();
        let stderr = "no config".to_owned();
        let exited = StartError::Exited {
            program: program.clone(),
            exit: Exit::Status(1),
            stderr: stderr.clone(),
        };
        assert_eq!(exited.stderr(), stderr);
        assert_eq!(StartError::NotFound { program }.stderr(), "");
    }
}
