//! The bundled comparison of the ten prunings of fire-net.

use crate::lab::{Compare, Contender, Reference};
use crate::problems::fire_net::{FireNetBoard, FireNetPrunings, FireNetSettings, maximum_matching};

/// The meaning of the numbers of the prunings.
const NOTE: &str = "The prunings: 1 candidates from a list, 2 cells in increasing order, \
    3 too few cells left, 4 as many bunkers as segments, 5 a segment with one candidate, \
    6 a rectangle walled on four sides, 7 to 9 on three, 8 and 10 on two.";

/// The name of the source of [`NODES`].
const SOURCE: &str = "known";

/// Known node counts of the trees that the article's programs search: the rows of a board, or the
/// side of an empty one, and the nodes without prunings, and with prunings 1–2, 1–3, 1–4 and 1–5.
/// The article itself has no node counts. From the empty 5×5 board on, large counts are known to
/// three digits.
const NODES: [(&str, [f64; 5]); 6] = [
    (".X..\n....\nXX..\n....", [1844.0, 175.0, 111.0, 6.0, 3.0]),
    ("4", [1313.0, 209.0, 146.0, 5.0, 5.0]),
    ("5", [32.8e3, 1546.0, 1060.0, 6.0, 6.0]),
    ("6", [1.18e6, 13.3e3, 9297.0, 7.0, 7.0]),
    ("7", [57.9e6, 131e3, 93.3e3, 8.0, 8.0]),
    ("8", [3.71e9, 1.44e6, 1.05e6, 9.0, 9.0]),
];

/// Returns the boards of [`NODES`] with their node counts.
fn known_boards() -> impl Iterator<Item = (FireNetBoard, [f64; 5])> {
    NODES.into_iter().map(|(text, nodes)| {
        let board = match text.parse() {
            Ok(side) => FireNetBoard::empty(side, side),
            Err(_) => {
                let rows: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
                FireNetBoard::new(rows.len(), rows[0].len(), |row, column| {
                    rows[row][column] == b'X'
                })
            }
        };
        (board, nodes)
    })
}

/// Returns the boards with known node counts that have at most `side` rows: the sample board, and
/// the empty boards from 4×4 to 8×8.
pub fn article_boards(side: usize) -> impl Iterator<Item = (String, FireNetBoard)> {
    let named = known_boards().enumerate().map(|(index, (board, _))| match index {
        0 => ("sample".to_owned(), board),
        _ => (format!("empty {0}×{0}", board.rows()), board),
    });
    named.filter(move |(_, board)| board.rows() <= side)
}

/// Compares sets of the ten prunings of the article's program (wisewin 2006), with known node
/// counts as references. For the cumulative comparison, take the sets from
/// [`selections`](super::selections) with [`Plan::Cumulative`](crate::lab::Plan::Cumulative).
///
/// A node is a call of the article's `Find`. If a limit is reached, the estimate is that of a
/// search that knows the optimum from the start. Without prunings 3 and 4 this is the same tree.
/// With them, a search that has to find the optimum visits a larger tree, sometimes many times as
/// large, so the estimate gives a lower bound. If pruning 4 ends a search right after it has found
/// the optimum, the bound is below the number of visited nodes and is discarded.
///
/// See the [module](super) for an example.
pub fn fire_net(
    boards: impl IntoIterator<Item = (impl Into<String>, FireNetBoard)>,
    sets: impl IntoIterator<Item = FireNetPrunings>,
) -> Compare<'static, FireNetBoard> {
    let boards: Vec<(String, FireNetBoard)> =
        boards.into_iter().map(|(name, board)| (name.into(), board)).collect();
    let known: Vec<(String, [f64; 5])> = boards
        .iter()
        .filter_map(|(name, board)| {
            known_boards().find(|(known, _)| known == board).map(|(_, nodes)| (name.clone(), nodes))
        })
        .collect();
    let contenders = sets.into_iter().map(move |set| {
        let settings = FireNetSettings::article(set);
        let estimated = settings.clone();
        let contender = Contender::new(set.to_string(), move |board: &FireNetBoard, limits| {
            settings.clone().limits(limits).solve(board)
        })
        .estimated_for_optimum(move |board, probes, seed| {
            estimated.estimate(board, Some(maximum_matching(board).len()), probes, seed)
        });
        let column =
            [0, 2, 3, 4, 5].into_iter().position(|last| set == FireNetPrunings::of(1..=last));
        match column.filter(|_| !known.is_empty()) {
            Some(column) => {
                let nodes = known.iter().map(|(name, nodes)| (name.clone(), nodes[column]));
                contender.reference(Reference::nodes(SOURCE, nodes))
            }
            None => contender,
        }
    });
    let contenders: Vec<_> = contenders.collect();
    Compare::over(boards)
        .title("Fire-net: the article's prunings")
        .note(NOTE)
        .contenders(contenders)
}
