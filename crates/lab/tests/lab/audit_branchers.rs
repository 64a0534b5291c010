//! Audits of branchers against the problem's own order.

use std::collections::HashSet;

use secateurs::brancher::{Shuffled, Sorted};
use secateurs::{
    Branch, Brancher, Effect, Limits, Node, Objective, Problem, Successors, Verdict, hook,
};
use secateurs_lab::{Audit, Coverage, GapReason, Instances, Loss, Violation};

use crate::columns::{Columns, MIRROR, least_image, prunes};

/// The children of the problem, some of them left out or repeated.
#[derive(Clone, Copy)]
struct Flawed {
    effect: Effect,
    /// Returns how often a node of this depth has this child in the order.
    times: fn(usize, usize, &Columns) -> usize,
}

impl Flawed {
    fn new(effect: Effect, times: fn(usize, usize, &Columns) -> usize) -> Self {
        Flawed { effect, times }
    }
}

impl Brancher<Columns> for Flawed {
    type Cursor = std::vec::IntoIter<usize>;

    fn branch(&mut self, node: &Node<'_, Columns>) -> Branch<Self::Cursor> {
        let (queens, state) = (node.problem(), node.state());
        queens.branch(state).map(|mut cursor| {
            let children = std::iter::from_fn(|| queens.next(state, &mut cursor));
            let times = |child: usize| {
                std::iter::repeat_n(child, (self.times)(node.depth(), child, queens))
            };
            children.flat_map(times).collect::<Vec<_>>().into_iter()
        })
    }
    fn next(&mut self, _: &Node<'_, Columns>, children: &mut Self::Cursor) -> Option<usize> {
        children.next()
    }
    fn effect(&self) -> Effect {
        self.effect
    }
}

fn audit(size: usize, brancher: Flawed) -> Result<Coverage, Violation> {
    let queens = Columns::new(size);
    Audit::of_count(&queens).brancher(|| brancher).run()
}

/// All children once.
fn all(_: usize, _: usize, _: &Columns) -> usize {
    1
}

/// No child at all.
fn none(_: usize, _: usize, _: &Columns) -> usize {
    0
}

/// The left half of the first row.
fn left_half(depth: usize, column: usize, queens: &Columns) -> usize {
    usize::from(depth > 0 || 2 * column < queens.size)
}

#[test]
fn a_brancher_that_leaves_out_children_loses_solutions() {
    let violation = audit(6, Flawed::new(Effect::Preserving, left_half)).expect_err("half");
    assert_eq!(
        violation.to_string(),
        "`the brancher` (preserving): 2 solutions were lost, among them [3, 0, 4, 1, 5, 2]"
    );
    let found = Instances::new([6_usize, 5, 4])
        .smaller(|&size| size.checked_sub(1))
        .audit(|&size| audit(size, Flawed::new(Effect::Preserving, none)));
    // On 3 rows there is no solution to lose, so that the smaller board of 1 row is not reached.
    assert_eq!(*found.expect_err("nothing is left").instance(), 4);
    let coverage = audit(6, Flawed::new(Effect::Preserving, all)).expect("right");
    assert_eq!(coverage.to_string(), "1 instance: 4 nodes checked, exhaustive");
}

#[test]
fn a_brancher_that_repeats_children_adds_solutions() {
    let twice = |depth, _: usize, _: &Columns| 1 + usize::from(depth == 2);
    for effect in [Effect::Preserving, Effect::Representatives, Effect::OptimumOnly] {
        let violation = audit(6, Flawed::new(effect, twice)).expect_err("twice as many");
        assert_eq!(*violation.loss(), Loss::Surplus { count: 4 });
        assert_eq!(violation.effect(), Some(effect));
    }
}

