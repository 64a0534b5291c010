//! The bundled comparisons of backtracking and propagation on n-queens, and of tie-breaking rules
//! for Warnsdorff's rule on knight's tours.

use std::ops::RangeInclusive;

use secateurs::{Count, Limits, Outcome, Problem, Search};
use secateurs_csp::{
    Ascending, Branching, InputOrder, Network, Propagate, SmallestDomain, SwappedOrder,
    VariableOrder,
};
use secateurs_problems::InstanceError;
use secateurs_problems::knights_tour::{KnightsTour, Rule, TourBoard};
use secateurs_problems::queens::{BitQueens, Effort, LookBackQueens, MarkQueens, Queens};

use crate::{Compare, Contender, Measured, Reference, Trial};

/// n, and the article's times for all solutions in hundredths of a second: by backtracking, and by
/// propagation with the smallest domain first.
const TIMES: [(usize, f64, f64); 7] = [
    (8, 6.0, 3.0),
    (9, 33.0, 16.0),
    (10, 154.0, 60.0),
    (11, 851.0, 280.0),
    (12, 5_174.0, 1_368.0),
    (13, 33_010.0, 7_272.0),
    (14, 420_397.0, 41_507.0),
];

/// The meaning of the names of the contenders.
const NOTE: &str = "“Looking back” is the article's backtracking, “smallest domain, last tie” its \
    propagation; “network” is the recommended model of this crate.";

/// An n-queens board in each of the models, prepared before the clock starts.
#[derive(Clone, Debug)]
pub struct PreparedQueens {
    bits: BitQueens,
    marks: MarkQueens,
    lookback: LookBackQueens,
    network: Network,
}

impl PreparedQueens {
    /// Prepares all models of a board.
    #[must_use]
    pub fn new(queens: Queens) -> Self {
        PreparedQueens {
            bits: queens.bits(),
            marks: queens.marks(),
            lookback: queens.lookback(),
            network: queens.board().network(),
        }
    }
}

/// Returns named n-queens instances of these sizes.
///
/// # Errors
/// Returns an error if a size is greater than [`Queens::MAX_SIZE`].
pub fn sizes(
    sizes: impl IntoIterator<Item = usize>,
) -> Result<Vec<(String, Queens)>, InstanceError> {
    sizes.into_iter().map(|size| Ok((format!("n = {size}"), Queens::new(size)?))).collect()
}

/// Compares the search for all solutions of n-queens by backtracking in three models, and by
/// propagation in three variable orders, as in an article on constraint propagation in programming
/// contests. The article's times for n = 8 to 14 are shown as references.
///
/// The other statistics agree exactly with the article's programs: *placements* of queens, squares
/// *tested*, *pairs* of queens compared, and squares that propagation visits to *exclude* them.
/// They are counted in separate, untimed runs. The article's pseudo-code chooses the first of
/// several smallest domains, its program the last, both without a wipe-out test. `network` is the
/// recommended model of this crate.
///
/// ```
/// use secateurs_lab::bundled;
///
/// let comparison = bundled::queens(bundled::sizes(8..=8)?).rounds(1).run()?;
/// let last_tie = comparison.contender("smallest domain, last tie").expect("a contender");
/// assert_eq!(last_tie.runs()[0].stat("excludes"), Some(8916));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn queens(
    sizes: impl IntoIterator<Item = (impl Into<String>, Queens)>,
) -> Compare<'static, PreparedQueens> {
    let (mut boards, mut backtracking, mut propagation) = (Vec::new(), Vec::new(), Vec::new());
    for (name, queens) in sizes {
        let name = name.into();
        if let Some((_, plain, propagated)) =
            TIMES.into_iter().find(|known| known.0 == queens.size())
        {
            backtracking.push((name.clone(), plain / 100.0));
            propagation.push((name.clone(), propagated / 100.0));
        }
        boards.push((name, PreparedQueens::new(queens)));
    }
    let contenders = [
        looking_back().reference(Reference::seconds("article", backtracking)),
        searched("marking", |board| &board.marks),
        searched("bit masks", |board| &board.bits),
        article_propagation("fixed order", || InputOrder),
        article_propagation("smallest domain, first tie", SwappedOrder::first_tie),
        article_propagation("smallest domain, last tie", SwappedOrder::last_tie)
            .reference(Reference::seconds("article", propagation)),
        propagating("network", Propagate::forward, SmallestDomain::first_tie),
    ];
    Compare::over(boards)
        .title("n-queens: backtracking and propagation")
        .note(NOTE)
        .contenders(contenders)
}

