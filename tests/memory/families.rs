//! Families of sets: building them, and each operation on them.

use secateurs::plug::{Family, FamilyError, Sweep};
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::graphs::SimplePaths;
use secateurs_problems::graph::{Graph, Order};

use crate::{assert_at_most, growth};

const MIB: usize = 1 << 20;

fn of_memory(limit: usize) -> Limits {
    Limits::new().memory(limit as u64)
}

/// The paths between two corners of 7 × 7 squares.
fn paths(graph: &Graph, limits: Limits) -> Result<Family, FamilyError> {
    let order = Order::as_given(graph);
    let paths = SimplePaths::new(&order, 0, 63).expect("two corners");
    let sweep = Sweep::new(&paths).limits(limits);
    sweep.family(graph.edge_count(), |edge, taken| taken.then_some(edge))
}

/// Asserts that runs with what `prepare` makes for some limits stay within them, that small ones
/// stop runs, and that a large one does not.
fn check<S, T>(
    what: &str,
    prepare: impl Fn(usize) -> S,
    run: impl Fn(&S) -> Result<T, FamilyError>,
) {
    let mut stops = 0;
    for limit in [MIB / 8, MIB / 2, MIB, 2 * MIB, 4 * MIB, 8 * MIB, 32 * MIB] {
        let operand = prepare(limit);
        let (result, grown) = growth(|| run(&operand));
        assert_at_most(what, limit, grown);
        if let Err(error) = result {
            assert_eq!(error.stop(), Some(Stop::MemoryLimit), "{what}: {error}");
            assert!(limit < 32 * MIB, "{what}");
            stops += 1;
        }
    }
    assert!(stops > 0, "{what}: no limit was too small");
}

#[test]
fn families_of_sweeps_and_operations_stay_within_the_limit() {
    crate::alone();
    let graph = Graph::grid(&[8, 8]).expect("a grid");
    check("a family of a sweep", of_memory, |limits| paths(&graph, limits.clone()));
    let family = paths(&graph, Limits::new()).expect("no limit");
    let short = family.of_size(..=24).expect("no limit");
    let even = family.of_weight(|element| i64::from(element % 2 == 0), ..=14).expect("no limit");
    let limited = |family: &Family| {
        let family = family.clone();
        move |limit| family.clone().limits(of_memory(limit))
    };
    check("a union", limited(&short), |short| short.union(&even));
    check("a difference", limited(&even), |even| even.difference(&short));
    let all = || limited(&family);
    check("sets of a weight", all(), |all| all.of_weight(|edge| (edge % 7) as i64, 30..=60));
    check("sets of a size", all(), |all| all.of_size(20..=30));
    check("supersets", all(), |all| all.supersets_of([20, 50]));
    let few = || (0..112).filter(|edge| edge % 16 != 3);
    check("subsets", all(), |all| all.subsets_of(few()));
    check("counts by size", all(), |all| all.counts_by_size());
    check("complements", all(), |all| all.complements());
    let shortest = family.of_size(..=16).expect("no limit");
    check("subsets of any", limited(&short), |short| short.subsets_of_any(&shortest));
    check("maximal sets", limited(&short), |short| short.maximal());
    check("minimal sets", limited(&short), |short| short.minimal());
    check("supersets of any", all(), |all| all.supersets_of_any(&shortest));
    let few = family.of_size(..=14).expect("no limit");
    check("hitting sets", limited(&few), |few| few.hitting_sets());
    check("no set to hit", limited(&Family::empty(200_000).expect("a size")), |none| {
        none.hitting_sets()
    });
    let large = Family::power_set(8_000).expect("few nodes");
    check("a large count", limited(&large), |large| large.count_natural());
}

/// Families of solutions that stand for the same sets are united.
#[test]
fn unions_of_the_solutions_of_a_set_stay_within_the_limit() {
    crate::alone();
    let graph = Graph::grid(&[8, 8]).expect("a grid");
    let order = Order::as_given(&graph);
    let paths = SimplePaths::new(&order, 0, 63).expect("two corners");
    // Every third edge is in no set, so that many paths stand for the same one.
    check("a projected family", of_memory, |limits| {
        let sweep = Sweep::new(&paths).limits(limits.clone());
        sweep.family(graph.edge_count(), |edge, taken| (taken && edge % 3 > 0).then_some(edge))
    });
}
