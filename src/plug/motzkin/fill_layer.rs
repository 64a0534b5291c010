//! The execution of a plan on a table of numbers, by one thread or several.

use std::collections::VecDeque;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

use rustc_hash::FxHashMap;

use super::cell_plan::{CellPlan, NOWHERE, Recipe, Work};
use super::contour::LayerRules;
use super::numbers::FixedWidthAlgebra;
use super::ranking::Ranking;
use crate::limits::Stop;
use crate::plug::step::Clock;

/// Each thread must have at least this number of words: starting a thread takes as long as
/// computing about ten thousand words.
const WORDS_PER_THREAD: usize = 1 << 14;
/// The number of parts of a layer for each thread: parts of the same number of words take different
/// times.
const PARTS_PER_THREAD: usize = 16;
/// The number of words between two checks of the clock, about a tenth of a millisecond.
const POLL_INTERVAL: usize = 1 << 14;

/// The beginnings and classes of the segments of two layers.
pub(super) struct Segments {
    pub(super) old_bases: Vec<usize>,
    pub(super) new_bases: Vec<usize>,
    old_classes: Vec<Option<usize>>,
    new_classes: Vec<Option<usize>>,
}

impl Segments {
    pub(super) fn new(plan: &CellPlan, old: &LayerRules, new: &LayerRules) -> Self {
        let classes = |ranking: &Ranking, balance| {
            ranking.lefts.iter().map(|left| ranking.class_after(left, balance)).collect()
        };
        Segments {
            old_bases: plan.old.bases(old.colour_balance),
            new_bases: plan.new.bases(new.colour_balance),
            old_classes: classes(&plan.old, old.colour_balance),
            new_classes: classes(&plan.new, new.colour_balance),
        }
    }

    /// Returns the number of words of the new layer.
    pub(super) fn words(&self) -> usize {
        self.new_bases.last().copied().unwrap_or(0)
    }

    fn old<'a, V>(&self, table: &'a [V], left: usize) -> &'a [V] {
        &table[self.old_bases[left]..self.old_bases[left + 1]]
    }
}

/// The result of executing a plan.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filled {
    /// Whether a number overflowed.
    pub(super) overflow: bool,
    /// The number of words with a value above 0.
    pub(super) states: usize,
    /// The reason to stop if the layer is not complete.
    pub(super) stop: Option<Stop>,
}

impl Filled {
    /// Returns the result of two parts of a layer together.
    fn and(self, other: Filled) -> Filled {
        Filled {
            overflow: self.overflow | other.overflow,
            states: self.states + other.states,
            stop: self.stop.or(other.stop),
        }
    }
}

/// Returns the number of threads to use for a layer of `words` words, at most `threads`.
pub(super) fn useful_threads(threads: usize, words: usize) -> usize {
    threads.min(words / WORDS_PER_THREAD).max(1)
}

/// Computes the new layer from the old one, unless the clock stops it. With several threads, the
/// calling thread runs `meanwhile` first, if given, and then helps.
pub(super) fn fill_layer<N: FixedWidthAlgebra>(
    (plan, segments, clock): (&CellPlan, &Segments, &Clock),
    algebra: N,
    old: &[N::Value],
    new: &mut [N::Value],
    threads: usize,
    meanwhile: Option<impl FnOnce()>,
) -> Filled {
    let job = FillJob { plan, segments, clock, algebra, old };
    let lefts = plan.new.lefts.len();
    let threads = useful_threads(threads, new.len());
    if threads == 1 {
        return job.run(0..lefts, new);
    }
    // Each thread begins with the parts of its own share of the table, whose numbers are often in
    // the cache of its core, and then takes parts of others, from the end of their shares. So parts
    // that take longer, or a thread that starts late or not at all, leave no other thread idle. A
    // lock protects the list of parts only; it is not held during the work. A poisoned lock is
    // harmless, because taking a part cannot leave the list inconsistent.
    let shares: Vec<_> = shares(segments, threads, new).into_iter().map(Mutex::new).collect();
    let next = |own: usize| {
        (0..threads).find_map(|distance| {
            let share = &shares[(own + distance) % threads];
            let mut parts = share.lock().unwrap_or_else(PoisonError::into_inner);
            if distance == 0 { parts.pop_front() } else { parts.pop_back() }
        })
    };
    let work = &|own: usize| {
        // A part may be too small for a check of the clock within it.
        let run = |(range, new): Part<'_, N::Value>| match clock.check() {
            Ok(()) => job.run(range, new),
            Err(stop) => Filled { stop: Some(stop), ..Filled::default() },
        };
        std::iter::from_fn(|| next(own)).map(run).fold(Filled::default(), Filled::and)
    };
    thread::scope(|scope| {
        // The system may refuse to start threads.
        let start = |own| thread::Builder::new().spawn_scoped(scope, move || work(own)).ok();
        let workers: Vec<_> = (1..threads).filter_map(start).collect();
        if let Some(meanwhile) = meanwhile {
            meanwhile();
        }
        let own = work(0);
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .fold(own, Filled::and)
    })
}

