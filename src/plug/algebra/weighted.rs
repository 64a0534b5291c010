//! Counting by weight, [`CountByWeight`], and weighted counting, [`SumOfProducts`].

use std::borrow::Cow;

use super::count::Counter;
use super::definition::{Algebra, MAX_WORDS, Overflow};
use super::natural::Natural;
use super::polynomial::{Polynomial, UNLIMITED};
use super::weight::{Weight, parameters_of_weight};
use crate::digest::Digest;
use crate::memory::block_bytes;
use crate::plug::contour_problem::ContourProblem;

/// The number of solutions of each weight, exactly: a [`Polynomial`]. Weights must not be negative;
/// sums of weights are at most 2³² − 2.
///
/// As an algebra this is the semiring ℕ\[x\]: merging adds, and extending by a label of the weight
/// `w` multiplies by `x^w`. Coefficients grow as they need. A negative weight, a degree that
/// does not fit, or a polynomial of more than 2²⁶ words is an [`Overflow`].
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::{CountByWeight, Natural};
///
/// let taken = |_: usize, taken: bool| i64::from(taken);
/// let by_size = CountByWeight::new(taken);
/// let outcome = Sweep::new(&Row(100)).run(&by_size);
/// let of_two = outcome.total().and_then(|sizes| sizes.coefficient(2));
/// assert_eq!(of_two, Some(Natural::from(99_u32 * 98 / 2)));
///
/// let outcome = Sweep::new(&Row(100)).run(&by_size.up_to(2));
/// let total = outcome.total().ok_or("stopped")?;
/// assert_eq!(total.to_string(), "1 + 100 x + 4851 x^2 + O(x^3)");
/// # Ok::<(), &str>(())
/// ```
///
/// # With a limit
///
/// [`up_to`](CountByWeight::up_to) restricts the question to the solutions whose weight is at most
/// a limit. Heavier paths are dropped as they arise, and states to which only such paths lead are
/// not stored. If the weight also [bounds](Weight::least_to_go) the weight that a state still
/// gains, paths are dropped as soon as it is certain that they will exceed the limit. That keeps
/// both the states and the terms of their polynomials few. (For polyominoes: Jensen, 2001,
/// *Enumerations of lattice animals and trees*.)
///
/// The answer is exact, and refers to the solutions within the limit only: there is no total if
/// there is no such solution, and coefficients above the limit are unknown.
///
/// # Cost
///
/// A value takes 64 bytes. It has a coefficient for each degree from the lowest to the highest,
/// each of as many words of 64 bits as the largest needs; more than four words are on the heap. The
/// memory is counted before it is taken, so that a [memory limit](crate::Limits::memory) holds
/// however far the weights are apart. A value of more than 2²⁶ words, half a gigabyte, is an
/// [`Overflow`]. To bring the weight into the state instead, see
/// [`OfWeight`](crate::plug::OfWeight), which also allows negative weights: its states are as many
/// as the terms of all polynomials together.
#[derive(Clone, Copy, Debug)]
pub struct CountByWeight<W> {
    weight: W,
    /// The first degree that is not counted, or [`UNLIMITED`].
    end: u32,
    /// The parameters of the weight, if the caller has stated them.
    parameters: Option<Digest>,
}

impl<W> CountByWeight<W> {
    /// Creates an algebra that counts the solutions of all weights.
    #[must_use]
    pub fn new(weight: W) -> Self {
        CountByWeight { weight, end: UNLIMITED, parameters: None }
    }

    /// Restricts the count to weights of at most `limit`. A limit of 2³² − 2 or more is none:
    /// no sum is larger.
    #[must_use]
    pub fn up_to(self, limit: u32) -> Self {
        CountByWeight { end: limit.saturating_add(1), ..self }
    }

    parameters_of_weight!();
}

/// Returns a weight as a degree.
fn degree(weight: i64) -> Result<u32, Overflow> {
    u32::try_from(weight).map_err(|_| Overflow)
}

impl<P: ContourProblem, W: Weight<P>> Algebra<P> for CountByWeight<W> {
    type Value = Polynomial;

