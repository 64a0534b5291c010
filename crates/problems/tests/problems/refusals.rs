//! Texts that readers refuse; their messages are in `refusals.txt`.

use expect_test::expect_file;
use secateurs_problems::coloring::Coloring;
use secateurs_problems::fire_net::FireNetBoard;
use secateurs_problems::job_shop::JobShop;
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::max_2sat::MaxTwoSat;
use secateurs_problems::maze::Maze;
use secateurs_problems::queens::QueensBoard;
use secateurs_problems::rocket_mania::Mode;
use secateurs_problems::sudoku::Sudoku;
use secateurs_problems::tardiness::Tardiness;

use crate::support::refusals::{Reader, message, with_messages};

const READERS: [(&str, Reader); 11] = [
    ("Coloring", message::<Coloring>),
    ("FireNetBoard", message::<FireNetBoard>),
    ("JobShop", message::<JobShop>),
    ("Knapsack", message::<Knapsack>),
    ("MaxTwoSat", message::<MaxTwoSat>),
    ("Maze", message::<Maze>),
    ("QueensBoard", message::<QueensBoard>),
    ("cases of Rocket Mania", |text| Some(Mode::Single.cases(text).err()?.to_string())),
    ("boards of Rocket Mania Plus", |text| Some(Mode::Plus.cases(text).err()?.to_string())),
    ("Sudoku", message::<Sudoku>),
    ("Tardiness", message::<Tardiness>),
];

#[test]
fn errors_name_the_position_and_what_was_expected() {
    let file = expect_file!["refusals.txt"];
    file.assert_eq(&with_messages(&file.data(), &READERS));
}
