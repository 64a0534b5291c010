//! The model problems whose states can be merged, against plain searches and enumerations.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::iter;
use std::ops::RangeInclusive;

use proptest::prelude::*;
use secateurs::diagram::{AdditiveValue, DiagramProblem};
use secateurs::{Branch, Limits, Objective, Problem, Search};
use secateurs_lab::Audit;
use secateurs_problems::clique::Cliques;
use secateurs_problems::graph::Graph;
use secateurs_problems::independent_set::IndependentSets;
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::max_2sat::{MaxTwoSat, PartialAssignment};
use secateurs_problems::tardiness::{Job, Tardiness};
use secateurs_problems::tsptw::{PartialTour, TimeWindows};

pub type ModelObjective<P, V> = Objective<P, V, fn(&P, &<P as Problem>::State) -> V>;

/// Solves an instance by a plain search, by diagrams of several widths, with and without `rough`,
/// and with the bound as a hook. Returns the optimum, if there is a solution.
fn optimum<P, V>(
    problem: &P,
    objective: impl Fn() -> ModelObjective<P, V>,
    rough: fn(&P, &P::State) -> V,
) -> Result<Option<V>, TestCaseError>
where
    P: DiagramProblem<Choice: Clone>,
    V: AdditiveValue,
{
    let value = objective();
    let best = Search::new(problem).best(&value).proven().cloned();
    for width in [1, 2, 3, 7, usize::MAX] {
        let value = objective();
        let outcome = Search::new(problem).diagrams(&value, width).best(&value);
        prop_assert_eq!(outcome.proven(), best.as_ref(), "width {}", width);
        let value = objective();
        let outcome = Search::new(problem).diagrams(&value, width).rough(rough).best(&value);
        prop_assert_eq!(outcome.proven(), best.as_ref(), "width {}, rough", width);
        let value = objective();
        let hook = value.relaxed_bound("diagrams", width).rough(rough);
        let outcome = Search::new(problem).hook(hook).best(&value);
        prop_assert_eq!(outcome.proven(), best.as_ref(), "width {}, as a hook", width);
    }
    // Uniting equal states is enough.
    let value = objective();
    let restricted = Search::new(problem).restricted(&value, usize::MAX).best(&value);
    prop_assert_eq!(restricted.proven(), best.as_ref());
    Ok(best)
}

/// Checks at every node of the tree that no solution below a node beats its bounds, and audits the
/// merged states.
fn check_bounds<P, V>(
    problem: &P,
    objective: &ModelObjective<P, V>,
    rough: fn(&P, &P::State) -> V,
    value: fn(&P, &P::State) -> V,
) -> Result<(), TestCaseError>
where
    P: DiagramProblem<State: Clone + Debug + PartialEq, Choice: Clone + Debug>,
    V: AdditiveValue,
{
    fn best_below<P: Problem, V: Ord>(
        problem: &P,
        state: &mut P::State,
        value: fn(&P, &P::State) -> V,
        better: &impl Fn(V, V) -> V,
    ) -> Option<V> {
        use secateurs::Branch::{Inner, SolutionInner};
        let branch = problem.branch(state);
        let mut best = branch.is_solution().then(|| value(problem, state));
        if let Inner(mut cursor) | SolutionInner(mut cursor) = branch {
            while let Some(choice) = problem.next(state, &mut cursor) {
                let undo = problem.apply(state, &choice);
                let below = best_below(problem, state, value, better);
                problem.undo(state, &choice, undo);
                best = match (best, below) {
                    (Some(one), Some(other)) => Some(better(one, other)),
                    (one, other) => one.or(other),
                };
            }
        }
        best
    }
    let direction = objective.incumbent().direction();
    let better = |one: V, other: V| if direction.is_better(&other, &one) { other } else { one };
    let mut relaxed = objective.relaxed_bound("diagrams", 2);
    let mut wrong = 0;
    let _ = Search::new(problem)
        .watch("bounds", |node| {
            let mut state = node.state().clone();
            if let Some(best) = best_below(problem, &mut state, value, &better) {
                let bounds = [Some(rough(problem, &state)), relaxed.at(problem, &state)];
                let holds = |bound: &Option<V>| {
                    bound.as_ref().is_some_and(|bound| !direction.is_better(&best, bound))
                };
                wrong += u32::from(!bounds.iter().all(holds));
            }
        })
        .count();
    prop_assert_eq!(wrong, 0);
    let audit = Audit::of_best(problem, objective).merges().run();
    audit.map(|_| ()).map_err(|violation| TestCaseError::fail(violation.to_string()))
}

