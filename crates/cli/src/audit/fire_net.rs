//! Audits of the ten prunings of fire-net, each alone and all together, and of their misreadings.

// The tests and the example use different parts of this module.
#![allow(dead_code)]

use secateurs::{Branch, Brancher, Effect, Hook, Limits, Node, Objective, Verdict, hook};
use secateurs_lab::{Audit, Coverage, GapReason, Violation};
use secateurs_problems::fire_net::{
    BoundKind, Cells, Choice, DegreeOne, EnoughBunkers, FireNetBoard, Scope, State, TooFewCells,
    UpperBound, closed_rectangle, open_ends, open_short_side, open_side, walled_long_sides,
};

use super::boards::{self, best_below, draw, placed};
use super::items::{Finding, Item, Sample, audit_on};
use super::readings::{WRONG, wrong};

/// The effort for a board.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The node limit of a search.
    pub nodes: u64,
    /// The share of the actions of prunings that is checked, and the seed of the sample.
    pub share: (f64, u64),
}

impl Budget {
    /// Checks all actions in searches of up to this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Budget { nodes, share: (1.0, 0) }
    }
}

/// A function that audits a pruning or a group of them on a board.
pub type Check = fn(&FireNetBoard, Budget) -> Result<Coverage, Violation>;

/// The sound prunings: name, description and audit.
pub const SOUND: [(&str, &str, Check); 12] = [
    ("1", "candidates from a list", listed),
    ("2", "cells in increasing order", increasing),
    ("3", "too few cells left", too_few),
    ("4", "as many bunkers as segments", enough),
    ("5", "a segment with one candidate", |board, budget| infer(board, budget, 5)),
    ("6", "a rectangle walled on four sides", |board, budget| infer(board, budget, 6)),
    ("7", "walled on three sides, open on a short one", |board, budget| infer(board, budget, 7)),
    ("8", "walled along both long sides", |board, budget| infer(board, budget, 8)),
    ("9", "walled on three sides", |board, budget| infer(board, budget, 9)),
    ("10", "walled on two opposite sides", |board, budget| infer(board, budget, 10)),
    ("bounds", "the four upper bounds", bounds),
    ("all", "all of them together", together),
];

/// Returns the inference of this number, from 5 to 10.
fn inference(number: usize, scope: Scope) -> Box<dyn Hook<FireNetBoard>> {
    match number {
        5 => Box::new(DegreeOne::new(scope)),
        6 => Box::new(closed_rectangle(scope)),
        7 => Box::new(open_short_side(scope)),
        8 => Box::new(walled_long_sides(scope)),
        9 => Box::new(open_side(scope)),
        _ => Box::new(open_ends(scope)),
    }
}

/// Audits a search for the most bunkers, in which each action of each hook has to preserve a best
/// placement.
fn with_hooks(
    board: &FireNetBoard,
    budget: Budget,
    hooks: impl FnOnce(
        &Objective<FireNetBoard, usize, fn(&FireNetBoard, &State) -> usize>,
    ) -> Vec<Box<dyn Hook<FireNetBoard>>>,
) -> Result<Coverage, Violation> {
    let objective = Objective::maximise(placed as fn(&FireNetBoard, &State) -> usize);
    let audit = Audit::of_best(board, &objective)
        .best_below(best_below)
        .show(draw)
        .locally()
        .nodes(budget.nodes);
    let audit = audit.share(budget.share.0, budget.share.1);
    hooks(&objective).into_iter().fold(audit, Audit::hook).run()
}

/// Audits a single hook.
pub fn alone(
    board: &FireNetBoard,
    budget: Budget,
    hook: impl Hook<FireNetBoard> + 'static,
) -> Result<Coverage, Violation> {
    with_hooks(board, budget, |_| vec![Box::new(hook)])
}

