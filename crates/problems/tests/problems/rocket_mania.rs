//! Rocket Mania: known answers, Table 4 of Chen Danqi's paper (2008), and every combination of
//! prunings against brute force.

use proptest::prelude::*;
use secateurs::Stop;
use secateurs::plug::Sweep;
use secateurs::plug::algebra::Best;
use secateurs_problems::rocket_mania::{
    Block, BlockSides, Case, DominanceScope, Extinguished, Fuses, LonePlugs, Matches, Mode,
    RocketBoard, RocketSettings, Rockets, Rotation, UnlitRockets, outshone, rotate_all,
};

use crate::shared::rocket_mania::{
    agrees_with_brute_force, check_threads, expanded, games, paper, plain, small, text,
};
use crate::support::sizes::sized;

/// Returns the case with the matches of all rows lit, as in Rocket Mania Plus.
fn plus(case: &Case) -> Case {
    Case::new(case.board().clone(), Matches::All).expect("all rows are there")
}

#[test]
fn boards_of_the_paper_have_the_known_optima() {
    for (case, (one, all)) in paper().iter().zip([(1, 9), (1, 4), (9, 9), (9, 9), (0, 0), (8, 8)]) {
        assert_eq!(RocketSettings::default().rockets(case).proven(), Some(&one), "{case}");
        assert_eq!(RocketSettings::default().rockets(&plus(case)).proven(), Some(&all), "{case}");
    }
}

#[test]
fn rotations_beyond_64_bits_are_at_least_2_to_the_64() {
    let board = format!("1\n{}\n", "LLLLLLLL\n".repeat(4).trim_end());
    let cases = Mode::Single.cases(&board).unwrap();
    let error = rotate_all(&cases[0], u64::MAX).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("found at least 2^64 rotations, expected at most {}", u64::MAX)
    );
}

#[test]
fn random_boards_have_all_kinds_of_blocks_and_depend_on_the_seed() {
    let board = RocketBoard::random(9, 6, 1).unwrap();
    assert_eq!((board.rows(), board.columns()), (9, 6));
    assert!(Block::EACH.iter().all(|(block, _)| board.blocks().contains(block)));
    assert_eq!(board, RocketBoard::random(9, 6, 1).unwrap());
    assert_ne!(board, RocketBoard::random(9, 6, 2).unwrap());
}

/// 20 million contours. The other numbers of the table are in the bundled comparison.
///
/// `cargo test --release --test problems -- --ignored rocket_mania::the_numbers`
#[test]
#[ignore = "takes a few seconds and half a gigabyte"]
fn the_numbers_of_table_4_are_those_of_the_paper() {
    let counts: Vec<u64> = paper().iter().map(|case| expanded(&plain("1,2"), case)).collect();
    assert_eq!(counts, [55, 8758, 1_133_036, 55, 2, 438_714]);
    let counts = ["none", "1"]
        .map(|prunings| [2, 5].map(|index| expanded(&plain(prunings), &paper()[index])));
    assert_eq!(counts, [[14_096_658, 4_273_868], [9_773_698, 2_782_112]]);
}

#[test]
fn threads_do_not_change_the_answer() {
    let quick = games("LTLTL\nTLTLT\nLTLTL\nTLTLT\nLTLTL").swap_remove(0);
    check_threads(&sized(quick, paper().swap_remove(5)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(16, 300)))]

    #[test]
    fn all_prunings_agree_with_brute_force(board in small(sized(6, 9))) {
        for case in games(&board) {
            agrees_with_brute_force(&case)?;
        }
    }
}

