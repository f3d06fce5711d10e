//! One running process: its group, its three pipes, its end.
//!
//! All pipes are non-blocking and polled from one thread. Whatever the process does with its ends,
//! no write or read can hold the harness, and nothing is left behind that waits on a pipe which
//! some escaped grandchild keeps open.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid,
};

use super::fault::{Exit, StartError};
use super::line::{Inbox, Tail};
use super::{Command, Event, Trace};

/// What the pipes are asked to hold: fewer, larger reads and writes.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PIPE: usize = 256 * 1024;

/// How long a process that the system no longer runs may take to be reaped.
const REAP: Duration = Duration::from_secs(2);

/// What a read gave.
pub(super) enum Got {
    /// So many bytes.
    Bytes(usize),
    /// Nothing for now.
    Nothing,
    /// The end: all writing ends are closed.
    End,
}

/// A spawned process. It ends, with its group, at the latest when this is dropped.
pub(super) struct Process {
    child: Child,
    group: Option<Pid>,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    stderr_bytes: usize,
    tail: Tail,
    out: Vec<u8>,
    written: usize,
    ended: Option<Exit>,
    /// What it has written to its stdout.
    pub(super) inbox: Inbox,
    /// That it closed its stdin.
    pub(super) input_closed: bool,
}

impl Process {
    /// Spawns the command as the leader of a process group of its own.
    pub(super) fn spawn(
        command: &Command,
        stderr_bytes: usize,
        trace: &mut Trace,
    ) -> Result<Self, StartError> {
        let fail = |error: &io::Error| spawn_error(command, error);
        let mut child = std::process::Command::new(&command.program)
            .args(&command.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| fail(&error))?;
        trace.tell(Event::Started { pid: child.id() });
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(fail(&io::Error::other("it has no pipes")));
        };
        // from here on, dropping ends the group
        let process = Self {
            group: i32::try_from(child.id()).ok().and_then(Pid::from_raw),
            child,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            stderr_bytes,
            tail: Tail::default(),
            out: Vec::new(),
            written: 0,
            ended: None,
            inbox: Inbox::default(),
            input_closed: false,
        };
        process.prepare().map_err(|error| fail(&error))?;
        Ok(process)
    }

    fn prepare(&self) -> io::Result<()> {
        widen(&self.stdin, &self.stdout);
        rustix::io::ioctl_fionbio(&self.stdout, true)?;
        if let Some(stdin) = &self.stdin {
            rustix::io::ioctl_fionbio(stdin, true)?;
        }
        if let Some(stderr) = &self.stderr {
            rustix::io::ioctl_fionbio(stderr, true)?;
        }
        Ok(())
    }

    /// Adds a line to what is to be written.
    pub(super) fn queue(&mut self, line: &str, trace: &mut Trace) {
        trace.tell(Event::Sent(line));
        self.out.extend_from_slice(line.as_bytes());
        self.out.push(b'\n');
    }

    /// Whether something is to be written and can be.
    pub(super) const fn unsent(&self) -> bool {
        self.written < self.out.len() && self.stdin.is_some()
    }

    /// Writes what the pipe takes.
    pub(super) fn flush(&mut self) {
        while let Some(stdin) = &mut self.stdin {
            let rest = self.out.get(self.written..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
            match stdin.write(rest) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => {
                    self.stdin = None;
                    self.input_closed = true;
                }
            }
        }
        if self.written == self.out.len() || self.stdin.is_none() {
            self.out.clear();
            self.out.shrink_to(1024 * 1024);
            self.written = 0;
        } else if self.written > self.out.len() / 2 {
            self.out.drain(..self.written);
            self.written = 0;
        }
    }

    /// Closes its stdin.
    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Reads what there is of its stdout, up to the inbox's room.
    pub(super) fn read(&mut self) -> Got {
        loop {
            match self.stdout.read(self.inbox.room()) {
                Ok(0) => return Got::End,
                Ok(count) => {
                    self.inbox.filled(count);
                    return Got::Bytes(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Got::Nothing,
                Err(_) => return Got::End,
            }
        }
    }

    /// Waits until it has written, or can be written to, or the time is over. Says whether its
    /// stdout has something; if not, takes in what stands on its stderr.
    pub(super) fn wait(&mut self, limit: Duration, trace: &mut Trace) -> bool {
        let unsent = self.unsent();
        let mut pipes = Vec::with_capacity(3);
        pipes.push(PollFd::new(&self.stdout, PollFlags::IN));
        if let Some(stderr) = &self.stderr {
            pipes.push(PollFd::new(stderr, PollFlags::IN));
        }
        if let (true, Some(stdin)) = (unsent, &self.stdin) {
            pipes.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let limit = Timespec::try_from(limit).ok();
        // an interrupted wait is a short one
        let _ = poll(&mut pipes, limit.as_ref());
        let ready = |place: usize| {
            pipes
                .get(place)
                .is_some_and(|pipe| !pipe.revents().is_empty())
        };
        let (stdout, stderr) = (ready(0), self.stderr.is_some() && ready(1));
        // answers first: nothing said about the next request is told before them
        if stderr && !stdout {
            self.read_stderr(trace);
        }
        stdout
    }

    /// Takes in one read of its stderr; says whether there may be more.
    fn read_stderr(&mut self, trace: &mut Trace) -> bool {
        let Some(stderr) = &mut self.stderr else {
            return false;
        };
        let mut chunk = [0; 64 * 1024];
        match stderr.read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => false,
            Ok(0) | Err(_) => {
                self.stderr = None;
                false
            }
            Ok(count) => {
                let bytes = chunk.get(..count).unwrap_or_default();
                trace.tell(Event::Stderr(bytes));
                self.tail.push(bytes, self.stderr_bytes);
                true
            }
        }
    }

    /// Whether the process itself has ended. It is not reaped: its id, which is the group's, stays
    /// its own until the group is killed.
    pub(super) fn has_ended(&self) -> bool {
        let Some(pid) = self.group else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.ended.is_some() || !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
    }

    /// Waits for the process to end by itself, and goes on taking in its stderr.
    pub(super) fn wait_for_end(&mut self, limit: Duration, trace: &mut Trace) -> bool {
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            while self.read_stderr(trace) && start.elapsed() < limit {}
            if self.has_ended() {
                return true;
            }
            if start.elapsed() >= limit {
                return false;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Ends the process and its whole group: SIGTERM, `grace`, SIGKILL.
    pub(super) fn end(&mut self, grace: Duration, trace: &mut Trace) -> Exit {
        if let Some(exit) = self.ended {
            return exit;
        }
        self.stdin = None;
        if !self.has_ended() {
            self.signal(Signal::TERM);
            self.wait_for_end(grace, trace);
        }
        // the leader may be gone and its children not
        self.signal(Signal::KILL);
        let _ = self.child.kill();
        let exit = self.reap();
        self.ended = Some(exit);
        trace.tell(Event::Ended { exit });
        exit
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self
            .group
            .filter(|&group| test_kill_process_group(group).is_ok())
        {
            // a group that ended in between has nothing to be told
            let _ = kill_process_group(group, signal);
        }
    }

    /// Reaps the killed process; gives up on one that the system cannot end.
    fn reap(&mut self) -> Exit {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return exit(status),
                Ok(None) if start.elapsed() < REAP => {
                    std::thread::sleep(Duration::from_micros(200));
                }
                Ok(None) | Err(_) => return Exit::Unknown,
            }
        }
    }

    /// The end of its stderr, once it has ended.
    pub(super) fn into_stderr(mut self, trace: &mut Trace) -> String {
        // a pipe's worth is left, which is one read; an escaped grandchild may write on
        self.read_stderr(trace);
        std::mem::take(&mut self.tail).text(self.stderr_bytes)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Duration::from_millis(50), &mut Trace::default());
    }
}

