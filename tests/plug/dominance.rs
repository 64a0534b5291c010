//! Dominance in a sweep: optima compared with brute force, weights that prevent cuts, and the
//! claims of the answer.

use proptest::prelude::*;
use secateurs::plug::algebra::Best;
use secateurs::plug::{Antichain, BestState, ContourProblem, StateDominance, Sweep};
use secateurs::{Direction, Effect};

use crate::shared::sweeps::Steps;

/// Items of two sizes each (weight and volume, say), of which some are put into a knapsack.
#[derive(Debug)]
struct Knapsack {
    items: Vec<[u32; 2]>,
    room: [u32; 2],
}

impl Knapsack {
    fn problem(&self) -> impl ContourProblem<State = [u32; 2], Label = bool> + '_ {
        Steps::new(self.items.len(), self.room, |cell, room: [u32; 2], emit| {
            emit(room, false);
            let left = [0, 1].map(|kind| room[kind].checked_sub(self.items[cell][kind]));
            if let [Some(weight), Some(volume)] = left {
                emit([weight, volume], true);
            }
        })
    }
}

/// The relation of more room of both kinds.
#[derive(Clone, Copy, Debug)]
struct MoreRoom;

impl<P: ContourProblem<State = [u32; 2]>> StateDominance<P> for MoreRoom {
    type Form = [u32; 2];
    type Key = (u32, u32);

    fn form(&self, _: &P, _: usize, room: [u32; 2]) -> [u32; 2] {
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
        let (problem, greatest) = (knapsack.problem(), greatest_worth(&knapsack, &worth));
        let nodes = |has_best: bool, has_maximal: bool| {
            let hooks = (
                has_best.then(|| BestState::new("best", MoreRoom)),
                has_maximal.then(|| Antichain::new("maximal", MoreRoom)),
            );
            let weight = |item: usize, taken: bool| if taken { worth[item] } else { 0 };
            let outcome = Sweep::new(&problem).hooks(hooks).best(Direction::Maximise, weight);
            assert_eq!(outcome.proven(), Some(&greatest));
            let labels = outcome.solution().expect("an optimum comes with its labels");
            let sum: i64 = (0..).zip(labels).map(|(item, &taken)| weight(item, taken)).sum();
            assert_eq!(sum, greatest);
            outcome.report().nodes()
        };
        let all = nodes(false, false);
        let (best, maximal, both) = (nodes(true, false), nodes(false, true), nodes(true, true));
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
fn values_prevent_cuts_of_better_states_and_cuts_are_counted_by_layer() {
    let knapsack = knapsack();
    let problem = knapsack.problem();
    let sweep = || Sweep::new(&problem).hooks((Antichain::new("maximal", MoreRoom),));
    let nodes = |worth: i64| {
        let outcome =
            sweep().run(&Best::maximise(|_: usize, taken: bool| worth * i64::from(taken)));
        outcome.report().nodes()
    };
    // If items are worthless, the state without any item has the most room.
    assert_eq!(nodes(0), 1 + 12);
    assert!(nodes(1) > 1 + 12);

    // A count drops nothing, and the hook leaves it unproven.
    let plain = Sweep::new(&problem).count();
    let outcome = sweep().count();
    assert_eq!((outcome.effect(), outcome.exact()), (Effect::OptimumOnly, None));
    assert_eq!(outcome.report().hook("maximal").map(|hook| hook.cuts()), Some(0));
    assert_eq!(Some(outcome.at_least()), plain.exact());

    // Cuts are counted by layer.
    let worth = |item: usize, taken: bool| if taken { item as i64 } else { 0 };
    let outcome = sweep().run(&Best::maximise(worth));
    let hook = outcome.report().hook("maximal").expect("it is plugged in");
    assert_eq!(hook.effect(), Effect::OptimumOnly);
    assert!(hook.cuts() > 0);
    for (level, cuts) in outcome.report().levels().iter().zip(hook.cuts_by_depth()).skip(1) {
        assert_eq!(level.transitions - level.merged - cuts.enter, level.nodes);
    }
}
