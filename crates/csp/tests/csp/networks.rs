//! Random small networks, and their solutions by enumeration.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use secateurs::{Brancher, Search};
use secateurs_csp::{
    Assignment, Automaton, Consistency, Domain, Model, ModelError, Network, Propagate, Propagation,
    Task, Variable,
};

use crate::propagation::SumAtMost;

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
    /// The constraint of the tests of propagation: variables, and the largest sum allowed.
    SumAtMost(Vec<usize>, i32),
    /// Two variables, of which the first is not the second plus this number.
    DifferentBy(usize, usize, i32),
    /// Two variables, pairs of values, and whether these are allowed.
    Pairs(usize, usize, Vec<(i32, i32)>, bool),
    /// Variables that are all different with their shifts.
    DifferentShifted(Vec<(usize, i32)>),
    /// Variables that are all different, by bounds.
    DifferentBounds(Vec<usize>),
    /// Variables that are all different, by matching.
    DifferentMatching(Vec<usize>),
    /// Variables that are all different, pair by pair.
    Different(Vec<usize>),
    /// A variable that is at most the sum of another one and a number.
    AtMost(usize, usize, i32),
    /// Variables, a value, and the largest number of its occurrences.
    CountAtMost(Vec<usize>, i32, i64),
    /// Variables, a value, and the variable that states how often the value occurs.
    Count(Vec<usize>, i32, usize),
    /// Variables, and values with their smallest and largest number of occurrences.
    Cardinality(Vec<usize>, Vec<(i32, (i64, i64))>),
    /// Variables, values, and the variable that states how often one of the values occurs.
    Among(Vec<usize>, BTreeSet<i32>, usize),
    /// Variables, the variable with the value that is counted, and that with the number.
    CountEqual(Vec<usize>, usize, usize),
    /// Variables, and the variable that states how many values they have.
    NValues(Vec<usize>, usize),
    /// An operation on two variables, and its result.
    Arithmetic(Operation, [usize; 3]),
    /// A variable, the exponent, and the power.
    Power(usize, u32, usize),
    /// A variable, and its absolute value.
    Absolute(usize, usize),
    /// Variables, their rows, and whether these are allowed.
    Table([usize; 3], Vec<[i32; 3]>, bool),
    /// An index, an array of variables, and the element at the index.
    Element(usize, Vec<usize>, usize),
    /// An index, numbers, and the number at the index.
    ElementConstants(usize, Vec<i32>, usize),
    Minimum(usize, Vec<usize>),
    Maximum(usize, Vec<usize>),
    /// The first position of the smallest value, or of the largest one, and variables.
    ArgMin(usize, Vec<usize>),
    ArgMax(usize, Vec<usize>),
    /// Successors on one circuit, with the constraint that their values are connected.
    Circuit(Vec<usize>),
    Subcircuit(Vec<usize>),
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
    /// Starts, durations and demands of tasks, and the capacity.
    CumulativeVariable(Vec<[usize; 3]>, usize),
    /// An indicator that is 1 if and only if these constraints hold or, if not `is_equivalence`,
    /// only if they hold.
    Conditional {
        indicator: usize,
        is_equivalence: bool,
        parts: Vec<Constraint>,
    },
}

#[derive(Clone, Copy, Debug)]
pub enum Operation {
    Product,
    Quotient,
    Remainder,
}

/// Generates a constraint on these variables.
pub fn constraints(variables: usize) -> BoxedStrategy<Constraint> {
    let conditional = move |inner: BoxedStrategy<Constraint>| {
        (0..variables, any::<bool>(), prop::collection::vec(inner, 0..3)).prop_map(
            |(indicator, is_equivalence, parts)| Constraint::Conditional {
                indicator,
                is_equivalence,
                parts,
            },
        )
    };
    let simple = unconditional(variables).boxed();
    simple
        .clone()
        .prop_recursive(
            2,
            4,
            2,
            move |inner| prop_oneof![2 => simple.clone(), 1 => conditional(inner)],
        )
        .boxed()
}

