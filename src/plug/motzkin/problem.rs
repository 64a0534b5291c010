//! What a cell does to the two plugs that it reads: [`CellRule`], and the [`step`] that all
//! problems of paths share.

use crate::plug::ContourProblem;
use crate::plug::code::{Joined, Parentheses, Symbol};

/// A profile whose states are Motzkin words, and whose steps are those of [`step`].
///
/// It tells for each cell which two plugs are read and what may happen there, so that the layers
/// need not be found by hashing: see the [module](self).
///
/// ```
/// use secateurs::plug::code::Parentheses;
/// use secateurs::plug::motzkin::{CellRule, Closing, MotzkinProblem, PathPiece, step};
/// use secateurs::plug::{ContourProblem, Sweep};
///
/// /// Sets of loops that visit all cells of a board of two rows, swept column by column, down and up in turns.
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
///     fn step(&self, cell: usize, word: Parentheses, emit: &mut impl FnMut(Parentheses, PathPiece)) {
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
///         [0, 1, 1, 0][cell % 4] // the cells' places in their columns, as there are two
///     }
///     fn rule(&self, cell: usize) -> CellRule {
///         // Whether there are a cell in the next column, and another one in this column.
///         let (ahead, along) = (cell / 2 + 1 < self.0, cell % 2 == 0);
///         let [low, high] = if cell % 4 < 2 { [ahead, along] } else { [along, ahead] };
///         CellRule { closing: Closing::Any, ..CellRule::visited(low, high) }
///     }
/// }
///
/// // Fibonacci numbers: the columns are cut into runs of two or more, each with a loop around it.
/// assert_eq!(Sweep::new(&Ladder(10)).dense().count().exact(), Some(34));
/// assert_eq!(Sweep::new(&Ladder(10)).count().exact(), Some(34));
/// ```
///
/// # If an implementation lies
///
/// [`ContourProblem::step`] must be [`step`] with the same rule and plug, or the two tables give
/// different answers, and [`ContourProblem::start`] must be the empty word, or a dense sweep
/// panics. A cell whose plugs are not among those of the contour makes a dense sweep panic or give
/// a wrong answer. An [entrance](CellRule::entrance) by a plug that a pair encloses makes both
/// tables give the same wrong answer, as parentheses cannot tell which ends belong together then.
pub trait MotzkinProblem: ContourProblem<State = Parentheses> {
    /// How many plugs the contour has: the length of the words, at most 31 for a dense sweep.
    fn plugs(&self) -> usize;

    /// The lower one of the two plugs, neighbours on the contour, that the cell reads and replaces.
    fn low(&self, cell: usize) -> usize;

    /// What may happen in the cell.
    fn rule(&self, cell: usize) -> CellRule;
}

/// One of the two plugs, neighbours on the contour, that a cell reads and replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The plug of the smaller number.
    Low,
    /// The plug of the greater number.
    High,
}

/// What a cell does when the two ends of one path meet in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Closing {
    /// It lets no loop arise.
    #[default]
    Never,
    /// It lets the loop arise, and the sweep goes on: there may be any number of loops.
    Any,
    /// It lets the loop arise if that is all there is: then the way is [finished](FINISHED), and
    /// every cell to come must be left out.
    Last,
}

/// What may happen in a cell of a problem of paths and loops on a board.
///
/// A cell reads two plugs, *low* and *high*, and writes two in their place. A path that comes in by
/// one of them may go out by either of the two that are written; two that come in are joined; and
/// if none comes in, the cell may be left out, or a new piece of path may begin that goes out by
/// both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellRule {
    /// No path need come through the cell.
    pub skip: bool,
    /// A path may come through the cell.
    pub visit: bool,
    /// A path may go out by the low plug: the cell that it leads to can be visited.
    pub low: bool,
    /// A path may go out by the high plug.
    pub high: bool,
    /// What happens if the two ends of one path meet here.
    pub closing: Closing,
    /// A path that comes in from outside the board, by a plug that is empty: the start or the goal
    /// of a path, on the border of the board, so that no pair encloses the plug. There may be any
    /// number of entrances on a board.
    ///
    /// `(` is a loose end. `)` is the other end of a path whose loose end is on the contour: of the
    /// nearest one before the plug or, if there is none, the nearest one behind it. The two ends
    /// are a pair then, which may [close](CellRule::closing). Where there is no loose end, and
    /// where the plug is taken, no way leads through the cell.
    pub entrance: Option<(Side, Symbol)>,
}

impl CellRule {
    /// A cell through which no path can come.
    pub const OBSTACLE: Self = CellRule {
        skip: true,
        visit: false,
        low: false,
        high: false,
        closing: Closing::Never,
        entrance: None,
    };

    /// A cell through which a path must come, and which closes no loop.
    #[must_use]
    pub const fn visited(low: bool, high: bool) -> Self {
        CellRule { skip: false, visit: true, low, high, closing: Closing::Never, entrance: None }
    }
}

/// The state of a way whose only loop is [closed](Closing::Last): a `)` without a mate, which is no
/// Motzkin word.
pub const FINISHED: Parentheses = Parentheses::from_word(0b10);

/// The label of a step: by which plugs a path came into the cell and went out of it.
///
/// The labels of all cells tell a solution from every other one. An [entrance](CellRule::entrance)
/// is not among the sides by which a path came in, as it is no edge of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathPiece(u8);

impl PathPiece {
    /// The cell was left out: no path comes through it.
    pub const NONE: PathPiece = PathPiece(0);

    /// The cell is a path by itself, without an edge.
    pub const ALONE: PathPiece = PathPiece(1 << 4);

