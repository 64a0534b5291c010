//! Comparisons: agreement, turns, limits, estimates, quantiles, plans, memory and tallies.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use secateurs::{Effect, Limits, Search, Stop, Verdict, hook};
use secateurs_lab::{
    Answer, Compare, CompareError, Contender, MemoryMeter, Plan, Quantiles, Reference, Section,
    Trial, bundled,
};
use secateurs_problems::fire_net;
use secateurs_problems::queens::{BitQueens, RowByRow};
use secateurs_problems::rocket_mania::RocketSettings;

use crate::comparisons::{
    boards, claim, counting_after, disagreement, done, mirror, no_corner, plain, proven, small,
};
use crate::support::problems::queens;

#[test]
fn results_are_those_of_the_searches() {
    let comparison = done(small([6, 7, 8]));
    assert_eq!(comparison.instances(), ["6 queens", "7 queens", "8 queens"]);
    let [plain, mirror] = comparison.contenders() else { panic!("two contenders") };
    let nodes: Vec<u64> = plain.runs().iter().map(|run| run.nodes()).collect();
    assert_eq!(nodes, [153, 552, 2057]);
    for (size, (plain, mirror)) in (6..).zip(plain.runs().iter().zip(mirror.runs())) {
        let outcome = Search::new(&queens(size)).count();
        let count = outcome.exact().expect("exhausted").to_string();
        assert_eq!(plain.answer(), &proven(&count));
        assert_eq!(plain.answer(), mirror.answer());
        assert_eq!(plain.report().levels(), outcome.report().levels());
        assert_eq!((plain.cuts(), mirror.cuts() > 0), (0, true));
        assert_eq!((plain.times().len(), plain.peak_bytes()), (2, None));
        assert_eq!(plain.size(), Some(plain.nodes() as f64));
    }
    let ratio = comparison.ratio(mirror).expect("all sizes are known");
    let runs = plain.runs().iter().zip(mirror.runs());
    let expected = runs.map(|(one, other)| other.nodes() as f64 / one.nodes() as f64);
    assert!((ratio - expected.product::<f64>().cbrt()).abs() < 1e-12);
    assert_eq!(comparison.ratio(plain), Some(1.0));
    assert_eq!((plain.effect(), mirror.effect()), (Effect::Preserving, Effect::Representatives));
}

#[test]
fn different_proven_answers_are_an_error() {
    let wrong = no_corner("cuts a corner", Effect::Preserving);
    let compare = Compare::of("8 queens", queens(8))
        .contender(plain("plain"))
        .contender(mirror("mirror"))
        .contender(wrong);
    let Err(CompareError::Disagreement(found)) = compare.run() else {
        panic!("88 solutions are not 92")
    };
    assert_eq!(found.instance(), "8 queens");
    assert_eq!(
        found.answers(),
        &[("plain".to_owned(), proven("92")), ("cuts a corner".to_owned(), proven("88"))]
    );
    let message = CompareError::Disagreement(found).to_string();
    let proofs = "8 queens: `plain` has proven 92, `cuts a corner` has proven 88";
    assert!(message.contains(proofs), "{message}");
}

#[test]
fn disagreement_on_any_instance_is_found_in_the_first_round() {
    let runs = Cell::new(0);
    let counted = counting_after("counted", || runs.set(runs.get() + 1));
    // No solution of 6 queens has one in the corner.
    let wrong = no_corner("wrong", Effect::Preserving);
    let _ = disagreement(boards("", [6, 8]).contender(counted).contender(wrong).rounds(9));
    assert_eq!(runs.get(), 2);
}

/// Returns a contender whose successive runs return these answers.
fn scripted<'a>(name: &str, answers: &'a [Answer]) -> Contender<'a, BitQueens> {
    let runs = Cell::new(0);
    Contender::new(name, move |queens: &BitQueens, limits| {
        claim(answers[runs.replace(runs.get() + 1)].clone(), queens, limits)
    })
}

