//! Random nondeterministic automata as problems: a state is a set of automaton states, and a merged
//! state is a union of such sets.

use std::hash::Hash;

use secateurs::diagram::DiagramProblem;
use secateurs::{Branch, CopyProblem, Direction, Objective};

/// The number of letters, each of which is a choice.
const LETTERS: usize = 3;
/// The number of automaton states of a layer.
const STATES: usize = 4;

/// One layer: for each letter, its cost, whether it skips the next layer, and the successors of
/// each automaton state as a set.
#[derive(Clone, Debug)]
struct Layer {
    costs: [i64; LETTERS],
    skips: [bool; LETTERS],
    successors: [[u8; STATES]; LETTERS],
    accepting: u8,
}

/// A random automaton whose words are the solutions. The value of a word is the sum of the costs of
/// its letters.
#[derive(Clone, Debug)]
pub struct Automaton {
    layers: Vec<Layer>,
    direction: Direction,
    /// Whether positions dominate those that have reached fewer automaton states.
    pub dominates: bool,
    /// The law that the implementation violates, if any.
    pub lie: Option<Lie>,
}

/// A violation of the laws of diagram problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// A merged state forgets the set of the other state.
    ForgetfulMerge,
    /// All states have equal keys.
    EqualKeys,
    /// All states are in the same layer.
    EqualLayers,
    /// Positions dominate those that have reached more automaton states.
    ReversedResources,
}

/// The position in a word: the layer, the reached automaton states, and the sum of the costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub layer: usize,
    pub states: u8,
    pub value: i64,
}

impl Automaton {
    /// Creates a random automaton with `layers` layers, besides the last one.
    pub fn random(layers: usize, direction: Direction, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let layers = (0..layers).map(|_| Layer {
            costs: std::array::from_fn(|_| random.i64(-5..=5)),
            skips: std::array::from_fn(|_| random.u8(..4) == 0),
            // About two of three automaton states have one or two successors.
            successors: std::array::from_fn(|_| {
                std::array::from_fn(|_| match random.u8(..3) {
                    0 => 0,
                    _ => 1 << random.usize(..STATES) | 1 << random.usize(..STATES),
                })
            }),
            accepting: if random.u8(..3) == 0 { 1 << random.usize(..STATES) } else { 0 },
        });
        Automaton { layers: layers.collect(), direction, dominates: seed % 2 == 1, lie: None }
    }

    /// Returns the objective: the sum of the costs.
    pub fn objective(&self) -> Objective<Self, i64, fn(&Self, &Position) -> i64> {
        let value: fn(&Self, &Position) -> i64 = |_, position| position.value;
        Objective::new(self.direction, value).named("sum of costs")
    }

    /// Returns the better one of two values.
    fn better(&self, one: i64, other: i64) -> i64 {
        if self.direction.is_better(&other, &one) { other } else { one }
    }

    /// Returns the best value at or below a position, by trying all words.
    pub fn best_below(&self, position: Position) -> Option<i64> {
        let branch = CopyProblem::branch(self, &position);
        let mut best = branch.is_solution().then_some(position.value);
        if let Branch::Inner(mut cursor) | Branch::SolutionInner(mut cursor) = branch {
            while let Some(letter) = CopyProblem::next(self, &position, &mut cursor) {
                let below = self.best_below(CopyProblem::apply(self, position, &letter));
                best = match (best, below) {
                    (Some(best), Some(below)) => Some(self.better(best, below)),
                    (best, below) => best.or(below),
                };
            }
        }
        best
    }

    /// Returns an optimistic value: the best cost of each layer from the position on, if that
    /// improves the value.
    pub fn rough(&self, position: &Position) -> i64 {
        let best = |layer: &Layer| layer.costs.into_iter().fold(0, |a, b| self.better(a, b));
        position.value + self.layers[position.layer..].iter().map(best).sum::<i64>()
    }

    fn successors(&self, position: &Position, letter: usize) -> u8 {
        let successors = self.layers[position.layer].successors[letter];
        let reached = (0..STATES).filter(|state| position.states >> state & 1 == 1);
        reached.fold(0, |set, state| set | successors[state])
    }
}

impl CopyProblem for Automaton {
    type State = Position;
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> Position {
        Position { layer: 0, states: 1, value: 0 }
    }

    fn branch(&self, position: &Position) -> Branch<usize> {
        match self.layers.get(position.layer) {
            None => Branch::Solution,
            Some(layer) if layer.accepting & position.states != 0 => Branch::SolutionInner(0),
            Some(_) => Branch::Inner(0),
        }
    }

    fn next(&self, position: &Position, cursor: &mut usize) -> Option<usize> {
        let letter = (*cursor..LETTERS).find(|&letter| self.successors(position, letter) != 0)?;
        *cursor = letter + 1;
        Some(letter)
    }

    fn apply(&self, position: Position, &letter: &usize) -> Position {
        let layer = &self.layers[position.layer];
        Position {
            layer: (position.layer + 1 + usize::from(layer.skips[letter])).min(self.layers.len()),
            states: self.successors(&position, letter),
            value: position.value + layer.costs[letter],
        }
    }
}

impl DiagramProblem for Automaton {
    fn layer(&self, position: &Position) -> usize {
        if self.lie == Some(Lie::EqualLayers) { 0 } else { position.layer }
    }

    fn key(&self, position: &Position) -> impl Hash + Eq {
        if self.lie == Some(Lie::EqualKeys) || self.dominates { 0 } else { position.states }
    }

    /// A superset of automaton states has all words of the subset, at the same costs.
    fn resources(&self, position: &Position) -> impl AsRef<[u64]> + Hash + Eq {
        let states = match self.lie {
            Some(Lie::ReversedResources) => !position.states,
            _ => position.states,
        };
        let amount = |state: usize| u64::from(self.dominates && states >> state & 1 == 1);
        std::array::from_fn::<_, STATES, _>(amount)
    }

    fn merge(&self, position: &mut Position, other: &Position) {
        if self.lie != Some(Lie::ForgetfulMerge) {
            position.states |= other.states;
        }
        position.value = self.better(position.value, other.value);
    }

    fn rank(&self, position: &Position) -> u64 {
        position.states.count_ones().into()
    }
}
