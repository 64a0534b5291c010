//! Values and offsets at both ends of the range of `i32`: nothing overflows, and domains behave
//! like sets.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs_csp::{
    Ascending, Branching, CentreOut, Domain, Halves, InputOrder, Model, Propagate, SmallestDomain,
    least_constraining,
};

use crate::networks::Constraint::{DifferentBy, DifferentShifted, Linear, Pairs};
use crate::networks::{NetworkSpec, constraints};
use crate::oracle::{self, check_constraint, found};
use crate::support::propagation::LEVELS;

/// A number near an end of the range, near zero, or near the start of the second word after an end.
fn extreme() -> impl Strategy<Value = i32> {
    (prop::sample::select(vec![i32::MIN, i32::MIN + 64, -2, i32::MAX - 66, i32::MAX - 3]), 0..4)
        .prop_map(|(from, by)| from + by)
}

/// Values close to each other, since the span of a domain is limited; they take one or two words.
fn domain() -> impl Strategy<Value = Vec<i32>> {
    let from = prop::sample::select(vec![i32::MIN, -2, i32::MAX - 67]);
    let value = prop_oneof![3 => 0..3, 1 => 62..68];
    (from, prop::collection::vec(value, 0..4))
        .prop_map(|(from, by)| by.iter().map(|by| from + by).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn constraints_of_any_kind_do_not_overflow(
        domains in prop::collection::vec((extreme(), domain()), 4),
        constraint in constraints(4),
    ) {
        let domains = domains.into_iter().map(|(one, values)| match values.is_empty() {
            true => BTreeSet::from([one]),
            false => BTreeSet::from_iter(values),
        });
        let domains: oracle::Domains = domains.collect();
        // Some work and some sums may exceed 2⁶¹.
        let (mut model, variables) = oracle::model(&domains);
        prop_assume!(constraint.state(&mut model, &variables).is_ok());
        check_constraint(&domains, &constraint, false)?;
    }
}

proptest! {
    #[test]
    fn constraints_do_not_overflow(
        domains in prop::collection::vec(domain(), 3),
        offset in extreme(),
        shifts in prop::collection::vec(extreme(), 3),
        bound in extreme(),
    ) {
        let domains: Vec<BTreeSet<i32>> =
            domains.into_iter().map(|values| values.into_iter().collect()).collect();
        let pairs = domains[1].iter().flat_map(|&y| domains[2].iter().map(move |&z| (y, z)));
        let constraints = vec![
            DifferentBy(0, 1, offset),
            DifferentShifted((0..3).zip(shifts).collect()),
            Pairs(1, 2, pairs.filter(|&(y, z)| y > bound && z <= bound).collect(), false),
            Linear(vec![(1, 0), (-1, 2)], i64::MIN..=bound.into()),
        ];
        let spec = NetworkSpec { domains, constraints };
        let (network, expected) = (spec.network(), spec.solutions());
        for level in LEVELS {
            let propagate = || (Propagate::new(level),);
            for found in [
                found(&network, propagate(), Branching::new(InputOrder, Ascending)),
                found(&network, propagate(), Branching::new(SmallestDomain::last_tie(), CentreOut)),
                found(&network, propagate(), Halves::new(InputOrder)),
                found(&network, propagate(), Halves::minimum_first(InputOrder)),
                found(&network, propagate(), least_constraining(InputOrder)),
            ] {
                prop_assert_eq!(&found, &expected, "{:?}", level);
            }
        }
    }

    #[test]
    fn domains_behave_like_sets(
        (values, steps) in prop_oneof![
            (domain(), prop::collection::vec((0..5, extreme()), 0..6)),
            (
                prop::collection::vec(-200..200, 0..40),
                prop::collection::vec((0..5, -210..210), 0..12),
            ),
        ],
    ) {
        let mut set: BTreeSet<i32> = values.iter().copied().collect();
        let mut model = Model::new();
        let variable = model.variable(values).unwrap();
        prop_assert_eq!(model.domain(variable), &set.iter().copied().collect::<Domain>());
        let network = model.build();
        let mut state = secateurs::Problem::root(&network);
        prop_assert_eq!(network.bounds(variable), set.first().copied().zip(set.last().copied()));
        for (kind, value) in steps {
            let size = set.len();
            let result = match kind {
                0 => {
                    set.remove(&value);
                    state.remove(variable, value)
                }
                1 => {
                    set.retain(|&other| other >= value);
                    state.at_least(variable, value)
                }
                2 => {
                    set.retain(|&other| other <= value);
                    state.at_most(variable, value)
                }
                3 => {
                    let keeps = |other: i32| other.wrapping_add(value) % 4 != 0;
                    set.retain(|&other| keeps(other));
                    state.retain(variable, keeps)
                }
                _ => {
                    // Half of the values are in the domain.
                    let one = set.first().copied().filter(|_| value % 2 == 0).unwrap_or(value);
                    set.retain(|&other| other == one);
                    state.assign(variable, one)
                }
            };
            match result {
                Ok(changed) => prop_assert_eq!(changed, set.len() != size),
                Err(wipeout) => prop_assert!(wipeout.0 == variable && set.is_empty()),
            }
            prop_assert_eq!(state.is_assigned(variable), set.len() == 1);
            prop_assert_eq!(
                state.values(variable).collect::<Vec<_>>(),
                set.iter().copied().collect::<Vec<_>>()
            );
            prop_assert_eq!(state.size(variable), set.len());
            prop_assert_eq!(state.next_value(variable, value), set.range(value..).next().copied());
            prop_assert_eq!(state.contains(variable, value), set.contains(&value));
            prop_assert_eq!(
                (state.min(variable), state.max(variable)),
                (set.first().copied(), set.last().copied())
            );
        }
    }
}
