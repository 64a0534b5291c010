//! Compression of a recording to text within a page.
//!
//! The format has eight sections, each prefixed by its length, compressed together with deflate and
//! encoded as base64. The first four are labels, lines, edits, and steps (the label and edit of
//! each, 0 for none). The next three have one number for each node: the levels up from a child of
//! the previous node, the outcome, and the step. The last one lists the nodes with missing
//! children, each as the difference from the one before. All numbers are integers of variable
//! length.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::encoding::{Interner, put_number, take_number};
use super::log::{Log, NONE};

/// A compressed recording.
pub(super) struct Packed {
    pub(super) text: String,
    /// The number of distinct steps.
    pub(super) steps: usize,
    /// The number of nodes whose picture is in the recording but not on the page.
    pub(super) pictures_left_out: usize,
}

/// Returns the number of nodes in the subtree of each node, including itself.
fn subtree_sizes(log: &Log) -> Vec<u32> {
    let mut sizes = vec![1; log.depths.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut close = |open: &mut Vec<usize>, depth: usize| {
        while open.len() > depth {
            if let (Some(node), Some(&above)) = (open.pop(), open.last()) {
                sizes[above] += sizes[node];
            }
        }
    };
    for (node, &depth) in log.depths.iter().enumerate() {
        close(&mut open, depth as usize);
        open.push(node);
    }
    close(&mut open, 0);
    sizes
}

/// Compresses a recording. Pictures of the smallest subtrees are omitted until the text has at most
/// `max_bytes` bytes, or no picture is left.
pub(super) fn pack(log: &Log, max_bytes: usize) -> Packed {
    let mut packed = pack_from(log, &[], 1);
    if packed.text.len() <= max_bytes {
        return packed;
    }
    let sizes = subtree_sizes(log);
    let mut sorted = sizes.clone();
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    let mut kept = sorted.len();
    while packed.text.len() > max_bytes && kept > 0 {
        // This is the number of pictures that fit if all have equal sizes, with a margin.
        kept =
            (kept as f64 * (0.8 * max_bytes as f64 / packed.text.len() as f64).min(0.5)) as usize;
        // The picture of a node depends on that of its parent, whose subtree is larger.
        let least = sorted.get(kept).map_or(u32::MAX, |&size| size.saturating_add(1));
        packed = pack_from(log, &sizes, least);
    }
    packed
}

/// A renumbering of values in the order of their first use, which drops unused ones.
struct Renumbering {
    /// The new number of each old one, or [`NONE`].
    new_numbers: Vec<u32>,
    /// The old number of each new one.
    old_numbers: Vec<u32>,
}

impl Renumbering {
    fn new(count: usize) -> Self {
        Renumbering { new_numbers: vec![NONE; count], old_numbers: Vec::new() }
    }

    fn number(&mut self, old: u32) -> u32 {
        let known = &mut self.new_numbers[old as usize];
        if *known == NONE {
            *known = self.old_numbers.len() as u32;
            self.old_numbers.push(old);
        }
        *known
    }
}

/// Compresses the recording without the pictures of nodes whose subtree has fewer than `least`
/// nodes.
fn pack_from(log: &Log, sizes: &[u32], least: u32) -> Packed {
    let (mut steps, mut edits) =
        (Interner::default(), Renumbering::new(log.pictures.edits().len()));
    let [
        mut labels,
        mut lines,
        mut edit_bytes,
        mut parts,
        mut shape,
        mut outcomes,
        mut step_bytes,
        mut incomplete,
    ] = [const { Vec::new() }; 8];
    let mut pictures_left_out = 0;
    // The depth that a child of the previous node has.
    let mut child_depth = 0_u64;
    for (node, (&step, (&depth, &outcome))) in
        log.steps.iter().zip(log.depths.iter().zip(&log.outcomes)).enumerate()
    {
        let (label, mut edit) = log.step_parts.all()[step as usize];
        if edit != NONE && least > 1 && sizes[node] < least {
            (edit, pictures_left_out) = (NONE, pictures_left_out + 1);
        }
        let edit = if edit == NONE { 0 } else { edits.number(edit) + 1 };
        let (step, new) = steps.number(&(label, edit));
        if new {
            put_number(if label == NONE { 0 } else { u64::from(label) + 1 }, &mut parts);
            put_number(u64::from(edit), &mut parts);
        }
        put_number(u64::from(step), &mut step_bytes);
        let depth = u64::from(depth);
        put_number(child_depth - depth, &mut shape);
        child_depth = depth + 1;
        put_number(u64::from(outcome.0), &mut outcomes);
    }
    let mut used_lines = Renumbering::new(log.pictures.lines().len());
    for &edit in &edits.old_numbers {
        let edit = renumber(&log.pictures.edits()[edit as usize], &mut used_lines);
        put_number(edit.len() as u64, &mut edit_bytes);
        edit_bytes.extend(edit);
    }
    used_lines
        .old_numbers
        .iter()
        .for_each(|&line| put_text(&mut lines, &log.pictures.lines()[line as usize]));
    log.labels.all().iter().for_each(|label| put_text(&mut labels, label));
    let mut previous = 0;
    let mut sorted = log.incomplete.clone();
    sorted.sort_unstable();
    for node in sorted {
        put_number(u64::from(node - previous), &mut incomplete);
        previous = node;
    }
    let sections = [labels, lines, edit_bytes, parts, shape, outcomes, step_bytes, incomplete];
    Packed { text: compressed(&sections), steps: steps.all().len(), pictures_left_out }
}

/// Copies an edit with renumbered lines.
fn renumber(mut edit: &[u8], lines: &mut Renumbering) -> Vec<u8> {
    let mut out = Vec::with_capacity(edit.len());
    while !edit.is_empty() {
        let [unchanged, removed, inserted] = [(); 3].map(|()| take_number(&mut edit));
        [unchanged, removed, inserted].into_iter().for_each(|part| put_number(part, &mut out));
        for _ in 0..inserted {
            let line = take_number(&mut edit) as u32;
            put_number(u64::from(lines.number(line)), &mut out);
        }
    }
    out
}

/// Appends a text as one line.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend(text.as_bytes());
    out.push(b'\n');
}

/// Compresses sections, each prefixed by its length, to base64 text.
pub(super) fn compressed(sections: &[Vec<u8>]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let written = sections.iter().try_for_each(|section| {
        let mut length = Vec::new();
        put_number(section.len() as u64, &mut length);
        encoder.write_all(&length)?;
        encoder.write_all(section)
    });
    match written.and_then(|()| encoder.finish()) {
        Ok(bytes) => STANDARD.encode(bytes),
        Err(error) => unreachable!("writing to memory does not fail: {error}"),
    }
}
