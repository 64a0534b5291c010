//! The limits of proofs: hooks that count without visiting, values that others offer, and sums of
//! reports.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};

use secateurs::brancher::Sorted;
use secateurs::hook::Memo;
use secateurs::{
    Branch, Brancher, Cuts, Direction, Effect, Found, Hook, HookReport, Incumbent, IncumbentId,
    Node, Objective, Optimum, Problem, Report, Search, Stop, Verdict, hook,
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
fn sorting_by_the_state_alone_does_not_follow_the_path() {
    let queens = Queens::new(6).unwrap().bits();
    let sorted = Sorted::by(|_: &Node<'_, BitQueens>, &choice: &_| choice);
    assert!(!secateurs::Brancher::<BitQueens>::memory(&sorted).follows_path());
    assert_eq!(Search::new(&queens).brancher(sorted).breadth_first().count().exact(), Some(4));
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

/// A report is the sum of what the engine counts and of what a brancher states about itself.
#[test]
fn a_brancher_that_states_impossible_cuts_gets_a_report() {
    struct Boasting(Incumbent<i64>, Vec<Cuts>);
    impl Brancher<Words> for Boasting {
        type Cursor = u32;
        fn branch(&mut self, node: &Node<'_, Words>) -> Branch<u32> {
            node.problem().branch(node.state())
        }
        fn next(&mut self, node: &Node<'_, Words>, cursor: &mut u32) -> Option<u32> {
            node.problem().next(node.state(), cursor)
        }
        fn effect(&self) -> Effect {
            Effect::OptimumOnly
        }
        fn incumbent(&self) -> Option<IncumbentId> {
            Some(self.0.id())
        }
        fn cuts(&self) -> &[Cuts] {
            &self.1
        }
    }
    let mut cuts = Cuts::default();
    (cuts.admit, cuts.enter) = (3, 9);
    let brancher = Boasting(Incumbent::new(Direction::Maximise), vec![cuts; 4]);
    let outcome = Search::new(&Words::bits(2)).brancher(brancher).count();
    assert_eq!(outcome.report().hook(Report::BRANCHER).map(HookReport::cuts), Some(48));
    (cuts.admit, cuts.enter) = (u64::MAX, u64::MAX);
    let brancher = Boasting(Incumbent::new(Direction::Maximise), vec![cuts; 4]);
    let outcome = Search::new(&Words::bits(2)).brancher(brancher).count();
    assert_eq!(outcome.report().hook(Report::BRANCHER).map(HookReport::cuts), Some(u64::MAX));
}
