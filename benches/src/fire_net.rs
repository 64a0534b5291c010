//! Fire-net: optima by search and by maximum matching, bounds and prunings, and branchers.

use secateurs::Search;
use secateurs_problems::fire_net::{
    BoundKind, Cells, FireNetBoard, FireNetBranching, FireNetPrunings, FireNetSettings,
    maximum_matching,
};

use crate::group::{Group, RunResult};

/// Returns `number` random boards. `empty` is the share of empty cells.
fn boards(side: usize, empty: f64, number: u64) -> Vec<FireNetBoard> {
    (0..number)
        .map(|seed| {
            FireNetBoard::random(side, side, empty, seed).expect("the parameters are in range")
        })
        .collect()
}

fn prove(settings: &FireNetSettings, boards: &[FireNetBoard]) -> RunResult {
    RunResult::sum(boards.iter().map(|board| settings.solve(board).into()))
}

/// The size of random boards, their share of empty cells, their number, and the sums over them of
/// optima and nodes.
const BOARDS: [(usize, f64, u64, u128, u64); 6] = [
    (10, 0.95, 100, 1290, 1001),
    (10, 0.8, 100, 1950, 474),
    (100, 0.95, 5, 2640, 1786),
    (100, 0.8, 5, 7559, 1319),
    (200, 0.95, 1, 1950, 1417),
    (300, 0.8, 1, 13_361, 2436),
];

/// Returns the groups of optima of random boards: by search, and by a maximum matching, a method
/// for this problem only.
pub fn optima() -> impl Iterator<Item = Group<Vec<FireNetBoard>>> {
    BOARDS.into_iter().map(|(side, empty, number, bunkers, nodes)| {
        let walls = 100.0 * (1.0 - empty);
        let name = format!("fire_net/{side}×{side}, {walls:.0} % walls");
        Group::new(name, boards(side, empty, number), bunkers, nodes)
            .contender("maximum matching", |boards| {
                boards.iter().map(|board| maximum_matching(board).len()).sum::<usize>()
            })
            .contender("search", |boards| prove(&FireNetSettings::default(), boards))
    })
}

/// The nodes of all boards when branching on segments: with prunings 1 to 5 and the matching bound,
/// with each of [`BoundKind::ALL`] in turn, and with all prunings.
const NODES_BY_BOUND: [u64; 6] = [140, 35_244, 193, 193, 140, 54];

/// Returns the group of bounds and prunings.
pub fn bounds() -> Group<Vec<FireNetBoard>> {
    let on_segments = FireNetSettings::default().branching(FireNetBranching::Segments);
    let bounds = BoundKind::ALL
        .map(|bound| (format!("bound: {bound}"), on_segments.clone().bound(Some(bound))));
    let prunings = ("all prunings".to_owned(), on_segments.clone().prunings(FireNetPrunings::ALL));
    let default = ("default".to_owned(), on_segments);
    let all = [default].into_iter().chain(bounds).chain([prunings]);
    let group = Group::new("fire_net/bounds", boards(8, 0.9, 20), 215, 0);
    all.zip(NODES_BY_BOUND).fold(group, |group, ((name, settings), nodes)| {
        group.contender(name, move |boards| prove(&settings, boards)).nodes(nodes)
    })
}

/// Returns the groups of all placements on an empty board, with and without a list of candidates,
/// in increasing order of cells and in any order.
pub fn lists() -> impl Iterator<Item = Group<FireNetBoard>> {
    let orders =
        [("increasing cells", true, 1546, 1546), ("cells in any order", false, 32_826, 32_826)];
    orders.into_iter().map(|(order, increasing, placements, nodes)| {
        let count = |listed: bool| {
            move |board: &FireNetBoard| {
                Search::new(board).brancher(Cells { listed, increasing }).count()
            }
        };
        let name = format!("fire_net/placements on 5×5, {order}");
        Group::new(name, FireNetBoard::empty(5, 5), placements, nodes)
            .contender("cells scanned", count(false))
            .contender("cells listed", count(true))
    })
}
