//! Where a dense sweep could be saved, and gone on with: [`TableSaver`].

use super::numbers::Numbers;
use crate::limits::Stop;
use crate::plug::account::Account;
use crate::plug::saving::{Question, Taken, Unsaved};

/// A table, and what the ways that are finished are worth.
pub(super) type Worth<N> = (Vec<<N as Numbers>::Value>, <N as Numbers>::Value);

/// Who saves the complete layers of a dense sweep: see
/// [`LayerSaver`](crate::plug::saving::LayerSaver).
pub(super) trait TableSaver {
    /// From now on, numbers are of this width.
    fn set_width(&mut self, width: u32);

    /// What there is to go on with. `words` says how many words there are before a cell.
    fn take_up<N: Numbers>(
        &mut self,
        numbers: N,
        question: &Question,
        account: &mut Account<'_>,
        words: impl FnOnce(&mut Account<'_>, usize) -> Result<usize, Stop>,
    ) -> Result<Taken<Worth<N>>, Stop>;

    /// A layer is complete, or is the last one that was when the sweep stopped for a reason.
    fn save<N: Numbers>(
        &mut self,
        account: &mut Account<'_>,
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
        _: &mut Account<'_>,
        _: impl FnOnce(&mut Account<'_>, usize) -> Result<usize, Stop>,
    ) -> Result<Taken<Worth<N>>, Stop> {
        Ok(Taken::Nothing)
    }

    fn save<N: Numbers>(
        &mut self,
        _: &mut Account<'_>,
        _: &[N::Value],
        _: &N::Value,
        _: Option<Stop>,
    ) {
    }
}
