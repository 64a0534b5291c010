//! The execution of a plan on the numbers of a layer.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cell_plan::{CellPlan, NOWHERE, Recipe, Work};
use super::contour::{LayerRules, bits_before};
use super::numbers::{Block, FixedWidthAlgebra, Table};
use crate::limits::Stop;
use crate::plug::step::Clock;

/// The number of words between two checks of the clock, about a tenth of a millisecond.
const POLL_INTERVAL: usize = 1 << 14;

/// The logarithm of a bound on the number of words that lead to the same word. Their plugs at the
/// cell differ in at most 9 ways, and if two `(`, two `)` or a loose end are joined, they differ in
/// one of at most 31 parentheses that flips. Some count for their twins as well.
pub(super) const FAN_IN_BITS: u32 = 8;

/// The segments of two layers, between which a plan leads: where they begin, and the colour balance
/// that selects their classes.
pub(super) struct Segments {
    pub(super) plan: Arc<CellPlan>,
    /// The place of each old segment: a block of the old table, and the range of its words there.
    old_places: Vec<(u32, Range<usize>)>,
    /// The rank of the first word of each new segment, followed by the number of words.
    new_bases: Vec<usize>,
    old_balance: i32,
    new_balance: i32,
}

impl Segments {
    /// Creates the segments of two layers. No segment of the old one may be in two blocks.
    pub(super) fn new<V>(
        plan: Arc<CellPlan>,
        (old, table): (&LayerRules, &Table<V>),
        new: &LayerRules,
    ) -> Self {
        let (bounds, mut block) = (table.bounds(), 0);
        let old_places = plan.old.bases(old.colour_balance);
        let old_places = old_places.windows(2).map(|segment| {
            while block + 2 < bounds.len() && bounds[block + 1] <= segment[0] {
                block += 1;
            }
            let first = bounds[block];
            (block as u32, segment[0] - first..segment[1] - first)
        });
        Segments {
            old_places: old_places.collect(),
            new_bases: plan.new.bases(new.colour_balance),
            old_balance: old.colour_balance,
            new_balance: new.colour_balance,
            plan,
        }
    }

    /// Returns the number of words of the new layer.
    pub(super) fn words(&self) -> usize {
        self.new_bases.last().copied().unwrap_or(0)
    }

    /// Returns the number of words in the segments of a range of left halves.
    pub(super) fn words_of(&self, lefts: &Range<usize>) -> usize {
        self.new_bases[lefts.end] - self.new_bases[lefts.start]
    }

    /// Divides the new layer into blocks of at least `words` words, except for the last one, and
    /// returns the first left half of each block, followed by the number of left halves. Blocks
    /// begin where the first `aligned` plugs of the words change, so that no segment of a cut at
    /// that plug, or after it, is in two blocks.
    pub(super) fn divide(&self, words: usize, aligned: usize) -> Vec<usize> {
        let (lefts, mask) = (&self.plan.new.lefts, bits_before(aligned));
        let mut firsts = vec![0];
        let mut first_word = 0;
        for left in 1..lefts.len() {
            let is_aligned = (lefts[left].word ^ lefts[left - 1].word) & mask != 0;
            if is_aligned && self.new_bases[left] - first_word >= words {
                first_word = self.new_bases[left];
                firsts.push(left);
            }
        }
        firsts.push(lefts.len());
        firsts
    }

    /// Returns for each new block the old blocks on which it depends.
    pub(super) fn dependencies(&self, firsts: &[usize]) -> Vec<Vec<u32>> {
        let blocks = self.old_places.last().map_or(0, |(last, _)| *last as usize + 1);
        if firsts.len() <= 2 {
            // A small layer in one block takes less time than its sources.
            return vec![(0..blocks as u32).collect()];
        }
        // The last new block that was found to depend on each old one, plus 1.
        let mut found = vec![0; blocks];
        let of_block = |(number, lefts): (usize, &[usize])| {
            let mut dependencies = Vec::new();
            let mut depend_on = |source: usize| {
                let block = self.old_places[source].0;
                if std::mem::replace(&mut found[block as usize], number + 1) <= number {
                    dependencies.push(block);
                }
            };
            for left in lefts[0]..lefts[1] {
                match &self.plan.work {
                    Work::InRight { flipped, .. } => {
                        depend_on(left);
                        flipped.of(left).iter().for_each(|&(_, source)| depend_on(source as usize));
                    }
                    Work::InLeft { sources, .. } => {
                        sources.of(left).iter().for_each(|&(source, _)| depend_on(source as usize));
                    }
                }
            }
            dependencies
        };
        firsts.windows(2).enumerate().map(of_block).collect()
    }

