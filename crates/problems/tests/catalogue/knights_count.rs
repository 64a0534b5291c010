//! Meet in the middle: closed knight's tours, other symmetric graphs, and the join by itself.

use std::time::Duration;

use proptest::prelude::*;
use secateurs::plug::algebra::Counting;
use secateurs::plug::meet_in_the_middle::{
    DenseMates, Joint, MeetSplit, SplitError, join, join_with_image,
};
use secateurs::plug::{ContourProblem, Overflow, Sweep};
use secateurs::{Cancel, Limits, Stop};
use secateurs_problems::catalogue::graphs::HamiltonianCycles;
use secateurs_problems::catalogue::{Grid, KnightsTours, hamiltonian_cycles};
use secateurs_problems::graph::{Graph, Order};
use secateurs_problems::knights_tour::{NoTour, TourBoard};

use crate::shared::known::{self, CLOSED_TOURS, HAMILTONIAN_CYCLES};
use crate::shared::sweeps::Steps;

fn tours(rows: usize, columns: usize) -> KnightsTours<'static> {
    KnightsTours::new(TourBoard::new(rows, columns).expect("a board")).expect("not too large")
}

#[test]
fn tours_have_known_counts_in_both_orientations() {
    known::check("closed tours", CLOSED_TOURS, usize::MAX, |rows, columns| {
        tours(rows, columns).count().exact().expect("no limit")
    });
}

/// More columns than nine do not fit into a word.
#[test]
#[ignore = "2 minutes, 1.5 GB: cargo test --release --test catalogue -- --ignored knights_count"]
fn tours_of_large_boards_have_the_known_counts() {
    let known = [(7, 8, 34_524_432_316), (6, 9, 3_374_967_940), (8, 8, 13_267_364_410_532)];
    for (rows, columns, number) in known {
        let outcome = tours(rows, columns).threads(2).limits(Limits::new().memory(4 << 30)).count();
        assert_eq!(outcome.exact(), Some(number), "{rows} × {columns}");
    }
}

/// Splits a grid of four columns and an even number of rows by half a turn.
fn strip_split(rows: usize) -> MeetSplit {
    let graph = Graph::grid(&[rows, 4]).expect("a grid");
    let turned: Vec<usize> = (0..4 * rows).rev().collect();
    let order: Vec<usize> = (0..4 * (rows / 2 - 1)).collect();
    MeetSplit::new(graph.edges(), &turned, &order).expect("a symmetry")
}

/// The counts of the half exceed 32 bits in the strip of 50 rows, and 64 bits in that of 140 rows.
/// The sweep widens its counters, and must not start again from the first cell.
#[test]
fn the_half_is_swept_once_whatever_the_width_of_the_numbers() {
    for (rows, stop) in [(50, Stop::Exhausted), (140, Stop::CountOverflow)] {
        let (split, mut cells) = (strip_split(rows), Vec::new());
        let outcome = split
            .cycles()
            .progress(Duration::ZERO, |progress| cells.push(progress.cells_done))
            .count();
        assert_eq!(outcome.stop(), stop, "{rows} rows");
        assert!(cells.is_sorted_by(|one, next| one < next), "{rows} rows: {cells:?}");
        // The states of the last layer are not expanded.
        let levels = outcome.report().levels();
        let nodes = levels[..levels.len() - 1].iter().map(|level| level.nodes).sum::<u64>();
        for (limit, expected) in [(nodes, stop), (nodes - 1, Stop::NodeLimit)] {
            let limited = split.cycles().limits(Limits::new().nodes(limit)).count();
            assert_eq!(limited.stop(), expected, "{rows} rows, {limit} nodes");
        }
    }
    let whole = hamiltonian_cycles(&Grid::new(50, 4).expect("a board"));
    assert_eq!(strip_split(50).cycles().count().exact(), Sweep::new(&whole).count().exact());
}

#[test]
fn boards_without_a_tour_count_zero() {
    for (rows, columns) in [(1, 9), (2, 2), (2, 12), (3, 8), (4, 9), (7, 9)] {
        let outcome = tours(rows, columns).count();
        let found = (outcome.exact(), outcome.stop());
        assert_eq!(found, (Some(0), Stop::Exhausted), "{rows}×{columns}");
    }
    assert_eq!(tours(7, 7).split().err(), Some(NoTour::OddClosed));
    // Boards without a tour are not limited in size.
    assert_eq!(tours(4, 1 << 20).count().exact(), Some(0));
    assert_eq!(tours(4001, 4001).count().exact(), Some(0));
}

/// Splits a board of an even number of rows, without assigning middle edges to the halves.
fn plain_split(rows: usize, columns: usize) -> MeetSplit {
    let graph = Graph::knight(rows, columns).expect("a board");
    let image: Vec<usize> =
        (0..rows * columns).map(|at| (rows - 1 - at / columns) * columns + at % columns).collect();
    let order: Vec<usize> = (0..(rows / 2 - 1) * columns).collect();
    MeetSplit::new(graph.edges(), &image, &order).expect("a symmetry")
}

