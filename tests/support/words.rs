//! Full trees, words, subsets and stairs: small problems that many tests search.

use secateurs::{Branch, CopyProblem, Problem};

/// A full tree: each inner node has `width` children, and the leaves, at `depth`, are solutions.
/// The state is the depth.
pub struct Full {
    pub width: u64,
    pub depth: u64,
}

impl CopyProblem for Full {
    type State = u64;
    type Cursor = u64;
    type Choice = u64;

    fn root(&self) -> u64 {
        0
    }
    fn branch(&self, &depth: &u64) -> Branch<u64> {
        if depth == self.depth { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, _: &u64, cursor: &mut u64) -> Option<u64> {
        *cursor += 1;
        (*cursor <= self.width).then_some(*cursor - 1)
    }
    fn apply(&self, depth: u64, _: &u64) -> u64 {
        depth + 1
    }
}

/// All words of a length over the letters `0, …, letters - 1`, or all subsets of these numbers. The
/// state is the word, or the subset in ascending order.
pub struct Words {
    pub letters: u32,
    /// The length of the words, or `None` for subsets, all of which are solutions.
    pub length: Option<usize>,
}

impl Words {
    pub fn of(letters: u32, length: usize) -> Self {
        Words { letters, length: Some(length) }
    }

    pub fn bits(length: usize) -> Self {
        Words::of(2, length)
    }

    pub fn subsets(letters: u32) -> Self {
        Words { letters, length: None }
    }
}

impl Problem for Words {
    type State = Vec<u32>;
    type Cursor = u32;
    type Choice = u32;
    type Undo = ();

    fn root(&self) -> Vec<u32> {
        Vec::new()
    }
    fn branch(&self, word: &Vec<u32>) -> Branch<u32> {
        match self.length {
            None => Branch::SolutionInner(word.last().map_or(0, |last| last + 1)),
            Some(length) if word.len() == length => Branch::Solution,
            Some(_) => Branch::Inner(0),
        }
    }
    fn next(&self, _: &Vec<u32>, cursor: &mut u32) -> Option<u32> {
        *cursor += 1;
        (*cursor <= self.letters).then_some(*cursor - 1)
    }
    fn apply(&self, word: &mut Vec<u32>, &letter: &u32) {
        word.push(letter);
    }
    fn undo(&self, word: &mut Vec<u32>, _: &u32, (): ()) {
        word.pop();
    }
}

/// The ways to climb stairs one or two at a time. The state is the number of stairs left, by which
/// subtrees are equal.
pub struct Stairs(pub u32);

impl CopyProblem for Stairs {
    type State = u32;
    type Cursor = u32;
    type Choice = u32;

    fn root(&self) -> u32 {
        self.0
    }
    fn branch(&self, &left: &u32) -> Branch<u32> {
        if left == 0 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, &left: &u32, cursor: &mut u32) -> Option<u32> {
        *cursor += 1;
        (*cursor <= left.min(2)).then_some(*cursor)
    }
    fn apply(&self, left: u32, stairs: &u32) -> u32 {
        left - stairs
    }
}
