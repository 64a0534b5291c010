//! The audit rejects the misreadings of fire-net's prunings on boards no larger than the smallest
//! known counterexamples. An ignored test audits the correct ones on many boards.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use secateurs_lab::{Audit, Instances, Loss, Unsound};
use secateurs_problems::fire_net::{FireNetBoard, Scope, open_ends};

use crate::shared::example::boards;
use crate::shared::example::fire_net::{self, Budget, SOUND, alone};
use crate::shared::example::readings::{WRONG, wrong};

/// A node limit that no search of a small board reaches.
const ALL_NODES: u64 = 10_000;

/// Returns the smallest board on which a misreading fails.
fn smallest(name: &str) -> Unsound<FireNetBoard> {
    let small = boards::all(2, 3).chain(boards::all(3, 3)).chain(boards::all(3, 4));
    let audit =
        |board: &FireNetBoard| alone(board, Budget::nodes(ALL_NODES), wrong(name).expect("a name"));
    Instances::new(small).smaller(boards::smaller).audit(audit).expect_err("a wrong reading")
}

#[test]
fn misreadings_are_rejected_on_boards_of_at_most_the_known_size() {
    for ((name, _), cells) in WRONG.into_iter().zip([6, 6, 6, 12, 6, 9, 9]) {
        let found = smallest(name);
        println!("{found}");
        assert!(found.instance().cells() <= cells, "{found}");
        assert!(matches!(found.violation().loss(), Loss::Optimum { .. }), "{found}");
        assert_eq!(found.violation().hook(), format!("{name}, read wrongly"));
        assert_eq!(found.violation().exhibits().len(), 2, "before and after");
    }
}

#[test]
fn a_misreading_is_named_among_sound_hooks() {
    use secateurs::Objective;
    use secateurs_problems::fire_net::{DegreeOne, TooFewCells};

    let found = Instances::new(boards::all(3, 3)).smaller(boards::smaller).audit(|board| {
        let objective = Objective::maximise(boards::placed);
        Audit::of_best(board, &objective)
            .show(boards::draw)
            .hook(TooFewCells::new(objective.incumbent().clone()))
            .hook(DegreeOne::new(Scope::EveryNode))
            .hook(wrong("9a").expect("a name"))
            .run()
    });
    let found = found.expect_err("9a is wrong");
    assert_eq!(found.violation().hook(), "9a, read wrongly", "{found}");
    assert!(found.instance().cells() <= 9, "{found}");
}

/// The time limit is 300 s. Run with `cargo test --release --test lab -- --ignored --nocapture
/// audit_fire_net::`.
#[test]
#[ignore = "takes minutes"]
fn the_sound_prunings_pass_on_all_boards_up_to_4x4_and_on_10_000_random_ones() {
    std::thread::scope(|threads| {
        let parts: Vec<_> = SOUND
            .chunks(SOUND.len().div_ceil(2))
            .map(|part| threads.spawn(|| audit_sound(part)))
            .collect();
        parts.into_iter().for_each(|part| part.join().expect("sound"));
    });
}

fn audit_sound(rules: &[(&str, &str, fire_net::Check)]) {
    let all = |rows: usize| {
        (1..=rows).flat_map(|rows| (1..=4).flat_map(move |columns| boards::all(rows, columns)))
    };
    for (name, _, check) in rules {
        let audit = |what: &str, boards: &mut dyn Iterator<Item = FireNetBoard>, nodes| {
            let start = std::time::Instant::now();
            let audit = Instances::new(boards).smaller(boards::smaller);
            let coverage = audit.audit(|board| check(board, Budget::nodes(nodes)));
            let coverage = coverage.unwrap_or_else(|unsound| panic!("{name}: {unsound}"));
            println!("{name}, {what}: {coverage} ({:.1?})", start.elapsed());
        };
        // The bounds take longer and are not among the ten prunings.
        let rows = if *name == "bounds" { 3 } else { 4 };
        audit(&format!("all boards up to {rows}x4"), &mut all(rows), ALL_NODES);
        let mut with_bunker =
            all(3).flat_map(|board| boards::with_a_bunker(&board).collect::<Vec<_>>());
        audit("all boards up to 3x4 with a bunker", &mut with_bunker, ALL_NODES);
        audit("10,000 random boards up to 8x8", &mut boards::random(10_000, 8, 0), 250);
    }
}

/// A proptest strategy for boards of up to 4×4 with random walls.
fn any_board() -> impl Strategy<Value = FireNetBoard> {
    (1..=4_usize, 1..=4_usize).prop_flat_map(|(rows, columns)| {
        proptest::collection::vec(any::<bool>(), rows * columns).prop_map(move |walls| {
            FireNetBoard::new(rows, columns, |row, column| walls[row * columns + column])
        })
    })
}

proptest! {
    #![proptest_config(Config { cases: 64, failure_persistence: None, ..Config::default() })]
    #[test]
    fn an_audit_is_one_line_in_a_property_test(board in any_board()) {
        let hook = open_ends(Scope::EveryNode);
        let coverage = alone(&board, Budget::nodes(ALL_NODES), hook)?;
        prop_assert!(coverage.is_exhaustive());
    }
}

#[test]
fn proptest_shrinks_to_a_small_board() {
    let mut runner =
        TestRunner::new(Config { cases: 2_000, failure_persistence: None, ..Config::default() });
    let found = runner.run(&any_board(), |board| {
        let _ = alone(&board, Budget::nodes(ALL_NODES), wrong("9a").expect("a name"))?;
        Ok(())
    });
    let Err(TestError::Fail(reason, board)) = found else { panic!("9a is wrong: {found:?}") };
    assert!(
        reason.message().contains("was lost") && reason.message().contains("before:"),
        "{reason}"
    );
    assert!(board.cells() <= 6, "{board}");
}