#[test]
fn any_assignment_of_middle_edges_gives_the_same_count() {
    let (rows, columns) = (6, 6);
    let image = |at: usize| (rows - 1 - at / columns) * columns + at % columns;
    for choice in 0..1 << 4 {
        // The moves to the right from row 2, counted from 0.
        let moves = (0..4).map(|column| (2 * columns + column, 3 * columns + column + 2));
        let chosen = moves.enumerate().map(|(index, (a, b))| {
            if choice >> index & 1 == 1 { vec![(image(a), image(b))] } else { vec![(a, b)] }
        });
        let split = plain_split(rows, columns).with_middle(chosen.collect()).expect("one of each");
        assert_eq!(split.cycles().count().exact(), Some(9862));
    }
    let all_at_once =
        (0..4).map(|column| (2 * columns + column, 3 * columns + column + 2)).collect();
    let split = plain_split(rows, columns).with_middle(vec![all_at_once]).expect("one of each");
    assert_eq!(split.cycles().count().exact(), Some(9862));
}

#[test]
fn counts_are_exact_up_to_128_bits_and_overflow_beyond() {
    for columns in [40, 60] {
        let board = Graph::knight(3, columns).expect("a board");
        let whole =
            Sweep::new(&HamiltonianCycles::<u64>::new(&Order::breadth_first(&board))).count();
        let outcome = tours(3, columns).count();
        assert!(outcome.exact() > Some(1 << 32) && outcome.exact() == whole.exact(), "3×{columns}");
    }
    let too_many = tours(3, 250).count();
    assert_eq!((too_many.exact(), too_many.stop()), (None, Stop::CountOverflow));
    let message = tours(3, 160).count().complete().expect_err("too many").to_string();
    assert!(message.contains("after cell") && message.contains("count overflow"), "{message}");
}

#[test]
fn states_of_frontiers_up_to_the_maximal_width_fit() {
    assert!(DenseMates::check_width(DenseMates::MAX_WIDTH).is_ok());
    assert!(DenseMates::check_width(DenseMates::MAX_WIDTH + 1).is_err());
    assert!(DenseMates::check_width(usize::MAX).is_err());
}

#[test]
fn threads_change_neither_count_nor_state_counts() {
    let one = tours(5, 8).count();
    for threads in [0, 2, 3] {
        let many = tours(5, 8).threads(threads).count();
        assert_eq!((many.exact(), many.report().levels()), (one.exact(), one.report().levels()));
    }
}

#[test]
fn limits_stop_the_count() {
    let stop = |limits: Limits| {
        let outcome = tours(6, 8).limits(limits).count();
        assert_eq!(outcome.exact(), None);
        outcome.complete().expect_err("not complete")
    };
    let memory = stop(Limits::new().memory(1 << 20));
    assert_eq!(memory.stop(), Stop::MemoryLimit);
    assert!(memory.cell() > Some(5) && memory.states() > Some(1000));
    assert!(memory.to_string().contains("try more memory"), "{memory}");
    assert_eq!(stop(Limits::new().memory(0)).stop(), Stop::MemoryLimit);
    assert_eq!(stop(Limits::new().states(1000)).stop(), Stop::StateLimit);
    assert_eq!(stop(Limits::new().nodes(1000)).stop(), Stop::NodeLimit);
    assert_eq!(stop(Limits::new().time(Duration::ZERO)).stop(), Stop::TimeLimit);
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(stop(Limits::new().cancel(&cancel)).stop(), Stop::Cancelled);
}

/// The sweep that determines which degrees the far half can complete obeys the limits as well. On
/// this board it would have a hundred million states.
#[test]
fn limits_stop_the_sweep_of_degrees() {
    let outcome = tours(10, 9).limits(Limits::new().states(1000)).count();
    assert_eq!((outcome.exact(), outcome.stop()), (None, Stop::StateLimit));
}

#[test]
fn too_wide_boards_stop_and_too_large_boards_are_refused() {
    for (rows, columns) in [(10, 10), (12, 11), (64, 64)] {
        let stopped = tours(rows, columns).count().complete().expect_err("too wide");
        assert_eq!(stopped.stop(), Stop::StateTooWide, "{rows}×{columns}");
        assert!(stopped.to_string().contains("bits"), "{stopped}");
    }
    let board = TourBoard::new(65, 64).expect("a board");
    let error = KnightsTours::new(board).err().map(|error| error.to_string());
    assert_eq!(
        error.as_deref(),
        Some("found a board of 4160 squares, expected at most 4096 to count its tours")
    );
}

