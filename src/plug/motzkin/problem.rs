//! Problems of paths and loops: [`MotzkinProblem`], the rules of their cells ([`CellRule`]), and
//! the [`step`] that they share.

use crate::plug::code::{Parentheses, Symbol, Word};
use crate::plug::{ContourProblem, Only};

/// A contour problem with Motzkin words as states and [`step`] as its steps.
///
/// The problem states for each cell which two plugs the cell reads and which rule it follows, so
/// that layers can be tables without hashing: see the [module](super).
///
/// ```
/// use secateurs::plug::code::Parentheses;
/// use secateurs::plug::motzkin::{CellRule, Closing, MotzkinProblem, PathPiece, step};
/// use secateurs::plug::{ContourProblem, Sweep};
///
/// /// Sets of loops that visit all cells of a board of two rows. The sweep goes column by column,
/// /// down and up in turns.
/// struct Ladder(usize);
///
/// impl ContourProblem for Ladder {
///     type State = Parentheses;
///     type Label = PathPiece;
///     fn cells(&self) -> usize {
///         2 * self.0
///     }
///     fn start(&self) -> Parentheses {
///         Parentheses::EMPTY
///     }
///     fn step(
///         &self,
///         cell: usize,
///         word: Parentheses,
///         emit: &mut impl FnMut(Parentheses, PathPiece),
///     ) {
///         step(self.rule(cell), self.low(cell), word, emit);
///     }
///     fn accept(&self, word: Parentheses) -> bool {
///         word.is_empty()
///     }
/// }
///
/// impl MotzkinProblem for Ladder {
///     fn plugs(&self) -> usize {
///         3
///     }
///     fn low(&self, cell: usize) -> usize {
///         [0, 1, 1, 0][cell % 4] // the row of the cell
///     }
///     fn rule(&self, cell: usize) -> CellRule {
///         // Is there a cell in the next column, and a further one in this column?
///         let (ahead, along) = (cell / 2 + 1 < self.0, cell % 2 == 0);
///         let [low, high] = if cell % 4 < 2 { [ahead, along] } else { [along, ahead] };
///         CellRule { closing: Closing::Any, ..CellRule::visited(low, high) }
///     }
/// }
///
/// // A Fibonacci number: each run of two or more columns has one loop around it.
/// assert_eq!(Sweep::new(&Ladder(10)).dense().count().exact(), Some(34));
/// assert_eq!(Sweep::new(&Ladder(10)).count().exact(), Some(34));
/// ```
///
/// # If an implementation lies
///
/// [`ContourProblem::step`] must call [`step`] with the same rule and plug, and drop what
/// [`keeps`](Self::keeps) drops; otherwise hash tables and dense tables give different answers.
/// [`ContourProblem::start`] must be the empty word; otherwise a dense sweep panics. If a cell
/// reads plugs that the contour does not have, a dense sweep panics or gives a wrong answer. An
/// [entrance](CellRule::entrance) by a plug that a pair encloses makes both kinds of tables give
/// the same wrong answer, because parentheses cannot represent which ends belong together then.
pub trait MotzkinProblem: ContourProblem<State = Parentheses> {
    /// Returns the number of plugs of the contour: the length of the words, at most 31 for a dense
    /// sweep.
    fn plugs(&self) -> usize;

    /// Returns the lower of the two neighbouring plugs that the cell reads and replaces.
    fn low(&self, cell: usize) -> usize;

    /// Returns the rule of the cell.
    fn rule(&self, cell: usize) -> CellRule;

    /// Returns whether the problem keeps a transition of [`step`] in the cell, given its piece. By
    /// default it keeps all. [`ContourProblem::step`] must drop the others.
    fn keeps(&self, cell: usize, piece: PathPiece) -> bool {
        let _ = (cell, piece);
        true
    }

    /// Returns the label of a transition of [`step`] in the cell, given its piece, if labels are
    /// pieces of path. By default it is the piece. [`ContourProblem::step`] must emit the same.
    fn label(&self, cell: usize, piece: PathPiece) -> PathPiece {
        let _ = cell;
        piece
    }
}

