//! Pareto fronts: sets of vectors none of which dominates another one, with sublinear queries.

use std::collections::BTreeMap;

use super::table::Weight;
use crate::memory::block_bytes;

/// A Pareto front: a set of vectors with `N` components, none of which dominates another one. A
/// vector dominates another one if it is at least as large in every component.
///
/// With one component, it is the largest one.
///
/// With two components, it is a *staircase*: in ascending order of the first components, the second
/// ones descend. A search tree ordered by the first component therefore answers a query by
/// examining a single entry.
///
/// With another number, it is a sequence of static k-d trees (Bentley 1975) of at most 1, 2, 4, …
/// vectors, merged like the digits of a binary counter (Bentley and Saxe 1980). Dominated vectors
/// are marked, and removed when more than half of a tree is marked.
#[derive(Clone, Debug)]
pub enum Front<V, const N: usize> {
    Largest(Option<V>),
    Staircase(BTreeMap<V, V>),
    Trees(Vec<Tree<V, N>>),
}

impl<V: Ord + Copy, const N: usize> Default for Front<V, N> {
    fn default() -> Self {
        match N {
            1 => Front::Largest(None),
            2 => Front::Staircase(BTreeMap::new()),
            _ => Front::Trees(Vec::new()),
        }
    }
}

impl<V: Ord + Copy, const N: usize> Front<V, N> {
    /// Returns whether some vector of the set is at least `vector` in every component.
    ///
    /// Time for n vectors: constant with one component, O(log n) with two, O(n^(1 − 1/N)) in the
    /// worst case with more, and typically much less.
    pub(crate) fn dominates(&self, vector: &[V; N]) -> bool {
        match self {
            Front::Largest(largest) => largest.is_some_and(|largest| largest >= vector[0]),
            // Of the vectors whose first component is at least this one, the nearest has the
            // largest second component.
            Front::Staircase(steps) => {
                let mut above = steps.range(vector[0]..);
                above.next().is_some_and(|(_, &second)| second >= vector[1])
            }
            Front::Trees(trees) => trees.iter().any(|tree| tree.dominates(vector)),
        }
    }

    /// Adds a vector that is not [dominated](Self::dominates), and removes those that it dominates;
    /// returns their number. Amortised time for n vectors: O(log n) with two components.
    pub(crate) fn insert(&mut self, vector: [V; N]) -> usize {
        match self {
            Front::Largest(largest) => usize::from(largest.replace(vector[0]).is_some()),
            Front::Staircase(steps) => {
                let mut removed = 0;
                while let Some((&first, &second)) = steps.range(..=vector[0]).next_back()
                    && second <= vector[1]
                {
                    steps.remove(&first);
                    removed += 1;
                }
                steps.insert(vector[0], vector[1]);
                removed
            }
            Front::Trees(trees) => {
                let removed = trees.iter_mut().map(|tree| tree.remove_dominated(&vector)).sum();
                let mut carry = vec![vector];
                for tree in trees.iter_mut() {
                    if tree.nodes.is_empty() {
                        *tree = Tree::new(carry);
                        return removed;
                    }
                    carry.extend(tree.take_living());
                }
                trees.push(Tree::new(carry));
                removed
            }
        }
    }

    /// Removes one vector, if there is one.
    pub(crate) fn remove_any(&mut self) {
        match self {
            Front::Largest(largest) => *largest = None,
            Front::Staircase(steps) => {
                steps.pop_first();
            }
            // The last tree has the oldest vectors.
            Front::Trees(trees) => {
                if let Some(tree) = trees.iter_mut().rev().find(|tree| tree.living_count > 0) {
                    tree.remove_first();
                }
            }
        }
    }
}

impl<V, const N: usize> Weight for Front<V, N> {
    fn weight(&self) -> usize {
        match self {
            Front::Largest(largest) => largest.iter().len(),
            Front::Staircase(steps) => steps.len(),
            Front::Trees(trees) => trees.iter().map(|tree| tree.living_count).sum(),
        }
    }

    fn heap_bytes(&self) -> usize {
        match self {
            Front::Largest(_) => 0,
            // A node of the standard library's B-tree has 5 to 11 entries, inner nodes included.
            // An inner node also has pointers to 6 to 12 children, so there is at most one inner
            // node for 5 leaves.
            Front::Staircase(steps) => {
                let leaf = block_bytes(11 * 2 * size_of::<V>() + 16);
                steps.len().div_ceil(5) * (leaf + block_bytes(12 * size_of::<usize>()) / 5)
            }
            Front::Trees(trees) => {
                let nodes = |tree: &Tree<V, N>| {
                    block_bytes(tree.nodes.capacity() * size_of::<TreeNode<V, N>>())
                };
                block_bytes(trees.capacity() * size_of::<Tree<V, N>>())
                    + trees.iter().map(nodes).sum::<usize>()
            }
        }
    }
}