#[test]
fn progress_is_reported_after_each_cell() {
    let mut cells = Vec::new();
    let outcome =
        tours(6, 6).progress(Duration::ZERO, |progress| cells.push(progress.cells_done)).count();
    assert_eq!(outcome.exact(), Some(9862));
    assert_eq!(cells, (1..=cells.len()).collect::<Vec<_>>());
}

#[test]
fn hamiltonian_cycles_of_a_grid_meet_in_the_middle() {
    // Half a turn maps no edge of an even board to itself.
    let squares = HAMILTONIAN_CYCLES.iter().filter(|row| row.0 == row.1);
    for &(side, _, count) in squares.filter(|row| row.0 % 2 == 0 && row.0 <= 8) {
        let graph = Graph::grid(&[side, side]).expect("a grid");
        let image: Vec<usize> = (0..side * side).rev().collect();
        // The boundary is the two middle rows, because only one row of a half is adjacent to the
        // other half. On 2×2 it is a vertex and its image.
        let order: Vec<usize> = (0..((side / 2 - 1) * side).max(1)).collect();
        let split = MeetSplit::new(graph.edges(), &image, &order).expect("a symmetry");
        assert_eq!(split.cycles().count().exact(), Some(count), "{side}×{side}");
    }
}

#[test]
fn errors_of_splits_name_the_vertex_or_edge() {
    // A ring of six, whose half turn is vertex + 3.
    let ring = Graph::cycle(6).expect("a ring");
    let turn = [3, 4, 5, 0, 1, 2];
    let error = |image: &[usize], order: &[usize]| MeetSplit::new(ring.edges(), image, order).err();
    assert_eq!(error(&turn, &[0]), None);
    assert_eq!(error(&turn, &[]), Some(SplitError::NoInnerVertex));
    assert_eq!(error(&turn, &[6]), Some(SplitError::NoSuchVertex { vertex: 6, vertices: 6 }));
    assert_eq!(error(&turn, &[0, 0]), Some(SplitError::InBothHalves { vertex: 0 }));
    assert_eq!(error(&turn, &[0, 3]), Some(SplitError::InBothHalves { vertex: 3 }));
    assert!(matches!(error(&turn, &[0, 1, 2]), Some(SplitError::HalvesTouch { .. })));
    assert_eq!(error(&turn[..5], &[0]), Some(SplitError::NoSuchVertex { vertex: 5, vertices: 5 }));
    assert_eq!(error(&[1, 2, 3, 4, 5, 0], &[0]), Some(SplitError::NotItsOwnInverse { vertex: 0 }));
    assert_eq!(error(&[9, 1, 2, 3, 4, 5], &[0]), Some(SplitError::NotItsOwnInverse { vertex: 0 }));
    assert!(matches!(error(&[1, 0, 2, 3, 4, 5], &[0]), Some(SplitError::NoSymmetry { .. })));
    // The mirror that swaps 0 and 1 maps the edge 3–4 to itself.
    assert_eq!(error(&[1, 0, 5, 4, 3, 2], &[2]), Some(SplitError::OwnImage { edge: (0, 1) }));

    for not_simple in [&[(0, 1), (2, 3), (1, 0)][..], &[(0, 3), (2, 2)]] {
        let split = MeetSplit::new(not_simple.iter().copied(), &turn, &[0]);
        assert_eq!(split.err(), Some(SplitError::NotSimple));
    }

    let split = MeetSplit::new(ring.edges(), &turn, &[0]).expect("a symmetry");
    assert_eq!(
        split.clone().with_mirror(&turn[..5]).err(),
        Some(SplitError::WrongLength { found: 5, vertices: 6 })
    );
    assert_eq!(split.cycles().count().exact(), Some(1));
    // The middle edges are 1–2 and its image 4–5.
    let with_middle =
        |edges: &[(usize, usize)]| split.clone().with_middle(vec![edges.to_vec()]).err();
    assert_eq!(with_middle(&[(5, 4)]), None);
    assert!(
        with_middle(&[]).is_some()
            && with_middle(&[(1, 2), (4, 5)]).is_some()
            && with_middle(&[(0, 1)]).is_some()
    );
    assert_eq!(with_middle(&[(1, 9)]), Some(SplitError::NotDivided { edge: (1, 9) }));
    // The mirror that keeps 0 and 3 in place maps 1–2 to 5–4, which belongs to the other half.
    assert!(matches!(
        split.clone().with_mirror(&[0, 5, 4, 3, 2, 1]).err(),
        Some(SplitError::NotDivided { .. })
    ));
    assert_eq!(
        split.clone().with_mirror(&turn).err(),
        Some(SplitError::NotOfTheHalf { vertex: 0 })
    );
    for error in [error(&turn, &[6]), error(&turn, &[]), with_middle(&[])].into_iter().flatten() {
        assert!(
            error.to_string().contains("expected") || error.to_string().contains("among"),
            "{error}"
        );
    }
}

