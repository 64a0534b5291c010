//! Where a sweep could be saved, and gone on with: what it asks of whoever does so, and the one who
//! does nothing.

use std::borrow::Cow;
use std::hash::Hash;

use super::account::Account;
use super::layer::Layer;
use super::shards::Shards;
use crate::limits::Stop;

/// What a sweep computes, by which the values of a layer are known.
pub(crate) struct Question {
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "nobody reads a file"))]
    pub(crate) name: Cow<'static, str>,
    /// How many types its values may have, one after another as they grow.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "nobody reads a file"))]
    pub(crate) widths: u32,
}

/// Where a sweep goes on.
pub(crate) enum Taken<L> {
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
    fn take_up(
        &mut self,
        question: &Question,
        account: &mut Account<'_>,
        threads: usize,
    ) -> Result<Taken<Shards<S, V>>, Stop>;

    /// A layer is complete, or is the last one that was when the sweep stopped for a reason.
    fn save(&mut self, account: &mut Account<'_>, layer: &[Layer<S, V>], stop: Option<Stop>);
}

/// Nobody.
pub(crate) struct Unsaved;

impl<S: Copy + Eq + Hash, V> LayerSaver<S, V> for Unsaved {
    fn set_width(&mut self, _: u32) {}

    fn take_up(
        &mut self,
        _: &Question,
        _: &mut Account<'_>,
        _: usize,
    ) -> Result<Taken<Shards<S, V>>, Stop> {
        Ok(Taken::Nothing)
    }

    #[inline]
    fn save(&mut self, _: &mut Account<'_>, _: &[Layer<S, V>], _: Option<Stop>) {}
}
