//! The limits of proofs: hooks that count without visiting, incumbents known beforehand, and
//! reports of parts.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};

use secateurs::brancher::Sorted;
use secateurs::hook::Memo;
use secateurs::{
    Branch, CopyProblem, Effect, Found, Hook, Limits, Node, NodeMut, Objective, Optimum, Problem,
    Search, Stop, Verdict, hook,
};
use secateurs_problems::queens::{BitQueens, Queens};

use crate::shared::words::Words;

#[allow(clippy::ptr_arg, reason = "an objective gets a reference to the state, which is a vector")]
fn sum(_: &Words, word: &Vec<u32>) -> u32 {
    word.iter().sum()
}

#[test]
fn credited_solutions_are_not_proven_absent() {
    let words = Words::bits(4);
    let mut memo = Memo::counted("counts", |_: &Words, word: &Vec<u32>| word.len());
    assert_eq!(Search::new(&words).hooks((&mut memo,)).count().exact(), Some(16));
    // The second run is answered at its root, and visits no solution.
    let first = Search::new(&words).hooks((&mut memo,)).first();
    assert_eq!(first.value(), &Found::Unknown);
    let exists = Search::new(&words).hooks((&mut memo,)).exists();
    assert_eq!(exists.exists(), Some(true), "16 were credited");
    let visited =
        Search::new(&words).hooks((&mut memo,)).for_each(|_| ControlFlow::<()>::Continue(()));
    assert_eq!((visited.report().solutions(), visited.report().credited()), (0, 16));
    assert!(visited.report().to_string().contains("credited"));
}

#[test]
fn representatives_and_credits_do_not_mix() {
    let words = Words::bits(3);
    let memo = Memo::counted("counts", |_: &Words, word: &Vec<u32>| word.len());
    let outcome = Search::new(&words).hooks((memo,)).count();
    assert_eq!(
        (outcome.exact(), outcome.representatives()),
        (Some(8), None),
        "4 of 8 solutions were visited, and they are not representatives"
    );

    // One hook halves the tree by symmetry and knows its orbits; another one credits subtrees
    // without knowing the orbits.
    let half = first_letter_zero();
    let credit = hook::enter("credit", Effect::Preserving, |node: &mut NodeMut<'_, Words>| {
        if node.depth() == 2 {
            node.credit(2);
            return Verdict::Prune;
        }
        Verdict::Keep
    });
    let outcome = Search::new(&words).hooks((half, credit)).count();
    assert_eq!(outcome.exact(), None, "it is 8, and 4 were credited");
    assert_eq!(outcome.at_least(), 4);
    let largest = Objective::maximise(sum);
    let credit = hook::enter("credit", Effect::Preserving, |node: &mut NodeMut<'_, Words>| {
        if *node.path().to_vec() == [0, 1] {
            node.credit(2);
            return Verdict::Prune;
        }
        Verdict::Keep
    });
    let outcome = Search::new(&words).hooks((first_letter_zero(), credit)).best(&largest);
    assert_eq!(outcome.proven(), None, "the values of credited solutions are unknown");
}

/// Creates a hook that keeps the words that begin with 0, each for an orbit of two.
fn first_letter_zero() -> impl Hook<Words> {
    secateurs::hook::FirstChoices::new("first letter 0", 1, |_: &Words, _, &letter: &u32| {
        2 * u64::from(letter == 0)
    })
}

#[test]
fn a_known_incumbent_proves_nothing_about_existence() {
    let words = Words::bits(4);
    let largest = Objective::maximise(sum);
    let bound = || {
        largest.bound("bound", |words: &Words, word: &Vec<u32>| {
            sum(words, word) + 4 - word.len() as u32
        })
    };
    assert_eq!(Search::new(&words).hooks((bound(),)).best(&largest).proven(), Some(&4));
    // The objective knows 4 now, so its bounds prune everything.
    let first = Search::new(&words).hooks((bound(),)).first();
    assert_eq!(first.value(), &Found::Unknown);
    assert_eq!(Search::new(&words).hooks((Some(Box::new(bound())),)).exists().exists(), None);
    // The objective itself may be asked again: nothing is better than its value.
    let again = Search::new(&words).hooks((bound(),)).best(&largest);
    assert_eq!(again.value(), &Optimum::NoneBetter { value: 4 });
}

/// All words of three letters over `{0, 1}`, from whose choices a hook may remove the letter 1.
struct RestrictableWords;

impl CopyProblem for RestrictableWords {
    /// The length of the word, and whether the letter 1 is removed.
    type State = (usize, bool);
    type Cursor = u64;
    type Choice = u64;

