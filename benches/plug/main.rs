//! What does a sweep cost beside one written by hand, what do threads gain, and what do state codes cost?
//!
//! `cargo bench --bench plug` prints the ratios of runs that took turns in one process, which hold on a noisy machine; with one or
//! more of the words `by_hand`, `threads`, `codes` behind `--`, that part only. `-- large` times the large boards, once each.

mod by_hand;
mod codes;
#[path = "../support/mod.rs"]
mod support;

fn main() {
    if std::env::args().any(|argument| argument == "large") {
        return by_hand::large();
    }
    support::parts(&[("by_hand", by_hand::ratios), ("threads", by_hand::threads), ("codes", codes::run)]);
}
