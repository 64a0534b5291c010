//! Audits of constraints, of hooks beside them, and of substitutes that tie.

use secateurs::hook::{self, HookMemory, Memo};
use secateurs::{
    Constraint, Effect, Hook, Limits, Node, NodeMut, Substitute, SubstituteOrder, Verdict,
};
use secateurs_lab::{Audit, Loss};
use secateurs_problems::knapsack::{Filling, Knapsack};

/// Two items worth 1 and 2, which fit together.
fn two_items() -> Knapsack {
    Knapsack::new(2, [(1, 1), (1, 2)]).expect("items that fit")
}

/// Items of which several fit, some of equal weight.
fn items() -> Knapsack {
    Knapsack::new(9, [(2, 3), (2, 3), (3, 4), (3, 5), (4, 4)]).expect("items that fit")
}

/// No two items in a row: it reads the path.
fn apart(node: &Node<'_, Knapsack>) -> bool {
    !node.path().to_vec().windows(2).any(|pair| pair == [true, true])
}

/// An even room after two items: it reads the state.
fn even(node: &Node<'_, Knapsack>) -> bool {
    node.state().decided != 2 || node.state().room % 2 == 1
}

/// No filling of value 9: it reads what the keys of diagrams leave out.
fn not_nine(node: &Node<'_, Knapsack>) -> bool {
    node.state().decided != 5 || node.state().value != 9
}

#[test]
fn an_audit_finds_a_constraint_that_is_called_a_pruning() {
    let (items, value) = (two_items(), Knapsack::objective());
    let hook = hook::enter("not both", Effect::Preserving, |node: &mut NodeMut<'_, Knapsack>| {
        Verdict::keep_if(apart(&node.as_node()))
    });
    let violation = Audit::of_best(&items, &value).hook(hook).run().expect_err("it loses both");
    assert!(matches!(violation.loss(), Loss::Solutions { .. }), "{violation}");
}

#[test]
fn an_audit_finds_a_constraint_of_states_that_reads_the_path() {
    let items = items();
    let of = |kind| hook::constraint("apart", kind, apart);
    let violation = Audit::of_count(&items).hook(of(Constraint::State)).run().expect_err("a lie");
    assert_eq!((violation.hook(), violation.loss()), ("apart", &Loss::ReadsPath));
    assert_eq!(violation.exhibits()[0].state, violation.exhibits()[1].state);
    // In the same way if it belongs to the problem.
    let audit = Audit::of_count(&items).problem_hook(|| of(Constraint::State));
    let audit = audit.hook(hook::watch("nothing", |_: &Node<'_, Knapsack>| ()));
    assert_eq!(audit.run().expect_err("a lie").loss(), &Loss::ReadsPath);
    // Also if only a component is audited, or nothing else.
    let value = Knapsack::objective();
    let audit = || Audit::of_best(&items, &value).problem_hook(|| of(Constraint::State));
    for audit in [audit().bound("high", |_, _| 1_000), audit()] {
        assert_eq!(audit.run().expect_err("a lie").loss(), &Loss::ReadsPath);
    }
    let limited = audit().bound("high", |_, _| 1_000).limits(Limits::new().nodes(5));
    assert!(!limited.run().expect("only a few nodes").is_exhaustive());
    // These claims are right.
    assert!(Audit::of_count(&items).hook(of(Constraint::Path)).run().is_ok());
    let even = hook::constraint("even", Constraint::State, even);
    assert!(Audit::of_count(&items).hook(even).run().is_ok());
}

#[test]
fn an_audit_finds_a_key_that_lacks_what_a_constraint_reads() {
    let (items, value) = (items(), Knapsack::objective());
    let key = |_: &Knapsack, filling: &Filling| (filling.decided, filling.room);
    let with = |allows: fn(&Node<'_, Knapsack>) -> bool| {
        let constraint = move || hook::constraint("constraint", Constraint::State, allows);
        [
            Audit::of_best(&items, &value).problem_hook(constraint).merges().run(),
            Audit::of_count(&items).problem_hook(constraint).key("key", key).run(),
            Audit::of_count(&items).problem_hook(constraint).hook(Memo::counted("memo", key)).run(),
        ]
    };
    for result in with(even) {
        assert!(result.is_ok(), "{result:?}");
    }
    for result in with(not_nine) {
        result.expect_err("the key leaves out the value so far");
    }
}

#[test]
fn hooks_are_audited_against_the_solutions_that_constraints_define() {
    let items = items();
    // It prunes what the constraint rejects one choice later.
    let sound = || {
        hook::admit("early", Effect::Preserving, |node: &Node<'_, Knapsack>, &taken: &bool| {
            Verdict::prune_if(taken && node.path().last() == Some(&true))
        })
    };
    let wrong = || {
        hook::admit("wrong", Effect::Preserving, |node: &Node<'_, Knapsack>, &taken: &bool| {
            Verdict::prune_if(!taken && node.depth() == 2 && node.path().last() == Some(&true))
        })
    };
    let apart = || hook::constraint("apart", Constraint::Path, apart);
    assert!(Audit::of_count(&items).hook(sound()).run().is_err());
    let audit = || Audit::of_count(&items).problem_hook(apart);
    audit().hook(sound()).run().expect("sound beside the constraint").exhaustive().expect("all");
    assert_eq!(audit().hook(wrong()).run().expect_err("wrong").hook(), "wrong");
    // The solutions would depend on the hook that is audited.
    let violation = Audit::of_count(&items).hook(apart()).hook(sound()).run().expect_err("unclear");
    assert!(violation.to_string().contains("problem_hook"), "{violation}");
}

