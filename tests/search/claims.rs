//! Claims hold for the whole tree and for the question that was asked, in every combination of
//! hooks, strategies, questions and parts.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use secateurs::brancher::Shuffled;
use secateurs::checkpoint::{Fingerprint, SaveError};
use secateurs::hook::{Dominance, HookMemory, Memo};
use secateurs::plug::{ContourProblem, Sweep, SweepHook, Thinning};
use secateurs::search::{Anytime, Frontier};
use secateurs::{
    Branch, Brancher, Digest, Direction, Effect, Found, Hook, Hooks, Incumbent, IncumbentId,
    Limits, Node, NodeMut, Objective, Optimum, Outcome, Problem, ProblemOrder, Report, Search,
    Stop, Substitute, SubstituteOrder, Verdict, hook,
};
use secateurs_problems::queens::Queens;

use crate::shared::frontiers::{merged, written_and_read};
use crate::shared::sweeps::{Sets, Stepped};
use crate::shared::words::Words;
use crate::support::sketch::Sketch;

type Value = fn(&Sketch, &usize) -> i64;

/// Returns the objective of the values of a sketch, under a name by which a file recognises it.
fn value() -> Objective<Sketch, i64, Value> {
    Objective::maximise(Sketch::value as Value).named("value")
}

/// Returns the frontier that is left by a search for the best solution in so many nodes.
fn begun<F: Fn(&Sketch, &usize) -> i64>(
    tree: &Sketch,
    nodes: u64,
    objective: &Objective<Sketch, i64, F>,
) -> Frontier<usize> {
    let mut frontier = Frontier::new();
    let search = Search::new(tree).limits(Limits::new().nodes(nodes));
    let _ = search.frontier(&mut frontier).best(objective);
    frontier
}

#[test]
fn a_memo_beside_an_undeclared_read_of_the_incumbent_proves_no_optimum() {
    let words = Words::bits(2);
    let ones = |word: &Vec<u32>| word.iter().sum::<u32>();
    let most = Objective::maximise_for(&words, |_, word| ones(word));
    most.incumbent().offer(1);
    let mut incumbent = most.incumbent().clone();
    // All words of a length have equally many solutions below them, but the memo takes the cut at
    // (1, 0), which compares with the incumbent, for a lack of solutions.
    let memo = Memo::failed("memo", |_: &Words, word: &Vec<u32>| word.len());
    let outcome = Search::new(&words)
        .hook(memo)
        .enter("reads", Effect::Preserving, move |node| {
            let left = 2 - node.state().len() as u32;
            Verdict::keep_if(incumbent.is_beaten_by(&(ones(node.state()) + left)))
        })
        .best(&most);
    assert_eq!((outcome.best_so_far(), outcome.proven()), (Some(&1), None));
    let reason = "`memo` cannot be combined with an undeclared read of an incumbent: leave \
                  out one of them";
    assert_eq!(outcome.report().conflicts(), [reason]);
}

#[test]
fn a_memo_learns_nothing_from_solutions_that_a_split_defers() {
    for length in 1..6 {
        for parts in 2..5 {
            let words = Words::bits(length);
            let key = |_: &Words, word: &Vec<u32>| (word.len(), word.iter().sum::<u32>());
            let mut memo = Memo::counted("ways", key);
            let mut open = Search::new(&words).hooks((&mut memo,)).split(Frontier::new(), parts);
            for part in &mut open {
                let _ = Search::new(&words).hooks((&mut memo,)).frontier(part).count();
            }
            let outcome =
                Search::new(&words).hooks((&mut memo,)).frontier(&mut merged(open)).count();
            assert_eq!(outcome.exact(), Some(1 << length), "{length} letters, {parts} parts");
        }
    }
}

#[test]
fn a_finished_frontier_does_not_answer_another_question() {
    let queens = Queens::new(8).expect("a size").bits();
    let mut frontier = Frontier::new();
    assert_eq!(Search::new(&queens).frontier(&mut frontier).count().exact(), Some(92));
    assert_eq!(Search::new(&queens).frontier(&mut frontier).exists().exists(), Some(true));
    assert_eq!(Search::new(&queens).frontier(&mut frontier).first().value(), &Found::Unknown);
    let none = Search::new(&queens).frontier(&mut frontier).threads(2).first();
    assert!(!none.is_proven_none());
    let value = Objective::maximise(|_: &_, _: &_| 1_u32);
    let best = Search::new(&queens).frontier(&mut frontier).best(&value);
    assert_eq!(best.value(), &Optimum::Unknown);
    assert!(
        best.report().conflicts()[0].contains("did not compare"),
        "{:?}",
        best.report().conflicts()
    );
    // The count is still known.
    assert_eq!(Search::new(&queens).frontier(&mut frontier).count().at_least(), 92);
}

#[test]
fn solutions_that_were_only_counted_are_not_compared() {
    // The first solution is the best one. The first run only counts it.
    let tree = Sketch::leaves(&[(10, 0), (5, 0)]);
    let value = || Objective::maximise(Sketch::value).named("value");
    let mut frontier = Frontier::new();
    let limits = Limits::new().solutions(1);
    let _ = Search::new(&tree).limits(limits).frontier(&mut frontier).count();
    let read = written_and_read(&frontier);
    for mut frontier in [frontier, read] {
        let outcome = Search::new(&tree).frontier(&mut frontier).best(&value());
        assert_eq!(outcome.value(), &Optimum::BestSoFar { value: 5, solution: Some(vec![2]) });
    }
}

#[test]
fn a_frontier_resumes_with_its_own_objective_only() {
    let tree = Sketch::leaves(&[(10, 7), (5, 9), (7, 8)]);
    let value = || Objective::maximise(Sketch::value).named("value");
    let label = || {
        Objective::maximise(|tree: &Sketch, node: &usize| i64::from(tree.label(node)))
            .named("label")
    };
    for second_label in [false, true] {
        let mut frontier = Frontier::new();
        let limits = Limits::new().nodes(2);
        let stopped = Search::new(&tree).limits(limits).frontier(&mut frontier).best(&value());
        assert_eq!(stopped.value(), &Optimum::BestSoFar { value: 10, solution: Some(vec![1]) });
        if second_label {
            let other = Search::new(&tree).frontier(&mut frontier).best(&label());
            assert_eq!((other.proven(), other.effect()), (None, Effect::Lossy));
        } else {
            let same = Search::new(&tree).frontier(&mut frontier).best(&value());
            assert_eq!(same.value(), &Optimum::Proven { value: 10, solution: Some(vec![1]) });
        }
    }
}

#[test]
fn a_frontier_of_another_brancher_or_of_hooks_with_other_parameters_proves_nothing() {
    // Each hook keeps one of the two best solutions. Together, they lose both.
    let tree = Sketch::leaves(&[(5, 0), (1, 0), (5, 0)]);
    let without = |lost: usize| {
        hook::admit("without", Effect::OptimumOnly, move |_: &Node<'_, Sketch>, &child: &usize| {
            Verdict::prune_if(child == lost)
        })
        .parameters(&lost)
    };
    let limits = Limits::new().nodes(2);
    let value = Objective::maximise(Sketch::value);
    for (then, expected) in [(3, Some(&5)), (1, None)] {
        let mut frontier = Frontier::new();
        let search = Search::new(&tree).hook(without(3)).limits(limits.clone());
        let _ = search.frontier(&mut frontier).best(&value);
        let search = Search::new(&tree).hook(without(then)).frontier(&mut frontier);
        assert_eq!(search.best(&Objective::maximise(Sketch::value)).proven(), expected);
    }

    for threads in [1, 2] {
        for (seed, expected) in [(7, Some(3)), (8, None)] {
            let mut frontier = Frontier::new();
            let search = Search::new(&tree).brancher(Shuffled::new(7)).limits(limits.clone());
            let _ = search.frontier(&mut frontier).count();
            let search = Search::new(&tree).brancher(Shuffled::new(seed)).frontier(&mut frontier);
            let counted = if threads == 1 { search.count() } else { search.threads(2).count() };
            assert_eq!(counted.exact(), expected);
        }
    }
    let mut parts = Search::new(&tree).split(Frontier::new(), 2);
    let _ = Search::new(&tree).frontier(&mut parts[0]).count();
    let _ = Search::new(&tree).brancher(Shuffled::new(7)).frontier(&mut parts[1]).count();
    let whole = merged(parts);
    assert_eq!(whole.report().map(|report| report.effect()), Some(Effect::Lossy));
}

/// A tree of three solutions: the first has the greatest value, the second the least value and the
/// greatest label.
fn opposed() -> Sketch {
    Sketch::leaves(&[(10, 1), (5, 9), (7, 8)])
}

/// Returns the optimum of `second` that is proven on a frontier left by a run with the objective
/// `first`. That run has visited the first two solutions and kept the first.
fn proven_after<F, G>(
    first: &Objective<Sketch, i64, F>,
    second: &Objective<Sketch, i64, G>,
) -> Option<i64>
where
    F: Fn(&Sketch, &usize) -> i64,
    G: Fn(&Sketch, &usize) -> i64,
{
    let tree = opposed();
    let mut frontier = begun(&tree, 3, first);
    Search::new(&tree).frontier(&mut frontier).best(second).proven().copied()
}

