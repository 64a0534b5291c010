//! The questions that a sweep answers, written once for all algebras and [executors](Executor).

use super::run::{accepted, joined, total};
use crate::limits::Stop;
use crate::outcome::{Found, Outcome, Total};
use crate::plug::algebra::{Algebra, Feasible, Modulo, ZeroModulus};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Executor, Question, Reduce, Resumed, Sweeper};
use crate::plug::hook::SweepHooks;
use crate::plug::layer::{Layer, Shards};
use crate::plug::stats::SweepStats;
use crate::plug::step::Task;

/// The accepted states with their values.
pub(crate) type Ends<S, V> = Outcome<Vec<(S, V)>>;

/// Returns the total of the values of all accepted states under `algebra`.
pub(crate) fn run<P, H, A, E>(
    executor: E,
    algebra: &A,
) -> Result<Outcome<Total<A::Value>>, E::Error>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    A: Algebra<P>,
    E: Executor<P, H, Sweeper: Sweeper<P::State, A::Value> + Reduce<A::Value>>,
{
    let name = algebra.name();
    let (sum, report) =
        executor.execute(&name, algebra.reads_labels(), |problem, hooks, stats, sweeper| {
            let task = Task { problem, hooks, algebra };
            let layer = last_layer(task, stats, sweeper)?;
            let own = accepted(problem, stats.clock(), layer).and_then(|(ends, states)| {
                sweeper.record_accepted(stats, states);
                Ok((total(algebra, stats.clock(), ends.into_iter().flatten())?, states))
            });
            sweeper.reduce(stats, own, |into, value| algebra.merge(into, value))
        })?;
    Ok(Outcome::new(Total::new(sum.unwrap_or(None), algebra.tolerates(), &report), report))
}

/// Returns the accepted states after the last cell of a sweep with a single worker.
pub(crate) fn ends<P, H, A, E>(
    executor: E,
    algebra: &A,
) -> Result<Ends<P::State, A::Value>, E::Error>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    A: Algebra<P>,
    E: Executor<P, H, Sweeper: Sweeper<P::State, A::Value>>,
{
    let name = algebra.name();
    let (ends, report) =
        executor.execute(&name, algebra.reads_labels(), |problem, hooks, stats, sweeper| {
            let layer = last_layer(Task { problem, hooks, algebra }, stats, sweeper)?;
            let heap = layer.iter().map(Layer::heap).sum();
            let (ends, states) = accepted(problem, stats.clock(), layer)?;
            stats.accepted(states);
            joined(ends, heap, stats)
        })?;
    Ok(Outcome::new(ends.unwrap_or_default(), report))
}

/// Sweeps from the start, or from a saved layer, to the end.
fn last_layer<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    stats: &mut SweepStats<'_>,
    sweeper: &mut impl Sweeper<P::State, A::Value>,
) -> Result<Shards<P::State, A::Value>, Stop> {
    let question = Question { name: task.algebra.name(), value_types: 1 };
    let heap_bytes = |value: &A::Value| task.algebra.heap_bytes(value);
    let (mut layer, cell) = match sweeper.resume(&question, stats, &heap_bytes)? {
        Resumed::Layer(layer, cell) => (layer, cell),
        Resumed::Nothing | Resumed::WiderValues => {
            (sweeper.first_layer(task.problem.start(), task.algebra.one()), 0)
        }
    };
    sweeper.sweep(task, stats, &mut layer, cell).map_err(|(_, stop)| stop)?;
    Ok(layer)
}

/// Decides whether there is a solution.
pub(crate) fn exists<P, H, E>(executor: E) -> Result<Outcome<Found<()>>, E::Error>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    E: Executor<P, H, Sweeper: Sweeper<P::State, ()> + Reduce<()>>,
{
    Ok(run(executor, &Feasible)?.map(|total, report| Found::new(total.into_sum(), report)))
}

/// Counts the solutions modulo `modulus`.
pub(crate) fn count_modulo<P, H, E>(
    executor: E,
    modulus: u64,
) -> Result<Result<Outcome<Total<u64>>, E::Error>, ZeroModulus>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    E: Executor<P, H, Sweeper: Sweeper<P::State, [u64; 1]> + Reduce<[u64; 1]>>,
{
    let outcome = run(executor, &Modulo::new([modulus])?);
    let count = |residues: Option<[u64; 1]>| residues.map_or(0, |[residue]| residue);
    Ok(outcome.map(|outcome| outcome.map_total(count)))
}
