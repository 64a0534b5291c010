//! Searches in phases with `Anytime`: their results, proofs and progress.

use proptest::prelude::*;
use secateurs::brancher::Shuffled;
use secateurs::hook::Discrepancies;
use secateurs::search::{Anytime, RunBudget, Schedule};
use secateurs::{Cancel, Effect, Limits, Node, Objective, Optimum, Outcome, Search, Stop, Verdict};

use crate::shared::frontiers::begun_best;
use crate::support::trees::RandomTree;

/// Returns a hash of the path: a value that no order of children predicts.
fn value(path: &[u32]) -> u64 {
    path.iter().fold(7_u64, |sum, &step| (sum.wrapping_mul(31) ^ u64::from(step)) % 1_009)
}

fn hash_objective() -> Objective<RandomTree, u64, impl Fn(&RandomTree, &Vec<u32>) -> u64> {
    Objective::maximise(|_: &RandomTree, path: &Vec<u32>| value(path))
}

fn tree(seed: u64) -> RandomTree {
    RandomTree::new(seed, 4, 7)
}

fn optimum(tree: &RandomTree) -> Option<u64> {
    Search::new(tree).solutions().map(|path| value(&path)).max()
}

/// Checks the claims of an outcome against all solutions.
fn assert_honest(outcome: &Outcome<Optimum<u64, Vec<u32>>>, tree: &RandomTree, steps: &[u64]) {
    let best = optimum(tree);
    assert!(steps.is_sorted_by(|one, other| one < other));
    assert_eq!(outcome.best_so_far(), steps.last());
    assert!(outcome.best_so_far().copied() <= best);
    assert_eq!(outcome.solution().map(|path| value(path)), steps.last().copied());
    if outcome.proven().is_some() || outcome.is_proven_infeasible() {
        assert_eq!(outcome.proven().copied(), best);
        assert!(outcome.effect().keeps_optimum() && outcome.report().conflicts().is_empty());
        assert!(outcome.stop().is_exhausted());
    }
}

proptest! {
    #[test]
    fn widening_beams_prove_the_optimum(seed in any::<u64>()) {
        let tree = tree(seed);
        let objective = hash_objective();
        let mut steps = Vec::new();
        let mut widths = 0;
        let outcome = Anytime::new(&objective)
            .watch(|&value, _| steps.push(value))
            .each((0..).map(|doubled| 1 << doubled), |width| {
                widths += 1;
                Search::new(&tree).beam(width, |_, path| value(path))
            })
            .finish();
        assert_honest(&outcome, &tree, &steps);
        prop_assert!(outcome.proven().is_some() || outcome.is_proven_infeasible());
        prop_assert!(widths < 12);
        prop_assert!(
            widths == 1 || outcome.report().nodes() > Search::new(&tree).count().report().nodes()
        );
    }

    #[test]
    fn phases_share_limits_and_add_up(
        seed in any::<u64>(),
        nodes in 0_u64..300,
        width in 1_usize..6,
    ) {
        let tree = tree(seed);
        let objective = hash_objective();
        let mut steps = Vec::new();
        let phases = Anytime::new(&objective)
            .limits(Limits::new().nodes(nodes))
            .watch(|&value, _| steps.push(value))
            .then(
                Search::new(&tree)
                    .limits(Limits::new().nodes(20))
                    .beam(width, |_, path| value(path)),
            )
            .each(0..3, |allowed| {
                let limits = Limits::new().nodes(30);
                Search::new(&tree).limits(limits).hooks((Discrepancies::at_most(allowed),))
            })
            .each(Schedule::luby(10).take(3).zip(0..), |(budget, seed)| {
                Search::new(&tree).limits(Limits::new().nodes(budget)).brancher(Shuffled::new(seed))
            })
            .then(Search::new(&tree));
        let (is_proven, is_done) = (phases.is_proven(), phases.is_done());
        let outcome = phases.finish();
        assert_honest(&outcome, &tree, &steps);
        prop_assert!(outcome.report().nodes() <= nodes);
        prop_assert_eq!(is_proven, outcome.proven().is_some() || outcome.is_proven_infeasible());
        prop_assert!(is_done);
        if !is_proven {
            prop_assert_eq!(outcome.report().nodes(), nodes);
            prop_assert_eq!(outcome.stop(), Stop::NodeLimit);
        }
    }

    #[test]
    fn a_discrepancy_limit_that_prunes_nothing_proves_the_optimum(seed in any::<u64>()) {
        let tree = tree(seed);
        let objective = hash_objective();
        let mut steps = Vec::new();
        let outcome = Anytime::new(&objective)
            .watch(|&value, _| steps.push(value))
            .each(0..20, |allowed| Search::new(&tree).hooks((Discrepancies::at_most(allowed),)))
            .finish();
        assert_honest(&outcome, &tree, &steps);
        prop_assert!(outcome.proven().is_some() || outcome.is_proven_infeasible());
    }
}

#[test]
fn improvements_beat_the_values_of_earlier_runs() {
    for seed in 0..40 {
        let tree = tree(seed);
        let mut frontier = begun_best(Search::new(&tree), 9, &hash_objective());
        let nodes = Search::new(&tree).count().report().nodes();
        let objective = hash_objective();
        let mut steps = Vec::new();
        let outcome = Anytime::new(&objective)
            .watch(|&value, _| steps.push(value))
            .then(Search::new(&tree).limits(Limits::new().nodes(nodes - 1)))
            .then(Search::new(&tree).limits(Limits::new().nodes(1)).frontier(&mut frontier))
            .finish();
        assert_honest(&outcome, &tree, &steps);
    }
}

