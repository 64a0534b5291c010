use secateurs::{NodeMut, Search, Verdict};

#[path = "shared/bits.rs"]
mod bits;
use bits::Bits;

fn main() {
    let keep = |_: &mut NodeMut<'_, Bits>| Verdict::Keep;
    let _ = Search::new(&Bits(4)).hook(keep).count();
}
