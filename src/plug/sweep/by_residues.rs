//! Counting in passes with hash tables, for any [executor](Executor).

use super::Sweep;
use super::passes::{PassSaver, Passes, SweepInPasses, count_in_passes};
use super::run::total_under;
use crate::hook::Effect;
use crate::limits::Stop;
use crate::outcome::{Outcome, Total};
use crate::plug::algebra::rounded_up::{CountBound, RoundedUp};
use crate::plug::algebra::{Modulo, Natural};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Execute, Question, QuestionId, Reduce, Sweeper};
use crate::plug::hook::SweepHooks;
use crate::plug::stats::SweepStats;
use crate::plug::step::Task;

/// The question of a count in passes.
const COUNT_BY_RESIDUES: &str = "count by residues";

/// Counts the solutions by their residues modulo several primes.
pub(crate) fn count_by_residues<P, H, E>(
    sweep: Sweep<'_, P, H, E>,
) -> Result<Outcome<Total<Natural>>, E::Error>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    E: Execute<P, H, Sweeper: SweeperInPasses<P::State>>,
{
    let Sweep { settings, executor } = sweep;
    let (counted, report) =
        executor.execute(settings, &question().id, false, |problem, hooks, stats, sweeper| {
            count_in_passes(&mut HashedPasses { problem, hooks, stats, sweeper })
        })?;
    // Hooks that lose solutions may lose others in each pass, so that there is no total.
    let count = counted.ok().filter(|_| report.effect() == Effect::Preserving);
    Ok(Outcome::new(Total::new(count, Effect::Preserving, &report), report))
}

/// A sweeper for all passes.
pub trait SweeperInPasses<S>:
    Sweeper<S, RoundedUp> + Reduce<RoundedUp> + Sweeper<S, [u64; 1]> + Reduce<[u64; 1]> + PassSaver
{
}

impl<S, K> SweeperInPasses<S> for K where
    K: Sweeper<S, RoundedUp>
        + Reduce<RoundedUp>
        + Sweeper<S, [u64; 1]>
        + Reduce<[u64; 1]>
        + PassSaver
{
}

/// A count in passes with hash tables.
struct HashedPasses<'a, 'p, P, H, K> {
    problem: &'a P,
    hooks: &'a H,
    stats: &'a mut SweepStats<'p>,
    sweeper: &'a mut K,
}

fn question() -> Question {
    Question { id: QuestionId::named(COUNT_BY_RESIDUES), value_types: u32::MAX }
}

impl<P, H, K> SweepInPasses for HashedPasses<'_, '_, P, H, K>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    K: SweeperInPasses<P::State>,
{
    fn saved_passes(&mut self) -> Result<Option<Passes>, Stop> {
        self.sweeper.saved_passes(&question())
    }

    fn begin_pass(&mut self, passes: &Passes) {
        self.stats.begin_pass(passes.current());
        self.sweeper.begin_pass(passes);
    }

    fn bound(&mut self) -> Result<RoundedUp, Stop> {
        let task = Task { problem: self.problem, hooks: self.hooks, algebra: &CountBound };
        let bound = total_under(task, &question(), self.stats, self.sweeper)?;
        Ok(bound.unwrap_or(RoundedUp::ZERO))
    }

    /// Narrow residues would save nothing beside states of 64 bits, because entries are aligned.
    fn has_memory_for_wide_residues(&self) -> bool {
        true
    }

    fn residue(&mut self, prime: u64) -> Result<u64, Stop> {
        let algebra = &Modulo::new([prime]).map_err(|_| Stop::CountOverflow)?;
        let task = Task { problem: self.problem, hooks: self.hooks, algebra };
        let residue = total_under(task, &question(), self.stats, self.sweeper)?;
        Ok(residue.map_or(0, |[residue]| residue))
    }
}
