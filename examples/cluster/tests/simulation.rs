//! The simulations of larger clusters, from the example `cluster_simulation`: they account for all
//! work and all time.

use crate::costs::Costs;
use crate::model;
use crate::rounds::Rounds;
use crate::search::{Pieces, Policy, Run, simulate};
use crate::sweep::{self, Layer, TransitionCosts};
use crate::trace::Trace;
use crate::tree::{CliqueTree, QueensTree};
use secateurs::{Limits, Search};
use secateurs_problems::clique::Cliques;
use secateurs_problems::dimacs;
use secateurs_problems::queens::Queens;

const COSTS: Costs = Costs {
    latency_us: 50.0,
    bandwidth_gbit: 10.0,
    threads: 8,
    progress_us: 2.0,
    network_us: 20.0,
};

fn policy(nodes: u64) -> Policy {
    let pieces = Pieces { few: 2, enough: 8, many: 8, parts: 8 };
    Policy {
        slice: 0.02,
        nodes,
        first: 1.0 / 3_000.0,
        task: 1e-5,
        message: 5e-5,
        bytes: 200.0,
        pieces,
    }
}

fn queens(size: usize, workers: usize, seed: u64) -> Run {
    let tree = QueensTree(Queens::new(size).expect("not too large").bits());
    simulate(&mut tree.clone(), workers, policy(50), COSTS, None, seed)
}

#[test]
fn every_node_is_visited_once_and_all_time_is_accounted_for() {
    let tree = Queens::new(10).expect("not too large").bits();
    let nodes = Search::new(&tree).count().report().nodes();
    for workers in [1, 2, 3, 16, 100] {
        let run = queens(10, workers, 1);
        assert_eq!(run.nodes, nodes, "{workers} workers");
        let whole = run.duration * workers as f64;
        assert!((run.worker_time.sum() - whole).abs() < 1e-6 * whole, "{workers} workers: {run:?}");
        assert!(run.worker_time.search <= whole);
        for part in [
            run.worker_time.start,
            run.worker_time.starved,
            run.worker_time.end,
            run.worker_time.progress,
        ] {
            assert!(part >= -1e-9, "{workers} workers: {run:?}");
        }
    }
}

#[test]
fn a_lone_worker_never_waits() {
    let run = queens(10, 1, 1);
    assert_eq!(
        (run.messages, run.worker_time.start, run.worker_time.starved, run.worker_time.end),
        (0, 0.0, 0.0, 0.0)
    );
    let search = run.nodes as f64 * 0.02 / 50.0;
    assert!((run.worker_time.search - search).abs() < 1e-6);
    assert!((run.duration - search - run.worker_time.tasks).abs() < 1e-6);
    assert!((model::search(run.nodes, 1, policy(50), COSTS) / run.duration - 1.0).abs() < 1e-3);
}

#[test]
fn equal_seeds_give_equal_runs() {
    let [first, same, other] = [1, 1, 2].map(|seed| queens(10, 16, seed));
    assert_eq!(
        (first.duration, first.messages, first.slices),
        (same.duration, same.messages, same.slices)
    );
    assert_ne!(first.duration, other.duration);
    assert_eq!(first.nodes, other.nodes);
}

#[test]
fn sending_surplus_tasks_to_others_reduces_idle_time() {
    let hoarding = Policy { pieces: Pieces { parts: 0, ..policy(50).pieces }, ..policy(50) };
    let tree = QueensTree(Queens::new(11).expect("not too large").bits());
    let idle = |policy| {
        let time = simulate(&mut tree.clone(), 16, policy, COSTS, None, 1).worker_time;
        time.starved + time.end
    };
    assert!(2.0 * idle(policy(50)) < idle(hoarding));
}

#[test]
fn the_model_agrees_with_the_simulation() {
    for workers in [2, 16, 64] {
        let run = queens(12, workers, 1);
        let expected = model::search(run.nodes, workers, policy(50), COSTS);
        assert!(
            (run.duration / expected - 1.0).abs() < 0.05,
            "{workers} workers: {} and {expected}",
            run.duration
        );
    }
}

