//! Files of today must be readable tomorrow: if this fails, the version of the format is to be counted up.

use secateurs::checkpoint::Fingerprint;
use secateurs::problems::queens::Queens;
use secateurs::search::Frontier;
use secateurs::{Effect, Limits, Search, Stop, Verdict, hook};

use crate::hex::{from_hex, to_hex};

/// 6-queens without the first column of the first row, after 20 nodes.
const FILE: &str = "
    53454341544555520200010024000000bb0000000000000055ba2a2808362d717565656e73cef0c1b99cd3fcbcdbb5b6
    9db09d9dabed84010105666972737403010400020010000400010504000400080010002000555555555555c53f010020
    001cc7711cc771ac3f00001cc7711cc7719c3f010020001cc7711cc7718c3f010008011cc7711cc7718c3f0001010001
    000101020300070100000000010000000002000000000400000000060001000005000400000101000000010566697273
    74030000000700010201020204040606050501010700000100000000000000000000000000000000bdd70b0100000000
    0000000000f03f0100010115ab48f3";

fn fingerprint() -> Fingerprint {
    Fingerprint::new("6-queens").with(&6u32).expect("a number")
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
    let mut frontier = Frontier::<u64>::read(&*from_hex(FILE), &fingerprint).unwrap_or_else(|error| {
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
