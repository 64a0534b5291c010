//! Claims hold for the whole tree and for the question that was asked: cases that the random
//! combinations do not reach, and what reports say of them.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use secateurs::checkpoint::{Fingerprint, SaveError};
use secateurs::hook::{Dominance, FirstChoices, HookMemory, Memo, Path};
use secateurs::plug::{ContourProblem, Sweep, Thinning};
use secateurs::search::{Anytime, Checkpoint, Frontier, RunBudget};
use secateurs::{
    Branch, Brancher, Digest, Direction, Effect, Hook, Incumbent, IncumbentId, Limits, Node,
    NodeMut, Objective, Optimum, Problem, Report, Search, Stop, Substitute, SubstituteOrder,
    Successors, Verdict, hook,
};
use secateurs_problems::queens::Queens;

use crate::shared::claiming::{Claiming, Only, boxed};
use crate::shared::frontiers::{begun, begun_best, in_parts, merged, written_and_read};
use crate::shared::sweeps::{Sets, Stepped, Thins};
use crate::shared::words::Words;
use crate::support::scratch::Directory;
use crate::support::sketch::Sketch;

type Value = fn(&Sketch, &usize) -> i64;

/// Returns the objective of the values of a sketch, under a name by which a file recognises it.
fn value() -> Objective<Sketch, i64, Value> {
    Objective::maximise(Sketch::value as Value).named("value")
}

#[test]
fn a_memo_learns_nothing_from_solutions_that_a_split_defers() {
    for length in 1..6 {
        for parts in 2..5 {
            let words = Words::bits(length);
            let key = |_: &Words, word: &Vec<u32>| (word.len(), word.iter().sum::<u32>());
            let mut memo = Memo::counted("ways", key);
            let open = Search::new(&words).hooks((&mut memo,)).split(Frontier::new(), parts);
            let search = |part: &mut _, memo: &mut _| {
                Search::new(&words).hooks((memo,)).frontier(part).count().exact()
            };
            let mut whole = in_parts(open, |part| search(part, &mut memo));
            let count = search(&mut whole, &mut memo);
            assert_eq!(count, Some(1 << length), "{length} letters, {parts} parts");
        }
    }
}

/// A tree of three solutions: the first has the greatest value, the second the least value and the
/// greatest label.
fn opposed() -> Sketch {
    Sketch::leaves(&[(10, 1), (5, 9), (7, 8)])
}

/// Returns the optimum of `second` that is proven on a frontier left by a run with the objective
/// `first`. That run has visited the first two solutions and kept the first.
fn proven_after<F, W, G>(
    first: &Objective<Sketch, i64, F>,
    second: &Objective<Sketch, W, G>,
) -> Option<W>
where
    F: Fn(&Sketch, &usize) -> i64,
    W: Ord + Clone + Debug,
    G: Fn(&Sketch, &usize) -> W,
{
    let tree = opposed();
    let mut frontier = begun_best(Search::new(&tree), 3, first);
    Search::new(&tree).frontier(&mut frontier).best(second).proven().cloned()
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
    // Two functions of the same code, in an optimised build.
    let reversed = proven_after(
        &Objective::maximise(|tree: &Sketch, node: &usize| tree.value(node)),
        &Objective::maximise(|tree: &Sketch, node: &usize| Reverse(tree.value(node))),
    );
    assert_eq!(reversed, None);
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
    let unnamed = Objective::maximise(Sketch::value as Value);
    let mut frontier = begun_best(Search::new(&tree), 3, &unnamed);
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
        let frontier = begun_best(Search::new(&tree), 3, &named());
        let outcome = Search::new(&tree).frontier(&mut written_and_read(&frontier)).best(&named());
        assert_eq!(outcome.proven(), Some(&10));
        let outcome = Search::new(&tree).frontier(&mut written_and_read(&frontier)).best(&unnamed);
        assert_eq!(outcome.proven(), None);
    }
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
        let mut parts = begun_best(Search::new(&tree), 3, &value()).split(3);
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
fn a_lost_frontier_stays_lost_without_memory() {
    let tree = Sketch::leaves(&[(5, 0), (9, 0)]);
    let mut frontier = begun_best(Search::new(&tree), 2, &value());
    let panics = catch_unwind(AssertUnwindSafe(|| {
        let panics = hook::enter("panics", Effect::Preserving, |node: &mut NodeMut<'_, Sketch>| {
            assert_ne!(*node.state(), 2, "this panic is part of the test");
            Verdict::Keep
        });
        Search::new(&tree).hook(boxed(panics)).frontier(&mut frontier).best(&value())
    }));
    assert!(panics.is_err());
    let limits = Limits::new().memory(0);
    let _ = Search::new(&tree).limits(limits).frontier(&mut frontier).best(&value());
    let outcome = Search::new(&tree).frontier(&mut frontier).best(&value());
    assert_eq!((outcome.stop(), outcome.proven()), (Stop::Interrupted, None));
}

#[test]
fn a_part_is_reported_as_one_until_all_are_merged() {
    let queens = Queens::new(6).expect("a size").bits();
    let mut parts = Search::new(&queens).split(Frontier::new(), 3);
    let mut sum = 0;
    for part in &mut parts {
        assert!(!part.is_whole());
        let count = Search::new(&queens).frontier(part).count();
        assert_eq!((count.stop(), count.exact()), (Stop::Exhausted, None));
        assert!(count.report().is_part() && count.to_string().contains("part"), "{count}");
        sum += count.at_least();
    }
    assert_eq!(sum, 4);
    let last = parts.pop().expect("three parts");
    let mut whole = merged(parts);
    assert!(whole.report().is_some_and(Report::is_part));
    whole.merge(last);
    assert!(whole.is_whole() && whole.report().is_some_and(|report| !report.is_part()));
    assert_eq!(Search::new(&queens).frontier(&mut whole).count().exact(), Some(4));
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
    let mut reader = Search::new(&tree).hook(boxed(hook)).solutions();
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

/// Counts with a hook that keeps the root only if `keep` is true, which depends on a value that the
/// run does not know.
fn assert_no_count(tree: &Sketch, keep: &mut dyn FnMut() -> bool) {
    let outer = hook::enter("outer", Effect::Preserving, |node: &mut NodeMut<'_, Sketch>| {
        Verdict::keep_if(node.depth() > 0 || keep())
    });
    let outcome = Search::new(tree).hook(boxed(outer)).count();
    assert_eq!((outcome.exact(), outcome.effect()), (None, Effect::OptimumOnly));
}

