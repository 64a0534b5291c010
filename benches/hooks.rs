//! What hooks cost: put together in different ways, cutting often and seldom, and what they are worth.
//!
//! `cargo bench --bench hooks` prints the ratios of runs that took turns in one process; with one or more of these words behind
//! `--`, that part only:
//!
//! - `together`: hooks in a tuple, as options, boxed, in a vector;
//! - `counting`: a hook that makes three cuts a node, each counted by hook and by depth, beside a recursion by hand;
//! - `memory`: remembering subtrees that were searched.

#[path = "support/mod.rs"]
mod support;

use std::hint::black_box;

use secateurs::hooks::Memo;
use secateurs::problems::queens::{BitQueens, Queens};
use secateurs::{Branch, Hook, Hooks, Node, Problem, Search, Verdict};
use support::{Clock, Contender, NO_LIMIT};

/// A hook that overrides nothing.
struct Idle;

impl<P: Problem> Hook<P> for Idle {
    fn name(&self) -> &str {
        "idle"
    }
}

fn together() {
    let bits = Queens::new(13).expect("a size").bits();
    let bits = &bits;
    let boxed = || Box::new(Idle) as Box<dyn Hook<BitQueens>>;
    fn count(bits: &BitQueens, hooks: impl Hooks<BitQueens>) -> Option<u128> {
        Search::new(black_box(bits)).hooks(hooks).count().exact()
    }
    let contenders = [
        Contender::new("no hook", 1.0, || count(bits, ())),
        Contender::new("two in a tuple", 1.02, || count(bits, (Idle, Idle))),
        Contender::new("two options, one of them off", NO_LIMIT, || count(bits, (Some(Idle), None::<Idle>))),
        Contender::new("two in a tuple, boxed", NO_LIMIT, || count(bits, (boxed(), boxed()))),
        Contender::new("two in a vector, boxed", NO_LIMIT, || count(bits, vec![boxed(), boxed()])),
    ];
    support::ratios("13-queens, hooks that do nothing", Clock::Processor, 9, &Some(73_712), &contenders);
}

/// Queens row by row of which the tree itself knows columns only.
struct Columns(u32);

#[derive(Clone, Copy, Default)]
struct Taken {
    columns: u64,
    left: u64,
    right: u64,
}

impl Taken {
    #[inline]
    fn with(self, queen: u64) -> Self {
        Taken { columns: self.columns | queen, left: (self.left | queen) << 1, right: (self.right | queen) >> 1 }
    }
}

impl Problem for Columns {
    type State = Taken;
    type Cursor = u64;
    type Choice = u64;
    type Undo = Taken;

    fn root(&self) -> Taken {
        Taken::default()
    }
    #[inline]
    fn branch(&self, state: &Taken) -> Branch<u64> {
        let free = !state.columns & ((1 << self.0) - 1);
        if free == 0 { Branch::Solution } else { Branch::Inner(free) }
    }
    #[inline]
    fn next(&self, _: &Taken, free: &mut u64) -> Option<u64> {
        let queen = *free & free.wrapping_neg();
        *free ^= queen;
        (queen != 0).then_some(queen)
    }
    #[inline]
    fn apply(&self, state: &mut Taken, &queen: &u64) -> Taken {
        std::mem::replace(state, state.with(queen))
    }
    #[inline]
    fn undo(&self, state: &mut Taken, _: &u64, before: Taken) {
        *state = before;
    }
}

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

/// The same by hand; nothing is counted but solutions.
#[inline(never)]
fn recursion(board: u64, taken: Taken) -> u64 {
    if taken.columns == board {
        return 1;
    }
    let (mut free, mut solutions) = (board & !taken.columns, 0);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        if (taken.left | taken.right) & queen == 0 {
            solutions += recursion(board, taken.with(queen));
        }
    }
    solutions
}

/// The same, and cuts counted by depth, as one would write it by hand.
#[inline(never)]
fn counting_recursion(board: u64, taken: Taken, depth: usize, cuts: &mut [u64]) -> u64 {
    if taken.columns == board {
        return 1;
    }
    let (mut free, mut solutions) = (board & !taken.columns, 0);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        if (taken.left | taken.right) & queen == 0 {
            solutions += counting_recursion(board, taken.with(queen), depth + 1, cuts);
        } else {
            cuts[depth] += 1;
        }
    }
    solutions
}

fn counting() {
    const N: u32 = 14;
    let columns = Columns(N);
    let count = || Search::new(black_box(&columns)).hooks((Diagonals,)).count();
    let outcome = count();
    let title = format!("{N}-queens, {} nodes, {} cuts", outcome.report().nodes(), outcome.report().hooks()[0].cuts());
    let contenders = [
        Contender::new("recursion", 1.0, || u128::from(recursion(black_box((1 << N) - 1), Taken::default()))),
        Contender::new("recursion, cuts counted by depth", NO_LIMIT, || {
            let mut cuts = [0; N as usize];
            let solutions = counting_recursion(black_box((1 << N) - 1), Taken::default(), 0, &mut cuts);
            black_box(cuts);
            u128::from(solutions)
        }),
        Contender::new("a hook, cuts counted by depth", NO_LIMIT, || count().at_least()),
    ];
    support::ratios(&title, Clock::Processor, 9, &365_596, &contenders);
}

/// Sums of subsets: different subsets of the first numbers have the same sum.
struct SubsetSum {
    numbers: Vec<u32>,
    target: u32,
}

impl Problem for SubsetSum {
    type State = (usize, u32);
    type Cursor = u8;
    type Choice = bool;
    type Undo = ();

    fn root(&self) -> (usize, u32) {
        (0, 0)
    }
    fn branch(&self, &(next, sum): &(usize, u32)) -> Branch<u8> {
        match next == self.numbers.len() {
            true if sum == self.target => Branch::Solution,
            true => Branch::DeadEnd,
            false => Branch::Inner(0),
        }
    }
    fn next(&self, _: &(usize, u32), cursor: &mut u8) -> Option<bool> {
        *cursor += 1;
        (*cursor <= 2).then_some(*cursor == 2)
    }
    fn apply(&self, state: &mut (usize, u32), &taken: &bool) {
        state.1 += u32::from(taken) * self.numbers[state.0];
        state.0 += 1;
    }
    fn undo(&self, state: &mut (usize, u32), &taken: &bool, (): ()) {
        state.0 -= 1;
        state.1 -= u32::from(taken) * self.numbers[state.0];
    }
}

fn memory() {
    let numbers: Vec<u32> = (1..=20).map(|number| 3 * number % 29 + 1).collect();
    let problem = SubsetSum { target: numbers.iter().sum::<u32>() / 2, numbers };
    let expected = Search::new(&problem).count().exact();
    let contenders = [
        Contender::new("no memory", 1.0, || Search::new(&problem).count().exact()),
        Contender::new("counts remembered", NO_LIMIT, || {
            let memo = Memo::counted("sums", |_: &SubsetSum, state: &(usize, u32)| *state);
            Search::new(&problem).hooks((memo,)).count().exact()
        }),
    ];
    support::ratios("subsets of 20 numbers with half of their sum", Clock::Processor, 9, &expected, &contenders);
}

fn main() {
    support::parts(&[("together", together), ("counting", counting), ("memory", memory)]);
}
