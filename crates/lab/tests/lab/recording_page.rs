//! Pages of recordings, read by an independent decoder: every node, label, outcome and picture is
//! there.

use std::cell::RefCell;

use proptest::prelude::*;
use secateurs::plug::{Antichain, ContourProblem, Sweep};
use secateurs::{Direction, Effect, Limits, Node, Search, Verdict, hook};
use secateurs_lab::{NodeOutcome, Recording, SweepRecording};
use secateurs_problems::catalogue::{Grid, Paths, Strands, hamiltonian_cycles, simple_paths};
use secateurs_problems::rocket_mania::{Containment, Extinguished, Fuses, LonePlugs, Mode};
use serde_json::Value;

use crate::shared::recorded_page::{Shown, edited, edits, element, sections, shown};
use crate::support::trees::{RandomTree, Trail, tree_stats};

/// Returns a picture of several lines that depends on the path and contains mark-up.
fn picture_text(path: &[u32]) -> String {
    let mut text = String::from("<b>&amp;\n");
    for (depth, choice) in path.iter().enumerate() {
        text += &"same\n".repeat(*choice as usize % 3);
        text += &format!("</script> {depth}: {choice}\n");
    }
    text + &format!("{}\nend\n", path.iter().sum::<u32>())
}

proptest! {
    #[test]
    fn every_recorded_node_is_on_the_page(seed: u64, room in 0_usize..400) {
        let tree = RandomTree::new(seed, 4, 5);
        let drawn = RefCell::new(Vec::new());
        let mut recording = Recording::new()
            .node_limit(room)
            .label(|_, choice| format!("<{choice}>"))
            .picture(|node: &Node<'_, RandomTree>| {
                drawn.borrow_mut().push(picture_text(node.state()));
                picture_text(node.state())
            });
        let outcome = Search::new(&tree).hooks(recording.of((Trail::default(),))).count();
        recording.ended(outcome.report());
        let page = recording.html("A <random> tree");
        let nodes = shown(&page);
        prop_assert_eq!(nodes.len(), recording.len());
        let drawn = drawn.borrow();
        let mut drawn = drawn.iter();
        for (shown, node) in nodes.iter().zip(recording.nodes()) {
            let (code, entered) = match node.outcome() {
                NodeOutcome::Inner => (0, true),
                NodeOutcome::DeadEnd => (1, true),
                NodeOutcome::Solution => (if node.is_finished() { 2 } else { 4 }, true),
                NodeOutcome::Unfinished => (3, true),
                NodeOutcome::NotAdmitted(hook) => (6 + 2 * hook, false),
                NodeOutcome::NotKept(hook) => (7 + 2 * hook, true),
                outcome => panic!("{outcome:?}"),
            };
            let picture = if entered { drawn.next().cloned() } else { None };
            let label = node.label().map(str::to_owned);
            let expected = Shown { depth: node.depth(), code, label, picture };
            prop_assert_eq!(shown, &expected);
            prop_assert_eq!(node.picture(), expected.picture);
        }
        prop_assert!(drawn.next().is_none());
        let missing = recording.missing_nodes() + recording.missing_cuts();
        prop_assert_eq!(page.contains("id=\"truncated\""), missing > 0);
        prop_assert!(page.contains("A &lt;random&gt; tree"));
    }
}

#[test]
fn hostile_hook_names_are_escaped() {
    let tree = RandomTree::new(5, 3, 3);
    let mut recording = Recording::new();
    let nasty = hook::enter(
        "</script><script>alert(1)//",
        Effect::Lossy,
        |node: &mut secateurs::NodeMut<'_, RandomTree>| Verdict::prune_if(node.depth() == 2),
    );
    let _ = Search::new(&tree).hooks(recording.of((nasty,))).count();
    let page = recording.html("Nasty");
    assert!(!page.contains("</script><script>alert"));
    let about: Value = serde_json::from_str(element(&page, "about")).expect("JSON");
    assert_eq!(about["hooks"][0], "</script><script>alert(1)//");
}

