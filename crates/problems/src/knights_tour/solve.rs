//! [`TourSearch`]: a search for one tour, with a rule, bounded backtracking and restarts.
//!
//! A rule such as Warnsdorff's either leads to a tour almost without backtracking, or makes an
//! early mistake that a depth-first search practically never revises (heavy tails: Gomes, Selman
//! and Kautz 1998). The nodes of an attempt are therefore limited to a few times the number of
//! squares. Then the next attempt starts over, with random tie-breaking. The prunings prune no
//! tour, so an attempt that exhausts its tree proves that there is no tour.

use std::time::Duration;

use secateurs::brancher::Brancher;
use secateurs::search::{Progress, Schedule, Search};
use secateurs::{Found, Instant, Limits, Outcome, Report, Stop};

use super::board::{Square, TourBoard};
use super::existence::{self, NoTour};
use super::problem::KnightsTour;
use super::prunings::{DeadEnds, DisconnectedRest, OneExit, Parity};
use super::rule::Rule;
use super::tour::Tour;
use crate::InstanceError;

/// A builder of a search for one tour.
///
/// ```
/// use secateurs_problems::knights_tour::{NoTour, Rule, TourAnswer, TourBoard, TourSearch};
///
/// let board = TourBoard::new(8, 8)?;
/// let search = TourSearch::new(board).closed().starting_at(2, 3)?.rule(Rule::Successor).seed(1);
/// let solved = search.solve();
/// let tour = solved.tour().expect("a chessboard has one");
/// assert!(tour.is_closed());
/// assert_eq!(tour.steps()[0], board.square(2, 3)?);
///
/// let solved = TourSearch::new(TourBoard::new(5, 5)?).starting_at(0, 1)?.solve();
/// assert_eq!(solved.answer(), &TourAnswer::None(NoTour::StartColour));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a search does nothing until `solve` is called"]
pub struct TourSearch {
    board: TourBoard,
    closed: bool,
    start: Option<Square>,
    rule: Rule,
    seed: u64,
    limits: Limits,
}

/// The answer of a search for a tour.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TourAnswer {
    /// A tour.
    Tour(Tour),
    /// A proof that there is no tour, for this reason.
    None(NoTour),
    /// A limit stopped the search before it found a tour or proved that there is none.
    Unknown(Stop),
}

/// The result of [`TourSearch::solve`]: the answer and the effort of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedTour {
    answer: TourAnswer,
    report: Option<Report>,
    attempts: u32,
    nodes: u64,
}

impl SolvedTour {
    /// Returns the answer.
    #[must_use]
    pub fn answer(&self) -> &TourAnswer {
        &self.answer
    }

    /// Returns the tour, if one was found.
    #[must_use]
    pub fn tour(&self) -> Option<&Tour> {
        match &self.answer {
            TourAnswer::Tour(tour) => Some(tour),
            _ => None,
        }
    }

    /// Returns the report of the last attempt, or `None` if the answer needed no search.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Returns the number of attempts.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Returns the number of nodes visited in all attempts.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// A reporter of the progress of all attempts as that of a single search.
struct ProgressReporter<'w> {
    every: Duration,
    callback: &'w mut (dyn FnMut(&Progress) + Send),
    began: Instant,
    last_report: Instant,
    /// The nodes of the completed attempts.
    nodes: u64,
}

impl<'w> ProgressReporter<'w> {
    fn new(every: Duration, callback: &'w mut (dyn FnMut(&Progress) + Send)) -> Self {
        let now = Instant::now();
        ProgressReporter { every, callback, began: now, last_report: now, nodes: 0 }
    }

    /// Reports the progress of the current attempt.
    fn report(&mut self, mut progress: Progress) {
        self.last_report = Instant::now();
        progress.nodes += self.nodes;
        progress.elapsed = self.last_report - self.began;
        (self.callback)(&progress);
    }

    /// Adds a completed attempt, and reports if a report is due: most attempts are too short to
    /// report anything themselves.
    fn add(&mut self, report: &Report) {
        self.nodes += report.nodes();
        if self.last_report.elapsed() >= self.every {
            let mut progress = Progress::default();
            progress.solutions = report.solutions();
            self.report(progress);
        }
    }
}

/// The number of attempts after the first one, which break ties at random.
const RESTARTS: u32 = 10_000;

/// The nodes that an attempt may visit per square of the board: as many for backtracking as for the
/// tour itself.
const NODES_PER_SQUARE: u64 = 2;

