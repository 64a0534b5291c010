//! Files with a correct checksum whose choices do not belong to the problem.

use std::fmt;
use std::time::Duration;

use secateurs::checkpoint::{Fingerprint, LoadError};
use secateurs::search::{Checkpoint, Frontier};
use secateurs::{Direction, Incumbent, Limits, Problem, Search, Stop};
use secateurs_csp::Propagate;
use secateurs_problems::clique::{Cliques, ColouringBound};
use secateurs_problems::coloring::Coloring;
use secateurs_problems::fire_net::{FireNetBoard, FireNetSettings};
use secateurs_problems::graph::Graph;
use secateurs_problems::knights_tour::{self, KnightsTour};
use secateurs_problems::langford::Langford;
use secateurs_problems::maze::Maze;
use secateurs_problems::queens::Queens;
use secateurs_problems::sudoku::Sudoku;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::shared::frontiers::begun;
use crate::support::scratch::Directory;

/// Saves the frontier of a search of `large` under the fingerprint of `small`, and resumes the
/// search of `small` from it.
fn assert_refused<P>(small: &P, large: &P)
where
    P: Problem<Choice: Clone + Serialize + DeserializeOwned + fmt::Debug>,
{
    let directory = Directory::new();
    let fingerprint = Search::new(small).fingerprint(Fingerprint::new("forged", &()));
    let frontier = begun(Search::new(large), 20);
    frontier.check(large).expect("its own choices");
    frontier.save(directory.file(), &fingerprint).expect("saved");
    let mut checkpoint =
        Checkpoint::new(directory.file(), Duration::ZERO, Fingerprint::new("forged", &()));
    let search = Search::new(small).limits(Limits::new().nodes(1000));
    match search.resume(&mut checkpoint).map(Search::count) {
        Err(error) => match error.reason() {
            LoadError::Inconsistent { reason } => {
                assert!(reason.contains("cannot make"), "{reason}")
            }
            _ => panic!("{error}"),
        },
        Ok(outcome) => panic!("resumed: {outcome:?}"),
    }
    // A caller that reads the frontier without checking it gets no panic either.
    for parts in 1..=2 {
        let read = Frontier::load(directory.file(), &fingerprint).expect("well-formed");
        let refused = read.split(parts).into_iter().map(|mut part| {
            let is_impossible = part.check(small).is_err();
            let outcome = Search::new(small).frontier(&mut part).count();
            assert_eq!(outcome.stop() == Stop::Interrupted, is_impossible);
            is_impossible
        });
        assert!(refused.filter(|&refused| refused).count() > 0);
    }
}

/// An empty board whose boxes have `side` rows and columns.
fn sudoku(side: usize) -> Sudoku {
    Sudoku::blank(side, side).expect("a small board")
}

fn coloring(vertices: usize) -> Coloring {
    Coloring::new(Graph::cycle(vertices).expect("a small graph"))
}

fn cliques(vertices: usize) -> Cliques {
    let pairs = (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to)));
    Cliques::new(&Graph::from_edges(vertices, pairs).expect("a small graph"))
        .expect("a small graph")
}

fn tours(side: usize) -> KnightsTour {
    KnightsTour::open(knights_tour::TourBoard::new(side, side).expect("a small board"))
}

fn queens(size: usize) -> Queens {
    Queens::new(size).expect("a small board")
}

fn langford(numbers: usize) -> Langford {
    Langford::new(numbers).expect("a few numbers")
}

fn maze(text: &str) -> Maze {
    text.parse().expect("a maze")
}

#[test]
fn problems_refuse_choices_that_they_do_not_have() {
    // Cells, options, vertices, variables and values, steps into walls, squares, and columns.
    assert_refused(&FireNetBoard::empty(2, 2), &FireNetBoard::empty(5, 5));
    assert_refused(langford(3).cover().cover(), langford(8).cover().cover());
    assert_refused(&sudoku(2).cover(), &sudoku(3).cover());
    assert_refused(&cliques(3), &cliques(80));
    assert_refused(&sudoku(2).network(), &sudoku(3).network());
    let network = |vertices| coloring(vertices).network(3, &[]).expect("a small network");
    assert_refused(&network(4), &network(40));
    assert_refused(&maze("S.\n#G\n"), &maze("S.....\n.....G\n......\n......\n"));
    assert_refused(&tours(3), &tours(8));
    assert_refused(&queens(4).bits(), &queens(12).bits());
    assert_refused(&queens(4).marks(), &queens(12).marks());
    assert_refused(&queens(4).lookback(), &queens(12).lookback());
}

#[test]
fn frontiers_of_searches_with_tightening_hooks_are_accepted() {
    for nodes in (1..200).step_by(7) {
        let board = FireNetBoard::random(7, 7, 0.8, nodes).expect("a small board");
        let known = Incumbent::new(Direction::Maximise);
        let settings = FireNetSettings::default();
        let frontier = begun(settings.search(&board, &known), nodes);
        frontier.check(&board).expect("its own choices");

        let network = sudoku(3).network();
        let frontier = begun(Search::new(&network).hooks((Propagate::forward(),)), nodes);
        frontier.check(&network).expect("its own choices");

        let (cliques, size) = (cliques(12), Cliques::size());
        let bound = ColouringBound::new(size.incumbent());
        let frontier = begun(Search::new(&cliques).hooks((bound,)), nodes);
        frontier.check(&cliques).expect("its own choices");
    }
}

#[test]
fn choices_from_a_file_are_checked_after_a_merge() {
    let (small, large) = (queens(4).bits(), queens(12).bits());
    let directory = Directory::new();
    let fingerprint = Fingerprint::new("forged", &());
    let frontier = begun(Search::new(&large), 20);
    frontier.save(directory.file(), &fingerprint).expect("saved");
    for reversed in [false, true] {
        let own = Search::new(&small).split(Frontier::new(), 2).pop().expect("two parts");
        let read = Frontier::load(directory.file(), &fingerprint).expect("well-formed");
        let (mut one, other) = if reversed { (read, own) } else { (own, read) };
        one.merge(other);
        let outcome = Search::new(&small).frontier(&mut one).count();
        assert_eq!(outcome.stop(), Stop::Interrupted, "{reversed}");
    }
}
