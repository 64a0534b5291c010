//! n-queens as a constraint network: hand-written programs, levels of propagation, and first
//! solutions of large boards.

use std::hint::black_box;

use secateurs::Search;
use secateurs_csp::{
    Ascending, Branching, CentreOut, Network, Propagate, Propagation, SmallestDomain, SwappedOrder,
    VariableOrder,
};
use secateurs_problems::queens::QueensBoard;

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
