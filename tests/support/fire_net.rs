//! Fire-net: known tree sizes, checks on all boards of a size, and audits of inferences at every
//! node.

use std::cell::Cell;

use proptest::prelude::*;
use secateurs::{Direction, Effect, Incumbent, Limits, Search, Verdict, hook};
use secateurs_problems::fire_net::{
    BoundKind, FireNetBoard, FireNetBranching, FireNetPrunings, FireNetSettings, SmallestSegment,
    maximum_matching,
};

/// The sides of empty boards, with the tree sizes without prunings and with prunings 1 to 2, 3, 4
/// and 5.
pub const EMPTY_BOARDS: [(usize, [u64; 5]); 3] = [
    (4, [1313, 209, 146, 5, 5]),
    (5, [32_826, 1546, 1060, 6, 6]),
    (6, [1_181_737, 13_327, 9297, 7, 7]),
];

/// Creates a random board.
pub fn random(rows: usize, columns: usize, empty: f64, seed: u64) -> FireNetBoard {
    FireNetBoard::random(rows, columns, empty, seed).expect("sizes and densities are in range")
}

/// Returns the number of nodes of the article's program with prunings 1 to `last`.
pub fn nodes(board: &FireNetBoard, last: usize) -> u64 {
    let outcome = FireNetSettings::article(FireNetPrunings::of(1..=last)).solve(board);
    assert_eq!(outcome.proven(), Some(&maximum_matching(board).len()));
    outcome.report().nodes()
}

/// Returns the numbers of placements of k bunkers on an empty board, C(n, k)²·k!, for k from 0.
pub fn rook_placements(side: u64) -> Vec<u64> {
    (0..=side)
        .scan(1, |count, k| {
            Some(std::mem::replace(count, *count * (side - k) * (side - k) / (k + 1)))
        })
        .collect()
}

/// Returns the number of ordered placements, Σ k!·r_k, from the numbers r_k of placements of k
/// bunkers.
pub fn ordered_placements(placements: &[u64]) -> u64 {
    let mut factorial = 1;
    let terms = placements.iter().zip(1..).map(|(placements, next)| {
        let term = placements * factorial;
        factorial *= next;
        term
    });
    terms.sum()
}

/// Compares trees with their known sizes, and the first two sizes with numbers of placements.
pub fn check_tree_sizes(boards: &[(usize, [u64; 5])]) {
    for &(side, sizes) in boards {
        assert_eq!(
            [0, 2, 3, 4, 5].map(|last| nodes(&FireNetBoard::empty(side, side), last)),
            sizes
        );
        let placements = rook_placements(side as u64);
        assert_eq!([ordered_placements(&placements), placements.iter().sum()], sizes[..2]);
    }
}

/// Solves random boards with every combination of bound and branching, and with no, some and all
/// prunings.
pub fn check_combinations_of_settings(rows: usize, columns: usize) {
    for seed in 0..6 {
        let board = random(rows, columns, 0.75, seed).with_random_bunkers(seed as usize % 3, seed);
        let optimum = maximum_matching(&board).len();
        let bounds = BoundKind::ALL.map(Some).into_iter().chain([None]);
        for bound in bounds {
            for branching in FireNetBranching::ALL {
                for prunings in
                    [FireNetPrunings::NONE, FireNetPrunings::of(1..=5), FireNetPrunings::ALL]
                {
                    let settings = FireNetSettings::default()
                        .bound(bound)
                        .branching(branching)
                        .prunings(prunings);
                    let outcome = settings.solve(&board);
                    assert_eq!(outcome.proven(), Some(&optimum), "{settings:?}\n{board}");
                    assert_eq!(outcome.solution().map(Vec::len), Some(optimum));
                }
            }
        }
    }
}

/// Solves the board with these prunings and each of the settings, and compares with the matching.
pub fn check(
    board: &FireNetBoard,
    prunings: FireNetPrunings,
    settings: &[FireNetSettings],
) -> Result<(), String> {
    let optimum = maximum_matching(board).len();
    for settings in settings {
        let outcome = settings.clone().prunings(prunings).solve(board);
        if outcome.proven() != Some(&optimum) {
            return Err(format!(
                "{prunings}, {settings:?}: {:?}, not {optimum}, on\n{board}",
                outcome.value()
            ));
        }
    }
    Ok(())
}