/// Generates a constraint that is no condition for others.
fn unconditional(variables: usize) -> impl Strategy<Value = Constraint> {
    use Constraint::*;
    let one = 0..variables;
    // Different variables, or some of them repeatedly.
    let list = |longest: usize| {
        let all: Vec<usize> = (0..variables).collect();
        prop_oneof![
            2 => prop::sample::subsequence(all, 1..=longest.min(variables)).prop_shuffle(),
            1 => prop::collection::vec(0..variables, 1..=longest),
        ]
    };
    let numbers = (0..3_i64, 0..3_i64).prop_map(|(low, width)| (low, low + width));
    let numbers = prop::collection::vec((-2..3, numbers), 1..4);
    let task = |least: i32| (0..variables, least..4);
    let three = || prop::array::uniform3(0..variables);
    let operation =
        prop::sample::select(&[Operation::Product, Operation::Quotient, Operation::Remainder][..]);
    let counts = prop_oneof![
        1 => (list(4), prop::collection::btree_set(-2..3, 0..4), one.clone())
            .prop_map(|(places, values, number)| Among(places, values, number)),
        1 => (list(4), one.clone(), one.clone())
            .prop_map(|(places, value, number)| CountEqual(places, value, number)),
        1 => (list(4), one.clone()).prop_map(|(places, number)| NValues(places, number)),
        1 => (list(4), -2..3, 0..3_i64)
            .prop_map(|(places, value, most)| CountAtMost(places, value, most)),
    ];
    let of_two = prop_oneof![
        1 => (one.clone(), one.clone(), prop::collection::vec((-2..3, -2..3), 0..8), any::<bool>())
            .prop_map(|(x, y, pairs, allowed)| Pairs(x, y, pairs, allowed)),
        1 => (one.clone(), one.clone(), -2..3).prop_map(|(x, y, more)| AtMost(x, y, more)),
        1 => list(4).prop_map(Different),
    ];
    let functions = prop_oneof![
        3 => (operation, three()).prop_map(|(operation, scope)| Arithmetic(operation, scope)),
        1 => (one.clone(), 0..4_u32, one.clone())
            .prop_map(|(base, exponent, power)| Power(base, exponent, power)),
        1 => (one.clone(), one.clone()).prop_map(|(of, value)| Absolute(of, value)),
        1 => (one.clone(), list(4)).prop_map(|(index, array)| ArgMin(index, array)),
        1 => (one.clone(), list(4)).prop_map(|(index, array)| ArgMax(index, array)),
        1 => (one.clone(), prop::collection::vec(-2..3, 1..5), one.clone())
            .prop_map(|(index, array, result)| ElementConstants(index, array, result)),
    ];
    let others = prop_oneof![
        1 => prop::collection::vec((0..variables, -2..3), 0..4).prop_map(DifferentShifted),
        1 => list(4).prop_map(DifferentMatching),
        2 => (three(), prop::collection::vec(prop::array::uniform3(-2..3), 0..20), any::<bool>())
            .prop_map(|(places, rows, allowed)| Table(places, rows, allowed)),
        1 => list(4).prop_map(Circuit),
        1 => list(4).prop_map(Subcircuit),
        1 => (prop::collection::vec(three(), 0..4), one.clone())
            .prop_map(|(tasks, capacity)| CumulativeVariable(tasks, capacity)),
    ];
    prop_oneof![
        3 => counts,
        2 => of_two,
        6 => functions,
        5 => others,
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
        6 => prop::collection::vec(-2..3, 1..5),
        6 => prop::collection::vec(0..4, 1..5),
        1 => prop::collection::vec(prop_oneof![-2..3, Just(90)], 1..4),
    ];
    prop::collection::vec(domain, 2..7).prop_flat_map(|domains| {
        let index = 0..domains.len();
        let pairs = prop::collection::vec((-2..3, -2..3), 1..8);
        let forbidden = (index.clone(), index.clone(), pairs);
        let forbidden = prop_oneof![
            1 => prop::collection::vec(forbidden.clone(), 0..7),
            2 => prop::collection::vec(forbidden, 0..2),
        ];
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
            Self::SumAtMost(places, most) => model.propagator(SumAtMost(of(places), *most)),
            Self::DifferentBy(x, y, by) => model.different_by(variables[*x], variables[*y], *by),
            Self::Pairs(x, y, pairs, true) => {
                model.pairs(variables[*x], variables[*y], pairs.iter().copied())
            }
            Self::Pairs(x, y, pairs, false) => {
                let pairs = pairs.clone();
                let holds = move |a, b| !pairs.contains(&(a, b));
                model.binary(variables[*x], variables[*y], holds)
            }
            Self::DifferentShifted(members) => {
                model.all_different_shifted(members.iter().map(task))
            }
            Self::DifferentBounds(places) => {
                model.all_different_with(&of(places), Consistency::Bounds)
            }
            Self::DifferentMatching(places) => {
                model.all_different_with(&of(places), Consistency::Domain)
            }
            Self::Different(places) => model.all_different(&of(places)),
            Self::AtMost(x, y, more) => {
                model.require(variables[*x].at_most(variables[*y] + i64::from(*more)))
            }
            Self::CountAtMost(places, value, most) => model.count(&of(places), *value, ..=*most),
            Self::Count(places, value, number) => {
                model.count_variable(&of(places), *value, variables[*number])
            }
            Self::Cardinality(places, numbers) => {
                let ranges = numbers.iter().map(|&(value, (low, high))| (value, low..=high));
                model.global_cardinality(&of(places), ranges)
            }
            Self::Among(places, values, number) => {
                let values: Domain = values.iter().copied().collect();
                model.among(&of(places), values, variables[*number])
            }
            Self::CountEqual(places, value, number) => {
                model.count_equal(&of(places), variables[*value], variables[*number])
            }
            Self::NValues(places, number) => model.n_values(&of(places), variables[*number]),
            Self::Arithmetic(operation, scope) => {
                let state = match operation {
                    Operation::Product => Model::product,
                    Operation::Quotient => Model::quotient,
                    Operation::Remainder => Model::remainder,
                };
                let [x, y, z] = scope.map(|place| variables[place]);
                state(model, x, y, z)
            }
            Self::Power(base, exponent, power) => {
                model.power(variables[*base], *exponent, variables[*power])
            }
            Self::Absolute(of, value) => model.absolute(variables[*of], variables[*value]),
            Self::Table(places, rows, true) => model.table(&of(places), rows),
            Self::Table(places, rows, false) => model.forbidden(&of(places), rows),
            Self::Element(index, array, result) => {
                model.element(variables[*index], &of(array), variables[*result])
            }
            Self::ElementConstants(index, array, result) => {
                model.element_constants(variables[*index], array, variables[*result])
            }
            Self::ArgMin(index, places) => model.arg_min(variables[*index], &of(places)),
            Self::ArgMax(index, places) => model.arg_max(variables[*index], &of(places)),
            Self::Circuit(places) => {
                model.circuit(&of(places))?;
                model.circuit_connected(&of(places))
            }
            Self::Subcircuit(places) => model.subcircuit(&of(places)),
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
            Self::CumulativeVariable(tasks, capacity) => {
                let tasks = tasks.iter().map(|places| {
                    let [start, duration, demand] = places.map(|place| variables[place]);
                    Task { start, duration, demand }
                });
                model.cumulative_variable(tasks, variables[*capacity])
            }
            Self::Conditional { indicator, is_equivalence, parts } => {
                let state = |model: &mut Model| {
                    parts.iter().try_for_each(|part| part.state(model, variables))
                };
                if *is_equivalence {
                    model.reify(variables[*indicator], state)
                } else {
                    model.imply(variables[*indicator], state)
                }
            }
        }
    }

    /// Returns the network of this constraint alone.
    pub fn network(&self, domains: &[BTreeSet<i32>]) -> Network {
        let domains = domains.iter().map(|values| values.iter().copied().collect()).collect();
        let (forbidden, different, propagators) = (Vec::new(), Vec::new(), vec![self.clone()]);
        NetworkSpec { domains, forbidden, different, propagators }.network()
    }

    /// Returns whether an assignment satisfies the definition of the constraint.
    pub fn holds(&self, values: &[i32]) -> bool {
        let of =
            |places: &[usize]| -> Vec<i32> { places.iter().map(|&place| values[place]).collect() };
        let sum = |places: &[usize]| of(places).iter().sum::<i32>();
        let times = |places: &[usize], value: i32| {
            of(places).iter().filter(|&&other| other == value).count() as i64
        };
        let precedes =
            |one: (usize, i32), other: (usize, i32)| values[one.0] + one.1 <= values[other.0];
        match self {
            Self::Sum(places, most) | Self::SumAtMost(places, most) => sum(places) <= *most,
            Self::DifferentBy(x, y, by) => values[*x] != values[*y] + by,
            Self::Pairs(x, y, pairs, allowed) => {
                pairs.contains(&(values[*x], values[*y])) == *allowed
            }
            Self::Reified(indicator, places, most) => {
                values[*indicator] == i32::from(sum(places) <= *most)
            }
            Self::DifferentShifted(members) => {
                let shifted = members.iter().map(|&(place, shift)| values[place] + shift);
                shifted.collect::<BTreeSet<i32>>().len() == members.len()
            }
            Self::Different(places)
            | Self::DifferentBounds(places)
            | Self::DifferentMatching(places) => are_different(places, values),
            Self::AtMost(x, y, more) => values[*x] <= values[*y] + more,
            Self::CountAtMost(places, value, most) => times(places, *value) <= *most,
            Self::Count(places, value, number) => {
                i64::from(values[*number]) == times(places, *value)
            }
            Self::Cardinality(places, numbers) => numbers
                .iter()
                .all(|&(value, (low, high))| (low..=high).contains(&times(places, value))),
            Self::Among(places, set, number) => {
                let count = set.iter().map(|&value| times(places, value)).sum::<i64>();
                i64::from(values[*number]) == count
            }
            Self::CountEqual(places, value, number) => {
                i64::from(values[*number]) == times(places, values[*value])
            }
            Self::NValues(places, number) => {
                let different: BTreeSet<i32> = of(places).into_iter().collect();
                usize::try_from(values[*number]) == Ok(different.len())
            }
            Self::Arithmetic(operation, scope) => {
                let [x, y, z] = scope.map(|place| values[place]);
                match operation {
                    Operation::Product => x * y == z,
                    Operation::Quotient => x.checked_div(y) == Some(z),
                    Operation::Remainder => x.checked_rem(y) == Some(z),
                }
            }
            Self::Power(base, exponent, power) => values[*base].pow(*exponent) == values[*power],
            Self::Absolute(of, value) => values[*of].abs() == values[*value],
            Self::Table(places, rows, allowed) => {
                rows.contains(&places.map(|place| values[place])) == *allowed
            }
            Self::ElementConstants(index, array, result) => {
                let number = usize::try_from(values[*index]).ok().and_then(|at| array.get(at));
                number == Some(&values[*result])
            }
            Self::ArgMin(index, places) => {
                let first = (0..).zip(of(places)).min_by_key(|&(place, value)| (value, place));
                first.map(|(place, _)| place) == Some(values[*index])
            }
            Self::ArgMax(index, places) => {
                let first = (0..).zip(of(places)).min_by_key(|&(place, value)| (-value, place));
                first.map(|(place, _)| place) == Some(values[*index])
            }
            Self::Circuit(places) => on_circuit(&of(places)) == Some(places.len()),
            Self::Subcircuit(places) => on_circuit(&of(places)).is_some(),
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
            Self::CumulativeVariable(tasks, capacity) => {
                let tasks: Vec<_> = tasks.iter().map(|task| task.map(|at| values[at])).collect();
                let uses = |time: i32| {
                    let running = tasks
                        .iter()
                        .filter(|[start, duration, _]| (*start..start + duration).contains(&time));
                    running.map(|[.., demand]| demand).sum::<i32>()
                };
                values[*capacity] >= 0
                    && tasks.iter().all(|&[start, duration, demand]| {
                        duration >= 0 && demand >= 0 && uses(start) <= values[*capacity]
                    })
            }
            Self::Conditional { indicator, is_equivalence, parts } => {
                let hold = parts.iter().all(|part| part.holds(values));
                match values[*indicator] {
                    1 => hold,
                    0 => !(*is_equivalence && hold),
                    _ => false,
                }
            }
        }
    }
}

/// Returns the number of places on the only circuit, or `None` if there are several, or if these
/// are not successors. A place that is its own successor is left out, unless it is the only place.
fn on_circuit(successors: &[i32]) -> Option<usize> {
    let next = |place: usize| usize::try_from(successors[place]).ok();
    let places = 0..successors.len();
    let image: BTreeSet<usize> = places.clone().filter_map(next).collect();
    if !image.into_iter().eq(places.clone()) {
        return None;
    }
    let visited: Vec<usize> = places.filter(|&place| next(place) != Some(place)).collect();
    let Some(&start) = visited.first() else { return Some(successors.len().min(1)) };
    let (mut place, mut count) = (next(start)?, 1);
    while place != start {
        (place, count) = (next(place)?, count + 1);
    }
    (count == visited.len()).then_some(count)
}

fn are_different(places: &[usize], values: &[i32]) -> bool {
    let seen: BTreeSet<i32> = places.iter().map(|&place| values[place]).collect();
    seen.len() == places.len()
}

impl NetworkSpec {
    pub fn network(&self) -> Network {
        self.model().build()
    }

    pub fn model(&self) -> Model {
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
        model
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