fn exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Status(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Unknown,
    }
}

/// Asks for larger pipes where that can be asked; what is refused stays as it is.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn widen(stdin: &Option<ChildStdin>, stdout: &impl AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(stdout, PIPE);
    if let Some(stdin) = stdin {
        let _ = rustix::pipe::fcntl_setpipe_size(stdin, PIPE);
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn widen(_: &Option<ChildStdin>, _: &impl AsFd) {}

/// Why the system did not start the command.
pub(in crate::conform) fn spawn_error(command: &Command, error: &io::Error) -> StartError {
    let program = command.name();
    let path = std::path::Path::new(&command.program);
    match error.kind() {
        // a bare name is looked up on PATH, a path is as it is
        ErrorKind::NotFound if path.components().count() > 1 && path.exists() => {
            StartError::NoInterpreter { program }
        }
        ErrorKind::NotFound => StartError::NotFound { program },
        ErrorKind::PermissionDenied => StartError::NotExecutable { program },
        _ => StartError::Spawn {
            program,
            why: error.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than any of these processes needs, on any machine.
    const LONG: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Process {
        let command = Command::new(["sh", "-c", script]).unwrap();
        Process::spawn(&command, 1024, &mut Trace::default()).unwrap()
    }

    fn queue(process: &mut Process, bytes: usize) {
        process.queue(&"x".repeat(bytes), &mut Trace::default());
    }

    /// Waits until it says that it is under way.
    fn is_ready(process: &mut Process) {
        while !matches!(process.read(), Got::Bytes(_)) {
            process.wait(LONG, &mut Trace::default());
        }
    }

    #[test]
    fn what_the_pipe_does_not_take_is_kept_and_taken_later() {
        let mut process = shell("sleep 100");
        assert!(!process.unsent());
        queue(&mut process, 4 * PIPE);
        assert!(process.unsent());
        process.flush();
        assert!(process.unsent());
        // less than half is gone: what is left stays where it is
        assert_eq!((process.written, process.out.len()), (PIPE, 4 * PIPE + 1));
        let mut process = shell("sleep 100");
        queue(&mut process, PIPE + PIPE / 2);
        process.flush();
        assert_eq!((process.written, process.out.len()), (0, PIPE / 2 + 1));
    }

    #[test]
    fn what_was_written_takes_no_memory() {
        let mut process = shell("cat > /dev/null");
        queue(&mut process, 8 << 20);
        process.flush();
        while process.unsent() {
            process.wait(LONG, &mut Trace::default());
            process.flush();
        }
        assert_eq!((process.written, process.out.len()), (0, 0));
        assert!(((1 << 20)..(2 << 20)).contains(&process.out.capacity()));
    }

    #[test]
    fn what_nobody_reads_is_forgotten() {
        let mut process = shell("exec 0<&-; echo ready; sleep 100");
        is_ready(&mut process);
        // another process that is just being started may hold the other end for a moment
        let start = Instant::now();
        while !process.input_closed && start.elapsed() < LONG {
            queue(&mut process, 10);
            process.flush();
        }
        assert!(process.input_closed && !process.unsent());
        assert_eq!(process.out.len(), 0);
        // nor is there a way to write to a stdin that we closed
        let mut process = shell("sleep 100");
        queue(&mut process, 10);
        process.close_input();
        assert!(!process.unsent());
    }

    #[test]
    fn what_it_says_on_stderr_late_is_taken_in() {
        let mut process = shell("echo early >&2; sleep 0.3; echo late >&2");
        let start = Instant::now();
        assert!(process.wait_for_end(LONG, &mut Trace::default()));
        assert!(start.elapsed() < LONG / 2);
        process.end(LONG, &mut Trace::default());
        assert_eq!(process.into_stderr(&mut Trace::default()), "early\nlate\n");
    }

    #[test]
    fn a_child_that_keeps_its_stderr_does_not_hold_its_end_up() {
        let mut process = shell("sleep 100 & exit 0");
        let start = Instant::now();
        assert!(process.wait_for_end(LONG, &mut Trace::default()));
        assert!(start.elapsed() < LONG / 2);
    }

    #[test]
    fn it_may_end_itself_before_it_is_ended() {
        let script = "trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done";
        let mut process = shell(script);
        is_ready(&mut process);
        assert_eq!(process.end(LONG, &mut Trace::default()), Exit::Status(7));
        assert!(process.has_ended());
    }

    #[test]
    fn how_it_was_ended_is_known() {
        for _ in 0..20 {
            let mut process = shell("trap '' TERM; echo ready; while :; do sleep 1; done");
            is_ready(&mut process);
            assert!(!process.has_ended());
            assert_eq!(
                process.end(Duration::ZERO, &mut Trace::default()),
                Exit::Signal(9)
            );
        }
    }

    #[test]
    fn it_ends_when_it_is_dropped() {
        let process = shell("exec sleep 100");
        let group = process.group.unwrap();
        assert!(test_kill_process_group(group).is_ok());
        drop(process);
        assert!(test_kill_process_group(group).is_err());
    }
}
