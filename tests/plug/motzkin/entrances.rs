//! Paths that enter the board from outside: sweeps in dense tables, sweeps in hash tables and plain
//! enumeration against each other.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use secateurs::Report;
use secateurs::plug::code::{Parentheses, Symbol};
use secateurs::plug::motzkin::{
    CellRule, Closing, FINISHED, MotzkinProblem, PathPiece, Side, step,
};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs_problems::catalogue::{Grid, Paths};

use crate::support::problems::{count, grid};
use crate::support::sizes::sized;

/// A board with a rule for each cell, and the words that are accepted after the last one.
#[derive(Clone, Debug)]
pub struct Board {
    plugs: usize,
    /// The low plug and the rule of each cell.
    pub cells: Vec<(usize, CellRule)>,
    accepted: Accepted,
}

/// The words that a [`Board`] accepts.
#[derive(Clone, Copy, Debug)]
enum Accepted {
    /// All words.
    All,
    /// The word [`FINISHED`].
    Finished,
    /// Words of this number of loose ends and nothing else.
    LooseEnds(usize),
    /// Words in which this plug is taken.
    Taken(usize),
}

impl ContourProblem for Board {
    type State = Parentheses;
    type Label = PathPiece;
    fn cells(&self) -> usize {
        self.cells.len()
    }
    fn start(&self) -> Parentheses {
        Parentheses::EMPTY
    }
    fn step(&self, cell: usize, word: Parentheses, emit: &mut impl FnMut(Parentheses, PathPiece)) {
        step(self.rule(cell), self.low(cell), word, emit);
    }
    fn accept(&self, word: Parentheses) -> bool {
        match self.accepted {
            Accepted::All => true,
            Accepted::Finished => word == FINISHED,
            Accepted::LooseEnds(ends) => {
                let are_loose = word != FINISHED && word.loose_ends() == word.count();
                are_loose && word.count() == ends
            }
            Accepted::Taken(plug) => word != FINISHED && word.get(plug) != Symbol::Empty,
        }
    }
}

impl MotzkinProblem for Board {
    fn plugs(&self) -> usize {
        self.plugs
    }
    fn low(&self, cell: usize) -> usize {
        self.cells[cell].0
    }
    fn rule(&self, cell: usize) -> CellRule {
        self.cells[cell].1
    }
}

impl Board {
    /// Creates a board of cells, given by their low plugs and rules, that accepts all words.
    pub fn of_cells(plugs: usize, cells: Vec<(usize, CellRule)>) -> Self {
        Board { plugs, cells, accepted: Accepted::All }
    }

    fn of_rules(grid: &Grid, rule: impl Fn(usize) -> CellRule, accepted: Accepted) -> Self {
        let cells = (0..grid.cells()).map(|cell| (grid.plug(cell), rule(cell))).collect();
        Board { plugs: grid.plugs(), cells, accepted }
    }

    /// Creates a board on which any cell may be visited or skipped, and no loop closes.
    fn new(grid: &Grid, accepted: Accepted) -> Self {
        let rule = |cell| {
            let [low, high] = grid.ahead(cell);
            CellRule { skip: true, ..CellRule::visited(low, high) }
        };
        Board::of_rules(grid, rule, accepted)
    }

    /// Adds a path that enters a cell from outside.
    fn entered(mut self, cell: usize, side: Side, symbol: Symbol) -> Self {
        self.cells[cell].1.entrance = Some((side, symbol));
        self
    }

    /// Compares counts in hash tables, in dense ones and by enumeration with the expected one.
    fn check_count(&self, expected: u128) {
        assert_eq!(Sweep::new(self).count().exact(), Some(expected));
        assert_eq!(Sweep::new(self).dense().count().exact(), Some(expected));
        assert_eq!(self.by_enumeration(0, Partial::new(self.plugs)), expected);
    }
}

/// A partial solution in the first cells of a board.
#[derive(Clone)]
struct Partial {
    /// The number of the path at each plug. A path at one plug only comes from outside.
    paths: Vec<Option<usize>>,
    /// The number of paths so far.
    created: usize,
    is_finished: bool,
}

impl Partial {
    fn new(plugs: usize) -> Self {
        Partial { paths: vec![None; plugs], created: 0, is_finished: false }
    }

    fn new_path(&mut self) -> Option<usize> {
        self.created += 1;
        Some(self.created)
    }

    /// Returns whether the path at a plug comes from outside.
    fn is_from_outside(&self, plug: usize) -> bool {
        let path = self.paths[plug];
        path.is_some() && self.paths.iter().filter(|&&other| other == path).count() == 1
    }

