//! The audit finds unsound prunings by itself, on instances no larger than those that are known, and lets sound ones pass.

use std::iter;

use secateurs::hooks::{LexLeader, Memo, Permutation, SymmetryGroup};
use secateurs::lab::{Audit, Coverage, Loss, Unsound, Violation, audit_all};
use secateurs::problems::fire_net::{
    Board, Bound, DegreeOne, EnoughBunkers, Scope, State, TooFewCells, UpperBound, closed_rectangle, open_ends,
    open_short_side, open_side, walled_long_sides,
};
use secateurs::problems::queens::{BitQueens, Queens, RowByRow};
use secateurs::{Branch, Effect, Hook, Node, NodeMut, Objective, Problem, Verdict, hook};

/// A board as it is seen from one of its four sides.
struct View<'b> {
    board: &'b Board,
    state: &'b State,
    transposed: bool,
    upside_down: bool,
}

impl View<'_> {
    fn lines(&self) -> usize {
        if self.transposed { self.board.columns() } else { self.board.rows() }
    }
    fn width(&self) -> usize {
        if self.transposed { self.board.rows() } else { self.board.columns() }
    }
    fn cell(&self, line: usize, place: usize) -> usize {
        let line = if self.upside_down { self.lines() - 1 - line } else { line };
        let (row, column) = if self.transposed { (place, line) } else { (line, place) };
        self.board.cell(row, column)
    }
    /// Counted from 1, so that 0 and what is beyond the end are the border.
    fn is_wall(&self, line: usize, place: usize) -> bool {
        let inside = (1..=self.lines()).contains(&line) && (1..=self.width()).contains(&place);
        !inside || self.board.is_wall(self.cell(line - 1, place - 1))
    }
    /// Whether these cells, counted from 1, are candidates.
    fn is_free(&self, lines: (usize, usize), places: (usize, usize)) -> bool {
        let cells = (lines.0..=lines.1).flat_map(|line| (places.0..=places.1).map(move |place| (line, place)));
        cells.into_iter().all(|(line, place)| self.state.is_candidate(self.cell(line - 1, place - 1)))
    }
}

/// A rectangle of candidates, its first and last lines and places counted from 1.
type Rectangle = ((usize, usize), (usize, usize));

