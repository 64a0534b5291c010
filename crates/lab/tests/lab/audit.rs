//! Audits of searches find unsound bounds, symmetries, keys, dominances and undos, and accept sound
//! ones.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use secateurs::hook::{Dominance, LexLeader, Memo, Permutation, SymmetryGroup};
use secateurs::{Branch, CopyProblem, Effect, Hook, NodeMut, Objective, Verdict, hook};
use secateurs_lab::{Audit, AuditProgress, Coverage, Loss, Violation, audit_all};
use secateurs_problems::fire_net::{FireNetBoard, State};
use secateurs_problems::queens::{BitQueens, Queens, RowByRow};

use crate::columns::{Columns, MIRROR, least_image, left_half_and_middle, left_half_only, prunes};
use crate::shared::example::boards::{self, best_below, placed, smaller};
use crate::support::knapsacks::{Knapsack, Load};

/// A wrong bound: too low for states with one bunker.
fn too_low(board: &FireNetBoard, state: &State) -> usize {
    best_below(board, state).unwrap_or(0).saturating_sub(usize::from(state.placed() == 1))
}

#[test]
fn an_inadmissible_bound_is_found_as_a_bound_and_as_a_hook() {
    // As a bound, it fails on any board.
    let board = FireNetBoard::empty(2, 2);
    let objective = Objective::maximise(placed);
    let violation =
        Audit::of_best(&board, &objective).bound("too low", too_low).run().expect_err("too low");
    assert_eq!(*violation.loss(), Loss::Beaten { bound: "1".to_owned(), best: "2".to_owned() });
    assert_eq!(violation.path(), "[Next(0)]");
    let violation =
        Audit::of_best(&board, &objective).best_below(best_below).bound("too low", too_low).run();
    assert!(matches!(violation.expect_err("too low").loss(), Loss::Beaten { .. }));
    // As a hook, it fails only where it loses the optimum.
    let small = boards::all(2, 2).chain(boards::all(2, 3)).chain(boards::all(3, 3));
    let found = audit_all(small, smaller, |board| {
        let objective = Objective::maximise(placed);
        Audit::of_best(board, &objective).hook(objective.bound("too low", too_low)).run()
    });
    let found = found.expect_err("too low");
    assert!(matches!(found.violation().loss(), Loss::Optimum { .. }), "{found}");
    // The correct bound passes as both.
    let coverage = audit_all(boards::all(2, 3), smaller, |board| {
        let objective = Objective::maximise(placed);
        let exact = |board: &FireNetBoard, state: &State| best_below(board, state).unwrap_or(0);
        Audit::of_best(board, &objective)
            .monotone_bound("exact", exact)
            .hook(objective.bound("exact", exact))
            .run()
    });
    let coverage = coverage.expect("admissible and monotone");
    assert!(
        coverage.is_exhaustive() && coverage.nodes.checked > 64 && coverage.cuts.checked > 64,
        "{coverage}"
    );
}

#[test]
fn a_bound_that_is_not_monotone_violates_only_monotone_bound() {
    let board = FireNetBoard::empty(2, 2);
    let objective = Objective::maximise(placed);
    let rises = |_: &FireNetBoard, state: &State| if state.placed() == 1 { 9 } else { 8 };
    assert!(Audit::of_best(&board, &objective).bound("rises", rises).run().is_ok());
    let violation = Audit::of_best(&board, &objective)
        .monotone_bound("rises", rises)
        .run()
        .expect_err("the bound rises");
    assert_eq!(
        *violation.loss(),
        Loss::BetterBelow { above: "8".to_owned(), below: "9".to_owned() }
    );
}

fn audit_mirror<H: Hook<Columns>>(
    size: usize,
    mirror: impl Fn(usize) -> H,
) -> Result<Coverage, Violation> {
    let queens = Columns::new(size);
    let least = least_image(&MIRROR);
    Audit::of_count(&queens).orbits(move |_, columns| least(columns)).hook(mirror(size)).run()
}

/// Returns the group of a cyclic shift of the columns, which is no symmetry.
fn shifts() -> SymmetryGroup {
    let shift = Permutation::new(6, 6, |row, column| (row, (column + 1) % 6));
    SymmetryGroup::generate(6, 6, &[shift.expect("a permutation")], 8).expect("a group")
}

