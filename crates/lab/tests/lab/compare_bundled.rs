//! The bundled comparisons reproduce the tables of the articles exactly.

use secateurs::Limits;
use secateurs_lab::{Compare, Comparison, Plan, Quantity, bundled};
use secateurs_problems::fire_net::{FireNetPrunings, FireNetSettings};

use crate::support::known::QUEENS;
use crate::support::sizes::sized;

/// Runs a comparison whose answers agree, in one round.
fn run<I>(compare: Compare<'_, I>) -> Comparison {
    compare.rounds(1).run().expect("all agree")
}

/// Returns a statistic of a contender by instance.
fn stats(comparison: &Comparison, contender: &str, name: &str) -> Vec<u64> {
    let contender = comparison.contender(contender).expect("a contender of this name");
    contender.runs().iter().map(|run| run.stat(name).expect("a statistic of this name")).collect()
}

fn names(comparison: &Comparison) -> Vec<&str> {
    comparison.contenders().iter().map(|contender| contender.name()).collect()
}

/// Returns the node counts by instance and contender.
fn nodes(comparison: &Comparison) -> Vec<Vec<u64>> {
    let instances = 0..comparison.instances().len();
    instances
        .map(|index| {
            comparison
                .contenders()
                .iter()
                .map(|contender| contender.runs()[index].nodes())
                .collect()
        })
        .collect()
}

/// Returns the largest relative difference from published node counts, and their number.
fn deviation_from_published(comparison: &Comparison) -> (f64, usize) {
    let mut shares = Vec::new();
    for contender in comparison.contenders() {
        for known in
            contender.references().iter().filter(|known| *known.quantity() == Quantity::Nodes)
        {
            for (name, run) in comparison.instances().iter().zip(contender.runs()) {
                shares.extend(
                    known.of(name).zip(run.size()).map(|(known, size)| (size / known - 1.0).abs()),
                );
            }
        }
    }
    (shares.iter().copied().fold(0.0, f64::max), shares.len())
}

/// Asserts that so many published numbers differ by less than `most`.
fn assert_published(comparison: &Comparison, most: f64, number: usize) {
    let (deviation, compared) = deviation_from_published(comparison);
    assert!(deviation < most && compared == number, "{compared} differ by up to {deviation}");
}

fn cumulative(last: usize) -> Vec<FireNetPrunings> {
    bundled::selections(Plan::Cumulative, FireNetPrunings::of(1..=last)).expect("few enough")
}

#[test]
fn fire_net_cumulative_has_the_known_node_counts() {
    let comparison = run(bundled::fire_net(bundled::article_boards(5), cumulative(10)));
    assert_eq!(comparison.instances(), ["sample", "empty 4×4", "empty 5×5"]);
    assert_eq!(
        names(&comparison),
        ["none", "1", "1-2", "1-3", "1-4", "1-5", "1-6", "1-7", "1-8", "1-9", "1-10"]
    );
    assert_eq!(
        nodes(&comparison),
        [
            [1844, 1844, 175, 111, 6, 3, 1, 1, 1, 1, 1],
            [1313, 1313, 209, 146, 5, 5, 1, 1, 1, 1, 1],
            [32_826, 32_826, 1546, 1060, 6, 6, 1, 1, 1, 1, 1],
        ]
    );
    assert_published(&comparison, 0.001, 15);
    let sets = cumulative(5).into_iter().skip(sized(4, 3));
    let large = run(bundled::fire_net(bundled::article_boards(8).skip(3), sets));
    assert_published(&large, 0.005, sized(6, 9));
    let answers: Vec<_> =
        comparison.contenders()[0].runs().iter().map(|run| run.answer().proven()).collect();
    assert_eq!(answers, [Some("5"), Some("4"), Some("5")]);
}