/// Where a rule places bunkers in a rectangle: pairs of a line and a place.
type Reading = fn(&View<'_>, Rectangle) -> Option<Vec<(usize, usize)>>;

fn diagonal(((top, bottom), (left, right)): Rectangle) -> Vec<(usize, usize)> {
    (top..=bottom).zip(left..=right).collect()
}

/// Walled at its beginning and on both sides, but not at its end.
fn is_bay(view: &View<'_>, ((top, bottom), (left, right)): Rectangle) -> bool {
    (left..=right).all(|place| view.is_wall(top - 1, place))
        && (top..=bottom).all(|line| view.is_wall(line, left - 1) && view.is_wall(line, right + 1))
        && !(left..=right).all(|place| view.is_wall(bottom + 1, place))
}

/// Pruning 9, with m bunkers on any diagonal.
fn nine_any_diagonal(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((_, bottom), (left, right)) = rectangle;
    let has_closed_line = (left..=right).any(|place| view.is_wall(bottom + 1, place));
    (is_bay(view, rectangle) && has_closed_line).then(|| diagonal(rectangle))
}

/// Pruning 9, with a bunker in the line next to the wall at the side.
fn nine_beside_the_wall(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let has_closed_line = (left..=right).any(|place| view.is_wall(bottom + 1, place));
    (is_bay(view, rectangle) && has_closed_line).then(|| vec![(top, left)])
}

/// Pruning 9, with always m bunkers, first on closed lines, then anywhere.
fn nine_always_all(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let is_closed = |place: &usize| view.is_wall(bottom + 1, *place);
    let closed = (left..=right).filter(is_closed);
    let open = (left..=right).rev().filter(|place| !is_closed(place));
    let has_closed_line = closed.clone().next().is_some();
    (is_bay(view, rectangle) && has_closed_line).then(|| (top..=bottom).zip(closed.chain(open)).collect())
}

/// Walled at the beginning and at the end, but not on both sides.
fn is_corridor(view: &View<'_>, ((top, bottom), (left, right)): Rectangle) -> bool {
    (left..=right).all(|place| view.is_wall(top - 1, place) && view.is_wall(bottom + 1, place))
        && !(top..=bottom).all(|line| view.is_wall(line, left - 1))
        && !(top..=bottom).all(|line| view.is_wall(line, right + 1))
}

/// Pruning 10, on any diagonal.
fn ten_any_diagonal(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let closed = (top..=bottom).filter(|&line| view.is_wall(line, left - 1) && view.is_wall(line, right + 1)).count();
    (is_corridor(view, rectangle) && closed > 0).then(|| diagonal(rectangle).into_iter().take(closed).collect())
}

/// Pruning 10, on lines with a wall at one end.
fn ten_one_end(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let closed = (top..=bottom).filter(|&line| view.is_wall(line, left - 1) || view.is_wall(line, right + 1));
    let cells: Vec<_> = closed.zip((left..=right).rev()).collect();
    (is_corridor(view, rectangle) && !cells.is_empty()).then_some(cells)
}

/// Pruning 10, on lines whose walls are those of another line turned half round.
fn ten_point_symmetric(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let closed = (top..=bottom).filter(|&line| {
        let opposite = top + bottom - line;
        view.is_wall(line, left - 1) && view.is_wall(opposite, right + 1)
    });
    let cells: Vec<_> = closed.zip(left..=right).collect();
    (is_corridor(view, rectangle) && !cells.is_empty()).then_some(cells)
}

/// Places what a reading says in the first rectangle that it applies to; false if there is none.
fn place_by(reading: Reading, board: &Board, state: &mut State) -> bool {
    let found =
        [(false, false), (false, true), (true, false), (true, true)].iter().find_map(|&(transposed, upside_down)| {
            let view = View { board, state, transposed, upside_down };
            let pairs = |end| (1..=end).flat_map(move |first| (first..=end).map(move |last| (first, last)));
            let rectangles =
                pairs(view.lines()).flat_map(|lines| pairs(view.width()).map(move |places| (lines, places)));
            let cells =
                rectangles.filter(|&(lines, places)| view.is_free(lines, places)).find_map(|r| reading(&view, r))?;
            Some(cells.into_iter().map(|(line, place)| view.cell(line - 1, place - 1)).collect::<Vec<_>>())
        });
    let Some(cells) = found else { return false };
    cells.into_iter().filter(|&cell| state.place(board, cell)).count() > 0
}

/// Pruning 5, on any cell of a segment with two candidates.
fn five_of_two(board: &Board, state: &mut State) -> bool {
    let two = (0..board.segments().len()).find(|&segment| state.degree(segment) == 2);
    let Some(segment) = two else { return false };
    let cell = board.segments().get(segment).cells().find(|&cell| state.is_candidate(cell));
    cell.is_some_and(|cell| state.place(board, cell))
}

fn placed(_: &Board, state: &State) -> usize {
    Board::placed(state)
}

/// The largest placement on the candidates of a state, by matching.
fn best_below(board: &Board, state: &State) -> Option<usize> {
    let mut state = state.clone();
    state.exclude_passed(board);
    Some(Bound::Matching.at(board, &state))
}

/// What is a step smaller.
fn smaller(board: &Board) -> Vec<Board> {
    let (rows, columns) = (board.rows(), board.columns());
    let is_wall = |row, column| board.is_wall(board.cell(row, column));
    let without_row = (0..rows)
        .map(|out| Board::new(rows - 1, columns, |row, column| is_wall(row + usize::from(row >= out), column)));
    let without_column = (0..columns)
        .map(|out| Board::new(rows, columns - 1, |row, column| is_wall(row, column + usize::from(column >= out))));
    let free = (0..board.cells()).filter(|&cell| !board.is_wall(cell));
    let walled = free.map(|walled| {
        Board::new(rows, columns, |row, column| is_wall(row, column) || board.cell(row, column) == walled)
    });
    without_row.chain(without_column).filter(|board| board.cells() > 0).chain(walled).collect()
}

fn boards(rows: usize, columns: usize) -> impl Iterator<Item = Board> {
    (0..1_u64 << (rows * columns))
        .map(move |walls| Board::new(rows, columns, |row, column| walls >> (row * columns + column) & 1 == 1))
}

fn audit(board: &Board, rule: impl Fn(&Board, &mut State) -> bool) -> Result<Coverage, Violation> {
    let objective = Objective::maximise(placed);
    let enter = |node: &mut NodeMut<'_, Board>| {
        let board = node.problem();
        let state = node.state_mut();
        state.exclude_passed(board);
        while rule(board, state) {}
        Verdict::Keep
    };
    let rule = hook::enter("reading", Effect::OptimumOnly, enter);
    Audit::of_best(board, &objective).best_below(best_below).hook(rule).run()
}

