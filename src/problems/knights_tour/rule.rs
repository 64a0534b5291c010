//! Rules for the next square: which move to try first.

use std::fmt;
use std::str::FromStr;

use super::board::Square;
use super::problem::{KnightsTour, Position};
use crate::brancher::ProblemOrder;
use crate::brancher::Sorted;
use crate::hook::Node;

/// In which order the moves of the knight are tried. Whatever the rule, all of them are tried in
/// the end.
///
/// Ties that a rule leaves are tried in the fixed order of [`MOVES`](super::MOVES), or at random
/// ([`Sorted::random_ties`]).
///
/// Measured over the 16,794 starts of the square boards from 5×5 to 40×40 that the colours allow,
/// without any hook: how many are solved without a single step back, how many more with at most
/// twice as many nodes as squares, how many more with at most a hundred times as many, and how many
/// are not.
///
/// | rule | no step back | twice the squares | later | not |
/// |---|---|---|---|---|
/// | `Warnsdorff` | 15,982 | 122 | 68 | 622 |
/// | `Farthest` | 16,663 | 111 | 8 | 12 |
/// | `Successor` | 16,712 | 27 | 5 | 50 |
/// | `Pohl` | 15,459 | 100 | 30 | 1,205 |
/// | `SuccessorFarthest` | 16,715 | 34 | 29 | 16 |
///
/// The larger the board, the more it matters: from a corner of 1000×1000, `Warnsdorff` and
/// `Successor` fail, while `Farthest` needs no step back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The fixed order of the moves and nothing else: mostly hopeless from 7×7 on, unless there are
    /// prunings.
    Plain,
    /// The square with the fewest exits first (Warnsdorff 1823).
    Warnsdorff,
    /// Warnsdorff; of those, the farthest from the centre first (Roth).
    #[default]
    Farthest,
    /// Warnsdorff; of those, the one first whose next square has the fewest exits.
    Successor,
    /// Warnsdorff; of those, the one first whose next squares have the fewest exits in all (Pohl
    /// 1967).
    Pohl,
    /// As [`Successor`](Rule::Successor); of those, the farthest from the centre first.
    SuccessorFarthest,
}

/// How a [`Rule`] values a square, the smallest first: exits, exits of the squares after it,
/// nearness to the centre.
pub type Key = (u8, u8, u64);

impl Rule {
    /// All rules, the plain one first.
    pub const ALL: [Rule; 6] = [
        Rule::Plain,
        Rule::Warnsdorff,
        Rule::Farthest,
        Rule::Successor,
        Rule::Pohl,
        Rule::SuccessorFarthest,
    ];

    /// The rule as a brancher. Cost a node: up to 8 squares, and for the rules that look at
    /// successors 64.
    ///
    /// ```
    /// use secateurs::{Limits, Search};
    /// use secateurs::problems::knights_tour::{Board, KnightsTour, Rule};
    ///
    /// let tour = KnightsTour::open(Board::new(50, 50)?).starting_at(0, 0)?;
    /// let outcome = Search::new(&tour).brancher(Rule::Farthest.brancher()).first();
    /// assert_eq!(outcome.report().nodes(), 2500); // not a single step back
    /// # Ok::<(), secateurs::problems::knights_tour::BoardError>(())
    /// ```
    #[must_use]
    pub fn brancher(
        self,
    ) -> Sorted<ProblemOrder, impl FnMut(&Node<'_, KnightsTour>, &Square) -> Key + Clone + use<>>
    {
        Sorted::by(move |node: &Node<'_, KnightsTour>, &square: &Square| {
            self.key(node.problem(), node.state(), square)
        })
        .parameters(&self)
    }

    #[inline]
    fn key(self, problem: &KnightsTour, position: &Position, square: Square) -> Key {
        let exits = match self {
            Rule::Plain => return (0, 0, 0),
            _ => position.exits(square),
        };
        let successors = || problem.free_around(position, square).map(|next| position.exits(next));
        let after = match self {
            Rule::Plain | Rule::Warnsdorff | Rule::Farthest => 0,
            Rule::Successor | Rule::SuccessorFarthest => successors().min().unwrap_or(0),
            Rule::Pohl => successors().sum(),
        };
        let nearness = match self {
            Rule::Farthest | Rule::SuccessorFarthest => u64::MAX - from_centre(problem, square),
            Rule::Plain | Rule::Warnsdorff | Rule::Successor | Rule::Pohl => 0,
        };
        (exits, after, nearness)
    }

    /// The name of the rule as it is written and read.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Rule::Plain => "plain",
            Rule::Warnsdorff => "warnsdorff",
            Rule::Farthest => "farthest",
            Rule::Successor => "successor",
            Rule::Pohl => "pohl",
            Rule::SuccessorFarthest => "successor-farthest",
        }
    }
}

/// The square of the distance from the centre, in half squares.
#[inline]
fn from_centre(problem: &KnightsTour, square: Square) -> u64 {
    let board = problem.board();
    let rows = (2 * board.row(square) + 1).abs_diff(board.rows()) as u64;
    let columns = (2 * board.column(square) + 1).abs_diff(board.columns()) as u64;
    rows * rows + columns * columns
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no rule has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule(String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Rule::ALL.map(Rule::name);
        write!(f, "there is no rule `{}`; expected one of {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownRule {}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        Rule::ALL
            .into_iter()
            .find(|rule| rule.name() == name)
            .ok_or_else(|| UnknownRule(name.to_owned()))
    }
}
