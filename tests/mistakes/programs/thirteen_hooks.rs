use secateurs::Search;

#[path = "shared/bits.rs"]
mod bits;
use bits::Bits;

fn main() {
    let two = Search::new(&Bits(4)).watch("1", |_| {}).watch("2", |_| {});
    let six = two.watch("3", |_| {}).watch("4", |_| {}).watch("5", |_| {}).watch("6", |_| {});
    let ten = six.watch("7", |_| {}).watch("8", |_| {}).watch("9", |_| {}).watch("10", |_| {});
    let _ = ten.watch("11", |_| {}).watch("12", |_| {}).watch("13", |_| {}).count();
}
