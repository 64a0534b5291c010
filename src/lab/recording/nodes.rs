//! Reading a recording: [`RecordedNode`].

use super::Recording;
use super::fate::Fate;
use super::log::{Log, NONE};
use crate::problem::Problem;

/// A node of a [`Recording`], or a child that was not admitted.
#[derive(Clone, Copy, Debug)]
pub struct RecordedNode<'r> {
    log: &'r Log,
    index: usize,
}

impl<'r> RecordedNode<'r> {
    /// Its number in the order in which nodes were met, from 0: the one above a node comes before
    /// it, and all that is below it right behind it.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its depth in the tree, 0 of the root.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.log.depths[self.index] as usize
    }

    /// What became of it.
    #[must_use]
    pub fn fate(&self) -> Fate {
        self.log.fates[self.index].fate()
    }

    /// Whether all below it was searched, but for what hooks cut off.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        !self.log.fates[self.index].is_unfinished()
    }

    /// What the choice that leads here is called, if the recording has labels. Of the root, `None`.
    #[must_use]
    pub fn label(&self) -> Option<&'r str> {
        let (label, _) = self.log.step_parts.all()[self.log.steps[self.index] as usize];
        self.log.labels.all().get(label as usize).map(String::as_str)
    }

    /// What its state looks like, if there are pictures and the node was entered. Each line ends
    /// with a line break.
    ///
    /// Cost: the nodes before it up to the root, and the pictures on its path.
    #[must_use]
    pub fn picture(&self) -> Option<String> {
        let (mut edits, mut depth) = (Vec::new(), self.depth());
        for index in (0..=self.index).rev() {
            if self.log.depths[index] as usize != depth {
                continue;
            }
            let (_, edit) = self.log.step_parts.all()[self.log.steps[index] as usize];
            if edit == NONE {
                return None;
            }
            edits.push(edit);
            let Some(above) = depth.checked_sub(1) else { break };
            depth = above;
        }
        Some(self.log.pictures.text(edits.into_iter().rev()))
    }
}

impl<P: Problem> Recording<'_, P> {
    /// All nodes in the order in which they were met: each before those below it, and children as
    /// they were drawn.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = RecordedNode<'_>> + DoubleEndedIterator {
        let log = &self.log;
        (0..self.len()).map(move |index| RecordedNode { log, index })
    }
}
