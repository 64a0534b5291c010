//! The states before and after each cell of a board whose middle repeats, and the transitions
//! between them: [`Transitions`].

use std::ops::Range;

use super::polynomial_ring::Ring;
use crate::limits::Stop;
use crate::memory::{reserve_one, vec_bytes};
use crate::plug::algebra::Counter;
use crate::plug::algebra::rounded_up::RoundedUp;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::layer::Layer;
use crate::plug::stats::SweepStats;
use crate::plug::step::{Clock, POLL, StepCount};

/// The transitions of all cells. States are numbered, before each cell separately; those before the
/// repeated cells are also those after them.
pub(super) struct Transitions {
    cells: Vec<CellTransitions>,
    repeated: Range<usize>,
    /// The number of states before each cell and after the last one.
    states: Vec<usize>,
    /// Whether each of the states after the last cell is accepted.
    accepted: Vec<bool>,
}

/// The transitions of a cell.
#[derive(Default)]
struct CellTransitions {
    /// For each state before the cell, the end of its transitions in `to`.
    ends: Vec<usize>,
    /// The state after the cell.
    to: Vec<u32>,
}

impl CellTransitions {
    fn bytes(&self) -> usize {
        vec_bytes(&self.ends) + vec_bytes(&self.to)
    }

    /// Calls `put` with the state before and after the cell for each transition.
    #[inline]
    fn for_each(&self, mut put: impl FnMut(usize, usize)) {
        let mut start = 0;
        for (from, &end) in self.ends.iter().enumerate() {
            for &to in &self.to[start..end] {
                put(from, to as usize);
            }
            start = end;
        }
    }
}

/// Appends a number. `used` is the bytes in use, with those of the numbers.
fn push<T>(numbers: &mut Vec<T>, number: T, used: usize, max_bytes: usize) -> Result<(), Stop> {
    reserve_one(numbers, used, max_bytes).ok_or(Stop::MemoryLimit)?;
    numbers.push(number);
    Ok(())
}

/// The states that were found so far.
struct Exploration<'a, 'p, P: ContourProblem> {
    problem: &'a P,
    stats: &'a mut SweepStats<'p>,
    /// The number of states whose transitions were found.
    expanded: u64,
    /// The bytes of all layers and transitions, and of the vectors that hold them.
    bytes: usize,
    repeated: Range<usize>,
    cells: Vec<CellTransitions>,
    /// The states before each cell and after the last one, in their [`place`].
    layers: Vec<Layer<P::State, ()>>,
}

/// Returns the place of the states before a cell, or after all cells. Those after the repeated
/// cells are in the place of those before them.
fn place(repeated: &Range<usize>, cell: usize) -> usize {
    if cell == repeated.end { repeated.start } else { cell }
}

impl<P: ContourProblem> Exploration<'_, '_, P> {
    /// Adds the transitions of those states before `cell` that have none yet.
    fn expand(&mut self, cell: usize) -> Result<(), Stop> {
        let expanded = self.cells[cell].ends.len();
        let (before, after) = (place(&self.repeated, cell), place(&self.repeated, cell + 1));
        let states = self.layers[before].len();
        self.stats.move_to(cell, self.expanded - expanded as u64);
        self.stats.before_cell(cell, states as u64)?;
        self.expanded += (states - expanded) as u64;
        self.problem.fits(cell).map_err(|too_wide| self.stats.too_wide(too_wide))?;
        let max_bytes = self.stats.max_bytes();
        let clock = self.stats.clock().clone();
        let mut target = std::mem::replace(&mut self.layers[after], Layer::new());
        let mut of_cell = std::mem::take(&mut self.cells[cell]);
        let others = self.bytes - target.bytes() - of_cell.bytes();
        let limit = max_bytes.saturating_sub(others).saturating_sub(of_cell.bytes());
        target.set_limits(self.stats.max_states(), limit, &clock);
        if target.len() == 0 {
            target.restart(1)?;
        }
        let mut result = Ok(());
        for index in expanded..states {
            if index % POLL == 0 {
                clock.check()?;
            }
            // The states after the last repeated cell may be those before it.
            let source = if before == after { &target } else { &self.layers[before] };
            let (state, ()) = source.entries()[index];
            self.problem.step(cell, state, &mut |next, _| {
                if result.is_ok() {
                    let used = others + of_cell.bytes() + target.bytes();
                    // A layer has fewer than 2³² states.
                    result = target
                        .find_or_insert(next, ())
                        .and_then(|number| push(&mut of_cell.to, number as u32, used, max_bytes));
                }
            });
            let used = others + of_cell.bytes() + target.bytes();
            let end = of_cell.to.len();
            result = result.and_then(|()| push(&mut of_cell.ends, end, used, max_bytes));
            if result.is_err() {
                self.stats.record_incomplete_layer(target.len(), used);
                return result;
            }
        }
        self.stats.record_bytes(others + of_cell.bytes() + target.peak_bytes());
        self.bytes = others + of_cell.bytes() + target.bytes();
        (self.layers[after], self.cells[cell]) = (target, of_cell);
        Ok(())
    }
}