/// A range of left halves, with their piece of the new table.
type Part<'a, V> = (Range<usize>, &'a mut [V]);

/// Divides the segments of the new layer into a share for each thread, and each share into up to
/// [`PARTS_PER_THREAD`] parts of about the same number of words.
fn shares<'a, V>(
    segments: &Segments,
    threads: usize,
    new: &'a mut [V],
) -> Vec<VecDeque<Part<'a, V>>> {
    let bases = &segments.new_bases;
    let (mut rest, mut first, lefts) = (new, 0, bases.len() - 1);
    let count = threads * PARTS_PER_THREAD;
    let mut part = |number: usize| {
        let wanted = (segments.words() as u128 * number as u128 / count as u128) as usize;
        let end = bases.partition_point(|&base| base < wanted).clamp(first, lefts);
        let end = if number == count { lefts } else { end };
        let piece;
        (piece, rest) = std::mem::take(&mut rest).split_at_mut(bases[end] - bases[first]);
        (std::mem::replace(&mut first, end)..end, piece)
    };
    let mut share = |thread| {
        let last = PARTS_PER_THREAD * (thread + 1);
        let parts = (last - PARTS_PER_THREAD..last).map(|number| part(number + 1));
        parts.filter(|(range, _)| !range.is_empty()).collect()
    };
    (0..threads).map(&mut share).collect()
}

/// The inputs that all parts of a layer share.
struct FillJob<'a, N: FixedWidthAlgebra> {
    plan: &'a CellPlan,
    segments: &'a Segments,
    clock: &'a Clock,
    algebra: N,
    old: &'a [N::Value],
}

impl<N: FixedWidthAlgebra> Clone for FillJob<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N: FixedWidthAlgebra> Copy for FillJob<'_, N> {}