/// Counts Hamiltonian cycles by walking all paths from vertex 0.
fn cycles_by_enumeration(graph: &Graph) -> u128 {
    fn ways(graph: &Graph, at: usize, seen: u32) -> u128 {
        if seen.count_ones() as usize == graph.vertices() {
            return u128::from(graph.neighbours(at).any(|next| next == 0));
        }
        graph
            .neighbours(at)
            .filter(|&next| seen >> next & 1 == 0)
            .map(|next| ways(graph, next, seen | 1 << next))
            .sum()
    }
    ways(graph, 0, 1) / 2
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The graphs have a near half, a boundary and a far half, and any edges that respect the
    /// symmetry.
    #[test]
    fn random_symmetric_graphs_agree_with_enumeration(
        inner in 1..4_usize,
        pairs in 1..4_usize,
        dice in prop::collection::vec(0..4_u8, 200),
    ) {
        let vertices = 2 * (inner + pairs);
        // A vertex and its image have consecutive numbers: 0 and 1, 2 and 3, …. The even vertices
        // below 2·inner are the near half.
        let image: Vec<usize> = (0..vertices).map(|vertex| vertex ^ 1).collect();
        let is_near = |vertex: usize| vertex < 2 * inner && vertex.is_multiple_of(2);
        let is_far = |vertex: usize| vertex < 2 * inner && vertex % 2 == 1;
        let mut dice = dice.into_iter();
        let mut edges = Vec::new();
        for a in 0..vertices {
            for b in a + 1..vertices {
                let image_edge = ((a ^ 1).min(b ^ 1), (a ^ 1).max(b ^ 1));
                let joins_halves = (is_near(a) && is_far(b)) || (is_far(a) && is_near(b));
                if (a, b) < image_edge && !joins_halves && dice.next().unwrap_or(0) > 0 {
                    edges.extend([(a, b), image_edge]);
                }
            }
        }
        let graph = Graph::from_edges(vertices, edges).expect("a graph");
        let order: Vec<usize> = (0..inner).map(|vertex| 2 * vertex).collect();
        let split = MeetSplit::new(graph.edges(), &image, &order).expect("a symmetry");
        prop_assert_eq!(split.cycles().count().exact(), Some(cycles_by_enumeration(&graph)));
    }
}

/// Returns the domino tilings of rows; dominoes may extend beyond the last row. A state has one bit
/// per column: whether the next square in it is covered.
fn dominoes(rows: usize, columns: usize) -> impl ContourProblem<State = u32> {
    Steps::new(rows * columns, 0_u32, move |cell, taken, emit| {
        let column = cell % columns;
        if taken >> column & 1 == 1 {
            return emit(taken & !(1 << column), ());
        }
        emit(taken | 1 << column, ());
        if column + 1 < columns && taken >> (column + 1) & 1 == 0 {
            emit(taken | 1 << (column + 1), ());
        }
    })
}

/// The joint of two halves that share the dominoes across the middle.
struct DominoJoint;

impl Joint<u32> for DominoJoint {
    type Key = u32;

    fn key(&self, across: u32) -> u32 {
        across
    }
    fn partner(&self, across: u32) -> u32 {
        across
    }
    fn count_completions<V: Copy + Into<u128>>(
        &self,
        _: u32,
        near: &[(u32, V)],
        far: &[(u32, V)],
    ) -> Result<u128, Overflow> {
        let ways = |ends: &[(u32, V)]| ends.iter().map(|&(_, ways)| ways.into()).sum::<u128>();
        ways(near).checked_mul(ways(far)).ok_or(Overflow)
    }
}

#[test]
fn domino_tilings_meet_in_the_middle() {
    let half = |rows, columns| {
        let (ends, report) =
            Sweep::new(&dominoes(rows, columns)).ends(&Counting::<u64>::new()).into_parts();
        assert_eq!(report.stop(), Stop::Exhausted);
        ends
    };
    for threads in [1, 2] {
        assert_eq!(join_with_image(&DominoJoint, half(1, 2), threads), Ok(2));
        assert_eq!(join_with_image(&DominoJoint, half(2, 4), threads), Ok(36));
        assert_eq!(join_with_image(&DominoJoint, half(4, 8), threads), Ok(12_988_816));
    }
    // Halves of different sizes: 5 rows are 2 and 3. The far half is swept from the last row up.
    let near: Vec<_> = half(2, 4);
    let far: Vec<_> = half(3, 4);
    assert_eq!(join(&DominoJoint, near, far, 1), Ok(95));
    assert_eq!(join(&DominoJoint, vec![(0, u128::MAX)], vec![(0, 2_u128)], 1), Err(Overflow));
}
