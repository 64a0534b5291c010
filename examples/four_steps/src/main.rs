//! The four steps of the README: plug a pruning in, measure it, predict what it saves, check it.

use std::error::Error;
use std::io::{Write, stdout};

use secateurs::{Effect, Hook, Node, Search, Verdict, hook};
use secateurs_lab::{Audit, Compare, Contender, Plan, Section};
use secateurs_problems::queens::{LookBackQueens, Queens};

/// Returns a pruning that keeps the solutions with the queen of the first row in the left half. If
/// `size` is even, the others are their mirror images.
fn left_half(size: usize) -> impl Hook<LookBackQueens> {
    let closure = move |node: &Node<'_, LookBackQueens>, &column: &usize| {
        Verdict::prune_if(node.depth() == 0 && column >= size / 2)
    };
    hook::admit("left half", Effect::Representatives, closure)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = stdout();

    // 1. Plug it in. The outcome carries its claim: what it counts are representatives.
    let queens = Queens::new(8)?.lookback();
    let all = Search::new(&queens).count();
    let half = Search::new(&queens).hook(left_half(8)).count();
    writeln!(out, "solutions: {all}; with the queen on the left: {half}")?;

    // 2. Measure it: without and with the pruning, on the same boards, in turns.
    let boards = [6, 8, 10].map(|size| (format!("{size} queens"), size));
    let mut compare = Compare::over(boards).rounds(1);
    for on in Plan::Cumulative.sets(["left half"])? {
        compare = compare.contender(Contender::new(on.to_string(), move |&size, limits| {
            let queens = Queens::new(size).expect("a small board").lookback();
            let hook = on.then("left half", || left_half(size));
            Search::new(&queens).hook(hook).limits(limits).count()
        }));
    }
    writeln!(out, "{}", compare.run()?.section(Section::Nodes))?;

    // 3. Predict what it saves where a search would take a day.
    let queens = Queens::new(20)?.lookback();
    let plain = Search::new(&queens).estimate(2_000, 1);
    let pruned = Search::new(&queens).hook(left_half(20)).estimate(2_000, 1);
    for nodes in [plain.nodes(), pruned.nodes()].into_iter().flatten() {
        writeln!(out, "{:.2e} nodes ± {:.0e}", nodes.mean, nodes.standard_error.unwrap_or(0.0))?;
    }

    // 4. Check it: search what it cuts off. On seven columns it is wrong, because it also cuts off
    // the middle column, which is its own mirror image.
    let queens = Queens::new(7)?.lookback();
    let orbit = |_: &LookBackQueens, columns: &Vec<usize>| {
        let mirrored = columns.iter().map(|column| 6 - column).collect();
        columns.clone().min(mirrored)
    };
    if let Err(violation) = Audit::of_count(&queens).orbits(orbit).hook(left_half(7)).run() {
        writeln!(out, "{violation}")?;
    }
    Ok(())
}
