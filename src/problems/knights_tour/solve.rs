//! Finding a tour: a rule, bounded stepping back, and restarts.
//!
//! A rule such as Warnsdorff's leads to a tour with hardly a step back, or it makes a mistake early
//! on that a depth-first search would need the age of the universe to take back (heavy tails:
//! Gomes, Selman and Kautz 1998). So an attempt gets a number of nodes, a few times that of the
//! squares, and then the next one starts over, with the ties that the rule leaves taken at random.
//! As the prunings lose no tour, an attempt that comes to the end of its tree has proved that there
//! is none.

use std::time::Duration;

use super::board::{Board, BoardError, Square};
use super::existence::{self, NoTour};
use super::problem::KnightsTour;
use super::prunings::{DeadEnds, DisconnectedRest, OneExit, Parity};
use super::rule::Rule;
use super::tour::Tour;
use crate::brancher::Brancher;
use crate::clock::Instant;
use crate::limits::{Limits, Stop};
use crate::outcome::{Found, Outcome};
use crate::report::Report;
use crate::search::{Progress, Schedule, Search};

/// A search for one tour, being set up.
///
/// ```
/// use secateurs::problems::knights_tour::{Answer, Board, NoTour, Rule, TourSearch};
///
/// let board = Board::new(8, 8)?;
/// let solved = TourSearch::new(board).closed().starting_at(2, 3)?.rule(Rule::Successor).seed(1).solve();
/// let tour = solved.tour().expect("a chessboard has one");
/// assert!(tour.is_closed());
/// assert_eq!(tour.steps()[0], board.square(2, 3)?);
///
/// let solved = TourSearch::new(Board::new(5, 5)?).starting_at(0, 1)?.solve();
/// assert_eq!(solved.answer(), &Answer::None(NoTour::StartColour));
/// # Ok::<(), secateurs::problems::knights_tour::BoardError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a search does nothing until it is asked to solve"]
pub struct TourSearch {
    board: Board,
    closed: bool,
    start: Option<Square>,
    rule: Rule,
    seed: u64,
    nodes_a_square: u64,
    restarts: u32,
    limits: Limits,
}

/// What a search for a tour came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// A tour.
    Tour(Tour),
    /// It is proven that there is none, for this reason.
    None(NoTour),
    /// The search was stopped by a limit before it found a tour or proved that there is none.
    Unknown(Stop),
}

/// The answer of [`TourSearch::solve`], with what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    answer: Answer,
    report: Option<Report>,
    attempts: u32,
    nodes: u64,
}

impl Solved {
    /// The answer.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The tour, if one was found.
    #[must_use]
    pub fn tour(&self) -> Option<&Tour> {
        match &self.answer {
            Answer::Tour(tour) => Some(tour),
            _ => None,
        }
    }

    /// The account of the last attempt; `None` if the answer took no search.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// How often the search was started.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The nodes visited in all attempts.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// Tells of all attempts as of one search.
struct Teller<'w> {
    every: Duration,
    callback: &'w mut (dyn FnMut(&Progress) + Send),
    began: Instant,
    told: Instant,
    /// Nodes of the attempts that are over.
    nodes: u64,
}

impl<'w> Teller<'w> {
    fn new(every: Duration, callback: &'w mut (dyn FnMut(&Progress) + Send)) -> Self {
        let now = Instant::now();
        Teller { every, callback, began: now, told: now, nodes: 0 }
    }

    /// How the present attempt is going.
    fn tell(&mut self, progress: Progress) {
        self.told = Instant::now();
        let (nodes, elapsed) = (self.nodes + progress.nodes, self.told - self.began);
        (self.callback)(&Progress { nodes, elapsed, ..progress });
    }

    /// An attempt is over: most are sooner than they have told anything.
    fn add(&mut self, report: &Report) {
        self.nodes += report.nodes();
        if self.told.elapsed() >= self.every {
            let (solutions, elapsed) = (report.solutions(), report.elapsed());
            self.tell(Progress { nodes: 0, solutions, depth: 0, elapsed, fraction: None });
        }
    }
}

/// What the first attempt gets beside what its squares get, so that small trees are searched to the
/// end; later ones get multiples of it, by the schedule of Luby, Sinclair and Zuckerman.
const SMALL_TREE: u64 = 1000;

/// Up to this many squares, the connection of the rest is looked at at every node: it pays where
/// there is much stepping back, and takes as long again as a node does without it.
const CONNECTED_UP_TO: usize = 10_000;

