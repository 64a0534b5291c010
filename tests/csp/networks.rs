//! Random small networks, and their solutions by enumeration.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::csp::{Assignment, Model, Network, Propagate, Propagation, Variable};
use secateurs::{Brancher, Search};

/// Two variables, and the pairs of values that are incompatible.
pub type Forbidden = (usize, usize, Vec<(i32, i32)>);

/// The description of a random network.
#[derive(Clone, Debug)]
pub struct NetworkSpec {
    pub domains: Vec<Vec<i32>>,
    pub forbidden: Vec<Forbidden>,
    /// The scopes of all-different constraints.
    pub different: Vec<Vec<usize>>,
    /// Variables, and the largest sum allowed.
    pub sums: Vec<(Vec<usize>, i32)>,
    /// An indicator, variables, and the largest sum for which it is 1.
    pub reified: Vec<(usize, Vec<usize>, i32)>,
    /// An order, and two tasks with their durations.
    pub orders: Vec<(usize, [(usize, i32); 2])>,
}

/// Generates networks of up to six variables of up to four values. Occasionally a value is too far
/// away for a single word.
pub fn network_specs() -> impl Strategy<Value = NetworkSpec> {
    let domain = prop_oneof![
        12 => prop::collection::vec(-2..3, 1..5),
        1 => prop::collection::vec(prop_oneof![-2..3, Just(90)], 1..4),
    ];
    prop::collection::vec(domain, 2..7).prop_flat_map(|domains| {
        let index = 0..domains.len();
        let pairs = prop::collection::vec((-2..3, -2..3), 1..8);
        let forbidden = prop::collection::vec((index.clone(), index.clone(), pairs), 0..7);
        let different = prop::collection::vec(prop::collection::vec(index.clone(), 2..5), 0..2);
        let sum = (prop::collection::vec(index.clone(), 2..4), -4..6);
        let sums = prop::collection::vec(sum.clone(), 0..2);
        let tasks = [(index.clone(), -1..4), (index.clone(), -1..4)];
        let orders = prop::collection::vec((index.clone(), tasks), 1);
        let orders = prop_oneof![3 => Just(Vec::new()), 1 => orders];
        let reified =
            (index, sum).prop_map(|(indicator, (members, most))| (indicator, members, most));
        let reified = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(reified, 1)];
        (Just(domains), forbidden, different, sums, reified, orders).prop_map(
            |(domains, forbidden, different, sums, reified, orders)| NetworkSpec {
                domains,
                forbidden,
                different,
                sums,
                reified,
                orders,
            },
        )
    })
}

impl NetworkSpec {
    pub fn network(&self) -> Network {
        let mut model = Model::new();
        let variables: Vec<Variable> =
            self.domains.iter().map(|domain| model.variable(domain.clone()).unwrap()).collect();
        for (x, y, pairs) in &self.forbidden {
            let pairs = pairs.clone();
            model
                .binary(variables[*x], variables[*y], move |a, b| !pairs.contains(&(a, b)))
                .unwrap();
        }
        for members in &self.different {
            let members: Vec<Variable> = members.iter().map(|&index| variables[index]).collect();
            model.all_different(&members).unwrap();
        }
        for (members, most) in &self.sums {
            let terms: Vec<(i64, Variable)> =
                members.iter().map(|&index| (1, variables[index])).collect();
            model.linear(terms, ..=i64::from(*most)).unwrap();
        }
        for (indicator, members, most) in &self.reified {
            let terms: Vec<(i64, Variable)> =
                members.iter().map(|&index| (1, variables[index])).collect();
            model.linear_reified(variables[*indicator], terms, ..=i64::from(*most)).unwrap();
        }
        for (order, tasks) in &self.orders {
            let [first, second] = tasks.map(|(index, duration)| (variables[index], duration));
            model.ordered(variables[*order], first, second).unwrap();
        }
        model.build()
    }

    fn holds(&self, values: &[i32]) -> bool {
        let forbidden =
            self.forbidden.iter().all(|(x, y, pairs)| !pairs.contains(&(values[*x], values[*y])));
        let different = self.different.iter().all(|members| {
            let seen: BTreeSet<i32> = members.iter().map(|&index| values[index]).collect();
            seen.len() == members.len()
        });
        let sum = |members: &[usize]| members.iter().map(|&index| values[index]).sum::<i32>();
        forbidden
            && different
            && self.sums.iter().all(|(members, most)| sum(members) <= *most)
            && self.reified.iter().all(|(indicator, members, most)| {
                values[*indicator] == i32::from(sum(members) <= *most)
            })
            && self.orders.iter().all(|(order, tasks)| {
                let [(first, duration), (second, other)] = *tasks;
                match values[*order] {
                    1 => values[first] + duration <= values[second],
                    0 => values[second] + other <= values[first],
                    _ => false,
                }
            })
    }

    /// Returns all solutions, by testing every assignment.
    pub fn solutions(&self) -> BTreeSet<Vec<i32>> {
        let mut assignments: BTreeSet<Vec<i32>> = [Vec::new()].into();
        for domain in &self.domains {
            let extended = |values: &Vec<i32>| {
                domain.iter().map(|&value| [&values[..], &[value]].concat()).collect()
            };
            assignments = assignments
                .iter()
                .flat_map(|values| -> Vec<Vec<i32>> { extended(values) })
                .collect();
        }
        assignments.retain(|values| self.holds(values));
        assignments
    }
}

/// Returns the solutions that a search finds at a level of propagation, in its order.
pub fn solutions<B: Brancher<Network>>(
    network: &Network,
    level: Propagation,
    order: B,
) -> Vec<Vec<i32>> {
    let search = Search::new(network)
        .hooks((Propagate::new(level),))
        .brancher(order)
        .extract(Assignment::of);
    search.solutions().map(|solution| solution.values().to_vec()).collect()
}
