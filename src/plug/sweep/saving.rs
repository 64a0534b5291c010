//! Where a sweep could be saved, and gone on with: what it asks of whoever does so, and the one who
//! does nothing.

use std::borrow::Cow;
use std::hash::Hash;

use crate::limits::Stop;
use crate::plug::layer::{Layer, Shards};
use crate::plug::stats::SweepStats;

/// What a sweep computes, by which the values of a layer are known.
pub(crate) struct Question {
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "nobody reads a file"))]
    pub(crate) name: Cow<'static, str>,
    /// How many types its values may have, one after another as they grow.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "nobody reads a file"))]
    pub(crate) widths: u32,
}

/// Where a sweep goes on.
pub(crate) enum Resumed<L> {
    /// Nothing was saved: at the start.
    Nothing,
    /// With a layer whose values have another type, of those that come later.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "nobody reads a file"))]
    Later,
    /// With this layer, before this cell. The account is that of the sweep up to there.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "nobody reads a file"))]
    Layer(L, usize),
}

/// Who saves the complete layers of a sweep.
pub(crate) trait LayerSaver<S, V> {
    /// From now on, values are of the type of this number.
    fn set_width(&mut self, width: u32);

    /// What there is to go on with.
    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        threads: usize,
    ) -> Result<Resumed<Shards<S, V>>, Stop>;

    /// A layer is complete, or is the last one that was when the sweep stopped for a reason.
    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Option<Stop>);
}

/// Nobody.
pub(crate) struct Unsaved;

impl<S: Copy + Eq + Hash, V> LayerSaver<S, V> for Unsaved {
    fn set_width(&mut self, _: u32) {}

    fn resume(
        &mut self,
        _: &Question,
        _: &mut SweepStats<'_>,
        _: usize,
    ) -> Result<Resumed<Shards<S, V>>, Stop> {
        Ok(Resumed::Nothing)
    }

    #[inline]
    fn save(&mut self, _: &mut SweepStats<'_>, _: &[Layer<S, V>], _: Option<Stop>) {}
}