    /// Lets a path enter from outside; returns `false` if it cannot.
    fn enter(&mut self, plug: usize, symbol: Symbol) -> bool {
        let mut others = (0..plug).rev().chain(plug + 1..self.paths.len());
        let path = match symbol {
            Symbol::Close => others.find(|&other| self.is_from_outside(other)),
            _ => Some(plug),
        };
        let (Some(mate), None) = (path, self.paths[plug]) else { return false };
        self.paths[plug] = if mate == plug { self.new_path() } else { self.paths[mate] };
        true
    }
}

impl Board {
    fn accepts(&self, partial: &Partial) -> bool {
        let (paths, is_finished) = (&partial.paths, partial.is_finished);
        let is_loose = |&plug: &usize| partial.is_from_outside(plug);
        match self.accepted {
            Accepted::All => true,
            Accepted::Finished => is_finished,
            Accepted::LooseEnds(ends) => {
                let loose = (0..paths.len()).filter(is_loose).count();
                !is_finished && [loose, paths.iter().flatten().count()] == [ends; 2]
            }
            Accepted::Taken(plug) => paths[plug].is_some(),
        }
    }

    /// Counts the completions of a partial solution one by one, without words.
    fn by_enumeration(&self, cell: usize, mut partial: Partial) -> u128 {
        let Some(&(low, rule)) = self.cells.get(cell) else {
            return u128::from(self.accepts(&partial));
        };
        if partial.is_finished {
            let is_left_out = rule.skip && rule.entrance.is_none();
            return if is_left_out { self.by_enumeration(cell + 1, partial) } else { 0 };
        }
        if let Some((side, symbol)) = rule.entrance
            && !partial.enter(low + side as usize, symbol)
        {
            return 0;
        }
        match [low, low + 1].map(|plug| partial.paths[plug].take()) {
            [None, None] => {
                let mut count = 0;
                if rule.skip {
                    count += self.by_enumeration(cell + 1, partial.clone());
                }
                if rule.visit && rule.low && rule.high {
                    partial.paths[low] = partial.new_path();
                    partial.paths[low + 1] = partial.paths[low];
                    count += self.by_enumeration(cell + 1, partial);
                }
                count
            }
            _ if !rule.visit => 0,
            [Some(one), Some(other)] if one == other => {
                partial.is_finished = rule.closing == Closing::Last;
                let is_alone = partial.paths.iter().all(Option::is_none);
                let before = partial.paths[..low].iter().flatten().count();
                match rule.closing {
                    Closing::Never => 0,
                    Closing::Last if !is_alone => 0,
                    Closing::Outside if before % 2 == 1 => 0,
                    _ => self.by_enumeration(cell + 1, partial),
                }
            }
            [Some(one), Some(other)] => {
                if ![one, other].iter().any(|&path| partial.paths.contains(&Some(path))) {
                    // Both paths come from outside, so joining them leaves no end on the board.
                    return 0;
                }
                let joined = partial.paths.iter_mut().filter(|path| **path == Some(other));
                joined.for_each(|path| *path = Some(one));
                self.by_enumeration(cell + 1, partial)
            }
            [path, None] | [None, path] => {
                let exits = [(low, rule.low), (low + 1, rule.high)].into_iter();
                let counts = exits.filter(|&(_, is_open)| is_open).map(|(plug, _)| {
                    let mut partial = partial.clone();
                    partial.paths[plug] = path;
                    self.by_enumeration(cell + 1, partial)
                });
                counts.sum()
            }
        }
    }

    /// Compares dense tables with hash tables: the count, the number of accepted states, and the
    /// number of states after each cell.
    fn check_tables(&self) -> Result<u128, TestCaseError> {
        let (hash, dense) = (Sweep::new(self).count(), Sweep::new(self).dense().count());
        prop_assert!(hash.exact().is_some());
        prop_assert_eq!(hash.exact(), dense.exact());
        prop_assert_eq!(hash.report().solutions(), dense.report().solutions());
        // A dense sweep drops finished partial solutions that cannot skip all later cells.
        if self.cells.iter().all(|(_, rule)| rule.closing != Closing::Last) {
            let states = |report: &Report| {
                let states = report.levels().iter().map(|level| level.nodes);
                states.collect::<Vec<_>>()
            };
            prop_assert_eq!(states(hash.report()), states(dense.report()));
        }
        Ok(hash.exact().unwrap_or(0))
    }

