//! Random small networks, and their solutions by enumeration.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use proptest::prelude::*;
use secateurs_csp::{Automaton, Consistency, Domain, Model, ModelError, Network, Task, Variable};

use crate::oracle::{self, Domains, Solutions};
use crate::propagation::SumAtMost;

/// The description of a random network.
#[derive(Clone, Debug)]
pub struct NetworkSpec {
    pub domains: Domains,
    pub constraints: Vec<Constraint>,
}

/// A constraint. Variables are given by index.
#[derive(Clone, Debug)]
pub enum Constraint {
    /// A variable, and its allowed values.
    Values(usize, Vec<i32>),
    /// Factors with variables, and the range of their sum.
    Linear(Vec<(i64, usize)>, RangeInclusive<i64>),
    /// The constraint of the tests of propagation: variables, and the largest sum allowed.
    SumAtMost(Vec<usize>, i32),
    /// Two variables, of which the first is not the second plus this number.
    DifferentBy(usize, usize, i32),
    /// Two variables, pairs of values, and whether these are allowed.
    Pairs(usize, usize, Vec<(i32, i32)>, bool),
    /// Variables that are all different with their shifts.
    DifferentShifted(Vec<(usize, i32)>),
    /// Variables that are all different, pair by pair or by one propagator.
    Different(Vec<usize>, Option<Consistency>),
    /// A variable that is at most the sum of another one and a number.
    AtMost(usize, usize, i32),
    /// Variables, a value, and the range of the number of its occurrences.
    CountIn(Vec<usize>, i32, RangeInclusive<i64>),
    /// Variables, a value, and the variable that states how often the value occurs.
    Count(Vec<usize>, i32, usize),
    /// Variables, and values with the range of the number of their occurrences.
    Cardinality(Vec<usize>, Vec<(i32, RangeInclusive<i64>)>),
    /// Variables, values, and the variable that states how often one of the values occurs.
    Among(Vec<usize>, BTreeSet<i32>, usize),
    /// Variables, the variable with the value that is counted, and that with the number.
    CountEqual(Vec<usize>, usize, usize),
    /// Variables, and the variable that states how many values they have.
    NValues(Vec<usize>, usize),
    /// An operation, its operands, and its result. An operation on one variable ignores the second
    /// operand.
    Arithmetic(Operation, [usize; 3]),
    /// Variables, their rows, and whether these are allowed.
    Table(Vec<usize>, Vec<Vec<i32>>, bool),
    /// An index, an array of variables, and the element at the index.
    Element(usize, Vec<usize>, usize),
    /// An index, numbers, and the number at the index.
    ElementConstants(usize, Vec<i32>, usize),
    Minimum(usize, Vec<usize>),
    Maximum(usize, Vec<usize>),
    /// The first position of the smallest value, or of the largest one, and variables.
    ArgMin(usize, Vec<usize>),
    ArgMax(usize, Vec<usize>),
    /// Successors on one circuit, and whether its connectivity prunes as well.
    Circuit(Vec<usize>, bool),
    Subcircuit(Vec<usize>),
    /// Two lists of variables, and whether the first one is less than the second one, or at most.
    Lexicographic(Vec<usize>, Vec<usize>, bool),
    /// An order, and two tasks with their durations.
    Ordered(usize, [(usize, i32); 2]),
    /// Tasks with their durations.
    Disjunctive(Vec<(usize, i32)>),
    /// Variables, and the automaton that reads them.
    Regular(Vec<usize>, Words),
    /// Tasks with their durations and demands, and the capacity of the resource that they share.
    Cumulative(Vec<(usize, i32, i32)>, i32),
    /// Starts, durations and demands of tasks, and the capacity.
    CumulativeVariable(Vec<[usize; 3]>, usize),
    /// An indicator that is 1 only if these constraints hold or, if `true`, if and only if.
    Conditional(usize, bool, Vec<Constraint>),
}

#[derive(Clone, Copy, Debug)]
pub enum Operation {
    Product,
    Quotient,
    Remainder,
    Absolute,
    Power(u32),
}

/// The words that an automaton accepts. It starts in state 0.
#[derive(Clone, Debug)]
pub struct Words {
    pub states: usize,
    /// The next state, from a state by a value.
    pub transitions: BTreeMap<(usize, i32), usize>,
    pub accepting: BTreeSet<usize>,
}

impl Words {
    fn automaton(&self) -> Result<Automaton, ModelError> {
        let transitions = self.transitions.iter().map(|(&(from, value), &to)| (from, value, to));
        Automaton::new(self.states, transitions, 0, self.accepting.iter().copied())
    }
}