#[test]
fn different_answers_in_two_rounds_are_an_error() {
    let stopped = || Answer::Partial("at least 3".to_owned());
    let (four, five) = (|| proven("4"), || proven("5"));
    // The first proofs are in different rounds: rounds 1 and 2, or 2 and 3.
    for (of_a, of_b, first, second) in [
        ([stopped(), five(), stopped()], [four(), four(), stopped()], "b", "a, round 2"),
        (
            [stopped(), four(), stopped()],
            [stopped(), stopped(), five()],
            "a, round 2",
            "b, round 3",
        ),
        ([four(), four(), five()], [four(), four(), four()], "a", "a, round 3"),
    ] {
        let contenders = [scripted("a", &of_a), scripted("b", &of_b)];
        let found = disagreement(boards("", [6]).contenders(contenders).rounds(3));
        assert_eq!(found, [(first.to_owned(), four()), (second.to_owned(), five())]);
    }
    // A counted run, and a run of a later round.
    let answers = [stopped(), four()];
    let contender = scripted("a", &answers)
        .counted(|queens: &BitQueens, limits| claim(proven("5"), queens, limits));
    let found = disagreement(boards("", [6]).contender(contender).rounds(2));
    assert_eq!(found, [("a, counted".to_owned(), five()), ("a, round 2".to_owned(), four())]);
}

#[test]
fn unproven_answers_need_not_agree() {
    let lossy = no_corner("lossy", Effect::Lossy);
    let comparison = done(boards("", [8]).contender(plain("plain")).contender(lossy));
    let lossy = &comparison.contenders()[1];
    assert_eq!(lossy.runs()[0].answer(), &Answer::Partial("at least 88".to_owned()));
    assert_eq!((lossy.effect(), lossy.limited()), (Effect::Lossy, 0));
}

#[test]
fn counted_runs_must_agree_and_are_not_timed() {
    let counting = |answer: &'static str| {
        plain("plain").counted(move |queens: &BitQueens, limits| {
            claim(proven(answer), queens, limits).stat("counted", 7)
        })
    };
    let comparison = done(boards("", [6]).contender(counting("4")).rounds(3));
    let run = &comparison.contenders()[0].runs()[0];
    assert_eq!((run.stat("counted"), run.stat("none"), run.times().len()), (Some(7), None, 3));
    let _ = disagreement(boards("", [6]).contender(counting("5")));
}

/// Checks that every contender runs once per turn, that the first one changes, and that none always
/// follows the same other one.
#[test]
fn contenders_take_turns() {
    let log: Rc<RefCell<Vec<(u64, usize)>>> = Rc::default();
    let logged = |index: usize| {
        let log = Rc::clone(&log);
        Contender::new(index.to_string(), move |queens: &BitQueens, limits| {
            let outcome = Search::new(queens).limits(limits).count();
            log.borrow_mut().push((outcome.report().nodes(), index));
            outcome
        })
    };
    done(boards("", [4, 5]).contenders((0..3).map(logged)).rounds(6));
    let log = log.borrow();
    assert_eq!(log.len(), 2 * 3 * 6);
    let mut firsts = [0; 3];
    let mut followers = [[0; 3]; 3];
    for turn in log.chunks(3) {
        assert!(turn.iter().all(|&(nodes, _)| nodes == turn[0].0), "one instance a turn: {turn:?}");
        let mut order: Vec<usize> = turn.iter().map(|&(_, index)| index).collect();
        firsts[order[0]] += 1;
        order.windows(2).for_each(|pair| followers[pair[0]][pair[1]] += 1);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2]);
    }
    assert_eq!(firsts, [4; 3]);
    for (one, after) in followers.iter().enumerate() {
        let others = after.iter().filter(|&&times| times > 0).count();
        assert_eq!(others, 2, "{one} is followed by each other one: {after:?}");
    }
    // Instances take turns within a round as well.
    let instances: Vec<u64> = log.chunks(3).map(|turn| turn[0].0).collect();
    assert!(instances.windows(2).all(|two| two[0] != two[1]));
}

