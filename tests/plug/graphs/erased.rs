//! One type for all contour problems over graphs, so that the engine is compiled only once.

use std::time::Duration;

use secateurs::checkpoint::Fingerprint;
use secateurs::plug::code::{Bits, Labels, Mates, Word};
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

packed!(Mates<W> { W: Word } Bits<W> { W: Word } Labels<W, BITS> { W: Word, const BITS: u32 });

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

/// A contour problem with states as plain words, as an object-safe trait.
trait ErasedProblem: Sync {
    fn cells(&self) -> usize;
    fn start(&self) -> u128;
    fn step(&self, cell: usize, state: u128, emit: &mut dyn FnMut(u128, bool));
    fn accept(&self, state: u128) -> bool;
    fn fits(&self, cell: usize) -> Result<(), TooWide>;
}

impl<P: ContourProblem<State: Packed, Label = bool>> ErasedProblem for P {
    fn cells(&self) -> usize {
        ContourProblem::cells(self)
    }
    fn start(&self) -> u128 {
        ContourProblem::start(self).pack()
    }
    fn step(&self, cell: usize, state: u128, emit: &mut dyn FnMut(u128, bool)) {
        ContourProblem::step(self, cell, P::State::unpack(state), &mut |state, label| {
            emit(state.pack(), label)
        });
    }
    fn accept(&self, state: u128) -> bool {
        ContourProblem::accept(self, P::State::unpack(state))
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        ContourProblem::fits(self, cell)
    }
}

struct Erased<'p>(&'p dyn ErasedProblem);

impl ContourProblem for Erased<'_> {
    type State = u128;
    type Label = bool;

    fn cells(&self) -> usize {
        self.0.cells()
    }
    fn start(&self) -> u128 {
        self.0.start()
    }
    fn step(&self, cell: usize, state: u128, emit: &mut impl FnMut(u128, bool)) {
        self.0.step(cell, state, emit);
    }
    fn accept(&self, state: u128) -> bool {
        self.0.accept(state)
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.0.fits(cell)
    }
}

/// Counts the solutions of a contour problem, within limits.
pub fn sweep<P: ContourProblem<State: Packed, Label = bool>>(
    problem: &P,
    limits: Limits,
) -> Outcome<Count> {
    count_erased(&Erased(problem), limits)
}

/// Counts the solutions of a contour problem by two threads, and in a run that was stopped halfway
/// and resumed.
pub fn sweep_otherwise<P: ContourProblem<State: Packed, Label = bool>>(problem: &P) -> [u128; 2] {
    count_otherwise(&Erased(problem))
}

fn count_otherwise(problem: &Erased<'_>) -> [u128; 2] {
    let by_two = Sweep::new(problem).threads(2).count();
    let directory = Directory::new();
    let every = Duration::from_secs(3600);
    let file =
        || SweepCheckpoint::new(directory.file(), every, Fingerprint::new("half of a graph", &()));
    let half = Limits::new().depth(ContourProblem::cells(problem) / 2);
    let mut stopped = file();
    let begun = Sweep::new(problem).limits(half).checkpoint(&mut stopped).expect("a new file");
    drop(begun.count().expect("saved"));
    let mut resumed = file();
    let resumed = Sweep::new(problem).resume(&mut resumed).expect("a saved sweep").count();
    [by_two, resumed.expect("saved")].map(|outcome| outcome.exact().expect("a count"))
}

/// Instantiates the engine. It is not generic, so this happens once.
fn count_erased(problem: &Erased<'_>, limits: Limits) -> Outcome<Count> {
    Sweep::new(problem).limits(limits).count()
}
