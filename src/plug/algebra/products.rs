//! Sums of products of weights: [`SumOfProducts`].

use std::borrow::Cow;

use super::count::Counter;
use super::definition::{Algebra, MAX_WORDS, Overflow};
use super::natural::Natural;
use super::weight::{Weight, parameters_of_weight};
use crate::digest::Digest;
use crate::memory::block_bytes;
use crate::plug::contour_problem::ContourProblem;

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
/// use secateurs::plug::graph::{Graph, Order};
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
    fn restrict(&self, value: &mut Natural, _: usize, _: P::State) -> bool {
        !value.is_zero()
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
