//! The input of a comparison: bundled boards, or those of a file, whose problem is recognised by
//! its contents.

use std::path::Path;
use std::str::FromStr;

use secateurs_problems::fire_net::FireNetBoard;
use secateurs_problems::rocket_mania::{Case, Mode};

use crate::support::{self, Failure};

const FIRE_NET: &str = include_str!("../../data/compare.txt");
const ROCKET_MANIA: &str = include_str!("../../data/rocket_mania.txt");

/// The problem or file named by the first argument.
#[derive(Clone)]
pub enum Input {
    FireNet,
    RocketMania,
    Queens,
    KnightsTour,
    File(String),
}

impl FromStr for Input {
    type Err = std::convert::Infallible;

    fn from_str(word: &str) -> Result<Input, Self::Err> {
        Ok(match word {
            "fire-net" => Input::FireNet,
            "rocket-mania" => Input::RocketMania,
            "queens" => Input::Queens,
            "knights-tour" => Input::KnightsTour,
            _ => Input::File(word.to_owned()),
        })
    }
}

/// Named boards.
pub enum Boards {
    FireNet(Vec<(String, FireNetBoard)>),
    RocketMania(Vec<(String, Case)>),
}

impl Boards {
    pub fn bundled_fire_net() -> Result<Boards, Failure> {
        fire_net(FIRE_NET)
    }

    pub fn bundled_rocket_mania() -> Result<Boards, Failure> {
        rocket_mania(ROCKET_MANIA)
    }

    /// Reads a file, or standard input for `-`. Blocks that only one problem uses tell which
    /// problem it is.
    pub fn read(name: &str) -> Result<Boards, Failure> {
        let path = Path::new(name);
        if name != "-" && !path.exists() {
            let message = "expected `fire-net`, `rocket-mania`, `queens`, `knights-tour`, or the \
                           name of an existing file";
            return Err(format!("found {name:?}: {message}").into());
        }
        let text = support::read(Some(path), "")?;
        let boards =
            if text.contains(['-', 'L', 'T', '+']) { rocket_mania(&text) } else { fire_net(&text) };
        let name = if name == "-" { "standard input" } else { name };
        boards.map_err(|error| format!("{name}: {error}").into())
    }
}

/// Parses boards separated by blank lines.
fn fire_net(text: &str) -> Result<Boards, Failure> {
    let mut boards = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some(&(first, line)) = lines.peek() {
        if line.trim().is_empty() {
            lines.next();
            continue;
        }
        let mut board_text = String::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.trim().is_empty()) {
            board_text.push_str(line);
            board_text.push('\n');
        }
        let number = boards.len() + 1;
        let board: FireNetBoard = board_text.parse().map_err(|error| {
            format!("board {number}, which begins in line {}: {error}", first + 1)
        })?;
        boards.push((format!("board {number}, {}×{}", board.rows(), board.columns()), board));
    }
    if boards.is_empty() {
        return Err(
            "line 1, column 1: found no board, expected a line with its side, and then its rows"
                .into(),
        );
    }
    Ok(Boards::FireNet(boards))
}

/// Parses cases: of the single game if the text begins with the number of a match, otherwise of the
/// Plus game.
fn rocket_mania(text: &str) -> Result<Boards, Failure> {
    let with_number = text.trim_start().starts_with(|char: char| char.is_ascii_digit());
    let mode = if with_number { Mode::Single } else { Mode::Plus };
    let cases = mode.cases(text)?;
    let named = cases.into_iter().enumerate().map(|(index, case)| {
        (format!("case {}, {}×{}", index + 1, case.board().rows(), case.board().columns()), case)
    });
    Ok(Boards::RocketMania(named.collect()))
}
