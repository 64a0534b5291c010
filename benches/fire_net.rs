//! Fire-net: optima by search and by maximum matching, bounds and prunings, and branchers.
//!
//! `cargo bench --bench fire_net`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::fire_net;

fn measure(criterion: &mut Criterion) {
    for group in fire_net::optima() {
        group.measure(criterion);
    }
    fire_net::bounds().measure(criterion);
    for group in fire_net::lists() {
        group.measure(criterion);
    }
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
