//! Frontiers in files are read as they were written; damaged files are refused.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;
use secateurs::checkpoint::{Fingerprint, LoadError, SaveError};
use secateurs::hook;
use secateurs::search::{Frontier, Subtree};
use secateurs::{Effect, Objective, Search, Successors, Verdict};
use secateurs_problems::queens::Queens;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::shared::frontiers::{begun, begun_best};
use crate::support::trees::{RandomTree, Trail};

fn fingerprint() -> Fingerprint {
    Fingerprint::new("a tree", &())
}

fn written<C: Serialize + DeserializeOwned>(frontier: &Frontier<C>) -> Vec<u8> {
    let mut bytes = Vec::new();
    frontier.write(&mut bytes, &fingerprint()).expect("written to memory");
    bytes
}

fn read(bytes: &[u8]) -> Result<Frontier<u32>, LoadError> {
    Frontier::read(bytes, &fingerprint())
}

/// Returns the frontier after `nodes` nodes, with a hook and a best solution in the report.
fn frontier(seed: u64, nodes: u64) -> Frontier<u32> {
    let tree = RandomTree::new(seed, 4, 6);
    let length = Objective::maximise(|_: &RandomTree, path: &Vec<u32>| path.len());
    begun_best(Search::new(&tree).hooks((Trail::default(),)), nodes, &length.named("length"))
}

#[test]
fn a_truncated_frontier_is_refused() {
    let bytes = written(&frontier(1, 25));
    assert!(read(&bytes).is_ok());
    for end in 0..bytes.len() {
        let found = end as u64;
        match read(&bytes[..end]).expect_err("cut short") {
            LoadError::Truncated { found: at, expected, .. } => {
                assert!(at == found && expected > found, "{end}")
            }
            other => panic!("cut at {end}: {other}"),
        }
    }
}

#[test]
fn a_frontier_with_a_changed_byte_is_refused() {
    let bytes = written(&frontier(1, 25));
    let mut changed = bytes.clone();
    for at in 0..bytes.len() {
        for change in 1..=255 {
            changed[at] ^= change;
            match read(&changed).expect_err("changed") {
                LoadError::NotOurs => assert!(at < 8),
                LoadError::Damaged { bytes, .. } => assert!(bytes.contains(&(at as u64)), "{at}"),
                other => panic!("byte {at} changed by {change}: {other}"),
            }
            changed[at] = bytes[at];
        }
    }
}

#[test]
fn bytes_after_the_end_are_refused() {
    let mut bytes = written(&frontier(1, 25));
    let end = bytes.len() as u64;
    bytes.push(0);
    assert!(matches!(read(&bytes), Err(LoadError::TrailingBytes { at }) if at == end));
}

#[test]
fn other_files_are_refused() {
    for text in ["p edge 3 3\n", "SECATEUX and so on and so on and so on", "\u{feff}SECATEUR"] {
        assert!(matches!(read(text.as_bytes()), Err(LoadError::NotOurs)), "{text}");
    }
    assert!(matches!(read(b""), Err(LoadError::Truncated { found: 0, .. })));
    let error = Frontier::<u32>::load("/no/such/file", &fingerprint()).expect_err("none");
    assert!(matches!(error.reason(), LoadError::Io(_)), "{error}");
    assert!(error.to_string().starts_with("/no/such/file: cannot be read: "), "{error}");
}

#[test]
fn a_hook_that_is_switched_off_is_not_compared() {
    let queens = Queens::new(6).expect("a size").bits();
    let none = Search::new(&queens).fingerprint(fingerprint());
    let off = Search::new(&queens)
        .hooks((Some(Queens::mirror()).filter(|_| false),))
        .fingerprint(fingerprint());
    assert_eq!(none, off);
    let effects = [Effect::Preserving, Effect::Lossy].map(|effect| {
        let same = hook::admit("same", effect, |_, _| Verdict::Keep);
        Search::new(&queens).hooks((same,)).fingerprint(fingerprint())
    });
    assert_ne!(effects[0], effects[1]);
}

/// A choice without data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Only;

