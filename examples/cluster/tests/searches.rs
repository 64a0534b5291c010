//! Searches on clusters, compared with searches in one thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use crate::processes::in_processes;
use crate::support::scratch::Directory;
use crate::support::trees::{RandomTree, Trail, tree_stats, trees_of};
use proptest::prelude::*;
use secateurs::checkpoint::Fingerprint;
use secateurs::cluster::{Cluster, ClusterError};
use secateurs::hook::HookMemory;
use secateurs::{
    Cancel, Effect, Hook, HookReport, Limits, Node, NodeMut, Objective, Report, Search, Stop,
    Verdict, hook,
};
use secateurs_problems::queens::Queens;

static ONE_WORKER: LazyLock<Cluster> = LazyLock::new(|| Cluster::threads(1));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn counts_and_reports_equal_those_of_one_thread(
        tree in trees_of(1..6, 0..8),
        threads in 1..5usize,
        budget in 1..300u64,
    ) {
        let cluster = Cluster::threads(threads);
        let expected = Search::new(&tree).hooks((Trail::default(),)).count();
        let search = Search::new(&tree).hook(Trail::default()).on(&cluster).budget(budget);
        let outcome = search.count().expect("a local run");
        prop_assert_eq!(outcome.exact(), expected.exact());
        prop_assert_eq!(tree_stats(outcome.report()), tree_stats(expected.report()));
        let has_solution = Search::new(&tree).count().exact() != Some(0);
        let search = || Search::new(&tree).on(&cluster).budget(budget);
        let exists = search().exists().expect("a local run");
        prop_assert_eq!(exists.exists(), Some(has_solution));
        let unique = search().is_unique().expect("a local run");
        let expected = Search::new(&tree).is_unique();
        prop_assert_eq!(unique.value(), expected.value());
        let first = search().first().expect("a local run");
        match first.solution() {
            Some(path) => {
                prop_assert!(Search::new(&tree).solutions().any(|solution| solution == *path))
            }
            None => prop_assert!(first.is_proven_none() && !has_solution),
        }
    }

    #[test]
    fn cuts_of_siblings_equal_those_of_one_thread(
        tree in trees_of(1..6, 0..8),
        threads in 1..5usize,
        budget in 1..300u64,
    ) {
        let end = || {
            hook::admit("end", Effect::Lossy, |node: &Node<'_, RandomTree>, &child: &u32| {
                let path = node.state();
                let end = (7 * path.len() as u32 + 3 * path.iter().sum::<u32>()) % 5;
                Verdict::prune_siblings_if(child >= end)
            })
        };
        let expected = Search::new(&tree).hook(end()).count();
        let cluster = Cluster::threads(threads);
        let search = Search::new(&tree).hook(end()).on(&cluster).budget(budget);
        let outcome = search.count().expect("a local run");
        prop_assert_eq!(outcome.report().nodes(), expected.report().nodes());
        prop_assert_eq!(outcome.at_least(), expected.at_least());
        let cuts = |report: &Report| report.hook("end").map_or(0, HookReport::sibling_cuts);
        prop_assert!(cuts(outcome.report()) >= cuts(expected.report()));
    }

    #[test]
    fn optima_equal_those_of_one_thread(
        tree in trees_of(2..6, 0..8),
        threads in 1..5usize,
        budget in 1..300u64,
    ) {
        let expected = Search::new(&tree).best(&Objective::maximise(RandomTree::sum));
        let objective = Objective::maximise(RandomTree::sum);
        let optimistic = objective.bound("optimistic", RandomTree::largest_sum);
        let cluster = Cluster::threads(threads);
        let search = Search::new(&tree).hook(optimistic).on(&cluster).budget(budget);
        let outcome = search.best(&objective).expect("a local run");
        prop_assert_eq!(outcome.proven(), expected.proven());
        let sum = outcome.solution().map(|path| tree.sum(path));
        prop_assert_eq!(sum.as_ref(), expected.proven());
    }

    #[test]
    fn the_node_limit_is_never_exceeded(
        seed: u64,
        nodes in 0..500u64,
        threads in 1..5usize,
        budget in 1..100u64,
    ) {
        let tree = RandomTree::new(seed, 3, 6);
        let whole = Search::new(&tree).count();
        let cluster = Cluster::threads(threads);
        let search = Search::new(&tree).limits(Limits::new().nodes(nodes));
        let outcome = search.on(&cluster).budget(budget).count().expect("a local run");
        prop_assert!(outcome.report().nodes() <= nodes);
        match outcome.exact() {
            Some(count) => prop_assert_eq!(Some(count), whole.exact()),
            None => prop_assert_eq!(outcome.stop(), Stop::NodeLimit),
        }
        prop_assert!(outcome.at_least() <= whole.at_least());
        // A limit equal to the size of the tree exhausts it, on one worker.
        let all = whole.report().nodes();
        for (nodes, exact, stop) in
            [(all, whole.exact(), Stop::Exhausted), (all - 1, None, Stop::NodeLimit)]
        {
            let search = Search::new(&tree).limits(Limits::new().nodes(nodes));
            let outcome = search.on(&ONE_WORKER).budget(budget).count().expect("a local run");
            let nodes_visited = outcome.report().nodes();
            prop_assert_eq!((outcome.exact(), nodes_visited, outcome.stop()), (exact, nodes, stop));
        }
    }
}

