//! Packings of polyominoes: pieces made of squares that are to fill a board without gaps and
//! overlaps.
//!
//! A box of 6×10 filled with the twelve pentominoes is the best known of these puzzles (Golomb
//! 1953; counted by Haselgrove and Haselgrove 1960), and was the example of "Dancing Links" (Knuth
//! 2000). As an [exact cover](crate::cover), the pieces and the squares of the board are items, and
//! an option is a placement of a piece.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::problems::packing::{Board, Packing};
//!
//! let packing = Packing::pentominoes(Board::rectangle(3, 20)?)?;
//! let outcome = Search::new(packing.cover()).hooks((packing.symmetry(),)).count();
//! assert_eq!((outcome.representatives(), outcome.exact()), (Some(2), Some(8)));
//!
//! // A board with holes, and pieces of one's own.
//! use secateurs::problems::packing::{Piece, Polyomino};
//! let board: Board = "...\n.#.\n...\n".parse()?;
//! let domino: Polyomino = "##".parse()?;
//! let packing = Packing::new(board, vec![Piece::any_number("1", domino)])?;
//! let outcome = Search::new(packing.cover()).hooks((packing.symmetry(),)).count();
//! assert_eq!((outcome.representatives(), outcome.exact()), (Some(1), Some(2)));
//! # Ok::<(), secateurs::problems::packing::PackingError>(())
//! ```
//!
//! Placements are numbered by their first square, from the top left, rather than by piece: options
//! that contradict each other are then near each other, in fewer words of bits, which takes a fifth
//! of the time off.

mod board;
mod draw;
mod error;
mod polyomino;
mod symmetry;

pub use board::Board;
pub use error::PackingError;
pub use polyomino::Polyomino;
pub use symmetry::BoardSymmetry;

use crate::cover::{Cover, CoverBuilder};

/// How often a piece is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Supply {
    Once,
    AtMostOnce,
    AnyNumber,
}

/// A piece of a packing problem: a shape with a name, which may be turned and flipped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    name: String,
    shape: Polyomino,
    supply: Supply,
}

impl Piece {
    /// A piece that is to be used exactly once. Pieces that are the same shape several times over
    /// need names of their own.
    pub fn once(name: impl Into<String>, shape: Polyomino) -> Self {
        Piece { name: name.into(), shape, supply: Supply::Once }
    }

    /// A piece that may be left over.
    pub fn at_most_once(name: impl Into<String>, shape: Polyomino) -> Self {
        Piece { name: name.into(), shape, supply: Supply::AtMostOnce }
    }

    /// A piece of which there are as many as are needed.
    pub fn any_number(name: impl Into<String>, shape: Polyomino) -> Self {
        Piece { name: name.into(), shape, supply: Supply::AnyNumber }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its shape.
    #[must_use]
    pub fn shape(&self) -> &Polyomino {
        &self.shape
    }
}

/// A board and the pieces that are to fill it, as an exact cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    board: Board,
    pieces: Vec<Piece>,
    cover: Cover,
    /// The piece of each option.
    piece_of: Vec<u32>,
    /// The number of the item of each square of the board, row by row, if it is to be filled.
    items: Vec<Option<usize>>,
    /// Row and column of the items that are squares, by the number of the item.
    squares: Vec<Option<(usize, usize)>>,
}

impl Packing {
    /// The most ways to place pieces on a board.
    pub const MAX_PLACEMENTS: usize = 4_000_000;

    /// The problem of filling `board` with `pieces`. Cost: about as many steps as there are
    /// placements, times their squares.
    ///
    /// # Errors
    ///
    /// [`PackingError::Piece`] if two pieces have the same name, or one has a name that is no name
    /// of an item, or if placements have too many squares for a cover;
    /// [`PackingError::TooManyPlacements`] if there are more than
    /// [`MAX_PLACEMENTS`](Self::MAX_PLACEMENTS).
    pub fn new(board: Board, pieces: Vec<Piece>) -> Result<Self, PackingError> {
        let mut builder = CoverBuilder::new();
        // Not all pieces are items, but all are to have names of their own.
        let mut names = CoverBuilder::new();
        let mut piece_items = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            names.primary(&piece.name)?;
            piece_items.push(match piece.supply {
                Supply::Once => Some(builder.primary(&piece.name)?),
                Supply::AtMostOnce => Some(builder.secondary(&piece.name)?),
                Supply::AnyNumber => None,
            });
        }
        let mut items = vec![None; board.rows() * board.columns()];
        let mut squares = vec![None; piece_items.iter().flatten().count()];
        for (row, column) in board.open_squares() {
            // A comma, so that no piece is named like a square by chance.
            items[row * board.columns() + column] =
                Some(builder.primary(&format!("{},{}", row + 1, column + 1))?);
            squares.push(Some((row, column)));
        }
        let shapes = pieces.iter().enumerate().flat_map(|(piece, Piece { shape, .. })| {
            shape.orientations().into_iter().map(move |orientation| (piece, orientation))
        });
        let shapes: Vec<(usize, Polyomino)> = shapes.collect();
        let mut piece_of = Vec::new();
        for (row, column) in board.open_squares() {
            for (piece, shape) in &shapes {
                let first = shape.cells()[0].1;
                let square = |&(down, right): &(usize, usize)| {
                    let column = (column + right).checked_sub(first)?;
                    board
                        .is_open(row + down, column)
                        .then(|| items[(row + down) * board.columns() + column])?
                };
                let Some(cells) = shape.cells().iter().map(square).collect::<Option<Vec<usize>>>()
                else {
                    continue;
                };
                if piece_of.len() == Self::MAX_PLACEMENTS {
                    return Err(PackingError::TooManyPlacements { most: Self::MAX_PLACEMENTS });
                }
                let members = piece_items[*piece].into_iter().chain(cells);
                builder.option_of(members.map(|item| (item, None)))?;
                piece_of.push(*piece as u32);
            }
        }
        Ok(Packing { board, pieces, cover: builder.build(), piece_of, items, squares })
    }

    /// The problem of filling a board with the twelve pentominoes, each used once.
    ///
    /// # Errors
    ///
    /// None on the boards that there are.
    pub fn pentominoes(board: Board) -> Result<Self, PackingError> {
        let pieces =
            Polyomino::pentominoes().into_iter().map(|(name, shape)| Piece::once(name, shape));
        Packing::new(board, pieces.collect())
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The pieces.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The cover, to be searched.
    #[must_use]
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// The piece that an option places: its index among the [pieces](Self::pieces).
    ///
    /// # Panics
    ///
    /// If there is no option of this number.
    #[must_use]
    pub fn piece(&self, option: usize) -> usize {
        self.piece_of[option] as usize
    }

    /// Row and column of the squares that an option fills, in order.
    ///
    /// # Panics
    ///
    /// If there is no option of this number.
    pub fn cells(&self, option: usize) -> impl Iterator<Item = (usize, usize)> {
        self.cover.members(option).filter_map(|member| self.squares[member.item])
    }
}