#[test]
fn a_largest_clique_is_found_despite_late_incumbents() {
    let graph =
        dimacs::parse(include_str!("../../../crates/cli/data/clique.clq")).expect("a graph");
    let cliques = Cliques::new(&graph).expect("not too large");
    let largest = cliques.maximum(Limits::new()).proven().copied();
    for (workers, latency_us) in [(1, 50.0), (5, 50.0), (5, 1e6)] {
        let mut tree = CliqueTree::new(&cliques, workers);
        let costs = Costs { latency_us, ..COSTS };
        let run = simulate(&mut tree, workers, policy(5), costs, None, 1);
        assert!(run.nodes > 0);
        assert_eq!(tree.sizes.iter().filter_map(|size| size.incumbent().get()).max(), largest);
    }
}

#[test]
fn changes_that_advance_no_round_are_not_broadcast() {
    let mut rounds = Rounds::new(3);
    // Worker 0 keeps its capability for round 0, so messages of later rounds cause no broadcasts.
    rounds.release(1, 0);
    rounds.release(2, 0);
    let before = rounds.broadcasts();
    for _ in 0..10 {
        rounds.send(0);
        rounds.receive(1, 1);
        rounds.send(1);
        rounds.release(1, 1);
        rounds.receive(2, 2);
        rounds.release(2, 2);
    }
    assert_eq!(rounds.broadcasts(), before);
    // Each worker must broadcast its withheld changes once worker 0 has released it.
    rounds.release(0, 0);
    assert_eq!(rounds.broadcasts(), before + 3);
}

#[test]
fn all_time_of_a_sweep_is_accounted_for() {
    let transition =
        TransitionCosts { step: 1e-7, sent: 0.5, send: 6e-8, bytes: 24.0, message: 6e-6 };
    let layers: Vec<Layer> =
        [1e3, 1e6, 1e8].map(|states| Layer { states, transitions: 2.0 * states }).into();
    let transitions: f64 = layers.iter().map(|layer| layer.transitions).sum();
    let alone = sweep::simulate(&layers, 1, transition, COSTS, 1);
    assert!((alone.duration - transitions * transition.step).abs() < 1e-9);
    assert!((model::sweep(&layers, 1, transition, COSTS) - alone.duration).abs() < 1e-9);
    for workers in [2, 16, 256, 4096] {
        let run = sweep::simulate(&layers, workers, transition, COSTS, 1);
        let whole = run.duration * workers as f64;
        assert!((run.worker_time.sum() - whole).abs() < 1e-6 * whole);
        assert!((run.worker_time.steps - alone.duration).abs() < 1e-6);
        assert!(run.worker_time.skew >= 0.0 && run.duration > alone.duration / workers as f64);
        let expected = model::sweep(&layers, workers, transition, COSTS);
        assert!(
            (run.duration / expected - 1.0).abs() < 0.03,
            "{workers} workers: {} and {expected}",
            run.duration
        );
    }
}

#[test]
fn measured_slices_are_parsed() {
    let text =
        "worker,nodes,microseconds,waiting,bytes\n0,1000,20000,1,5\n0,3,1,0,0\n1,1000,22000,1,5\n";
    let trace = Trace::parse(text).expect("slices");
    assert_eq!(trace.slice_nodes, 1000);
    assert!((trace.slice_seconds - 0.021).abs() < 1e-4);
    for wrong in [
        "",
        "worker,nodes\n0,1\n",
        "nodes,microseconds\n",
        "nodes,microseconds\n1\n",
        "nodes,microseconds\nx,1\n",
        "nodes,microseconds\ninf,1\n",
        "nodes,microseconds\n1.5,1\n",
    ] {
        assert!(Trace::parse(wrong).is_err(), "{wrong:?}");
    }
}
