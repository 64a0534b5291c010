//! Covers with multiplicities and costs, compared with all sets of options, with plain covers, with
//! covers in which items are duplicated, and with known counts.

use proptest::prelude::*;
use secateurs::brancher::{Branching, Shuffled, SmallestDomain, SmallestKey};
use secateurs::hook::ForwardChecking;
use secateurs::search::Frontier;
use secateurs::{Effect, Limits, Node, NodeMut, Optimum, Problem, Search, Verdict};
use secateurs_cover::{Cover, MultiChoice, MultiCover, MultiCoverError, MultiCoverState};

use crate::search::{OptionSpec, brute_force, build, covers, sorted};

type AnyError = Box<dyn std::error::Error>;

/// The options of a solution in ascending order.
fn options(path: &[MultiChoice]) -> Vec<usize> {
    sorted(path.iter().map(|choice| choice.option).collect())
}

/// A random problem and its parts: multiplicities, number of items, options and costs.
#[derive(Clone, Debug)]
struct Instance {
    multi: MultiCover,
    multiplicities: Vec<(u32, u32)>,
    items: usize,
    options: Vec<OptionSpec>,
    costs: Vec<u64>,
}

impl Instance {
    fn solutions(&self) -> Vec<Vec<usize>> {
        brute_force(&self.multiplicities, self.items, &self.options)
    }

    fn cost(&self, solution: &[usize]) -> u64 {
        solution.iter().map(|&option| self.costs[option]).sum()
    }

    fn least_cost(&self) -> Option<u64> {
        self.solutions().iter().map(|solution| self.cost(solution)).min()
    }
}

fn instances() -> impl Strategy<Value = Instance> {
    let multiplicities = proptest::collection::vec((0_u32..3, 0_u32..3), 6);
    let costs = proptest::collection::vec(0_u64..20, 12);
    (covers(), multiplicities, costs).prop_map(
        |((primary, secondary, options), multiplicities, costs)| {
            let cover = build(primary, secondary, &options).expect("a cover");
            let multiplicities: Vec<(u32, u32)> = multiplicities[..primary]
                .iter()
                .map(|&(least, more)| (least, (least + more).max(1)))
                .collect();
            let mut multi = MultiCover::new(cover);
            for (item, &(least, most)) in multiplicities.iter().enumerate() {
                multi.set_multiplicity(item, least..=most).expect("a multiplicity");
            }
            for (option, &cost) in costs[..options.len()].iter().enumerate() {
                multi.set_cost(option, cost).expect("a cost");
            }
            Instance { multi, multiplicities, items: primary + secondary, options, costs }
        },
    )
}

