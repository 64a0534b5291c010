//! The questions of a sweep on a cluster.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ClusterSweep;
use crate::cluster::error::ClusterError;
use crate::incumbent::Direction;
use crate::outcome::{Count, Found, Outcome, Total};
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Best, Weight, ZeroModulus};
use crate::plug::executor::questions;
use crate::plug::{Algebra, ContourProblem, SweepHooks};

impl<P: ContourProblem, H: SweepHooks<P>> ClusterSweep<'_, '_, P, H>
where
    P::State: Serialize + DeserializeOwned,
{
    /// Computes what `algebra` makes of all ways together, like
    /// [`Sweep::run`](crate::plug::Sweep::run), with the same answer and the same report in each
    /// process.
    ///
    /// Like all operations: see [`ClusterSweep`].
    ///
    /// If the problem, a hook or the algebra panics in this process.
    pub fn run<A: Algebra<P>>(self, algebra: &A) -> Result<Outcome<Total<A::Value>>, ClusterError>
    where
        A::Value: Serialize + DeserializeOwned,
    {
        questions::run(self, algebra)
    }

    /// Counts the solutions up to 2¹²⁸ − 1, like [`Sweep::count`](crate::plug::Sweep::count).
    ///
    /// Like all operations: see [`ClusterSweep`].
    ///
    /// If the problem or a hook panics in this process.
    pub fn count(self) -> Result<Outcome<Count>, ClusterError> {
        questions::count(self)
    }

    /// Counts the solutions without a limit, like
    /// [`Sweep::count_natural`](crate::plug::Sweep::count_natural).
    ///
    /// Like all operations: see [`ClusterSweep`].
    ///
    /// If the problem or a hook panics in this process.
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> Result<Outcome<Total<Natural>>, ClusterError> {
        questions::count_natural(self)
    }

    /// Counts the solutions modulo a number, like
    /// [`Sweep::count_modulo`](crate::plug::Sweep::count_modulo).
    ///
    /// ```
    #[doc = include_str!("../../plug/row.doctest")]
    /// use secateurs::cluster::Cluster;
    /// use secateurs::plug::Sweep;
    ///
    /// let cluster = Cluster::threads(2);
    /// assert_eq!(Sweep::new(&Row(10)).on(&cluster).count_modulo(100)??.total(), Some(&44));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// If `modulus` is 0; and in the inner result, like all operations: see [`ClusterSweep`].
    ///
    /// If the problem or a hook panics in this process.
    pub fn count_modulo(
        self,
        modulus: u64,
    ) -> Result<Result<Outcome<Total<u64>>, ClusterError>, ZeroModulus> {
        questions::count_modulo(self, modulus)
    }

    /// Finds out whether there is a solution, like [`Sweep::exists`](crate::plug::Sweep::exists).
    ///
    /// Like all operations: see [`ClusterSweep`].
    ///
    /// If the problem or a hook panics in this process.
    pub fn exists(self) -> Result<Outcome<Found<()>>, ClusterError> {
        questions::exists(self)
    }

    /// Finds the best weight of all solutions, like [`Sweep::run`](crate::plug::Sweep::run) with
    /// [`Best`]. It does not find a solution of that weight, for which all layers would have to be
    /// kept.
    ///
    /// Like all operations: see [`ClusterSweep`].
    ///
    /// If the problem, a hook or the weight panics in this process.
    pub fn best<W: Weight<P>>(
        self,
        direction: Direction,
        weight: W,
    ) -> Result<Outcome<Total<i64>>, ClusterError> {
        self.run(&Best::new(direction, weight))
    }
}
