//! Families of sets, compared with plain sets of sets.

use std::collections::BTreeSet;
use std::time::Duration;

use fastrand::Rng;
use proptest::prelude::*;
use secateurs::checkpoint::{Fingerprint, LoadError};
use secateurs::plug::algebra::Natural;
use secateurs::plug::{
    Both, ContourProblem, Family, FamilyError, RandomSets, RankedSets, Sets, Sweep,
};
use secateurs::search::Frontier;
use secateurs::{Cancel, Direction, Effect, Limits, Stop, Verdict};
use secateurs_problems::catalogue::graphs::{Matchings, SimplePaths, SpanningSubgraphs};
use secateurs_problems::graph::{Graph, Order};

use crate::automata;
use crate::shared::sweep_hooks::TestHook;
use crate::support::scratch::Directory;
use crate::support::sizes::sized;

type Plain = BTreeSet<Vec<usize>>;

/// Returns a random set of elements below `universe`, each taken with a probability of `share` / 8.
fn random_set(rng: &mut Rng, universe: usize, share: u32) -> Vec<usize> {
    (0..universe).filter(|_| rng.u32(..8) < share).collect()
}

/// Returns random sets: none, few, or many.
fn random_sets(rng: &mut Rng, universe: usize) -> Plain {
    let most = [1, 3, 12, 60][rng.usize(..4)];
    let share = rng.u32(..9);
    (0..rng.usize(..=most)).map(|_| random_set(rng, universe, share)).collect()
}

fn plain(family: &Family) -> Plain {
    family.sets().collect()
}

fn family_of(universe: usize, sets: &Plain) -> Family {
    Family::from_sets(universe, sets.iter().cloned()).expect("elements of the universe")
}

fn filtered(sets: &Plain, keeps: impl Fn(&Vec<usize>) -> bool) -> Plain {
    sets.iter().filter(|set| keeps(set)).cloned().collect()
}

