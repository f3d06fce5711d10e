//! The promise: whatever an adapter does, each request gets its own outcome, the one to blame is
//! named, nothing hangs, no process stays behind, and memory stays bounded.
#![cfg(target_os = "linux")]
#![allow(missing_docs, reason = "tests are named by what they promise")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends by failing"
)]

mod faults;
mod floods;
mod life;
mod rate;
mod start;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use gatespec::conform::process::{
    Adapter, Command, Event, Fault, Incident, Limits, Offence, Request, Stopped, What, Wire,
};

const HELLO: &str = r#"{"hello":{"protocol":1,"spec":"1.0"}}"#;

/// Time enough for a process on a busy machine; tests of time-outs set less.
const PATIENCE: Duration = Duration::from_secs(20);

/// The interpreter itself: a version manager's `python3` may be a slow script.
static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let found = std::process::Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .expect("these tests need python3 on PATH");
    String::from_utf8(found.stdout).unwrap().trim().to_owned()
});

/// A bad adapter, with all that is seen of it.
struct Bad {
    adapter: Adapter,
    interrupt: Arc<AtomicBool>,
    groups: Arc<Mutex<Vec<u32>>>,
    replies: BTreeMap<u64, String>,
    faults: BTreeMap<u64, Fault>,
}

fn limits() -> Limits {
    {
        let mut limits = Limits::default();
        limits.start = PATIENCE;
        limits.case = PATIENCE;
        limits.bye = PATIENCE;
        limits
    }
}

/// Limits under which a hang is found soon.
fn hasty() -> Limits {
    {
        let mut limits = limits();
        limits.case = Duration::from_millis(700);
        limits
    }
}

fn python(script: &str, args: &[&str]) -> Vec<String> {
    let words = [PYTHON.as_str(), "-I", "-S", "-c", script];
    words.iter().chain(args).map(ToString::to_string).collect()
}

/// `bad.py` with these words: the behaviour, and the id of the request that brings it out.
fn bad(args: &[&str], limits: Limits) -> Bad {
    Bad::new(python(include_str!("bad.py"), args), limits)
}

/// A request that only an adapter which read it can answer.
fn request(id: u64) -> Request {
    Request {
        id,
        line: format!(r#"{{"id":"{id}","op":"echo","input":"{}"}}"#, nonce(id)),
    }
}

fn nonce(id: u64) -> String {
    format!("n{:x}", (id + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

impl Bad {
    fn new(words: impl IntoIterator<Item = impl Into<String>>, limits: Limits) -> Self {
        let words: Vec<String> = words.into_iter().map(Into::into).collect();
        let interrupt = Arc::new(AtomicBool::new(false));
        let groups = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&groups);
        let adapter = Adapter::new(
            Command::new(words).unwrap(),
            limits,
            HELLO.to_owned(),
            Arc::clone(&interrupt),
        );
        let adapter = adapter.traced(move |event| {
            if let Event::Started { pid } = event {
                seen.lock().unwrap().push(pid);
            }
        });
        Self {
            adapter,
            interrupt,
            groups,
            replies: BTreeMap::new(),
            faults: BTreeMap::new(),
        }
    }

    /// Asks these requests; an answer for a request that has one already ends the test.
    fn ask(&mut self, requests: impl IntoIterator<Item = Request>) -> Result<(), Stopped> {
        let mut requests = requests.into_iter();
        let (replies, faults) = (&mut self.replies, &mut self.faults);
        self.adapter.run(&mut || requests.next(), &mut |id, wire| {
            assert!(
                !replies.contains_key(&id) && !faults.contains_key(&id),
                "{id} again"
            );
            match wire {
                Wire::Reply(line) => drop(replies.insert(id, line.to_owned())),
                Wire::Fault(fault) => drop(faults.insert(id, fault.clone())),
            }
        })
    }

    fn ask_up_to(&mut self, end: u64) -> Result<(), Stopped> {
        self.ask((0..end).map(request))
    }

    /// Each request below `end` has the true answer to itself, but for these.
    fn assert_true_but(&self, end: u64, but: &[u64]) {
        for id in 0..end {
            let reply = self.replies.get(&id);
            if but.contains(&id) {
                assert_eq!(reply, None, "{id} has no answer");
            } else {
                let reply = reply.unwrap_or_else(|| panic!("{id} was answered"));
                let value: serde_json::Value = serde_json::from_str(reply).unwrap();
                assert_eq!(value["id"], id.to_string());
                assert_eq!(value["output"], nonce(id), "{id} has its own answer");
            }
        }
    }

    /// How many processes it took.
    fn started(&self) -> usize {
        self.groups.lock().unwrap().len()
    }

    fn incidents(&mut self) -> Vec<Incident> {
        self.adapter.take_incidents()
    }

    /// Says goodbye, asserts that all is well, and that nothing is left.
    fn leave_well(self) {
        assert_eq!(self.adapter.bye(), Ok(()));
        assert_gone(&self.groups);
    }

    /// Drops the adapter and asserts that nothing is left.
    fn drop_whole(self) {
        drop(self.adapter);
        assert_gone(&self.groups);
    }
}

/// Asserts that no process of these groups is alive.
fn assert_gone(groups: &Mutex<Vec<u32>>) {
    let groups = groups.lock().unwrap();
    assert!(!groups.is_empty(), "something had been started");
    let start = Instant::now();
    // a killed process may take a moment to be gone
    loop {
        let alive = members(&groups);
        if alive.is_empty() {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(2),
            "left behind: {alive:?}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The processes of these groups that are more than zombies.
fn members(groups: &[u32]) -> Vec<String> {
    let stats = std::fs::read_dir("/proc").expect("these tests look into /proc");
    let stats = stats.filter_map(|entry| {
        std::fs::read_to_string(Path::new(&entry.ok()?.path()).join("stat")).ok()
    });
    let alive = stats.filter(|stat| {
        // pid (name) state parent group …
        let Some((_, rest)) = stat.rsplit_once(") ") else {
            return false;
        };
        let mut rest = rest.split(' ');
        let state = rest.next();
        let group = rest.nth(1).and_then(|group| group.parse().ok());
        !matches!(state, Some("Z" | "X")) && group.is_some_and(|group| groups.contains(&group))
    });
    alive.collect()
}

fn protocol(fault: &Fault) -> &Offence {
    match &fault.what {
        What::Protocol(offence) => offence,
        what => panic!("{what:?} is no offence"),
    }
}
