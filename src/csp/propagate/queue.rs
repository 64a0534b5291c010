//! Queues of pending variables and propagators. Each number is in a queue at most once.

use std::collections::VecDeque;

/// A first-in, first-out queue; pushing a number that is pending has no effect.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<u32>,
    is_in: Vec<bool>,
}

impl Queue {
    /// Empties the queue, for numbers less than `size`.
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

/// A priority queue that returns the smallest number first. Propagators are numbered by increasing
/// cost, so that the cheapest one comes first.
#[derive(Clone, Debug, Default)]
pub(super) struct CheapestFirst {
    words: Vec<u64>,
    /// All words before this one are zero.
    first: usize,
}

impl CheapestFirst {
    /// Empties the queue, for numbers less than `size`.
    pub(super) fn reset(&mut self, size: usize) {
        let words = size.div_ceil(64);
        if self.words.len() == words {
            if let Some(rest) = self.words.get_mut(self.first..) {
                rest.fill(0);
            }
        } else {
            self.words = vec![0; words];
        }
        self.first = words;
    }

    #[inline]
    pub(super) fn contains(&self, number: u32) -> bool {
        self.words[number as usize / 64] >> (number % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn push(&mut self, number: u32) {
        let word = number as usize / 64;
        self.words[word] |= 1 << (number % 64);
        self.first = self.first.min(word);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        while let Some(word) = self.words.get_mut(self.first) {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(self.first as u32 * 64 + bit);
            }
            self.first += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheapest_first_returns_numbers_in_ascending_order() {
        let mut queue = CheapestFirst::default();
        queue.reset(200);
        for number in [199, 64, 3, 64, 63] {
            queue.push(number);
        }
        assert!(queue.contains(64) && !queue.contains(65));
        assert_eq!(queue.pop(), Some(3));
        queue.push(2);
        assert_eq!(std::iter::from_fn(|| queue.pop()).collect::<Vec<_>>(), [2, 63, 64, 199]);
        queue.push(70);
        queue.reset(200);
        assert_eq!(queue.pop(), None);
        queue.push(0);
        assert_eq!(queue.pop(), Some(0));
    }
}