#[test]
fn fire_net_by_other_plans_agrees_with_single_searches() {
    for (plan, names) in [
        (Plan::EachAlone, vec!["none", "1", "2", "5"]),
        (Plan::AllButOne, vec!["1-2,5", "2,5", "1,5", "1-2"]),
        (Plan::Subsets, vec!["none", "1", "2", "1-2", "5", "1,5", "2,5", "1-2,5"]),
    ] {
        let sets = bundled::selections(plan, FireNetPrunings::of([1, 2, 5])).expect("few enough");
        let (_, board) = bundled::article_boards(4).next().expect("the sample");
        let comparison = run(bundled::fire_net([("sample", board.clone())], sets));
        let contenders = comparison.contenders();
        assert_eq!(self::names(&comparison), names);
        for contender in contenders {
            let alone =
                FireNetSettings::article(contender.name().parse().expect("numbers")).solve(&board);
            let (name, levels) = (contender.name(), contender.runs()[0].report().levels());
            assert_eq!(levels, alone.report().levels(), "{name}");
            let references = usize::from(["none", "1-2"].contains(&name));
            assert_eq!(contender.references().len(), references, "{name}");
        }
    }
}

/// 8×8 without prunings, within a share of the published number, and with prunings 1 and 2, which
/// are only bounded, because one probe dominates their estimate.
#[test]
fn large_trees_of_fire_net_are_estimated() {
    let (limit, probes, most) = sized((2_000, 500, 0.2), (20_000, 10_000, 0.05));
    let sets = [FireNetPrunings::NONE, FireNetPrunings::of(1..=2)];
    let compare = bundled::fire_net(bundled::article_boards(8).skip(5), sets);
    let comparison = run(compare.limits(Limits::new().nodes(limit)).probes(probes));
    let [none, ordered] = comparison.contenders() else { panic!("two sets") };
    assert_eq!((none.estimated(), ordered.unreliably_estimated()), (1, 1));
    let (deviation, compared) = deviation_from_published(&comparison);
    assert!(deviation < most && compared == 1, "3.71e9 nodes are estimated, to {deviation}");
    let bound = ordered.runs()[0].at_least();
    assert!(bound > limit as f64 && bound < 1.45e6, "1.44e6 nodes are {bound} at least");
}

#[test]
fn rocket_mania_has_the_counts_of_table_4() {
    let few = bundled::paper_cases()
        .enumerate()
        .filter(|(index, _)| ![2, 5].contains(index))
        .map(|(_, case)| case);
    let comparison = run(bundled::rocket_mania(few, bundled::table_4()));
    assert_eq!(
        nodes(&comparison),
        [
            [105, 55, 55, 55, 55, 55, 55],
            [304_250, 121_585, 8758, 8758, 7620, 7789, 2484],
            [55, 55, 55, 55, 55, 55, 55],
            [958, 2, 2, 2, 2, 56, 2],
        ]
    );
    assert_eq!(deviation_from_published(&comparison), (0.0, 20));
    let contenders = comparison.contenders();
    assert!(
        contenders.iter().all(|contender| contender.peak_bytes().is_some()),
        "every sweep reports its peak memory"
    );
}

/// The paper has 55, 8758, 11,451, 55, 2 and 155,049 with prunings 1 to 3, and 55, 7620, 11,451,
/// 55, 2 and 153,665 with all four. It may break ties between contours in another way.
#[test]
fn contours_can_be_counted_before_pruning_3_drops_them() {
    let sets = bundled::table_4().skip(3).take(2);
    let comparison = run(bundled::rocket_mania(bundled::paper_cases(), sets));
    assert_eq!(
        nodes(&comparison),
        [[55, 55], [8758, 7620], [9989, 9989], [55, 55], [2, 2], [115_761, 115_282]]
    );
    let before: Vec<Vec<u64>> = comparison
        .contenders()
        .iter()
        .map(|contender| contender.runs().iter().filter_map(|run| run.stat("before pruning 3")))
        .map(Iterator::collect)
        .collect();
    assert_eq!(
        before,
        [[55, 8758, 14_995, 55, 2, 142_211], [55, 7620, 14_995, 55, 2, 141_533]].map(Vec::from)
    );
}