/// A problem that is made of another one need not own it.
impl<P: MotzkinProblem> MotzkinProblem for &P {
    fn plugs(&self) -> usize {
        (**self).plugs()
    }
    fn low(&self, cell: usize) -> usize {
        (**self).low(cell)
    }
    fn rule(&self, cell: usize) -> CellRule {
        (**self).rule(cell)
    }
    fn keeps(&self, cell: usize, piece: PathPiece) -> bool {
        (**self).keeps(cell, piece)
    }
    fn label(&self, cell: usize, piece: PathPiece) -> PathPiece {
        (**self).label(cell, piece)
    }
}

/// The words of a restricted problem are words of the whole one, so they have the same ranks.
impl<P, F> MotzkinProblem for Only<P, F>
where
    P: MotzkinProblem<Label = PathPiece>,
    F: Fn(usize, PathPiece) -> bool + Sync,
{
    fn plugs(&self) -> usize {
        self.problem().plugs()
    }
    fn low(&self, cell: usize) -> usize {
        self.problem().low(cell)
    }
    /// Permits what some label that is kept has, so that tables have no words that never occur.
    fn rule(&self, cell: usize) -> CellRule {
        let rule = self.problem().rule(cell);
        let keeps_any = |has: fn(PathPiece) -> bool| {
            PathPiece::all().any(|piece| has(piece) && self.keeps(cell, piece))
        };
        CellRule {
            skip: rule.skip && self.keeps(cell, PathPiece::NONE),
            visit: rule.visit && keeps_any(|piece| piece != PathPiece::NONE),
            low: rule.low && keeps_any(|piece| piece.goes_by(Side::Low)),
            high: rule.high && keeps_any(|piece| piece.goes_by(Side::High)),
            ..rule
        }
    }
    fn keeps(&self, cell: usize, piece: PathPiece) -> bool {
        self.problem().keeps(cell, piece) && (self.keeps)(cell, self.label(cell, piece))
    }
    fn label(&self, cell: usize, piece: PathPiece) -> PathPiece {
        self.problem().label(cell, piece)
    }
}

/// One of the two neighbouring plugs that a cell reads and replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The plug with the smaller number.
    Low,
    /// The plug with the greater number.
    High,
}

/// The behaviour of a cell in which the two ends of one path meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Closing {
    /// The path must not close to a loop.
    #[default]
    Never,
    /// The path closes to a loop, and the sweep continues: there may be any number of loops.
    Any,
    /// The path closes to a loop if the contour is empty otherwise. The solution is then
    /// [finished](FINISHED), and all later cells must be skipped.
    Last,
    /// The path closes to a loop, and the sweep continues, if an even number of plugs before this
    /// cell are taken. If all cells close loops in this way, no loop lies inside another one: each
    /// plug before a cell is a crossing between the border of the board and the cell, and of nested
    /// loops, one is directly inside an outermost one, where their number is odd.
    Outside,
}

/// The rule of a cell of a problem of paths and loops on a board.
///
/// A cell reads two plugs, *low* and *high*, and writes two in their place. A path that enters by
/// one plug may leave by either of the two written plugs; two paths that enter are joined; and if
/// none enters, the cell may be skipped, or a new piece of path may begin that leaves by both
/// plugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellRule {
    /// The cell may be skipped.
    pub skip: bool,
    /// A path may visit the cell.
    pub visit: bool,
    /// A path may leave by the low plug: the cell that it leads to can be visited.
    pub low: bool,
    /// A path may leave by the high plug.
    pub high: bool,
    /// The behaviour if the two ends of one path meet here.
    pub closing: Closing,
    /// A path that enters from outside the board by an empty plug: the start or the goal of a path,
    /// on the border of the board, so that no pair encloses the plug. A board may have any number
    /// of entrances.
    ///
    /// `(` puts a loose end on the plug. `)` puts there the other end of a path with a loose end on
    /// the contour: the nearest loose end before the plug or, if there is none, the nearest one
    /// after it. The two ends then form a pair, which may [close](CellRule::closing). If there is
    /// no loose end for `)`, or if the plug is taken, the state has no successor.
    pub entrance: Option<(Side, Symbol)>,
}

impl CellRule {
    /// A cell that no path can visit.
    pub const OBSTACLE: Self = CellRule {
        skip: true,
        visit: false,
        low: false,
        high: false,
        closing: Closing::Never,
        entrance: None,
    };

