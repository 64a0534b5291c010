//! Nonograms: cells of a board, with the lengths of the runs of filled cells in each line.

use secateurs::Search;
use secateurs_csp::{Automaton, Model, Network, Propagate, Variable};

use crate::group::Group;

/// The side of the board.
const SIDE: usize = 20;

/// The transitions of an automaton that starts in state 0, and its only accepting state.
type Line = (Vec<(usize, i32, usize)>, usize);

/// Returns the automaton of the lines with the same runs of filled cells as this one.
fn line(cells: &[bool]) -> Line {
    let mut transitions = vec![(0, 0, 0)];
    let mut state = 0;
    for run in cells.split(|&is_filled| !is_filled).filter(|run| !run.is_empty()) {
        if state > 0 {
            transitions.push((state, 0, state + 1));
            transitions.push((state + 1, 0, state + 1));
            state += 1;
        }
        for _ in run {
            transitions.push((state, 1, state + 1));
            state += 1;
        }
    }
    if state > 0 {
        transitions.push((state, 0, state));
    }
    (transitions, state)
}

fn state_regular(model: &mut Model, cells: &[Variable], (transitions, end): &Line) {
    let automaton = Automaton::new(end + 1, transitions.iter().copied(), 0, [*end]);
    model.regular(cells, &automaton.expect("deterministic")).expect("small");
}

/// States the transitions as tables, with a variable for the state after each cell.
fn state_tables(model: &mut Model, cells: &[Variable], (transitions, end): &Line) {
    let states = 0..=*end as i32;
    let rows = || transitions.iter().map(|&(from, value, to)| [from as i32, value, to as i32]);
    let mut state = model.variable(0).expect("small");
    for &cell in cells {
        let next = model.variable(states.clone()).expect("small");
        model.table(&[state, cell, next], rows()).expect("three columns");
        state = next;
    }
    model.restrict(state, |state| state as usize == *end).expect("a known variable");
}

/// Returns the network of a random board with 40 % of its cells filled.
fn nonogram(seed: u64, state_line: fn(&mut Model, &[Variable], &Line)) -> Network {
    let mut rng = fastrand::Rng::with_seed(seed);
    let board: Vec<bool> = (0..SIDE * SIDE).map(|_| rng.u8(..100) < 40).collect();
    let mut model = Model::new();
    let cells = model.variables(SIDE * SIDE, 0..=1).expect("small");
    for index in 0..SIDE {
        let row = |place| index * SIDE + place;
        let column = |place| place * SIDE + index;
        for place in [&row as &dyn Fn(usize) -> usize, &column] {
            let filled: Vec<bool> = (0..SIDE).map(|index| board[place(index)]).collect();
            let cells: Vec<Variable> = (0..SIDE).map(|index| cells[place(index)]).collect();
            state_line(&mut model, &cells, &line(&filled));
        }
    }
    model.build()
}

/// Returns the group of a random nonogram with two solutions: regular constraints, and tables of
/// their transitions.
pub fn group() -> Group<[Network; 2]> {
    let models = [nonogram(27, state_regular), nonogram(27, state_tables)];
    let count = |network: &Network| Search::new(network).hooks((Propagate::full(),)).count();
    Group::new("csp/nonogram", models, 2, 4541)
        .contender("regular", move |models| count(&models[0]))
        .contender("tables", move |models| count(&models[1]))
}
