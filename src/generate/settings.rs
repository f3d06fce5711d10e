//! Every bound of the generators and enumerations, by name.
//!
//! ```
//! use gatespec::generate::Settings;
//!
//! let settings = Settings::seeded(7);
//! assert_eq!(settings.clone().deeper(1).key_tokens, settings.key_tokens + 1);
//! // a name is fresh for each seed, and names of one kind differ
//! let names = settings.names();
//! assert_ne!(names.name("call", 0), names.name("call", 1));
//! assert_ne!(names.name("call", 0), Settings::seeded(8).names().name("call", 0));
//! ```

/// How far enumerations go and how large random cases grow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The seed that fresh names and random cases come from.
    pub seed: u64,
    /// Keys of up to this many tokens are enumerated.
    pub key_tokens: usize,
    /// Random key parts have up to this many bytes.
    pub key_part_bytes: usize,
    /// Verdicts of up to this many members are enumerated.
    pub verdict_members: usize,
    /// Enumerated outputs are nested as deep as this.
    pub verdict_nesting: usize,
    /// Random reasons and inputs hold strings of up to this many characters.
    pub verdict_reason_chars: usize,
    /// Windows of up to this many calls are enumerated.
    pub window_calls: usize,
    /// Windows of up to this many drives are enumerated.
    pub window_drives: usize,
    /// Random windows have up to this many calls.
    pub window_random_calls: usize,
    /// Random windows have up to this many drives.
    pub window_random_drives: usize,
    /// Histories of the boundary of up to this many acts and consults are enumerated.
    pub boundary_events: usize,
    /// Sequences of up to this many acts between two rulings of a call are enumerated.
    pub boundary_acts: usize,
    /// The same with answers that stand.
    pub boundary_scoped_acts: usize,
    /// Interleavings of up to this many acts and drives of two agents are enumerated.
    pub boundary_joint_events: usize,
    /// Random histories of the boundary have fewer events than this.
    pub boundary_random_events: usize,
    /// Ledger traces of up to this many events are enumerated.
    pub ledger_events: usize,
    /// Random ledger traces have up to this many events.
    pub ledger_random_events: usize,
    /// Scripts of a pass in which up to this many seats speak are enumerated.
    pub pass_wide: usize,
    /// Scripts of a pass in which up to this many seats give one of their chief answers are too.
    pub pass_deep: usize,
    /// A seat that answers a list answers up to this many times in a random script.
    pub pass_answers: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 0,
            key_tokens: 5,
            key_part_bytes: 24,
            verdict_members: 3,
            verdict_nesting: 10_000,
            verdict_reason_chars: 80,
            window_calls: 4,
            window_drives: 4,
            window_random_calls: 6,
            window_random_drives: 6,
            boundary_events: 3,
            boundary_acts: 3,
            boundary_scoped_acts: 2,
            boundary_joint_events: 3,
            boundary_random_events: 14,
            ledger_events: 3,
            ledger_random_events: 12,
            pass_wide: 2,
            pass_deep: 3,
            pass_answers: 4,
        }
    }
}

impl Settings {
    /// The default bounds with another seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// Every enumeration this many steps deeper (or less deep, down to one step).
    #[must_use]
    pub fn deeper(mut self, by: i32) -> Self {
        let moved = |bound: usize| {
            usize::try_from(
                i64::try_from(bound)
                    .unwrap_or(i64::MAX)
                    .saturating_add(by.into()),
            )
            .unwrap_or(0)
            .max(1)
        };
        for bound in [
            &mut self.key_tokens,
            &mut self.verdict_members,
            &mut self.window_drives,
            &mut self.ledger_events,
            &mut self.boundary_events,
            &mut self.boundary_acts,
            &mut self.boundary_scoped_acts,
            &mut self.boundary_joint_events,
            &mut self.pass_wide,
            &mut self.pass_deep,
        ] {
            *bound = moved(*bound);
        }
        self
    }

    /// Fresh names for this seed.
    #[must_use]
    pub const fn names(&self) -> Names {
        Names { seed: self.seed }
    }
}

/// Fresh names: ids, reasons and words that no table of known cases can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    seed: u64,
}

impl Names {
    /// The `index`th name of a kind: `call` gives `call-3f9a02`. Names of one kind differ.
    #[must_use]
    pub fn name(self, kind: &str, index: u32) -> String {
        // FNV-1a over the seed and the kind; the index is added last, so that names differ
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in self.seed.to_le_bytes().into_iter().chain(kind.bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let tag = ((hash >> 32) as u32).wrapping_add(index) & 0x00ff_ffff;
        format!("{kind}-{tag:06x}")
    }
}
