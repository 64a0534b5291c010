//! Constraint networks and hand-written programs, levels of propagation, quasigroups, and Sudoku.
//!
//! `cargo bench --bench csp`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::csp;
use secateurs_benches::queens::Size;

fn measure(criterion: &mut Criterion) {
    csp::queens::by_hand(Size::N11).measure(criterion);
    csp::queens::first_of_a_thousand().measure(criterion);
    csp::quasigroups::group().measure(criterion);
    for group in csp::sudoku::groups() {
        group.measure(criterion);
    }
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
