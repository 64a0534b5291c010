//! A problem of your own in 25 lines: a payment arrives without a reference. Which of the open
//! invoices does it settle?

use std::io::{BufWriter, Result, Write, stdout};

use secateurs::{Branch, Effect, Problem, Search, Verdict};

/// The problem of choosing invoices whose sum is the payment.
struct Settlement {
    invoices: Vec<u32>, // largest first
    payment: u32,
}

/// The state: the number of invoices already decided, and the rest of the payment.
struct Balance {
    decided: usize,
    left: u32,
}

impl Problem for Settlement {
    type State = Balance; // changed in place, never copied
    type Cursor = usize; // the next invoice to try
    type Choice = usize; // the invoice to settle
    type Undo = usize; // the data that reverts a step

    fn root(&self) -> Balance {
        Balance { decided: 0, left: self.payment }
    }
    fn branch(&self, balance: &Balance) -> Branch<usize> {
        if balance.left == 0 { Branch::Solution } else { Branch::Inner(balance.decided) }
    }
    fn next(&self, balance: &Balance, cursor: &mut usize) -> Option<usize> {
        let invoice = (*cursor..self.invoices.len()).find(|&i| self.invoices[i] <= balance.left)?;
        *cursor = invoice + 1;
        Some(invoice)
    }
    fn apply(&self, balance: &mut Balance, &invoice: &usize) -> usize {
        balance.left -= self.invoices[invoice];
        std::mem::replace(&mut balance.decided, invoice + 1)
    }
    fn undo(&self, balance: &mut Balance, &invoice: &usize, decided: usize) {
        balance.left += self.invoices[invoice];
        balance.decided = decided;
    }
}

fn main() -> Result<()> {
    let mut out = BufWriter::new(stdout()); // unlike `println!`, no panic on a closed pipe

    let invoices = vec![
        9875, 9512, 9024, 8860, 8415, 7990, 7365, 6980, 6410, 5995, //
        5530, 5125, 4780, 4335, 3870, 3445, 2990, 2615, 2160, 1785,
    ];
    let problem = Settlement { invoices, payment: 70_005 };

    // How many ways are there? `exact` returns an answer only if the whole tree was searched.
    let plain = Search::new(&problem).count();
    writeln!(out, "{} ways, {} nodes", plain.exact().unwrap(), plain.report().nodes())?;

    // The first one, as the choices that lead to it.
    let first = Search::new(&problem).first();
    let settled: Vec<u32> =
        first.solution().unwrap().iter().map(|&i| problem.invoices[i]).collect();
    writeln!(out, "the first: {settled:?}")?;

    // A hook prunes a node if all remaining invoices together are too small. It claims to preserve
    // all solutions.
    let pruned = Search::new(&problem)
        .enter("too little", Effect::Preserving, |node| {
            let rest: u32 = node.problem().invoices[node.state().decided..].iter().sum();
            Verdict::prune_if(rest < node.state().left)
        })
        .count();
    assert_eq!(pruned.exact(), plain.exact());

    // How many nodes did it prune, and at which depths?
    writeln!(out, "\n{}", pruned.report())?;
    out.flush()
}
