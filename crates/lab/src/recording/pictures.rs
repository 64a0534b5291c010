//! Pictures of states, each stored as its difference from the picture of the parent node.
//!
//! A picture is text, and a step mostly changes a line or two of it. The same step often causes the
//! same change, wherever it is taken. Therefore each distinct line is stored once, and so is each
//! distinct *edit*: the lines of the parent's picture that stay, those that are removed, and those
//! that are inserted. A million boards need a few hundred edits and one number per node.
//!
//! An edit is a sequence of hunks. A hunk has the number of lines that stay, the number of lines to
//! remove, the number of lines to insert, and the numbers of the inserted lines. Lines after the
//! last hunk stay. The parent of the root has an empty picture.

use super::encoding::Interner;

/// The maximal number of lines of both pictures together that are skipped to find a common line.
const MAX_SKIPPED: usize = 64;

/// The memory limit in bytes of the pictures on the current path. Nodes beyond it have no picture.
const MAX_OPEN_BYTES: usize = 64 << 20;
/// The memory limit in bytes of lines and edits. Later nodes have no picture.
const MAX_STORED_BYTES: usize = 256 << 20;

/// A text with the ends of its lines, which are found lazily.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    text: String,
    /// The ends of the first lines, without the line breaks.
    ends: Vec<usize>,
}

impl Lines {
    pub(super) fn new(text: String) -> Self {
        Lines { text, ends: Vec::new() }
    }

    /// Finds the ends of the lines up to this one, as far as there are any. Returns the number of
    /// lines found so far.
    fn find(&mut self, index: usize) -> usize {
        while self.ends.len() <= index && self.start(self.ends.len()) < self.text.len() {
            let start = self.start(self.ends.len());
            let length = self.text[start..].find('\n').unwrap_or(self.text.len() - start);
            self.ends.push(start + length);
        }
        self.ends.len()
    }

    fn has(&mut self, index: usize) -> bool {
        self.find(index) > index
    }

    /// Returns whether the text has exactly this many lines.
    fn ends_at(&mut self, index: usize) -> bool {
        self.find(index) == index
    }

    /// Returns the start of a line whose predecessors have been found.
    fn start(&self, index: usize) -> usize {
        if index == 0 { 0 } else { self.ends[index - 1] + 1 }
    }

    /// Returns a line that has been found.
    fn line(&self, index: usize) -> &str {
        &self.text[self.start(index)..self.ends[index]]
    }

    fn bytes(&self) -> usize {
        self.text.len() + self.ends.len() * size_of::<usize>()
    }
}

/// The stored lines and edits.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    lines: Interner<String>,
    edits: Interner<Vec<u32>>,
    /// The estimated size of the lines and edits, with the overhead of the tables.
    bytes: usize,
    /// The pictures of the open nodes, by depth; `None` for nodes without one.
    open: Vec<Option<Lines>>,
    open_bytes: usize,
    scratch: Vec<u32>,
}

impl Pictures {
    /// Closes the nodes from `depth` on.
    pub(super) fn truncate(&mut self, depth: usize) {
        for closed in self.open.drain(depth.min(self.open.len())..).flatten() {
            self.open_bytes -= closed.bytes();
        }
    }

    /// Stores the picture of the node at `depth`, which becomes open. Returns its edit; `None` if
    /// there is no room.
    pub(super) fn add(&mut self, depth: usize, text: impl FnOnce() -> String) -> Option<u32> {
        self.truncate(depth);
        self.open.resize_with(depth, || None);
        let has_base = depth == 0 || self.open[depth - 1].is_some();
        if !has_base || self.open_bytes > MAX_OPEN_BYTES || self.bytes > MAX_STORED_BYTES {
            self.open.push(None);
            return None;
        }
        let mut lines = Lines::new(text());
        let mut empty = Lines::default();
        let above = depth.checked_sub(1).and_then(|above| self.open[above].as_mut());
        self.scratch.clear();
        difference(above.unwrap_or(&mut empty), &mut lines, &mut self.scratch, |line| {
            let (number, new) = self.lines.number(line);
            self.bytes += if new { line.len() + 32 } else { 0 };
            number
        });
        let (edit, new) = self.edits.number(&self.scratch[..]);
        self.bytes += if new { size_of_val(&self.scratch[..]) + 64 } else { 0 };
        self.open_bytes += lines.bytes();
        self.open.push(Some(lines));
        Some(edit)
    }

    /// Opens a node at `depth` with the picture of its parent, if that has one.
    #[cfg(feature = "pages")]
    pub(super) fn repeat(&mut self, depth: usize) {
        self.truncate(depth);
        self.open.resize_with(depth, || None);
        let above = depth.checked_sub(1).and_then(|above| self.open[above].clone());
        self.open_bytes += above.as_ref().map_or(0, Lines::bytes);
        self.open.push(above.or_else(|| Some(Lines::default())));
    }

    #[cfg(feature = "pages")]
    pub(super) fn lines(&self) -> &[String] {
        self.lines.all()
    }

    #[cfg(feature = "pages")]
    pub(super) fn edits(&self) -> &[Vec<u32>] {
        self.edits.all()
    }

    /// Returns the text that results from applying edits, from the root down.
    pub(super) fn text(&self, edits: impl Iterator<Item = u32>) -> String {
        let (mut picture, mut next): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for edit in edits {
            let mut edit = &self.edits.all()[edit as usize][..];
            let mut at = 0;
            next.clear();
            while let [unchanged, removed, inserted, rest @ ..] = edit {
                let (lines, rest) = rest.split_at(*inserted as usize);
                next.extend(&picture[at..at + *unchanged as usize]);
                next.extend(lines);
                at += (unchanged + removed) as usize;
                edit = rest;
            }
            next.extend(&picture[at..]);
            std::mem::swap(&mut picture, &mut next);
        }
        picture.iter().flat_map(|&line| [&*self.lines.all()[line as usize], "\n"]).collect()
    }
}

