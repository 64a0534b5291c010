use super::*;
use post::{Line, Wait};

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
