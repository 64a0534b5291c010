//! Random layered automata as contour problems, and all their solutions by plain recursion: the
//! oracle of the sweep tests.

use std::collections::BTreeSet;
use std::ops::Range;

use fastrand::Rng;
use proptest::prelude::*;
use secateurs::plug::ContourProblem;
use secateurs::plug::algebra::Weight;

/// A step from a state to another one, with a label.
pub type Step = (u8, u8, u8);

/// A contour problem given by a table: the steps of each cell, and the accepted states.
#[derive(Clone, Debug)]
pub struct Automaton {
    steps: Vec<Vec<Step>>,
    accepted: Vec<u8>,
}

/// Returns the weight of a label in a cell, with negative values and ties.
pub fn weight(cell: usize, label: u8) -> i64 {
    (cell as i64 * 7 + i64::from(label) * 5) % 11 - 4
}

/// Returns the weight of ending in a state.
pub fn end_weight(state: u8) -> i64 {
    i64::from(state) * 3 % 5 - 2
}

/// A weight of labels and of the last state.
#[derive(Clone, Copy)]
pub struct LabelsAndEnd;

impl Weight<Automaton> for LabelsAndEnd {
    fn label(&self, cell: usize, label: u8) -> i64 {
        weight(cell, label)
    }
    fn end(&self, state: u8) -> i64 {
        end_weight(state)
    }
}

/// Returns automata of up to six cells and five states, including dead ends and unreachable states.
/// The steps of a state have distinct labels, so that the labels identify a solution; two steps may
/// lead to the same state.
pub fn automata() -> impl Strategy<Value = Automaton> {
    let cell = prop::collection::btree_map((0..5_u8, 0..4_u8), 0..5_u8, 0..14);
    let steps = prop::collection::vec(cell, 0..7);
    let accepted = prop::collection::btree_set(0..5_u8, 0..4);
    (steps, accepted).prop_map(|(steps, accepted)| Automaton {
        steps: steps
            .into_iter()
            .map(|cell| cell.into_iter().map(|((from, label), to)| (from, to, label)).collect())
            .collect(),
        accepted: accepted.into_iter().collect(),
    })
}

/// The number of states of random automata, at most.
pub const STATES: u8 = 6;

/// Returns a random automaton of so many cells and labels. The labels of the steps of a state are
/// distinct.
pub fn random_automaton(cells: usize, labels: u8, rng: &mut Rng) -> Automaton {
    let (states, density) = (rng.u8(1..=STATES), rng.f64());
    let mut step = |from| {
        let labels = (0..labels).filter(|_| rng.f64() < density).collect::<Vec<u8>>();
        labels.into_iter().map(|label| (from, rng.u8(0..states), label)).collect::<Vec<_>>()
    };
    let steps = (0..cells).map(|_| (0..STATES).flat_map(&mut step).collect()).collect();
    let accepted = rng.u8(..);
    Automaton::new(steps, (0..STATES).filter(|state| accepted >> state & 1 == 1).collect())
}

impl Automaton {
    /// Creates an automaton of `width` states, with a step from each to each in each of `cells`
    /// cells: `width` to the power of `cells - 1` solutions end in each state.
    pub fn complete(cells: usize, width: u8) -> Self {
        let all = (0..width).flat_map(|from| (0..width).map(move |to| (from, to, to)));
        Automaton { steps: vec![all.collect(); cells], accepted: (0..width).collect() }
    }

    /// Creates an automaton of these steps, in their order, and accepted states.
    pub fn new(steps: Vec<Vec<Step>>, accepted: Vec<u8>) -> Self {
        Automaton { steps, accepted }
    }

    /// Returns the automaton in which some cells are repeated a number of times.
    pub fn repeated(&self, cells: Range<usize>, times: usize) -> Self {
        let (before, after) = (&self.steps[..cells.start], &self.steps[cells.end..]);
        let repeated = std::iter::repeat_n(&self.steps[cells], times).flatten();
        let steps = before.iter().chain(repeated).chain(after).cloned().collect();
        Automaton { steps, accepted: self.accepted.clone() }
    }

    /// Returns, before each cell and after the last, the number of states on a path from the start
    /// to an accepted state.
    pub fn live_states(&self) -> Vec<usize> {
        let mut live = vec![BTreeSet::new(); self.steps.len() + 1];
        for labels in self.solutions() {
            let states = self.states(&labels).expect("a solution");
            live.iter_mut().zip(states).for_each(|(live, state)| _ = live.insert(state));
        }
        live.into_iter().map(|states| states.len()).collect()
    }

    /// Returns the states before each cell and after the last one on the path of these labels, or
    /// `None` if they are not those of a solution.
    pub fn states(&self, labels: &[u8]) -> Option<Vec<u8>> {
        let mut states = vec![0];
        for (cell, &label) in self.steps.iter().zip(labels) {
            let state = *states.last()?;
            states.push(cell.iter().find(|step| step.0 == state && step.2 == label)?.1);
        }
        let is_solution = labels.len() == self.steps.len() && self.accept(*states.last()?);
        is_solution.then_some(states)
    }

    /// Returns the labels of all solutions, in the order of the steps.
    pub fn solutions(&self) -> Vec<Vec<u8>> {
        let mut solutions = Vec::new();
        self.extend(&mut Vec::new(), 0, &mut solutions);
        solutions
    }

    /// Returns the last state of a solution, or `None` if these are not the labels of one.
    pub fn end(&self, labels: &[u8]) -> Option<u8> {
        self.states(labels)?.pop()
    }

    /// Returns the weight of a solution: the sum of the weights of its labels and of its end.
    pub fn weight_of(&self, labels: &[u8]) -> i64 {
        let end = self.end(labels).expect("a solution");
        labels.iter().enumerate().map(|(cell, &label)| weight(cell, label)).sum::<i64>()
            + end_weight(end)
    }

    fn extend(&self, labels: &mut Vec<u8>, state: u8, solutions: &mut Vec<Vec<u8>>) {
        let Some(steps) = self.steps.get(labels.len()) else {
            if self.accepted.contains(&state) {
                solutions.push(labels.clone());
            }
            return;
        };
        for &(_, to, label) in steps.iter().filter(|step| step.0 == state) {
            labels.push(label);
            self.extend(labels, to, solutions);
            labels.pop();
        }
    }
}

impl ContourProblem for Automaton {
    type State = u8;
    type Label = u8;

    fn cells(&self) -> usize {
        self.steps.len()
    }
    fn start(&self) -> u8 {
        0
    }
    fn step(&self, cell: usize, state: u8, emit: &mut impl FnMut(u8, u8)) {
        for &(_, to, label) in self.steps[cell].iter().filter(|step| step.0 == state) {
            emit(to, label);
        }
    }
    fn accept(&self, state: u8) -> bool {
        self.accepted.contains(&state)
    }
}
