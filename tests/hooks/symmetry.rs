//! Symmetry hooks on small random problems with symmetric constraints, compared with brute force.

use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;
use secateurs::hook::{FirstChoices, LexLeader, Permutation, SymmetryError, SymmetryGroup};
use secateurs::{Branch, Path, Problem, Search};

/// Assignments of a value to each variable in a given order of variables, with a set of solutions.
struct Assignments {
    values: usize,
    /// The variable assigned at each depth.
    order: Vec<usize>,
    solutions: HashSet<Vec<usize>>,
}

impl Problem for Assignments {
    type State = Vec<Option<usize>>;
    type Cursor = usize;
    type Choice = usize;
    type Undo = ();

    fn root(&self) -> Vec<Option<usize>> {
        vec![None; self.order.len()]
    }
    fn branch(&self, state: &Vec<Option<usize>>) -> Branch<usize> {
        match state.iter().copied().collect::<Option<Vec<usize>>>() {
            Some(assignment) if self.solutions.contains(&assignment) => Branch::Solution,
            Some(_) => Branch::DeadEnd,
            None => Branch::Inner(0),
        }
    }
    fn next(&self, _: &Vec<Option<usize>>, cursor: &mut usize) -> Option<usize> {
        *cursor += 1;
        (*cursor <= self.values).then(|| *cursor - 1)
    }
    fn apply(&self, state: &mut Vec<Option<usize>>, &value: &usize) {
        let depth = state.iter().flatten().count();
        state[self.order[depth]] = Some(value);
    }
    fn undo(&self, state: &mut Vec<Option<usize>>, _: &usize, (): ()) {
        let depth = state.iter().flatten().count();
        state[self.order[depth - 1]] = None;
    }
}

fn lex_leader(
    group: SymmetryGroup,
) -> LexLeader<impl Fn(&Assignments, Path<'_, usize>, &usize) -> (usize, usize)> {
    LexLeader::new(group, |problem: &Assignments, path: Path<'_, usize>, &value: &usize| {
        (problem.order[path.len()], value)
    })
}

/// A map of pairs (variable, value): the image of a pair is at index variable · values + value.
type Map = Vec<(usize, usize)>;

/// Returns the group that the maps generate, by brute force, or `None` if it is too large.
fn closure(generators: &[Map], values: usize, identity: Map) -> Option<BTreeSet<Map>> {
    let mut group = BTreeSet::from([identity.clone()]);
    let mut fresh = vec![identity];
    while let Some(element) = fresh.pop() {
        for generator in generators {
            let product: Map = element
                .iter()
                .map(|&(variable, value)| generator[variable * values + value])
                .collect();
            if group.insert(product.clone()) {
                fresh.push(product);
            }
        }
        if group.len() > MAX_ORDER {
            return None;
        }
    }
    Some(group)
}

/// The largest order of the groups in these tests.
const MAX_ORDER: usize = 1_500;

/// Returns the image of an assignment, or `None` if the image is not an assignment.
fn image(assignment: &[usize], map: &Map, values: usize) -> Option<Vec<usize>> {
    let mut image = vec![None; assignment.len()];
    for (variable, &value) in assignment.iter().enumerate() {
        let (variable, value) = map[variable * values + value];
        if image[variable].replace(value).is_some() {
            return None;
        }
    }
    image.into_iter().collect()
}

fn assignments(variables: usize, values: usize) -> Vec<Vec<usize>> {
    let all = (0..values.pow(variables as u32)).map(|mut code| {
        let digits = (0..variables).map(|_| {
            let digit = code % values;
            code /= values;
            digit
        });
        digits.collect()
    });
    all.collect()
}

fn shuffled(n: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..n).collect::<Vec<usize>>()).prop_shuffle()
}

/// Generates a map that permutes variables and the values of each variable and, if there are as
/// many values as variables, may exchange variables with values; or any permutation of pairs.
fn generator(variables: usize, values: usize) -> impl Strategy<Value = Map> {
    let pairs: Map = (0..variables)
        .flat_map(|variable| (0..values).map(move |value| (variable, value)))
        .collect();
    let parts =
        (shuffled(variables), prop::collection::vec(shuffled(values), variables), any::<bool>());
    let structured = parts.prop_map(move |(of_variables, of_values, transpose)| {
        let map = |(variable, value): (usize, usize)| {
            let (variable, value) = (of_variables[variable], of_values[variable][value]);
            if transpose && variables == values { (value, variable) } else { (variable, value) }
        };
        let pairs =
            (0..variables).flat_map(|variable| (0..values).map(move |value| (variable, value)));
        pairs.map(map).collect::<Map>()
    });
    prop_oneof![4 => structured, 1 => Just(pairs).prop_shuffle()]
}

