//! A breadth-first walk of every state that acts and drives can reach.

use std::collections::{BTreeMap, HashSet};

use super::{INVARIANTS, Record, Step};
use crate::model::boundary::{Act, Call, Effect, Policy, Seat, VERDICTS, Verdict};
use crate::model::joint::{Control, Event, Joint};
use crate::model::window::Kind;

/// How much is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// How many agents there are, 1 to 3: a parent, its child, and one whose id merely begins
    /// with the parent's.
    pub agents: usize,
    /// How many calls each agent's step has, 1 to 3.
    pub calls: usize,
    /// Whether drives are stopped and controls fail, too.
    pub interruptions: bool,
    /// Paths of at most this many events; without a bound every reachable state is explored.
    pub depth: Option<usize>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            agents: 3,
            calls: 2,
            interruptions: false,
            depth: None,
        }
    }
}

/// How far an exploration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The configuration under way, counted from 1.
    pub configuration: usize,
    /// How many there are.
    pub configurations: usize,
    /// States found so far, in all configurations.
    pub states: u64,
    /// Transitions taken so far, in all configurations.
    pub transitions: u64,
    /// The length of the paths under way.
    pub depth: usize,
}

/// What was explored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exploration {
    /// Policies and effects of the calls.
    pub configurations: usize,
    /// States, in all configurations.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// The longest of the shortest paths to a state.
    pub depth: usize,
    /// By invariant: the transitions that reach its premise.
    pub reached: BTreeMap<&'static str, u64>,
    /// The first invariant that is broken, with a shortest way to break it.
    pub broken: Option<Broken>,
}

/// How an invariant is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Broken {
    /// The invariant.
    pub invariant: &'static str,
    /// How.
    pub how: String,
    /// The policy.
    pub policy: Policy,
    /// What happens, the breaking event last.
    pub path: Vec<Event>,
}

/// Explores every configuration within the bounds, until an invariant breaks.
pub fn explore(bounds: &Bounds, mut progress: impl FnMut(&Progress)) -> Exploration {
    let all = configurations(bounds);
    let mut found = Exploration {
        configurations: all.len(),
        reached: INVARIANTS
            .iter()
            .map(|invariant| (invariant.id, 0))
            .collect(),
        ..Exploration::default()
    };
    for (at, (policy, start)) in all.iter().enumerate() {
        let mut walk = Walk::new(bounds, *policy, start.clone());
        let done = walk.run(&mut found, &mut |found: &Exploration, depth| {
            progress(&Progress {
                configuration: at + 1,
                configurations: all.len(),
                states: found.states,
                transitions: found.transitions,
                depth,
            });
        });
        if done.is_err() {
            break;
        }
    }
    found
}

/// Every policy for writes, and every mix of reads and writes in the step that all agents emit.
fn configurations(bounds: &Bounds) -> Vec<(Policy, Joint)> {
    let calls = bounds.calls.clamp(1, 3);
    let mut all = Vec::new();
    for write in Verdict::ALL {
        let policy = Policy {
            read: Verdict::Pass,
            write,
            destructive: write,
            secret: write,
        };
        // a step of reads alone is never held
        for mix in 1_u8..1 << calls {
            let step = |seat: &Seat| {
                let call = |at: usize| Call {
                    id: format!("c{at}"),
                    tool: "t".to_owned(),
                    effect: if mix >> at & 1 == 1 {
                        Effect::Write
                    } else {
                        Effect::Read
                    },
                };
                (seat.clone(), (0..calls).map(call).collect())
            };
            let steps: Vec<(Seat, Vec<Call>)> = seats(bounds).iter().map(step).collect();
            all.push((policy, Joint::new(policy, steps)));
        }
    }
    all
}

fn seats(bounds: &Bounds) -> Vec<Seat> {
    let agents = ["p", "p-c", "px"]
        .into_iter()
        .take(bounds.agents.clamp(1, 3));
    agents.map(|agent| Seat::new("w", agent)).collect()
}

fn events(bounds: &Bounds) -> Vec<Event> {
    let mut all = Vec::new();
    for seat in seats(bounds) {
        for verdict in VERDICTS {
            all.push(Event::Act(Act::answer(seat.clone(), verdict).envelope()));
        }
        all.push(Event::Act(Act::Revoke(seat.clone()).envelope()));
        all.push(Event::Act(Act::Restore(seat.clone()).envelope()));
        all.push(Event::Drive(seat.clone(), Control::Rules));
        if bounds.interruptions {
            all.push(Event::Drive(seat.clone(), Control::Stopped));
            all.push(Event::Drive(seat, Control::Fails));
        }
    }
    all
}

/// The walk of one configuration.
struct Walk {
    policy: Policy,
    events: Vec<Event>,
    most: usize,
    seen: HashSet<u128>,
    /// By state, in the order found: the state before it, and the event between.
    ways: Vec<(usize, usize)>,
    layer: Vec<(usize, Joint, Record)>,
}

/// An invariant is broken: the walk ends.
struct Stop;