    /// Creates the rule of a cell that a path must visit and in which no loop closes.
    #[must_use]
    pub const fn visited(low: bool, high: bool) -> Self {
        CellRule { skip: false, visit: true, low, high, closing: Closing::Never, entrance: None }
    }
}

/// The state of a finished solution, with its only loop [closed](Closing::Last): a `)` without a
/// mate, which is no Motzkin word.
pub const FINISHED: Parentheses = Parentheses::from_word(0b10);

/// Returns the state [`FINISHED`] in a word of any width.
#[inline]
#[must_use]
pub fn finished<W: Word>() -> Parentheses<W> {
    Parentheses::from_word(W::ONE << 1)
}

/// The label of a step: the sides by which a path enters and leaves the cell.
///
/// Different solutions differ in the label of some cell. An [entrance](CellRule::entrance) is not
/// recorded as a side by which a path entered, because it is no edge of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathPiece(u8);

impl PathPiece {
    /// No path visits the cell.
    pub const NONE: PathPiece = PathPiece(0);

    /// The cell is a path by itself, without an edge.
    pub const ALONE: PathPiece = PathPiece(1 << 4);

    /// Creates the label of a cell that a path enters and leaves by these sides, low and high;
    /// [`NONE`](PathPiece::NONE) without sides.
    #[must_use]
    pub const fn new(came: [bool; 2], goes: [bool; 2]) -> Self {
        PathPiece(
            came[0] as u8 | (came[1] as u8) << 1 | (goes[0] as u8) << 2 | (goes[1] as u8) << 3,
        )
    }

    /// Returns all labels.
    fn all() -> impl Iterator<Item = Self> {
        (0..=PathPiece::ALONE.0).map(PathPiece)
    }

    /// Returns the labels that the problem keeps in a cell, one bit for each.
    pub(super) fn kept(problem: &impl MotzkinProblem, cell: usize) -> u32 {
        let kept = Self::all().filter(|&piece| problem.keeps(cell, piece));
        kept.fold(0, |kept, piece| kept | 1 << piece.0)
    }

    /// The bits of all labels.
    pub(super) const EVERY: u32 = (2 << PathPiece::ALONE.0) - 1;

    /// Returns whether this label is among those.
    pub(super) const fn is_in(self, labels: u32) -> bool {
        labels >> self.0 & 1 == 1
    }

    /// Returns whether a path entered by this side.
    #[must_use]
    pub const fn came_by(self, side: Side) -> bool {
        self.0 >> (side as u8) & 1 == 1
    }

    /// Returns whether a path leaves by this side.
    #[must_use]
    pub const fn goes_by(self, side: Side) -> bool {
        self.0 >> (2 + side as u8) & 1 == 1
    }

    /// Returns the number of edges from earlier cells into this cell. The sum over all cells is the
    /// total length of the paths and loops, because each edge is counted at the later of its two
    /// cells.
    ///
    /// ```
    /// use secateurs::Direction;
    /// use secateurs::plug::Sweep;
    /// use secateurs::plug::motzkin::PathPiece;
    /// use secateurs_problems::catalogue::{Grid, simple_paths};
    ///
    /// let paths = simple_paths(&Grid::new(4, 4)?);
    /// let length = |_: usize, piece: PathPiece| piece.length();
    /// let shortest = Sweep::new(&paths).best(Direction::Minimise, length);
    /// assert_eq!(shortest.proven(), Some(&6));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub const fn length(self) -> i64 {
        (self.0 & 1) as i64 + (self.0 >> 1 & 1) as i64
    }

    /// Returns the label without the side of an entrance.
    const fn without_coming_by(self, side: Side) -> Self {
        self.without(1 << side as u8)
    }

    /// Returns the label without a side by which the path leaves the board.
    #[must_use]
    pub const fn without_going_by(self, side: Side) -> Self {
        self.without(1 << (2 + side as u8))
    }

    /// Returns the label without a side that leads off the board. The cell is still visited.
    const fn without(self, bit: u8) -> Self {
        match self.0 & !bit {
            0 if self.0 != 0 => PathPiece::ALONE,
            rest => PathPiece(rest),
        }
    }
}

