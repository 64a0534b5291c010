//! Pieces, and the exact cover of a board by pieces: [`Packing`], with drawings as text and as
//! SVG; and [`BoardSymmetry`], a hook that keeps one packing of each orbit.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use secateurs::Digest;
use secateurs::hook::{Effect, Hook, HookMemory, Node, NodeMut, Path, Verdict};
use secateurs_cover::{Cover, CoverBuilder, CoverError};

use super::board::{PackingBoard, Polyomino};
use crate::InstanceError;
use crate::picture::{Picture, escaped};

/// The number of copies of a piece that a packing uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Supply {
    Once,
    AtMostOnce,
    AnyNumber,
}

/// A piece of a packing problem: a named shape, which may be rotated and reflected.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackingPiece {
    name: String,
    shape: Polyomino,
    supply: Supply,
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
}

/// A board and the pieces that must fill it, as an exact cover.
///
/// Placements are numbered by their first square, from the top left, rather than by piece. Options
/// that conflict then have numbers close together, so a set of them occupies fewer words of a bit
/// set, which saves a fifth of the time of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    board: PackingBoard,
    pieces: Vec<PackingPiece>,
    cover: Cover,
    /// The index of the piece of each option.
    piece_of: Vec<u32>,
    /// For each item, the row and column of its square; `None` for the items of pieces.
    square_of_item: Vec<Option<(usize, usize)>>,
}

impl Packing {
    /// The maximal number of placements, over all pieces.
    pub const MAX_PLACEMENTS: usize = 4_000_000;

    /// Creates the problem of filling `board` with `pieces`. Tries each orientation of each piece
    /// on each open square, whether or not it fits: takes time proportional to the number of open
    /// squares times the total number of cells of all orientations.
    ///
    /// # Errors
    ///
    /// If two pieces have the same name, if a name is not valid for an item of a cover, if the
    /// placements have too many squares for a cover, or if there are more than
    /// [`MAX_PLACEMENTS`](Self::MAX_PLACEMENTS).
    pub fn new(board: PackingBoard, pieces: Vec<PackingPiece>) -> Result<Self, InstanceError> {
        let mut builder = CoverBuilder::new();
        // Not all pieces are items, but all must have different names that are valid for items.
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
        let mut item_of_square = vec![None; board.rows() * board.columns()];
        let mut square_of_item = vec![None; piece_items.iter().flatten().count()];
        for (row, column) in board.open_squares() {
            // The comma makes it unlikely that a piece is named like a square.
            let square = format!("{},{}", row + 1, column + 1);
            let item = builder.primary(&square).map_err(instance_error)?;
            item_of_square[row * board.columns() + column] = Some(item);
            square_of_item.push(Some((row, column)));
        }
        let shapes = pieces.iter().enumerate().flat_map(|(piece, PackingPiece { shape, .. })| {
            shape.orientations().into_iter().map(move |orientation| (piece, orientation))
        });
        let shapes: Vec<(usize, Polyomino)> = shapes.collect();
        let mut piece_of = Vec::new();
        for (row, column) in board.open_squares() {
            for (piece, shape) in &shapes {
                // The first cell of the shape, which is in its first row, lies on this square.
                let first_column = shape.cells()[0].1;
                let item_at = |&(down, right): &(usize, usize)| {
                    let column = (column + right).checked_sub(first_column)?;
                    board
                        .is_open(row + down, column)
                        .then(|| item_of_square[(row + down) * board.columns() + column])?
                };
                let Some(cells) = shape.cells().iter().map(item_at).collect::<Option<Vec<usize>>>()
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
        Ok(Packing { board, pieces, cover: builder.build(), piece_of, square_of_item })
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
        self.cover.members(option).filter_map(|member| self.square_of_item[member.item])
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
    /// Returns the position in `options` of the option that fills each square, row by row.
    fn filled(&self, options: &[usize]) -> Vec<Option<usize>> {
        let mut filled = vec![None; self.board.rows() * self.board.columns()];
        for (position, &option) in options.iter().enumerate() {
            for (row, column) in self.cells(option) {
                filled[row * self.board.columns() + column] = Some(position);
            }
        }
        filled
    }

    /// Returns the board with the pieces that these options place, as text: each filled square has
    /// the first character of the name of its piece, holes are `#`, other squares `.`.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::packing::{Packing, PackingPiece, Polyomino};
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
        let (filled, columns) = (self.filled(options), self.board.columns());
        let character = |row: usize, column: usize| match filled[row * columns + column] {
            Some(position) => self.pieces[self.piece(options[position])].name.chars().next(),
            None if self.board.is_open(row, column) => Some('.'),
            None => Some('#'),
        };
        let line = |row| (0..columns).filter_map(move |column| character(row, column));
        (0..self.board.rows()).flat_map(|row| line(row).chain(['\n'])).collect()
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
        let title = format!("{} pieces on {rows} × {columns}", options.len());
        let mut picture = Picture::new(rows, columns, title);
        let filled = self.filled(options);
        let at = |row: usize, column: usize| filled[row * columns + column];
        let backgrounds = self.backgrounds(options, &filled);
        picture.rows((rows, columns), |row, column| match at(row, column) {
            Some(position) => BACKGROUNDS[backgrounds[position]],
            None if self.board.is_open(row, column) => "",
            None => "wall",
        });
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
                for position in
                    beside.into_iter().flatten().filter_map(|square| *filled.get(square)?)
                {
                    // Later options, and this one, have no background yet.
                    if let Some(&background) = backgrounds.get(position) {
                        taken[background] = true;
                    }
                }
            }
            backgrounds.push(taken.iter().position(|taken| !taken).unwrap_or(0));
        }
        backgrounds
    }
}