#[test]
fn a_run_that_panics_in_a_hook_shares_all_its_reads() {
    let tree = three_solutions();
    let value = Objective::maximise(Sketch::value as Value);
    value.incumbent().offer(3);
    let mut incumbent = value.incumbent().clone();
    // Keeps the nodes that beat the incumbent, and declares none.
    let fails = |node: &mut NodeMut<'_, Sketch>| {
        let value = node.problem().value(node.state());
        let is_kept = node.depth() == 0 || incumbent.is_beaten_by(&value);
        assert!(value < 7, "a panic at the last solution");
        Verdict::keep_if(is_kept)
    };
    let mut inner =
        Search::new(&tree).hook(boxed(hook::enter("fails", Effect::Preserving, fails))).solutions();
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

#[test]
fn threads_of_a_backward_pass_within_a_hook_share_their_reads() {
    let tree = three_solutions();
    for threads in 1..4 {
        let incumbent = Incumbent::new(Direction::Maximise);
        let sets = sets_unless_known(&incumbent);
        // It offers a value after the last layer, before the backward pass over retained layers.
        let offer = |_: &_, cell, _: &mut Thinning<'_, u32>| {
            if cell == 14 {
                incumbent.offer(9);
            }
        };
        let hook = Thins { effect: Effect::Preserving, thin: offer };
        let mut sweep = Some(Sweep::new(&sets).hooks((hook,)).threads(threads));
        assert_no_count(&tree, &mut || {
            let retained = sweep.take().map(|sweep| sweep.retain_layers());
            retained.is_some_and(|layers| layers.is_ok_and(|all| all.first().solution().is_some()))
        });
    }
}

#[test]
fn a_search_within_a_hook_does_not_weaken_the_outer_run() {
    let tree = Sketch::leaves(&[(3, 0), (2, 0)]);
    // A bound computed by a search of its own, which has a bound itself.
    let relaxed = |tree: &Sketch| {
        let value = Objective::maximise(Sketch::value);
        // It prunes the second solution, which counts as a read of the incumbent.
        let tight = |tree: &Sketch, node: &usize| if *node == 0 { 9 } else { tree.value(node) };
        let bound = value.bound("tight", tight);
        Search::new(tree).hook(bound).best(&value).proven().copied().unwrap_or(i64::MIN)
    };
    let value = Objective::maximise(Sketch::value);
    let bound = value.bound("relaxed", move |tree: &Sketch, _: &usize| relaxed(tree));
    assert_eq!(Search::new(&tree).hook(bound).best(&value).proven(), Some(&3));
}

/// A hook that prunes a node.
fn losing(
    effect: Effect,
    lost: Option<usize>,
) -> hook::Enter<impl FnMut(&mut NodeMut<'_, Sketch>) -> Verdict + Clone> {
    hook::enter("losing", effect, move |node: &mut NodeMut<'_, Sketch>| {
        Verdict::prune_if(lost == Some(*node.state()))
    })
}

#[test]
fn a_merge_with_an_exhausted_part_keeps_the_order() {
    let tree = Sketch::leaves(&[(5, 0), (1, 0)]);
    let hook = losing(Effect::OptimumOnly, None).memory(HookMemory::Visited);
    let value = Objective::maximise(Sketch::value);
    let search = || Search::new(&tree).hook(hook.clone());
    for exhausted in 0..2 {
        let mut parts = begun_best(search(), 1, &value).split(2);
        let _ = search().frontier(&mut parts[exhausted]).best(&value);
        let outcome = search().frontier(&mut merged(parts)).best(&value);
        assert!(outcome.report().conflicts().is_empty(), "{outcome:?}");
    }
}

#[test]
fn a_sum_of_reports_lists_the_nondeterministic_parts_of_both() {
    let tree = opposed();
    let value = Objective::maximise(Sketch::value);
    let id = Some(value.incumbent().id());
    let run = |incumbent| {
        let hook = Claiming::new(losing(Effect::Preserving, None)).incumbent(incumbent);
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
        assert_eq!(names(sum), ["losing"]);
    }
    for sum in [plain.clone() + varies.clone(), varies + plain] {
        assert_eq!(names(sum), [Report::BRANCHER]);
    }
}

#[test]
fn a_conflict_of_hooks_outlives_a_run_with_another_question() {
    let tree = opposed();
    let hooks = || {
        let loses = || losing(Effect::OptimumOnly, None);
        (loses(), loses())
    };
    let value = Objective::maximise(Sketch::value);
    let mut frontier = begun_best(Search::new(&tree).hooks(hooks()), 3, &value);
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
    let credit = hook::enter("credit", Effect::Preserving, credit);
    let outcome = Search::new(&tree).hook(boxed(credit)).count();
    assert_eq!((outcome.stop(), outcome.exact()), (Stop::CountOverflow, None));
}