proptest! {
    #[test]
    fn search_finds_each_solution_of_brute_force_once(
        instance in instances(),
        seed in any::<u64>(),
        nodes in 1_u64..30,
        removed in 0_usize..12,
    ) {
        let (multi, expected) = (&instance.multi, instance.solutions());
        let list = |search: &mut dyn Iterator<Item = Vec<MultiChoice>>| {
            let mut found: Vec<Vec<usize>> = search.map(|path| options(&path)).collect();
            found.sort();
            found
        };
        let count = expected.len() as u128;
        prop_assert_eq!(Search::new(multi).check_undo().count().exact(), Some(count));
        prop_assert_eq!(&list(&mut Search::new(multi).solutions()), &expected);
        for set in 0_u32..1 << instance.options.len() {
            let chosen = (0..instance.options.len()).filter(|&option| set >> option & 1 != 0);
            let chosen: Vec<usize> = chosen.collect();
            prop_assert_eq!(multi.is_solution(&chosen), expected.contains(&chosen));
        }
        if removed < instance.options.len() {
            let remove = |node: &mut NodeMut<'_, MultiCover>| {
                node.problem().remove_option(node.state_mut(), removed);
                Verdict::Keep
            };
            let search = Search::new(multi).enter("strike", Effect::Lossy, remove);
            let without = expected.iter().filter(|solution| !solution.contains(&removed)).count();
            prop_assert_eq!(search.check_undo().count().at_least(), without as u128);
        }
        // The order of siblings, the strategy and divisions do not matter.
        let shuffled = || Search::new(multi).brancher(Shuffled::new(seed));
        prop_assert_eq!(&list(&mut shuffled().solutions()), &expected);
        for seed in 0..3 {
            let order = Branching::by(SmallestDomain::random_ties(seed));
            let mut by_size = Search::new(multi).brancher(order).hook(ForwardChecking).solutions();
            prop_assert_eq!(&list(&mut by_size), &expected);
            let order = SmallestKey::by(move |_: &Node<'_, MultiCover>, item: Option<usize>| {
                item.map_or(0, |item| item as u64 * (seed + 1) % 7)
            });
            let mut by_key = Search::new(multi).brancher(Branching::by(order)).solutions();
            prop_assert_eq!(&list(&mut by_key), &expected);
        }
        prop_assert_eq!(Search::new(multi).breadth_first().count().exact(), Some(count));
        prop_assert_eq!(Search::new(multi).threads(2).count().exact(), Some(count));
        let mut frontier = Frontier::new();
        let begun = shuffled().limits(Limits::new().nodes(nodes));
        let _ = begun.frontier(&mut frontier).count();
        let parts = shuffled().split(frontier, 3);
        let mut whole = Frontier::new();
        for (number, mut part) in parts.into_iter().enumerate() {
            let _ = shuffled().frontier(&mut part).count();
            if number == 0 {
                whole = part;
            } else {
                whole.merge(part);
            }
        }
        let outcome = shuffled().frontier(&mut whole).count();
        prop_assert_eq!(outcome.exact(), Some(count));
    }

    #[test]
    fn the_bound_keeps_a_cheapest_cover(instance in instances(), seed in any::<u64>()) {
        let (multi, expected) = (&instance.multi, instance.least_cost());
        let (cost, _) = multi.minimise_cost();
        let without = Search::new(multi).best(&cost);
        prop_assert_eq!(without.proven().copied(), expected);
        let (cost, bound) = multi.minimise_cost();
        let outcome = Search::new(multi).hook(bound).check_undo().best(&cost);
        prop_assert_eq!(outcome.proven().copied(), expected);
        let is_none = matches!(outcome.value(), Optimum::Infeasible);
        prop_assert_eq!(is_none, expected.is_none());
        if let Some(path) = outcome.solution() {
            let solution = options(path);
            prop_assert!(multi.is_solution(&solution));
            prop_assert_eq!(Some(instance.cost(&solution)), expected);
        }
        prop_assert!(outcome.report().nodes() <= without.report().nodes());
        let (cost, bound) = multi.minimise_cost();
        let search = Search::new(multi).brancher(Shuffled::new(seed)).hook(bound).threads(2);
        prop_assert_eq!(search.best(&cost).proven().copied(), expected);
        let (cost, bound) = multi.minimise_cost();
        let order = cost.sorted(|multi: &MultiCover, state: &MultiCoverState, choice| {
            let MultiChoice { option, .. } = *choice;
            state.cost() + multi.cost(option)
        });
        let search = Search::new(multi).brancher(order).hook(bound);
        prop_assert_eq!(search.best(&cost).proven().copied(), expected);
    }

    /// Without multiplicities, the tree is that of the plain cover, preferred items included.
    #[test]
    fn plain_covers_have_the_same_tree(
        (primary, secondary, specs) in covers(),
        preferred in 0_usize..6,
    ) {
        let text = build(primary, secondary, &specs)?.to_string();
        prop_assume!(primary > 0);
        let text = text.replace(&format!("p{preferred}"), &format!("#p{preferred}"));
        let cover = Cover::with_marked_items(&text)?;
        let multi = MultiCover::with_marked_items(&text)?;
        prop_assert!(multi.is_plain());
        let (one, other) = (Search::new(&cover).count(), Search::new(&multi).count());
        prop_assert_eq!(one.exact(), other.exact());
        prop_assert_eq!(one.report().nodes(), other.report().nodes());
        let paths: Vec<Vec<usize>> = Search::new(&multi)
            .solutions()
            .map(|path| path.iter().map(|choice| choice.option).collect())
            .collect();
        prop_assert_eq!(Search::new(&cover).solutions().collect::<Vec<_>>(), paths);
    }

    /// An item to be covered exactly k times can be stated as k items, and an option as its
    /// versions. Each solution is then found once for each permutation of the copies of each item.
    #[test]
    fn duplicated_items_agree_up_to_permutations(
        (primary, secondary, specs) in covers(),
        times in proptest::collection::vec(1_u32..4, 6),
    ) {
        let mut multi = MultiCover::new(build(primary, secondary, &specs)?);
        let times = &times[..primary];
        for (item, &times) in times.iter().enumerate() {
            multi.set_multiplicity(item, times..=times)?;
        }
        let mut builder = Cover::builder();
        let mut copies = Vec::new();
        for (item, &times) in times.iter().enumerate() {
            let copy = |copy| builder.primary(&format!("{item}.{copy}"));
            copies.push((0..times).map(copy).collect::<Result<Vec<_>, _>>()?);
        }
        for item in primary..primary + secondary {
            copies.push(vec![builder.secondary(&item.to_string())?]);
        }
        for (number, spec) in specs.iter().enumerate() {
            let used = builder.secondary(&format!("used-{number}"))?;
            let mut versions = vec![vec![(used, None)]];
            for &(item, colour) in spec {
                let colour = colour.map(|colour| ["r", "g", "b"][usize::from(colour)]);
                let extended = versions.iter().flat_map(|version| {
                    copies[item].iter().map(|&copy| [&version[..], &[(copy, colour)]].concat())
                });
                versions = extended.collect();
            }
            for version in versions {
                builder.option_of(version)?;
            }
        }
        let factorial = |&times: &u32| (1..=u128::from(times)).product::<u128>();
        let permutations: u128 = times.iter().map(factorial).product();
        let count = Search::new(&multi).count().exact();
        prop_assert_eq!(
            Search::new(&builder.build()).count().exact(),
            count.map(|count| count * permutations)
        );
    }

    #[test]
    fn written_covers_parse_to_the_same_cover(instance in instances()) {
        prop_assume!(!instance.multiplicities.is_empty());
        let text = instance.multi.to_string();
        prop_assert_eq!(&text.parse::<MultiCover>()?, &instance.multi);
        let cover = instance.multi.cover();
        prop_assert_eq!(cover.to_string().parse::<MultiCover>()?, MultiCover::new(cover.clone()));
        prop_assert_eq!(text.parse::<Cover>().is_ok(), instance.multi.is_plain());
    }
}

