//! The requests that one process holds, and those that it answered last.

use std::collections::VecDeque;

use super::Request;

/// How many answered requests are remembered, to tell a doubled id from an unknown one.
const REMEMBERED: usize = 1024;

/// How many bytes of them.
const REMEMBERED_BYTES: usize = 1024 * 1024;

/// What an id names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A request that was open, and now is not.
    Open,
    /// A request that was answered a short time ago.
    Answered,
    /// Nothing.
    Unknown,
}

/// The open requests of a process in the order of their ids.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// Answered ones, `None`, are taken out when they come to the front or are most of them.
    slots: VecDeque<(u64, Option<Request>)>,
    open: usize,
    bytes: usize,
    answered: VecDeque<Request>,
    answered_bytes: usize,
}

impl Window {
    /// How many are open.
    pub(super) const fn open(&self) -> usize {
        self.open
    }

    /// The bytes of those that are open.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Opens one more.
    pub(super) fn push(&mut self, request: Request) {
        self.open += 1;
        self.bytes += request.line.len();
        self.slots.push_back((request.id, Some(request)));
    }

    /// Closes the request of this id.
    pub(super) fn close(&mut self, id: u64) -> Named {
        let place = match self.slots.front() {
            Some(&(front, _)) if front == id => Some(0),
            _ => self.find(id),
        };
        let request = place
            .and_then(|place| self.slots.get_mut(place))
            .and_then(|slot| slot.1.take());
        let Some(request) = request else {
            let known = self.answered.iter().any(|request| request.id == id);
            return if known {
                Named::Answered
            } else {
                Named::Unknown
            };
        };
        self.open -= 1;
        self.bytes -= request.line.len();
        while self
            .slots
            .front()
            .is_some_and(|(_, request)| request.is_none())
        {
            self.slots.pop_front();
        }
        if self.slots.len() > 2 * self.open + 64 {
            self.slots.retain(|(_, request)| request.is_some());
        }
        self.remember(request);
        Named::Open
    }

    /// The place of an id that is not in front; ids usually go up.
    fn find(&self, id: u64) -> Option<usize> {
        match self.slots.binary_search_by_key(&id, |&(id, _)| id) {
            Ok(place) => Some(place),
            Err(_) => self.slots.iter().position(|&(slot, _)| slot == id),
        }
    }

    fn remember(&mut self, request: Request) {
        self.answered_bytes += request.line.len();
        self.answered.push_back(request);
        while self.answered.len() > REMEMBERED
            || (self.answered_bytes > REMEMBERED_BYTES && self.answered.len() > 1)
        {
            let Some(old) = self.answered.pop_front() else {
                break;
            };
            self.answered_bytes -= old.line.len();
        }
    }

    /// A request that was answered a short time ago.
    pub(super) fn answered(&self, id: u64) -> Option<&Request> {
        self.answered.iter().rev().find(|request| request.id == id)
    }

    /// The request that was answered last.
    pub(super) fn last(&self) -> Option<&Request> {
        self.answered.back()
    }

    /// The open requests, to be asked again.
    pub(super) fn into_open(self) -> impl DoubleEndedIterator<Item = Request> {
        self.slots.into_iter().filter_map(|(_, request)| request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(ids: impl IntoIterator<Item = u64>) -> Window {
        let mut window = Window::default();
        for id in ids {
            window.push(Request {
                id,
                line: "x".repeat(10),
            });
        }
        window
    }

    #[test]
    fn answers_close_their_own_request_in_any_order() {
        let mut window = window([2, 3, 5, 9]);
        assert_eq!(window.close(5), Named::Open);
        assert_eq!(window.close(5), Named::Answered);
        assert_eq!(window.close(4), Named::Unknown);
        assert_eq!(window.close(2), Named::Open);
        assert_eq!((window.open(), window.bytes()), (2, 20));
        assert_eq!(window.last().map(|request| request.id), Some(2));
        assert_eq!(
            window
                .into_open()
                .map(|request| request.id)
                .collect::<Vec<_>>(),
            [3, 9]
        );
    }

    #[test]
    fn ids_need_not_go_up() {
        let mut window = window([7, 3, 8, 1]);
        for id in [1, 8, 3, 7] {
            assert_eq!(window.close(id), Named::Open);
        }
        assert_eq!(window.open(), 0);
    }

    #[test]
    fn one_slow_answer_does_not_hold_the_others_in_memory() {
        let mut window = window([0]);
        for id in 1..100_000 {
            window.push(Request {
                id,
                line: "x".repeat(100),
            });
            assert_eq!(window.close(id), Named::Open);
            assert!(window.slots.len() <= 66 && window.answered.len() <= REMEMBERED);
        }
        assert_eq!(window.close(0), Named::Open);
        assert_eq!(window.close(1), Named::Unknown);
    }

    #[test]
    fn what_is_answered_does_not_stay_because_the_first_does() {
        let mut window = window(0..1001);
        for id in 1..1001 {
            assert_eq!(window.close(id), Named::Open);
            assert!(window.slots.len() <= 2 * window.open() + 64);
        }
    }

    #[test]
    fn the_last_answered_are_remembered_up_to_a_count_and_a_size() {
        let answer = |count: usize, bytes: usize| {
            let mut window = Window::default();
            for id in 0..count as u64 {
                window.push(Request {
                    id,
                    line: "x".repeat(bytes),
                });
                window.close(id);
            }
            assert_eq!(window.answered_bytes, window.answered.len() * bytes);
            window.answered.len()
        };
        assert_eq!(answer(2 * REMEMBERED, 10), REMEMBERED);
        // as many as fit, and the last in any case
        assert_eq!(answer(1024, 1024), 1024);
        assert_eq!(answer(1024, 1025), 1023);
        assert_eq!(answer(3, 600 * 1024), 1);
        assert_eq!(answer(3, 2 * 1024 * 1024), 1);
    }
}
