//! The execution of a dense sweep: [`DenseRun`], the loop over the cells, and its counts: exact
//! with numbers as wide as necessary, modulo several numbers, and in passes modulo primes.

use std::sync::Arc;
use std::thread::{self, Scope};

use super::cell_job::{CellJob, WORDS_PER_POLL, Workers};
use super::cell_plan::{CellPlan, CellPlanKey};
use super::contour::{LayerRules, has_colour_balance};
use super::fill_layer::{FAN_IN_BITS, Segments};
use super::numbers::{FixedWidthAlgebra, NarrowModulo, Table, capacity_bytes};
use super::plan_cache::{MAX_PLUGS, NoPlan, PlanCache};
use super::problem::{FINISHED, MotzkinProblem, PathPiece};
use super::ranking::Ranking;
use crate::limits::Stop;
use crate::memory::{headroom, is_available};
#[cfg(feature = "bigint")]
use crate::plug::algebra::rounded_up::RoundedUp;
use crate::plug::algebra::{Counter, Counting, Limbs, Modulo, Widen};
use crate::plug::code::Parentheses;
use crate::plug::executor::{InMemory, Question, Resumed, SweepRun};
use crate::plug::layer::parallel::has_stacks;
use crate::plug::stats::SweepStats;
use crate::plug::step::{POLL_STATES, StepCount};
#[cfg(feature = "bigint")]
use crate::plug::sweep::passes::{PassSaver, Passes, SweepInPasses};
use crate::plug::sweep::widening::{SweepIn, Swept, WideningSweep};

/// The number of words of a large table. Before one is allocated, the sizes of the next tables are
/// computed, which takes some milliseconds.
const LARGE_TABLE: usize = 1 << 15;

/// A table, and the value of the finished solutions.
pub type TableAndTotal<N> =
    (Table<<N as FixedWidthAlgebra>::Value>, <N as FixedWidthAlgebra>::Value);

/// Saves the complete layers of a dense sweep, like a [`Sweeper`](crate::plug::executor::Sweeper).
/// By default nothing is saved.
#[allow(unused_variables, reason = "parameters of methods that do nothing by default")]
pub trait TableSaver {
    /// Whether the last complete layer of a sweep that stopped is saved.
    const SAVES: bool = false;

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
        table: &Table<N::Value>,
        total: &N::Value,
        stop: Option<Stop>,
    ) {
    }
}

impl TableSaver for InMemory {}

/// A dense sweep before a cell.
pub(super) struct DenseRun<'a, 'p, P, K> {
    problem: &'a P,
    stats: &'a mut SweepStats<'p>,
    saver: &'a mut K,
    question: &'a Question,
    plans: PlanCache<'a, P>,
    cell: usize,
    rules: LayerRules,
    /// The number of states of the last complete layer: words with a value above 0, and
    /// [`FINISHED`] if it has one.
    states: u64,
    /// The bits that are set in the [most significant part](FixedWidthAlgebra::top) of some number
    /// of the last complete layer; all bits if that is unknown.
    top: u64,
    /// From this cell on, all cells may be skipped, so a solution can finish in the cell before it.
    tail: usize,
    /// The number of words of the largest table to come, as far as it is known.
    expected_words: usize,
}

impl<'a, 'p, P: MotzkinProblem, K: TableSaver> DenseRun<'a, 'p, P, K> {
    pub(super) fn new(run: SweepRun<'a, 'p, P, (), K>) -> Self {
        let SweepRun { problem, stats, sweeper: saver, question, .. } = run;
        assert!(
            problem.start().is_empty(),
            "a dense sweep starts from the empty word, not from {}",
            problem.start()
        );
        let can_skip = |&cell: &usize| {
            let rule = problem.rule(cell);
            rule.skip && rule.entrance.is_none() && problem.keeps(cell, PathPiece::NONE)
        };
        let tail = problem.cells() - (0..problem.cells()).rev().take_while(can_skip).count();
        DenseRun {
            problem,
            stats,
            saver,
            question,
            plans: PlanCache::new(problem),
            cell: 0,
            rules: first_rules(problem),
            states: 1,
            top: u64::MAX,
            tail,
            expected_words: 0,
        }
    }

