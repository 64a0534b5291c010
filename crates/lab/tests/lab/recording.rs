//! Recordings of searches: the recorded tree is that of a plain recursion, and its counts are those
//! of the report.

use std::collections::HashMap;

use proptest::prelude::*;
use secateurs::search::Frontier;
use secateurs::{Direction, Effect, Limits, Node, Problem, Report, Search, Verdict, hook};
use secateurs_lab::{NodeOutcome, Recording};
use secateurs_problems::maze::Maze;
use secateurs_problems::queens::{BitQueens, Queens, RowByRow};

use crate::support::trees::{RandomTree, Trail, tree_stats};
use crate::support::words::Full;

/// A node for comparison: depth, label and outcome.
type Line = (usize, Option<String>, NodeOutcome);

fn lines<P: Problem>(recording: &Recording<'_, P>) -> Vec<Line> {
    recording
        .nodes()
        .map(|node| (node.depth(), node.label().map(str::to_owned), node.outcome()))
        .collect()
}

/// A handwritten recursion that prunes by the rules of the hooks [`rejecting`] and [`Trail`], and
/// records its tree.
struct Recursion<'t> {
    tree: &'t RandomTree,
    lines: Vec<Line>,
}

impl Recursion<'_> {
    /// Returns whether the hook [`rejecting`] rejects a choice at this depth.
    fn is_rejected(depth: usize, choice: u32) -> bool {
        (depth * 5 + choice as usize) % 9 == 4
    }

    /// Walks a node. Returns false if it is cut off.
    fn walk(&mut self, path: &mut Vec<u32>, before: u64) -> bool {
        let mark = before * 3 + u64::from(path.last().copied().unwrap_or(0)) + 1;
        let label = path.last().map(u32::to_string);
        let line = self.lines.len();
        self.lines.push((path.len(), label, NodeOutcome::NotKept(1)));
        if mark % 11 == 5 {
            return false;
        }
        let mut kept = false;
        for child in 0..self.tree.children(path) {
            let cut = match () {
                () if Self::is_rejected(path.len(), child) => Some(0),
                () if (mark + u64::from(child)) % 7 == 3 => Some(1),
                () => None,
            };
            if let Some(hook) = cut {
                self.lines.push((
                    path.len() + 1,
                    Some(child.to_string()),
                    NodeOutcome::NotAdmitted(hook),
                ));
                continue;
            }
            path.push(child);
            kept |= self.walk(path, mark);
            path.pop();
        }
        self.lines[line].2 = match (self.tree.is_solution(path), kept) {
            (true, _) => NodeOutcome::Solution,
            (false, true) => NodeOutcome::Inner,
            (false, false) => NodeOutcome::DeadEnd,
        };
        true
    }
}

/// Returns the number of recorded nodes that were entered.
fn entered<P: Problem>(recording: &Recording<'_, P>) -> u64 {
    let is_entered = |outcome| !matches!(outcome, NodeOutcome::NotAdmitted(_));
    recording.nodes().filter(|node| is_entered(node.outcome())).count() as u64
}

fn rejecting() -> impl secateurs::Hook<RandomTree> {
    hook::admit("rejecting", Effect::Lossy, |node: &Node<'_, RandomTree>, &choice: &u32| {
        Verdict::prune_if(Recursion::is_rejected(node.depth(), choice))
    })
}

fn labelled<'f>() -> Recording<'f, RandomTree> {
    Recording::new().label(|_, choice| *choice)
}

/// Checks that the recording and the report agree by depth: on nodes, solutions, dead ends, and the
/// cuts of each hook.
fn assert_counts<P: Problem>(recording: &Recording<'_, P>, report: &Report) {
    let mut counts: HashMap<(usize, NodeOutcome), u64> = HashMap::new();
    for node in recording.nodes() {
        *counts.entry((node.depth(), node.outcome())).or_default() += 1;
    }
    let count = |depth, outcome| counts.get(&(depth, outcome)).copied().unwrap_or(0);
    for (depth, level) in report.levels().iter().enumerate() {
        use NodeOutcome::{DeadEnd, Inner, NotKept, Solution, Unfinished};
        let hooks = (0..report.hooks().len()).map(NotKept);
        let outcomes = hooks.chain([Inner, Solution, DeadEnd, Unfinished]);
        let nodes: u64 = outcomes.map(|outcome| count(depth, outcome)).sum();
        let counted = (nodes, count(depth, Solution), count(depth, DeadEnd));
        assert_eq!(counted, (level.nodes, level.solutions, level.dead_ends), "depth {depth}");
    }
    for (index, hook) in report.hooks().iter().enumerate() {
        for (depth, cuts) in hook.cuts_by_depth().iter().enumerate() {
            let admit = count(depth, NodeOutcome::NotAdmitted(index));
            let enter = count(depth, NodeOutcome::NotKept(index));
            assert_eq!((admit, enter), (cuts.admit, cuts.enter), "{} at {depth}", hook.name());
        }
    }
}

