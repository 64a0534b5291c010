//! The possible words of a layer: [`WordRules`] and [`LayerRules`].

use super::problem::CellRule;
use crate::plug::code::Symbol;

/// The rules that all words of a layer obey, except for their
/// [colour balance](LayerRules::colour_balance).
///
/// A word has two bits per plug, as in [`Parentheses`](crate::plug::code::Parentheses); one of them
/// is set if the plug is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct WordRules {
    /// The length of the words.
    pub(super) plugs: usize,
    /// The number of loose ends, which is the [height](super) after the last plug.
    pub(super) loose_ends: usize,
    /// The plugs that are empty in all words, as a mask of both bits.
    pub(super) empty: u64,
    /// The first of the two plugs that the last cell wrote, which are therefore not `((`, `))` or
    /// `)(`.
    pub(super) fresh: Option<usize>,
    /// Whether a path that entered the last cell by one plug could leave it by either fresh plug.
    /// Then the two words with one fresh plug taken, by the same symbol, have the same value: they
    /// are *twins*. Only the one whose first fresh plug is taken belongs to the layer.
    pub(super) twins: bool,
    /// The plugs that black cells wrote, as a mask of both bits; `None` if the words of a layer may
    /// differ in colour balance, so that it is not used.
    pub(super) black: Option<u64>,
}

/// Returns the mask of both bits of a plug.
pub(super) const fn bits(plug: usize) -> u64 {
    3 << (2 * plug)
}

/// Returns the mask of both bits of all plugs before this one.
pub(super) const fn bits_before(plug: usize) -> u64 {
    if plug >= 32 { u64::MAX } else { (1 << (2 * plug)) - 1 }
}

impl WordRules {
    /// Returns the colour balance of a word: the number of taken plugs that black cells wrote,
    /// minus the number of those that white cells wrote; 0 if the colour balance is not used.
    pub(super) fn colour_balance(&self, word: u64) -> i32 {
        self.black
            .map_or(0, |black| 2 * (word & black).count_ones() as i32 - word.count_ones() as i32)
    }

    /// Returns the contribution of a plug to the colour balance if it is taken.
    fn weight(&self, plug: usize) -> i32 {
        self.black.map_or(0, |black| if black & bits(plug) == 0 { -1 } else { 1 })
    }

    /// Returns whether `plug` may hold `symbol` if the preceding plug holds `before`.
    pub(super) fn allows(&self, plug: usize, before: u64, symbol: u64) -> bool {
        if symbol == 0 {
            return true;
        }
        if self.fresh.is_some_and(|fresh| fresh + 1 == plug) {
            let is_only_plug = before == 0;
            let is_allowed = if is_only_plug { !self.twins } else { (before, symbol) == (1, 2) };
            return is_allowed && self.empty & bits(plug) == 0;
        }
        self.empty & bits(plug) == 0
    }

    /// Returns the twin of a word or a half word, if it has one.
    pub(super) fn twin(&self, word: u64) -> Option<u64> {
        let fresh = self.fresh.filter(|_| self.twins)?;
        let plugs = [word & bits(fresh), word & bits(fresh + 1)];
        match plugs {
            [low, 0] if low != 0 => Some(word ^ low ^ low << 2),
            [0, high] if high != 0 => Some(word ^ high ^ high >> 2),
            _ => None,
        }
    }

    /// Returns whether a word or a half word is the twin that does not belong to the layer.
    pub(super) fn is_second_twin(&self, word: u64) -> bool {
        self.twin(word).is_some_and(|twin| twin < word)
    }

    /// Returns the best cut, as the plug after it: the numbers of plugs in both halves that can be
    /// taken differ by at most one.
    pub(super) fn middle(&self) -> usize {
        let can_be_taken = |plug: &usize| self.empty & bits(*plug) == 0;
        let half = (0..self.plugs).filter(can_be_taken).count() / 2;
        (0..self.plugs).filter(can_be_taken).nth(half).unwrap_or(self.plugs / 2)
    }