#[test]
fn sizes_of_limited_runs_are_estimated() {
    let compare =
        |contender| boards(" queens", [10]).contender(contender).limits(Limits::new().nodes(1000));
    let comparison = done(compare(plain("plain")).rounds(2));
    let run = &comparison.contenders()[0].runs()[0];
    assert!(run.is_limited());
    assert_eq!((run.report().stop(), run.nodes()), (Stop::NodeLimit, 1000));
    assert_eq!(run.answer().proven(), None);
    let estimate = run.estimate().expect("it can be estimated");
    let expected = Search::new(&queens(10)).estimate(10_000, 1).nodes().expect("probes were made");
    assert_eq!(estimate, expected);
    let is_near = (30_000.0..40_000.0).contains(&estimate.mean);
    assert!(is_near, "the tree has 35,539 nodes: {estimate:?}");
    assert_eq!(run.size(), Some(estimate.mean));
    let contender = &comparison.contenders()[0];
    assert_eq!((contender.limited(), contender.estimated(), contender.unknown_sizes()), (1, 1, 0));
    assert!(comparison.ratio_is_estimated(contender));
    for text in [comparison.to_string(), comparison.markdown(), comparison.html()] {
        assert!(text.contains("est. 35 ") && text.contains("1 000 nodes"), "{text}");
    }

    let comparison = done(compare(mirror("mirror, which is not estimated")).rounds(2));
    let contender = &comparison.contenders()[0];
    let run = &contender.runs()[0];
    assert_eq!((run.size(), contender.unknown_sizes(), contender.estimated()), (None, 1, 0));
    assert_eq!(contender.sizes().map(|sizes| sizes.median), Some(1000.0));
    let text = comparison.to_string();
    assert!(text.contains("> 1 000 (node limit)") && !text.contains("est."), "{text}");
}

#[test]
fn an_estimate_below_the_visited_nodes_is_discarded() {
    let contender = mirror("mirror")
        .estimated(|_, probes, seed| Search::new(&queens(4)).estimate(probes, seed));
    let compare = boards("", [10]).contender(contender).limits(Limits::new().nodes(1000));
    let comparison = done(compare.rounds(1));
    let run = &comparison.contenders()[0].runs()[0];
    assert_eq!((run.is_limited(), run.estimate(), run.size()), (true, None, None));
}

#[test]
fn an_estimate_gives_no_bound_of_a_ratio() {
    let estimated = || {
        mirror("estimated")
            .estimated(|_, probes, seed| Search::new(&queens(10)).estimate(probes, seed))
    };
    for contenders in [[mirror("unknown"), estimated()], [estimated(), mirror("unknown")]] {
        let compare = Compare::of("10 queens", queens(10)).contenders(contenders);
        let comparison = done(compare.limits(Limits::new().nodes(1000)).rounds(1));
        assert_eq!(
            comparison.contenders().iter().map(|contender| contender.estimated()).sum::<usize>(),
            1
        );
        let text = comparison.to_string();
        assert!(!text.contains('≤') && !text.contains('≥'), "{text}");
    }
}

#[test]
fn an_upper_bound_of_a_ratio_rests_on_lower_bounds_of_reliable_estimates_too() {
    // The estimate of 8 queens is refuted, that of 10 queens is reliable.
    let base = plain("base").estimated(|board: &BitQueens, probes, seed| {
        let size = if board.size() == 10 { 10 } else { 4 };
        Search::new(&queens(size)).estimate(probes, seed)
    });
    let root = Contender::new("root", |queens: &BitQueens, limits| {
        let root = hook::enter("root", Effect::Lossy, |_| Verdict::Prune);
        Search::new(queens).hooks((root,)).limits(limits).count()
    });
    let compare = boards("", [8, 10]).contenders([base, root]).probes(100);
    let comparison = done(compare.limits(Limits::new().nodes(1000)).rounds(1));
    let base = &comparison.contenders()[0];
    assert_eq!((base.estimated(), base.unknown_sizes()), (1, 1));
    let estimate = Search::new(&queens(10)).estimate(100, 1);
    assert_eq!(base.runs()[1].estimate(), estimate.nodes());
    let ten = estimate.at_least(0.95).expect("reliable");
    let table = comparison.section(Section::Summary);
    let ratio = table.rows()[2][4].strip_prefix("≤ ").expect("an upper bound");
    let ratio: f64 = ratio.parse().expect("a number");
    // One node each, of 8 and 10 queens.
    let bound = (1.0 / (1000.0 * ten)).sqrt();
    assert!(ratio >= bound && ratio < 1.1 * bound, "{table}");
    assert!(table.notes().last().is_some_and(|note| note.contains("95 %")), "{table}");
}

