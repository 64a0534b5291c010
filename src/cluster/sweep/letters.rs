//! What the workers of a sweep tell each other.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::journal::SetId;
use crate::limits::Stop;
use crate::plug::step::StepCount;

/// What has become of a worker's part of a layer.
#[derive(Serialize, Deserialize)]
pub(super) struct Made {
    /// Why it came to nothing, if so.
    pub(super) stop: Option<Stop>,
    /// Why the next one is not to be begun.
    pub(super) pending: Option<Stop>,
    pub(super) states: u64,
    pub(super) bytes: u64,
    pub(super) count: StepCount,
    /// Of worker 0: the layer is to be saved.
    pub(super) save: bool,
    /// The last layer whose part is saved.
    pub(super) saved: Option<SetId>,
}

/// What hooks have left of it.
#[derive(Serialize, Deserialize)]
pub(super) struct Thinned {
    pub(super) stop: Option<Stop>,
    pub(super) states: u64,
    pub(super) cuts: Vec<u64>,
}

/// What a worker has come to in the end.
#[derive(Serialize, Deserialize)]
pub(super) struct Gathered<N> {
    pub(super) stop: Option<Stop>,
    pub(super) accepted: u64,
    pub(super) sum: Option<N>,
}

/// The last of all.
#[derive(Serialize, Deserialize)]
pub(super) struct Closing {
    /// Of worker 0, it is that of all.
    pub(super) elapsed: Duration,
    pub(super) unsaved: Option<String>,
    pub(super) saved: Option<SetId>,
}

/// For which of several reasons all stop: the same for all of them.
pub(super) fn first_reason(stops: impl IntoIterator<Item = Option<Stop>>) -> Option<Stop> {
    let rank = |stop: &Stop| match stop {
        Stop::Cancelled => 0,
        Stop::TimeLimit => 1,
        Stop::MemoryLimit => 2,
        Stop::StateLimit => 3,
        // With wider numbers, the layer would come to any of those again.
        Stop::CountOverflow => 4,
        _ => 5,
    };
    stops.into_iter().flatten().min_by_key(rank)
}
