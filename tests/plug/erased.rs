//! One type for many contour problems, so that the engine is compiled only once.

use std::time::Duration;

use secateurs::checkpoint::Fingerprint;
use secateurs::plug::code::{Bits, Labels, Mates, Parentheses, Word};
use secateurs::plug::motzkin::{PathPiece, Side};
use secateurs::plug::{ContourProblem, Sweep, SweepCheckpoint, TooWide};
use secateurs::{Count, Limits, Outcome};

use crate::support::scratch::Directory;

/// A state that can be packed into a word of 128 bits.
pub trait Packed {
    fn pack(self) -> u128;
    fn unpack(word: u128) -> Self;
}

fn widen<W: Word>(word: W) -> u128 {
    let high = if W::BITS > 64 { (word >> (W::BITS / 2)).low() } else { 0 };
    u128::from(word.low()) | u128::from(high) << 64
}

#[allow(clippy::cast_possible_truncation)] // the low half and the high half separately
fn narrow<W: Word>(word: u128) -> W {
    let high =
        if W::BITS > 64 { W::from_low((word >> 64) as u64) << (W::BITS / 2) } else { W::ZERO };
    W::from_low(word as u64) | high
}

macro_rules! packed {
    ($($code:ty { $($parameter:tt)* })*) => {$(
        impl<$($parameter)*> Packed for $code {
            fn pack(self) -> u128 {
                widen(self.word())
            }
            fn unpack(word: u128) -> Self {
                Self::from_word(narrow(word))
            }
        }
    )*};
}

packed!(
    Mates<W> { W: Word }
    Bits<W> { W: Word }
    Labels<W, BITS> { W: Word, const BITS: u32 }
    Parentheses<W> { W: Word }
);

impl Packed for u8 {
    fn pack(self) -> u128 {
        self.into()
    }
    fn unpack(word: u128) -> Self {
        word as u8
    }
}

/// Codes of 64 bits each.
impl<A: Packed, B: Packed> Packed for (A, B) {
    fn pack(self) -> u128 {
        let (one, other) = (self.0.pack(), self.1.pack());
        assert!(one >> 64 == 0 && other >> 64 == 0, "the codes have more than 64 bits");
        one | other << 64
    }
    fn unpack(word: u128) -> Self {
        (A::unpack(word & u128::from(u64::MAX)), B::unpack(word >> 64))
    }
}

/// A label that can be packed into a byte.
pub trait Byte {
    fn byte(self) -> u8;
}

impl Byte for bool {
    fn byte(self) -> u8 {
        self.into()
    }
}

impl Byte for u8 {
    fn byte(self) -> u8 {
        self
    }
}

/// Labels of 4 bits each.
impl Byte for (u8, u8) {
    fn byte(self) -> u8 {
        self.0 << 4 | self.1
    }
}

impl Byte for PathPiece {
    /// Returns the number of a label from 0 to 16.
    fn byte(self) -> u8 {
        let sides = [Side::Low, Side::High];
        let bits = sides.map(|side| self.came_by(side)).into_iter();
        let bits = bits.chain(sides.map(|side| self.goes_by(side))).chain([self == Self::ALONE]);
        bits.enumerate().map(|(place, bit)| u8::from(bit) << place).sum()
    }
}

/// A contour problem with plain words as states and bytes as labels, as an object-safe trait.
pub trait ErasedProblem: Sync {
    /// Returns the name of the type.
    fn name(&self) -> &'static str;
    fn cells(&self) -> usize;
    fn start(&self) -> u128;
    fn step(&self, cell: usize, state: u128, emit: &mut dyn FnMut(u128, u8));
    fn accept(&self, state: u128) -> bool;
    fn fits(&self, cell: usize) -> Result<(), TooWide>;
}

impl<P: ContourProblem<State: Packed, Label: Byte>> ErasedProblem for P {
    fn name(&self) -> &'static str {
        std::any::type_name::<P>()
    }
    fn cells(&self) -> usize {
        ContourProblem::cells(self)
    }
    fn start(&self) -> u128 {
        ContourProblem::start(self).pack()
    }
    fn step(&self, cell: usize, state: u128, emit: &mut dyn FnMut(u128, u8)) {
        ContourProblem::step(self, cell, P::State::unpack(state), &mut |state, label| {
            emit(state.pack(), label.byte())
        });
    }
    fn accept(&self, state: u128) -> bool {
        ContourProblem::accept(self, P::State::unpack(state))
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        ContourProblem::fits(self, cell)
    }
}

/// A contour problem of any type.
pub struct Erased<'p>(pub &'p dyn ErasedProblem);

impl ContourProblem for Erased<'_> {
    type State = u128;
    type Label = u8;

    fn cells(&self) -> usize {
        self.0.cells()
    }
    fn start(&self) -> u128 {
        self.0.start()
    }
    fn step(&self, cell: usize, state: u128, emit: &mut impl FnMut(u128, u8)) {
        self.0.step(cell, state, emit);
    }
    fn accept(&self, state: u128) -> bool {
        self.0.accept(state)
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.0.fits(cell)
    }
}

impl Erased<'_> {
    /// Returns the name of the type of the problem.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Counts the solutions, within limits.
    pub fn sweep(&self, limits: Limits) -> Outcome<Count> {
        Sweep::new(self).limits(limits).count()
    }

    /// Counts the solutions by one thread.
    pub fn count(&self) -> u128 {
        self.sweep(Limits::new()).exact().expect("a count of 128 bits")
    }

    /// Counts the solutions by two threads.
    pub fn count_by_two(&self) -> u128 {
        Sweep::new(self).threads(2).count().exact().expect("a count of 128 bits")
    }

    /// Counts the solutions by two threads, and in a run that was stopped halfway and resumed.
    pub fn count_otherwise(&self) -> [u128; 2] {
        let directory = Directory::new();
        let every = Duration::from_secs(3600);
        let problem = Fingerprint::new("half of a problem", &());
        let file = || SweepCheckpoint::new(directory.file(), every, problem.clone());
        let half = Limits::new().depth(ContourProblem::cells(self) / 2);
        let (mut stopped, mut resumed) = (file(), file());
        let begun = Sweep::new(self).limits(half).checkpoint(&mut stopped).expect("a new file");
        drop(begun.count().expect("saved"));
        let resumed = Sweep::new(self).resume(&mut resumed).expect("a saved sweep").count();
        [self.count_by_two(), resumed.expect("saved").exact().expect("a count of 128 bits")]
    }
}