/// Generates graphs in which each pair of vertices is adjacent with this probability.
fn graphs(vertices: RangeInclusive<usize>, density: f64) -> impl Strategy<Value = Graph> {
    vertices.prop_flat_map(move |number| {
        let pairs = number * number.saturating_sub(1) / 2;
        let has = proptest::collection::vec(proptest::bool::weighted(density), pairs);
        has.prop_map(move |has| {
            let pairs = (0..number).flat_map(|one| (0..one).map(move |other| (other, one)));
            let edges = pairs.zip(has).filter_map(|(pair, has)| has.then_some(pair));
            Graph::from_edges(number, edges).expect("a simple graph")
        })
    })
}

fn jobs(most: usize) -> impl Strategy<Value = Tardiness> {
    let job = (0..9_u32, 0..25_u32, 0..4_u32).prop_map(|(duration, due, weight)| Job {
        duration,
        due,
        weight,
    });
    proptest::collection::vec(job, 0..=most)
        .prop_map(|jobs| Tardiness::new(jobs).expect("few jobs"))
}

fn items(most: usize) -> impl Strategy<Value = Knapsack> {
    (0..60_u64, proptest::collection::vec((0..20_u64, 0..20_u64), 0..=most))
        .prop_map(|(capacity, items)| Knapsack::new(capacity, items).expect("small sums"))
}

/// Compares the optimum and the count of independent sets with those of the cliques of the
/// complement, and checks a largest set.
fn check_independent_sets(graph: &Graph) -> Result<(), TestCaseError> {
    let sets = IndependentSets::new(graph).expect("few vertices");
    let best = optimum(&sets, IndependentSets::size, IndependentSets::bound)?;
    let number = graph.vertices();
    let edges: Vec<_> = graph.edges().collect();
    let pairs = (0..number).flat_map(|one| (0..one).map(move |other| (other, one)));
    let others = pairs
        .filter(|&(one, other)| !edges.contains(&(one, other)) && !edges.contains(&(other, one)));
    let complement = Graph::from_edges(number, others).expect("a simple graph");
    let cliques = Cliques::new(&complement).expect("few vertices");
    prop_assert_eq!(cliques.maximum(Limits::new()).proven().copied(), best);
    let size = IndependentSets::size();
    let outcome = Search::new(&sets).best(&size);
    let set = IndependentSets::taken(outcome.solution().expect("at least the empty set"));
    prop_assert_eq!(Some(set.len()), best);
    prop_assert!(!graph.edges().any(|(one, other)| set.contains(&one) && set.contains(&other)));
    // Both trees have each set once.
    prop_assert_eq!(Search::new(&sets).count().exact(), Search::new(&cliques).count().exact());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// The order of the vertices is replaced in graphs of this size.
    #[test]
    fn larger_independent_sets_are_the_cliques_of_the_complement(graph in graphs(35..=40, 0.6)) {
        check_independent_sets(&graph)?;
    }
}

