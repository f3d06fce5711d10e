//! The forest of agents, and the floors that stand over it (BND-04, BND-05, BND-20 to BND-22).
//!
//! An agent is its id. It need not exist: a floor covers the children that are not spawned yet
//! because nothing but their ids is looked at.
//!
//! ```
//! use gatespec::model::boundary::{Floors, Seat, descends};
//!
//! assert!(descends("ab-c", "ab"));
//! assert!(!descends("abc", "ab"));
//!
//! let mut floors = Floors::default();
//! floors.raise(&Seat::new("w", "p"));
//! assert_eq!(floors.over(&Seat::new("w", "p-c-g")), Some(&Seat::new("w", "p")));
//! assert_eq!(floors.over(&Seat::new("v", "p")), None);
//! ```

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Whether `agent` descends from `ancestor`: its id begins with the ancestor's id and a `-`
/// (BND-04). No agent descends from itself.
///
/// ```
/// use gatespec::model::boundary::descends;
/// assert!(descends("ab-c-d", "ab"));
/// assert!(!descends("abc", "ab"));
/// ```
#[must_use]
pub fn descends(agent: &str, ancestor: &str) -> bool {
    agent
        .strip_prefix(ancestor)
        .is_some_and(|rest| rest.starts_with('-'))
}

/// Where a conversation sits: an agent of a workspace (BND-05).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The workspace: nothing reaches from one into another.
    pub workspace: String,
    /// The agent's id.
    pub agent: String,
}

impl Seat {
    /// The seat of this agent in this workspace.
    #[must_use]
    pub fn new(workspace: &str, agent: &str) -> Self {
        Self {
            workspace: workspace.to_owned(),
            agent: agent.to_owned(),
        }
    }

    /// Whether what stands at `other` stands over this seat too: it is the same agent or one that
    /// this agent descends from, in the same workspace (BND-05, BND-20).
    #[must_use]
    pub fn is_under(&self, other: &Self) -> bool {
        self.workspace == other.workspace
            && (self.agent == other.agent || descends(&self.agent, &other.agent))
    }
}

/// The agents whose own floor is raised.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Floors(BTreeSet<Seat>);

impl Floors {
    /// Raises the floor of this agent; raised again it is the same floor (BND-26).
    pub fn raise(&mut self, seat: &Seat) {
        self.0.insert(seat.clone());
    }

    /// Lowers the floor of this agent and no other (BND-22).
    pub fn lower(&mut self, seat: &Seat) {
        self.0.remove(seat);
    }

    /// The nearest floor that stands over an agent: its own, else the one of the nearest ancestor
    /// (BND-20).
    #[must_use]
    pub fn over(&self, seat: &Seat) -> Option<&Seat> {
        self.0
            .iter()
            .filter(|floor| seat.is_under(floor))
            .max_by_key(|floor| floor.agent.len())
    }

    /// The agents whose own floor is raised.
    pub fn iter(&self) -> impl Iterator<Item = &Seat> {
        self.0.iter()
    }
}
