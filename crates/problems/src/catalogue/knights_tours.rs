//! Closed knight's tours, counted by meeting in the middle: [`KnightsTours`].

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::graph::Graph;
use secateurs::plug::SweepProgress;
use secateurs::plug::meet_in_the_middle::{MeetInTheMiddle, MeetSplit};
use secateurs::{Count, Limits, Outcome, Search, Successors};

use crate::InstanceError;
use crate::knights_tour::{NoTour, TourBoard, existence};

/// The count of the closed knight's tours of a board.
///
/// A tour is a cycle of knight's moves through all squares. It counts once, whatever its start and
/// direction: the 8×8 board has 13 267 364 410 532 (McKay, 1997).
///
/// ```
/// use secateurs_problems::catalogue::KnightsTours;
/// use secateurs_problems::knights_tour::TourBoard;
///
/// let tours = KnightsTours::new(TourBoard::new(6, 6)?)?;
/// assert_eq!(tours.count().exact(), Some(9862));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Method
///
/// The lower half of the board is the mirror image of the upper half, so it suffices to sweep down
/// to the middle.
///
/// ```text
/// row 1   · · · · · · · ·  ┐
/// row 2   · · · · · · · ·  │ inner vertices of the near half, pushed row by row
/// row 3   · · · · · · · ·  ┘
/// row 4   o o o o o o o o  ┐ boundary: reached from both halves, since a knight jumps as far as
/// row 5   o o o o o o o o  ┘ the second row
/// row 6   · · · · · · · ·  ┐
/// row 7   · · · · · · · ·  │ inner vertices of the far half: the image
/// row 8   · · · · · · · ·  ┘
/// ```
///
/// This file adds to [`plug::meet_in_the_middle`](secateurs::plug::meet_in_the_middle) only the
/// [`split`](KnightsTours::split): the graph, the image, the order, and the moves between the two
/// middle rows that belong to the near half. Any choice of one of each move and its image gives the
/// same count. In the left half of the board, the choice made here is the move from the edge of the
/// upper row to the right, and all other moves from the upper row to the left. The right half
/// mirrors it, so that on boards of even width, states that mirror each other count as one. On 8×8
/// this leaves 31 million states in the last layer; with all of these moves to the left there are
/// 58 million.
///
/// # Boards
///
/// One side must be even, otherwise there is no tour; by a theorem of Schwenk
/// ([`existence::closed`]) this and every other board without a tour is known at once. The number
/// of rows is an even side, the longer one if both are even. Time and memory grow by a factor of 10
/// or more with the other side: 8×7 takes 3 seconds of processor time, 8×8 takes 45 seconds and 1.2
/// GB. From 10 columns on, a state does not fit into its word, and [`count`](KnightsTours::count)
/// stops with [`Stop::StateTooWide`](secateurs::Stop::StateTooWide).
#[must_use = "nothing is counted until `count` is called"]
pub struct KnightsTours<'a> {
    /// The split of the board, or the reason why there is no tour.
    split: Result<MeetSplit, NoTour>,
    limits: Limits,
    threads: usize,
    watcher: Option<Watcher<'a>>,
}

/// An interval and a progress callback.
type Watcher<'a> = (Duration, Box<dyn FnMut(&SweepProgress) + Send + 'a>);

impl<'a> KnightsTours<'a> {
    /// The maximal number of squares of a board that has tours. Larger boards could not be counted
    /// anyway: the count exceeds 2¹²⁸, or a state does not fit into its word.
    pub const MAX_SQUARES: usize = 1 << 12;

    /// Creates the count of the tours of a board.
    ///
    /// # Errors
    ///
    /// Returns an [`InstanceError`] if the board has tours and more than
    /// [`MAX_SQUARES`](Self::MAX_SQUARES) squares.
    pub fn new(board: TourBoard) -> Result<Self, InstanceError> {
        let (rows, columns) = (board.rows(), board.columns());
        let split = match existence::closed(rows, columns) {
            Err(reason) => Err(reason),
            Ok(()) if board.len() > Self::MAX_SQUARES => {
                return Err(InstanceError::new(format!(
                    "found a board of {} squares, expected at most {} to count its tours",
                    board.len(),
                    Self::MAX_SQUARES
                )));
            }
            Ok(()) => {
                // A board with a tour has an even side.
                let is_transposed = rows % 2 == 1 || (columns % 2 == 0 && columns > rows);
                let (rows, columns) = if is_transposed { (columns, rows) } else { (rows, columns) };
                Ok(split(rows, columns).expect("a board is symmetric to itself upside down"))
            }
        };
        Ok(KnightsTours { split, limits: Limits::new(), threads: 1, watcher: None })
    }

