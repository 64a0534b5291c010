//! [`Finite`]: floating-point numbers with a total order, for objectives.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// A finite `f64`: the value of an objective that is not an integer. NaN and infinities are
/// rejected, so that any two values can be compared.
///
/// Convert the data of the instance once, and calculate with `Finite` in the states. Sums and
/// differences stay finite: beyond the range of `f64` they are [`Finite::MAX`] or [`Finite::MIN`].
///
/// # Rounding
///
/// A sum of floating-point numbers depends on the order of its terms, and `a + b - b` is not always
/// `a`. A proven optimum is an optimum of the values *as calculated*. A bound that is calculated in
/// another order than the value may be too tight by the rounding error, and cut off the optimum.
/// Subtract a tolerance from the bound if the objective is minimised, and add it if the objective
/// is maximised. Do not undo a sum by a subtraction; restore the earlier sum, as
/// [`CopyProblem`](crate::CopyProblem) does.
///
/// ```
/// use secateurs::Finite;
///
/// let legs = [0.5, 2.25, 1.0].map(Finite::new);
/// let length: Finite = legs.into_iter().sum::<Result<_, _>>()?;
/// assert_eq!(length.get(), 3.75);
/// assert!(length < Finite::MAX);
///
/// let error = Finite::new(0.0 / 0.0).unwrap_err();
/// assert_eq!(error.to_string(), "expected a finite number, found NaN");
/// # Ok::<(), secateurs::NotFinite>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct Finite(f64);

impl Finite {
    /// Zero.
    pub const ZERO: Finite = Finite(0.0);
    /// The largest value.
    pub const MAX: Finite = Finite(f64::MAX);
    /// The smallest value.
    pub const MIN: Finite = Finite(f64::MIN);

    /// Creates the value of `number`; -0 becomes 0.
    ///
    /// # Errors
    ///
    /// Returns [`NotFinite`] if `number` is NaN or infinite.
    pub fn new(number: f64) -> Result<Self, NotFinite> {
        // Adding 0 turns -0 into 0: equal values must have equal hashes.
        if number.is_finite() { Ok(Finite(number + 0.0)) } else { Err(NotFinite(number)) }
    }

    /// Returns the number.
    #[must_use]
    #[inline]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Creates the value nearest to a sum of two finite numbers, which may be infinite but is not
    /// NaN.
    #[inline]
    fn saturated(sum: f64) -> Self {
        Finite(sum.clamp(f64::MIN, f64::MAX) + 0.0)
    }
}

impl Eq for Finite {}

impl PartialOrd for Finite {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Finite {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl std::hash::Hash for Finite {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl fmt::Display for Finite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<f64> for Finite {
    type Error = NotFinite;

    fn try_from(number: f64) -> Result<Self, NotFinite> {
        Self::new(number)
    }
}

impl From<Finite> for f64 {
    fn from(value: Finite) -> f64 {
        value.0
    }
}

impl Add for Finite {
    type Output = Finite;

    #[inline]
    fn add(self, other: Finite) -> Finite {
        Self::saturated(self.0 + other.0)
    }
}

impl Sub for Finite {
    type Output = Finite;

    #[inline]
    fn sub(self, other: Finite) -> Finite {
        Self::saturated(self.0 - other.0)
    }
}

impl AddAssign for Finite {
    #[inline]
    fn add_assign(&mut self, other: Finite) {
        *self = *self + other;
    }
}

impl SubAssign for Finite {
    #[inline]
    fn sub_assign(&mut self, other: Finite) {
        *self = *self - other;
    }
}

impl Sum for Finite {
    fn sum<I: Iterator<Item = Finite>>(values: I) -> Finite {
        values.fold(Finite::ZERO, Add::add)
    }
}

/// The error that a number is NaN or infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotFinite(f64);

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a finite number, found {}", self.0)
    }
}

impl std::error::Error for NotFinite {}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_order_is_that_of_the_numbers() {
        let numbers = [f64::MIN, -1.5, -f64::MIN_POSITIVE, 0.0, f64::EPSILON, 2.0, f64::MAX];
        let values = numbers.map(|number| Finite::new(number).expect("finite"));
        assert!(values.is_sorted_by(|one, other| one < other));
        assert_eq!((values[0], values[6]), (Finite::MIN, Finite::MAX));
    }

    #[test]
    fn nan_and_infinities_are_rejected() {
        for number in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Finite::new(number).is_err());
            assert!(Finite::try_from(number).is_err());
        }
    }

    #[test]
    fn the_two_zeros_are_one_value() {
        let zeros = [0.0, -0.0].map(|zero| Finite::new(zero).expect("finite"));
        assert_eq!(zeros[0].cmp(&zeros[1]), std::cmp::Ordering::Equal);
        assert_eq!(zeros[0] - zeros[1], zeros[0]);
        let tiny = Finite::new(-f64::from_bits(1)).expect("finite");
        assert_eq!(tiny - tiny, Finite::ZERO);
        assert_eq!(HashSet::from(zeros).len(), 1);
    }

    #[test]
    fn sums_stay_finite() {
        assert_eq!(Finite::MAX + Finite::MAX, Finite::MAX);
        assert_eq!(Finite::MIN - Finite::MAX, Finite::MIN);
        assert_eq!(
            [Finite::MAX, Finite::MAX, Finite::MIN].into_iter().sum::<Finite>(),
            Finite::ZERO
        );
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_file_with_nan_is_rejected() {
        let bytes = postcard::to_allocvec(&Finite::MAX).expect("written");
        assert_eq!(postcard::from_bytes::<Finite>(&bytes), Ok(Finite::MAX));
        let nan = postcard::to_allocvec(&f64::NAN).expect("written");
        assert!(postcard::from_bytes::<Finite>(&nan).is_err());
    }
}
