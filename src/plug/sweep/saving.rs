//! The interface between a sweep and a file in which it is saved: [`LayerSaver`].

use std::borrow::Cow;
use std::hash::Hash;

use crate::limits::Stop;
use crate::plug::layer::{Layer, Shards};
use crate::plug::stats::SweepStats;

/// The question that a sweep answers, which identifies the values of a saved layer.
pub(crate) struct Question {
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only read from files"))]
    pub(crate) name: Cow<'static, str>,
    /// The number of types that the values may have, one after another as they grow.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only read from files"))]
    pub(crate) widths: u32,
}

/// The point from which a sweep goes on.
pub(crate) enum Resumed<L> {
    /// Nothing was saved: the sweep begins at the start.
    Nothing,
    /// The saved layer has values of one of the later types.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only read from files"))]
    Later,
    /// The sweep goes on with this layer, before this cell. Its statistics are restored.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only read from files"))]
    Layer(L, usize),
}

/// Saves the complete layers of a sweep, and restores the last one.
pub(crate) trait LayerSaver<S, V> {
    /// Sets the index of the type that values have from now on.
    fn set_width(&mut self, width: u32);

    /// Returns the point from which the sweep goes on.
    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        threads: usize,
    ) -> Result<Resumed<Shards<S, V>>, Stop>;

    /// Saves a complete layer if that is due. If the sweep stopped, it is the last complete one,
    /// and `stop` is the reason.
    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Option<Stop>);
}

/// A saver that does nothing.
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
