//! Cases that an audit must not call sound or exhaustive: small trees, and hooks with errors that
//! are easily missed.

use secateurs::{
    Branch, CopyProblem, Effect, Hook, Limits, Node, NodeMut, Objective, Verdict, hook,
};
use secateurs_lab::{Audit, GapReason, Instances, Loss};

use crate::support::words::Stairs;

/// Words of this number of bits.
pub(crate) struct Words(pub(crate) u32);

/// A partial word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) length: u32,
    pub(crate) bits: u32,
}

/// A complete word is a solution if it ends with a one.
impl CopyProblem for Words {
    type State = Word;
    type Cursor = u32;
    type Choice = u32;
    fn root(&self) -> Word {
        Word { length: 0, bits: 0 }
    }
    fn branch(&self, word: &Word) -> Branch<u32> {
        match word.length == self.0 {
            true if word.bits & 1 == 1 => Branch::Solution,
            true => Branch::DeadEnd,
            false => Branch::Inner(0),
        }
    }
    fn next(&self, _: &Word, cursor: &mut u32) -> Option<u32> {
        *cursor += 1;
        (*cursor <= 2).then(|| *cursor - 1)
    }
    fn apply(&self, word: Word, &bit: &u32) -> Word {
        Word { length: word.length + 1, bits: word.bits << 1 | bit }
    }
}

pub(crate) fn largest_number() -> Objective<Words, u32, impl Fn(&Words, &Word) -> u32> {
    Objective::maximise(|_: &Words, word: &Word| word.bits)
}

#[test]
fn a_tightening_that_improves_the_optimum_is_unsound() {
    // The bits become a number beyond all words: nothing is lost, but the optimum is wrong.
    let forge = || {
        hook::enter("forge", Effect::OptimumOnly, |node: &mut NodeMut<Words>| {
            if node.depth() == 1 {
                node.state_mut().bits |= 0b10;
            }
            Verdict::Keep
        })
    };
    let objective = largest_number();
    let violation = Audit::of_best(&Words(3), &objective).hook(forge()).run().unwrap_err();
    assert_eq!((violation.hook(), violation.path()), ("forge", "[0]"), "{violation}");
}

#[test]
fn a_tightening_that_adds_solutions_is_unsound() {
    let heal = |effect| {
        hook::enter("heal", effect, |node: &mut NodeMut<Words>| {
            if node.depth() == 3 {
                node.state_mut().bits |= 1;
            }
            Verdict::Keep
        })
    };
    for effect in [Effect::Preserving, Effect::Representatives, Effect::OptimumOnly] {
        let violation = Audit::of_count(&Words(3)).hook(heal(effect)).run().unwrap_err();
        assert!(matches!(violation.loss(), Loss::Surplus { count: 1 }), "{violation}");
        let orbits =
            Audit::of_count(&Words(3)).orbits(|_, word: &Word| word.bits / 4).hook(heal(effect));
        assert!(orbits.run().is_err(), "{effect}");
    }
}

#[test]
fn excessive_credits_are_unsound_for_weak_claims_too() {
    // The count would not be a lower bound.
    let credit = |credited| {
        hook::enter("credit", Effect::OptimumOnly, move |node: &mut NodeMut<Words>| {
            if node.depth() == 1 {
                node.credit(credited);
                return Verdict::Prune;
            }
            Verdict::Keep
        })
    };
    let violation = Audit::of_count(&Words(4)).hook(credit(9)).run().unwrap_err();
    assert!(matches!(violation.loss(), Loss::Surplus { count: 5 }), "{violation}");
    // Credited solutions count as existing.
    assert!(Audit::of_count(&Words(4)).hook(credit(4)).run().is_ok());
}

#[test]
fn losses_excused_by_a_value_known_before_are_unchecked() {
    let prune = || {
        hook::enter("prune", Effect::OptimumOnly, |node: &mut NodeMut<Words>| {
            Verdict::prune_if(node.state().bits & 1 == 1)
        })
    };
    let objective = largest_number();
    // The first audit leaves the optimum in the incumbent that the second one starts with.
    assert!(Audit::of_best(&Words(3), &objective).run().is_ok());
    let coverage = Audit::of_best(&Words(3), &objective).hook(prune()).run().unwrap();
    assert!(!coverage.is_exhaustive(), "{coverage}");
    assert_eq!(coverage.cuts.checked, 0);
}

