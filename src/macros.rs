//! Macros of all modules: [`event!`] and [`debug_fields!`].

/// Emits an event for subscribers of `tracing`: `event!(debug, field = value, …, "message")`.
/// Without the feature of that name, it compiles to nothing.
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

/// Implements `Debug` with the given fields, for a type whose other fields cannot be shown, such as
/// closures: `debug_fields!(impl[F] Beam<F>: width);`
macro_rules! debug_fields {
    (impl[$($parameters:tt)*] $name:ident$(<$($argument:tt),+>)?: $($field:ident),*) => {
        impl<$($parameters)*> std::fmt::Debug for $name$(<$($argument),+>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name))
                    $(.field(stringify!($field), &self.$field))*
                    .finish_non_exhaustive()
            }
        }
    };
}