/// Queens that attack or occupy every square: A075458 has the smallest numbers, and A002564 the
/// numbers of ways.
#[test]
fn dominating_queens_are_counted() -> Result<(), AnyError> {
    for (size, queens, ways) in
        [(1, 1, 1), (2, 1, 4), (3, 1, 1), (4, 2, 12), (5, 3, 186), (6_usize, 3, 4)]
    {
        let mut builder = Cover::builder();
        let squares = size * size;
        for square in 0..squares {
            builder.primary(&square.to_string())?;
        }
        let all = builder.primary("queens")?;
        for queen in 0..squares {
            let (row, column) = (queen / size, queen % size);
            let attacked = (0..squares).filter(|square| {
                let (other_row, other_column) = (square / size, square % size);
                let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
                rows == 0 || columns == 0 || rows == columns
            });
            builder.option_of(attacked.chain([all]).map(|item| (item, None)))?;
        }
        let mut multi = MultiCover::new(builder.build());
        for item in 0..=squares {
            multi.set_multiplicity(item, 1..=squares as u32)?;
        }
        for option in 0..squares {
            multi.set_cost(option, 1)?;
        }
        let (cost, bound) = multi.minimise_cost();
        assert_eq!(Search::new(&multi).hook(bound).best(&cost).proven(), Some(&queens));
        multi.set_multiplicity(all, queens as u32..=queens as u32)?;
        assert_eq!(Search::new(&multi).count().exact(), Some(ways));
    }
    Ok(())
}

/// Costs as large as possible are added up without overflow.
#[test]
fn the_largest_costs_are_exact() -> Result<(), AnyError> {
    let mut multi: MultiCover = "a b c\na b c\na b\nc\n".parse()?;
    multi.set_cost(0, u64::MAX - 3)?.set_cost(1, 1)?.set_cost(2, 2)?;
    assert_eq!(multi.set_cost(2, 3), Err(MultiCoverError::TotalCost { option: 2 }));
    assert_eq!(multi.cost(2), 2);
    let (cost, bound) = multi.minimise_cost();
    assert_eq!(Search::new(&multi).hook(bound).best(&cost).proven(), Some(&3));
    multi.set_cost(1, 0)?.set_cost(2, 0)?.set_cost(0, u64::MAX)?;
    let only_first = "a b c\na b c |18446744073709551615\na b\n".parse::<MultiCover>()?;
    let (cost, bound) = only_first.minimise_cost();
    assert_eq!(Search::new(&only_first).hook(bound).best(&cost).proven(), Some(&u64::MAX));
    Ok(())
}

#[test]
fn wrong_multiplicities_and_costs_are_rejected() -> Result<(), AnyError> {
    let mut multi: MultiCover = "a b | s\na s\nb s\n".parse()?;
    let before = multi.clone();
    for item in [2, 3] {
        assert_eq!(
            multi.set_multiplicity(item, 1..=2).map(drop),
            Err(MultiCoverError::NotPrimary { item })
        );
    }
    for range in [(2, 1), (0, 0)] {
        let multiplicity = range.0..=range.1;
        assert_eq!(
            multi.set_multiplicity(0, multiplicity.clone()).map(drop),
            Err(MultiCoverError::Multiplicity { item: 0, multiplicity })
        );
    }
    assert_eq!(multi.set_cost(2, 1).map(drop), Err(MultiCoverError::UnknownOption { option: 2 }));
    assert_eq!(multi, before);
    Ok(())
}

#[test]
fn choices_of_files_are_checked() -> Result<(), AnyError> {
    let multi: MultiCover = "2|a b | s\na s\na\nb\ns\n".parse()?;
    let root = multi.root();
    let is_possible = |option, item| multi.accepts_saved(&root, &MultiChoice { option, item });
    assert!(is_possible(0, Some(0)) && is_possible(2, Some(1)) && is_possible(1, None));
    assert!(!is_possible(1, Some(1)) && !is_possible(0, Some(2)) && !is_possible(0, Some(9)));
    assert!(!is_possible(3, None) && !is_possible(4, None) && !is_possible(usize::MAX, Some(0)));
    Ok(())
}
