//! The execution of a dense sweep: [`DenseRun`]. This file contains the loop over the cells, and
//! `questions` the counts that run it.

mod questions;

use super::cell_plan::CellPlan;
use super::contour::{LayerRules, has_colour_balance};
use super::fill_layer::{Filled, Segments, fill_layer, useful_threads};
use super::numbers::FixedWidthAlgebra;
use super::plan_cache::{MAX_PLUGS, NoPlan, PlanCache};
use super::problem::{FINISHED, MotzkinProblem};
use super::ranking::Ranking;
use crate::limits::Stop;
use crate::memory::{headroom, is_available};
use crate::plug::Sweep;
use crate::plug::code::Parentheses;
use crate::plug::executor::{Question, Resumed};
use crate::plug::layer::parallel::has_stacks;
use crate::plug::stats::SweepStats;
use crate::plug::step::{POLL_STATES, StepCount};
use crate::plug::sweep::run::Unsaved;
use crate::plug::widen::Widen;

/// The number of words of a large table. Before one is allocated, the sizes of the next tables are
/// computed, which takes some milliseconds.
const LARGE_TABLE: usize = 1 << 15;

/// The number of bytes that are written to a table between two checks of the clock.
const BYTES_PER_POLL: usize = 1 << 21;

/// A table, and the value of the finished solutions.
pub(super) type TableAndTotal<N> =
    (Vec<<N as FixedWidthAlgebra>::Value>, <N as FixedWidthAlgebra>::Value);

/// Saves the complete layers of a dense sweep: see
/// [`LayerSaver`](crate::plug::sweep::run::LayerSaver). By default nothing is saved.
#[allow(unused_variables, reason = "parameters of methods that do nothing by default")]
pub(super) trait TableSaver {
    /// Sets the width of the numbers from now on.
    fn set_width(&mut self, width: u32) {}

    /// Returns the saved layer to resume from, if there is one. `words` returns the number of words
    /// before a cell.
    fn resume_table<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
        question: &Question,
        stats: &mut SweepStats<'_>,
        words: impl FnOnce(&mut SweepStats<'_>, usize) -> Result<usize, Stop>,
    ) -> Result<Resumed<TableAndTotal<N>>, Stop> {
        Ok(Resumed::Nothing)
    }

    /// Saves a complete layer if it is due. `stop` is the reason if this is the last complete layer
    /// of a sweep that stopped.
    fn save<N: FixedWidthAlgebra>(
        &mut self,
        stats: &mut SweepStats<'_>,
        table: &[N::Value],
        total: &N::Value,
        stop: Option<Stop>,
    ) {
    }
}

impl TableSaver for Unsaved {}

/// A dense sweep before a cell.
pub(super) struct DenseRun<'p, P> {
    problem: &'p P,
    threads: usize,
    pub(super) stats: SweepStats<'p>,
    plans: PlanCache<'p, P>,
    cell: usize,
    rules: LayerRules,
    /// The number of states of the last complete layer: words with a value above 0, and
    /// [`FINISHED`] if it has one.
    states: u64,
    /// The number of words of the last complete layer; its table may be longer.
    words: usize,
    /// From this cell on, all cells may be skipped, so a solution can finish in the cell before it.
    tail: usize,
    /// The number of words of the largest table to come, as far as it is known.
    expected_words: usize,
    /// Whether an earlier pass has swept all cells.
    is_repeated: bool,
}

impl<'p, P: MotzkinProblem> DenseRun<'p, P> {
    pub(super) fn new(sweep: Sweep<'p, P>) -> Self {
        let (problem, (), threads, stats) = sweep.start();
        assert!(
            problem.start().is_empty(),
            "a dense sweep starts from the empty word, not from {}",
            problem.start()
        );
        let can_skip = |&cell: &usize| {
            let rule = problem.rule(cell);
            rule.skip && rule.entrance.is_none()
        };
        let tail = problem.cells() - (0..problem.cells()).rev().take_while(can_skip).count();
        let colour_balanced = problem.plugs() <= MAX_PLUGS && has_colour_balance(problem);
        let rules = LayerRules::start(problem.plugs().min(MAX_PLUGS), colour_balanced);
        let plans = PlanCache::new(problem);
        DenseRun {
            problem,
            threads,
            stats,
            plans,
            cell: 0,
            rules,
            states: 1,
            words: 1,
            tail,
            expected_words: 0,
            is_repeated: false,
        }
    }

