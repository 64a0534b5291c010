//! Hooks whose losses are excused, so that an audit must not call them unsound, and the number of
//! solutions in a violation.

use secateurs::{
    Effect, Hook, Limits, Node, NodeMut, Objective, Substitute, SubstituteOrder, Verdict, hook,
};
use secateurs_lab::{Audit, GapReason, Loss};
use secateurs_problems::knapsack::Knapsack;

use crate::audit_assurance::{Word, Words, largest_number};

const BETTER: Substitute = Substitute::Elsewhere(SubstituteOrder::BetterValue);
const EARLIER: Substitute = Substitute::Elsewhere(SubstituteOrder::DepthFirst);

/// Leaves this room at the root, and claims that each lost solution has a better substitute.
fn less_room(room: u64) -> impl Hook<Knapsack> {
    hook::enter("less room", Effect::OptimumOnly, move |node: &mut NodeMut<'_, Knapsack>| {
        if node.depth() == 0 {
            node.state_mut().room = room;
        }
        Verdict::Keep
    })
    .substitute(BETTER)
}

/// Cuts off a word of two bits.
fn without(bits: u32) -> impl Fn(&mut NodeMut<'_, Words>) -> Verdict {
    move |node| Verdict::prune_if(node.depth() == 2 && node.state().bits == bits)
}

/// Credits the solutions below a first bit without searching them.
fn credit_below(bit: u32, credited: u128, effect: Effect) -> impl Hook<Words> {
    hook::enter("credit", effect, move |node: &mut NodeMut<'_, Words>| {
        let credits = node.depth() == 1 && node.state().bits == bit;
        if credits {
            node.credit(credited);
        }
        Verdict::prune_if(credits)
    })
    .substitute(EARLIER)
}

/// Cuts off a first bit.
fn without_first(bit: u32, effect: Effect) -> impl Hook<Words> {
    hook::admit("without", effect, move |node: &Node<'_, Words>, choice: &u32| {
        Verdict::prune_if(node.depth() == 0 && *choice == bit)
    })
    .substitute(EARLIER)
}

#[test]
fn a_tightening_that_leaves_the_best_solution_loses_none_without_a_better_one() {
    // The first item alone has the value 5, the second one 3, and only one fits.
    let items = Knapsack::new(2, [(1, 5), (2, 3)]).expect("items that fit");
    let value = Knapsack::objective();
    let coverage = Audit::of_best(&items, &value).hook(less_room(1)).run().expect("5 is left");
    assert!(coverage.is_exhaustive(), "{coverage}");
    let value = Knapsack::objective();
    let violation = Audit::of_best(&items, &value).hook(less_room(0)).run().expect_err("5 is lost");
    assert!(matches!(violation.loss(), Loss::Optimum { .. }), "{violation}");
    // A solution is lost, and the best one is only as good.
    let last_bits = Objective::maximise(|_: &Words, word: &Word| word.bits & 0b11);
    let tie = hook::enter("tie", Effect::OptimumOnly, |node: &mut NodeMut<'_, Words>| {
        if *node.state() == (Word { length: 1, bits: 1 }) {
            *node.state_mut() = Word { length: 2, bits: 0b10 };
        }
        Verdict::Keep
    });
    let violation = Audit::of_best(&Words(3), &last_bits).hook(tie.substitute(BETTER)).run();
    let violation = violation.expect_err("a tie");
    assert!(matches!(violation.loss(), Loss::NotBetter { .. }), "{violation}");
}

#[test]
fn an_offered_value_excuses_losses_that_are_no_better_if_only_some_actions_are_checked() {
    for seed in 0..32 {
        let objective = largest_number();
        let incumbent = objective.incumbent().clone();
        // Knowing 7, it cuts off 5 and then 7.
        let offer =
            hook::enter("offer", Effect::OptimumOnly, move |node: &mut NodeMut<'_, Words>| {
                incumbent.offer(7);
                Verdict::prune_if(node.depth() == 2 && node.state().bits >= 2)
            });
        let audit = Audit::of_best(&Words(3), &objective).hook(offer).share(0.5, seed);
        let result = audit.run();
        assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}