#[test]
fn offered_values_excuse_losses_only_if_they_exist() {
    // A solution has the value 7, but none has 8, whether or not something is cut off.
    for (value, cuts, is_sound) in [(7, true, true), (8, false, false), (8, true, false)] {
        let objective = largest_number();
        let incumbent = objective.incumbent().clone();
        let offer = hook::enter("offer", Effect::OptimumOnly, move |node: &mut NodeMut<Words>| {
            if node.depth() == 0 {
                incumbent.offer(value);
            }
            Verdict::prune_if(cuts && node.depth() == 1)
        });
        let result = Audit::of_best(&Words(3), &objective).hook(offer).run();
        assert_eq!(result.is_ok(), is_sound, "{value}, {cuts}: {result:?}");
    }
}

/// A hook that keeps the words that begin with a zero.
fn half() -> impl Hook<Words> {
    hook::enter("half", Effect::Representatives, |node: &mut NodeMut<Words>| {
        Verdict::prune_if(node.depth() == 1 && node.state().bits == 1)
    })
}

#[test]
fn representatives_without_orbits_are_not_checked_exhaustively() {
    let coverage = Audit::of_count(&Words(4)).hook(half()).run().unwrap();
    assert!(!coverage.is_exhaustive(), "{coverage}");
    assert!(coverage.to_string().contains("orbit"), "{coverage}");
    let coverage = Audit::of_count(&Words(4))
        .orbits(|_, word: &Word| word.bits & 7)
        .hook(half())
        .run()
        .unwrap();
    assert!(coverage.is_exhaustive(), "{coverage}");
}

#[test]
fn only_a_sample_of_a_large_group_is_compared() {
    let summary = |_: &Words, word: &Word| if word.bits < 2 { word.bits } else { word.bits + 2 };
    let group = |_: &Words, word: &Word| word.length;
    let audit = |length, dominates: fn(&u32, &u32) -> bool| {
        Audit::of_count(&Words(length)).dominance("pair", group, summary, dominates).run()
    };
    // Two of 256 leaves dominate each other. It is an error only if the sample contains them.
    if let Ok(coverage) = audit(8, |one, other| *one < 2 && *other < 2) {
        assert!(!coverage.is_exhaustive(), "{coverage}");
    }
    for (length, is_exhaustive) in [(8, false), (5, true)] {
        let coverage = audit(length, |_, _| false).unwrap();
        assert_eq!(coverage.is_exhaustive(), is_exhaustive, "{coverage}");
    }
}

#[test]
fn subtrees_beyond_the_depth_limit_are_unchecked() {
    let audit = |limits| {
        Audit::of_count(&Stairs(5)).limits(limits).key("left", |_, &left: &u32| left).run()
    };
    assert!(audit(Limits::new()).expect("sound").is_exhaustive());
    let coverage = audit(Limits::new().depth(3)).expect("as sound as before");
    assert!(!coverage.is_exhaustive() && coverage.nodes.checked > 0, "{coverage}");
    let coverage = audit(Limits::new().depth(5)).expect("the limit is the depth");
    assert_eq!(coverage.nodes.checked, coverage.nodes.of);
}

/// A number below ten, and perhaps one below it. Every node is a solution that may have children.
struct Below;

impl CopyProblem for Below {
    type State = u32;
    type Cursor = u32;
    type Choice = u32;
    fn root(&self) -> u32 {
        10
    }
    fn branch(&self, _: &u32) -> Branch<u32> {
        Branch::SolutionInner(0)
    }
    fn next(&self, &number: &u32, cursor: &mut u32) -> Option<u32> {
        *cursor += 7;
        (*cursor < number).then_some(*cursor)
    }
    fn apply(&self, _: u32, &number: &u32) -> u32 {
        number
    }
}

