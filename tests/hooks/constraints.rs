//! Hooks that are constraints: they define the solutions, and only claims that respect them hold.

use secateurs::hook::{self, HookMemory};
use secateurs::{Constraint, Digest, Direction, Effect, Found, Hook, Node, Objective, Search};

use crate::shared::words::Words;

/// Returns the objective of the number of ones after the first bit.
fn value() -> Objective<Words, u32, impl Fn(&Words, &Vec<u32>) -> u32 + Clone> {
    Objective::new(Direction::Maximise, |_: &Words, word: &Vec<u32>| word.iter().skip(1).sum())
}

/// Two equal bits in a row may not be ones: this reads the path.
fn apart(node: &Node<'_, Words>) -> bool {
    let bits = node.path().to_vec();
    bits.windows(2).all(|pair| pair != [1, 1])
}

/// The number of ones may not be divisible by 3 after the third bit: this reads the state alone.
fn residue(node: &Node<'_, Words>) -> bool {
    let word = node.state();
    word.len() != 3 || word.iter().sum::<u32>() % 3 != 0
}

#[test]
fn constraints_define_the_solutions_of_every_question() {
    for length in 0..8 {
        let words = Words::bits(length);
        let number = |allows: fn(&Node<'_, Words>) -> bool, kind| {
            let search = Search::new(&words).constraint("constraint", kind, allows);
            let outcome = search.count();
            assert_eq!(outcome.effect(), Effect::Preserving);
            let report = outcome.report().hook("constraint").expect("a report");
            assert_eq!(report.constraint(), Some(kind));
            outcome.exact().expect("an exact count")
        };
        let fibonacci = [1, 2, 3, 5, 8, 13, 21, 34];
        assert_eq!(number(apart, Constraint::Path), fibonacci[length]);
        // Of the eight words of three bits, 000 and 111 are rejected.
        let expected = if length < 3 { 1 << length } else { 6 << (length - 3) };
        assert_eq!(number(residue, Constraint::State), expected);
        let search = Search::new(&words).constraint("none", Constraint::Path, |_| false);
        assert!(matches!(search.first().value(), Found::None));
    }
}

/// A hook that claims a memory and nothing else, and perhaps to respect all constraints.
struct Remembers(HookMemory, bool);

impl Hook<Words> for Remembers {
    fn name(&self) -> &str {
        "remembers"
    }
    fn memory(&self) -> HookMemory {
        self.0
    }
    fn respects(&self, _: Constraint) -> bool {
        self.1 || self.0 <= HookMemory::Path
    }
}

#[test]
fn facts_about_other_subtrees_must_respect_constraints() {
    let words = Words::bits(5);
    for kind in [Constraint::State, Constraint::Path] {
        for memory in [HookMemory::Nothing, HookMemory::Path] {
            let search = Search::new(&words).constraint("constraint", kind, |_| true);
            assert_eq!(search.hook(Remembers(memory, false)).count().exact(), Some(32));
        }
        for memory in [HookMemory::Searched, HookMemory::Visited, HookMemory::PathAndVisited] {
            for respects in [false, true] {
                let search = Search::new(&words).constraint("constraint", kind, |_| true);
                let outcome = search.hook(Remembers(memory, respects)).count();
                assert_eq!(outcome.exact(), respects.then_some(32), "{memory:?}");
            }
        }
    }
}

#[test]
fn parts_with_different_constraints_do_not_add_up() {
    let words = Words::bits(5);
    let plain = Search::new(&words).count();
    let apart = || hook::constraint("apart", Constraint::Path, apart).parameters(&1);
    let constrained = Search::new(&words).hook(apart()).count();
    let sum = plain.report().clone() + constrained.report().clone();
    assert_eq!(sum.effect(), Effect::Lossy);
    let reason = "parts of the run have different constraints: search all with the same ones";
    assert_eq!(sum.conflicts(), [reason]);
    let same =
        constrained.report().clone() + Search::new(&words).hook(apart()).count().report().clone();
    assert_eq!(same.effect(), Effect::Preserving);
}

/// A constraint that wrongly names another effect.
struct Wrong;

impl Hook<Words> for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }
    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }
    fn constraint(&self) -> Option<Constraint> {
        Some(Constraint::Path)
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

#[test]
fn the_effect_of_a_constraint_is_preserving() {
    let outcome = Search::new(&Words::bits(2)).hook(Wrong).best(&value());
    assert_eq!(outcome.proven(), None);
    let reason = "`wrong` is a constraint, so its effect must be preserving";
    assert_eq!(outcome.report().conflicts(), [reason]);
}
