//! Thresholds of states hold only for what was searched below them, by one thread or by several
//! that share them: every other search has two threads.

use std::fmt;

use secateurs::diagram::{AdditiveValue, DiagramProblem};
use secateurs::{
    Branch, CopyProblem, Direction, Effect, Hook, Incumbent, NodeMut, Objective, Search, Stop,
    Verdict, hook,
};
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::max_2sat::MaxTwoSat;
use secateurs_problems::tardiness::Tardiness;
use secateurs_problems::tsptw::TimeWindows;

use crate::automaton::{Automaton, Position};
use crate::shared::claiming::Claiming;
use crate::shared::frontiers::in_instalments;

/// Returns an optimistic value of the words from a position, from its next `steps` letters.
fn look_ahead(automaton: &Automaton, position: Position, steps: usize) -> Option<i64> {
    if steps == 0 {
        return Some(automaton.rough(&position));
    }
    let branch = automaton.branch(&position);
    let mut best = branch.is_solution().then_some(position.value);
    if let Branch::Inner(mut cursor) | Branch::SolutionInner(mut cursor) = branch {
        while let Some(letter) = automaton.next(&position, &mut cursor) {
            let below = look_ahead(automaton, automaton.apply(position, &letter), steps - 1);
            best = best.max(below);
        }
    }
    best
}

/// Returns the hook that removes automaton states from which nothing beats the incumbent.
fn tighten(mut known: Incumbent<i64>) -> impl Hook<Automaton> + Clone + Send {
    let id = known.id();
    let tighten = move |node: &mut NodeMut<'_, Automaton>| {
        let automaton = node.problem();
        let position = node.state_mut();
        let states = position.states;
        for state in (0..8).map(|state| 1 << state).filter(|state| states & state != 0) {
            let alone = Position { states: state, ..*position };
            let bound = look_ahead(automaton, alone, 2);
            if !bound.is_some_and(|bound| known.is_beaten_by(&bound)) {
                position.states &= !state;
            }
        }
        Verdict::Keep
    };
    let tighten = hook::enter("tighten", Effect::OptimumOnly, tighten).parameters(&());
    Claiming::new(tighten).incumbent(id)
}

/// A hook that tightens states by the incumbent makes no cut that is counted.
#[test]
fn states_that_an_incumbent_tightens_are_not_mistaken_for_others() {
    for seed in 0..600 {
        let automaton = Automaton::random(7, Direction::Maximise, seed);
        let best = automaton.best_below(automaton.root());
        let sum = automaton.objective();
        let search = Search::new(&automaton).hook(tighten(sum.incumbent().clone().declared()));
        let search = search.diagrams(&sum, 1).rough(Automaton::rough);
        let outcome = if seed % 2 == 0 { search.best(&sum) } else { search.threads(2).best(&sum) };
        assert_eq!(outcome.proven().copied(), best, "seed {seed}");
    }
}

/// Neither does a brancher that leaves out children by the incumbent.
#[test]
fn children_that_a_sorted_brancher_leaves_out_are_not_forgotten() {
    for direction in [Direction::Maximise, Direction::Minimise] {
        for seed in 0..300 {
            let automaton = Automaton::random(7, direction, seed);
            let best = automaton.best_below(automaton.root());
            let sum = automaton.objective();
            let bound = |automaton: &Automaton, position: &Position, letter: &usize| {
                automaton.rough(&automaton.apply(*position, letter))
            };
            let search = Search::new(&automaton).brancher(sum.sorted(bound));
            let search = search.diagrams(&sum, 1).rough(Automaton::rough);
            let outcome =
                if seed % 2 == 0 { search.best(&sum) } else { search.threads(2).best(&sum) };
            assert_eq!(outcome.proven().copied(), best, "{direction:?}, seed {seed}");
        }
    }
}

/// An automaton in which only every other layer has a number of its own.
struct EarlyLayers(Automaton);

/// The states of a merged position, and of the solution below it. Both are better than any other.
const MERGED: u8 = 0x80;
const BELOW_MERGED: u8 = 0x40;

impl EarlyLayers {
    fn rough(&self, position: &Position) -> i64 {
        match position.states {
            MERGED => position.value + 1000,
            BELOW_MERGED => position.value,
            _ => self.0.rough(position),
        }
    }
}

impl CopyProblem for EarlyLayers {
    type State = Position;
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> Position {
        self.0.root()
    }

