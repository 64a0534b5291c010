//! Rocket Mania: prunings and dominance of a sweep.
//!
//! `cargo bench --bench rocket_mania`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::rocket_mania;

fn measure(criterion: &mut Criterion) {
    rocket_mania::rockets().measure(criterion);
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