#[test]
fn a_run_of_any_round_may_reach_a_limit() {
    let runs = Cell::new(0);
    let tires = Contender::new("tires", |queens: &BitQueens, limits: Limits| {
        let is_first = runs.replace(runs.get() + 1) == 0;
        let limits = if is_first { limits } else { limits.nodes(5) };
        Search::new(queens).limits(limits).count()
    });
    let comparison = done(boards("", [6]).contenders([plain("plain"), tires]).rounds(2));
    let tires = &comparison.contenders()[1];
    let run = &tires.runs()[0];
    // The first run has visited the whole tree, but its repetition tells less about the time.
    assert_eq!((run.nodes(), run.size(), tires.unknown_sizes()), (153, Some(153.0), 0));
    assert!(run.is_limited());
    assert_eq!((tires.limited(), comparison.time_ratio(tires)), (1, None));
    let table = comparison.section(Section::Summary);
    assert_eq!(table.rows()[2][2], "153");
    assert!(table.rows()[2][5].starts_with("> "), "{table}");
    assert!(table.rows()[2][7].starts_with("> "), "{table}");
}

#[test]
fn statistics_of_a_counted_run_that_stopped_elsewhere_are_left_out() {
    let stat = |timed: u64, counted: u64| {
        let limited = |limits: Limits, nodes| limits.nodes(nodes);
        let contender = Contender::new("counts", move |queens: &BitQueens, limits| {
            Search::new(queens).limits(limited(limits, timed)).count()
        });
        let contender = contender.counted(move |queens: &BitQueens, limits| {
            Trial::from(Search::new(queens).limits(limited(limits, counted)).count()).stat("n", 7)
        });
        done(boards("", [6]).contender(contender)).contenders()[0].runs()[0].stat("n")
    };
    assert_eq!([stat(999, 999), stat(5, 5)], [Some(7); 2]);
    assert_eq!([stat(999, 5), stat(5, 999), stat(5, 6)], [None; 3]);
}

#[test]
fn the_most_uncertain_estimate_gets_the_most_probes() {
    let calls = RefCell::new(Vec::new());
    // All probes of the boards of 1 and 2 rows find the same number of nodes.
    let contender = |name: &'static str, size| {
        let calls = &calls;
        plain(name).estimated(move |_, probes, seed| {
            calls.borrow_mut().push((name, probes));
            Search::new(&queens(size)).estimate(probes, seed)
        })
    };
    let contenders = [contender("certain", 1), contender("uncertain", 10), contender("small", 2)];
    let compare = boards("", [10]).contenders(contenders);
    let _ = done(compare.limits(Limits::new().nodes(100)).rounds(1).probes(800));
    let expected = [("certain", 400), ("uncertain", 400), ("small", 400), ("uncertain", 800)];
    assert_eq!(*calls.borrow(), expected);
}

