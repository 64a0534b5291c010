//! Pieces, and the exact cover of a board by pieces: [`Packing`], with drawings as text and as SVG.

use super::board::{PackingBoard, Polyomino};
use crate::cover::{Cover, CoverBuilder, CoverError};
use crate::problems::InstanceError;
use crate::problems::picture::{Picture, escaped};

/// The number of copies of a piece that a packing uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Supply {
    Once,
    AtMostOnce,
    AnyNumber,
}

/// A piece of a packing problem: a named shape, which may be rotated and reflected.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackingPiece {
    pub(super) name: String,
    shape: Polyomino,
    pub(super) supply: Supply,
}

impl PackingPiece {
    /// Creates a piece that must be used exactly once. Several pieces of the same shape need
    /// different names.
    pub fn once(name: impl Into<String>, shape: Polyomino) -> Self {
        PackingPiece { name: name.into(), shape, supply: Supply::Once }
    }

    /// Creates a piece that is used at most once.
    pub fn at_most_once(name: impl Into<String>, shape: Polyomino) -> Self {
        PackingPiece { name: name.into(), shape, supply: Supply::AtMostOnce }
    }

    /// Creates a piece that may be used any number of times.
    pub fn any_number(name: impl Into<String>, shape: Polyomino) -> Self {
        PackingPiece { name: name.into(), shape, supply: Supply::AnyNumber }
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the shape.
    #[must_use]
    pub fn shape(&self) -> &Polyomino {
        &self.shape
    }
}

/// A board and the pieces that must fill it, as an exact cover.
///
/// Placements are numbered by their first square, from the top left, rather than by piece. Options
/// that conflict then have numbers close together, so a set of them occupies fewer words of a bit
/// set, which saves a fifth of the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    pub(super) board: PackingBoard,
    pub(super) pieces: Vec<PackingPiece>,
    pub(super) cover: Cover,
    /// The index of the piece of each option.
    pub(super) piece_of: Vec<u32>,
    /// The item of each square of the board, row by row; `None` for holes.
    pub(super) items: Vec<Option<usize>>,
    /// For each item, the row and column of its square; `None` for the items of pieces.
    squares: Vec<Option<(usize, usize)>>,
}

impl Packing {
    /// The maximal number of placements, over all pieces.
    pub const MAX_PLACEMENTS: usize = 4_000_000;

    /// Creates the problem of filling `board` with `pieces`. Takes time proportional to the number
    /// of placements times their squares.
    ///
    /// # Errors
    ///
    /// If two pieces have the same name, if a name is not valid for an item of a cover, if the
    /// placements have too many squares for a cover, or if there are more than
    /// [`MAX_PLACEMENTS`](Self::MAX_PLACEMENTS).
    pub fn new(board: PackingBoard, pieces: Vec<PackingPiece>) -> Result<Self, InstanceError> {
        let mut builder = CoverBuilder::new();
        // Not all pieces are items, but all must have different names.
        let mut names = CoverBuilder::new();
        let mut piece_items = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            names.primary(&piece.name).map_err(instance_error)?;
            piece_items.push(match piece.supply {
                Supply::Once => Some(builder.primary(&piece.name).map_err(instance_error)?),
                Supply::AtMostOnce => Some(builder.secondary(&piece.name).map_err(instance_error)?),
                Supply::AnyNumber => None,
            });
        }
        let mut items = vec![None; board.rows() * board.columns()];
        let mut squares = vec![None; piece_items.iter().flatten().count()];
        for (row, column) in board.open_squares() {
            // The comma makes it unlikely that a piece is named like a square.
            let square = format!("{},{}", row + 1, column + 1);
            let item = builder.primary(&square).map_err(instance_error)?;
            items[row * board.columns() + column] = Some(item);
            squares.push(Some((row, column)));
        }
        let shapes = pieces.iter().enumerate().flat_map(|(piece, PackingPiece { shape, .. })| {
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
                    return Err(InstanceError::new(format_args!(
                        "found more than {0} placements of the pieces on the board, \
                         expected at most {0}",
                        Self::MAX_PLACEMENTS
                    )));
                }
                let members = piece_items[*piece].into_iter().chain(cells);
                builder.option_of(members.map(|item| (item, None))).map_err(instance_error)?;
                piece_of.push(*piece as u32);
            }
        }
        Ok(Packing { board, pieces, cover: builder.build(), piece_of, items, squares })
    }

    /// Creates the problem of filling a board with the twelve pentominoes, each used once.
    ///
    /// # Errors
    ///
    /// Never, since no board is large enough for too many placements.
    pub fn pentominoes(board: PackingBoard) -> Result<Self, InstanceError> {
        let pieces = Polyomino::pentominoes()
            .into_iter()
            .map(|(name, shape)| PackingPiece::once(name, shape));
        Packing::new(board, pieces.collect())
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &PackingBoard {
        &self.board
    }

    /// Returns the pieces.
    #[must_use]
    pub fn pieces(&self) -> &[PackingPiece] {
        &self.pieces
    }

    /// Returns the cover to be searched.
    #[must_use]
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// Returns the index, among the [pieces](Self::pieces), of the piece that an option places.
    ///
    /// # Panics
    ///
    /// If there is no option with this number.
    #[must_use]
    pub fn piece(&self, option: usize) -> usize {
        self.piece_of[option] as usize
    }

    /// Returns the row and column of each square that an option fills, in order.
    ///
    /// # Panics
    ///
    /// If there is no option with this number.
    pub fn cells(&self, option: usize) -> impl Iterator<Item = (usize, usize)> {
        self.cover.members(option).filter_map(|member| self.squares[member.item])
    }
}