#[test]
fn objectives_that_only_look_alike_are_not_the_same_question() {
    type Boxed = Box<dyn Fn(&Sketch, &usize) -> i64>;

    fn by_weights(weights: [i64; 2]) -> Objective<Sketch, i64, impl Fn(&Sketch, &usize) -> i64> {
        Objective::maximise(move |tree: &Sketch, node: &usize| {
            weights[0] * tree.value(node) + weights[1] * i64::from(tree.label(node))
        })
    }
    fn helper<F: Fn(&Sketch, &usize) -> i64>(value: F) -> Objective<Sketch, i64, F> {
        Objective::maximise(value)
    }
    // Each use defines another function of the same path.
    macro_rules! objective_of {
        ($function:expr) => {{
            fn value(tree: &Sketch, node: &usize) -> i64 {
                let function: fn(&Sketch, &usize) -> i64 = $function;
                function(tree, node)
            }
            Objective::maximise(value)
        }};
    }

    let value: Value = Sketch::value;
    let label: Value = |tree, node| i64::from(tree.label(node));
    let answers = [
        ("pointers", proven_after(&Objective::maximise(value), &Objective::maximise(label))),
        (
            "boxes",
            proven_after(
                &Objective::maximise(Box::new(value) as Boxed),
                &Objective::maximise(Box::new(label) as Boxed),
            ),
        ),
        ("captured data", proven_after(&by_weights([1, 0]), &by_weights([0, 1]))),
        (
            "closures of one function",
            proven_after(
                &helper(|tree, node| tree.value(node)),
                &helper(|tree, node| i64::from(tree.label(node))),
            ),
        ),
        (
            "functions of one path",
            proven_after(
                &objective_of!(Sketch::value),
                &objective_of!(|tree, node| i64::from(tree.label(node))),
            ),
        ),
    ];
    for (case, answer) in answers {
        // The second run does not see the solution of the greatest label.
        assert_eq!(answer, None, "{case}");
    }
    let least =
        proven_after(&Objective::maximise(Sketch::value), &Objective::minimise(Sketch::value));
    assert_eq!(least, None);
}

#[test]
fn an_objective_is_recognised_by_its_function_or_its_name() {
    let best = Some(10);
    let function = || Objective::maximise(Sketch::value);
    assert_eq!(proven_after(&function(), &function()), best);
    let closure = || Objective::maximise(|tree: &Sketch, node: &usize| tree.value(node));
    assert_eq!(proven_after(&closure(), &closure()), best);
    let pointer = || Objective::maximise(Sketch::value as Value);
    assert_eq!(proven_after(&pointer().named("value"), &pointer().named("value")), best);
    let itself = pointer();
    assert_eq!(proven_after(&itself, &itself), best);
    // A name counts more than the code, which may differ between two builds of a program.
    let other = || Objective::maximise(|tree: &Sketch, node: &usize| tree.0[*node].value.unwrap());
    assert_eq!(proven_after(&closure().named("value"), &other().named("value")), best);
}

#[test]
fn a_frontier_is_saved_only_with_an_objective_that_other_processes_recognise() {
    let tree = opposed();
    let print = Fingerprint::new("a tree", &());
    let limits = Limits::new().nodes(3);
    let mut frontier = Frontier::new();
    let unnamed = Objective::maximise(Sketch::value as Value);
    let _ = Search::new(&tree).limits(limits.clone()).frontier(&mut frontier).best(&unnamed);
    let error = frontier.write(Vec::new(), &print).expect_err("no name");
    assert!(matches!(error, SaveError::Unnamed), "{error}");
    // Nothing is lost.
    let outcome = Search::new(&tree).frontier(&mut frontier).best(&unnamed);
    assert_eq!(outcome.proven(), Some(&10));

    for by_path in [false, true] {
        let named = || {
            let objective = Objective::maximise(Sketch::value);
            if by_path { objective } else { objective.named("value") }
        };
        let mut frontier = Frontier::new();
        let limits = limits.clone();
        let _ = Search::new(&tree).limits(limits).frontier(&mut frontier).best(&named());
        let outcome = Search::new(&tree).frontier(&mut written_and_read(&frontier)).best(&named());
        assert_eq!(outcome.proven(), Some(&10));
        let outcome = Search::new(&tree).frontier(&mut written_and_read(&frontier)).best(&unnamed);
        assert_eq!(outcome.proven(), None);
    }
}

/// Searches a frontier for the best solution, with one thread or two.
fn best_on<H: Hooks<Sketch> + Clone + Send>(
    threads: usize,
    search: Search<'_, Sketch, ProblemOrder, H>,
    frontier: &mut Frontier<usize>,
    value: &Objective<Sketch, i64, Value>,
) -> Outcome<Optimum<i64, Vec<usize>>> {
    let search = search.frontier(frontier);
    if threads == 1 { search.best(value) } else { search.threads(threads).best(value) }
}

#[test]
fn an_optimum_is_proven_only_if_the_values_offered_to_earlier_runs_are_known() {
    let tree = Sketch::leaves(&[(9, 0), (5, 0)]);
    for threads in [1, 2] {
        let begun = |value: &Objective<Sketch, i64, Value>| {
            let mut frontier = Frontier::new();
            let search = Search::new(&tree).limits(Limits::new().nodes(2));
            let begun = best_on(threads, search, &mut frontier, value);
            assert_eq!(begun.best_so_far(), Some(&9));
            frontier
        };
        let offered = value();
        offered.incumbent().offer(9);
        let frontier = begun(&offered);
        for mut frontier in [written_and_read(&frontier), frontier] {
            let without = best_on(threads, Search::new(&tree), &mut frontier, &value());
            assert_eq!(without.value(), &Optimum::BestSoFar { value: 5, solution: Some(vec![2]) });
            let reason = "earlier runs pruned by the value 9, which this run does not know: offer \
                          it to the incumbent";
            assert_eq!(without.report().conflicts(), [reason]);
            // The value may still be offered.
            let again = value();
            again.incumbent().offer(9);
            let with = best_on(threads, Search::new(&tree), &mut frontier, &again);
            assert_eq!(with.value(), &Optimum::NoneBetter { value: 9 });
            assert_eq!(with.report().conflicts(), [""; 0]);
        }

        let mut frontier = begun(&offered);
        let same = best_on(threads, Search::new(&tree), &mut frontier, &offered);
        assert_eq!(same.none_better(), Some(&9));
        // A value that a run has found itself is known to the next one.
        let mut frontier = written_and_read(&begun(&value()));
        let found = best_on(threads, Search::new(&tree), &mut frontier, &value());
        assert_eq!(found.value(), &Optimum::Proven { value: 9, solution: Some(vec![1]) });
    }
}

#[test]
fn dividing_a_frontier_keeps_the_values_that_were_offered() {
    let tree = Sketch::leaves(&[(9, 0), (5, 0), (7, 0)]);
    let offered = value();
    offered.incumbent().offer(9);
    let frontier = begun(&tree, 2, &offered);
    let mut parts = Search::new(&tree).split(written_and_read(&frontier), 2);
    for part in &mut parts {
        let _ = Search::new(&tree).frontier(part).best(&value());
    }
    let outcome = Search::new(&tree).frontier(&mut merged(parts)).best(&value());
    assert_eq!((outcome.best_so_far(), outcome.proven()), (Some(&7), None));
}

#[test]
fn a_run_that_has_lost_nothing_to_an_offered_value_needs_no_such_value() {
    let tree = Sketch::leaves(&[(9, 0), (5, 0)]);
    let offered = value();
    offered.incumbent().offer(9);
    let frontier = begun(&tree, 1, &offered);
    let outcome = Search::new(&tree).frontier(&mut written_and_read(&frontier)).best(&value());
    assert_eq!(outcome.proven(), Some(&9));
}

#[test]
fn parts_need_the_values_offered_to_any_of_them() {
    // Each part gets one of the three inner nodes.
    let tree = Sketch::of(&[
        (&[1, 2, 3], None, 0),
        (&[4], None, 0),
        (&[5], None, 0),
        (&[6], None, 0),
        (&[], Some(9), 0),
        (&[], Some(5), 0),
        (&[], Some(7), 0),
    ]);
    let mut losses = 0;
    for offered_to in 0..3 {
        let frontier = begun(&tree, 3, &value());
        let mut parts = frontier.split(3);
        let mut lost = false;
        for (index, part) in parts.iter_mut().enumerate() {
            let value = value();
            if index == offered_to {
                value.incumbent().offer(8);
            }
            let outcome = Search::new(&tree).frontier(part).best(&value);
            let has_lost = outcome.solution().is_none() && outcome.report().solutions() > 0;
            lost |= index == offered_to && has_lost;
        }
        let whole = merged(parts.iter().map(written_and_read));
        let with = value();
        with.incumbent().offer(8);
        let outcome = Search::new(&tree).frontier(&mut written_and_read(&whole)).best(&with);
        assert_eq!(outcome.proven(), Some(&9));
        let outcome = Search::new(&tree).frontier(&mut written_and_read(&whole)).best(&value());
        assert_eq!(outcome.proven(), if lost { None } else { Some(&9) }, "{offered_to}");
        losses += usize::from(lost);
    }
    assert!((1..3).contains(&losses), "{losses}");
}

#[test]
fn parts_that_share_an_objective_need_no_value_that_one_of_them_has_found() {
    let tree = Sketch::leaves(&[(3, 0), (5, 0), (1, 0), (9, 0)]);
    let (mut frontier, shared) = (Frontier::new(), value());
    let begin = Search::new(&tree).limits(Limits::new().nodes(2));
    let _ = begin.frontier(&mut frontier).best(&shared);
    let mut parts = frontier.split(3);
    for part in &mut parts {
        let _ = Search::new(&tree).frontier(part).best(&shared);
    }
    let outcome = Search::new(&tree).frontier(&mut written_and_read(&merged(parts))).best(&value());
    assert_eq!(outcome.value(), &Optimum::Proven { value: 9, solution: Some(vec![4]) });
}

#[test]
fn a_lost_frontier_stays_lost_without_memory() {
    let tree = Sketch::leaves(&[(5, 0), (9, 0)]);
    let mut frontier = begun(&tree, 2, &value());
    let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let panics = hook::enter("panics", Effect::Preserving, |node: &mut NodeMut<'_, Sketch>| {
            assert_ne!(*node.state(), 2, "this panic is part of the test");
            Verdict::Keep
        });
        Search::new(&tree).hook(panics).frontier(&mut frontier).best(&value())
    }));
    assert!(panics.is_err());
    let limits = Limits::new().memory(0);
    let _ = Search::new(&tree).limits(limits).frontier(&mut frontier).best(&value());
    let outcome = Search::new(&tree).frontier(&mut frontier).best(&value());
    assert_eq!((outcome.stop(), outcome.proven()), (Stop::Interrupted, None));
}