/// All runs reach the node limit and all estimates are unreliable. The trees have 20,273 nodes with
/// prunings 1 and 2, and 8,540 nodes with prunings 1 to 3.
#[test]
fn an_unreliable_estimate_gives_only_a_lower_bound_in_all_outputs() {
    let board = fire_net::FireNetBoard::random(6, 6, 0.8, 1).expect("a small board");
    let sets = [1..=2, 1..=3].map(fire_net::FireNetPrunings::of);
    let compare = bundled::fire_net([("6×6", board)], sets).limits(Limits::new().nodes(5000));
    let comparison = done(compare.rounds(1));
    for (contender, truth) in comparison.contenders().iter().zip([20_273.0, 8540.0]) {
        let run = &contender.runs()[0];
        assert_eq!((run.estimate().is_some(), run.estimate_is_reliable()), (true, Some(false)));
        assert_eq!((run.size(), comparison.ratio(contender)), (None, None));
        assert!(run.at_least() >= 5000.0 && run.at_least() <= truth, "{}", run.at_least());
        assert_eq!((contender.estimated(), contender.unreliably_estimated()), (0, 1));
        assert_eq!(contender.unknown_sizes(), 1);
        assert_eq!(contender.sizes().map(|sizes| sizes.median), Some(run.at_least()));
    }
    let first = &comparison.contenders()[0].runs()[0];
    // One probe contributes a quarter of the sum, so the mean is 1.6 times the true size.
    assert!(first.estimate().is_some_and(|nodes| nodes.mean > 30_000.0));
    let bound = first.at_least();
    assert!((8600.0..8700.0).contains(&bound), "{bound}");
    for text in [comparison.to_string(), comparison.markdown(), comparison.html()] {
        assert!(text.contains("≥ 8 6") && text.contains("Estimates that are not reliable: 2"));
        assert!(!text.contains("≈") && !text.contains("est. "), "{text}");
    }
    let (csv, json) = (comparison.csv(), comparison.json());
    assert!(csv.contains(",estimate_is_reliable,nodes_at_least,"), "{csv}");
    assert!(csv.contains(&format!(",false,{bound},")), "{csv}");
    assert!(json.contains("\"reliable\": false"), "{json}");
    assert!(json.contains("\"unreliably_estimated\": 1"), "{json}");
}

#[test]
fn an_estimate_without_the_optimum_gives_no_bound() {
    let board = fire_net::FireNetBoard::random(6, 6, 0.8, 1).expect("a small board");
    let settings = fire_net::FireNetSettings::article(fire_net::FireNetPrunings::of(1..=3));
    let estimate_settings = settings.clone();
    let contender = Contender::new("1-3", move |board: &fire_net::FireNetBoard, limits| {
        settings.clone().limits(limits).solve(board)
    })
    .estimated(move |board, probes, seed| estimate_settings.estimate(board, None, probes, seed));
    let compare =
        Compare::of("6×6", board).contender(contender).limits(Limits::new().nodes(5000)).rounds(1);
    let comparison = done(compare);
    let run = &comparison.contenders()[0].runs()[0];
    // The tree without an incumbent is larger than that of the search.
    assert_eq!((run.estimate_is_reliable(), run.size()), (Some(false), None));
    assert_eq!(run.at_least(), 5000.0);
    assert!(comparison.to_string().contains("> 5 000 (node limit)"), "{comparison}");
}

#[test]
fn quantiles_of_unknown_sizes_are_lower_bounds() {
    let compare = boards("", 4..9).contender(mirror("mirror")).limits(Limits::new().nodes(200));
    let comparison = done(compare.rounds(1));
    let contender = &comparison.contenders()[0];
    assert_eq!((contender.limited(), contender.unknown_sizes()), (2, 2));
    let text = comparison.section(Section::Summary).to_string();
    // The median is known because more than half of the runs came to an end; the maximum is not.
    let sizes = contender.sizes().expect("there are instances");
    assert_eq!(sizes.greatest, 200.0);
    assert!(text.contains(&format!("  {}  ≥ ", sizes.median)) && text.contains("2 of 5"), "{text}");
}

#[test]
fn missing_or_duplicate_names_are_errors() {
    let error = |compare: Compare<'_, BitQueens>| compare.run().expect_err("names");
    assert_eq!(error(boards("", []).contender(plain("plain"))), CompareError::NoInstances);
    assert_eq!(error(boards("", [4])), CompareError::NoContenders);
    let twice = error(boards("", [4]).contender(plain("a")).contender(mirror("a")));
    assert_eq!(twice.to_string(), "found two contenders called \"a\", expected a name for each");
    let twice = error(boards("", [4, 4]).contender(plain("a")));
    assert_eq!(twice, CompareError::SameName { what: "instances", name: "4".to_owned() });
}