proptest! {
    #[test]
    fn independent_sets_are_the_cliques_of_the_complement(graph in graphs(0..=12, 0.5)) {
        check_independent_sets(&graph)?;
    }

    #[test]
    fn schedules_have_the_least_tardiness_of_all_orders(jobs in jobs(7)) {
        let best = optimum(&jobs, Tardiness::objective, Tardiness::bound)?;
        // All orders, without a tree.
        fn least(jobs: &[Job], time: u32) -> u32 {
            let rest = |skipped| {
                jobs.iter().enumerate().filter(move |&(index, _)| index != skipped)
            };
            let first = (0..jobs.len()).map(|index| {
                let Job { duration, due, weight } = jobs[index];
                let end = time + duration;
                let others: Vec<Job> = rest(index).map(|(_, &job)| job).collect();
                weight * end.saturating_sub(due) + least(&others, end)
            });
            first.min().unwrap_or(0)
        }
        prop_assert_eq!(best, Some(u64::from(least(jobs.jobs(), 0))));
        prop_assert_eq!(&jobs.to_string().parse::<Tardiness>().expect("own text"), &jobs);
    }

    #[test]
    fn schedules_of_highest_rank_keep_the_promise_of_the_first_rank(jobs in jobs(9)) {
        let mut schedule = jobs.root();
        let promised = u64::MAX - jobs.rank(&schedule);
        while let Branch::Inner(mut untried) = jobs.branch(&schedule) {
            let children = iter::from_fn(|| jobs.next(&schedule, &mut untried)).map(|job| {
                let mut child = schedule;
                jobs.apply(&mut child, &job);
                child
            });
            schedule = children.max_by_key(|child| jobs.rank(child)).expect("a job is left");
        }
        prop_assert!(schedule.tardiness() <= promised);
        let mut by_due: Vec<usize> = (0..jobs.jobs().len()).collect();
        by_due.sort_by_key(|&job| jobs.jobs()[job].due);
        by_due.reverse();
        prop_assert!(Some(promised) <= jobs.tardiness_of(&by_due));
    }
}

/// Clauses of up to two literals, also empty ones, repeated literals and tautologies.
fn clauses(most: usize) -> impl Strategy<Value = (usize, Vec<(u64, Vec<i32>)>)> {
    (0..=most).prop_flat_map(|variables| {
        let last = i32::try_from(variables).expect("few variables");
        let literal = (1..=last.max(1), any::<bool>())
            .prop_map(|(variable, value)| if value { variable } else { -variable });
        let longest = if variables == 0 { 0 } else { 2 };
        let clause = (0..9_u64, proptest::collection::vec(literal, 0..=longest));
        (Just(variables), proptest::collection::vec(clause, 0..=4 * variables + 1))
    })
}

proptest! {
    #[test]
    fn assignments_satisfy_the_most_of_all((variables, clauses) in clauses(8)) {
        let problem = MaxTwoSat::new(variables, clauses.iter().cloned()).expect("short clauses");
        let best = optimum(&problem, MaxTwoSat::objective, MaxTwoSat::bound)?;
        // All assignments, without a tree.
        let weight_of = |assignment: u32| -> u64 {
            let is_true = |literal: &i32| {
                (assignment >> (literal.unsigned_abs() - 1) & 1 == 1) == (*literal > 0)
            };
            let satisfied = clauses.iter().filter(|(_, literals)| literals.iter().any(is_true));
            satisfied.map(|(weight, _)| weight).sum()
        };
        prop_assert_eq!(best, (0..1 << variables).map(weight_of).max());
        // A solution has the weight that the search says.
        let weight = MaxTwoSat::objective();
        let outcome = Search::new(&problem).diagrams(&weight, 3).best(&weight);
        let solution = problem.assignment(outcome.solution().expect("always a solution"));
        prop_assert_eq!(Some(problem.weight_of(&solution)), best);
        prop_assert_eq!(&problem.to_string().parse::<MaxTwoSat>().expect("own text"), &problem);
    }
}

fn places(most: usize) -> impl Strategy<Value = TimeWindows> {
    (1..=most).prop_flat_map(|number| {
        let row = proptest::collection::vec(0..20_u32, number);
        // A few close before they open.
        let window =
            (0..30_u32, 0..60_u32).prop_map(|(open, more)| (open, (open + more).saturating_sub(2)));
        let distances = proptest::collection::vec(row, number);
        (distances, proptest::collection::vec(window, number)).prop_map(|(distances, windows)| {
            TimeWindows::new(distances, windows).expect("a square matrix")
        })
    })
}

