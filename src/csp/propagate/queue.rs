//! Numbers that wait to be seen to, each at most once.

use std::collections::VecDeque;

/// First in, first out; what is in is not let in again.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<u32>,
    is_in: Vec<bool>,
}

impl Queue {
    /// Nobody waits; numbers are less than `size`.
    pub(super) fn reset(&mut self, size: usize) {
        if self.is_in.len() == size {
            while self.pop().is_some() {}
        } else {
            self.waiting.clear();
            self.is_in.clear();
            self.is_in.resize(size, false);
        }
    }

    #[inline]
    pub(super) fn push(&mut self, number: u32) {
        if !std::mem::replace(&mut self.is_in[number as usize], true) {
            self.waiting.push_back(number);
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        let number = self.waiting.pop_front()?;
        self.is_in[number as usize] = false;
        Some(number)
    }
}