#[test]
fn a_saved_best_solution_that_another_incumbent_cuts_off_is_not_forgotten() {
    let tree = Sketch::leaves(&[(9, 3), (5, 8)]);
    for threads in [1, 2] {
        let mut frontier = begun(&tree, 2, &value());
        let other = Incumbent::new(Direction::Maximise);
        other.offer(5);
        let mut reader = other.clone();
        let reads =
            hook::enter("reads", Effect::Preserving, move |node: &mut NodeMut<'_, Sketch>| {
                let label = node.problem().label(node.state());
                Verdict::keep_if(label == 0 || reader.is_beaten_by(&label))
            });
        let search = Search::new(&tree).hook(reads);
        let outcome = best_on(threads, search, &mut frontier, &value());
        assert_eq!((outcome.best_so_far(), outcome.proven()), (Some(&5), None));
        let reason =
            "the incumbent of another objective was read: read that of the objective of the run";
        assert_eq!(outcome.report().conflicts(), [reason]);
    }
}

#[test]
fn a_saved_best_solution_that_the_hooks_of_a_later_run_cut_off_is_not_forgotten() {
    // The first run has no hook and finds both best solutions; the hook keeps the second one.
    let tree = Sketch::leaves(&[(9, 0), (9, 0), (5, 0)]);
    for threads in [1, 2] {
        let mut frontier = begun(&tree, 3, &value());
        let keeps = hook::enter("keeps", Effect::OptimumOnly, |node: &mut NodeMut<'_, Sketch>| {
            Verdict::prune_if(*node.state() == 1)
        });
        let outcome = best_on(threads, Search::new(&tree).hook(keeps), &mut frontier, &value());
        assert_eq!((outcome.best_so_far(), outcome.proven()), (Some(&5), None));
        let reason =
            "parts of the run lost solutions by different hooks: search all with the same ones";
        assert_eq!(outcome.report().conflicts(), [reason]);
        let outcome = best_on(threads, Search::new(&tree), &mut frontier, &value());
        assert_eq!(outcome.proven(), None);
    }
}

#[test]
fn a_part_claims_nothing_about_the_whole_tree() {
    let queens = Queens::new(6).expect("a size").bits();
    for is_new in [false, true] {
        let mut parts = match is_new {
            true => Search::new(&queens).split(Frontier::new(), 3),
            false => {
                let mut begun = Frontier::new();
                let _ = Search::new(&queens)
                    .limits(Limits::new().nodes(20))
                    .frontier(&mut begun)
                    .count();
                begun.split(3)
            }
        };
        let value = Objective::maximise(|_: &_, _: &_| 1_u32);
        let mut sum = 0;
        for part in &mut parts {
            assert!(!part.is_whole());
            let count = Search::new(&queens).frontier(part).count();
            assert_eq!(
                (count.stop(), count.exact(), count.representatives()),
                (Stop::Exhausted, None, None)
            );
            assert!(
                count.report().is_part() && part.report().is_some_and(|report| report.is_part())
            );
            assert!(count.to_string().contains("part"), "{count}");
            sum += count.at_least();
            assert!(!Search::new(&queens).frontier(part).first().is_proven_none());
            assert_ne!(
                Search::new(&queens).frontier(part).threads(2).exists().exists(),
                Some(false)
            );
            assert_eq!(Search::new(&queens).frontier(part).best(&value).none_better(), None);
        }
        assert_eq!(sum, 4);
        // All parts but one are not the whole tree either.
        let last = parts.pop().expect("three parts");
        let mut whole = merged(parts);
        assert_eq!(Search::new(&queens).frontier(&mut whole).count().exact(), None);
        assert!(whole.report().is_some_and(Report::is_part));
        whole.merge(last);
        assert!(whole.is_whole());
        assert!(whole.report().is_some_and(|report| !report.is_part()));
        assert_eq!(Search::new(&queens).frontier(&mut whole).count().exact(), Some(4));
    }
}

#[test]
fn an_offered_value_is_not_proven_to_be_the_optimum() {
    let value = Objective::maximise(Sketch::value);
    let tree = Sketch::leaves(&[(10, 0)]);
    assert_eq!(Search::new(&tree).best(&value).proven(), Some(&10));
    let infeasible = Sketch::of(&[(&[1], None, 0), (&[], None, 0)]);
    let outcome = Search::new(&infeasible).best(&value);
    assert_eq!(outcome.value(), &Optimum::NoneBetter { value: 10 });
    assert_eq!((outcome.proven(), outcome.none_better()), (None, Some(&10)));
}

/// A dominance among states of equal labels: these have solutions of the same value at or below
/// them, and none is an ancestor of another one.
fn dominance_by_label() -> impl Hook<Sketch> + Clone + Send {
    Dominance::new(
        "label",
        |tree: &Sketch, node: &usize| tree.label(node),
        |_, _| (),
        |(), ()| true,
    )
}

#[test]
fn a_depth_first_dominance_proves_nothing_in_another_order() {
    // In breadth-first order, each of the nodes labelled 1 and 2 is visited before the match of the
    // other one.
    let tree = Sketch::of(&[
        (&[1, 2, 7], None, 0),
        (&[3], None, 1),
        (&[4], None, 2),
        (&[5], None, 2),
        (&[6], None, 1),
        (&[], Some(10), 3),
        (&[], Some(10), 4),
        (&[], Some(1), 5),
    ]);
    let value = || Objective::maximise(Sketch::value);
    let search = || Search::new(&tree).hooks((dominance_by_label(),));
    assert_eq!(search().best(&value()).proven(), Some(&10));
    let (breadth, depth) =
        (search().breadth_first().best(&value()), search().threads(1).best(&value()));
    assert_eq!((breadth.proven(), breadth.effect()), (None, Effect::Lossy));
    assert!(
        breadth.report().conflicts()[0].contains("depth-first"),
        "{:?}",
        breadth.report().conflicts()
    );
    assert_eq!(depth.proven(), Some(&10));
    assert_eq!(search().threads(2).best(&value()).proven(), None);
    let bound = |_: &Sketch, _: &usize| 10;
    let objective = value();
    assert_eq!(search().best_first(&objective, bound).best(&objective).proven(), None);
    for parts in 2..5 {
        let mut open = search().split(Frontier::new(), parts);
        let mut best = Vec::new();
        for part in &mut open {
            best.extend(search().frontier(part).best(&value()).best_so_far().copied());
        }
        let outcome = search().frontier(&mut merged(open)).best(&value());
        assert_eq!(outcome.best_so_far(), Some(&10), "{best:?}");
    }
}

#[test]
fn cuts_in_favour_of_other_nodes_do_not_compose() {
    let tree = Sketch::leaves(&[(10, 0), (10, 0)]);
    let without = |name, effect, cut: usize| {
        hook::admit(name, effect, move |_: &Node<'_, Sketch>, &child: &usize| {
            Verdict::prune_if(child == cut)
        })
    };
    let value = || Objective::maximise(Sketch::value);
    for effect in [Effect::OptimumOnly, Effect::Representatives] {
        for (cut, left) in [(1, 2), (2, 1)] {
            let one = Search::new(&tree).hooks((without("one", effect, cut),)).best(&value());
            assert_eq!(one.value(), &Optimum::Proven { value: 10, solution: Some(vec![left]) });
        }
        let both = || (without("one", Effect::OptimumOnly, 1), without("other", effect, 2));
        let outcome = Search::new(&tree).hooks(both()).best(&value());
        assert_eq!((outcome.value(), outcome.effect()), (&Optimum::Unknown, Effect::Lossy));
        assert_eq!(outcome.report().conflicts().len(), 1);
        assert_eq!(Search::new(&tree).hooks(both()).first().value(), &Found::Unknown);
    }
}

#[test]
fn undeclared_reads_of_an_incumbent_are_noticed() {
    let tree = Sketch::leaves(&[(3, 0), (5, 0)]);
    let value = Objective::maximise(Sketch::value);
    assert_eq!(Search::new(&tree).best(&value).proven(), Some(&5));
    // Neither hook declares that it compares with an incumbent.
    let mut incumbent = value.incumbent().clone();
    let better = move |node: &mut NodeMut<'_, Sketch>| {
        Verdict::keep_if(
            node.depth() == 0 || incumbent.is_beaten_by(&node.problem().value(node.state())),
        )
    };
    let search =
        || Search::new(&tree).hooks((hook::enter("better", Effect::OptimumOnly, better.clone()),));
    assert_eq!(search().exists().exists(), None);
    assert_eq!(search().threads(2).exists().exists(), None);
    assert_eq!(search().breadth_first().exists().exists(), None);
    let preserving = hook::enter("preserving", Effect::Preserving, better.clone());
    assert_eq!(Search::new(&tree).hooks((preserving,)).count().exact(), None);
    // For the best by this objective it is a bound like any other.
    assert_eq!(search().best(&value).none_better(), Some(&5));
    let label = Objective::maximise(|tree: &Sketch, node: &usize| tree.label(node));
    assert_eq!(search().best(&label).none_better(), None);
}

#[test]
fn an_iterator_keeps_the_reads_of_its_earlier_solutions() {
    let tree = three_solutions();
    let value = Objective::maximise(Sketch::value);
    value.incumbent().offer(3);
    // The hook reads the incumbent once, before the first solution.
    let mut incumbent = Some(value.incumbent().clone());
    let reads_once = move |node: &mut NodeMut<'_, Sketch>| {
        let value = node.problem().value(node.state());
        let read = incumbent.take_if(|_| node.depth() == 1);
        Verdict::keep_if(read.is_none_or(|mut incumbent| incumbent.is_beaten_by(&value)))
    };
    let hook = hook::enter("reads once", Effect::Preserving, reads_once);
    let mut reader = Search::new(&tree).hook(hook).solutions();
    // An iterator of another run is advanced in turns, and reads nothing.
    let mut other = Search::new(&tree).solutions();
    while reader.next().is_some() {
        assert!(other.next().is_some());
    }
    assert_eq!(reader.report().effect(), Effect::OptimumOnly);
    assert_eq!(other.report().effect(), Effect::Preserving);
}

/// A root with solutions of the values 3, 5 and 7.
fn three_solutions() -> Sketch {
    Sketch::leaves(&[(3, 0), (5, 0), (7, 0)])
}

/// Returns a hook that declares no incumbent and keeps the nodes that beat it.
fn better(
    value: &Objective<Sketch, i64, Value>,
) -> impl FnMut(&mut NodeMut<'_, Sketch>) -> Verdict + Clone + Send + use<> {
    let mut incumbent = value.incumbent().clone();
    move |node| {
        let value = node.problem().value(node.state());
        Verdict::keep_if(node.depth() == 0 || incumbent.is_beaten_by(&value))
    }
}

