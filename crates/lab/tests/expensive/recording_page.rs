//! Pages of recordings that are too large to be shown in full.

use secateurs::{Limits, Node, Search};
use secateurs_lab::Recording;

use crate::shared::recorded_page::shown;
use crate::support::trees::RandomTree;

#[test]
#[ignore = "expensive: cargo test --release -p secateurs-lab --test expensive -- --ignored"]
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
