//! Retained layers on a catalogue problem: every drawn cycle is traced, and the best ones are
//! compared with the list of all.

use std::collections::BTreeSet;

use secateurs::Direction;
use secateurs::plug::Sweep;
use secateurs::plug::algebra::{Counting, Natural};
use secateurs::plug::motzkin::{PathPiece, Side};
use secateurs_problems::catalogue::Strands;

use crate::support::problems::cycles;

/// Returns the cells of a solution in the order in which the cycle visits them, if it is one closed
/// loop through all cells. Uses only the neighbours that each piece connects its cell with.
fn traced(problem: &Strands, pieces: &[PathPiece]) -> Option<Vec<(usize, usize)>> {
    let grid = problem.grid();
    let neighbours = |(row, column): (usize, usize)| {
        let cell = grid.cell(row, column);
        let sides = problem.sides(cell, pieces[cell]);
        let all = [
            (sides.up, (row.wrapping_sub(1), column)),
            (sides.right, (row, column + 1)),
            (sides.down, (row + 1, column)),
            (sides.left, (row, column.wrapping_sub(1))),
        ];
        all.into_iter().filter(|(leads, _)| *leads).map(|(_, to)| to).collect::<Vec<_>>()
    };
    let mut walk = vec![(0, 0)];
    let mut seen = BTreeSet::from([(0, 0)]);
    loop {
        let here = *walk.last()?;
        let next = neighbours(here);
        // A connection has to be mutual.
        let mutual = next.iter().all(|&(row, column)| {
            row < grid.rows()
                && column < grid.columns()
                && neighbours((row, column)).contains(&here)
        });
        if next.len() != 2 || !mutual {
            return None;
        }
        match next.iter().find(|&&next| !seen.contains(&next)) {
            Some(&next) => {
                seen.insert(next);
                walk.push(next);
            }
            None => break,
        }
    }
    let closed = neighbours(*walk.last()?).contains(&walk[0]);
    (closed && walk.len() == grid.cells()).then_some(walk)
}

/// Returns a pseudorandom weight from −100 to 100.
fn weight(cell: usize, piece: PathPiece) -> i64 {
    let sides = [
        piece.came_by(Side::Low),
        piece.came_by(Side::High),
        piece.goes_by(Side::Low),
        piece.goes_by(Side::High),
    ];
    let piece = sides.into_iter().fold(1, |bits, side| 2 * bits + u64::from(side));
    let hash = (32 * cell as u64 + piece).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((hash >> 40) % 201) as i64 - 100
}

#[test]
fn all_cycles_of_a_6_by_6_board_are_listed_and_ranked() {
    let problem = cycles(6, 6);
    let retained = Sweep::new(&problem).retain_layers().unwrap();
    assert_eq!(retained.count().exact(), Some(1072));
    let all: Vec<Vec<PathPiece>> = retained.solutions().collect();
    assert_eq!(all.len(), 1072);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 1072, "all different");
    assert!(all.iter().all(|pieces| traced(&problem, pieces).is_some()), "all of them cycles");

    // A complete set of cycles contains the mirror image of each of them.
    let edge_sets = |mirrored: bool| -> BTreeSet<BTreeSet<BTreeSet<(usize, usize)>>> {
        let edges = |pieces: &Vec<PathPiece>| {
            let walk = traced(&problem, pieces).expect("a cycle");
            let mirror = |(row, column): (usize, usize)| {
                if mirrored { (row, 5 - column) } else { (row, column) }
            };
            (0..36)
                .map(|at| BTreeSet::from([mirror(walk[at]), mirror(walk[(at + 1) % 36])]))
                .collect()
        };
        all.iter().map(edges).collect()
    };
    assert_eq!(edge_sets(false).len(), 1072);
    assert_eq!(edge_sets(false), edge_sets(true));

    // The best solution, and all in order, compared with a sorted list.
    let total = |pieces: &[PathPiece]| {
        pieces.iter().enumerate().map(|(cell, &piece)| weight(cell, piece)).sum::<i64>()
    };
    let mut weights: Vec<i64> = all.iter().map(|pieces| total(pieces)).collect();
    weights.sort_unstable();
    assert!(weights.first() < weights.last());
    for direction in [Direction::Minimise, Direction::Maximise] {
        let best = Sweep::new(&problem).best(direction, weight);
        assert_eq!(best.proven(), weights.first());
        assert_eq!(best.solution().map(|pieces| total(pieces)), weights.first().copied());
        assert!(best.solution().is_some_and(|pieces| traced(&problem, pieces).is_some()));
        let ranked: Vec<(i64, Vec<PathPiece>)> =
            retained.ranked(direction, weight).unwrap().collect();
        assert_eq!(ranked.iter().map(|(weight, _)| *weight).collect::<Vec<_>>(), weights);
        assert!(ranked.iter().all(|(weight, pieces)| *weight == total(pieces)));
        assert_eq!(
            ranked.into_iter().map(|(_, pieces)| pieces).collect::<BTreeSet<_>>().len(),
            1072
        );
        weights.reverse();
    }
}

#[test]
fn samples_of_larger_boards_are_cycles() {
    for (rows, columns) in [(8, 8), (10, 11), (5, 40)] {
        let problem = cycles(rows, columns);
        let samples = Sweep::new(&problem).threads(2).samples(1).unwrap();
        let different: BTreeSet<_> =
            samples.take(20).map(|pieces| traced(&problem, &pieces).expect("a cycle")).collect();
        assert_eq!(different.len(), 20);
    }
    // More cycles than 128 bits can count.
    let problem = cycles(6, 100);
    let retained = Sweep::new(&problem).retain_layers().unwrap();
    assert!(
        retained.run(&Counting::<Natural>::new()).total().is_some_and(|count| count.bits() > 128)
    );
    let drawn: BTreeSet<_> = retained
        .samples(1)
        .unwrap()
        .take(10)
        .map(|pieces| traced(&problem, &pieces).expect("a cycle"))
        .collect();
    assert_eq!(drawn.len(), 10);
    // A board without a cycle.
    let none = cycles(5, 5);
    assert!(Sweep::new(&none).first().is_proven_none());
    assert_eq!(Sweep::new(&none).samples(1).unwrap().next(), None);
}

#[test]
fn the_number_of_threads_does_not_change_the_solutions() {
    let problem = cycles(10, 12);
    let answers = |threads: usize| {
        let retained = Sweep::new(&problem).threads(threads).retain_layers().unwrap();
        let first: Vec<_> = retained.solutions().take(5).collect();
        let ranked: Vec<_> =
            retained.ranked(Direction::Maximise, weight).unwrap().take(5).collect();
        let samples: Vec<_> = retained.samples(3).unwrap().take(5).collect();
        (first, ranked, samples, retained.states().collect::<Vec<_>>(), retained.count().exact())
    };
    assert_eq!(answers(1), answers(2));
}