#[test]
fn nodes_of_earlier_runs_do_not_count_for_the_limit_of_all_phases() {
    let tree = tree(2);
    let all = Search::new(&tree).count().report().nodes();
    let mut frontier = begun_best(Search::new(&tree), all - 5, &hash_objective());
    let objective = hash_objective();
    let outcome = Anytime::new(&objective)
        .limits(Limits::new().nodes(4))
        .then(Search::new(&tree).limits(Limits::new().nodes(1)).frontier(&mut frontier))
        .then(Search::new(&tree).limits(Limits::new().nodes(2)))
        .then(Search::new(&tree))
        .finish();
    assert_eq!(outcome.stop(), Stop::NodeLimit);
    assert_eq!(outcome.report().nodes(), all - 5 + 4);
}

#[test]
fn a_phase_proves_a_known_value_optimal() {
    let tree = RandomTree::new(11, 4, 9);
    let bound = |_: &RandomTree, _: &Vec<u32>| 1_009_u64;
    let best = optimum(&tree).expect("there are solutions");
    let objective = hash_objective();
    objective.incumbent().offer(best);
    // The optimum is known: the run proves that nothing is better.
    let phases = Anytime::new(&objective)
        .then(Search::new(&tree).limits(Limits::new().nodes(10)).beam(1, |_, path| value(path)));
    assert!(!phases.keeps_optimum());
    let phases = phases.then(
        Search::new(&tree).hooks((objective.bound("none", bound),)).best_first(&objective, bound),
    );
    assert!(phases.keeps_optimum());
    let outcome = phases.finish();
    assert_eq!((outcome.none_better(), outcome.solution()), (Some(&best), None));
    assert_eq!(outcome.report().hooks().len(), 1);
}

#[test]
fn cancellation_stops_the_phases() {
    let tree = tree(3);
    let objective = hash_objective();
    let cancel = Cancel::new();
    let mut phases = 0;
    let outcome = Anytime::new(&objective)
        .limits(Limits::new().cancel(&cancel))
        .each(0.., |_: u32| {
            phases += 1;
            if phases == 3 {
                cancel.cancel();
            }
            Search::new(&tree).limits(Limits::new().nodes(5))
        })
        .finish();
    assert_eq!((phases, outcome.stop(), outcome.report().nodes()), (3, Stop::Cancelled, 10));
    // Without phases, the outcome is `Paused`.
    let objective = hash_objective();
    let none: [u64; 0] = [];
    let outcome = Anytime::new(&objective)
        .each(none, |seed| Search::new(&tree).brancher(Shuffled::new(seed)))
        .finish();
    assert_eq!((outcome.stop(), outcome.best_so_far()), (Stop::Paused, None));
    assert!(matches!(outcome.value(), Optimum::Unknown));
}

#[test]
fn runs_that_share_a_budget_prove_what_the_last_one_does() {
    let tree = tree(3);
    let all = Search::new(&tree).count();
    let nothing = |_: &Node<'_, RandomTree>, _: &u32| Verdict::Prune;
    let none_below = || Search::new(&tree).admit("nothing", Effect::Lossy, nothing);
    let whole = |budget: &mut RunBudget, limits: Limits| {
        let (found, report) =
            Search::new(&tree).limits(limits.within(budget.limits())).first().into_parts();
        budget.add(report);
        found.solution().cloned()
    };

    // Without a run.
    let outcome = RunBudget::new(Limits::new()).found(None::<()>);
    assert_eq!((outcome.is_proven_none(), outcome.stop()), (false, Stop::Paused));
    let outcome = RunBudget::new(Limits::new()).optimum(None::<(u64, ())>, false, None);
    assert_eq!((outcome.is_proven_infeasible(), outcome.stop()), (false, Stop::Paused));

    // The limit of nodes is that of all runs, and ends them.
    let mut budget = RunBudget::new(Limits::new().nodes(3));
    while budget.used_up().is_none() {
        assert_eq!(whole(&mut budget, Limits::new().nodes(1)), None);
    }
    let report = budget.report().expect("three runs");
    assert_eq!((report.nodes(), budget.used_up()), (3, Some(Stop::NodeLimit)));
    let outcome = budget.clone().found(None::<()>);
    assert_eq!((outcome.exists(), outcome.stop()), (None, Stop::NodeLimit));

    // A lossy run proves nothing, nor does an exhausted one after it.
    let (found, report) = none_below().first().into_parts();
    assert_eq!(found.solution(), None);
    let mut lossy = RunBudget::new(Limits::new());
    lossy.add(report);
    assert_eq!(lossy.found(None::<()>).exists(), None);

    // A solution is one.
    let mut budget = RunBudget::new(Limits::new());
    let solution = whole(&mut budget, Limits::new());
    assert_eq!(budget.found(solution).exists(), Some(all.exact() != Some(0)));

    // Cancellation and time end all runs.
    let cancel = Cancel::new();
    let budget = RunBudget::new(Limits::new().cancel(&cancel));
    cancel.cancel();
    assert_eq!(budget.used_up(), Some(Stop::Cancelled));
    let budget = RunBudget::new(Limits::new().time(std::time::Duration::ZERO));
    assert_eq!(budget.used_up(), Some(Stop::TimeLimit));
}
