//! Saving a walk while it goes on: it leaves all nodes, what is left is written, and it is led
//! back.
//!
//! A walk cannot be copied in passing, as what is [left](super::rest) of it is known only when it
//! has been taken down. It is put up again, at the price of a step or two a level, far below that
//! of writing a file.

use std::time::Duration;

use super::frontier::Frontier;
use super::kernel::DepthFirstWalk;
use crate::brancher::Brancher;
use crate::hook::Hooks;
use crate::limits::Stop;
use crate::outcome::Count;
use crate::problem::Problem;

/// Says why nothing was saved, if so.
type Save<'p, C> = Box<dyn FnMut(&Frontier<C>) -> Result<(), String> + Send + 'p>;

/// Who saves what is left of a run, and how often.
#[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "nobody can make one"))]
pub struct Saver<'p, C> {
    /// At least this long between two times.
    pub(crate) every: Duration,
    pub(crate) save: Save<'p, C>,
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirstWalk<'_, P, B, H> {
    /// Saves what is left, if that is to be done, of a run that has ended for `stop`, or is to go
    /// on if it is paused.
    #[cold]
    pub(super) fn save(&mut self, stop: Stop) {
        if self.tree.resume.as_ref().is_none_or(|resume| resume.saver.is_none()) {
            return;
        }
        // The account is that of a run that has stopped here, which this one is marked as only when
        // it really has.
        let marked = self.tree.stopped.replace(stop);
        let (count, mut report, truncated) =
            (Count::from(self.tally), self.account(), self.tree.truncated);
        self.tree.stopped = marked;
        let rest = self.take_rest();
        let rest = match &mut self.tree.resume {
            Some(resume) => resume.save(rest, count, &mut report, truncated),
            None => rest,
        };
        self.lead_to(rest);
        if stop == Stop::Paused {
            self.tree.walks += 1;
            self.tree.meter.was_saved();
        }
    }
}
