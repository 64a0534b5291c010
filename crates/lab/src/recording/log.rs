//! The log of a walk: the recorded tree in preorder, with the outcome of each node.

use rustc_hash::FxHashSet;
use secateurs::{Direction, Instant};

use super::encoding::Interner;
use super::pictures::Pictures;

/// The index of a node that was not recorded.
const NOT_RECORDED: u32 = u32::MAX;
/// The number of a missing label or edit.
pub(super) const NONE: u32 = u32::MAX;

/// A node that has been entered and not left.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: u32,
    /// Whether some child was kept.
    has_child: bool,
    /// Whether a child was admitted and has not been entered yet.
    is_awaiting_child: bool,
}

/// A solution that was better than all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Improvement {
    /// The number of nodes entered so far, including the solution.
    pub nodes: u64,
    /// The value of the solution.
    pub value: i64,
    /// The time since the first node was entered, in microseconds.
    pub microseconds: u64,
}

/// Nodes in the order in which they were visited, each with its depth, which together determine the
/// tree.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) limit: usize,
    pub(super) depths: Vec<u32>,
    pub(super) outcomes: Vec<OutcomeCode>,
    /// The number of the step that leads to each node.
    pub(super) steps: Vec<u32>,
    /// Steps as pairs of label and edit, which mostly occur together.
    pub(super) step_parts: Interner<(u32, u32)>,
    pub(super) labels: Interner<String>,
    pub(super) pictures: Pictures,
    pub(super) improvements: Vec<Improvement>,
    best: Option<i64>,
    /// The number of entered nodes, recorded or not.
    pub(super) entered: u64,
    pub(super) missing_nodes: u64,
    pub(super) missing_cuts: u64,
    /// The number of missing nodes that were entered while their parent was not open, because the
    /// walk is not contiguous.
    pub(super) unplaced: u64,
    /// Nodes that have an unrecorded child, in the order in which the first one was missed.
    pub(super) incomplete: Vec<u32>,
    /// Children that were not admitted, and whose later siblings were cut off with them, in the
    /// order of the tree.
    pub(super) sibling_cuts: Vec<u32>,
    /// The number of nodes for which a picture was requested but not kept.
    pub(super) without_picture: u64,
    open: Vec<Open>,
    /// The last recorded path: the last node of each depth, each a descendant of the one before.
    last: Vec<u32>,
    /// The index of the root of the last run. Earlier nodes belong to earlier runs.
    root: usize,
    start: Option<Instant>,
}

impl Log {
    pub(super) fn new(limit: usize) -> Self {
        Log { limit, ..Log::default() }
    }

    fn is_full(&self) -> bool {
        self.depths.len() >= self.limit
    }

    /// Returns whether a node at this depth can be recorded: there is room, and its parent is
    /// recorded and open.
    pub(super) fn can_record(&self, depth: usize) -> bool {
        !self.is_full() && self.has_open_parent(depth)
    }

    fn has_open_parent(&self, depth: usize) -> bool {
        match depth.checked_sub(1) {
            None => true,
            Some(parent) => self.open.len() > parent && self.open[parent].node != NOT_RECORDED,
        }
    }

    fn push(&mut self, depth: usize, outcome: OutcomeCode, label: u32, edit: u32) -> u32 {
        let node = self.depths.len() as u32;
        self.depths.push(depth as u32);
        self.outcomes.push(outcome);
        self.steps.push(self.step_parts.number(&(label, edit)).0);
        self.last.truncate(depth);
        self.last.push(node);
        node
    }

    /// Marks the parent of a node at this depth as incomplete.
    fn mark_parent_incomplete(&mut self, depth: usize) {
        let parent = depth.checked_sub(1).and_then(|parent| self.open.get(parent));
        let Some(parent) = parent else { return };
        // Parents are marked from the deepest open node up, so duplicates are adjacent.
        if parent.node != NOT_RECORDED && self.incomplete.last() != Some(&parent.node) {
            self.incomplete.push(parent.node);
        }
    }

    fn open_node(&mut self, depth: usize, node: u32) {
        self.open.truncate(depth);
        while self.open.len() < depth {
            self.open.push(Open { node: NOT_RECORDED, has_child: true, is_awaiting_child: false });
        }
        self.open.push(Open { node, has_child: false, is_awaiting_child: false });
    }

    /// Records that a child of the node at `depth` was admitted. It will be entered unless a limit
    /// prevents it.
    pub(super) fn admitted(&mut self, depth: usize) {
        if let Some(open) = self.open.get_mut(depth) {
            open.is_awaiting_child = true;
        }
    }