#[test]
fn an_offered_value_is_a_better_substitute() {
    let objective = largest_number();
    let incumbent = objective.incumbent().clone();
    let offer = hook::enter("offer", Effect::OptimumOnly, move |node: &mut NodeMut<'_, Words>| {
        incumbent.offer(7);
        Verdict::prune_if(node.depth() == 2 && node.state().bits == 0b11)
    });
    let worse = hook::enter("worse", Effect::OptimumOnly, without(0b10));
    let coverage = Audit::of_best(&Words(3), &objective)
        .hook(worse.substitute(BETTER))
        .hook(offer.substitute(Substitute::Known))
        .run()
        .expect("5 is cut off because of 7, which is offered");
    assert!(coverage.is_exhaustive(), "{coverage}");
}

#[test]
fn a_hook_is_not_blamed_for_a_substitute_that_another_hook_loses() {
    let objective = largest_number();
    let worse = hook::enter("worse", Effect::OptimumOnly, without(0b10));
    let best = hook::enter("best", Effect::OptimumOnly, without(0b11));
    let violation = Audit::of_best(&Words(3), &objective)
        .hook(worse.substitute(BETTER))
        .hook(best)
        .run()
        .expect_err("7 is lost");
    assert_eq!(violation.hook(), "best", "{violation}");
    let optimum = Loss::Optimum { optimum: "7".to_owned(), found: Some("3".to_owned()) };
    assert_eq!(violation.loss(), &optimum);
}

#[test]
fn credited_solutions_exist_whatever_the_hook_claims_and_whichever_actions_are_checked() {
    for effect in [Effect::Preserving, Effect::OptimumOnly] {
        for share in [0.0, 0.5, 1.0] {
            let result = Audit::of_count(&Words(3))
                .hook(credit_below(0, 2, effect))
                .hook(without_first(1, Effect::OptimumOnly))
                .share(share, 1)
                .run();
            assert!(result.is_ok(), "{}", result.unwrap_err());
        }
    }
}

#[test]
fn credited_solutions_represent_their_orbits() {
    // The first bit decides between two images of each solution.
    let image = |_: &Words, word: &Word| word.bits & 0b11;
    let audit = || Audit::of_count(&Words(3)).orbits(image);
    let right = || without_first(1, Effect::Representatives);
    let coverage = audit().hook(credit_below(0, 2, Effect::Preserving)).hook(right()).run();
    assert!(coverage.as_ref().is_ok_and(|coverage| coverage.is_exhaustive()), "{coverage:?}");
    for share in [0.0, 0.5] {
        let credit = credit_below(0, 2, Effect::Preserving);
        let result = audit().hook(credit).hook(right()).share(share, 1).run();
        assert!(result.is_ok(), "{}", result.unwrap_err());
    }
    // Any three of the four solutions, two of each orbit, represent both orbits; two may not.
    let credit_some = |credited| {
        hook::enter("some", Effect::Representatives, move |node: &mut NodeMut<'_, Words>| {
            node.credit(if node.depth() == 0 { credited } else { 0 });
            Verdict::Prune
        })
    };
    let coverage = audit().hook(credit_some(3)).run().expect("some of each orbit");
    assert!(coverage.is_exhaustive(), "{coverage}");
    for credited in [1, 2] {
        let coverage = audit().hook(credit_some(credited)).run().expect("unknown");
        assert_eq!(coverage.unchecked(GapReason::WithoutOrbits), 2, "{coverage}");
    }
    // Two of four solutions include one of the orbit of three, but perhaps not 7.
    let coverage = Audit::of_count(&Words(3))
        .orbits(|_, word: &Word| word.bits == 7)
        .hook(credit_some(2))
        .run()
        .expect("unknown");
    assert_eq!(coverage.unchecked(GapReason::WithoutOrbits), 1, "{coverage}");
    // Solutions that are not credited are still missed.
    let violation = Audit::of_count(&Words(3))
        .orbits(|_, word: &Word| word.bits)
        .hook(credit_below(0, 2, Effect::Preserving))
        .hook(right())
        .run()
        .expect_err("5 and 7 are lost");
    assert!(matches!(violation.loss(), Loss::Orbit { .. }), "{violation}");
    // Unless it is unknown which are credited.
    let coverage = Audit::of_count(&Words(3))
        .orbits(|_, word: &Word| word.bits & 0b11)
        .limits(Limits::new().nodes(3))
        .hook(credit_below(0, 2, Effect::Preserving))
        .hook(right())
        .run()
        .expect("unknown");
    assert!(!coverage.is_exhaustive(), "{coverage}");
}