#[test]
fn a_mirror_without_the_middle_column_is_unsound_for_odd_sizes() {
    let even = audit_all([4, 6, 8], |_| None, |&size| audit_mirror(size, left_half_only))
        .expect("right for even sizes");
    assert!(even.cuts.checked > 0 && even.is_exhaustive());
    let smaller = |&size: &usize| (size > 1).then(|| size - 1);
    let found = audit_all([9], smaller, |&size| audit_mirror(size, left_half_only))
        .expect_err("wrong for odd sizes");
    assert!(matches!(found.violation().loss(), Loss::Orbit { .. }), "{found}");
    assert_eq!(found.instance() % 2, 1);
    let all = audit_all(1..=8, |_| None, |&size| audit_mirror(size, left_half_and_middle))
        .expect("right");
    assert!(all.is_exhaustive());
    // The bundled mirror, which gives orbit sizes.
    let all = audit_all(
        1..=8,
        |_| None,
        |&size| {
            let queens = Queens::new(size).expect("a size").bits();
            Audit::of_count(&queens).hook(Queens::mirror()).run()
        },
    );
    assert!(all.expect("right").is_exhaustive());
}

#[test]
fn a_lex_leader_of_a_wrong_symmetry_is_unsound() {
    let lex = |group| {
        LexLeader::new(group, |_: &BitQueens, path, choice| (path.len(), BitQueens::column(choice)))
    };
    let queens = Queens::new(6).expect("a size").bits();
    let violation = Audit::of_count(&queens).hook(lex(shifts())).run().expect_err("no symmetry");
    assert!(matches!(violation.loss(), Loss::OrbitSizes { .. } | Loss::Existence), "{violation}");
    // If the orbits are known, the violation names the lost one.
    let leader = || LexLeader::new(shifts(), |_: &Columns, path, &column| (path.len(), column));
    let violation = audit_mirror(6, |_| leader()).expect_err("no symmetry");
    assert!(matches!(violation.loss(), Loss::Orbit { .. }), "{violation}");
    // The correct symmetries pass.
    let turn = Permutation::new(6, 6, |row, column| (column, 5 - row)).expect("a permutation");
    let flip = Permutation::new(6, 6, |row, column| (row, 5 - column)).expect("a permutation");
    let group = SymmetryGroup::generate(6, 6, &[turn, flip], 8).expect("a group");
    let coverage = Audit::of_count(&queens).hook(lex(group)).run().expect("symmetries");
    assert!(coverage.is_exhaustive());
}

fn mirror_group(size: usize) -> SymmetryGroup {
    let mirror = Permutation::new(size, size, |row, column| (row, size - 1 - column));
    SymmetryGroup::generate(size, size, &[mirror.expect("a permutation")], 2).expect("a group")
}

#[allow(clippy::ptr_arg, reason = "the state type is a vector")]
fn pairs(_: &Columns, columns: &Vec<usize>) -> Vec<(usize, usize)> {
    columns.iter().copied().enumerate().collect()
}

#[test]
fn a_mirror_that_loses_both_images_is_found_by_its_group() {
    let queens = Columns::new(6);
    let is_inner = |row, column| row == 0 && [1, 4].contains(&column);
    let inner = || prunes("inner", Effect::Representatives, is_inner);
    let audit = Audit::of_count(&queens).symmetries(mirror_group(6), pairs).hook(inner());
    let violation = audit.run().expect_err("both are lost");
    assert!(matches!(violation.loss(), Loss::Orbit { .. }), "{violation}");
    // Without the group, the claim cannot be checked.
    let coverage = Audit::of_count(&queens).hook(inner()).run().expect("some solutions are left");
    let error = coverage.exhaustive().expect_err("the orbits are unknown").to_string();
    assert!(error.contains("`inner`: 2 with unknown orbits; give `symmetries`"), "{error}");
    // If no solution is left, the claim is refuted.
    let none = prunes("none", Effect::Representatives, |_, _| true);
    let violation = Audit::of_count(&queens).hook(none).run().expect_err("there are some");
    assert_eq!(*violation.loss(), Loss::Existence);
    // A sound mirror passes.
    let audit = Audit::of_count(&queens).symmetries(mirror_group(6), pairs);
    let coverage = audit.hook(left_half_only(6)).run().expect("sound");
    coverage.exhaustive().expect("all orbits are known");
}

