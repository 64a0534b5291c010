//! Random small networks, and their solutions by enumeration.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use secateurs::{Brancher, Search};
use secateurs_csp::{
    Assignment, Automaton, Model, ModelError, Network, Propagate, Propagation, Task, Variable,
};

/// Two variables, and the pairs of values that are incompatible.
pub type Forbidden = (usize, usize, Vec<(i32, i32)>);

/// The capacity of the resource of a random network.
const CAPACITY: i32 = 3;

/// The description of a random network.
#[derive(Clone, Debug)]
pub struct NetworkSpec {
    pub domains: Vec<Vec<i32>>,
    pub forbidden: Vec<Forbidden>,
    /// The scopes of all-different constraints.
    pub different: Vec<Vec<usize>>,
    pub propagators: Vec<Constraint>,
}

/// A constraint with a propagator. Variables are given by index.
#[derive(Clone, Debug)]
pub enum Constraint {
    /// Variables, and the largest sum allowed.
    Sum(Vec<usize>, i32),
    /// An indicator, variables, and the largest sum for which it is 1.
    Reified(usize, Vec<usize>, i32),
    /// Variables that are all different, by bounds.
    DifferentBounds(Vec<usize>),
    /// Variables, a value, and the variable that states how often the value occurs.
    Count(Vec<usize>, i32, usize),
    /// Variables, and values with their smallest and largest number of occurrences.
    Cardinality(Vec<usize>, Vec<(i32, (i64, i64))>),
    /// An index, an array of variables, and the element at the index.
    Element(usize, Vec<usize>, usize),
    Minimum(usize, Vec<usize>),
    Maximum(usize, Vec<usize>),
    /// Two lists of variables, and whether the first one is less than the second one, or at most.
    Lexicographic(Vec<usize>, Vec<usize>, bool),
    /// An order, and two tasks with their durations.
    Ordered(usize, [(usize, i32); 2]),
    /// Tasks with their durations.
    Disjunctive(Vec<(usize, i32)>),
    /// Variables, and the transitions of an automaton with three states: those from a state by a
    /// value. It starts in state 0, and accepts in states 0 and 1.
    Regular(Vec<usize>, BTreeMap<(usize, i32), usize>),
    /// Tasks that share a resource of this [`CAPACITY`], with their durations and demands.
    Cumulative(Vec<(usize, i32, i32)>),
}

/// Generates a constraint on these variables.
fn constraints(variables: usize) -> impl Strategy<Value = Constraint> {
    use Constraint::*;
    let one = 0..variables;
    let list = |longest: usize| prop::collection::vec(0..variables, 1..=longest);
    let numbers = (0..3_i64, 0..3_i64).prop_map(|(low, width)| (low, low + width));
    let numbers = prop::collection::vec((-2..3, numbers), 1..4);
    let task = |least: i32| (0..variables, least..4);
    prop_oneof![
        6 => (list(3), -4..6).prop_map(|(terms, most)| Sum(terms, most)),
        2 => (one.clone(), list(3), -4..6)
            .prop_map(|(indicator, terms, most)| Reified(indicator, terms, most)),
        2 => list(4).prop_map(DifferentBounds),
        1 => (list(4), -2..3, one.clone())
            .prop_map(|(places, value, number)| Count(places, value, number)),
        1 => (list(5), numbers).prop_map(|(places, numbers)| Cardinality(places, numbers)),
        1 => (one.clone(), list(4), one.clone())
            .prop_map(|(index, array, result)| Element(index, array, result)),
        1 => (one.clone(), list(4)).prop_map(|(result, places)| Minimum(result, places)),
        1 => (one.clone(), list(4)).prop_map(|(result, places)| Maximum(result, places)),
        1 => (list(4), list(4), any::<bool>())
            .prop_map(|(left, right, is_strict)| Lexicographic(left, right, is_strict)),
        1 => (one, [task(-1), task(-1)]).prop_map(|(order, tasks)| Ordered(order, tasks)),
        1 => prop::collection::vec(task(0), 2..4).prop_map(Disjunctive),
        1 => (list(5), prop::collection::btree_map((0..3_usize, -2..3), 0..3_usize, 3..12))
            .prop_map(|(places, transitions)| Regular(places, transitions)),
        1 => prop::collection::vec((0..variables, 0..4, 0..4), 2..5).prop_map(Cumulative),
    ]
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
        let different = prop::collection::vec(prop::collection::vec(index, 2..5), 0..2);
        let propagators = prop::collection::vec(constraints(domains.len()), 0..3);
        (Just(domains), forbidden, different, propagators).prop_map(
            |(domains, forbidden, different, propagators)| NetworkSpec {
                domains,
                forbidden,
                different,
                propagators,
            },
        )
    })
}

