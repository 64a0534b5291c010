//! A search, a constraint network, a sweep and the lab as functions for a WebAssembly host;
//! `run.mjs` calls them and compares their answers with known values.

use std::time::Duration;

use secateurs::plug::Sweep;
use secateurs::{Limits, Search, Stop};
use secateurs_csp::{Domain, Model, Propagate};
use secateurs_lab::{Audit, Compare, Contender, NodeOutcome, Recording};
use secateurs_problems::catalogue::{Dimers, Grid, domino_tilings};
use secateurs_problems::queens::{BitQueens, Queens};

fn queens_of(n: usize) -> BitQueens {
    Queens::new(n).expect("a small board").bits()
}

fn tilings_of(n: usize) -> Dimers {
    domino_tilings(&Grid::new(n, n).expect("a small board"))
}

/// Returns a count as a number for the host, or `u64::MAX` if it is unknown or too large.
fn as_u64(count: Option<u128>) -> u64 {
    count.and_then(|count| u64::try_from(count).ok()).unwrap_or(u64::MAX)
}

/// Counts the solutions of n queens.
#[unsafe(no_mangle)]
pub extern "C" fn queens(n: u32) -> u64 {
    as_u64(Search::new(&queens_of(n as usize)).count().exact())
}

/// Counts the domino tilings of a board of n × n squares.
#[unsafe(no_mangle)]
pub extern "C" fn tilings(n: u32) -> u64 {
    as_u64(Sweep::new(&tilings_of(n as usize)).count().exact())
}

/// Counts the same tilings with arbitrary precision.
#[unsafe(no_mangle)]
pub extern "C" fn tilings_with_big_integers(n: u32) -> u64 {
    let outcome = Sweep::new(&tilings_of(n as usize)).count_natural();
    outcome.total().and_then(|count| count.to_string().parse().ok()).unwrap_or(u64::MAX)
}

/// Counts the permutations of n values, as a network whose domains are wider than a machine word.
#[unsafe(no_mangle)]
pub extern "C" fn permutations(n: u32) -> u64 {
    let mut model = Model::new();
    let values = Domain::from_iter((0..n as i32).map(|value| value * 40));
    let Ok(variables) = model.variables(n as usize, values) else { return u64::MAX };
    if model.all_different(&variables).is_err() {
        return u64::MAX;
    }
    as_u64(Search::new(&model.build()).hooks((Propagate::full(),)).count().exact())
}

/// Audits and compares a pruning of n queens by their mirror images, and returns the number of
/// solutions in a recording. The lab measures times, which this target cannot.
#[unsafe(no_mangle)]
pub extern "C" fn solutions_in_a_recording(n: u32) -> u64 {
    let queens = queens_of(n as usize);
    let search =
        |hook: Option<_>, limits| Search::new(&queens).hooks((hook,)).limits(limits).count();
    let comparison = Compare::of("queens", ())
        .contender(Contender::new("none", |(), limits| search(None, limits)))
        .contender(Contender::new("mirror", |(), limits| search(Some(Queens::mirror()), limits)))
        .run();
    if comparison.is_err() || Audit::of_count(&queens).hook(Queens::mirror()).run().is_err() {
        return u64::MAX;
    }
    let mut recording = Recording::new();
    let outcome = Search::new(&queens).hooks(recording.of((Queens::mirror(),))).count();
    recording.ended(outcome.report());
    recording.count(NodeOutcome::Solution)
}

/// Returns 1 if runs with a time limit stop at once with [`Stop::TimeLimit`], as they must on a
/// target without a clock.
#[unsafe(no_mangle)]
pub extern "C" fn a_time_limit_stops_the_run() -> u64 {
    let limits = Limits::new().time(Duration::from_secs(3600));
    let search = Search::new(&queens_of(8)).limits(limits.clone()).count();
    let sweep = Sweep::new(&tilings_of(8)).limits(limits).count();
    u64::from([search.stop(), sweep.stop()] == [Stop::TimeLimit; 2] && search.exact().is_none())
}