/// Counts with a hook that keeps the root only if `keep` is true, which depends on a value that the
/// run does not know.
fn assert_no_count(tree: &Sketch, keep: &mut dyn FnMut() -> bool) {
    let outer = hook::enter("outer", Effect::Preserving, |node: &mut NodeMut<'_, Sketch>| {
        Verdict::keep_if(node.depth() > 0 || keep())
    });
    let outcome = Search::new(tree).hook(outer).count();
    assert_eq!((outcome.exact(), outcome.effect()), (None, Effect::OptimumOnly));
}

#[test]
fn every_run_that_advances_an_iterator_shares_its_reads() {
    let tree = three_solutions();
    let value = Objective::maximise(Sketch::value as Value);
    value.incumbent().offer(3);
    let hook = hook::enter("better", Effect::Preserving, better(&value));
    let mut inner = Search::new(&tree).hook(hook).solutions();
    // After two solutions, the iterator has ended.
    for _ in 0..4 {
        assert_no_count(&tree, &mut || inner.next().is_some());
    }
}

#[test]
fn a_run_that_panics_in_a_hook_shares_all_its_reads() {
    let tree = three_solutions();
    let value = Objective::maximise(Sketch::value as Value);
    value.incumbent().offer(3);
    let mut better = better(&value);
    let fails = |node: &mut NodeMut<'_, Sketch>| {
        let verdict = better(node);
        assert!(node.problem().value(node.state()) < 7, "a panic at the last solution");
        verdict
    };
    let mut inner =
        Search::new(&tree).hook(hook::enter("fails", Effect::Preserving, fails)).solutions();
    for _ in 0..2 {
        assert_no_count(&tree, &mut || {
            catch_unwind(AssertUnwindSafe(|| inner.next().is_some())).unwrap_or(false)
        });
    }
}

/// A hook that reads an incumbent at each node, and panics when an unfinished node is left.
struct Unfinished(Incumbent<i64>);

impl Hook<Sketch> for Unfinished {
    fn name(&self) -> &str {
        "unfinished"
    }
    fn enter(&mut self, _: &mut NodeMut<'_, Sketch>) -> Verdict {
        Verdict::prune_if(self.0.latest().is_none())
    }
    fn leave_unfinished(&mut self, _: &Node<'_, Sketch>) {
        panic!("an unfinished node");
    }
}

#[test]
fn a_division_that_panics_in_a_hook_shares_all_its_reads() {
    let tree = three_solutions();
    let value = Objective::maximise(Sketch::value as Value);
    value.incumbent().offer(9);
    assert_no_count(&tree, &mut || {
        let hook = Unfinished(value.incumbent().clone());
        let divide = || Search::new(&tree).hook(hook).split(Frontier::new(), 4);
        catch_unwind(AssertUnwindSafe(divide)).is_ok()
    });
}

#[test]
fn threads_within_a_hook_share_their_reads() {
    let tree = three_solutions();
    let value = Objective::maximise(Sketch::value as Value);
    value.incumbent().offer(9);
    for threads in 1..4 {
        let inner = hook::enter("better", Effect::Preserving, better(&value));
        let mut search = Some(Search::new(&tree).hook(inner).threads(threads));
        assert_no_count(&tree, &mut || {
            search.take().is_some_and(|search| search.first().solution().is_some())
        });
        let mut better = better(&value);
        let fails =
            hook::enter("fails", Effect::Preserving, move |node: &mut NodeMut<'_, Sketch>| {
                assert_eq!(better(node), Verdict::Keep, "a panic at the first solution");
                Verdict::Keep
            });
        let mut search = Some(Search::new(&tree).hook(fails).threads(threads));
        assert_no_count(&tree, &mut || {
            let count = || search.take().map(|search| search.count());
            catch_unwind(AssertUnwindSafe(count)).is_ok()
        });
    }
}

/// All subsets of 15 things, none of which is in the last layer if an incumbent has a value. Only
/// the last layer is large enough to be divided among threads.
fn sets_unless_known(
    incumbent: &Incumbent<i64>,
) -> impl ContourProblem<State = u32, Label = ()> + use<> {
    let incumbent = incumbent.clone();
    Stepped(Sets::of(15), move |cell, _| cell < 14 || incumbent.get().is_none())
}

#[test]
fn threads_of_a_sweep_within_a_hook_share_their_reads() {
    let tree = three_solutions();
    let value = Objective::maximise(Sketch::value as Value);
    value.incumbent().offer(9);
    let sets = sets_unless_known(value.incumbent());
    for threads in 1..4 {
        assert_no_count(&tree, &mut || {
            Sweep::new(&sets).threads(threads).exists().exists() == Some(true)
        });
    }
}

/// A hook that offers a value after the last layer, before the backward pass over retained layers.
struct OffersLast(Incumbent<i64>);

impl<P: ContourProblem> SweepHook<P> for OffersLast {
    fn name(&self) -> &str {
        "offers last"
    }
    fn thin(&self, _: &P, cell: usize, _: &mut Thinning<'_, P::State>) {
        if cell == 14 {
            self.0.offer(9);
        }
    }
}

#[test]
fn threads_of_a_backward_pass_within_a_hook_share_their_reads() {
    let tree = three_solutions();
    for threads in 1..4 {
        let incumbent = Incumbent::new(Direction::Maximise);
        let sets = sets_unless_known(&incumbent);
        let hook = OffersLast(incumbent);
        let mut sweep = Some(Sweep::new(&sets).hooks((hook,)).threads(threads));
        assert_no_count(&tree, &mut || {
            let retained = sweep.take().map(|sweep| sweep.retain_layers());
            retained.is_some_and(|layers| layers.is_ok_and(|all| all.first().solution().is_some()))
        });
    }
}

/// A brancher that leaves out children that are no better than an incumbent.
struct Ambitious(secateurs::Incumbent<i64>);

impl Brancher<Sketch> for Ambitious {
    type Cursor = usize;
    fn branch(&mut self, node: &Node<'_, Sketch>) -> Branch<usize> {
        node.problem().branch(node.state())
    }
    fn next(&mut self, node: &Node<'_, Sketch>, cursor: &mut usize) -> Option<usize> {
        loop {
            let child = node.problem().next(node.state(), cursor)?;
            if self.0.is_beaten_by(&node.problem().value(&child)) {
                return Some(child);
            }
        }
    }
}

#[test]
fn a_brancher_that_reads_another_incumbent_proves_nothing() {
    let tree = Sketch::leaves(&[(3, 25), (2, 27)]);
    let value = Objective::maximise(Sketch::value);
    let label = Objective::maximise(|tree: &Sketch, node: &usize| tree.label(node));
    value.incumbent().offer(2);
    let ambitious = || Ambitious(value.incumbent().clone());
    let outcome = Search::new(&tree).brancher(ambitious()).best(&label);
    assert_eq!((outcome.proven(), outcome.best_so_far()), (None, Some(&25)));
    assert_eq!(Search::new(&tree).brancher(ambitious()).best(&value).proven(), Some(&3));
}

/// A brancher around another one that forwards its effect, but not its incumbent.
struct Unnamed<B>(B);

impl<B: Brancher<Sketch>> Brancher<Sketch> for Unnamed<B> {
    type Cursor = B::Cursor;
    fn effect(&self) -> Effect {
        self.0.effect()
    }
    fn branch(&mut self, node: &Node<'_, Sketch>) -> Branch<B::Cursor> {
        self.0.branch(node)
    }
    fn next(&mut self, node: &Node<'_, Sketch>, cursor: &mut B::Cursor) -> Option<usize> {
        self.0.next(node, cursor)
    }
}

#[test]
fn a_declared_read_of_an_incumbent_that_nothing_names_is_noticed() {
    let tree = Sketch::leaves(&[(3, 25), (2, 27)]);
    let value = Objective::maximise(Sketch::value);
    let label = Objective::maximise(|tree: &Sketch, node: &usize| tree.label(node));
    value.incumbent().offer(3);
    let sorted = || value.sorted(|tree: &Sketch, _: &usize, child: &usize| tree.value(child));
    let unnamed = || Search::new(&tree).brancher(Unnamed(sorted()));
    assert_eq!(unnamed().exists().exists(), None);
    assert_eq!(unnamed().best(&label).value(), &Optimum::Unknown);
    assert_eq!(unnamed().best(&value).none_better(), Some(&3));
    // Without a value, nothing is left out.
    let fresh = Objective::maximise(Sketch::value);
    let none = Sketch::of(&[(&[1], None, 0), (&[], None, 0)]);
    let sorted = fresh.sorted(|tree: &Sketch, _: &usize, child: &usize| tree.value(child));
    assert!(Search::new(&none).brancher(sorted).first().is_proven_none());
}

#[test]
fn parts_of_a_split_that_pruned_by_an_incumbent_prove_no_other_optimum() {
    let tree = Sketch::leaves(&[(3, 25), (2, 27)]);
    let value = Objective::maximise(Sketch::value as Value);
    let node = Objective::maximise((|_: &Sketch, &node: &usize| node as i64) as Value);
    value.incumbent().offer(2);
    let bounded = || value.sorted(|tree: &Sketch, _: &usize, child: &usize| tree.value(child));
    let best = |objective: &Objective<Sketch, i64, Value>| {
        let search = || Search::new(&tree).brancher(bounded());
        let mut whole = merged(search().split(Frontier::new(), 2));
        let outcome = search().frontier(&mut whole).best(objective);
        outcome.proven().copied()
    };
    assert_eq!(best(&value), Some(3));
    assert_eq!(best(&node), None);
}

#[test]
fn a_search_within_a_hook_does_not_weaken_the_outer_run() {
    let tree = Sketch::leaves(&[(3, 25), (2, 27)]);
    // A bound computed by a search of its own, which has a bound itself.
    let relaxed = |tree: &Sketch| {
        let value = Objective::maximise(Sketch::value);
        let bound = value.bound("bound", |_: &Sketch, _: &usize| 9);
        Search::new(tree).hook(bound).best(&value).proven().copied().unwrap_or(i64::MIN)
    };
    let value = Objective::maximise(Sketch::value);
    let bound = value.bound("relaxed", move |tree: &Sketch, _: &usize| relaxed(tree));
    assert_eq!(Search::new(&tree).hook(bound).best(&value).proven(), Some(&3));
}

