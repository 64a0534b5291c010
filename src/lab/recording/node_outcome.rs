//! What became of a node: [`NodeOutcome`].

/// What became of a node, or of a child that was not admitted. Hooks are named by their place among
/// those of the [recording](super::Recording::hooks), from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NodeOutcome {
    /// Searched: no solution itself, but some child was kept.
    Inner,
    /// No hook cut it off, it is no solution, and none of its children was kept.
    DeadEnd,
    /// A solution, with children or without.
    Solution,
    /// The run ended, or turned back at a limit of depth, before all below it was searched. No
    /// solution itself.
    Unfinished,
    /// It had been entered before: elsewhere in the recording, or not in it. The walk was led
    /// through it to what was left below.
    Replayed,
    /// A child that was not entered, for this hook did not admit it.
    NotAdmitted(usize),
    /// Entered, and then cut off by this hook.
    NotKept(usize),
}

/// A outcome as it is kept, in one number: 0 to 5, then two for each hook. Small numbers are the
/// frequent ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutcomeCode(pub(super) u16);

impl OutcomeCode {
    pub(super) const INNER: OutcomeCode = OutcomeCode(0);
    pub(super) const DEAD_END: OutcomeCode = OutcomeCode(1);
    pub(super) const SOLUTION: OutcomeCode = OutcomeCode(2);
    pub(super) const UNFINISHED: OutcomeCode = OutcomeCode(3);
    /// A solution with children, not all of which were searched.
    pub(super) const UNFINISHED_SOLUTION: OutcomeCode = OutcomeCode(4);
    pub(super) const REPLAYED: OutcomeCode = OutcomeCode(5);
    const CUTS: u16 = 6;

    /// A set of so many hooks that their numbers do not fit is none that anybody has; the last ones
    /// would share a number.
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

    /// Whether what is below may not all have been searched.
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
