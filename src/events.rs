//! Events for subscribers of `tracing`, which this crate emits if its feature of that name is
//! enabled. Without the feature, an event compiles to nothing.

/// Emits an event of a level: `event!(debug, field = value, …, "message")`.
#[cfg(feature = "tracing")]
macro_rules! event {
    ($level:ident, $($event:tt)*) => {
        ::tracing::$level!(target: "secateurs", $($event)*)
    };
}

#[cfg(not(feature = "tracing"))]
macro_rules! event {
    ($($event:tt)*) => {};
}

pub(crate) use event;
