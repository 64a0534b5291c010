//! n-queens as a constraint network: hand-written programs, levels of propagation, the program of
//! an article (see [`secateurs_problems::queens`]), first solutions of large boards, and
//! completions.

use std::hint::black_box;

use secateurs::{Limits, Search};
use secateurs_csp::{
    Ascending, Branching, CentreOut, InputOrder, Network, Propagate, Propagation, SmallestDomain,
    SwappedOrder, VariableOrder,
};
use secateurs_problems::queens::{BitQueens, LookBackQueens, QueensBoard};

use super::by_hand::{copying, trailing};
use crate::group::{Group, RunResult};
use crate::queens::{Size, queens};

fn network(n: usize) -> Network {
    queens(n).board().network()
}

fn by_smallest_domain(level: Propagation) -> impl Fn(&Network) -> RunResult {
    move |network| {
        let order = Branching::new(SmallestDomain::first_tie(), Ascending);
        Search::new(network).hooks((Propagate::new(level),)).brancher(order).count().into()
    }
}

/// The nodes of n-queens, smallest domain first: by forward checking, by arc consistency, and with
/// full propagation.
const NODES: [(usize, [u64; 3]); 2] =
    [(11, [85_940, 25_332, 25_332]), (13, [2_154_846, 626_420, 626_420])];

/// Returns the group of all solutions of 11 or 13 queens, smallest domain first: programs written
/// by hand, and the network at three levels of propagation.
pub fn by_hand(size: Size) -> Group<Network> {
    let Size { n, solutions, .. } = size;
    let nodes = NODES.into_iter().find(|&(known, _)| known == n).map(|(_, nodes)| nodes);
    let [forward, arc, full] = nodes.expect("the nodes of this size are known");
    let all = move || black_box((1 << n) - 1);
    Group::new(format!("csp/{n}-queens by hand"), network(n), solutions, forward)
        .contender("by hand, with a trail", move |_| {
            trailing(&mut [all(); 16], all(), &mut Vec::new())
        })
        .contender("by hand, copying", move |_| copying(&[all(); 16], all()))
        .contender("network, forward checking", by_smallest_domain(Propagation::Forward))
        .limit(2.0)
        .contender("network, arc consistency", by_smallest_domain(Propagation::ArcConsistency))
        .nodes(arc)
        .limit(4.0)
        .contender("network, full", by_smallest_domain(Propagation::Full))
        .nodes(full)
        .limit(4.0)
}

/// Returns the group of levels of propagation: all 9-queens, row by row.
pub fn levels() -> Group<Network> {
    let levels = [
        (Propagation::Backward, 72_379),
        (Propagation::Forward, 7032),
        (Propagation::ArcConsistency, 1700),
        (Propagation::Full, 1700),
    ];
    let group = Group::new("csp/9-queens row by row", network(9), 352, 0);
    levels.into_iter().fold(group, |group, (level, nodes)| {
        let count = move |network: &Network| {
            let order = Branching::new(InputOrder, Ascending);
            Search::new(network).hooks((Propagate::new(level),)).brancher(order).count()
        };
        group.contender(format!("{level:?}"), count).nodes(nodes)
    })
}

/// Eleven queens in the models of the article and in their counterparts of today.
pub struct ArticleModels {
    lookback: LookBackQueens,
    bits: BitQueens,
    network: Network,
}

/// Returns the group of the two programs of the article, backtracking and propagation, and of
/// today's counterparts: bit masks, and a network with a test for empty domains.
pub fn article() -> Group<ArticleModels> {
    let Size { n, solutions, nodes, .. } = Size::N11;
    let queens = queens(n);
    let models =
        ArticleModels { lookback: queens.lookback(), bits: queens.bits(), network: network(n) };
    let forward = by_smallest_domain(Propagation::Forward);
    Group::new(format!("csp/{n}-queens of the article"), models, solutions, nodes)
        .contender("backtracking, looking back", |models| Search::new(&models.lookback).count())
        .contender("backtracking, bit masks", |models| Search::new(&models.bits).count())
        .contender("propagation, the same program", |models| {
            let order = Branching::new(SwappedOrder::last_tie(), Ascending);
            let propagate = Propagate::forward().without_wipe_out_test();
            Search::new(&models.network).hooks((propagate,)).brancher(order).count()
        })
        .nodes(84_234)
        .contender("propagation, network", move |models| forward(&models.network))
        .nodes(NODES[0].1[0])
}

/// Builds the network of n queens and finds its first solution, with columns from the centre
/// outwards.
fn first(n: usize, rows: impl VariableOrder<Network>) -> RunResult {
    let network = QueensBoard::new(n).expect("the size is in range").network();
    let order = Branching::new(rows, CentreOut);
    Search::new(&network).hooks((Propagate::forward(),)).brancher(order).first().into()
}

/// Returns the group of the first solution of a thousand queens. The time includes the
/// construction of the network.
pub fn first_of_a_thousand() -> Group<usize> {
    Group::new("csp/first of 1000 queens", 1000, 1, 1016)
        .contender("rows from a swapped array", |&n| first(n, SwappedOrder::first_tie()))
        .contender("rows in order", |&n| first(n, SmallestDomain::first_tie()))
        .nodes(1048)
}

/// Returns the group of completions: boards of a hundred rows with 75 given queens.
pub fn completions() -> Group<Vec<Network>> {
    let board = |seed| QueensBoard::random(100, 75, seed).expect("the parameters are in range");
    let networks = (0..20).map(|seed| board(seed).network()).collect();
    let complete = |level| {
        move |networks: &Vec<Network>| {
            RunResult::sum(networks.iter().map(|network| {
                let order = Branching::new(SmallestDomain::first_tie(), CentreOut);
                let limits = Limits::new().nodes(20_000);
                let search = Search::new(network).hooks((Propagate::new(level),));
                search.brancher(order).limits(limits).first().into()
            }))
        }
    };
    Group::new("csp/20 boards of 100 rows completed", networks, 18, 17_503)
        .contender("forward checking", complete(Propagation::Forward))
        .contender("arc consistency", complete(Propagation::ArcConsistency))
        .nodes(5693)
}
