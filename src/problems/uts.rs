//! Unbalanced tree search (Olivier et al. 2006): trees that come out of a hash, to measure how
//! searches share work.
//!
//! A node is nothing but a hash, from which follow the number of its children and theirs. Such a
//! tree takes no memory, is the same for the same seed wherever it is searched, and cannot be
//! divided in fair parts beforehand: how large a subtree is can only be found out by searching it.
//! Two kinds are in use, and a [`Tree`] is either:
//!
//! - [*binomial*](Tree::binomial): a node below the root has m children with probability q, and
//!   else none. With mq just below 1, sizes of subtrees differ without bound, and the expected one
//!   is the same at every node, wherever it is: 1/(1 − mq).
//! - [*geometric*](Tree::geometric): the number of children has a geometric distribution with a
//!   mean that depends on the depth, down to a depth below which there are none.
//!
//! Every node is a solution, so that [`count`](crate::Search::count) counts nodes; the report has
//! them by depth.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::problems::uts::{Shape, Tree};
//!
//! // 2000 subtrees of 1 / (1 - 2 × 0.49) = 50 nodes each, on an average over all seeds.
//! let tree = Tree::binomial(2000, 2, 0.49, 7)?;
//! assert_eq!(Search::new(&tree).count().exact(), Some(78_193));
//!
//! let tree = Tree::geometric(4.0, 8, Shape::Linear, 4)?;
//! assert_eq!(Search::new(&tree).count().exact(), Some(6849));
//! # Ok::<(), secateurs::problems::uts::TreeError>(())
//! ```
//!
//! The trees are not those of the original program, and their sizes not the published ones: it
//! hashes by SHA-1, which takes most of its time, where here a few multiplications do; and it takes
//! logarithms to draw from the geometric distribution, which differ in their last digit from
//! machine to machine, where here whole numbers are compared.

use std::error::Error;
use std::fmt;

use crate::problem::{Branch, Problem};

/// How the mean number of children of a geometric tree depends on the depth, down to the deepest
/// level, where it is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Not at all.
    Fixed,
    /// It falls in a straight line from the root's to 0.
    Linear,
}

/// An unbalanced tree; see the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    seed: u64,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Binomial {
        root: u32,
        children: u32,
        probability: Probability,
    },
    /// For each depth, the probability that there is one child more.
    Geometric(Vec<Probability>),
}

/// A probability below 1, in units of 2⁻⁶⁴.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Probability(u64);

impl Probability {
    /// All steps are exact or rounded as every machine rounds them.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between 0 and 2⁶⁴"
    )]
    fn new(value: f64) -> Self {
        Probability((value * 2.0_f64.powi(64)) as u64)
    }

    #[inline]
    fn has(self, drawn: u64) -> bool {
        drawn < self.0
    }

    #[inline]
    fn times(self, other: Probability) -> Probability {
        Probability(((u128::from(self.0) * u128::from(other.0)) >> 64) as u64)
    }

    /// How often, in a row, the event of this probability comes about: at least k times with its
    /// k-th power.
    #[inline]
    fn run(self, drawn: u64) -> u32 {
        let mut power = self;
        let mut run = 0;
        while power.has(drawn) {
            run += 1;
            power = power.times(self);
        }
        run
    }
}

impl Tree {
    /// The largest mean number of children of a geometric tree, and the largest number of those of
    /// a binomial one.
    pub const MAX_CHILDREN: u32 = 1_000_000;

    /// A geometric tree never goes deeper.
    pub const MAX_DEPTH: usize = 1_000_000;

    /// A tree of `root` children, below which each node has `children` of them with this
    /// probability, and else none.
    ///
    /// It has root / (1 − children × probability) + 1 nodes on an average over all seeds, and often
    /// far more or less.
    ///
    /// # Errors
    ///
    /// [`TreeError`] if there are more children than [`MAX_CHILDREN`](Self::MAX_CHILDREN), or if
    /// `probability` is not from 0 to below 1 / children: the tree might then be infinite.
    pub fn binomial(
        root: u32,
        children: u32,
        probability: f64,
        seed: u64,
    ) -> Result<Self, TreeError> {
        if let Some(&found) = [root, children].iter().find(|&&found| found > Self::MAX_CHILDREN) {
            return Err(TreeError::Children { found: f64::from(found) });
        }
        if !(0.0..1.0).contains(&probability) || probability * f64::from(children) >= 1.0 {
            return Err(TreeError::Probability { found: probability, children });
        }
        let probability = Probability::new(probability);
        Ok(Tree { seed, kind: Kind::Binomial { root, children, probability } })
    }

