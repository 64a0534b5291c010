//! Sums of variables and comparisons of sums, written with operators.

use std::iter::Sum;
use std::ops::{Add, Mul, Neg, RangeInclusive, Sub};

use super::{Model, ModelError, Variable};

/// A sum of variables with coefficients and a constant, written with `+`, `-` and `*`; to be
/// compared by [`equals`](Self::equals), [`at_most`](Self::at_most) or
/// [`at_least`](Self::at_least).
///
/// ```
/// use secateurs_csp::Model;
///
/// // Three ages: the father is twice as old as the son, and was three times as old ten years ago.
/// let mut model = Model::new();
/// let [father, son] = model.variables(2, 0..=99)?[..] else { unreachable!() };
/// model.require((2 * son).equals(father))?;
/// model.require((father - 10).equals(3 * (son - 10)))?;
/// let network = model.build();
/// let outcome = network.solver().first();
/// assert_eq!(outcome.solution().map(|ages| (ages[father], ages[son])), Some((40, 20)));
/// # Ok::<(), secateurs_csp::ModelError>(())
/// ```
///
/// Coefficients beyond 64 bits and constants beyond 128 bits are refused when the comparison is
/// stated, even if they cancel.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Saturated: such a coefficient is far beyond what a model accepts.
    terms: Vec<(i128, Variable)>,
    /// `None` if it, or a part of it, does not fit.
    constant: Option<i128>,
}

impl Default for Expression {
    /// Returns the sum of nothing.
    fn default() -> Self {
        Expression::from(0)
    }
}

/// A comparison of two sums, to be stated by [`Model::require`].
#[derive(Clone, Debug)]
#[must_use = "a comparison is a constraint once it is passed to `Model::require`"]
pub struct Comparison {
    difference: Expression,
    /// The values of the difference that satisfy the comparison.
    range: RangeInclusive<i64>,
}

impl Expression {
    /// Requires that both sums are equal.
    pub fn equals(self, other: impl Into<Expression>) -> Comparison {
        Comparison { difference: self - other.into(), range: 0..=0 }
    }

    /// Requires that this sum is at most the other one.
    pub fn at_most(self, other: impl Into<Expression>) -> Comparison {
        Comparison { difference: self - other.into(), range: i64::MIN..=0 }
    }

    /// Requires that this sum is at least the other one.
    pub fn at_least(self, other: impl Into<Expression>) -> Comparison {
        Comparison { difference: self - other.into(), range: 0..=i64::MAX }
    }

    fn scaled(mut self, factor: i128) -> Self {
        for (coefficient, _) in &mut self.terms {
            *coefficient = coefficient.saturating_mul(factor);
        }
        self.constant = self.constant.and_then(|constant| constant.checked_mul(factor));
        self
    }

    fn plus(mut self, other: Expression) -> Self {
        self.terms.extend(other.terms);
        self.constant =
            self.constant.zip(other.constant).and_then(|(one, other)| one.checked_add(other));
        self
    }
}

impl Variable {
    /// Requires that the variable equals a sum: see [`Expression`].
    pub fn equals(self, other: impl Into<Expression>) -> Comparison {
        Expression::from(self).equals(other)
    }

    /// Requires that the variable is at most a sum.
    pub fn at_most(self, other: impl Into<Expression>) -> Comparison {
        Expression::from(self).at_most(other)
    }

    /// Requires that the variable is at least a sum.
    pub fn at_least(self, other: impl Into<Expression>) -> Comparison {
        Expression::from(self).at_least(other)
    }
}

impl From<Variable> for Expression {
    fn from(variable: Variable) -> Self {
        Expression { terms: vec![(1, variable)], constant: Some(0) }
    }
}

impl From<i64> for Expression {
    fn from(constant: i64) -> Self {
        Expression { terms: Vec::new(), constant: Some(constant.into()) }
    }
}

impl<T: Into<Expression>> Sum<T> for Expression {
    fn sum<I: Iterator<Item = T>>(parts: I) -> Self {
        parts.fold(Expression::default(), |sum, part| sum.plus(part.into()))
    }
}

/// The operators with a [`Variable`] and with an [`Expression`] on the left.
macro_rules! operators {
    ($($left:ty),*) => {$(
        impl<T: Into<Expression>> Add<T> for $left {
            type Output = Expression;

            fn add(self, other: T) -> Expression {
                Expression::from(self).plus(other.into())
            }
        }

        impl<T: Into<Expression>> Sub<T> for $left {
            type Output = Expression;

            fn sub(self, other: T) -> Expression {
                Expression::from(self).plus(other.into().scaled(-1))
            }
        }

        impl Neg for $left {
            type Output = Expression;

            fn neg(self) -> Expression {
                Expression::from(self).scaled(-1)
            }
        }

        impl Mul<$left> for i64 {
            type Output = Expression;

            fn mul(self, sum: $left) -> Expression {
                Expression::from(sum).scaled(self.into())
            }
        }
    )*};
}

operators!(Variable, Expression);

impl Model {
    /// Requires a comparison of sums, propagated like [`linear`](Self::linear).
    ///
    /// ```
    /// use secateurs_csp::{Expression, Model};
    ///
    /// // Coins of 5, 10 and 25 that are worth 40 together: five of them at most.
    /// let mut model = Model::new();
    /// let coins = model.variables(3, 0..=8)?;
    /// model.require((5 * coins[0] + 10 * coins[1] + 25 * coins[2]).equals(40))?;
    /// model.require(coins.iter().copied().sum::<Expression>().at_most(5))?;
    /// assert_eq!(model.build().solver().count().exact(), Some(4));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as of [`linear`](Self::linear).
    pub fn require(&mut self, comparison: Comparison) -> Result<(), ModelError> {
        let Comparison { difference: Expression { terms, constant }, range } = comparison;
        let mut exact = Vec::with_capacity(terms.len());
        for (coefficient, variable) in terms {
            self.check([variable])?;
            let too_large = |_| ModelError::SumTooLarge { variable: self.describe(variable) };
            exact.push((i64::try_from(coefficient).map_err(too_large)?, variable));
        }
        let constant = constant
            .ok_or_else(|| ModelError::SumTooLarge { variable: "the constant".to_owned() })?;
        // A bound beyond 64 bits is beyond every sum that a model accepts.
        let moved = |end: i64| match end {
            i64::MIN | i64::MAX => end,
            end => (i128::from(end).saturating_sub(constant))
                .clamp(i64::MIN.into(), i64::MAX.into()) as i64,
        };
        self.linear(exact, moved(*range.start())..=moved(*range.end()))
    }
}