/// The smallest board on which a reading is wrong.
fn smallest(rule: impl Fn(&Board, &mut State) -> bool) -> Unsound<Board> {
    let small = boards(2, 3).chain(boards(3, 3)).chain(boards(3, 4));
    audit_all(small, smaller, |board| audit(board, &rule)).expect_err("a wrong reading")
}

#[test]
fn wrong_readings_are_rejected_on_boards_no_larger_than_is_known() {
    let readings: [(&str, Reading, usize); 6] = [
        ("9a", nine_any_diagonal, 6),
        ("9b", nine_beside_the_wall, 6),
        ("9c", nine_always_all, 12),
        ("10a", ten_any_diagonal, 6),
        ("10b", ten_one_end, 9),
        ("10c", ten_point_symmetric, 9),
    ];
    let five = smallest(five_of_two);
    assert!(five.instance().cells() <= 6, "{five}");
    for (name, reading, cells) in readings {
        let found = smallest(|board, state| place_by(reading, board, state));
        println!("{name}: {}\n{}", found.violation().loss(), found.instance());
        assert!(found.instance().cells() <= cells, "{name}: {found}");
        assert!(matches!(found.violation().loss(), Loss::Optimum { .. }), "{name}: {found}");
    }
}

/// The ten prunings together, at every node; 1 and 2 are in the tree itself.
fn audit_right(board: &Board) -> Result<Coverage, Violation> {
    let mut whole = Coverage::default();
    let rules: [fn() -> Box<dyn Hook<Board>>; 6] = [
        || Box::new(DegreeOne::new(Scope::EveryNode)),
        || Box::new(closed_rectangle(Scope::EveryNode)),
        || Box::new(open_short_side(Scope::EveryNode)),
        || Box::new(walled_long_sides(Scope::EveryNode)),
        || Box::new(open_side(Scope::EveryNode)),
        || Box::new(open_ends(Scope::EveryNode)),
    ];
    for rule in rules {
        let objective = Objective::maximise(placed);
        whole += Audit::of_best(board, &objective).best_below(best_below).hook(rule()).run()?;
    }
    let objective = Objective::maximise(placed);
    let incumbent = || objective.incumbent().clone();
    let audit = Audit::of_best(board, &objective)
        .best_below(best_below)
        .hook(TooFewCells::new(incumbent()))
        .hook(EnoughBunkers::new(incumbent()));
    whole += rules.iter().fold(audit, |audit, rule| audit.hook(rule())).run()?;
    let objective = Objective::maximise(placed);
    let bound = UpperBound::new(Bound::Matching, objective.incumbent().clone());
    whole += Audit::of_best(board, &objective).best_below(best_below).hook(bound).run()?;
    Ok(whole)
}

#[test]
fn the_right_prunings_pass() {
    let coverage = audit_all(boards(2, 3).chain(boards(3, 3)), smaller, audit_right).expect("sound");
    println!("{coverage}");
    assert!(coverage.is_exhaustive() && coverage.cuts > 100 && coverage.tightenings > 100, "{coverage}");
}

/// `cargo test --release --test audit -- --ignored --nocapture`
#[test]
#[ignore = "some minutes"]
fn the_right_prunings_pass_on_all_boards_up_to_four_by_four_and_on_random_ones() {
    let all = (1..=4).flat_map(|rows| (1..=4).flat_map(move |columns| boards(rows, columns)));
    println!("{}", audit_all(all, smaller, audit_right).expect("sound"));
    let random = (0..10_000_u64).map(|seed| {
        let (rows, columns) = (1 + seed as usize % 8, 1 + seed as usize / 8 % 8);
        Board::random(rows, columns, 0.5 + 0.05 * (seed % 10) as f64, seed).expect("a board")
    });
    println!("{}", audit_all(random, smaller, audit_right).expect("sound"));
}

#[test]
fn a_bound_that_is_too_low() {
    let board = Board::empty(3, 3);
    let objective = Objective::maximise(placed);
    let too_low = objective.bound("too low", |board: &Board, state: &State| {
        best_below(board, state).unwrap_or(0).saturating_sub(usize::from(Board::placed(state) == 1))
    });
    let violation = Audit::of_best(&board, &objective).hook(too_low).run();
    // The best is found before the bound can do harm, or it is lost; on some board it is.
    let _ = violation;
    let found = audit_all(boards(2, 2).chain(boards(2, 3)).chain(boards(3, 3)), smaller, |board| {
        let objective = Objective::maximise(placed);
        let too_low = objective.bound("too low", |board: &Board, state: &State| {
            best_below(board, state).unwrap_or(0).saturating_sub(usize::from(Board::placed(state) == 1))
        });
        Audit::of_best(board, &objective).hook(too_low).run()
    });
    let found = found.expect_err("too low");
    assert!(matches!(found.violation().loss(), Loss::Optimum { .. }), "{found}");
}

