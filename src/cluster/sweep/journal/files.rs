//! The names of layer files, the layers in a directory, and the removal of old ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::checkpoint::target_of;

/// The identity of a layer whose parts are in several files. Later layers are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(in crate::cluster::sweep) struct LayerId {
    /// The cell that comes after the layer.
    pub(super) cell: u64,
    /// The width of the values: the index of their type among the types of the question, in order
    /// of increasing width.
    pub(super) width: u32,
    /// The number of files.
    pub(super) parts: u64,
    /// The run of the cluster that wrote the layer. Parts written by two runs do not form a layer,
    /// because each run may divide it differently.
    pub(super) run: u64,
}

impl LayerId {
    /// Returns the name of the file of a part, counted from 0.
    pub(super) fn name(self, part: u64) -> String {
        let LayerId { cell, width, parts, run } = self;
        format!("layer-{cell}-width-{width}-run-{run:016x}-part-{part}-of-{parts}")
    }

    /// Parses the name of a file into its layer and part.
    fn from_name(name: &str) -> Option<(LayerId, u64)> {
        let (cell, rest) = name.strip_prefix("layer-")?.split_once("-width-")?;
        let (width, rest) = rest.split_once("-run-")?;
        let (run, rest) = rest.split_once("-part-")?;
        let run = u64::from_str_radix(run, 16).ok()?;
        let (part, parts) = rest.split_once("-of-")?;
        let id = LayerId {
            cell: cell.parse().ok()?,
            width: width.parse().ok()?,
            parts: parts.parse().ok()?,
            run,
        };
        let part = part.parse().ok()?;
        // Numbers may have other spellings, such as leading zeros.
        (id.name(part) == name && part < id.parts).then_some((id, part))
    }
}

/// Returns the layers whose parts all exist, the last one first.
pub(super) fn complete_layers(directory: &Path) -> io::Result<Vec<LayerId>> {
    let mut parts: BTreeMap<LayerId, BTreeSet<u64>> = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        if let Some((id, part)) = entry?.file_name().to_str().and_then(LayerId::from_name) {
            parts.entry(id).or_default().insert(part);
        }
    }
    let whole = parts.into_iter().filter(|(id, parts)| parts.len() as u64 == id.parts);
    Ok(whole.map(|(id, _)| id).rev().collect())
}

/// Removes the layers before one that is known to be complete, and the leftovers of writing it. A
/// file that cannot be removed only takes space.
pub(super) fn tidy(directory: &Path, whole: LayerId) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let (name, is_left_behind) = match target_of(name) {
            Some(target) => (target, true),
            None => (name, false),
        };
        let Some((id, _)) = LayerId::from_name(name) else { continue };
        let is_older = (id.cell, id.width) <= (whole.cell, whole.width);
        if is_older && (id != whole || is_left_behind) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let id = LayerId { cell: 17, width: 1, parts: 3, run: 250 };
        assert_eq!(id.name(2), "layer-17-width-1-run-00000000000000fa-part-2-of-3");
        assert_eq!(LayerId::from_name(&id.name(2)), Some((id, 2)));
        for other in [
            "layer-17-width-1-run-00000000000000fa-part-3-of-3",
            "layer-017-width-1-run-00000000000000fa-part-2-of-3",
            "layer-17-width-1-run-fa-part-2-of-3",
            "layer-17-width-1-part-2-of-3",
            "notes",
        ] {
            assert_eq!(LayerId::from_name(other), None);
        }
    }

    #[test]
    fn tidying_removes_older_layers_and_leftovers_of_whole_ones() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let id = LayerId { cell: 17, width: 1, parts: 2, run: 250 };
        let (older, newer) = (LayerId { cell: 16, ..id }, LayerId { cell: 18, ..id });
        let leftover = |id: LayerId| format!("{}.aB3dE9.part", id.name(0));
        let kept = [id.name(0), id.name(1), newer.name(0), leftover(newer), "notes".to_owned()];
        for name in kept.iter().chain(&[older.name(0), leftover(older), leftover(id)]) {
            fs::write(directory.path().join(name), "").expect("written");
        }
        tidy(directory.path(), id);
        let entries = fs::read_dir(directory.path()).expect("a directory");
        let left: BTreeSet<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        assert_eq!(left, kept.into_iter().map(Into::into).collect());
    }
}
