//! Pictures of states, each kept as what is different from the picture of the node above.
//!
//! A picture is text, and what one step changes of it is mostly a line or two; the same step
//! changes the same lines wherever it is taken. So lines are kept once, and so is each *edit*:
//! which lines of the picture above stay, which go, and which come in their place. A million boards
//! come down to some hundred edits and a number a node.
//!
//! An edit is a sequence of hunks of three numbers and more: how many lines stay, how many go, how
//! many come, and the numbers of these. What is behind the last hunk stays. The picture above the
//! root is empty.

use super::encoding::{Interner, put_number, take_number};

/// How far ahead lines are looked for that come again, in both pictures together.
const AHEAD: usize = 64;

/// What the pictures on the path to the present node may take up; below that, there are none.
const STANDING: usize = 64 << 20;
/// What lines and edits may take up; after that, there are no new ones.
const KEPT: usize = 256 << 20;

/// A text, and where its lines end.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    text: String,
    ends: Vec<usize>,
}

impl Lines {
    pub(super) fn new(text: String) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at);
        let ends = breaks
            .chain((!text.is_empty() && !text.ends_with('\n')).then_some(text.len()))
            .collect();
        Lines { text, ends }
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn line(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] + 1 };
        &self.text[start..self.ends[index]]
    }

    fn bytes(&self) -> usize {
        self.text.len() + self.ends.len() * size_of::<usize>()
    }
}

/// Lines and edits.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    lines: Interner<String>,
    edits: Interner<Vec<u8>>,
    bytes: usize,
    /// The pictures of the nodes that are open, by depth; `None` for those without one.
    standing: Vec<Option<Lines>>,
    standing_bytes: usize,
    scratch: Vec<u8>,
}

impl Pictures {
    /// Goes back to the nodes above `depth`.
    pub(super) fn back_to(&mut self, depth: usize) {
        for gone in self.standing.drain(depth.min(self.standing.len())..).flatten() {
            self.standing_bytes -= gone.bytes();
        }
    }

    /// The edit that makes the picture of the node at `depth`, which stands from now on; `None` if
    /// there is no room for it.
    pub(super) fn add(&mut self, depth: usize, text: impl FnOnce() -> String) -> Option<u32> {
        self.back_to(depth);
        self.standing.resize_with(depth, || None);
        let has_above = depth == 0 || self.standing[depth - 1].is_some();
        if !has_above || self.standing_bytes > STANDING || self.bytes > KEPT {
            self.standing.push(None);
            return None;
        }
        let lines = Lines::new(text());
        let nothing = Lines::default();
        let above = depth
            .checked_sub(1)
            .and_then(|above| self.standing[above].as_ref())
            .unwrap_or(&nothing);
        self.scratch.clear();
        difference(above, &lines, &mut self.scratch, |line| {
            let (number, new) = self.lines.number(line);
            self.bytes += if new { line.len() + 32 } else { 0 };
            number
        });
        let (edit, new) = self.edits.number(&self.scratch[..]);
        self.bytes += if new { self.scratch.len() + 64 } else { 0 };
        self.standing_bytes += lines.bytes();
        self.standing.push(Some(lines));
        Some(edit)
    }

    /// Lets the picture at `depth` be the one above, if there is one.
    #[cfg(feature = "pages")]
    pub(super) fn repeat(&mut self, depth: usize) {
        self.back_to(depth);
        self.standing.resize_with(depth, || None);
        let above = depth.checked_sub(1).and_then(|above| self.standing[above].clone());
        self.standing_bytes += above.as_ref().map_or(0, Lines::bytes);
        self.standing.push(above.or_else(|| Some(Lines::default())));
    }

    #[cfg(feature = "pages")]
    pub(super) fn lines(&self) -> &[String] {
        self.lines.all()
    }

    #[cfg(feature = "pages")]
    pub(super) fn edits(&self) -> &[Vec<u8>] {
        self.edits.all()
    }

    /// The text that edits make, one after another, from the root down.
    pub(super) fn text(&self, edits: impl Iterator<Item = u32>) -> String {
        let (mut picture, mut next): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for edit in edits {
            let mut edit = &self.edits.all()[edit as usize][..];
            let mut at = 0;
            next.clear();
            while !edit.is_empty() {
                let [stay, go, come] = [(); 3].map(|()| take_number(&mut edit) as usize);
                next.extend(&picture[at..at + stay]);
                at += stay + go;
                next.extend((0..come).map(|_| take_number(&mut edit) as u32));
            }
            next.extend(&picture[at..]);
            std::mem::swap(&mut picture, &mut next);
        }
        picture.iter().flat_map(|&line| [&*self.lines.all()[line as usize], "\n"]).collect()
    }
}

/// Writes the edit that makes `new` of `old`.
fn difference(old: &Lines, new: &Lines, out: &mut Vec<u8>, mut number: impl FnMut(&str) -> u32) {
    let (mut i, mut j) = (0, 0);
    loop {
        let before = i;
        while i < old.len() && j < new.len() && old.line(i) == new.line(j) {
            (i, j) = (i + 1, j + 1);
        }
        if i == old.len() && j == new.len() {
            return;
        }
        let (go, come) = resume(old, new, i, j);
        for part in [i - before, go, come] {
            put_number(part as u64, out);
        }
        for line in j..j + come {
            put_number(u64::from(number(new.line(line))), out);
        }
        (i, j) = (i + go, j + come);
    }
}

/// How many lines of each are to be skipped until both go on alike: the fewest together, or all
/// that are left.
fn resume(old: &Lines, new: &Lines, i: usize, j: usize) -> (usize, usize) {
    for skipped in 1..=AHEAD {
        for go in 0..=skipped {
            let (k, l) = (i + go, j + skipped - go);
            let both_end = k == old.len() && l == new.len();
            if both_end || k < old.len() && l < new.len() && old.line(k) == new.line(l) {
                return (go, skipped - go);
            }
        }
    }
    (old.len() - i, new.len() - j)
}

#[cfg(test)]
mod tests {
    use super::Pictures;

    #[test]
    fn pictures_come_back_line_by_line() {
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
        // Nothing has changed in the last one.
        assert!(pictures.edits.all()[edits[6] as usize].is_empty());
    }

    #[test]
    fn long_changes_come_back_as_well() {
        let [one, other] = [0, 1000]
            .map(|from| (from..from + 300).map(|line| format!("{line}\n")).collect::<String>());
        let mut pictures = Pictures::default();
        let edits = [pictures.add(0, || one.clone()), pictures.add(1, || other.clone())]
            .map(Option::unwrap);
        assert_eq!(pictures.text(edits.into_iter()), other);
    }
}
