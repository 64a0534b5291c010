//! The first program of the README: an exact answer, and one that is not.

use secateurs::problems::queens::Queens;
use secateurs::{Limits, Search};

fn main() {
    let queens = Queens::new(12).expect("a small board").bits();
    let mirror = Search::new(&queens).hook(Queens::mirror()).count();
    println!("{:?} in {} nodes", mirror.exact(), mirror.report().nodes());

    let hurried = Search::new(&queens).limits(Limits::new().nodes(10_000)).count();
    println!("{:?}, at least {}", hurried.exact(), hurried.at_least());
}