    /// The label of a cell that a path comes into and goes out of by these sides, low and high;
    /// [`NONE`](PathPiece::NONE) if there are no sides.
    #[must_use]
    pub const fn new(came: [bool; 2], goes: [bool; 2]) -> Self {
        PathPiece(
            came[0] as u8 | (came[1] as u8) << 1 | (goes[0] as u8) << 2 | (goes[1] as u8) << 3,
        )
    }

    /// Whether a path came in by this side.
    #[must_use]
    pub const fn came_by(self, side: Side) -> bool {
        self.0 >> (side as u8) & 1 == 1
    }

    /// Whether a path goes out by this side.
    #[must_use]
    pub const fn goes_by(self, side: Side) -> bool {
        self.0 >> (2 + side as u8) & 1 == 1
    }

    /// How many edges lead into the cell from cells before it. The sum over all cells is the total
    /// length of the paths and loops, as each edge leads into one cell.
    ///
    /// ```
    /// use secateurs::Direction;
    /// use secateurs::plug::Sweep;
    /// use secateurs::plug::motzkin::PathPiece;
    /// use secateurs::problems::catalogue::{Grid, simple_paths};
    ///
    /// let paths = simple_paths(&Grid::new(4, 4)?);
    /// let length = |_: usize, piece: PathPiece| piece.length();
    /// let shortest = Sweep::new(&paths).best(Direction::Minimise, length);
    /// assert_eq!(shortest.proven(), Some(&6));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    #[must_use]
    pub const fn length(self) -> i64 {
        (self.0 & 1) as i64 + (self.0 >> 1 & 1) as i64
    }

    /// The label without a side by which the path comes in from outside the board.
    const fn without_coming_by(self, side: Side) -> Self {
        self.without(1 << side as u8)
    }

    /// The label without a side by which the path goes out of the board.
    #[cfg(feature = "problems")]
    pub(crate) const fn without_going_by(self, side: Side) -> Self {
        self.without(1 << (2 + side as u8))
    }

    /// The label without a side that leads off the board. The cell is visited still.
    const fn without(self, bit: u8) -> Self {
        match self.0 & !bit {
            0 if self.0 != 0 => PathPiece::ALONE,
            rest => PathPiece(rest),
        }
    }
}

/// Calls `emit` with each word that `word` can become in a cell of this rule that reads plugs `low`
/// and `low + 1`, and with what was done there. Every problem of paths has this as its
/// [`ContourProblem::step`](crate::plug::ContourProblem::step).
///
/// ```
/// use secateurs::plug::code::Parentheses;
/// use secateurs::plug::motzkin::{CellRule, step};
///
/// let word: Parentheses = "(()).".parse()?;
/// let mut words = Vec::new();
/// step(CellRule::visited(true, true), 3, word, &mut |word, _| words.push(word.to_string()));
/// assert_eq!(words, ["(())", "(().)"]); // the path goes on by either plug
///
/// words.clear();
/// step(CellRule::visited(true, true), 0, word, &mut |word, _| words.push(word.to_string()));
/// assert_eq!(words, ["..()"]); // two paths become one
/// # Ok::<(), secateurs::plug::code::ParseCodeError>(())
/// ```
#[inline]
pub fn step(
    rule: CellRule,
    low: usize,
    word: Parentheses,
    emit: &mut impl FnMut(Parentheses, PathPiece),
) {
    let high = low + 1;
    if word == FINISHED {
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
    // Sweeps that do not look at labels pay nothing for this: it is compiled away.
    let piece = |came, goes| {
        let piece = PathPiece::new(came, goes);
        rule.entrance.map_or(piece, |(side, _)| piece.without_coming_by(side))
    };
    let joined = || piece([true; 2], [false; 2]);
    // This is the inner loop of a sweep by hashing: both plugs are read and removed at once.
    let (shift, bits) = (2 * low, word.word());
    let rest = bits & !(0b1111 << shift);
    match bits >> shift & 0b1111 {
        NOTHING => {
            if rule.skip {
                emit(word, PathPiece::NONE);
            }
            if rule.visit && rule.low && rule.high {
                emit(Parentheses::from_word(rest | PAIR << shift), piece([false; 2], [true; 2]));
            }
        }
        _ if !rule.visit => {}
        plugs @ (0b0001 | 0b0010 | 0b0100 | 0b1000) => {
            let symbol = (plugs | plugs >> 2) & 0b11;
            let came = [plugs & 0b11 != 0, plugs >> 2 != 0];
            if rule.low {
                emit(Parentheses::from_word(rest | symbol << shift), piece(came, [true, false]));
            }
            if rule.high {
                let word = Parentheses::from_word(rest | symbol << shift << 2);
                emit(word, piece(came, [false, true]));
            }
        }
        PAIR => match rule.closing {
            Closing::Any => emit(Parentheses::from_word(rest), joined()),
            Closing::Last if rest == 0 => emit(FINISHED, joined()),
            Closing::Last | Closing::Never => {}
        },
        // Of `)(` the far ends are mates as they stand.
        BACK_TO_BACK => emit(Parentheses::from_word(rest), joined()),
        _ => {
            if let Joined::Path(word) = word.join(low, high) {
                emit(word, joined());
            }
        }
    }
}

/// Returns the word after a path has come in from outside at `plug`, unless it cannot. Of a legal
/// word, it is a legal one.
// Out of line: entrances are few, and the inner loop of a sweep is to stay small.
#[cold]
#[inline(never)]
fn entered(word: Parentheses, plug: usize, symbol: Symbol) -> Option<Parentheses> {
    if word.get(plug) != Symbol::Empty {
        return None;
    }
    let entered = word.with(plug, symbol);
    if symbol != Symbol::Close || entered.is_legal() {
        return Some(entered);
    }
    // All loose ends are behind the plug: it opens the pair that the first of them closes.
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
