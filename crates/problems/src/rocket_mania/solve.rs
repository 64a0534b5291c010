//! Solving a case: by a sweep with hooks chosen at run time, and by brute force. Brute force tries
//! all rotations and serves as a reference.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use secateurs::plug::algebra::{Best, Weight};
use secateurs::plug::code::{Labels, Word};
use secateurs::plug::{Antichain, BestState, ContourProblem, Sweep};
use secateurs::{Direction, Limits, Optimum, Outcome, ParseError};

use super::board::{BlockSides, Case, Rotation};
use super::fuses::Fuses;
use super::prunings::{
    Containment, Extinguished, LonePlugs, Outshone, RocketPrunings, UnlitRockets, outshone,
};

/// The contours of a layer that may dominate another one by full dominance ([`Containment`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DominanceScope {
    /// The one with the most lit plugs.
    Best,
    /// All that no other one dominates.
    Full,
}

impl fmt::Display for DominanceScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            DominanceScope::Best => "best",
            DominanceScope::Full => "full",
        })
    }
}

impl FromStr for DominanceScope {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<DominanceScope, ParseError> {
        match name {
            "best" => Ok(DominanceScope::Best),
            "full" => Ok(DominanceScope::Full),
            _ => Err(ParseError::new(format_args!("found {name:?}, expected `best` or `full`"))),
        }
    }
}

/// The number of rockets that start, as the [`Weight`] of a solution.
#[derive(Clone, Copy, Debug)]
pub struct Rockets;

impl<W: Word, const BITS: u32> Weight<Fuses<'_, W, BITS>> for Rockets {
    fn label(&self, _: usize, _: BlockSides) -> i64 {
        0
    }

    fn end(&self, contour: Labels<W, BITS>) -> i64 {
        contour.count_of(Labels::<W, BITS>::RESERVED) as i64
    }
}

/// The settings of a sweep for the most rockets: its hooks, limits and threads.
///
/// The default has all prunings and full dominance, one thread and no limits. A board of 9×6 then
/// takes about a millisecond.
///
/// The number of contours of a higher board depends more on its blocks than on its size. Among
/// boards of ten columns with all matches lit, one of 20 rows of random blocks of all kinds has a
/// thousand contours with the default settings. One of 13 rows of corners alone has 567,233, which
/// take a second or two, and every further row about doubles them. Set
/// [`limits`](RocketSettings::limits) for unknown boards.
///
/// ```
/// use secateurs_problems::rocket_mania::{Mode, RocketPrunings, RocketSettings};
///
/// let case = &Mode::Single.cases("2\nL-T\nT-L\n")?[0];
/// let outcome = RocketSettings::default().solve(case);
/// assert_eq!(outcome.proven(), Some(&2));
/// let rotation = outcome.solution().expect("an optimum comes with a rotation");
/// assert_eq!(case.fire(rotation).rockets(), [true, true]);
///
/// // The number of expanded contours, with and without prunings.
/// let plain = RocketSettings::default().prunings(RocketPrunings::NONE).dominance(None);
/// let plain = plain.rockets(case);
/// assert_eq!(plain.proven(), Some(&2));
/// assert!(plain.report().nodes() > outcome.report().nodes());
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct RocketSettings {
    prunings: RocketPrunings,
    dominance: Option<DominanceScope>,
    limits: Limits,
    threads: usize,
}

impl Default for RocketSettings {
    fn default() -> Self {
        RocketSettings {
            prunings: RocketPrunings::ALL,
            dominance: Some(DominanceScope::Full),
            limits: Limits::new(),
            threads: 1,
        }
    }
}

/// All hooks, each of which can be switched off.
type OptionalHooks = (
    Option<Extinguished>,
    Option<LonePlugs>,
    Option<UnlitRockets>,
    Option<BestState<Outshone>>,
    Option<BestState<Containment>>,
    Option<Antichain<Containment>>,
);

impl RocketSettings {
    /// Sets the prunings.
    pub fn prunings(mut self, prunings: RocketPrunings) -> Self {
        self.prunings = prunings;
        self
    }

    /// Sets the scope of full dominance; `None` switches it off.
    pub fn dominance(mut self, scope: Option<DominanceScope>) -> Self {
        self.dominance = scope;
        self
    }

    /// Sets the limits of each call of [`solve`](Self::solve) or [`rockets`](Self::rockets).
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of threads, as [`Sweep::threads`] does. Only layers of thousands of
    /// contours, which are rare with the default prunings and dominance, are split among threads.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Returns the largest number of rockets that start, which may be 0, and a rotation that starts
    /// them. A sweep that no limit stops proves the number. Boards of more than 24 rows are not
    /// swept: the run ends with [`Stop::StateTooWide`](secateurs::Stop::StateTooWide).
    ///
    /// All layers are kept in memory to find the rotation: some kilobytes with all prunings and
    /// full dominance, but possibly gigabytes without any. [`rockets`](Self::rockets) computes the
    /// number alone.
    // Inlined so that its sweeps are compiled only in crates that call it.
    #[inline]
    pub fn solve(&self, case: &Case) -> Outcome<Optimum<usize, Rotation>> {
        self.run_in_narrowest_word::<true>(case)
    }

    /// Returns the largest number of rockets that start, without a rotation. Keeps only two layers
    /// in memory.
    pub fn rockets(&self, case: &Case) -> Outcome<Optimum<usize, Rotation>> {
        self.run_in_narrowest_word::<false>(case)
    }