/// Checks that an inference preserves the optimum of every subtree: two hooks compute the optimum
/// of each node, before and after the inference, and must agree. If there is an `exclusion_seed`,
/// some candidates are first excluded at random, because an inference must be sound in every state.
/// Returns the number of bunkers that were inferred.
fn audit(
    board: &FireNetBoard,
    number: usize,
    branching: FireNetBranching,
    nodes: u64,
    exclusion_seed: Option<u64>,
) -> Result<u64, String> {
    let mut random = exclusion_seed.map(fastrand::Rng::with_seed);
    let optimum_before = Cell::new(0);
    let violation = Cell::new(None);
    let incumbent = Incumbent::new(Direction::Maximise);
    let settings = FireNetSettings::default()
        .prunings(FireNetPrunings::of([number]))
        .branching(branching)
        .bound(None);
    let inference = settings.hooks(&incumbent).pop().expect("one pruning, one hook");
    let before = hook::enter("before", Effect::Preserving, |node| {
        let board: &FireNetBoard = node.problem();
        node.state_mut().exclude_passed(board);
        if let Some(random) = &mut random {
            for _ in 0..=board.cells() / 8 {
                node.state_mut().exclude(board, random.usize(0..board.cells()));
            }
        }
        optimum_before.set(BoundKind::Matching.at(board, node.state()));
        Verdict::Keep
    });
    let after = hook::watch("after", |node: &secateurs::Node<'_, FireNetBoard>| {
        if BoundKind::Matching.at(node.problem(), node.state()) != optimum_before.get() {
            let this = || format!("after {:?}: {:?}", node.path(), node.state().bunkers());
            let first = violation.take().unwrap_or_else(this);
            violation.set(Some(first));
        }
    });
    let search =
        Search::new(board).hooks((before, inference, after)).limits(Limits::new().nodes(nodes));
    let outcome = match branching {
        FireNetBranching::Cells => search.count(),
        FireNetBranching::Segments => search.brancher(SmallestSegment::new()).count(),
        FireNetBranching::Matching => search.brancher(SmallestSegment::matched_first()).count(),
    };
    let report = outcome.report();
    let placed = report.hooks()[1].stat("placed").unwrap_or(0);
    match violation.take() {
        Some(violation) => Err(format!("pruning {number}, {branching}: {violation} on\n{board}")),
        None => Ok(placed),
    }
}

/// Audits every inference on a board, with and without excluded candidates.
pub fn audit_every_inference(board: &FireNetBoard, seed: u64) -> Result<(), String> {
    for number in 5..=10 {
        for branching in FireNetBranching::ALL {
            for exclusion_seed in [None, Some(seed), Some(!seed)] {
                audit(board, number, branching, 60, exclusion_seed)?;
            }
        }
    }
    Ok(())
}

/// Audits every inference on all boards of a size. Each must place more than `least` bunkers,
/// because the audit of an inference that never applies is vacuous.
pub fn audit_all_boards(rows: usize, columns: usize, least: u64) {
    let mut placed = [0; 11];
    for walls in 0..1u32 << (rows * columns) {
        let board = FireNetBoard::new(rows, columns, |row, column| {
            walls >> (columns * row + column) & 1 == 1
        });
        for (number, placed) in placed.iter_mut().enumerate().skip(5) {
            for branching in FireNetBranching::ALL {
                *placed += audit(&board, number, branching, 40, None)
                    .unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
    assert!(placed[5..].iter().all(|&placed| placed > least), "{placed:?}");
}

/// Generates random boards of up to `most` rows and columns, with up to five bunkers.
pub fn boards(most: usize) -> impl Strategy<Value = FireNetBoard> {
    (1..=most, 1..=most, 0.5..0.95, any::<u64>(), 0usize..6).prop_map(
        |(rows, columns, empty, seed, bunkers)| {
            FireNetBoard::random(rows, columns, empty, seed)
                .expect("in range")
                .with_random_bunkers(bunkers, !seed)
        },
    )
}