#[test]
fn cuts_without_solutions_need_no_orbits() {
    let queens = Columns::new(6);
    // No solution has a queen in the first corner.
    let is_corner = |row, column| row == 0 && column == 0;
    let corner = prunes("corner", Effect::Representatives, is_corner);
    let coverage = Audit::of_count(&queens).hook(corner).run().expect("nothing is lost");
    coverage.exhaustive().expect("nothing to lose");
}

#[test]
fn a_wrong_group_is_shown_with_a_witness() {
    let queens = Columns::new(6);
    let audit = Audit::of_count(&queens).symmetries(shifts(), pairs);
    let violation = audit.run().expect_err("no symmetry");
    assert_eq!(violation.hook(), "the symmetries");
    assert_eq!(
        violation.to_string(),
        "`the symmetries`: a permutation maps a solution to an image that is no solution\n  \
         solution: [1, 3, 5, 0, 2, 4]\n  \
         permutation: (0, 1) → (0, 2), (1, 3) → (1, 4), (2, 5) → (2, 0), (3, 0) → (3, 1), \
         (4, 2) → (4, 3), (5, 4) → (5, 5)\n  \
         image: [(0, 2), (1, 4), (2, 0), (3, 1), (4, 3), (5, 5)]"
    );
    // The mirror is a symmetry, but it changes the first column.
    let first = Objective::maximise(|_: &Columns, columns: &Vec<usize>| columns[0]);
    let audit = Audit::of_best(&queens, &first).symmetries(mirror_group(6), pairs);
    let violation = audit.run().expect_err("other values");
    let Loss::NotSymmetric { value: Some(value), .. } = violation.loss() else {
        panic!("{violation}")
    };
    assert_eq!(value, "4, not 1");
    let coverage = Audit::of_count(&queens).symmetries(mirror_group(6), pairs).run();
    assert_eq!(
        coverage.expect("a symmetry").to_string(),
        "1 instance: 4 nodes checked, exhaustive"
    );
}

#[test]
fn audits_report_their_progress() {
    let queens = Columns::new(8);
    let (nodes, actions) = (Cell::new(0), Cell::new(0));
    let coverage = Audit::of_count(&queens)
        .hook(left_half_only(8))
        .progress(Duration::ZERO, |progress: &AuditProgress| {
            assert!(progress.nodes > nodes.get() && progress.actions >= actions.get());
            nodes.set(progress.nodes);
            actions.set(progress.actions);
        })
        .run()
        .expect("sound");
    assert!(nodes.get() > 1_500 && (1..=coverage.cuts.of).contains(&actions.get()), "{coverage}");
}

#[allow(clippy::ptr_arg, reason = "the state type is a vector")]
fn sorted(_: &Columns, state: &Vec<usize>) -> Vec<usize> {
    let mut columns = state.clone();
    columns.sort_unstable();
    columns
}

#[test]
fn a_memo_key_without_the_diagonals_is_unsound() {
    let queens = Columns::new(6);
    // Columns alone do not determine the attacked diagonals.
    let audit = || Audit::of_count(&queens);
    for memo in [Memo::counted("columns", sorted), Memo::failed("columns", sorted)] {
        assert_eq!(audit().hook(memo).run().expect_err("joined states").hook(), "columns");
    }
    for audit in [audit().key("columns", sorted), audit().key_of_failures("columns", sorted)] {
        let violation = audit.run().expect_err("joined states");
        assert!(matches!(violation.loss(), Loss::Joined { .. }), "{violation}");
        assert_eq!(violation.exhibits().len(), 2, "{violation}");
    }
    // Columns and attacked diagonals together determine the subtree.
    let attacked = |_: &Columns, state: &Vec<usize>| {
        let mut all: Vec<(usize, isize, isize)> = state
            .iter()
            .rev()
            .zip(1..)
            .map(|(&column, rows)| (column, column as isize + rows, column as isize - rows))
            .collect();
        all.sort_unstable();
        (state.len(), all)
    };
    let memo = Memo::counted("attacked", attacked);
    Audit::of_count(&queens)
        .key("attacked", attacked)
        .key_of_failures("attacked, failures only", attacked)
        .hook(memo)
        .run()
        .expect("sound")
        .exhaustive()
        .expect("small");
}

#[test]
fn with_an_objective_keys_must_determine_the_best_value() {
    let board = FireNetBoard::empty(2, 3);
    let objective = Objective::maximise(placed);
    let audit = || Audit::of_best(&board, &objective);
    let candidates = |_: &FireNetBoard, state: &State| state.candidates();
    let violation = audit().key("candidates", candidates).run().expect_err("joined states");
    assert!(matches!(violation.loss(), Loss::Joined { .. }), "{violation}");
    let coverage = audit().key("best", best_below).run().expect("equal by definition");
    coverage.exhaustive().expect("small");
}

