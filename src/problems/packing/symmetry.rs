//! The symmetry of the board: packings that turning and flipping it makes of one another, counted
//! as one.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{Packing, Supply};
use crate::cover::Cover;
use crate::hook::{Effect, Hook, Node, NodeMut, Path, Verdict};

/// A hook that finds one of the packings that turning and flipping the board makes of one another,
/// and knows how many there are: what [`Packing::symmetry`] gives.
///
/// If there is a piece, used exactly once, that no symmetry of the board leaves where it is,
/// wherever it lies, its placements but one of each orbit are struck out at the root; this divides
/// the tree by about the number of symmetries. Such a piece is any without symmetry of its own, and
/// others on boards whose sides are even. Of several the one with the fewest placements is taken.
///
/// If there is none, whole packings are compared with their images, and the least is kept. The tree
/// stays as large as it was.
#[derive(Clone, Debug)]
pub struct BoardSymmetry {
    /// The number of symmetries.
    order: u64,
    mode: Mode,
}

#[derive(Clone, Debug)]
enum Mode {
    /// These options are struck out.
    Struck(Vec<usize>),
    /// For each symmetry but the identity, the image of each option.
    Compared(Vec<Vec<usize>>),
}

impl Packing {
    /// A hook that counts packings up to the symmetries of the board, holes included. Cost: time
    /// and memory proportional to the number of placements.
    #[must_use]
    pub fn symmetry(&self) -> BoardSymmetry {
        let images = self.images();
        let order = images.len() as u64 + 1;
        let is_free = |option: usize| images.iter().all(|image| image[option] != option);
        let mut candidates: Vec<Vec<usize>> = vec![Vec::new(); self.pieces.len()];
        for option in 0..self.cover.options() {
            candidates[self.piece(option)].push(option);
        }
        let special = (candidates.into_iter().zip(&self.pieces))
            .filter(|(options, piece)| {
                piece.supply == Supply::Once && options.iter().all(|&option| is_free(option))
            })
            .min_by_key(|(options, _)| options.len());
        let mode = match special {
            Some((options, _)) => {
                let is_least = |option: &usize| images.iter().all(|image| image[*option] > *option);
                Mode::Struck(options.into_iter().filter(|option| !is_least(option)).collect())
            }
            None => Mode::Compared(images),
        };
        BoardSymmetry { order, mode }
    }

    /// For each symmetry of the board but the identity, the image of each option.
    fn images(&self) -> Vec<Vec<usize>> {
        let mut options: FxHashMap<(u32, Vec<usize>), usize> = FxHashMap::default();
        let placement = |option: usize, map: &[usize]| {
            let (cells, columns) = (self.cells(option), self.board.columns());
            let mut squares: Vec<usize> =
                cells.map(|(row, column)| map[row * columns + column]).collect();
            squares.sort_unstable();
            (self.piece_of[option], squares)
        };
        let identity: Vec<usize> = (0..self.items.len()).collect();
        for option in 0..self.cover.options() {
            options.insert(placement(option, &identity), option);
        }
        let image = |map: Vec<usize>| {
            (0..self.cover.options()).map(|option| options[&placement(option, &map)]).collect()
        };
        self.square_maps().into_iter().filter(|map| *map != identity).map(image).collect()
    }

    /// The symmetries of the board, as maps of its squares: all different.
    fn square_maps(&self) -> BTreeSet<Vec<usize>> {
        let (rows, columns) = (self.board.rows(), self.board.columns());
        let map = |bits: u8| -> Vec<usize> {
            let image = |square: usize| {
                let (row, column) = (square / columns, square % columns);
                let row = if bits & 1 != 0 { rows - 1 - row } else { row };
                let column = if bits & 2 != 0 { columns - 1 - column } else { column };
                if bits & 4 != 0 { column * columns + row } else { row * columns + column }
            };
            (0..self.items.len()).map(image).collect()
        };
        let kinds = if rows == columns { 8 } else { 4 };
        let keeps_holes = |map: &Vec<usize>| {
            map.iter()
                .zip(&self.items)
                .all(|(&to, item)| self.items[to].is_some() == item.is_some())
        };
        (0..kinds).map(map).filter(keeps_holes).collect()
    }
}

/// A packing as a set of options, and how its images compare: `None` if one is less, or the number
/// of symmetries that leave it as it is.
fn stabiliser(images: &[Vec<usize>], path: Path<'_, usize>) -> Option<u64> {
    let mut options: Vec<usize> = path.to_vec();
    options.sort_unstable();
    let mut fixing = 1;
    for image in images {
        let mut mapped: Vec<usize> = options.iter().map(|&option| image[option]).collect();
        mapped.sort_unstable();
        match mapped.cmp(&options) {
            std::cmp::Ordering::Less => return None,
            std::cmp::Ordering::Equal => fixing += 1,
            std::cmp::Ordering::Greater => {}
        }
    }
    Some(fixing)
}

impl Hook<Cover> for BoardSymmetry {
    fn name(&self) -> &str {
        "board symmetry"
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn follows_path(&self) -> bool {
        false
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Cover>) -> Verdict {
        match &self.mode {
            Mode::Struck(options) => {
                if node.path().is_empty() {
                    let cover = node.problem();
                    for &option in options {
                        cover.strike(node.state_mut(), option);
                    }
                }
                Verdict::Keep
            }
            Mode::Compared(images) => {
                let is_packing = node.problem().is_complete(node.state());
                Verdict::prune_if(is_packing && stabiliser(images, node.path()).is_none())
            }
        }
    }

    fn orbit(&self, node: &Node<'_, Cover>) -> Option<u64> {
        match &self.mode {
            Mode::Struck(_) => Some(self.order),
            Mode::Compared(images) => {
                stabiliser(images, node.path()).map(|fixing| self.order / fixing)
            }
        }
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("symmetries".to_owned(), self.order)]
    }
}