    /// Sweeps from the start, or from a saved layer, to the end, and returns the total.
    pub(super) fn total_under<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
    ) -> Result<N::Value, Stop> {
        let (mut layer, mut total) = self.start_or_resume(algebra)?.ok_or(Stop::Interrupted)?;
        self.sweep_remaining(algebra, &mut layer, &mut total)?;
        Ok(total)
    }

    /// Sweeps to the end, and returns the count modulo several numbers. Numbers of 32 bits have
    /// remainders of 32 bits, which does not change what is saved.
    pub(super) fn count_modulo<const N: usize>(
        &mut self,
        modulo: &Modulo<N>,
    ) -> Result<[u64; N], Stop> {
        match NarrowModulo::new(modulo) {
            Some(narrow) => Ok(self.total_under(narrow)?.map(u64::from)),
            None => self.total_under(modulo),
        }
    }

    /// Returns the first layer, or the saved layer to resume from, unless that has wider numbers.
    fn start_or_resume<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
    ) -> Result<Option<TableAndTotal<N>>, Stop> {
        let (mut rules, plans) = (self.rules, &self.plans);
        let words = |stats: &mut SweepStats<'_>, before: usize| {
            for cell in 0..before {
                plans.check(cell).map_err(|too_wide| stats.too_wide(too_wide))?;
                rules = plans.after(cell, &rules);
            }
            Ok(usize::try_from(rules.word_rules.count(rules.colour_balance)).unwrap_or(usize::MAX))
        };
        match self.saver.resume_table(algebra, self.question, self.stats, words)? {
            Resumed::Nothing => Ok(Some((Table::new(vec![vec![algebra.one()]]), N::ZERO))),
            Resumed::WiderValues => Ok(None),
            Resumed::Layer(values, cell) => {
                (self.cell, self.rules, self.top) = (cell, rules, u64::MAX);
                self.states = self.stats.states();
                Ok(Some(values))
            }
        }
    }

    /// Converts a layer to wider numbers. Blocks that are not shared are released one by one.
    fn widen_table<V: Widen<W>, W>(&mut self, layer: Table<V>) -> Result<Table<W>, Stop> {
        let has_room = self.make_room::<W>(layer.words(), layer.bytes());
        self.stats.at_complete_layer();
        has_room?;
        let needed = bytes::<W>(layer.words(), layer.bytes());
        self.stats.record_bytes(needed.saturating_add(self.plans.bytes()));
        let mut blocks = Vec::new();
        for block in layer.into_blocks() {
            let mut wider = Vec::new();
            wider.try_reserve_exact(block.len()).map_err(|_| Stop::MemoryLimit)?;
            for values in block.chunks(WORDS_PER_POLL) {
                self.stats.clock().check()?;
                wider.extend(values.iter().map(V::widen));
            }
            blocks.push(wider);
        }
        // The numbers have additional limbs, which are 0.
        self.top = 0;
        Ok(Table::new(blocks))
    }

    /// Checks that a table of `values` values fits beside other tables of `other_bytes` bytes, into
    /// the memory limit and the memory of the system.
    fn make_room<V>(&mut self, values: usize, other_bytes: usize) -> Result<(), Stop> {
        let new = bytes::<V>(values, 0);
        let needed = new.saturating_add(other_bytes);
        if needed.saturating_add(self.plans.bytes()) > self.stats.max_bytes() {
            self.plans.drop_unused();
        }
        let headroom = headroom(self.stats.max_bytes()).min(needed);
        if needed.saturating_add(self.plans.bytes()) > self.stats.max_bytes()
            || (values >= LARGE_TABLE && !is_available(new.saturating_add(headroom)))
        {
            self.stats.record_incomplete_layer(values, other_bytes);
            return Err(Stop::MemoryLimit);
        }
        Ok(())
    }

    /// Sweeps the remaining cells. `layer` holds the values of the words of the last complete
    /// layer, and `total` the value of the finished solutions. After an overflow, both are as they
    /// were before the cell.
    fn sweep_remaining<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
        layer: &mut Table<N::Value>,
        total: &mut N::Value,
    ) -> Result<(), Stop> {
        thread::scope(|scope| {
            let (mut spare, mut workers) = (Vec::new(), Workers::new());
            while self.cell < self.problem.cells() {
                let memory = (&mut spare, &mut workers, scope);
                let result = self.advance(algebra, layer, total, memory);
                if let Err(stop) = result {
                    if stop == Stop::MemoryLimit {
                        // One thread may release nearly all of a layer before the next one is
                        // complete.
                        let words = if K::SAVES || self.stats.threads() > 1 {
                            self.plans.most_words_of_two(self.cell, &self.rules)
                        } else {
                            self.plans.most_words(self.cell, &self.rules) as u64
                        };
                        let bytes = words.saturating_mul(size_of::<N::Value>() as u64);
                        self.stats.record_needed_bytes(bytes);
                    }
                    self.saver.save::<N>(self.stats, layer, total, Some(stop));
                    return Err(stop);
                }
                let stop = (self.cell == self.problem.cells()).then_some(Stop::Exhausted);
                self.saver.save::<N>(self.stats, layer, total, stop);
            }
            Ok(())
        })?;
        self.add_accepted(algebra, layer, total)
    }

    /// Computes the layer after the current cell in place of `layer`. After an error the cell and
    /// `total` are unchanged. So is `layer` if it may be saved, or after an overflow in numbers for
    /// which there is a wider type; otherwise it is empty.
    fn advance<'scope, N: FixedWidthAlgebra + 'scope>(
        &mut self,
        algebra: N,
        layer: &mut Table<N::Value>,
        total: &mut N::Value,
        (spare, workers, scope): Memory<'_, 'scope, '_, N>,
    ) -> Result<(), Stop> {
        let threads = self.stats.threads();
        let most_words =
            self.stats.max_bytes().min(isize::MAX as usize) / size_of::<N::Value>().max(1);
        self.stats.before_cell(self.cell, self.states)?;
        self.plans.check(self.cell).map_err(|too_wide| self.stats.too_wide(too_wide))?;
        let new = self.plans.after(self.cell, &self.rules);
        let bytes_left = |spare: &[Vec<N::Value>], stats: &SweepStats<'_>| {
            stats.max_bytes().saturating_sub(layer.bytes()).saturating_sub(spare_bytes(spare))
        };
        let limits = (most_words, bytes_left(spare, self.stats));
        let mut plan = self.plans.get(self.cell, &self.rules, &new, limits);
        if plan.is_err() && !spare.is_empty() {
            // The memory for the next layer may be larger than necessary: free it for the plan.
            *spare = Vec::new();
            let limits = (most_words, bytes_left(spare, self.stats));
            plan = self.plans.get(self.cell, &self.rules, &new, limits);
        }
        let plan = plan.map_err(|NoPlan { words }| {
            self.stats.record_incomplete_layer(words, 0);
            Stop::MemoryLimit
        })?;
        self.plans.segment_bytes = plan.segment_bytes();
        let segments = Segments::new(Arc::clone(&plan), (&self.rules, layer), &new);
        let words = segments.words();
        if words > self.stats.max_states() {
            self.stats.record_incomplete_layer(words, 0);
            return Err(Stop::StateLimit);
        }
        let Some(finished) = self.finished(algebra, &plan, layer, total) else {
            self.stats.record_incomplete_layer(words, 0);
            return Err(Stop::CountOverflow);
        };
        let next_key = self.plans.next_key(self.cell, &new);
        let next_cut = next_key.as_ref().map_or(usize::MAX, CellPlanKey::plugs_before_cut);
        let job = CellJob::new(
            segments,
            (algebra, self.stats.clock().clone()),
            plan.new.cut.min(next_cut),
            threads,
        );
        let is_needed = K::SAVES || self.top.leading_zeros() < FAN_IN_BITS;
        self.prepare_memory(&job, words, layer, spare, is_needed)?;
        let limits = (most_words, bytes_left(spare, self.stats));
        let room = limits.1.saturating_sub(self.plans.bytes());
        if job.threads() > 1 && !workers.are_started() && has_stacks(threads, 0, room) {
            workers.start(scope, threads);
        }
        let (plans, cell) = (&mut self.plans, self.cell);
        let prepare = next_key.map(|_| {
            || {
                let after = plans.after(cell + 1, &new);
                // A refusal is reported when the plan is needed.
                let _ = plans.get(cell + 1, &new, &after, limits);
            }
        });
        let old = if is_needed { layer.clone() } else { std::mem::replace(layer, Table::empty()) };
        let (result, filled) = job.run(old.into_blocks(), std::mem::take(spare), workers, prepare);
        *spare = result.spare;
        let bytes = result.peak_bytes.saturating_add(self.plans.bytes());
        let stop = filled.stop.or(filled.overflow.then_some(Stop::CountOverflow));
        match (stop, result.table) {
            (None, Some(table)) => {
                let old = std::mem::replace(layer, table).into_blocks();
                spare.extend(old.into_iter().filter_map(Arc::into_inner));
            }
            (stop, _) => {
                self.stats.record_incomplete_layer(filled.states, bytes);
                return Err(stop.unwrap_or(Stop::Interrupted));
            }
        }
        *total = finished;
        (self.cell, self.rules, self.top) = (self.cell + 1, new, filled.top);
        self.states = filled.states as u64 + u64::from(!N::is_zero(total));
        self.stats.record_layer(&StepCount::new(0), self.states as usize, &[], bytes);
        Ok(())
    }

    /// Checks that there is memory for the next layer, of `words` words, beside `layer`. Releases
    /// `spare` blocks if memory is scarce.
    fn prepare_memory<N: FixedWidthAlgebra>(
        &mut self,
        job: &CellJob<N>,
        words: usize,
        layer: &Table<N::Value>,
        spare: &mut Vec<Vec<N::Value>>,
        is_layer_needed: bool,
    ) -> Result<(), Stop> {
        if self.expected_words < words {
            self.expected_words = if words < LARGE_TABLE {
                words
            } else {
                self.plans.most_words(self.cell, &self.rules)
            };
            // A sweep that cannot be completed stops before it has filled the memory: this amount
            // is checked but not used.
            let expected = bytes::<N::Value>(self.expected_words, 0);
            if !is_available(expected.min(self.stats.max_bytes() / 64)) {
                self.stats.record_incomplete_layer(words, layer.bytes());
                return Err(Stop::MemoryLimit);
            }
        }
        let needed = job.needed_bytes(layer.blocks(), is_layer_needed) - layer.bytes();
        let unused = spare_bytes(spare);
        let (beside, left) = (layer.bytes() + self.plans.bytes(), self.stats.max_bytes());
        if unused > needed && beside.saturating_add(unused) > left {
            *spare = Vec::new();
        }
        let unused = spare_bytes(spare).min(needed);
        let values = (needed - unused) / size_of::<N::Value>().max(1);
        self.make_room::<N::Value>(values, layer.bytes() + unused)
    }

    /// Returns the value of the finished solutions after the cell, or `None` if it overflows.
    fn finished<N: FixedWidthAlgebra>(
        &self,
        algebra: N,
        plan: &CellPlan,
        layer: &Table<N::Value>,
        total: &N::Value,
    ) -> Option<N::Value> {
        let mut total = *total;
        if let Some(word) = plan.finishing.filter(|_| self.cell + 1 >= self.tail)
            && let Some(rank) = plan.old.rank(word, self.rules.colour_balance)
            && algebra.add(&mut total, layer.get(rank))
        {
            return None;
        }
        Some(total)
    }

    /// Adds the values of the accepted words of the last layer to the total.
    fn add_accepted<N: FixedWidthAlgebra>(
        &mut self,
        algebra: N,
        layer: &Table<N::Value>,
        total: &mut N::Value,
    ) -> Result<(), Stop> {
        let word_rules = self.rules.word_rules;
        let cut = word_rules.plugs / 2;
        self.plans.drop_unused();
        let (ranking, _) = Ranking::with_rights(word_rules, cut, word_rules.loose_ends);
        // `for_each_segment` copies the right halves.
        let halves = 2 * ranking.bytes();
        let used = self.plans.bytes().saturating_add(layer.bytes());
        if used.saturating_add(halves) > self.stats.max_bytes() {
            return Err(Stop::MemoryLimit);
        }
        self.stats.record_bytes(used + halves);
        let (mut sum, mut accepted) = (N::ZERO, 0);
        if !N::is_zero(total) && self.problem.accept(FINISHED) {
            sum = *total;
            accepted += 1;
        }
        let (mut values, mut since_poll) = (layer.values(), 0);
        ranking.for_each_segment(self.rules.colour_balance, |left, rights| {
            since_poll += rights.len();
            if since_poll >= POLL_STATES {
                since_poll = 0;
                self.stats.clock().check()?;
            }
            for (right, value) in rights.iter().zip(&mut values) {
                let word = Parentheses::from_word(left | right);
                if !N::is_zero(value) && self.problem.accept(word) {
                    if algebra.add(&mut sum, value) {
                        return Err(Stop::CountOverflow);
                    }
                    accepted += 1;
                }
            }
            Ok(())
        })?;
        *total = sum;
        self.stats.record_accepted(accepted);
        Ok(())
    }
}

