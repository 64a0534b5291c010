//! The engine and hand-written recursions for the same tree; estimates, and the search that they
//! replace.
//!
//! `cargo bench --bench kernel`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::kernel;
use secateurs_benches::queens::Size;

fn measure(criterion: &mut Criterion) {
    kernel::queens::group(Size::N13).measure(criterion);
    kernel::estimates::group(Size::N13).measure(criterion);
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
