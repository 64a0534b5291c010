//! Contenders and comparisons for tests.

use secateurs::{Effect, Search, Verdict, hook};
use secateurs_lab::{Compare, Comparison, Contender};
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

/// Returns a comparison of two contenders on boards of these sizes.
pub fn small(sizes: impl IntoIterator<Item = usize>) -> Compare<'static, BitQueens> {
    let boards = sizes.into_iter().map(|size| (format!("{size} queens"), queens(size)));
    Compare::over(boards).contender(plain("plain")).contender(mirror("mirror")).rounds(2)
}

/// Runs a comparison that must succeed.
pub fn done<I>(compare: Compare<'_, I>) -> Comparison {
    compare.run().expect("all agree")
}
