//! Two sizes of a test: one that takes a second at most without optimisation, and the full one.

/// Returns the first size, or the second one if the environment variable `FULL` is set.
pub fn sized<T>(quick: T, full: T) -> T {
    if std::env::var_os("FULL").is_some() { full } else { quick }
}
