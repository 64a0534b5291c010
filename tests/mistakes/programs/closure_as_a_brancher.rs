use secateurs::{Node, Search};

#[path = "shared/bits.rs"]
mod bits;
use bits::Bits;

fn main() {
    let ones_first = |_: &Node<'_, Bits>, &bit: &u32| 1 - bit;
    let _ = Search::new(&Bits(4)).brancher(ones_first).count();
}
