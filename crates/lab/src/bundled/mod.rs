//! Ready-made comparisons, which reproduce tables of the articles from which the problems of this
//! crate come.
//!
//! Each function returns a [`Compare`](super::Compare) that can be configured further: its limits,
//! rounds and memory meter, and additional contenders.
//!
//! | comparison | instances | contenders |
//! |---|---|---|
//! | [`fire_net`] | boards | sets of the article's ten prunings |
//! | [`rocket_mania`] | cases | sets of the four prunings, and full dominance |
//! | [`queens`] | sizes | looking back, marking, bit masks, propagation in three orders |
//! | [`knights_tour`] | starts | Warnsdorff's rule with five ways to break ties |
//!
//! The comparisons of fire-net, of Rocket Mania (Table 4 of Chen Danqi 2008) and of queens include
//! published figures.
//!
//! ```
//! use secateurs_lab::{Plan, bundled};
//! use secateurs_problems::fire_net::FireNetPrunings;
//!
//! let sets = bundled::selections(Plan::Cumulative, FireNetPrunings::of(1..=5))?;
//! let comparison = bundled::fire_net(bundled::article_boards(4), sets).rounds(1).run()?;
//! let nodes: Vec<u64> =
//!     comparison.contenders().iter().map(|contender| contender.runs()[0].nodes()).collect();
//! assert_eq!(nodes, [1844, 1844, 175, 111, 6, 3]);
//! println!("{comparison}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chess;
mod puzzles;

pub use chess::{PreparedQueens, knights_tour, queens, sizes, starts};
pub use puzzles::{article_boards, fire_net, paper_cases, rocket_mania, table_4};

use secateurs_problems::Selection;

use super::error::CompareError;
use super::plan::Plan;

/// Returns the sets of a plan for numbered prunings. The plan chooses `among` these, in the order
/// of their numbers.
///
/// ```
/// use secateurs_lab::{Plan, bundled};
/// use secateurs_problems::fire_net::FireNetPrunings;
///
/// let sets = bundled::selections(Plan::AllButOne, FireNetPrunings::of([1, 2, 5]))?;
/// let expected: [&[usize]; 4] = [&[1, 2, 5], &[2, 5], &[1, 5], &[1, 2]];
/// assert_eq!(sets, expected.map(|set| FireNetPrunings::of(set.iter().copied())));
/// # Ok::<(), secateurs_lab::CompareError>(())
/// ```
///
/// # Errors
/// Returns the errors of [`Plan::sets`].
pub fn selections<const MOST: usize>(
    plan: Plan,
    among: Selection<MOST>,
) -> Result<Vec<Selection<MOST>>, CompareError> {
    let sets = plan.sets(among.iter().map(|number| number.to_string()))?;
    Ok(sets
        .iter()
        .map(|on| Selection::of(among.iter().filter(|number| on.is_on(&number.to_string()))))
        .collect())
}
