//! Algebras: what a sweep computes along its paths.
//!
//! Read in this order: `definition` ([`Algebra`]), then the ready-made algebras: `count`, `weight`
//! and `weighted`. `limbs` and `natural` are numbers of several words, and `polynomial` is a list
//! of them; `residues` reconstructs a number from its remainders.
//!
//! An algebra defines the value of the empty path, the effect of a transition on a value, and the
//! value of several paths to the same state. The same problem is counted, optimised or decided by
//! changing the algebra alone. (The idea is that of a semiring on an acyclic graph: Aho, Hopcroft
//! and Ullman, 1974; Goodman, 1999, for parsing.)
//!
//! | question | algebra | value |
//! |---|---|---|
//! | How many solutions? | [`Counting`] in any [`Counter`] | the number, or an [`Overflow`] |
//! | None, one, or more? | [`Counting`] in [`UpTo`] two | a byte |
//! | How many modulo m? | [`Modulo`], combined by [`Residues`] | one word per modulus |
//! | Is there one? | [`Feasible`] | none |
//! | What is the best weight? | [`Best`] of a [`Weight`] | `i64` |
//! | How many have the best weight? | [`Optima`] of any of these | the weight and the number |
//! | What are the k best weights? | [`BestK`] | `k` weights at most |
//! | How many of each weight? | [`CountByWeight`] | a [`Polynomial`] |
//! | How probable is a solution? | [`SumOfProducts`] of numerators | a natural number |
//! | Two of these at once? | the pair `(A, B)` | a pair |
//!
//! An algebra may have a limit, such as a budget or a degree, beyond which solutions do not count.
//! It then [rejects](Algebra::restrict) values that no completion keeps within the limit, and
//! has no total if all are [zeros](Algebra::is_zero).
//!
//! An algebra does not return solutions. A value could carry labels along, but of two paths of the
//! same value it would have to keep one. Which one would depend on the order in which they are met,
//! against the laws, and lists of labels with shared prefixes need an allocation for each state.
//! Witnesses, the k best solutions, samples and all solutions therefore come from [retained
//! layers](super::retained), which cost the size of each state and its place in an index, and
//! return the same solution with any number of threads.

pub(crate) mod count;
mod definition;
mod limbs;
#[cfg(feature = "bigint")]
mod natural;
#[cfg(feature = "bigint")]
mod polynomial;
#[cfg(feature = "bigint")]
mod residues;
#[cfg(feature = "bigint")]
pub(crate) mod rounded_up;
#[cfg(feature = "serde")]
pub(crate) mod serde_impls;
mod weight;
#[cfg(feature = "bigint")]
mod weighted;

pub use self::count::{
    Counter, Counting, Feasible, Modulo, UpTo, ZeroModulus, is_prime, large_primes,
};
#[cfg(feature = "bigint")]
pub(crate) use self::count::{multiply, power};
pub use self::definition::{Algebra, Overflow};
pub use self::limbs::Limbs;
pub(crate) use self::limbs::{Storable, Widen};
#[cfg(feature = "bigint")]
pub use self::natural::Natural;
#[cfg(feature = "bigint")]
pub use self::polynomial::Polynomial;
#[cfg(feature = "bigint")]
pub(crate) use self::polynomial::write_terms;
#[cfg(feature = "bigint")]
pub use self::residues::{Residues, ResiduesError};
pub use self::weight::{Best, BestK, Optima, Tied, Weight};
#[cfg(feature = "bigint")]
pub use self::weighted::{CountByWeight, SumOfProducts};