proptest! {
    #[test]
    fn the_recorded_tree_is_that_of_a_recursion(seed: u64, width in 0_u32..5, depth in 0_usize..6) {
        let tree = RandomTree::new(seed, width, depth);
        let mut recursion = Recursion { tree: &tree, lines: Vec::new() };
        recursion.walk(&mut Vec::new(), 0);
        let mut recording = labelled();
        let hooks = recording.of((rejecting(), Trail::default()));
        let outcome = Search::new(&tree).hooks(hooks).count();
        prop_assert_eq!(lines(&recording), recursion.lines);
        assert_counts(&recording, outcome.report());
        // The run is the same as without a recording.
        let plain = Search::new(&tree).hooks((rejecting(), Trail::default())).count();
        prop_assert_eq!(outcome.value(), plain.value());
        prop_assert_eq!(tree_stats(outcome.report()), tree_stats(plain.report()));
    }

    #[test]
    fn a_stopped_run_records_a_prefix_of_the_tree(seed: u64, nodes in 0_u64..60) {
        let tree = RandomTree::new(seed, 4, 5);
        let mut recording = labelled();
        let limits = Limits::new().nodes(nodes);
        let search = Search::new(&tree).hooks(recording.of((rejecting(), Trail::default())));
        let outcome = search.limits(limits).count();
        recording.ended(outcome.report());
        assert_counts(&recording, outcome.report());
        let mut whole = labelled();
        let _ = Search::new(&tree).hooks(whole.of((rejecting(), Trail::default()))).count();
        // A prefix of the whole tree, except for the outcome of unfinished nodes.
        for (part, all) in lines(&recording).iter().zip(lines(&whole)) {
            prop_assert_eq!((part.0, &part.1), (all.0, &all.1));
            let is_same = part.2 == all.2 || part.2 == NodeOutcome::Unfinished;
            prop_assert!(is_same, "{:?} of {:?}", part, all);
        }
        let unfinished = recording.nodes().filter(|node| !node.is_finished()).count();
        prop_assert_eq!(unfinished > 0, !outcome.stop().is_exhausted() && nodes > 0);
    }

    #[test]
    fn a_full_recording_has_a_prefix_and_counts_the_rest(seed: u64, room in 0_usize..60) {
        let tree = RandomTree::new(seed, 4, 5);
        let [mut part, mut whole] = [labelled().node_limit(room), labelled()];
        let outcome = Search::new(&tree).hooks(part.of((rejecting(), Trail::default()))).count();
        let _ = Search::new(&tree).hooks(whole.of((rejecting(), Trail::default()))).count();
        let all = lines(&whole);
        prop_assert_eq!(&lines(&part)[..], &all[..room.min(all.len())]);
        prop_assert_eq!(entered(&part) + part.missing_nodes(), outcome.report().nodes());
        let missing = part.missing_nodes() + part.missing_cuts();
        prop_assert_eq!(part.len() as u64 + missing, all.len() as u64);
    }

    #[test]
    fn replayed_walks_continue_the_recorded_tree(seed: u64, nodes in 1_u64..40) {
        let tree = RandomTree::new(seed, 4, 5);
        let (mut frontier, mut recording) = (Frontier::new(), labelled());
        let mut last_report: Option<Report> = None;
        for _ in 0..10_000 {
            let limits = Limits::new().nodes(nodes);
            let search = Search::new(&tree).hooks(recording.of((rejecting(), Trail::default())));
            let outcome = search.limits(limits).frontier(&mut frontier).count();
            let exhausted = outcome.stop().is_exhausted();
            last_report = Some(outcome.report().clone());
            if exhausted {
                break;
            }
        }
        let mut whole = labelled();
        let _ = Search::new(&tree).hooks(whole.of((rejecting(), Trail::default()))).count();
        recording.ended(&last_report.expect("at least one run"));
        prop_assert_eq!(lines(&recording), lines(&whole));
    }
}