    /// Sweeps from the start, or from a saved layer, to the end, and returns the total.
    fn total_under<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
        question: &Question,
        saver: &mut impl TableSaver,
    ) -> Result<N::Value, Stop> {
        let values = self.start_or_resume(algebra, question, saver)?;
        let (mut layer, mut total) = values.ok_or(Stop::Interrupted)?;
        self.sweep_remaining(algebra, &mut layer, &mut total, saver)?;
        Ok(total)
    }

    /// Returns the first layer, or the saved layer to resume from, unless that has wider numbers.
    fn start_or_resume<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
        question: &Question,
        saver: &mut impl TableSaver,
    ) -> Result<Option<TableAndTotal<N>>, Stop> {
        let (mut rules, plans) = (self.rules, &self.plans);
        let words = |stats: &mut SweepStats<'_>, before: usize| {
            for cell in 0..before {
                plans.check(cell).map_err(|too_wide| stats.too_wide(too_wide))?;
                rules = plans.after(cell, &rules);
            }
            Ok(usize::try_from(rules.word_rules.count(rules.colour_balance)).unwrap_or(usize::MAX))
        };
        match saver.resume_table(algebra, question, &mut self.stats, words)? {
            Resumed::Nothing => Ok(Some((vec![algebra.one()], N::ZERO))),
            Resumed::WiderValues => Ok(None),
            Resumed::Layer(values, cell) => {
                (self.cell, self.rules, self.words) = (cell, rules, values.0.len());
                self.states = self.stats.states();
                Ok(Some(values))
            }
        }
    }

    /// Converts a layer to wider numbers.
    fn widen<V: Widen<W>, W>(&mut self, layer: &[V]) -> Result<Vec<W>, Stop> {
        let wider = self.table(layer.len(), size_of_val(layer));
        self.stats.at_complete_layer();
        let mut wider = wider?;
        let tables = bytes::<W>(wider.capacity(), size_of_val(layer));
        self.stats.record_bytes(tables.saturating_add(self.plans.bytes()));
        for chunk in layer.chunks(values_per_poll::<W>()) {
            wider.extend(chunk.iter().map(V::widen));
            self.stats.clock().check()?;
        }
        Ok(wider)
    }

    /// Allocates an empty table for `values` values beside other tables of `other_bytes` bytes,
    /// within the memory limit.
    fn table<V>(&mut self, values: usize, other_bytes: usize) -> Result<Vec<V>, Stop> {
        let mut table = Vec::new();
        let needed = bytes::<V>(values, other_bytes);
        if needed.saturating_add(self.plans.bytes()) > self.stats.max_bytes() {
            self.plans.drop_unused();
        }
        if needed.saturating_add(self.plans.bytes()) > self.stats.max_bytes()
            || table.try_reserve_exact(values).is_err()
            || (values >= LARGE_TABLE
                && !is_available(headroom(self.stats.max_bytes()).min(needed)))
        {
            self.stats.record_incomplete_layer(values, other_bytes);
            return Err(Stop::MemoryLimit);
        }
        Ok(table)
    }

    /// Allocates a table for the next layer, with room for the layers to come, so that not every
    /// larger layer needs a new one.
    fn next_table<N: FixedWidthAlgebra>(
        &mut self,
        words: usize,
        other_bytes: usize,
    ) -> Result<Vec<N::Value>, Stop> {
        if self.expected_words < words {
            self.expected_words = if words < LARGE_TABLE {
                words
            } else {
                self.plans.most_words(self.cell, &self.rules)
            };
            // A sweep that cannot be completed stops before it has filled the memory: this amount
            // is checked but not used.
            if !is_available(
                bytes::<N::Value>(self.expected_words, 0).min(self.stats.max_bytes() / 64),
            ) {
                self.stats.record_incomplete_layer(words, other_bytes);
                return Err(Stop::MemoryLimit);
            }
        }
        // A later pass knows its largest table. Tables of one size leave no gaps in the heap.
        let most = if self.is_repeated { usize::MAX } else { words.saturating_mul(4) };
        let ample = self.expected_words.min(most).max(words);
        let needed = bytes::<N::Value>(ample, other_bytes).saturating_add(self.plans.bytes());
        let fits = needed <= self.stats.max_bytes();
        let values = if fits { ample } else { words };
        let mut table = self.table(values, other_bytes)?;
        while table.len() < values {
            let piece = table.len() + values_per_poll::<N::Value>();
            table.resize(values.min(piece), N::ZERO);
            self.stats.clock().check()?;
        }
        Ok(table)
    }

    /// Sweeps the remaining cells. `layer` holds the values of the words of the last complete
    /// layer, and `total` the value of the finished solutions. After an error, both are as they
    /// were before the cell.
    fn sweep_remaining<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
        layer: &mut Vec<N::Value>,
        total: &mut N::Value,
        saver: &mut impl TableSaver,
    ) -> Result<(), Stop> {
        let mut next: Vec<N::Value> = Vec::new();
        while self.cell < self.problem.cells() {
            if let Err(stop) = self.advance(algebra, layer, &mut next, total) {
                if stop == Stop::MemoryLimit {
                    let words = self.plans.most_words_of_two(self.cell, &self.rules);
                    self.stats
                        .record_needed_bytes(words.saturating_mul(size_of::<N::Value>() as u64));
                }
                saver.save::<N>(&mut self.stats, &layer[..self.words], total, Some(stop));
                return Err(stop);
            }
            let stop = (self.cell == self.problem.cells()).then_some(Stop::Exhausted);
            saver.save::<N>(&mut self.stats, &layer[..self.words], total, stop);
        }
        drop(next);
        self.add_accepted(algebra, layer, total)
    }

    /// Computes the layer after the current cell into `next`, and swaps it with `layer`. After an
    /// error `layer`, `total` and the cell are unchanged.
    fn advance<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
        layer: &mut Vec<N::Value>,
        next: &mut Vec<N::Value>,
        total: &mut N::Value,
    ) -> Result<(), Stop> {
        let most_words = self.stats.max_bytes().min(isize::MAX as usize) / size_of::<N::Value>();
        self.stats.before_cell(self.cell, self.states)?;
        self.plans.check(self.cell).map_err(|too_wide| self.stats.too_wide(too_wide))?;
        let new = self.plans.after(self.cell, &self.rules);
        let bytes_left = |layer: &Vec<N::Value>, next: &Vec<N::Value>, stats: &SweepStats<'_>| {
            let tables = layer.capacity().saturating_add(next.capacity());
            stats.max_bytes().saturating_sub(bytes::<N::Value>(tables, 0))
        };
        let limits = (most_words, bytes_left(layer, next, &self.stats));
        let mut plan = self.plans.get(self.cell, &self.rules, &new, limits);
        if plan.is_err() && next.capacity() > 0 {
            // The buffer for the next layer is reused and may be larger than necessary: free it for
            // the plan.
            *next = Vec::new();
            let limits = (most_words, bytes_left(layer, next, &self.stats));
            plan = self.plans.get(self.cell, &self.rules, &new, limits);
        }
        let plan = plan.map_err(|NoPlan { words }| {
            self.stats.record_incomplete_layer(words, 0);
            Stop::MemoryLimit
        })?;
        self.plans.put_to_use(&plan);
        let segments = Segments::new(&plan, &self.rules, &new);
        let words = segments.words();
        if words > self.stats.max_states() {
            self.stats.record_incomplete_layer(words, 0);
            return Err(Stop::StateLimit);
        }
        if next.len() < words {
            drop(std::mem::take(next));
            *next = self.next_table::<N>(words, size_of_val(&layer[..]))?;
        }
        let limits = (most_words, bytes_left(layer, next, &self.stats));
        let spare = limits.1.saturating_sub(self.plans.bytes());
        let (plans, cell) = (&mut self.plans, self.cell);
        let prepare =
            (!plans.is_prepared(cell, &new)).then_some(|| plans.prepare(cell, &new, limits));
        let inputs = (&*plan, &segments, self.stats.clock());
        let threads =
            if useful_threads(self.threads, words) > 1 && has_stacks(self.threads, 0, spare) {
                self.threads
            } else {
                1
            };
        let filled = fill_layer(inputs, algebra, layer, &mut next[..words], threads, prepare);
        if let Some(stop) = filled.stop {
            let tables = size_of_val(&layer[..]) + size_of_val(&next[..]);
            self.stats.record_incomplete_layer(filled.states, tables + self.plans.bytes());
            return Err(stop);
        }
        let Some(finished) = self.finished(algebra, &plan, filled, layer, total) else {
            self.stats.record_incomplete_layer(words, 0);
            return Err(Stop::CountOverflow);
        };
        *total = finished;
        std::mem::swap(layer, next);
        (self.cell, self.rules, self.words) = (self.cell + 1, new, words);
        self.states = filled.states as u64 + u64::from(!N::is_zero(total));
        let bytes = size_of_val(&layer[..]) + size_of_val(&next[..]) + self.plans.bytes();
        self.stats.record_layer(&StepCount::new(0), self.states as usize, &[], bytes);
        Ok(())
    }

    /// Returns the value of the finished solutions after the cell, or `None` if a number overflows.
    fn finished<N: FixedWidthAlgebra>(
        &self,
        algebra: N,
        plan: &CellPlan,
        filled: Filled,
        layer: &[N::Value],
        total: &N::Value,
    ) -> Option<N::Value> {
        let (mut total, mut overflow) = (*total, filled.overflow);
        if let Some(word) = plan.finishing.filter(|_| self.cell + 1 >= self.tail)
            && let Some(rank) = plan.old.rank(word, self.rules.colour_balance)
        {
            overflow |= algebra.add(&mut total, &layer[rank]);
        }
        (!overflow).then_some(total)
    }

    /// Adds the values of the accepted words of the last layer to the total.
    fn add_accepted<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
        layer: &[N::Value],
        total: &mut N::Value,
    ) -> Result<(), Stop> {
        let word_rules = self.rules.word_rules;
        let cut = word_rules.plugs / 2;
        self.plans.drop_unused();
        let ranking = Ranking::new(word_rules, cut, word_rules.loose_ends);
        // `for_each_segment` copies the right halves.
        let halves = 2 * ranking.bytes();
        let used = self.plans.bytes().saturating_add(size_of_val(layer));
        if used.saturating_add(halves) > self.stats.max_bytes() {
            return Err(Stop::MemoryLimit);
        }
        self.stats.record_bytes(used + halves);
        let (mut sum, mut accepted, mut overflow) = (N::ZERO, 0, false);
        if !N::is_zero(total) && self.problem.accept(FINISHED) {
            sum = *total;
            accepted += 1;
        }
        let (mut values, mut since_poll) = (layer.iter(), 0);
        ranking.for_each_segment(self.rules.colour_balance, |left, rights| {
            since_poll += rights.len();
            if since_poll >= POLL_STATES {
                since_poll = 0;
                self.stats.clock().check()?;
            }
            for (right, value) in rights.iter().zip(&mut values) {
                let word = Parentheses::from_word(left | right);
                if !N::is_zero(value) && self.problem.accept(word) {
                    overflow |= algebra.add(&mut sum, value);
                    accepted += 1;
                }
            }
            Ok::<(), Stop>(())
        })?;
        if overflow {
            return Err(Stop::CountOverflow);
        }
        *total = sum;
        self.stats.record_accepted(accepted);
        Ok(())
    }
}