#[test]
fn better_elsewhere_holds_only_by_the_objective_of_the_run() {
    // The first hook prefers the second solution, and the second hook the first one.
    let tree = Sketch::leaves(&[(3, 25), (2, 27)]);
    let without = |lost: usize| {
        let cut = move |node: &mut NodeMut<'_, Sketch>| Verdict::prune_if(*node.state() == lost);
        hook::enter(format!("without {lost}"), Effect::OptimumOnly, cut)
            .substitute(Substitute::Elsewhere(SubstituteOrder::BetterValue))
    };
    let found = Search::new(&tree).hooks((without(1), without(2))).exists();
    assert_eq!((found.exists(), found.report().conflicts().len()), (None, 1));
    let value = Objective::maximise(Sketch::value);
    assert_eq!(Search::new(&tree).hook(without(2)).best(&value).proven(), Some(&3));
}

/// A hook that prunes the nodes in `lost` and makes the claims in the other fields.
#[derive(Clone)]
struct Claiming {
    effect: Effect,
    memory: HookMemory,
    incumbent: Option<IncumbentId>,
    substitute: Substitute,
    lost: Vec<usize>,
}

impl Claiming {
    fn new(effect: Effect) -> Self {
        Claiming {
            effect,
            memory: HookMemory::Nothing,
            incumbent: None,
            substitute: Substitute::Elsewhere(SubstituteOrder::Unstated),
            lost: Vec::new(),
        }
    }
}

impl Hook<Sketch> for Claiming {
    fn name(&self) -> &str {
        "claiming"
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn memory(&self) -> HookMemory {
        self.memory
    }
    fn incumbent(&self) -> Option<IncumbentId> {
        self.incumbent
    }
    fn substitute(&self) -> Substitute {
        self.substitute
    }
    fn enter(&mut self, node: &mut NodeMut<'_, Sketch>) -> Verdict {
        Verdict::prune_if(self.lost.contains(node.state()))
    }
}

#[test]
fn a_cut_of_a_hook_that_names_an_incumbent_proves_no_absence() {
    let tree = Sketch::leaves(&[(1, 0)]);
    let value = Objective::maximise(Sketch::value);
    let incumbent = Some(value.incumbent().id());
    let hook = |lost| Claiming { incumbent, lost, ..Claiming::new(Effect::OptimumOnly) };
    assert_eq!(Search::new(&tree).hook(hook(vec![1])).exists().exists(), None);
    assert!(!Search::new(&tree).hook(hook(vec![1])).first().is_proven_none());
    // Without a cut, nothing is lost.
    let none = Sketch::of(&[(&[1], None, 0), (&[], None, 0)]);
    assert!(Search::new(&none).hook(hook(Vec::new())).first().is_proven_none());
}

#[test]
fn a_hook_that_compares_with_visited_nodes_holds_in_one_depth_first_walk_only() {
    // The lost solution 6 comes after the solution 4 of the same value.
    let inner = |child: &'static [usize]| (child, None, 0);
    let leaf = |value| (&[][..], Some(value), 0);
    let tree = Sketch::of(&[
        inner(&[1, 2, 3]),
        inner(&[4]),
        inner(&[5]),
        inner(&[6]),
        leaf(5),
        leaf(1),
        leaf(5),
    ]);
    let hook = Claiming {
        memory: HookMemory::Visited,
        lost: vec![6],
        ..Claiming::new(Effect::OptimumOnly)
    };
    let search = || Search::new(&tree).hook(hook.clone());
    let value = || Objective::maximise(Sketch::value);
    let reason = "`claiming` holds in a depth-first search by one thread only";
    assert_eq!(search().best(&value()).proven(), Some(&5));
    let outcomes = [search().threads(2).best(&value()), search().breadth_first().best(&value())];
    for outcome in outcomes {
        assert_eq!((outcome.proven(), outcome.report().conflicts()), (None, &[reason.into()][..]));
    }
    // The subtrees of a merged frontier are in any order, and so are those that threads have left.
    let begun = |threads: usize| {
        let mut frontier = Frontier::new();
        let begun = Search::new(&tree).limits(Limits::new().nodes(2));
        let begun = begun.frontier(&mut frontier);
        let _ = if threads == 1 { begun.count() } else { begun.threads(threads).count() };
        frontier
    };
    let unordered = [merged(begun(1).split(2)), begun(2)];
    for mut whole in unordered {
        let outcome = search().frontier(&mut whole).best(&value());
        assert_eq!((outcome.proven(), outcome.report().conflicts()), (None, &[reason.into()][..]));
    }
    // A run by one thread leaves them in order.
    let mut frontier = Frontier::new();
    let value = value();
    let _ = search().limits(Limits::new().nodes(2)).frontier(&mut frontier).best(&value);
    assert_eq!(search().frontier(&mut frontier).best(&value).proven(), Some(&5));
}

#[test]
fn a_merge_with_an_exhausted_part_keeps_the_order() {
    let tree = Sketch::leaves(&[(5, 0), (1, 0)]);
    let hook = Claiming { memory: HookMemory::Visited, ..Claiming::new(Effect::OptimumOnly) };
    let value = Objective::maximise(Sketch::value);
    let search = || Search::new(&tree).hook(hook.clone());
    let limits = Limits::new().nodes(1);
    for exhausted in 0..2 {
        let mut begun = Frontier::new();
        let _ = search().limits(limits.clone()).frontier(&mut begun).best(&value);
        let mut parts = begun.split(2);
        let _ = search().frontier(&mut parts[exhausted]).best(&value);
        let mut whole = merged(parts);
        let outcome = search().frontier(&mut whole).best(&value);
        assert!(outcome.report().conflicts().is_empty(), "{outcome:?}");
    }
}

#[test]
fn a_sum_of_reports_lists_the_nondeterministic_parts_of_both() {
    let tree = opposed();
    let value = Objective::maximise(Sketch::value);
    let id = Some(value.incumbent().id());
    let run = |incumbent| {
        let hook = Claiming { incumbent, ..Claiming::new(Effect::Preserving) };
        Search::new(&tree).hook(hook).best(&value).report().clone()
    };
    let sorted = value.sorted(|tree: &Sketch, _: &usize, child: &usize| tree.value(child));
    let varies = Search::new(&tree).brancher(sorted).best(&value).report().clone();
    let plain = Search::new(&tree).best(&value).report().clone();
    let names = |sum: Report| -> Vec<String> {
        sum.nondeterministic_parts().into_iter().map(str::to_owned).collect()
    };
    assert!(
        names(run(None) + run(None)).is_empty() && names(plain.clone() + plain.clone()).is_empty()
    );
    for sum in [run(None) + run(id), run(id) + run(None)] {
        assert_eq!(names(sum), ["claiming"]);
    }
    for sum in [plain.clone() + varies.clone(), varies + plain] {
        assert_eq!(names(sum), [Report::BRANCHER]);
    }
}

#[test]
fn two_hooks_combine_as_the_table_says() {
    use Substitute::{Below, Elsewhere, Known};
    let tree = Sketch::leaves(&[(5, 0)]);
    let loses = |substitute| Claiming { substitute, ..Claiming::new(Effect::OptimumOnly) };
    let better = || loses(Elsewhere(SubstituteOrder::BetterValue));
    let kinds = [
        loses(Known),
        better(),
        loses(Below),
        Claiming { memory: HookMemory::Visited, ..loses(Elsewhere(SubstituteOrder::FewerChoices)) },
        loses(Elsewhere(SubstituteOrder::DepthFirst)),
        loses(Elsewhere(SubstituteOrder::Unstated)),
        Claiming::new(Effect::Representatives),
        Claiming::new(Effect::Preserving),
        // A tie without a node that the hook has visited: an order of its own.
        loses(Elsewhere(SubstituteOrder::FewerChoices)),
    ];
    // Row i, column j: 1 if hooks of the kinds i and j combine.
    let table = [
        "111111111",
        "111111111",
        "111000010",
        "110100010",
        "110010010",
        "110000010",
        "110000010",
        "111111111",
        "110000010",
    ];
    for (one, row) in kinds.iter().zip(table) {
        for (other, expected) in kinds.iter().zip(row.chars()) {
            let hooks = || (one.clone(), other.clone());
            let best = Search::new(&tree).hooks(hooks()).best(&Objective::maximise(Sketch::value));
            let combine = best.report().conflicts().is_empty();
            let pair = (one.effect, one.substitute, other.effect, other.substitute);
            assert_eq!(combine, expected == '1', "{pair:?}");
            assert_eq!(
                (best.effect() == Effect::Lossy, best.proven().is_some()),
                (!combine, combine)
            );
        }
    }
    // Without an objective, *better* is an order of its own for each hook.
    let count = |one: Claiming, other: Claiming| {
        Search::new(&tree).hooks((one, other)).count().report().conflicts().is_empty()
    };
    assert!(count(loses(Known), better()));
    assert!(!count(better(), better()));
    assert!(!count(Claiming::new(Effect::Representatives), better()));
}

#[test]
fn merged_parts_are_of_one_question_only_if_all_were_asked_it() {
    let tree = opposed();
    for reversed in [false, true] {
        for counted in [None, Some(0), Some(1)] {
            let value = Objective::maximise(Sketch::value);
            let mut parts = Search::new(&tree).split(Frontier::new(), 2);
            for (index, part) in parts.iter_mut().enumerate() {
                let search = Search::new(&tree).frontier(part);
                if counted == Some(index) {
                    let _ = search.count();
                } else {
                    let _ = search.best(&value);
                }
            }
            if reversed {
                parts.reverse();
            }
            let mut whole = merged(parts);
            let outcome = Search::new(&tree).frontier(&mut whole).best(&value);
            assert_eq!(
                outcome.proven().is_some(),
                counted.is_none(),
                "{counted:?}, {reversed}: {outcome:?}"
            );
        }
    }
}

#[test]
fn a_conflict_of_hooks_outlives_a_run_with_another_question() {
    let tree = opposed();
    let hooks = || {
        let loses = || Claiming::new(Effect::OptimumOnly);
        (loses(), loses())
    };
    let mut frontier = Frontier::new();
    let limits = Limits::new().nodes(3);
    let value = Objective::maximise(Sketch::value);
    let search = Search::new(&tree).hooks(hooks()).limits(limits);
    let _ = search.frontier(&mut frontier).best(&value);
    let label = Objective::maximise(|tree: &Sketch, node: &usize| tree.label(node));
    let other = Search::new(&tree).hooks(hooks()).frontier(&mut frontier).best(&label);
    assert_eq!(other.report().conflicts().len(), 2, "{:?}", other.report().conflicts());
    let kept = frontier.report().expect("two runs").conflicts();
    assert!(kept.len() == 1 && kept[0].contains("cannot be combined"), "{kept:?}");
}

#[test]
fn solutions_that_are_no_representatives_are_not_counted_as_such() {
    /// The label of a solution is the size of its orbit. A solution with an odd label represents no
    /// orbit.
    struct Orbits;
    impl Hook<Sketch> for Orbits {
        fn name(&self) -> &str {
            "orbits"
        }
        fn effect(&self) -> Effect {
            Effect::Representatives
        }
        fn orbit(&self, node: &Node<'_, Sketch>) -> Option<u64> {
            let label = u64::from(node.problem().label(node.state()));
            Some(if label % 2 == 1 { 0 } else { label })
        }
    }
    let tree = Sketch::leaves(&[(1, 2), (1, 3), (1, 2), (1, 5)]);
    for outcome in [
        Search::new(&tree).hooks((Orbits,)).count(),
        Search::new(&tree).hooks(vec![Orbits]).count(),
    ] {
        assert_eq!((outcome.exact(), outcome.representatives()), (Some(4), Some(2)));
    }
}

#[test]
fn an_overflow_at_the_root_is_reported() {
    let tree = Sketch::of(&[(&[], None, 0)]);
    let credit = |node: &mut NodeMut<'_, Sketch>| {
        node.credit(u128::MAX);
        node.credit(u128::MAX);
        Verdict::Prune
    };
    let outcome = Search::new(&tree).enter("credit", Effect::Preserving, credit).count();
    assert_eq!((outcome.stop(), outcome.exact()), (Stop::CountOverflow, None));
}

