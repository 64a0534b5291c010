use secateurs::{Effect, Search, Successors, Verdict};

fn main() {
    let words = Successors::new((0, 0), |&(length, _)| length == 4, |(length, sum)| {
        [0, 1].map(|bit| (length + 1, sum + bit))
    });
    let _ = Search::new(&words).admit("few", |_, _| Verdict::Keep).count();
    let _ = Search::new(&words).admit("few", Effect::Lossy, |_| Verdict::Keep).count();
    let _ = Search::new(&words).best();
}
