//! Audits of combined hooks, and audits that check only a part.

use secateurs::hook::Memo;
use secateurs::{
    Effect, Hook, Limits, Node, NodeMut, Objective, Problem, Substitute, SubstituteOrder, Verdict,
    hook,
};
use secateurs_lab::{Audit, GapReason, Loss, audit_all};
use secateurs_problems::fire_net::{
    BoundKind, DegreeOne, FireNetBoard, Scope, SmallestSegment, State, UpperBound,
};
use secateurs_problems::queens::Queens;

use crate::columns::{Columns, MIRROR, least_image, left_half_and_middle, prunes};
use crate::shared::example::boards::{self, placed, smaller};

#[test]
fn hooks_are_audited_with_another_brancher() {
    for brancher in [SmallestSegment::new, SmallestSegment::matched_first] {
        let coverage = audit_all(boards::all(3, 3), smaller, |board| {
            // The state lists the bunkers in the order of their placement.
            let coverage = Audit::of_count(board).brancher(brancher).run()?;
            let in_another_order = coverage.unchecked(GapReason::InNumber);
            assert_eq!(coverage.is_exhaustive(), in_another_order == 0, "{coverage}");
            let sorted = |_: &FireNetBoard, state: &State| {
                let mut bunkers = state.bunkers().to_vec();
                bunkers.sort_unstable();
                format!("{bunkers:?}")
            };
            let coverage = Audit::of_count(board).brancher(brancher).show(sorted).run()?;
            assert!(coverage.is_exhaustive(), "{coverage}");
            let objective = Objective::maximise(placed);
            Audit::of_best(board, &objective)
                .brancher(brancher)
                .hook(DegreeOne::new(Scope::EveryNode))
                .hook(UpperBound::new(BoundKind::Segments, objective.incumbent().clone()))
                .run()
        });
        assert!(coverage.expect("sound").is_exhaustive());
    }
}

/// Returns a hook that prunes the board with a bunker in this cell alone.
fn not_only(cell: usize, substitute: Substitute) -> impl Hook<FireNetBoard> {
    let is_cut = move |node: &mut NodeMut<'_, FireNetBoard>| {
        Verdict::prune_if(node.state().bunkers() == [cell])
    };
    hook::enter(format!("not {cell}"), Effect::OptimumOnly, is_cut).substitute(substitute)
}

#[test]
fn violations_name_the_responsible_hooks() {
    // The first hook is sound and keeps the left half; the second one loses the rest.
    let queens = Columns::new(6);
    let not_in_column_1 = prunes("not in column 1", Effect::Preserving, |_, column| column == 1);
    let audit = Audit::of_count(&queens).hook(left_half_and_middle(6)).hook(not_in_column_1).run();
    assert_eq!(audit.expect_err("the second is wrong").hook(), "not in column 1");
    // Two hooks that together lose all best solutions are both named.
    let board = FireNetBoard::empty(1, 2);
    let objective = Objective::maximise(placed);
    let violation = Audit::of_best(&board, &objective)
        .hook(not_only(0, Substitute::Below))
        .hook(not_only(1, Substitute::Below))
        .run()
        .expect_err("nothing is left");
    assert_eq!(
        (violation.hook(), violation.others()),
        ("not 1", &["not 0".to_owned()][..]),
        "{violation}"
    );
    assert!(
        Audit::of_best(&board, &Objective::maximise(placed))
            .hook(not_only(0, Substitute::Elsewhere(SubstituteOrder::Unstated)))
            .run()
            .is_ok()
    );
}

