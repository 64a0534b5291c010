//! The bundled comparison of tie-breaking rules for Warnsdorff's rule on knight's tours.

use std::ops::RangeInclusive;

use crate::lab::{Compare, Contender, Measured};
use crate::limits::Limits;
use crate::problems::InstanceError;
use crate::problems::knights_tour::{KnightsTour, Rule, TourBoard};
use crate::search::Search;

/// The node limit per square.
const BUDGET: u64 = 100;

/// Returns open tours on square boards of these sides. A board has a start on every square for
/// which the colours allow a tour, or on at most `most` of them, evenly spaced in row-major order.
///
/// # Errors
/// Returns an error if a board is larger than a [`TourBoard`] may be.
pub fn starts(
    sides: RangeInclusive<usize>,
    most: Option<usize>,
) -> Result<Vec<(String, KnightsTour)>, InstanceError> {
    let mut starts = Vec::new();
    for side in sides {
        let board = TourBoard::new(side, side)?;
        let squares: Vec<_> =
            board.squares().filter(|&square| side % 2 == 0 || board.is_dark(square)).collect();
        let most = most.unwrap_or(squares.len()).min(squares.len());
        for place in 0..most {
            let square = squares[place * squares.len() / most];
            let (row, column) = (board.row(square), board.column(square));
            let name = format!("{side}×{side} from {},{}", row + 1, column + 1);
            starts.push((name, KnightsTour::open(board).starting_at(row, column)?));
        }
    }
    Ok(starts)
}

/// Compares five ways to break the ties of Warnsdorff's rule from many starts. Tallies count the
/// tours found without backtracking, those found with at most twice as many nodes as squares, those
/// found later, and those not found within 100 nodes per square.
///
/// There are 16,794 starts on the boards from 5×5 to 40×40, which take half a minute. A few starts
/// per board show the same result.
///
/// ```
/// use secateurs::lab::bundled;
///
/// let comparison = bundled::knights_tour(bundled::starts(5..=12, Some(8))?).rounds(1).run()?;
/// let farthest = comparison.contender("farthest").and_then(|own| own.tally("no step back"));
/// assert!(farthest > Some(60)); // of 64
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn knights_tour(
    starts: impl IntoIterator<Item = (impl Into<String>, KnightsTour)>,
) -> Compare<'static, KnightsTour> {
    let rules = Rule::ALL.into_iter().filter(|&rule| rule != Rule::Plain);
    let contenders = rules.map(|rule| {
        Contender::new(rule.name(), move |tour: &KnightsTour, limits: Limits| {
            let budget = Limits::new().nodes(BUDGET * squares(tour));
            Search::new(tour).brancher(rule.brancher()).limits(limits.within(budget)).first()
        })
    });
    let class = |tour: &KnightsTour, run: &Measured| match run.nodes() {
        _ if run.is_limited() => 3,
        nodes if nodes <= squares(tour) => 0,
        nodes if nodes <= 2 * squares(tour) => 1,
        _ => 2,
    };
    Compare::over(starts)
        .title("Knight's tours: ties of Warnsdorff's rule")
        .contenders(contenders)
        .tally("no step back", move |tour, run| class(tour, run) == 0)
        .tally("within 2N²", move |tour, run| class(tour, run) == 1)
        .tally("later", move |tour, run| class(tour, run) == 2)
        .tally("out of budget", move |tour, run| class(tour, run) == 3)
}

fn squares(tour: &KnightsTour) -> u64 {
    tour.board().len() as u64
}