/// A tree in which each node has one child, down to a depth.
pub fn chain(depth: u64) -> Full {
    Full { width: 1, depth }
}

#[test]
fn a_tree_of_depth_one_million_is_recorded() {
    let mut recording = Recording::new().node_limit(2_000_000);
    let outcome = Search::new(&chain(1_000_000)).hooks(recording.of(())).count();
    recording.ended(outcome.report());
    let counts =
        [NodeOutcome::Inner, NodeOutcome::Solution].map(|outcome| recording.count(outcome));
    assert_eq!(counts, [1_000_000, 1]);
    assert_eq!(recording.nodes().next_back().map(|node| node.depth()), Some(1_000_000));
    assert!(recording.html("A chain").len() < 100_000);
}

#[test]
fn pictures_are_dropped_beyond_the_memory_limit() {
    let picture_text = |node: &Node<'_, Full>| format!("{}\n{}", node.state(), "-".repeat(10_000));
    let mut recording = Recording::new().picture(picture_text);
    let outcome = Search::new(&chain(10_000)).hooks(recording.of(())).count();
    assert_eq!(outcome.exact(), Some(1));
    let kept = 10_001
        - usize::try_from(recording.without_picture()).expect("at most one picture per node");
    assert!((1_000..10_000).contains(&kept));
    let pictures = |node: &secateurs_lab::RecordedNode<'_>| node.picture();
    // Two line breaks: `picture_text` writes one, and every line of a recorded picture ends with
    // one.
    assert_eq!(
        recording.nodes().nth(kept - 1).as_ref().and_then(pictures).map(|text| text.len()),
        Some(format!("{}", kept - 1).len() + 10_002)
    );
    assert_eq!(recording.nodes().nth(kept).as_ref().and_then(pictures), None);
    let html = recording.html("A chain of large pictures");
    assert!(html.contains("have no picture, because the pictures took too much memory."));
    assert!(!html.contains("the page would be too large"));
}

#[test]
fn a_root_that_is_cut_off_is_recorded() {
    let tree = RandomTree::new(1, 4, 4);
    let mut recording = labelled();
    let nothing = hook::enter("nothing", Effect::Lossy, |_| Verdict::Prune);
    let outcome = Search::new(&tree).hooks(recording.of((nothing,))).count();
    recording.ended(outcome.report());
    assert_eq!(lines(&recording), [(0, None, NodeOutcome::NotKept(0))]);
}

#[test]
fn an_empty_recording_makes_a_page() {
    let recording = Recording::<RandomTree>::new();
    assert!(recording.is_empty());
    assert!(recording.html("Nothing").contains("0 nodes were entered"));
}

#[test]
fn a_dropped_iterator_leaves_its_path_unfinished() {
    let queens = Queens::new(6).expect("a small board").bits();
    let mut recording = Recording::new();
    let mut solutions = Search::new(&queens).hooks(recording.of(())).solutions();
    assert!(solutions.next().is_some());
    drop(solutions);
    // The solution is a leaf, and finished; the six nodes above it are not.
    let counts =
        [NodeOutcome::Unfinished, NodeOutcome::Solution].map(|outcome| recording.count(outcome));
    assert_eq!(counts, [6, 1]);
}

#[test]
fn a_depth_limit_leaves_nodes_unfinished() {
    let queens = Queens::new(6).expect("a small board").bits();
    let mut recording = Recording::new();
    let outcome =
        Search::new(&queens).hooks(recording.of(())).limits(Limits::new().depth(2)).count();
    recording.ended(outcome.report());
    assert_counts(&recording, outcome.report());
    let mut at_limit = recording.nodes().filter(|node| node.depth() == 2);
    assert!(at_limit.all(|node| node.outcome() == NodeOutcome::Unfinished));
}

