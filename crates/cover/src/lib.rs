//! Exact cover with colours, for problems that choose among given options, searched with
//! [`secateurs`].
//!
//! A cover has *items* and *options*, which are sets of items. A solution is a set of options such
//! that every *primary* item is in exactly one of them and every *secondary* item in at most one.
//! An option may also give a *colour* to a secondary item; several chosen options may then contain
//! it if all of them give it the same colour. This is the problem XCC of Knuth (*The Art of
//! Computer Programming* 4B, 2022, 7.2.2.1). Its range is wide: packings, sudokus, word squares,
//! queens, scheduling.
//!
//! ```
//! use secateurs::Search;
//! use secateurs_cover::Cover;
//!
//! // Three dominoes on two rows of three squares.
//! let cover: Cover = "
//!     a b c d e f
//!     a b
//!     b c
//!     d e
//!     e f
//!     a d
//!     b e
//!     c f
//! ".parse()?;
//! assert_eq!(Search::new(&cover).count().exact(), Some(3));
//! for options in Search::new(&cover).solutions() {
//!     let dominoes: Vec<String> = options.iter().map(|&option| cover.option(option)).collect();
//!     println!("{}", dominoes.join(" / "));
//! }
//! # Ok::<(), secateurs::ParseError>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | state a problem | [`Cover::builder`], or [`str::parse`] on Knuth's text format |
//! | count, list, find, prove that there is none | [`Search`](secateurs::Search) |
//! | choose the items to branch on first | [`CoverBuilder::prefer`], or a [`Branching`](secateurs::brancher::Branching) |
//! | add your own pruning | a [hook](secateurs::Hook) that [removes](Cover::remove_option) options |
//! | break symmetry | [`Representatives`] |
//! | verify an answer | [`Cover::is_solution`] |
//! | cover items several times; find the cheapest cover | [`MultiCover`] |
//!
//! # The tree
//!
//! A node branches on the first primary item, among those that are not covered, with the fewest
//! remaining options (smallest domain first: Golomb and Baumert 1965); its children are these
//! options, in order. An item without options makes a dead end at once, even halfway through a
//! step, which is then abandoned. Items given first win ties, so put first those that share options
//! with the most others. [Preferred](CoverBuilder::prefer) items come before all others, unless an
//! item has a single option left.
//!
//! Without primary items there is one solution, the empty one. Options without primary items are
//! never chosen, as in Knuth's programs, because they would only multiply solutions.
//!
//! # The data structure: bit sets instead of links or cells
//!
//! Dancing links (Hitotumatu and Noshita 1979; Knuth 2000) keep a linked list of the remaining
//! options of each item, and dancing cells (Solnon 2020; Knuth 2023) a sparse set. In either, an
//! option that is removed must be taken out of the list of each of its items, at addresses all over
//! memory, and later be put back. But a node reads only one of these lists. Of all other items it
//! needs only the *sizes*. This module therefore works as follows:
//!
//! - The remaining options are *one* bit set, and the options that a choice excludes are a row of
//!   words (or, if rows would take too much memory or save little time, the words of its items'
//!   options): one instruction removes 64 options. Colours are part of the rows and cost nothing in
//!   the search.
//! - For each removed option, the sizes of its primary items are decremented; nothing is done for
//!   secondary items.
//! - Backtracking restores the sizes by copying all old ones if a step changes most of them, and by
//!   incrementing them again otherwise.
//! - A covered item gets a size too large to be smallest, so that the smallest item is the minimum
//!   of an array, which vector instructions find.
//!
//! `cargo bench --bench ratios -- cover` compares this with the crates `dlx-rs` (1.3.0) and
//! `exact-covers` (0.3.0) on the same trees: all 13-queens, 1,046,319 nodes, and all packings of a
//! 6×10 box with pentominoes, 3,637,261 nodes. `docs/performance.md` has the ratios.
//!
//! A second benefit: the state is a function of the chosen options alone, and the children of a
//! node come in the order in which options were given. In a sparse set, the order of the members,
//! and with it ties and the order of solutions, depends on what was searched before, so that a
//! search could not be split and continued elsewhere with the same node counts.
//!
//! The costs: if few of an item's many thousand options remain, dancing links visit only these,
//! while this module scans all words. A node without forced items reads the size of every primary
//! item, covered ones included, which dancing links skip: a quarter of a millisecond for a million
//! items. A forced item, which has a single option left, is found without a scan: in covers of more
//! than a thousand primary items, the state lists them. So a chain of forced items takes time
//! linear in the number of members of their items' options, unless many of the chosen options share
//! a colour: each of them reads all options that give the item another one.
//!
//! Setting up takes time linear in the number of items and members of options, and 20 to 40 bytes
//! for each member: 7 MiB for the 46,656 options of a blank sudoku of order 36. Rows, if they save
//! at least a fifth of the words that a step reads, add up to 32 words of 16 bytes for each member,
//! and at most 64 MiB.
//!
//! # Multiplicities and costs
//!
//! In a [`MultiCover`], an item may be covered several times, and options have costs. It is a
//! problem of its own: an option that covers such an item does not exclude the item's other
//! options, and to find each solution once, a child rejects the options of its earlier siblings.
//! Doing this in the search of plain covers would slow down their inner loop.
//!
//! # Features
//!
//! `serde`: searches of covers with multiplicities in frontiers and checkpoints. Those of plain
//! covers need only the feature of `secateurs`.
//!
//! # Reading the source
//!
//! 1. `instance`, `builder`, `text`: covers, and the ways to make them.
//! 2. `tables`: the data that the search reads; `state`: the data that it changes, the tree and a
//!    brancher; `forced`: the forced items of large covers.
//! 3. `representatives`: a hook.
//! 4. `multi`, `multi_state`: covers with multiplicities and costs, and their search.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod builder;
mod forced;
mod instance;
mod multi;
mod multi_state;
mod representatives;
mod state;
mod tables;
mod text;

pub use builder::{CoverBuilder, CoverError};
pub use instance::{Cover, Member};
pub use multi::{MultiCover, MultiCoverError};
pub use multi_state::{CoverCost, MultiChoice, MultiCoverCursor, MultiCoverState, MultiCoverUndo};
pub use representatives::Representatives;
pub use state::{CoverCursor, CoverState, CoverUndo};

/// Runs the code of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
