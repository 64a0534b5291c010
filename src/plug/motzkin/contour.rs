//! What is known beforehand of the words of a layer: [`Shape`] and [`Contour`].

use super::problem::{CellRule, MotzkinProblem};
use crate::plug::code::Symbol;

/// Which words a layer can have, but for the [target](Contour::target) of their balance.
///
/// A word is kept as in [`Parentheses`](crate::plug::code::Parentheses): two bits a plug, one of
/// them set if it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    /// How long the words are.
    pub(super) plugs: usize,
    /// How many loose ends they have: the height after the last plug.
    pub(super) loose_ends: usize,
    /// The plugs that are empty in all of them, both bits set.
    pub(super) empty: u64,
    /// The first of two plugs that one cell has written, so that they are neither `((` nor `))` nor
    /// `)(`.
    pub(super) fresh: Option<usize>,
    /// The plugs that a black cell wrote, both bits set, if the words are balanced.
    pub(super) black: Option<u64>,
}

/// Both bits of a plug.
pub(super) const fn bits(plug: usize) -> u64 {
    3 << (2 * plug)
}

/// Both bits of all plugs before this one.
pub(super) const fn bits_before(plug: usize) -> u64 {
    if plug >= 32 { u64::MAX } else { (1 << (2 * plug)) - 1 }
}

impl Shape {
    /// How many plugs more a black cell wrote than a white one, of those that are taken; 0 of words
    /// that are not balanced.
    pub(super) fn balance(&self, word: u64) -> i32 {
        self.black
            .map_or(0, |black| 2 * (word & black).count_ones() as i32 - word.count_ones() as i32)
    }

    /// What the balance of a word becomes by a plug that is taken.
    fn weight(&self, plug: usize) -> i32 {
        self.black.map_or(0, |black| if black & bits(plug) == 0 { -1 } else { 1 })
    }

    /// Whether two neighbouring plugs may be these.
    pub(super) fn allows(&self, plug: usize, before: u64, symbol: u64) -> bool {
        (symbol == 0 || self.empty & bits(plug) == 0)
            && !(before != 0
                && symbol != 0
                && self.fresh.is_some_and(|fresh| fresh + 1 == plug)
                && (before, symbol) != (1, 2))
    }

    /// The plug before which a word is best cut in two: as many plugs as can be taken are on either
    /// side.
    pub(super) fn middle(&self) -> usize {
        let can_be_taken = |plug: &usize| self.empty & bits(*plug) == 0;
        let half = (0..self.plugs).filter(can_be_taken).count() / 2;
        (0..self.plugs).filter(can_be_taken).nth(half).unwrap_or(self.plugs / 2)
    }

    /// How many words there are of this balance; `u64::MAX` also for more.
    pub(super) fn count(&self, target: i32) -> u64 {
        let width = 2 * self.plugs + 1;
        let index = |height: usize, balance: i32, before: usize| {
            (height * width + (balance + self.plugs as i32) as usize) * 3 + before
        };
        let mut ways = vec![0u64; (self.plugs + 2) * width * 3];
        ways[index(0, 0, 0)] = 1;
        for plug in 0..self.plugs {
            let mut next = vec![0u64; ways.len()];
            let weight = self.weight(plug);
            let reach = plug as i32;
            for height in 0..=plug {
                for balance in -reach..=reach {
                    for before in 0..3 {
                        let count = ways[index(height, balance, before)];
                        if count == 0 {
                            continue;
                        }
                        for symbol in 0..3usize {
                            let after =
                                [Some(height), Some(height + 1), height.checked_sub(1)][symbol];
                            let Some(after) =
                                after.filter(|_| self.allows(plug, before as u64, symbol as u64))
                            else {
                                continue;
                            };
                            let balance = if symbol == 0 { balance } else { balance + weight };
                            let into = &mut next[index(after, balance, symbol)];
                            *into = into.saturating_add(count);
                        }
                    }
                }
            }
            ways = next;
        }
        if target.unsigned_abs() as usize > self.plugs || self.loose_ends > self.plugs {
            return 0;
        }
        (0..3)
            .fold(0, |sum, before| sum.saturating_add(ways[index(self.loose_ends, target, before)]))
    }
}

/// What is known of the words of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contour {
    pub(super) shape: Shape,
    /// The balance of all words.
    pub(super) target: i32,
    /// The plugs that some cell has written, both bits set.
    written: u64,
}

impl Contour {
    /// Before the first cell, where there is but the empty word.
    pub(super) fn start(plugs: usize, balanced: bool) -> Self {
        let shape = Shape {
            plugs,
            loose_ends: 0,
            empty: bits_before(plugs),
            fresh: None,
            black: if balanced { Some(0) } else { None },
        };
        Contour { shape, target: 0, written: 0 }
    }

    /// Whether a cell that reads these plugs is black: another colour than those that wrote them.
    /// `None` if they are of two colours.
    fn is_black(&self, low: usize) -> Option<bool> {
        let black = self.shape.black?;
        let mut colours = [low, low + 1]
            .into_iter()
            .filter(|&plug| self.written & bits(plug) != 0)
            .map(|plug| black & bits(plug) == 0);
        let first = colours.next().unwrap_or(true);
        colours.all(|colour| colour == first).then_some(first)
    }

    /// After a cell. `next` is the first plug that the one after it reads.
    pub(super) fn after(&self, low: usize, rule: CellRule, next: Option<usize>) -> Contour {
        let mut after = *self;
        let (both, shape) = (bits(low) | bits(low + 1), &mut after.shape);
        let black = self.is_black(low).unwrap_or(false);
        let sign = if shape.black.is_none() {
            0
        } else if black {
            1
        } else {
            -1
        };
        match rule.entrance {
            None | Some((_, Symbol::Empty)) => {}
            Some((_, Symbol::Open)) => {
                after.target -= sign;
                shape.loose_ends += 1;
            }
            Some((_, Symbol::Close)) => {
                after.target -= sign;
                // Without a loose end, no word comes through the cell.
                shape.loose_ends = shape.loose_ends.saturating_sub(1);
            }
        }
        if rule.visit {
            after.target += 2 * sign;
        }
        shape.black = shape.black.map(|all| if black { all | both } else { all & !both });
        after.written |= both;
        shape.empty &= !both;
        for (plug, open) in [(low, rule.low), (low + 1, rule.high)] {
            if !(rule.visit && open) {
                shape.empty |= bits(plug);
            }
        }
        // Cells that are far apart would make it hard to split the words: then this is forgotten,
        // and some words are in the table that never occur.
        shape.fresh = next.is_some_and(|next| next.abs_diff(low) <= 1).then_some(low);
        after
    }
}

/// Whether all words of a layer have one balance: every cell that is not an obstacle has a path
/// through it, and the cells have two colours, so that each reads plugs only that cells of the
/// other colour wrote.
///
/// Then the plugs that cross the contour from black cells are, in number, those from white cells
/// and twice the excess of black cells among those swept. That holds of Hamiltonian cycles and
/// paths and of two-factors on every grid, and it leaves less than half of the words.
pub(super) fn is_balanced<P: MotzkinProblem>(profile: &P) -> bool {
    let mut contour = Contour::start(profile.plugs(), true);
    (0..profile.cells()).all(|cell| {
        let (low, rule) = (profile.low(cell), profile.rule(cell));
        let known = contour.is_black(low).is_some() && !(rule.skip && rule.visit);
        contour = contour.after(low, rule, None);
        known
    })
}