/// The payload of the panic that ends a run in these tests.
const PANIC: &str = "the test ends the run";

/// Returns a hook whose clones together let `nodes` nodes be entered, and panic at the next one.
fn panic_after(nodes: u64) -> impl hook::Hook<RandomTree> + Clone + Send {
    let remaining = Arc::new(AtomicU64::new(nodes));
    hook::watch("panic after", move |_| {
        // Relaxed suffices: the counter guards no other data.
        if remaining.fetch_sub(1, Ordering::Relaxed) == 0 {
            std::panic::resume_unwind(Box::new(PANIC));
        }
    })
}

proptest! {
    // Few cases, because each one writes to the disk many times.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_work_is_lost_or_counted_twice_however_often_the_run_panics(
        tree in trees_of(2..6, 0..8),
        budget in 1..200u64,
        limited: bool,
    ) {
        let expected = Search::new(&tree).hooks((Trail::default(), panic_after(u64::MAX))).count();
        let directory = Directory::new();
        for attempt in 1.. {
            prop_assert!(attempt < 5_000, "no run completes");
            let cluster = Cluster::threads(1 + attempt as usize % 3);
            let limits = if limited { Limits::new().nodes(100 * attempt) } else { Limits::new() };
            let nodes = if limited { u64::MAX } else { 60 * attempt };
            let hooks = (Trail::default(), panic_after(nodes));
            let search = Search::new(&tree).hooks(hooks).limits(limits).on(&cluster);
            let search = search.budget(budget).journal(&directory.0, fingerprint());
            if let Ok(outcome) = catch_unwind(AssertUnwindSafe(|| search.count())) {
                let outcome = outcome.expect("a journal");
                if outcome.stop() == Stop::Exhausted {
                    prop_assert_eq!(outcome.exact(), expected.exact());
                    prop_assert_eq!(tree_stats(outcome.report()), tree_stats(expected.report()));
                    break;
                }
            }
        }
        // The journal contains the answer, so a further run enters no node.
        let again = Search::new(&tree).hooks((Trail::default(), panic_after(0))).on(&ONE_WORKER);
        let again = again.journal(&directory.0, fingerprint()).count().expect("a journal");
        prop_assert_eq!(tree_stats(again.report()), tree_stats(expected.report()));
    }

    #[test]
    fn the_best_is_found_however_often_the_run_panics(
        tree in trees_of(2..6, 0..8),
        budget in 1..200u64,
    ) {
        let expected = Search::new(&tree).best(&Objective::maximise(RandomTree::sum));
        let directory = Directory::new();
        for attempt in 1.. {
            prop_assert!(attempt < 5_000, "no run completes");
            let cluster = Cluster::threads(1 + attempt as usize % 3);
            let objective = Objective::maximise(RandomTree::sum).named("sum");
            let optimistic = objective
                .bound("optimistic", RandomTree::largest_sum)
                .parameters(&());
            let hooks = (optimistic, panic_after(60 * attempt));
            let search = Search::new(&tree).hooks(hooks).on(&cluster).budget(budget);
            let search = search.journal(&directory.0, fingerprint());
            if let Ok(outcome) = catch_unwind(AssertUnwindSafe(|| search.best(&objective))) {
                let outcome = outcome.expect("a journal");
                prop_assert_eq!(outcome.proven(), expected.proven());
                let sum = outcome.solution().map(|path| tree.sum(path));
                prop_assert_eq!(sum.as_ref(), expected.proven());
                break;
            }
        }
    }
}

