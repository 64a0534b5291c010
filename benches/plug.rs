//! Sweeps by the engine and by hand, dense tables, and by two threads.
//!
//! `cargo bench --bench plug`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::plug::{self, Side};

fn measure(criterion: &mut Criterion) {
    plug::sweeps(Side::N12).measure(criterion);
    for group in plug::threads(Side::N12) {
        group.measure(criterion);
    }
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
