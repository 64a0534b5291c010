//! Compression of a recording to text within a page.
//!
//! The format has eight [sections](Section), compressed together with deflate and encoded as
//! base64. The first four are labels, lines, edits (each after its length), and steps (the label
//! and edit of each, 0 for none). The next three have one number for each node: how many levels it
//! is above a child of the previous node (0 for a child, 1 for a sibling), the outcome, and the
//! step. The last one lists the nodes with missing children.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::encoding::Interner;
use super::log::{Log, NONE};

/// A part of the data of a page.
pub(super) enum Section {
    /// Texts, each ended by a line break.
    Texts(String),
    /// An array of integers, of 1, 2 or 4 bytes each: the browser's typed arrays.
    Numbers(Vec<u32>),
}

impl Section {
    /// Creates a section of texts without line breaks.
    pub(super) fn texts<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        Section::Texts(texts.flat_map(|text| [text, "\n"]).collect())
    }

    /// Creates a section of edits, each after its length.
    pub(super) fn edits<'e>(edits: impl Iterator<Item = &'e [u32]>) -> Self {
        let edits = edits.flat_map(|edit| [&[edit.len() as u32], edit].concat());
        Section::Numbers(edits.collect())
    }

    /// Returns the number of bytes of each number, 0 for texts, and all bytes.
    fn bytes(&self) -> (u32, Vec<u8>) {
        match self {
            Section::Texts(texts) => (0, texts.clone().into_bytes()),
            Section::Numbers(numbers) => {
                let width = match numbers.iter().max() {
                    Some(0x1_0000..) => 4,
                    Some(0x100..) => 2,
                    _ => 1,
                };
                let bytes =
                    numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width));
                (width as u32, bytes.collect())
            }
        }
    }
}

/// A compressed recording.
pub(super) struct Packed {
    pub(super) text: String,
    /// The number of nodes whose picture is in the recording but not on the page.
    pub(super) pictures_left_out: usize,
}

/// Returns the number of nodes in the subtree of each node, including itself.
fn subtree_sizes(log: &Log) -> Vec<u32> {
    let mut sizes = vec![1; log.depths.len()];
    // By depth: the number of nodes in the subtrees visited so far whose root has this depth and
    // whose parent is still to come.
    let mut sums = vec![0];
    for (size, &depth) in sizes.iter_mut().zip(&log.depths).rev() {
        let depth = depth as usize;
        sums.resize(sums.len().max(depth + 2), 0);
        *size += std::mem::take(&mut sums[depth + 1]);
        sums[depth] += *size;
    }
    sizes
}

/// Compresses a recording. Pictures of the smallest subtrees are omitted until the text has at most
/// `max_bytes` bytes, or no picture is left.
pub(super) fn pack(log: &Log, max_bytes: usize) -> Packed {
    let sizes = subtree_sizes(log);
    let mut packed = pack_from(log, &sizes, 0);
    let mut sorted = sizes.clone();
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    let mut kept = sorted.len();
    while packed.text.len() > max_bytes && kept > 0 {
        // As many pictures fit if all have equal sizes, with a margin. At most half as many as
        // before are tried, so that there are few rounds.
        let share = (0.8 * max_bytes as f64 / packed.text.len() as f64).min(0.5);
        // The picture of a node depends on that of its parent, whose subtree is larger.
        let least = sorted[(kept as f64 * share) as usize] + 1;
        // Nodes with subtrees of equal sizes are left out together.
        kept = sorted.partition_point(|&size| size >= least);
        packed = pack_from(log, &sizes, least);
    }
    packed
}

/// Compresses the recording without the pictures of nodes whose subtree has fewer than `least`
/// nodes.
fn pack_from(log: &Log, sizes: &[u32], least: u32) -> Packed {
    // Edits and lines are numbered again, in the order of their first use, without unused ones.
    let (mut steps, mut edits) = (Interner::default(), Interner::default());
    let [mut parts, mut shape, mut outcomes, mut step_numbers] = [const { Vec::new() }; 4];
    let mut pictures_left_out = 0;
    // The depth that a child of the previous node has.
    let mut child_depth = 0;
    for (node, (&step, (&depth, &outcome))) in
        log.steps.iter().zip(log.depths.iter().zip(&log.outcomes)).enumerate()
    {
        let (label, mut edit) = log.step_parts.all()[step as usize];
        if edit != NONE && sizes[node] < least {
            (edit, pictures_left_out) = (NONE, pictures_left_out + 1);
        }
        let edit = if edit == NONE { 0 } else { edits.number(&edit).0 + 1 };
        let (step, new) = steps.number(&(label, edit));
        if new {
            // `NONE` becomes 0.
            parts.extend([label.wrapping_add(1), edit]);
        }
        step_numbers.push(step);
        shape.push(child_depth - depth);
        child_depth = depth + 1;
        outcomes.push(outcome.0.into());
    }
    let mut used_lines = Interner::default();
    let renumbered: Vec<_> = (edits.all().iter())
        .map(|&edit| renumber(&log.pictures.edits()[edit as usize], &mut used_lines))
        .collect();
    let lines = used_lines.all().iter().map(|&line| &*log.pictures.lines()[line as usize]);
    let mut incomplete = log.incomplete.clone();
    incomplete.sort_unstable();
    let sections = [
        Section::texts(log.labels.all().iter().map(String::as_str)),
        Section::texts(lines),
        Section::edits(renumbered.iter().map(Vec::as_slice)),
        Section::Numbers(parts),
        Section::Numbers(shape),
        Section::Numbers(outcomes),
        Section::Numbers(step_numbers),
        Section::Numbers(incomplete),
    ];
    Packed { text: compressed(&sections), pictures_left_out }
}

/// Copies an edit with renumbered lines.
fn renumber(mut edit: &[u32], lines: &mut Interner<u32>) -> Vec<u32> {
    let mut out = Vec::with_capacity(edit.len());
    while let [unchanged, removed, inserted, rest @ ..] = edit {
        out.extend([unchanged, removed, inserted]);
        let (added, rest) = rest.split_at(*inserted as usize);
        out.extend(added.iter().map(|line| lines.number(line).0));
        edit = rest;
    }
    out
}

/// Compresses sections to base64 text. Before each are the number of bytes of its numbers, and that
/// of all its bytes; after it are up to three bytes, so that the next one is aligned.
pub(super) fn compressed(sections: &[Section]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let written = sections.iter().try_for_each(|section| {
        let (width, bytes) = section.bytes();
        encoder.write_all(&width.to_le_bytes())?;
        encoder.write_all(&(bytes.len() as u32).to_le_bytes())?;
        encoder.write_all(&bytes)?;
        encoder.write_all(&[0; 3][..bytes.len().wrapping_neg() % 4])
    });
    let finished = written.and_then(|()| encoder.finish());
    STANDARD.encode(finished.expect("writing to memory does not fail"))
}
