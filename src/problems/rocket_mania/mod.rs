//! Rocket Mania: turn blocks of fuse so that fire gets from the matches on the left to as many
//! rockets as possible.
//!
//! Each cell of a board has a block of fuse, or is empty. A block leads to two, three or four
//! sides, and may be turned by quarters: `-` straight on, `L` round a corner, `T` three ways, `+`
//! four. On the left of each row is a match, on the right a rocket. In *Rocket Mania* (ZOJ 2125)
//! one match is lit, in *Rocket Mania Plus* (ZOJ 2126) all are. Fire passes from block to block
//! where both lead to each other. How many rockets can be started at once?
//!
//! ```
//! use secateurs::problems::rocket_mania::{Mode, Settings};
//!
//! let case = &Mode::Single.cases("\
//! 2
//! LT-
//! TLT
//! L.L
//! ")?[0];
//! let outcome = Settings::default().solve(case);
//! assert_eq!(outcome.proven(), Some(&3)); // all of them
//! if let Some(rotation) = outcome.solution() {
//!     println!("{}", case.draw(rotation)); // fuses that burn are thick
//! }
//! println!("{}", outcome.report()); // contours, layer by layer, and what each pruning dropped
//! # Ok::<(), secateurs::problems::rocket_mania::ParseCasesError>(())
//! ```
//!
//! # What there is to learn here
//!
//! A board of 9×6 has up to 4⁵⁴ rotations. But sweep it cell by cell, column by column, and all
//! that the cells to come need to know of those behind is the contour between them: which of its
//! ten edges have a *plug*, a fuse that crosses it, which plugs are connected behind it, and which
//! of them burn. [`Fuses`] is this [`ContourProblem`](crate::plug::ContourProblem): its state are
//! [`Labels`](crate::plug::code::Labels), of which one is reserved for "lit". For *lit* needs no
//! memory of its own: what burns is connected by way of the matches, and so is a component like
//! others, but a special one.
//!
//! That makes millions of contours, and it is here that **pruning** begins. Chen Danqi's paper on
//! plug DP (2008) has four prunings for this problem, which are all the kinds that a sweep knows:
//!
//! | pruning | kind | plugged in as |
//! |---|---|---|
//! | 1: no plug is lit | filter | [`Extinguished`] |
//! | 2: an unlit plug that is connected to no other | canonicaliser | [`LonePlugs`] |
//! | 3: all plugs are lit in the contour with the most lit plugs | dominance by the best state | [`outshone`] |
//! | 4: an unlit plug at a rocket, which nothing can light any more | canonicaliser | [`UnlitRockets`] |
//! | full dominance: contained in any contour of the layer | dominance by the maximal states | [`Containment`] |
//!
//! Each type states what it claims, and proves it. The claims are checked against [`rotate_all`],
//! which tries all rotations of small boards. [`Settings`] chooses among them at run time; put
//! together by hand it looks like this:
//!
//! ```
//! use secateurs::Direction;
//! use secateurs::plug::{Antichain, Sweep};
//! use secateurs::problems::rocket_mania::{Containment, Extinguished, Fuses, LonePlugs, Mode, Rockets};
//!
//! let case = &Mode::Plus.cases("T-L\nLT-\nTLT\n")?[0];
//! let fuses = Fuses::<u64>::new(case);
//! let hooks = (Extinguished, LonePlugs, Antichain::new("full dominance", Containment));
//! let outcome = Sweep::new(&fuses).hooks(hooks).best(Direction::Maximise, Rockets);
//! assert_eq!(outcome.proven(), Some(&2));
//! let labels = outcome.solution().expect("an optimum comes with its labels");
//! assert_eq!(case.fire(&fuses.rotation(labels)?).count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What they are worth, as contours expanded in all layers together: the paper's first six boards
//! of 9×6, match 5 or 1.
//!
//! | board | none | 1 | 1, 2 | 1 to 3 | 1 to 4 | dominance alone | all |
//! |---|---|---|---|---|---|---|---|
//! | all `-` | 105 | 55 | 55 | 55 | 55 | 55 | 55 |
//! | all `L` | 304,250 | 121,585 | 8,758 | 8,758 | 7,620 | 7,789 | 2,484 |
//! | all `T` | 14,096,658 | 9,773,698 | 1,133,036 | 9,989 | 9,989 | 82 | 73 |
//! | all `+` | 55 | 55 | 55 | 55 | 55 | 55 | 55 |
//! | rows of `L` and empty rows by turns | 958 | 2 | 2 | 2 | 2 | 56 | 2 |
//! | `T` and `L` by turns | 4,273,868 | 2,782,112 | 438,714 | 115,761 | 115,282 | 6,210 | 4,091 |
//!
//! (The column of prunings 1 and 2 is that of the paper, number by number. Where the paper has more
//! in others, it must have counted contours that arise here in another form, or have chosen another
//! best contour among several with as many lit plugs.) Canonicalisers and dominance work hand in
//! hand: a plug that is deleted is one less for the contour that is to contain this one.

mod block;
mod board;
mod contour;
mod draw;
mod fire;
mod parse;
mod profile;
mod prunings;
mod rotator;
mod solve;

pub use block::{Block, Sides};
pub use board::{Board, Case, CaseError, Matches, Rotation};
pub use fire::Fire;
pub use parse::{Mode, ParseCasesError, Problem};
pub use profile::Fuses;
pub use prunings::{
    Containment, Extinguished, LonePlugs, Outshone, ParsePruningsError, Prunings, UnlitRockets,
    outshone,
};
pub use rotator::{TooManyRotations, rotate_all};
pub use solve::{Comparison, Rockets, Settings, UnknownComparison};