/// The columns of a solution and of all its images under a group; the least of them.
fn least_image(images: &[fn(usize, usize, usize) -> (usize, usize)]) -> impl Fn(&[usize]) -> Vec<usize> {
    let images = images.to_vec();
    move |columns| {
        let size = columns.len();
        let image = |image: &fn(usize, usize, usize) -> (usize, usize)| {
            let mut turned = vec![0; size];
            for (row, &column) in columns.iter().enumerate() {
                let (row, column) = image(size, row, column);
                turned[row] = column;
            }
            turned
        };
        images.iter().map(image).chain(iter::once(columns.to_vec())).min().unwrap_or_default()
    }
}

/// Queens as lists of columns: the state says which solution it is.
#[derive(Clone, Debug)]
struct Columns(usize);

impl Problem for Columns {
    type State = Vec<usize>;
    type Cursor = usize;
    type Choice = usize;
    type Undo = ();
    fn root(&self) -> Vec<usize> {
        Vec::new()
    }
    fn branch(&self, state: &Vec<usize>) -> Branch<usize> {
        if state.len() == self.0 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, state: &Vec<usize>, cursor: &mut usize) -> Option<usize> {
        let is_safe = |column: usize| {
            state.iter().rev().zip(1..).all(|(&other, rows)| other != column && other.abs_diff(column) != rows)
        };
        let column = (*cursor..self.0).find(|&column| is_safe(column))?;
        *cursor = column + 1;
        Some(column)
    }
    fn apply(&self, state: &mut Vec<usize>, &column: &usize) {
        state.push(column);
    }
    fn undo(&self, state: &mut Vec<usize>, _: &usize, (): ()) {
        state.pop();
    }
}

/// A mirror that forgets the middle column, where the first queen may stand as well.
fn left_half_only(size: usize) -> impl Hook<Columns> {
    hook::admit("left half", Effect::Representatives, move |node: &Node<'_, Columns>, &column: &usize| {
        if node.depth() == 0 && column >= size / 2 { Verdict::Prune } else { Verdict::Keep }
    })
}

#[test]
fn a_mirror_that_forgets_the_middle_column() {
    let mirror = || least_image(&[|size, row, column| (row, size - 1 - column)]);
    let audit = |&size: &usize| {
        let (queens, mirror) = (Columns(size), mirror());
        Audit::of_count(&queens).orbits(move |_, columns| mirror(columns)).hook(left_half_only(size)).run()
    };
    let even = audit_all([4, 6, 8], |_| None::<usize>, audit).expect("right for even sizes");
    assert!(even.cuts > 0 && even.is_exhaustive());
    let found = audit_all([9], |&size| (size > 1).then(|| size - 1), audit).expect_err("wrong for odd sizes");
    assert!(matches!(found.violation().loss(), Loss::Orbit { .. }), "{found}");
    assert_eq!(found.instance() % 2, 1);
}

#[test]
fn a_lex_leader_with_a_wrong_permutation() {
    let queens = Queens::new(6).expect("a size").bits();
    // Not a symmetry of the board.
    let shift = Permutation::new(6, 6, |row, column| (row, (column + 1) % 6)).expect("a permutation");
    let group = SymmetryGroup::generate(6, 6, &[shift], 6).expect("a group");
    let leader = LexLeader::new(group, |_: &BitQueens, path, choice| (path.len(), BitQueens::column(choice)));
    let violation = Audit::of_count(&queens).hook(leader).run().expect_err("no symmetry");
    assert!(matches!(violation.loss(), Loss::OrbitSizes { .. } | Loss::Existence), "{violation}");
}

#[test]
fn a_memo_whose_key_omits_part_of_the_state() {
    let queens = Columns(6);
    // Columns alone do not say which diagonals are attacked.
    let memo = Memo::counted("columns", |_: &Columns, state: &Vec<usize>| {
        let mut columns = state.clone();
        columns.sort_unstable();
        columns
    });
    let violation = Audit::of_count(&queens).hook(memo).run().expect_err("a key that joins different states");
    assert_eq!(violation.hook(), "columns");
    let whole = Memo::counted("all", |_: &Columns, state: &Vec<usize>| state.clone());
    Audit::of_count(&queens).hook(whole).run().expect("a key that says all");
}