#[test]
fn an_optimum_is_proven_only_if_the_values_offered_to_earlier_runs_are_known() {
    let tree = RandomTree::new(3, 4, 7);
    let sum = || Objective::maximise(RandomTree::sum).named("sum");
    let optimum = *Search::new(&tree).best(&sum()).proven().expect("a small tree");
    let run_in = |directory: &Directory, limits, value: Option<u64>| {
        let objective = sum();
        value.map(|value| objective.incumbent().offer(value));
        let cluster = Cluster::threads(2);
        let search = Search::new(&tree).limits(limits).on(&cluster).budget(20);
        search.journal(&directory.0, fingerprint()).best(&objective).expect("a journal")
    };
    // A value that no solution has, or that of the best ones.
    for offered in [optimum + 1, optimum] {
        let directory = Directory::new();
        let run = |limits, value| run_in(&directory, limits, value);
        let begun = run(Limits::new().nodes(100), Some(offered));
        assert_eq!((begun.stop(), begun.best_so_far()), (Stop::NodeLimit, Some(&offered)));
        let without = run(Limits::new(), None);
        assert_eq!(without.stop(), Stop::Exhausted);
        // It proves the optimum only if it has found a solution of the value that was offered.
        let proves = without.best_so_far() == Some(&offered);
        assert_eq!(without.proven().copied(), proves.then_some(optimum));
        let missing = format!("pruned by the value {offered}, which this run does not know");
        let conflicts = without.report().conflicts();
        assert_eq!(conflicts.iter().any(|reason| reason.contains(&missing)), !proves);
        let again = run(Limits::new(), Some(offered));
        assert_eq!(again.none_better(), Some(&offered));
    }
    // The solutions of earlier runs are known.
    let directory = Directory::new();
    for nodes in [100, 100_000] {
        let outcome = run_in(&directory, Limits::new().nodes(nodes), None);
        assert_eq!(outcome.proven().copied(), (nodes > 100).then_some(optimum));
    }
}

#[test]
fn incumbent_reads_of_a_cluster_run_inside_a_hook_weaken_the_outer_search() {
    let queens = Queens::new(4).expect("a size").bits();
    let count = Objective::maximise_for(&queens, |_, _| 0);
    count.incumbent().offer(0);
    for threads in 1..3 {
        let mut incumbent = count.incumbent().clone();
        let better = hook::enter("better", Effect::Preserving, move |_: &mut NodeMut<'_, _>| {
            Verdict::keep_if(incumbent.is_beaten_by(&0))
        });
        let found = || {
            let cluster = Cluster::threads(threads);
            let first = Search::new(&queens).hook(better.clone()).on(&cluster).first();
            first.expect("no error").solution().is_some()
        };
        let outer = hook::enter("outer", Effect::Preserving, |node: &mut NodeMut<'_, _>| {
            Verdict::keep_if(node.depth() > 0 || found())
        });
        let outcome = Search::new(&queens).hook(outer).count();
        assert_eq!((outcome.exact(), outcome.effect()), (None, Effect::OptimumOnly));
    }
}

