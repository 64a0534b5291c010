//! The weights of the k best solutions: [`BestK`].

use std::borrow::Cow;

use super::weight::{Weight, add, extreme};
use super::{Algebra, Overflow};
use crate::incumbent::Direction;
use crate::memory::block_bytes;
use crate::plug::profile::ContourProblem;

/// The weights of the `k` best solutions, best first; a weight that several solutions have is there
/// as often. If there are fewer than `k` solutions, those of all of them.
///
/// As an algebra: lists that are merged in order and cut off after `k`, and to all of whose weights
/// a label's is added. Memory and time are those of the best weight alone, times `k` at most.
/// (Bellman and Kalaba, 1960, for the k shortest ways.) The solutions themselves come from [kept
/// layers](crate::plug::Kept::ranked), and there `k` need not be known beforehand.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::BestK;
///
/// let taken = |_: usize, taken: bool| i64::from(taken); let outcome =
/// Sweep::new(&Row(4)).run(&BestK::maximise(5, taken)); assert_eq!(outcome.total(), Some(&vec![2,
/// 2, 2, 1, 1])); // of 3 sets of two, 4 of one and the empty set
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BestK<W> {
    direction: Direction,
    k: usize,
    weight: W,
}

impl<W> BestK<W> {
    /// The `k` greatest weights, or the `k` least.
    #[must_use]
    pub fn new(direction: Direction, k: usize, weight: W) -> Self {
        BestK { direction, k, weight }
    }

    /// The `k` greatest weights.
    #[must_use]
    pub fn maximise(k: usize, weight: W) -> Self {
        Self::new(Direction::Maximise, k, weight)
    }

    /// The `k` least weights.
    #[must_use]
    pub fn minimise(k: usize, weight: W) -> Self {
        Self::new(Direction::Minimise, k, weight)
    }
}

impl<P: ContourProblem, W: Weight<P>> Algebra<P> for BestK<W> {
    type Value = Vec<i64>;

    fn name(&self) -> Cow<'static, str> {
        format!("the {} {} weights", self.k, extreme(self.direction)).into()
    }
    fn one(&self) -> Vec<i64> {
        if self.k == 0 { Vec::new() } else { vec![0] }
    }

    fn extend(&self, value: &Vec<i64>, cell: usize, label: P::Label) -> Result<Vec<i64>, Overflow> {
        let step = self.weight.label(cell, label);
        // Collecting results would grow the list step by step, to a capacity of up to twice its
        // length.
        let mut extended = Vec::with_capacity(value.len());
        for &weight in value {
            extended.push(add(weight, step)?);
        }
        Ok(extended)
    }

    fn merge(&self, into: &mut Vec<i64>, value: Vec<i64>) -> Result<(), Overflow> {
        let length = into.len().saturating_add(value.len()).min(self.k);
        let (mut ours, mut theirs) =
            (into.iter().copied().peekable(), value.into_iter().peekable());
        let mut merged = Vec::with_capacity(length);
        while merged.len() < length {
            let take_theirs = match (ours.peek(), theirs.peek()) {
                (Some(our), Some(their)) => self.direction.is_better(their, our),
                (our, _) => our.is_none(),
            };
            merged.extend(if take_theirs { theirs.next() } else { ours.next() });
        }
        *into = merged;
        Ok(())
    }

    fn heap_bytes(&self, value: &Vec<i64>) -> usize {
        block_bytes(value.capacity() * size_of::<i64>())
    }

    fn finish(&self, mut value: Vec<i64>, state: P::State) -> Result<Vec<i64>, Overflow> {
        let end = self.weight.end(state);
        for weight in &mut value {
            *weight = add(*weight, end)?;
        }
        Ok(value)
    }
}
