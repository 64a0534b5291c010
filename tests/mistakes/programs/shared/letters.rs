//! Words over an alphabet of a type, which may lack what the engine needs of choices. States lack
//! `Clone`.

use secateurs::{Branch, Problem};

pub struct Words<L>(pub u32, pub fn(u32) -> L);

pub struct Word(u32);

impl<L> Problem for Words<L> {
    type State = Word;
    type Cursor = u32;
    type Choice = L;
    type Undo = ();

    fn root(&self) -> Word {
        Word(0)
    }
    fn branch(&self, word: &Word) -> Branch<u32> {
        if word.0 == self.0 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, _: &Word, cursor: &mut u32) -> Option<L> {
        *cursor += 1;
        (*cursor <= 2).then(|| self.1(*cursor))
    }
    fn apply(&self, word: &mut Word, _: &L) {
        word.0 += 1;
    }
    fn undo(&self, word: &mut Word, _: &L, (): ()) {
        word.0 -= 1;
    }
}
