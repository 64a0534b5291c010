//! Tables of allowed and of forbidden rows.

use proptest::prelude::*;
use secateurs::Search;
use secateurs_csp::{Model, Propagate};

use crate::networks::Constraint::{Table, Values};
use crate::networks::NetworkSpec;
use crate::oracle::{Domains, assert_counts, check, check_constraint, domains, every};
use crate::support::propagation::{LEVELS, count};

/// Domains, and rows that mostly consist of their values.
fn tables() -> impl Strategy<Value = (Domains, Vec<Vec<i32>>)> {
    domains(4).prop_flat_map(|domains| {
        let values = domains.iter().map(|values| {
            let values: Vec<i32> = values.iter().copied().chain([5]).collect();
            prop::sample::select(values)
        });
        let row = values.collect::<Vec<_>>();
        (Just(domains), prop::collection::vec(row, 0..=150))
    })
}

proptest! {
    #[test]
    fn tables_are_pruned_exactly(
        (domains, rows) in tables(),
        lost in prop::collection::vec(-3..=4, 1..=4),
    ) {
        for allowed in [true, false] {
            let table = Table(every(&domains), rows.clone(), allowed);
            check_constraint(&domains, &table, true)?;
            // Other constraints prune values after the table was stated.
            let others = domains.iter().zip(&lost).enumerate();
            let others = others.map(|(place, (values, lost))| {
                Values(place, values.iter().copied().filter(|value| value != lost).collect())
            });
            let constraints = [table].into_iter().chain(others).collect();
            let spec = NetworkSpec { domains: domains.clone(), constraints };
            check(&spec.network(), &spec.solutions(), true)?;
        }
    }

    /// The possible rows are kept from call to call: they must not depend on the order of the
    /// nodes.
    #[test]
    fn rows_are_the_same_in_every_order_of_the_nodes(
        (domains, rows) in tables(),
        other_rows in prop::collection::vec(prop::collection::vec(-3..=4, 2), 0..=20),
    ) {
        for allowed in [true, false] {
            let constraints = vec![
                Table(every(&domains), rows.clone(), allowed),
                Table(vec![0, domains.len() - 1], other_rows.clone(), false),
            ];
            let network = NetworkSpec { domains: domains.clone(), constraints }.network();
            let search = || Search::new(&network).hook(Propagate::full());
            let depth_first = search().count();
            let breadth_first = search().breadth_first().count();
            prop_assert_eq!(depth_first.exact(), breadth_first.exact());
            prop_assert_eq!(depth_first.report().nodes(), breadth_first.report().nodes());
        }
    }

    /// The same variable has two columns.
    #[test]
    fn a_repeated_variable_shares_its_column(
        domains in domains(2),
        rows in prop::collection::vec(prop::collection::vec(-3..=4, 3), 0..=100),
        allowed in any::<bool>(),
    ) {
        let scope = vec![0, domains.len() - 1, 0];
        check_constraint(&domains, &Table(scope, rows, allowed), true)?;
    }
}

#[test]
fn tables_without_variables_or_rows_hold_or_fail() {
    let table = |rows, allowed| Table(vec![], vec![vec![]; rows], allowed);
    assert_counts(&[0..=1], [(table(0, true), 0), (table(1, true), 2), (table(2, true), 2)]);
    assert_counts(&[0..=1], [(table(0, false), 2), (table(1, false), 0)]);
}

/// A table of ten thousand values and a hundred thousand rows.
#[test]
fn large_tables_are_counted_correctly() {
    let mut model = Model::new();
    let x = model.variable(0..10_000).expect("small");
    let y = model.variable(0..10_000).expect("small");
    let z = model.variable(0..10).expect("small");
    let rows = (0..10_000).flat_map(|x| (0..10).map(move |z| [x, (7 * x + z) % 10_000, z]));
    model.table(&[x, y, z], rows).expect("rows of the right length");
    model.restrict(y, |y| y < 3).expect("its own variable");
    // Each pair of y and z determines x.
    assert_eq!(count(&model.build(), LEVELS[3]), Some(30));
}
