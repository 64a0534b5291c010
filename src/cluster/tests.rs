use std::sync::mpsc::channel;

use super::*;
use dataflow::{Command, Event, serve};
use post::{LINES, Line, Wait};

/// Each worker sends its number to all others in each of three rounds.
fn sums(cluster: &Cluster) -> Result<Vec<u64>, ClusterError> {
    let mut sums = cluster.run(vec![(); cluster.local_workers()], |mut post, [mut right, news], ()| {
        post.give_back(news);
        let mut sum = 0;
        for round in 0..3 {
            post.send_to_others(&right, &[post.own() as u8 + 1]);
            post.go_on_to(&mut right, round + 1);
            while post.open(Line::Work).is_some_and(|open| open < round + 2) {
                if let Some(letter) = post.receive(Wait::Ever)? {
                    sum += u64::from(letter.bytes[0]) * 10_u64.pow(letter.right.round() as u32 - 1);
                    post.give_back(letter.right);
                }
            }
        }
        post.give_back(right);
        while post.open(Line::Work).is_some() {
            assert!(post.receive(Wait::Ever)?.is_none());
        }
        Ok((post.own(), sum))
    })?;
    sums.sort_unstable();
    Ok(sums.into_iter().map(|(_, sum)| sum).collect())
}

#[test]
fn letters_come_round_by_round() {
    assert_eq!(sums(&Cluster::threads(1)).expect("one"), [0]);
    assert_eq!(sums(&Cluster::threads(3)).expect("three"), [555, 444, 333]);
}

#[test]
fn processes_meet() {
    let addresses: Vec<String> = (0..3).map(|index| format!("localhost:{}", 24_101 + index)).collect();
    let all: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let processes: Vec<_> = (0..3)
            .map(|process| {
                let cluster = Cluster::processes(process, addresses.clone(), 2).expect("an address");
                scope.spawn(move || [sums(&cluster).expect("peers"), sums(&cluster).expect("peers again")])
            })
            .collect();
        processes.into_iter().map(|process| process.join().expect("no panic").concat()).collect()
    });
    let sum = |own: u64| (21 - own) * 111;
    assert_eq!(all, [1, 3, 5].map(|first| [first, first + 1, first, first + 1].map(sum)));
}

/// A worker may end while messages to it are under way, and before its receiver of events is dropped.
#[test]
fn a_message_that_arrives_after_the_end_keeps_no_capability() {
    let ((command, commands), (event, events)) = (channel(), channel());
    command.send(Command::Send { line: 0, right: 0, to: 0, bytes: vec![7] }).expect("a receiver");
    command.send(Command::End).expect("a receiver");
    // If the worker kept the capability of the message, its dataflow would never complete.
    let ends = std::sync::Mutex::new(Some((commands, event)));
    timely::execute_directly(move |worker| {
        let (commands, event) = ends.lock().ok().and_then(|mut ends| ends.take()).expect("called once");
        serve(worker, LINES, &commands, event);
    });
    assert!(!events.iter().any(|event| matches!(event, Event::Letter { .. })));
}