#[test]
fn a_visit_after_the_largest_count_overflows() {
    let leaves = |leaf| Sketch::of(&[(&[1, 2], None, 0), (&[], None, 0), (&[], leaf, 0)]);
    for (tree, expected) in [
        (leaves(Some(1)), (Stop::CountOverflow, None)),
        (leaves(None), (Stop::Exhausted, Some(u128::MAX))),
    ] {
        let credit = |node: &mut NodeMut<'_, Sketch>| {
            let is_first = *node.state() == 1;
            if is_first {
                node.credit(u128::MAX);
            }
            Verdict::prune_if(is_first)
        };
        let search = || Search::new(&tree).enter("credit", Effect::Preserving, credit);
        let outcome = search().count();
        assert_eq!((outcome.stop(), outcome.exact()), expected);
        let outcome = search().breadth_first().count();
        assert_eq!((outcome.stop(), outcome.exact()), expected);
        let outcome = search().threads(2).count();
        assert_eq!((outcome.stop(), outcome.exact()), expected);
    }
}

#[test]
fn a_declared_read_is_trusted_if_any_hook_names_the_incumbent() {
    #[derive(Clone)]
    struct Reading {
        incumbent: Incumbent<i64>,
        names: bool,
    }
    impl Hook<Sketch> for Reading {
        fn name(&self) -> &str {
            "reading"
        }
        fn incumbent(&self) -> Option<IncumbentId> {
            self.names.then(|| self.incumbent.id())
        }
        fn enter(&mut self, node: &mut NodeMut<'_, Sketch>) -> Verdict {
            let _ = self.incumbent.is_beaten_by(&node.problem().value(node.state()));
            Verdict::Keep
        }
    }
    let tree = opposed();
    for (names, effect) in [(true, Effect::Preserving), (false, Effect::OptimumOnly)] {
        let value = Objective::maximise(Sketch::value);
        let incumbent = value.incumbent().clone().declared();
        let hook = Reading { incumbent, names };
        let plain = || Claiming::new(Effect::Preserving);
        let before = Search::new(&tree).hooks((plain(), hook.clone())).best(&value);
        assert_eq!((before.effect(), before.proven()), (effect, Some(&10)));
        let after = Search::new(&tree).hooks((hook, plain())).best(&value);
        assert_eq!(after.effect(), effect);
    }
}

#[test]
fn representatives_of_a_brancher_and_of_a_hook_do_not_combine() {
    struct Representing;
    impl Brancher<Sketch> for Representing {
        type Cursor = usize;
        fn branch(&mut self, node: &Node<'_, Sketch>) -> Branch<usize> {
            node.problem().branch(node.state())
        }
        fn next(&mut self, node: &Node<'_, Sketch>, cursor: &mut usize) -> Option<usize> {
            node.problem().next(node.state(), cursor)
        }
        fn effect(&self) -> Effect {
            Effect::Representatives
        }
    }
    let tree = Sketch::leaves(&[(5, 0), (5, 0)]);
    let hook = Claiming { lost: vec![2], ..Claiming::new(Effect::Representatives) };
    let both = Search::new(&tree).brancher(Representing).hook(hook).count();
    assert_eq!((both.effect(), both.representatives()), (Effect::Lossy, None));
    assert_eq!(both.report().conflicts().len(), 1);
    let alone = Search::new(&tree).brancher(Representing).count();
    assert_eq!(alone.representatives(), Some(2));
}

/// A hook that records its limit of memory, and the greatest depth at which it is asked.
#[derive(Clone)]
struct Recording {
    memory: HookMemory,
    levels: usize,
    limit: Rc<Cell<Option<usize>>>,
    deepest: Rc<Cell<usize>>,
}

impl Recording {
    fn new(memory: HookMemory, levels: usize) -> Self {
        Recording { memory, levels, limit: Rc::default(), deepest: Rc::default() }
    }
}

impl<P: Problem> Hook<P> for Recording {
    fn name(&self) -> &str {
        "recording"
    }
    fn memory(&self) -> HookMemory {
        self.memory
    }
    fn limit_memory(&self, bytes: usize) {
        self.limit.set(Some(bytes));
    }
    fn admit_levels(&self) -> usize {
        self.levels
    }
    fn admit(&mut self, node: &Node<'_, P>, _: &P::Choice) -> Verdict {
        self.deepest.set(self.deepest.get().max(node.depth()));
        Verdict::Keep
    }
}

#[test]
fn hooks_that_remember_share_half_of_the_memory_limit() {
    let words = Words::bits(3);
    let hook = |memory| Recording::new(memory, usize::MAX);
    let (one, two, path) =
        (hook(HookMemory::Searched), hook(HookMemory::Visited), hook(HookMemory::Path));
    let limits = Limits::new().memory(1 << 20);
    let _ = Search::new(&words).hooks((one.clone(), path.clone())).limits(limits.clone()).count();
    assert_eq!((one.limit.get(), path.limit.get()), (Some(1 << 19), None));
    let _ = Search::new(&words).hooks((one.clone(), two.clone())).limits(limits.clone()).count();
    assert_eq!((one.limit.get(), two.limit.get()), (Some(1 << 18), Some(1 << 18)));
    let _ = Search::new(&words).hooks((path.clone(),)).limits(limits).count();
    assert_eq!(path.limit.get(), None);
    let _ = Search::new(&words).hooks((one.clone(),)).count();
    assert_eq!(one.limit.get(), Some(usize::MAX));
}

#[test]
fn hooks_are_asked_in_their_levels_only() {
    let words = Words::bits(5);
    for levels in [1, 2, 5] {
        let hook = Recording::new(HookMemory::Nothing, levels);
        let _ = Search::new(&words).hooks(vec![hook.clone()]).count();
        assert_eq!(hook.deepest.get(), levels - 1);
        let hook = Recording::new(HookMemory::Nothing, levels);
        let _ = Search::new(&words).hooks((hook.clone(),)).count();
        assert_eq!(hook.deepest.get(), levels - 1);
    }
}

#[test]
fn phases_over_a_part_prove_nothing_about_the_whole_tree() {
    let queens = Queens::new(6).expect("a size").bits();
    for mut part in Search::new(&queens).split(Frontier::new(), 3) {
        let any = Objective::maximise_for(&queens, |_, _| 0);
        let outcome = Anytime::new(&any).then(Search::new(&queens).frontier(&mut part)).finish();
        assert_eq!(outcome.proven(), None);
        assert!(!outcome.is_proven_infeasible());
    }
}

/// Sets of bits; each child has half of the bits of its parent, the higher ones first.
struct Bits;

impl secateurs::CopyProblem for Bits {
    type State = u16;
    type Cursor = u8;
    type Choice = u16;

    fn root(&self) -> u16 {
        0b1111
    }
    fn branch(&self, bits: &u16) -> Branch<u8> {
        if bits.count_ones() > 1 { Branch::Inner(0) } else { Branch::Solution }
    }
    fn next(&self, bits: &u16, cursor: &mut u8) -> Option<u16> {
        let high = if *bits == 0b1111 { 0b1100 } else { 1 << bits.ilog2() };
        *cursor += 1;
        [high, bits & !high].get(usize::from(*cursor) - 1).copied()
    }
    fn apply(&self, bits: u16, choice: &u16) -> u16 {
        bits & choice
    }
}

/// Removes all bits that do not beat the incumbent, and prunes if none is left.
#[derive(Clone)]
struct RemoveWorseBits(Incumbent<u32>);

impl Hook<Bits> for RemoveWorseBits {
    fn name(&self) -> &str {
        "remove worse bits"
    }
    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }
    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.0.id())
    }
    fn enter(&mut self, node: &mut NodeMut<'_, Bits>) -> Verdict {
        let ties = self.0.accepts_ties();
        if let Some(&known) = self.0.latest() {
            let least = if ties { known } else { known + 1 };
            *node.state_mut() &= u16::MAX.checked_shl(least).unwrap_or(0);
        }
        Verdict::prune_if(*node.state() == 0)
    }
}

