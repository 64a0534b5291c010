//! Where a dense sweep could be saved, and gone on with: [`TableSaver`].

use super::numbers::Numbers;
use crate::limits::Stop;
use crate::plug::stats::SweepStats;
use crate::plug::sweep::saving::{Question, Resumed, Unsaved};

/// A table, and what the ways that are finished are worth.
pub(super) type Worth<N> = (Vec<<N as Numbers>::Value>, <N as Numbers>::Value);

/// Who saves the complete layers of a dense sweep: see
/// [`LayerSaver`](crate::plug::sweep::saving::LayerSaver).
pub(super) trait TableSaver {
    /// From now on, numbers are of this width.
    fn set_width(&mut self, width: u32);

    /// What there is to go on with. `words` says how many words there are before a cell.
    fn take_up<N: Numbers>(
        &mut self,
        numbers: N,
        question: &Question,
        account: &mut SweepStats<'_>,
        words: impl FnOnce(&mut SweepStats<'_>, usize) -> Result<usize, Stop>,
    ) -> Result<Resumed<Worth<N>>, Stop>;

    /// A layer is complete, or is the last one that was when the sweep stopped for a reason.
    fn save<N: Numbers>(
        &mut self,
        account: &mut SweepStats<'_>,
        table: &[N::Value],
        total: &N::Value,
        stop: Option<Stop>,
    );
}

impl TableSaver for Unsaved {
    fn set_width(&mut self, _: u32) {}

    fn take_up<N: Numbers>(
        &mut self,
        _: N,
        _: &Question,
        _: &mut SweepStats<'_>,
        _: impl FnOnce(&mut SweepStats<'_>, usize) -> Result<usize, Stop>,
    ) -> Result<Resumed<Worth<N>>, Stop> {
        Ok(Resumed::Nothing)
    }

    fn save<N: Numbers>(
        &mut self,
        _: &mut SweepStats<'_>,
        _: &[N::Value],
        _: &N::Value,
        _: Option<Stop>,
    ) {
    }
}