#[test]
fn a_journal_of_another_search_is_refused() {
    let directory = Directory::new();
    let queens = Queens::new(8).expect("a size").bits();
    let search = || Search::new(&queens).on(&ONE_WORKER);
    let count = search()
        .journal(&directory.0, Fingerprint::new("8-queens", &()))
        .count()
        .expect("a new journal");
    assert_eq!(count.exact(), Some(92));
    for (other, first) in [("9-queens", false), ("8-queens", true)] {
        let search = search().journal(&directory.0, Fingerprint::new(other, &()));
        let error = if first { search.first().map(|_| ()) } else { search.count().map(|_| ()) };
        assert!(matches!(error, Err(ClusterError::Journal { worker: 0, .. })), "{error:?}");
    }
    let second = Directory::new();
    for _ in 0..2 {
        let found = search()
            .journal(&second.0, Fingerprint::new("8-queens", &()))
            .first()
            .expect("a journal");
        assert_eq!(found.solution().map(Vec::len), Some(8));
    }
}

#[test]
fn all_processes_get_the_whole_answer() {
    let queens = Queens::new(11).expect("a size").bits();
    let outcomes = in_processes(3, 2, |_, cluster| {
        let search = || Search::new(&queens).on(cluster).problem(fingerprint()).budget(500);
        let (count, first) = (search().count().expect("peers"), search().first().expect("peers"));
        (count.exact(), count.report().nodes(), first.solution().cloned())
    });
    assert!(outcomes.iter().all(|outcome| outcome.0 == Some(2_680) && outcome.1 == 166_926));
    assert!(outcomes[0].2.as_ref().is_some_and(|path| path.len() == 11));
    assert!(outcomes.iter().all(|outcome| outcome.2 == outcomes[0].2));
}

#[test]
fn several_processes_need_an_objective_with_a_name() {
    let tree = RandomTree::new(7, 2, 3);
    let length = || Objective::maximise(|_: &RandomTree, path: &Vec<u32>| path.len());
    let results = in_processes(2, 1, |_, cluster| {
        Search::new(&tree).on(cluster).problem(fingerprint()).best(&length()).map(|_| ())
    });
    let is_refused = |result| matches!(result, &Err(ClusterError::Unnamed));
    assert!(results.iter().all(is_refused), "{results:?}");
    // One process without a journal has nothing to compare.
    let alone = Search::new(&tree).on(&Cluster::threads(2)).best(&length()).expect("one process");
    assert!(alone.is_proven_infeasible() || alone.proven().is_some(), "{alone:?}");
}

#[test]
fn all_processes_share_the_incumbent() {
    let tree = RandomTree::new(7, 5, 8);
    let expected = Search::new(&tree).best(&Objective::maximise(RandomTree::sum));
    // A value that one process knows beforehand is broadcast to the other.
    let run = |known: Option<u64>| {
        in_processes(2, 1, |_, cluster| {
            let objective = Objective::maximise(RandomTree::sum).named("sum");
            if let Some(known) = known.filter(|_| cluster.is_first()) {
                objective.incumbent().offer(known);
            }
            let search = Search::new(&tree).on(cluster).problem(fingerprint()).budget(50);
            let outcome = search.best(&objective).expect("peers");
            let known = objective.incumbent().get();
            (outcome.proven().copied(), outcome.solution().cloned(), known)
        })
    };
    let outcomes = run(None);
    assert_eq!(outcomes[0].0.as_ref(), expected.proven());
    assert_eq!(outcomes[0], outcomes[1]);
    for (_, solution, known) in run(Some(1_000_000)) {
        assert_eq!((solution, known), (None, Some(1_000_000)));
    }
}