/// If every solution is an improvement, the page has a sample of the improvements, with exact
/// values.
#[test]
fn pages_show_a_sample_of_many_improvements() {
    let value = std::cell::Cell::new(i64::MIN);
    let mut recording = Recording::new().value(Direction::Maximise, |_| {
        value.set(value.get() + 1);
        value.get()
    });
    let mut trees = (0..).map(|seed| RandomTree::new(seed, 6, 12));
    let is_large = |tree: &RandomTree| {
        Search::new(tree).limits(Limits::new().nodes(9_000)).count().report().solutions() > 2_000
    };
    let tree = trees.find(is_large).expect("there are large trees");
    let outcome =
        Search::new(&tree).hooks(recording.of(())).limits(Limits::new().nodes(9_000)).count();
    let solutions = outcome.report().solutions();
    assert_eq!(recording.improvements().len() as u64, solutions);
    let about: Value =
        serde_json::from_str(element(&recording.html("Better"), "about")).expect("JSON");
    let shown = about["improvements"].as_array().expect("a list");
    assert_eq!((shown.len(), about["allImprovements"].as_u64()), (500, Some(solutions)));
    assert_eq!(shown[0][1], (i64::MIN + 1).to_string());
    assert_eq!(shown[499][1], value.get().to_string());
}

/// Checks that the layers on the page of a sweep are those of the report, and its pictures those of
/// the states.
fn check_sweep<P: ContourProblem>(
    problem: &P,
    recording: &SweepRecording<'_, P>,
    report: &secateurs::Report,
    picture: impl Fn(&P, usize, P::State) -> String,
) {
    let page = recording.html("A sweep", problem, report);
    let about: Value = serde_json::from_str(element(&page, "about")).expect("JSON");
    let sections = sections(&page);
    let [_labels, lines, all_edits, edit_numbers] = &sections[..] else { panic!("four sections") };
    let (lines, edits) = (lines.texts(), edits(all_edits.numbers()));
    let mut edit_numbers = edit_numbers.numbers().iter();
    // The first picture of a layer is an edit of that of the previous layer, and the others are
    // edits of the first.
    let mut first: Vec<usize> = Vec::new();
    for (cells, level) in report.levels().iter().enumerate() {
        let layer = &about["layers"][cells];
        assert_eq!(layer["states"], level.nodes);
        assert_eq!(
            (&layer["transitions"], &layer["merged"]),
            (&level.transitions.into(), &level.merged.into())
        );
        for (index, hook) in report.hooks().iter().enumerate() {
            let cuts = hook.cuts_by_depth()[cells];
            assert_eq!(layer["cuts"][index], serde_json::json!([cuts.admit, cuts.enter]));
        }
        let states = if cells == 0 { vec![problem.start()] } else { recording.states(cells) };
        assert_eq!(layer["kept"], states.len());
        assert!(states.len() as u64 <= level.nodes);
        for (index, &state) in states.iter().enumerate() {
            // Edits are numbered from 1, because 0 stands for a picture that was left out.
            let edit = edit_numbers
                .next()
                .expect("one edit per state")
                .checked_sub(1)
                .expect("no picture was left out");
            let shown = edited(&first, &edits[edit]);
            let text: String = shown.iter().map(|&line| lines[line].clone() + "\n").collect();
            assert_eq!(text, picture(problem, cells, state));
            if index == 0 {
                first = shown;
            }
        }
    }
    assert_eq!(edit_numbers.next(), None);
}