/// Calls `emit` with each successor of `word` in a cell with this rule that reads plugs `low` and
/// `low + 1`, and with its label. Every problem of paths and loops uses this as its
/// [`ContourProblem::step`].
///
/// ```
/// use secateurs::plug::code::Parentheses;
/// use secateurs::plug::motzkin::{CellRule, step};
///
/// let word: Parentheses = "(()).".parse()?;
/// let mut words = Vec::new();
/// step(CellRule::visited(true, true), 3, word, &mut |word, _| words.push(word.to_string()));
/// assert_eq!(words, ["(())", "(().)"]); // the path leaves by either plug
///
/// words.clear();
/// step(CellRule::visited(true, true), 0, word, &mut |word, _| words.push(word.to_string()));
/// assert_eq!(words, ["..()"]); // two paths become one
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[inline]
pub fn step<W: Word>(
    rule: CellRule,
    low: usize,
    word: Parentheses<W>,
    emit: &mut impl FnMut(Parentheses<W>, PathPiece),
) {
    let high = low + 1;
    if word == finished() {
        if rule.skip && rule.entrance.is_none() {
            emit(word, PathPiece::NONE);
        }
        return;
    }
    let mut word = word;
    if let Some((side, symbol)) = rule.entrance {
        let Some(entered) = entered(word, low + side as usize, symbol) else { return };
        word = entered;
    }
    // The compiler removes this from sweeps that ignore labels.
    let piece = |came, goes| {
        let piece = PathPiece::new(came, goes);
        rule.entrance.map_or(piece, |(side, _)| piece.without_coming_by(side))
    };
    // This is the inner loop of a sweep with hash tables, so both plugs are read and removed at
    // once.
    let (shift, bits) = (2 * low as u32, word.word());
    let rest = bits & !(W::from_low(0b1111) << shift);
    let with = |symbols, shift| Parentheses::from_word(rest | W::from_low(symbols) << shift);
    match (bits >> shift).low() & 0b1111 {
        NOTHING => {
            if rule.skip {
                emit(word, PathPiece::NONE);
            }
            if rule.visit && rule.low && rule.high {
                emit(with(PAIR, shift), piece([false; 2], [true; 2]));
            }
        }
        _ if !rule.visit => {}
        plugs @ (0b0001 | 0b0010 | 0b0100 | 0b1000) => {
            let symbol = (plugs | plugs >> 2) & 0b11;
            let came = [plugs & 0b11 != 0, plugs >> 2 != 0];
            if rule.low {
                emit(with(symbol, shift), piece(came, [true, false]));
            }
            if rule.high {
                emit(with(symbol, shift + 2), piece(came, [false, true]));
            }
        }
        joining => {
            let next = match joining {
                PAIR => match rule.closing {
                    Closing::Any => Some(Parentheses::from_word(rest)),
                    Closing::Last if rest == W::ZERO => Some(finished()),
                    Closing::Outside
                        if (rest & W::low_ones(shift)).count_ones().is_multiple_of(2) =>
                    {
                        Some(Parentheses::from_word(rest))
                    }
                    Closing::Last | Closing::Outside | Closing::Never => None,
                },
                // The far ends of `)(` already match.
                BACK_TO_BACK => Some(Parentheses::from_word(rest)),
                _ => word.join(low, high).path(),
            };
            if let Some(next) = next {
                emit(next, piece([true; 2], [false; 2]));
            }
        }
    }
}

/// Returns the word after a path has entered from outside at `plug`, or `None` if it cannot. The
/// result is legal if `word` is.
// Out of line, because entrances are rare and the inner loop of a sweep must stay small.
#[cold]
#[inline(never)]
fn entered<W: Word>(word: Parentheses<W>, plug: usize, symbol: Symbol) -> Option<Parentheses<W>> {
    if word.get(plug) != Symbol::Empty {
        return None;
    }
    let entered = word.with(plug, symbol);
    if symbol != Symbol::Close || entered.is_legal() {
        return Some(entered);
    }
    // All loose ends are after the plug. The plug opens the pair, and the first loose end closes
    // it.
    let is_loose = |&end: &usize| word.get(end) == Symbol::Open && word.mate(end).is_none();
    let loose = (plug + 1..word.len()).find(is_loose)?;
    Some(word.with(plug, Symbol::Open).with(loose, Symbol::Close))
}

/// Two empty plugs.
const NOTHING: u64 = 0b0000;
/// `()`.
const PAIR: u64 = 0b1001;
/// `)(`.
const BACK_TO_BACK: u64 = 0b0110;