fn infer(board: &FireNetBoard, budget: Budget, number: usize) -> Result<Coverage, Violation> {
    // With this scope the hook acts at the root only, so one node is enough.
    let mut total = alone(board, Budget { nodes: 1, ..budget }, inference(number, Scope::Root))?;
    // The node limit stopped the search, but has left no action unchecked.
    total.close(GapReason::Unfinished);
    total += alone(board, budget, inference(number, Scope::EveryNode))?;
    Ok(total)
}

fn too_few(board: &FireNetBoard, budget: Budget) -> Result<Coverage, Violation> {
    let mut total = with_hooks(board, budget, |best| {
        vec![Box::new(TooFewCells::new(best.incumbent().clone()))]
    })?;
    total += with_hooks(board, budget, |best| {
        vec![Box::new(TooFewCells::as_programmed(best.incumbent().clone()))]
    })?;
    Ok(total)
}

fn enough(board: &FireNetBoard, budget: Budget) -> Result<Coverage, Violation> {
    with_hooks(board, budget, |best| vec![Box::new(EnoughBunkers::new(best.incumbent().clone()))])
}

fn together(board: &FireNetBoard, budget: Budget) -> Result<Coverage, Violation> {
    let mut total = Coverage::default();
    for scope in [Scope::Root, Scope::EveryNode] {
        total += with_hooks(board, budget, |best| {
            let mut hooks: Vec<Box<dyn Hook<FireNetBoard>>> =
                (5..=10).map(|number| inference(number, scope)).collect();
            hooks.push(Box::new(TooFewCells::new(best.incumbent().clone())));
            hooks.push(Box::new(EnoughBunkers::new(best.incumbent().clone())));
            hooks
        })?;
    }
    Ok(total)
}

fn bounds(board: &FireNetBoard, budget: Budget) -> Result<Coverage, Violation> {
    let objective = Objective::maximise(placed);
    let limits = Limits::new().nodes(budget.nodes);
    let audit = Audit::of_best(board, &objective).best_below(best_below).show(draw).limits(limits);
    let bound_at_state = |bound: BoundKind| {
        move |board: &FireNetBoard, state: &State| {
            let mut state = state.clone();
            state.exclude_passed(board);
            bound.at(board, &state)
        }
    };
    let audit = BoundKind::ALL
        .into_iter()
        .fold(audit, |audit, bound| audit.monotone_bound(bound.to_string(), bound_at_state(bound)));
    let mut total = audit.run()?;
    for bound in BoundKind::ALL {
        total += with_hooks(board, budget, |best| {
            vec![Box::new(UpperBound::new(bound, best.incumbent().clone()))]
        })?;
    }
    Ok(total)
}

/// Audits pruning 1 on the tree of a program that has no candidate list but scans rows and columns:
/// the list contains every cell that may be chosen, and determines the possible placements.
fn listed(board: &FireNetBoard, budget: Budget) -> Result<Coverage, Violation> {
    let list = hook::admit(
        "1: a list",
        Effect::Preserving,
        |node: &Node<'_, FireNetBoard>, choice: &Choice| match *choice {
            Choice::Next(cell) => Verdict::keep_if(node.state().is_candidate(cell)),
            _ => Verdict::Keep,
        },
    );
    Audit::of_count(board)
        .brancher(|| Scan)
        .show(draw)
        .limits(Limits::new().nodes(budget.nodes))
        .nodes(budget.nodes)
        .share(budget.share.0, budget.share.1)
        .key("1: all is in the list", |board, state| {
            let mut state = state.clone();
            state.exclude_passed(board);
            let mut list = vec![0_u64; board.cells().div_ceil(64)];
            for cell in (0..board.cells()).filter(|&cell| state.is_candidate(cell)) {
                list[cell / 64] |= 1 << (cell % 64);
            }
            list
        })
        .hook(list)
        .run()
}

