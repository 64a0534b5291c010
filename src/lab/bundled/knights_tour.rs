//! Knight's tours: how Warnsdorff's rule breaks its ties.

use std::ops::RangeInclusive;

use crate::lab::{Compare, Contender, Measured};
use crate::limits::Limits;
use crate::problems::InstanceError;
use crate::problems::knights_tour::{KnightsTour, Rule, TourBoard};
use crate::search::Search;

/// Where the search for a tour gives up: after so many nodes a square.
const BUDGET: u64 = 100;

/// Open tours on square boards of these sides, from every square from which the colours allow one,
/// or from at most so many a board: evenly chosen, row by row.
///
/// # Errors
/// If a board is larger than a [`TourBoard`] may be.
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

/// Warnsdorff's rule with five ways to break its ties, from many starts: how many tours are found
/// without a single step back, with at most twice as many nodes as there are squares, with more,
/// and how many are not found within 100 nodes a square.
///
/// All starts of 5×5 to 40×40 are 16,794, which takes half a minute; a few a board show the same.
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
