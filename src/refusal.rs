//! The reasons why deserialized data are refused.

use std::cell::Cell;
use std::fmt::Display;

use serde::de::Error;

thread_local! {
    /// The reason of the last refusal in this thread, until it is taken.
    static REASON: Cell<Option<String>> = const { Cell::new(None) };
}

/// Creates the error for deserialized data that are invalid. `reason` says where in the data, what
/// was found and what was expected.
///
/// The errors of postcard have no text. The reason is therefore kept for
/// [`deserialized`] as well.
pub(crate) fn refusal<E: Error>(reason: impl Display) -> E {
    let error = E::custom(&reason);
    REASON.set(Some(reason.to_string()));
    error
}

/// Returns the result of `deserialize`, or the reason for which it has failed.
pub(crate) fn deserialized<T, E: Display>(
    deserialize: impl FnOnce() -> Result<T, E>,
) -> Result<T, String> {
    REASON.take();
    deserialize().map_err(|error| REASON.take().unwrap_or_else(|| error.to_string()))
}