    fn branch(&self, position: &Position) -> Branch<usize> {
        match position.states {
            MERGED => Branch::Inner(0),
            BELOW_MERGED => Branch::Solution,
            _ => self.0.branch(position),
        }
    }

    fn next(&self, position: &Position, cursor: &mut usize) -> Option<usize> {
        if position.states == MERGED {
            *cursor += 1;
            return (*cursor == 1).then_some(0);
        }
        self.0.next(position, cursor)
    }

    fn apply(&self, position: Position, letter: &usize) -> Position {
        if position.states == MERGED {
            return Position { layer: 99, states: BELOW_MERGED, value: position.value + 1000 };
        }
        self.0.apply(position, letter)
    }
}

impl DiagramProblem for EarlyLayers {
    fn layer(&self, position: &Position) -> usize {
        position.layer / 2 * 2
    }

    fn key(&self, position: &Position) -> impl std::hash::Hash + Eq {
        (if position.states == MERGED { 0 } else { position.layer }, position.states)
    }

    fn merge(&self, position: &mut Position, other: &Position) {
        position.states = MERGED;
        position.value = position.value.max(other.value);
    }
}

#[test]
fn layers_that_are_too_early_lose_nothing() {
    for seed in 0..1_000 {
        let automaton = Automaton::random(8, Direction::Maximise, seed);
        let best = automaton.best_below(CopyProblem::root(&automaton));
        let early = EarlyLayers(automaton);
        let sum = Objective::maximise_for(&early, |_, position: &Position| position.value);
        let search = Search::new(&early).diagrams(&sum, 1).rough(EarlyLayers::rough);
        let outcome = if seed % 2 == 0 { search.best(&sum) } else { search.threads(2).best(&sum) };
        assert_eq!(outcome.proven().copied(), best, "seed {seed}");
    }
}

/// Checks that threads find the optimum that one thread finds, at once and in instalments.
fn check_threads<P, V, F>(
    name: &str,
    problem: &P,
    objective: fn() -> Objective<P, V, F>,
    rough: fn(&P, &P::State) -> V,
) where
    P: DiagramProblem<State: Send, Choice: Clone + fmt::Debug + Send> + Sync,
    V: AdditiveValue + Send + Sync,
    F: Fn(&P, &P::State) -> V + Clone + Send + Sync,
{
    let value = objective();
    let best = Search::new(problem).diagrams(&value, 100).rough(rough).best(&value);
    let best = best.proven().cloned();
    for width in [1, 5] {
        for threads in [1, 2, 5] {
            let value = objective();
            let search = Search::new(problem).diagrams(&value, width).cut_width(2).rough(rough);
            let found = search.threads(threads).best(&value);
            assert_eq!(found.proven().cloned(), best, "{name}, width {width}, {threads} threads");
            let instalment = found.report().nodes() / 3 + 1;
            let (value, mut runs) = (objective(), 0);
            in_instalments(instalment, |frontier, limits| {
                let search = Search::new(problem).limits(limits).diagrams(&value, width);
                let search = search.rough(rough).frontier(frontier);
                let found = match threads {
                    1 => search.best(&value),
                    _ => search.threads(threads).best(&value),
                };
                runs += 1;
                let (stop, nodes) = (found.stop(), found.report().nodes());
                assert!(stop == Stop::Exhausted || nodes == instalment * runs, "{name}: {nodes}");
                let expected = best.as_ref().filter(|_| stop == Stop::Exhausted);
                assert_eq!(found.proven(), expected, "{name}, width {width}, {threads} threads");
            });
        }
    }
}

/// A state is never left to a thread that leaves it to this one.
#[test]
fn threads_that_share_thresholds_lose_nothing() {
    for seed in 0..3 {
        let knapsack = Knapsack::strongly_correlated(25, 100, seed).unwrap();
        check_threads("knapsack", &knapsack, Knapsack::objective, Knapsack::relaxation);
        let jobs = Tardiness::generate(10, seed).unwrap();
        check_threads("tardiness", &jobs, Tardiness::objective, Tardiness::bound);
        let clauses = MaxTwoSat::generate(12, 50, seed).unwrap();
        check_threads("MAX-2SAT", &clauses, MaxTwoSat::objective, MaxTwoSat::bound);
        let places = TimeWindows::generate(12, 80, seed).unwrap();
        check_threads("tours", &places, TimeWindows::objective, TimeWindows::bound);
    }
}