    /// Counts the words with this colour balance; saturates at `u64::MAX`.
    pub(super) fn count(&self, colour_balance: i32) -> u64 {
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
        if colour_balance.unsigned_abs() as usize > self.plugs || self.loose_ends > self.plugs {
            return 0;
        }
        (0..3).fold(0, |sum, before| {
            sum.saturating_add(ways[index(self.loose_ends, colour_balance, before)])
        })
    }
}

/// The rules that all words of a layer obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LayerRules {
    pub(super) word_rules: WordRules,
    /// The colour balance of every word of the layer.
    pub(super) colour_balance: i32,
    /// The plugs that the processed cells wrote, as a mask of both bits.
    written: u64,
}

impl LayerRules {
    /// Returns the rules before the first cell; the only word is empty.
    pub(super) fn start(plugs: usize, colour_balanced: bool) -> Self {
        let word_rules = WordRules {
            plugs,
            loose_ends: 0,
            empty: bits_before(plugs),
            fresh: None,
            twins: false,
            black: if colour_balanced { Some(0) } else { None },
        };
        LayerRules { word_rules, colour_balance: 0, written: 0 }
    }

    /// Returns whether the cell that reads plugs `low` and `low + 1` is black. Its colour is the
    /// opposite of that of the cells that wrote them; it is black if no cell did. Returns `None` if
    /// cells of both colours wrote them, or if the colour balance is not used.
    fn is_black(&self, low: usize) -> Option<bool> {
        let black = self.word_rules.black?;
        let mut colours = [low, low + 1]
            .into_iter()
            .filter(|&plug| self.written & bits(plug) != 0)
            .map(|plug| black & bits(plug) == 0);
        let first = colours.next().unwrap_or(true);
        colours.all(|colour| colour == first).then_some(first)
    }

    /// Returns the rules after a cell. `next` is the low plug of the following cell.
    pub(super) fn after(&self, low: usize, rule: CellRule, next: Option<usize>) -> LayerRules {
        let mut after = *self;
        let (both, word_rules) = (bits(low) | bits(low + 1), &mut after.word_rules);
        let black = self.is_black(low).unwrap_or(false);
        let sign = match word_rules.black {
            None => 0,
            Some(_) if black => 1,
            Some(_) => -1,
        };
        if let Some((_, symbol @ (Symbol::Open | Symbol::Close))) = rule.entrance {
            after.colour_balance -= sign;
            // If there is no loose end for `)`, no word passes the cell.
            let change = if symbol == Symbol::Open { 1 } else { -1 };
            word_rules.loose_ends = word_rules.loose_ends.saturating_add_signed(change);
        }
        if rule.visit {
            after.colour_balance += 2 * sign;
        }
        word_rules.black = word_rules.black.map(|all| if black { all | both } else { all & !both });
        after.written |= both;
        word_rules.empty &= !both;
        for (plug, open) in [(low, rule.low), (low + 1, rule.high)] {
            if !(rule.visit && open) {
                word_rules.empty |= bits(plug);
            }
        }
        // If the next cell is far away, a cut near the middle could not keep the plugs of both
        // cells on one side. The rule for fresh plugs is then dropped, and the table contains some
        // words that never occur.
        word_rules.fresh = next.is_some_and(|next| next.abs_diff(low) <= 1).then_some(low);
        word_rules.twins = word_rules.fresh.is_some() && rule.visit && rule.low && rule.high;
        after
    }
}

/// Returns whether all words of each layer have the same colour balance. This requires that a path
/// visits every free cell, and that the cells have two colours, so that each cell reads only plugs
/// that cells of the other colour wrote.
///
/// Then the number of taken plugs from black cells exceeds the number from white cells by twice the
/// excess of processed black cells; an entrance replaces one plug of its cell and so changes this
/// by one. The requirements hold for Hamiltonian cycles and paths and for two-factors on every
/// grid. The fixed colour balance leaves less than half of the words.
///
/// `cells` states the low plug and the rule of each cell.
pub(super) fn has_colour_balance(
    plugs: usize,
    mut cells: impl Iterator<Item = (usize, CellRule)>,
) -> bool {
    let mut rules = LayerRules::start(plugs, true);
    cells.all(|(low, rule)| {
        let known = rules.is_black(low).is_some() && !(rule.skip && rule.visit);
        rules = rules.after(low, rule, None);
        known
    })
}
