//! Contour problems on graphs by the width of their states alone, [`Sets`]: the engine is compiled
//! for three widths, and not for each problem.

use std::fmt::Debug;
use std::hash::Hash;

use secateurs::plug::code::{Bits, Labels, Mates};
use secateurs::plug::{ContourProblem, TooWide};

use crate::support::catalogue::Size;
use crate::support::sweeps::State;

/// A state code as a plain word.
pub trait Packed {
    type Word: Word;

    fn pack(self) -> Self::Word;
    fn unpack(word: Self::Word) -> Self;
}

/// A plain word that holds a state.
pub trait Word: State + Copy + Eq + Hash + Debug + Send + Sync {}
impl<W: State + Copy + Eq + Hash + Debug + Send + Sync> Word for W {}

/// A word of which two fit into a wider one.
pub trait Half: Word {
    type Double: Word;

    fn join(low: Self, high: Self) -> Self::Double;
    fn split(double: Self::Double) -> (Self, Self);
}

impl Half for u64 {
    type Double = u128;

    fn join(low: u64, high: u64) -> u128 {
        u128::from(low) | u128::from(high) << 64
    }
    #[allow(clippy::cast_possible_truncation)] // the two halves
    fn split(double: u128) -> (u64, u64) {
        (double as u64, (double >> 64) as u64)
    }
}

impl Half for u128 {
    type Double = [u128; 2];

    fn join(low: u128, high: u128) -> [u128; 2] {
        [low, high]
    }
    fn split([low, high]: [u128; 2]) -> (u128, u128) {
        (low, high)
    }
}

macro_rules! packed {
    ($($code:ty => $word:ty $(, $bits:ident)?;)*) => {$(
        impl$(<const $bits: u32>)? Packed for $code {
            type Word = $word;

            fn pack(self) -> $word {
                self.word()
            }
            fn unpack(word: $word) -> Self {
                Self::from_word(word)
            }
        }
    )*};
}

packed! {
    Bits<u64> => u64;
    Bits<u128> => u128;
    Mates<u64> => u64;
    Mates<u128> => u128;
    Labels<u64, BITS> => u64, BITS;
    Labels<u128, BITS> => u128, BITS;
}

/// A family of sets: its states are numbers of families.
impl Packed for u32 {
    type Word = u64;

    fn pack(self) -> u64 {
        self.into()
    }
    #[allow(clippy::cast_possible_truncation)] // `is_legal` notices it
    fn unpack(word: u64) -> Self {
        word as u32
    }
}

impl<W: Half, A: Packed<Word = W>, B: Packed<Word = W>> Packed for (A, B) {
    type Word = W::Double;

    fn pack(self) -> W::Double {
        W::join(self.0.pack(), self.1.pack())
    }
    fn unpack(double: W::Double) -> Self {
        let (low, high) = W::split(double);
        (A::unpack(low), B::unpack(high))
    }
}

/// A label: whether an edge or a vertex is taken, or a colour.
#[derive(Clone, Copy, Debug)]
pub struct Taken(pub u8);

impl Size for Taken {
    fn size(self) -> i64 {
        self.0.into()
    }
}

/// The methods of a [`ContourProblem`] with a dynamic step and packed states.
pub trait Steps<W>: Sync {
    fn cells(&self) -> usize;
    fn start(&self) -> W;
    fn step(&self, cell: usize, state: W, emit: &mut dyn FnMut(W, Taken));
    fn accept(&self, state: W) -> bool;
    fn fits(&self, cell: usize) -> Result<(), TooWide>;
    fn is_legal(&self, cell: usize, state: W) -> bool;
}

impl<W: Word, P: ContourProblem<State: Packed<Word = W>, Label: Into<u8>>> Steps<W> for P {
    fn cells(&self) -> usize {
        ContourProblem::cells(self)
    }
    fn start(&self) -> W {
        ContourProblem::start(self).pack()
    }
    fn step(&self, cell: usize, state: W, emit: &mut dyn FnMut(W, Taken)) {
        ContourProblem::step(self, cell, P::State::unpack(state), &mut |state, label| {
            emit(state.pack(), Taken(label.into()));
        });
    }
    fn accept(&self, state: W) -> bool {
        ContourProblem::accept(self, P::State::unpack(state))
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        ContourProblem::fits(self, cell)
    }
    fn is_legal(&self, cell: usize, state: W) -> bool {
        // A word with bits that the code ignores would be another word of the same state.
        P::State::unpack(state).pack() == state
            && ContourProblem::is_legal(self, cell, P::State::unpack(state))
    }
}

/// A problem of sets of edges or vertices, or of colourings, with packed states.
pub struct Sets<'p, W>(pub &'p dyn Steps<W>);

impl<W: Word> ContourProblem for Sets<'_, W> {
    type State = W;
    type Label = Taken;

    fn cells(&self) -> usize {
        self.0.cells()
    }
    fn start(&self) -> W {
        self.0.start()
    }
    fn step(&self, cell: usize, state: W, emit: &mut impl FnMut(W, Taken)) {
        self.0.step(cell, state, emit);
    }
    fn accept(&self, state: W) -> bool {
        self.0.accept(state)
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.0.fits(cell)
    }
    fn is_legal(&self, cell: usize, state: W) -> bool {
        self.0.is_legal(cell, state)
    }
}