#[test]
fn an_undo_that_does_not_restore_the_state_is_found() {
    let leaky = Columns { leaks_at: Some(3), ..Columns::new(6) };
    let keep_all = prunes("none", Effect::Preserving, |_, _| false);
    let violation = Audit::of_count(&leaky).hook(keep_all).run().expect_err("undo leaks");
    assert_eq!(violation.hook(), "undo");
    assert!(
        matches!(violation.loss(), Loss::NotRestored { choice } if choice == "3"),
        "{violation}"
    );
    let [was, is] = violation.exhibits() else { panic!("two states") };
    assert_eq!((was.role, is.role), ("it was", "it is now"));
    assert_eq!(was.path, is.path);
    // The error is attributed to `undo`, and not to a hook, also if it is found in the tree without
    // hooks or below a cut.
    let violation =
        Audit::of_count(&leaky).key("all", |_, state| state.clone()).run().expect_err("undo leaks");
    assert_eq!(violation.hook(), "undo");
    let cut = prunes("all", Effect::Representatives, |_, _| true);
    let violation = Audit::of_count(&leaky).hook(cut).run().expect_err("undo leaks");
    assert_eq!((violation.hook(), violation.exhibits().len()), ("undo", 3), "{violation}");
    assert!(Audit::of_count(&Columns::new(6)).run().is_ok());
}

#[test]
fn states_that_look_equal_in_show_are_printed_in_full_after_a_failed_undo() {
    let leaky = Columns { leaks_at: Some(3), ..Columns::new(6) };
    let key = |_: &Columns, state: &Vec<usize>| state.clone();
    let audit = Audit::of_count(&leaky).show(|_, _| "a board".to_owned()).key("all", key);
    let violation = audit.run().expect_err("undo leaks");
    let roles: Vec<&str> = violation.exhibits().iter().map(|exhibit| exhibit.role).collect();
    assert_eq!(roles, ["it was", "it is now", "it was, in full", "it is now, in full"]);
    let [was, is, was_in_full, is_in_full] = violation.exhibits() else { panic!("four") };
    assert_eq!((&*was.state, &*is.state), ("a board", "a board"));
    assert_ne!(was_in_full.state, is_in_full.state, "{violation}");
}

#[test]
fn a_tightening_that_undo_does_not_restore_is_found() {
    let queens = Columns::new(4);
    let has_swapped = RefCell::new(false);
    let swaps = hook::enter("swaps", Effect::Lossy, |node: &mut NodeMut<'_, Columns>| {
        if node.depth() == 2 && !has_swapped.replace(true) {
            node.state_mut().swap(0, 1);
        }
        Verdict::Keep
    });
    let violation = Audit::of_count(&queens).hook(swaps).run().expect_err("not restored");
    assert_eq!(violation.hook(), "undo");
}

#[test]
fn dominances_must_respect_values_and_be_transitive() {
    let items = vec![(3, 4), (4, 5), (2, 3), (5, 8), (1, 1), (2, 2)];
    let knapsack = Knapsack { items, capacity: 9 };
    let value = Objective::maximise(|_: &Knapsack, load: &Load| load.value);
    let audit = |dominates: fn(&Load, &Load) -> bool| {
        let group = |_: &Knapsack, load: &Load| load.decided;
        Audit::of_best(&knapsack, &value).dominance("load", group, |_, load| *load, dominates).run()
    };
    let coverage = audit(|a, b| a.room >= b.room && a.value >= b.value).expect("sound");
    assert!(coverage.pairs.checked > 100, "{coverage}");
    let violation = audit(|a, b| a.value >= b.value).expect_err("room matters");
    assert!(matches!(violation.loss(), Loss::Dominated { .. }), "{violation}");
    let violation = audit(|a, b| a.room == b.room + 1 && a.value >= b.value)
        .expect_err("two units more is not one unit more");
    assert_eq!(*violation.loss(), Loss::NotTransitive);
    assert_eq!(violation.exhibits().len(), 3);
    // As a hook, next to a bound.
    let audit = |dominates: fn(&Load, &Load) -> bool| {
        let value = Objective::maximise(|_: &Knapsack, load: &Load| load.value);
        let rest = |knapsack: &Knapsack, load: &Load| {
            load.value + knapsack.items[load.decided..].iter().map(|item| item.1).sum::<u64>()
        };
        let group = |_: &Knapsack, load: &Load| load.decided;
        let hook = Dominance::new("load", group, |_: &Knapsack, load: &Load| *load, dominates);
        Audit::of_best(&knapsack, &value)
            .bound("rest", rest)
            .hook(hook)
            .hook(value.bound("rest", rest))
            .run()
    };
    let coverage = audit(|a, b| a.room >= b.room && a.value >= b.value).expect("sound");
    assert!(coverage.is_exhaustive() && coverage.cuts.checked > 10, "{coverage}");
    let violation = audit(|a, b| a.room >= b.room).expect_err("value matters");
    assert_eq!(violation.hook(), "load", "{violation}");
    // Without an objective, only existence matters, and there always is a solution.
    let group = |_: &Knapsack, load: &Load| load.decided;
    let coverage = Audit::of_count(&knapsack)
        .dominance("any", group, |_, _| (), |_, _| true)
        .run()
        .expect("there always is one");
    assert!(coverage.pairs.checked > 100, "{coverage}");
}

