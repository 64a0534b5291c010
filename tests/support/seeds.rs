//! Seeds of tests that try random combinations.

use std::time::{Duration, Instant};

/// The seeds from 0 on: `least` of them, and then more for as many minutes as the environment
/// variable `MINUTES` says.
pub fn from_zero(least: u64) -> impl Iterator<Item = u64> {
    let minutes = std::env::var("MINUTES").ok();
    let minutes = minutes.map_or(0, |minutes| minutes.parse().expect("MINUTES: a number of minutes"));
    let (start, long) = (Instant::now(), Duration::from_secs(60 * minutes));
    (0..).take_while(move |&seed| seed < least || start.elapsed() < long)
}
