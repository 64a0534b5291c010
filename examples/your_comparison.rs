//! Compares the prunings of a problem of your own: the one of the example `your_problem`, with
//! three hooks that are added to a plain search one at a time.

use std::{error::Error, io::Write};

use secateurs::hook::Memo;
use secateurs::{Branch, Effect, Hook, NodeMut, Problem, Search, Verdict, hook};
use secateurs_lab::{Compare, Contender, Plan};

struct Settlement {
    invoices: Vec<u32>, // largest first
    payment: u32,
}

impl Problem for Settlement {
    type State = (usize, u32); // the invoices passed so far, and the rest of the payment
    type Cursor = usize;
    type Choice = usize; // the invoice to settle
    type Undo = (usize, u32);

    fn root(&self) -> (usize, u32) {
        (0, self.payment)
    }
    fn branch(&self, &(passed, left): &(usize, u32)) -> Branch<usize> {
        if left == 0 { Branch::Solution } else { Branch::Inner(passed) }
    }
    fn next(&self, &(_, left): &(usize, u32), cursor: &mut usize) -> Option<usize> {
        let invoice = (*cursor..self.invoices.len()).find(|&i| self.invoices[i] <= left)?;
        *cursor = invoice + 1;
        Some(invoice)
    }
    fn apply(&self, state: &mut (usize, u32), &invoice: &usize) -> (usize, u32) {
        std::mem::replace(state, (invoice + 1, state.1 - self.invoices[invoice]))
    }
    fn undo(&self, state: &mut (usize, u32), _: &usize, before: (usize, u32)) {
        *state = before;
    }
}

/// Cuts a node whose remaining invoices do not add up to the amount left.
fn too_little() -> impl Hook<Settlement> {
    hook::enter("too little", Effect::Preserving, |node: &mut NodeMut<'_, Settlement>| {
        let (passed, left) = *node.state();
        Verdict::prune_if(node.problem().invoices[passed..].iter().sum::<u32>() < left)
    })
}

/// Cuts a node whose remaining invoices are all multiples of five, while the amount left is not.
fn fives() -> impl Hook<Settlement> {
    hook::enter("fives", Effect::Preserving, |node: &mut NodeMut<'_, Settlement>| {
        let (passed, left) = *node.state();
        let are_multiples = node.problem().invoices[passed..].iter().all(|i| i.is_multiple_of(5));
        Verdict::prune_if(are_multiples && !left.is_multiple_of(5))
    })
}

/// Remembers the counts of states, because a subtree depends on its state alone.
fn memory() -> impl Hook<Settlement> {
    Memo::counted("memory", |_: &Settlement, state: &(usize, u32)| *state)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut compare = Compare::over([5, 12].map(|seed| (format!("payment {seed}"), payment(seed))));
    // None, the first hook, the first two, all (`Plan::Subsets` takes every subset). A hook that is
    // switched off is `None` and costs nothing.
    for on in Plan::Cumulative.sets(["too little", "fives", "memory"])? {
        compare = compare.contender(Contender::new(on.to_string(), move |problem, limits| {
            let (little, fives) = (on.then("too little", too_little), on.then("fives", fives));
            let hooks = (little, fives, on.then("memory", memory));
            Search::new(problem).hooks(hooks).limits(limits).count()
        }));
    }
    // The contenders run in turns. It is an error if two of them prove different answers: then a
    // hook is unsound, and `secateurs_lab::Audit` finds a small instance that shows it.
    let comparison = compare.title("Settlements").rounds(3).run()?;
    writeln!(std::io::stdout(), "{comparison}")?;
    assert_eq!(Search::new(&payment(5)).count().exact(), Some(2_872));
    // Each hook reduces the tree. The table shows whether it saves time as well.
    let nodes = comparison.contenders().iter().map(|own| own.runs()[0].nodes());
    assert!(nodes.is_sorted_by(|before, after| before > after));
    Ok(())
}

/// Returns 22 invoices, few of which are no multiple of five, and the payment of every other one.
fn payment(seed: u32) -> Settlement {
    let amount = |i: u32| 5 * ((seed + i * i * 37) % 199 + 20) + u32::from(i % 11 == 3);
    let mut invoices: Vec<u32> = (0..22).map(amount).collect();
    invoices.sort_unstable_by(|one, other| other.cmp(one));
    let payment = invoices.iter().step_by(2).sum();
    Settlement { invoices, payment }
}
