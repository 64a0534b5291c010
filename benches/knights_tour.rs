//! Knight's tours: rules for the order of moves, restarts, and prunings.
//!
//! `cargo bench --bench knights_tour`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::knights_tour;

fn measure(criterion: &mut Criterion) {
    knights_tour::starts().measure(criterion);
    knights_tour::walks().measure(criterion);
    knights_tour::tours().measure(criterion);
    knights_tour::prunings().measure(criterion);
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