impl<N: FixedWidthAlgebra> FillJob<'_, N> {
    /// Computes the segments of a range of left halves into `new`.
    fn run(self, lefts: Range<usize>, new: &mut [N::Value]) -> Filled {
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
            let Some(class) = self.segments.new_classes[left].filter(|_| length > 0) else {
                continue;
            };
            filled.overflow |= match &self.plan.work {
                Work::InRight { recipes, flipped } => {
                    self.apply_recipe(left, &recipes[class], flipped.of(left), segment)
                }
                Work::InLeft { sources, flips } => {
                    let sources = sources.of(left);
                    self.add_segments(sources, segment) | self.add_flipped(sources, flips, segment)
                }
            };
            filled.states += self.count_states(left, class, segment);
        }
        filled
    }

    /// Counts the words of a segment, and their [twins](WordRules::twins), with a value above 0.
    fn count_states(self, left: usize, class: usize, segment: &[N::Value]) -> usize {
        let is_state = |value: &N::Value| !N::is_zero(value);
        let states = segment.iter().filter(|&value| is_state(value)).count();
        let twins = match &self.plan.work {
            Work::InRight { recipes, .. } => {
                let targets = recipes[class].targets_with_twins();
                targets.filter(|&target| is_state(&segment[target])).count()
            }
            Work::InLeft { .. } if self.plan.new.has_twin(left) => states,
            Work::InLeft { .. } => 0,
        };
        states + twins
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
            let class = self.segments.old_classes[source as usize];
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
mod tests {
    use std::collections::HashMap;
    use std::convert::Infallible;

    use super::*;
    use crate::limits::Limits;
    use crate::plug::ContourProblem;
    #[cfg(feature = "serde")]
    use crate::plug::algebra::serde_impls::Bytes;
    use crate::plug::algebra::{Counting, Limbs};
    use crate::plug::code::Parentheses;
    use crate::plug::motzkin::cell_plan::{CellPlanKey, RankingCache};
    use crate::plug::motzkin::contour::has_colour_balance;
    use crate::plug::motzkin::problem::{CellRule, Closing, MotzkinProblem, step};
    use crate::problems::catalogue::{
        Grid, Strands, hamiltonian_paths, simple_cycles, simple_paths, two_factors,
    };

    /// Numbers of one bit, whose sum overflows if both are 1.
    #[derive(Clone, Copy)]
    struct OneBit;

    impl FixedWidthAlgebra for OneBit {
        type Value = u8;
        const ZERO: u8 = 0;

        fn is_zero(value: &u8) -> bool {
            *value == 0
        }
        fn one(self) -> u8 {
            1
        }
        #[cfg(feature = "serde")]
        fn to_bytes(value: &u8) -> Bytes {
            Bytes::of(&[u64::from(*value)])
        }
        #[cfg(feature = "serde")]
        fn value_from_bytes(self, bytes: &Bytes) -> Option<u8> {
            bytes.to_limbs().and_then(|[value]| u8::try_from(value).ok())
        }
        fn add(self, into: &mut u8, value: &u8) -> bool {
            let sum = *into + *value;
            *into = sum & 1;
            sum > 1
        }
    }

    /// A cell of a problem: its plan, and the layers before and after it.
    struct Cell {
        low: usize,
        rule: CellRule,
        plan: CellPlan,
        segments: Segments,
        old: LayerRules,
        new: LayerRules,
    }

    impl Cell {
        /// Returns the first `cells` cells of a problem. Any number of loops may close, so that
        /// many words of a layer lead to the same word of the next one.
        fn first_cells(problem: &Strands, cells: usize) -> Vec<Cell> {
            let mut rules = LayerRules::start(problem.plugs(), has_colour_balance(problem));
            let cell = |cell| {
                let next = (cell + 1 < problem.cells()).then(|| problem.low(cell + 1));
                let (low, old) = (problem.low(cell), rules);
                let rule = CellRule { closing: Closing::Any, ..problem.rule(cell) };
                rules = rules.after(low, rule, next);
                (low, rule, old, rules)
            };
            let cells = (0..cells).map(cell).map(|(low, rule, old, new)| {
                let key = CellPlanKey { old: old.word_rules, new: new.word_rules, low, rule };
                let plan = CellPlan::new(&key, &mut RankingCache::default());
                let segments = Segments::new(&plan, &old, &new);
                Cell { low, rule, plan, segments, old, new }
            });
            cells.collect()
        }

        fn fill<N: FixedWidthAlgebra>(
            &self,
            algebra: N,
            old: &[N::Value],
            threads: usize,
        ) -> (Vec<N::Value>, Filled) {
            let clock = Clock::new(&Limits::new());
            let mut new = vec![N::ZERO; self.segments.words()];
            let inputs = (&self.plan, &self.segments, &clock);
            let filled = fill_layer(inputs, algebra, old, &mut new, threads, None::<fn()>);
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

        /// Returns for each word of the new layer the number of states that it stands for.
        fn states_of_words(&self) -> Vec<usize> {
            let rules = &self.new.word_rules;
            let states = |word| if rules.twin(word).is_some() { 2 } else { 1 };
            words(&self.plan.new, self.new.colour_balance).into_iter().map(states).collect()
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
        let grid = Grid::new(7, 7).expect("a board").with_obstacle(1, 2);
        let problems = [
            simple_paths(&grid),
            hamiltonian_paths(&grid),
            simple_cycles(&grid),
            two_factors(&grid),
        ];
        for problem in problems {
            // Three lines suffice for layers of both directions in which every plug can be taken.
            for cell in Cell::first_cells(&problem, 3 * 7) {
                let words = cell.segments.old_bases.last().copied().unwrap_or(0);
                check(&cell, words, &cell.sources());
            }
        }
    }

    #[test]
    fn the_value_of_each_word_is_added_to_its_successors() {
        for_each_cell(|cell, words, sources| {
            let value = |rank: usize| (rank as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let old: Vec<Limbs<2>> = (0..words).map(|rank| value(rank).into()).collect();
            let (new, filled) = cell.fill(Counting::<Limbs<2>>::new(), &old, 1);
            let sum = |sources: &Vec<usize>| {
                sources.iter().map(|&rank| u128::from(value(rank))).sum::<u128>()
            };
            let expected: Vec<u128> = sources.iter().map(sum).collect();
            assert_eq!(new.into_iter().map(u128::from).collect::<Vec<_>>(), expected);
            assert!(!filled.overflow);
            let states_of_words = cell.states_of_words();
            let states = expected.iter().zip(states_of_words).filter(|(sum, _)| **sum > 0);
            assert_eq!(filled.states, states.map(|(_, states)| states).sum::<usize>());
        });
    }

    #[test]
    fn an_overflow_of_any_addition_is_reported() {
        let mut sums = 0;
        for_each_cell(|cell, words, sources| {
            let mut old = vec![0; words];
            for rank in 0..words {
                old[rank] = 1;
                assert!(!cell.fill(OneBit, &old, 1).1.overflow, "a single word");
                old[rank] = 0;
            }
            for sources in sources {
                for (index, &one) in sources.iter().enumerate() {
                    for &other in &sources[..index] {
                        (old[one], old[other]) = (1, 1);
                        assert!(cell.fill(OneBit, &old, 1).1.overflow, "{one} + {other}");
                        (old[one], old[other]) = (0, 0);
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
            let mut old = vec![0; words];
            // Words of similar ranks are often in one segment and computed in the same way.
            let several: Vec<_> = sources.iter().filter(|sources| sources.len() > 1).collect();
            for distance in 1..=3 {
                for (one, other) in several.iter().zip(several.iter().skip(distance)) {
                    for index in 1..one.len().min(other.len()) {
                        let added = [one[0], one[index], other[0], other[index]];
                        added.iter().for_each(|&rank| old[rank] = 1);
                        assert!(cell.fill(OneBit, &old, 1).1.overflow, "{added:?}");
                        added.iter().for_each(|&rank| old[rank] = 0);
                        sums += 1;
                    }
                }
            }
        });
        assert!(sums > 1000, "{sums}");
    }

    #[test]
    fn shares_divide_the_whole_layer_in_order() {
        for cell in Cell::first_cells(&simple_cycles(&Grid::new(6, 6).expect("a board")), 30) {
            let bases = &cell.segments.new_bases;
            for threads in 1..=5 {
                let mut new = vec![0u8; cell.segments.words()];
                let shares = shares(&cell.segments, threads, &mut new);
                assert_eq!(shares.len(), threads);
                let mut first = 0;
                for (range, piece) in shares.into_iter().flatten() {
                    assert_eq!(range.start, first, "{threads} threads");
                    assert_eq!(piece.len(), bases[range.end] - bases[range.start]);
                    first = range.end;
                }
                assert_eq!(first, cell.plan.new.lefts.len(), "{threads} threads");
            }
        }
    }

    #[test]
    fn threads_fill_the_same_layer_and_report_every_overflow() {
        let paths = simple_paths(&Grid::new(14, 13).expect("a board"));
        let cell = Cell::first_cells(&paths, 20).pop().expect("a cell");
        let words = cell.segments.old_bases.last().copied().unwrap_or(0);
        assert_eq!(useful_threads(3, cell.segments.words()), 3, "{words} words");
        let old: Vec<Limbs<1>> = (0..words as u64).map(Limbs::from).collect();
        let (expected, by_one_thread) = cell.fill(Counting::<Limbs<1>>::new(), &old, 1);
        assert!(!by_one_thread.overflow);
        for threads in [2, 3] {
            let (new, filled) = cell.fill(Counting::<Limbs<1>>::new(), &old, threads);
            assert!(new == expected, "{threads} threads");
            let expected_result = (by_one_thread.states, false);
            assert_eq!((filled.states, filled.overflow), expected_result, "{threads} threads");
            // A number overflows in the part of each thread.
            assert!(cell.fill(OneBit, &vec![1; words], threads).1.overflow, "{threads} threads");
        }
    }
}
