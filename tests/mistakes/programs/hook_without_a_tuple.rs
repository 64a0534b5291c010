use secateurs::{Effect, Search, Verdict, hook};

#[path = "shared/bits.rs"]
mod bits;
use bits::Bits;

fn main() {
    let few = hook::enter("few", Effect::Lossy, |_| Verdict::Keep);
    let _ = Search::new(&Bits(4)).hooks(few).count();
}