#[test]
fn operations_agree_with_plain_sets_on_random_families() {
    for seed in 0..sized(700, 10_000) {
        let mut rng = Rng::with_seed(seed);
        let universe = rng.usize(..9);
        let sets = random_sets(&mut rng, universe);
        let others = match rng.u32(..4) {
            0 => filtered(&sets, |set| set.len() % 2 == 0),
            _ => random_sets(&mut rng, universe),
        };
        let (family, other) = (family_of(universe, &sets), family_of(universe, &others));

        // Questions.
        assert_eq!(family.sets().collect::<Vec<_>>(), sets.iter().cloned().collect::<Vec<_>>());
        assert_eq!(family.count(), Ok(sets.len() as u128), "{seed}");
        assert_eq!(family.is_empty(), sets.is_empty());
        assert_eq!(family == other, sets == others, "{seed}: {family} {other}");
        for _ in 0..5 {
            let mut set = random_set(&mut rng, universe + 1, 4);
            let is_in = sets.contains(&set);
            rng.shuffle(&mut set);
            assert_eq!(family.contains(set.iter().copied()), is_in, "{seed}: {set:?}");
        }
        assert!(sets.iter().all(|set| family.contains(set.iter().copied())), "{seed}");
        let mut sizes = vec![0_u32; sets.iter().map(|set| set.len() + 1).max().unwrap_or(0)];
        sets.iter().for_each(|set| sizes[set.len()] += 1);
        let sizes: Vec<Natural> = sizes.into_iter().map(Natural::from).collect();
        assert_eq!(family.counts_by_size(), Ok(sizes), "{seed}");
        assert_eq!(family.count_natural(), Ok(Natural::from(sets.len() as u32)), "{seed}");
        let drawn: Vec<_> = family.random_sets(seed).unwrap().take(3).collect();
        assert_eq!(drawn.len(), if sets.is_empty() { 0 } else { 3 }, "{seed}");
        assert!(drawn.iter().all(|set| sets.contains(set)), "{seed}: {drawn:?}");

        // Restrictions.
        let element = rng.usize(..=universe);
        let check = |found: Result<Family, FamilyError>, expected: Plain, operation: &str| {
            let found = found.expect(operation);
            assert_eq!(plain(&found), expected, "{seed}: {operation} of {family}, {other}");
            // The diagram is reduced: it equals the one made of the sets.
            assert_eq!(found, family_of(found.universe(), &expected), "{seed}: {operation}");
        };
        let with = filtered(&sets, |set| set.contains(&element));
        check(family.including(element), with, "including");
        let without = filtered(&sets, |set| !set.contains(&element));
        check(family.excluding(element), without, "excluding");
        let set = random_set(&mut rng, universe + 1, 5);
        let below = filtered(&sets, |one| one.iter().all(|element| set.contains(element)));
        check(family.subsets_of(set.iter().copied()), below, "subsets_of");
        let set = random_set(&mut rng, universe + 1, 2);
        let above = filtered(&sets, |one| set.iter().all(|element| one.contains(element)));
        check(family.supersets_of(set.iter().copied()), above, "supersets_of");
        let (least, most) = (rng.usize(..6), rng.usize(..9));
        let sized = filtered(&sets, |set| (least..=most).contains(&set.len()));
        check(family.of_size(least..=most), sized, "of_size");
        let weights: Vec<i64> = (0..universe).map(|_| rng.i64(-9..10)).collect();
        let weight = |set: &Vec<usize>| set.iter().map(|&element| weights[element]).sum::<i64>();
        for direction in [Direction::Minimise, Direction::Maximise] {
            let mut ranked = family.ranked(direction, |element| weights[element]).unwrap();
            let by_weight: Vec<(i64, Vec<usize>)> = ranked.by_ref().collect();
            assert_eq!((ranked.stop(), ranked.next()), (Stop::Exhausted, None));
            let in_order =
                by_weight.windows(2).all(|pair| !direction.is_better(&pair[1].0, &pair[0].0));
            assert!(in_order, "{seed}: {by_weight:?}");
            assert!(by_weight.iter().all(|(known, set)| *known == weight(set)), "{seed}");
            assert_eq!(by_weight.len(), sets.len(), "{seed}");
            assert_eq!(by_weight.into_iter().map(|(_, set)| set).collect::<Plain>(), sets);
        }
        let (least, most) = (rng.i64(-20..10), rng.i64(-10..20));
        let weighed = filtered(&sets, |set| (least..most).contains(&weight(set)));
        check(family.of_weight(|element| weights[element], least..most), weighed, "of_weight");

        // Combinations.
        let union = sets.union(&others).cloned().collect();
        check(family.union(&other), union, "union");
        let intersection = sets.intersection(&others).cloned().collect();
        check(family.intersection(&other), intersection, "intersection");
        let difference = sets.difference(&others).cloned().collect();
        check(family.difference(&other), difference, "difference");
        let symmetric = sets.symmetric_difference(&others).cloned().collect();
        check(family.symmetric_difference(&other), symmetric, "symmetric_difference");

        // Sets in relation to other sets.
        let is_subset = |one: &Vec<usize>, of: &Vec<usize>| one.iter().all(|at| of.contains(at));
        let within = filtered(&sets, |one| others.iter().any(|other| is_subset(one, other)));
        check(family.subsets_of_any(&other), within, "subsets_of_any");
        let around = filtered(&sets, |one| others.iter().any(|other| is_subset(other, one)));
        check(family.supersets_of_any(&other), around, "supersets_of_any");
        let is_proper = |one: &Vec<usize>, of: &Vec<usize>| one != of && is_subset(one, of);
        let maximal = filtered(&sets, |one| !sets.iter().any(|other| is_proper(one, other)));
        check(family.maximal(), maximal, "maximal");
        let minimal = filtered(&sets, |one| !sets.iter().any(|other| is_proper(other, one)));
        check(family.minimal(), minimal, "minimal");
        let complement = |set: &Vec<usize>| -> Vec<usize> {
            (0..universe).filter(|element| !set.contains(element)).collect()
        };
        check(family.complements(), sets.iter().map(complement).collect(), "complements");
        let all = plain(&Family::power_set(universe).unwrap());
        let hits = |one: &Vec<usize>, other: &Vec<usize>| one.iter().any(|at| other.contains(at));
        let hitting = filtered(&all, |one| sets.iter().all(|other| hits(one, other)));
        check(family.hitting_sets(), hitting, "hitting_sets");
    }
}

