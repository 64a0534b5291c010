//! Knight's tours as an exact cover and as a network with a circuit: compared with known counts,
//! with the walk model, and with the permanent of the matrix of moves.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use secateurs::hook::Memo;
use secateurs::{Count, Effect, Hook, Limits, Outcome, Search};
use secateurs_cover::{Cover, CoverState};
use secateurs_csp::{Ascending, Assignment, Branching, Model, Propagate, SmallestDomain};
use secateurs_problems::knights_tour::{
    DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity, Square, Tour, TourBoard, TourSearch,
};

use crate::shared::knights_tour::{board, checked};
use crate::shared::known::CLOSED_TOURS;
use crate::support::sizes::sized;

/// Counts the tours by the cover.
fn count_by_cover(problem: &KnightsTour, limits: Limits) -> Outcome<Count> {
    let tours = problem.cover().expect("small");
    Search::new(tours.cover()).hook(tours.no_subtours()).limits(limits).count()
}

fn by_cover(problem: &KnightsTour) -> u128 {
    count_by_cover(problem, Limits::new()).exact().expect("exact")
}

/// Returns the first tour by the cover, checked, and the number of nodes.
fn first_by_cover(problem: &KnightsTour, limits: Limits) -> (Option<Tour>, u64) {
    let tours = problem.cover().expect("not too large");
    let search = Search::new(tours.cover()).hook(tours.no_subtours()).limits(limits);
    let outcome = search.first();
    let tour = outcome.solution().map(|options| tours.tour(options).expect("a tour"));
    (tour.inspect(|tour| _ = checked(tour)), outcome.report().nodes())
}

/// Returns the order of the searches of the network.
fn order() -> Branching<SmallestDomain, Ascending> {
    Branching::new(SmallestDomain::first_tie(), Ascending)
}

/// Counts the tours by the network.
fn count_by_circuit(problem: &KnightsTour, limits: Limits) -> Outcome<Count> {
    let tours = problem.circuit().expect("small");
    let search = Search::new(tours.network()).hook(Propagate::full()).brancher(order());
    search.limits(limits).count()
}

fn by_circuit(problem: &KnightsTour) -> u128 {
    count_by_circuit(problem, Limits::new()).exact().expect("exact")
}

/// Returns the first tour by the network, checked, and the number of nodes.
fn first_by_circuit(problem: &KnightsTour, limits: Limits) -> (Option<Tour>, u64) {
    let tours = problem.circuit().expect("not too large");
    let search = Search::new(tours.network()).hook(Propagate::full()).brancher(order());
    let outcome = search.limits(limits).extract(Assignment::of).first();
    let tour = outcome.solution().map(|next| tours.tour(next).expect("a tour"));
    (tour.inspect(|tour| _ = checked(tour)), outcome.report().nodes())
}

/// Computes the permanent of the matrix of moves, by dynamic programming over the dark squares: for
/// each set of light squares, the number of ways to move from the dark squares so far to this set.
fn permanent(board: TourBoard) -> u128 {
    let squares: Vec<Square> = board.squares().collect();
    // Every move changes colour, so the permanent is the product of the permanents of two blocks:
    // the moves from dark to light squares, and those back. They are equal.
    let dark: Vec<usize> = (0..squares.len()).filter(|&at| board.is_dark(squares[at])).collect();
    if 2 * dark.len() != squares.len() {
        return 0;
    }
    let mut ways = BTreeMap::from([(0_u64, 1_u128)]);
    for from in dark {
        let mut after = BTreeMap::new();
        for (used, count) in ways {
            let is_free =
                |to: &usize| board.is_move(squares[from], squares[*to]) && used >> to & 1 == 0;
            for to in (0..squares.len()).filter(is_free) {
                *after.entry(used | 1 << to).or_insert(0) += count;
            }
        }
        ways = after;
    }
    ways.values().sum::<u128>().pow(2)
}

#[test]
fn both_models_count_closed_tours() {
    for &(rows, columns, tours) in CLOSED_TOURS.iter().filter(|row| row.0 * row.1 <= sized(36, 42))
    {
        let problem = KnightsTour::closed(board(rows, columns));
        assert_eq!(by_cover(&problem), 2 * tours, "{rows}×{columns}, cover");
        assert_eq!(by_circuit(&problem), 2 * tours, "{rows}×{columns}, circuit");
    }
    assert_eq!(by_cover(&KnightsTour::closed(board(5, 8))), 2 * 44_202);
}