impl Transitions {
    /// Finds all states and transitions of a problem, of which the cells `repeated` may be repeated
    /// any number of times, also 0.
    pub(super) fn explore<P: ContourProblem>(
        problem: &P,
        stats: &mut SweepStats<'_>,
        repeated: Range<usize>,
    ) -> Result<Self, Stop> {
        let cells = problem.cells();
        let (mut transitions, mut layers) = (Vec::new(), Vec::new());
        // With the number of states, found at the end.
        let bytes_of_cell =
            size_of::<CellTransitions>() + size_of::<Layer<P::State, ()>>() + size_of::<usize>();
        let bytes_of_cells = cells.saturating_add(1).saturating_mul(bytes_of_cell);
        if bytes_of_cells > stats.max_bytes()
            || transitions.try_reserve_exact(cells).is_err()
            || layers.try_reserve_exact(cells + 1).is_err()
        {
            return Err(Stop::MemoryLimit);
        }
        transitions.resize_with(cells, CellTransitions::default);
        layers.resize_with(cells + 1, Layer::new);
        let mut exploration = Exploration {
            problem,
            stats,
            expanded: 0,
            bytes: 0,
            repeated: repeated.clone(),
            cells: transitions,
            layers,
        };
        let first = &mut exploration.layers[0];
        let (max_states, max_bytes) =
            (exploration.stats.max_states(), exploration.stats.max_bytes());
        first.set_limits(max_states, max_bytes, exploration.stats.clock());
        first.restart(1)?;
        first.find_or_insert(problem.start(), ())?;
        exploration.bytes = bytes_of_cells + first.bytes();
        for cell in 0..repeated.start {
            exploration.expand(cell)?;
        }
        // The repeated cells are done when they lead to no new state.
        while !repeated.is_empty()
            && exploration.cells[repeated.start].ends.len()
                < exploration.layers[repeated.start].len()
        {
            repeated.clone().try_for_each(|cell| exploration.expand(cell))?;
        }
        for cell in repeated.end..cells {
            exploration.expand(cell)?;
        }
        let Exploration { cells, layers, stats, bytes, .. } = exploration;
        let last = &layers[place(&repeated, cells.len())];
        let accepted = last.states().map(|state| problem.accept(state)).collect();
        let states: Vec<usize> =
            (0..=cells.len()).map(|cell| layers[place(&repeated, cell)].len()).collect();
        // The layers are recorded from the first to the last.
        stats.move_to(0, 0);
        for (transitions, &found) in cells.iter().zip(&states[1..]) {
            let mut step = StepCount::new(0);
            step.transitions = transitions.to.len() as u64;
            step.merged = step.transitions.saturating_sub(found as u64);
            stats.record_layer(&step, found, &[], bytes);
        }
        Ok(Transitions { cells, repeated, states, accepted })
    }

    /// Returns the number of states before the repeated cells.
    pub(super) fn width(&self) -> usize {
        self.states[self.repeated.start]
    }

    /// Returns, for each state before the repeated cells, the sum over the paths that lead to it.
    fn before<V: Copy>(&self, sums: &Sums<'_, V, impl Fn(V, V) -> V>) -> Result<Vec<V>, Stop> {
        let mut start = sums.zeros(self.states[0])?;
        start[0] = sums.one;
        (0..self.repeated.start).try_fold(start, |values, cell| self.step(cell, &values, sums))
    }