proptest! {
    #[test]
    fn tours_are_the_cheapest_of_all_orders(places in places(6)) {
        let best = optimum(&places, TimeWindows::objective, TimeWindows::bound)?;
        let earliest = optimum(&places, TimeWindows::makespan, TimeWindows::makespan_bound)?;
        // All orders, with the numbers that the text has.
        let text = places.to_string();
        let rows: Vec<Vec<u64>> = text
            .lines()
            .map(|line| line.split(' ').map(|number| number.parse().expect("a number")).collect())
            .collect();
        let number = usize::try_from(rows[0][0]).expect("small");
        let (distances, windows) = rows[1..].split_at(number);
        fn cheapest(
            (distances, windows): (&[Vec<u64>], &[Vec<u64>]),
            (last, time): (usize, u64),
            rest: &[usize],
        ) -> Option<(u64, u64)> {
            let next = if rest.is_empty() { &[0] } else { rest };
            let tours = next.iter().filter_map(|&place| {
                let time = (time + distances[last][place]).max(windows[place][0]);
                if time > windows[place][1] {
                    return None;
                }
                if rest.is_empty() {
                    return Some((distances[last][place], time));
                }
                let others: Vec<usize> =
                    rest.iter().copied().filter(|&other| other != place).collect();
                let below = cheapest((distances, windows), (place, time), &others)?;
                Some((distances[last][place] + below.0, below.1))
            });
            // The least cost and the least time may belong to different tours.
            tours.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)))
        }
        let others: Vec<usize> = (1..number).collect();
        let start = (0, windows[0][0]);
        let expected = cheapest((distances, windows), start, &others);
        prop_assert_eq!((best, earliest), expected.unzip());
        prop_assert_eq!(&text.parse::<TimeWindows>().expect("own text"), &places);
    }
}

/// Tours whose merged states of equal key were once dead ends beside others that were none.
#[test]
fn of_two_tours_with_equal_keys_the_earlier_one_leads_to_what_the_other_one_does() {
    let distances = [
        [0, 1, 1, 2, 9, 1, 1],
        [9, 0, 2, 1, 1, 9, 9],
        [9, 1, 0, 1, 1, 9, 1],
        [1, 1, 1, 0, 2, 1, 2],
        [9, 9, 9, 9, 0, 9, 1],
        [2, 1, 1, 1, 9, 0, 1],
        [2, 9, 2, 9, 9, 2, 0],
    ];
    let windows = vec![(0, 16), (4, 18), (4, 15), (0, 18), (0, 12), (4, 22), (0, 19)];
    let places = TimeWindows::new(distances.map(Vec::from).into(), windows).expect("seven places");
    let children = |tour: &PartialTour| -> Vec<PartialTour> {
        let Branch::Inner(mut cursor) = Problem::branch(&places, tour) else { return Vec::new() };
        let choices = iter::from_fn(|| Problem::next(&places, tour, &mut cursor));
        choices.map(|place| secateurs::CopyProblem::apply(&places, *tour, &place)).collect()
    };
    let merges = |tours: &[PartialTour]| -> Vec<PartialTour> {
        let mut merged = HashSet::new();
        for (index, tour) in tours.iter().enumerate() {
            for other in &tours[..index] {
                let mut tour = *tour;
                places.merge(&mut tour, other);
                merged.insert(tour);
            }
        }
        merged.into_iter().collect()
    };
    let mut layer = vec![Problem::root(&places)];
    let mut compared = 0;
    for _ in 0..4 {
        // Exact tours, tours below merged ones, and merged tours.
        let below: HashSet<_> = merges(&layer).iter().flat_map(children).collect();
        layer = layer.iter().flat_map(children).collect();
        let tours: Vec<_> = layer.iter().copied().chain(below).chain(merges(&layer)).collect();
        let mut latest = HashMap::new();
        for tour in tours.iter().filter(|tour| !children(tour).is_empty()) {
            let time = latest.entry(places.key(tour)).or_insert(0);
            *time = tour.time().max(*time);
        }
        for tour in tours.iter().filter(|tour| children(tour).is_empty()) {
            let alive = latest.get(&places.key(tour));
            compared += usize::from(alive.is_some());
            assert!(alive.is_none_or(|&time| time < tour.time()), "{tour:?}");
        }
    }
    assert!(compared > 0, "no dead end has the key of another tour");
}

