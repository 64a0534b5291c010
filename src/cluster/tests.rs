//! Messages, lost processes and options of a cluster.

use std::sync::mpsc::channel;

use super::*;
use dataflow::{Command, Event, serve};
use transport::{CHANNELS, Channel, Wait};

/// Sends the number of each worker, from 1, to all others in each of three rounds. Returns for each
/// worker the sum of the numbers received, multiplied by 1, 10 and 100 in the three rounds.
fn sums(cluster: &Cluster) -> Result<Vec<u64>, ClusterError> {
    let mut sums = cluster.run(
        None,
        vec![(); cluster.local_workers()],
        |mut transport, [mut capability, broadcast], ()| {
            transport.release(broadcast);
            let mut sum = 0;
            for round in 0..3 {
                transport.send_to_others(&capability, &[transport.index() as u8 + 1]);
                transport.downgrade(&mut capability, round + 1);
                while transport.open_round(Channel::Work).is_some_and(|open| open < round + 2) {
                    if let Some(message) = transport.receive(Wait::Ever)? {
                        sum += u64::from(message.bytes[0])
                            * 10_u64.pow(message.capability.round() as u32 - 1);
                        transport.release(message.capability);
                    }
                }
            }
            transport.release(capability);
            while transport.open_round(Channel::Work).is_some() {
                assert!(transport.receive(Wait::Ever)?.is_none());
            }
            Ok((transport.index(), sum))
        },
    )?;
    sums.sort_unstable();
    Ok(sums.into_iter().map(|(_, sum)| sum).collect())
}

#[test]
fn messages_arrive_round_by_round() {
    assert_eq!(sums(&Cluster::threads(1)).expect("one"), [0]);
    assert_eq!(sums(&Cluster::threads(3)).expect("three"), [555, 444, 333]);
}

#[test]
fn processes_exchange_messages() {
    let addresses: Vec<String> =
        (0..3).map(|index| format!("localhost:{}", 24_101 + index)).collect();
    let all: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let processes: Vec<_> = (0..3)
            .map(|process| {
                let cluster =
                    Cluster::processes(process, addresses.clone(), 2).expect("an address");
                scope.spawn(move || {
                    [sums(&cluster).expect("peers"), sums(&cluster).expect("peers again")]
                })
            })
            .collect();
        processes.into_iter().map(|process| process.join().expect("no panic").concat()).collect()
    });
    // The numbers of the six workers have the sum 21.
    let sum = |own: u64| (21 - own) * 111;
    assert_eq!(all, [1, 3, 5].map(|first| [first, first + 1, first, first + 1].map(sum)));
}

/// A worker may end while messages to it are in transit, and before its receiver of events is
/// dropped.
#[test]
fn a_message_that_arrives_after_the_end_keeps_no_capability() {
    let ((command, commands), (event, events)) = (channel(), channel());
    command.send(Command::Send { channel: 0, id: 0, to: 0, bytes: vec![7] }).expect("a receiver");
    command.send(Command::End).expect("a receiver");
    // If the worker kept the capability of the message, its dataflow would never complete.
    let ends = std::sync::Mutex::new(Some((commands, event)));
    timely::execute_directly(move |worker| {
        let (commands, event) =
            ends.lock().ok().and_then(|mut ends| ends.take()).expect("called once");
        serve(worker, CHANNELS, &commands, event);
    });
    assert!(!events.iter().any(|event| matches!(event, Event::Message { .. })));
}