#[test]
fn a_symmetry_that_changes_the_objective_is_unsound() {
    let queens = Columns::new(6);
    let sum =
        Objective::minimise(|_: &Columns, columns: &Vec<usize>| columns.iter().sum::<usize>());
    assert!(Audit::of_best(&queens, &sum).hook(left_half_and_middle(6)).run().is_ok());
    let first = Objective::maximise(|_: &Columns, columns: &Vec<usize>| columns[0]);
    let violation = Audit::of_best(&queens, &first)
        .hook(left_half_and_middle(6))
        .run()
        .expect_err("the right half");
    assert_eq!(
        (violation.hook(), violation.effect()),
        ("left half and middle", Some(Effect::Representatives))
    );
    assert!(matches!(violation.loss(), Loss::Optimum { .. }), "{violation}");
}

#[test]
fn claims_are_limited_by_those_of_other_hooks() {
    let queens = Columns::new(6);
    let least = least_image(&MIRROR);
    // The mirror relies on orbits that the other hook may cut off.
    let audit = |effect| {
        let only = hook::enter("only from column 1", effect, |node: &mut NodeMut<'_, Columns>| {
            Verdict::prune_if(node.state().first().is_some_and(|&column| column != 1))
        });
        let audit = Audit::of_count(&queens).orbits(|_, columns| least(columns));
        audit.hook(left_half_and_middle(6)).hook(only).run()
    };
    let coverage = audit(Effect::Lossy).expect("as is claimed");
    assert!(!coverage.is_exhaustive(), "{coverage}");
    let violation = audit(Effect::OptimumOnly).expect_err("a conflict");
    assert!(matches!(violation.loss(), Loss::Conflict { .. }), "{violation}");
    let violation = audit(Effect::Preserving).expect_err("too much");
    assert_eq!(violation.hook(), "only from column 1");
}

#[test]
fn violations_print_the_lost_solution() {
    let queens = Columns::new(4);
    let draw = |_: &Columns, columns: &Vec<usize>| {
        columns
            .iter()
            .map(|&column| format!("{}Q", ".".repeat(column)))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let is_cut = |row, column| row == 0 && column == 1;
    let not_in_column_1 = prunes("not in column 1", Effect::Preserving, is_cut);
    let violation =
        Audit::of_count(&queens).show(draw).hook(not_in_column_1).run().expect_err("one is lost");
    assert_eq!(
        violation.to_string(),
        "`not in column 1` (preserving): a solution was lost\n  cut off: .Q\n  reached by: [1]\n  \
         lost:\n    .Q\n    ...Q\n    Q\n    ..Q"
    );
}

#[test]
fn hooks_that_cannot_be_combined_are_a_violation() {
    let queens = Queens::new(5).expect("a size").bits();
    let leader = Queens::lex_leader(&queens).expect("a group");
    let violation = Audit::of_count(&queens)
        .hook(Queens::mirror())
        .hook(leader)
        .run()
        .expect_err("two symmetries");
    assert!(
        matches!(violation.loss(), Loss::Conflict { reasons } if reasons.len() == 1),
        "{violation}"
    );
}

#[test]
fn a_memo_can_be_combined_with_a_preserving_hook() {
    let queens = Columns::new(7);
    let ahead = hook::enter(
        "a free column ahead",
        Effect::Preserving,
        |node: &mut NodeMut<'_, Columns>| {
            let (size, state) = (node.problem().size, node.state());
            Verdict::prune_if(state.len() < size && node.problem().next(state, &mut 0).is_none())
        },
    );
    let memo = Memo::counted("all", |_: &Columns, state: &Vec<usize>| state.clone());
    let coverage = Audit::of_count(&queens).hook(memo).hook(ahead).run().expect("sound");
    assert!(coverage.cuts.checked > 0 && coverage.is_exhaustive());
}

