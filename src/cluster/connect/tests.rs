//! Handshakes on the loopback interface, with silent and foreign peers and with peers of other
//! clusters.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use super::authentication::{MAGIC, VERSION};
use super::*;

/// A time limit that no test reaches on any machine.
const GENEROUS: Duration = Duration::from_secs(300);
/// The deadline of tests in which a process is missing.
const SHORT: Duration = Duration::from_millis(500);

/// Returns addresses of ports that are free at the moment.
fn addresses(count: usize) -> Vec<String> {
    let listeners: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
    listeners
        .iter()
        .map(|listener| listener.local_addr().expect("an address").to_string())
        .collect()
}

/// The configuration of a process, with its own view of its cluster.
#[derive(Clone)]
struct Process {
    addresses: Vec<String>,
    process: usize,
    threads: usize,
    secret: Vec<u8>,
    within: Duration,
}

impl Process {
    fn new(addresses: &[String], process: usize) -> Self {
        let addresses = addresses.to_vec();
        Process {
            addresses,
            process,
            threads: 1,
            secret: b"a secret of a test".to_vec(),
            within: GENEROUS,
        }
    }

    fn membership(&self) -> Membership<'_> {
        let Process { addresses, process, threads, secret, .. } = self;
        Membership { addresses, process: *process, threads: *threads, secret }
    }

    fn connect(&self) -> Result<Vec<Option<Connection>>, ClusterError> {
        self.connect_until(None)
    }

    fn connect_until(
        &self,
        cancel: Option<&Cancel>,
    ) -> Result<Vec<Option<Connection>>, ClusterError> {
        let start_up = StartUp::new(self.within, cancel.cloned());
        connect(self.membership(), &start_up, 1_000, &Loss::default())
    }
}

/// Connects all processes at the same time; returns the number of peers of each.
fn connect_all(processes: &[Process]) -> Vec<Result<usize, String>> {
    let results: Vec<_> = thread::scope(|scope| {
        let all: Vec<_> =
            processes.iter().map(|process| scope.spawn(|| process.connect())).collect();
        // All connections are kept until all processes have finished, because a closed one looks
        // like a peer that has failed.
        all.into_iter().map(|one| one.join().expect("no panic")).collect()
    });
    let count = |connections: Vec<Option<Connection>>| connections.iter().flatten().count();
    results.into_iter().map(|result| result.map(count).map_err(|error| error.to_string())).collect()
}

fn assert_error(found: &Result<usize, String>, mentions: &[&str]) {
    let error = found.as_ref().expect_err("an error");
    for mention in mentions {
        assert!(error.contains(mention), "expected {mention:?} in {error:?}");
    }
}

#[test]
fn processes_that_agree_are_connected() {
    let addresses = addresses(4);
    let processes: Vec<Process> = (0..4).map(|process| Process::new(&addresses, process)).collect();
    assert_eq!(connect_all(&processes), vec![Ok(3); 4]);
}

#[test]
fn a_missing_process_is_named_at_the_deadline() {
    let addresses = addresses(2);
    for (process, missing) in [(0, 1), (1, 0)] {
        let alone = Process { within: SHORT, ..Process::new(&addresses, process) };
        let named = format!("process {missing} ({})", addresses[missing]);
        assert_error(&connect_all(&[alone])[0], &[&named, "within 0.5 s", "--connect-timeout"]);
    }
}

#[test]
fn a_cancelled_wait_ends() {
    let addresses = addresses(2);
    let cancel = Cancel::new();
    let error = thread::scope(|scope| {
        let waiting =
            scope.spawn(|| Process::new(&addresses, 0).connect_until(Some(&cancel)).err());
        while TcpStream::connect(&addresses[0]).is_err() {
            thread::yield_now();
        }
        cancel.cancel();
        waiting.join().expect("no panic").expect("no process to connect to")
    });
    assert!(
        matches!(&error, ClusterError::Cancelled { reason } if reason.contains(&addresses[1])),
        "{error}"
    );
}

#[test]
fn another_number_of_processes_is_named_at_once() {
    let addresses = addresses(3);
    let two = Process::new(&addresses[..2], 0);
    let three = Process::new(&addresses, 1);
    let results = connect_all(&[two, three]);
    assert_error(&results[0], &["process 1 belongs to a cluster of 3 processes, expected 2", "-n"]);
    assert_error(&results[1], &["process 0 belongs to a cluster of 2 processes, expected 3", "-n"]);
}

#[test]
fn another_number_of_threads_is_named_at_once() {
    let addresses = addresses(2);
    let results = connect_all(&[
        Process::new(&addresses, 0),
        Process { threads: 2, ..Process::new(&addresses, 1) },
    ]);
    assert_error(&results[0], &["process 1 has 2 threads, expected 1", "-w"]);
    assert_error(&results[1], &["process 0 has 1 threads, expected 2", "-w"]);
}

#[test]
fn addresses_in_another_order_are_named_at_once() {
    let addresses = addresses(3);
    let swapped = [addresses[1].clone(), addresses[0].clone(), addresses[2].clone()];
    // Process 2 finds process 0 at the address of process 1.
    let results = connect_all(&[Process::new(&addresses, 0), Process::new(&swapped, 2)]);
    assert_error(&results[1], &["found process 0, expected process 1", "same order"]);
    assert!(results[0].is_err(), "{results:?}");
}

#[test]
fn a_process_number_that_is_used_twice_is_named() {
    let addresses = addresses(3);
    let zero = Process::new(&addresses, 0);
    let elsewhere = {
        let mut addresses = addresses.clone();
        addresses[2] = super::tests::addresses(1)[0].clone();
        addresses
    };
    let results = connect_all(&[zero, Process::new(&addresses, 2), Process::new(&elsewhere, 2)]);
    assert_error(&results[0], &["process 2 has connected twice"]);
    // The others notice that process 0 has ended.
    assert!(results[1..].iter().all(Result::is_err), "{results:?}");
}

