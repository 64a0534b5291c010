//! The questions of a sweep on a cluster.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ClusterSweep;
use crate::cluster::error::ClusterError;
use crate::incumbent::Direction;
use crate::outcome::{Count, Found, Outcome, Total};
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Algebra, Best, Feasible, Modulo, Weight, ZeroModulus};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::step::Task;
use crate::plug::sweep::counting::count_by;
#[cfg(feature = "bigint")]
use crate::plug::sweep::counting::{count_natural_by, natural};
use crate::plug::sweep::run::{accepted, total};
use crate::plug::sweep::saving::{Question, Resumed};
use crate::plug::sweep::sweeper::{Reduce, Sweeper};

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
        let name = algebra.name();
        let (sum, mut report) =
            self.with_all(&name, algebra.reads_labels(), |problem, hooks, stats, worker| {
                let task = Task { problem, hooks, algebra };
                let question = Question { name: name.clone(), widths: 1 };
                let (mut layer, cell) = match worker.resume(&question, stats)? {
                    Resumed::Layer(layer, cell) => (layer, cell),
                    Resumed::Nothing | Resumed::Later => {
                        (worker.first_layer(problem.start(), algebra.one()), 0)
                    }
                };
                worker.sweep(task, stats, &mut layer, cell).map_err(|(_, stop)| stop)?;
                let own = accepted(problem, stats.clock(), layer).and_then(|ends| {
                    let accepted = ends.len() as u64;
                    Ok((total(algebra, stats.clock(), ends)?, accepted))
                });
                worker.reduce(stats, own, |into: &mut A::Value, value| algebra.merge(into, value))
            })?;
        let sum = sum.unwrap_or_else(|stop| {
            report.stop = stop;
            None
        });
        Ok(Outcome::new(Total::new(sum, algebra.tolerates(), &report), report))
    }

    /// Counts the solutions up to 2¹²⁸ − 1, like [`Sweep::count`](crate::plug::Sweep::count).
    ///
    /// Like all operations: see [`ClusterSweep`].
    ///
    /// If the problem or a hook panics in this process.
    pub fn count(self) -> Result<Outcome<Count>, ClusterError> {
        let (counted, report) =
            self.with_all("count up to 128 bits", false, |problem, hooks, stats, worker| {
                count_by(problem, hooks, stats, worker)
            })?;
        Ok(Outcome::new(Count::swept(counted.unwrap_or(0)), report))
    }

    /// Counts the solutions without a limit, like
    /// [`Sweep::count_natural`](crate::plug::Sweep::count_natural).
    ///
    /// Like all operations: see [`ClusterSweep`].
    ///
    /// If the problem or a hook panics in this process.
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> Result<Outcome<Total<Natural>>, ClusterError> {
        let (ended, report) = self.with_all("count", false, |problem, hooks, stats, worker| {
            count_natural_by(problem, hooks, stats, worker)
        })?;
        Ok(natural(ended, report))
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
        let outcome = self.run(&Modulo::new([modulus])?);
        Ok(outcome
            .map(|outcome| outcome.map_total(|residues| residues.map_or(0, |[residue]| residue))))
    }

    /// Finds out whether there is a solution, like [`Sweep::exists`](crate::plug::Sweep::exists).
    ///
    /// Like all operations: see [`ClusterSweep`].
    ///
    /// If the problem or a hook panics in this process.
    pub fn exists(self) -> Result<Outcome<Found<()>>, ClusterError> {
        let (total, report) = self.run(&Feasible)?.into_parts();
        Ok(Outcome::new(Found::new(total.into_sum(), &report), report))
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