#[test]
fn two_runs_add_two_roots() {
    let tree = RandomTree::new(7, 3, 4);
    let mut recording = labelled();
    let once = Search::new(&tree).hooks(recording.of((rejecting(),))).count();
    let first = lines(&recording);
    let _ = Search::new(&tree).hooks(recording.of((rejecting(),))).count();
    let both = lines(&recording);
    assert_eq!((&both[..first.len()], &both[first.len()..]), (&first[..], &first[..]));
    assert_eq!(recording.nodes().filter(|node| node.depth() == 0).count(), 2);
    assert!(once.stop().is_exhausted());
}

/// A stopped run remains unfinished after a later exhausted run, and cuts refer to the hooks of
/// their own run.
#[test]
fn a_second_run_does_not_affect_the_first() {
    let queens = Queens::new(6).expect("a small board").bits();
    let mut recording = Recording::new();
    let stopped = Search::new(&queens)
        .hooks(recording.of((Queens::mirror(),)))
        .limits(Limits::new().nodes(60))
        .count();
    recording.ended(stopped.report());
    let first = lines(&recording);
    assert!(first[0].2 == NodeOutcome::Unfinished && recording.count(NodeOutcome::Unfinished) > 0);
    let other = hook::admit("other", Effect::Lossy, |node: &Node<'_, BitQueens>, _: &u64| {
        Verdict::prune_if(node.depth() == 1)
    });
    let whole = Search::new(&queens).hooks(recording.of((other,))).count();
    recording.ended(whole.report());
    let both = lines(&recording);
    assert_eq!(&both[..first.len()], &first[..]);
    assert!(both[first.len()..].iter().all(|line| line.2 != NodeOutcome::Unfinished));
    assert_eq!(recording.hooks(), ["mirror", "other"]);
    let cuts = |hook| {
        both[first.len()..].iter().filter(|line| line.2 == NodeOutcome::NotAdmitted(hook)).count()
    };
    assert_eq!((cuts(0), cuts(1) as u64), (0, whole.report().hooks()[0].cuts()));
    assert!(cuts(1) > 0);
}

#[test]
fn a_cut_of_siblings_is_recorded_at_the_last_child() {
    let two = || {
        hook::admit("two", Effect::Lossy, |_: &Node<'_, RandomTree>, &choice: &u32| {
            Verdict::prune_siblings_if(choice >= 2)
        })
    };
    let cuts = |tree: &RandomTree| {
        let outcome = Search::new(tree).hooks((rejecting(), two())).count();
        outcome.report().hooks()[1].sibling_cuts()
    };
    let mut trees = (0..10_000).map(|seed| RandomTree::new(seed, 5, 6));
    let tree = trees.find(|tree| cuts(tree) > 10).expect("a tree with many cuts");
    let mut recording = labelled();
    let outcome = Search::new(&tree).hooks(recording.of((rejecting(), two()))).count();
    recording.ended(outcome.report());
    assert_counts(&recording, outcome.report());
    let nodes: Vec<_> = recording.nodes().collect();
    let cuts: Vec<_> = nodes.iter().filter(|node| node.cuts_siblings()).collect();
    assert_eq!(cuts.len() as u64, outcome.report().hooks()[1].sibling_cuts());
    for cut in cuts {
        assert_eq!(cut.outcome(), NodeOutcome::NotAdmitted(1));
        let next = nodes.get(cut.index() + 1);
        assert!(next.is_none_or(|next| next.depth() < cut.depth()), "it has a later sibling");
    }
}

/// A full recording still recognises replayed nodes, and does not record them as dead ends.
#[test]
fn replayed_nodes_are_recognised_in_a_full_recording() {
    let queens = Queens::new(6).expect("a small board").bits();
    for room in 3..40 {
        let mut recording = Recording::new()
            .node_limit(room)
            .label(|_, choice| format!("{choice:?}"))
            .picture(|_| "one line".to_owned());
        let mut frontier = Frontier::new();
        let mut entered = 0;
        for _ in 0..200 {
            let limits = Limits::new().nodes(7);
            let outcome = Search::new(&queens)
                .hooks(recording.of(()))
                .frontier(&mut frontier)
                .limits(limits)
                .count();
            recording.ended(outcome.report());
            // The report sums up all runs so far.
            entered = outcome.report().nodes();
            if outcome.stop().is_exhausted() {
                break;
            }
        }
        assert_eq!((entered, recording.len() as u64 + recording.missing_nodes()), (153, 153));
        let mut whole = Recording::new().node_limit(room).label(|_, choice| format!("{choice:?}"));
        let outcome = Search::new(&queens).hooks(whole.of(())).count();
        whole.ended(outcome.report());
        assert_eq!(lines(&recording), lines(&whole), "room for {room}");
        assert_eq!(recording.without_picture(), 0);
    }
}

