//! What is compared on: bundled boards, or those of a file, told apart by what is in it.

use std::path::Path;
use std::str::FromStr;

use secateurs::problems::fire_net::FireNetBoard;
use secateurs::problems::rocket_mania::{Case, Mode};

use super::support::{self, Failure};

const FIRE_NET: &str = include_str!("../data/compare.txt");
const ROCKET_MANIA: &str = include_str!("../data/rocket_mania.txt");

/// What the first argument says.
#[derive(Clone)]
pub enum What {
    FireNet,
    RocketMania,
    Queens,
    KnightsTour,
    File(String),
}

impl FromStr for What {
    type Err = std::convert::Infallible;

    fn from_str(word: &str) -> Result<What, Self::Err> {
        Ok(match word {
            "fire-net" => What::FireNet,
            "rocket-mania" => What::RocketMania,
            "queens" => What::Queens,
            "knights-tour" => What::KnightsTour,
            _ => What::File(word.to_owned()),
        })
    }
}

/// Boards with their names.
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

    /// Reads a file, or standard input for `-`: blocks that only one of the problems has say which
    /// one it is.
    pub fn read(name: &str) -> Result<Boards, Failure> {
        let path = Path::new(name);
        if name != "-" && !path.exists() {
            let message = "expected `fire-net`, `rocket-mania`, `queens`, `knights-tour`, or the name of a file that is there";
            return Err(format!("found {name:?}: {message}").into());
        }
        let text = support::read(Some(path), "")?;
        let boards =
            if text.contains(['-', 'L', 'T', '+']) { rocket_mania(&text) } else { fire_net(&text) };
        let name = if name == "-" { "standard input" } else { name };
        boards.map_err(|error| format!("{name}: {error}").into())
    }
}

/// Boards with a blank line between each two.
fn fire_net(text: &str) -> Result<Boards, Failure> {
    let mut boards = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some(&(first, line)) = lines.peek() {
        if line.trim().is_empty() {
            lines.next();
            continue;
        }
        let mut own = String::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.trim().is_empty()) {
            own.push_str(line);
            own.push('\n');
        }
        let number = boards.len() + 1;
        let board: FireNetBoard = own.parse().map_err(|error| {
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

/// Cases of the one game if they begin with the number of a match, else of the other.
fn rocket_mania(text: &str) -> Result<Boards, Failure> {
    let with_number = text.trim_start().starts_with(|char: char| char.is_ascii_digit());
    let mode = if with_number { Mode::Single } else { Mode::Plus };
    let cases = mode.cases(text)?;
    let named = cases.into_iter().enumerate().map(|(index, case)| {
        (format!("case {}, {}×{}", index + 1, case.board().rows(), case.board().columns()), case)
    });
    Ok(Boards::RocketMania(named.collect()))
}