#[test]
fn the_key_of_a_closed_set_must_distinguish_states() {
    // Each set is reached by all orders of its elements. The key distinguishes sets, or only their
    // sums.
    let objective = || Objective::maximise(|_: &Subsets, subset: &u32| subset.count_ones());
    let visited = |key: fn(&Subsets, &u32) -> u32| {
        let objective = objective();
        Audit::of_best(&Subsets(4), &objective)
            .key("key", key)
            .hook(Memo::visited("key", key))
            .run()
    };
    assert!(visited(|_, subset| *subset).expect("the same set").is_exhaustive());
    let sum = |_: &Subsets, subset: &u32| (0..4).filter(|element| subset >> element & 1 == 1).sum();
    assert_eq!(visited(sum).expect_err("other sets").hook(), "key");
    let audit = Audit::of_count(&Subsets(4))
        .orbits(|_, subset| *subset)
        .hook(Memo::visited("sets", |_, subset| *subset));
    assert!(audit.run().expect("one of each is left").is_exhaustive());
}

/// Subsets of the numbers below this one, built by adding elements in any order.
struct Subsets(u32);

impl CopyProblem for Subsets {
    type State = u32;
    type Cursor = u32;
    type Choice = u32;
    fn root(&self) -> u32 {
        0
    }
    fn branch(&self, _: &u32) -> Branch<u32> {
        Branch::SolutionInner(0)
    }
    fn next(&self, subset: &u32, cursor: &mut u32) -> Option<u32> {
        let element = (*cursor..self.0).find(|element| subset >> element & 1 == 0)?;
        *cursor = element + 1;
        Some(element)
    }
    fn apply(&self, subset: u32, &element: &u32) -> u32 {
        subset | 1 << element
    }
}

/// Counts from 0 up to 3, and may go back from 2 to 1 once.
struct Detour;

impl CopyProblem for Detour {
    type State = (u8, bool);
    type Cursor = u8;
    type Choice = u8;
    fn root(&self) -> (u8, bool) {
        (0, false)
    }
    fn branch(&self, state: &(u8, bool)) -> Branch<u8> {
        if state.0 == 3 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, state: &(u8, bool), cursor: &mut u8) -> Option<u8> {
        *cursor += 1;
        match *cursor {
            1 => Some(state.0 + 1),
            2 => (*state == (2, false)).then_some(1),
            _ => None,
        }
    }
    fn apply(&self, (from, has_turned): (u8, bool), &to: &u8) -> (u8, bool) {
        (to, has_turned || to < from)
    }
}

#[test]
fn a_cyclic_dominance_is_found() {
    // Each state has a solution below it, so each may dominate every other one. But state 1 is an
    // ancestor of state 2 and farther from the solution: if state 2 is pruned in favour of state 1,
    // the solution below both is lost.
    let cycle =
        Audit::of_count(&Detour).dominance("any", |_, _| (), |_, state| state.0, |_, _| true).run();
    assert_eq!(*cycle.expect_err("a cycle").loss(), Loss::Cycle);
    let nearer = Audit::of_count(&Detour)
        .dominance("nearer", |_, _| (), |_, state| state.0, |a, b| a >= b)
        .run();
    assert!(nearer.expect("a nearer state is as good").pairs.checked > 0);
}
