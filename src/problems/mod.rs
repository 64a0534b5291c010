//! Model problems, each with its hooks, its parser, its printer and a picture.

pub mod catalogue;
pub mod fire_net;
pub mod knights_tour;
pub mod maze;
mod picture;
pub mod queens;