    /// Compares both tables with plain enumeration.
    fn check(&self) -> Result<(), TestCaseError> {
        let start = Partial::new(self.plugs);
        prop_assert_eq!(self.check_tables()?, self.by_enumeration(0, start));
        Ok(())
    }
}

/// The numbers of rows and of columns.
type Size = (usize, usize);

/// A cell and the plug by which a path can enter it.
type Entry = (usize, Side);

/// Returns the entries on the border: the plug along each line, and those above the first line.
fn border(grid: &Grid) -> Vec<Entry> {
    let along = |line| (line * grid.width(), if line % 2 == 0 { Side::Low } else { Side::High });
    let above = (0..grid.width()).map(|cell| (cell, Side::High));
    above.chain((0..grid.lines()).map(along)).collect()
}

/// Returns the entries by every plug that a cell reads.
fn anywhere(grid: &Grid) -> Vec<Entry> {
    (0..grid.cells()).flat_map(|cell| [Side::Low, Side::High].map(|side| (cell, side))).collect()
}

/// Generates random boards: rules of cells, up to three entrances with `(`, up to two with `)`, and
/// the accepted words.
fn boards(sizes: &'static [Size], places: fn(&Grid) -> Vec<Entry>) -> impl Strategy<Value = Board> {
    let cells = prop::collection::vec((0..20u8, 0..4u8, 0..32u8), 64);
    let entrances = |most| prop::collection::vec(any::<Index>(), 0..=most);
    let entrances = prop_oneof![
        2 => (entrances(3), Just(Vec::new())),
        1 => (entrances(3), entrances(2)),
    ];
    let kinds = (0..4u8, 0..5u8, 0..3u8);
    let accepted = (0..6u8, any::<Index>());
    (select(sizes), kinds, cells, entrances, accepted).prop_map(
        move |((rows, columns), kinds, cells, (opens, closes), (accepted, which))| {
            let grid = grid(rows, columns);
            let accepted = match accepted {
                0 => Accepted::Finished,
                1 => Accepted::LooseEnds(which.index(4)),
                2 => Accepted::Taken(which.index(grid.plugs())),
                _ => Accepted::All,
            };
            let rule = |cell: usize| random_rule(&grid, cell, kinds, cells[cell]);
            let places = places(&grid);
            let others = closes.iter().take(opens.len()).map(|index| (index, Symbol::Close));
            let entrances = opens.iter().map(|index| (index, Symbol::Open)).chain(others);
            entrances.fold(Board::of_rules(&grid, rule, accepted), |board, (index, symbol)| {
                let (cell, side) = places[index.index(places.len())];
                board.entered(cell, side, symbol)
            })
        },
    )
}

/// Returns a rule from random numbers. The first three are the same for all cells of a board.
fn random_rule(
    grid: &Grid,
    cell: usize,
    (optional, closing, exits): (u8, u8, u8),
    (kind, closes, sides): (u8, u8, u8),
) -> CellRule {
    if kind == 0 {
        return CellRule::OBSTACLE;
    }
    let [low, high] = grid.ahead(cell);
    let in_last_line = cell + grid.width() >= grid.cells();
    let is_exit = in_last_line && (exits == 0 || exits == 1 && sides >= 16);
    let is_forward = (cell / grid.width()).is_multiple_of(2);
    CellRule {
        skip: optional >= 2 || optional == 1 && kind % 2 == 0,
        low: (low || is_exit && is_forward) != (sides == 0),
        high: (high || is_exit && !is_forward) != (sides == 1),
        closing: match (closing, closes) {
            (0, _) | (3, 0) => Closing::Never,
            (1, _) | (3, 1) => Closing::Any,
            (4, _) | (3, 2) => Closing::Outside,
            _ => Closing::Last,
        },
        ..CellRule::visited(low, high)
    }
}

/// Sizes of boards with few enough solutions to enumerate.
const SMALL: &[Size] = &[(1, 1), (4, 1), (2, 2), (2, 3), (5, 2), (2, 6), (3, 3), (3, 4), (4, 3)];

/// Generates boards with few enough solutions to enumerate.
pub fn small_boards() -> impl Strategy<Value = Board> {
    boards(SMALL, border)
}

/// Sizes of boards with words that are long enough for cuts at many plugs.
const LARGER: &[Size] = &[(3, 4), (4, 4), (5, 4), (4, 6), (5, 5), (6, 5)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(300, 200_000)))]

    #[test]
    fn paths_from_outside_are_counted_as_by_enumeration(board in boards(SMALL, border)) {
        board.check()?;
    }

    #[test]
    fn paths_from_outside_are_counted_by_rank_as_by_hash(
        board in prop_oneof![boards(LARGER, border), boards(LARGER, anywhere)],
    ) {
        board.check_tables()?;
    }
}

