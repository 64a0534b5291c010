//! Families of sets as reduced decision diagrams, and what is done with a family after it was
//! built: restrict it, combine it with others, count, and list its sets.
//!
//! A [`Family`] is a set of subsets of the elements 0, 1, …, n − 1. It is made from the solutions
//! of a sweep, by [`Sweep::family`](crate::plug::Sweep::family), or from any sets:
//!
//! ```
//! use secateurs_problems::graph::{Graph, Order};
//! use secateurs::plug::{Family, Sweep};
//! use secateurs_problems::catalogue::graphs::SimplePaths;
//!
//! // All paths between two corners of 8 × 8 squares, as sets of edges.
//! let grid = Graph::grid(&[9, 9])?;
//! let order = Order::narrowest(&grid);
//! let paths = SimplePaths::new(&order, 0, 80)?;
//! let paths = Sweep::new(&paths).family(grid.edge_count(), |cell, taken| taken.then_some(cell))?;
//! assert_eq!(paths.count()?, 3_266_598_486_981_642);
//!
//! // Those of at most 20 edges that avoid the edges 60 and 61, or use both.
//! let short = paths.of_size(..=20)?;
//! let both = short.supersets_of([60, 61])?;
//! let neither = short.excluding(60)?.excluding(61)?;
//! let chosen = both.union(&neither)?;
//! assert_eq!(chosen.count()?, 769_757);
//!
//! let first = chosen.sets().next().ok_or("there is one")?;
//! let edges: Vec<usize> = order.edges().collect(); // elements are positions in the order
//! println!("{:?}", first.iter().map(|&element| grid.edge(edges[element])).collect::<Vec<_>>());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Questions and operations
//!
//! | question or operation | method |
//! |---|---|
//! | how many sets | [`count`], `count_natural` (feature `bigint`) |
//! | whether a set is in the family | [`contains`] |
//! | all sets, in order | [`sets`] |
//! | all sets by weight, best first | [`ranked`] |
//! | random sets, uniformly | [`random_sets`] |
//! | how many sets of each size | `counts_by_size` (feature `bigint`) |
//! | those with, or without, an element | [`including`], [`excluding`] |
//! | the subsets, or supersets, of a set | [`subsets_of`], [`supersets_of`] |
//! | those of a size, or of a weight | [`of_size`], [`of_weight`] |
//! | set operations | [`union`], [`intersection`], [`difference`], [`symmetric_difference`] |
//! | subsets, or supersets, of any set of a family | [`subsets_of_any`], [`supersets_of_any`] |
//! | those that contain, or are contained in, no other | [`minimal`], [`maximal`] |
//! | all sets that meet each, or what each lacks | [`hitting_sets`], [`complements`] |
//! | the family in a file | `save`, `load` (feature `serde`) |
//! | any other total | [`Sweep::run`](crate::plug::Sweep::run): a family is a contour problem |
//!
//! [`count`]: Family::count
//! [`contains`]: Family::contains
//! [`sets`]: Family::sets
//! [`ranked`]: Family::ranked
//! [`random_sets`]: Family::random_sets
//! [`including`]: Family::including
//! [`excluding`]: Family::excluding
//! [`subsets_of`]: Family::subsets_of
//! [`supersets_of`]: Family::supersets_of
//! [`of_size`]: Family::of_size
//! [`of_weight`]: Family::of_weight
//! [`union`]: Family::union
//! [`intersection`]: Family::intersection
//! [`difference`]: Family::difference
//! [`symmetric_difference`]: Family::symmetric_difference
//! [`subsets_of_any`]: Family::subsets_of_any
//! [`supersets_of_any`]: Family::supersets_of_any
//! [`minimal`]: Family::minimal
//! [`maximal`]: Family::maximal
//! [`hitting_sets`]: Family::hitting_sets
//! [`complements`]: Family::complements
//!
//! # Diagrams
//!
//! A family is a *zero-suppressed decision diagram* (Minato, 1993). Each of its nodes has an
//! element, and stands for the family of the sets without it, its `lo`, and of the sets that remain
//! of those with it, its `hi`. Nodes are shared: there are no two with the same element and halves.
//! No node has an empty `hi`. So the diagram of a family is the smallest in its order of elements,
//! and equal families have equal diagrams. A node takes 12 bytes.
//!
//! Each operation makes a diagram of its own, and takes time proportional to the number of pairs of
//! nodes that it reaches, at most the product of the sizes of its operands. Families do not share
//! nodes, so that no table of nodes outlives them. Nothing recurses: the depth of a diagram is
//! limited by the memory.
//!
//! Layers of a sweep are such a diagram, not yet reduced: their states are its nodes. Making a
//! family takes the forward pass of the sweep and one backward pass, which merges states with the
//! same continuations (frontier-based search: Kawahara, Inoue, Iwashita and Minato, 2017).
//!
//! Source files, in reading order: `node`, `plan` (the states of an operation), `builder` (tables
//! of nodes), `diagram` (families and questions about them), `of_sweep`, `operations`, `sets`
//! (iterators), `saved`.

mod builder;
mod diagram;
mod error;
mod node;
mod of_sweep;
mod operations;
mod plan;
#[cfg(feature = "serde")]
mod saved;
mod sets;

pub use diagram::Family;
pub use error::FamilyError;
pub use sets::{RandomSets, RankedSets, Sets};