    fn name(&self) -> Cow<'static, str> {
        match self.end {
            UNLIMITED => "count by weight".into(),
            end => format!("count by weight below {end}").into(),
        }
    }
    fn parameters(&self) -> Option<Digest> {
        self.parameters.or_else(|| self.weight.parameters())
    }
    fn one(&self) -> Polynomial {
        Polynomial::one(self.end)
    }
    #[inline]
    fn extend(
        &self,
        value: &Polynomial,
        cell: usize,
        label: P::Label,
    ) -> Result<Polynomial, Overflow> {
        value.shifted(degree(self.weight.label(cell, label))?, self.end)
    }
    #[inline]
    fn merge(&self, into: &mut Polynomial, value: Polynomial) -> Result<(), Overflow> {
        into.add_shifted(&value, 0)
    }
    #[inline]
    fn absorb(
        &self,
        into: &mut Polynomial,
        value: &Polynomial,
        cell: usize,
        label: P::Label,
    ) -> Result<(), Overflow> {
        into.add_shifted(value, degree(self.weight.label(cell, label))?)
    }
    #[inline]
    fn is_zero(&self, value: &Polynomial) -> bool {
        value.is_zero()
    }
    #[inline]
    fn restrict(&self, value: &mut Polynomial, cell: usize, state: P::State) -> bool {
        if self.end == UNLIMITED {
            return true;
        }
        let more = u32::try_from(self.weight.least_to_go(cell, state).max(0)).unwrap_or(u32::MAX);
        value.truncate(self.end.saturating_sub(more));
        !value.is_zero()
    }
    fn finish(&self, value: Polynomial, state: P::State) -> Result<Polynomial, Overflow> {
        value.shifted(degree(self.weight.end(state))?, self.end)
    }
    #[inline]
    fn heap_bytes(&self, value: &Polynomial) -> usize {
        value.heap_bytes()
    }
    #[inline]
    fn heap_to_merge(&self, into: &Polynomial, value: &Polynomial) -> usize {
        into.heap_to_add_shifted(value, 0)
    }
    #[inline]
    fn heap_to_absorb(
        &self,
        into: &Polynomial,
        value: &Polynomial,
        cell: usize,
        label: P::Label,
    ) -> usize {
        // Nothing is allocated if the degree does not fit.
        let degree = degree(self.weight.label(cell, label));
        degree.map_or(0, |degree| into.heap_to_add_shifted(value, degree))
    }
}

/// The sum, over all solutions, of the product of the weights of their labels, exactly: weighted
/// counting, and the probability that a random set is a solution.
///
/// Weights are natural numbers; the weight of the last state is ignored. As an algebra this is the
/// semiring of the natural numbers. Paths of weight 0 are dropped, so there is no total if the sum
/// is 0.
///
/// For probabilities, choose a common denominator, and let the weight of a label be the numerator.
/// The denominator of the sum is the denominator to the power of the number of cells:
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::SumOfProducts;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::Connecting;
///
/// // The probability that a network connects two of its vertices. Its lines work with
/// // probabilities of 90, 80, 70 and 60 per cent, in the order of the sweep.
/// let square = Graph::cycle(4)?;
/// let connecting = Connecting::new(&Order::as_given(&square), &[0, 2])?;
/// let works = [9, 8, 7, 6];
/// let weight = |cell: usize, taken| if taken { works[cell] } else { 10 - works[cell] };
/// let outcome = Sweep::new(&connecting).run(&SumOfProducts::new(weight));
/// let of_10_000 = outcome.total().and_then(|sum| u64::try_from(sum).ok());
/// assert_eq!(of_10_000, Some(10_000 - 28 * 58)); // unless both ways fail: 0.28 and 0.58
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
///
/// A value takes 24 bytes, and as many bits of heap as the weights of a path have together. If that
/// exceeds half a gigabyte, or a weight is negative, the sweep ends with an [`Overflow`].
#[derive(Clone, Copy, Debug)]
pub struct SumOfProducts<W> {
    weight: W,
    /// The parameters of the weight, if the caller has stated them.
    parameters: Option<Digest>,
}

impl<W> SumOfProducts<W> {
    /// Creates an algebra of these weights.
    #[must_use]
    pub fn new(weight: W) -> Self {
        SumOfProducts { weight, parameters: None }
    }

    parameters_of_weight!();
}

/// Returns the bytes of heap of the product of a value and a weight, at most.
fn product_bytes(value: &Natural) -> usize {
    block_bytes((value.words() + 1).saturating_mul(size_of::<usize>()))
}

impl<P: ContourProblem, W: Weight<P>> Algebra<P> for SumOfProducts<W> {
    type Value = Natural;

    fn name(&self) -> Cow<'static, str> {
        "sum of products".into()
    }
    fn parameters(&self) -> Option<Digest> {
        self.parameters.or_else(|| self.weight.parameters())
    }
    fn one(&self) -> Natural {
        Natural::one()
    }
    #[inline]
    fn extend(&self, value: &Natural, cell: usize, label: P::Label) -> Result<Natural, Overflow> {
        let factor = u64::try_from(self.weight.label(cell, label)).map_err(|_| Overflow)?;
        Overflow::check(value.words() >= MAX_WORDS)?;
        Ok(value.multiplied(factor))
    }
    #[inline]
    fn merge(&self, into: &mut Natural, value: Natural) -> Result<(), Overflow> {
        Overflow::check(into.add(&value))
    }
    #[inline]
    fn is_zero(&self, value: &Natural) -> bool {
        value.is_zero()
    }
    #[inline]
    fn heap_bytes(&self, value: &Natural) -> usize {
        value.heap_bytes()
    }
    /// The product, and its copy without spare capacity.
    #[inline]
    fn heap_to_extend(&self, value: &Natural, _: usize, _: P::Label) -> usize {
        product_bytes(value).saturating_mul(2)
    }
    #[inline]
    fn heap_to_absorb(&self, into: &Natural, value: &Natural, _: usize, _: P::Label) -> usize {
        let sum = into.heap_bytes().saturating_add(product_bytes(value));
        product_bytes(value).saturating_mul(2).saturating_add(sum)
    }
}
