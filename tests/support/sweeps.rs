//! Small contour problems, hooks of sweeps, and problems that are observed step by step.

use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};

use secateurs::plug::code::Parentheses;
use secateurs::plug::{ContourProblem, StateDominance, SweepHook, Thinning, TooWide};
use secateurs::{Digest, Effect, Verdict};
use secateurs_problems::catalogue::Strands;

/// All subsets of some things, one of which is in or out in each cell; again from the first one if
/// there are more cells than things.
#[derive(Clone, Copy)]
pub struct Sets {
    pub cells: usize,
    pub things: usize,
}

impl Sets {
    /// Returns a problem whose last layer has 2 to the power of `things` states, for at most 32
    /// things, because a state has 32 bits.
    pub fn of(things: usize) -> Self {
        assert!(things <= 32, "found {things} things, expected at most 32");
        Sets { cells: things, things }
    }
}

impl ContourProblem for Sets {
    type State = u32;
    type Label = ();

    fn cells(&self) -> usize {
        self.cells
    }
    fn start(&self) -> u32 {
        0
    }
    fn step(&self, cell: usize, set: u32, emit: &mut impl FnMut(u32, ())) {
        emit(set, ());
        emit(set | 1 << (cell % self.things), ());
    }
    fn accept(&self, _: u32) -> bool {
        true
    }
}

/// Sums of `dice` six-sided dice; sums that leave no remainder are accepted.
#[derive(Clone, Copy)]
pub struct Dice {
    pub dice: usize,
    pub modulus: u32,
    /// The last cell whose states fit; those of later cells are declared too wide.
    pub last_fitting_cell: usize,
}

impl Dice {
    pub fn new(dice: usize, modulus: u32) -> Self {
        Dice { dice, modulus, last_fitting_cell: usize::MAX }
    }
}

impl ContourProblem for Dice {
    type State = u32;
    type Label = u8;

    fn cells(&self) -> usize {
        self.dice
    }
    fn start(&self) -> u32 {
        0
    }
    fn step(&self, _: usize, sum: u32, emit: &mut impl FnMut(u32, u8)) {
        (1..=6).for_each(|pips| emit(sum + u32::from(pips), pips));
    }
    fn accept(&self, sum: u32) -> bool {
        sum.is_multiple_of(self.modulus)
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        TooWide::check(cell, self.last_fitting_cell)
    }
}

/// A problem made of a start and a function that steps to the next states. All states are accepted
/// at the end, unless a function tells which ones are.
pub struct Steps<S, L, F> {
    cells: usize,
    start: S,
    step: F,
    accepts: fn(S) -> bool,
    label: PhantomData<fn() -> L>,
}

impl<S, L, F: Fn(usize, S, &mut dyn FnMut(S, L)) + Sync> Steps<S, L, F> {
    pub fn new(cells: usize, start: S, step: F) -> Self {
        Steps { cells, start, step, accepts: |_| true, label: PhantomData }
    }

    pub fn accepting(self, accepts: fn(S) -> bool) -> Self {
        Steps { accepts, ..self }
    }
}

impl<S, L, F> ContourProblem for Steps<S, L, F>
where
    S: Copy + Eq + Hash + Debug + Send + Sync,
    L: Copy + Debug + Send + Sync,
    F: Fn(usize, S, &mut dyn FnMut(S, L)) + Sync,
{
    type State = S;
    type Label = L;

    fn cells(&self) -> usize {
        self.cells
    }
    fn start(&self) -> S {
        self.start
    }
    fn step(&self, cell: usize, state: S, emit: &mut impl FnMut(S, L)) {
        (self.step)(cell, state, emit);
    }
    fn accept(&self, state: S) -> bool {
        (self.accepts)(state)
    }
}

/// A problem that calls a function before each step, and takes the step if it returns `true`.
pub struct Stepped<P, F>(pub P, pub F);

impl<P: ContourProblem, F: Fn(usize, P::State) -> bool + Sync> ContourProblem for Stepped<P, F> {
    type State = P::State;
    type Label = P::Label;

    fn cells(&self) -> usize {
        self.0.cells()
    }
    fn start(&self) -> P::State {
        self.0.start()
    }
    fn step(&self, cell: usize, state: P::State, emit: &mut impl FnMut(P::State, P::Label)) {
        if self.1(cell, state) {
            self.0.step(cell, state, emit);
        }
    }
    fn accept(&self, state: P::State) -> bool {
        self.0.accept(state)
    }
    fn region(&self, cell: usize, state: P::State) -> Option<u64> {
        self.0.region(cell, state)
    }
}

/// The payload of a panic that a test intends.
pub struct IntendedPanic;

/// Returns a problem that panics after so many steps.
pub fn panic_after<P: ContourProblem>(
    problem: &P,
    steps: u64,
) -> impl ContourProblem<State = P::State, Label = P::Label> {
    let left = AtomicU64::new(steps);
    Stepped(problem, move |_, _| {
        // Relaxed suffices: the counter guards no other data.
        if left.fetch_sub(1, Ordering::Relaxed) == 0 {
            // `resume_unwind` prints no message, because the panic is intended.
            resume_unwind(Box::new(IntendedPanic));
        }
        true
    })
}

/// A hook that thins layers by a closure of the problem, the cell and the layer.
pub struct Thins<F> {
    pub effect: Effect,
    pub thin: F,
}

impl<P, F> SweepHook<P> for Thins<F>
where
    P: ContourProblem,
    F: Fn(&P, usize, &mut Thinning<'_, P::State>) + Sync,
{
    fn name(&self) -> &str {
        "thins"
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn thin(&self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        (self.thin)(problem, cell, layer);
    }
}

/// A hook by which each state of a layer dominates all others: sound where all are equivalent.
pub struct AllDominate;

impl<P: ContourProblem> SweepHook<P> for AllDominate {
    fn name(&self) -> &str {
        "all dominate"
    }
    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }
    fn thin(&self, _: &P, _: usize, layer: &mut Thinning<'_, P::State>) {
        for better in 0..layer.states().len() {
            for worse in 0..layer.states().len() {
                layer.dominate(worse, better);
            }
        }
    }
}

/// A hook that drops states with 3 plugs at every fifth cell.
#[derive(Debug)]
pub struct NotThree;

impl SweepHook<Strands> for NotThree {
    fn name(&self) -> &str {
        "not three"
    }
    fn effect(&self) -> Effect {
        Effect::Lossy
    }
    fn enter(&self, _: &Strands, cell: usize, state: &mut Parentheses) -> Verdict {
        Verdict::prune_if(cell % 5 == 1 && state.word().count_ones() == 3)
    }
}

/// An arbitrary dominance: a state covers those that have so many more plugs.
#[derive(Clone, Copy)]
pub struct FewerPlugs(pub u32);

impl StateDominance<Strands> for FewerPlugs {
    type Form = u32;
    type Key = (u32, u64);

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.0))
    }
    fn form(&self, _: &Strands, _: usize, state: Parentheses) -> u32 {
        state.word().count_ones()
    }
    fn key(&self, state: Parentheses, plugs: &u32) -> (u32, u64) {
        (u32::MAX - plugs, state.word())
    }
    fn covers(&self, better: &u32, worse: &u32) -> bool {
        better + self.0 <= *worse
    }
}