#[test]
fn both_models_count_open_tours() {
    let any = [
        (1, 1, 1),
        (1, 2, 0),
        (2, 2, 0),
        (3, 3, 0),
        (3, 4, 16),
        (3, 5, 0),
        (4, 4, 0),
        (3, 7, 104),
        (4, 5, 164),
        (5, 5, 1728),
    ];
    let any = any.map(|(rows, columns, tours)| (KnightsTour::open(board(rows, columns)), tours));
    let starts = [(0, 0, 304), (2, 2, 64), (1, 1, 56), (0, 2, 56), (0, 1, 0)];
    let starts = starts.map(|(row, column, tours)| {
        let open = KnightsTour::open(board(5, 5));
        (open.starting_at(row, column).expect("on the board"), tours)
    });
    for (problem, tours) in any.iter().chain(&starts) {
        assert_eq!((by_cover(problem), by_circuit(problem)), (*tours, *tours), "{problem:?}");
    }
}

#[test]
fn without_the_hook_a_cover_counts_cycle_covers() {
    for (rows, columns) in
        [(1, 1), (2, 3), (3, 3), (3, 4), (4, 4), (3, 6), (4, 5), (3, 8), (5, 5), (4, 6)]
    {
        let tours = KnightsTour::closed(board(rows, columns)).cover().expect("small");
        let cycles = Search::new(tours.cover()).count().exact();
        assert_eq!(cycles, Some(permanent(board(rows, columns))), "{rows}×{columns}");
    }
    // Boards without tours have cycle covers.
    assert_eq!(permanent(board(4, 6)), 28_561);
    let tours = KnightsTour::closed(board(4, 4)).cover().expect("small");
    for options in Search::new(tours.cover()).solutions() {
        let error = tours.tour(&options).expect_err("4×4 has no tour").to_string();
        assert!(error.ends_with(", expected 16, all squares of the board"), "{error}");
    }
}

#[test]
fn a_memo_of_the_cover_is_not_one_of_the_tours() {
    let tours = KnightsTour::closed(board(5, 6)).cover().expect("small");
    let uncovered = |cover: &Cover, state: &CoverState| -> Vec<usize> {
        (0..cover.items()).filter(|&item| cover.size(state, item).is_some()).collect()
    };
    let search = || Search::new(tours.cover()).limits(Limits::new().nodes(10));
    let alone = search().hook(tours.no_subtours()).count();
    assert_eq!(alone.effect(), Effect::Preserving);
    // Sets of steps that leave the same items uncovered are completed to different tours.
    let memo = Memo::counted("uncovered", uncovered);
    let outcome = search().hooks((tours.no_subtours(), memo)).count();
    assert_eq!(outcome.effect(), Effect::Lossy, "{}", outcome.report());
}

#[test]
fn all_models_find_the_same_tours() {
    let problem = KnightsTour::open(board(4, 5));
    let walked: BTreeSet<Vec<Square>> =
        Search::new(&problem).extract(|node| node.state().squares()).solutions().collect();
    let cover = problem.cover().expect("small");
    let covered: BTreeSet<Vec<Square>> = Search::new(cover.cover())
        .hooks((cover.no_subtours(),))
        .solutions()
        .map(|options| checked(&cover.tour(&options).expect("a tour")).steps().to_vec())
        .collect();
    let circuit = problem.circuit().expect("small");
    let circled: BTreeSet<Vec<Square>> = Search::new(circuit.network())
        .hooks((Propagate::full(),))
        .extract(Assignment::of)
        .solutions()
        .map(|successors| checked(&circuit.tour(&successors).expect("a tour")).steps().to_vec())
        .collect();
    assert_eq!(walked.len(), 164);
    assert_eq!(covered, walked);
    assert_eq!(circled, walked);
}

#[test]
fn first_tours_begin_at_the_given_start() {
    for (rows, columns, row, column) in [(6, 6, 2, 3), (8, 8, 7, 0), (5, 6, 4, 4), (3, 10, 1, 5)] {
        let problem = KnightsTour::closed(board(rows, columns))
            .starting_at(row, column)
            .expect("on the board");
        let start = problem.start().expect("given");
        for first in [first_by_cover, first_by_circuit] {
            let tour = first(&problem, Limits::new()).0.expect("there is one");
            assert!(tour.is_closed() && tour.steps()[0] == start);
        }
    }
}

#[test]
fn the_text_of_the_cover_round_trips() {
    let tours = KnightsTour::open(board(3, 4)).cover().expect("small");
    let text = tours.cover().to_string();
    assert!(text.lines().any(|line| line == "leave1,1 enter2,3"), "{text}");
    assert!(text.lines().any(|line| line == "leave3,4 end"), "{text}");
    assert!(text.lines().any(|line| line == "start enter2,2"), "{text}");
    assert_eq!(text.parse().as_ref(), Ok(tours.cover()));
}