proptest! {
    #[test]
    fn a_sweep_makes_the_family_of_its_solutions(
        automaton in automata::automata(),
        threads in 1_usize..4,
        mask in 0_u8..4,
    ) {
        // Two elements for each cell; those outside of the mask are left out, so that several
        // solutions have the same set.
        let elements = |cell: usize, label: u8| {
            let bits = (0..2).rev().filter(move |bit| (label & mask) >> bit & 1 == 1);
            bits.map(move |bit| 2 * cell + bit)
        };
        let universe = 2 * automaton.cells();
        let set = |labels: Vec<u8>| {
            let mut set: Vec<usize> = labels
                .into_iter()
                .enumerate()
                .flat_map(|(cell, label)| elements(cell, label))
                .collect();
            set.sort_unstable();
            set
        };
        let expected: Plain = automaton.solutions().into_iter().map(set).collect();
        let sweep = Sweep::new(&automaton).threads(threads);
        let family = sweep.family(universe, elements).unwrap();
        prop_assert_eq!(plain(&family), expected.clone());
        prop_assert_eq!(&family, &family_of(universe, &expected));
        let retained = Sweep::new(&automaton).threads(threads).retain_layers().unwrap();
        prop_assert_eq!(&retained.family(universe, elements).unwrap(), &family);
        // The family is a contour problem with the same solutions.
        prop_assert_eq!(Sweep::new(&family).count().exact(), Some(expected.len() as u128));
    }
}

/// Returns the family of the paths between two corners of a grid of n × n squares.
fn paths(n: usize, limits: Limits) -> Result<Family, FamilyError> {
    let grid = Graph::grid(&[n + 1, n + 1]).expect("a small grid");
    let paths = SimplePaths::new(&Order::narrowest(&grid), 0, (n + 1) * (n + 1) - 1);
    let paths = paths.expect("two different corners");
    Sweep::new(&paths).limits(limits).family(grid.edge_count(), |edge, taken| taken.then_some(edge))
}

#[test]
fn families_of_paths_have_the_known_numbers_of_sets() {
    for (n, count) in [(1, 2), (2, 12), (3, 184), (4, 8512), (5, 1_262_816), (6, 575_780_564)] {
        let family = paths(n, Limits::new()).unwrap();
        assert_eq!(family.count(), Ok(count));
        // Every path has an even length of at least 2 n.
        assert_eq!(family.of_size(..2 * n).unwrap().count(), Ok(0));
        let shortest = family.of_size(2 * n..=2 * n).unwrap().count().unwrap();
        assert_eq!(shortest, [2, 6, 20, 70, 252, 924][n - 1]);
    }
}

#[test]
#[ignore = "seconds: cargo test --release --test plug -- --ignored ten_by_ten"]
fn ten_by_ten_squares_have_the_known_number_of_paths() {
    let family = paths(10, Limits::new()).unwrap();
    assert_eq!(family.count(), Ok(1_568_758_030_464_750_013_214_100));
}

#[test]
fn matchings_and_forests_agree_with_their_counts() {
    let grid = Graph::grid(&[4, 4]).unwrap();
    let order = Order::narrowest(&grid);
    let edges = grid.edge_count();
    let matchings = Matchings::new(&order);
    let matchings = Sweep::new(&matchings).family(edges, |cell, taken| taken.then_some(cell));
    let forests = SpanningSubgraphs::forests(&order);
    let forests = Sweep::new(&forests).family(edges, |cell, taken| taken.then_some(cell));
    let (matchings, forests) = (matchings.unwrap(), forests.unwrap());
    assert_eq!((matchings.count(), forests.count()), (Ok(10_012), Ok(8_790_016)));
    // Every matching is a forest.
    assert!(matchings.difference(&forests).unwrap().is_empty());
    assert_eq!(matchings.intersection(&forests).unwrap(), matchings);
    // The same, without building the intersection.
    let both = Both::new(&matchings, &forests).unwrap().only(|_, (one, other)| one == other);
    assert_eq!(Sweep::new(&both).count().exact(), Some(10_012));
}

