//! Exact covers by this crate and by `dlx-rs` and `exact-covers`.

use std::ops::ControlFlow;

use exact_covers::{DlSolver, Solver as _};
use secateurs::Search;
use secateurs_cover::Cover;
use secateurs_problems::langford::Langford;
use secateurs_problems::packing::{Packing, PackingBoard};

use crate::group::Group;
use crate::queens::{Size, queens};

/// Returns the items of each option.
fn options(cover: &Cover) -> impl Iterator<Item = Vec<usize>> {
    (0..cover.options())
        .map(|option| cover.members(option).map(|member| member.item).collect::<Vec<_>>())
}

/// Counts the solutions by `dlx-rs`, which expects primary items first; [`Cover`] orders them so.
fn dlx_rs(cover: &Cover) -> usize {
    let primary = (0..cover.items()).filter(|&item| cover.is_primary(item)).count();
    let mut solver = dlx_rs::solver::Solver::new_optional(primary, cover.items() - primary);
    for (option, items) in options(cover).enumerate() {
        let items: Vec<usize> = items.iter().map(|item| item + 1).collect();
        solver.add_option(option, &items);
    }
    solver.count()
}

/// Counts the solutions by `exact-covers`.
fn exact_covers(cover: &Cover) -> usize {
    let split = |items: Vec<usize>| -> (Vec<usize>, Vec<usize>) {
        items.into_iter().partition(|&item| cover.is_primary(item))
    };
    let (primary, secondary) = split((0..cover.items()).collect());
    let mut solver: DlSolver<'_, usize, ()> = DlSolver::new(&primary, &secondary);
    for items in options(cover) {
        let (primary, secondary) = split(items);
        let secondary: Vec<(usize, Option<()>)> =
            secondary.into_iter().map(|item| (item, None)).collect();
        solver.add_option(primary, secondary);
    }
    let mut count = 0;
    solver.solve(|_| {
        count += 1;
        ControlFlow::Continue(())
    });
    count
}

/// Returns a group with the rivals. They branch on the first of the smallest items, as this crate
/// does, and so search the same tree.
fn rivals(name: String, cover: Cover, solutions: u128, nodes: u64) -> Group<Cover> {
    Group::new(format!("cover/{name}"), cover, solutions, nodes)
        .contender("dlx-rs", dlx_rs)
        .contender("exact-covers", exact_covers)
        .contender("secateurs", |cover| Search::new(cover).count())
        .limit(0.7)
}

/// The nodes of 11 and 13 queens as a cover, with rows and columns from the centre outwards and in
/// order.
const QUEENS: [(usize, [u64; 2]); 2] = [(11, [45_393, 69_528]), (13, [1_046_319, 1_651_935])];

/// Returns the groups of 11 or 13 queens as an exact cover, with rows and columns from the centre
/// outwards and in order.
pub fn n_queens(size: Size) -> [Group<Cover>; 2] {
    let Size { n, solutions, .. } = size;
    let nodes = QUEENS.into_iter().find(|&(known, _)| known == n).map(|(_, nodes)| nodes);
    let [from_centre, in_order] = nodes.expect("the nodes of this size are known");
    let cover = queens(n).cover().cover().clone();
    let ordered = with_items_in_order(&cover);
    [
        rivals(format!("{n}-queens"), cover, solutions, from_centre),
        rivals(format!("{n}-queens, rows and columns in order"), ordered, solutions, in_order),
    ]
}

/// Returns the cover of queens with its rows and columns in order.
fn with_items_in_order(cover: &Cover) -> Cover {
    let text = cover.to_string();
    let (items, options) = text.split_once('\n').expect("a line of items");
    let (primary, secondary) = items.split_once(" | ").expect("secondary items");
    let mut primary: Vec<&str> = primary.split(' ').collect();
    primary.sort_by_key(|name| (name.starts_with('c'), name.len(), *name));
    let text = format!("{} | {secondary}\n{options}", primary.join(" "));
    text.parse().expect("the items are the same")
}

/// Returns the group of Langford pairs of 8 numbers as an exact cover.
pub fn langford_8() -> Group<Cover> {
    langford(8, 300, 2789)
}

/// Returns the group of Langford pairs of 11 numbers as an exact cover.
pub fn langford_11() -> Group<Cover> {
    langford(11, 35_584, 439_747)
}

fn langford(pairs: usize, solutions: u128, nodes: u64) -> Group<Cover> {
    let langford = Langford::new(pairs).expect("the number is in range");
    rivals(format!("Langford pairs of {pairs}"), langford.cover().cover().clone(), solutions, nodes)
}

fn pentominoes(rows: usize, columns: usize) -> Packing {
    let board = PackingBoard::rectangle(rows, columns).expect("the size is in range");
    Packing::pentominoes(board).expect("the board has 60 cells")
}

/// Returns the group of pentominoes in 3×20 as an exact cover.
pub fn pentominoes_3_by_20() -> Group<Cover> {
    rivals("pentominoes in 3×20".to_owned(), pentominoes(3, 20).cover().clone(), 8, 32_978)
}

/// Returns the group of pentominoes in 6×10 as an exact cover.
pub fn pentominoes_6_by_10() -> Group<Cover> {
    let cover = pentominoes(6, 10).cover().clone();
    rivals("pentominoes in 6×10".to_owned(), cover, 9356, 3_637_261)
}