/// Returns the rules before the first cell.
fn first_rules<P: MotzkinProblem>(problem: &P) -> LayerRules {
    let plugs = problem.plugs();
    let cells = (0..problem.cells()).map(|cell| (problem.low(cell), problem.rule(cell)));
    let colour_balanced = plugs <= MAX_PLUGS && has_colour_balance(plugs, cells);
    LayerRules::start(plugs.min(MAX_PLUGS), colour_balanced)
}

/// An exact count with dense tables.
impl<P, K> WideningSweep for DenseRun<'_, '_, P, K> {
    /// The table of the last complete layer, and the value of the finished solutions.
    type Layer<V> = (Table<V>, V);
}

impl<const N: usize, P: MotzkinProblem, K: TableSaver> SweepIn<Limbs<N>, Limbs<64>>
    for DenseRun<'_, '_, P, K>
{
    fn sweep(
        &mut self,
        layer: Option<Self::Layer<Limbs<N>>>,
    ) -> Result<Swept<Self::Layer<Limbs<N>>, Limbs<64>>, Stop> {
        // Files name a width by its number of limbs.
        self.saver.set_width(N as u32);
        let counting = Counting::<Limbs<N>>::new();
        let begun = if layer.is_some() { layer } else { self.start_or_resume(counting)? };
        let Some((mut layer, mut total)) = begun else { return Ok(Swept::WiderValues) };
        match self.sweep_remaining(counting, &mut layer, &mut total) {
            Ok(()) => total.resize().map(Swept::Total).ok_or(Stop::CountOverflow),
            // Without the layer before the overflow, there is nothing to widen.
            Err(Stop::CountOverflow) if layer.words() > 0 => Ok(Swept::TooNarrow((layer, total))),
            Err(stop) => Err(stop),
        }
    }

    fn widen<W: Counter>(
        &mut self,
        (layer, total): Self::Layer<Limbs<N>>,
    ) -> Result<Self::Layer<W>, Stop>
    where
        Limbs<N>: Widen<W>,
    {
        let kept = if K::SAVES { layer.clone() } else { Table::empty() };
        let wider = self.widen_table(layer);
        if let Err(stop) = wider {
            self.saver.save::<Counting<Limbs<N>>>(self.stats, &kept, &total, Some(stop));
        }
        Ok((wider?, total.widen()))
    }
}

