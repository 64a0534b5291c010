//! Measures the cost of rounds and messages on this machine, for `docs/cluster-planning.md`.
//!
//! `cargo test --release --lib --features timely cluster::measures -- --ignored --nocapture`

use std::thread;
use std::time::Instant;

use super::Cluster;
use super::transport::{Channel, Wait};

/// Returns the processor time of this process so far, in user and system mode, in seconds, or
/// `None` without `/proc`. `/proc` counts in ticks of 10 ms.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may contain spaces, so the fields are counted from after its closing
    // parenthesis.
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Runs `rounds` rounds. In each one, every worker sends `messages` messages of 64 bytes to every
/// other worker. Returns the number of workers in this process.
fn run_rounds(cluster: &Cluster, rounds: u64, messages: usize) -> usize {
    let done = cluster.run(
        None,
        vec![(); cluster.local_workers()],
        |mut transport, [mut capability, broadcast], ()| {
            transport.release(broadcast);
            for round in 0..rounds {
                (0..messages).for_each(|_| transport.send_to_others(&capability, &[0; 64]));
                transport.downgrade(&mut capability, round + 1);
                // All messages of this round have arrived when the round after the next is open.
                let until = if messages == 0 { round + 1 } else { round + 2 };
                while transport.open_round(Channel::Work).is_some_and(|open| open < until) {
                    if let Some(message) = transport.receive(Wait::Ever)? {
                        transport.release(message.capability);
                    }
                }
            }
            transport.release(capability);
            Ok(())
        },
    );
    done.expect("no peer is lost").len()
}

/// Does the same as [`run_rounds`] in several processes of a cluster. They are simulated by threads
/// of this process that communicate over the network. Returns the number of workers in all of them.
fn run_rounds_in_processes(
    processes: usize,
    threads: usize,
    first_port: usize,
    rounds: u64,
    messages: usize,
) -> usize {
    if processes == 1 {
        return run_rounds(&Cluster::threads(threads), rounds, messages);
    }
    let addresses: Vec<String> =
        (0..processes).map(|index| format!("localhost:{}", first_port + index)).collect();
    thread::scope(|scope| {
        let start = |process| {
            let cluster =
                Cluster::processes(process, addresses.clone(), threads).expect("an address");
            scope.spawn(move || run_rounds(&cluster, rounds, messages))
        };
        let all: Vec<_> = (0..processes).map(start).collect();
        all.into_iter().map(|process| process.join().expect("no panic")).sum()
    })
}

#[test]
#[ignore = "measures; the command is in CONTRIBUTING.md"]
fn rounds_and_messages() {
    let mut port = 23_000;
    println!(
        "processes x threads, messages to each other per round: µs per round; µs of processor time \
        per worker, per pair of workers"
    );
    for messages in [0, 1, 4] {
        for (processes, threads) in [
            (1, 2),
            (1, 16),
            (1, 64),
            (1, 256),
            (2, 1),
            (2, 8),
            (2, 32),
            (4, 1),
            (4, 16),
            (8, 1),
            (16, 1),
            (32, 1),
        ] {
            let workers = processes * threads;
            let rounds =
                (200_000 / ((messages as u64 + 1) * (workers * workers) as u64)).clamp(20, 10_000);
            let (start, before) = (Instant::now(), processor_time());
            assert_eq!(
                run_rounds_in_processes(processes, threads, port, rounds, messages),
                workers
            );
            port += processes;
            let micros_per_round = 1e6 / rounds as f64;
            let processor =
                before.zip(processor_time()).map_or(f64::NAN, |(before, after)| after - before)
                    * micros_per_round;
            let elapsed = start.elapsed().as_secs_f64() * micros_per_round;
            let workers = workers as f64;
            let (worker, pair) = (processor / workers, processor / (workers * (workers - 1.0)));
            println!(
                "{processes:3} x {threads:3}, {messages}: {elapsed:9.1} {worker:9.1} {pair:9.2}"
            );
        }
    }
}