/// Generates the numbers of variables and values, generators of a symmetry group, the order of the
/// variables, and a seed for the solutions.
fn symmetric_problems() -> impl Strategy<Value = (usize, usize, Vec<Map>, Vec<usize>, u64)> {
    (1usize..=4, 1usize..=3).prop_flat_map(|(variables, values)| {
        let generators = prop::collection::vec(generator(variables, values), 0..=2);
        (Just(variables), Just(values), generators, shuffled(variables), any::<u64>())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn lex_leader_finds_the_smallest_member_of_each_orbit(
        (variables, values, generators, order, seed) in symmetric_problems(),
    ) {
        let identity: Map =
            (0..variables * values).map(|code| (code / values, code % values)).collect();
        let permutations: Vec<Permutation> = generators
            .iter()
            .map(|map| Permutation::from_images(variables, values, map).expect("a permutation"))
            .collect();
        let group = SymmetryGroup::generate(variables, values, &permutations, MAX_ORDER);
        let Some(maps) = closure(&generators, values, identity) else {
            prop_assert_eq!(group, Err(SymmetryError::TooLarge { limit: MAX_ORDER }));
            return Ok(());
        };
        let group = group.expect("a group within the limit");
        prop_assert_eq!(group.order(), maps.len());

        // The solutions are random orbits, among those whose members are all assignments.
        let mut solutions = HashSet::new();
        let mut smallest = BTreeSet::new();
        for assignment in assignments(variables, values) {
            let orbit: Option<BTreeSet<_>> =
                maps.iter().map(|map| image(&assignment, map, values)).collect();
            let Some(first) = orbit.and_then(|orbit| orbit.first().cloned()) else { continue };
            let hash = first.iter().fold(seed | 1, |hash, &value| {
                (hash ^ value as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
            });
            if hash % 3 != 0 {
                solutions.insert(assignment);
                smallest.insert(first);
            }
        }
        let all = solutions.len() as u128;
        let problem = Assignments { values, order, solutions };
        let found: BTreeSet<Vec<usize>> = Search::new(&problem)
            .hooks((lex_leader(group.clone()),))
            .extract(|node| node.state().iter().flatten().copied().collect())
            .solutions()
            .collect();
        prop_assert_eq!(&found, &smallest);
        let outcome = Search::new(&problem).hooks((lex_leader(group.clone()),)).count();
        prop_assert_eq!(outcome.representatives(), Some(smallest.len() as u128));
        prop_assert_eq!(outcome.exact(), Some(all));
        let outcome = Search::new(&problem).hooks((lex_leader(group),)).breadth_first().count();
        prop_assert_eq!(
            (outcome.representatives(), outcome.exact()),
            (Some(smallest.len() as u128), Some(all))
        );
    }
}

/// Letters of words over an alphabet are interchangeable: a new letter represents all unused ones.
#[test]
fn factors_of_first_choices_multiply() {
    let (length, letters) = (5, 4);
    let problem = Assignments {
        values: letters,
        order: (0..length).collect(),
        solutions: assignments(length, letters).into_iter().collect(),
    };
    for levels in 0..=length + 1 {
        let new_letter =
            FirstChoices::new("new letter", levels, |_: &Assignments, path, &letter| {
                let path: Path<'_, usize> = path;
                let used = path.iter().map(|&letter| letter + 1).max().unwrap_or(0);
                match letter {
                    old if old < used => 1,
                    new if new == used => (letters - used) as u64,
                    _ => 0,
                }
            });
        let outcome = Search::new(&problem).hooks((new_letter,)).count();
        assert_eq!(outcome.exact(), Some(1_024), "{levels} levels");
        if levels >= length {
            // Partitions of five places into at most four blocks: 1 + 15 + 25 + 10.
            assert_eq!(outcome.representatives(), Some(51));
        }
    }
}

#[test]
fn oversized_orbits_make_the_count_unknown() {
    let problem =
        Assignments { values: 1, order: vec![0, 1], solutions: HashSet::from([vec![0, 0]]) };
    let huge = FirstChoices::new("huge", 2, |_: &Assignments, _, _| u64::MAX);
    let outcome = Search::new(&problem).hooks((huge,)).count();
    assert_eq!((outcome.exact(), outcome.representatives()), (None, Some(1)));
}

#[test]
fn unassigned_variables_make_the_count_unknown() {
    let problem =
        Assignments { values: 2, order: vec![0], solutions: HashSet::from([vec![0], vec![1]]) };
    // The group has a variable that the problem never assigns.
    let exchange =
        Permutation::new(2, 2, |variable, value| (variable, 1 - value)).expect("a permutation");
    let group = SymmetryGroup::generate(2, 2, &[exchange], 2).expect("two elements");
    let outcome = Search::new(&problem).hooks((lex_leader(group),)).count();
    assert_eq!((outcome.exact(), outcome.representatives()), (None, Some(1)));
}

#[test]
fn errors_of_groups_and_permutations_name_the_cause() {
    let shift =
        |variables, values| Permutation::new(variables, values, |v, w| (v, (w + 1) % values));
    assert_eq!(
        Permutation::new(2, 2, |v, w| (v, w + 1)),
        Err(SymmetryError::Outside { pair: (0, 2), variables: 2, values: 2 })
    );
    assert_eq!(Permutation::new(2, 2, |v, _| (v, 0)), Err(SymmetryError::Twice { pair: (0, 0) }));
    assert_eq!(
        Permutation::from_images(2, 2, &[(0, 0)]),
        Err(SymmetryError::Length { found: 1, expected: 4 })
    );
    assert!(matches!(
        Permutation::identity(1 << 20, 1 << 20),
        Err(SymmetryError::TooManyPairs { .. })
    ));
    let shift_of_3 = shift(2, 3).expect("a permutation");
    assert_eq!(
        SymmetryGroup::generate(2, 2, std::slice::from_ref(&shift_of_3), 9),
        Err(SymmetryError::Size { found: (2, 3), expected: (2, 2) })
    );
    assert_eq!(
        SymmetryGroup::generate(2, 3, std::slice::from_ref(&shift_of_3), 2),
        Err(SymmetryError::TooLarge { limit: 2 })
    );
    assert_eq!(SymmetryGroup::generate(2, 3, &[shift_of_3], 3).map(|group| group.order()), Ok(3));
    assert_eq!(SymmetryGroup::generate(2, 3, &[], 1).map(|group| group.order()), Ok(1));
}
