//! Families in files with correct checksums whose diagrams are wrong.

use secateurs::checkpoint::Fingerprint;
use secateurs::plug::Family;

use crate::sealed::{HEADER, records, sealed};

/// Returns the error of a file with these sizes and nodes, each an element and two families, if
/// they are refused.
fn refused(universe: u64, nodes: &[[u32; 3]], root: u32) -> Option<String> {
    let fingerprint = Fingerprint::new("forged", &());
    let mut file = Vec::new();
    Family::empty(0).expect("a small universe").write(&mut file, &fingerprint).expect("written");
    let head = postcard::to_allocvec(&(universe, nodes.len() as u64, root)).expect("encoded");
    let block: Vec<u8> = nodes.as_flattened().iter().flat_map(|n| n.to_le_bytes()).collect();
    let mut forged = records(&file);
    let last = forged.last_mut().expect("the sizes");
    assert_eq!(*last, postcard::to_allocvec(&(0_u64, 0_u64, 0_u32)).expect("encoded"));
    *last = head;
    forged.push(block);
    let file = sealed(&file[..HEADER], &forged);
    Family::read(&file[..], &fingerprint).err().map(|error| error.to_string())
}

#[test]
fn diagrams_that_are_not_reduced_or_not_ordered_are_refused() {
    assert_eq!(refused(2, &[[1, 1, 1], [0, 2, 2]], 3), None);
    assert_eq!(refused(0, &[], 1), None);
    for (universe, nodes, root, reason) in [
        (0, &[][..], 2, "not part of the family 2"),
        (1, &[[1, 1, 1]], 2, "node 2: found element 1 out of order"),
        (2, &[[0, 1, 0]], 2, "node 2: found the halves 1 and 0"),
        (2, &[[0, 1, 2]], 2, "node 2: found the halves 1 and 2"),
        (2, &[[0, 1, 1], [0, 1, 2]], 3, "node 3: found element 0 out of order"),
        (2, &[[0, 1, 1], [1, 2, 1]], 3, "node 3: found element 1 out of order"),
        (2, &[[1, 1, 1], [1, 1, 1]], 3, "node 3: found an earlier node again"),
        (2, &[[1, 1, 1], [0, 1, 1]], 3, "not part of the family 3"),
        (2, &[[1, 1, 1], [0, 1, 2]], 2, "not part of the family 2"),
        (2, &[[1, 1, 1]], 9, "not part of the family 9"),
        (1 << 32, &[], 1, "a universe of 4294967296 elements"),
    ] {
        let error = refused(universe, nodes, root).expect(reason);
        assert!(error.contains(reason), "{error}");
    }
}