/// Counts the rotations that start a rocket by trying all.
fn rotations(case: &Case) -> u128 {
    let mut all: Vec<Vec<BlockSides>> = vec![Vec::new()];
    for block in case.board().blocks() {
        all = all
            .iter()
            .flat_map(|sides| block.turns().map(|turn| [&sides[..], &[turn]].concat()))
            .collect();
    }
    let rotations = all
        .into_iter()
        .map(|sides| Rotation::new(case.board(), sides).expect("a turn of each block"));
    rotations.filter(|rotation| case.fire(rotation).count() > 0).count() as u128
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Prunings 1, 2 and 4 claim to preserve all solutions, so they must not change the count.
    #[test]
    fn prunings_1_2_and_4_preserve_the_count(board in text(2, 3)) {
        for case in games(&board) {
            let fuses = Fuses::<u64>::new(&case);
            let expected = Some(rotations(&case));
            prop_assert_eq!(Sweep::new(&fuses).count().exact(), expected);
            prop_assert_eq!(Sweep::new(&fuses).hooks((Extinguished,)).count().exact(), expected);
            prop_assert_eq!(Sweep::new(&fuses).hooks((LonePlugs,)).count().exact(), expected);
            prop_assert_eq!(Sweep::new(&fuses).hooks((UnlitRockets,)).count().exact(), expected);
            let all = (Extinguished, LonePlugs, UnlitRockets);
            prop_assert_eq!(Sweep::new(&fuses).hooks(all).count().exact(), expected);
            let dominated = Sweep::new(&fuses).hooks((outshone(),)).count();
            prop_assert_eq!(dominated.exact(), None);
        }
    }
}

proptest! {
    /// On boards that are too large for brute force, all settings agree, and so do states of 64 and
    /// of 128 bits.
    #[test]
    fn settings_agree_on_larger_boards(board in text(5, 4), number in 1_usize..=5) {
        let case = &Mode::Single.cases(&format!("{number}\n{board}")).expect("a board")[0];
        let expected = *plain("none").rockets(case).proven().expect("no limits");
        let best = plain("2,4").dominance(Some(DominanceScope::Best));
        for settings in [plain("1,2"), plain("all"), best, RocketSettings::default()] {
            let outcome = settings.rockets(case);
            prop_assert_eq!(outcome.proven(), Some(&expected));
        }
        let wide = Fuses::<u128, 5>::new(case);
        let outcome = Sweep::new(&wide).run(&Best::maximise(Rockets));
        let value = outcome.total().map_or(0, |&value| value as usize);
        prop_assert_eq!(value, expected);
    }
}

#[test]
fn extreme_board_sizes_are_solved_or_refused() {
    let answers = |text: &str| -> Vec<usize> {
        let cases = Mode::Plus.cases(text).expect("boards");
        cases
            .iter()
            .map(|case| *RocketSettings::default().solve(case).proven().expect("no limits"))
            .collect()
    };
    assert_eq!(answers(".\n\n-\n\nL\n\nT\n\n+"), [0, 1, 0, 1, 1]);
    // One row of 500 columns.
    assert_eq!(answers(&"-".repeat(500)), [1]);
    assert_eq!(answers(&"..\n".repeat(13)), [0]);
    for rows in [12, 13, 14, 24] {
        assert_eq!(answers(&"-+\n".repeat(rows)), [rows]);
    }
    // The contours of 25 rows need 26 labels of 5 bits.
    let tall = "LT\n".repeat(25);
    let outcome = RocketSettings::default().solve(&Mode::Plus.cases(&tall).expect("a board")[0]);
    assert_eq!((outcome.stop(), outcome.best_so_far()), (Stop::StateTooWide, None));
    let message = outcome.complete().expect_err("the sweep was stopped").to_string();
    assert!(message.contains("130 bits") && message.contains("128"), "{message}");
}

#[test]
fn limits_stop_without_an_answer() {
    let limits = secateurs::Limits::new().nodes(100);
    let outcome = RocketSettings::default().limits(limits).solve(&paper()[1]);
    assert_eq!(
        (outcome.stop(), outcome.proven(), outcome.best_so_far()),
        (Stop::NodeLimit, None, None)
    );
}