impl Walk {
    fn new(bounds: &Bounds, policy: Policy, start: Joint) -> Self {
        let record = Record::default();
        Self {
            policy,
            events: events(bounds),
            most: bounds.depth.unwrap_or(usize::MAX),
            seen: HashSet::from([key(&start, &record)]),
            ways: vec![(0, usize::MAX)],
            layer: vec![(0, start, record)],
        }
    }

    fn run(
        &mut self,
        found: &mut Exploration,
        progress: &mut dyn FnMut(&Exploration, usize),
    ) -> Result<(), Stop> {
        found.states += 1;
        let mut depth = 0;
        while !self.layer.is_empty() && depth < self.most {
            depth += 1;
            let mut next = Vec::new();
            for (count, (way, state, record)) in std::mem::take(&mut self.layer).iter().enumerate()
            {
                self.expand(*way, state, record, found, &mut next)?;
                if count % 1024 == 0 {
                    progress(found, depth);
                }
            }
            if !next.is_empty() {
                found.depth = found.depth.max(depth);
            }
            self.layer = next;
        }
        progress(found, depth);
        Ok(())
    }

    fn expand(
        &mut self,
        way: usize,
        before: &Joint,
        record: &Record,
        found: &mut Exploration,
        next: &mut Vec<(usize, Joint, Record)>,
    ) -> Result<(), Stop> {
        for (at, event) in self.events.iter().enumerate() {
            let mut after = before.clone();
            let outcome = after.step(event);
            let step = Step {
                before,
                record,
                event,
                outcome: &outcome,
                after: &after,
            };
            found.transitions += 1;
            for invariant in INVARIANTS {
                if (invariant.reaches)(&step)
                    && let Some(reached) = found.reached.get_mut(invariant.id)
                {
                    *reached += 1;
                }
                if let Err(violation) = (invariant.check)(&step) {
                    found.broken = Some(Broken {
                        invariant: invariant.id,
                        how: violation.0,
                        policy: self.policy,
                        path: self.path(way, at),
                    });
                    return Err(Stop);
                }
            }
            let mut seen = record.clone();
            seen.note(event, &outcome);
            if self.seen.insert(key(&after, &seen)) {
                found.states += 1;
                self.ways.push((way, at));
                next.push((self.ways.len() - 1, after, seen));
            }
        }
        Ok(())
    }

    /// The events that lead to a state, and one more.
    fn path(&self, mut way: usize, last: usize) -> Vec<Event> {
        let mut path: Vec<Event> = self.events.get(last).cloned().into_iter().collect();
        while let Some(&(before, at)) = self.ways.get(way)
            && let Some(event) = self.events.get(at)
        {
            path.push(event.clone());
            way = before;
        }
        path.reverse();
        path
    }
}

/// A state within one configuration, packed: two states are one exactly when their keys are.
///
/// For each agent at most 32 bits: of each of its calls what it came to, how often it ran, whether
/// it is marked, reported held and answered; what the answer is; a fault; the floor and what the
/// operator last did about it.
fn key(state: &Joint, record: &Record) -> u128 {
    let mut key = 0_u128;
    let mut put = |bits: u32, value: u128| key = key << bits | value;
    for (seat, agent) in state.agents() {
        let window = agent.window();
        let mark = state.boundary().held(seat);
        for (at, call) in agent.calls().iter().enumerate() {
            put(
                2,
                window.results().get(at).map_or(0, |kind| kind_bits(*kind)),
            );
            let ran = record.ran.get(&(seat.clone(), call.id.clone()));
            put(2, ran.map_or(0, |ran| u128::from(*ran).min(3)));
            put(
                1,
                u128::from(window.mark().is_some_and(|mark| mark.id == call.id)),
            );
            put(
                1,
                u128::from(mark.is_some_and(|mark| mark.call.id == call.id)),
            );
            put(1, u128::from(record.held.get(seat) == Some(&call.id)));
            put(
                1,
                u128::from(
                    record
                        .answered
                        .get(seat)
                        .is_some_and(|(id, _)| *id == call.id),
                ),
            );
        }
        let answers = record.answered.get(seat).map(|(_, verdict)| *verdict);
        put(2, verdict_bits(answers));
        put(2, verdict_bits(mark.and_then(|mark| mark.answer)));
        put(1, u128::from(window.faulted()));
        put(
            1,
            u128::from(state.boundary().floors().iter().any(|floor| floor == seat)),
        );
        put(
            2,
            record
                .floors
                .get(seat)
                .map_or(0, |raised| 1 + u128::from(*raised)),
        );
    }
    key
}

const fn kind_bits(kind: Kind) -> u128 {
    match kind {
        Kind::Result => 1,
        Kind::Refusal => 2,
        Kind::Interrupted => 3,
    }
}

const fn verdict_bits(verdict: Option<Verdict>) -> u128 {
    match verdict {
        None => 0,
        Some(Verdict::Pass) => 1,
        Some(Verdict::Hold) => 2,
        Some(Verdict::Refuse) => 3,
    }
}
