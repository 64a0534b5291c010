//! The cost of hooks, and the strategies of the example `your_comparison` as a criterion group.
//!
//! `cargo bench --bench hooks`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use secateurs::Search;
use secateurs_benches::hooks;
use secateurs_benches::hooks::settlement::{fives, memory, payment, too_little};
use secateurs_benches::queens::Size;
use secateurs_lab::Plan;

/// Measures strategies without the helpers of this package, like the sample in `README.md`.
fn settlements(criterion: &mut Criterion) {
    let problem = payment(5);
    let mut group = criterion.benchmark_group("hooks/settlements");
    for on in Plan::Cumulative.sets(["too little", "fives", "memory"]).expect("a few hooks") {
        let count = || {
            let (little, fives) = (on.then("too little", too_little), on.then("fives", fives));
            let hooks = (little, fives, on.then("memory", memory));
            Search::new(&problem).hooks(hooks).count()
        };
        // A pruning that loses solutions must fail instead of looking fast.
        let outcome = count();
        assert_eq!(outcome.exact(), Some(2872), "{on}");
        group.throughput(Throughput::Elements(outcome.report().nodes()));
        group.bench_function(on.to_string(), |bencher| bencher.iter(count));
    }
    group.finish();
}

fn measure(criterion: &mut Criterion) {
    hooks::idle(Size::N12).measure(criterion);
    settlements(criterion);
}

criterion_group!(name = benches; config = secateurs_benches::criterion(); targets = measure);
criterion_main!(benches);
