//! Frontiers that are merged, and that pass through a file.

use secateurs::checkpoint::Fingerprint;
use secateurs::search::Frontier;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Merges all parts of a frontier, in order.
pub fn merged<C>(parts: impl IntoIterator<Item = Frontier<C>>) -> Frontier<C> {
    let mut parts = parts.into_iter();
    let mut whole = parts.next().expect("one part at least");
    parts.for_each(|part| whole.merge(part));
    whole
}

/// Writes a frontier and reads it back, as another process would.
pub fn written_and_read<C: Serialize + DeserializeOwned>(frontier: &Frontier<C>) -> Frontier<C> {
    let print = Fingerprint::new("a tree", &());
    let mut bytes = Vec::new();
    frontier.write(&mut bytes, &print).expect("written to memory");
    Frontier::read(&*bytes, &print).expect("just written")
}
