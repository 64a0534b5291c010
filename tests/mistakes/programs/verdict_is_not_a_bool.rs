use secateurs::{Effect, Search};

#[path = "shared/bits.rs"]
mod bits;
use bits::Bits;

fn main() {
    let search = Search::new(&Bits(4));
    let _ = search.enter("few", Effect::Lossy, |node| node.depth() > 2).count();
}