#[test]
fn universes_of_any_size_are_handled() {
    let none = Family::empty(0).unwrap();
    let unit = Family::power_set(0).unwrap();
    assert_eq!((none.count(), unit.count()), (Ok(0), Ok(1)));
    assert_eq!((none.to_string(), unit.to_string()), ("{}".to_owned(), "{{}}".to_owned()));
    assert!(unit.contains([]) && !none.contains([]) && !unit.contains([usize::MAX]));
    assert!(unit.including(usize::MAX).unwrap().is_empty());
    assert_eq!(unit.union(&none).unwrap(), unit);

    // A family of a larger universe: the result has the larger one.
    let wide = Family::from_sets(9, [[8]]).unwrap();
    assert_eq!(unit.union(&wide).unwrap(), Family::from_sets(9, [vec![], vec![8]]).unwrap());
    assert_eq!(wide.supersets_of_any(&unit).unwrap(), wide);
    assert_eq!(unit.subsets_of_any(&wide).unwrap().universe(), 9);
    assert_eq!((none.hitting_sets().unwrap(), unit.hitting_sets().unwrap()), (unit.clone(), none));
    assert_ne!(Family::empty(1).unwrap(), Family::empty(2).unwrap());

    // Deep diagrams do not exhaust the call stack.
    let deep = Family::power_set(100_000).unwrap();
    assert_eq!(deep.count(), Err(FamilyError::Stopped(Stop::CountOverflow)));
    assert_eq!(deep.excluding(7).unwrap().nodes(), 99_999);
    assert_eq!(deep.of_size(100_000..).unwrap().count(), Ok(1));
    assert_eq!(deep.sets().nth(60_000).map(|set| set.len()), Some(60_000));
    assert_eq!(deep.union(&deep.including(9).unwrap()).unwrap(), deep);
    assert_eq!(deep.maximal().unwrap().count(), Ok(1));
    assert_eq!(deep.complements().unwrap(), deep);

    // The largest element.
    let largest = Family::MAX_UNIVERSE - 1;
    let one = Family::from_sets(Family::MAX_UNIVERSE, [[largest]]).unwrap();
    assert_eq!(one.including(largest).unwrap(), one);
    assert!(one.excluding(largest).unwrap().is_empty());
    assert_eq!(
        (one.maximal().unwrap(), one.subsets_of_any(&one).unwrap()),
        (one.clone(), one.clone())
    );
    assert_eq!(one.counts_by_size().unwrap(), [0_u32, 1].map(Natural::from));
    let largest = Family::empty(Family::MAX_UNIVERSE).unwrap();
    assert_eq!(largest.counts_by_size().unwrap(), []);
    // A complement has a node for each of the other elements.
    let limited = one.limits(Limits::new().memory(1 << 20));
    for result in [limited.complements(), limited.minimal(), limited.hitting_sets()] {
        assert_eq!(result.unwrap_err(), FamilyError::Stopped(Stop::MemoryLimit));
    }
}

#[test]
fn elements_outside_of_the_universe_are_refused() {
    let error = Family::from_sets(3, [vec![0], vec![1, 7, 9]]).unwrap_err();
    assert_eq!(error, FamilyError::NoSuchElement { element: 7, universe: 3 });
    assert_eq!(error.to_string(), "found element 7, expected one of 3 counted from 0");
    let universe = Family::MAX_UNIVERSE + 1;
    let error = Family::power_set(universe).unwrap_err();
    assert_eq!(error, FamilyError::TooLarge { universe, limit: Family::MAX_UNIVERSE });
    assert!(Family::empty(universe).is_err());

    let automaton = Family::power_set(3).unwrap();
    let error = Sweep::new(&automaton).family(2, |cell, taken| taken.then_some(cell));
    assert_eq!(error, Err(FamilyError::NoSuchElement { element: 2, universe: 2 }));
    let error = Sweep::new(&automaton).family(3, |cell, taken| taken.then_some(2 - cell));
    assert_eq!(error, Err(FamilyError::Unordered { cell: 1, element: 1, later: 0 }));
    let message = error.unwrap_err().to_string();
    assert!(message.contains("cell 1 (counted from 0): found element 1, expected one below 0"));
}

#[test]
fn hooks_must_preserve_all_solutions() {
    let all = Family::power_set(3).unwrap();
    // There is no such cell: the claim alone counts.
    let drops = |effect| {
        TestHook::entering("drops", effect, |_: &Family, cell, _| Verdict::prune_if(cell == 9))
    };
    let build = |effect| {
        Sweep::new(&all).hook(drops(effect)).family(3, |cell, taken| taken.then_some(cell))
    };
    assert_eq!(build(Effect::Preserving).unwrap(), all);
    let retained = Sweep::new(&all).hook(drops(Effect::OptimumOnly)).retain_layers().unwrap();
    let error = retained.family(3, |cell, taken| taken.then_some(cell)).unwrap_err();
    assert_eq!(error, FamilyError::Incomplete { effect: Effect::OptimumOnly });
    let error = build(Effect::Lossy).unwrap_err();
    assert_eq!(error, FamilyError::Incomplete { effect: Effect::Lossy });
    assert_eq!(error.stop(), None);
}

