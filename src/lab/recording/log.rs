//! What is written down of a walk, node by node.

use rustc_hash::FxHashSet;

use super::encoding::Interner;
use super::node_outcome::OutcomeCode;
use super::pictures::Pictures;
use crate::clock::Instant;
use crate::incumbent::Direction;

/// The number of a node that was not written down.
const NOWHERE: u32 = u32::MAX;
/// A number of a label or of an edit where there is none.
pub(super) const NONE: u32 = u32::MAX;

/// A node that has been entered and not left.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: u32,
    /// Whether some child was kept.
    has_child: bool,
    /// Whether a child was admitted and has not been entered.
    is_waiting: bool,
}

/// A solution that was better than those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Improvement {
    /// How many nodes had been entered by then, its own included.
    pub nodes: u64,
    /// Its value.
    pub value: i64,
    /// Microseconds since the first node was entered.
    pub microseconds: u64,
}

/// Nodes in the order in which they were met, each with its depth: from these two, the tree
/// follows.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) limit: usize,
    pub(super) depths: Vec<u32>,
    pub(super) outcomes: Vec<OutcomeCode>,
    /// The number of the step that led to each node.
    pub(super) steps: Vec<u32>,
    /// Label and edit, which mostly come together.
    pub(super) step_parts: Interner<(u32, u32)>,
    pub(super) labels: Interner<String>,
    pub(super) pictures: Pictures,
    pub(super) improvements: Vec<Improvement>,
    best: Option<i64>,
    /// Nodes entered, written down or not.
    pub(super) entered: u64,
    pub(super) missing_nodes: u64,
    pub(super) missing_cuts: u64,
    /// Of the missing nodes, those that were entered while the node above was not open, as walks do
    /// that jump.
    pub(super) unplaced: u64,
    /// Nodes with children that were not written down, in the order of the tree.
    pub(super) incomplete: Vec<u32>,
    /// Nodes without a picture though there was one to be drawn.
    pub(super) without_picture: u64,
    open: Vec<Open>,
    /// The last node of each depth, as far as they are below one another.
    last: Vec<u32>,
    /// Where the nodes of the last run begin: at its root. Those before belong to runs that it says
    /// nothing of.
    root: usize,
    start: Option<Instant>,
}

impl Default for Log {
    fn default() -> Self {
        Log::new(0)
    }
}

impl Log {
    pub(super) fn new(limit: usize) -> Self {
        Log {
            limit,
            depths: Vec::new(),
            outcomes: Vec::new(),
            steps: Vec::new(),
            step_parts: Interner::default(),
            labels: Interner::default(),
            pictures: Pictures::default(),
            improvements: Vec::new(),
            best: None,
            entered: 0,
            missing_nodes: 0,
            missing_cuts: 0,
            unplaced: 0,
            incomplete: Vec::new(),
            without_picture: 0,
            open: Vec::new(),
            last: Vec::new(),
            root: 0,
            start: None,
        }
    }

    fn is_full(&self) -> bool {
        self.depths.len() >= self.limit
    }

    /// Whether a node at this depth can be written down: there is room, and the node above it was
    /// and is open.
    pub(super) fn takes(&self, depth: usize) -> bool {
        !self.is_full() && self.is_placed(depth)
    }

    fn is_placed(&self, depth: usize) -> bool {
        match depth.checked_sub(1) {
            None => true,
            Some(above) => self.open.len() > above && self.open[above].node != NOWHERE,
        }
    }

    fn write(&mut self, depth: usize, outcome: OutcomeCode, label: u32, edit: u32) -> u32 {
        let node = self.depths.len() as u32;
        self.depths.push(depth as u32);
        self.outcomes.push(outcome);
        self.steps.push(self.step_parts.number(&(label, edit)).0);
        self.last.truncate(depth);
        self.last.push(node);
        node
    }

    /// Something below the node above was not written down.
    fn misses(&mut self, depth: usize) {
        let Some(above) = depth.checked_sub(1).and_then(|above| self.open.get(above)) else {
            return;
        };
        // They are met in the order of the tree, from the deepest open one up.
        if above.node != NOWHERE && self.incomplete.last() != Some(&above.node) {
            self.incomplete.push(above.node);
        }
    }

    fn opened(&mut self, depth: usize, node: u32) {
        self.open.truncate(depth);
        while self.open.len() < depth {
            self.open.push(Open { node: NOWHERE, has_child: true, is_waiting: false });
        }
        self.open.push(Open { node, has_child: false, is_waiting: false });
    }

    /// The child of the node at `depth` was admitted, and will be entered unless a limit is in the
    /// way.
    pub(super) fn admitted(&mut self, depth: usize) {
        if let Some(open) = self.open.get_mut(depth) {
            open.is_waiting = true;
        }
    }

    /// A child, at this depth, was not admitted.
    pub(super) fn not_admitted(&mut self, depth: usize, hook: usize, label: u32) {
        if self.takes(depth) {
            self.write(depth, OutcomeCode::not_admitted(hook), label, NONE);
        } else {
            self.missing_cuts += 1;
            self.misses(depth);
        }
    }

