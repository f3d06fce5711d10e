//! One consult of a real control: spawn, write the request, read what it prints, see it end.

use std::io::{self, ErrorKind, Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::conform::process::{Command, Exit, StartError, spawn_error};

/// How much a control may print before it is cut off.
pub(super) const MOST: usize = 1024 * 1024;

/// How much of its stderr is kept.
const STDERR: usize = 4 * 1024;

/// How often the end of a silent control is looked for.
const TICK: Duration = Duration::from_millis(5);

/// How long a killed control may take to be reaped.
const REAP: Duration = Duration::from_secs(2);

/// How a consult ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The control ended by itself.
    By(Exit),
    /// It did not end in time.
    TimedOut,
    /// It printed more than [`MOST`].
    Flood,
}

/// What became of a control that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Consult {
    pub(super) ended: Ended,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Asks the control once. Whatever it does, its process group is gone when this returns.
pub(super) fn consult(
    command: &Command,
    request: &[u8],
    limit: Duration,
) -> Result<Consult, StartError> {
    let mut child = std::process::Command::new(&command.program)
        .args(&command.args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| spawn_error(command, &error))?;
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let done = talk(&mut child, request, limit);
    if let Some(group) = group {
        // what it left running is no part of an answer; a group that is gone has nothing to be told
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.kill();
    reap(&mut child);
    done.map_err(|error| spawn_error(command, &error))
}

/// Reaps a killed control; gives up on one that the system cannot end.
fn reap(child: &mut Child) {
    let start = Instant::now();
    while matches!(child.try_wait(), Ok(None)) && start.elapsed() < REAP {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn talk(child: &mut Child, request: &[u8], limit: Duration) -> io::Result<Consult> {
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(mut stdout), Some(mut stderr)) = pipes else {
        return Err(io::Error::other("it has no pipes"));
    };
    rustix::io::ioctl_fionbio(&stdin, true)?;
    rustix::io::ioctl_fionbio(&stdout, true)?;
    rustix::io::ioctl_fionbio(&stderr, true)?;
    let (mut stdin, mut rest) = (Some(stdin), request);
    let (mut printed, mut said) = (Vec::new(), Vec::new());
    let start = Instant::now();
    let ended = loop {
        // looked at before the last read: what it printed before it ended is in the pipe by then
        let over = child.try_wait()?;
        rest = match &mut stdin {
            Some(pipe) => written(pipe, rest),
            None => &[],
        };
        if rest.is_empty() {
            stdin = None;
        }
        drain(&mut stdout, &mut printed, MOST + 1);
        drain(&mut stderr, &mut said, STDERR);
        match over {
            _ if printed.len() > MOST => break Ended::Flood,
            Some(status) => {
                break Ended::By(match (status.code(), status.signal()) {
                    (Some(code), _) => Exit::Status(code),
                    (None, Some(signal)) => Exit::Signal(signal),
                    (None, None) => Exit::Unknown,
                });
            }
            None if start.elapsed() >= limit => break Ended::TimedOut,
            None => {}
        }
        let mut waits = vec![PollFd::new(&stdout, PollFlags::IN)];
        if let Some(stdin) = &stdin {
            waits.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let begun = Instant::now();
        // an interrupted wait is a short one
        let _ = poll(&mut waits, Timespec::try_from(TICK).ok().as_ref());
        if begun.elapsed() < TICK / 8 {
            // a pipe that was closed is always ready
            std::thread::sleep(TICK / 8);
        }
    };
    Ok(Consult {
        ended,
        stdout: printed,
        stderr: said,
    })
}

/// Writes what the pipe takes, and gives what is left: nothing, once the control reads no more.
fn written<'a>(pipe: &mut std::process::ChildStdin, mut rest: &'a [u8]) -> &'a [u8] {
    while !rest.is_empty() {
        match pipe.write(rest) {
            Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return rest,
            Err(_) => return &[],
        }
    }
    rest
}

/// Reads what there is, up to a whole of `most` bytes; what is over is read and dropped.
fn drain(pipe: &mut impl Read, into: &mut Vec<u8>, most: usize) {
    let mut chunk = [0; 16 * 1024];
    // bounded, so that a control that floods a pipe still meets its time limit
    for _ in 0..256 {
        match pipe.read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
            Ok(count) => {
                let room = most.saturating_sub(into.len()).min(count);
                into.extend_from_slice(chunk.get(..room).unwrap_or_default());
            }
        }
    }
}
