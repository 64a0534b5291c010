//! Frontiers in files with correct checksums whose contents no run has written.

use std::fmt::Debug;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::checkpoint::{Fingerprint, LoadError};
use secateurs::search::{Checkpoint, Frontier};
use secateurs::{Digest, Effect, Limits, Objective, Problem, Report, Search};
use secateurs_problems::queens::Queens;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::sealed::{HEADER, records, sealed};
use crate::shared::frontiers::{begun, begun_best};
use crate::support::scratch::Directory;
use crate::support::trees::{RandomTree, Trail};

/// The data of a frontier in a file, without any checks.
#[derive(Serialize, Deserialize)]
struct Contents {
    subtrees: Vec<SubtreeContents>,
    /// The paths of the best solutions and their values.
    best: Vec<(Vec<Marked>, String)>,
    /// Visited, not representatives, counted, credited; and whether orbits are known.
    counted: Option<(u128, u128, u128, u128, bool)>,
    report: Option<Report>,
    truncated: bool,
    lost: bool,
    whole: f64,
    /// Lists of divisions with their number of parts and the index of a part.
    extent: Vec<Vec<(u64, u32, u32)>>,
    asked: Question,
    offered: Vec<String>,
    brancher: Option<(String, Effect, Option<Digest>)>,
    /// The constraints of the runs; these have none.
    constraints: Option<Vec<String>>,
    ordered: bool,
}

#[derive(Serialize, Deserialize)]
struct SubtreeContents {
    path: Vec<Marked>,
    /// Choices, whether the node is barren, and the share of the tree.
    untried: Vec<(Vec<Marked>, bool, f64)>,
    solution: bool,
}

#[derive(Serialize, Deserialize)]
enum Marked {
    Choice(u32),
}

#[derive(Serialize, Deserialize)]
enum Question {
    Nothing,
    Visits,
    Best(Option<String>),
}

fn fingerprint() -> Fingerprint {
    Fingerprint::new("forged", &())
}

/// Returns the data of the frontier in a file: the record after the fingerprint.
fn data_of(file: &[u8]) -> Vec<u8> {
    records(file).swap_remove(1)
}

/// Returns the file with other data, and with the checksums of these.
fn with_data(file: &[u8], data: &[u8]) -> Vec<u8> {
    let fingerprint = records(file).swap_remove(0);
    sealed(&file[..HEADER], &[fingerprint, data.to_vec()])
}

fn written<C: Serialize + DeserializeOwned>(frontier: &Frontier<C>) -> Vec<u8> {
    let mut file = Vec::new();
    frontier.write(&mut file, &fingerprint()).expect("written to memory");
    file
}

fn read<C: Serialize + DeserializeOwned>(file: &[u8]) -> Result<Frontier<C>, LoadError> {
    Frontier::read(file, &fingerprint())
}

fn tree(seed: u64) -> RandomTree {
    RandomTree::new(seed, 4, 6)
}

/// Returns what is left of a tree after `nodes` nodes, with a best solution and a hook in the
/// report.
fn frontier(seed: u64, nodes: u64) -> Frontier<u32> {
    let tree = tree(seed);
    let longest = Objective::maximise(|_: &RandomTree, path: &Vec<u32>| path.len());
    let search = Search::new(&tree).hooks((Trail::default(),));
    begun_best(search, nodes, &longest.named("length"))
}

/// A tree, and a number of nodes after which solutions have been found and subtrees are left.
const SEED: u64 = 3;
const NODES: u64 = 25;

/// Returns a file of a frontier whose contents are changed, with correct checksums.
fn forged(change: impl FnOnce(&mut Contents)) -> Vec<u8> {
    let file = written(&frontier(SEED, NODES));
    let mut contents: Contents = postcard::from_bytes(&data_of(&file)).expect("a frontier");
    change(&mut contents);
    with_data(&file, &postcard::to_allocvec(&contents).expect("data"))
}

/// Asserts that a changed frontier is refused, for this reason and with the place in the file.
fn assert_refused(change: impl FnOnce(&mut Contents), expected: &str) {
    let error = read::<u32>(&forged(change)).expect_err(expected).to_string();
    assert!(error.contains("record 2, at byte ") && error.ends_with(expected), "{error}");
}

#[test]
fn contents_that_are_not_changed_are_accepted() {
    let file = written(&frontier(SEED, NODES));
    let contents: Contents = postcard::from_bytes(&data_of(&file)).expect("a frontier");
    assert_eq!(with_data(&file, &postcard::to_allocvec(&contents).expect("data")), file);
    assert_eq!(written(&read::<u32>(&file).expect("unchanged")), file);
}

#[test]
fn parts_that_no_division_has_are_refused() {
    for (parts, index) in [(0, 0), (1, 0), (2, 2), (7, 9), (0, u32::MAX)] {
        let expected = format!(
            "found part {index} of a division into {parts}, expected a part from 0 of a division \
             into 2 or more"
        );
        assert_refused(|contents| contents.extent = vec![vec![(5, parts, index)]], &expected);
        let nested = vec![vec![(5, 2, 1), (6, parts, index)], vec![(5, 2, 0)]];
        assert_refused(|contents| contents.extent = nested, &expected);
    }
    let none = "found a frontier of no part of the tree, expected at least one";
    assert_refused(|contents| contents.extent.clear(), none);
}

