//! The cost of combining hooks in different ways.

pub mod settlement;

use secateurs::{Hook, Search};
use secateurs_problems::queens::BitQueens;

use crate::group::Group;
use crate::kernel::queens::Idle;
use crate::queens::{Size, queens};

/// Returns the group of ways to combine hooks that do nothing.
pub fn idle(size: Size) -> Group<BitQueens> {
    fn boxed() -> Box<dyn Hook<BitQueens>> {
        Box::new(Idle)
    }
    let Size { n, solutions, nodes } = size;
    Group::new(format!("hooks/idle hooks, {n}-queens"), queens(n).bits(), solutions, nodes)
        .contender("no hook", |bits| Search::new(bits).count())
        .contender("two in a tuple", |bits| Search::new(bits).hooks((Idle, Idle)).count())
        .limit(1.02)
        .contender("two options, one of them off", |bits| {
            Search::new(bits).hooks((Some(Idle), None::<Idle>)).count()
        })
        .contender("two in a tuple, boxed", |bits| {
            Search::new(bits).hooks((boxed(), boxed())).count()
        })
        .contender("two in a vector, boxed", |bits| {
            Search::new(bits).hooks(vec![boxed(), boxed()]).count()
        })
}
