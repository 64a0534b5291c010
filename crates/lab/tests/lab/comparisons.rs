//! Contenders and comparisons for tests.

use secateurs::{Effect, Limits, Search, Verdict, hook};
use secateurs_lab::{Answer, Compare, CompareError, Comparison, Contender, Trial};
use secateurs_problems::queens::{BitQueens, Queens};

use crate::support::problems::queens;

/// Returns a contender that counts all solutions.
pub fn plain<'a>(name: &str) -> Contender<'a, BitQueens> {
    Contender::new(name, |queens: &BitQueens, limits| Search::new(queens).limits(limits).count())
        .estimated(|queens, probes, seed| Search::new(queens).estimate(probes, seed))
}

/// Returns a contender that counts by the mirror symmetry.
pub fn mirror<'a>(name: &str) -> Contender<'a, BitQueens> {
    Contender::new(name, |queens: &BitQueens, limits| {
        Search::new(queens).hooks((Queens::mirror(),)).limits(limits).count()
    })
}

/// Returns a contender that omits the first square, and claims `effect` for this cut.
pub fn no_corner<'a>(name: &str, effect: Effect) -> Contender<'a, BitQueens> {
    Contender::new(name, move |queens: &BitQueens, limits| {
        let corner = hook::admit("no corner", effect, |node, &square| {
            Verdict::prune_if(node.depth() == 0 && square == 1)
        });
        Search::new(queens).hooks((corner,)).limits(limits).count()
    })
}

/// Returns a contender that calls `before`, and then counts all solutions.
pub fn counting_after<'a>(name: &str, before: impl Fn() + 'a) -> Contender<'a, BitQueens> {
    Contender::new(name, move |queens: &BitQueens, limits| {
        before();
        Search::new(queens).limits(limits).count()
    })
}

/// Returns the report of a count with another answer.
pub fn claim(answer: Answer, queens: &BitQueens, limits: Limits) -> Trial {
    Trial::new(answer, Search::new(queens).limits(limits).count().report().clone())
}

pub fn proven(answer: &str) -> Answer {
    Answer::Proven(answer.to_owned())
}

/// Returns a comparison on boards of these sizes, named by size and unit.
pub fn boards<'a>(unit: &str, sizes: impl IntoIterator<Item = usize>) -> Compare<'a, BitQueens> {
    Compare::over(sizes.into_iter().map(|size| (format!("{size}{unit}"), queens(size))))
}

/// Returns a comparison of two contenders on boards of these sizes.
pub fn small(sizes: impl IntoIterator<Item = usize>) -> Compare<'static, BitQueens> {
    boards(" queens", sizes).contender(plain("plain")).contender(mirror("mirror")).rounds(2)
}

/// Runs a comparison whose answers must differ, and returns those that do, with their runs.
#[track_caller]
pub fn disagreement<I>(compare: Compare<'_, I>) -> [(String, Answer); 2] {
    match compare.run() {
        Err(CompareError::Disagreement(found)) => found.answers().clone(),
        other => panic!("{other:?}"),
    }
}

/// Runs a comparison that must succeed.
pub fn done<I>(compare: Compare<'_, I>) -> Comparison {
    compare.run().expect("all agree")
}