proptest! {
    // Each audit searches below many merged states.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bounds_of_independent_sets_hold(graph in graphs(0..=8, 0.5)) {
        let sets = IndependentSets::new(&graph).expect("few vertices");
        let size = IndependentSets::size();
        check_bounds(&sets, &size, IndependentSets::bound, |_, remaining| remaining.taken())?;
    }

    #[test]
    fn bounds_of_schedules_hold(jobs in jobs(5)) {
        let tardiness = Tardiness::objective();
        let value = |_: &_, schedule: &secateurs_problems::tardiness::PartialSchedule| {
            schedule.tardiness()
        };
        check_bounds(&jobs, &tardiness, Tardiness::bound, value)?;
    }

    #[test]
    fn bounds_of_knapsacks_hold(knapsack in items(5)) {
        let value = Knapsack::objective();
        check_bounds(&knapsack, &value, Knapsack::relaxation, |_, filling| filling.value)?;
    }

    #[test]
    fn bounds_of_clauses_hold((variables, clauses) in clauses(4)) {
        let problem = MaxTwoSat::new(variables, clauses).expect("short clauses");
        let weight = MaxTwoSat::objective();
        let value = |_: &_, assignment: &PartialAssignment| assignment.weight();
        check_bounds(&problem, &weight, MaxTwoSat::bound, value)?;
    }

    #[test]
    fn bounds_of_tours_hold(places in places(5)) {
        let cost = TimeWindows::objective();
        check_bounds(&places, &cost, TimeWindows::bound, |_, tour: &PartialTour| tour.cost())?;
        let makespan = TimeWindows::makespan();
        let rough = TimeWindows::makespan_bound;
        // Of the values, only those of solutions differ from 0.
        let end = |_: &_, tour: &PartialTour| if tour.is_complete() { tour.time() } else { 0 };
        check_bounds(&places, &makespan, rough, end)?;
    }
}

#[test]
fn a_generated_tour_is_feasible() {
    for seed in 0..5 {
        let places = TimeWindows::generate(15, 20, seed).unwrap();
        let cost = TimeWindows::objective();
        let search = Search::new(&places).diagrams(&cost, 20).rough(TimeWindows::bound);
        let outcome = search.best(&cost);
        let tour = outcome.solution().expect("the tour that the windows are made for");
        assert_eq!(places.cost_of(tour), outcome.proven().copied());
        assert_eq!(Search::new(&places).best(&TimeWindows::objective()).proven(), outcome.proven());
    }
}

#[test]
fn tours_of_distances_with_decimals_are_scaled() {
    let text = "3\n0 2.50 9\n2 0 3.125 # comment\n9.0 3 0\n\n0 99\n5.5 8\n0 20\n";
    let places: TimeWindows = text.parse().unwrap();
    let cost = TimeWindows::objective();
    let outcome = Search::new(&places).diagrams(&cost, 10).best(&cost);
    let cost = outcome.proven().map(|&cost| places.decimal(cost));
    assert_eq!(cost.as_deref(), Some("14.625"));
    assert_eq!(places.cost_of(&[1, 2, 0]), Some(14_625));
    let written = places.to_string();
    assert!(written.starts_with("3\n0.000 2.500 9.000\n2.000 0.000 3.125\n"), "{written}");
    assert_eq!(written.parse::<TimeWindows>().unwrap(), places);
    let error = |text: &str| text.parse::<TimeWindows>().unwrap_err().to_string();
    for wrong in ["1.", ".5", "1.5.5", "-1.5", "1e2", "0.0000000001", "4294967.296"] {
        let text = text.replace("2.50", wrong);
        assert!(error(&text).starts_with(&format!("line 2, column 3: found {wrong:?}")), "{text}");
    }
}

