//! The audit rejects the wrong readings of fire-net's prunings by itself, on boards no larger than
//! those that are known, and lets the ten right ones pass.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use secateurs::lab::{Instances, Loss, Unsound};
use secateurs::problems::fire_net::Board;

use crate::shared::example::fire_net::{self, Budget, SOUND, alone};
use crate::shared::example::readings::{WRONG, wrong};
use crate::shared::example::{boards, check_sound_prunings, with_a_bunker};

/// Searches of small boards come to their end.
const ALL_NODES: u64 = 10_000;

/// The smallest board on which a reading is wrong.
fn smallest(name: &str) -> Unsound<Board> {
    let small = boards::all(2, 3).chain(boards::all(3, 3)).chain(boards::all(3, 4));
    let audit =
        |board: &Board| alone(board, Budget::nodes(ALL_NODES), wrong(name).expect("a name"));
    Instances::new(small).smaller(boards::smaller).audit(audit).expect_err("a wrong reading")
}

#[test]
fn wrong_readings_are_rejected_on_boards_no_larger_than_is_known() {
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
fn a_wrong_reading_is_named_beside_right_hooks() {
    use secateurs::Objective;
    use secateurs::lab::Audit;
    use secateurs::problems::fire_net::{DegreeOne, Scope, TooFewCells};

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

#[test]
fn the_right_prunings_pass() {
    let boards = || boards::all(2, 2).chain(with_a_bunker(2, 2)).chain(boards::random(20, 5, 1));
    check_sound_prunings(boards, 16 + 16 * 4 / 2 + 20, 10);
}

/// 300 s are the limit; `cargo test --release --test lab -- --ignored --nocapture audit_fire_net::`
#[test]
#[ignore = "some minutes"]
fn the_right_prunings_pass_on_all_boards_up_to_four_by_four_and_on_ten_thousand_random_ones() {
    std::thread::scope(|threads| {
        let parts: Vec<_> = SOUND
            .chunks(SOUND.len().div_ceil(2))
            .map(|part| threads.spawn(|| audit_right(part)))
            .collect();
        parts.into_iter().for_each(|part| part.join().expect("sound"));
    });
}

fn audit_right(rules: &[(&str, &str, fire_net::Check)]) {
    for (name, _, check) in rules {
        let start = std::time::Instant::now();
        // The bounds are no pruning of the ten.
        let most = if *name == "bounds" { 3 } else { 4 };
        let all =
            (1..=most).flat_map(|rows| (1..=4).flat_map(move |columns| boards::all(rows, columns)));
        let coverage = Instances::new(all)
            .smaller(boards::smaller)
            .audit(|board| check(board, Budget::nodes(ALL_NODES)));
        let coverage = coverage.unwrap_or_else(|unsound| panic!("{name}: {unsound}"));
        println!("{name}, all boards up to {most}x4: {coverage} ({:.1?})", start.elapsed());
        let start = std::time::Instant::now();
        let small =
            (1..=3).flat_map(|rows| (1..=4).flat_map(move |columns| boards::all(rows, columns)));
        let given = small.flat_map(|board| boards::with_a_bunker(&board).collect::<Vec<_>>());
        let coverage = Instances::new(given)
            .smaller(boards::smaller)
            .audit(|board| check(board, Budget::nodes(ALL_NODES)));
        let coverage = coverage.unwrap_or_else(|unsound| panic!("{name}: {unsound}"));
        println!(
            "{name}, all boards up to 3x4 with a bunker: {coverage} ({:.1?})",
            start.elapsed()
        );
        let start = std::time::Instant::now();
        let random = boards::random(10_000, 8, 0);
        let coverage = Instances::new(random)
            .smaller(boards::smaller)
            .audit(|board| check(board, Budget::nodes(250)));
        let coverage = coverage.unwrap_or_else(|unsound| panic!("{name}: {unsound}"));
        println!("{name}, 10,000 random boards up to 8x8: {coverage} ({:.1?})", start.elapsed());
    }
}

/// Boards of up to 4×4, with walls where the bits are.
fn any_board() -> impl Strategy<Value = Board> {
    (1..=4_usize, 1..=4_usize).prop_flat_map(|(rows, columns)| {
        proptest::collection::vec(any::<bool>(), rows * columns).prop_map(move |walls| {
            Board::new(rows, columns, |row, column| walls[row * columns + column])
        })
    })
}

proptest! {
    #![proptest_config(Config { cases: 64, failure_persistence: None, ..Config::default() })]
    #[test]
    fn a_pruning_in_one_line(board in any_board()) {
        let hook = secateurs::problems::fire_net::open_ends(secateurs::problems::fire_net::Scope::EveryNode);
        let coverage = alone(&board, Budget::nodes(ALL_NODES), hook)?;
        prop_assert!(coverage.is_exhaustive());
    }
}

#[test]
fn proptest_shrinks_to_a_small_board() {
    let mut runner =
        TestRunner::new(Config { cases: 2_000, failure_persistence: None, ..Config::default() });
    let found = runner.run(&any_board(), |board| {
        alone(&board, Budget::nodes(ALL_NODES), wrong("9a").expect("a name"))?;
        Ok(())
    });
    let Err(TestError::Fail(reason, board)) = found else { panic!("9a is wrong: {found:?}") };
    assert!(
        reason.message().contains("was lost") && reason.message().contains("before:"),
        "{reason}"
    );
    assert!(board.cells() <= 6, "{board}");
}
