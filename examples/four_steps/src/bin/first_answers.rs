//! The first program of the README: a problem of its own, a pruning, and a run that is cut short.

use secateurs::{Limits, Objective, Search, Successors};

// Twenty things for a bag that carries 150, the most valuable by weight first.
const WEIGHTS: [u32; 20] =
    [13, 11, 17, 7, 19, 23, 5, 29, 31, 16, 21, 9, 27, 14, 33, 12, 25, 18, 30, 10];
const VALUES: [u32; 20] =
    [90, 75, 112, 45, 120, 142, 30, 170, 178, 90, 117, 49, 145, 74, 172, 61, 124, 87, 141, 45];

#[derive(Clone, Copy)]
struct Bag {
    decided: usize, // how many things are in the bag or stay at home
    room: u32,
    value: u32,
}

fn main() {
    let bags = Successors::new(
        Bag { decided: 0, room: 150, value: 0 },
        |bag| bag.decided == WEIGHTS.len(),
        |bag| {
            let (next, decided) = (bag.decided, bag.decided + 1);
            let room = bag.room.checked_sub(WEIGHTS[next]);
            let packed = room.map(|room| Bag { decided, room, value: bag.value + VALUES[next] });
            packed.into_iter().chain([Bag { decided, ..bag }])
        },
    );
    let value = || Objective::maximise_for(&bags, |_, bag| bag.value);
    let all = Search::new(&bags).best(&value());
    println!("{:?} in {} nodes", all.proven(), all.report().nodes());

    // A pruning: the room that is left is filled with things like the next one.
    let best = value();
    let relaxation = best.bound("relaxation", |_, bag| match bag.decided {
        20 => bag.value,
        next => bag.value + bag.room * VALUES[next] / WEIGHTS[next],
    });
    let pruned = Search::new(&bags).hook(relaxation).best(&best);
    println!("{:?} in {} nodes", pruned.proven(), pruned.report().nodes());

    let hurried = Search::new(&bags).limits(Limits::new().nodes(100)).best(&value());
    println!("{:?}, but {:?} found", hurried.proven(), hurried.best_so_far());
}