#[test]
fn another_secret_is_refused_on_both_sides() {
    let addresses = addresses(2);
    for other in [&b"another secret of a test"[..], b""] {
        let cancel = Cancel::new();
        let zero = Process::new(&addresses, 0);
        let one = Process { secret: other.to_vec(), ..Process::new(&addresses, 1) };
        thread::scope(|scope| {
            let waiting = scope
                .spawn(|| zero.connect_until(Some(&cancel)).err().map(|error| error.to_string()));
            assert_error(
                &connect_all(std::slice::from_ref(&one))[0],
                &["process 0", "another secret"],
            );
            // Process 0 keeps waiting: a stranger must not be able to end it.
            cancel.cancel();
            let error = waiting.join().expect("no panic").expect("no process to connect to");
            assert_error(
                &Err(error),
                &["process 1", "a connection from 127.0.0.1", "another secret"],
            );
        });
    }
}

#[test]
fn addresses_beyond_this_host_need_a_secret() {
    for address in ["10.0.0.1:2101", "example.org:2101", "0.0.0.0:2101", "[2001:db8::1]:2101"] {
        let addresses = ["127.0.0.1:2101".to_owned(), address.to_owned()];
        let open = Process { secret: Vec::new(), ..Process::new(&addresses, 0) };
        assert_error(&connect_all(&[open])[0], &[address, "no secret", "--secret-file"]);
    }
    for address in ["127.0.0.1:1", "127.1.2.3:1", "localhost:1", " LOCALHOST:1 ", "[::1]:1"] {
        assert!(is_loopback(address), "{address}");
    }
}

#[test]
fn silent_and_foreign_connections_do_not_delay_the_start_up() {
    let addresses = addresses(2);
    let zero = Process::new(&addresses, 0);
    thread::scope(|scope| {
        let waiting =
            scope.spawn(|| zero.connect().map(|connections| connections.iter().flatten().count()));
        let stranger = || loop {
            if let Ok(stream) = TcpStream::connect(&addresses[0]) {
                return stream;
            }
            thread::yield_now();
        };
        // These are more than are kept at a time. They send nothing, or too little.
        let mut silent: Vec<TcpStream> = (0..2 * MAX_STRANGERS).map(|_| stranger()).collect();
        silent[0].write_all(&MAGIC).expect("sent");
        let mut foreign = stranger();
        foreign.write_all(b"GET / HTTP/1.1\r\nHost: somewhere.example\r\n\r\n").expect("sent");
        let mut other_version = stranger();
        let hello = [&MAGIC[..], &(VERSION + 1).to_le_bytes(), &[7; 32]].concat();
        other_version.write_all(&hello).expect("sent");
        let one = Process::new(&addresses, 1).connect().expect("process 0");
        assert_eq!(one.iter().flatten().count(), 1);
        assert_eq!(waiting.join().expect("no panic").expect("process 1"), 1);
    });
}

#[test]
fn a_proof_that_is_sent_back_is_refused() {
    let addresses = addresses(2);
    let listener = TcpListener::bind(&addresses[0]).expect("a free port");
    thread::scope(|scope| {
        let one = scope.spawn(|| Process::new(&addresses, 1).connect().err());
        let (mut stream, _) = listener.accept().expect("process 1");
        // Reflects the process's own nonce and proof, without knowing the secret.
        let mut hello = [0; 42];
        stream.read_exact(&mut hello).expect("a hello");
        stream.write_all(&hello).expect("sent");
        let mut proof = [0; 56];
        stream.read_exact(&mut proof).expect("a proof");
        stream.write_all(&[&[1], &proof[..]].concat()).expect("sent");
        let error = one.join().expect("no panic").expect("no peer").to_string();
        assert!(error.contains("another secret"), "{error}");
    });
}

#[test]
fn an_interrupted_handshake_is_retried() {
    let addresses = addresses(2);
    let listener = TcpListener::bind(&addresses[0]).expect("a free port");
    thread::scope(|scope| {
        let one = scope.spawn(|| {
            Process::new(&addresses, 1).connect().map(|all| all.iter().flatten().count())
        });
        // A process that is about to end closes its connections like this.
        drop(listener.accept().expect("process 1"));
        drop(listener);
        let zero = Process::new(&addresses, 0).connect().expect("process 1");
        assert_eq!(zero.iter().flatten().count(), 1);
        assert_eq!(one.join().expect("no panic").expect("process 0"), 1);
    });
}

#[test]
fn a_peer_that_ends_during_the_start_up_is_noticed() {
    let addresses = addresses(3);
    let (zero, one) = (Process::new(&addresses, 0), Process::new(&addresses, 1));
    thread::scope(|scope| {
        // Process 2 never starts.
        let waiting = scope.spawn(|| zero.connect().err().map(|error| error.to_string()));
        let stream = loop {
            match TcpStream::connect(&addresses[0]) {
                Ok(stream) => break stream,
                Err(_) => thread::yield_now(),
            }
        };
        let mut authentication =
            Authentication::new(stream, Side::Connector).expect("a connection");
        while authentication
            .advance(&one.secret, one.membership().claims())
            .expect("process 0")
            .is_none()
        {
            thread::yield_now();
        }
        drop(authentication);
        let error = waiting.join().expect("no panic").expect("process 1 has ended");
        assert_error(&Err(error), &["process 1", "has ended before all were connected"]);
    });
}
