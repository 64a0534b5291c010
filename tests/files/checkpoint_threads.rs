//! Searches of several threads that are saved while they run.

use std::collections::HashSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use secateurs::checkpoint::Fingerprint;
use secateurs::hook;
use secateurs::search::Checkpoint;
use secateurs::{Limits, Node, Search, Stop};
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::queens::{BitQueens, Queens};

use crate::shared::saved::search_file;
use crate::shared::sweeps::IntendedPanic;
use crate::support::scratch::Directory;

/// A hook that waits in each node until the file has been written `writes` times. It gives up after
/// half an hour in total, so that the test fails rather than hangs.
fn lingering(file: &Path, writes: usize) -> impl hook::Hook<BitQueens> + Clone + Send + use<> {
    let (file, seen) = (file.to_path_buf(), Arc::new(Mutex::new(HashSet::new())));
    let began = Instant::now();
    hook::watch("linger", move |_| {
        let mut seen = seen.lock().expect("no thread has died");
        if seen.len() < writes && began.elapsed() < Duration::from_secs(1800) {
            thread::sleep(Duration::from_micros(100));
            seen.extend(std::fs::read(&file));
        }
    })
}

#[test]
fn a_search_is_saved_while_it_runs() {
    let (directory, queens) = (Directory::new(), Queens::new(11).expect("a size").bits());
    let mut checkpoint = search_file(directory.file());
    let linger = lingering(&directory.file(), 3);
    let search =
        Search::new(&queens).hooks((linger,)).checkpoint(&mut checkpoint).expect("a new file");
    let outcome = search.threads(2).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(2_680), 166_926));
    assert!(checkpoint.saves() > 2, "{}", checkpoint.saves());
}

#[test]
fn a_search_progresses_however_often_it_is_saved() {
    let (directory, queens) = (Directory::new(), Queens::new(11).expect("a size").bits());
    for threads in [1, 2, 3] {
        let file = directory.0.join(format!("search-{threads}"));
        let mut checkpoint = search_file(file);
        let outcome = Search::new(&queens)
            .checkpoint(&mut checkpoint)
            .expect("a new file")
            .threads(threads)
            .count();
        assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(2_680), 166_926));
        // Some node is visited between two saves. Usually thousands are; a busy machine gets
        // smaller portions of fuel.
        assert!(checkpoint.saves() < 166_926, "{}", checkpoint.saves());
    }
}

#[test]
fn the_explored_share_rises_to_one() {
    let (directory, queens) = (Directory::new(), Queens::new(10).expect("a size").bits());
    let mut checkpoint = search_file(directory.file());
    let mut shares = Vec::new();
    let search = Search::new(&queens)
        .progress(Duration::ZERO, |progress| shares.extend(progress.fraction))
        .fraction();
    let _ = search.checkpoint(&mut checkpoint).expect("a new file").threads(2).count();
    assert!(shares.is_sorted());
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
    assert_eq!(shares.last(), Some(&1.0));
}

/// A limit stops the threads while solutions wait to be received, and the receiver breaks off.
#[test]
fn solutions_that_were_not_received_are_not_saved_as_visited() {
    let queens = Queens::new(8).expect("a size").bits();
    for in_order in [false, true] {
        let (directory, found) = (Directory::new(), AtomicUsize::new(0));
        let mut checkpoint =
            Checkpoint::new(directory.file(), Duration::MAX, Fingerprint::new("8-queens", &()));
        let extract = |node: &Node<'_, BitQueens>| {
            // Relaxed: the counter guards no other data.
            found.fetch_add(1, Ordering::Relaxed);
            node.path().to_vec()
        };
        let search = Search::new(&queens).extract(extract).limits(Limits::new().solutions(50));
        let search = search.checkpoint(&mut checkpoint).expect("a new file").threads(2);
        let search = if in_order { search.in_order() } else { search };
        let outcome = search.solutions(|solutions| {
            while found.load(Ordering::Relaxed) < 50 {
                thread::yield_now();
            }
            solutions.take(10).count()
        });
        assert_eq!((*outcome.value(), outcome.stop()), (10, Stop::Satisfied), "{in_order}");
        let search = Search::new(&queens).resume(&mut checkpoint).expect("its own file");
        assert_eq!(search.solutions().count(), 92, "{in_order}");
    }
}

/// Code of the user that runs while a frontier is saved ends the run with its own panic.
#[test]
fn a_panic_while_saving_ends_the_run() {
    let directory = Directory::new();
    let knapsack = Knapsack::strongly_correlated(200, 100_000, 3).expect("a knapsack");
    let value = Knapsack::objective();
    let path = directory.0.join("removed").join("search");
    fs::create_dir(directory.0.join("removed")).expect("a directory");
    let mut checkpoint = search_file(&path).on_error(|_| resume_unwind(Box::new(IntendedPanic)));
    let limits = Limits::new().nodes(1_000_000);
    let search = Search::new(&knapsack).limits(limits).diagrams(&value, 10);
    let search = search.checkpoint(&mut checkpoint).expect("a place for a file");
    fs::remove_dir_all(directory.0.join("removed")).expect("a directory");
    let run = catch_unwind(AssertUnwindSafe(|| search.threads(2).best(&value).stop()));
    assert!(run.is_err_and(|payload| payload.is::<IntendedPanic>()));
}