/// Audits pruning 2 on the tree with all orders: the increasing order must keep a best placement.
/// On large boards an unaudited bound shortens the search.
fn increasing(board: &FireNetBoard, budget: Budget) -> Result<Coverage, Violation> {
    let objective = Objective::maximise(placed);
    let incumbent = objective.incumbent().clone();
    let given = board.bunkers().len();
    let increasing = hook::admit(
        "2: increasing",
        Effect::Representatives,
        move |node: &Node<'_, FireNetBoard>, choice: &Choice| {
            let last = node.state().bunkers()[given..].last();
            Verdict::prune_if(
                matches!((choice, last), (Choice::Place(cell), Some(last)) if cell < last),
            )
        },
    );
    let is_large = board.cells() > 16;
    Audit::of_best(board, &objective)
        .best_below(best_below)
        .show(draw)
        .nodes(if is_large { budget.nodes.saturating_mul(4) } else { budget.nodes })
        .share(budget.share.0, budget.share.1)
        .problem_hook(move || {
            is_large.then(|| UpperBound::new(BoundKind::Segments, incumbent.clone()))
        })
        .brancher(|| Cells { listed: true, increasing: false })
        .hook(increasing)
        .run()
}

/// A brancher that tries cells in increasing order. It scans the row and column of each cell for
/// bunkers, without a list of candidates.
struct Scan;

impl Scan {
    /// Returns the first cell from `from` on that may get a bunker.
    fn find(node: &Node<'_, FireNetBoard>, from: usize) -> Option<usize> {
        let (board, bunkers) = (node.problem(), node.state().bunkers());
        let columns = board.columns();
        let is_free = |&cell: &usize| {
            let (row, column) = (cell / columns, cell % columns);
            let mut directions = [
                (0..column).rev().map(|column| (row, column)).collect::<Vec<_>>(),
                (column + 1..columns).map(|column| (row, column)).collect(),
                (0..row).rev().map(|row| (row, column)).collect(),
                (row + 1..board.rows()).map(|row| (row, column)).collect(),
            ]
            .into_iter();
            let sees_bunker = |direction: Vec<(usize, usize)>| {
                let cells = direction.into_iter().map(|(row, column)| board.cell(row, column));
                cells.take_while(|&cell| !board.is_wall(cell)).any(|cell| bunkers.contains(&cell))
            };
            !board.is_wall(cell) && !bunkers.contains(&cell) && !directions.any(sees_bunker)
        };
        (from..board.cells()).find(is_free)
    }
}

impl Brancher<FireNetBoard> for Scan {
    type Cursor = usize;

    fn branch(&mut self, node: &Node<'_, FireNetBoard>) -> Branch<usize> {
        match node.path().last() {
            Some(Choice::Next(cell)) => Branch::SolutionInner(cell + 1),
            _ => Branch::SolutionInner(0),
        }
    }

    fn next(&mut self, node: &Node<'_, FireNetBoard>, cursor: &mut usize) -> Option<Choice> {
        let cell = Scan::find(node, *cursor)?;
        *cursor = cell + 1;
        Some(Choice::Next(cell))
    }
}

fn on_boards(
    sample: Sample<'_>,
    audit: impl Fn(&FireNetBoard, Budget) -> Result<Coverage, Violation>,
) -> Result<Coverage, Finding> {
    let sizes =
        (1..=sample.small).flat_map(|rows| (1..=sample.small).map(move |columns| (rows, columns)));
    let small = sizes.flat_map(|(rows, columns)| boards::all(rows, columns));
    let random = boards::random(sample.boards, sample.size, sample.seed);
    audit_on(sample, small, random, boards::smaller, FireNetBoard::to_string, |board, nodes| {
        audit(board, Budget { nodes, share: (sample.share, sample.seed) })
    })
}

pub fn sound() -> Vec<Item> {
    let item = |(name, description, check): (&'static str, &'static str, Check)| {
        Item::new(name, description, move |sample| on_boards(sample, check))
    };
    SOUND.into_iter().map(item).collect()
}

pub fn unsound() -> Vec<Item> {
    let item = |(name, description): (&'static str, &'static str)| {
        Item::new(name, description, move |sample| {
            on_boards(sample, |board, budget| match wrong(name) {
                Some(hook) => alone(board, budget, hook),
                None => Ok(Coverage::default()),
            })
        })
    };
    WRONG.into_iter().map(item).collect()
}