#[test]
fn limits_stop_operations_visibly() {
    let cancel = Cancel::new();
    cancel.cancel();
    let cases = [
        (Limits::new().memory(20_000), Stop::MemoryLimit),
        (Limits::new().time(Duration::ZERO), Stop::TimeLimit),
        (Limits::new().cancel(&cancel), Stop::Cancelled),
    ];
    for (limits, stop) in cases {
        assert_eq!(paths(5, limits.clone()).unwrap_err().stop(), Some(stop));
        let family = paths(5, Limits::new()).unwrap().limits(limits);
        assert_eq!(family.count().unwrap_err().stop(), Some(stop), "{stop}");
        let results = [
            family.excluding(40),
            family.union(&family),
            family.of_size(..30),
            family.complements(),
            family.maximal(),
            family.hitting_sets(),
        ];
        for result in results {
            assert_eq!(result.unwrap_err(), FamilyError::Stopped(stop));
        }
    }
    let error = paths(5, Limits::new().memory(40_000)).unwrap_err();
    assert!(error.to_string().contains("memory limit"), "{error}");
    // Results have the limits of the family that they are made of.
    let family = Family::power_set(2_000).unwrap().limits(Limits::new().memory(150_000));
    let few = family.excluding(1).unwrap();
    assert_eq!(few.of_size(500..).unwrap_err().stop(), Some(Stop::MemoryLimit));
}

#[test]
fn counts_by_size_ignore_the_limits_of_a_sweep() {
    let limits = Limits::new().states(1).nodes(1).depth(1);
    let family = Family::power_set(5).unwrap().of_size(1..4).unwrap().limits(limits);
    let expected = [0_u32, 5, 10, 10].map(Natural::from);
    assert_eq!(family.counts_by_size().unwrap(), expected);
}

#[test]
fn large_counts_stop_at_a_memory_limit() {
    // Two of these diagrams have fewer nodes than the clock is checked in.
    for (universe, memory) in [(2_000, 150_000), (4_000, 400_000), (20_000, 2_000_000)] {
        let family = Family::power_set(universe).unwrap();
        assert!(family.count_natural().is_ok());
        let limited = family.limits(Limits::new().memory(memory));
        assert_eq!(limited.count_natural(), Err(FamilyError::Stopped(Stop::MemoryLimit)));
    }
}

#[test]
fn weights_that_do_not_fit_are_reported() {
    let all = Family::power_set(2).unwrap();
    let error = all.of_weight(|_| i64::MAX, ..).unwrap_err();
    assert_eq!(error, FamilyError::Stopped(Stop::CountOverflow));
    let some = all.of_size(..2).unwrap();
    assert_eq!(some.of_weight(|_| i64::MAX, i64::MAX..).unwrap().count(), Ok(2));
    assert_eq!(some.of_weight(|_| i64::MIN, ..=i64::MIN).unwrap().count(), Ok(2));
}

#[test]
fn weights_that_fit_are_exact_although_a_sum_on_the_way_does_not() {
    let family = Family::from_sets(3, [vec![0, 1, 2], vec![0, 2]]).unwrap();
    let weights = [i64::MAX, 10, -20];
    let light = family.of_weight(|element| weights[element], ..=i64::MAX - 15).unwrap();
    assert_eq!(plain(&light), Plain::from([vec![0, 2]]));
}

#[test]
fn weights_beyond_64_bits_end_an_iterator_visibly() {
    let all = Family::power_set(2).unwrap();
    let error = all.ranked(Direction::Maximise, |_| i64::MAX).unwrap_err();
    assert_eq!(error, FamilyError::Stopped(Stop::CountOverflow));
    let mut ranked = all.ranked(Direction::Minimise, |_| i64::MAX).unwrap();
    assert_eq!(
        ranked.by_ref().map(|(weight, _)| weight).collect::<Vec<_>>(),
        [0, i64::MAX, i64::MAX]
    );
    assert_eq!(ranked.stop(), Stop::CountOverflow);
}

#[test]
fn a_memory_limit_ends_an_iterator_visibly() {
    let family = Family::power_set(1_000).unwrap().limits(Limits::new().memory(100_000));
    let mut ranked = family.ranked(Direction::Minimise, |element| element as i64).unwrap();
    let returned = ranked.by_ref().count();
    assert!((1..2_000).contains(&returned), "{returned}");
    assert_eq!(ranked.stop(), Stop::MemoryLimit);
}

