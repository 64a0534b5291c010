//! Exact cover with colours, for problems that are a choice among given options.
//!
//! There are *items* to be covered and *options*, which are sets of items. To be found are options
//! such that every *primary* item is in exactly one of them and every *secondary* item in at most
//! one. An option may also give a *colour* to a secondary item; then several options may be chosen
//! that contain it, if all give it the same colour. This is the problem XCC of Knuth (*The Art of
//! Computer Programming* 4B, 2022, 7.2.2.1), who shows how much can be said in it: packings,
//! sudokus, word squares, queens, scheduling.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::cover::Cover;
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
//! | state a problem | [`Cover::builder`], or [`str::parse`] on Knuth's [text form](Cover#impl-FromStr-for-Cover) |
//! | count, list, find, prove that there is none | [`Search`](crate::Search), with any hook and any limit |
//! | say on which items to branch first | [`CoverBuilder::prefer`], or an [`ItemOrder`] |
//! | cut off what a pruning of your own rules out | a [hook](crate::Hook), which may [strike out](Cover::strike) options |
//! | break symmetry | [`Representatives`] |
//! | check an answer | [`Cover::is_solution`] |
//!
//! # The tree
//!
//! A node branches on the primary item that is not covered and has the fewest options left, the
//! first one of these (smallest domain first: Golomb and Baumert 1965); its children are these
//! options, in order. An item without options is a dead end at once, even if it becomes one halfway
//! through a step, when the rest of the step is saved. Items given first win ties: put those first
//! that touch most others. [Preferred](CoverBuilder::prefer) items come before all others, unless
//! one has a single option left.
//!
//! Without primary items there is one solution, the empty one. Options without primary items are
//! never chosen, as in Knuth's programs, where they would only multiply solutions.
//!
//! # How it is fast: neither links nor cells
//!
//! Dancing links (Hitotumatu and Noshita 1979; Knuth 2000) keep a list for each item of the options
//! left, and dancing cells (Solnon 2020; Knuth 2023) a sparse set. In either, every option that
//! goes away has to be taken out of the list of each of its items, at addresses that are all over
//! memory, and to be put back. But nobody reads these lists, except for one item a node; of all
//! others only the *sizes* are needed. So here
//!
//! - the options left are *one* set of bits, and the options excluded by a choice are a row of
//!   words (or, if rows would take too much memory, the words of its items' options): 64 options
//!   are struck out by one instruction. Colours are in the rows and cost nothing in the search;
//! - of each option struck out, the sizes of its primary items are counted down, and nothing at all
//!   is done for secondary items;
//! - sizes are taken back by copying all the old ones where a step changes most of them, and by
//!   counting up again where it does not;
//! - covered items get a size too large to be smallest, so that the smallest item is the minimum of
//!   an array, which is found with vector instructions.
//!
//! `cargo bench --bench ratios -- cover` compares this with the crates `dlx-rs` (1.3.0) and
//! `exact-covers` (0.3.0) on the same trees: all 13-queens, 1,046,319 nodes, and all packings of a
//! 6×10 box with pentominoes, 3,637,261 nodes. The README has the ratios.
//!
//! There is a second gain: such a state is a function of the options chosen alone, and a node's
//! children come in the order in which options were given. In a sparse set the order of the
//! members, and with it ties and the order of solutions, depends on what was searched before, so
//! that a search could not be taken apart and go on elsewhere with the same node counts.
//!
//! What it costs: where an item has many thousands of options of which few are left, dancing links
//! walk along these few, and words are looked at in vain. A node takes a look at the size of every
//! primary item, of those covered as well, which dancing links leave out: with a million items that
//! is a quarter of a millisecond. Memory is some 40 bytes for each member of an option, and in
//! covers of moderate size up to 64 megabytes more for the rows.
//!
//! # Multiplicities
//!
//! Knuth's MCC, where an item is to be covered between u and v times, is left out. An option that
//! covers such an item does not exclude the others with it, and to find each solution once, options
//! must be tried in order and those passed over be struck out for the siblings that follow: other
//! rows, sizes that are compared with what is still needed, states in which a step leaves an item
//! open. All of that would sit in the loop that is counted in nanoseconds. An item that is to be
//! covered k times can be given as k items and an option as its k versions, with every solution
//! found in k! orders.

mod builder;
mod error;
mod instance;
mod order;
mod problem;
mod representatives;
mod state;
mod tables;
mod text;

pub use builder::CoverBuilder;
pub use error::CoverError;
pub use instance::{Cover, Member};
pub use order::ItemOrder;
pub use problem::CoverCursor;
pub use representatives::Representatives;
pub use state::{CoverState, CoverUndo};
