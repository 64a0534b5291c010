//! Constraint networks and hand-written programs, levels of propagation, orders, global
//! constraints, classical problems, scheduling, nonograms, and Sudoku.
//!
//! `cargo bench --bench csp`

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs_benches::csp;
use secateurs_benches::queens::Size;

fn measure(criterion: &mut Criterion) {
    csp::queens::by_hand(Size::N11).measure(criterion);
    csp::queens::levels().measure(criterion);
    csp::queens::article().measure(criterion);
    csp::queens::first_of_a_thousand().measure(criterion);
    csp::queens::completions().measure(criterion);
    csp::scheduling::job_shops_by_pairs().measure(criterion);
    csp::scheduling::hard_job_shops().measure(criterion);
    for group in csp::constraints::groups() {
        group.measure(criterion);
    }
    for group in csp::classics::groups() {
        group.measure(criterion);
    }
    csp::classics::quasigroups().measure(criterion);
    csp::scheduling::strips_of_squares().measure(criterion);
    csp::nonogram::group().measure(criterion);
    for group in csp::sudoku::groups() {
        group.measure(criterion);
    }
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
