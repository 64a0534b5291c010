use secateurs::{Branch, CopyProblem};

pub struct Bits(pub u32);

impl CopyProblem for Bits {
    type State = (u32, u32);
    type Cursor = u32;
    type Choice = u32;

    fn root(&self) -> (u32, u32) {
        (0, 0)
    }
    fn branch(&self, &(length, _): &(u32, u32)) -> Branch<u32> {
        if length == self.0 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, _: &(u32, u32), cursor: &mut u32) -> Option<u32> {
        *cursor += 1;
        (*cursor <= 2).then_some(*cursor - 1)
    }
    fn apply(&self, (length, bits): (u32, u32), bit: &u32) -> (u32, u32) {
        (length + 1, 2 * bits + bit)
    }
}
