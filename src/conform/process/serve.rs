//! Asking and answering: the pipeline, and the search for the one to blame.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::child::Got;
use super::fault::{Exit, Fault, Incident, Offence, StartError, Stopped, What, excerpt};
use super::line::{self, TooLong};
use super::start::{LAST_BREATH, TICK};
use super::window::Named;
use super::{Adapter, Event, Limits, Request, Session, Trace, Wire};

/// How long new requests may be collected before those that stand ready are written.
const COLLECT: Duration = Duration::from_millis(2);

/// How long answers may gather while the adapter has half the pipeline to go on with: one that
/// flushes each line would else wake the harness for each, and be slowed by it.
const GATHER: Duration = Duration::from_micros(100);

/// A read of fewer bytes says that the adapter flushes each line, or few.
const TRICKLE: usize = 16 * 1024;

/// What is still to be asked, and whom to tell.
struct Work<'a> {
    next: &'a mut dyn FnMut() -> Option<Request>,
    done: &'a mut dyn FnMut(u64, Wire<'_>),
    /// `next` has given `None`.
    dry: bool,
    /// What dead processes left unanswered: to be asked one by one.
    again: VecDeque<Request>,
}

impl Work<'_> {
    fn next(&mut self) -> Option<Request> {
        if self.dry {
            return None;
        }
        let request = (self.next)();
        self.dry = request.is_none();
        request
    }
}

/// Why a process is not asked further.
enum Ended {
    Interrupted,
    RunTimeout,
    /// It ended, or closed its stdout.
    Gone,
    TimedOut,
    Offence(Offence),
}

impl Adapter {
    /// Serves the work with as many processes as it takes.
    pub(super) fn serve_all(
        &mut self,
        next: &mut dyn FnMut() -> Option<Request>,
        done: &mut dyn FnMut(u64, Wire<'_>),
    ) -> Result<(), Stopped> {
        let mut work = Work {
            next,
            done,
            dry: false,
            again: VecDeque::new(),
        };
        let mut respawns = 0;
        loop {
            if self.session.is_none() {
                let (session, _) = self.greet().map_err(|error| self.not_started(error))?;
                self.session = Some(session);
            }
            let ended = match self.serve(&mut work) {
                Ok(()) => return Ok(()),
                Err(Ended::Interrupted) => return Err(Stopped::Interrupted),
                Err(Ended::RunTimeout) => return Err(self.out_of_time()),
                Err(ended) => ended,
            };
            let last = self.bury(ended, &mut work);
            if work.again.is_empty() {
                // no process is started for nothing
                match work.next() {
                    Some(request) => work.again.push_back(request),
                    None => return Ok(()),
                }
            }
            if respawns == self.limits.respawns {
                return Err(Stopped::RespawnLimit { respawns, last });
            }
            respawns += 1;
        }
    }

    fn not_started(&self, error: StartError) -> Stopped {
        match error {
            StartError::Interrupted => Stopped::Interrupted,
            StartError::RunTimeout => self.out_of_time(),
            error => Stopped::Start(error),
        }
    }

    fn out_of_time(&self) -> Stopped {
        Stopped::RunTimeout {
            limit: self.limits.run.unwrap_or_default(),
        }
    }

    /// Serves the work with the process that runs, until all is answered or the process is not to
    /// be asked further.
    fn serve(&mut self, work: &mut Work<'_>) -> Result<(), Ended> {
        let Self {
            session,
            limits,
            interrupt,
            trace,
            deadline,
            ..
        } = self;
        let Some(session) = session else {
            return Ok(());
        };
        let mut since = Instant::now();
        loop {
            if interrupt.load(Ordering::Relaxed) {
                return Err(Ended::Interrupted);
            }
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                return Err(Ended::RunTimeout);
            }
            if session.fill(work, limits, trace) {
                since += now.elapsed();
            }
            session.process.flush();
            let got = session.process.read();
            if let Got::Bytes(count) = got {
                session.trickles = count < TRICKLE;
            }
            if session.answers(work, limits, trace)? {
                since = Instant::now();
            }
            if session.window.open() == 0 && work.dry && work.again.is_empty() {
                return Ok(());
            }
            match got {
                Got::Bytes(_) => {}
                Got::End => return Err(Ended::Gone),
                Got::Nothing => session.wait(since, limits, trace)?,
            }
        }
    }