#[test]
fn a_symmetry_hook_has_the_same_report_as_in_one_thread() {
    let queens = Queens::new(10).expect("a size").bits();
    let cluster = Cluster::threads(3);
    let search = Search::new(&queens).hook(Queens::mirror()).on(&cluster).budget(100);
    let outcome = search.count().expect("a local run");
    assert_eq!(outcome.exact(), Some(724));
    let expected = Search::new(&queens).hooks((Queens::mirror(),)).count();
    assert_eq!(tree_stats(outcome.report()), tree_stats(expected.report()));
}

#[test]
fn limits_stop_all_processes() {
    let queens = Queens::new(30).expect("a size").bits();
    let cancel = Cancel::new();
    let stops = in_processes(2, 2, |_, cluster| {
        let stop = |limits| {
            let search = Search::new(&queens).limits(limits).on(cluster).problem(fingerprint());
            let outcome = search.count().expect("peers");
            assert_eq!(outcome.exact(), None);
            outcome.stop()
        };
        let time = stop(Limits::new().time(Duration::from_millis(50)));
        let _ = stop(Limits::new().depth(9).time(Duration::from_millis(20)));
        cancel.cancel();
        (time, stop(Limits::new().cancel(&cancel)))
    });
    assert_eq!(stops, [(Stop::TimeLimit, Stop::Cancelled); 2]);
    let queens = Queens::new(8).expect("a size").bits();
    let search = Search::new(&queens).limits(Limits::new().depth(4));
    let depth = search.on(&Cluster::threads(2)).count().expect("a local run");
    assert_eq!(depth.stop(), Stop::DepthLimit);
}

#[test]
fn a_panic_in_a_hook_or_in_the_progress_callback_ends_all_processes() {
    let queens = Queens::new(12).expect("a size").bits();
    for in_hook in [true, false] {
        let ends = in_processes(2, 1, |_, cluster| {
            let panics = !cluster.is_first();
            let trap = hook::watch("trap", move |_| assert!(!in_hook || !panics, "it snaps"));
            let mut search = Search::new(&queens).hook(trap);
            if !in_hook {
                search = search
                    .progress(Duration::ZERO, move |_| assert!(!panics, "it snaps"))
                    .fraction();
            }
            let search = search.on(cluster).problem(fingerprint()).budget(100);
            let end = catch_unwind(AssertUnwindSafe(|| search.count()));
            end.map(|outcome| outcome.map(|_| ())).map_err(|_| ())
        });
        let is_told = match &ends[0] {
            Ok(Err(ClusterError::Panicked { worker: 1, message })) => message == "it snaps",
            // The other process may have finished before it was told.
            Ok(Ok(()) | Err(ClusterError::PeerLost { .. })) => !in_hook,
            _ => false,
        };
        assert!(is_told, "{ends:?}");
        assert!(ends[1].is_err(), "its own process panics");
    }
}

#[test]
fn processes_with_different_searches_are_refused() {
    let queens = Queens::new(8).expect("a size").bits();
    let ends = in_processes(2, 1, |_, cluster| {
        let mirror = cluster.is_first().then(Queens::mirror);
        Search::new(&queens).hooks((mirror,)).on(cluster).problem(fingerprint()).count().map(|_| ())
    });
    let other = in_processes(2, 1, |_, cluster| {
        let queens = Queens::new(if cluster.is_first() { 20 } else { 21 }).expect("a size").bits();
        Search::new(&queens).on(cluster).problem(fingerprint()).count().map(|_| ())
    });
    for ends in [&ends, &other] {
        let is_refused = |end: &_| matches!(end, Err(ClusterError::OtherProgram { .. }));
        let is_lost = |end: &_| matches!(end, Err(ClusterError::PeerLost { .. }));
        assert!(ends.iter().all(|end| is_refused(end) || is_lost(end)), "{ends:?}");
        assert!(ends.iter().any(is_refused), "{ends:?}");
    }
}

/// Returns the fingerprint for tests with a single problem.
fn fingerprint() -> Fingerprint {
    Fingerprint::new("a test", &())
}

