//! Hooks that are constraints: they define the solutions, and only claims that respect them hold.

use secateurs::hook::{self, Dominance, FirstChoices, HookMemory, Memo};
use secateurs::search::Frontier;
use secateurs::{
    Branch, Constraint, CopyProblem, Digest, Direction, Effect, Found, Hook, Limits, Node, NodeMut,
    Objective, Search, Substitute, SubstituteOrder, Verdict,
};

/// Words of bits of a length. The state is the length so far and the number of ones modulo 3; the
/// value of a word is the number of ones after the first bit.
struct Words(usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Word {
    length: usize,
    ones: usize,
    value: usize,
}

impl CopyProblem for Words {
    type State = Word;
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> Word {
        Word { length: 0, ones: 0, value: 0 }
    }
    fn branch(&self, word: &Word) -> Branch<usize> {
        if word.length == self.0 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, _: &Word, cursor: &mut usize) -> Option<usize> {
        *cursor += 1;
        (*cursor <= 2).then_some(*cursor - 1)
    }
    fn apply(&self, word: Word, &bit: &usize) -> Word {
        let value = word.value + if word.length == 0 { 0 } else { bit };
        Word { length: word.length + 1, ones: (word.ones + bit) % 3, value }
    }
}

fn value() -> Objective<Words, usize, impl Fn(&Words, &Word) -> usize + Clone> {
    Objective::new(Direction::Maximise, |_: &Words, word: &Word| word.value)
}

/// Two equal bits in a row may not be ones: this reads the path.
fn apart(node: &Node<'_, Words>) -> bool {
    let bits = node.path().to_vec();
    bits.windows(2).all(|pair| pair != [1, 1])
}

/// The number of ones may not be divisible by 3 after the third bit: this reads the state alone.
fn residue(node: &Node<'_, Words>) -> bool {
    let word = node.state();
    word.length != 3 || word.ones != 0
}

fn memo(counted: bool) -> impl Hook<Words> {
    let key = |_: &Words, word: &Word| (word.length, word.ones);
    if counted { Memo::counted("memo", key) } else { Memo::failed("memo", key) }
}

/// A hook that credits all solutions below the first bit.
struct Credit;

impl Hook<Words> for Credit {
    fn name(&self) -> &str {
        "credit"
    }
    fn enter(&mut self, node: &mut NodeMut<'_, Words>) -> Verdict {
        if node.depth() == 1 {
            node.credit(1 << (node.problem().0 - 1));
        }
        Verdict::prune_if(node.depth() == 1)
    }
}

#[test]
fn two_substitutes_with_as_many_choices_prove_nothing_together() {
    // Each hook keeps one of two solutions of equal values and lengths.
    let admits = |name: &'static str, first: usize| {
        hook::admit(name, Effect::OptimumOnly, move |node: &Node<'_, Words>, &bit: &usize| {
            Verdict::keep_if(node.depth() > 0 || bit == first)
        })
        .substitute(Substitute::Elsewhere(SubstituteOrder::FewerChoices))
    };
    let words = Words(3);
    for first in [0, 1] {
        let outcome = Search::new(&words).hook(admits("one", first)).best(&value());
        assert_eq!(outcome.proven(), Some(&2));
    }
    let outcome = Search::new(&words).hooks((admits("zero", 0), admits("one", 1))).best(&value());
    assert!(!outcome.is_proven_infeasible());
    assert_eq!(outcome.effect(), Effect::Lossy);
    let reason = "`one` cannot be combined with `zero` (optimum only): leave out one of them, or \
                  state an order in which the substitutes of both come first";
    assert_eq!(outcome.report().conflicts(), [reason]);
    // Nor with a dominance of the same order, whose matches need as many choices.
    let group = |_: &Words, word: &Word| (word.length, word.ones);
    let dominance = Dominance::new("more", group, |_: &Words, word: &Word| word.value, usize::ge)
        .order(SubstituteOrder::FewerChoices);
    let outcome = Search::new(&words).hooks((admits("zero", 0), dominance)).best(&value());
    assert_eq!(outcome.effect(), Effect::Lossy);
}

