//! Exact covers by three crates.
//!
//! `cargo bench --bench cover`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::cover;
use secateurs_benches::queens::Size;

fn measure(criterion: &mut Criterion) {
    for group in cover::n_queens(Size::N11) {
        group.measure(criterion);
    }
    cover::langford_8().measure(criterion);
    cover::pentominoes_3_by_20().measure(criterion);
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