    /// Records a child, at this depth, that was not admitted; `cuts_siblings` states whether its
    /// later siblings were cut off as well.
    pub(super) fn not_admitted(
        &mut self,
        depth: usize,
        hook: usize,
        cuts_siblings: bool,
        label: u32,
    ) {
        if self.can_record(depth) {
            let node = self.push(depth, OutcomeCode::not_admitted(hook), label, NONE);
            self.sibling_cuts.extend(cuts_siblings.then_some(node));
        } else {
            self.missing_cuts += 1;
            self.mark_parent_incomplete(depth);
        }
    }

    /// Records a node that was entered, and then kept or cut off.
    pub(super) fn entered(&mut self, depth: usize, cut: Option<usize>, label: u32, edit: u32) {
        if self.start.is_none() {
            self.start = Some(Instant::now());
        }
        self.entered += 1;
        if depth == 0 {
            self.root = self.depths.len();
        }
        if let Some(parent) = depth.checked_sub(1).and_then(|parent| self.open.get_mut(parent)) {
            parent.is_awaiting_child = false;
            parent.has_child |= cut.is_none();
        }
        let node = if self.can_record(depth) {
            // Nodes of an earlier walk may still be open. A new walk closes them.
            self.open.truncate(depth);
            self.push(
                depth,
                cut.map_or(OutcomeCode::UNFINISHED, OutcomeCode::not_kept),
                label,
                edit,
            )
        } else {
            self.missing_nodes += 1;
            self.unplaced += u64::from(!self.is_full());
            self.mark_parent_incomplete(depth);
            NOT_RECORDED
        };
        if cut.is_none() {
            self.open_node(depth, node);
        }
    }

    /// Records that a node is entered again. If the last recorded node of its depth is unfinished
    /// and has the same label, it is that node. Otherwise the node was entered elsewhere or before
    /// the recording began, and is recorded as replayed.
    pub(super) fn replayed(
        &mut self,
        depth: usize,
        label: u32,
        edit: impl FnOnce(&mut Self) -> u32,
    ) {
        self.open.truncate(depth);
        let known = self.last.get(depth).copied().filter(|&node| {
            let (known_label, _) = self.step_parts.all()[self.steps[node as usize] as usize];
            known_label == label
                && self.outcomes[node as usize].is_unfinished()
                && self.has_open_parent(depth)
        });
        let node = match known {
            Some(node) => {
                // Its picture must be open again for the pictures below. If it is missing, that has
                // been counted before.
                let counted_before = self.without_picture;
                edit(self);
                self.without_picture = counted_before;
                node
            }
            None if self.can_record(depth) => {
                let edit = edit(self);
                self.push(depth, OutcomeCode::REPLAYED, label, edit)
            }
            None => NOT_RECORDED,
        };
        self.open_node(depth, node);
        if let Some(open) = self.open.last_mut().filter(|_| known.is_some()) {
            // The children of earlier visits are unknown here.
            open.has_child = true;
        }
    }

    /// Records that the node at `depth` is a solution with this value.
    pub(super) fn solution(&mut self, depth: usize, value: Option<(Direction, i64)>) {
        if let Some(open) = self.open.get(depth).filter(|open| open.node != NOT_RECORDED) {
            self.outcomes[open.node as usize] = OutcomeCode::UNFINISHED_SOLUTION;
        }
        let Some((direction, value)) = value else { return };
        if self.best.is_none_or(|best| direction.is_better(&value, &best)) {
            self.best = Some(value);
            let elapsed = self.start.map_or(0, |start| start.elapsed().as_micros());
            let microseconds = u64::try_from(elapsed).unwrap_or(u64::MAX);
            self.improvements.push(Improvement { nodes: self.entered, value, microseconds });
        }
    }

    /// Records that the node at `depth` is left, with its subtree searched completely or not.
    pub(super) fn left(&mut self, depth: usize, finished: bool) {
        if self.open.len() <= depth {
            return;
        }
        let Open { node, has_child, is_awaiting_child } = self.open[depth];
        self.open.truncate(depth);
        // An admitted child that was not entered is beyond a depth limit.
        if node == NOT_RECORDED || !finished || is_awaiting_child {
            return;
        }
        let outcome = &mut self.outcomes[node as usize];
        *outcome = match *outcome {
            OutcomeCode::UNFINISHED_SOLUTION => OutcomeCode::SOLUTION,
            OutcomeCode::UNFINISHED if has_child => OutcomeCode::INNER,
            OutcomeCode::UNFINISHED => OutcomeCode::DEAD_END,
            outcome => outcome,
        };
    }

