use secateurs::Search;

struct Bits(u32);

fn main() {
    let _ = Search::new(&Bits(4)).count();
}