#[test]
fn nodes_of_noncontiguous_walks_are_counted_as_unplaced() {
    let maze: Maze = "S..\n.#.\n..G\n".parse().expect("a maze");
    let mut recording = Recording::new();
    let outcome =
        Search::new(&maze).hooks(recording.of((maze.closed_set(),))).breadth_first().count();
    let entered = entered(&recording);
    assert_eq!(entered + recording.missing_nodes(), outcome.report().nodes());
    assert_eq!(recording.unplaced(), recording.missing_nodes());
    assert!(recording.unplaced() > 0);
}

#[test]
fn nodes_of_replayed_walks_are_not_finished() {
    let tree = RandomTree::new(7, 3, 4);
    let mut recording = labelled();
    let outcome = Search::new(&tree)
        .hooks(recording.of((rejecting(), Trail::default())))
        .breadth_first()
        .count();
    recording.ended(outcome.report());
    assert!(outcome.report().depth() > 2);
    let replayed = recording.count(NodeOutcome::Replayed);
    let entered = entered(&recording);
    assert_eq!(entered - replayed, outcome.report().nodes());
    let counts = [NodeOutcome::DeadEnd, NodeOutcome::Inner].map(|outcome| recording.count(outcome));
    assert_eq!(counts, [0, 0]);
    assert_eq!(recording.count(NodeOutcome::Solution), outcome.report().solutions());
    assert!(replayed > 0);
}

#[test]
fn improvements_are_the_successive_best_solutions() {
    let tree = RandomTree::new(3, 4, 6);
    let worth = |path: &[u32]| path.iter().map(|&choice| i64::from(choice)).sum::<i64>();
    for direction in [Direction::Maximise, Direction::Minimise] {
        let mut recording =
            labelled().value(direction, move |node: &Node<'_, RandomTree>| worth(node.state()));
        let mut expected: Vec<i64> = Vec::new();
        let search = Search::new(&tree).hooks(recording.of(()));
        let mut solutions = search.solutions();
        for path in solutions.by_ref() {
            let value = worth(&path);
            if expected.last().is_none_or(|&best| {
                if direction == Direction::Maximise { value > best } else { value < best }
            }) {
                expected.push(value);
            }
        }
        drop(solutions);
        let found: Vec<i64> = recording.improvements().iter().map(|one| one.value).collect();
        assert_eq!(found, expected);
        assert!(recording.improvements().is_sorted_by_key(|one| (one.nodes, one.microseconds)));
    }
}

#[test]
fn pictures_are_restored_exactly() {
    let queens = Queens::new(6).expect("a small board").bits();
    let draw = |node: &Node<'_, BitQueens>| node.problem().svg(node.path().iter());
    let mut drawn = Vec::new();
    let all = std::cell::RefCell::new(&mut drawn);
    let mut recording = Recording::new().picture(|node| {
        let picture = draw(node);
        all.borrow_mut().push(picture.clone());
        picture
    });
    let _ = Search::new(&queens).hooks(recording.of((Queens::mirror(),))).count();
    let entered =
        recording.nodes().filter(|node| !matches!(node.outcome(), NodeOutcome::NotAdmitted(_)));
    let pictures: Vec<_> =
        entered.map(|node| node.picture().expect("a picture of each entered node")).collect();
    let unadmitted = recording
        .nodes()
        .find(|node| matches!(node.outcome(), NodeOutcome::NotAdmitted(_)))
        .expect("a choice that the mirror hook rejects");
    assert_eq!(unadmitted.picture(), None);
    drop(recording);
    // Without `assert_eq!`, which would print all pictures.
    assert!(pictures == drawn);
}