#[test]
fn huge_numbers_of_choices_without_data_are_refused() {
    // A length of 2⁶³, without elements after it. A list of values without data would accept it.
    let mut huge = vec![0x80; 9];
    huge.push(1);
    assert_eq!(postcard::from_bytes::<(u64,)>(&huge).expect("a number").0, 1 << 63);
    let path = [&huge[..], &[0, 0, 0]].concat();
    assert!(postcard::from_bytes::<Subtree<Only>>(&path).is_err());
    let untried = [&[0, 1][..], &huge, &[0, 0, 0]].concat();
    assert!(postcard::from_bytes::<Subtree<Only>>(&untried).is_err());
}

#[test]
fn a_subtree_has_at_most_one_more_node_than_choices() {
    let whole = postcard::to_allocvec(&Subtree::<u8>::whole()).expect("two lists");
    assert_eq!(whole, [0, 0, 0]);
    assert!(postcard::from_bytes::<Subtree<u8>>(&whole).is_ok());
    // Encodes a path of `choices` choices and its `nodes` nodes. Each node has no untried choices,
    // is not barren and has a share of 0. The last byte states that the path ends at no solution.
    let bytes = |choices: u8, nodes: u8| {
        let path = [choices].into_iter().chain((0..choices).flat_map(|_| [0, 7]));
        let nodes = [nodes].into_iter().chain((0..nodes).flat_map(|_| [0; 10]));
        path.chain(nodes).chain([0]).collect::<Vec<u8>>()
    };
    for choices in 0..4 {
        for nodes in 0..4 {
            let right = (1..=choices + 1).contains(&nodes) || nodes + choices == 0;
            let read = postcard::from_bytes::<Subtree<u8>>(&bytes(choices, nodes));
            assert_eq!(read.is_ok(), right, "{choices} {nodes}");
        }
    }
    // A share that is not a number.
    let mut wrong = bytes(0, 1);
    wrong[4..12].copy_from_slice(&f64::NAN.to_le_bytes());
    assert!(postcard::from_bytes::<Subtree<u8>>(&wrong).is_err());
}

/// Serialized without its variant, so that postcard cannot deserialize it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Nameless {
    Number(u32),
}

#[test]
fn choices_that_cannot_be_deserialized_are_not_written() {
    let successors =
        |Nameless::Number(number)| [1, 2, 3].map(|next| Nameless::Number(4 * number + next));
    let numbers = Successors::new(Nameless::Number(0), |_| false, successors);
    let frontier = begun(Search::new(&numbers), 5);
    let error = frontier.write(Vec::new(), &fingerprint()).expect_err("cannot be read");
    assert!(matches!(error, SaveError::Unsuitable { .. }), "{error}");
}

#[test]
fn a_lost_frontier_is_not_saved() {
    let tree = RandomTree::new(3, 3, 6);
    let mut frontier = Frontier::new();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = Search::new(&tree)
            .frontier(&mut frontier)
            .for_each(|_| -> ControlFlow<()> { panic!("no more") });
    }));
    assert!(caught.is_err());
    assert!(matches!(frontier.write(Vec::new(), &fingerprint()), Err(SaveError::Lost)));
}

proptest! {
    #[test]
    fn damaged_files_are_refused(
        seed: u64,
        nodes in 0..60u64,
        places in prop::collection::vec((any::<prop::sample::Index>(), 1..=255u8), 1..4),
    ) {
        let bytes = written(&frontier(seed, nodes));
        // Two changes of the same byte may cancel out.
        let mut damaged = bytes.clone();
        for (place, change) in places {
            let at = place.index(bytes.len());
            damaged[at] ^= change;
        }
        prop_assert_eq!(read(&damaged).is_ok(), damaged == bytes);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        // Random data with valid checksums.
        let _ = postcard::from_bytes::<Frontier<u32>>(&bytes);
        let _ = postcard::from_bytes::<Frontier<Only>>(&bytes);
    }
}

#[test]
fn a_frontier_is_read_as_it_was_written() {
    let mut seen = BTreeSet::new();
    for seed in 0..20 {
        for nodes in [0, 1, 9, 30, 1_000] {
            let frontier = frontier(seed, nodes);
            let bytes = written(&frontier);
            assert_eq!(written(&read(&bytes).expect("just written")), bytes);
            seen.insert(bytes);
        }
    }
    assert!(seen.len() > 50, "these should be different");
}
