//! Pruning 3: contours outshone by the one with the most lit plugs.

use std::cmp::Reverse;

use super::super::profile::Fuses;
use super::plugs;
use crate::plug::code::{Labels, Word};
use crate::plug::{BestState, StateDominance};

/// A contour is outshone by another one if all of its plugs are lit there: the relation of
/// [`outshone`].
///
/// *Statement.* What the outshone contour can still reach, the other one can reach by the same
/// turns of the blocks ahead. *Proof.* Follow a path of fire from a match to a rocket to where it
/// leaves the contour for good: by a plug of the outshone contour. There the other one is lit, and
/// the rest of the path lies ahead. If the path ends at a rocket whose plug is part of the contour,
/// that plug is lit in the other one, too. ∎
#[derive(Clone, Copy, Debug)]
pub struct Outshone;

impl<W: Word, const BITS: u32> StateDominance<Fuses<'_, W, BITS>> for Outshone {
    /// The plugs that there are, and those that are lit.
    type Form = (u32, u32);
    /// How many are lit. Of contours with as many, the smallest word counts as the best, so that
    /// the choice does not depend on their order. The paper does not say which one it takes. With
    /// prunings 1 to 3, its boards 1, 2, 4 and 5 have the paper's numbers of contours here. Its
    /// other six boards have fewer:
    ///
    /// | board | here | the paper |
    /// |---|---|---|
    /// | 3 | 9989 | 11,451 |
    /// | 6 | 115,761 | 155,049 |
    /// | 7 | 62,417 | 67,473 |
    /// | 8 | 6213 | 7741 |
    /// | 9 | 19,684 | 24,856 |
    /// | 10 | 6031 | 6079 |
    ///
    /// This key breaks the second law of [`StateDominance`]: among contours with as many lit plugs, one
    /// may cover another one of greater key. So a few contours more are kept than need be; no
    /// solution is lost.
    type Key = (u32, Reverse<Labels<W, BITS>>);

    fn form(&self, _: &Fuses<'_, W, BITS>, _: usize, contour: Labels<W, BITS>) -> Self::Form {
        plugs(contour)
    }

    fn key(&self, contour: Labels<W, BITS>, &(_, lit): &Self::Form) -> Self::Key {
        (lit.count_ones(), Reverse(contour))
    }

    fn covers(&self, better: &Self::Form, worse: &Self::Form) -> bool {
        worse.0 & !better.1 == 0
    }
}

/// Pruning 3: per layer, take the contour with the most lit plugs, and drop each one that it
/// [outshines](Outshone).
pub fn outshone() -> BestState<Outshone> {
    BestState::new("3: outshone", Outshone)
}