#[test]
fn tours_of_the_most_places_are_solved() {
    // On a line, each place open at the time of a walk along it, or up to four later.
    let places = |count: u32| {
        let distances = (0..count).map(|from| (0..count).map(|to| to.abs_diff(from)).collect());
        let windows =
            (0..count).map(|place| if place == 0 { (0, 999) } else { (place, place + 4) });
        TimeWindows::new(distances.collect(), windows.collect())
    };
    let most = u32::try_from(TimeWindows::MAX_PLACES).unwrap();
    let longest = places(most).unwrap();
    let cost = TimeWindows::objective();
    let search = Search::new(&longest).diagrams(&cost, 20).rough(TimeWindows::bound);
    assert_eq!(search.best(&cost).proven(), Some(&(2 * u64::from(most - 1))));
    assert!(places(most + 1).is_err());
}

#[test]
fn clauses_without_weights_and_hard_ones_are_read() {
    let weightless: MaxTwoSat = "p cnf 2 3\n1 2 0\n-1 0\n0\n".parse().unwrap();
    assert_eq!(weightless.to_string(), "p wcnf 2 3\n1 1 2 0\n1 -1 0\n1 0\n");
    let hard: MaxTwoSat = "p wcnf 2 2 9\n9 1 2 0\n3 -1 0\n".parse().unwrap();
    assert_eq!(hard.to_string().parse::<MaxTwoSat>().unwrap(), hard);
}

/// OEIS A006506: independent sets of the n × n grid.
#[test]
fn independent_sets_of_grids_have_known_counts() {
    for (side, sets) in [(2, 7), (3, 63), (4, 1_234), (5, 55_447)] {
        let grid = IndependentSets::new(&Graph::grid(&[side, side]).unwrap()).unwrap();
        assert_eq!(Search::new(&grid).count().exact(), Some(sets));
    }
}

#[test]
fn kings_take_a_quarter_of_the_board() {
    for side in [1, 2, 5, 8, 9] {
        let kings = IndependentSets::new(&Graph::king(side, side).unwrap()).unwrap();
        let size = IndependentSets::size();
        let search = Search::new(&kings).diagrams(&size, 20).rough(IndependentSets::bound);
        assert_eq!(search.best(&size).proven(), Some(&side.div_ceil(2).pow(2)));
    }
}

#[test]
fn the_first_schedules_of_large_instances_are_close_to_the_best_known() {
    // The total weighted tardiness that a search of some seconds reaches.
    for (jobs, seed, known) in [(100, 1, 26_953), (100, 2, 34_197), (200, 1, 111_350)] {
        let instance = Tardiness::generate(jobs, seed).expect("few jobs");
        let first = u64::MAX - instance.rank(&instance.root());
        assert!(first <= known + known / 5, "{jobs} jobs, seed {seed}: {first}");
    }
}

#[test]
fn a_schedule_of_fourteen_jobs_is_proven() {
    let jobs = Tardiness::generate(14, 7).unwrap();
    let tardiness = Tardiness::objective();
    let narrow = Search::new(&jobs).diagrams(&tardiness, 20).rough(Tardiness::bound);
    let best = narrow.best(&tardiness).proven().copied();
    // The dynamic programme of Held and Karp (1962) over all sets of jobs.
    let mut least = vec![u64::MAX; 1 << 14];
    least[0] = 0;
    for done in 0..1_usize << 14 {
        let ended = (0..14).filter(|&job| done >> job & 1 == 1);
        let time: u32 = ended.map(|job| jobs.jobs()[job].duration).sum();
        for job in (0..14).filter(|&job| done >> job & 1 == 0) {
            let Job { duration, due, weight } = jobs.jobs()[job];
            let late = u64::from(weight) * u64::from((time + duration).saturating_sub(due));
            let next = done | 1 << job;
            least[next] = least[next].min(least[done] + late);
        }
    }
    assert_eq!(best, least.last().copied());
}
