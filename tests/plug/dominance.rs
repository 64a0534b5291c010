//! Dominance in a sweep: optima compared with brute force, weights that prevent cuts, and the
//! claims of the answer.

use proptest::prelude::*;
use secateurs::plug::algebra::Best;
use secateurs::plug::{Antichain, BestState, ContourProblem, StateDominance, Sweep, SweepHooks};
use secateurs::{Direction, Effect};

/// Items of two sizes each (weight and volume, say), of which some are put into a knapsack.
#[derive(Debug)]
struct Knapsack {
    items: Vec<[u32; 2]>,
    room: [u32; 2],
}

impl ContourProblem for Knapsack {
    type State = [u32; 2];
    type Label = bool;

    fn cells(&self) -> usize {
        self.items.len()
    }
    fn start(&self) -> [u32; 2] {
        self.room
    }
    fn step(&self, cell: usize, room: [u32; 2], emit: &mut impl FnMut([u32; 2], bool)) {
        emit(room, false);
        let item = self.items[cell];
        if let (Some(weight), Some(volume)) =
            (room[0].checked_sub(item[0]), room[1].checked_sub(item[1]))
        {
            emit([weight, volume], true);
        }
    }
    fn accept(&self, _: [u32; 2]) -> bool {
        true
    }
}

/// The relation of more room of both kinds.
#[derive(Clone, Copy, Debug)]
struct MoreRoom;

impl StateDominance<Knapsack> for MoreRoom {
    type Form = [u32; 2];
    type Key = (u32, u32);

    fn form(&self, _: &Knapsack, _: usize, room: [u32; 2]) -> [u32; 2] {
        room
    }
    fn key(&self, room: [u32; 2], _: &[u32; 2]) -> (u32, u32) {
        (room[0] + room[1], room[0])
    }
    fn covers(&self, better: &[u32; 2], worse: &[u32; 2]) -> bool {
        better[0] >= worse[0] && better[1] >= worse[1]
    }
}

/// Returns the greatest worth of items that fit together, by trying all sets of them.
fn greatest_worth(knapsack: &Knapsack, worth: &[i64]) -> i64 {
    let sets = 0..1_u32 << worth.len();
    let taken = |set: u32| (0..worth.len()).filter(move |item| set >> item & 1 == 1);
    let fits = |set: u32| {
        (0..2).all(|kind| {
            taken(set).map(|item| knapsack.items[item][kind]).sum::<u32>() <= knapsack.room[kind]
        })
    };
    sets.filter(|&set| fits(set))
        .map(|set| taken(set).map(|item| worth[item]).sum())
        .max()
        .expect("the empty set fits")
}

fn knapsacks() -> impl Strategy<Value = (Knapsack, Vec<i64>)> {
    // Some items have a negative worth, so that more room left does not mean a better value.
    let items = prop::collection::vec(([0_u32..12, 0_u32..12], -5_i64..30), 0..10);
    (items, [0_u32..40, 0_u32..40]).prop_map(|(items, room)| {
        let (items, worth) = items.into_iter().unzip();
        (Knapsack { items, room }, worth)
    })
}

proptest! {
    #[test]
    fn dominance_preserves_the_optimum((knapsack, worth) in knapsacks()) {
        fn check<H: SweepHooks<Knapsack>>(knapsack: &Knapsack, worth: &[i64], hooks: H) -> u64 {
            let weight = |item: usize, taken: bool| if taken { worth[item] } else { 0 };
            let outcome = Sweep::new(knapsack).hooks(hooks).best(Direction::Maximise, weight);
            assert_eq!(outcome.proven(), Some(&greatest_worth(knapsack, worth)));
            let labels = outcome.solution().expect("an optimum comes with its labels");
            let worth_of = |(&taken, worth): (&bool, &i64)| if taken { *worth } else { 0 };
            let sum: i64 = labels.iter().zip(worth).map(worth_of).sum();
            assert_eq!(sum, greatest_worth(knapsack, worth));
            outcome.report().nodes()
        }
        let all = check(&knapsack, &worth, ());
        let best = check(&knapsack, &worth, (BestState::new("best", MoreRoom),));
        let hooks = (BestState::new("best", MoreRoom), Antichain::new("maximal", MoreRoom));
        let both = check(&knapsack, &worth, hooks);
        let maximal = check(&knapsack, &worth, (Antichain::new("maximal", MoreRoom),));
        prop_assert!(maximal <= best && best <= all);
        prop_assert_eq!(both, maximal);
    }
}

fn knapsack() -> Knapsack {
    Knapsack {
        items: (1..=12).map(|size| [size * 7 % 12, size * 5 % 13]).collect(),
        room: [30, 30],
    }
}

#[test]
fn values_prevent_cuts_of_better_states() {
    let knapsack = knapsack();
    let worthless = |_: usize, _: bool| 0;
    let outcome = Sweep::new(&knapsack)
        .hooks((Antichain::new("maximal", MoreRoom),))
        .run(&Best::maximise(worthless));
    // The state without any item has the most room.
    assert_eq!(outcome.report().nodes(), 1 + 12);
    let one_per_item = |_: usize, taken: bool| i64::from(taken);
    let outcome = Sweep::new(&knapsack)
        .hooks((Antichain::new("maximal", MoreRoom),))
        .run(&Best::maximise(one_per_item));
    assert!(outcome.report().nodes() > 1 + 12);

    // A count drops nothing, and the hook leaves it unproven.
    let plain = Sweep::new(&knapsack).count();
    let outcome = Sweep::new(&knapsack).hooks((Antichain::new("maximal", MoreRoom),)).count();
    assert_eq!((outcome.effect(), outcome.exact()), (Effect::OptimumOnly, None));
    assert_eq!(outcome.report().hook("maximal").map(|hook| hook.cuts()), Some(0));
    assert_eq!(Some(outcome.at_least()), plain.exact());
}

#[test]
fn cuts_are_counted_by_layer() {
    let knapsack = knapsack();
    let worth = |item: usize, taken: bool| if taken { item as i64 } else { 0 };
    let outcome = Sweep::new(&knapsack)
        .hooks((Antichain::new("maximal", MoreRoom),))
        .run(&Best::maximise(worth));
    let hook = outcome.report().hook("maximal").expect("it is plugged in");
    assert_eq!(hook.effect(), Effect::OptimumOnly);
    assert!(hook.cuts() > 0);
    for (level, cuts) in outcome.report().levels().iter().zip(hook.cuts_by_depth()).skip(1) {
        assert_eq!(level.transitions - level.merged - cuts.enter, level.nodes);
    }
}