#[test]
fn options_and_successors_that_form_no_tour_are_rejected() {
    let tours = KnightsTour::closed(board(5, 6)).cover().expect("small");
    assert_eq!(
        tours.tour(&[]).expect_err("no moves").to_string(),
        "found a list of length 1, expected 30, all squares of the board"
    );
    assert!(tours.tour(&[usize::MAX]).is_err());
    let circuit = KnightsTour::closed(board(5, 6)).circuit().expect("small");
    let other = KnightsTour::open(board(3, 4)).circuit().expect("small");
    let outcome =
        Search::new(other.network()).hooks((Propagate::full(),)).extract(Assignment::of).first();
    assert!(circuit.tour(outcome.solution().expect("there is one")).is_err());
}

#[test]
fn paths_that_are_no_tours_of_the_problem_are_rejected() {
    let closed = KnightsTour::closed(board(5, 6));
    let cover = closed.cover().expect("small");
    let arcs: Vec<String> =
        (0..cover.cover().options()).map(|option| cover.cover().option(option)).collect();
    let name = |verb: &str, square| {
        let board = board(5, 6);
        format!("{verb}{},{}", board.row(square) + 1, board.column(square) + 1)
    };
    // The options of the steps of a path from the top left corner.
    let options = |tour: &Tour| -> Vec<usize> {
        let option = |pair: &[Square]| {
            let (from, to) = (name("leave", pair[0]), name("enter", pair[1]));
            arcs.iter().position(|arc| *arc == format!("{from} {to}")).expect("a move")
        };
        tour.steps().windows(2).map(option).collect()
    };
    let outcome = Search::new(cover.cover()).hook(cover.no_subtours()).first();
    let mut all = outcome.solution().expect("there is one").clone();
    let tour = cover.tour(&all).expect("a tour");
    // Without the move back.
    let error = cover.tour(&options(&tour)).expect_err("no move back").to_string();
    assert_eq!(error, "found a path through all squares among 29 moves, expected 30 moves");
    // With a move that is given twice, with a further one from the same square, and with none of
    // the cover.
    let start = |option: usize| arcs[option].split(' ').next();
    let another = (0..arcs.len())
        .find(|&option| option != all[0] && start(option) == start(all[0]))
        .expect("a square with several moves");
    for further in [all[0], another, usize::MAX] {
        all.push(further);
        assert!(cover.tour(&all).is_err(), "{further}");
        let first = all.len() - 1;
        all.swap(0, first);
        assert!(cover.tour(&all).is_err(), "{further}");
        all.swap(0, first);
        all.pop();
    }
    assert!(cover.tour(&all).is_ok());

    // A path of a board without closed tours, from the top left corner.
    let problem = |row, column| KnightsTour::open(board(5, 5)).starting_at(row, column);
    let [corner, centre] = [(0, 0), (2, 2)]
        .map(|(row, column)| problem(row, column).expect("on the board").circuit().expect("small"));
    let search = Search::new(corner.network()).hook(Propagate::full()).brancher(order());
    let outcome = search.extract(Assignment::of).first();
    let path = outcome.solution().expect("there is one");
    assert!(corner.tour(path).is_ok());
    assert!(centre.tour(path).is_err());
    let closed = KnightsTour::closed(board(5, 5)).circuit().expect("small");
    assert!(closed.tour(path).is_err());
    // The last square is followed by the first one, and no further node is left.
    let mut model = Model::new();
    for &next in &path.values()[..25] {
        model.variable([next % 25]).expect("small");
    }
    let outcome = Search::new(&model.build()).extract(Assignment::of).first();
    let path = outcome.solution().expect("there is one");
    let error = closed.tour(path).expect_err("no move back").to_string();
    let expected =
        "found a path through all squares, expected a move from its end to its beginning";
    assert_eq!(error, expected);
}

