//! The model problems whose states can be merged, against plain searches and enumerations.

use proptest::prelude::*;
use secateurs::diagram::{AdditiveValue, DiagramProblem};
use secateurs::plug::graph::Graph;
use secateurs::problems::clique::Cliques;
use secateurs::problems::independent_set::IndependentSets;
use secateurs::problems::knapsack::Knapsack;
use secateurs::problems::tardiness::{Job, Tardiness};
use secateurs::{Limits, Objective, Problem, Search};

/// Solves an instance by a plain search, by diagrams of several widths, with and without `rough`,
/// and with the bound as a hook. Returns the optimum.
fn optimum<P, V>(
    problem: &P,
    objective: impl Fn() -> Objective<P, V, fn(&P, &P::State) -> V>,
    rough: fn(&P, &P::State) -> V,
) -> Result<V, TestCaseError>
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
    best.ok_or_else(|| TestCaseError::fail("no solution"))
}

/// Checks at every node of the tree that no solution below a node beats its bounds.
fn check_bounds<P, V>(
    problem: &P,
    objective: &Objective<P, V, fn(&P, &P::State) -> V>,
    rough: fn(&P, &P::State) -> V,
    value: fn(&P, &P::State) -> V,
) -> Result<(), TestCaseError>
where
    P: DiagramProblem,
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
    Ok(())
}

fn graphs(vertices: usize) -> impl Strategy<Value = Graph> {
    (0..=vertices).prop_flat_map(|number| {
        let pairs = number * number.saturating_sub(1) / 2;
        proptest::collection::vec(any::<bool>(), pairs).prop_map(move |has| {
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

proptest! {
    #[test]
    fn independent_sets_are_the_cliques_of_the_complement(graph in graphs(12)) {
        let sets = IndependentSets::new(&graph).expect("few vertices");
        let best = optimum(&sets, IndependentSets::size, IndependentSets::bound)?;
        let number = graph.vertices();
        let edges: Vec<_> = graph.edges().collect();
        let pairs = (0..number).flat_map(|one| (0..one).map(move |other| (other, one)));
        let others = pairs.filter(|&(one, other)| {
            !edges.contains(&(one, other)) && !edges.contains(&(other, one))
        });
        let complement = Graph::from_edges(number, others).expect("a simple graph");
        let cliques = Cliques::new(&complement).expect("few vertices");
        prop_assert_eq!(cliques.maximum(Limits::new()).proven().copied(), Some(best));
        // Both trees have each set once.
        prop_assert_eq!(
            Search::new(&sets).count().exact(),
            Search::new(&cliques).count().exact()
        );
    }

    #[test]
    fn bounds_of_independent_sets_hold(graph in graphs(8)) {
        let sets = IndependentSets::new(&graph).expect("few vertices");
        let size = IndependentSets::size();
        check_bounds(&sets, &size, IndependentSets::bound, |_, remaining| remaining.taken())?;
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
        prop_assert_eq!(best, u64::from(least(jobs.jobs(), 0)));
        prop_assert_eq!(&jobs.to_string().parse::<Tardiness>().expect("own text"), &jobs);
    }

    #[test]
    fn bounds_of_schedules_hold(jobs in jobs(5)) {
        let tardiness = Tardiness::objective();
        let value = |_: &_, schedule: &secateurs::problems::tardiness::PartialSchedule| {
            schedule.tardiness()
        };
        check_bounds(&jobs, &tardiness, Tardiness::bound, value)?;
    }

    #[test]
    fn knapsacks_have_the_value_of_the_table_of_capacities(knapsack in items(10)) {
        let best = optimum(&knapsack, Knapsack::objective, Knapsack::relaxation)?;
        let capacity = usize::try_from(knapsack.capacity()).expect("small");
        let mut table = vec![0; capacity + 1];
        for item in knapsack.items() {
            let weight = usize::try_from(item.weight).expect("small");
            for room in (weight..=capacity).rev() {
                table[room] = table[room].max(table[room - weight] + item.value);
            }
        }
        prop_assert_eq!(best, table[capacity]);
    }
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
