//! Knight's tours: rules for the order of moves, restarts, and prunings.

use secateurs::{Limits, Search};
use secateurs_problems::knights_tour::{
    DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity, Rule, TourBoard, TourSearch,
};

use crate::group::{Group, RunResult};

fn board(rows: usize, columns: usize) -> TourBoard {
    TourBoard::new(rows, columns).expect("the size is in range")
}

/// Runs searches, and adds up the tours found and the nodes.
fn solve(searches: &[TourSearch]) -> RunResult {
    RunResult::sum(searches.iter().map(|search| {
        let solved = search.solve();
        RunResult { answer: Some(solved.tour().is_some().into()), nodes: Some(solved.nodes()) }
    }))
}

/// Returns the rules that find tours of boards as large as those below. The plain order does not.
fn rules() -> impl Iterator<Item = Rule> {
    Rule::ALL.into_iter().filter(|&rule| rule != Rule::Plain)
}

/// The nodes from all starts by each of the [`rules`].
const NODES_BY_RULE: [u64; 5] = [40_782, 44_000, 90_780, 162_846, 175_752];

/// Returns the group of rules: a tour from every start of three boards, with restarts.
pub fn starts() -> Group<Vec<TourBoard>> {
    let boards = vec![board(6, 6), board(8, 8), board(5, 20)];
    let starts = boards.iter().map(|board| board.len() as u128).sum();
    let group = Group::new("knights_tour/every start of three boards", boards, starts, 0);
    rules().zip(NODES_BY_RULE).fold(group, |group, (rule, nodes)| {
        let run = move |boards: &Vec<TourBoard>| {
            let search_from = |board: TourBoard, square| {
                let (row, column) = (board.row(square), board.column(square));
                let search = TourSearch::new(board).rule(rule).starting_at(row, column);
                search.expect("the start is on the board")
            };
            let searches = boards.iter().flat_map(|board| {
                board.squares().map(|square| search_from(*board, square)).collect::<Vec<_>>()
            });
            solve(&searches.collect::<Vec<_>>())
        };
        group.contender(rule.name(), run).nodes(nodes)
    })
}

/// Returns the group of rules on 50×50, from a corner and without hooks. All of them find a tour
/// without backtracking, so the times compare the cost of their keys.
pub fn walks() -> Group<KnightsTour> {
    const SIDE: usize = 50;
    const NODES: u64 = (SIDE * SIDE) as u64;
    let tour = KnightsTour::open(board(SIDE, SIDE)).starting_at(0, 0).expect("a corner");
    let group = Group::new(format!("knights_tour/walk on {SIDE}×{SIDE}"), tour, 1, NODES);
    rules().fold(group, |group, rule| {
        group.contender(rule.name(), move |tour| {
            let limits = Limits::new().nodes(NODES);
            Search::new(tour).brancher(rule.brancher()).limits(limits).first()
        })
    })
}

/// Rows, columns, whether the tour is closed, and the nodes of its search.
const TOURS: [(usize, usize, bool, u64); 6] = [
    (8, 8, false, 64),
    (8, 8, true, 65),
    (3, 300, false, 72_416),
    (4, 1001, false, 4004),
    (100, 100, true, 10_097),
    (300, 300, false, 90_000),
];

/// Returns the group of first tours on boards of several shapes, with prunings and restarts.
pub fn tours() -> Group<()> {
    let group = Group::new("knights_tour/first tour", (), 1, 0);
    TOURS.into_iter().fold(group, |group, (rows, columns, is_closed, nodes)| {
        let search = TourSearch::new(board(rows, columns)).starting_at(0, 0).expect("a corner");
        let (search, kind) = if is_closed { (search.closed(), "closed") } else { (search, "open") };
        let run = move |_: &()| solve(std::slice::from_ref(&search));
        group.contender(format!("{rows}×{columns}, {kind}"), run).nodes(nodes)
    })
}

/// Returns the group of all closed tours of 5×6, with one more pruning at a time.
pub fn prunings() -> Group<KnightsTour> {
    let count = |prunings: usize| {
        move |tour: &KnightsTour| {
            let one_exit = (prunings >= 3).then_some(OneExit);
            let rest = (prunings >= 4).then(DisconnectedRest::default);
            Search::new(tour).hooks((Parity, DeadEnds, one_exit, rest)).count()
        }
    };
    Group::new("knights_tour/closed tours of 5×6", KnightsTour::closed(board(5, 6)), 16, 1_866_352)
        .contender("parity and dead ends", count(2))
        .contender("+ one exit", count(3))
        .nodes(12_428)
        .contender("+ disconnected rest", count(4))
        .nodes(11_872)
}