    /// Records that the last run has exhausted its tree, so its unfinished nodes are finished.
    pub(super) fn exhausted(&mut self) {
        self.open.clear();
        // If nodes are unplaced or replayed, some children are elsewhere or missing, so the
        // outcomes remain unknown.
        if self.unplaced > 0 || self.outcomes.contains(&OutcomeCode::REPLAYED) {
            return;
        }
        let incomplete: FxHashSet<u32> = self.incomplete.iter().copied().collect();
        for node in self.root..self.outcomes.len() {
            let has_kept_child = || {
                // This scan is short: only leaves that were cut off come before the first kept
                // child, so no subtree is skipped.
                let later = self.depths[node + 1..].iter().zip(&self.outcomes[node + 1..]);
                let below = later.take_while(|(depth, _)| **depth > self.depths[node]);
                let mut children = below.filter(|(depth, _)| **depth == self.depths[node] + 1);
                incomplete.contains(&(node as u32))
                    || children.any(|(_, outcome)| outcome.0 < OutcomeCode::not_admitted(0).0)
            };
            match self.outcomes[node] {
                OutcomeCode::UNFINISHED_SOLUTION => self.outcomes[node] = OutcomeCode::SOLUTION,
                OutcomeCode::UNFINISHED => {
                    self.outcomes[node] =
                        if has_kept_child() { OutcomeCode::INNER } else { OutcomeCode::DEAD_END }
                }
                _ => {}
            }
        }
    }
}

/// The outcome of a node, or of a child that was not admitted. Hooks are identified by their index
/// among [those of the recording](super::Recording::hooks).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NodeOutcome {
    /// A searched node that is not a solution, but has a child that was kept.
    Inner,
    /// A node that is not a solution, was not cut off, and has no child that was kept.
    DeadEnd,
    /// A solution, with or without children.
    Solution,
    /// A node that is not a solution and whose subtree was not completely searched, because the run
    /// ended or reached a depth limit.
    Unfinished,
    /// A node that had been entered before, elsewhere in the recording or outside it, and was
    /// replayed to reach an unexplored part of its subtree.
    Replayed,
    /// A child that was not entered, because this hook did not admit it.
    NotAdmitted(usize),
    /// A node that this hook cut off on entering.
    NotKept(usize),
}

/// The code of an outcome: 0 to 5 for nodes, and then two codes for each hook. Frequent outcomes
/// have small codes, which take less space on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutcomeCode(pub(super) u16);

impl OutcomeCode {
    pub(super) const INNER: OutcomeCode = OutcomeCode(0);
    pub(super) const DEAD_END: OutcomeCode = OutcomeCode(1);
    pub(super) const SOLUTION: OutcomeCode = OutcomeCode(2);
    pub(super) const UNFINISHED: OutcomeCode = OutcomeCode(3);
    /// A solution whose subtree was not completely searched.
    pub(super) const UNFINISHED_SOLUTION: OutcomeCode = OutcomeCode(4);
    pub(super) const REPLAYED: OutcomeCode = OutcomeCode(5);
    /// The code of a child that the first hook did not admit.
    const FIRST_CUT: u16 = 6;

    /// Returns the code of a cut by a hook. If there are more than 32,000 hooks, those beyond the
    /// range of codes share the last ones.
    fn of_hook(hook: usize, entered: bool) -> Self {
        let hook =
            u16::try_from(hook).unwrap_or(u16::MAX).min((u16::MAX - Self::FIRST_CUT) / 2 - 1);
        OutcomeCode(Self::FIRST_CUT + 2 * hook + u16::from(entered))
    }

    pub(super) fn not_admitted(hook: usize) -> Self {
        Self::of_hook(hook, false)
    }

    pub(super) fn not_kept(hook: usize) -> Self {
        Self::of_hook(hook, true)
    }

    /// Returns whether a part of the subtree may be unexplored.
    pub(super) fn is_unfinished(self) -> bool {
        matches!(
            self,
            OutcomeCode::UNFINISHED | OutcomeCode::UNFINISHED_SOLUTION | OutcomeCode::REPLAYED
        )
    }

    pub(super) fn outcome(self) -> NodeOutcome {
        match self {
            OutcomeCode::INNER => NodeOutcome::Inner,
            OutcomeCode::DEAD_END => NodeOutcome::DeadEnd,
            OutcomeCode::SOLUTION | OutcomeCode::UNFINISHED_SOLUTION => NodeOutcome::Solution,
            OutcomeCode::UNFINISHED => NodeOutcome::Unfinished,
            OutcomeCode::REPLAYED => NodeOutcome::Replayed,
            OutcomeCode(cut) => {
                let (hook, entered) =
                    (usize::from((cut - Self::FIRST_CUT) / 2), (cut - Self::FIRST_CUT) % 2 == 1);
                if entered { NodeOutcome::NotKept(hook) } else { NodeOutcome::NotAdmitted(hook) }
            }
        }
    }
}