#[test]
fn cases_are_printed_and_read_with_any_line_ends_and_blank_lines() {
    let text = "2\n-L\nT+\n1\n.\n";
    let cases = Mode::Single.cases(text).expect("two cases");
    assert_eq!(cases.iter().map(Case::to_string).collect::<String>(), text);
    for variant in [
        "2\r\n-L\r\nT+\r\n1\r\n.",
        "2\n-L\nT+\n1\n.\n\n\r\n",
        "\n\n2\n-L\nT+\n\n1\n.\n\n",
        "2\r\n-L\r\nT+\r\n\r\n \r\n1\r\n.\r\n  ",
    ] {
        assert_eq!(Mode::Single.cases(variant).as_ref(), Ok(&cases), "{variant:?}");
    }
    assert_eq!(Mode::Single.cases("\n"), Ok(Vec::new()));
    let boards = Mode::Plus.cases("-L\nT+\n\n.").expect("two boards");
    assert!(boards.iter().map(Case::board).eq(cases.iter().map(Case::board)));
    // The numbers of the matches are ignored.
    for variant in [text, "\n-L\nT+\n\n\n.\n", "-L\r\nT+\r\n \r\n.\r\n"] {
        assert_eq!(Mode::Plus.cases(variant).as_ref(), Ok(&boards), "{variant:?}");
    }
}

/// The boards of the original tasks have 9 rows of 6 cells.
#[test]
fn original_boards_need_no_blank_lines_between_them() {
    let boards: Vec<RocketBoard> =
        (0..3).map(|seed| RocketBoard::random(9, 6, seed).expect("a board")).collect();
    let texts: Vec<String> = boards.iter().map(RocketBoard::to_string).collect();
    for text in [texts.concat(), texts.join("\n"), format!("\n{}", texts.concat())] {
        let read = Mode::Plus.cases(&text).expect("three boards");
        assert!(read.iter().map(Case::board).eq(&boards));
    }
    let single = |between: &str| {
        let cases = texts.iter().zip([1, 5, 9]).map(|(text, lit)| format!("{lit}\n{text}"));
        cases.collect::<Vec<_>>().join(between)
    };
    for between in ["", "\n", "\r\n\n"] {
        let read = Mode::Single.cases(&single(between)).expect("three cases");
        assert!(read.iter().map(Case::board).eq(&boards));
        let lit: Vec<_> = read.iter().map(Case::matches).collect();
        assert_eq!(lit, [0, 4, 8].map(Matches::One));
        assert!(
            Mode::Plus.cases(&single(between)).expect("boards").iter().map(Case::board).eq(&boards)
        );
    }
    // Boards of other sizes are one board without blank lines, and so is one with a number.
    for (rows, columns) in [(18, 5), (17, 6), (9, 12)] {
        let board = RocketBoard::random(rows, columns, 1).expect("a board");
        assert_eq!(Mode::Plus.cases(&board.to_string()).expect("a board").len(), 1);
    }
    assert_eq!(Mode::Plus.cases(&format!("1\n{}", texts.concat())).expect("a board").len(), 1);
}

#[test]
fn an_unturned_rotation_turns_no_block() {
    let board = RocketBoard::new(&[vec![Block::Corner, Block::Straight]]).expect("a row");
    assert_eq!(Rotation::unturned(&board).quarters(&board).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn pictures_show_the_fire() {
    let case = &Mode::Single.cases("1\n+-L\n.TL\n").expect("a case")[0];
    let outcome = RocketSettings::default().solve(case);
    let rotation = outcome.solution().expect("solved");
    let (text, svg) = (case.draw(rotation), case.svg(rotation));
    assert_eq!(text.matches('▶').count(), 1);
    assert_eq!(text.lines().count(), 2);
    assert!(text.starts_with('●') && text.contains('╋'));
    assert!(
        svg.starts_with("<svg")
            && svg.contains("1 of 2 rockets start")
            && svg.contains("class=\"path dim\"")
    );
}
