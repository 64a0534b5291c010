//! Exact cover beside the crates `dlx-rs` and `exact-covers`: all solutions of the same covers, with the same items and
//! options in the same order, in one thread, in turns.
//!
//! `cargo bench --manifest-path benches/rivals/Cargo.toml`, and with a number behind `--` for so many
//! rounds in place of 5. It says how many nodes there are first; both rivals branch on the first of the smallest items as
//! well, and so search the same tree.

#[path = "../support/mod.rs"]
mod support;

use std::error::Error;
use std::ops::ControlFlow;

use exact_covers::{DlSolver, Solver as _};
use secateurs::Search;
use secateurs::cover::Cover;
use secateurs::problems::langford::Langford;
use secateurs::problems::packing::{Board, Packing};
use secateurs::problems::queens::Queens;
use support::{Clock, Contender, ratios};

/// The items of each option.
fn options(cover: &Cover) -> Vec<Vec<usize>> {
    (0..cover.options()).map(|option| cover.members(option).map(|member| member.item).collect()).collect()
}

fn secateurs(cover: &Cover) -> usize {
    let exact = Search::new(cover).count().exact();
    exact.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX)
}

/// Primary items must come first, as they do in covers that are built here.
fn dlx_rs(cover: &Cover) -> usize {
    let primary = (0..cover.items()).filter(|&item| cover.is_primary(item)).count();
    let mut solver = dlx_rs::solver::Solver::new_optional(primary, cover.items() - primary);
    for (option, items) in options(cover).into_iter().enumerate() {
        let items: Vec<usize> = items.iter().map(|item| item + 1).collect();
        solver.add_option(option, &items);
    }
    solver.count()
}

fn exact_covers(cover: &Cover) -> usize {
    let (primary, secondary): (Vec<usize>, Vec<usize>) =
        (0..cover.items()).partition(|&item| cover.is_primary(item));
    let mut solver: DlSolver<'_, usize, ()> = DlSolver::new(&primary, &secondary);
    for items in options(cover) {
        let (primary, secondary): (Vec<usize>, Vec<usize>) =
            items.into_iter().partition(|&item| cover.is_primary(item));
        let secondary: Vec<(usize, Option<()>)> = secondary.into_iter().map(|item| (item, None)).collect();
        solver.add_option(primary, secondary);
    }
    let mut count = 0;
    solver.solve(|_| {
        count += 1;
        ControlFlow::Continue(())
    });
    count
}

fn compare(title: &str, cover: &Cover, expected: usize, rounds: usize) {
    let nodes = Search::new(cover).count().report().nodes();
    let title = format!("{title}: {} options, {nodes} nodes", cover.options());
    let ours = || Contender::new("secateurs", 0.7, || secateurs(cover));
    let rival = Contender::new("dlx-rs", f64::INFINITY, || dlx_rs(cover));
    ratios(&title, Clock::Processor, rounds, &expected, &[rival, ours()]);
    let rival = Contender::new("exact-covers", f64::INFINITY, || exact_covers(cover));
    ratios(&title, Clock::Processor, rounds, &expected, &[rival, ours()]);
}

/// The same cover with rows and columns of queens as they come.
fn in_order(cover: &Cover) -> Result<Cover, Box<dyn Error>> {
    let text = cover.to_string();
    let (items, options) = text.split_once('\n').ok_or("no items")?;
    let (primary, secondary) = items.split_once(" | ").ok_or("no secondary items")?;
    let mut primary: Vec<&str> = primary.split(' ').collect();
    primary.sort_by_key(|name| (name.starts_with('c'), name.len(), *name));
    Ok(format!("{} | {secondary}\n{options}", primary.join(" ")).parse()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(5), |rounds| rounds.parse())?;
    let queens = Queens::new(13)?.cover();
    compare("13 queens", queens.cover(), 73_712, rounds);
    compare("13 queens, rows and columns in order", &in_order(queens.cover())?, 73_712, rounds);
    compare("Langford pairs of 11", Langford::new(11)?.cover().cover(), 35_584, rounds);
    let packing = Packing::pentominoes(Board::rectangle(6, 10)?)?;
    compare("pentominoes in 6 × 10", packing.cover(), 9356, rounds.min(3));
    Ok(())
}