    fn old<'a, V>(&self, table: &'a [Block<V>], left: usize) -> &'a [V] {
        let (block, words) = &self.old_places[left];
        &table[*block as usize][words.clone()]
    }
}

/// The result of executing a plan.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filled {
    /// Whether a number overflowed.
    pub(super) overflow: bool,
    /// The number of words with a value above 0.
    pub(super) states: usize,
    /// The bits that are set in the [most significant part](FixedWidthAlgebra::top) of some number.
    pub(super) top: u64,
    /// The reason to stop if the layer is not complete.
    pub(super) stop: Option<Stop>,
}

impl Filled {
    pub(super) fn stopped(stop: Stop) -> Self {
        Filled { stop: Some(stop), ..Filled::default() }
    }

    /// Returns the result of two parts of a layer together.
    pub(super) fn and(self, other: Filled) -> Filled {
        Filled {
            overflow: self.overflow | other.overflow,
            states: self.states + other.states,
            top: self.top | other.top,
            stop: self.stop.or(other.stop),
        }
    }
}

/// The inputs from which parts of a layer are computed.
#[derive(Clone, Copy)]
pub(super) struct FillJob<'a, N: FixedWidthAlgebra> {
    pub(super) segments: &'a Segments,
    pub(super) clock: &'a Clock,
    pub(super) algebra: N,
    /// The blocks of the old table on which the part depends.
    pub(super) old: &'a [Block<N::Value>],
}

