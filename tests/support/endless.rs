//! An infinite tree whose states own heap memory.

use secateurs::{Branch, Problem, block_bytes};

/// Infinite words over an alphabet of eight letters. A state owns heap memory: the word, and `tail`
/// bytes that are not used.
pub struct Words {
    pub tail: usize,
}

impl Problem for Words {
    type State = (Vec<u8>, Vec<u8>);
    type Cursor = u8;
    type Choice = u8;
    type Undo = ();

    fn root(&self) -> Self::State {
        (Vec::with_capacity(64), vec![7; self.tail])
    }
    fn branch(&self, _: &Self::State) -> Branch<u8> {
        Branch::Inner(0)
    }
    fn next(&self, _: &Self::State, cursor: &mut u8) -> Option<u8> {
        *cursor += 1;
        (*cursor <= 8).then_some(*cursor)
    }
    fn apply(&self, (word, _): &mut Self::State, &letter: &u8) {
        word.push(letter);
    }
    fn undo(&self, (word, _): &mut Self::State, _: &u8, (): ()) {
        word.pop();
    }
    fn heap_bytes(&self, (word, tail): &Self::State) -> usize {
        block_bytes(word.capacity()) + block_bytes(tail.capacity())
    }
}

/// Returns a pseudorandom value of a word.
pub fn value(_: &Words, (word, _): &(Vec<u8>, Vec<u8>)) -> u32 {
    word.iter().fold(1_u32, |sum, &letter| sum.wrapping_mul(37) ^ u32::from(letter)) % 1009
}
