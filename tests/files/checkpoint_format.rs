//! The format of saved searches is stable. If this test fails, the version of the format must be
//! incremented.

use secateurs::checkpoint::{Fingerprint, LoadError};
use secateurs::plug::Family;
use secateurs::search::Frontier;
use secateurs::{Effect, Limits, Search, Stop, Verdict, hook};
use secateurs_problems::queens::Queens;

use crate::sealed::{HEADER, from_hex, records, sealed, to_hex};

/// 6-queens without the first column of the first row, after 20 nodes.
const FILE: &str = "
    5345434154455552090001000000000000000000000000009ebb5ae25b000000000000004e32178a06717565656e73db
    9ac4c68993ba83b8efc9abe7bfc4a89ecd0102000d70726f626c656d206f7264657200018d8bd794d6ae88dce28485d8
    fbc0cb93e2d8010105666972737403018d8bd794d6ae88dce28485d8fbc0cb93e2d801958e8993fc0000000000000086
    edb6dd010400020010000400010504000400080010002000555555555555c53f010020001cc7711cc771ac3f00001cc7
    711cc7719c3f010020001cc7711cc7718c3f010008011cc7711cc7718c3f000001010001000101020300070100000000
    010000000002000000000400000000060001000005000400000101000000010566697273740300018d8bd794d6ae88dc
    e28485d8fbc0cb93e2d80100000000070001020102020404060605050101070000010000000000000000000000000000
    0000000000b0f50301000000000000000000f03f01000100010d70726f626c656d206f7264657200018d8bd794d6ae88
    dce28485d8fbc0cb93e2d801010001d7667b140000000000000000f3151975
";

fn fingerprint() -> Fingerprint {
    Fingerprint::new("queens", &6u32)
}

#[test]
fn other_versions_and_kinds_are_named() {
    let file = from_hex(FILE);
    let refusal = |at: usize, number: u8| {
        let mut header = file[..HEADER].to_vec();
        header[at] = number;
        let changed = sealed(&header, &records(&file));
        Frontier::<u64>::read(&*changed, &fingerprint()).expect_err("another header").to_string()
    };
    for version in [0, 4, 8, 10] {
        let expected = format!(
            "written by another version of this program: found format {version}, expected 9"
        );
        assert_eq!(refusal(8, version), expected);
    }
    for (kind, found) in [(2, "a layer of a sweep"), (9, "something unknown")] {
        let expected = format!("holds {found}, expected a frontier of a search");
        assert_eq!(refusal(10, kind), expected);
    }
}

#[test]
fn swapped_repeated_and_missing_records_are_refused() {
    let family = Family::from_sets(9, [vec![0], vec![1, 7]]).expect("elements of the universe");
    let mut file = Vec::new();
    family.write(&mut file, &fingerprint()).expect("written to memory");
    // The length and the data of each record are followed by a checksum of 4 bytes.
    let (header, mut rest) = file.split_at(HEADER + 4);
    let whole = records(&file).into_iter().map(|data| {
        let record;
        (record, rest) = rest.split_at(8 + 4 + data.len() + 4);
        record
    });
    let whole: Vec<&[u8]> = whole.collect();
    let read = |order: &[usize]| {
        let records: Vec<u8> = order.iter().flat_map(|&index| whole[index]).copied().collect();
        Family::read(&*[header, &records, rest].concat(), &fingerprint())
    };
    assert_eq!((whole.len(), read(&[0, 1, 2]).expect("as it was written")), (3, family));
    for order in [&[0, 2, 1][..], &[0, 1, 1], &[0, 1, 1, 2], &[0, 1, 2, 2], &[0, 1], &[0, 2]] {
        assert!(matches!(read(order), Err(LoadError::Damaged { .. })), "{order:?}");
    }
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