impl<N: FixedWidthAlgebra> FillJob<'_, N> {
    /// Computes the segments of a range of left halves into `new`. All words of `new` are written,
    /// unless the clock stops it.
    pub(super) fn run(self, lefts: Range<usize>, new: &mut [N::Value]) -> Filled {
        let plan = &*self.segments.plan;
        let mut filled = Filled::default();
        let (mut rest, mut since_poll) = (new, 0);
        for left in lefts {
            let length = self.segments.new_bases[left + 1] - self.segments.new_bases[left];
            since_poll += length;
            if since_poll >= POLL_INTERVAL {
                since_poll = 0;
                filled.stop = self.clock.check().err();
                if filled.stop.is_some() {
                    break;
                }
            }
            let segment;
            (segment, rest) = std::mem::take(&mut rest).split_at_mut(length);
            let class = plan.new.class_of(left, self.segments.new_balance);
            let Some(class) = class.filter(|_| length > 0) else { continue };
            filled.overflow |= match &plan.work {
                Work::InRight { recipes, flipped } => {
                    self.apply_recipe(left, &recipes[class], flipped.of(left), segment)
                }
                Work::InLeft { sources, flips } => {
                    let sources = sources.of(left);
                    self.add_segments(sources, segment) | self.add_flipped(sources, flips, segment)
                }
            };
            let (states, top) = self.summarise(left, class, segment);
            filled.states += states;
            filled.top |= top;
        }
        filled
    }

    /// Returns the number of the words of a segment, and their [twins](WordRules::twins), with a
    /// value above 0, and the bits that are set in the most significant part of some value.
    fn summarise(self, left: usize, class: usize, segment: &[N::Value]) -> (usize, u64) {
        let is_state = |value: &N::Value| !N::is_zero(value);
        let (mut states, mut top) = (0, 0);
        for value in segment {
            states += usize::from(is_state(value));
            top |= N::top(value);
        }
        let plan = &self.segments.plan;
        let twins = match &plan.work {
            Work::InRight { recipes, .. } => {
                let targets = recipes[class].targets_with_twins();
                targets.filter(|&target| is_state(&segment[target])).count()
            }
            Work::InLeft { .. } if plan.new.has_twin(left) => states,
            Work::InLeft { .. } => 0,
        };
        (states + twins, top)
    }

    /// Computes a segment with a cell to the right of the cut. Returns whether a number overflowed.
    #[inline]
    fn apply_recipe(
        self,
        left: usize,
        recipe: &Recipe,
        flipped: &[(u8, u32)],
        segment: &mut [N::Value],
    ) -> bool {
        let old = self.segments.old(self.old, left);
        let mut overflow = false;
        for &target in &recipe.zero {
            segment[target as usize] = N::ZERO;
        }
        for &[target, source] in &recipe.copy {
            segment[target as usize] = old[source as usize];
        }
        for &[target, one, other] in &recipe.sum {
            let (sum, carry) = self.algebra.sum(&old[one as usize], &old[other as usize]);
            segment[target as usize] = sum;
            overflow |= carry;
        }
        for &[target, source] in &recipe.add {
            overflow |= self.algebra.add(&mut segment[target as usize], &old[source as usize]);
        }
        for (height, pairs) in &recipe.crossing {
            for &(_, source) in flipped.iter().filter(|(to, _)| to == height) {
                let old = self.segments.old(self.old, source as usize);
                for &[target, source] in pairs {
                    overflow |=
                        self.algebra.add(&mut segment[target as usize], &old[source as usize]);
                }
            }
        }
        overflow
    }

    /// Computes a segment with a cell to the left of the cut, as the sum of its unflipped sources.
    /// Returns whether a number overflowed.
    #[inline]
    fn add_segments(self, sources: &[(u32, u8)], segment: &mut [N::Value]) -> bool {
        let same = sources.partition_point(|&(_, height)| height == 0);
        let entries = |source: usize| self.segments.old(self.old, sources[source].0 as usize);
        let mut overflow = false;
        match same {
            0 => segment.fill(N::ZERO),
            1 => segment.copy_from_slice(entries(0)),
            _ => {
                for ((into, one), other) in segment.iter_mut().zip(entries(0)).zip(entries(1)) {
                    let carry;
                    (*into, carry) = self.algebra.sum(one, other);
                    overflow |= carry;
                }
            }
        }
        for source in 2..same {
            for (into, entry) in segment.iter_mut().zip(entries(source)) {
                overflow |= self.algebra.add(into, entry);
            }
        }
        overflow
    }

    /// Adds the flipped sources of a segment with a cell to the left of the cut. Returns whether a
    /// number overflowed.
    fn add_flipped(
        self,
        sources: &[(u32, u8)],
        flips: &FxHashMap<(usize, u8), Vec<u32>>,
        segment: &mut [N::Value],
    ) -> bool {
        let mut overflow = false;
        for &(source, height) in sources.iter().filter(|(_, height)| *height > 0) {
            let old = &self.segments.plan.old;
            let class = old.class_of(source as usize, self.segments.old_balance);
            let Some(places) = class.and_then(|class| flips.get(&(class, height))) else {
                continue;
            };
            let entries = self.segments.old(self.old, source as usize);
            for (&place, entry) in places.iter().zip(entries) {
                // `NOWHERE` is beyond the segment, so `get_mut` returns `None`.
                if let Some(into) = segment.get_mut(place as usize) {
                    overflow |= self.algebra.add(into, entry);
                } else {
                    debug_assert_eq!(place, NOWHERE, "a place beyond the segment");
                }
            }
        }
        overflow
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashMap;
    use std::convert::Infallible;

    use super::*;
    use crate::limits::Limits;
    use crate::plug::algebra::{Counting, Limbs};
    use crate::plug::code::Parentheses;
    use crate::plug::motzkin::cell_plan::{CellPlanKey, RankingCache};
    use crate::plug::motzkin::contour::has_colour_balance;
    use crate::plug::motzkin::problem::{CellRule, Closing, PathPiece, step};
    use crate::plug::motzkin::ranking::Ranking;
    use crate::plug::motzkin::test_boards::{self, TestBoard};

    /// A cell of a problem: its plan, and the layers before and after it.
    pub(in crate::plug::motzkin) struct Cell {
        low: usize,
        rule: CellRule,
        pub(in crate::plug::motzkin) plan: Arc<CellPlan>,
        old: LayerRules,
        new: LayerRules,
    }

    impl Cell {
        /// Returns the first `cells` cells of a problem. Any number of loops may close, so that
        /// many words of a layer lead to the same word of the next one.
        pub(in crate::plug::motzkin) fn first_cells(board: &TestBoard, cells: usize) -> Vec<Cell> {
            let plugs = board.iter().map(|(low, _)| low + 2).max().expect("a cell");
            let is_balanced = has_colour_balance(plugs, board.iter().copied());
            let mut rules = LayerRules::start(plugs, is_balanced);
            let cell = |cell: usize| {
                let ((low, rule), old): (_, LayerRules) = (board[cell], rules);
                let rule = CellRule { closing: Closing::Any, ..rule };
                rules = old.after(low, rule, board.get(cell + 1).map(|&(next, _)| next));
                let (kept, new) = (PathPiece::EVERY, rules);
                let key = CellPlanKey { old: old.word_rules, new: new.word_rules, low, rule, kept };
                let plan = Arc::new(CellPlan::new(&key, &mut RankingCache::default()));
                Cell { low, rule, plan, old, new }
            };
            (0..cells).map(cell).collect()
        }

        /// Returns the number of words before the cell.
        pub(in crate::plug::motzkin) fn old_words(&self) -> usize {
            self.old.word_rules.count(self.old.colour_balance) as usize
        }

        pub(in crate::plug::motzkin) fn segments<V>(&self, old: &Table<V>) -> Segments {
            Segments::new(Arc::clone(&self.plan), (&self.old, old), &self.new)
        }

        /// Returns the new layer, computed at once from an old one in a single block.
        pub(in crate::plug::motzkin) fn fill<N: FixedWidthAlgebra>(
            &self,
            algebra: N,
            old: &[N::Value],
        ) -> (Vec<N::Value>, Filled) {
            let clock = &Clock::new(&Limits::new());
            let old = Table::new(vec![old.to_vec()]);
            let segments = &self.segments(&old);
            let mut new = vec![N::ZERO; segments.words()];
            let job = FillJob { segments, clock, algebra, old: old.blocks() };
            let filled = job.run(0..self.plan.new.lefts.len(), &mut new);
            assert_eq!(filled.stop, None);
            (new, filled)
        }

        /// Returns for each word of the new layer the words of the old layer that lead to it, as
        /// ranks, by the steps of single words and of their twins.
        fn sources(&self) -> Vec<Vec<usize>> {
            let new = words(&self.plan.new, self.new.colour_balance);
            let mut sources = vec![Vec::new(); new.len()];
            let new: HashMap<u64, usize> = new.into_iter().zip(0..).collect();
            let old = words(&self.plan.old, self.old.colour_balance);
            for (rank, word) in old.into_iter().enumerate() {
                for word in [Some(word), self.old.word_rules.twin(word)].into_iter().flatten() {
                    step(
                        self.rule,
                        self.low,
                        Parentheses::from_word(word),
                        &mut |word, _| match new.get(&word.word()) {
                            Some(&target) => sources[target].push(rank),
                            None => assert!(self.new.word_rules.is_second_twin(word.word())),
                        },
                    );
                }
            }
            sources
        }
    }

    /// Returns the words of a layer in the order of their ranks.
    fn words(ranking: &Ranking, balance: i32) -> Vec<u64> {
        let mut words = Vec::new();
        let Ok(()) = ranking.for_each_segment(balance, |left, rights| {
            words.extend(rights.iter().map(|right| left | right));
            Ok::<(), Infallible>(())
        });
        words
    }

    /// Calls `check` with each cell of some problems, the number of words before it and the sources
    /// of the words after it.
    fn for_each_cell(mut check: impl FnMut(&Cell, usize, &[Vec<usize>])) {
        for board in test_boards::all((7, 7), &[(1, 2)]) {
            // Three lines suffice for layers of both directions in which every plug can be taken.
            for cell in Cell::first_cells(&board, 3 * 7) {
                check(&cell, cell.old_words(), &cell.sources());
            }
        }
    }

    /// Returns whether a number overflows if the words of these ranks, of all `words`, have half of
    /// what fits.
    fn overflows(cell: &Cell, words: usize, ranks: &[usize]) -> bool {
        let mut old = vec![Limbs::<1>::from(0); words];
        ranks.iter().for_each(|&rank| old[rank] = Limbs::from(1 << 63));
        cell.fill(Counting::<Limbs<1>>::new(), &old).1.overflow
    }

    #[test]
    fn an_overflow_of_any_addition_is_reported() {
        let mut sums = 0;
        for_each_cell(|cell, words, sources| {
            assert!((0..words).all(|rank| !overflows(cell, words, &[rank])), "a single word");
            for sources in sources {
                for (index, &one) in sources.iter().enumerate() {
                    for &other in &sources[..index] {
                        assert!(overflows(cell, words, &[one, other]), "{one} + {other}");
                        sums += 1;
                    }
                }
            }
        });
        assert!(sums > 1000, "{sums}");
    }

    #[test]
    fn overflows_of_two_additions_do_not_cancel_out() {
        let mut sums = 0;
        for_each_cell(|cell, words, sources| {
            // Words of similar ranks are often in one segment and computed in the same way.
            let several: Vec<_> = sources.iter().filter(|sources| sources.len() > 1).collect();
            for distance in 1..=3 {
                for (one, other) in several.iter().zip(several.iter().skip(distance)) {
                    for index in 1..one.len().min(other.len()) {
                        let added = [one[0], one[index], other[0], other[index]];
                        assert!(overflows(cell, words, &added), "{added:?}");
                        sums += 1;
                    }
                }
            }
        });
        assert!(sums > 1000, "{sums}");
    }

    #[test]
    fn few_words_lead_to_the_same_word() {
        for_each_cell(|_, _, sources| {
            let most = sources.iter().map(Vec::len).max().unwrap_or(0);
            assert!(most < 1 << FAN_IN_BITS, "{most}");
        });
    }
}
