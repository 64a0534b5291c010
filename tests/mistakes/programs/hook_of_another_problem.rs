use secateurs_csp::Propagate;
use secateurs::Search;

#[path = "shared/bits.rs"]
mod bits;
use bits::Bits;

fn main() {
    let _ = Search::new(&Bits(4)).hook(Propagate::full()).count();
}
