//! Problems for the plug engine, each a small file that doubles as a tutorial.

pub mod graphs;
