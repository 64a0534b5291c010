//! The option `--estimate`: prints estimates of the size of a search tree and of the time of the
//! search, instead of searching.

use std::time::Duration;

use secateurs::search::Extract;
use secateurs::search::estimate::Estimate;
use secateurs::{Brancher, Hooks, Limits, Problem, Search, Stop};

use crate::support::{self, Failure, Unfinished};

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
/// number of nodes if `answer_only` is set. Returns an error if not all probes were made.
pub fn print(
    estimate: &Estimate,
    answer_only: bool,
    rate: impl FnOnce() -> f64,
) -> Result<(), Failure> {
    let stop = estimate.stop();
    let Some(nodes) = estimate.nodes() else {
        let probes = estimate.probes();
        let message = format!("nothing is estimated: {probes} probes were made ({stop})");
        return Err(match stop {
            Stop::Exhausted | Stop::Satisfied => message.into(),
            stop => Unfinished::new(stop, message).into(),
        });
    };
    if answer_only {
        support::print(format_args!("{:.0}\n", nodes.mean))?;
    } else {
        support::print(format_args!("{estimate}"))?;
        if let Some(time) = estimate.time(rate()) {
            support::print(format_args!(
                "\nA search of the whole tree would take, if the estimate holds, {}.\n",
                support::in_words(time)
            ))?;
        }
    }
    support::check_finished(stop, "estimate")
}
