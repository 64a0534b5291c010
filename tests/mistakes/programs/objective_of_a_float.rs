use secateurs::{Objective, Search};

#[path = "shared/bits.rs"]
mod bits;
use bits::Bits;

fn main() {
    let bits = Bits(4);
    let value = Objective::maximise_for(&bits, |_, state| f64::from(state.1));
    let _ = Search::new(&bits).best(&value);
}
