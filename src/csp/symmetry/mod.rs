//! Symmetry of networks: hooks that keep representatives by looking at domains.
//!
//! | what may be exchanged | hook | of each orbit it keeps |
//! |---|---|---|
//! | values, such as colours | [`ValuePrecedence`] | the one in which values first come up in their order |
//! | variables | [`InterchangeableVariables`] | the one in which they ascend |
//! | pairs of a variable and a value, by a group that is given | [`LexSmallest`] | the lexicographically smallest |
//!
//! Each of them stands for a constraint that says nothing of the order in which variables are
//! decided, so that any order and any level of propagation goes with it, and the same
//! representatives are left in each run. It takes away what the constraint excludes, and knows of
//! each solution how many it stands for, so that [`exact`](crate::Outcome::exact) is the number of
//! all solutions.
//!
//! # Where to put them
//!
//! **Behind** [`Propagate`](super::Propagate): where propagation assigns the last variables, the
//! hook must see what it made of them. What the hook takes away is followed up at the next node. In
//! front of propagation, solutions may slip through that are no representatives: they are visited,
//! but not counted, neither as solutions nor as representatives.
//!
//! # If a claim is wrong
//!
//! That values, variables or pairs may be exchanged is a claim of whoever makes the hook. If it
//! does not hold, solutions are lost and counts are wrong, and nobody can tell. Two of these hooks
//! at a time do not go together (each might cut off what the other keeps), and the report says so.

mod lex;
mod values;
mod variables;

pub use lex::LexSmallest;
pub use values::ValuePrecedence;
pub use variables::InterchangeableVariables;
