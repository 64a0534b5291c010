//! The sets of a family one by one, in the order of their elements: [`Sets`].

use std::fmt;
use std::iter::FusedIterator;

use super::diagram::Family;
use super::node::FIRST;

/// The number of sets that are displayed.
const DISPLAYED: usize = 20;

impl Family {
    /// Returns an iterator over all sets, each with its elements in ascending order. Sets come in
    /// the order of these lists: {}, {0}, {0, 1}, {0, 2}, {1}, ….
    ///
    /// Takes one byte for each node. A set takes at most one step for each element of the universe.
    pub fn sets(&self) -> Sets<'_> {
        let mut with_empty_set = vec![false, true];
        for node in self.all_nodes() {
            with_empty_set.push(with_empty_set[node.lo as usize]);
        }
        let is_first = with_empty_set[self.root() as usize];
        Sets {
            family: self,
            with_empty_set,
            set: Vec::new(),
            pending: vec![(self.root(), 0)],
            is_first,
        }
    }
}

/// A lazy iterator over all sets of a family. Made by [`Family::sets`].
#[derive(Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Sets<'f> {
    family: &'f Family,
    /// Whether the empty set is in the family of each number.
    with_empty_set: Vec<bool>,
    set: Vec<usize>,
    /// A stack of families with the number of elements before theirs. Their sets, except for the
    /// empty one, follow.
    pending: Vec<(u32, usize)>,
    /// Whether the empty set is next.
    is_first: bool,
}

impl Iterator for Sets<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        if std::mem::take(&mut self.is_first) {
            return Some(Vec::new());
        }
        while let Some((number, length)) = self.pending.pop() {
            if number < FIRST {
                continue;
            }
            let node = self.family.node(number);
            self.set.truncate(length);
            self.set.push(node.element as usize);
            self.pending.extend([(node.lo, length), (node.hi, length + 1)]);
            if self.with_empty_set[node.hi as usize] {
                return Some(self.set.clone());
            }
        }
        None
    }
}

impl FusedIterator for Sets<'_> {}

impl fmt::Debug for Sets<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sets").field("last", &self.set).finish_non_exhaustive()
    }
}

/// Shows the first 20 sets.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sets = self.sets();
        let shown = sets.by_ref().take(DISPLAYED).enumerate();
        f.write_str("{")?;
        for (index, set) in shown {
            f.write_str(if index > 0 { ", {" } else { "{" })?;
            for (index, element) in set.iter().enumerate() {
                write!(f, "{}{element}", if index > 0 { ", " } else { "" })?;
            }
            f.write_str("}")?;
        }
        f.write_str(if sets.next().is_some() { ", …}" } else { "}" })
    }
}