#[test]
fn constraints_define_the_solutions_of_every_question() {
    for length in 0..8 {
        let words = Words(length);
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

#[test]
fn memos_can_be_combined_with_constraints_of_states_only() {
    let words = Words(9);
    for counted in [false, true] {
        let search = Search::new(&words).constraint("residue", Constraint::State, residue);
        let outcome = search.hook(memo(counted)).count();
        assert_eq!(outcome.exact(), Some(6 << 6));
        assert_eq!(outcome.report().credited() > 0, counted);
        for first in [true, false] {
            let constraint = || hook::constraint("apart", Constraint::Path, apart);
            let memo = || memo(counted);
            let outcome = match first {
                true => Search::new(&words).hooks((constraint(), memo())).count(),
                false => Search::new(&words).hooks((memo(), constraint())).count(),
            };
            assert_eq!(outcome.exact(), None);
            let [reason] = outcome.report().conflicts() else { panic!("expected one conflict") };
            let expected = match first {
                true => "`memo` cannot be combined with `apart` (constraint of paths)",
                false => "`apart` cannot be combined with `memo` (preserving)",
            };
            let advice =
                "leave out one of them, or let the problem leave out what the constraint forbids";
            assert_eq!(*reason, format!("{expected}: {advice}"));
        }
    }
}

#[test]
fn solutions_that_a_memo_credits_may_violate_a_constraint_of_the_path() {
    // The states of both words of one 1 are equal.
    let ends_with_one = |node: &Node<'_, Words>| node.path().to_vec() != [1, 0];
    let constraint = || hook::constraint("no 10", Constraint::Path, ends_with_one);
    let exact = Search::new(&Words(2)).hook(constraint()).count();
    assert_eq!(exact.exact(), Some(3));
    let hooks = (memo(true), constraint());
    let outcome = Search::new(&Words(2)).hooks(hooks).count();
    assert_eq!(outcome.report().credited(), 1);
    assert_eq!((outcome.exact(), outcome.at_least()), (None, 3));
}

#[test]
fn visited_states_stand_for_others_under_constraints_of_states_only() {
    let words = Words(6);
    let visited = || Memo::visited("visited", |_: &Words, word: &Word| (word.length, word.ones));
    let search = Search::new(&words).constraint("residue", Constraint::State, residue);
    let outcome = search.hook(visited()).count();
    assert_eq!(outcome.representatives(), Some(3));
    let search = Search::new(&words).constraint("apart", Constraint::Path, apart);
    assert_eq!(search.hook(visited()).count().representatives(), None);
}

#[test]
fn dominance_symmetry_and_other_substitutes_cannot_be_combined_with_constraints() {
    let words = Words(4);
    let group = |_: &Words, word: &Word| (word.length, word.ones);
    let dominance = || {
        Dominance::new("more", group, |_: &Words, word: &Word| word.value, usize::ge)
            .order(SubstituteOrder::FewerChoices)
    };
    let loses = |substitute| {
        hook::enter("loses", Effect::OptimumOnly, |_: &mut NodeMut<'_, Words>| Verdict::Keep)
            .substitute(substitute)
    };
    for kind in [Constraint::State, Constraint::Path] {
        let search = || Search::new(&words).constraint("constraint", kind, |_| true);
        assert_eq!(search().hook(dominance()).best(&value()).proven(), None);
        let elsewhere = [
            SubstituteOrder::Unstated,
            SubstituteOrder::DepthFirst,
            SubstituteOrder::FewerChoices,
            SubstituteOrder::BetterValue,
        ];
        let elsewhere = elsewhere.map(Substitute::Elsewhere);
        for substitute in elsewhere.into_iter().chain([Substitute::Below]) {
            let outcome = search().hook(loses(substitute)).best(&value());
            assert_eq!(outcome.proven(), None, "{substitute:?}");
        }
        let outcome = search().hook(loses(Substitute::Known)).best(&value());
        assert_eq!(outcome.proven(), Some(&3));
        let mirror = FirstChoices::new("mirror", 1, |_: &Words, _, _: &usize| 1);
        let outcome = search().hook(mirror).count();
        assert_eq!((outcome.exact(), outcome.effect()), (None, Effect::Lossy));
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
    let words = Words(5);
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
fn bounds_can_be_combined_with_all_constraints() {
    let words = Words(9);
    let value = value();
    let bound = value.bound("all ones", |words: &Words, word| word.value + words.0 - word.length);
    let search = Search::new(&words).constraint("apart", Constraint::Path, apart).hook(bound);
    let outcome = search.best(&value);
    assert_eq!((outcome.proven(), outcome.effect()), (Some(&4), Effect::OptimumOnly));
}

#[test]
fn credits_of_solutions_that_a_constraint_has_not_seen_are_lossy() {
    let words = Words(5);
    assert_eq!(Search::new(&words).hook(Credit).count().exact(), Some(32));
    for kind in [Constraint::State, Constraint::Path] {
        let search = Search::new(&words).constraint("constraint", kind, residue);
        let outcome = search.hook(Credit).count();
        assert_eq!((outcome.exact(), outcome.effect()), (None, Effect::Lossy));
        let [reason] = outcome.report().conflicts() else { panic!("expected one conflict") };
        assert!(reason.starts_with("credits cannot be combined with `constraint`: "), "{reason}");
    }
}

#[test]
fn parts_with_different_constraints_do_not_add_up() {
    let words = Words(5);
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

#[test]
fn a_frontier_of_a_run_with_other_constraints_answers_nothing() {
    let words = Words(5);
    for nodes in [7, 1000] {
        for threads in [1, 2] {
            for is_first_constrained in [false, true] {
                let mut frontier = Frontier::new();
                let limits = Limits::new().nodes(nodes);
                let of = |is_constrained: bool| {
                    let hook = hook::constraint("apart", Constraint::Path, apart);
                    Search::new(&words).hook(is_constrained.then_some(hook))
                };
                let begun = of(is_first_constrained).limits(limits).frontier(&mut frontier).count();
                assert_eq!(begun.exact().is_some(), nodes == 1000);
                let search = of(!is_first_constrained).frontier(&mut frontier);
                let outcome = match threads {
                    1 => search.count(),
                    _ => search.threads(threads).count(),
                };
                assert_eq!((outcome.exact(), outcome.at_least()), (None, 0));
                let search = of(!is_first_constrained).frontier(&mut frontier);
                assert_eq!(search.exists().exists(), None);
            }
        }
    }
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
    let outcome = Search::new(&Words(2)).hook(Wrong).best(&value());
    assert_eq!(outcome.proven(), None);
    let reason = "`wrong` is a constraint, so its effect must be preserving";
    assert_eq!(outcome.report().conflicts(), [reason]);
}
