//! The numbers of a layer, in blocks: [`Table`].

use std::sync::Arc;

/// A block of a table. Threads share it until the last of them no longer needs it.
pub(super) type Block<V> = Arc<Vec<V>>;

/// The values of the words of a layer, in the order of their ranks.
///
/// They are divided into blocks: threads fill different blocks of the next layer, and a block is
/// reused as soon as the blocks that are still to be filled do not depend on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<V> {
    /// The rank of the first word of each block, followed by the number of words.
    bounds: Vec<usize>,
    blocks: Vec<Block<V>>,
}

impl<V> Table<V> {
    pub(super) fn new(blocks: Vec<Vec<V>>) -> Self {
        let mut words = 0;
        let ends = blocks.iter().map(|block| {
            words += block.len();
            words
        });
        let bounds = std::iter::once(0).chain(ends).collect();
        Table { bounds, blocks: blocks.into_iter().map(Arc::new).collect() }
    }

    /// Returns a table without words.
    pub(super) fn empty() -> Self {
        Self::new(Vec::new())
    }

    pub(super) fn words(&self) -> usize {
        self.bounds.last().copied().unwrap_or(0)
    }

    /// Returns the rank of the first word of each block, followed by the number of words.
    pub(super) fn bounds(&self) -> &[usize] {
        &self.bounds
    }

    pub(super) fn blocks(&self) -> &[Block<V>] {
        &self.blocks
    }

    pub(super) fn into_blocks(self) -> Vec<Block<V>> {
        self.blocks
    }

    pub(super) fn get(&self, rank: usize) -> &V {
        let block = self.bounds.partition_point(|&first| first <= rank).saturating_sub(1);
        &self.blocks[block][rank - self.bounds[block]]
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.blocks.iter().flat_map(|block| block.iter())
    }

    /// Returns the bytes that are allocated.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| capacity_bytes(block)).sum()
    }
}

/// Returns the bytes that are allocated for a block.
pub(super) fn capacity_bytes<V>(block: &Vec<V>) -> usize {
    block.capacity() * size_of::<V>()
}
