//! A case drawn over time: a row for each thing that happens, a lane for each agent or call.
//!
//! In a lane of an agent `|` is a free agent and `#` one under a floor; `[c1]` is the call that is
//! held there, `[c1:pass]` a held call with its answer, `c1 ok` one that ran. In a lane of a call
//! is what the call came to so far.
//!
//! ```
//! use gatespec::ops::window::{Call, Drive, Op, Run};
//! use gatespec::report::timeline::timeline;
//!
//! let calls = vec![Call { id: "c1".into(), tool: "ls".into() }];
//! let run = Run { calls, drives: vec![Drive::Removed {}] };
//! assert!(timeline(&Op::Run(run).into()).unwrap().contains("c1"));
//! ```

use crate::model::boundary::{Boundary, Seat};
use crate::model::joint::{Agent, Event as JointEvent, Joint};
use crate::model::window::{AfterFault, Kind, Window};
use crate::ops::boundary::{self, JointInput, Trace};
use crate::ops::{Op, window};

/// Draws a case of the `window` or the `boundary` suite; another case has no time in it.
#[must_use]
pub fn timeline(op: &Op) -> Option<String> {
    let chart = match op {
        Op::Window(window::Op::Run(run)) => of_window(run),
        Op::Boundary(boundary::Op::Run(trace) | boundary::Op::Scoped(trace)) => of_trace(trace),
        Op::Boundary(boundary::Op::Joint(input)) => of_joint(input),
        _ => return None,
    };
    Some(chart.drawn())
}

/// Rows under lanes.
struct Chart {
    lanes: Vec<String>,
    rows: Vec<(Vec<String>, String)>,
}

impl Chart {
    /// The chart as text: as wide lanes as their widest cell, and what happens at the end.
    fn drawn(&self) -> String {
        let cells = |lane: usize| {
            self.rows
                .iter()
                .filter_map(move |(cells, _)| cells.get(lane))
        };
        let width = |lane: usize, name: &String| {
            let widest = cells(lane).map(|cell| cell.chars().count()).max();
            widest.unwrap_or_default().max(name.chars().count())
        };
        let widths: Vec<usize> = self
            .lanes
            .iter()
            .enumerate()
            .map(|(lane, name)| width(lane, name))
            .collect();
        let line = |number: &str, cells: &[String], says: &str| {
            let mut line = format!("{number:>3}");
            for (cell, width) in cells.iter().zip(&widths) {
                line.push_str(&format!("  {cell:width$}"));
            }
            line.push_str(&format!("  {says}"));
            format!("{}\n", line.trim_end())
        };
        let mut out = line("", &self.lanes, "");
        for (number, (cells, says)) in self.rows.iter().enumerate() {
            out.push_str(&line(&number.to_string(), cells, says));
        }
        out
    }
}

/// The seats as names: the workspace is said where there are several.
fn lanes(seats: &[Seat]) -> Vec<String> {
    let mut workspaces: Vec<&str> = seats.iter().map(|seat| seat.workspace.as_str()).collect();
    workspaces.dedup();
    let one = workspaces.len() < 2;
    let name = |seat: &Seat| match one {
        true => seat.agent.clone(),
        false => format!("{}/{}", seat.workspace, seat.agent),
    };
    seats.iter().map(name).collect()
}

/// An agent at the boundary: its floor and its held call.
fn cell(boundary: &Boundary, seat: &Seat) -> String {
    let floor = if boundary.floors().over(seat).is_some() {
        "#"
    } else {
        "|"
    };
    match boundary.held(seat) {
        Some(mark) => match mark.answer {
            Some(answer) => format!("{floor} [{}:{}]", mark.call.id, answer.word()),
            None => format!("{floor} [{}]", mark.call.id),
        },
        None => floor.to_owned(),
    }
}

fn of_trace(trace: &Trace) -> Chart {
    let seats = trace.seats();
    let mut boundary = Boundary::new(trace.policy);
    let row = |boundary: &Boundary| seats.iter().map(|seat| cell(boundary, seat)).collect();
    let mut rows = vec![(row(&boundary), boundary::policy(&trace.policy))];
    for event in trace.history() {
        let outcome = boundary.step(&event);
        let says = format!(
            "{}: {}",
            boundary::happening(&event),
            boundary::told(&outcome)
        );
        rows.push((row(&boundary), says));
    }
    Chart {
        lanes: lanes(&seats),
        rows,
    }
}

fn of_joint(input: &JointInput) -> Chart {
    let mut joint = input.joint();
    let seats: Vec<Seat> = joint.agents().map(|(seat, _)| seat.clone()).collect();
    let row = |joint: &Joint| {
        let lane = |seat: &Seat| {
            let done = joint.agent(seat).map(done).unwrap_or_default();
            format!("{}{done}", cell(joint.boundary(), seat))
        };
        seats.iter().map(lane).collect()
    };
    let mut told = input.story().into_iter();
    let mut rows = vec![(row(&joint), told.next().unwrap_or_default())];
    let said = told.skip(input.agents.len());
    for (event, says) in input.events.iter().zip(said) {
        joint.step(&JointEvent::from(event));
        rows.push((row(&joint), says));
    }
    Chart {
        lanes: lanes(&seats),
        rows,
    }
}

/// What an agent's calls came to so far.
fn done(agent: &Agent) -> String {
    let results = agent.window().results().iter();
    let done = agent.calls().iter().zip(results);
    done.map(|(call, kind)| format!(" {} {}", call.id, kind_word(*kind)))
        .collect()
}

const fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Result => "ok",
        Kind::Refusal => "refused",
        Kind::Interrupted => "interrupted",
    }
}

fn of_window(run: &window::Run) -> Chart {
    let mut window = run.window();
    let mut rows = vec![(calls(&window), "the step is emitted".to_owned())];
    for drive in &run.drives {
        let done = drive.run(&mut window, AfterFault::Adjudicate);
        let events: Vec<String> = done
            .events
            .iter()
            .map(|event| window::Event::from(event).to_string())
            .collect();
        let says = format!("a drive {drive}: {}", events.join(", "));
        rows.push((calls(&window), says));
    }
    Chart {
        lanes: run.calls.iter().map(|call| call.id.clone()).collect(),
        rows,
    }
}

/// What the calls of a window came to so far.
fn calls(window: &Window) -> Vec<String> {
    let marked = |id: &String| window.mark().is_some_and(|mark| mark.id == *id);
    let cell = |(at, call): (usize, &crate::model::window::Call)| match (
        window.results().get(at),
        marked(&call.id),
    ) {
        (Some(kind), true) => format!("{} [stale]", kind_word(*kind)),
        (Some(kind), false) => kind_word(*kind).to_owned(),
        (None, true) => "[held]".to_owned(),
        (None, false) => ".".to_owned(),
    };
    window.calls().iter().enumerate().map(cell).collect()
}
