//! Closed knight's tours: meet in the middle.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::hook::Effect;
use crate::limits::{Limits, Stop};
use crate::outcome::{Count, Outcome};
use crate::plug::SweepProgress;
use crate::plug::graph::Graph;
use crate::plug::meet::{Meeting, Split};
use crate::problems::knights_tour::{NoTour, TourBoard, existence};
use crate::report::{Level, Report};

/// The closed knight's tours of a board, to be counted.
///
/// A tour is a cycle through all squares that makes knight's moves. It counts once, whichever its
/// start and its direction: the 8×8 board has 13 267 364 410 532 (McKay, 1997).
///
/// ```
/// use secateurs::problems::catalogue::KnightsTours;
/// use secateurs::problems::knights_tour::TourBoard;
///
/// let tours = KnightsTours::new(TourBoard::new(6, 6)?)?;
/// assert_eq!(tours.count().exact(), Some(9862));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # How
///
/// It is enough to sweep down to the middle, for the lower half of the board is the upper one
/// turned over.
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
/// All that this file adds to [`plug::meet`](crate::plug::meet) is the
/// [`split`](KnightsTours::split): the graph, the image, the order, and which moves between the two
/// middle rows belong to the near half. Any half of these moves that is its own mirror image gives
/// the same count. The one taken here has, on the left, the move from the edge of the upper row to
/// the right, and of the others those from the upper row to the left. On 8×8 that leaves 31 million
/// states in the last layer; with all of them to the left there are 58 million.
///
/// # Which boards
///
/// A side must be even, or there is no tour; by a theorem of Schwenk's ([`existence::closed`]) this
/// and every other board without a tour is known at once. An even side stands upright, the longer
/// one if both are even. Time and memory grow by a factor of 10 or more with the other side: 8×7
/// takes 3 seconds of processor time, 8×8 takes 45 and 1.2 GB. From 10 on, a state does not fit its
/// word, and [`count`](KnightsTours::count) stops with [`Stop::StateTooWide`].
#[must_use = "nothing is counted until `count` is called"]
pub struct KnightsTours<'a> {
    /// Or why there is no tour.
    split: Result<Split, NoTour>,
    limits: Limits,
    threads: usize,
    watcher: Option<Watcher<'a>>,
}

/// How often, and whom, to tell how it goes.
type Watcher<'a> = (Duration, Box<dyn FnMut(&SweepProgress) + Send + 'a>);

impl<'a> KnightsTours<'a> {
    /// The tours of boards of more squares are not counted: either there are none, or more than
    /// 2¹²⁸, or a state does not fit.
    pub const MAX_SQUARES: usize = 1 << 12;

    /// The tours of a board.
    ///
    /// # Errors
    /// [`TooManySquares`] if there are tours on a board of more than
    /// [`MAX_SQUARES`](Self::MAX_SQUARES).
    pub fn new(board: TourBoard) -> Result<Self, TooManySquares> {
        let (rows, columns) = (board.rows(), board.columns());
        let split = match existence::closed(rows, columns) {
            Err(reason) => Err(reason),
            Ok(()) if board.len() > Self::MAX_SQUARES => {
                return Err(TooManySquares { squares: board.len() });
            }
            Ok(()) => {
                // There is a tour, and so one side is even.
                let is_lying = rows % 2 == 1 || (columns % 2 == 0 && columns > rows);
                let (rows, columns) = if is_lying { (columns, rows) } else { (rows, columns) };
                Ok(split(rows, columns).expect("a board turned over is the same board"))
            }
        };
        Ok(KnightsTours { split, limits: Limits::new(), threads: 1, watcher: None })
    }

    /// How the board is split in two.
    ///
    /// # Errors
    /// The reason why there is no tour, if there is none.
    pub fn split(&self) -> Result<&Split, NoTour> {
        self.split.as_ref().map_err(|&reason| reason)
    }

    /// Stops at the given [limits](Meeting::limits).
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Counts in so many threads (0 counts as 1).
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Calls `callback` [about every so often](Meeting::progress).
    pub fn progress(
        mut self,
        every: Duration,
        callback: impl FnMut(&SweepProgress) + Send + 'a,
    ) -> Self {
        self.watcher = Some((every, Box::new(callback)));
        self
    }

    /// How many tours there are, exactly; 2¹²⁸ or more end it with [`Stop::CountOverflow`], and so
    /// may somewhat fewer, since it is the ways of the two halves to meet, whether they fit or not,
    /// that must not overflow.
    // Inlined so that its sweeps are compiled only for those who call it.
    #[inline]
    pub fn count(self) -> Outcome<Count> {
        let Ok(split) = &self.split else { return none() };
        let meeting: Meeting<'_> = split.cycles().limits(self.limits).threads(self.threads);
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

/// The proof that there are none is Schwenk's: the outcome of no work.
fn none() -> Outcome<Count> {
    let effect = (Effect::Preserving, Vec::new());
    let report = Report::new(
        Stop::Exhausted,
        effect,
        vec![Level::ZERO],
        Vec::new(),
        Vec::new(),
        0,
        Duration::ZERO,
    );
    Outcome::new(Count::swept(0), report)
}

/// Splits a board with an even number of rows, at least 4. No error is to be expected: a board
/// turned over is the same board.
fn split(rows: usize, columns: usize) -> Result<Split, Box<dyn Error>> {
    let square = |row: usize, column: usize| row * columns + column;
    let squares = rows * columns;
    let turned: Vec<usize> =
        (0..squares).map(|at| square(rows - 1 - at / columns, at % columns)).collect();
    let mirrored: Vec<usize> =
        (0..squares).map(|at| square(at / columns, columns - 1 - at % columns)).collect();
    let (upper, lower) = (rows / 2 - 1, rows / 2);
    let pairs = columns.saturating_sub(2);
    let mut middle: Vec<Vec<(usize, usize)>> = (0..pairs / 2)
        .map(|left| {
            let (a, b) = match left {
                0 => (square(upper, 0), square(lower, 2)),
                _ => (square(upper, left + 2), square(lower, left)),
            };
            vec![(a, b), (mirrored[a], mirrored[b])]
        })
        .collect();
    if pairs % 2 == 1 {
        // Of the two moves that cross in the middle, each is the image of the other, and its mirror
        // image as well.
        middle.push(vec![(square(upper, pairs / 2), square(lower, pairs / 2 + 2))]);
    }
    let order: Vec<usize> = (0..square(upper, 0)).collect();
    let split = Split::new(&Graph::knight(rows, columns)?, &turned, &order)?.with_middle(middle)?;
    Ok(if pairs.is_multiple_of(2) { split.with_mirror(&mirrored)? } else { split })
}

/// A board on which there are tours, but which has more squares than [`KnightsTours::MAX_SQUARES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TooManySquares {
    /// The squares of the board.
    pub squares: usize,
}

impl fmt::Display for TooManySquares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = KnightsTours::MAX_SQUARES;
        write!(
            f,
            "a board of {} squares, expected at most {most} to count the tours of",
            self.squares
        )
    }
}

impl Error for TooManySquares {}