/// The nodes that the first attempt gets in addition to those per square, so that small trees are
/// exhausted. Later attempts get multiples, by the schedule of Luby, Sinclair and Zuckerman.
const SMALL_TREE: u64 = 1000;

/// The largest number of squares for which [`DisconnectedRest`] is used. It doubles the time per
/// node, and is worth that only where there is much backtracking.
const MAX_CONNECTIVITY_SQUARES: usize = 10_000;

impl TourSearch {
    /// Creates a search for an open tour of `board` from any square, by the default rule.
    pub fn new(board: TourBoard) -> Self {
        TourSearch {
            board,
            closed: false,
            start: None,
            rule: Rule::default(),
            seed: 0,
            limits: Limits::new(),
        }
    }

    /// Requires a tour that ends a knight's move from its start.
    pub fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// Requires a tour from the square in this row and column (from 0).
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such square.
    pub fn starting_at(mut self, row: usize, column: usize) -> Result<Self, InstanceError> {
        self.start = Some(self.board.square(row, column)?);
        Ok(self)
    }

    /// Sets the rule that orders the moves. Every fourth attempt uses one of all rules in turn
    /// instead, in case this one fails for the start.
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rule = rule;
        self
    }

    /// Sets the seed of the random choices. The same seed gives the same answer.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets limits of the search. Nodes and time count over all attempts. A depth limit below the
    /// depth of the last square, which is the number of squares less one, makes the answer unknown
    /// without a search.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Searches for a tour. Without a node limit, it stops after 50 million nodes and 50 more per
    /// square, or after the last restart.
    #[must_use]
    // `#[inline]` defers the code generation of the search to the crates that call this function.
    #[inline]
    pub fn solve(&self) -> SolvedTour {
        self.solve_watched(None)
    }

    /// Searches like [`solve`](Self::solve), and calls `callback` about once per `every` with the
    /// nodes and the time of all attempts together. The fraction of the whole search that is done
    /// is unknown.
    ///
    /// ```
    /// use std::time::Duration;
    /// use secateurs_problems::knights_tour::{TourBoard, TourSearch};
    ///
    /// let mut nodes = 0;
    /// let search = TourSearch::new(TourBoard::new(8, 8)?);
    /// let solved = search.solve_with_progress(Duration::ZERO, |progress| {
    ///     assert!(progress.nodes >= nodes);
    ///     nodes = progress.nodes;
    /// });
    /// assert_eq!(solved.answer(), search.solve().answer());
    /// assert_eq!(nodes, solved.nodes());
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn solve_with_progress(
        &self,
        every: Duration,
        mut callback: impl FnMut(&Progress) + Send,
    ) -> SolvedTour {
        self.solve_watched(Some(ProgressReporter::new(every, &mut callback)))
    }

    #[inline]
    fn solve_watched(&self, mut reporter: Option<ProgressReporter<'_>>) -> SolvedTour {
        let mut solved = SolvedTour {
            answer: TourAnswer::Unknown(Stop::NodeLimit),
            report: None,
            attempts: 0,
            nodes: 0,
        };
        if let Err(reason) = self.check_existence() {
            solved.answer = TourAnswer::None(reason);
            return solved;
        }
        // The start is visited at the root.
        if self.limits.max_depth().is_some_and(|depth| depth < self.board.len() - 1) {
            solved.answer = TourAnswer::Unknown(Stop::DepthLimit);
            return solved;
        }
        let began = Instant::now();
        let mut random = fastrand::Rng::with_seed(self.seed);
        for (attempt, extra) in (0..=RESTARTS).zip(Schedule::luby(SMALL_TREE)) {
            let Some(limits) = self.attempt_limits(extra, solved.nodes, began) else { break };
            let problem = self.problem(attempt, &mut random);
            let (found, report) = self
                .attempt(&problem, attempt, &mut random, limits, reporter.as_mut())
                .into_parts();
            solved.attempts += 1;
            solved.nodes += report.nodes();
            if let Some(reporter) = &mut reporter {
                reporter.add(&report);
            }
            let stop = report.stop();
            solved.report = Some(report);
            solved.answer = match found {
                Found::Solution(squares) => {
                    let tour = Tour::new(self.board, squares).expect("a solution is a tour");
                    TourAnswer::Tour(match self.start {
                        Some(start) => tour.started_from(start),
                        None => tour,
                    })
                }
                Found::None if self.is_whole_question(&problem) => {
                    TourAnswer::None(NoTour::Searched { nodes: solved.nodes })
                }
                // The next attempt uses another start or other tie-breaking.
                _ if stop == Stop::NodeLimit || stop == Stop::Exhausted => continue,
                _ => TourAnswer::Unknown(stop),
            };
            break;
        }
        solved
    }

    /// Returns whether the absence of a solution of an attempt answers the question. The absence of
    /// closed tours, or of open ones from one of several starts, does not exclude other tours.
    fn is_whole_question(&self, problem: &KnightsTour) -> bool {
        problem.is_closed() == self.closed && (self.closed || self.start.is_some())
    }

    /// Returns whether a tour may exist, as far as this is known without a search.
    fn check_existence(&self) -> Result<(), NoTour> {
        match self.start {
            _ if self.closed => existence::closed(self.board.rows(), self.board.columns()),
            Some(start) => existence::open_from(self.board, start),
            None => existence::open(self.board.rows(), self.board.columns()),
        }
    }

    /// Returns the limits of an attempt, which gets `extra` nodes in addition to those per square,
    /// or `None` if no nodes are left after the `used` ones.
    fn attempt_limits(&self, extra: u64, used: u64, began: Instant) -> Option<Limits> {
        let squares = self.board.len() as u64;
        let budget = NODES_PER_SQUARE.saturating_mul(squares).saturating_add(extra);
        let most = self.limits.max_nodes().unwrap_or(50 * (1_000_000 + squares));
        let remaining = most.saturating_sub(used);
        let mut limits = self.limits.clone().nodes(budget.min(remaining));
        if let Some(time) = self.limits.max_time() {
            limits = limits.time(time.saturating_sub(began.elapsed()));
        }
        (remaining > 0).then_some(limits)
    }

    /// Returns the problem of an attempt: its start, and whether it searches for a closed tour.
    ///
    /// A closed tour may be searched from any square and rotated to its start afterwards. If the
    /// board has closed tours, every second attempt at an open tour from a given start therefore
    /// searches for a closed one, which is as easy to find from a start that is hard for open
    /// tours. If the start is free, the first two attempts start in the corner, the others from a
    /// random square that [`existence::open_from`] does not exclude.
    fn problem(&self, attempt: u32, random: &mut fastrand::Rng) -> KnightsTour {
        let board = self.board;
        let is_closed = self.closed
            || (self.start.is_some()
                && attempt % 2 == 1
                && existence::closed(board.rows(), board.columns()).is_ok());
        if let (false, Some(start)) = (is_closed, self.start) {
            return KnightsTour::open(board).with_start(start);
        }
        loop {
            let (row, column) = match attempt {
                0 | 1 => (0, 0),
                _ => (random.usize(..board.rows()), random.usize(..board.columns())),
            };
            match board.square(row, column) {
                Ok(start) if is_closed => return KnightsTour::closed(board).with_start(start),
                Ok(start) if existence::open_from(board, start).is_ok() => {
                    return KnightsTour::open(board).with_start(start);
                }
                _ => {}
            }
        }
    }

    /// Runs one attempt: the first one by the rule as it is, the others with random tie-breaking.
    ///
    /// Some starts defeat one rule however its ties are broken, and are easy for another one: 5×11
    /// from row 3, column 3 defeats the default. Every fourth attempt therefore uses one of all
    /// rules in turn.
    #[inline]
    fn attempt(
        &self,
        problem: &KnightsTour,
        attempt: u32,
        random: &mut fastrand::Rng,
        limits: Limits,
        reporter: Option<&mut ProgressReporter<'_>>,
    ) -> Outcome<Found<Vec<Square>>> {
        let rule = if attempt % 4 == 3 {
            Rule::ALL[attempt as usize / 4 % Rule::ALL.len()]
        } else {
            self.rule
        };
        let order = rule.brancher();
        if attempt == 0 {
            self.run(problem, order, limits, reporter)
        } else {
            self.run(problem, order.random_ties(random.u64(..)), limits, reporter)
        }
    }

    fn run(
        &self,
        problem: &KnightsTour,
        order: impl Brancher<KnightsTour>,
        limits: Limits,
        reporter: Option<&mut ProgressReporter<'_>>,
    ) -> Outcome<Found<Vec<Square>>> {
        let disconnected_rest =
            (self.board.len() <= MAX_CONNECTIVITY_SQUARES).then(DisconnectedRest::default);
        let search = Search::new(problem)
            .brancher(order)
            .hooks((Parity, DeadEnds, OneExit, disconnected_rest))
            .limits(limits)
            .extract(|node| node.state().squares());
        match reporter {
            Some(reporter) => {
                search.progress(reporter.every, |progress| reporter.report(*progress)).first()
            }
            None => search.first(),
        }
    }
}
