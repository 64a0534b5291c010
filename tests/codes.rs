//! The state codes, each against a naive model that keeps lists of who is connected with whom.

#[path = "codes/bits.rs"]
mod bits;
#[path = "codes/labels.rs"]
mod labels;
#[path = "codes/mates.rs"]
mod mates;
#[path = "codes/parentheses.rs"]
mod parentheses;