/// Returns addresses for two processes, at ports that are free at the moment.
fn two_addresses() -> Vec<String> {
    let listeners =
        [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").expect("a free port"));
    listeners
        .iter()
        .map(|listener| listener.local_addr().expect("an address").to_string())
        .collect()
}

/// Without the limit, timely would buffer as many bytes as a header claims.
#[test]
fn a_message_beyond_the_limit_ends_the_run_before_it_is_read() {
    use std::io::Write;
    use std::time::Duration;

    use connect::{Loss, Membership, StartUp, connect};

    let addresses = two_addresses();
    let secret = b"a secret of a test";
    let cluster = Cluster::processes(0, addresses.clone(), 1)
        .expect("an address")
        .secret(*secret)
        .expect("long enough");
    let error = std::thread::scope(|scope| {
        let run = scope.spawn(|| sums(&cluster).expect_err("no such message"));
        let membership = Membership { addresses: &addresses, process: 1, threads: 1, secret };
        let start_up = StartUp::new(Duration::from_secs(300), None);
        let mut connections =
            connect(membership, &start_up, 0, &Loss::default()).expect("process 0");
        let peer = connections[0].as_mut().expect("a connection");
        let header: Vec<u8> =
            [0, 1, 0, 1, 1 << 40, 0_u64].iter().flat_map(|field| field.to_be_bytes()).collect();
        peer.write_all(&header).expect("sent");
        // The message is not read; the connection is closed.
        let piece = vec![0; 1 << 20];
        assert!((0..1 << 20).any(|_| peer.write_all(&piece).is_err()));
        run.join().expect("no panic")
    });
    let ClusterError::PeerLost { reason } = &error else { panic!("{error}") };
    let expected =
        format!("process 1 ({}): a message of 1099511627776 bytes, expected at most", addresses[1]);
    assert!(reason.starts_with(&expected), "{reason}");
}

/// A process may continue after the error, so its connections must be closed.
#[test]
fn a_process_that_fails_ends_the_others() {
    let addresses = two_addresses();
    let results: Vec<Result<Vec<()>, ClusterError>> = std::thread::scope(|scope| {
        let processes: Vec<_> = (0..2)
            .map(|process| {
                let cluster =
                    Cluster::processes(process, addresses.clone(), 1).expect("an address");
                scope.spawn(move || {
                    cluster.run(None, vec![()], |mut transport, _capabilities, ()| {
                        if transport.index() == 1 {
                            return Err(ClusterError::Unsuitable {
                                reason: "it has failed".to_owned(),
                            });
                        }
                        loop {
                            transport.receive(Wait::Ever)?;
                        }
                    })
                })
            })
            .collect();
        processes.into_iter().map(|process| process.join().expect("no panic")).collect()
    });
    assert!(matches!(&results[1], Err(ClusterError::Unsuitable { .. })), "{results:?}");
    let Err(ClusterError::PeerLost { reason }) = &results[0] else { panic!("{results:?}") };
    assert!(reason.contains(&addresses[1]), "{reason}");
}

#[test]
fn options_of_the_connection_are_checked() {
    let error =
        |args: &[&str]| Cluster::from_args(args.iter().copied()).expect_err("wrong").to_string();
    assert!(error(&["--connect-timeout", "soon"]).contains("found `soon`, expected seconds"));
    assert!(error(&["--message-limit", "much"]).contains("found `much`, expected bytes"));
    assert!(error(&["--secret-file", "no-such-file"]).contains("no-such-file"));
    let short = Cluster::threads(1).secret("short").expect_err("too short").to_string();
    assert!(short.contains("has 5 bytes, expected at least 16"), "{short}");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("secret");
    std::fs::write(&path, "0123456789abcdef\n").expect("written");
    let path = path.to_str().expect("text");
    let cluster =
        Cluster::from_args(["--secret-file", path, "--connect-timeout", "0.5"]).expect("sound");
    // Neither the secret nor its length is printed.
    assert_eq!(format!("{cluster:?}"), format!("{:?}", Cluster::threads(1)));
}

#[test]
fn addresses_that_no_attempt_can_resolve_are_refused_at_once() {
    for wrong in ["localhost", ":2102", "127.0.0.1: 2102", "localhost :2102", "host:70000", ""] {
        let addresses = vec!["localhost:2101".to_owned(), wrong.to_owned()];
        let error = Cluster::processes(0, addresses, 1).expect_err("no address").to_string();
        assert!(error.ends_with(&format!("found the address `{wrong}`, expected host:port")));
    }
    let addresses = ["localhost:2101", " [::1]:2102 "].map(str::to_owned).to_vec();
    assert!(Cluster::processes(0, addresses, 1).is_ok());
}