#[test]
fn pages_of_sweeps_agree_with_the_report() {
    let grid: Grid = "....\n.*..\n....\n....\n....\n".parse().expect("a board");
    for strands in [hamiltonian_cycles(&grid), simple_paths(&grid)] {
        let recording = SweepRecording::new().state_limit(7).picture(Strands::state_svg);
        let outcome = Sweep::new(&strands).hooks(recording.of(())).count();
        assert_eq!(outcome.exact(), Sweep::new(&strands).count().exact());
        check_sweep(&strands, &recording, outcome.report(), Strands::state_svg);
    }
    let paths = Paths::simple(&grid);
    let recording = SweepRecording::new().picture(Paths::state_svg);
    let outcome = Sweep::new(&paths).hooks(recording.of(())).count();
    check_sweep(&paths, &recording, outcome.report(), Paths::state_svg);
}

#[test]
fn recording_does_not_change_a_sweep_with_hooks() {
    let case = &Mode::Plus.cases("T-L-\nLT-L\nTLTT\n").expect("a case")[0];
    let fuses = Fuses::<u64>::new(case);
    let hooks = || (Extinguished, LonePlugs, Antichain::new("full dominance", Containment));
    let draw = |fuses: &Fuses<'_>, cells, state| fuses.state_svg(cells, state);
    let recording = SweepRecording::new().picture(draw);
    let outcome = Sweep::new(&fuses).hooks(recording.of(hooks())).count();
    let plain = Sweep::new(&fuses).hooks(hooks()).count();
    assert_eq!(tree_stats(outcome.report()), tree_stats(plain.report()));
    for (cells, level) in outcome.report().levels().iter().enumerate().skip(1) {
        // The default limit, `SweepRecording::STATES`, is 48.
        assert_eq!(recording.states(cells).len() as u64, level.nodes.min(48));
    }
    check_sweep(&fuses, &recording, outcome.report(), draw);
}

#[test]
fn sampled_states_do_not_depend_on_the_number_of_threads() {
    let cycles = hamiltonian_cycles(&Grid::new(11, 11).expect("a board"));
    let states = |threads| {
        let recording = SweepRecording::new().state_limit(20);
        let outcome = Sweep::new(&cycles).hooks(recording.of(())).threads(threads).count();
        (1..outcome.report().levels().len())
            .map(|cells| recording.states(cells))
            .collect::<Vec<_>>()
    };
    assert_eq!(states(1), states(3));
}

#[test]
#[ignore = "seconds: cargo test --release -p secateurs-lab --test lab -- --ignored recording_page"]
fn large_pages_omit_pictures_and_say_so() {
    let mut trees = (0..).map(|seed| RandomTree::new(seed, 6, 12));
    let is_large = |tree: &RandomTree| {
        Search::new(tree).limits(Limits::new().nodes(6_000)).count().report().nodes() == 6_000
    };
    let tree = trees.find(is_large).expect("there are large trees");
    // Random pictures of 60 lines of 40 digits each, which do not compress.
    let noise = |node: &Node<'_, RandomTree>| {
        let seed = node
            .path()
            .iter()
            .fold(1_u64, |sum, &choice| sum.wrapping_mul(31).wrapping_add(u64::from(choice) + 1));
        let mut state = seed;
        let mut digit = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(b'0' + (state >> 60) as u8 % 10)
        };
        let mut line = || (0..40).map(|_| digit()).chain(['\n']).collect::<String>();
        (0..60).map(|_| line()).collect::<String>()
    };
    let mut recording = Recording::new().node_limit(6_000).picture(noise);
    let _ = Search::new(&tree).hooks(recording.of(())).count();
    assert_eq!(recording.len(), 6_000);
    let page = recording.html("Noise");
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    assert!(page.contains("id=\"unpictured\""));
    let nodes = shown(&page);
    let pictured = nodes.iter().filter(|node| node.picture.is_some()).count();
    assert!(pictured > 1_000, "{pictured} nodes have a picture");
    // The pictures that remain are the original ones.
    for (shown, node) in
        nodes.iter().zip(recording.nodes()).filter(|(shown, _)| shown.picture.is_some()).take(200)
    {
        assert_eq!(shown.picture, node.picture());
    }
}
