//! The format of saved searches is stable. If this test fails, the version of the format must be
//! incremented.

use secateurs::checkpoint::Fingerprint;
use secateurs::problems::queens::Queens;
use secateurs::search::Frontier;
use secateurs::{Effect, Limits, Search, Stop, Verdict, hook};

use crate::hex::{from_hex, to_hex};

/// 6-queens without the first column of the first row, after 20 nodes.
const FILE: &str = "
    5345434154455552030001005b000000bb0000000000000041359cd006717565656e73db9ac4c68993ba83b8efc9abe7
    bfc4a89ecd0102000d70726f626c656d206f7264657200018d8bd794d6ae88dce28485d8fbc0cb93e2d8010105666972
    737403018d8bd794d6ae88dce28485d8fbc0cb93e2d80101040002001000040001050400040008001000200055555555
    5555c53f010020001cc7711cc771ac3f00001cc7711cc7719c3f010020001cc7711cc7718c3f010008011cc7711cc771
    8c3f00010100010001010203000701000000000100000000020000000004000000000600010000050004000001010000
    0001056669727374030000000700010201020204040606050501010700000100000000000000000000000000000000f6
    c90301000000000000000000f03f0100010167c61060
";

fn fingerprint() -> Fingerprint {
    Fingerprint::new("queens", &6u32)
}

#[test]
fn the_format_has_not_changed() {
    let queens = Queens::new(6).expect("a size").bits();
    let search = || {
        let first = hook::admit("first", Effect::Lossy, |node, &square: &u64| {
            Verdict::prune_if(node.depth() == 0 && square == 1)
        });
        Search::new(&queens).hooks((first,))
    };
    let fingerprint = search().fingerprint(fingerprint());
    let mut frontier =
        Frontier::<u64>::read(&*from_hex(FILE), &fingerprint).unwrap_or_else(|error| {
            let mut frontier = Frontier::new();
            let _ = search().limits(Limits::new().nodes(20)).frontier(&mut frontier).count();
            let mut bytes = Vec::new();
            frontier.write(&mut bytes, &fingerprint).expect("written");
            panic!("{error}; it would be written now as {}", to_hex(&bytes))
        });
    let earlier = frontier.report().expect("a run");
    assert_eq!((earlier.nodes(), earlier.stop()), (20, Stop::NodeLimit));
    let outcome = search().frontier(&mut frontier).count();
    let expected = search().count();
    assert_eq!(outcome.at_least(), expected.at_least());
    assert_eq!(outcome.report().levels(), expected.report().levels());
    assert_eq!(outcome.report().hooks(), expected.report().hooks());
}