/// Generates a constraint on these variables.
pub fn constraints(variables: usize) -> BoxedStrategy<Constraint> {
    let conditional = move |inner: BoxedStrategy<Constraint>| {
        (0..variables, any::<bool>(), prop::collection::vec(inner, 0..3)).prop_map(
            |(indicator, is_equivalence, parts)| {
                Constraint::Conditional(indicator, is_equivalence, parts)
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
    let numbers = (0..3_i64, 0..3_i64).prop_map(|(low, width)| low..=low + width);
    let numbers = prop::collection::vec((-2..3, numbers), 1..4);
    let task = |least: i32| (0..variables, least..4);
    let three = || prop::array::uniform3(0..variables);
    let operation = prop_oneof![
        3 => prop::sample::select(
            &[Operation::Product, Operation::Quotient, Operation::Remainder][..]
        ),
        1 => (0..4_u32).prop_map(Operation::Power),
        1 => Just(Operation::Absolute),
    ];
    let counts = prop_oneof![
        1 => (list(4), prop::collection::btree_set(-2..3, 0..4), one.clone())
            .prop_map(|(places, values, number)| Among(places, values, number)),
        1 => (list(4), one.clone(), one.clone())
            .prop_map(|(places, value, number)| CountEqual(places, value, number)),
        1 => (list(4), one.clone()).prop_map(|(places, number)| NValues(places, number)),
        1 => (list(4), -2..3, 0..3_i64)
            .prop_map(|(places, value, most)| CountIn(places, value, i64::MIN..=most)),
    ];
    let of_two = prop_oneof![
        1 => (one.clone(), one.clone(), prop::collection::vec((-2..3, -2..3), 0..8), any::<bool>())
            .prop_map(|(x, y, pairs, allowed)| Pairs(x, y, pairs, allowed)),
        1 => (one.clone(), one.clone(), -2..3).prop_map(|(x, y, more)| AtMost(x, y, more)),
        1 => list(4).prop_map(|places| Different(places, None)),
    ];
    let functions = prop_oneof![
        5 => (operation, three()).prop_map(|(operation, scope)| Arithmetic(operation, scope)),
        1 => (one.clone(), list(4)).prop_map(|(index, array)| ArgMin(index, array)),
        1 => (one.clone(), list(4)).prop_map(|(index, array)| ArgMax(index, array)),
        1 => (one.clone(), prop::collection::vec(-2..3, 1..5), one.clone())
            .prop_map(|(index, array, result)| ElementConstants(index, array, result)),
    ];
    let others = prop_oneof![
        1 => prop::collection::vec((0..variables, -2..3), 0..4).prop_map(DifferentShifted),
        1 => list(4).prop_map(|places| Different(places, Some(Consistency::Domain))),
        2 => (three(), prop::collection::vec(prop::collection::vec(-2..3, 3), 0..20), any::<bool>())
            .prop_map(|(places, rows, allowed)| Table(places.to_vec(), rows, allowed)),
        1 => (list(4), any::<bool>()).prop_map(|(places, connected)| Circuit(places, connected)),
        1 => list(4).prop_map(Subcircuit),
        1 => (prop::collection::vec(three(), 0..4), one.clone())
            .prop_map(|(tasks, capacity)| CumulativeVariable(tasks, capacity)),
    ];
    prop_oneof![
        3 => counts,
        2 => of_two,
        6 => functions,
        5 => others,
        6 => (list(3), -4_i64..6).prop_map(|(places, most)| {
            Linear(places.into_iter().map(|place| (1, place)).collect(), i64::MIN..=most)
        }),
        2 => list(4).prop_map(|places| Different(places, Some(Consistency::Bounds))),
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
        1 => (list(5), words((-2..3).boxed(), 3..12))
            .prop_map(|(places, words)| Regular(places, words)),
        1 => prop::collection::vec((0..variables, 0..4, 0..4), 2..5)
            .prop_map(|tasks| Cumulative(tasks, 3)),
    ]
}

/// Generates an automaton with four states that reads these values.
pub fn words(
    values: BoxedStrategy<i32>,
    transitions: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = Words> {
    let states = 4;
    let state = 0..states;
    let transitions =
        prop::collection::btree_map((state.clone(), values), state.clone(), transitions);
    let accepting = prop::collection::btree_set(state, 0..=3);
    (transitions, accepting).prop_map(move |(transitions, accepting)| Words {
        states,
        transitions,
        accepting,
    })
}

/// Generates networks of up to six variables of up to four values. Occasionally a value is too far
/// away for a single word.
pub fn network_specs() -> impl Strategy<Value = NetworkSpec> {
    let domain = prop_oneof![
        6 => prop::collection::btree_set(-2..3, 1..5),
        6 => prop::collection::btree_set(0..4, 1..5),
        1 => prop::collection::btree_set(prop_oneof![-2..3, Just(90)], 1..4),
    ];
    prop::collection::vec(domain, 2..7).prop_flat_map(|domains| {
        let index = 0..domains.len();
        let pairs = prop::collection::vec((-2..3, -2..3), 1..8);
        let forbidden = (index.clone(), index.clone(), pairs)
            .prop_map(|(x, y, pairs)| Constraint::Pairs(x, y, pairs, false));
        let forbidden = prop_oneof![
            1 => prop::collection::vec(forbidden.clone(), 0..7),
            2 => prop::collection::vec(forbidden, 0..2),
        ];
        let different = prop::collection::vec(index, 2..5)
            .prop_map(|places| Constraint::Different(places, None));
        let different = prop::collection::vec(different, 0..2);
        let others = prop::collection::vec(constraints(domains.len()), 0..3);
        (Just(domains), forbidden, different, others).prop_map(
            |(domains, forbidden, different, others)| NetworkSpec {
                domains,
                constraints: [forbidden, different, others].concat(),
            },
        )
    })
}

impl Constraint {
    /// States the constraint on these variables.
    pub fn state(&self, model: &mut Model, variables: &[Variable]) -> Result<(), ModelError> {
        let one = |place: &usize| variables[*place];
        let of = |places: &[usize]| -> Vec<Variable> { places.iter().map(one).collect() };
        let task = |&(place, duration): &(usize, i32)| (variables[place], duration);
        let sum = |terms: &[(i64, usize)]| -> Vec<(i64, Variable)> {
            terms.iter().map(|(factor, place)| (*factor, one(place))).collect()
        };
        match self {
            Self::Values(x, values) => {
                let values = values.clone();
                model.restrict(one(x), |value| values.contains(&value))
            }
            Self::Linear(terms, range) => model.linear(sum(terms), range.clone()),
            Self::SumAtMost(places, most) => model.propagator(SumAtMost(of(places), *most)),
            Self::DifferentBy(x, y, 0) => model.different(one(x), one(y)),
            Self::DifferentBy(x, y, by) => model.different_by(one(x), one(y), *by),
            Self::Pairs(x, y, pairs, true) => model.pairs(one(x), one(y), pairs.iter().copied()),
            Self::Pairs(x, y, pairs, false) => {
                let pairs = pairs.clone();
                model.binary(one(x), one(y), move |a, b| !pairs.contains(&(a, b)))
            }
            Self::DifferentShifted(members) => {
                model.all_different_shifted(members.iter().map(task))
            }
            Self::Different(places, None) => model.all_different(&of(places)),
            Self::Different(places, Some(consistency)) => {
                model.all_different_with(&of(places), *consistency)
            }
            Self::AtMost(x, y, more) => model.require(one(x).at_most(one(y) + i64::from(*more))),
            Self::CountIn(places, value, range) => model.count(&of(places), *value, range.clone()),
            Self::Count(places, value, number) => {
                model.count_variable(&of(places), *value, one(number))
            }
            Self::Cardinality(places, ranges) => {
                model.global_cardinality(&of(places), ranges.iter().cloned())
            }
            Self::Among(places, values, number) => {
                let values: Domain = values.iter().copied().collect();
                model.among(&of(places), values, one(number))
            }
            Self::CountEqual(places, value, number) => {
                model.count_equal(&of(places), one(value), one(number))
            }
            Self::NValues(places, number) => model.n_values(&of(places), one(number)),
            Self::Arithmetic(operation, scope) => {
                let [x, y, z] = scope.map(|place| variables[place]);
                match operation {
                    Operation::Product => model.product(x, y, z),
                    Operation::Quotient => model.quotient(x, y, z),
                    Operation::Remainder => model.remainder(x, y, z),
                    Operation::Absolute => model.absolute(x, z),
                    Operation::Power(exponent) => model.power(x, *exponent, z),
                }
            }
            Self::Table(places, rows, true) => model.table(&of(places), rows),
            Self::Table(places, rows, false) => model.forbidden(&of(places), rows),
            Self::Element(index, array, result) => {
                model.element(one(index), &of(array), one(result))
            }
            Self::ElementConstants(index, array, result) => {
                model.element_constants(one(index), array, one(result))
            }
            Self::Minimum(result, places) => model.minimum(one(result), &of(places)),
            Self::Maximum(result, places) => model.maximum(one(result), &of(places)),
            Self::ArgMin(index, places) => model.arg_min(one(index), &of(places)),
            Self::ArgMax(index, places) => model.arg_max(one(index), &of(places)),
            Self::Circuit(places, false) => model.circuit(&of(places)),
            Self::Circuit(places, true) => model.circuit_connected(&of(places)),
            Self::Subcircuit(places) => model.subcircuit(&of(places)),
            Self::Lexicographic(left, right, true) => {
                model.lexicographic_strict(&of(left), &of(right))
            }
            Self::Lexicographic(left, right, false) => model.lexicographic(&of(left), &of(right)),
            Self::Ordered(order, [first, second]) => {
                model.ordered(one(order), task(first), task(second))
            }
            Self::Disjunctive(tasks) => model.disjunctive(tasks.iter().map(task)),
            Self::Regular(places, words) => model.regular(&of(places), &words.automaton()?),
            Self::Cumulative(tasks, capacity) => {
                let tasks = tasks.iter().map(|(place, duration, demand)| Task {
                    start: one(place),
                    duration: *duration,
                    demand: *demand,
                });
                model.cumulative(tasks, *capacity)
            }
            Self::CumulativeVariable(tasks, capacity) => {
                let tasks = tasks.iter().map(|places| {
                    let [start, duration, demand] = places.map(|place| variables[place]);
                    Task { start, duration, demand }
                });
                model.cumulative_variable(tasks, one(capacity))
            }
            Self::Conditional(indicator, is_equivalence, parts) => {
                match (&parts[..], *is_equivalence) {
                    ([Self::Linear(terms, range)], true) => {
                        model.linear_reified(one(indicator), sum(terms), range.clone())
                    }
                    (_, true) => {
                        model.reify(one(indicator), |model| state_all(parts, model, variables))
                    }
                    (_, false) => {
                        model.imply(one(indicator), |model| state_all(parts, model, variables))
                    }
                }
            }
        }
    }

    /// Returns the network of this constraint alone.
    pub fn network(&self, domains: &Domains) -> Network {
        let constraints = vec![self.clone()];
        NetworkSpec { domains: domains.clone(), constraints }.network()
    }

    /// Returns whether an assignment satisfies the definition of the constraint.
    pub fn holds(&self, values: &[i32]) -> bool {
        let at = |place: usize| i64::from(values[place]);
        let of = |places: &[usize]| -> Vec<i64> { places.iter().map(|&place| at(place)).collect() };
        let times = |places: &[usize], value: i64| {
            places.iter().filter(|&&place| at(place) == value).count() as i64
        };
        let precedes =
            |one: (usize, i32), other: (usize, i32)| at(one.0) + i64::from(one.1) <= at(other.0);
        // The highest demand is that at the start of a task.
        let fits = |tasks: &[[i64; 3]], capacity: i64| {
            tasks.iter().all(|&[time, ..]| {
                let running = tasks
                    .iter()
                    .filter(|[start, duration, _]| (*start..start + duration).contains(&time));
                running.map(|[.., demand]| demand).sum::<i64>() <= capacity
            })
        };
        match self {
            Self::Values(x, allowed) => allowed.contains(&values[*x]),
            Self::Linear(terms, range) => {
                range.contains(&terms.iter().map(|&(factor, place)| factor * at(place)).sum())
            }
            Self::SumAtMost(places, most) => of(places).iter().sum::<i64>() <= i64::from(*most),
            Self::DifferentBy(x, y, by) => at(*x) != at(*y) + i64::from(*by),
            Self::Pairs(x, y, pairs, allowed) => {
                pairs.contains(&(values[*x], values[*y])) == *allowed
            }
            Self::DifferentShifted(members) => {
                are_different(members.iter().map(|&(place, by)| at(place) + i64::from(by)))
            }
            Self::Different(places, _) => are_different(places.iter().map(|&place| at(place))),
            Self::AtMost(x, y, more) => at(*x) <= at(*y) + i64::from(*more),
            Self::CountIn(places, value, range) => {
                range.contains(&times(places, i64::from(*value)))
            }
            Self::Count(places, value, number) => at(*number) == times(places, i64::from(*value)),
            Self::Cardinality(places, ranges) => ranges
                .iter()
                .all(|(value, range)| range.contains(&times(places, i64::from(*value)))),
            Self::Among(places, set, number) => {
                at(*number) == set.iter().map(|&value| times(places, i64::from(value))).sum::<i64>()
            }
            Self::CountEqual(places, value, number) => at(*number) == times(places, at(*value)),
            Self::NValues(places, number) => {
                usize::try_from(at(*number)) == Ok(BTreeSet::from_iter(of(places)).len())
            }
            Self::Arithmetic(operation, scope) => {
                let [x, y, z] = scope.map(|place| i128::from(values[place]));
                match operation {
                    Operation::Product => x * y == z,
                    Operation::Quotient => x.checked_div(y) == Some(z),
                    Operation::Remainder => x.checked_rem(y) == Some(z),
                    Operation::Absolute => x.abs() == z,
                    Operation::Power(exponent) => x.pow(*exponent) == z,
                }
            }
            Self::Table(places, rows, allowed) => {
                let row: Vec<i32> = places.iter().map(|&place| values[place]).collect();
                rows.contains(&row) == *allowed
            }
            Self::Element(index, array, result) => {
                let place = usize::try_from(at(*index)).ok().and_then(|index| array.get(index));
                place.is_some_and(|&place| values[place] == values[*result])
            }
            Self::ElementConstants(index, array, result) => {
                let number = usize::try_from(at(*index)).ok().and_then(|index| array.get(index));
                number == Some(&values[*result])
            }
            Self::Minimum(result, places) => of(places).iter().min() == Some(&at(*result)),
            Self::Maximum(result, places) => of(places).iter().max() == Some(&at(*result)),
            Self::ArgMin(index, places) => {
                let first = (0..).zip(of(places)).min_by_key(|&(place, value)| (value, place));
                first.map(|(place, _)| place) == Some(at(*index))
            }
            Self::ArgMax(index, places) => {
                let first = (0..).zip(of(places)).min_by_key(|&(place, value)| (-value, place));
                first.map(|(place, _)| place) == Some(at(*index))
            }
            Self::Circuit(places, _) => on_circuit(&of(places)) == Some(places.len()),
            Self::Subcircuit(places) => on_circuit(&of(places)).is_some(),
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
            Self::Regular(places, words) => {
                let next =
                    |state, &place: &usize| words.transitions.get(&(state, values[place])).copied();
                places.iter().try_fold(0, next).is_some_and(|end| words.accepting.contains(&end))
            }
            Self::Cumulative(tasks, capacity) => {
                let tasks: Vec<[i64; 3]> = tasks
                    .iter()
                    .map(|&(place, duration, demand)| [at(place), duration.into(), demand.into()])
                    .collect();
                fits(&tasks, i64::from(*capacity))
            }
            Self::CumulativeVariable(tasks, capacity) => {
                let tasks: Vec<[i64; 3]> = tasks.iter().map(|task| task.map(at)).collect();
                at(*capacity) >= 0
                    && tasks.iter().all(|&[_, duration, demand]| duration >= 0 && demand >= 0)
                    && fits(&tasks, at(*capacity))
            }
            Self::Conditional(indicator, is_equivalence, parts) => {
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

fn state_all(
    constraints: &[Constraint],
    model: &mut Model,
    variables: &[Variable],
) -> Result<(), ModelError> {
    constraints.iter().try_for_each(|constraint| constraint.state(model, variables))
}

/// Returns the number of places on the only circuit, or `None` if there are several, or if these
/// are not successors. A place that is its own successor is left out, unless it is the only place.
fn on_circuit(successors: &[i64]) -> Option<usize> {
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

fn are_different(mut values: impl Iterator<Item = i64>) -> bool {
    let mut seen = BTreeSet::new();
    values.all(|value| seen.insert(value))
}

impl NetworkSpec {
    /// Checks the network against its definition; see [`oracle::check`].
    pub fn check(&self) -> Result<(), TestCaseError> {
        oracle::check(&self.network(), &self.solutions(), false)
    }

    pub fn network(&self) -> Network {
        self.model().build()
    }

    pub fn model(&self) -> Model {
        let (mut model, variables) = oracle::model(&self.domains);
        state_all(&self.constraints, &mut model, &variables).expect("a small constraint");
        model
    }

    /// Returns all solutions, by testing every assignment.
    pub fn solutions(&self) -> Solutions {
        oracle::solutions(&self.domains, |values| {
            self.constraints.iter().all(|constraint| constraint.holds(values))
        })
    }
}

/// Returns the network of pigeons that differ pair by pair, with one hole less.
pub fn pigeons(pigeons: usize) -> Network {
    let holes = (1..pigeons as i32).collect();
    Constraint::Different((0..pigeons).collect(), None).network(&vec![holes; pigeons])
}
