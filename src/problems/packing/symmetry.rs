//! Symmetry breaking: one packing of each orbit under the symmetries of the board.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::cover::{Packing, Supply};
use crate::cover::Cover;
use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, Node, NodeMut, Path, Verdict};

/// A hook, created by [`Packing::symmetry`], that finds one packing of each orbit under the
/// rotations and reflections of the board, and knows the size of the orbit.
///
/// A piece is *free* if it is used exactly once and no symmetry of the board except the identity
/// maps any of its placements to itself. If there is a free piece, the hook removes all but one of
/// each orbit of its placements at the root, which divides the tree by about the number of
/// symmetries. Every piece without symmetry is free, and others are on boards with even sides.
/// Among several free pieces, the hook takes the one with the fewest placements.
///
/// If there is no free piece, the hook compares complete packings with their images and keeps the
/// least of each orbit. The tree stays as large as without the hook.
#[derive(Clone, Debug)]
pub struct BoardSymmetry {
    /// The number of symmetries of the board.
    order: u64,
    mode: Mode,
}

#[derive(Clone, Debug)]
enum Mode {
    /// The options to be removed at the root.
    Remove(Vec<usize>),
    /// For each symmetry but the identity, the image of each option.
    Compare(Vec<Vec<usize>>),
}

impl Packing {
    /// Creates a hook that counts packings up to the symmetries of the board, including its holes.
    /// Takes time and memory proportional to the number of placements.
    #[must_use]
    pub fn symmetry(&self) -> BoardSymmetry {
        let images = self.images();
        let order = images.len() as u64 + 1;
        let is_moved_by_all = |option: usize| images.iter().all(|image| image[option] != option);
        let mut candidates: Vec<Vec<usize>> = vec![Vec::new(); self.pieces.len()];
        for option in 0..self.cover.options() {
            candidates[self.piece(option)].push(option);
        }
        let free_piece = (candidates.into_iter().zip(&self.pieces))
            .filter(|(options, piece)| {
                piece.supply == Supply::Once
                    && options.iter().all(|&option| is_moved_by_all(option))
            })
            .min_by_key(|(options, _)| options.len());
        let mode = match free_piece {
            Some((options, _)) => {
                let is_least = |option: &usize| images.iter().all(|image| image[*option] > *option);
                Mode::Remove(options.into_iter().filter(|option| !is_least(option)).collect())
            }
            None => Mode::Compare(images),
        };
        BoardSymmetry { order, mode }
    }

    /// Returns the image of each option under each symmetry of the board but the identity.
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

    /// Returns the symmetries of the board as maps of its squares, all different.
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

/// Returns the number of symmetries that map the packing of a path to itself, or `None` if the
/// packing is not the least of its orbit.
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

    /// Returns [`Digest::NONE`], because the problem determines the hook.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Cover>) -> Verdict {
        match &self.mode {
            Mode::Remove(options) => {
                if node.path().is_empty() {
                    let cover = node.problem();
                    for &option in options {
                        cover.remove_option(node.state_mut(), option);
                    }
                }
                Verdict::Keep
            }
            Mode::Compare(images) => {
                let is_packing = node.problem().is_complete(node.state());
                Verdict::prune_if(is_packing && stabiliser(images, node.path()).is_none())
            }
        }
    }

    fn orbit(&self, node: &Node<'_, Cover>) -> Option<u64> {
        match &self.mode {
            Mode::Remove(_) => Some(self.order),
            Mode::Compare(images) => {
                stabiliser(images, node.path()).map(|fixing| self.order / fixing)
            }
        }
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("symmetries".to_owned(), self.order)]
    }
}