#[test]
fn a_brancher_that_exchanges_solutions_is_not_vouched_for() {
    // In the first row, column 1 twice instead of column 2: one solution each.
    let exchanged = |depth, column: usize, _: &Columns| match (depth, column) {
        (0, 1) => 2,
        (0, 2) => 0,
        _ => 1,
    };
    for effect in [Effect::Preserving, Effect::OptimumOnly] {
        let coverage = audit(6, Flawed::new(effect, exchanged)).expect("as many solutions");
        assert_eq!(coverage.unchecked(GapReason::InNumber), 1, "{coverage}");
        assert!(!coverage.is_exhaustive());
    }
}

#[test]
fn a_hook_that_exchanges_solutions_is_not_vouched_for() {
    let words = Successors::new(
        (0, 0),
        |&(length, _)| length == 2,
        |(length, word)| [0, 1, 2].map(|digit| (length + 1, 3 * word + digit)),
    );
    for (to, unchecked) in [(0, 1), (2, 0)] {
        for effect in [Effect::Preserving, Effect::OptimumOnly] {
            let exchange = hook::enter("exchange", effect, move |node| {
                if *node.state() == (1, 2) {
                    *node.state_mut() = (1, to);
                }
                Verdict::Keep
            });
            let coverage = Audit::of_count(&words).hook(exchange).run().expect("as many");
            assert_eq!(coverage.unchecked(GapReason::InNumber), unchecked, "{coverage}");
            assert_eq!(coverage.is_exhaustive(), unchecked == 0, "{coverage}");
        }
    }
}

#[test]
fn a_brancher_is_held_to_its_own_claim() {
    let half = |effect| Flawed::new(effect, left_half);
    assert!(audit(6, half(Effect::OptimumOnly)).expect("one is left").is_exhaustive());
    let violation = audit(6, Flawed::new(Effect::OptimumOnly, none)).expect_err("none is left");
    assert_eq!(*violation.loss(), Loss::Existence);
    let coverage = audit(6, Flawed::new(Effect::Lossy, none)).expect("nothing is claimed");
    assert_eq!(coverage.unchecked(GapReason::Unclaimed), 1);
    let coverage = audit(6, half(Effect::Representatives)).expect("two are left");
    assert_eq!(coverage.unchecked(GapReason::WithoutOrbits), 1);
    // With orbits: the mirror images of the left half.
    let by_orbit = |brancher: Flawed| {
        let queens = Columns::new(6);
        let least = least_image(&MIRROR);
        Audit::of_count(&queens)
            .orbits(move |_, columns| least(columns))
            .brancher(|| brancher)
            .run()
    };
    assert!(by_orbit(half(Effect::Representatives)).expect("all orbits").is_exhaustive());
    let two = |depth: usize, column: usize, _: &Columns| usize::from(depth > 0 || column < 2);
    let violation = by_orbit(Flawed::new(Effect::Representatives, two)).expect_err("one is lost");
    assert!(matches!(violation.loss(), Loss::Orbit { .. }), "{violation}");
}

#[test]
fn with_an_objective_a_brancher_must_keep_the_optimum() {
    let queens = Columns::new(6);
    let first = |_: &Columns, columns: &Vec<usize>| columns.first().copied().unwrap_or(0);
    let audit = |brancher: Flawed| {
        let objective = Objective::maximise(first);
        let bound = |_: &Columns, _: &Vec<usize>| 5;
        Audit::of_best(&queens, &objective).bound("all", bound).brancher(|| brancher).run()
    };
    let violation = audit(Flawed::new(Effect::Preserving, left_half)).expect_err("the right half");
    assert_eq!(
        *violation.loss(),
        Loss::Optimum { optimum: "4".to_owned(), found: Some("2".to_owned()) }
    );
    assert_eq!((violation.hook(), violation.effect()), ("the brancher", Some(Effect::Preserving)));
    assert!(audit(Flawed::new(Effect::Preserving, all)).expect("right").is_exhaustive());
    // A bound of the brancher is checked as well.
    let objective = Objective::maximise(first);
    let exact = |_: &Columns, columns: &Vec<usize>, &column: &usize| {
        columns.first().copied().unwrap_or(column)
    };
    let audit = Audit::of_best(&queens, &objective).brancher(|| objective.sorted(exact)).run();
    assert!(audit.expect("exact").is_exhaustive());
    // This bound puts the columns of the first row in ascending order. Without slack it is too low
    // for large ones, which come late and are cut off.
    let ascending = |slack: usize| {
        let objective = Objective::maximise(first);
        let bound = move |_: &Columns, columns: &Vec<usize>, &column: &usize| match columns.first()
        {
            Some(&first) => first + 1,
            None => 4 + slack - column.min(4),
        };
        Audit::of_best(&queens, &objective).brancher(|| objective.sorted(bound)).run()
    };
    let violation = ascending(0).expect_err("too low");
    assert!(matches!(violation.loss(), Loss::Optimum { .. }), "{violation}");
    assert!(ascending(9).expect("high enough").is_exhaustive());
}

