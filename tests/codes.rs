//! The state codes, each against a naive model that keeps lists of who is connected with whom.

#[path = "codes/parentheses.rs"]
mod parentheses;
