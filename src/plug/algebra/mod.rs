//! What a sweep computes along the way: [`Algebra`], and the ready-made ones.
//!
//! An algebra says what the empty way is worth, what a step makes of a value, and what two ways to
//! the same state are worth together. The same profile is counted, optimised, decided by changing
//! nothing but the algebra. (The idea is that of a semiring on a graph without circles: Aho,
//! Hopcroft and Ullman, 1974; Goodman, 1999, for parsing.)
//!
//! | question | algebra | value |
//! |---|---|---|
//! | How many solutions? | [`Counting`] in `u64`, `u128`, [`Limbs`] or [`Natural`] | the number, or an [`Overflow`] |
//! | How many modulo m? | [`Modulo`], and [`Residues`] to put remainders together | one word a modulus |
//! | Is there one? | [`Feasible`] | none |
//! | What is the best weight? | [`Best`] of a [`Weight`] | `i64` |
//! | How many have the best weight? | [`Optima`] | the weight and a `u128` |
//! | What are the k best weights? | [`BestK`] | `k` weights at most |
//! | Two of these at once? | the pair `(A, B)` | a pair |
//!
//! What solutions look like is no business of an algebra. A value could carry labels along, but of
//! two ways of the same worth it would have to keep one, and which one would depend on the order in
//! which they are met, against the laws; and lists of labels that share their beginnings need an
//! allocation a state. So a witness, the k best solutions, samples and all solutions come from
//! [kept layers](super::retained), which cost a state its size and its place in an index, and give the
//! same solution whatever the number of threads.

mod count;
mod definition;
mod limbs;
mod modulo;
#[cfg(feature = "bigint")]
mod natural;
mod pair;
mod primes;
#[cfg(feature = "bigint")]
mod residues;
#[cfg(feature = "serde")]
pub(crate) mod serde_impls;
mod weight;

pub use self::count::{Counter, Counting, Feasible};
pub use self::definition::{Algebra, Overflow};
pub use self::limbs::Limbs;
pub use self::modulo::{Modulo, ZeroModulus};
#[cfg(feature = "bigint")]
pub use self::natural::Natural;
pub use self::primes::{is_prime, large_primes};
#[cfg(feature = "bigint")]
pub use self::residues::{Residues, ResiduesError};
pub use self::weight::{Best, BestK, Optima, Tied, Weight};