#[test]
fn the_value_of_a_credited_solution_may_be_offered() {
    let objective = largest_number();
    let incumbent = objective.incumbent().clone();
    let credit = hook::enter("credit", Effect::Preserving, move |node: &mut NodeMut<'_, Words>| {
        let credits = node.depth() == 1 && node.state().bits == 1;
        if credits {
            node.credit(2);
            incumbent.offer(7);
        }
        Verdict::prune_if(credits)
    });
    let result = Audit::of_best(&Words(3), &objective).hook(credit).run();
    assert!(result.is_ok(), "{}", result.unwrap_err());
    // In the same way if the hook credits a part of the solutions at or below a node.
    let items = Knapsack::new(2, [(1, 3), (2, 9)]).expect("items that fit");
    let credit = hook::enter("credit", Effect::Preserving, |node: &mut NodeMut<'_, Knapsack>| {
        if node.depth() == 0 {
            node.credit(1);
            node.state_mut().room = 1;
        }
        Verdict::Keep
    });
    let value = Knapsack::objective();
    let result = Audit::of_best(&items, &value).hook(credit).run();
    assert!(result.is_ok(), "{}", result.unwrap_err());
}

#[test]
fn a_credited_solution_may_compensate_for_a_lost_one() {
    let audit = |credit, lost: u32, nodes| {
        let objective = largest_number();
        let without = hook::enter("without", Effect::OptimumOnly, without(lost));
        Audit::of_best(&Words(3), &objective)
            .limits(Limits::new().nodes(nodes))
            .hook(credit)
            .hook(without.substitute(EARLIER))
            .run()
    };
    for effect in [Effect::Preserving, Effect::OptimumOnly] {
        // 3 is lost, and 7 is credited, perhaps in a subtree that is too large to search.
        for nodes in [3, 100] {
            let coverage = audit(credit_below(1, 2, effect), 0b01, nodes).expect("7 is better");
            assert!(coverage.unchecked(GapReason::Unsettled) > 0, "{coverage}");
        }
        let objective = largest_number();
        let alone = Audit::of_best(&Words(3), &objective).hook(credit_below(1, 2, effect));
        assert!(alone.locally().run().is_ok(), "7 is credited");
        // 7 is lost, and 3 is credited.
        let violation = audit(credit_below(0, 2, effect), 0b11, 100).expect_err("7 is lost");
        assert!(matches!(violation.loss(), Loss::Optimum { .. }), "{violation}");
    }
}

#[test]
fn an_invented_value_does_not_excuse_a_lost_optimum_beside_credited_solutions() {
    let run = |offered, nodes| {
        let objective = largest_number();
        let incumbent = objective.incumbent().clone();
        let invent = hook::enter("invent", Effect::OptimumOnly, move |node| {
            incumbent.offer(offered);
            without(0b11)(node)
        });
        Audit::of_best(&Words(3), &objective)
            .limits(Limits::new().nodes(nodes))
            .hook(credit_below(0, 2, Effect::Preserving))
            .hook(invent.substitute(Substitute::Known))
            .run()
    };
    let violation = run(100, 100).expect_err("no solution has the value 100");
    let gained = Loss::Gained { before: Some("7".to_owned()), after: "100".to_owned() };
    assert_eq!(violation.loss(), &gained, "{violation}");
    let coverage = run(7, 100).expect("7 exists");
    assert!(coverage.is_exhaustive(), "{coverage}");
    // The credited subtree may have any value if it is too large to search.
    let coverage = run(100, 2).expect("unknown");
    assert!(!coverage.is_exhaustive(), "{coverage}");
}

#[test]
fn lost_solutions_are_counted_even_if_the_best_value_is_known_without_a_search() {
    let audit = |nodes| {
        let objective = Objective::maximise(|_: &Words, word: &Word| word.bits);
        let best = |words: &Words, word: &Word| {
            let rest = words.0 - word.length;
            (rest > 0 || word.bits & 1 == 1).then(|| ((word.bits + 1) << rest) - 1)
        };
        Audit::of_best(&Words(4), &objective)
            .best_below(best)
            .limits(Limits::new().nodes(nodes))
            .hook(without_first(1, Effect::Preserving))
            .run()
            .expect_err("half of the solutions are lost")
    };
    assert!(
        matches!(audit(100).loss(), Loss::Solutions { count: 4, one: Some(_) }),
        "{}",
        audit(100)
    );
    // They are too many to count.
    assert!(matches!(audit(2).loss(), Loss::Solutions { count: 1, one: None }), "{}", audit(2));
}
