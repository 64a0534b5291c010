//! One call that puts a sweep together from choices made at run time.

use std::fmt;
use std::str::FromStr;

use super::board::{Case, Rotation};
use super::profile::Fuses;
use super::prunings::{
    Containment, Extinguished, LonePlugs, Outshone, Prunings, UnlitRockets, outshone,
};
use crate::incumbent::Direction;
use crate::limits::Limits;
use crate::outcome::{Optimum, Outcome};
use crate::plug::algebra::{Best, Weight};
use crate::plug::code::{Labels, Word};
use crate::plug::{Antichain, BestState, ContourProblem, Sweep};

/// With which contours of its layer a contour is compared by [`Containment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// With the one that has the most lit plugs.
    Best,
    /// With all that are maximal: full dominance.
    Full,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Comparison::Best => "best",
            Comparison::Full => "full",
        })
    }
}

impl FromStr for Comparison {
    type Err = UnknownComparison;

    fn from_str(name: &str) -> Result<Comparison, UnknownComparison> {
        match name {
            "best" => Ok(Comparison::Best),
            "full" => Ok(Comparison::Full),
            _ => Err(UnknownComparison(name.to_owned())),
        }
    }
}

/// What was given is not the name of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownComparison(String);

impl fmt::Display for UnknownComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {:?}, expected `best` or `full`", self.0)
    }
}

impl std::error::Error for UnknownComparison {}

/// How many rockets start: the [`Weight`] of a solution.
#[derive(Clone, Copy, Debug)]
pub struct Rockets;

impl<W: Word, const BITS: u32> Weight<Fuses<'_, W, BITS>> for Rockets {
    fn label(&self, _: usize, _: super::Sides) -> i64 {
        0
    }

    fn end(&self, contour: Labels<W, BITS>) -> i64 {
        contour.count_of(Labels::<W, BITS>::RESERVED) as i64
    }
}

/// What a sweep for the most rockets is put together from.
///
/// The default has all prunings and full dominance, in one thread, without limits: a board of 9×6
/// takes about a millisecond.
///
/// How many contours a higher board has depends on its blocks more than on its size. Of boards of
/// ten columns with all matches lit, one of 20 rows of blocks of all kinds, drawn by lot, has a
/// thousand contours with the default; one of 13 rows of corners alone has 567,233, and takes a
/// second or two; with each row more there are about twice as many. Set
/// [`limits`](Settings::limits) for boards that are not known.
///
/// ```
/// use secateurs::problems::rocket_mania::{Mode, Prunings, Settings};
///
/// let case = &Mode::Single.cases("2\nL-T\nT-L\n")?[0];
/// let outcome = Settings::default().solve(case);
/// assert_eq!(outcome.proven(), Some(&2));
/// let rotation = outcome.solution().expect("an optimum comes with a rotation");
/// assert_eq!(case.fire(rotation).rockets(), [true, true]);
///
/// // Contours that were expanded, with and without prunings.
/// let plain = Settings::default().prunings(Prunings::NONE).dominance(None).rockets(case);
/// assert_eq!(plain.proven(), Some(&2));
/// assert!(plain.report().nodes() > outcome.report().nodes());
/// # Ok::<(), secateurs::problems::rocket_mania::ParseCasesError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Settings {
    prunings: Prunings,
    dominance: Option<Comparison>,
    limits: Limits,
    threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            prunings: Prunings::ALL,
            dominance: Some(Comparison::Full),
            limits: Limits::new(),
            threads: 1,
        }
    }
}

/// All hooks, each on its switch.
type Switched = (
    Option<Extinguished>,
    Option<LonePlugs>,
    Option<UnlitRockets>,
    Option<BestState<Outshone>>,
    Option<BestState<Containment>>,
    Option<Antichain<Containment>>,
);

impl Settings {
    /// These prunings, in place of those there were.
    pub fn prunings(mut self, prunings: Prunings) -> Self {
        self.prunings = prunings;
        self
    }

    /// Dominance by this comparison, or none.
    pub fn dominance(mut self, comparison: Option<Comparison>) -> Self {
        self.dominance = comparison;
        self
    }

    /// Stop at these limits, each of which holds for a case. A layer is thinned in one go
    /// ([`Antichain`]): with full dominance, a limit of time may be overrun by what the largest
    /// layer takes.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sweep in so many threads. Only layers of thousands of contours are split among them, as
    /// there are without prunings.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The most rockets that start, and a rotation by which they do. Without hooks that lose it, an
    /// exhausted sweep proves the number; it may be 0.
    ///
    /// All layers are kept to find the rotation: with all prunings and full dominance some
    /// kilobytes; without any, a board may need gigabytes. See [`rockets`](Settings::rockets) for
    /// the number alone.
    // Inlined so that its sweeps are compiled only for those who call it.
    #[inline]
    pub fn solve(&self, case: &Case) -> Outcome<Optimum<usize, Rotation>> {
        self.by_width::<true>(case)
    }

    /// The most rockets that start, without a rotation: with two layers in memory.
    pub fn rockets(&self, case: &Case) -> Outcome<Optimum<usize, Rotation>> {
        self.by_width::<false>(case)
    }

    /// `ROTATION` is a constant, so that the sweep that is not asked for is not compiled either.
    fn by_width<const ROTATION: bool>(&self, case: &Case) -> Outcome<Optimum<usize, Rotation>> {
        let narrow = Fuses::<u64, 4>::new(case);
        if narrow.fits(0).is_ok() {
            self.run::<u64, 4, ROTATION>(&narrow, case)
        } else {
            self.run::<u128, 5, ROTATION>(&Fuses::new(case), case)
        }
    }

    fn hooks(&self) -> Switched {
        let on = |number| self.prunings.contains(number);
        let compared = |comparison| self.dominance == Some(comparison);
        (
            on(1).then_some(Extinguished),
            on(2).then_some(LonePlugs),
            on(4).then_some(UnlitRockets),
            on(3).then(outshone),
            compared(Comparison::Best).then(|| BestState::new("dominance: best", Containment)),
            compared(Comparison::Full).then(|| Antichain::new("dominance: full", Containment)),
        )
    }

    fn run<W: Word, const BITS: u32, const ROTATION: bool>(
        &self,
        fuses: &Fuses<'_, W, BITS>,
        case: &Case,
    ) -> Outcome<Optimum<usize, Rotation>> {
        let sweep =
            Sweep::new(fuses).hooks(self.hooks()).limits(self.limits.clone()).threads(self.threads);
        let (best, report) = if ROTATION {
            let (optimum, report) = sweep.best(Direction::Maximise, Rockets).into_parts();
            let best = match optimum {
                Optimum::Proven { value, solution } | Optimum::BestSoFar { value, solution } => {
                    Some((value as usize, solution.and_then(|labels| fuses.rotation(&labels).ok())))
                }
                Optimum::NoneBetter { .. } | Optimum::Infeasible | Optimum::Unknown => None,
            };
            (best, report)
        } else {
            let (total, report) = sweep.run(&Best::maximise(Rockets)).into_parts();
            (total.into_sum().map(|value| (value as usize, None)), report)
        };
        let proven = report.proves_optimum();
        // If no rotation starts a rocket, any of them is the best one.
        let nothing = || (0, ROTATION.then(|| Rotation::unturned(case.board())));
        let optimum = match best.or_else(|| proven.then(nothing)) {
            Some((value, solution)) if proven => Optimum::Proven { value, solution },
            Some((value, solution)) => Optimum::BestSoFar { value, solution },
            None => Optimum::Unknown,
        };
        Outcome::new(optimum, report)
    }
}
