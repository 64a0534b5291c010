//! Texts that readers refuse, whose messages are in `refusals.txt`, and values that functions
//! refuse, whose messages are in `refused_values.txt`.

use std::error::Error;

use expect_test::expect_file;
use secateurs_problems::clique::Cliques;
use secateurs_problems::coloring::Coloring;
use secateurs_problems::fire_net::{BoundKind, FireNetBoard, FireNetBranching, FireNetPrunings};
use secateurs_problems::graph::Graph;
use secateurs_problems::job_shop::JobShop;
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::knights_tour::{Rule, TourBoard, TourSearch};
use secateurs_problems::max_2sat::MaxTwoSat;
use secateurs_problems::maze::{Maze, StepOrder};
use secateurs_problems::queens::{Queens, QueensBoard};
use secateurs_problems::rocket_mania::{Block, Case, Matches, Mode, RocketBoard, Rotation};
use secateurs_problems::sudoku::Sudoku;
use secateurs_problems::tardiness::Tardiness;
use secateurs_problems::tsptw::TimeWindows;

use crate::support::refusals::{Reader, message, messages, with_messages};

const READERS: [(&str, Reader); 18] = [
    ("Coloring", message::<Coloring>),
    ("FireNetBoard", message::<FireNetBoard>),
    ("FireNetPrunings", message::<FireNetPrunings>),
    ("BoundKind", message::<BoundKind>),
    ("FireNetBranching", message::<FireNetBranching>),
    ("JobShop", message::<JobShop>),
    ("Knapsack", message::<Knapsack>),
    ("MaxTwoSat", message::<MaxTwoSat>),
    ("Maze", message::<Maze>),
    ("StepOrder", message::<StepOrder>),
    ("QueensBoard", message::<QueensBoard>),
    ("cases of Rocket Mania", |text| Some(Mode::Single.cases(text).err()?.to_string())),
    ("boards of Rocket Mania Plus", |text| Some(Mode::Plus.cases(text).err()?.to_string())),
    ("Rule", message::<Rule>),
    ("Sudoku", message::<Sudoku>),
    ("2 × 3 Sudoku", |text| Some(Sudoku::from_text(text, 2, 3).err()?.to_string())),
    ("Tardiness", message::<Tardiness>),
    ("TimeWindows", message::<TimeWindows>),
];

#[test]
fn errors_name_the_position_and_what_was_expected() {
    let file = expect_file!["refusals.txt"];
    file.assert_eq(&with_messages(&file.data(), &READERS));
}

#[test]
fn errors_name_the_value_and_what_was_expected() -> Result<(), Box<dyn Error>> {
    let maze: Maze = "S#G\n...".parse()?;
    let coloring = Coloring::new(Graph::path(3)?);
    let rocket = RocketBoard::new(&[vec![Block::Corner, Block::Straight]])?;
    let swapped: Vec<_> = Rotation::unturned(&rocket).sides().iter().rev().copied().collect();
    let sudoku = Sudoku::blank(2, 3)?;
    let line = ".".repeat(81);
    let shop: JobShop = "2 2\n0 3 1 2\n1 4 0 1\n".parse()?;
    let longest: JobShop = "1 1\n0 2147483647\n".parse()?;
    let steps = "0 1 ".repeat(1000);
    let widest: JobShop = format!("3 1000\n{steps}\n{steps}\n{steps}\n").parse()?;
    let messages = messages![
        QueensBoard::new(4097),
        QueensBoard::random(4097, 1, 0),
        ".".repeat(4097).parse::<QueensBoard>(),
        Queens::new(65),
        TourBoard::new(0, 5),
        TourBoard::new(usize::MAX, 2),
        TourBoard::new(4097, 4096),
        TourSearch::new(TourBoard::new(3, 4)?).starting_at(3, 0),
        maze.without_wall(0, 0),
        maze.without_wall(2, 0),
        maze.starting_at(0, 1),
        maze.starting_at(0, 2),
        maze.starting_at(5, 5),
        Graph::queen(1 << 11, 1 << 11),
        Graph::queen(1, 1 << 20),
        coloring.network(usize::MAX, &[]),
        coloring.network(3, &[7]),
        Cliques::new(&Graph::path(Cliques::MAX_VERTICES + 1)?),
        FireNetBoard::random(3, 3, -0.1, 1),
        FireNetBoard::random(3, 3, 1.1, 1),
        FireNetBoard::random(3, 3, f64::NAN, 1),
        FireNetBoard::random(3, 3, f64::INFINITY, 1),
        FireNetBoard::random(usize::MAX, 2, 0.5, 1),
        FireNetBoard::random(1 << 20, 1 << 20, 0.5, 1),
        FireNetBoard::random(1 << 12, (1 << 12) + 1, 0.5, 1),
        RocketBoard::random(0, 6, 1),
        RocketBoard::random(9, 0, 1),
        RocketBoard::random(1 << 13, 1 << 12, 1),
        RocketBoard::random(usize::MAX, 2, 1),
        RocketBoard::new(&[]),
        RocketBoard::new(&[vec![]]),
        RocketBoard::new(&[vec![Block::Tee], vec![]]),
        Case::new(rocket.clone(), Matches::One(1)),
        Rotation::new(&rocket, swapped),
        Rotation::new(&rocket, vec![]),
        Sudoku::blank(0, 0),
        Sudoku::blank(0, 5),
        Sudoku::blank(5, 13),
        Sudoku::blank(65, 1),
        Sudoku::blank(usize::MAX, 2),
        Sudoku::from_text("1234", 0, 3),
        Sudoku::collection(&format!("{line}\n{line}1\n")),
        sudoku.clone().with_number(0, 6, 1),
        sudoku.clone().with_number(0, 0, 0),
        sudoku.clone().with_number(0, 0, 7),
        sudoku.clone().with_number(0, 0, 257),
        JobShop::generate(3, 1001, 0),
        longest.model(),
        widest.model(),
        shop.check(vec![vec![0, 4]]),
        shop.check(vec![vec![0, 4], vec![0]]),
        shop.check(vec![vec![-1, 4], vec![0, 4]]),
        shop.check(vec![vec![0, 4], vec![0, 3]]),
        shop.check(vec![vec![2, 5], vec![0, 4]]),
        shop.check(vec![vec![0, i32::MAX - 1], vec![0, 4]]),
    ];
    expect_file!["refused_values.txt"].assert_eq(&messages);
    Ok(())
}