fn bytes<V>(values: usize, other_bytes: usize) -> usize {
    values.saturating_mul(size_of::<V>()).saturating_add(other_bytes)
}

/// Returns the number of values that are written to a table between two checks of the clock.
fn values_per_poll<V>() -> usize {
    (BYTES_PER_POLL / size_of::<V>().max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::plug::ContourProblem;
    use crate::plug::algebra::{Counting, Limbs};
    use crate::plug::motzkin::{CellRule, Closing};

    /// A problem with a single cell.
    struct OneCell;

    impl ContourProblem for OneCell {
        type State = Parentheses;
        type Label = ();

        fn cells(&self) -> usize {
            1
        }
        fn start(&self) -> Parentheses {
            Parentheses::from_word(0)
        }
        fn step(&self, _: usize, _: Parentheses, _: &mut impl FnMut(Parentheses, ())) {}
        fn accept(&self, _: Parentheses) -> bool {
            true
        }
    }

    impl MotzkinProblem for OneCell {
        fn plugs(&self) -> usize {
            2
        }
        fn low(&self, _: usize) -> usize {
            0
        }
        fn rule(&self, _: usize) -> CellRule {
            CellRule { closing: Closing::Last, ..CellRule::visited(false, false) }
        }
    }

    /// Returns a run before its only cell, with all words of some plugs in its table.
    fn run_with_words(plugs: usize) -> DenseRun<'static, OneCell> {
        let mut run = DenseRun::new(Sweep::new(&OneCell));
        run.rules = LayerRules::start(plugs, false);
        run.rules.word_rules.empty = 0;
        run
    }

    #[test]
    fn overflows_of_the_total_and_the_layer_do_not_cancel_out() {
        let mut run = run_with_words(2);
        let new = run.plans.after(0, &run.rules);
        let plan = run.plans.get(0, &run.rules, &new, (usize::MAX, usize::MAX)).expect("a plan");
        // The loop `()` closes in the cell.
        let layer = [0, 1 << 63].map(Limbs::<1>::from);
        for (total, overflow, fits) in
            [(1, false, true), (1 << 63, false, false), (1, true, false), (1 << 63, true, false)]
        {
            let filled = Filled { overflow, ..Filled::default() };
            let total = Limbs::from(total);
            let finished = run.finished(Counting::<Limbs<1>>::new(), &plan, filled, &layer, &total);
            assert_eq!(finished.is_some(), fits, "{total:?}, {overflow}");
        }
    }

    #[test]
    fn overflows_of_the_final_sum_do_not_cancel_out() {
        // `...`, `().`, `(.)` and `.()`.
        let layer = [Limbs::<1>::from(1 << 63); 4];
        let mut run = run_with_words(3);
        let mut total = Limbs::from(0);
        let sum = run.add_accepted(Counting::<Limbs<1>>::new(), &layer, &mut total);
        assert_eq!(sum, Err(Stop::CountOverflow));
    }

    #[test]
    fn a_memory_limit_while_widening_reports_the_last_complete_layer() {
        let mut run = DenseRun::new(Sweep::new(&OneCell).limits(Limits::new().memory(2_000)));
        let wider: Result<Vec<Limbs<2>>, Stop> = run.widen(&[Limbs::<1>::from(7); 100]);
        assert_eq!(wider, Err(Stop::MemoryLimit));
        let sweep = run.stats.report(Stop::MemoryLimit, false).sweep.expect("a sweep");
        // The words of the table are not the states of a layer.
        assert_eq!((sweep.layer, sweep.states), (0, 1));
        let wider: Vec<Limbs<2>> = run.widen(&[Limbs::<1>::from(7); 50]).expect("enough memory");
        assert_eq!(wider, [Limbs::from(7); 50]);
        let peak = run.stats.report(Stop::MemoryLimit, false).peak_bytes().expect("a sweep");
        assert!((50 * (8 + 16)..=2_000).contains(&peak), "{peak}");
    }
}