/// Converts an error of the cover and adds whether the names or the placements caused it.
fn instance_error(error: CoverError) -> InstanceError {
    InstanceError::new(match error {
        CoverError::TooLarge { .. } => format!("in the pieces and their placements: {error}"),
        _ => format!("in the names of the pieces: {error}"),
    })
}

/// The CSS classes of the backgrounds that distinguish adjacent pieces.
const BACKGROUNDS: [&str; 4] = ["", "soft", "dark", "tint"];

impl Packing {
    /// Returns the option that fills each square, row by row.
    fn filled(&self, options: &[usize]) -> Vec<Option<usize>> {
        let mut filled = vec![None; self.items.len()];
        for &option in options {
            for (row, column) in self.cells(option) {
                filled[row * self.board.columns() + column] = Some(option);
            }
        }
        filled
    }

    /// Returns the board with the pieces that these options place, as text: each filled square has
    /// the first character of the name of its piece, holes are `#`, other squares `.`.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::packing::{Packing, PackingPiece, Polyomino};
    ///
    /// let corner: Polyomino = "##\n#.".parse()?;
    /// let pieces = ["A", "B"].map(|name| PackingPiece::once(name, corner.clone()));
    /// let packing = Packing::new("...#\n...#".parse()?, pieces.to_vec())?;
    /// let outcome = Search::new(packing.cover()).first();
    /// let text = outcome.solution().map(|options| packing.draw(options));
    /// assert_eq!(text.as_deref(), Some("AAB#\nABB#\n"));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no option with one of these numbers.
    #[must_use]
    pub fn draw(&self, options: &[usize]) -> String {
        let character = |(filled, item): (Option<usize>, &Option<usize>)| match (filled, item) {
            (Some(option), _) => self.pieces[self.piece(option)].name.chars().next().unwrap_or('?'),
            (None, Some(_)) => '.',
            (None, None) => '#',
        };
        let squares: Vec<char> =
            self.filled(options).into_iter().zip(&self.items).map(character).collect();
        let rows = squares.chunks(self.board.columns().max(1));
        rows.flat_map(|row| row.iter().chain(&['\n'])).collect()
    }

    /// Returns a picture of the board with the pieces that these options place, as the text of an
    /// SVG file.
    ///
    /// # Panics
    ///
    /// If there is no option with one of these numbers.
    #[must_use]
    pub fn svg(&self, options: &[usize]) -> String {
        let (rows, columns) = (self.board.rows(), self.board.columns());
        let mut picture = Picture::new(
            rows,
            columns,
            format_args!("{} pieces on {rows} × {columns}", options.len()),
        );
        let filled = self.filled(options);
        let at = |row: usize, column: usize| filled[row * columns + column];
        let backgrounds = self.backgrounds(options, &filled);
        for row in 0..rows {
            let class = |column| match at(row, column) {
                Some(option) => {
                    BACKGROUNDS[backgrounds
                        [options.iter().position(|&other| other == option).unwrap_or(0)]]
                }
                None if self.board.is_open(row, column) => "",
                None => "wall",
            };
            let classes: Vec<&str> = (0..columns).map(class).collect();
            picture.row(row, &classes);
        }
        for row in 0..rows {
            for column in 0..columns {
                let right = if column + 1 < columns { at(row, column + 1) } else { None };
                let below = if row + 1 < rows { at(row + 1, column) } else { None };
                if at(row, column) != right {
                    picture.edge((row, column + 1), (row + 1, column + 1));
                }
                if at(row, column) != below {
                    picture.edge((row + 1, column), (row + 1, column + 1));
                }
                if row == 0 && at(row, column).is_some() {
                    picture.edge((0, column), (0, column + 1));
                }
                if column == 0 && at(row, column).is_some() {
                    picture.edge((row, 0), (row + 1, 0));
                }
            }
        }
        if !picture.is_large() {
            for &option in options {
                if let Some((row, column)) = self.cells(option).next() {
                    picture.text(row, column, escaped(&self.pieces[self.piece(option)].name));
                }
            }
        }
        picture.finish()
    }

    /// Chooses a background for each option greedily. Pieces that touch have different backgrounds
    /// unless the greedy choice runs out of them.
    fn backgrounds(&self, options: &[usize], filled: &[Option<usize>]) -> Vec<usize> {
        let columns = self.board.columns();
        let mut background_of: Vec<Option<usize>> = vec![None; filled.len()];
        let mut backgrounds = Vec::with_capacity(options.len());
        for &option in options {
            let mut taken = [false; BACKGROUNDS.len()];
            for (row, column) in self.cells(option) {
                let square = row * columns + column;
                let beside = [
                    (column > 0).then(|| square - 1),
                    (column + 1 < columns).then_some(square + 1),
                    square.checked_sub(columns),
                    Some(square + columns),
                ];
                for other in
                    beside.into_iter().flatten().filter_map(|other| *background_of.get(other)?)
                {
                    taken[other] = true;
                }
            }
            let background = taken.iter().position(|taken| !taken).unwrap_or(0);
            for (row, column) in self.cells(option) {
                background_of[row * columns + column] = Some(background);
            }
            backgrounds.push(background);
        }
        backgrounds
    }
}
