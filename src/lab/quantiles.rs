//! Five numbers that describe many.

/// The least, the quartiles and the greatest of some numbers.
///
/// A quantile between two of the numbers is interpolated between them (definition 7 of Hyndman and
/// Fan 1996), so the median of two is their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(any(feature = "pages", feature = "serde"), derive(serde::Serialize))]
#[non_exhaustive]
pub struct Quantiles {
    /// The least.
    pub least: f64,
    /// A quarter is no greater.
    pub lower_quartile: f64,
    /// Half is no greater.
    pub median: f64,
    /// A quarter is no less.
    pub upper_quartile: f64,
    /// A tenth is no less.
    pub upper_decile: f64,
    /// The greatest.
    pub greatest: f64,
}

impl Quantiles {
    /// Of some numbers, none of which is a NaN; `None` of none.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            // Not beside an infinite one, nor between two: that would be no number.
            if place.fract() == 0.0 { below } else { below + (above - below) * place.fract() }
        };
        Some(Quantiles {
            least: at(0.0),
            lower_quartile: at(0.25),
            median: at(0.5),
            upper_quartile: at(0.75),
            upper_decile: at(0.9),
            greatest: at(1.0),
        })
    }
}
