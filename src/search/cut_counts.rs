//! The cuts of a walk, by hook and by depth, counted in its hot loop.

use crate::report::Cuts;

/// Depth by depth, and hook by hook within, all in a single vector: a hook may cut more often than
/// nodes are entered, by a single comparison, and so this is to take a few instructions.
#[derive(Debug)]
pub(super) struct CutCounts {
    counts: Vec<Cuts>,
    hooks: usize,
}

impl CutCounts {
    /// No cuts yet, by so many hooks.
    pub(super) fn of(hooks: usize) -> Self {
        CutCounts { counts: Vec::new(), hooks }
    }

    /// Counts a choice that was not admitted; `depth` is that of the child.
    #[inline]
    pub(super) fn admit(&mut self, hook: usize, depth: usize) {
        let index = depth * self.hooks + hook;
        match self.counts.get_mut(index) {
            Some(cuts) => cuts.admit += 1,
            None => self.make_room(index).admit += 1,
        }
    }

    /// Counts a node that was cut off on entering.
    #[inline]
    pub(super) fn enter(&mut self, hook: usize, depth: usize) {
        let index = depth * self.hooks + hook;
        match self.counts.get_mut(index) {
            Some(cuts) => cuts.enter += 1,
            None => self.make_room(index).enter += 1,
        }
    }

    #[cold]
    fn make_room(&mut self, index: usize) -> &mut Cuts {
        self.counts.resize(index + 1, Cuts::default());
        &mut self.counts[index]
    }

    /// For each hook its cuts by depth.
    pub(super) fn by_hook(&self) -> Vec<Vec<Cuts>> {
        let of = |hook| self.counts.iter().skip(hook).step_by(self.hooks).copied().collect();
        (0..self.hooks).map(of).collect()
    }
}
