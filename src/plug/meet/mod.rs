//! Meet in the middle.

mod cycles;
mod degrees;
mod half;
mod joint;
mod loose_ends;
mod matchings;
mod meeting;
mod mirror;
mod split;

pub use half::HalfCycle;
pub use joint::{End, Joint, join, join_with_image};
pub use loose_ends::{Degrees, LooseEnds};
pub use meeting::Meeting;
pub use split::{Split, SplitError};
