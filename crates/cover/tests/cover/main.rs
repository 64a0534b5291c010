//! Tests of exact cover: searches, texts and problems.

mod langford;
mod multi;
mod problems;
mod search;
#[path = "../../../../tests/support"]
mod shared {
    pub mod pentominoes;
}
#[path = "../../../../tests/support/mod.rs"]
mod support;
mod text;
