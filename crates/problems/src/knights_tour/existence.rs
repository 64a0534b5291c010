//! The existence of tours, decided without a search.
//!
//! Schwenk (*Which rectangular chessboards have a knight's tour?*, 1991) characterises the boards
//! with closed tours, Chia and Ong (*Generalized knight's tours on rectangular chessboards*, 2005)
//! those with an open tour from *some* start. For a given start of an open tour, [`open_from`] adds
//! two simple arguments, which do not exclude every start without a tour: a search must decide the
//! others.

use std::error::Error;
use std::fmt;

use super::board::{Square, TourBoard};

/// A reason why there is no tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoTour {
    /// Both sides are odd: a closed tour has as many dark squares as light ones.
    OddClosed,
    /// A side of 1 or 2, on which a knight cannot visit every square.
    Narrow {
        /// The shorter side.
        side: usize,
    },
    /// A closed tour with a side of 4.
    FourClosed,
    /// One of the few small boards without a tour that the other reasons do not exclude.
    Exceptional {
        /// Whether a closed tour was requested.
        closed: bool,
        /// The shorter side.
        short: usize,
        /// The longer side.
        long: usize,
    },
    /// Both sides are odd, and the start does not have the colour of the corners.
    StartColour,
    /// An open tour of a board with four rows, from one of the two inner rows, or the same for
    /// columns.
    InnerStart,
    /// A search of the whole tree has found no tour from this start.
    Searched {
        /// The number of nodes visited.
        nodes: u64,
    },
}

impl fmt::Display for NoTour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NoTour::OddClosed => {
                f.write_str("both sides odd, closed tours alternate colours (Schwenk 1991)")
            }
            NoTour::Narrow { side } => write!(
                f,
                "a side of {side} is too narrow for a knight to visit every square \
                 (Chia and Ong 2005)"
            ),
            NoTour::FourClosed => f.write_str(
                "a side of 4: the squares of the two outer lines and those of the two inner lines \
                 would alternate in a closed tour, just as the colours do (Schwenk 1991)",
            ),
            NoTour::Exceptional { closed: true, short, long } => write!(
                f,
                "{short}×{long} is one of the small boards without a closed tour (Schwenk 1991)"
            ),
            NoTour::Exceptional { closed: false, short, long } => write!(
                f,
                "{short}×{long} is one of the small boards without a tour (Chia and Ong 2005)"
            ),
            NoTour::StartColour => f.write_str(
                "both sides odd, so there is one square more of the corner colour: the start must \
                 have it",
            ),
            NoTour::InnerStart => f.write_str(
                "a side of 4: an open tour must start and end on the two outer lines of that side",
            ),
            NoTour::Searched { nodes } => write!(
                f,
                "the whole tree was searched from this start ({nodes} nodes), and there is no tour \
                 in it"
            ),
        }
    }
}

impl Error for NoTour {}

/// Returns whether a board of these sides has a closed tour (Schwenk 1991).
///
/// # Errors
///
/// Returns the reason why it has none.
///
/// ```
/// use secateurs_problems::knights_tour::{NoTour, existence};
///
/// assert_eq!(existence::closed(8, 8), Ok(()));
/// assert_eq!(existence::closed(7, 7), Err(NoTour::OddClosed));
/// assert_eq!(existence::closed(100, 4), Err(NoTour::FourClosed));
/// ```
pub fn closed(rows: usize, columns: usize) -> Result<(), NoTour> {
    let (short, long) = (rows.min(columns), rows.max(columns));
    match (short, long) {
        _ if short % 2 == 1 && long % 2 == 1 => Err(NoTour::OddClosed),
        (0..=2, _) => Err(NoTour::Narrow { side: short }),
        (4, _) => Err(NoTour::FourClosed),
        (3, 4) => Err(NoTour::FourClosed),
        (3, 6 | 8) => Err(NoTour::Exceptional { closed: true, short, long }),
        _ => Ok(()),
    }
}

/// Returns whether a board of these sides has an open tour from some square (Chia and Ong 2005).
///
/// # Errors
///
/// Returns the reason why it has none.
///
/// ```
/// use secateurs_problems::knights_tour::{NoTour, existence};
///
/// assert_eq!(existence::open(3, 4), Ok(()));
/// assert_eq!(existence::open(2, 9), Err(NoTour::Narrow { side: 2 }));
/// let exceptional = NoTour::Exceptional { closed: false, short: 4, long: 4 };
/// assert_eq!(existence::open(4, 4), Err(exceptional));
/// ```
pub fn open(rows: usize, columns: usize) -> Result<(), NoTour> {
    let (short, long) = (rows.min(columns), rows.max(columns));
    match (short, long) {
        (1, 1) => Ok(()),
        (0..=2, _) => Err(NoTour::Narrow { side: short }),
        (3, 3 | 5 | 6) | (4, 4) => Err(NoTour::Exceptional { closed: false, short, long }),
        _ => Ok(()),
    }
}

/// Returns whether an open tour from `start` may exist. `Ok` does not guarantee that there is one.
///
/// - *Both sides odd*: there is one more square of the colour of the corners, so the tour starts
///   and ends on that colour.
/// - *A side of 4*: the tour starts and ends on the two outer ones of the four rows or columns, as
///   [`Parity`](super::Parity) proves.
///
/// # Errors
///
/// Returns the reason why there is no tour.
pub fn open_from(board: TourBoard, start: Square) -> Result<(), NoTour> {
    let (rows, columns) = (board.rows(), board.columns());
    open(rows, columns)?;
    if board.is_odd() && !board.is_dark(start) {
        return Err(NoTour::StartColour);
    }
    if is_inner(board, start) {
        return Err(NoTour::InnerStart);
    }
    Ok(())
}

/// Returns whether the board has four rows and the square lies on an inner one, or the same for
/// columns.
#[inline]
pub(super) fn is_inner(board: TourBoard, square: Square) -> bool {
    let inner = |at: usize| at == 1 || at == 2;
    (board.rows() == 4 && inner(board.row(square)))
        || (board.columns() == 4 && inner(board.column(square)))
}
