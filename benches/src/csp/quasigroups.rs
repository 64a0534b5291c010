//! Quasigroup completions. The times do not include the construction of the model.

use fastrand::Rng;
use secateurs::Search;
use secateurs_csp::{
    Ascending, Branching, Consistency, Model, ModelError, Network, Propagate, SmallestDomain,
    Variable,
};

use crate::group::{Group, RunResult};

/// Returns the group of quasigroup completions: the first solutions of Latin squares of order 20
/// with 42 % of the cells empty.
pub fn group() -> Group<Vec<Network>> {
    let squares = (0..20).map(|seed| quasigroup(20, 42, seed).expect("a small model")).collect();
    let first = |network: &Network| {
        let order = Branching::new(SmallestDomain::first_tie(), Ascending);
        Search::new(network).hook(Propagate::full()).brancher(order).first().into()
    };
    Group::new("csp/20 quasigroups completed", squares, 20, 763)
        .contender("smallest domain", move |squares: &Vec<Network>| {
            RunResult::sum(squares.iter().map(first))
        })
}

/// A random Latin square without a part of its cells: the square of sums modulo the order, with its
/// rows, columns and symbols permuted. Then two symbols are exchanged in random subsquares of order
/// 2 (*intercalates*), because squares of sums are easier than others.
fn quasigroup(order: usize, percent_empty: usize, seed: u64) -> Result<Network, ModelError> {
    let mut rng = Rng::with_seed(seed);
    let mut permutation = || {
        let mut all: Vec<usize> = (0..order).collect();
        rng.shuffle(&mut all);
        all
    };
    let (rows, columns, symbols) = (permutation(), permutation(), permutation());
    let mut square: Vec<Vec<usize>> = (rows.iter())
        .map(|row| columns.iter().map(|column| symbols[(row + column) % order]).collect())
        .collect();
    for _ in 0..20 * order * order {
        let (one, other, column) = (rng.usize(..order), rng.usize(..order), rng.usize(..order));
        let (x, y) = (square[one][column], square[other][column]);
        let partner = square[one].iter().position(|&symbol| symbol == y).unwrap_or(column);
        if square[other][partner] == x {
            (square[one][column], square[other][column]) = (y, x);
            (square[one][partner], square[other][partner]) = (x, y);
        }
    }
    let mut cells: Vec<usize> = (0..order * order).collect();
    rng.shuffle(&mut cells);
    let mut is_empty = vec![false; cells.len()];
    cells[..cells.len() * percent_empty / 100].iter().for_each(|&cell| is_empty[cell] = true);

    let mut model = Model::new();
    let cells = model.variables(order * order, 0..order as i32)?;
    for (cell, &variable) in cells.iter().enumerate().filter(|&(cell, _)| !is_empty[cell]) {
        let given = square[cell / order][cell % order] as i32;
        model.restrict(variable, |symbol| symbol == given)?;
    }
    for line in 0..order {
        model.all_different_with(&cells[line * order..][..order], Consistency::Domain)?;
        let column: Vec<Variable> = cells.iter().copied().skip(line).step_by(order).collect();
        model.all_different_with(&column, Consistency::Domain)?;
    }
    Ok(model.build())
}
