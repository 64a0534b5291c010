//! The cost of combining hooks in different ways, and of counting frequent cuts.

pub mod settlement;

use std::hint::black_box;

use secateurs::{Branch, Hook, Node, Problem, Search, Verdict};
use secateurs_problems::queens::BitQueens;

use crate::group::{Group, RunResult};
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

/// n-queens row by row. The tree itself only excludes queens in the same column.
pub struct Columns(usize);

/// The squares that the queens of the previous rows attack in this one.
#[derive(Clone, Copy, Default)]
pub struct Attacked {
    columns: u64,
    left: u64,
    right: u64,
}

impl Attacked {
    #[inline]
    fn with(self, queen: u64) -> Self {
        Attacked {
            columns: self.columns | queen,
            left: (self.left | queen) << 1,
            right: (self.right | queen) >> 1,
        }
    }
}

impl Problem for Columns {
    type State = Attacked;
    type Cursor = u64;
    type Choice = u64;
    type Undo = Attacked;

    fn root(&self) -> Attacked {
        Attacked::default()
    }
    #[inline]
    fn branch(&self, state: &Attacked) -> Branch<u64> {
        let free = !state.columns & ((1 << self.0) - 1);
        if free == 0 { Branch::Solution } else { Branch::Inner(free) }
    }
    #[inline]
    fn next(&self, _: &Attacked, free: &mut u64) -> Option<u64> {
        let queen = *free & free.wrapping_neg();
        *free ^= queen;
        (queen != 0).then_some(queen)
    }
    #[inline]
    fn apply(&self, state: &mut Attacked, &queen: &u64) -> Attacked {
        std::mem::replace(state, state.with(queen))
    }
    #[inline]
    fn undo(&self, state: &mut Attacked, _: &u64, before: Attacked) {
        *state = before;
    }
}

/// Cuts queens on the same diagonal, three per node on average.
struct Diagonals;

impl Hook<Columns> for Diagonals {
    fn name(&self) -> &str {
        "diagonals"
    }
    #[inline]
    fn admit(&mut self, node: &Node<'_, Columns>, &queen: &u64) -> Verdict {
        Verdict::prune_if((node.state().left | node.state().right) & queen != 0)
    }
}

/// Counts solutions by a hand-written recursion.
#[inline(never)]
fn recursion(board: u64, attacked: Attacked) -> u64 {
    if attacked.columns == board {
        return 1;
    }
    let (mut free, mut solutions) = (board & !attacked.columns, 0);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        if (attacked.left | attacked.right) & queen == 0 {
            solutions += recursion(board, attacked.with(queen));
        }
    }
    solutions
}

/// Counts solutions, and cuts by depth, by a hand-written recursion.
#[inline(never)]
fn counting_recursion(board: u64, attacked: Attacked, depth: usize, cuts: &mut [u64]) -> u64 {
    if attacked.columns == board {
        return 1;
    }
    let (mut free, mut solutions) = (board & !attacked.columns, 0);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        if (attacked.left | attacked.right) & queen == 0 {
            solutions += counting_recursion(board, attacked.with(queen), depth + 1, cuts);
        } else {
            cuts[depth] += 1;
        }
    }
    solutions
}

/// Returns the group of ways to count cuts by depth: by hand, and by the engine for a hook.
pub fn counting() -> Group<Columns> {
    let Size { n, solutions, nodes } = Size::N12;
    let board = move || black_box((1 << n) - 1);
    Group::new(format!("hooks/counted cuts, {n}-queens"), Columns(n), solutions, nodes)
        .contender("recursion", move |_| recursion(board(), Attacked::default()))
        .contender("recursion, cuts counted by depth", move |_| {
            let mut cuts = [0; 64];
            let solutions = counting_recursion(board(), Attacked::default(), 0, &mut cuts);
            black_box(cuts);
            solutions
        })
        .contender("a hook, cuts counted by depth", |columns| {
            RunResult::from(Search::new(columns).hooks((Diagonals,)).count())
        })
}