#[test]
fn the_bound_by_which_a_problem_ends_its_loop_is_checked() {
    let queens = Columns::new(6);
    // The columns of the first row ascend, so with their own number as the bound no loop ends too
    // early.
    let audit = |too_low: usize| {
        let objective = Objective::maximise(|_: &Columns, columns: &Vec<usize>| {
            columns.first().copied().unwrap_or(0)
        });
        let order = || {
            objective.next_within(move |queens, columns, cursor, to_beat| {
                let column = queens.next(columns, cursor)?;
                let bound = columns.first().copied().unwrap_or(column.saturating_sub(too_low));
                to_beat.is_beaten_by(&bound).then_some(column)
            })
        };
        Audit::of_best(&queens, &objective).brancher(order).run()
    };
    assert!(audit(0).expect("right").is_exhaustive());
    let violation = audit(1).expect_err("too low");
    assert!(matches!(violation.loss(), Loss::Optimum { .. }), "{violation}");
    assert_eq!(violation.effect(), Some(Effect::OptimumOnly));
}

#[test]
fn sound_orders_pass_together_with_hooks() {
    let queens = Columns::new(6);
    let is_corner = |row, column| row == 0 && column == 0;
    let corner = || prunes("corner", Effect::Preserving, is_corner);
    let descending =
        || Sorted::by(|_: &Node<'_, Columns>, &column: &usize| std::cmp::Reverse(column));
    let mut checked = HashSet::new();
    for seed in 0..5 {
        let order = || Shuffled::over(descending(), seed);
        let coverage = Audit::of_count(&queens).brancher(order).hook(corner()).run();
        let coverage = coverage.expect("sound");
        coverage.exhaustive().expect("small");
        checked.insert((coverage.cuts.of, coverage.nodes.of));
    }
    assert_eq!(checked, HashSet::from([(1, 4)]));
}

#[test]
fn a_brancher_beyond_the_limits_is_unchecked() {
    let queens = Columns::new(6);
    let order = || Flawed::new(Effect::Preserving, none);
    let objective = Objective::maximise(|_: &Columns, columns: &Vec<usize>| columns.len());
    let limits = || Limits::new().nodes(10);
    for coverage in [
        Audit::of_count(&queens).brancher(order).limits(limits()).nodes(5).run(),
        Audit::of_best(&queens, &objective).brancher(order).limits(limits()).nodes(5).run(),
    ] {
        // The brancher's small tree was searched, but the problem's own tree is too large.
        let coverage = coverage.expect("too large");
        assert!(
            coverage.gaps().iter().any(|gap| {
                (gap.reason, &*gap.subject) == (GapReason::Unfinished, "the brancher")
            })
        );
    }
    let known = objective.incumbent();
    known.offer(9);
    let coverage = Audit::of_best(&queens, &objective).brancher(order).run().expect("known");
    assert_eq!(coverage.unchecked(GapReason::KnownBefore), 1);
}