impl Constraint {
    fn state(&self, model: &mut Model, variables: &[Variable]) -> Result<(), ModelError> {
        let of = |places: &[usize]| -> Vec<Variable> {
            places.iter().map(|&place| variables[place]).collect()
        };
        let terms = |places: &[usize]| of(places).into_iter().map(|variable| (1, variable));
        let task = |&(place, duration): &(usize, i32)| (variables[place], duration);
        match self {
            Self::Sum(places, most) => model.linear(terms(places), ..=i64::from(*most)),
            Self::Reified(indicator, places, most) => {
                model.linear_reified(variables[*indicator], terms(places), ..=i64::from(*most))
            }
            Self::DifferentBounds(places) => model.all_different_bounds(&of(places)),
            Self::Count(places, value, number) => {
                model.count_variable(&of(places), *value, variables[*number])
            }
            Self::Cardinality(places, numbers) => {
                let ranges = numbers.iter().map(|&(value, (low, high))| (value, low..=high));
                model.global_cardinality(&of(places), ranges)
            }
            Self::Element(index, array, result) => {
                model.element(variables[*index], &of(array), variables[*result])
            }
            Self::Minimum(result, places) => model.minimum(variables[*result], &of(places)),
            Self::Maximum(result, places) => model.maximum(variables[*result], &of(places)),
            Self::Lexicographic(left, right, true) => {
                model.lexicographic_strict(&of(left), &of(right))
            }
            Self::Lexicographic(left, right, false) => model.lexicographic(&of(left), &of(right)),
            Self::Ordered(order, [first, second]) => {
                model.ordered(variables[*order], task(first), task(second))
            }
            Self::Disjunctive(tasks) => model.disjunctive(tasks.iter().map(task)),
            Self::Regular(places, transitions) => {
                let transitions = transitions.iter().map(|(&(from, value), &to)| (from, value, to));
                model.regular(&of(places), &Automaton::new(3, transitions, 0, [0, 1])?)
            }
            Self::Cumulative(tasks) => {
                let task = |&(place, duration, demand): &(usize, i32, i32)| Task {
                    start: variables[place],
                    duration,
                    demand,
                };
                model.cumulative(tasks.iter().map(task), CAPACITY)
            }
        }
    }

    fn holds(&self, values: &[i32]) -> bool {
        let of =
            |places: &[usize]| -> Vec<i32> { places.iter().map(|&place| values[place]).collect() };
        let sum = |places: &[usize]| of(places).iter().sum::<i32>();
        let times = |places: &[usize], value: i32| {
            of(places).iter().filter(|&&other| other == value).count() as i64
        };
        let precedes =
            |one: (usize, i32), other: (usize, i32)| values[one.0] + one.1 <= values[other.0];
        match self {
            Self::Sum(places, most) => sum(places) <= *most,
            Self::Reified(indicator, places, most) => {
                values[*indicator] == i32::from(sum(places) <= *most)
            }
            Self::DifferentBounds(places) => are_different(places, values),
            Self::Count(places, value, number) => {
                i64::from(values[*number]) == times(places, *value)
            }
            Self::Cardinality(places, numbers) => numbers
                .iter()
                .all(|&(value, (low, high))| (low..=high).contains(&times(places, value))),
            Self::Element(index, array, result) => {
                let place = usize::try_from(values[*index]).ok().and_then(|at| array.get(at));
                place.is_some_and(|&place| values[place] == values[*result])
            }
            Self::Minimum(result, places) => of(places).iter().min() == Some(&values[*result]),
            Self::Maximum(result, places) => of(places).iter().max() == Some(&values[*result]),
            Self::Lexicographic(left, right, true) => of(left) < of(right),
            Self::Lexicographic(left, right, false) => of(left) <= of(right),
            Self::Ordered(order, [first, second]) => match values[*order] {
                1 => precedes(*first, *second),
                0 => precedes(*second, *first),
                _ => false,
            },
            Self::Disjunctive(tasks) => tasks.iter().enumerate().all(|(place, &one)| {
                tasks[..place].iter().all(|&other| precedes(one, other) || precedes(other, one))
            }),
            Self::Regular(places, transitions) => {
                let next = |state, value: i32| transitions.get(&(state, value)).copied();
                of(places).into_iter().try_fold(0, next).is_some_and(|end| end < 2)
            }
            // A task that begins sees the highest demand of the tasks that run then.
            Self::Cumulative(tasks) => tasks.iter().all(|&(time, ..)| {
                let time = values[time];
                let running = tasks.iter().filter(|&&(place, duration, _)| {
                    (values[place]..values[place] + duration).contains(&time)
                });
                running.map(|task| task.2).sum::<i32>() <= CAPACITY
            }),
        }
    }
}

fn are_different(places: &[usize], values: &[i32]) -> bool {
    let seen: BTreeSet<i32> = places.iter().map(|&place| values[place]).collect();
    seen.len() == places.len()
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
        for constraint in &self.propagators {
            constraint.state(&mut model, &variables).unwrap();
        }
        model.build()
    }

    fn holds(&self, values: &[i32]) -> bool {
        self.forbidden.iter().all(|(x, y, pairs)| !pairs.contains(&(values[*x], values[*y])))
            && self.different.iter().all(|members| are_different(members, values))
            && self.propagators.iter().all(|constraint| constraint.holds(values))
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
