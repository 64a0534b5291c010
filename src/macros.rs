//! Macros that several modules use.

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

/// Implements `Debug` with the given fields and `..`, for a type that cannot derive it because it
/// contains a closure, for example, or has parameters without `Debug`:
/// `debug_fields!(impl[F] Beam<F>: width);`
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

/// Implements `Clone` with clones of the given fields, and new values of those after the semicolon,
/// for a type with a parameter that is not cloned, such as the problem: a derived implementation
/// would demand that it can be.
macro_rules! clone_fields {
    (
        $(#[$doc:meta])* impl[$($parameters:tt)*] $name:ident<$($argument:tt),+>:
        $($field:ident),* $(; $($new:ident: $value:expr),*)?
    ) => {
        $(#[$doc])*
        impl<$($parameters)*> Clone for $name<$($argument),+> {
            fn clone(&self) -> Self {
                $name { $($field: Clone::clone(&self.$field),)* $($($new: $value,)*)? }
            }
        }
    };
}

/// Defines methods that return a value without changing anything: `getters! { self; name -> &str:
/// &self.name; }`.
macro_rules! getters {
    ($self:ident; $($(#[$doc:meta])* $name:ident -> $type:ty: $value:expr;)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $name(&$self) -> $type {
                $value
            }
        )*
    };
}
