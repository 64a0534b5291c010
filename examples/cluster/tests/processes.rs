//! Clusters of several processes, which are threads of this program that communicate like
//! processes.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;

use secateurs::cluster::Cluster;

/// Returns addresses at ports that no other test of this program uses.
fn ports(count: usize) -> Vec<String> {
    static NEXT: AtomicU16 = AtomicU16::new(20_100);
    // Relaxed suffices: only the numbers must be distinct.
    let first = NEXT.fetch_add(count as u16, Ordering::Relaxed);
    (first..).take(count).map(|port| format!("127.0.0.1:{port}")).collect()
}

/// Returns the results of `run` in several processes with `threads` threads each.
pub fn in_processes<T: Send>(
    processes: usize,
    threads: usize,
    run: impl Fn(usize, &Cluster) -> T + Sync,
) -> Vec<T> {
    let addresses = ports(processes);
    thread::scope(|scope| {
        let handles: Vec<_> = (0..processes)
            .map(|process| {
                let cluster =
                    Cluster::processes(process, addresses.clone(), threads).expect("an address");
                let run = &run;
                scope.spawn(move || run(process, &cluster))
            })
            .collect();
        let results = handles.into_iter().map(thread::ScopedJoinHandle::join);
        results.map(|end| end.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}