/// A static k-d tree: the root of a range of nodes is in its middle, and successive levels split
/// their ranges by each component in turn.
#[derive(Clone, Debug)]
pub struct Tree<V, const N: usize> {
    nodes: Vec<TreeNode<V, N>>,
    living_count: usize,
    /// The number of nodes at the start that are known to be dead, so that evicting all vectors one
    /// by one takes linear time.
    dead_prefix: usize,
}

/// A node of a tree: a vector, and the bounding box of the subtree of which it is the root.
#[derive(Clone, Debug)]
struct TreeNode<V, const N: usize> {
    vector: [V; N],
    is_living: bool,
    /// The bounding box of the living and dead vectors of the subtree: the least and the greatest
    /// value of each component.
    least: [V; N],
    greatest: [V; N],
}

/// Returns whether `a` is at least `b` in every component.
fn is_at_least<V: Ord, const N: usize>(a: &[V; N], b: &[V; N]) -> bool {
    a.iter().zip(b).all(|(a, b)| a >= b)
}

impl<V: Ord + Copy, const N: usize> Tree<V, N> {
    fn new(vectors: Vec<[V; N]>) -> Self {
        let node = |vector| TreeNode { vector, is_living: true, least: vector, greatest: vector };
        let mut nodes: Vec<_> = vectors.into_iter().map(node).collect();
        Self::arrange(&mut nodes, 0);
        Tree { living_count: nodes.len(), nodes, dead_prefix: 0 }
    }

    /// Arranges `nodes` as a tree, and computes the bounding boxes. The recursion is as deep as the
    /// tree: logarithmic.
    fn arrange(nodes: &mut [TreeNode<V, N>], level: usize) {
        if nodes.len() < 2 {
            return;
        }
        let (middle, axis) = (nodes.len() / 2, level % N);
        nodes.select_nth_unstable_by(middle, |a, b| a.vector[axis].cmp(&b.vector[axis]));
        let (low, rest) = nodes.split_at_mut(middle);
        let (root, high) = rest.split_first_mut().expect("at least two nodes");
        for side in [low, high] {
            Self::arrange(side, level + 1);
            if let Some(child) = side.get(side.len() / 2) {
                for axis in 0..N {
                    root.least[axis] = root.least[axis].min(child.least[axis]);
                    root.greatest[axis] = root.greatest[axis].max(child.greatest[axis]);
                }
            }
        }
    }

    /// Takes out the vectors that are not marked as removed.
    fn take_living(&mut self) -> impl Iterator<Item = [V; N]> + use<V, N> {
        let all = std::mem::replace(self, Tree::new(Vec::new()));
        all.nodes.into_iter().filter(|node| node.is_living).map(|node| node.vector)
    }

    fn dominates(&self, vector: &[V; N]) -> bool {
        fn search<V: Ord, const N: usize>(nodes: &[TreeNode<V, N>], vector: &[V; N]) -> bool {
            let middle = nodes.len() / 2;
            let Some(root) = nodes.get(middle) else { return false };
            is_at_least(&root.greatest, vector)
                && (root.is_living && is_at_least(&root.vector, vector)
                    || search(&nodes[middle + 1..], vector)
                    || search(&nodes[..middle], vector))
        }
        search(&self.nodes, vector)
    }

    /// Removes the vectors that `vector` dominates, and returns their number.
    fn remove_dominated(&mut self, vector: &[V; N]) -> usize {
        fn mark<V: Ord, const N: usize>(nodes: &mut [TreeNode<V, N>], vector: &[V; N]) -> usize {
            let middle = nodes.len() / 2;
            let Some(root) = nodes.get_mut(middle) else { return 0 };
            if !is_at_least(vector, &root.least) {
                return 0;
            }
            let is_dead = root.is_living && is_at_least(vector, &root.vector);
            root.is_living &= !is_dead;
            let (low, high) = nodes.split_at_mut(middle);
            usize::from(is_dead) + mark(low, vector) + mark(&mut high[1..], vector)
        }
        let removed = mark(&mut self.nodes, vector);
        self.living_count -= removed;
        self.shrink();
        removed
    }

    /// Removes one vector, if there is one.
    fn remove_first(&mut self) {
        let rest = &mut self.nodes[self.dead_prefix..];
        if let Some(index) = rest.iter().position(|node| node.is_living) {
            rest[index].is_living = false;
            self.dead_prefix += index + 1;
            self.living_count -= 1;
            self.shrink();
        }
    }