#[test]
fn an_overflow_over_several_runs_is_reported() {
    let tree = Sketch::leaves(&[(0, 0), (0, 0)]);
    let credit = |node: &mut NodeMut<'_, Sketch>| {
        if node.depth() == 0 {
            return Verdict::Keep;
        }
        node.credit(u128::MAX / 2 + 1);
        Verdict::Prune
    };
    let credit = || hook::enter("credit", Effect::Preserving, credit);
    let search = || Search::new(&tree).hook(boxed(credit()));
    let mut frontier = Frontier::new();
    let begun = search().limits(Limits::new().nodes(2)).frontier(&mut frontier).count();
    assert_eq!((begun.stop(), begun.at_least()), (Stop::NodeLimit, u128::MAX / 2 + 1));
    let outcome = search().frontier(&mut frontier).count();
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
        let mut frontiers = [(); 2].map(|()| Frontier::new());
        let [alone, shared] = &mut frontiers;
        // The second run on a frontier finds nothing more to search.
        for outcome in [
            search().count(),
            search().breadth_first().count(),
            search().threads(2).count(),
            search().frontier(shared).threads(2).count(),
            search().frontier(shared).threads(2).count(),
            search().frontier(alone).count(),
            search().frontier(alone).count(),
        ] {
            assert_eq!((outcome.stop(), outcome.exact()), expected);
        }
    }
}

/// A visit that exceeds the largest count ends the run, although the tree has no end.
#[test]
fn an_endless_tree_is_left_when_the_count_overflows() {
    let numbers = Successors::new(0_u64, |&number| number > 1, |number| [number + 1]);
    let numbers = numbers.through_solutions();
    let credit = |node: &mut NodeMut<'_, _>| {
        if *node.state() == 1 {
            node.credit(u128::MAX - 2);
        }
        Verdict::Keep
    };
    let outcome = Search::new(&numbers).enter("credit", Effect::Preserving, credit).count();
    assert_eq!((outcome.stop(), outcome.report().nodes()), (Stop::CountOverflow, 5));
}

#[test]
fn a_declared_read_is_trusted_if_any_hook_names_the_incumbent() {
    let tree = opposed();
    for (names, effect) in [(true, Effect::Preserving), (false, Effect::OptimumOnly)] {
        let value = Objective::maximise(Sketch::value);
        let read = value.incumbent().clone().declared();
        let hook = || {
            let mut incumbent = read.clone();
            let reads = move |node: &mut NodeMut<'_, Sketch>| {
                let _ = incumbent.is_beaten_by(&node.problem().value(node.state()));
                Verdict::Keep
            };
            let reads = hook::enter("reads", Effect::Preserving, reads);
            Claiming::new(reads).incumbent(names.then(|| read.id()))
        };
        let plain = || losing(Effect::Preserving, None);
        let before = Search::new(&tree).hooks((plain(), hook())).best(&value);
        assert_eq!((before.effect(), before.proven()), (effect, Some(&10)));
        let after = Search::new(&tree).hooks((hook(), plain())).best(&value);
        assert_eq!(after.effect(), effect);
    }
}

#[test]
fn representatives_of_a_brancher_and_of_a_hook_do_not_combine() {
    let representing = || Only {
        effect: Effect::Representatives,
        memory: HookMemory::Path,
        keeps: |_: &Node<'_, Sketch>, _: &usize| true,
    };
    let tree = Sketch::leaves(&[(5, 0), (5, 0)]);
    let hook = losing(Effect::Representatives, Some(2));
    let both = Search::new(&tree).brancher(representing()).hook(hook).count();
    assert_eq!((both.effect(), both.representatives()), (Effect::Lossy, None));
    assert_eq!(both.report().conflicts().len(), 1);
    let alone = Search::new(&tree).brancher(representing()).count();
    assert_eq!(alone.representatives(), Some(2));
}

/// Returns a brancher that leaves out solutions whose label it has met before, unless it preserves
/// all.
fn first_of_label(effect: Effect) -> impl Brancher<Sketch> + Clone + Send {
    let mut met = HashSet::new();
    let keeps = move |node: &Node<'_, Sketch>, child: &usize| {
        let tree = node.problem();
        let is_solution = effect != Effect::Preserving && tree.0[*child].value.is_some();
        !is_solution || met.insert(tree.label(child))
    };
    Only { effect, memory: HookMemory::Visited, keeps }
}

#[test]
fn a_brancher_with_another_effect_is_another_brancher() {
    let tree = Sketch::leaves(&[(5, 0), (9, 0)]);
    let lossy = [Effect::Representatives, Effect::OptimumOnly, Effect::Lossy];
    for effects in lossy.map(|effect| [effect, Effect::Preserving]) {
        for is_read in [false, true] {
            // The run draws the children of the root and leaves out the second.
            let search = Search::new(&tree).brancher(first_of_label(effects[0]));
            let mut frontier = begun(search, 1);
            if is_read {
                frontier = written_and_read(&frontier);
            }
            let search = || Search::new(&tree).brancher(first_of_label(effects[1]));
            let outcome = search().frontier(&mut frontier).count();
            assert!(outcome.at_least() == 1 && outcome.exact().is_none(), "{effects:?}: {outcome}");
        }
    }
}

#[test]
fn a_phase_that_continues_a_lossy_run_proves_no_optimum() {
    let tree = Sketch::leaves(&[(5, 0), (9, 0)]);
    let objective = value();
    let search = Search::new(&tree).brancher(first_of_label(Effect::Lossy));
    // The report in the file does not tell which hook or brancher was lossy.
    let mut frontier = written_and_read(&begun_best(search, 1, &objective));
    let phase = Search::new(&tree).brancher(first_of_label(Effect::Preserving));
    let outcome = Anytime::new(&objective).then(phase.frontier(&mut frontier)).finish();
    assert_eq!((outcome.best_so_far(), outcome.proven()), (Some(&5), None));
}

/// Two paths of two steps to solutions of one value and one label.
fn two_paths() -> Sketch {
    let (inner, solution) = (|child| (child, None, 0), (&[][..], Some(7), 7));
    Sketch::of(&[inner(&[1, 2][..]), inner(&[3]), inner(&[4]), solution, solution])
}

