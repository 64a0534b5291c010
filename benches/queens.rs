//! n-queens: models of the state, and symmetry.
//!
//! `cargo bench --bench queens`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::queens;

fn measure(criterion: &mut Criterion) {
    queens::models().measure(criterion);
    queens::symmetry().measure(criterion);
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
