//! The outcome of a node: [`NodeOutcome`].

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
    const CUTS: u16 = 6;

    /// Returns the code of a cut by a hook. If there are more than 32,000 hooks, those beyond the
    /// range of codes share the last ones.
    fn of_hook(hook: usize, entered: bool) -> Self {
        let hook = u16::try_from(hook).unwrap_or(u16::MAX).min((u16::MAX - Self::CUTS) / 2 - 1);
        OutcomeCode(Self::CUTS + 2 * hook + u16::from(entered))
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
                    (usize::from((cut - Self::CUTS) / 2), (cut - Self::CUTS) % 2 == 1);
                if entered { NodeOutcome::NotKept(hook) } else { NodeOutcome::NotAdmitted(hook) }
            }
        }
    }
}