/// Creates a trial with statistics: the placements, which are the nodes without the root, and
/// others.
fn trial(outcome: Outcome<Count>, stats: &[(&str, u64)]) -> Trial {
    let placements = outcome.report().nodes().saturating_sub(1);
    let trial = Trial::from(outcome).stat("placements", placements);
    stats.iter().fold(trial, |trial, &(name, value)| trial.stat(name, value))
}

/// Creates the contender that searches one of the prepared boards.
fn searched<P: Problem + 'static>(
    name: &str,
    problem: fn(&PreparedQueens) -> &P,
) -> Contender<'static, PreparedQueens> {
    Contender::new(name, move |board, limits| Search::new(problem(board)).limits(limits).count())
        .estimated(move |board, probes, seed| Search::new(problem(board)).estimate(probes, seed))
}

fn looking_back() -> Contender<'static, PreparedQueens> {
    searched("looking back", |board| &board.lookback).counted(|board, limits| {
        let effort = Effort::new();
        let outcome = Search::new(&board.lookback.clone().counting(&effort)).limits(limits).count();
        trial(outcome, &[("tested", effort.attempts()), ("pairs", effort.pair_tests())])
    })
}

/// Creates the contender of the article's propagation, which removes the attacked squares without
/// testing whether a row has become empty.
fn article_propagation<O: VariableOrder<Network> + 'static>(
    name: &str,
    order: fn() -> O,
) -> Contender<'static, PreparedQueens> {
    let propagate = || Propagate::forward().without_wipe_out_test();
    propagating(name, propagate, order).counted(move |board, limits| {
        let effort = Effort::new();
        let outcome = Search::new(&board.network)
            .hooks((effort.excludes_hook(), propagate()))
            .brancher(Branching::new(order(), Ascending))
            .limits(limits)
            .count();
        trial(outcome, &[("excludes", effort.excludes())])
    })
}

/// Creates the contender that searches the network with this propagation, in this order of the
/// rows.
fn propagating<O: VariableOrder<Network> + 'static>(
    name: &str,
    propagate: fn() -> Propagate,
    order: fn() -> O,
) -> Contender<'static, PreparedQueens> {
    Contender::new(name, move |board, limits| {
        search(board, propagate(), order()).limits(limits).count()
    })
    .estimated(move |board, probes, seed| {
        search(board, propagate(), order()).estimate(probes, seed)
    })
}

/// Returns the search of the network with this propagation, in this order of the rows.
fn search<O: VariableOrder<Network>>(
    board: &PreparedQueens,
    propagate: Propagate,
    order: O,
) -> Search<'_, Network, Branching<O, Ascending>, (Propagate,)> {
    Search::new(&board.network).hooks((propagate,)).brancher(Branching::new(order, Ascending))
}

/// The node limit per square.
const NODES_PER_SQUARE: u64 = 100;

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
/// use secateurs_lab::bundled;
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
            let budget = NODES_PER_SQUARE * squares(tour);
            let nodes = limits.max_nodes().map_or(budget, |nodes| nodes.min(budget));
            Search::new(tour).brancher(rule.brancher()).limits(limits.nodes(nodes)).first()
        })
    });
    let class = |tour: &KnightsTour, run: &Measured| match run.nodes() {
        _ if run.size().is_none() => 3,
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