    fn root(&self) -> (usize, bool) {
        (0, false)
    }
    fn branch(&self, &(length, is_removed): &(usize, bool)) -> Branch<u64> {
        match length {
            // Propagation would detect this; here the problem itself does.
            3 if is_removed => Branch::DeadEnd,
            3 => Branch::Solution,
            _ => Branch::Inner(0),
        }
    }
    fn next(&self, &(_, is_removed): &(usize, bool), cursor: &mut u64) -> Option<u64> {
        *cursor += 1;
        (*cursor <= 2 - u64::from(is_removed)).then_some(*cursor - 1)
    }
    fn apply(&self, (length, is_removed): (usize, bool), _: &u64) -> (usize, bool) {
        (length + 1, is_removed)
    }
}

/// Removes the letter 1 near the end, as if nothing with it could beat the incumbent.
struct RemovesOnes(secateurs::Incumbent<u64>);

impl Hook<RestrictableWords> for RemovesOnes {
    fn name(&self) -> &str {
        "removes ones"
    }
    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }
    fn incumbent(&self) -> Option<secateurs::IncumbentId> {
        Some(self.0.id())
    }
    fn enter(&mut self, node: &mut NodeMut<'_, RestrictableWords>) -> Verdict {
        if node.depth() == 2 && self.0.latest().is_some() {
            node.state_mut().1 = true;
        }
        Verdict::Keep
    }
}

#[test]
fn tightening_by_an_incumbent_proves_nothing_about_existence() {
    let largest = Objective::maximise(|_: &RestrictableWords, _: &_| 0_u64);
    let removes_ones = || RemovesOnes(largest.incumbent().clone());
    assert_eq!(
        Search::new(&RestrictableWords).hooks((removes_ones(),)).first().exists(),
        Some(true)
    );
    largest.incumbent().offer(0);
    let deep = Search::new(&RestrictableWords).hooks((removes_ones(),)).first();
    assert_eq!(
        (deep.stop(), deep.exists()),
        (Stop::Exhausted, None),
        "nothing was cut, but the problem had dead ends"
    );
    // Breadth-first, with replayed paths.
    let broad = Search::new(&RestrictableWords).hooks((removes_ones(),)).breadth_first().first();
    assert_eq!((broad.stop(), broad.exists()), (Stop::Exhausted, None));
    // That nothing is better than the known value is proven.
    let best = Search::new(&RestrictableWords).hooks((removes_ones(),)).best(&largest);
    assert_eq!(best.value(), &Optimum::NoneBetter { value: 0 });
}

#[test]
fn a_bound_that_prunes_nothing_leaves_a_proof_of_absence() {
    let words = Words::bits(4);
    let largest = Objective::maximise(sum);
    let none = hook::enter("none", Effect::Preserving, |node: &mut NodeMut<'_, Words>| {
        Verdict::prune_if(node.depth() == 4)
    });
    let bound = largest.bound("bound", |_: &Words, _: &Vec<u32>| 4);
    assert!(Search::new(&words).hooks((bound, none)).first().is_proven_none());
}

#[test]
fn a_bound_of_another_objective_proves_no_optimum() {
    let words = Words::bits(4);
    let largest = Objective::maximise(sum);
    let other = Objective::maximise(sum);
    other.incumbent().offer(4);
    let bound = other.bound("bound", |_: &Words, _: &Vec<u32>| 4);
    let outcome = Search::new(&words).hooks((bound,)).best(&largest);
    assert_eq!(outcome.value(), &Optimum::Unknown);
}

#[test]
fn a_better_offered_value_has_no_solution_of_this_run() {
    let words = Words::bits(2);
    let largest = Objective::maximise(sum);
    let incumbent = largest.incumbent().clone();
    let seen = Cell::new(0);
    // Another run offers 9 when this run has found 1.
    let elsewhere =
        hook::admit("elsewhere", Effect::Preserving, |node: &Node<'_, Words>, &letter| {
            if *node.path().to_vec() == [1] && letter == 1 {
                incumbent.offer(9);
                seen.set(1);
            }
            Verdict::Keep
        });
    let outcome = Search::new(&words).hooks((elsewhere,)).best(&largest);
    assert_eq!(seen.get(), 1);
    assert_eq!(outcome.value(), &Optimum::NoneBetter { value: 9 });
}

#[test]
fn hooks_of_the_same_name_are_added_by_position() {
    let words = Words::bits(3);
    let cut = |letter| {
        hook::admit("cut", Effect::Lossy, move |_: &Node<'_, Words>, &next| {
            Verdict::prune_if(next == letter)
        })
    };
    let part = || {
        Search::new(&words).hooks((&mut None::<LetterHook>, cut(7), cut(1))).count().into_parts().1
    };
    let sum = part() + part();
    assert_eq!(sum.hooks().len(), 3);
    for (whole, part) in sum.hooks().iter().zip(part().hooks()) {
        assert_eq!(
            (whole.calls(), whole.cuts()),
            (2 * part.calls(), 2 * part.cuts()),
            "{}",
            part.name()
        );
    }
}