/// A hook, created by [`Packing::symmetry`], that finds one packing of each orbit under the
/// rotations and reflections of the board, and knows the size of the orbit.
///
/// A piece is *free* if it is used exactly once and no symmetry of the board except the identity
/// maps any of its placements to itself. If there is a free piece, the hook removes all but one of
/// each orbit of its placements at the root, which divides the tree by about the number of
/// symmetries. Every piece without symmetry is free, and a piece with symmetry may be free on a
/// board with even sides of different lengths, whose symmetries have no fixed square. Among several
/// free pieces, the hook takes the one with the fewest placements.
///
/// If there is no free piece, the hook compares complete packings with their images and keeps the
/// least of each orbit. The tree stays as large as without the hook.
///
/// The hook is made for the cover of its packing. On another cover it removes wrong options, or
/// panics.
#[derive(Clone, Debug)]
pub struct BoardSymmetry {
    /// The number of symmetries of the board.
    order: u64,
    mode: Mode,
}

/// The method by which the hook keeps one packing of each orbit.
#[derive(Clone, Debug)]
enum Mode {
    /// The options to be removed at the root.
    Remove(Vec<usize>),
    /// For each symmetry but the identity, the image of each option.
    Compare(Vec<Vec<usize>>),
}

impl Packing {
    /// Creates a hook that counts packings up to the symmetries of the board, including its holes.
    /// Takes time and memory proportional to the number of placements times the number of
    /// symmetries of the board, and to the number of squares of all placements.
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
        let identity: Vec<usize> = (0..self.board.rows() * self.board.columns()).collect();
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
            (0..rows * columns).map(image).collect()
        };
        let candidates = if rows == columns { 8 } else { 4 };
        let keeps_holes = |map: &Vec<usize>| {
            let is_open = |square: usize| self.board.is_open(square / columns, square % columns);
            map.iter().enumerate().all(|(from, &to)| is_open(from) == is_open(to))
        };
        (0..candidates).map(map).filter(keeps_holes).collect()
    }
}

/// Returns the number of symmetries that map the packing of a path to itself, or `None` if the
/// packing is not the least of its orbit.
fn stabiliser_order(images: &[Vec<usize>], path: Path<'_, usize>) -> Option<u64> {
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

    /// Returns [`Digest::NONE`], because the packing determines the hook.
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
                Verdict::prune_if(is_packing && stabiliser_order(images, node.path()).is_none())
            }
        }
    }

    fn orbit(&self, node: &Node<'_, Cover>) -> Option<u64> {
        match &self.mode {
            Mode::Remove(_) => Some(self.order),
            Mode::Compare(images) => {
                stabiliser_order(images, node.path()).map(|fixing| self.order / fixing)
            }
        }
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("symmetries".to_owned(), self.order)]
    }
}
