//! The article's "heuristic search": greedy by an estimate function, once or with random restarts.

use super::board::Board;
use super::problem::Choice;
use super::solve::cells;
use super::state::State;
use crate::brancher::Brancher;
use crate::digest::Digest;
use crate::hook::{Effect, Node};
use crate::incumbent::Objective;
use crate::outcome::{Optimum, Outcome};
use crate::problem::Branch;
use crate::search::Search;

/// A brancher that gives each node one child only: the candidate of the best estimate. It is
/// [lossy](Effect::Lossy), and says so in the outcome.
///
/// The estimate of a candidate is the number of candidates in the smaller of its two segments, then
/// the number that it controls in both together: what one gives up by placing there. Ties are
/// broken by the number of the cell, or at random. So a candidate that is alone in a segment comes
/// first, which [loses nothing](super::DegreeOne). Cost of a node: the cells of the board.
#[derive(Clone, Debug)]
pub struct BestEstimate {
    seed: Option<u64>,
    random: Option<fastrand::Rng>,
}

impl BestEstimate {
    /// Ties go to the cell of the smallest number.
    #[must_use]
    pub fn new() -> Self {
        BestEstimate { seed: None, random: None }
    }

    /// Ties are broken at random, always in the same way for the same seed.
    #[must_use]
    pub fn with_random_ties(seed: u64) -> Self {
        BestEstimate { seed: Some(seed), random: Some(fastrand::Rng::with_seed(seed)) }
    }

    fn choose(&mut self, board: &Board, state: &State) -> Option<usize> {
        let mut best = None;
        let mut ties = 0;
        let mut from = 0;
        while let Some(cell) = state.next_candidate(from) {
            from = cell + 1;
            let [row, column] = board.segments().both(cell).map(|segment| state.degree(segment));
            let estimate = (row.min(column), row + column);
            match best {
                Some((known, _)) if known < estimate => {}
                Some((known, _)) if known == estimate => {
                    // Each of the ties so far is kept with the same probability.
                    ties += 1;
                    if self.random.as_mut().is_some_and(|random| random.usize(0..ties) == 0) {
                        best = Some((estimate, cell));
                    }
                }
                _ => {
                    best = Some((estimate, cell));
                    ties = 1;
                }
            }
        }
        best.map(|(_, cell)| cell)
    }
}

impl Default for BestEstimate {
    fn default() -> Self {
        Self::new()
    }
}

impl Brancher<Board> for BestEstimate {
    type Cursor = Option<usize>;

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.seed))
    }

    fn effect(&self) -> Effect {
        Effect::Lossy
    }

    fn follows_path(&self) -> bool {
        false
    }

    fn branch(&mut self, node: &Node<'_, Board>) -> Branch<Option<usize>> {
        match self.choose(node.problem(), node.state()) {
            Some(cell) => Branch::Inner(Some(cell)),
            None => Branch::Solution,
        }
    }

    fn next(&mut self, _: &Node<'_, Board>, cursor: &mut Option<usize>) -> Option<Choice> {
        cursor.take().map(Choice::Place)
    }
}

/// The article's greedy search by an estimate function: one dive, without a proof.
///
/// The answer is the optimum on 99.5 to 100 % of random 10×10 boards. Cost: (cells of the board) ×
/// (bunkers placed).
///
/// ```
/// use secateurs::problems::fire_net::{Board, ParseBoardError, greedy};
///
/// let board: Board = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let outcome = greedy(&board);
/// assert_eq!(outcome.best_so_far(), Some(&5));
/// assert_eq!(outcome.proven(), None); // it is, but this search does not know
/// # Ok::<(), ParseBoardError>(())
/// ```
// Inlined so that its search is compiled only for those who call it.
#[inline]
pub fn greedy(board: &Board) -> Outcome<Optimum<usize, Vec<usize>>> {
    let objective = Objective::maximise(|_: &Board, state: &State| state.placed());
    dive(board, &objective, BestEstimate::new())
}

/// The greedy search again and again, with random ties, and the best of its answers.
///
/// There are `restarts` dives, at least one. The first breaks ties by the number of the cell, so
/// that one is [`greedy`]. The same seed gives the same answer. The report is that of all dives
/// together.
///
/// ```
/// use secateurs::problems::fire_net::{Board, ParseBoardError, greedy_restarts};
///
/// let board: Board = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let outcome = greedy_restarts(&board, 10, 42);
/// assert_eq!(outcome.best_so_far(), Some(&5));
/// # Ok::<(), ParseBoardError>(())
/// ```
// Inlined so that its search is compiled only for those who call it.
#[inline]
pub fn greedy_restarts(
    board: &Board,
    restarts: usize,
    seed: u64,
) -> Outcome<Optimum<usize, Vec<usize>>> {
    let objective = Objective::maximise(|_: &Board, state: &State| state.placed());
    let (mut best, mut report) = dive(board, &objective, BestEstimate::new()).into_parts();
    for restart in 1..restarts {
        let estimate = BestEstimate::with_random_ties(seed.wrapping_add(restart as u64));
        let (found, part) = dive(board, &objective, estimate).into_parts();
        // A dive that does not beat those before it has no solution.
        if let Optimum::BestSoFar { solution: Some(_), .. } = found {
            best = found;
        }
        report += &part;
    }
    Outcome::new(best, report)
}

fn dive<F>(
    board: &Board,
    objective: &Objective<Board, usize, F>,
    estimate: BestEstimate,
) -> Outcome<Optimum<usize, Vec<usize>>>
where
    F: Fn(&Board, &State) -> usize,
{
    Search::new(board).brancher(estimate).extract(|node| cells(node.state())).best(objective)
}
