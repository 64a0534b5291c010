//! Progress callbacks do not change the nodes of a search, with any brancher and any hook.

use std::time::Duration;

use secateurs::brancher::Shuffled;
use secateurs::search::Progress;
use secateurs::{Brancher, Limits, Objective, Search};
use secateurs_csp::{
    Ascending, Branching, DomainOverDegree, InputOrder, Network, Propagate, SmallestDomain,
    SwappedOrder, Weights, weighted_degree,
};
use secateurs_problems::fire_net::{FireNetBoard, FireNetPrunings, FireNetSettings, Scope};
use secateurs_problems::queens::Queens;

use crate::support::trees::RandomTree;

/// Returns the nodes and dead ends of a count, and the nodes up to the first solution.
fn nodes<B: Brancher<Network>>(
    network: &Network,
    order: impl Fn(&Weights) -> B,
    watched: bool,
) -> (u64, u64, u64) {
    let search = || {
        let weights = Weights::new(network);
        let propagate = Propagate::forward().with_weights(&weights);
        let search = Search::new(network).hooks((propagate,)).brancher(order(&weights));
        // Without an interval, the callback is called at every check of the clock.
        if watched { search.progress(Duration::ZERO, |_| ()).fraction() } else { search }
    };
    let all = search().count();
    (all.report().nodes(), all.report().dead_ends(), search().first().report().nodes())
}

#[test]
fn watching_does_not_change_the_order() {
    let network = Queens::new(8).expect("a size").board().network();
    fn check<B: Brancher<Network>>(network: &Network, order: impl Fn(&Weights) -> B) {
        assert_eq!(nodes(network, &order, true), nodes(network, &order, false));
    }
    check(&network, |_| Branching::new(InputOrder, Ascending));
    check(&network, |_| Branching::new(SmallestDomain::first_tie(), Ascending));
    check(&network, |_| Branching::new(SwappedOrder::first_tie(), Ascending));
    check(&network, |_| Branching::new(SwappedOrder::last_tie(), Ascending));
    check(&network, |_| Branching::new(DomainOverDegree::first_tie(), Ascending));
    check(&network, |weights| Branching::new(weighted_degree(weights), Ascending));
    check(&network, |_| Shuffled::over(Branching::new(InputOrder, Ascending), 7));
}

#[test]
fn watching_does_not_change_the_cuts_of_bounds() {
    let board: FireNetBoard =
        "6\n......\n.X....\n......\n...X..\n......\n.....X\n".parse().expect("a board");
    // Pruning 3 of the article is not among them: it reads the incumbent when it enters a node, and
    // to report the explored share the walk enters the nodes of its path again.
    let ways = [
        FireNetSettings::default(),
        FireNetSettings::default().bound(None).prunings(FireNetPrunings::ALL),
        FireNetSettings::article(FireNetPrunings::of([1, 2, 4, 5])),
        FireNetSettings::article(FireNetPrunings::of([1, 2, 4, 5])).scope(Scope::EveryNode),
    ];
    for settings in ways {
        let solve = |watched| {
            let placed =
                Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
            let search = settings.search(&board, placed.incumbent()).limits(Limits::new());
            let search = if watched {
                search.progress(Duration::ZERO, |_: &Progress| ()).fraction()
            } else {
                search
            };
            let outcome = search.best(&placed);
            (outcome.proven().copied(), outcome.report().nodes())
        };
        assert_eq!(solve(true), solve(false), "{settings:?}");
    }
}

#[test]
fn the_fraction_may_be_requested_before_the_callback() {
    let queens = Queens::new(8).expect("a size").bits();
    let mut seen = Vec::new();
    let callback = |progress: &Progress| seen.push(progress.fraction);
    let outcome = Search::new(&queens).fraction().progress(Duration::ZERO, callback).count();
    assert_eq!(outcome.exact(), Some(92));
    assert!(seen.iter().all(Option::is_some), "{seen:?}");
    assert_eq!(seen.last(), Some(&Some(1.0)));
}

#[test]
fn a_report_of_the_fraction_may_change_what_a_bound_cuts() {
    let tree = RandomTree::new(11, 4, 9);
    let run = |watched| {
        let objective = Objective::maximise(RandomTree::sum);
        let bound = objective.bound("most", |tree: &RandomTree, path: &Vec<u32>| {
            tree.sum(path) + 4 * (9 - path.len()) as u64
        });
        let search = Search::new(&tree).hooks((bound,));
        let outcome = if watched {
            search.progress(Duration::ZERO, |_| ()).fraction().best(&objective)
        } else {
            search.best(&objective)
        };
        outcome.report().nondeterministic_parts().len()
    };
    assert_eq!((run(false), run(true)), (0, 1));
}

#[test]
fn the_nodes_left_are_estimated_with_the_fraction_only() {
    let queens = Queens::new(10).expect("a size").bits();
    for threads in [1, 2] {
        let mut reports = Vec::new();
        let search = Search::new(&queens)
            .progress(Duration::ZERO, |progress| {
                reports.push((progress.nodes, progress.nodes_left(), progress.time_left()));
            })
            .fraction();
        let outcome = if threads == 1 { search.count() } else { search.threads(2).count() };
        assert_eq!(outcome.exact(), Some(724));
        let (nodes, left, time) = reports.pop().expect("the last report");
        let (left, time) = (left.expect("an estimate"), time.expect("an estimate"));
        assert_eq!((nodes, left.estimate, left.interval), (35_539, 0.0, (0.0, 0.0)));
        assert_eq!(time.estimate, Duration::ZERO);
        for left in reports.iter().filter_map(|report| report.1) {
            assert!(left.estimate >= 0.0);
            assert!(left.interval.0 <= left.estimate && left.estimate <= left.interval.1);
        }
    }
    let mut reports = Vec::new();
    let watched = |progress: &Progress| reports.push(progress.nodes_left());
    let outcome = Search::new(&queens).progress(Duration::ZERO, watched).count();
    assert_eq!(outcome.exact(), Some(724));
    assert!(!reports.is_empty() && reports.iter().all(Option::is_none));
}
