//! The problem and the hooks of the example `your_comparison`.

use secateurs::hook::Memo;
use secateurs::{Branch, Effect, Hook, NodeMut, Problem, Verdict, hook};

/// The problem of choosing invoices whose sum is the payment.
pub struct Settlement {
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
pub fn too_little() -> impl Hook<Settlement> {
    hook::enter("too little", Effect::Preserving, |node: &mut NodeMut<'_, Settlement>| {
        let (passed, left) = *node.state();
        Verdict::prune_if(node.problem().invoices[passed..].iter().sum::<u32>() < left)
    })
}

/// Cuts a node whose remaining invoices are all multiples of five, while the amount left is not.
pub fn fives() -> impl Hook<Settlement> {
    hook::enter("fives", Effect::Preserving, |node: &mut NodeMut<'_, Settlement>| {
        let (passed, left) = *node.state();
        let are_multiples = node.problem().invoices[passed..].iter().all(|i| i.is_multiple_of(5));
        Verdict::prune_if(are_multiples && !left.is_multiple_of(5))
    })
}

/// Remembers the counts of states, because a subtree depends on its state alone.
pub fn memory() -> impl Hook<Settlement> {
    Memo::counted("memory", |_: &Settlement, state: &(usize, u32)| *state)
}

/// Returns an instance with 22 invoices, most of them multiples of five. Every other invoice, in
/// order of size, is part of the payment.
pub fn payment(seed: u32) -> Settlement {
    let amount = |i: u32| 5 * ((seed + i * i * 37) % 199 + 20) + u32::from(i % 11 == 3);
    let mut invoices: Vec<u32> = (0..22).map(amount).collect();
    invoices.sort_unstable_by(|one, other| other.cmp(one));
    let payment = invoices.iter().step_by(2).sum();
    Settlement { invoices, payment }
}