#[test]
fn a_brancher_that_represents_what_it_has_visited_counts_no_orbit_twice() {
    let tree = two_paths();
    let search = || Search::new(&tree).brancher(first_of_label(Effect::Representatives));
    assert_eq!(search().count().representatives(), Some(1));
    // A brancher that remembers and preserves all keeps representatives.
    let keeps_all = || Search::new(&tree).brancher(first_of_label(Effect::Preserving)).threads(2);
    assert_eq!(keeps_all().count().representatives(), Some(2));
    for nodes in 0..5 {
        let outcome = search().frontier(&mut begun(search(), nodes)).count();
        assert!([None, Some(1)].contains(&outcome.representatives()), "{nodes}: {outcome}");
        let search = || Search::new(&tree).brancher(first_of_label(Effect::Preserving));
        let outcome = search().frontier(&mut begun(search(), nodes)).threads(2).count();
        assert_eq!(outcome.representatives(), Some(2), "{nodes}: {outcome}");
    }
}

/// Returns whether a node is a solution of [`two_paths`] below one inner node, and the other inner
/// node is among those that were entered.
fn is_lost(node: usize, entered: u32) -> bool {
    node > 2 && entered >> (5 - node) & 1 == 1
}

/// A brancher that leaves out [lost](is_lost) solutions.
struct Elsewhere {
    effect: Effect,
    entered: u32,
}

impl Brancher<Sketch> for Elsewhere {
    type Cursor = usize;
    fn branch(&mut self, node: &Node<'_, Sketch>) -> Branch<usize> {
        node.problem().branch(node.state())
    }
    fn next(&mut self, node: &Node<'_, Sketch>, cursor: &mut usize) -> Option<usize> {
        let mut children = std::iter::from_fn(|| node.problem().next(node.state(), cursor));
        children.find(|&child| !is_lost(child, self.entered))
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Visited
    }
    fn enter(&mut self, node: &Node<'_, Sketch>) {
        self.entered |= 1 << node.state();
    }
}

#[test]
fn substitutes_in_depth_first_order_are_lost_in_other_orders() {
    let tree = two_paths();
    for effect in [Effect::Representatives, Effect::OptimumOnly] {
        for order in [None, Some(SubstituteOrder::DepthFirst)] {
            let hook = || {
                let mut entered = 0;
                let enter = move |node: &mut NodeMut<'_, Sketch>| {
                    entered |= 1 << node.state();
                    Verdict::prune_if(is_lost(*node.state(), entered))
                };
                let substitute = order.unwrap_or(SubstituteOrder::Unstated);
                let hook = hook::enter("elsewhere", effect, enter).memory(HookMemory::Visited);
                hook.substitute(Substitute::Elsewhere(substitute))
            };
            let in_order = Search::new(&tree).hook(hook());
            assert_eq!(in_order.exists().exists(), Some(true), "{effect}");
            let by_level = Search::new(&tree).hook(hook()).breadth_first();
            assert_eq!(by_level.exists().exists(), None, "{effect}");
        }
        let brancher = || Elsewhere { effect, entered: 0 };
        let in_order = Search::new(&tree).brancher(brancher());
        assert_eq!(in_order.exists().exists(), Some(true), "{effect}");
        let by_level = Search::new(&tree).brancher(brancher()).breadth_first();
        assert_eq!(by_level.exists().exists(), None, "{effect}");
        // A split opens nodes in the order of their shares.
        let parts = Search::new(&tree).brancher(brancher()).split(Frontier::new(), 2);
        let search = Search::new(&tree).brancher(brancher());
        assert_ne!(search.frontier(&mut merged(parts)).exists().exists(), Some(false), "{effect}");
    }
    let key = |tree: &Sketch, node: &usize| tree.label(node);
    let once = || Memo::visited("once", key);
    let by_level = Search::new(&tree).hook(once()).breadth_first().exists();
    assert!(by_level.report().conflicts().is_empty(), "a memo of visited states has no order");
}

/// A hook that records its limit of memory.
#[derive(Clone)]
struct Recording {
    memory: HookMemory,
    limit: Rc<Cell<Option<usize>>>,
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
}

#[test]
fn hooks_that_remember_share_half_of_the_memory_limit() {
    let words = Words::bits(3);
    let hook = |memory| Recording { memory, limit: Rc::default() };
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
    let parts = |first| begun(Search::new(&tree).brancher(From(first)), 2).split(3);
    let (mut one, mut other) = (parts(0), parts(1));
    let mut part = parts(0).remove(2);
    let outcome = Search::new(&tree).brancher(From(1)).frontier(&mut part).count();
    assert!(!outcome.report().conflicts().is_empty(), "{outcome}");
    let mut whole = one.remove(1);
    whole.merge(other.remove(2));
    whole.merge(other.remove(0));
    let outcome = Search::new(&tree).brancher(From(1)).frontier(&mut whole).count();
    assert_eq!(outcome.exact(), None);
    // Nor are parts of one tree that different branchers have searched.
    let (parts, mut order) = (Search::new(&tree).split(Frontier::new(), 2), 0..);
    let whole = in_parts(parts, |part| {
        let brancher = From(order.next().expect("endless"));
        Search::new(&tree).brancher(brancher).frontier(part).count()
    });
    assert_eq!(whole.report().map(Report::effect), Some(Effect::Lossy));
}

