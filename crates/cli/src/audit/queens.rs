//! Audits of symmetries and keys of n-queens, on empty boards and on boards with given queens.

use secateurs::hook::{LexLeader, Memo, Permutation, SymmetryGroup};
use secateurs::{Effect, Hook, Limits, Node, Verdict, hook};
use secateurs_lab::{Audit, Coverage, Violation};
use secateurs_problems::queens::{LookBackQueens, Queens, QueensBoard, RowByRow};

use super::boards;
use super::items::{Finding, Item, Sample, audit_on};

fn draw(queens: &LookBackQueens, columns: &[usize]) -> String {
    let row = |row: usize| {
        let symbol = |column| match columns.get(row) {
            Some(&queen) if queen == column => 'Q',
            None if queens.given().contains(&(row, column)) => 'G',
            _ => '.',
        };
        (0..queens.size()).map(symbol).collect::<String>()
    };
    (0..queens.size()).map(row).collect::<Vec<_>>().join("\n")
}

/// Audits empty boards of all sizes, and then random ones with given queens.
fn on_boards(
    sample: Sample<'_>,
    audit: impl Fn(Audit<'_, LookBackQueens>, &LookBackQueens) -> Result<Coverage, Violation>,
) -> Result<Coverage, Finding> {
    let small = (1..=sample.small).filter_map(|size| QueensBoard::new(size).ok());
    let random = (0..sample.boards).filter_map(|index| {
        QueensBoard::random(
            1 + index as usize % sample.size.max(1),
            1 + index as usize / 3 % 3,
            sample.seed.wrapping_add(index),
        )
        .ok()
    });
    let smaller = |board: &QueensBoard| {
        let size = if board.queens().is_empty() { board.size().saturating_sub(1) } else { 0 };
        let without_last_queen = board.queens().len().checked_sub(1).and_then(|count| {
            let empty = QueensBoard::new(board.size()).ok()?;
            board.queens()[..count]
                .iter()
                .try_fold(empty, |board, &(row, column)| board.with_queen(row, column).ok())
        });
        let smaller_board = (size > 0).then(|| QueensBoard::new(size).ok()).flatten();
        without_last_queen.into_iter().chain(smaller_board)
    };
    let show = |board: &QueensBoard| draw(&board.lookback(), &[]);
    audit_on(sample, small, random, smaller, show, |board, nodes| {
        let queens = board.lookback();
        let limits = Limits::new().nodes(nodes);
        let base = Audit::of_count(&queens).show(|queens, columns| draw(queens, columns));
        audit(base.limits(limits).share(sample.share, sample.seed), &queens)
    })
}

/// Audits a hook that keeps representatives under the first `symmetries` symmetries of the square.
/// `hook` returns `None` for a board on which there is nothing to audit.
fn symmetric<H: Hook<LookBackQueens> + 'static>(
    sample: Sample<'_>,
    symmetries: u8,
    hook: impl Fn(&LookBackQueens) -> Option<H>,
) -> Result<Coverage, Finding> {
    on_boards(sample, |audit, queens| {
        let orbit = move |queens: &LookBackQueens, columns: &Vec<usize>| {
            boards::least_image(queens, columns, symmetries)
        };
        hook(queens).map_or(Ok(Coverage::default()), |hook| audit.orbits(orbit).hook(hook).run())
    })
}

/// Returns the columns and diagonals that attack squares of later rows. Diagonals are given by
/// their column in the next row.
#[allow(clippy::ptr_arg, reason = "the state type is a vector")]
fn attacked(_: &LookBackQueens, queens: &Vec<usize>) -> (usize, Vec<[isize; 3]>) {
    let rows = queens.iter().rev().zip(1..);
    let mut lines: Vec<[isize; 3]> = rows
        .map(|(&column, rows)| [column as isize, column as isize + rows, column as isize - rows])
        .collect();
    lines.sort_unstable();
    (queens.len(), lines)
}

#[allow(clippy::ptr_arg, reason = "the state type is a vector")]
fn columns(_: &LookBackQueens, queens: &Vec<usize>) -> Vec<usize> {
    let mut columns = queens.clone();
    columns.sort_unstable();
    columns
}

pub fn sound() -> Vec<Item> {
    vec![
        Item::new("mirror", "one of each pair of mirror images, counted twice", |sample| {
            symmetric(sample, 2, |_| Some(Queens::mirror()))
        }),
        Item::new(
            "lex-leader",
            "one solution of each orbit of the square's symmetries",
            |sample| symmetric(sample, 8, |queens| Queens::lex_leader(queens).ok()),
        ),
        Item::new("memo", "squares attacked as before have as many solutions below", |sample| {
            on_boards(sample, |audit, _| {
                audit.key("attacked", attacked).hook(Memo::counted("attacked", attacked)).run()
            })
        }),
    ]
}

pub fn unsound() -> Vec<Item> {
    vec![
        Item::new("half", "a mirror that ignores the middle column of odd sizes", |sample| {
            symmetric(sample, 2, |queens| {
                let half = queens.size() / 2;
                Some(hook::admit(
                    "half",
                    Effect::Representatives,
                    move |node: &Node<'_, LookBackQueens>, &column| {
                        Verdict::prune_if(
                            node.depth() == 0
                                && node.problem().given().is_empty()
                                && column >= half,
                        )
                    },
                ))
            })
        }),
        Item::new(
            "shift",
            "a lex leader of a cyclic shift of columns, which is no symmetry",
            |sample| {
                symmetric(sample, 8, |queens| {
                    let size = queens.size();
                    let shift =
                        Permutation::new(size, size, |row, column| (row, (column + 1) % size))
                            .ok()?;
                    let group = SymmetryGroup::generate(size, size, &[shift], size).ok()?;
                    Some(
                        LexLeader::new(group, |_: &LookBackQueens, path, &column| {
                            (path.len(), column)
                        })
                        .named("shift"),
                    )
                })
            },
        ),
        Item::new("columns", "a memo whose key lacks the diagonals", |sample| {
            on_boards(sample, |audit, _| audit.hook(Memo::counted("columns", columns)).run())
        }),
    ]
}