/// The `)` enters at a plug before the loose end of the path.
#[test]
fn paths_from_the_right_border_to_the_left_are_paths_between_two_cells() {
    let grid = grid(5, 4);
    let mut board = Board::new(&grid, Accepted::Finished)
        .entered(grid.cell(1, 3), Side::High, Symbol::Open)
        .entered(grid.cell(2, 0), Side::Low, Symbol::Close);
    board.cells.iter_mut().for_each(|(_, rule)| rule.closing = Closing::Last);
    let expected = count(&Paths::simple(&grid).between((1, 3), (2, 0)));
    assert!(expected > 100);
    board.check_count(expected);
}

#[test]
fn more_loose_ends_than_plugs_leave_no_solution() {
    let board = Board::new(&grid(12, 1), Accepted::All);
    let enter = |board: Board, line: usize| board.entered(2 * line, Side::Low, Symbol::Open);
    (0..6).fold(board, enter).check_count(0);
}

#[test]
fn pairs_of_disjoint_paths_from_the_left_border_to_the_bottom_are_counted() {
    let grid = grid(5, 4);
    for (lines, expected) in [([0, 2], 2420), ([0, 4], 3181), ([2, 4], 2298)] {
        let mut board = Board::new(&grid, Accepted::LooseEnds(2));
        // Paths leave the board below the last line, which is swept forward.
        board.cells[4 * grid.width()..].iter_mut().for_each(|(_, rule)| rule.low = true);
        let enter = |board: Board, line| board.entered(grid.cell(line, 0), Side::Low, Symbol::Open);
        lines.into_iter().fold(board, enter).check_count(expected);
    }
}

#[test]
fn a_label_has_the_sides_of_a_cell_and_the_edges_from_earlier_cells() {
    for bits in 0_u8..16 {
        let side = |bit: u8| bits >> bit & 1 == 1;
        let piece = PathPiece::new([side(0), side(1)], [side(2), side(3)]);
        assert_eq!([piece.came_by(Side::Low), piece.came_by(Side::High)], [side(0), side(1)]);
        assert_eq!([piece.goes_by(Side::Low), piece.goes_by(Side::High)], [side(2), side(3)]);
        assert_eq!(piece.length(), i64::from(side(0)) + i64::from(side(1)));
        assert_eq!(piece == PathPiece::NONE, bits == 0);
    }
    assert_eq!(PathPiece::ALONE.length(), 0);
    assert_ne!(PathPiece::ALONE, PathPiece::NONE);
}

#[test]
fn an_entrance_is_no_side_of_a_label() {
    let labels = |side, word: &str| {
        let word: Parentheses = word.parse().expect("a word");
        let rule =
            CellRule { entrance: Some((side, Symbol::Open)), ..CellRule::visited(true, true) };
        let mut labels = Vec::new();
        step(rule, 0, word, &mut |_, label| labels.push(label));
        labels
    };
    for side in [Side::Low, Side::High] {
        // The path enters from outside and goes on by either side.
        let goes = [[true, false], [false, true]].map(|goes| PathPiece::new([false; 2], goes));
        assert_eq!(labels(side, "..."), goes);
    }
    // It meets a path that came by the other side.
    assert_eq!(labels(Side::Low, ".()"), [PathPiece::new([false, true], [false; 2])]);
    assert_eq!(labels(Side::High, "(.)"), [PathPiece::new([true, false], [false; 2])]);
}

#[test]
fn no_path_passes_a_cell_that_none_may_visit() {
    // The rules of earlier cells usually keep paths away from such a cell.
    let rule = CellRule { low: true, high: true, closing: Closing::Any, ..CellRule::OBSTACLE };
    for (word, low) in [("().", 1), ("(.)", 1), ("()", 0), ("()()", 1), ("(())", 0), ("(())", 2)] {
        let word: Parentheses = word.parse().expect("a word");
        step(rule, low, word, &mut |after, _| panic!("{word} becomes {after}"));
    }
    let mut skipped = Vec::new();
    step(rule, 0, Parentheses::<u64>::EMPTY, &mut |word, label| skipped.push((word, label)));
    assert_eq!(skipped, [(Parentheses::EMPTY, PathPiece::NONE)]);
}