    /// Runs the sweep with the narrowest word that holds the contours of a board of this height.
    ///
    /// `ROTATION` is a constant, so that a crate that calls only one of the two public functions
    /// compiles only its sweeps.
    fn run_in_narrowest_word<const ROTATION: bool>(
        &self,
        case: &Case,
    ) -> Outcome<Optimum<usize, Rotation>> {
        let narrow = Fuses::<u64, 4>::new(case);
        // Whether contours fit depends on the rows alone, and not on the cell.
        if narrow.fits(0).is_ok() {
            self.run::<u64, 4, ROTATION>(&narrow, case)
        } else {
            self.run::<u128, 5, ROTATION>(&Fuses::new(case), case)
        }
    }

    /// Returns the hooks in their order: dominance comes last, because contours are contained in
    /// more others after plugs were deleted.
    fn hooks(&self) -> OptionalHooks {
        let is_on = |number| self.prunings.contains(number);
        let dominates = |scope| self.dominance == Some(scope);
        (
            is_on(1).then_some(Extinguished),
            is_on(2).then_some(LonePlugs),
            is_on(4).then_some(UnlitRockets),
            is_on(3).then(outshone),
            dominates(DominanceScope::Best).then(|| BestState::new("dominance: best", Containment)),
            dominates(DominanceScope::Full).then(|| Antichain::new("dominance: full", Containment)),
        )
    }

    fn run<W: Word, const BITS: u32, const ROTATION: bool>(
        &self,
        fuses: &Fuses<'_, W, BITS>,
        case: &Case,
    ) -> Outcome<Optimum<usize, Rotation>> {
        let sweep =
            Sweep::new(fuses).hooks(self.hooks()).limits(self.limits.clone()).threads(self.threads);
        if ROTATION {
            let rotation = |labels: Vec<_>| fuses.rotation(&labels).ok();
            sweep.best(Direction::Maximise, Rockets).map(|optimum, _| match optimum {
                Optimum::Proven { value, solution } => {
                    Optimum::Proven { value: value as usize, solution: solution.and_then(rotation) }
                }
                Optimum::BestSoFar { value, solution } => Optimum::BestSoFar {
                    value: value as usize,
                    solution: solution.and_then(rotation),
                },
                // No rotation starts a rocket, so every rotation is optimal.
                Optimum::Infeasible => {
                    Optimum::Proven { value: 0, solution: Some(Rotation::unturned(case.board())) }
                }
                Optimum::NoneBetter { .. } | Optimum::Unknown => Optimum::Unknown,
            })
        } else {
            let outcome = sweep.run(&Best::maximise(Rockets));
            let value = |&value: &_| value as usize;
            let optimum = if outcome.is_proven_empty() {
                Optimum::Proven { value: 0, solution: None }
            } else if let Some(value) = outcome.total().map(value) {
                Optimum::Proven { value, solution: None }
            } else if let Some(value) = outcome.unproven().map(value) {
                Optimum::BestSoFar { value, solution: None }
            } else {
                Optimum::Unknown
            };
            outcome.map(|_, _| optimum)
        }
    }
}

/// Tries every rotation once and returns the largest number of rockets that start, with a rotation
/// that starts them.
///
/// Tests check the sweep against this function, which shares nothing with it but
/// [`Case::fire`]. A straight block doubles the number of rotations, and a corner or a tee
/// quadruples it, so only boards of about a dozen such blocks are feasible.
///
/// ```
/// use secateurs_problems::rocket_mania::{Mode, rotate_all};
///
/// let case = &Mode::Plus.cases("L-\nTT\n")?[0];
/// assert_eq!(rotate_all(case, 1000)?.0, 2);
/// let error = rotate_all(case, 100).unwrap_err();
/// assert_eq!(error.to_string(), "found 128 rotations, expected at most 100");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If there are more than `at_most` rotations; none is tried then.
pub fn rotate_all(case: &Case, at_most: u64) -> Result<(usize, Rotation), TooManyRotations> {
    let turns: Vec<Vec<_>> =
        case.board().blocks().iter().map(|block| block.turns().collect()).collect();
    let rotations =
        turns.iter().try_fold(1_u64, |product, turns| product.checked_mul(turns.len() as u64));
    if rotations.is_none_or(|rotations| rotations > at_most) {
        return Err(TooManyRotations { found: rotations, at_most });
    }
    let mut rotation = Rotation::unturned(case.board());
    let mut best = (case.fire(&rotation).count(), rotation.clone());
    // Counts like an odometer with one wheel per block; the first wheel turns fastest.
    let mut wheels = vec![0; turns.len()];
    loop {
        let Some(wheel) = (0..wheels.len()).find(|&wheel| wheels[wheel] + 1 < turns[wheel].len())
        else {
            return Ok(best);
        };
        for (lower, position) in wheels[..wheel].iter_mut().enumerate() {
            *position = 0;
            rotation.sides_mut()[lower] = turns[lower][0];
        }
        wheels[wheel] += 1;
        rotation.sides_mut()[wheel] = turns[wheel][wheels[wheel]];
        let rockets = case.fire(&rotation).count();
        if rockets > best.0 {
            best = (rockets, rotation.clone());
        }
    }
}

/// The error of [`rotate_all`] for a board with too many rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyRotations {
    /// The number of rotations; `None` if it does not fit in 64 bits.
    pub found: Option<u64>,
    /// The largest number that was allowed.
    pub at_most: u64,
}

impl fmt::Display for TooManyRotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found {
            Some(found) => write!(f, "found {found} rotations, expected at most {}", self.at_most),
            None => write!(f, "found at least 2^64 rotations, expected at most {}", self.at_most),
        }
    }
}

impl Error for TooManyRotations {}