#[test]
fn subtrees_that_no_run_leaves_are_refused() {
    assert_refused(
        |contents| contents.subtrees[0].untried.clear(),
        "found 0 nodes along a path of 4 choices, expected 1 to 5 nodes",
    );
    assert_refused(
        |contents| contents.subtrees[0].solution = true,
        "found a solution at depth 4 with untried children along its path, expected none",
    );
    for share in [-0.5, f64::NAN, f64::INFINITY, 1e10] {
        let expected = format!("found {share}, expected a share of a tree, from 0 to 1e9");
        assert_refused(|contents| contents.subtrees[0].untried[0].2 = share, &expected);
        assert_refused(|contents| contents.whole = share, &expected);
    }
}

#[test]
fn results_that_no_run_has_are_refused() {
    let count = |visited| Some((visited, 0, visited, 0, true));
    let solutions = frontier(SEED, NODES).report().expect("a run").solutions();
    let found = u128::from(solutions) + 1;
    assert_refused(
        |contents| contents.counted = count(found),
        &format!("found {found} visited solutions, expected at most {solutions} as in the report"),
    );
    assert_refused(
        |contents| contents.report = None,
        &format!("found {solutions} visited solutions, expected at most 0 as in the report"),
    );
    assert_refused(
        |contents| contents.counted = Some((2, 3, 2, 0, true)),
        "found 3 solutions that are not representatives, expected at most 2 as visited",
    );
    assert_refused(
        |contents| contents.lost = true,
        "found a frontier without its subtrees, which a run had taken",
    );
}

/// Calls everything that can be done with a frontier. It may be refused, but must not panic, and
/// must end.
fn use_frontier<P>(problem: &P, sound: &Frontier<P::Choice>, file: &[u8])
where
    P: Problem<Choice: Clone + Send + Debug + Serialize + DeserializeOwned> + Sync,
{
    let Ok(first) = read::<P::Choice>(file) else { return };
    let again = || read::<P::Choice>(file).expect("read before");
    let sound = || read::<P::Choice>(&written(sound)).expect("sound");
    let limits = || Limits::new().nodes(300);
    let _ = (first.fraction(), first.is_exhausted(), first.report().map(Report::to_string));
    let _ = first.check(problem);
    let mut merged = sound();
    merged.merge(first);
    merged.merge(again());
    for mut frontier in again().split(3).into_iter().chain([again(), merged]) {
        let outcome = Search::new(problem).limits(limits()).frontier(&mut frontier).count();
        let _ = (outcome.exact(), outcome.at_least(), outcome.report().to_string());
        let divided = Search::new(problem).split(frontier, 4).into_iter().rev();
        let whole = divided.reduce(|mut whole, part| {
            whole.merge(part);
            whole
        });
        let _ = whole.map(|whole| (whole.is_whole(), whole.fraction()));
    }
    let mut whole = sound();
    whole.merge(again());
    let _ = Search::new(problem).limits(limits()).frontier(&mut whole).threads(2).count();
    let directory = Directory::new();
    std::fs::write(directory.file(), file).expect("written");
    let mut checkpoint = Checkpoint::new(directory.file(), Duration::ZERO, fingerprint());
    let search = Search::new(problem).limits(limits());
    let _ = search.resume(&mut checkpoint).map(Search::count);
}

/// A change of data: its kind, its place, and a byte.
type Change = (u8, prop::sample::Index, u8);

fn change() -> impl Strategy<Value = Change> {
    // Small numbers are common: lengths, variants, indices.
    (0..6_u8, any::<prop::sample::Index>(), prop_oneof![0..4_u8, any::<u8>(), Just(u8::MAX)])
}

fn changed(file: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut data = data_of(file);
    for &(kind, at, byte) in changes {
        match kind {
            0 => data.insert(at.index(data.len() + 1), byte),
            1 if data.len() > 1 => drop(data.remove(at.index(data.len()))),
            _ => {
                let at = at.index(data.len());
                data[at] = byte;
            }
        }
    }
    with_data(file, &data)
}

proptest! {
    #[test]
    fn forged_frontiers_are_refused_or_usable(
        seed in 0..20_u64,
        nodes in 0..40_u64,
        parts in 1..4_usize,
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let sound = frontier(seed, nodes).split(parts).remove(0);
        use_frontier(&tree(seed), &sound, &changed(&written(&sound), &changes));

        let queens = Queens::new(6).expect("a small board").bits();
        let sound = begun(Search::new(&queens), nodes).split(parts).pop().expect("a part");
        use_frontier(&queens, &sound, &changed(&written(&sound), &changes));
    }

    #[test]
    fn forged_extents_are_refused_or_can_be_merged(
        extent in prop::collection::vec(
            prop::collection::vec((0..2_u64, 0..4_u32, 0..4_u32), 0..4),
            0..9,
        ),
    ) {
        let file = forged(|contents| contents.extent = extent);
        use_frontier(&tree(SEED), &frontier(SEED, NODES), &file);
    }
}