/// A count in passes with dense tables.
#[cfg(feature = "bigint")]
impl<P: MotzkinProblem, K: TableSaver + PassSaver> SweepInPasses for DenseRun<'_, '_, P, K> {
    fn saved_passes(&mut self) -> Result<Option<Passes>, Stop> {
        self.saver.saved_passes()
    }

    fn begin_pass(&mut self, passes: &Passes) {
        self.rules = first_rules(self.problem);
        (self.cell, self.states, self.top) = (0, 1, u64::MAX);
        self.stats.begin_pass(passes.current());
        self.saver.begin_pass(passes);
    }

    fn bound(&mut self) -> Result<RoundedUp, Stop> {
        self.total_under(Counting::<RoundedUp>::new())
    }

    fn has_memory_for_wide_residues(&self) -> bool {
        // The two tables grow by this, and the plans stay as they are.
        let more = size_of::<u64>() - size_of::<RoundedUp>();
        let peak_bytes = usize::try_from(self.stats.peak_bytes()).unwrap_or(usize::MAX);
        let needed = peak_bytes.saturating_add(self.expected_words.saturating_mul(2 * more));
        needed <= self.stats.max_bytes()
    }

    fn residue(&mut self, prime: u64) -> Result<u64, Stop> {
        let modulo = Modulo::new([prime]).map_err(|_| Stop::CountOverflow)?;
        self.count_modulo(&modulo).map(|[residue]| residue)
    }
}