#[test]
fn nodes_at_the_depth_limit_are_checked_if_no_child_is_beyond_it() {
    let number = Objective::maximise(|_: &Below, &number: &u32| number);
    let audit = || Audit::of_best(&Below, &number).limits(Limits::new().depth(1));
    // The tree has two nodes, 10 and 7.
    audit().bound("zero", |_, _| 0).run().expect_err("every node beats it");
    let coverage = audit().bound("ten", |_, _| 10).run().expect("as high as the root");
    assert_eq!((coverage.nodes.checked, coverage.nodes.of), (2, 2));
    coverage.exhaustive().expect("the tree is no deeper");
    let watch = hook::watch("nothing", |_: &Node<'_, Below>| ());
    audit().bound("ten", |_, _| 10).hook(watch).run().expect("sound").exhaustive().expect("all");
    // A hook of the problem that prunes the siblings of the first child hides whether there are
    // others. The node is then unchecked, and this is not concealed.
    let alone = || {
        hook::admit("alone", Effect::Lossy, |node: &Node<'_, Below>, _: &u32| {
            if node.depth() == 0 { Verdict::PruneSiblings } else { Verdict::Keep }
        })
    };
    let audit = Audit::of_best(&Below, &number).limits(Limits::new().depth(0)).problem_hook(alone);
    let coverage = audit.bound("ten", |_, _| 10).run().expect("as high as the root");
    assert_eq!(coverage.is_exhaustive(), coverage.nodes.checked == coverage.nodes.of);
}

#[test]
fn worse_solutions_in_equal_number_are_unsound() {
    let worsen = hook::enter("worsen", Effect::Preserving, |node: &mut NodeMut<Words>| {
        if node.depth() == 1 {
            node.state_mut().bits = 0;
        }
        Verdict::Keep
    });
    let objective = largest_number();
    let violation = Audit::of_best(&Words(3), &objective).hook(worsen).run().unwrap_err();
    assert_eq!((violation.hook(), violation.path()), ("worsen", "[1]"), "{violation}");
}

#[test]
fn gaps_name_the_first_instance() {
    let mut seen = Vec::new();
    let mut audit = |lengths: &[u32]| {
        Instances::new(lengths.to_vec())
            .part_of_all("words of up to 3 bits")
            .progress(|coverage| seen.push(coverage.instances))
            .audit(|&length| Audit::of_count(&Words(length)).hook(half()).run())
    };
    // The word of one bit loses its only solution.
    assert_eq!(*audit(&[0, 1, 2, 3]).unwrap_err().instance(), 1);
    let coverage = audit(&[0, 2, 3]).unwrap();
    assert_eq!(seen, [1, 1, 2, 3]);
    let [orbits, part] = coverage.gaps() else { panic!("{coverage}") };
    assert_eq!((orbits.reason, orbits.count), (GapReason::WithoutOrbits, 2));
    assert_eq!((&*orbits.subject, orbits.instance.as_deref()), ("half", Some("2")));
    assert_eq!((part.reason, &*part.subject), (GapReason::Instances, "words of up to 3 bits"));
    assert!(coverage.exhaustive().unwrap_err().to_string().contains("first on: 2"));
}

#[test]
fn coverage_of_no_instances_is_not_exhaustive() {
    let coverage =
        Instances::new(0..0_u32).audit(|&length| Audit::of_count(&Words(length)).run()).unwrap();
    assert!(!coverage.is_exhaustive());
    assert_eq!(coverage.to_string(), "no instances: nothing was checked");
    let error = coverage.exhaustive().expect_err("nothing was checked");
    assert_eq!(error.to_string(), "the audit was not exhaustive: there are no instances");
}

#[test]
fn representatives_kept_by_a_problem_hook_are_accepted() {
    // Keeps words whose first bit is 0, each of which represents two.
    struct Second;
    impl Hook<Words> for Second {
        fn name(&self) -> &str {
            "second"
        }
        fn effect(&self) -> Effect {
            Effect::Representatives
        }
        fn admit(&mut self, node: &Node<'_, Words>, &bit: &u32) -> Verdict {
            Verdict::prune_if(node.state().length == 0 && bit == 1)
        }
        fn orbit(&self, _: &Node<'_, Words>) -> Option<u64> {
            Some(2)
        }
    }
    let even = hook::enter("even", Effect::Preserving, |node: &mut NodeMut<Words>| {
        Verdict::prune_if(node.depth() == 3 && node.state().bits & 1 == 0)
    });
    let result = Audit::of_count(&Words(3)).problem_hook(|| Second).hook(even).run();
    assert!(result.is_ok(), "{}", result.unwrap_err());
}
