//! Cases that an audit of a sweep must not call sound or exhaustive.

use secateurs::plug::{Antichain, StateDominance, SweepHook};
use secateurs::{Direction, Effect, Verdict};
use secateurs_lab::{Loss, SweepAudit};

use crate::knapsack::Knapsack;

/// A hook with this effect that applies this function to an item and the room that it leaves.
struct Changes<F>(Effect, F);

impl<F: Fn(usize, &mut u32) -> Verdict + Sync> SweepHook<Knapsack> for Changes<F> {
    fn name(&self) -> &str {
        "changes"
    }
    fn effect(&self) -> Effect {
        self.0
    }
    fn enter(&self, _: &Knapsack, item: usize, room: &mut u32) -> Verdict {
        (self.1)(item, room)
    }
}

fn taken(_: usize, taken: bool) -> i64 {
    i64::from(taken)
}

#[test]
fn a_replacement_that_improves_the_weight_is_unsound() {
    let knapsack = Knapsack(vec![2, 2, 2, 2], 3);
    let more_room = Changes(Effect::OptimumOnly, |_, room: &mut u32| {
        *room = 3;
        Verdict::Keep
    });
    let audit = SweepAudit::new(&knapsack).weight(Direction::Maximise, taken).hook(&more_room);
    let violation = audit.run().expect_err("all four are taken");
    assert_eq!(
        *violation.loss(),
        Loss::Gained { before: Some("1".to_owned()), after: "4".to_owned() },
        "{violation}"
    );
    assert_eq!(violation.hook(), "changes");
}

#[test]
fn cuts_without_a_claim_are_unchecked() {
    let knapsack = Knapsack(vec![2, 2, 2, 2], 7);
    let prune = |effect| Changes(effect, |_, room: &mut u32| Verdict::prune_if(*room == 1));
    let run = |effect, other| {
        let (prune, keep) = (prune(effect), Changes(other, |_, _: &mut u32| Verdict::Keep));
        SweepAudit::new(&knapsack)
            .hook(&prune)
            .hook(&keep)
            .run()
            .map(|coverage| (coverage.clone(), coverage.to_string()))
    };
    // Nothing is claimed next to a lossy hook, nor for orbits without a given weight.
    for (effect, other) in
        [(Effect::OptimumOnly, Effect::Lossy), (Effect::Representatives, Effect::Preserving)]
    {
        let (coverage, text) = run(effect, other).expect("nothing is claimed");
        assert_eq!((coverage.cuts.checked, coverage.is_exhaustive()), (0, false), "{text}");
    }
    // For one given weight the audit is exhaustive; random weights do not cover all weights.
    let knapsack = Knapsack(vec![2, 2, 2, 2], 8);
    let not_full = Changes(Effect::OptimumOnly, |_, room: &mut u32| Verdict::prune_if(*room == 0));
    let coverage = SweepAudit::new(&knapsack)
        .weight(Direction::Minimise, taken)
        .hook(&not_full)
        .run()
        .expect("empty is best");
    assert!(coverage.is_exhaustive(), "{coverage}");
    if let Ok(coverage) = SweepAudit::new(&knapsack).hook(&not_full).run() {
        assert!(!coverage.is_exhaustive(), "{coverage}");
    }
}

/// A dominance by room. If flawed, four also beats six.
struct FourBeatsSix(bool);

impl StateDominance<Knapsack> for FourBeatsSix {
    type Form = u32;
    type Key = u32;
    fn form(&self, _: &Knapsack, _: usize, room: u32) -> u32 {
        room
    }
    fn key(&self, room: u32, _: &u32) -> u32 {
        if self.0 && room == 4 { 8 } else { room }
    }
    fn covers(&self, better: &u32, worse: &u32) -> bool {
        match (*better, *worse) {
            (4, 6) => self.0,
            (_, 4) if self.0 => false,
            (better, worse) => better >= worse,
        }
    }
}

#[test]
fn pairs_compared_only_under_other_weights_are_checked() {
    // Under equal weights, a room of eleven drops six before the hook compares six with four.
    let knapsack = Knapsack(vec![5, 2, 5, 5], 11);
    let nothing = |_: usize, _: bool| 0;
    let audit = |flawed| {
        let hook = Antichain::new("more room", FourBeatsSix(flawed));
        SweepAudit::new(&knapsack).weight(Direction::Maximise, nothing).hook(hook).run()
    };
    let coverage = audit(false).expect("right");
    assert!(coverage.is_exhaustive(), "{coverage}");
    let violation = audit(true).expect_err("four has no room for five");
    assert!(matches!(violation.loss(), Loss::Dominated { .. }), "{violation}");
}

#[test]
fn sweep_hooks_that_cannot_be_combined_are_a_violation() {
    // Either hook keeps one of the two ways to take an item, but together they keep none.
    let knapsack = Knapsack(vec![2, 2], 2);
    // Keeps only this room after the first item.
    let hook = |kept| {
        Changes(Effect::OptimumOnly, move |item, room: &mut u32| {
            Verdict::prune_if(item == 0 && *room != kept)
        })
    };
    let audit = |rooms: &[u32]| {
        let audit = SweepAudit::new(&knapsack).weight(Direction::Maximise, taken);
        rooms.iter().fold(audit, |audit, &room| audit.hook(hook(room))).run()
    };
    assert!(audit(&[0]).is_ok_and(|coverage| coverage.is_exhaustive()));
    assert!(audit(&[2]).is_ok_and(|coverage| coverage.is_exhaustive()));
    let violation = audit(&[0, 2]).expect_err("a conflict");
    assert!(matches!(violation.loss(), Loss::Conflict { .. }), "{violation}");
}
