//! The prunings of fire-net, on boards with walls.

use secateurs::problems::fire_net::FireNetBoard;

use super::items::{Item, Sample, audit_on};
use super::prunings::{Budget, Check, RIGHT, alone};
use super::readings::{WRONG, wrong};
use super::{Broken, Coverage, boards};

fn on_boards(
    sample: Sample,
    audit: impl Fn(&FireNetBoard, Budget) -> Result<Coverage, secateurs::lab::Violation>,
) -> Result<Coverage, Broken> {
    let sizes =
        (1..=sample.small).flat_map(|rows| (1..=sample.small).map(move |columns| (rows, columns)));
    let small = sizes.flat_map(|(rows, columns)| boards::all(rows, columns));
    let random = boards::random(sample.boards, sample.size, sample.seed);
    audit_on(sample, small, random, boards::smaller, FireNetBoard::to_string, |board, nodes| {
        audit(board, Budget { nodes, share: (sample.share, sample.seed) })
    })
}

pub fn right() -> Vec<Item> {
    let item = |(name, says, check): (&'static str, &'static str, Check)| {
        Item::new(name, says, move |sample| on_boards(sample, check))
    };
    RIGHT.into_iter().map(item).collect()
}

pub fn wrongly() -> Vec<Item> {
    let item = |(name, says): (&'static str, &'static str)| {
        Item::new(name, says, move |sample| {
            on_boards(sample, |board, budget| match wrong(name) {
                Some(hook) => alone(board, budget, hook),
                None => Ok(Coverage::default()),
            })
        })
    };
    WRONG.into_iter().map(item).collect()
}
