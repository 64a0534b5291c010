use secateurs::{Branch, Problem, Search};

struct Bits(u32);

#[derive(Clone)]
struct Bit(u32);

struct Word(Vec<u32>);

impl Problem for Bits {
    type State = Word;
    type Cursor = u32;
    type Choice = Bit;
    type Undo = ();

    fn root(&self) -> Word {
        Word(Vec::new())
    }
    fn branch(&self, word: &Word) -> Branch<u32> {
        if word.0.len() == self.0 as usize { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, _: &Word, cursor: &mut u32) -> Option<Bit> {
        *cursor += 1;
        (*cursor <= 2).then_some(Bit(*cursor - 1))
    }
    fn apply(&self, word: &mut Word, bit: &Bit) {
        word.0.push(bit.0);
    }
    fn undo(&self, word: &mut Word, _: &Bit, (): ()) {
        word.0.pop();
    }
}

fn main() {
    let _ = Search::new(&Bits(4)).breadth_first().first();
}