#[test]
fn one_contender_on_a_tree_of_one_node_is_printed() {
    let comparison = done(boards("", [0]).contender(plain("plain")).rounds(0));
    assert_eq!((comparison.rounds(), comparison.contenders()[0].runs()[0].times().len()), (1, 1));
    let text = comparison.to_string();
    assert!(text.contains("plain") && text.contains("1.000"), "{text}");
    assert!(comparison.html().contains("visits 1 node in "));
}

/// A meter with preset values: current and peak.
struct PresetMeter<'t>(&'t Cell<u64>, &'t Cell<u64>);

impl MemoryMeter for PresetMeter<'_> {
    fn current(&self) -> u64 {
        self.0.get()
    }
    fn peak(&self) -> u64 {
        self.1.get()
    }
    fn reset_peak(&self) {
        self.1.set(self.0.get());
    }
}

#[test]
fn memory_is_the_highest_peak_of_all_rounds() {
    let (current, peak) = (Cell::new(1000), Cell::new(9_999_999));
    let runs = Cell::new(0);
    let contender = counting_after("takes memory", || {
        runs.set(runs.get() + 1);
        peak.set(1000 + 100 * if runs.get() == 2 { 7 } else { 1 });
    });
    let compare = boards("", [4]).contender(contender).memory(PresetMeter(&current, &peak));
    let comparison = done(compare.rounds(3));
    assert_eq!(comparison.contenders()[0].runs()[0].peak_bytes(), Some(700));
    assert!(comparison.to_string().contains("700 B"), "{comparison}");
}

#[test]
fn sweeps_report_memory_without_a_meter() {
    let cases = secateurs_lab::bundled::paper_cases().skip(1).take(1);
    let contender = Contender::new("sweep", |case, limits| {
        RocketSettings::default().limits(limits).rockets(case)
    });
    let comparison = done(Compare::over(cases).contender(contender).rounds(1));
    let run = &comparison.contenders()[0].runs()[0];
    assert_eq!(run.peak_bytes(), run.report().peak_bytes());
    assert!(run.peak_bytes() > Some(1000));
}

#[test]
fn tallies_count_the_instances_that_satisfy_the_test() {
    let compare = small([4, 5, 6, 7])
        .tally("small", |_, run| run.nodes() < 100)
        .tally("of no queens", |_, _| false);
    let comparison = done(compare);
    let [plain, mirror] = comparison.contenders() else { panic!("two contenders") };
    assert_eq!([plain.tally("small"), mirror.tally("small")], [Some(2), Some(3)]);
    assert_eq!([plain.tally("of no queens"), plain.tally("unknown")], [Some(0), None]);
    assert!(comparison.to_string().contains("of no queens"));
}

#[test]
fn references_are_shown_next_to_measurements() {
    let reference = Reference::nodes("book", [("6 queens", 153.0), ("99 queens", 1.0)]);
    let seconds = Reference::seconds("old machine", [("7 queens", 90.0)]);
    let compare = small([6, 7]).contender(plain("again").reference(reference).reference(seconds));
    let comparison = done(compare);
    let nodes = comparison.section(Section::Nodes);
    assert_eq!(nodes.rows()[0], ["instance", "plain", "mirror", "again", "again (book)"]);
    assert_eq!(nodes.rows()[1], ["6 queens", "153", "77", "153", "153"]);
    assert_eq!(nodes.rows()[2][4], "");
    let times = comparison.section(Section::Times);
    assert_eq!((&*times.rows()[2][4], &*times.rows()[1][4]), ("90.0 s", ""));
}