#[test]
fn a_node_that_an_improved_incumbent_has_emptied_is_no_solution() {
    // The value of an empty set is 16.
    let highest = || Objective::maximise(|_: &Bits, bits: &u16| bits.trailing_zeros());
    let remove_worse =
        |highest: &Objective<Bits, u32, _>| RemoveWorseBits(highest.incumbent().clone().declared());
    let objective = highest();
    let search = Search::new(&Bits).hook(remove_worse(&objective));
    let outcome = search.best_first(&objective, |_: &Bits, _: &u16| 9).best(&objective);
    assert_eq!(outcome.proven(), Some(&3));

    for nodes in 1..6 {
        let mut begun = Frontier::new();
        let objective = highest();
        let search = Search::new(&Bits).hook(remove_worse(&objective));
        let _ = search.limits(Limits::new().nodes(nodes)).frontier(&mut begun).best(&objective);
        for opened in [false, true] {
            let objective = highest();
            let mut parts = match opened {
                true => Search::new(&Bits).hook(remove_worse(&objective)).split(Frontier::new(), 2),
                false => std::mem::take(&mut begun).split(2),
            };
            for part in &mut parts {
                let objective = highest();
                let search = Search::new(&Bits).hook(remove_worse(&objective));
                let _ = search.frontier(part).best(&objective);
            }
            parts.reverse();
            let mut whole = merged(parts);
            let objective = highest();
            let search = Search::new(&Bits).hook(remove_worse(&objective));
            let outcome = search.frontier(&mut whole).best(&objective);
            assert_eq!(outcome.proven(), Some(&3), "after {nodes} nodes, {opened}: {outcome:?}");
        }
    }
}

#[test]
fn a_stopped_walk_that_pruned_by_an_incumbent_proves_no_absence() {
    /// Leaves out leaves that do not beat the incumbent.
    #[derive(Clone)]
    struct Beating(Incumbent<usize>);
    /// A root of 300 children, each with two leaves. The second leaf of the first is a solution.
    struct Wide;
    impl secateurs::CopyProblem for Wide {
        /// The depth, and whether the walk is on the path to the solution.
        type State = (usize, bool);
        type Cursor = usize;
        type Choice = usize;
        fn root(&self) -> (usize, bool) {
            (0, true)
        }
        fn branch(&self, &(depth, on_path): &(usize, bool)) -> Branch<usize> {
            match depth {
                2 if on_path => Branch::Solution,
                2 => Branch::DeadEnd,
                _ => Branch::Inner(0),
            }
        }
        fn next(&self, &(depth, _): &(usize, bool), cursor: &mut usize) -> Option<usize> {
            *cursor += 1;
            (*cursor <= [300, 2][depth]).then_some(*cursor - 1)
        }
        fn apply(&self, (depth, on_path): (usize, bool), &child: &usize) -> (usize, bool) {
            (depth + 1, on_path && child == depth)
        }
    }
    impl Brancher<Wide> for Beating {
        type Cursor = usize;
        fn branch(&mut self, node: &Node<'_, Wide>) -> Branch<usize> {
            node.problem().branch(node.state())
        }
        fn next(&mut self, node: &Node<'_, Wide>, cursor: &mut usize) -> Option<usize> {
            let value = |child| if *node.state() == (1, true) && child == 1 { 0 } else { 9 };
            std::iter::from_fn(|| node.problem().next(node.state(), cursor))
                .find(|&child| self.0.is_beaten_by(&value(child)))
        }
        fn effect(&self) -> Effect {
            Effect::OptimumOnly
        }
        fn incumbent(&self) -> Option<IncumbentId> {
            Some(self.0.id())
        }
    }
    let known = Incumbent::new(Direction::Maximise);
    known.offer(5);
    let search = || Search::new(&Wide).brancher(Beating(known.clone().declared()));
    for nodes in 0..5 {
        for threads in 1..3 {
            let mut frontier = Frontier::new();
            let begun = search().limits(Limits::new().nodes(nodes)).frontier(&mut frontier);
            let _ = if threads == 1 { begun.first() } else { begun.threads(threads).first() };
            let outcome = search().frontier(&mut frontier).first();
            assert!(!outcome.is_proven_none(), "after {nodes} nodes, {threads} threads");
        }
    }
}

#[test]
fn parts_of_the_trees_of_different_branchers_are_never_the_whole() {
    /// Draws the children in the order that begins with the given one.
    #[derive(Clone)]
    struct From(usize);
    impl Brancher<Sketch> for From {
        type Cursor = usize;
        fn branch(&mut self, node: &Node<'_, Sketch>) -> Branch<usize> {
            node.problem().branch(node.state())
        }
        fn next(&mut self, node: &Node<'_, Sketch>, cursor: &mut usize) -> Option<usize> {
            let children = &node.problem().0[*node.state()].children;
            *cursor += 1;
            (*cursor <= children.len()).then(|| children[(*cursor - 1 + self.0) % children.len()])
        }
        fn parameters(&self) -> Option<Digest> {
            Some(Digest::of(&self.0))
        }
    }
    let leaf = |value| (&[][..], value, 0);
    let tree = Sketch::of(&[
        (&[1, 2, 3, 4], None, 0),
        leaf(Some(1)),
        leaf(Some(1)),
        leaf(Some(1)),
        leaf(None),
    ]);
    let parts = |first| {
        let mut begun = Frontier::new();
        let search = Search::new(&tree).brancher(From(first)).limits(Limits::new().nodes(2));
        let _ = search.frontier(&mut begun).count();
        begun.split(3)
    };
    let (mut one, mut other) = (parts(0), parts(1));
    let mut whole = one.remove(1);
    whole.merge(other.remove(2));
    whole.merge(other.remove(0));
    let outcome = Search::new(&tree).brancher(From(1)).frontier(&mut whole).count();
    assert_eq!(outcome.exact(), None);
}

#[test]
fn a_part_of_an_unordered_frontier_is_not_in_depth_first_order() {
    let tree = opposed();
    let value = Objective::maximise(Sketch::value);
    let mut frontier = Frontier::new();
    let search = Search::new(&tree).limits(Limits::new().nodes(2)).frontier(&mut frontier);
    let _ = search.threads(2).best(&value);
    for mut part in frontier.split(2) {
        let group = |tree: &Sketch, node: &usize| tree.label(node);
        let dominance = Dominance::new("label", group, |_: &Sketch, _: &usize| (), |(), ()| true);
        let outcome = Search::new(&tree).hook(dominance).frontier(&mut part).best(&value);
        assert!(!outcome.report().conflicts().is_empty(), "{outcome:?}");
    }
}

#[test]
fn a_part_that_was_asked_nothing_does_not_weaken_the_answer_of_the_others() {
    let tree = opposed();
    for begun in 0..2 {
        for reversed in [false, true] {
            let value = Objective::maximise(Sketch::value);
            let mut parts = Search::new(&tree).split(Frontier::new(), 2);
            let _ = Search::new(&tree).frontier(&mut parts[begun]).best(&value);
            if reversed {
                parts.reverse();
            }
            let mut whole = merged(parts);
            let outcome = Search::new(&tree).frontier(&mut whole).best(&value);
            assert_eq!(outcome.proven(), Some(&10), "{begun}, {reversed}: {outcome:?}");
        }
    }
}

#[test]
fn a_merged_frontier_is_reported_as_exhausted_only_if_nothing_is_left() {
    let tree = opposed();
    for searched in 1..=2 {
        for reversed in [false, true] {
            // Each part gets a solution.
            let mut begun = Frontier::new();
            let limits = Limits::new().nodes(2);
            let _ = Search::new(&tree).limits(limits).frontier(&mut begun).count();
            let mut parts = begun.split(2);
            for part in &mut parts[..searched] {
                let _ = Search::new(&tree).frontier(part).count();
            }
            if reversed {
                parts.reverse();
            }
            let whole = merged(parts);
            let expected = if searched == 2 { Stop::Exhausted } else { Stop::Paused };
            assert_eq!(whole.report().map(Report::stop), Some(expected), "{searched}, {reversed}");
            assert_eq!(whole.is_exhausted(), searched == 2);
        }
    }
}

#[test]
fn a_sum_with_the_report_of_a_part_is_a_report_of_a_part() {
    let tree = opposed();
    let whole = Search::new(&tree).count().report().clone();
    let mut part = Search::new(&tree).split(Frontier::new(), 2).swap_remove(0);
    let part = Search::new(&tree).frontier(&mut part).count().report().clone();
    assert!(part.is_part() && !whole.is_part());
    assert!((part.clone() + whole.clone()).is_part() && (whole.clone() + part).is_part());
    assert!(!(whole.clone() + whole).is_part());
}

#[test]
fn a_solution_below_which_another_run_searches_again_counts_once() {
    /// The words of two bits.
    struct Bits;
    impl Problem for Bits {
        type State = Vec<u32>;
        type Cursor = u32;
        type Choice = u32;
        type Undo = Vec<u32>;
        fn root(&self) -> Vec<u32> {
            Vec::new()
        }
        fn branch(&self, word: &Vec<u32>) -> Branch<u32> {
            if word.len() == 2 { Branch::Solution } else { Branch::Inner(2) }
        }
        fn next(&self, _: &Vec<u32>, cursor: &mut u32) -> Option<u32> {
            *cursor = cursor.checked_sub(1)?;
            Some(*cursor)
        }
        fn apply(&self, word: &mut Vec<u32>, &bit: &u32) -> Vec<u32> {
            let before = word.clone();
            word.push(bit);
            before
        }
        fn undo(&self, word: &mut Vec<u32>, _: &u32, before: Vec<u32>) {
            *word = before;
        }
    }
    /// Infers the last bit, if only one value of it beats the incumbent.
    struct Inferring(Incumbent<u32>);
    impl Hook<Bits> for Inferring {
        fn name(&self) -> &str {
            "inferring"
        }
        fn effect(&self) -> Effect {
            Effect::OptimumOnly
        }
        fn incumbent(&self) -> Option<IncumbentId> {
            Some(self.0.id())
        }
        fn enter(&mut self, node: &mut NodeMut<'_, Bits>) -> Verdict {
            let is_beaten = |sum: u32| self.0.clone().is_beaten_by(&sum);
            if let [bit] = node.state()[..]
                && !is_beaten(bit)
                && is_beaten(bit + 1)
            {
                node.state_mut().push(1);
            }
            Verdict::Keep
        }
    }
    let sum =
        || Objective::maximise(|_: &Bits, word: &Vec<u32>| word.iter().sum::<u32>()).named("sum");
    let run = |known: Option<u32>, limits, frontier: &mut Frontier<u32>| {
        let objective = sum();
        if let Some(known) = known {
            objective.incumbent().offer(known);
        }
        let inferring = Inferring(objective.incumbent().clone().declared());
        let search = Search::new(&Bits).hook(inferring).limits(limits);
        search.frontier(frontier).best(&objective).best_so_far().copied()
    };
    let mut frontier = Frontier::new();
    // The run enters the root and the first child, where the second bit is inferred.
    assert_eq!(run(Some(1), Limits::new().nodes(2), &mut frontier), Some(2));
    assert_eq!(frontier.report().map(Report::solutions), Some(1));
    // Without a value of the incumbent, the bit is not inferred.
    assert_eq!(run(None, Limits::new(), &mut frontier), Some(2));
    assert!(Search::new(&Bits).frontier(&mut frontier).count().at_least() <= 4);
}

