//! Claims hold for the whole tree and for the question that was asked, in every combination of
//! hooks, strategies, questions and parts.

use secateurs::checkpoint::Fingerprint;
use secateurs::hook::{Dominance, Memo};
use secateurs::problems::queens::Queens;
use secateurs::search::Frontier;
use secateurs::{
    Branch, Brancher, Effect, Found, Hook, Limits, Node, NodeMut, Objective, Optimum, Problem,
    Search, Stop, Substitute, SubstituteOrder, Verdict, hook,
};

use crate::support::sketch::Sketch;

/// All words of a length over two letters; the state is the length and the number of second
/// letters.
struct Words(u32);

impl Problem for Words {
    type State = (u32, u32);
    type Cursor = u32;
    type Choice = u32;
    type Undo = ();

    fn root(&self) -> (u32, u32) {
        (0, 0)
    }
    fn branch(&self, &(length, _): &(u32, u32)) -> Branch<u32> {
        if length == self.0 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, _: &(u32, u32), cursor: &mut u32) -> Option<u32> {
        *cursor += 1;
        (*cursor <= 2).then_some(*cursor - 1)
    }
    fn apply(&self, word: &mut (u32, u32), &letter: &u32) {
        *word = (word.0 + 1, word.1 + letter);
    }
    fn undo(&self, word: &mut (u32, u32), &letter: &u32, (): ()) {
        *word = (word.0 - 1, word.1 - letter);
    }
}

type Value = fn(&Sketch, &usize) -> i64;

fn merged<C>(parts: Vec<Frontier<C>>) -> Frontier<C> {
    let mut parts = parts.into_iter();
    let mut whole = parts.next().expect("one part at least");
    parts.for_each(|part| whole.merge(part));
    whole
}

#[test]
fn a_memo_beside_an_undeclared_read_of_the_incumbent_proves_no_optimum() {
    let words = Words(2);
    let most = Objective::maximise_for(&words, |_, &(_, ones)| ones);
    most.incumbent().offer(1);
    let mut incumbent = most.incumbent().clone();
    // All words of a length have solutions, but it takes the cut at (1, 0) for the lack of them.
    let memo = Memo::failed("memo", |_: &Words, &(length, _): &(u32, u32)| length);
    let outcome = Search::new(&words)
        .hook(memo)
        .enter("reads", Effect::Preserving, move |node| {
            let (length, ones) = *node.state();
            Verdict::keep_if(incumbent.is_beaten_by(&(ones + node.problem().0 - length)))
        })
        .best(&most);
    assert_eq!((outcome.best_so_far(), outcome.proven()), (Some(&1), None));
    let reason = "`memo` cannot be combined with an undeclared read of an incumbent";
    assert_eq!(outcome.report().conflicts(), [reason]);
}

#[test]
fn a_memo_learns_nothing_from_solutions_that_a_split_defers() {
    for length in 1..6 {
        for parts in 2..5 {
            let words = Words(length);
            let mut memo = Memo::counted("ways", |_: &Words, word: &(u32, u32)| *word);
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
    // The count is still available.
    assert_eq!(Search::new(&queens).frontier(&mut frontier).count().at_least(), 92);
}

#[test]
fn solutions_that_were_only_counted_are_not_compared() {
    // The first solution is the best one.
    let tree = Sketch::of(&[(&[1, 2], None, 0), (&[], Some(10), 0), (&[], Some(5), 0)]);
    let value = || Objective::maximise(Sketch::value).named("value");
    let mut frontier = Frontier::new();
    let limits = Limits::new().solutions(1);
    let _ = Search::new(&tree).limits(limits).frontier(&mut frontier).count();
    let print = Fingerprint::new("a tree", &());
    let mut bytes = Vec::new();
    frontier.write(&mut bytes, &print).expect("written to memory");
    let mut read = Frontier::read(&*bytes, &print).expect("just written");
    for frontier in [&mut frontier, &mut read] {
        let outcome = Search::new(&tree).frontier(frontier).best(&value());
        assert_eq!(outcome.value(), &Optimum::BestSoFar { value: 5, solution: Some(vec![2]) });
    }
}

#[test]
fn a_frontier_resumes_with_its_own_objective_only() {
    let tree = Sketch::of(&[
        (&[1, 2, 3], None, 0),
        (&[], Some(10), 7),
        (&[], Some(5), 9),
        (&[], Some(7), 8),
    ]);
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
fn a_part_claims_nothing_about_the_whole_tree() {
    let queens = Queens::new(6).expect("a size").bits();
    for opened in [false, true] {
        let mut parts = match opened {
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
        whole.merge(last);
        assert!(whole.is_whole());
        assert_eq!(Search::new(&queens).frontier(&mut whole).count().exact(), Some(4));
    }
}

#[test]
fn an_offered_value_is_not_proven_to_be_the_optimum() {
    let value = Objective::maximise(Sketch::value);
    let tree = Sketch::of(&[(&[1], None, 0), (&[], Some(10), 0)]);
    assert_eq!(Search::new(&tree).best(&value).proven(), Some(&10));
    let infeasible = Sketch::of(&[(&[1], None, 0), (&[], None, 0)]);
    let outcome = Search::new(&infeasible).best(&value);
    assert_eq!(outcome.value(), &Optimum::NoneBetter { value: 10 });
    assert_eq!((outcome.proven(), outcome.none_better()), (None, Some(&10)));
}

/// A dominance among states of equal labels: these have solutions of the same value at or below
/// them, and none is an ancestor of another one.
fn by_label() -> impl Hook<Sketch> + Clone + Send {
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
    let search = || Search::new(&tree).hooks((by_label(),));
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
    let tree = Sketch::of(&[(&[1, 2], None, 0), (&[], Some(10), 0), (&[], Some(10), 0)]);
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
    let tree = Sketch::of(&[(&[1, 2], None, 0), (&[], Some(3), 0), (&[], Some(5), 0)]);
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
    let tree = Sketch::of(&[(&[1, 2], None, 0), (&[], Some(3), 25), (&[], Some(2), 27)]);
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
    let tree = Sketch::of(&[(&[1, 2], None, 0), (&[], Some(3), 25), (&[], Some(2), 27)]);
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
fn what_a_split_leaves_out_by_an_incumbent_is_not_proven_by_the_parts() {
    let tree = Sketch::of(&[(&[1, 2], None, 0), (&[], Some(3), 25), (&[], Some(2), 27)]);
    let value = Objective::maximise(Sketch::value as Value);
    let node = Objective::maximise((|_: &Sketch, &node: &usize| node as i64) as Value);
    value.incumbent().offer(2);
    let bounded = || value.sorted(|tree: &Sketch, _: &usize, child: &usize| tree.value(child));
    let best = |objective: &Objective<Sketch, i64, Value>| {
        let parts = Search::new(&tree).brancher(bounded()).split(Frontier::new(), 2);
        let mut whole = merged(parts);
        let outcome = Search::new(&tree).frontier(&mut whole).best(objective);
        outcome.proven().copied()
    };
    assert_eq!(best(&value), Some(3));
    assert_eq!(best(&node), None);
}

#[test]
fn a_search_within_a_hook_does_not_weaken_the_outer_run() {
    let tree = Sketch::of(&[(&[1, 2], None, 0), (&[], Some(3), 25), (&[], Some(2), 27)]);
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
    let tree = Sketch::of(&[(&[1, 2], None, 0), (&[], Some(3), 25), (&[], Some(2), 27)]);
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
