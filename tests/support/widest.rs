//! Boards as wide as the state codes allow, on which few cells are free: their counts are compared
//! with those of the boards mirrored at the diagonal, whose states are short.

use fastrand::Rng;
use secateurs::plug::algebra::{Counting, Natural};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::Grid;

/// Returns a square board on which the cells for which `is_free` holds are free.
pub fn square(side: usize, is_free: impl Fn(usize, usize) -> bool) -> Grid {
    let obstacle = |grid: Grid, cell: usize| {
        let (row, column) = (cell / side, cell % side);
        if is_free(row, column) { grid } else { grid.with_obstacle(row, column) }
    };
    (0..side * side).fold(Grid::new(side, side).expect("a board"), obstacle)
}

/// Returns the square board whose rows are the columns of this one.
pub fn transposed(grid: &Grid) -> Grid {
    square(grid.rows(), |row, column| grid.is_free(column, row))
}

/// Returns a board whose first rows are free.
pub fn band(side: usize, free_rows: usize) -> Grid {
    square(side, |row, _| row < free_rows)
}

/// Returns a board on which a random part of two or three neighbouring rows is free, and on some
/// boards the last column as well.
pub fn sparse_band(side: usize, rng: &mut Rng) -> Grid {
    let rows = rng.usize(2..=3);
    // The second row is swept backward by problems that alternate directions.
    let first = rng.usize(0..=1).min(side.saturating_sub(rows));
    let has_tail = rng.usize(0..3) == 0;
    let (kind, expected) = (rng.usize(0..4), rng.usize(0..8) as f64);
    let dice: Vec<f64> = (0..rows * side).map(|_| rng.f64()).collect();
    let is_chosen = |index: usize| dice[index] < expected / side as f64;
    // Stairs between the first row and the last, with steps of three columns.
    let height = |column: usize| {
        let at = column / 3 % (2 * rows - 2);
        at.min(2 * rows - 2 - at)
    };
    square(side, |row, column| {
        let is_end = column < 2 || column + 2 >= side;
        let in_band = (first..first + rows).contains(&row)
            && match (kind, row - first) {
                // Single cells.
                (0, line) => is_end || is_chosen(line * side + column),
                // Blocks of two columns.
                (1, _) => is_end || is_chosen(column) || is_chosen(column - 1),
                (2, line) => {
                    is_end || line == height(column) || column > 0 && line == height(column - 1)
                }
                // A ladder: the first row and the last, and rungs between them.
                (_, 0 | 2) => true,
                (_, _) if rows == 2 => is_chosen(column) || column > 0 && is_chosen(column - 1),
                (_, _) => is_chosen(column) || column == 0 || column + 1 == side,
            };
        in_band || has_tail && column + 1 == side
    })
}

/// Counts the solutions within a number of states in a layer; `None` if there are more.
pub fn count_within(states: u64, problem: &impl ContourProblem) -> Option<Natural> {
    let limits = Limits::new().states(states);
    let outcome = Sweep::new(problem).limits(limits).run(&Counting::<Natural>::new());
    match outcome.stop() {
        Stop::Exhausted => Some(outcome.total().cloned().unwrap_or(Natural::from(0_u32))),
        Stop::StateLimit => None,
        stop => panic!("the sweep ended: {stop:?}"),
    }
}

/// Checks that a problem has the same count on a board and on the mirrored board, provided that
/// layers have at most `states` states. Returns the count, or `None` if they have more.
pub fn check_mirrored<P: ContourProblem>(
    name: &str,
    states: u64,
    grid: &Grid,
    problem: impl Fn(&Grid) -> P,
) -> Option<Natural> {
    let [count, mirrored] =
        [grid, &transposed(grid)].map(|grid| count_within(states, &problem(grid)));
    let both = count.zip(mirrored);
    both.map(|(count, mirrored)| {
        assert_eq!(count, mirrored, "{name} on\n{grid}");
        count
    })
}

/// Checks a problem on at least `boards` random boards of the largest width that it promises, some
/// of which have solutions, and that wider boards are refused.
pub fn check_widest<P: ContourProblem>(
    name: &str,
    side: usize,
    (boards, states): (usize, u64),
    problem: impl Fn(&Grid) -> P,
) {
    let mut rng = Rng::with_seed(side as u64);
    let (mut checked, mut solvable) = (0, 0);
    for _ in 0..100 * boards {
        if checked >= boards && solvable >= boards / 8 {
            break;
        }
        let grid = sparse_band(side, &mut rng);
        if let Some(count) = check_mirrored(name, states, &grid, &problem) {
            checked += 1;
            solvable += usize::from(count != Natural::from(0_u32));
        }
    }
    println!("{name}: {checked} boards, {solvable} with solutions");
    assert!(checked >= boards && solvable >= boards / 8, "{name}");
    check_refused(name, &problem(&square(side + 1, |_, _| true)));
}

/// Checks that the states of a problem do not fit, and that the error says so.
pub fn check_refused(name: &str, problem: &impl ContourProblem) {
    let error = Sweep::new(problem).count().complete().expect_err("too wide");
    assert_eq!(error.stop(), Stop::StateTooWide, "{name}");
    assert!(error.to_string().contains(" bits, and there are "), "{name}: {error}");
}