#[test]
fn unchecked_actions_are_counted() {
    let queens = Columns::new(8);
    let is_right = |row, column| row == 1 && column >= 4;
    let second = |effect| prunes("second half", effect, is_right);
    // Subtrees beyond the limits.
    let coverage = Audit::of_count(&queens)
        .limits(Limits::new().nodes(10))
        .hook(second(Effect::OptimumOnly))
        .run();
    let coverage = coverage.expect("nothing is known");
    assert!(!coverage.is_exhaustive() && coverage.unchecked(GapReason::TooLarge) > 0, "{coverage}");
    // Actions without a claim.
    let coverage =
        Audit::of_count(&queens).hook(second(Effect::Lossy)).run().expect("nothing is claimed");
    assert_eq!(
        (coverage.unchecked(GapReason::Unclaimed), coverage.cuts.checked),
        (coverage.cuts.of, 0),
        "{coverage}"
    );
    // A random share.
    let share =
        |share| Audit::of_count(&queens).share(share, 7).hook(second(Effect::OptimumOnly)).run();
    let coverage = share(0.5).expect("something is left");
    assert_eq!(coverage.unchecked(GapReason::LeftOut) + coverage.cuts.checked, coverage.cuts.of);
    assert!(coverage.unchecked(GapReason::LeftOut) > 3 && coverage.cuts.checked > 3, "{coverage}");
    assert!(coverage.to_string().contains("left out at random"), "{coverage}");
    assert!(share(1.0).expect("something is left").is_exhaustive());
    // A search that is stopped.
    let coverage = Audit::of_count(&queens)
        .nodes(30)
        .hook(second(Effect::OptimumOnly))
        .run()
        .expect("not known");
    assert_eq!(coverage.unchecked(GapReason::Unfinished), 1, "{coverage}");
}

#[test]
fn values_known_before_the_search_may_be_lost() {
    let board = FireNetBoard::empty(3, 3);
    let objective = Objective::maximise(placed);
    objective.incumbent().offer(3);
    let bound = UpperBound::new(BoundKind::Cells, objective.incumbent().clone());
    assert!(Audit::of_best(&board, &objective).hook(bound).run().is_ok());
}

#[test]
fn a_local_audit_requires_each_action_to_keep_a_best_solution() {
    // The hook cuts off one of two equally good placements.
    let board = FireNetBoard::empty(1, 2);
    let not_first = || not_only(0, Substitute::Elsewhere(SubstituteOrder::Unstated));
    let objective = Objective::maximise(placed);
    assert!(Audit::of_best(&board, &objective).hook(not_first()).run().is_ok());
    let objective = Objective::maximise(placed);
    assert!(Audit::of_best(&board, &objective).locally().hook(not_first()).run().is_err());
}

#[test]
fn an_audit_without_a_subject_is_not_exhaustive() {
    let queens = Columns::new(4);
    let coverage = Audit::of_count(&queens).run().expect("nothing");
    assert_eq!(
        coverage.to_string(),
        "1 instance: nothing to check; not exhaustive: 1 without a subject"
    );
    let error = coverage.exhaustive().expect_err("nothing was checked");
    assert_eq!(
        error.to_string(),
        "the audit was not exhaustive\n  \
         `the audit`: 1 without a subject; add what is to be audited, such as a `hook`"
    );
    // A hook that is not audited is not a subject.
    let idle = || hook::watch("idle", |_: &Node<'_, Columns>| {});
    let coverage = Audit::of_count(&queens).problem_hook(idle).run().expect("nothing");
    assert_eq!(coverage.unchecked(GapReason::NoSubject), 1);
    let objective = Objective::maximise(|_: &Columns, columns: &Vec<usize>| columns.len());
    let coverage = Audit::of_best(&queens, &objective).run().expect("nothing");
    assert!(coverage.exhaustive().is_err());
}

#[test]
fn a_hook_that_never_cuts_is_a_subject() {
    let idle = hook::watch("idle", |_: &Node<'_, Columns>| {});
    let coverage = Audit::of_count(&Columns::new(4)).hook(idle).run().expect("nothing is lost");
    assert_eq!(coverage.to_string(), "1 instance: nothing to check, exhaustive");
    assert_eq!(coverage.cuts.of, 0);
    coverage.exhaustive().expect("a hook may have nothing to cut");
}
