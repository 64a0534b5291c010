//! Pruning 3: too few cells are left.

use super::super::board::Board;
use super::super::problem::Choice;
use crate::digest::Digest;
use crate::hook::{Effect, Hook, Node, NodeMut, Verdict};
use crate::incumbent::{Incumbent, IncumbentId};

/// Pruning 3: cut if even a bunker on every cell that is left would not beat the incumbent.
///
/// *Statement.* If the bunkers placed and the candidates left are together at most the best number
/// found, nothing below is better. *Proof.* Every bunker placed below stands on a candidate of its
/// own. ∎
///
/// There are two ways to count. [`TooFewCells::new`] counts candidates, as the article says. The
/// article's *program* ([`TooFewCells::as_programmed`]) is weaker: it makes a list of the N
/// candidates once, at the root, and at a node with `placed` bunkers tries the i-th cell of the
/// list (from 0) only if i < N + placed − best, with the best number known on entering the node.
/// That counts cells of the list that are controlled by now, too. It is a bound all the same, for
/// bunkers placed in increasing order from the i-th cell on stand on different ones of the N − i
/// cells from there on; so it needs pruning 2, and lets choices of other kinds pass.
///
/// Put it behind prunings 5 to 10, whose work at the root comes before the list is made.
#[derive(Clone, Debug)]
pub struct TooFewCells {
    incumbent: Incumbent<usize>,
    as_programmed: bool,
    /// By cell: its place in the list.
    place: Vec<usize>,
    listed: usize,
    /// By depth, along the path: bunkers placed, and the best number known on entering.
    entered: Vec<(usize, usize)>,
}

impl TooFewCells {
    /// Counts the candidates that are left, on entering a node.
    #[must_use]
    pub fn new(incumbent: Incumbent<usize>) -> Self {
        TooFewCells {
            incumbent: incumbent.declared(),
            as_programmed: false,
            place: Vec::new(),
            listed: 0,
            entered: Vec::new(),
        }
    }

    /// Counts as the article's program does, before each step.
    #[must_use]
    pub fn as_programmed(incumbent: Incumbent<usize>) -> Self {
        TooFewCells { as_programmed: true, ..TooFewCells::new(incumbent) }
    }

    fn make_list(&mut self, node: &NodeMut<'_, Board>) {
        self.place = vec![0; node.problem().cells()];
        self.listed = 0;
        let mut cell = 0;
        while let Some(candidate) = node.state().next_candidate(cell) {
            self.place[candidate] = self.listed;
            self.listed += 1;
            cell = candidate + 1;
        }
    }
}

impl Hook<Board> for TooFewCells {
    fn name(&self) -> &str {
        "3: too few cells"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.as_programmed))
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn admit(&mut self, node: &Node<'_, Board>, choice: &Choice) -> Verdict {
        match *choice {
            Choice::Next(cell) if self.as_programmed => {
                let (placed, best) = self.entered[node.depth()];
                Verdict::keep_if(placed + self.listed - self.place[cell] > best)
            }
            _ => Verdict::Keep,
        }
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Board>) -> Verdict {
        if !self.as_programmed {
            let board = node.problem();
            node.state_mut().exclude_passed(board);
            return Verdict::keep_if(
                self.incumbent.is_beaten_by(&(node.state().placed() + node.state().candidates())),
            );
        }
        let depth = node.depth();
        if depth == 0 {
            self.make_list(node);
        }
        // The node is a solution itself, and is looked at as one before its children are.
        let placed = node.state().placed();
        let best = self.incumbent.get().map_or(placed, |best| best.max(placed));
        self.entered.truncate(depth);
        self.entered.push((placed, best));
        Verdict::Keep
    }
}
