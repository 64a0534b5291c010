//! [`Rule`]: orders of the moves at a node, such as Warnsdorff's rule.

use std::fmt;
use std::str::FromStr;

use secateurs::ParseError;
use secateurs::brancher::{ProblemOrder, Sorted};
use secateurs::hook::Node;

use super::board::Square;
use super::problem::{KnightsTour, Position};

/// An order in which the moves of the knight are tried. Every rule tries all moves in the end.
///
/// Ties are broken by the fixed order of [`MOVES`](super::MOVES), or at random
/// ([`Sorted::random_ties`]).
///
/// The table classifies the 16,794 starts of the square boards from 5×5 to 40×40 that the colours
/// allow, searched without hooks. Each start counts in one column: solved without backtracking,
/// with at most twice as many nodes as squares, with at most a hundred times as many, or not
/// solved.
///
/// | rule | no backtracking | at most twice | at most 100 times | not solved |
/// |---|---|---|---|---|
/// | `Warnsdorff` | 15,982 | 122 | 68 | 622 |
/// | `Farthest` | 16,663 | 111 | 8 | 12 |
/// | `Successor` | 16,712 | 27 | 5 | 50 |
/// | `Pohl` | 15,459 | 100 | 30 | 1,205 |
/// | `SuccessorFarthest` | 16,715 | 34 | 29 | 16 |
///
/// The choice of the rule matters more on larger boards: from a corner of 1000×1000, `Warnsdorff`
/// and `Successor` fail, while `Farthest` does not backtrack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The fixed order of the moves. Without prunings it rarely succeeds on boards from 7×7 on.
    Plain,
    /// The square with the fewest exits first (Warnsdorff 1823).
    Warnsdorff,
    /// Warnsdorff; ties go to the square farthest from the centre (Roth).
    #[default]
    Farthest,
    /// Warnsdorff; ties go to the square one of whose successors has the fewest exits.
    Successor,
    /// Warnsdorff; ties go to the square whose successors have the fewest exits in total (Pohl
    /// 1967).
    Pohl,
    /// [`Successor`](Rule::Successor); ties go to the square farthest from the centre.
    SuccessorFarthest,
}

/// The sort key of a square by a [`Rule`], smallest first: exits, exits of its successors, nearness
/// to the centre.
pub type RuleKey = (u8, u8, u64);

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

    /// Returns the rule as a brancher. At each node it reads at most 8 squares, or 64 if the rule
    /// considers successors.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::knights_tour::{KnightsTour, Rule, TourBoard};
    ///
    /// let tour = KnightsTour::open(TourBoard::new(50, 50)?).starting_at(0, 0)?;
    /// let outcome = Search::new(&tour).brancher(Rule::Farthest.brancher()).first();
    /// assert_eq!(outcome.report().nodes(), 2500); // one per square: no backtracking
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn brancher(
        self,
    ) -> Sorted<ProblemOrder, impl FnMut(&Node<'_, KnightsTour>, &Square) -> RuleKey + Clone> {
        Sorted::by(move |node: &Node<'_, KnightsTour>, &square: &Square| {
            self.key(node.problem(), node.state(), square)
        })
        .parameters(&self)
    }

    #[inline]
    fn key(self, problem: &KnightsTour, position: &Position, square: Square) -> RuleKey {
        let exits = match self {
            Rule::Plain => return (0, 0, 0),
            _ => position.exits(square),
        };
        let successors = || problem.free_around(position, square).map(|next| position.exits(next));
        let successor_exits = match self {
            Rule::Plain | Rule::Warnsdorff | Rule::Farthest => 0,
            Rule::Successor | Rule::SuccessorFarthest => successors().min().unwrap_or(0),
            Rule::Pohl => successors().sum(),
        };
        let nearness = match self {
            Rule::Farthest | Rule::SuccessorFarthest => {
                u64::MAX - squared_distance_from_centre(problem, square)
            }
            Rule::Plain | Rule::Warnsdorff | Rule::Successor | Rule::Pohl => 0,
        };
        (exits, successor_exits, nearness)
    }

    /// Returns the name of the rule, as it is printed and parsed.
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

/// Returns the squared distance from the centre. The unit of distance is half the side of a square.
#[inline]
fn squared_distance_from_centre(problem: &KnightsTour, square: Square) -> u64 {
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

impl FromStr for Rule {
    type Err = ParseError;

    /// Reads the name of a rule.
    fn from_str(name: &str) -> Result<Self, ParseError> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
            let names = Rule::ALL.map(Rule::name).join(", ");
            ParseError::new(format_args!("there is no rule `{name}`; expected one of {names}"))
        })
    }
}
