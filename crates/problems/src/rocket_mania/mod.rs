//! Rocket Mania: turn blocks of fuse so that fire spreads from the matches on the left to as many
//! rockets as possible.
//!
//! Each cell of a board is empty or has a block of fuse. A block leads to two, three or four sides
//! and may be turned by quarters: `-` is straight, `L` a corner, `T` a tee, `+` a cross. Each row
//! has a match on its left and a rocket on its right. In *Rocket Mania* (ZOJ 2125) one match is
//! lit, in *Rocket Mania Plus* (ZOJ 2126) all are. Fire passes from block to block if both lead to
//! each other. The question is how many rockets can start at once.
//!
//! To read the source, begin with `board` (blocks, boards and their text format), then `fuses` (the
//! contour problem, and the spread of fire), `prunings`, and `solve`, which also has the brute
//! force that tests compare with. `draw` is output.
//!
//! ```
//! use secateurs_problems::rocket_mania::{Mode, RocketSettings};
//!
//! let case = &Mode::Single.cases("\
//! 2
//! LT-
//! TLT
//! L.L
//! ")?[0];
//! let outcome = RocketSettings::default().solve(case);
//! assert_eq!(outcome.proven(), Some(&3)); // all rockets
//! if let Some(rotation) = outcome.solution() {
//!     println!("{}", case.draw(rotation)); // burning fuses are thick
//! }
//! println!("{}", outcome.report()); // contours by layer, and cuts by pruning
//! # Ok::<(), secateurs::ParseError>(())
//! ```
//!
//! # Contours and prunings
//!
//! A board of 9 rows and 6 columns has up to 4⁵⁴ rotations. A sweep processes it cell by cell,
//! column by column. The unprocessed cells depend on the processed ones only through the contour
//! between them: which of its ten edges have a *plug* (a fuse that crosses it), which plugs are
//! connected behind it, and which of them burn. [`Fuses`] is this
//! [`ContourProblem`](secateurs::plug::ContourProblem). Its state is a sequence of
//! [`Labels`](secateurs::plug::code::Labels) with one label reserved for "lit": all burning plugs
//! are connected by way of the matches, so they form a component like others.
//!
//! A board has up to millions of contours, so **pruning** pays. Chen Danqi's paper on plug DP
//! (2008) has four prunings for this problem, of three kinds. The last row adds a fourth kind:
//!
//! | pruning | kind | plugged in as |
//! |---|---|---|
//! | 1: no plug is lit | filter | [`Extinguished`] |
//! | 2: an unlit plug is connected to no other plug | canonicaliser | [`LonePlugs`] |
//! | 3: all plugs lit in the contour with the most lit ones | best-state dominance | [`outshone`] |
//! | 4: an unlit plug leads to a rocket that stays unlit | canonicaliser | [`UnlitRockets`] |
//! | full dominance: contained in another contour | antichain dominance | [`Containment`] |
//!
//! The documentation of each type states what the pruning preserves, with a proof. Tests check the
//! prunings against [`rotate_all`], which tries all rotations of small boards. [`RocketSettings`]
//! chooses prunings at run time. Without it, a sweep is set up like this:
//!
//! ```
//! use secateurs::Direction;
//! use secateurs::plug::{Antichain, Sweep};
//! use secateurs_problems::rocket_mania::{
//!     Containment, Extinguished, Fuses, LonePlugs, Mode, Rockets,
//! };
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
//! This table has the total numbers of expanded contours on the first six boards of 9×6 in Table 4
//! of the paper, with match 5 lit on the first four and match 1 on the others.
//!
//! | board | none | 1 | 1, 2 | 1 to 3 | 1 to 4 | dominance alone | all |
//! |---|---|---|---|---|---|---|---|
//! | all `-` | 105 | 55 | 55 | 55 | 55 | 55 | 55 |
//! | all `L` | 304,250 | 121,585 | 8,758 | 8,758 | 7,620 | 7,789 | 2,484 |
//! | all `T` | 14,096,658 | 9,773,698 | 1,133,036 | 9,989 | 9,989 | 82 | 73 |
//! | all `+` | 55 | 55 | 55 | 55 | 55 | 55 | 55 |
//! | rows of `L` alternating with empty rows | 958 | 2 | 2 | 2 | 2 | 56 | 2 |
//! | `T` and `L` in turn | 4,273,868 | 2,782,112 | 438,714 | 115,761 | 115,282 | 6,210 | 4,091 |
//!
//! The column of prunings 1 and 2 agrees with the paper in every number. In other columns the paper
//! has some larger numbers. It may have counted contours that arise here in another form, or have
//! broken ties between contours with equally many lit plugs differently. Canonicalisers help
//! dominance: after a plug is deleted from it, a contour is contained in more contours.

mod board;
mod draw;
mod fuses;
mod prunings;
mod solve;

pub use board::{Block, BlockSides, Case, Matches, Mode, RocketBoard, Rotation};
pub use fuses::{Fire, Fuses};
pub use prunings::{
    Containment, Extinguished, LonePlugs, Outshone, RocketPrunings, UnlitRockets, outshone,
};
pub use solve::{DominanceScope, RocketSettings, Rockets, TooManyRotations, rotate_all};
