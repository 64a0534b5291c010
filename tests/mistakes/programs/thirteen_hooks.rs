use secateurs::{Branch, CopyProblem, Search};

struct Bits(u32);

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

fn main() {
    let two = Search::new(&Bits(4)).watch("1", |_| {}).watch("2", |_| {});
    let six = two.watch("3", |_| {}).watch("4", |_| {}).watch("5", |_| {}).watch("6", |_| {});
    let ten = six.watch("7", |_| {}).watch("8", |_| {}).watch("9", |_| {}).watch("10", |_| {});
    let _ = ten.watch("11", |_| {}).watch("12", |_| {}).watch("13", |_| {}).count();
}