fn bytes<V>(values: usize, other_bytes: usize) -> usize {
    values.saturating_mul(size_of::<V>()).saturating_add(other_bytes)
}

fn spare_bytes<V>(spare: &[Vec<V>]) -> usize {
    spare.iter().map(capacity_bytes).sum()
}

/// Unused blocks, the threads of the sweep, and the scope in which they are started.
type Memory<'a, 'scope, 'env, N> = (
    &'a mut Vec<Vec<<N as FixedWidthAlgebra>::Value>>,
    &'a mut Workers<N>,
    &'scope Scope<'scope, 'env>,
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::plug::ContourProblem;
    use crate::plug::Sweep;
    use crate::plug::motzkin::CellRule;

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
            CellRule::OBSTACLE
        }
    }

    #[test]
    fn a_memory_limit_while_widening_reports_the_last_complete_layer() {
        let sweep = Sweep::new(&OneCell).limits(Limits::new().memory(2_000));
        let asked = sweep.ask(&Question::count("a test", 1), |run| {
            let mut run = DenseRun::new(run);
            let layer = |words| Table::new(vec![vec![Limbs::<1>::from(7); words]]);
            let wider: Result<Table<Limbs<2>>, Stop> = run.widen_table(layer(100));
            assert_eq!(wider, Err(Stop::MemoryLimit));
            let sweep = run.stats.report(Stop::MemoryLimit, false).sweep.expect("a sweep");
            // The words of the table are not the states of a layer.
            assert_eq!((sweep.layer, sweep.states), (0, 1));
            let wider: Table<Limbs<2>> = run.widen_table(layer(50)).expect("enough memory");
            assert_eq!(wider, Table::new(vec![vec![Limbs::from(7); 50]]));
            let peak = run.stats.report(Stop::MemoryLimit, false).peak_bytes().expect("a sweep");
            assert!((50 * (8 + 16)..=2_000).contains(&peak), "{peak}");
            Ok(())
        });
        assert!(asked.is_ok());
    }
}