/// A bound for children in ascending order cuts off the best child of those in problem order.
#[test]
fn a_frontier_from_a_file_knows_its_brancher() {
    let tree = Sketch::leaves(&[(2, 0), (9, 0), (1, 0)]);
    let cost = || Objective::minimise(Sketch::value as Value).named("cost");
    let begun = begun_best(Search::new(&tree), 1, &cost());
    for mut frontier in [written_and_read(&begun), begun] {
        let cost = cost();
        let bound = cost.ordered_bound("ascending", |tree, _, child| tree.value(child));
        let search =
            Search::new(&tree).hook(bound).sorted(|node, child| node.problem().value(child));
        let outcome = search.frontier(&mut frontier).best(&cost);
        assert_eq!((outcome.best_so_far(), outcome.proven()), (Some(&2), None));
    }
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
fn a_merged_frontier_is_reported_as_exhausted_only_if_nothing_is_left() {
    let tree = opposed();
    for searched in 1..=2 {
        for reversed in [false, true] {
            // Each part gets a solution.
            let mut parts = begun(Search::new(&tree), 2).split(2);
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

/// The words of two bits or other letters, or those of them that end with a one or have equal
/// letters, or also all shorter words.
struct Bits {
    letters: u32,
    end_with_one: bool,
    equal: bool,
    include_shorter: bool,
}

impl Problem for Bits {
    type State = Vec<u32>;
    type Cursor = u32;
    type Choice = u32;
    type Undo = Vec<u32>;
    fn root(&self) -> Vec<u32> {
        Vec::new()
    }
    fn branch(&self, word: &Vec<u32>) -> Branch<u32> {
        match word[..] {
            [_, 0] if self.end_with_one => Branch::DeadEnd,
            [one, other] if self.equal && one != other => Branch::DeadEnd,
            [_, _] => Branch::Solution,
            [_, _, _, ..] => Branch::DeadEnd,
            _ if self.include_shorter => Branch::SolutionInner(self.letters),
            _ => Branch::Inner(self.letters),
        }
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

/// Returns the hook that infers the last bit, if only one value of it beats the incumbent.
fn inferring(known: Incumbent<u32>) -> impl Hook<Bits> + Clone + Send {
    let id = known.id();
    let infer = move |node: &mut NodeMut<'_, Bits>| {
        let is_beaten = |sum: u32| known.clone().is_beaten_by(&sum);
        if let [bit] = node.state()[..]
            && !is_beaten(bit)
            && is_beaten(bit + 1)
        {
            node.state_mut().push(1);
        }
        Verdict::Keep
    };
    let infer = hook::enter("inferring", Effect::OptimumOnly, infer).memory(HookMemory::Path);
    Claiming::new(infer).incumbent(id)
}

const ALL_BITS: Bits =
    Bits { letters: 2, end_with_one: false, equal: false, include_shorter: false };

type SumOfBits = fn(&Bits, &Vec<u32>) -> u32;

/// Returns the objective of the sum, whose incumbent has the value `known`, and the hook for it.
fn sum_of_bits(
    known: Option<u32>,
) -> (Objective<Bits, u32, SumOfBits>, impl Hook<Bits> + Clone + Send) {
    let sum: SumOfBits = |_, word| word.iter().sum();
    let objective = Objective::maximise(sum).named("sum");
    if let Some(known) = known {
        objective.incumbent().offer(known);
    }
    let inferring = inferring(objective.incumbent().clone().declared());
    (objective, inferring)
}

#[test]
fn a_solution_below_which_another_run_searches_again_counts_once() {
    let run = |known: Option<u32>, limits, frontier: &mut Frontier<u32>| {
        let (objective, inferring) = sum_of_bits(known);
        let search = Search::new(&ALL_BITS).hook(inferring).limits(limits);
        search.frontier(frontier).best(&objective).best_so_far().copied()
    };
    let mut frontier = Frontier::new();
    // The run enters the root and the first child, where the second bit is inferred.
    assert_eq!(run(Some(1), Limits::new().nodes(2), &mut frontier), Some(2));
    assert_eq!(frontier.report().map(Report::solutions), Some(1));
    // Without a value of the incumbent, the bit is not inferred.
    assert_eq!(run(None, Limits::new(), &mut frontier), Some(2));
    assert!(Search::new(&ALL_BITS).frontier(&mut frontier).count().at_least() <= 4);
}

#[test]
fn a_worse_solution_at_the_path_of_the_best_one_is_not_proven() {
    let bits = Bits { include_shorter: true, ..ALL_BITS };
    for threads in [1, 2] {
        let (objective, inferring) = sum_of_bits(Some(1));
        let mut frontier = begun_best(Search::new(&bits).hook(inferring), 2, &objective);
        assert_eq!(objective.incumbent().get(), Some(2));
        let mut run = |known| {
            // The path leads to the word `[1]` if its second bit is not inferred.
            let (objective, inferring) = sum_of_bits(known);
            let search = Search::new(&bits).hook(inferring).frontier(&mut frontier);
            search.threads(threads).best(&objective).proven().copied()
        };
        assert_eq!(run(None), None, "1 is not the optimum");
        assert_eq!(run(Some(2)), Some(2));
    }
}

#[test]
fn a_solution_whose_path_now_leads_to_a_better_one_does_not_weaken_the_proof() {
    let bits = Bits { include_shorter: true, ..ALL_BITS };
    let run = |known, limits, frontier: &mut Frontier<u32>, threads| {
        let (objective, inferring) = sum_of_bits(known);
        let search = Search::new(&bits).hook(inferring).limits(limits).frontier(frontier);
        let outcome = search.threads(threads).best(&objective);
        (outcome.best_so_far().copied(), outcome.proven().copied())
    };
    let begun = || {
        let mut frontier = Frontier::new();
        assert_eq!(run(None, Limits::new().nodes(2), &mut frontier, 1), (Some(1), None));
        frontier
    };
    for threads in [1, 2] {
        // Ties are accepted, so that the second bit of the word `[1]` is inferred.
        assert_eq!(run(Some(2), Limits::new(), &mut begun(), threads).1, Some(2), "{threads}");
        // The best solution of the first part is `[1]`, that of another part is `[1, 1]`.
        let mut parts = begun().split(3);
        let mut others = 1..parts.len();
        let found = others.find(|&part| run(None, Limits::new(), &mut parts[part], 1).0 == Some(2));
        parts.swap(0, found.expect("a part with the best solution"));
        let mut whole = merged(parts);
        assert_eq!(run(None, Limits::new(), &mut whole, threads).1, Some(2), "{threads}");
    }
}

#[test]
fn a_solution_that_a_split_has_inferred_is_searched_for_below_its_path() {
    for threads in [1, 2] {
        let (_, inferring) = sum_of_bits(Some(1));
        // The bit after a one is inferred, and the path to the solution is `[1]`.
        let parts = Search::new(&ALL_BITS).hook(inferring).split(Frontier::new(), 2);
        let mut whole = written_and_read(&merged(parts));
        // Another process knows no value.
        let (objective, inferring) = sum_of_bits(None);
        let extract = |node: &Node<'_, Bits>| node.state().clone();
        let search = Search::new(&ALL_BITS).hook(inferring).extract(extract);
        let outcome = search.frontier(&mut whole).threads(threads).best(&objective);
        assert_eq!(outcome.best_so_far(), Some(&2));
        assert_eq!(outcome.solution(), Some(&vec![1, 1]));
    }
}

/// Tries the ones first at the root, and the zeros below it.
#[derive(Clone)]
struct OnesFirst(HookMemory);

impl Brancher<Bits> for OnesFirst {
    type Cursor = u32;
    fn branch(&mut self, node: &Node<'_, Bits>) -> Branch<u32> {
        node.problem().branch(node.state())
    }
    fn next(&mut self, node: &Node<'_, Bits>, cursor: &mut u32) -> Option<u32> {
        let bit = node.problem().next(node.state(), cursor)?;
        Some(if node.depth() == 0 { bit } else { 1 - bit })
    }
    fn memory(&self) -> HookMemory {
        self.0
    }
}

#[test]
fn choices_left_at_a_looser_state_are_not_made_at_a_tighter_one() {
    // The first solution is [1, 0], then the second bit after a one is inferred.
    for memory in [HookMemory::Path, HookMemory::Searched, HookMemory::Visited] {
        for threads in 0..3 {
            let mut frontier = Frontier::new();
            let mut run = |limits, threads| {
                let (objective, inferring) = sum_of_bits(None);
                let search = Search::new(&ALL_BITS).hook(inferring).brancher(OnesFirst(memory));
                let search = search.limits(limits).frontier(&mut frontier);
                let outcome = match threads {
                    0 => search.best(&objective),
                    _ => search.threads(threads).best(&objective),
                };
                (outcome.best_so_far().copied(), outcome.proven().copied())
            };
            assert_eq!(run(Limits::new().nodes(3), 0), (Some(1), None), "{memory:?}");
            assert_eq!(run(Limits::new(), threads).1, Some(2), "{memory:?}, {threads}");
        }
    }
    // The walk climbs to the root and returns for each report of its progress.
    let (objective, inferring) = sum_of_bits(None);
    let search = Search::new(&ALL_BITS).hook(inferring).brancher(OnesFirst(HookMemory::Path));
    let search = search.progress(Duration::ZERO, |_| ()).fraction();
    assert_eq!(search.best(&objective).proven(), Some(&2));
}

#[test]
fn an_inference_that_joins_a_count_loses_and_repeats_nothing() {
    let same_bit = || {
        hook::enter("same bit", Effect::Preserving, |node: &mut NodeMut<'_, Bits>| {
            if let [bit] = node.state()[..] {
                node.state_mut().push(bit);
            }
            Verdict::Keep
        })
    };
    for letters in 2..5 {
        let bits = Bits { equal: true, letters, ..ALL_BITS };
        let begun = |nodes| begun(Search::new(&bits), nodes);
        let all = u128::from(letters);
        for nodes in 0..12 {
            let divided = || merged(Search::new(&bits).hook(same_bit()).split(begun(nodes), 3));
            for (mut frontier, is_on) in
                [(begun(nodes), true), (divided(), true), (divided(), false)]
            {
                let hook = is_on.then(same_bit);
                let outcome = Search::new(&bits).hook(hook).frontier(&mut frontier).count();
                let case = format!("{letters} letters, {nodes} nodes, {is_on}: {outcome}");
                assert!([None, Some(all)].contains(&outcome.exact()), "{case}");
                assert!(outcome.at_least() <= all, "{case}");
            }
        }
        let mut frontier = begun(2);
        let outcome = Search::new(&bits).hook(same_bit()).frontier(&mut frontier).count();
        assert_eq!(outcome.exact(), Some(all), "no child of the first letter was entered before");
    }
}

/// Infers the last bit of words that end with a one.
fn last_bit(is_on: bool) -> impl Hook<Bits> {
    let infer = move |node: &mut NodeMut<'_, Bits>| {
        if is_on && node.state().len() == 1 {
            node.state_mut().push(1);
        }
        Verdict::Keep
    };
    let hook = hook::enter("last bit", Effect::Preserving, infer);
    hook.memory(HookMemory::Searched).parameters(&())
}

/// Returns the hook that keeps one of two words that differ in the first bit.
fn first_bit() -> impl Hook<Bits> {
    let admit = |node: &Node<'_, Bits>, &bit: &u32| Verdict::keep_if(node.depth() > 0 || bit == 1);
    Claiming::new(hook::admit("first bit", Effect::Representatives, admit)).orbit(2)
}

/// A step of a walk with two ways that meet before they end in a solution.
type Step = (u32, u32);

fn meeting() -> impl Problem<State = Step, Choice = Step> {
    let successors = |(level, way): Step| match level {
        0 => vec![(1, 0), (1, 1)],
        1 => vec![(2, 7)],
        2 => vec![(3, way)],
        _ => Vec::new(),
    };
    Successors::new((0, 0), |&(level, _): &Step| level == 3, successors)
}

#[test]
fn a_symmetry_that_joins_after_the_first_nodes_claims_no_more_than_it_knows() {
    let tree = meeting();
    for (nodes, kept) in (0..5).flat_map(|nodes| [(nodes, 0), (nodes, 1)]) {
        let begun = || begun(Search::new(&tree), nodes);
        let factor = move |_: &_, _: Path<'_, Step>, choice: &Step| 2 * u64::from(choice.1 == kept);
        let memo = Memo::failed("failed", |_: &_, state: &Step| *state);
        let half = FirstChoices::new("half", 1, factor);
        let outcome = Search::new(&tree).hooks((half, memo)).frontier(&mut begun()).count();
        assert!([None, Some(2)].contains(&outcome.exact()), "{nodes}, {kept}: {outcome}");
        let first = move |node: &Node<'_, _>, choice: &Step| {
            Verdict::keep_if(node.depth() > 0 || choice.1 == kept)
        };
        let half = hook::admit("half", Effect::Representatives, first);
        let mut frontier = begun();
        let outcome = Search::new(&tree).hook(half).frontier(&mut frontier).count();
        assert!([None, Some(1)].contains(&outcome.representatives()), "{nodes}, {kept}: {outcome}");
        // The report that was saved is added up with the one of this run.
        let half = hook::admit("half", Effect::Representatives, first);
        let mut frontier = written_and_read(&frontier);
        let outcome = Search::new(&tree).hook(half).frontier(&mut frontier).count();
        assert!([None, Some(1)].contains(&outcome.representatives()), "{nodes}, {kept}: {outcome}");
    }
}

#[test]
fn a_symmetry_that_joins_after_the_first_nodes_keeps_existence_and_the_best() {
    let half = || {
        let first = |node: &Node<'_, Sketch>, choice: &usize| {
            Verdict::keep_if(node.depth() > 0 || *choice == 1)
        };
        hook::admit("half", Effect::Representatives, first)
    };
    let solved = two_paths();
    let inner = |child| (child, None, 0);
    let unsolved =
        Sketch::of(&[inner(&[1, 2][..]), inner(&[3]), inner(&[4]), inner(&[]), inner(&[])]);
    for nodes in 0..3 {
        let begun = |tree| {
            let mut frontier = Frontier::new();
            let limits = Limits::new().nodes(nodes);
            assert_eq!(
                Search::new(tree).limits(limits).frontier(&mut frontier).exists().exists(),
                None
            );
            written_and_read(&frontier)
        };
        let exists = |tree| Search::new(tree).hook(half()).frontier(&mut begun(tree)).exists();
        assert_eq!(exists(&unsolved).exists(), Some(false), "{nodes}");
        assert_eq!(exists(&solved).exists(), Some(true), "{nodes}");
        let search = Search::new(&solved).hook(half());
        let outcome = search.frontier(&mut begun(&solved)).best(&value());
        assert_eq!(outcome.proven(), Some(&7), "{nodes}");
    }
    for (limit, expected) in [(2, Some(1)), (3, None)] {
        let mut budget = RunBudget::new(Limits::new());
        let limits = Limits::new().nodes(limit);
        budget.add(Search::new(&unsolved).limits(limits.clone()).exists().into_parts().1);
        budget.add(Search::new(&unsolved).hook(half()).exists().into_parts().1);
        assert_eq!(budget.found(None::<()>).exists(), Some(false), "{limit}");
        // Runs over the whole tree repeat no orbit.
        let mut budget = RunBudget::new(Limits::new());
        budget.add(Search::new(&solved).limits(limits).count().into_parts().1);
        let (count, report) = Search::new(&solved).hook(half()).count().into_parts();
        budget.add(report);
        assert_eq!(budget.count(count).representatives(), expected, "{limit}");
    }
}

#[test]
fn an_orbit_that_is_visited_again_does_not_count_twice() {
    let bits = Bits { end_with_one: true, ..ALL_BITS };
    let run = |is_on, limits, frontier: &mut Frontier<u32>| {
        let (sum, _) = sum_of_bits(None);
        let hooks = (first_bit(), last_bit(is_on));
        let _ = Search::new(&bits).hooks(hooks).limits(limits).frontier(frontier).best(&sum);
    };
    let mut frontier = Frontier::new();
    run(true, Limits::new().nodes(2), &mut frontier);
    run(false, Limits::new(), &mut frontier);
    let hooks = (first_bit(), last_bit(false));
    let outcome = Search::new(&bits).hooks(hooks).frontier(&mut frontier).count();
    assert!([None, Some(2)].contains(&outcome.exact()), "{outcome}");
}

#[test]
fn a_walk_below_a_state_stays_below_it_while_progress_is_reported() {
    let queens = Queens::new(8).unwrap().lookback();
    let (mut state, mut found) = (queens.root(), 0);
    queens.apply(&mut state, &0);
    let search = Search::new(&queens).progress(Duration::ZERO, |_| ()).fraction();
    let stop = search.for_each_below(state, |node| {
        assert_eq!(node.depth(), 7);
        found += 1;
    });
    assert_eq!((stop, found), (Stop::Exhausted, 4));
}

#[test]
fn a_search_that_is_saved_between_steps_is_reported_in_parts() {
    let queens = Queens::new(6).unwrap().bits();
    let directory = Directory::new();
    let print = Fingerprint::new("queens", &6);
    let mut checkpoint = Checkpoint::new(directory.file(), Duration::from_secs(3600), print);
    let key = |_: &_, state: &_| *state;
    let search = Search::new(&queens).hook(Memo::failed("failed", key));
    let mut solutions = search.checkpoint(&mut checkpoint).expect("a new file").solutions();
    let mut found = 0;
    while solutions.advance(40, |_| {
        found += 1;
        ControlFlow::Continue(())
    }) == Stop::NodeLimit
    {}
    let report = solutions.report();
    assert_eq!(found, 4);
    assert!(!report.nondeterministic_parts().is_empty(), "{report}");
}

#[test]
fn an_optimisation_that_begins_with_a_value_does_not_prove_that_there_is_no_solution() {
    let tree = Sketch::leaves(&[(10, 1), (5, 9)]);
    let objective = Objective::minimise(Sketch::value as Value);
    objective.incumbent().offer(3);
    let search = Search::new(&tree).best_first(&objective, |_, _| 5);
    let (best, report) = search.best(&objective).into_parts();
    assert_eq!(best, Optimum::NoneBetter { value: 3 });
    let mut budget = RunBudget::new(Limits::new());
    budget.add(report);
    assert!(!budget.found(None::<()>).is_proven_none());
}

#[test]
fn a_closure_that_states_what_it_remembers_does_not_cut_off_its_own_path() {
    let tree = Sketch::of(&[
        (&[1, 2], None, 0),
        (&[3], None, 1),
        (&[4], None, 2),
        (&[], Some(1), 3),
        (&[], Some(2), 4),
    ]);
    let objective = Objective::maximise(Sketch::value as Value);
    let mut seen = HashSet::new();
    let once = move |node: &mut NodeMut<'_, Sketch>| Verdict::keep_if(seen.insert(*node.state()));
    let outcome = Search::new(&tree)
        .enter("once", Effect::Representatives, once)
        .configure(|hook| hook.memory(HookMemory::Visited))
        .best_first(&objective, |_, _| 2)
        .first();
    assert!(outcome.solution().is_some(), "{}", outcome.report());
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
        let mut parts = begun_best(Search::new(&tree), 2, &shared).split(3);
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
        let panics = hook::enter("panics", Effect::Preserving, panics);
        let search = AssertUnwindSafe(|| Search::new(tree).hook(boxed(panics)).count());
        assert!(catch_unwind(search).is_err());
    };
    let hook = hook::enter("reads", Effect::Preserving, reads_beside_a_run(&known, inner));
    let outcome = Search::new(&tree).hook(boxed(hook)).count();
    assert_eq!((outcome.report().solutions(), outcome.exact()), (1, None));
    // The reads of the inner run count for both runs, although it panics.
    let reading = |node: &mut NodeMut<'_, Sketch>| {
        let problem = node.problem();
        let mut reader = known.clone();
        let reads = |_: &mut NodeMut<'_, Sketch>| -> Verdict {
            assert!(reader.is_beaten_by(&0), "this panic is part of the test");
            Verdict::Keep
        };
        let reads = hook::enter("reads", Effect::Preserving, reads);
        let search = Search::new(problem).hook(boxed(reads));
        let inner = catch_unwind(AssertUnwindSafe(|| search.count()));
        Verdict::prune_if(inner.is_err() && node.depth() == 1)
    };
    let reading = hook::enter("prunes", Effect::Preserving, reading);
    let outcome = Search::new(&tree).hook(boxed(reading)).first();
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

