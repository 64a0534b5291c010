//! Texts that no reader panics on, and that are the same after they were written and read again.
//!
//! The first byte of the input chooses the format.

#![no_main]

use std::fmt::Debug;
use std::str::FromStr;

use libfuzzer_sys::fuzz_target;
use secateurs_cover::{Cover, MultiCover};
use secateurs_problems::dimacs;
use secateurs_problems::fire_net::FireNetBoard;
use secateurs_problems::job_shop::JobShop;
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::max_2sat::MaxTwoSat;
use secateurs_problems::maze::Maze;
use secateurs_problems::packing::PackingBoard;
use secateurs_problems::queens::QueensBoard;
use secateurs_problems::rocket_mania::Mode;
use secateurs_problems::sudoku::Sudoku;
use secateurs_problems::tardiness::Tardiness;
use secateurs_problems::tsptw::TimeWindows;

/// Reads, writes and reads again.
fn round_trip<T: FromStr + ToString + PartialEq + Debug>(text: &str) {
    if let Ok(value) = text.parse::<T>() {
        let again = value.to_string().parse::<T>().ok();
        assert_eq!(again, Some(value));
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&format, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    match format % 15 {
        0 => round_trip::<FireNetBoard>(text),
        1 => round_trip::<JobShop>(text),
        2 => round_trip::<Knapsack>(text),
        3 => round_trip::<MaxTwoSat>(text),
        4 => round_trip::<Maze>(text),
        5 => round_trip::<PackingBoard>(text),
        6 => round_trip::<QueensBoard>(text),
        7 => round_trip::<Sudoku>(text),
        8 => round_trip::<Tardiness>(text),
        9 => round_trip::<TimeWindows>(text),
        10 => drop(text.parse::<Cover>()),
        11 => drop(text.parse::<MultiCover>()),
        12 => drop(Mode::Single.cases(text)),
        13 => drop(Sudoku::collection(text)),
        _ => drop(dimacs::read(text)),
    }
});
