//! The two ends of a process's life: hello and bye.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::child::{Got, Process};
use super::fault::{ByeError, Exit, Offence, StartError, excerpt};
use super::line::TooLong;
use super::window::Window;
use super::{Adapter, Event, Session};

/// How often the interrupt flag is looked at while nothing else happens.
pub(super) const TICK: Duration = Duration::from_millis(50);

/// How long a process that closed its stdout may take to end, to be one that ended.
pub(super) const LAST_BREATH: Duration = Duration::from_millis(500);

/// Why no line came.
enum NoLine {
    End,
    TimedOut,
    RunTimeout,
    Interrupted,
    Offence(Offence),
}

/// A first line that may be a greeting: what is in it is for others to read.
#[derive(Deserialize)]
struct Greeting<'a> {
    #[serde(borrow, rename = "hello")]
    _hello: &'a RawValue,
}

impl Adapter {
    /// Spawns a process and exchanges the hello lines.
    pub(super) fn greet(&mut self) -> Result<(Session, String), StartError> {
        let started = Instant::now();
        if let (None, Some(run)) = (self.deadline, self.limits.run) {
            self.deadline = started.checked_add(run);
        }
        let mut process = Process::spawn(&self.command, self.limits.stderr_bytes, &mut self.trace)?;
        process.queue(&self.hello, &mut self.trace);
        match self.first_line(&mut process, started) {
            Ok(line) if line == self.hello => Err(StartError::Echo {
                program: self.command.name(),
            }),
            Ok(line)
                if line.trim_start().starts_with('{')
                    && serde_json::from_str::<Greeting<'_>>(&line).is_ok() =>
            {
                if !process.inbox.half().is_empty() {
                    return Err(self.chatter(process));
                }
                let window = Window::default();
                Ok((
                    Session {
                        process,
                        window,
                        served: 0,
                        alone: false,
                        trickles: false,
                    },
                    line,
                ))
            }
            Ok(line) => Err(self.banner(process, line.as_bytes())),
            Err(why) => Err(self.no_hello(process, why)),
        }
    }

    /// The first line that the process writes.
    fn first_line(&mut self, process: &mut Process, started: Instant) -> Result<String, NoLine> {
        loop {
            process.flush();
            let got = process.read();
            match process.inbox.line(self.limits.line_bytes) {
                Ok(Some(line)) => {
                    self.trace.tell(Event::Received(line));
                    return String::from_utf8(line.to_vec()).map_err(|error| {
                        let line = excerpt(error.as_bytes());
                        NoLine::Offence(Offence::NotUtf8 { line })
                    });
                }
                Err(TooLong) => {
                    let bound = self.limits.line_bytes;
                    return Err(NoLine::Offence(Offence::LongLine { bound }));
                }
                Ok(None) => {}
            }
            if matches!(got, Got::End) {
                return Err(NoLine::End);
            }
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(NoLine::Interrupted);
            }
            if self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
            {
                return Err(NoLine::RunTimeout);
            }
            let left = self.limits.start.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Err(NoLine::TimedOut);
            }
            // a process that has ended may have left its stdout to a child
            let ended = process.has_ended();
            let ready = process.wait(
                if ended {
                    Duration::ZERO
                } else {
                    left.min(TICK)
                },
                &mut self.trace,
            );
            if ended && !ready {
                return Err(NoLine::End);
            }
        }
    }

    fn banner(&mut self, mut process: Process, line: &[u8]) -> StartError {
        process.end(self.limits.grace, &mut self.trace);
        StartError::Banner {
            program: self.command.name(),
            line: excerpt(line),
            stderr: process.into_stderr(&mut self.trace),
        }
    }

    fn chatter(&mut self, mut process: Process) -> StartError {
        let line = excerpt(
            process
                .inbox
                .half()
                .split(|&byte| byte == b'\n')
                .next()
                .unwrap_or(b""),
        );
        process.end(self.limits.grace, &mut self.trace);
        StartError::Chatter {
            program: self.command.name(),
            line,
            stderr: process.into_stderr(&mut self.trace),
        }
    }

    fn no_hello(&mut self, mut process: Process, why: NoLine) -> StartError {
        let program = self.command.name();
        let half = process.inbox.half().to_vec();
        let by_itself =
            matches!(why, NoLine::End) && process.wait_for_end(LAST_BREATH, &mut self.trace);
        let exit = process.end(self.limits.grace, &mut self.trace);
        let stderr = process.into_stderr(&mut self.trace);
        match why {
            NoLine::End if !half.is_empty() => {
                self.trace.tell(Event::Received(&half));
                StartError::Banner {
                    program,
                    line: excerpt(&half),
                    stderr,
                }
            }
            NoLine::End if by_itself => StartError::Exited {
                program,
                exit,
                stderr,
            },
            NoLine::End => StartError::Offence {
                program,
                offence: Offence::ClosedOutput,
                stderr,
            },
            NoLine::TimedOut => StartError::TimedOut {
                program,
                limit: self.limits.start,
                stderr,
            },
            NoLine::Offence(offence) => StartError::Offence {
                program,
                offence,
                stderr,
            },
            NoLine::RunTimeout => StartError::RunTimeout,
            NoLine::Interrupted => StartError::Interrupted,
        }
    }

    /// Sends the last line, closes stdin, and waits for silence and the end.
    pub(super) fn leave(&mut self, line: &str) -> Result<(), ByeError> {
        let Some(mut session) = self.session.take() else {
            return Ok(());
        };
        let process = &mut session.process;
        process.queue(line, &mut self.trace);
        let started = Instant::now();
        let left = |limit: Duration| limit.saturating_sub(started.elapsed());
        let mut spoke = None;
        loop {
            process.flush();
            if !process.unsent() {
                process.close_input();
            }
            let got = process.read();
            if let Some(line) = leftover(process) {
                self.trace.tell(Event::Received(&line));
                spoke = Some(excerpt(&line));
                break;
            }
            let over = left(self.limits.bye).is_zero() || self.interrupt.load(Ordering::Relaxed);
            if over || matches!(got, Got::End) {
                break;
            }
            let ended = process.has_ended();
            let wait = if ended {
                Duration::ZERO
            } else {
                left(self.limits.bye).min(TICK)
            };
            if !process.wait(wait, &mut self.trace) && ended {
                break;
            }
        }
        let half = process.inbox.half().to_vec();
        let by_itself =
            spoke.is_some() || process.wait_for_end(left(self.limits.bye), &mut self.trace);
        let exit = process.end(self.limits.grace, &mut self.trace);
        match (spoke, by_itself, exit) {
            (Some(line), ..) => Err(ByeError::Spoke { line }),
            (None, ..) if !half.is_empty() => Err(ByeError::Spoke {
                line: excerpt(&half),
            }),
            (None, false, _) => Err(ByeError::Stayed {
                limit: self.limits.bye,
            }),
            (None, true, Exit::Status(0)) => Ok(()),
            (None, true, exit) => Err(ByeError::Exited(exit)),
        }
    }
}

/// A line where none is due, or so much of one that it need not end.
fn leftover(process: &mut Process) -> Option<Vec<u8>> {
    const ENOUGH: usize = 64 * 1024;
    match process.inbox.line(ENOUGH) {
        Ok(line) => line.map(<[u8]>::to_vec),
        Err(TooLong) => Some(process.inbox.half().to_vec()),
    }
}