#[test]
fn a_comparison_with_an_incumbent_proves_no_count() {
    /// Prunes solutions that do not beat the incumbent, and claims to preserve all.
    struct Beating(Incumbent<i64>);
    impl Hook<Sketch> for Beating {
        fn name(&self) -> &str {
            "beating"
        }
        fn incumbent(&self) -> Option<IncumbentId> {
            Some(self.0.id())
        }
        fn enter(&mut self, node: &mut NodeMut<'_, Sketch>) -> Verdict {
            let value = node.problem().value(node.state());
            Verdict::keep_if(node.depth() == 0 || self.0.is_beaten_by(&value))
        }
    }
    let tree = three_solutions();
    let known = Incumbent::new(Direction::Maximise);
    known.offer(5);
    let outcome = Search::new(&tree).hook(Beating(known.clone().declared())).count();
    assert_eq!((outcome.exact(), outcome.representatives()), (None, None));
    assert_eq!(outcome.at_least(), 1);
    let unique = Search::new(&tree).hook(Beating(known.declared())).is_unique();
    assert_eq!(unique.is_unique(), None);
}

#[test]
fn objectives_of_other_parameters_are_not_the_same_question() {
    static SIGN: AtomicI64 = AtomicI64::new(1);
    fn signed(tree: &Sketch, node: &usize) -> i64 {
        SIGN.load(Ordering::Relaxed) * tree.value(node)
    }
    let objective = |sign| {
        SIGN.store(sign, Ordering::Relaxed);
        Objective::maximise(signed).parameters(&sign)
    };
    let tree = opposed();
    let mut frontier = begun_best(Search::new(&tree), 3, &objective(1));
    let outcome = Search::new(&tree).frontier(&mut frontier).best(&objective(-1));
    assert_eq!(outcome.proven(), None, "the second solution has the value -5");
    let mut frontier = begun_best(Search::new(&tree), 3, &objective(1));
    let outcome = Search::new(&tree).frontier(&mut frontier).best(&objective(1));
    assert_eq!(outcome.proven(), Some(&10));
}

#[test]
fn a_solution_that_is_found_in_two_copies_of_a_part_counts_once() {
    let tree = Sketch::leaves(&[(5, 0)]);
    let begun = |nodes| begun(Search::new(&tree), nodes);
    let half = || begun(1).split(2).remove(0);
    for copies in [[begun(1), begun(1)], [begun(2), begun(2)], [half(), half()], [begun(1), half()]]
    {
        let mut whole = merged(copies);
        let outcome = Search::new(&tree).frontier(&mut whole).is_unique();
        assert_eq!(outcome.is_unique(), None, "{outcome:?}");
        let outcome = Search::new(&tree).frontier(&mut whole).threads(2).count();
        assert_eq!(outcome.at_least(), 1, "{outcome}");
    }
    // Two divisions of one frontier need not have disjoint parts.
    let mut whole = begun(1).split(3).remove(0);
    whole.merge(half());
    assert_eq!(Search::new(&tree).frontier(&mut whole).count().at_least(), 1);
}