#[test]
fn the_hook_reverts_its_changes() {
    let tours = KnightsTour::open(board(3, 4)).cover().expect("small");
    let mut hook = tours.no_subtours();
    assert_eq!(hook.effect(), Effect::Preserving);
    // A run that stops early leaves the hook in the middle of a path; the next run resets it.
    assert!(Search::new(tours.cover()).hooks((&mut hook,)).first().solution().is_some());
    assert_eq!(Search::new(tours.cover()).hooks((&mut hook,)).count().exact(), Some(16));
    assert_eq!(
        Search::new(tours.cover()).hooks((&mut hook,)).check_undo().count().exact(),
        Some(16)
    );
    // Breadth-first search replays paths.
    assert_eq!(
        Search::new(tours.cover()).hooks((&mut hook,)).breadth_first().count().exact(),
        Some(16)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn all_models_agree(
        (rows, columns) in (1..5_usize, 1..6_usize),
        place in any::<prop::sample::Index>(),
        closed: bool,
        any_start: bool,
    ) {
        let board = board(rows, columns);
        let place = place.index(board.len());
        let kind = if closed { KnightsTour::closed } else { KnightsTour::open };
        let mut problem = kind(board);
        if !any_start {
            problem = problem.starting_at(place / columns, place % columns).expect("on the board");
        }
        let expected = Search::new(&problem).count().exact();
        prop_assert_eq!(Some(by_cover(&problem)), expected);
        prop_assert_eq!(Some(by_circuit(&problem)), expected);
    }
}

/// Prints nodes and times of the three models, for the table in the module's documentation:
/// `cargo test --release --test problems -- --ignored --nocapture model_comparison`
#[test]
#[ignore = "prints a table and checks nothing"]
fn model_comparison() {
    let found = |(tour, nodes): (Option<Tour>, u64)| (tour.is_some().to_string(), nodes);
    let counted = |outcome: Outcome<Count>| (outcome.to_string(), outcome.report().nodes());
    let kind = |closed| if closed { KnightsTour::closed } else { KnightsTour::open };
    let name = |closed| if closed { "closed" } else { "open" };
    println!("first tours");
    let sizes = [(5, 6), (6, 6), (8, 8), (10, 10), (20, 20), (30, 30), (50, 50), (100, 100)];
    for (closed, (rows, columns)) in [false, true].iter().flat_map(|&is| sizes.map(|of| (is, of))) {
        let board = board(rows, columns);
        let problem = kind(closed)(board).starting_at(0, 0).expect("a corner");
        let limits = || Limits::new().nodes(2_000_000).time(Duration::from_secs(10));
        let label = format!("{rows:>3}×{columns:<3} {}", name(closed));
        timed(&format!("{label} Warnsdorff"), || {
            let search = TourSearch::new(board).starting_at(0, 0).expect("a corner");
            let solved = if closed { search.closed() } else { search }.solve();
            (solved.tour().is_some().to_string(), solved.nodes())
        });
        timed(&format!("{label} cover"), || found(first_by_cover(&problem, limits())));
        timed(&format!("{label} circuit"), || found(first_by_circuit(&problem, limits())));
    }
    println!("open tours from every square, in at most 100 nodes per square");
    for side in [8, 12, 16, 20, 30] {
        let board = board(side, side);
        let solved = board.squares().filter(|&square| {
            let (row, column) = (board.row(square), board.column(square));
            let problem = KnightsTour::open(board).starting_at(row, column).expect("on the board");
            first_by_cover(&problem, Limits::new().nodes(100 * board.len() as u64)).0.is_some()
        });
        println!("{side:>3}×{side:<3} cover: {} of {}", solved.count(), board.len());
    }
    println!("all tours");
    let open = [(4, 4), (3, 6), (5, 5)].map(|size| (false, size));
    let closed = [(4, 6), (4, 8), (4, 10), (3, 8), (5, 7), (5, 6), (3, 12), (6, 6), (5, 8)];
    for (closed, (rows, columns)) in open.into_iter().chain(closed.map(|size| (true, size))) {
        let problem = kind(closed)(board(rows, columns));
        let limits = || Limits::new().time(Duration::from_secs(20));
        let label = format!("{rows}×{columns} {}", name(closed));
        timed(&format!("{label} walk"), || {
            let hooks = (Parity, DeadEnds, OneExit, DisconnectedRest::default());
            counted(Search::new(&problem).hooks(hooks).limits(limits()).count())
        });
        timed(&format!("{label} cover"), || counted(count_by_cover(&problem, limits())));
        timed(&format!("{label} circuit"), || counted(count_by_circuit(&problem, limits())));
    }
}

/// Prints an answer, its nodes, and the shortest time of three runs, or the time of a single run if
/// that takes a second or more.
fn timed(label: &str, run: impl Fn() -> (String, u64)) {
    let once = || {
        let began = Instant::now();
        let (answer, nodes) = run();
        (began.elapsed(), nodes, answer)
    };
    let first = once();
    let repetitions = if first.0 < Duration::from_secs(1) { 2 } else { 0 };
    let (time, nodes, answer) = (0..repetitions).map(|_| once()).fold(first, std::cmp::min);
    println!("{label:<30} {nodes:>10} nodes {time:>12.1?}  {answer}");
}