#[test]
fn random_sets_are_uniform_and_repeatable() {
    let sets = [vec![], vec![0, 3], vec![1], vec![1, 2, 3], vec![2]];
    let family = Family::from_sets(5, sets.clone()).unwrap();
    let drawn: Vec<_> = family.random_sets(3).unwrap().take(5_000).collect();
    for set in &sets {
        let times = drawn.iter().filter(|one| *one == set).count();
        assert!((850..1150).contains(&times), "{set:?}: {times}");
    }
    assert_eq!(family.random_sets(3).unwrap().take(5_000).collect::<Vec<_>>(), drawn);
    // More sets than 128 bits can count: 2^300.
    let all = Family::power_set(300).unwrap();
    let sets = "2037035976334486086268445688409378161051468393665936250636140449354381299763336706\
                183397376";
    assert_eq!(all.count_natural().unwrap().to_string(), sets);
    let size = |set: Vec<usize>| set.len();
    let mean = all.random_sets(1).unwrap().take(100).map(size).sum::<usize>() / 100;
    assert!((145..155).contains(&mean), "{mean}");
}

proptest! {
    #[test]
    fn families_are_saved_and_loaded(universe in 0..9_usize, seed: u64) {
        let mut rng = Rng::with_seed(seed);
        let family = family_of(universe, &random_sets(&mut rng, universe));
        let fingerprint = Fingerprint::new("random sets", &universe);
        let mut file = Vec::new();
        family.write(&mut file, &fingerprint).unwrap();
        prop_assert_eq!(Family::read(&file[..], &fingerprint).unwrap(), family);

        // Every change of a byte is refused, and every other length.
        let changed = rng.usize(..file.len());
        let mut damaged = file.clone();
        damaged[changed] ^= rng.u8(1..);
        prop_assert!(Family::read(&damaged[..], &fingerprint).is_err(), "byte {}", changed);
        prop_assert!(Family::read(&file[..changed], &fingerprint).is_err(), "byte {}", changed);
        file.push(0);
        prop_assert!(Family::read(&file[..], &fingerprint).is_err());
    }
}

#[test]
fn a_file_of_another_family_is_refused_with_the_difference() {
    let directory = Directory::new();
    let (path, paths) = (directory.file(), paths(6, Limits::new()).unwrap());
    let fingerprint = |squares: usize| Fingerprint::new("paths in a grid", &squares);
    paths.save(&path, &fingerprint(6)).unwrap();
    assert_eq!(Family::load(&path, &fingerprint(6)).unwrap(), paths);
    let error = Family::load(&path, &fingerprint(7)).unwrap_err();
    assert!(matches!(error.reason(), LoadError::OtherFingerprint { .. }), "{error}");
    // Saving replaces the file.
    let few = paths.of_size(..14).unwrap();
    few.save(&path, &fingerprint(6)).unwrap();
    assert_eq!(Family::load(&path, &fingerprint(6)).unwrap(), few);
    let error = few.save(directory.0.join("missing/file"), &fingerprint(6)).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
    let error = Frontier::<u32>::load(&path, &fingerprint(6)).unwrap_err();
    assert!(error.to_string().contains("holds a family of sets, expected a frontier"), "{error}");
}

#[test]
fn the_format_of_files_is_stable() {
    let family = Family::from_sets(3, [vec![0], vec![0, 2], vec![1]]).unwrap();
    let mut file = Vec::new();
    family.write(&mut file, &Fingerprint::new("three", &())).unwrap();
    let hexadecimal: String = file.iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = [
        "534543415445555209000400000000000000000000000000f3d5f9661a00000000000000fd07a92405746872",
        "65658d8bd794d6ae88dce28485d8fbc0cb93e2d801004ecf4fe503000000000000002117d5f3030304787ef2",
        "1b2400000000000000178c969401000000000000000100000002000000010000000100000000000000020000",
        "0003000000fab82e230000000000000000bee7d4a3",
    ];
    assert_eq!(hexadecimal, expected.concat());
}

#[test]
fn the_first_sets_are_displayed() {
    let family = Family::power_set(6).unwrap();
    let text = family.to_string();
    assert!(text.starts_with("{{}, {0}, {0, 1}, {0, 1, 2}"), "{text}");
    assert!(text.ends_with(", …}"), "{text}");
    assert_eq!(text.matches('{').count(), 1 + 20);
    assert_eq!(format!("{family:?}"), "Family { universe: 6, nodes: 6, .. }");
}

#[test]
fn types_of_families_are_send_and_sync() {
    fn shared<T: Send + Sync>() {}
    shared::<Family>();
    shared::<FamilyError>();
    shared::<Sets<'_>>();
    shared::<RandomSets<'_>>();
    shared::<RankedSets<'_, fn(usize) -> i64>>();
}