    /// Returns the sums after a cell, of those before it.
    fn step<V: Copy>(
        &self,
        cell: usize,
        values: &[V],
        sums: &Sums<'_, V, impl Fn(V, V) -> V>,
    ) -> Result<Vec<V>, Stop> {
        let mut after = sums.zeros(self.states[cell + 1])?;
        self.cells[cell].for_each(|from, to| after[to] = (sums.add)(after[to], values[from]));
        Ok(after)
    }

    /// Returns the sums after the repeated cells, of those before them.
    fn repeat<V: Copy>(
        &self,
        values: Vec<V>,
        sums: &Sums<'_, V, impl Fn(V, V) -> V>,
    ) -> Result<Vec<V>, Stop> {
        self.repeated.clone().try_fold(values, |values, cell| self.step(cell, &values, sums))
    }

    /// Returns, for each state after the repeated cells, the sum over the paths to the end.
    fn to_go<V: Copy>(&self, sums: &Sums<'_, V, impl Fn(V, V) -> V>) -> Result<Vec<V>, Stop> {
        let mut last = sums.zeros(self.accepted.len())?;
        for (sum, _) in last.iter_mut().zip(&self.accepted).filter(|&(_, &accepted)| accepted) {
            *sum = sums.one;
        }
        (self.repeated.end..self.cells.len()).rev().try_fold(last, |values, cell| {
            let mut before = sums.zeros(self.cells[cell].ends.len())?;
            self.cells[cell]
                .for_each(|from, to| before[from] = (sums.add)(before[from], values[to]));
            Ok(before)
        })
    }

    /// Returns the numbers of solutions with 0, 1, 2, … repetitions modulo a number.
    pub(super) fn terms(&self, ring: Ring<'_>, length: usize) -> Result<Vec<u64>, Stop> {
        let add = |a, b| ring.add(a, b);
        let sums = Sums { zero: 0, one: 1 % ring.modulus, add, clock: ring.clock };
        let to_go = self.to_go(&sums)?;
        let mut values = self.before(&sums)?;
        let mut terms = Vec::new();
        terms.try_reserve_exact(length).map_err(|_| Stop::MemoryLimit)?;
        while terms.len() < length {
            terms.push(ring.dot(values.iter().copied().zip(to_go.iter().copied())));
            values = self.repeat(values, &sums)?;
        }
        Ok(terms)
    }

    /// Returns the number of bits of an upper bound of the same numbers.
    pub(super) fn bits(&self, length: usize, clock: &Clock) -> Result<u64, Stop> {
        let has_overflowed = std::cell::Cell::new(false);
        let add = |mut a: RoundedUp, b: RoundedUp| {
            has_overflowed.set(a.add(&b) || has_overflowed.get());
            a
        };
        let sums = Sums { zero: RoundedUp::ZERO, one: RoundedUp::one(), add, clock };
        let bits = |number: RoundedUp| number.to_natural().bits();
        let most_to_go = self.to_go(&sums)?.into_iter().max().map_or(0, bits);
        let mut values = self.before(&sums)?;
        let mut most = 0;
        for _ in 0..length {
            most = most.max(bits(values.iter().copied().fold(RoundedUp::ZERO, &sums.add)));
            values = self.repeat(values, &sums)?;
        }
        if has_overflowed.get() { Err(Stop::CountOverflow) } else { Ok(most + most_to_go) }
    }
}

/// The numbers of a computation along paths.
struct Sums<'c, V, F> {
    zero: V,
    one: V,
    add: F,
    /// Checked at each cell.
    clock: &'c Clock,
}

impl<V: Copy, F> Sums<'_, V, F> {
    fn zeros(&self, length: usize) -> Result<Vec<V>, Stop> {
        self.clock.check()?;
        let mut zeros = Vec::new();
        zeros.try_reserve_exact(length).map_err(|_| Stop::MemoryLimit)?;
        zeros.resize(length, self.zero);
        Ok(zeros)
    }
}