#[test]
fn an_audit_names_a_constraint_that_cannot_be_combined() {
    let (items, value) = (two_items(), Knapsack::objective());
    let key = |_: &Knapsack, filling: &Filling| (filling.decided, filling.room);
    let audit = Audit::of_best(&items, &value)
        .problem_hook(|| hook::constraint("not both", Constraint::Path, apart));
    let violation = audit.hook(Memo::failed("memo", key)).run().expect_err("a conflict");
    let reason = "`memo` cannot be combined with `not both` (constraint of paths): leave out one \
                  of them, or let the problem leave out what the constraint forbids";
    assert_eq!(violation.loss(), &Loss::Conflict { reasons: vec![reason.to_owned()] });
}

/// Keeps only words that begin with one choice, in favour of those that begin with the other one.
struct BeginsWith(&'static str, bool, SubstituteOrder);

impl Hook<Knapsack> for BeginsWith {
    fn name(&self) -> &str {
        self.0
    }
    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }
    fn substitute(&self) -> Substitute {
        Substitute::Elsewhere(self.2)
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
    fn admit(&mut self, node: &Node<'_, Knapsack>, &taken: &bool) -> Verdict {
        Verdict::prune_if(node.depth() == 0 && taken != self.1)
    }
}

#[test]
fn an_audit_refutes_substitutes_that_only_tie() {
    // Either of two equal items, but not both.
    let (items, value) = (Knapsack::new(1, [(1, 1), (1, 1)]).expect("items"), Knapsack::objective);
    let only = |first, order| BeginsWith(if first { "with" } else { "without" }, first, order);
    for first in [false, true] {
        let fewer = only(first, SubstituteOrder::FewerChoices);
        assert!(Audit::of_best(&items, &value()).hook(fewer).run().is_ok());
        let better = only(first, SubstituteOrder::BetterValue);
        let violation = Audit::of_best(&items, &value()).hook(better).run().expect_err("a tie");
        let loss = Loss::NotBetter { lost: "1".to_owned(), best: "1".to_owned() };
        assert_eq!(violation.loss(), &loss);
    }
    let value = value();
    let audit = Audit::of_best(&items, &value).hook(only(false, SubstituteOrder::FewerChoices));
    let audit = audit.hook(only(true, SubstituteOrder::FewerChoices));
    assert!(matches!(audit.run().expect_err("a cycle").loss(), Loss::Conflict { .. }));
}
