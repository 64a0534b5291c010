//! Tests of Black & White: counts against known values and exhaustive search, and the parsers of
//! its inputs.

use proptest::prelude::*;
use secateurs::plug::Sweep;
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::{BlackAndWhite, Colour, Grid};
use secateurs_problems::graph::Graph;

use crate::grids::{Cell, free_cells, graph_of, grids};
use crate::shared::vertex_sets::{count_sets, is_connected};
use crate::support::problems::{count, grid};

#[test]
fn square_boards_have_known_counts() {
    for (side, colourings) in
        [(2, 12), (3, 34), (4, 96), (5, 660), (6, 7736), (7, 230_568), (8, 11_974_112)]
    {
        assert_eq!(count(&BlackAndWhite::new(&grid(side, side))), colourings, "{side} × {side}");
    }
}

#[test]
fn boards_of_one_line_agree_with_a_formula() {
    // Either all cells have one colour, or there is one border between the two colours.
    for length in 1..=20 {
        assert_eq!(count(&BlackAndWhite::new(&grid(1, length))), 2 * length as u128);
        assert_eq!(count(&BlackAndWhite::new(&grid(length, 1))), 2 * length as u128);
    }
    // An obstacle separates the two cells, so they have different colours.
    assert_eq!(count(&BlackAndWhite::new(&".*.".parse().expect("a board"))), 2);
    assert_eq!(count(&BlackAndWhite::new(&"***".parse().expect("a board"))), 1);
}

#[test]
fn too_wide_boards_stop_the_sweep() {
    // A state of 12 columns fits and exceeds the limit of states; one of 13 columns does not fit.
    let stop = |side| {
        Sweep::new(&BlackAndWhite::new(&grid(side, side)))
            .limits(Limits::new().states(100))
            .count()
            .stop()
    };
    assert_eq!((stop(12), stop(13)), (Stop::StateLimit, Stop::StateTooWide));
}

/// Returns whether a colouring of the free cells, with a bit set for white, is a solution.
fn is_solution(board: &BlackAndWhite, graph: &Graph, set: u32) -> bool {
    let cells = free_cells(board.grid());
    let all = (1u32 << cells.len()) - 1;
    let colour =
        |cell: Cell| cells.iter().position(|&other| other == cell).map(|cell| set >> cell & 1);
    let begins_block_of_one_colour = |&(row, column): &Cell| {
        let block = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
            .map(colour);
        block.iter().all(|&other| other == block[0])
    };
    let respects_given = |&(row, column): &Cell| {
        let given = board.given(row, column);
        given.is_none_or(|given| colour((row, column)) == Some((given == Colour::White).into()))
    };
    is_connected(graph, set)
        && is_connected(graph, all & !set)
        && !cells.iter().any(begins_block_of_one_colour)
        && cells.iter().all(respects_given)
}

/// Generates boards with obstacles and a few given colours.
fn boards() -> impl Strategy<Value = BlackAndWhite> {
    (grids(5, 14), prop::collection::vec((0..5usize, 0..5usize, any::<bool>()), 0..4)).prop_map(
        |(grid, given)| {
            given.into_iter().fold(BlackAndWhite::new(&grid), |board, (row, column, is_white)| {
                board.with_given(row, column, if is_white { Colour::White } else { Colour::Black })
            })
        },
    )
}

proptest! {
    #[test]
    fn counts_and_solutions_agree_with_exhaustive_search(board in boards()) {
        let graph = graph_of(board.grid());
        let solutions = count_sets(&graph, |set| is_solution(&board, &graph, set));
        prop_assert_eq!(count(&board), solutions);

        let found = Sweep::new(&board).first();
        prop_assert_eq!(found.exists(), Some(solutions > 0));
        if let Some(labels) = found.solution() {
            let picture = board.draw(labels);
            let is_coloured = |&cell: &char| cell == '#' || cell == 'o';
            let colours: Vec<char> = picture.chars().filter(is_coloured).collect();
            prop_assert_eq!(colours.len(), graph.vertices());
            let bits = (0..).zip(&colours).map(|(cell, &colour)| u32::from(colour == 'o') << cell);
            let set = bits.sum();
            prop_assert!(is_solution(&board, &graph, set), "{}", picture);
        }
    }

    #[test]
    fn display_and_parse_are_inverse(board in boards()) {
        let text = board.to_string();
        let read: BlackAndWhite = text.parse().expect("what was written");
        prop_assert_eq!(read.to_string(), text);
    }
}

#[test]
fn crlf_and_empty_lines_at_the_end_are_accepted() {
    let board: BlackAndWhite = "o.\r\n#*\r\n\r\n".parse().expect("a board");
    assert_eq!(board.given(1, 0), Some(Colour::Black));
    assert_eq!(board.given(0, 1), None);
    assert_eq!(board.grid(), &"..\n.*".parse::<Grid>().expect("a board"));
}

#[test]
fn inputs_of_the_contest_are_read() {
    let boards =
        BlackAndWhite::cases("2\r\n1 2\r\no.\r\n2 1\r\n#\r\n.\r\n\r\n").expect("two boards");
    assert_eq!(boards.iter().map(ToString::to_string).collect::<Vec<_>>(), ["o.\n", "#\n.\n"]);
    assert_eq!(BlackAndWhite::cases("0").map(|boards| boards.len()).ok(), Some(0));
}
