//! How much memory a run takes: an allocator that keeps its peak.

use peak_alloc::PeakAlloc;
use secateurs::lab::MemoryMeter;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// The program's allocator, as a meter.
pub struct Meter;

impl MemoryMeter for Meter {
    fn current(&self) -> u64 {
        PEAK.current_usage() as u64
    }

    fn peak(&self) -> u64 {
        PEAK.peak_usage() as u64
    }

    fn reset_peak(&self) {
        PEAK.reset_peak_usage();
    }
}