    /// Removes the dead vectors if they are more than the living ones.
    fn shrink(&mut self) {
        if self.living_count * 2 < self.nodes.len() {
            *self = Tree::new(self.take_living().collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Compares a front with a list that is searched linearly.
    fn check<const N: usize>(vectors: Vec<[u8; N]>, removals: usize) -> Result<(), TestCaseError> {
        let mut front = Front::<u8, N>::default();
        let mut list: Vec<[u8; N]> = Vec::new();
        for vector in vectors {
            let is_dominated = list.iter().any(|other| is_at_least(other, &vector));
            prop_assert_eq!(front.dominates(&vector), is_dominated);
            if !is_dominated {
                let before = list.len();
                list.retain(|other| !is_at_least(&vector, other));
                prop_assert_eq!(front.insert(vector), before - list.len());
                list.push(vector);
            }
            prop_assert_eq!(front.weight(), list.len());
            prop_assert!(size_of_val(&front) + front.heap_bytes() >= list.len() * N);
        }
        for left in (0..list.len()).rev().take(removals) {
            front.remove_any();
            prop_assert_eq!(front.weight(), left);
        }
        // No vector of the list dominates another one, so the front dominates exactly those that it
        // still contains.
        let left = list.iter().filter(|vector| front.dominates(vector)).count();
        prop_assert_eq!(left, list.len() - removals.min(list.len()));
        Ok(())
    }

    proptest! {
        #[test]
        fn a_front_agrees_with_a_list(
            // Few values, for equal ones, and all.
            vectors in prop_oneof![Just(11), Just(u8::MAX)].prop_flat_map(|largest| {
                prop::collection::vec(prop::array::uniform4(0..=largest), 0..200)
            }),
            removals in 0..50_usize,
        ) {
            check::<1>(vectors.iter().map(|&[a, ..]| [a]).collect(), removals)?;
            check::<2>(vectors.iter().map(|&[a, b, ..]| [a, b]).collect(), removals)?;
            check::<3>(vectors.iter().map(|&[a, b, c, _]| [a, b, c]).collect(), removals)?;
            check::<4>(vectors, removals)?;
        }
    }

    /// Inserts 1000 vectors none of which dominates another one, then one that dominates all of
    /// them. The bytes are within a factor of 8 of those of the vectors, and only few are left.
    fn check_bytes<const N: usize>(vector: impl Fn(u64) -> [u64; N]) {
        let mut front = Front::default();
        for number in 1..=1000 {
            assert_eq!(front.insert(vector(number)), 0);
            let (bytes, vectors) = (front.heap_bytes(), number as usize * size_of::<[u64; N]>());
            assert!((vectors..=8 * vectors + 500).contains(&bytes), "{bytes} of {vectors}");
        }
        let mut evicting = front.clone();
        assert_eq!(front.insert([2000; N]), 1000);
        assert!(front.heap_bytes() < 2000, "{}", front.heap_bytes());
        for _ in 0..999 {
            evicting.remove_any();
        }
        assert_eq!(evicting.weight(), 1);
        assert!(evicting.heap_bytes() < 2000, "{}", evicting.heap_bytes());
    }

    #[test]
    fn the_memory_of_a_front_is_proportional_to_its_vectors() {
        check_bytes(|number| [number, 1000 - number]);
        check_bytes(|number| [number, 1000 - number, 5]);
        check_bytes(|number| [number, 1000 - number, 5, 5]);
        let mut largest = Front::default();
        assert_eq!((largest.insert([3]), largest.heap_bytes()), (0, 0));
    }

    thread_local! {
        static COMPARISONS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    /// A component that counts how often components are compared.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Counted(u32);

    impl Ord for Counted {
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            COMPARISONS.set(COMPARISONS.get() + 1);
            self.0.cmp(&other.0)
        }
    }

    impl PartialOrd for Counted {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }

    /// Inserts 20,000 vectors, none of which dominates another one, and returns the mean number of
    /// comparisons of later queries.
    fn comparisons_per_query<const N: usize>(vector: impl Fn(u32, u32) -> [u32; N]) -> usize {
        let mut random = fastrand::Rng::with_seed(1);
        let mut draw = || vector(random.u32(0..30_000), random.u32(0..30_000)).map(Counted);
        let mut front = Front::default();
        while front.weight() < 20_000 {
            let vector = draw();
            if !front.dominates(&vector) {
                assert_eq!(front.insert(vector), 0);
            }
        }
        COMPARISONS.set(0);
        for _ in 0..1000 {
            front.dominates(&draw());
        }
        COMPARISONS.get() / 1000
    }

    #[test]
    fn a_query_compares_few_of_many_vectors() {
        let two = comparisons_per_query(|x, _| [x, 30_000 - x]);
        assert!(two < 100, "{two} comparisons of two components");
        let three = comparisons_per_query(|x, y| [x, y, 60_000 - x - y]);
        assert!(three < 2_000, "{three} comparisons of three components");
    }
}