/// The two large boards, with the prunings that make their trees small; by default only with
/// dominance, which has the smallest counts.
#[test]
fn rocket_mania_has_known_counts_on_large_boards() {
    let skipped = sized(5, 2);
    let known = [[1_133_036, 9989, 9989, 82, 73], [438_714, 115_761, 115_282, 6210, 4091]];
    let known = known.map(|counts| counts[skipped - 2..].to_vec());
    let large = bundled::paper_cases().enumerate().filter(|(index, _)| [2, 5].contains(index));
    let sets = bundled::table_4().skip(skipped);
    let comparison = run(bundled::rocket_mania(large.map(|(_, case)| case), sets));
    assert_eq!(nodes(&comparison), known);
}

fn check_queens_to(largest: usize) -> Comparison {
    let sizes = bundled::sizes(8..=largest).expect("small boards");
    let comparison = run(bundled::queens(sizes));
    let rows = || QUEENS.iter().filter(|row| (8..=largest as u64).contains(&row[0]));
    let column = |place: usize| rows().map(|row| row[place]).collect::<Vec<u64>>();
    for plain in ["looking back", "marking", "bit masks", "fixed order"] {
        let nodes: Vec<u64> = comparison
            .contender(plain)
            .expect("a contender")
            .runs()
            .iter()
            .map(|run| run.nodes() - 1)
            .collect();
        assert_eq!(nodes, column(2), "{plain}");
    }
    assert_eq!(stats(&comparison, "looking back", "placements"), column(2));
    assert_eq!(stats(&comparison, "looking back", "tested"), column(3));
    assert_eq!(stats(&comparison, "looking back", "pairs"), column(4));
    assert_eq!(stats(&comparison, "fixed order", "excludes"), column(5));
    assert_eq!(stats(&comparison, "smallest domain, first tie", "placements"), column(6));
    assert_eq!(stats(&comparison, "smallest domain, last tie", "placements"), column(7));
    assert_eq!(stats(&comparison, "smallest domain, last tie", "excludes"), column(8));
    comparison
}

#[test]
fn queens_have_the_counts_of_the_article() {
    let comparison = check_queens_to(sized(10, 14));
    let published = |contender: &str| {
        comparison.contender(contender).expect("a contender").references()[0].of("n = 10")
    };
    assert_eq!(
        (published("looking back"), published("smallest domain, last tie")),
        (Some(1.54), Some(0.6))
    );
    let text = comparison.to_string();
    assert!(text.contains("looking back (article)") && text.contains("1.54 s"), "{text}");
}

/// Returns how many tours each rule has found without a step back, otherwise within twice as many
/// nodes as squares, later, and not within the budget.
fn tallies(comparison: &Comparison) -> Vec<Vec<usize>> {
    let names = ["no step back", "within 2N²", "later", "out of budget"];
    let of = |contender: &secateurs_lab::Compared| {
        names.map(|name| contender.tally(name).expect("a tally")).to_vec()
    };
    comparison.contenders().iter().map(of).collect()
}

#[test]
fn most_tours_from_few_starts_need_no_step_back() {
    let starts = bundled::starts(5..=10, Some(6)).expect("small boards");
    assert_eq!(starts.len(), 36);
    let comparison = run(bundled::knights_tour(starts));
    let rules = ["warnsdorff", "farthest", "successor", "pohl", "successor-farthest"];
    assert_eq!(names(&comparison), rules);
    for tallies in tallies(&comparison) {
        assert!(tallies.iter().sum::<usize>() == 36 && tallies[0] > 28, "{tallies:?}");
    }
}

/// The table in the documentation of `secateurs_problems::knights_tour::Rule`.
///
/// `cargo test --release --test lab -- --ignored compare_bundled::tallies_from_all_starts`
#[test]
#[ignore = "all starts of 36 boards: half a minute"]
fn tallies_from_all_starts_are_known() {
    let starts = bundled::starts(5..=40, None).expect("boards that are not too large");
    assert_eq!(starts.len(), 16_794);
    let comparison = run(bundled::knights_tour(starts));
    let expected = [
        [15982, 122, 68, 622],
        [16663, 111, 8, 12],
        [16712, 27, 5, 50],
        [15459, 100, 30, 1205],
        [16715, 34, 29, 16],
    ];
    assert_eq!(tallies(&comparison), expected);
    assert!(comparison.html().len() < 1_000_000);
    println!("{comparison}");
}