/// Writes the edit that turns `old` into `new`, and finds all lines of both.
fn difference(
    old: &mut Lines,
    new: &mut Lines,
    out: &mut Vec<u32>,
    mut number: impl FnMut(&str) -> u32,
) {
    let (mut i, mut j) = (0, 0);
    loop {
        let before = i;
        let same = skip_equal(old, new, i, j);
        (i, j) = (i + same, j + same);
        if old.ends_at(i) && new.ends_at(j) {
            return;
        }
        let (removed, inserted) = resynchronise(old, new, i, j);
        out.extend([i - before, removed, inserted].map(|lines| lines as u32));
        out.extend((j..j + inserted).map(|line| number(new.line(line))));
        (i, j) = (i + removed, j + inserted);
    }
}

/// Returns the number of equal lines, from line `i` of the old text and line `j` of the new one on.
/// The texts are compared as bytes first, because the line breaks of the old text also hold for the
/// equal part of the new one.
fn skip_equal(old: &mut Lines, new: &mut Lines, i: usize, j: usize) -> usize {
    // All lines before `i` and `j` have been found, as `start` requires.
    let (from, to) = (old.start(i).min(old.text.len()), new.start(j).min(new.text.len()));
    let common = common_prefix(&old.text.as_bytes()[from..], &new.text.as_bytes()[to..]);
    // A line that reaches the end of the text may lack its line break, and is compared below.
    let known = &old.ends[i.min(old.ends.len())..];
    let mut same = known.partition_point(|&end| end < from + common);
    new.ends.truncate(j);
    new.ends.extend(known[..same].iter().map(|end| end - from + to));
    while old.has(i + same) && new.has(j + same) && old.line(i + same) == new.line(j + same) {
        same += 1;
    }
    same
}

/// Returns the number of equal bytes at the beginning.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    // Comparing long pieces is fastest. The first different piece is then compared in shorter ones.
    let from = equal_pieces::<256>(one, other, 0);
    let from = equal_pieces::<16>(one, other, from);
    equal_pieces::<1>(one, other, from)
}

/// Returns the position of the first different piece, from a position on.
fn equal_pieces<const LENGTH: usize>(one: &[u8], other: &[u8], from: usize) -> usize {
    let (one, other) = (one[from..].as_chunks::<LENGTH>().0, other[from..].as_chunks::<LENGTH>().0);
    from + LENGTH * one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Returns the numbers of lines to skip in the old and the new text until they have a common line
/// again, or end: the smallest sum, or everything if the sum exceeds [`MAX_SKIPPED`].
fn resynchronise(old: &mut Lines, new: &mut Lines, i: usize, j: usize) -> (usize, usize) {
    for skipped in 1..=MAX_SKIPPED {
        for removed in 0..=skipped {
            let (k, l) = (i + removed, j + skipped - removed);
            let both_end = old.ends_at(k) && new.ends_at(l);
            if both_end || old.has(k) && new.has(l) && old.line(k) == new.line(l) {
                return (removed, skipped - removed);
            }
        }
    }
    (old.find(usize::MAX) - i, new.find(usize::MAX) - j)
}

#[cfg(test)]
mod tests {
    use super::Pictures;

    #[test]
    fn edits_restore_each_picture_on_a_path() {
        let texts = [
            "a\nb\nc\nd\n",
            "a\nx\nc\nd\n",
            "",
            "d\nd\nd",
            "d\n",
            "b\nd\nd\nd\nd\n\n\ne\n",
            "b\nd\nd\nd\nd\n\n\ne\n",
        ];
        let mut pictures = Pictures::default();
        let edits: Vec<u32> = (0..)
            .zip(texts)
            .filter_map(|(depth, text)| pictures.add(depth, || text.to_owned()))
            .collect();
        for (index, text) in texts.iter().enumerate() {
            let whole = if text.is_empty() || text.ends_with('\n') {
                (*text).to_owned()
            } else {
                format!("{text}\n")
            };
            assert_eq!(pictures.text(edits[..=index].iter().copied()), whole);
        }
        // The last two pictures are equal, so the last edit is empty.
        assert!(pictures.edits.all()[edits[6] as usize].is_empty());
    }

    #[test]
    fn edits_restore_changes_beyond_the_search_window() {
        let [one, other] = [0, 1000]
            .map(|from| (from..from + 300).map(|line| format!("{line}\n")).collect::<String>());
        let mut pictures = Pictures::default();
        let edits = [pictures.add(0, || one.clone()), pictures.add(1, || other.clone())]
            .map(Option::unwrap);
        assert_eq!(pictures.text(edits.into_iter()), other);
    }

    #[test]
    fn edits_restore_changes_at_both_ends_of_long_pictures() {
        let middle: String = (0..200).map(|line| format!("line {line}\n")).collect();
        let texts: Vec<String> = (0..6)
            .map(|depth| {
                let end = ["\n", "", "last"][depth % 3];
                format!("title {}\n{middle}{}{end}", depth / 2, "more\n".repeat(depth))
            })
            .collect();
        let mut pictures = Pictures::default();
        let edits: Vec<u32> = (0..)
            .zip(&texts)
            .filter_map(|(depth, text)| pictures.add(depth, || text.clone()))
            .collect();
        for (index, text) in texts.iter().enumerate() {
            let whole = if text.ends_with('\n') { text.clone() } else { format!("{text}\n") };
            assert_eq!(pictures.text(edits[..=index].iter().copied()), whole, "{index}");
        }
        // The lines in the middle are stored once.
        assert!(pictures.lines.all().len() < 210);
    }
}