#[test]
fn quantiles_are_interpolated_linearly() {
    let of = |numbers: &[f64]| Quantiles::of(numbers.iter().copied());
    assert_eq!(of(&[]), None);
    let one = of(&[3.0]).expect("a number");
    assert_eq!(
        [one.least, one.lower_quartile, one.median, one.upper_decile, one.greatest],
        [3.0; 5]
    );
    assert_eq!(of(&[4.0, 1.0]).map(|two| (two.median, two.lower_quartile)), Some((2.5, 1.75)));
    let ten = Quantiles::of((0..=10).rev().map(f64::from)).expect("numbers");
    assert_eq!(
        [ten.least, ten.lower_quartile, ten.median, ten.upper_quartile],
        [0.0, 2.5, 5.0, 7.5]
    );
    assert_eq!([ten.upper_decile, ten.greatest], [9.0, 10.0]);
    // Infinite numbers are allowed.
    let some = of(&[1.0, f64::INFINITY, f64::INFINITY]).expect("numbers");
    assert_eq!((some.least, some.median, some.greatest), (1.0, f64::INFINITY, f64::INFINITY));
    let both = of(&[f64::INFINITY; 2]).expect("numbers");
    assert_eq!([both.lower_quartile, both.median, both.upper_decile], [f64::INFINITY; 3]);
    assert_eq!(of(&[1.0, f64::NEG_INFINITY]).map(|two| two.median), Some(f64::NEG_INFINITY));
}

#[test]
fn each_plan_generates_its_sets() {
    let names = ["a", "b", "c"];
    let sets = |plan: Plan| -> Vec<Vec<String>> {
        let sets = plan.sets(names).expect("three names");
        sets.iter().map(|set| set.names().map(str::to_owned).collect()).collect()
    };
    assert_eq!(sets(Plan::Cumulative), [vec![], vec!["a"], vec!["a", "b"], vec!["a", "b", "c"]]);
    assert_eq!(sets(Plan::EachAlone), [vec![], vec!["a"], vec!["b"], vec!["c"]]);
    assert_eq!(
        sets(Plan::AllButOne),
        [vec!["a", "b", "c"], vec!["b", "c"], vec!["a", "c"], vec!["a", "b"]]
    );
    let subsets = sets(Plan::Subsets);
    assert_eq!((subsets.len(), &subsets[5]), (8, &vec!["a".to_owned(), "c".to_owned()]));
    assert_eq!(subsets.iter().collect::<BTreeSet<_>>().len(), 8);

    let number = |count: usize| (0..count).map(|index| index.to_string());
    assert_eq!(Plan::Subsets.sets(number(Plan::MAX_SUBSETS_OF)).map(|sets| sets.len()), Ok(65_536));
    let error = Plan::Subsets.sets(number(17)).expect_err("too many");
    assert_eq!(error, CompareError::TooManySubsets { found: 17, most: 16 });
    assert_eq!(
        error.to_string(),
        "found 17 switches to make all subsets of, expected at most 16, which have 65536 subsets"
    );
    assert_eq!(Plan::Cumulative.sets(number(17)).map(|sets| sets.len()), Ok(18));
    assert_eq!(
        Plan::EachAlone.sets(["x", "x"]),
        Err(CompareError::SameName { what: "switches", name: "x".to_owned() })
    );
    for plan in [Plan::Cumulative, Plan::EachAlone, Plan::AllButOne, Plan::Subsets] {
        assert_eq!(plan.to_string().parse(), Ok(plan));
        let sets = plan.sets(names).expect("names");
        let labels: BTreeSet<String> = sets.iter().map(ToString::to_string).collect();
        assert_eq!(labels.len(), sets.len(), "{labels:?}");
        assert_eq!(plan.sets(Vec::<String>::new()).map(|sets| sets.len()), Ok(1));
    }
    assert!("none".parse::<Plan>().is_err());
}

#[test]
fn the_time_is_the_median_of_the_rounds() {
    let naps = Cell::new(0);
    let contender = counting_after("naps", || {
        // One of three runs takes much longer.
        if naps.replace(naps.get() + 1) == 1 {
            std::thread::sleep(Duration::from_millis(60));
        }
    });
    let comparison = done(boards("", [4]).contender(contender).rounds(3));
    let run = &comparison.contenders()[0].runs()[0];
    let mut times = run.times().to_vec();
    times.sort();
    assert_eq!(run.seconds().median, times[1].as_secs_f64());
    assert_eq!(run.seconds().greatest, times[2].as_secs_f64());
    assert!(times[2] >= Duration::from_millis(60));
}