impl TourSearch {
    /// A search for an open tour of `board` from any square, by the default rule.
    pub fn new(board: Board) -> Self {
        TourSearch {
            board,
            closed: false,
            start: None,
            rule: Rule::default(),
            seed: 0,
            nodes_a_square: 2,
            restarts: 10_000,
            limits: Limits::new(),
        }
    }

    /// A tour that ends a knight's move from where it starts.
    pub fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// A tour from the square in this row and column (from 0).
    ///
    /// # Errors
    ///
    /// [`BoardError::OffBoard`] if there is no such square.
    pub fn starting_at(mut self, row: usize, column: usize) -> Result<Self, BoardError> {
        self.start = Some(self.board.square(row, column)?);
        Ok(self)
    }

    /// Which move is tried first. Every fourth attempt takes one of all the rules in turn, for the
    /// case that this one is unlucky with the start.
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rule = rule;
        self
    }

    /// What the random choices are drawn from: the same answer for the same seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How many nodes an attempt may visit for each square of the board: at least 1, and 2 by
    /// default. That leaves as many for stepping back as for going forward. Beside them an attempt
    /// gets 1000, 1000, 2000, 1000, 1000, 2000, 4000 … nodes, so that on a small board the whole
    /// tree is searched in the end.
    pub fn nodes_a_square(mut self, nodes: u64) -> Self {
        self.nodes_a_square = nodes.max(1);
        self
    }

    /// How many attempts are made after the first, with random ties: 10,000 by default; of 0, the
    /// first is made alone.
    pub fn restarts(mut self, restarts: u32) -> Self {
        self.restarts = restarts;
        self
    }

    /// Stops the search at limits: nodes and time count over all attempts. A depth below that of
    /// the last square, one less than there are squares, leaves the answer unknown without a
    /// search.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Searches. Without a limit on nodes it gives up after 50 million of them, and 50 more for
    /// each square, if the restarts last as long.
    #[must_use]
    // Inlined so that its search is compiled only for those who call it.
    #[inline]
    pub fn solve(&self) -> Solved {
        self.solve_watched(None)
    }

    /// Searches as [`solve`](Self::solve) does, and calls `callback` about every so often with the
    /// nodes and the time of all attempts together. What share of them is done, nobody knows.
    ///
    /// ```
    /// use std::time::Duration;
    /// use secateurs::problems::knights_tour::{Board, TourSearch};
    ///
    /// let mut nodes = 0;
    /// let search = TourSearch::new(Board::new(8, 8)?);
    /// let solved = search.solve_with_progress(Duration::ZERO, |progress| {
    ///     assert!(progress.nodes >= nodes);
    ///     nodes = progress.nodes;
    /// });
    /// assert_eq!(solved.answer(), search.solve().answer());
    /// assert_eq!(nodes, solved.nodes());
    /// # Ok::<(), secateurs::problems::knights_tour::BoardError>(())
    /// ```
    #[must_use]
    pub fn solve_with_progress(
        &self,
        every: Duration,
        mut callback: impl FnMut(&Progress) + Send,
    ) -> Solved {
        self.solve_watched(Some(Teller::new(every, &mut callback)))
    }

    #[inline]
    fn solve_watched(&self, mut teller: Option<Teller<'_>>) -> Solved {
        if let Err(reason) = self.known() {
            return Solved { answer: Answer::None(reason), report: None, attempts: 0, nodes: 0 };
        }
        // The start is visited at the root.
        if self.limits.depth.is_some_and(|depth| depth < self.board.len() - 1) {
            return Solved {
                answer: Answer::Unknown(Stop::DepthLimit),
                report: None,
                attempts: 0,
                nodes: 0,
            };
        }
        let began = Instant::now();
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut last: Option<Report> = None;
        let mut nodes = 0;
        for (attempt, small) in (0..=self.restarts).zip(Schedule::luby(SMALL_TREE)) {
            let Some(limits) = self.limits_of(small, nodes, began) else {
                return Solved {
                    answer: Answer::Unknown(Stop::NodeLimit),
                    report: last,
                    attempts: attempt,
                    nodes,
                };
            };
            let problem = self.problem(attempt, &mut random);
            let (found, report) =
                self.attempt(&problem, attempt, &mut random, limits, teller.as_mut()).into_parts();
            nodes += report.nodes();
            if let Some(teller) = &mut teller {
                teller.add(&report);
            }
            let stop = report.stop();
            last = Some(report);
            let answer = match found {
                Found::Solution(squares) => match Tour::new(self.board, squares) {
                    Ok(tour) => Answer::Tour(match self.start {
                        Some(start) => tour.started_from(start),
                        None => tour,
                    }),
                    Err(error) => unreachable!("the search took a step that is none: {error}"),
                },
                Found::None if self.is_asked_for(&problem) => {
                    Answer::None(NoTour::Searched { nodes })
                }
                // The next attempt, from another square or with other ties.
                _ if stop == Stop::NodeLimit || stop == Stop::Exhausted => continue,
                _ => Answer::Unknown(stop),
            };
            return Solved { answer, report: last, attempts: attempt + 1, nodes };
        }
        Solved {
            answer: Answer::Unknown(Stop::NodeLimit),
            report: last,
            attempts: self.restarts.saturating_add(1),
            nodes,
        }
    }

    /// Whether an attempt looks for all that is asked for: an open tour of one start, or none that
    /// is closed, proves nothing of the others.
    fn is_asked_for(&self, problem: &KnightsTour) -> bool {
        problem.is_closed() == self.closed && (self.closed || self.start.is_some())
    }

    /// What is known without a search.
    fn known(&self) -> Result<(), NoTour> {
        match self.start {
            _ if self.closed => existence::closed(self.board.rows(), self.board.columns()),
            Some(start) => existence::open_from(self.board, start),
            None => existence::open(self.board.rows(), self.board.columns()),
        }
    }

    /// What is left of the limits for an attempt, which gets `small` nodes beside what its squares
    /// get; `None` if there are no nodes left.
    fn limits_of(&self, small: u64, used: u64, began: Instant) -> Option<Limits> {
        let squares = self.board.len() as u64;
        let budget = self.nodes_a_square.saturating_mul(squares).saturating_add(small);
        let left = self.limits.nodes.unwrap_or(50 * (1_000_000 + squares)).saturating_sub(used);
        let mut limits = self.limits.clone();
        limits.nodes = Some(budget.min(left));
        limits.time = self.limits.time.map(|time| time.saturating_sub(began.elapsed()));
        (left > 0).then_some(limits)
    }

    /// Where an attempt starts, and whether it looks for a closed tour.
    ///
    /// A closed tour may be searched from any square and turned to its start in the end. So where
    /// there are closed tours, every second attempt at an open one from a given start looks for a
    /// closed one: a start from which open tours are hard to find is of no account to it. Where the
    /// start is free, the first two attempts start in the corner, the others from a random square
    /// that is not excluded.
    fn problem(&self, attempt: u32, random: &mut fastrand::Rng) -> KnightsTour {
        let board = self.board;
        let closing = self.closed
            || (self.start.is_some()
                && attempt % 2 == 1
                && existence::closed(board.rows(), board.columns()).is_ok());
        if let (false, Some(start)) = (closing, self.start) {
            return KnightsTour::open(board).with_start(start);
        }
        loop {
            let (row, column) = match attempt {
                0 | 1 => (0, 0),
                _ => (random.usize(..board.rows()), random.usize(..board.columns())),
            };
            match board.square(row, column) {
                Ok(start) if closing => return KnightsTour::closed(board).with_start(start),
                Ok(start) if existence::open_from(board, start).is_ok() => {
                    return KnightsTour::open(board).with_start(start);
                }
                _ => {}
            }
        }
    }

    /// One attempt: the first by the rule as it is, the others with random ties. There are starts
    /// that defeat one rule however its ties are broken, and are easy for another one: 5×11 from
    /// row 3, column 3 does so to the default. So every fourth attempt takes one of all the rules
    /// in turn.
    #[inline]
    fn attempt(
        &self,
        problem: &KnightsTour,
        attempt: u32,
        random: &mut fastrand::Rng,
        limits: Limits,
        teller: Option<&mut Teller<'_>>,
    ) -> Outcome<Found<Vec<Square>>> {
        let rule = if attempt % 4 == 3 {
            Rule::ALL[attempt as usize / 4 % Rule::ALL.len()]
        } else {
            self.rule
        };
        let order = rule.brancher();
        if attempt == 0 {
            self.run(problem, order, limits, teller)
        } else {
            self.run(problem, order.random_ties(random.u64(..)), limits, teller)
        }
    }

    fn run(
        &self,
        problem: &KnightsTour,
        order: impl Brancher<KnightsTour>,
        limits: Limits,
        teller: Option<&mut Teller<'_>>,
    ) -> Outcome<Found<Vec<Square>>> {
        let connected = (self.board.len() <= CONNECTED_UP_TO).then(DisconnectedRest::default);
        let search = Search::new(problem)
            .brancher(order)
            .hooks((Parity, DeadEnds, OneExit, connected))
            .limits(limits)
            .extract(|node| node.state().squares());
        match teller {
            Some(teller) => {
                search.progress(teller.every, |progress| teller.tell(*progress)).first()
            }
            None => search.first(),
        }
    }
}
