//! What the steps of a sweep have in common: the [`Task`] that they work at, and the [`Trouble`]
//! that they run into.

use super::layer::Full;
use crate::limits::Stop;

/// The clock is looked at after so many blocks of states.
pub(crate) const POLL: usize = 16;
/// A layer of fewer states is not worth a second thread.
pub(crate) const WORTH_A_THREAD: usize = 1 << 13;

/// What does not change during a sweep.
pub(crate) struct Task<'a, P, H, A> {
    pub(crate) profile: &'a P,
    pub(crate) hooks: &'a H,
    pub(crate) algebra: &'a A,
}

impl<P, H, A> Clone for Task<'_, P, H, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, H, A> Copy for Task<'_, P, H, A> {}

/// What went wrong while a layer was being made; all of it is looked at once in a while only.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trouble {
    pub(crate) overflow: bool,
    pub(crate) full: Option<Full>,
}

impl Trouble {
    /// Either trouble, or both.
    pub(crate) fn or(self, other: Trouble) -> Trouble {
        Trouble { overflow: self.overflow | other.overflow, full: self.full.or(other.full) }
    }

    pub(crate) fn check(self) -> Result<(), Stop> {
        match self.full {
            _ if self.overflow => Err(Stop::CountOverflow),
            Some(full) => Err(full.into()),
            None => Ok(()),
        }
    }
}

impl From<Full> for Stop {
    fn from(full: Full) -> Stop {
        match full {
            Full::Memory => Stop::MemoryLimit,
            Full::States => Stop::StateLimit,
            Full::Stopped(stop) => stop,
        }
    }
}
