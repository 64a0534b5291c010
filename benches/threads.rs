//! One and two threads, compared with the plain engine.
//!
//! `cargo bench --bench threads`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::queens::Size;
use secateurs_benches::threads;

fn measure(criterion: &mut Criterion) {
    threads::n_queens(Size::N13).measure(criterion);
    threads::small_tree().measure(criterion);
    threads::clique_200().measure(criterion);
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
