//! The format of saved searches is stable. If this test fails, the version of the format must be
//! incremented.

use secateurs::checkpoint::Fingerprint;
use secateurs::search::Frontier;
use secateurs::{Effect, Limits, Search, Stop, Verdict, hook};
use secateurs_problems::queens::Queens;

use crate::hex::{from_hex, to_hex};

/// 6-queens without the first column of the first row, after 20 nodes.
const FILE: &str = "
    534543415445555207000100000000000000000000000000354dd8c25b00000000000000a05c27e806717565656e73db
    9ac4c68993ba83b8efc9abe7bfc4a89ecd0102000d70726f626c656d206f7264657200018d8bd794d6ae88dce28485d8
    fbc0cb93e2d8010105666972737403018d8bd794d6ae88dce28485d8fbc0cb93e2d8019995a4b7d700000000000000d1
    d1afc4010400020010000400010504000400080010002000555555555555c53f010020001cc7711cc771ac3f00001cc7
    711cc7719c3f010020001cc7711cc7718c3f010008011cc7711cc7718c3f000001010001000101020300070100000000
    010000000002000000000400000000060001000005000400000101000000010566697273740300018d8bd794d6ae88dc
    e28485d8fbc0cb93e2d80100000000070001020102020404060605050101070000010000000000000000000000000000
    0000000091fe0501000000000000000000f03f01000100010001fca70a0a00000000000000004b08c1a4
";

fn fingerprint() -> Fingerprint {
    Fingerprint::new("queens", &6u32)
}

/// The beginning of a file in version 4.
const OLDER: &str = "
    534543415445555204000100000000000000000000000000c7f910eb5b0000000000000088f539b006717565656e73db
    9ac4c68993ba83b8efc9abe7bfc4a89ecd0102000d70726f626c656d206f7264657200018d8bd794d6ae88dce28485d8
";

#[test]
fn an_older_format_is_named() {
    let error = Frontier::<u64>::read(&*from_hex(OLDER), &fingerprint()).expect_err("older");
    let expected = "written by another version of this program: found format 4, expected 7";
    assert_eq!(error.to_string(), expected);
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