#[test]
fn a_split_that_pruned_by_one_objective_proves_no_optimum_of_another() {
    // The second inner node has the smaller value and the greater label.
    let leaf = (&[][..], Some(1), 1);
    let tree = Sketch::of(&[
        (&[1, 2, 3], None, 0),
        (&[4, 5], Some(3), 25),
        (&[6, 7], Some(2), 27),
        (&[8, 9], Some(3), 26),
        leaf,
        leaf,
        leaf,
        leaf,
        leaf,
        leaf,
    ]);
    let value = Objective::maximise(Sketch::value as Value).named("value");
    value.incumbent().offer(2);
    let label = |tree: &Sketch, node: &usize| i64::from(tree.label(node));
    // The bounds of both objectives have one name, so that all runs have the same hooks.
    let optimist = |tree: &Sketch, node: &usize| if *node == 0 { 9 } else { tree.value(node) };
    for opened_before in [false, true] {
        for moved in [false, true] {
            let mut begun = Frontier::new();
            if opened_before {
                // A run whose hook does not compare anything yet.
                let unknown = Objective::maximise(Sketch::value as Value);
                let limits = Limits::new().nodes(1);
                let search = Search::new(&tree).hook(unknown.bound("bound", optimist));
                begun = merged(search.limits(limits).split(begun, 2));
            }
            let search = Search::new(&tree).hook(value.bound("bound", optimist));
            let mut whole = merged(search.split(begun, 4));
            if moved {
                whole = written_and_read(&whole);
            }
            let label = Objective::maximise(label as Value).named("label");
            let search = Search::new(&tree).hook(label.bound("bound", |_: &Sketch, _: &usize| 99));
            let outcome = search.frontier(&mut whole).best(&label);
            assert_eq!(outcome.best_so_far(), Some(&26), "27 was cut off");
            assert_eq!(outcome.proven(), None, "{opened_before}, {moved}");
        }
    }
}

#[test]
fn parts_need_all_values_that_one_incumbent_was_offered() {
    for greatest in 4..=6 {
        let inner = |leaf: &'static [usize]| (leaf, None, 0);
        let leaf = |node| (&[][..], Some(if node == greatest { 15 } else { 5 }), 0);
        // Each part gets one of the inner nodes.
        let inner_nodes = [inner(&[1, 2, 3]), inner(&[4]), inner(&[5]), inner(&[6])];
        let tree = Sketch::of(&[&inner_nodes[..], &[leaf(4), leaf(5), leaf(6)]].concat());
        let shared = value();
        let frontier = begun(&tree, 2, &shared);
        let mut parts = frontier.split(3);
        for (part, offered) in parts.iter_mut().zip([8, 20, 30]) {
            shared.incumbent().offer(offered);
            let _ = Search::new(&tree).frontier(part).best(&shared);
        }
        let later = value();
        later.incumbent().offer(8);
        // One of the parts may have left out the greatest value because of 20 or 30.
        let outcome = Search::new(&tree).frontier(&mut merged(parts)).best(&later);
        assert_eq!(outcome.none_better(), None, "{greatest}");
    }
}

/// A hook that loses what is no better than an incumbent, without saying so, after a run of its own
/// that compares with an incumbent, too.
fn reads_beside_a_run(
    known: &Incumbent<i64>,
    inner: impl Fn(&Sketch) + Clone,
) -> impl FnMut(&mut NodeMut<'_, Sketch>) -> Verdict + Clone {
    let mut reader = known.clone();
    move |node: &mut NodeMut<'_, Sketch>| {
        let value = node.problem().value(node.state());
        let keeps = node.depth() == 0 || reader.is_beaten_by(&value);
        inner(node.problem());
        Verdict::keep_if(keeps)
    }
}

#[test]
fn a_run_within_a_hook_does_not_hide_what_the_hook_reads() {
    let tree = Sketch::leaves(&[(3, 25), (2, 27)]);
    let known = Incumbent::new(Direction::Maximise);
    known.offer(2);
    let inner = |tree: &Sketch| {
        let value = Objective::maximise(Sketch::value);
        let bound = value.bound("bound", |_: &Sketch, _: &usize| 3);
        assert_eq!(Search::new(tree).hook(bound).best(&value).proven(), Some(&3));
    };
    let hook = hook::enter("reads", Effect::Preserving, reads_beside_a_run(&known, inner));
    let mut solutions = Search::new(&tree).hook(hook).solutions();
    // The report is made in another thread than the reads.
    std::thread::scope(|scope| {
        let all = scope.spawn(|| solutions.by_ref().count());
        assert_eq!(all.join().expect("no panic"), 1);
    });
    assert_eq!(solutions.report().effect(), Effect::OptimumOnly);
}

#[test]
fn a_run_that_panics_within_a_hook_does_not_hide_what_the_hook_reads() {
    let tree = Sketch::leaves(&[(3, 0), (2, 0), (1, 0)]);
    let known = Incumbent::new(Direction::Maximise);
    known.offer(2);
    let inner = |tree: &Sketch| {
        let panics = |_: &mut NodeMut<'_, Sketch>| panic!("this panic is part of the test");
        let search = || Search::new(tree).enter("panics", Effect::Preserving, panics).count();
        assert!(std::panic::catch_unwind(search).is_err());
    };
    let hook = hook::enter("reads", Effect::Preserving, reads_beside_a_run(&known, inner));
    let outcome = Search::new(&tree).hook(hook).count();
    assert_eq!((outcome.report().solutions(), outcome.exact()), (1, None));
    // The reads of the inner run count for both runs, although it panics.
    let reading = |node: &mut NodeMut<'_, Sketch>| {
        let problem = node.problem();
        let mut reader = known.clone();
        let reads = |_: &mut NodeMut<'_, Sketch>| -> Verdict {
            assert!(reader.is_beaten_by(&0), "this panic is part of the test");
            Verdict::Keep
        };
        let search = Search::new(problem).enter("reads", Effect::Preserving, reads);
        let inner = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| search.count()));
        Verdict::prune_if(inner.is_err() && node.depth() == 1)
    };
    let outcome = Search::new(&tree).enter("prunes", Effect::Preserving, reading).first();
    assert_eq!((outcome.stop(), outcome.exists()), (Stop::Exhausted, None));
}

#[test]
fn a_saved_best_solution_of_the_same_objective_is_returned_again() {
    let tree = opposed();
    let value = Objective::maximise(Sketch::value);
    // At a solution, the bound is its value, which the incumbent has already.
    let bound = || {
        value.bound(
            "bound",
            |tree: &Sketch, node: &usize| {
                if *node == 0 { 99 } else { tree.value(node) }
            },
        )
    };
    let mut frontier = Frontier::new();
    let search = Search::new(&tree).hook(bound()).limits(Limits::new().nodes(2));
    assert_eq!(search.frontier(&mut frontier).best(&value).best_so_far(), Some(&10));
    let outcome = Search::new(&tree).hook(bound()).frontier(&mut frontier).best(&value);
    assert_eq!(outcome.value(), &Optimum::Proven { value: 10, solution: Some(vec![1]) });
}

#[test]
fn an_overflow_over_several_runs_is_reported() {
    let tree = Sketch::of(&[(&[1, 2], None, 0), (&[], None, 0), (&[], None, 0)]);
    let credit = |node: &mut NodeMut<'_, Sketch>| {
        if node.depth() == 0 {
            return Verdict::Keep;
        }
        node.credit(u128::MAX / 2 + 1);
        Verdict::Prune
    };
    let search = || Search::new(&tree).enter("credit", Effect::Preserving, credit);
    let mut frontier = Frontier::new();
    let begun = search().limits(Limits::new().nodes(2)).frontier(&mut frontier).count();
    assert_eq!((begun.stop(), begun.at_least()), (Stop::NodeLimit, u128::MAX / 2 + 1));
    let outcome = search().frontier(&mut frontier).count();
    assert_eq!((outcome.stop(), outcome.exact()), (Stop::CountOverflow, None));
}

#[test]
fn getting_the_value_of_an_incumbent_is_a_read_if_there_is_one() {
    let tree = Sketch::leaves(&[(3, 0), (2, 0)]);
    let known = Incumbent::new(Direction::Maximise);
    let better = |node: &mut NodeMut<'_, Sketch>| {
        let value = node.problem().value(node.state());
        Verdict::prune_if(node.depth() == 1 && known.get().is_some_and(|known| value <= known))
    };
    let count = || Search::new(&tree).enter("better", Effect::Preserving, better).count();
    assert_eq!(count().exact(), Some(2));
    known.offer(2);
    let outcome = count();
    assert_eq!((outcome.report().solutions(), outcome.exact()), (1, None));
}

#[test]
fn a_report_is_equal_to_its_copy_whether_an_incumbent_was_read_or_not() {
    let tree = opposed();
    for known in [None, Some(6)] {
        let value = Objective::maximise(Sketch::value);
        if let Some(known) = known {
            value.incumbent().offer(known);
        }
        let bound = value.bound("bound", |_: &Sketch, _: &usize| 5);
        let outcome = Search::new(&tree).hook(bound).count();
        assert_eq!(outcome.report().solutions(), if known.is_none() { 3 } else { 0 });
        assert_eq!(*outcome.report(), outcome.report().clone());
    }
}