    /// A node was entered, and kept or cut off.
    pub(super) fn entered(&mut self, depth: usize, cut: Option<usize>, label: u32, edit: u32) {
        if self.start.is_none() {
            self.start = Some(Instant::now());
        }
        self.entered += 1;
        if depth == 0 {
            self.root = self.depths.len();
        }
        if let Some(above) = depth.checked_sub(1).and_then(|above| self.open.get_mut(above)) {
            above.is_waiting = false;
            above.has_child |= cut.is_none();
        }
        let node = if self.takes(depth) {
            // Walks that begin anew leave nothing open.
            self.open.truncate(depth);
            self.write(
                depth,
                cut.map_or(OutcomeCode::UNFINISHED, OutcomeCode::not_kept),
                label,
                edit,
            )
        } else {
            self.missing_nodes += 1;
            self.unplaced += u64::from(!self.is_full());
            self.misses(depth);
            NOWHERE
        };
        if cut.is_none() {
            self.opened(depth, node);
        }
    }

    /// A node is entered again: it is the last one of its depth if that has the same label, or else
    /// a node that was entered before the recording began, and is written down as such.
    pub(super) fn replayed(
        &mut self,
        depth: usize,
        label: u32,
        edit: impl FnOnce(&mut Self) -> u32,
    ) {
        self.open.truncate(depth);
        let known = self.last.get(depth).copied().filter(|&node| {
            let (known, _) = self.step_parts.all()[self.steps[node as usize] as usize];
            known == label && self.outcomes[node as usize].is_unfinished() && self.is_placed(depth)
        });
        let node = match known {
            Some(node) => {
                // Its picture has to stand again, for those below; if it has none, that has been
                // counted.
                let without = self.without_picture;
                edit(self);
                self.without_picture = without;
                node
            }
            None if self.takes(depth) => {
                let edit = edit(self);
                self.write(depth, OutcomeCode::REPLAYED, label, edit)
            }
            None => NOWHERE,
        };
        self.opened(depth, node);
        if let Some(open) = self.open.last_mut().filter(|_| known.is_some()) {
            // Of what was searched before, nothing is known here.
            open.has_child = true;
        }
    }

    /// The node at `depth` is a solution, of this value.
    pub(super) fn solution(&mut self, depth: usize, value: Option<(Direction, i64)>) {
        if let Some(open) = self.open.get(depth).filter(|open| open.node != NOWHERE) {
            self.outcomes[open.node as usize] = OutcomeCode::UNFINISHED_SOLUTION;
        }
        let Some((direction, value)) = value else { return };
        let is_better = self.best.is_none_or(|best| match direction {
            Direction::Maximise => value > best,
            Direction::Minimise => value < best,
        });
        if is_better {
            self.best = Some(value);
            let elapsed = self.start.map_or(0, |start| start.elapsed().as_micros());
            let microseconds = u64::try_from(elapsed).unwrap_or(u64::MAX);
            self.improvements.push(Improvement { nodes: self.entered, value, microseconds });
        }
    }

    /// The node at `depth` is left, with all below it searched or not.
    pub(super) fn left(&mut self, depth: usize, finished: bool) {
        if self.open.len() <= depth {
            return;
        }
        let Open { node, has_child, is_waiting } = self.open[depth];
        self.open.truncate(depth);
        // A child that was admitted and not entered is beyond a limit of depth.
        if node == NOWHERE || !finished || is_waiting {
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

    /// The last run has searched its tree to the end: what is not known to be finished is finished
    /// all the same.
    pub(super) fn exhausted(&mut self) {
        self.open.clear();
        // Of nodes whose children are elsewhere in the recording, or not in it, nothing is known.
        if self.unplaced > 0 || self.outcomes.contains(&OutcomeCode::REPLAYED) {
            return;
        }
        let incomplete: FxHashSet<u32> = self.incomplete.iter().copied().collect();
        for node in self.root..self.outcomes.len() {
            let has_kept = || {
                // Leaves that were cut off come before the first child that was kept, if there is
                // one: no subtree is passed over.
                let children = self.depths[node + 1..].iter().zip(&self.outcomes[node + 1..]);
                let below = children.take_while(|(depth, _)| **depth > self.depths[node]);
                let mut own = below.filter(|(depth, _)| **depth == self.depths[node] + 1);
                incomplete.contains(&(node as u32))
                    || own.any(|(_, outcome)| outcome.0 < OutcomeCode::not_admitted(0).0)
            };
            match self.outcomes[node] {
                OutcomeCode::UNFINISHED_SOLUTION => self.outcomes[node] = OutcomeCode::SOLUTION,
                OutcomeCode::UNFINISHED => {
                    self.outcomes[node] =
                        if has_kept() { OutcomeCode::INNER } else { OutcomeCode::DEAD_END }
                }
                _ => {}
            }
        }
    }
}