    /// Ends a process that failed, gives its fault to the one to blame if there is one, and puts
    /// what it left unanswered in front of what is to be asked again.
    fn bury(&mut self, ended: Ended, work: &mut Work<'_>) -> Fault {
        let Some(session) = self.session.take() else {
            return Fault {
                what: What::Crashed(Exit::Unknown),
                stderr: String::new(),
            };
        };
        let Session {
            mut process,
            window,
            served,
            ..
        } = session;
        let by_itself =
            matches!(ended, Ended::Gone) && process.wait_for_end(LAST_BREATH, &mut self.trace);
        let half = process.inbox.half().to_vec();
        if by_itself && !half.is_empty() {
            self.trace.tell(Event::Received(&half));
        }
        let exit = process.end(self.limits.grace, &mut self.trace);
        let what = match ended {
            Ended::Offence(offence) => What::Protocol(offence),
            Ended::TimedOut => What::TimedOut(self.limits.case),
            _ if !half.is_empty() && exit == Exit::Status(0) => What::Protocol(Offence::HalfLine {
                line: excerpt(&half),
            }),
            _ if by_itself => What::Crashed(exit),
            _ => What::Protocol(Offence::ClosedOutput),
        };
        let fault = Fault {
            what,
            stderr: process.into_stderr(&mut self.trace),
        };
        let known = match fault.what {
            What::Protocol(Offence::Doubled { id }) => window.answered(id).map(pair),
            _ => None,
        };
        let after = window.last().map(pair);
        let open: Vec<Request> = window.into_open().collect();
        match open.as_slice() {
            [only] if served == 1 && known.is_none() => {
                (work.done)(only.id, Wire::Fault(&fault));
                self.explained(only.id);
            }
            _ => {
                let ends = open
                    .first()
                    .zip(open.last())
                    .map(|(from, to)| (from.id, to.id));
                self.incidents.push(Incident {
                    fault: fault.clone(),
                    culprit: known,
                    after,
                    open: ends,
                });
                for request in open.into_iter().rev() {
                    work.again.push_front(request);
                }
            }
        }
        fault
    }

    /// Forgets the incidents that this request, now blamed, had a part in.
    fn explained(&mut self, id: u64) {
        self.incidents.retain(|incident| {
            incident.culprit.is_some()
                || !incident
                    .open
                    .is_some_and(|(from, to)| (from..=to).contains(&id))
        });
    }
}

fn pair(request: &Request) -> (u64, String) {
    (request.id, request.line.clone())
}

impl Session {
    /// Queues what may be in flight; says whether it asked for new work.
    fn fill(&mut self, work: &mut Work<'_>, limits: &Limits, trace: &mut Trace) -> bool {
        let idle = self.window.open() == 0;
        self.alone &= !idle;
        if self.alone {
            return false;
        }
        if idle && let Some(request) = work.again.pop_front() {
            self.alone = true;
            self.ask(request, trace);
            return false;
        }
        // refilled when half empty, so that lines go out by the hundred
        if self.window.open() > limits.in_flight / 2
            || self.window.bytes() > limits.in_flight_bytes / 2
            || work.dry
        {
            return false;
        }
        let started = Instant::now();
        for asked in 1_u32.. {
            let full = self.window.open() >= limits.in_flight
                || self.window.bytes() >= limits.in_flight_bytes;
            if full && self.window.open() > 0 || asked % 8 == 0 && started.elapsed() > COLLECT {
                break;
            }
            let Some(request) = work.next() else { break };
            self.ask(request, trace);
        }
        true
    }

    fn ask(&mut self, request: Request, trace: &mut Trace) {
        self.process.queue(&request.line, trace);
        self.served += 1;
        self.window.push(request);
    }

    /// Hands on the answers that have come; says whether there were any.
    fn answers(
        &mut self,
        work: &mut Work<'_>,
        limits: &Limits,
        trace: &mut Trace,
    ) -> Result<bool, Ended> {
        let Self {
            process, window, ..
        } = self;
        let mut any = false;
        loop {
            let line = match process.inbox.line(limits.line_bytes) {
                Ok(None) => return Ok(any),
                Ok(Some(line)) => line,
                Err(TooLong) => {
                    let bound = limits.line_bytes;
                    return Err(Ended::Offence(Offence::LongLine { bound }));
                }
            };
            trace.tell(Event::Received(line));
            let Ok(text) = std::str::from_utf8(line) else {
                return Err(Ended::Offence(Offence::NotUtf8 {
                    line: excerpt(line),
                }));
            };
            let id = line::id(text).map_err(Ended::Offence)?;
            match window.close(id) {
                Named::Open => (work.done)(id, Wire::Reply(text)),
                Named::Answered => return Err(Ended::Offence(Offence::Doubled { id })),
                Named::Unknown => {
                    return Err(Ended::Offence(Offence::UnknownId { id: id.to_string() }));
                }
            }
            any = true;
        }
    }

    /// Waits for something to happen, and says when it has not happened for too long.
    fn wait(&mut self, since: Instant, limits: &Limits, trace: &mut Trace) -> Result<(), Ended> {
        let idle = since.elapsed();
        // a process that has ended may have left its stdout to a child
        let ended = idle >= TICK && self.process.has_ended();
        let left = limits.case.saturating_sub(idle).min(TICK);
        let ready = self
            .process
            .wait(if ended { Duration::ZERO } else { left }, trace);
        if ready {
            if self.trickles && self.window.open() > limits.in_flight / 2 {
                std::thread::sleep(GATHER);
            }
            return Ok(());
        }
        if ended {
            return Err(Ended::Gone);
        }
        if since.elapsed() >= limits.case {
            return Err(Ended::TimedOut);
        }
        if self.process.input_closed && since.elapsed() >= LAST_BREATH {
            return Err(Ended::Offence(Offence::ClosedInput));
        }
        Ok(())
    }
}