    /// A tree of `depth` levels below the root, in which a node has `children` of them on an
    /// average if it is at the root, and further down as the shape says.
    ///
    /// # Errors
    ///
    /// [`TreeError`] if `children` is not from 0 to [`MAX_CHILDREN`](Self::MAX_CHILDREN), or if it
    /// is deeper than [`MAX_DEPTH`](Self::MAX_DEPTH).
    pub fn geometric(
        children: f64,
        depth: usize,
        shape: Shape,
        seed: u64,
    ) -> Result<Self, TreeError> {
        if !(0.0..=f64::from(Self::MAX_CHILDREN)).contains(&children) {
            return Err(TreeError::Children { found: children });
        }
        if depth > Self::MAX_DEPTH {
            return Err(TreeError::Depth { found: depth });
        }
        let probability = |level: usize| {
            let mean = match shape {
                Shape::Fixed => children,
                Shape::Linear => children * ((depth - level) as f64 / depth as f64),
            };
            Probability::new(mean / (1.0 + mean))
        };
        Ok(Tree { seed, kind: Kind::Geometric((0..depth).map(probability).collect()) })
    }

    /// How many children a node has.
    #[inline]
    fn children(&self, node: TreeNode) -> u32 {
        let drawn = mix(node.hash);
        match &self.kind {
            Kind::Binomial { root, .. } if node.depth == 0 => *root,
            Kind::Binomial { children, probability, .. } => {
                if probability.has(drawn) {
                    *children
                } else {
                    0
                }
            }
            Kind::Geometric(more) => more.get(node.depth).map_or(0, |more| more.run(drawn)),
        }
    }
}

/// A node: the state of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeNode {
    hash: u64,
    depth: usize,
}

/// Odd, with bits as of a coin: the fractions of the square roots of 2, 3 and 5.
const ROOTS: [u64; 3] = [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b];

/// Each bit of the result depends on all of `word`, and different words have different results: all
/// steps can be undone.
#[inline]
fn mix(word: u64) -> u64 {
    let mut word = word ^ ROOTS[2];
    word = (word ^ (word >> 32)).wrapping_mul(ROOTS[0]);
    word = (word ^ (word >> 29)).wrapping_mul(ROOTS[1]);
    word = (word ^ (word >> 32)).wrapping_mul(ROOTS[2]);
    word ^ (word >> 30)
}

impl Problem for Tree {
    type State = TreeNode;
    /// The child that is next, and how many there are.
    type Cursor = (u32, u32);
    /// Which child of its parent it is, from 0.
    type Choice = u32;
    /// The parent.
    type Undo = TreeNode;

    #[inline]
    fn root(&self) -> TreeNode {
        TreeNode { hash: mix(self.seed), depth: 0 }
    }

    #[inline]
    fn branch(&self, node: &TreeNode) -> Branch<(u32, u32)> {
        match self.children(*node) {
            0 => Branch::Solution,
            children => Branch::SolutionInner((0, children)),
        }
    }

    #[inline]
    fn next(&self, _: &TreeNode, (next, children): &mut (u32, u32)) -> Option<u32> {
        let child = *next;
        *next += 1;
        (child < *children).then_some(child)
    }

    fn can_apply(&self, node: &TreeNode, &child: &u32) -> bool {
        child < self.children(*node)
    }

    #[inline]
    fn apply(&self, node: &mut TreeNode, &child: &u32) -> TreeNode {
        let parent = *node;
        // An odd number of steps of an odd length away from the parent: no two siblings have the
        // same hash.
        let hash = mix(parent.hash.wrapping_add(ROOTS[1].wrapping_mul(2 * u64::from(child) + 1)));
        *node = TreeNode { hash, depth: parent.depth + 1 };
        parent
    }

    #[inline]
    fn undo(&self, node: &mut TreeNode, _: &u32, parent: TreeNode) {
        *node = parent;
    }
}

/// Why there is no such tree.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TreeError {
    /// There are too many children, or it is no number of them.
    Children {
        /// What was asked for.
        found: f64,
    },
    /// It is no probability, or the tree might be infinite.
    Probability {
        /// What was asked for.
        found: f64,
        /// How many children come with it.
        children: u32,
    },
    /// There are too many levels.
    Depth {
        /// What was asked for.
        found: usize,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::Children { found } => {
                write!(
                    f,
                    "found {found} children of a node, expected from 0 to {}",
                    Tree::MAX_CHILDREN
                )
            }
            TreeError::Probability { found, children } => write!(
                f,
                "found the probability {found} of {children} children, expected one from 0 to below 1 / {children} (or 1), \
                 as the tree might else be infinite"
            ),
            TreeError::Depth { found } => {
                write!(f, "found a depth of {found}, expected at most {}", Tree::MAX_DEPTH)
            }
        }
    }
}

impl Error for TreeError {}
