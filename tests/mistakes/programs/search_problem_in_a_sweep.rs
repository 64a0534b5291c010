use secateurs::plug::Sweep;

#[path = "shared/bits.rs"]
mod bits;
use bits::Bits;

fn main() {
    let _ = Sweep::new(&Bits(4)).count();
}
