//! How much memory a run takes: a meter that the user plugs in.

/// A meter of the memory in use, to be [plugged into a comparison](super::Compare::memory): an
/// allocator that keeps its peak.
///
/// A crate cannot set the allocator of the program that uses it, and measuring costs every
/// allocation a little; so the lab has none of its own. In a program of yours it takes three lines,
/// here with the crate `peak_alloc`:
///
/// ```standalone_crate
/// use peak_alloc::PeakAlloc;
/// use secateurs::lab::{Compare, MemoryMeter, Contender};
/// use secateurs::problems::queens::{BitQueens, Queens};
/// use secateurs::Search;
///
/// #[global_allocator]
/// static PEAK: PeakAlloc = PeakAlloc;
///
/// struct Meter;
///
/// impl MemoryMeter for Meter {
///     fn current(&self) -> u64 { PEAK.current_usage() as u64 }
///     fn peak(&self) -> u64 { PEAK.peak_usage() as u64 }
///     fn reset_peak(&self) { PEAK.reset_peak_usage() }
/// }
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let all = Contender::new("all", |queens: &BitQueens, limits| Search::new(queens).limits(limits).count());
///     let compare = Compare::of("6 queens", Queens::new(6)?.bits()).contender(all);
///     let comparison = compare.memory(Meter).run()?;
///     assert!(comparison.contenders()[0].runs()[0].peak_bytes() > Some(0));
///     Ok(())
/// }
/// ```
///
/// Of a [sweep](crate::plug::Sweep) the [bytes of its layers](crate::Report::peak_bytes) are known
/// without a meter.
pub trait MemoryMeter {
    /// Bytes in use now.
    fn current(&self) -> u64;

    /// The most bytes that have been in use since [`reset_peak`](MemoryMeter::reset_peak).
    fn peak(&self) -> u64;

    /// Begins anew: what is in use now is the peak from now on.
    fn reset_peak(&self);
}

/// What `run` gives, and the most bytes that it had in use beside those that were before.
pub(super) fn metered<T>(
    meter: Option<&dyn MemoryMeter>,
    run: impl FnOnce() -> T,
) -> (T, Option<u64>) {
    let Some(meter) = meter else { return (run(), None) };
    meter.reset_peak();
    let before = meter.current();
    let value = run();
    (value, Some(meter.peak().saturating_sub(before)))
}
