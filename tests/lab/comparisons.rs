//! What the tests of comparisons share.

use secateurs::lab::{Compare, Comparison, Contender};
use secateurs::problems::queens::{BitQueens, Queens};
use secateurs::{Effect, Search, Verdict, hook};

use crate::support::problems::queens;

/// Counts all solutions.
pub fn plain<'a>(name: &str) -> Contender<'a, BitQueens> {
    Contender::new(name, |queens: &BitQueens, limits| Search::new(queens).limits(limits).count())
        .estimated(|queens, probes, seed| Search::new(queens).estimate(probes, seed))
}

/// Counts one of each two that are mirror images, and knows how many there are.
pub fn mirror<'a>(name: &str) -> Contender<'a, BitQueens> {
    Contender::new(name, |queens: &BitQueens, limits| {
        Search::new(queens).hooks((Queens::mirror(),)).limits(limits).count()
    })
}

/// Leaves out the first column of the first row, and claims `effect` for that.
pub fn no_corner<'a>(name: &str, effect: Effect) -> Contender<'a, BitQueens> {
    Contender::new(name, move |queens: &BitQueens, limits| {
        let corner = hook::admit("no corner", effect, |node, &square| {
            Verdict::prune_if(node.depth() == 0 && square == 1)
        });
        Search::new(queens).hooks((corner,)).limits(limits).count()
    })
}

/// Two contenders on boards of these sizes.
pub fn small(sizes: impl IntoIterator<Item = usize>) -> Compare<'static, BitQueens> {
    let boards = sizes.into_iter().map(|size| (format!("{size} queens"), queens(size)));
    Compare::over(boards).contender(plain("plain")).contender(mirror("mirror")).rounds(2)
}

pub fn done<I>(compare: Compare<'_, I>) -> Comparison {
    compare.run().expect("all agree")
}