#[test]
fn processes_refuse_different_fingerprints() {
    // Each tree is a single node, so nothing else can tell the processes apart.
    let ends = in_processes(2, 1, |_, cluster| {
        let seed = u64::from(cluster.is_first());
        let tree = RandomTree::new(seed, 1, 0);
        let fingerprint = Fingerprint::new("a tree", &seed);
        Search::new(&tree).on(cluster).problem(fingerprint).count().map(|_| ())
    });
    let is_refused = |end: &Result<(), ClusterError>| match end {
        Err(error @ ClusterError::OtherProgram { .. }) => error.to_string().contains("fingerprint"),
        Err(ClusterError::PeerLost { .. }) => true,
        _ => false,
    };
    assert!(ends.iter().all(is_refused), "{ends:?}");
    // Without a fingerprint, the processes do not even connect.
    let ends = in_processes(2, 1, |_, cluster| {
        Search::new(&RandomTree::new(1, 1, 0)).on(cluster).count().map(|_| ())
    });
    assert!(ends.iter().all(|end| matches!(end, Err(ClusterError::Unidentified))), "{ends:?}");
}

#[test]
fn progress_covers_all_workers() {
    let queens = Queens::new(11).expect("a size").bits();
    let mut last = None;
    let outcome = Search::new(&queens)
        .progress(Duration::ZERO, |progress| last = Some((progress.nodes, progress.fraction)))
        .fraction()
        .on(&Cluster::threads(2))
        .budget(1_000)
        .count()
        .expect("a local run");
    assert_eq!(outcome.exact(), Some(2_680));
    assert_eq!(last, Some((166_926, Some(1.0))));
}

/// Only the nodes of this run count, as in a search in one process.
#[test]
fn progress_of_a_resumed_search_excludes_earlier_runs() {
    let queens = Queens::new(9).expect("a size").bits();
    let directory = Directory::new();
    let search = |limits| Search::new(&queens).limits(limits);
    let journal = Fingerprint::new("9-queens", &());
    let begun = search(Limits::new().nodes(4_000)).on(&ONE_WORKER).budget(100);
    let begun = begun.journal(&directory.0, journal.clone()).count().expect("a new journal");
    assert_eq!((begun.stop(), begun.report().nodes()), (Stop::NodeLimit, 4_000));
    let (cluster, mut last) = (Cluster::threads(2), None);
    let resumed = search(Limits::new())
        .progress(Duration::ZERO, |progress| last = Some((progress.nodes, progress.solutions)))
        .fraction()
        .on(&cluster)
        .budget(100)
        .journal(&directory.0, journal)
        .count()
        .expect("a journal");
    assert_eq!(resumed.exact(), Some(352));
    let nodes = resumed.report().nodes() - begun.report().nodes();
    assert_eq!(last, Some((nodes, 352 - begun.report().solutions())));
}

/// A hook that claims to remember visited nodes, and records the largest share of memory that it
/// may use.
#[derive(Clone, Default)]
struct Share(Arc<AtomicU64>);

impl Hook<RandomTree> for Share {
    fn name(&self) -> &str {
        "share"
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Visited
    }
    fn limit_memory(&self, bytes: usize) {
        // Relaxed: the run has ended when the number is read.
        self.0.fetch_max(bytes as u64, Ordering::Relaxed);
    }
}

#[test]
fn workers_of_a_process_divide_the_memory_limit() {
    let tree = RandomTree::new(7, 4, 6);
    for workers in [1, 2, 5] {
        let (cluster, share) = (Cluster::threads(workers), Share::default());
        let search = Search::new(&tree).limits(Limits::new().memory(1 << 20));
        let search = search.hooks((share.clone(),)).on(&cluster).budget(50);
        assert_eq!(search.count().expect("a local run").stop(), Stop::Exhausted);
        // Half of the share of a worker is for the memory of its hooks.
        let most = (1 << 20) / workers as u64 / 2;
        assert_eq!(share.0.load(Ordering::Relaxed), most, "{workers} workers");
    }
}
