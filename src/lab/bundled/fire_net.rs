//! Fire-net: what the article's ten prunings save, one after the other.

use crate::lab::{Compare, Contender, Reference};
use crate::problems::fire_net::{FireNetBoard, FireNetSettings, Prunings, maximum_matching};

/// What the numbers of the prunings mean.
const NOTE: &str = "The prunings: 1 candidates from a list, 2 cells in increasing order, 3 too few cells left, 4 as many bunkers as \
    segments, 5 a segment with one candidate, 6 a rectangle walled on four sides, 7 to 9 on three, 8 and 10 on two.";

/// Where [`NODES`] come from.
const SOURCE: &str = "known";

/// Known numbers of nodes of the trees that the article's programs search: the walls of the board's
/// rows, and then the nodes without prunings, and with 1 and 2, 1 to 3, 1 to 4, 1 to 5. The article
/// has no such numbers. From the empty 5×5 board on, large ones are known to three digits.
const NODES: [(&str, [f64; 5]); 6] = [
    (".X..\n....\nXX..\n....", [1844.0, 175.0, 111.0, 6.0, 3.0]),
    ("4", [1313.0, 209.0, 146.0, 5.0, 5.0]),
    ("5", [32.8e3, 1546.0, 1060.0, 6.0, 6.0]),
    ("6", [1.18e6, 13.3e3, 9297.0, 7.0, 7.0]),
    ("7", [57.9e6, 131e3, 93.3e3, 8.0, 8.0]),
    ("8", [3.71e9, 1.44e6, 1.05e6, 9.0, 9.0]),
];

/// The boards of [`NODES`].
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

/// The boards of which the numbers of nodes of the article's programs are known, as far as they
/// have at most `side` rows: the sample, and the empty boards from 4×4 to 8×8.
pub fn article_boards(side: usize) -> impl Iterator<Item = (String, FireNetBoard)> {
    let named = known_boards().enumerate().map(|(index, (board, _))| match index {
        0 => ("sample".to_owned(), board),
        _ => (format!("empty {0}×{0}", board.rows()), board),
    });
    named.filter(move |(_, board)| board.rows() <= side)
}

/// Sets of the ten prunings of the article's program (wisewin 2006) on boards, beside the numbers
/// of nodes of its trees where these are known: cumulative if the sets are those of
/// [`selections`](super::selections) by [`Plan::Cumulative`](crate::lab::Plan::Cumulative). The
/// article itself has no numbers of nodes.
///
/// A node is a call of the article's `Find`. What is estimated, where a limit is reached, is the
/// tree of a search that knows the optimum from the beginning. Without prunings 3 and 4 it is the
/// same tree. With them, the tree of a search that has to find the optimum is larger, at times many
/// times as large: the estimate gives a lower bound. Where pruning 4 ends a search as soon as it
/// has found the optimum, the bound is below what was visited, and is left out.
///
/// See the [module](super) for an example.
pub fn fire_net(
    boards: impl IntoIterator<Item = (impl Into<String>, FireNetBoard)>,
    sets: impl IntoIterator<Item = Prunings>,
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
        let column = [0, 2, 3, 4, 5].into_iter().position(|last| set == Prunings::of(1..=last));
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