    /// Returns the split of the board into two halves.
    ///
    /// # Errors
    ///
    /// Returns the reason if there is no tour.
    pub fn split(&self) -> Result<&MeetSplit, NoTour> {
        self.split.as_ref().map_err(|&reason| reason)
    }

    /// Sets the [limits](MeetInTheMiddle::limits).
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of threads, 1 by default. 0 stands for the number of threads that the
    /// machine runs in parallel.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Calls `callback` [at about this interval](MeetInTheMiddle::progress).
    pub fn progress(
        mut self,
        every: Duration,
        callback: impl FnMut(&SweepProgress) + Send + 'a,
    ) -> Self {
        self.watcher = Some((every, Box::new(callback)));
        self
    }

    /// Counts the tours exactly. A count of 2¹²⁸ or more stops with
    /// [`Stop::CountOverflow`](secateurs::Stop::CountOverflow). Somewhat smaller counts may stop as
    /// well, because the number of all pairs of halves that meet, whether they match or not, must
    /// not overflow.
    // Inlined so that only crates that use it compile its sweeps.
    #[inline]
    pub fn count(self) -> Outcome<Count> {
        let Ok(split) = &self.split else { return no_tours() };
        let meeting: MeetInTheMiddle<'_> = split.cycles().limits(self.limits).threads(self.threads);
        match self.watcher {
            Some((every, callback)) => meeting.progress(every, callback).count(),
            None => meeting.count(),
        }
    }
}

impl fmt::Debug for KnightsTours<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("KnightsTours");
        debug
            .field("split", &self.split)
            .field("limits", &self.limits)
            .field("threads", &self.threads);
        debug.finish_non_exhaustive()
    }
}

/// Returns the outcome for a board without tours, by Schwenk's theorem: that of a search of a tree
/// without a solution.
fn no_tours() -> Outcome<Count> {
    Search::new(&Successors::new((), |()| false, |()| None)).count()
}

/// Splits a board with an even number of rows, at least 4. No error occurs, because the board is
/// symmetric.
fn split(rows: usize, columns: usize) -> Result<MeetSplit, Box<dyn Error>> {
    let square = |row: usize, column: usize| row * columns + column;
    let squares = rows * columns;
    let upside_down: Vec<usize> =
        (0..squares).map(|at| square(rows - 1 - at / columns, at % columns)).collect();
    let mirrored: Vec<usize> =
        (0..squares).map(|at| square(at / columns, columns - 1 - at % columns)).collect();
    let (upper, lower) = (rows / 2 - 1, rows / 2);
    // A move between the middle rows leads two columns to one side.
    let pairs = columns.saturating_sub(2);
    let mut middle: Vec<Vec<(usize, usize)>> = (0..pairs / 2)
        .map(|column| {
            let (from, to) = match column {
                0 => (square(upper, 0), square(lower, 2)),
                _ => (square(upper, column + 2), square(lower, column)),
            };
            vec![(from, to), (mirrored[from], mirrored[to])]
        })
        .collect();
    if pairs % 2 == 1 {
        // Two moves cross in the middle. Each is the image of the other and also its mirror image.
        middle.push(vec![(square(upper, pairs / 2), square(lower, pairs / 2 + 2))]);
    }
    let order: Vec<usize> = (0..square(upper, 0)).collect();
    let split = MeetSplit::new(Graph::knight(rows, columns)?.edges(), &upside_down, &order)?
        .with_middle(middle)?;
    Ok(if pairs.is_multiple_of(2) { split.with_mirror(&mirrored)? } else { split })
}
