//! A search, a constraint network, a sweep and the lab as functions for a WebAssembly host;
//! `run.mjs` calls them and compares their answers with known values.

use std::time::Duration;

use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Branch, Effect, Limits, Node, Problem, Search, Stop, Verdict, hook};
use secateurs_csp::{Domain, Model, Propagate};
use secateurs_lab::{Audit, Compare, Contender, NodeOutcome, Recording};

/// The n-queens problem, row by row.
struct Queens(usize);

impl Problem for Queens {
    type State = Vec<usize>;
    type Cursor = usize;
    type Choice = usize;
    type Undo = ();

    fn root(&self) -> Vec<usize> {
        Vec::new()
    }
    fn branch(&self, columns: &Vec<usize>) -> Branch<usize> {
        if columns.len() == self.0 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, columns: &Vec<usize>, cursor: &mut usize) -> Option<usize> {
        let row = columns.len();
        let is_free = |&column: &usize| {
            columns
                .iter()
                .enumerate()
                .all(|(other, &taken)| taken != column && taken.abs_diff(column) != row - other)
        };
        let column = (*cursor..self.0).find(is_free)?;
        *cursor = column + 1;
        Some(column)
    }
    fn apply(&self, columns: &mut Vec<usize>, &column: &usize) {
        columns.push(column);
    }
    fn undo(&self, columns: &mut Vec<usize>, _: &usize, (): ()) {
        columns.pop();
    }
}

/// Domino tilings of a square board. A set bit of the state is a domino that crosses the contour.
struct Tilings(usize);

impl ContourProblem for Tilings {
    type State = u32;
    type Label = ();

    fn cells(&self) -> usize {
        self.0 * self.0
    }
    fn start(&self) -> u32 {
        0
    }
    fn step(&self, cell: usize, plugs: u32, emit: &mut impl FnMut(u32, ())) {
        let here = 1 << (cell % self.0);
        let right = if (cell + 1).is_multiple_of(self.0) { 0 } else { here << 1 };
        if plugs & here != 0 {
            emit(plugs ^ here, ());
        } else {
            emit(plugs | here, ());
            if right != 0 && plugs & right == 0 {
                emit(plugs | right, ());
            }
        }
    }
    fn accept(&self, plugs: u32) -> bool {
        plugs == 0
    }
}

/// Returns a count as a number for the host, or `u64::MAX` if it is unknown or too large.
fn as_u64(count: Option<u128>) -> u64 {
    count.and_then(|count| u64::try_from(count).ok()).unwrap_or(u64::MAX)
}

/// Counts the solutions of n queens.
#[unsafe(no_mangle)]
pub extern "C" fn queens(n: u32) -> u64 {
    as_u64(Search::new(&Queens(n as usize)).count().exact())
}

/// Counts the domino tilings of a board of n × n squares.
#[unsafe(no_mangle)]
pub extern "C" fn tilings(n: u32) -> u64 {
    as_u64(Sweep::new(&Tilings(n as usize)).count().exact())
}

/// Counts the same tilings with arbitrary precision.
#[unsafe(no_mangle)]
pub extern "C" fn tilings_with_big_integers(n: u32) -> u64 {
    let outcome = Sweep::new(&Tilings(n as usize)).count_natural();
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

/// Audits and compares a pruning of n queens that keeps the first queen in the left half, and
/// returns the number of solutions in a recording. The lab measures times, which this target
/// cannot.
#[unsafe(no_mangle)]
pub extern "C" fn solutions_in_a_recording(n: u32) -> u64 {
    let queens = Queens(n as usize);
    let left_half = || {
        hook::admit("left half", Effect::Representatives, |node: &Node<'_, Queens>, &column| {
            Verdict::prune_if(node.depth() == 0 && column >= node.problem().0.div_ceil(2))
        })
    };
    let search =
        |hook: Option<_>, limits| Search::new(&queens).hooks((hook,)).limits(limits).count();
    let comparison = Compare::of("queens", ())
        .contender(Contender::new("none", |(), limits| search(None, limits)))
        .contender(Contender::new("left half", |(), limits| search(Some(left_half()), limits)))
        .run();
    if comparison.is_err() || Audit::of_count(&queens).hook(left_half()).run().is_err() {
        return u64::MAX;
    }
    let mut recording = Recording::new();
    let outcome = Search::new(&queens).hooks(recording.of((left_half(),))).count();
    recording.ended(outcome.report());
    recording.count(NodeOutcome::Solution)
}

/// Returns 1 if runs with a time limit stop at once with [`Stop::TimeLimit`], as they must on a
/// target without a clock.
#[unsafe(no_mangle)]
pub extern "C" fn a_time_limit_stops_the_run() -> u64 {
    let limits = Limits::new().time(Duration::from_secs(3600));
    let search = Search::new(&Queens(8)).limits(limits.clone()).count();
    let sweep = Sweep::new(&Tilings(8)).limits(limits).count();
    u64::from([search.stop(), sweep.stop()] == [Stop::TimeLimit; 2] && search.exact().is_none())
}