struct LetterHook;

impl Hook<Words> for LetterHook {
    fn name(&self) -> &str {
        "letter"
    }
}

#[test]
fn absent_hooks_take_no_lines_in_reports() {
    let words = Words::bits(3);
    let mut off = (None::<LetterHook>, None::<LetterHook>);
    let outcome = Search::new(&words).hooks((&mut off.0, LetterHook, &mut off.1)).count();
    let text = outcome.report().to_string();
    assert!(!text.lines().any(|line| line.starts_with("off")), "{text}");
    assert!(text.contains("letter"), "{text}");
    let summary = outcome.report().summary().to_string();
    assert!(
        text.starts_with(&summary) && summary.contains("letter") && !summary.contains("depth"),
        "{summary}"
    );
}

#[test]
fn the_effect_of_a_brancher_reaches_the_outcome() {
    /// A brancher that takes only the first child of another one.
    struct Greedy;
    impl secateurs::Brancher<Words> for Greedy {
        type Cursor = u32;
        fn effect(&self) -> Effect {
            Effect::Lossy
        }
        fn branch(&mut self, node: &Node<'_, Words>) -> Branch<u32> {
            node.problem().branch(node.state())
        }
        fn next(&mut self, node: &Node<'_, Words>, cursor: &mut u32) -> Option<u32> {
            node.problem().next(node.state(), cursor).filter(|&letter| letter == 0)
        }
    }
    let words = Words::bits(3);
    let outcome = Search::new(&words).brancher(Greedy).count();
    assert_eq!(
        (outcome.stop(), outcome.effect(), outcome.exact()),
        (Stop::Exhausted, Effect::Lossy, None)
    );
    let key = |_: &Node<'_, Words>, &letter: &u32| letter;
    assert_eq!(
        Search::new(&words).brancher(Sorted::over(Greedy, key)).check_undo().count().exact(),
        None
    );
    let largest = Objective::maximise(sum);
    assert_eq!(Search::new(&words).brancher(Greedy).best(&largest).best_so_far(), Some(&0));
}

#[test]
fn sorting_by_the_state_alone_does_not_follow_the_path() {
    let queens = Queens::new(6).unwrap().bits();
    let sorted = Sorted::by(|_: &Node<'_, BitQueens>, &choice: &_| choice);
    assert!(!secateurs::Brancher::<BitQueens>::memory(&sorted).follows_path());
    assert_eq!(Search::new(&queens).brancher(sorted).breadth_first().count().exact(), Some(4));
}

#[test]
fn breadth_first_memos_learn_nothing_and_do_not_panic() {
    let words = Words::bits(5);
    let counts = || Memo::counted("counts", |_: &Words, word: &Vec<u32>| word.clone());
    let credit = hook::enter("credit", Effect::Preserving, {
        let mut seen = 0;
        move |node: &mut NodeMut<'_, Words>| {
            seen += 1;
            node.credit(u128::from(seen % 3 == 0));
            Verdict::Keep
        }
    });
    let outcome = Search::new(&words).hooks((credit, counts().capacity(2))).breadth_first().count();
    let report = outcome.report();
    assert!(report.credited() > 0);
    assert_eq!(outcome.exact(), Some(u128::from(report.solutions()) + report.credited()));
    assert_eq!(report.hook("counts").and_then(|memo| memo.stat("entries")), Some(0));
    let limits = Limits::new().nodes(5);
    assert_eq!(
        Search::new(&words).hooks((counts(),)).limits(limits).breadth_first().count().stop(),
        Stop::NodeLimit
    );
}

#[test]
fn a_walk_that_panicked_does_not_resume() {
    fn visit(mut solutions: impl Iterator<Item = usize>) -> usize {
        assert_eq!(solutions.next(), Some(2));
        let caught = panic::catch_unwind(AssertUnwindSafe(|| solutions.next()));
        assert!(caught.is_err());
        solutions.count()
    }
    let words = Words::bits(2);
    let second_panics = || {
        let mut seen = 0;
        move |node: &Node<'_, Words>| {
            seen += 1;
            assert_ne!(seen, 2, "this panic is part of the test");
            node.depth()
        }
    };
    let mut deep = Search::new(&words).extract(second_panics()).solutions();
    assert_eq!((visit(deep.by_ref()), deep.stop()), (0, Stop::Interrupted));
    let mut broad = Search::new(&words).extract(second_panics()).breadth_first().solutions();
    assert_eq!((visit(broad.by_ref()), broad.stop()), (0, Stop::Interrupted));
}
