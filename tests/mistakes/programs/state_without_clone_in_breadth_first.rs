use secateurs::Search;

#[path = "shared/letters.rs"]
mod letters;
use letters::Words;

#[derive(Clone)]
struct Letter(u32);

fn main() {
    let _ = Search::new(&Words(4, Letter)).breadth_first().first();
}
