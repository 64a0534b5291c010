//! Manhattan Wiring: shortest wires against exhaustive search, and the parsers of its inputs.

use std::collections::VecDeque;

use proptest::prelude::*;
use secateurs::plug::Sweep;
use secateurs::plug::algebra::Best;
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::{Grid, ManhattanWiring, Wire, WirePiece};

use crate::grids::{Cell, free_cells, grids, neighbours};
use crate::support::problems::grid;

/// Returns the distance between two cells along cells that are not blocked.
fn distance(grid: &Grid, from: Cell, to: Cell, blocked: &[Cell]) -> Option<usize> {
    let mut seen = vec![from];
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((cell, steps)) = queue.pop_front() {
        if cell == to {
            return Some(steps);
        }
        for next in neighbours(grid, cell) {
            if !seen.contains(&next) && !blocked.contains(&next) {
                seen.push(next);
                queue.push_back((next, steps + 1));
            }
        }
    }
    None
}

/// Returns the least total length, by trying all paths of the first wire with a shortest path of
/// the second.
fn shortest(board: &ManhattanWiring) -> Option<usize> {
    fn walk(board: &ManhattanWiring, path: &mut Vec<Cell>, best: &mut Option<usize>) {
        let (here, [_, end]) = (path[path.len() - 1], board.terminals(Wire::Two));
        let [from, to] = board.terminals(Wire::Three);
        if here == end {
            let length =
                distance(board.grid(), from, to, path).map(|length| length + path.len() - 1);
            *best = [*best, length].into_iter().flatten().min();
            return;
        }
        for next in neighbours(board.grid(), here) {
            if !path.contains(&next) && next != from && next != to {
                path.push(next);
                walk(board, path, best);
                path.pop();
            }
        }
    }
    let mut best = None;
    walk(board, &mut vec![board.terminals(Wire::Two)[0]], &mut best);
    best
}

/// Returns the total length of the wires, or `None` unless the labels are exactly two wires.
fn checked_length(board: &ManhattanWiring, labels: &[WirePiece]) -> Option<usize> {
    let mut used = 0;
    for wire in Wire::BOTH {
        let [start, end] = board.terminals(wire);
        let (mut here, mut before) = (start, None);
        while here != end {
            let (row, column) = here;
            let sides = labels[board.grid().cell(row, column)].sides;
            let mut next = vec![
                (sides.up, (row.wrapping_sub(1), column)),
                (sides.right, (row, column + 1)),
                (sides.down, (row + 1, column)),
                (sides.left, (row, column.wrapping_sub(1))),
            ];
            next.retain(|&(leads, cell)| leads && Some(cell) != before);
            let &[(_, cell)] = &next[..] else { return None };
            let next_piece = labels.get(board.grid().cell(cell.0, cell.1))?;
            // More edges than cells mean a cycle, which never reaches the end.
            if next_piece.wire != Some(wire) || used > labels.len() {
                return None;
            }
            (before, here) = (Some(here), cell);
            used += 1;
        }
    }
    // No edge belongs to anything else than the two wires.
    let laid: i64 = labels.iter().map(|piece| piece.length()).sum();
    (usize::try_from(laid).ok()? == used).then_some(used)
}

/// Generates boards with terminals in four of their free cells.
fn boards() -> impl Strategy<Value = ManhattanWiring> {
    grids(5, 16).prop_filter("no room", |grid| grid.free_cells() >= 4).prop_flat_map(|grid| {
        prop::sample::subsequence(free_cells(&grid), 4).prop_shuffle().prop_map(move |ends| {
            ManhattanWiring::new(&grid, [[ends[0], ends[1]], [ends[2], ends[3]]])
                .expect("free cells")
        })
    })
}

proptest! {
    #[test]
    fn the_shortest_wires_agree_with_exhaustive_search(board in boards()) {
        let expected = shortest(&board);
        let outcome = board.shortest();
        prop_assert_eq!(outcome.proven().map(|&length| length as usize), expected);
        prop_assert_eq!(outcome.is_proven_infeasible(), expected.is_none());
        if let Some(labels) = outcome.solution() {
            prop_assert_eq!(checked_length(&board, labels), expected, "{}", board.draw(labels));
        }
        // An algebra that computes nothing but the length needs no retained layers.
        let length = Best::minimise(|_, piece: WirePiece| piece.length());
        let total = Sweep::new(&board).run(&length).total().map(|&length| length as usize);
        prop_assert_eq!(total, expected);
    }

    #[test]
    fn display_and_parse_are_inverse(board in boards()) {
        prop_assert_eq!(board.to_string().parse::<ManhattanWiring>(), Ok(board));
    }
}

#[test]
fn wires_are_drawn_between_their_digits() {
    let board: ManhattanWiring = "3 4\n2 0 0 2\n1 0 3 3\n0 0 0 0\n".parse().expect("a board");
    let outcome = board.shortest();
    assert_eq!(outcome.proven(), Some(&4));
    assert_eq!(
        board.draw(outcome.solution().expect("there is one")),
        "2─────2\n* · 3─3\n· · · ·\n"
    );
}

#[test]
fn narrow_and_wide_boards_are_solved_and_wrong_terminals_refused() {
    let line: ManhattanWiring = "1 6\n2 0 2 3 0 3\n".parse().expect("a board");
    assert_eq!(line.shortest().proven(), Some(&4));
    let crossed: ManhattanWiring = "1 4\n2 3 2 3\n".parse().expect("a board");
    assert!(crossed.shortest().is_proven_infeasible());

    let ends = |side| [[(0, 0), (0, side - 1)], [(side - 1, 0), (side - 1, side - 1)]];
    let stop = |side| {
        let board = ManhattanWiring::new(&grid(side, side), ends(side)).expect("corners");
        Sweep::new(&board).limits(Limits::new().states(100)).count().stop()
    };
    assert_eq!((stop(31), stop(32)), (Stop::StateLimit, Stop::StateTooWide));
    let error = |terminals| {
        ManhattanWiring::new(&grid(3, 3), terminals).expect_err("wrong terminals").to_string()
    };
    assert_eq!(
        error([[(0, 0), (0, 3)], [(2, 0), (2, 2)]]),
        "row 1, column 4: found no free cell, expected one for a terminal"
    );
    assert_eq!(
        error([[(0, 0), (0, 1)], [(2, 0), (0, 1)]]),
        "row 1, column 2: found a second terminal, expected at most one in a cell"
    );
}

#[test]
fn cases_end_with_two_zeros_or_with_the_text() {
    for end in ["0 0\n", "0 0", "", "\n\n", "0 0\r\n\r\n"] {
        let text = format!("2 3\n2 2 0\n0 3 3\n1 4\n2 2 3 3\r\n{end}");
        let lengths: Vec<_> = ManhattanWiring::cases(&text)
            .expect(&text)
            .iter()
            .map(|board| board.shortest().proven().copied())
            .collect();
        assert_eq!(lengths, [Some(2), Some(2)]);
    }
    assert_eq!(ManhattanWiring::cases(""), Ok(vec![]));
}
