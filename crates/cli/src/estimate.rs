//! The option `--estimate`: prints estimates of the size of a search tree and of the time of the
//! search, instead of searching.

use std::time::Duration;

use secateurs::search::Extract;
use secateurs::search::estimate::Estimate;
use secateurs::{Brancher, Hooks, Limits, Problem, Search};

use crate::support::{self, Failure};

/// The default number of probes, as an argument of the option.
pub const DEFAULT_PROBES: &str = "10000";

/// The duration of the trial search that measures the nodes per second.
pub const TRIAL_DURATION: Duration = Duration::from_millis(200);

/// Prints the estimated size of the tree of `search`, and the time that the search would take.
pub fn estimate<'p, P, B, H, X>(
    search: impl Fn() -> Search<'p, P, B, H, X>,
    probes: u64,
    seed: u64,
    answer_only: bool,
) -> Result<(), Failure>
where
    P: Problem + 'p,
    B: Brancher<P> + 'p,
    H: Hooks<P> + 'p,
    X: Extract<P>,
{
    let estimate = search().estimate(probes, seed);
    let rate = || {
        let trial = search().limits(Limits::new().time(TRIAL_DURATION)).count();
        trial.report().nodes() as f64 / trial.report().elapsed().as_secs_f64()
    };
    print(&estimate, answer_only, rate)
}

/// Prints an estimate, and the time of a search that visits `rate()` nodes per second; only the
/// number of nodes if `answer_only` is set.
pub fn print(
    estimate: &Estimate,
    answer_only: bool,
    rate: impl FnOnce() -> f64,
) -> Result<(), Failure> {
    let Some(nodes) = estimate.nodes() else {
        return Err(format!(
            "nothing is estimated: {} probes were made ({})",
            estimate.probes(),
            estimate.stop()
        )
        .into());
    };
    if answer_only {
        return support::print(format_args!("{:.0}\n", nodes.mean));
    }
    support::print(format_args!("{estimate}"))?;
    match estimate.time(rate()) {
        Some(time) => support::print(format_args!(
            "\nA search of the whole tree would take {}.\n",
            support::in_words(time)
        )),
        None => Ok(()),
    }
}
