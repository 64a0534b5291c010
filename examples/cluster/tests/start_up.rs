//! Processes that wait for one another: with strangers at their ports, with peers of another
//! cluster, at one journal, and until they are terminated.
//!
//! No test depends on timing: only a process that waits forever exceeds the generous time limits,
//! and a failure at a deadline occurs whatever the deadline is.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::programs::program;
use crate::support::scratch::Directory;

/// The time after which a process is considered to wait forever.
const LIMIT: Duration = Duration::from_secs(1800);
/// The deadline, in seconds, of processes whose peer never starts.
const SHORT_TIMEOUT: &str = "3";

/// The configuration of a cluster: a hostfile with addresses of its own.
struct Hosts {
    file: PathBuf,
    first_port: u16,
}

impl Hosts {
    fn new(directory: &Directory, processes: u16) -> Self {
        static PORT: AtomicU16 = AtomicU16::new(23_100);
        // Relaxed suffices: only the numbers must be distinct.
        let first_port = PORT.fetch_add(processes, Ordering::Relaxed);
        let lines: String =
            (0..processes).map(|index| format!("127.0.0.1:{}\n", first_port + index)).collect();
        let file = directory.0.join(format!("hosts-{first_port}"));
        fs::write(&file, lines).expect("written");
        Hosts { file, first_port }
    }

    fn address(&self, process: u16) -> String {
        format!("127.0.0.1:{}", self.first_port + process)
    }

    /// Starts a process of a program.
    fn start(
        &self,
        program: &str,
        arguments: &[&str],
        processes: u16,
        process: u16,
        options: &[&str],
    ) -> Process {
        let (processes, process) = (processes.to_string(), process.to_string());
        let file = self.file.to_str().expect("text");
        let cluster = ["--", "-n", &processes, "-p", &process, "-h", file];
        // By default, a busy machine has time to start all processes.
        let patient = ["--connect-timeout", "100000"];
        let patient: &[&str] = if options.contains(&patient[0]) { &[] } else { &patient };
        Process::start(program, &[arguments, &cluster, patient, options].concat())
    }

    fn queens(&self, size: &str, processes: u16, process: u16, options: &[&str]) -> Process {
        self.start("cluster_queens", &[size, "--answer-only"], processes, process, options)
    }

    /// Connects to a process as soon as it listens.
    fn connect_stranger(&self, process: u16) -> TcpStream {
        let what = format!("process {process} listens");
        wait_until(&what, || TcpStream::connect(self.address(process)).ok())
    }
}

/// A process that is killed at the end of the test if it still runs.
struct Process(Child);

/// The exit code and the output of a process.
#[derive(Debug)]
struct End {
    /// `None` if a signal ended it.
    code: Option<i32>,
    out: String,
    err: String,
}

impl Process {
    fn start(name: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(program(name));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Process(command.spawn().expect("a program"))
    }

    fn end(mut self) -> End {
        let what = format!("{:?} ends", self.0);
        let code = wait_until(&what, || self.0.try_wait().expect("a process")).code();
        let text = |pipe: &mut dyn Read| {
            let mut text = String::new();
            pipe.read_to_string(&mut text).expect("text");
            text
        };
        let (out, err) = (
            text(self.0.stdout.as_mut().expect("piped")),
            text(self.0.stderr.as_mut().expect("piped")),
        );
        End { code, out, err }
    }

    fn terminate(&self) {
        assert!(
            Command::new("kill").arg(self.0.id().to_string()).status().expect("kill").success()
        );
    }

    /// Returns a field of the status of the process.
    #[cfg(target_os = "linux")]
    fn status(&self, field: &str) -> String {
        let file = format!("/proc/{}/status", self.0.id());
        let status = fs::read_to_string(file).expect("a process");
        let value = status.lines().find_map(|line| line.strip_prefix(field)).expect(field);
        value.trim().to_owned()
    }

    /// Waits until the process handles SIGTERM: before that, the signal would end it at once.
    #[cfg(target_os = "linux")]
    fn wait_for_its_handler(&self) {
        const SIGTERM: u64 = 1 << 14;
        wait_until("SIGTERM is handled", || {
            let caught = u64::from_str_radix(&self.status("SigCgt:"), 16).expect("a mask");
            (caught & SIGTERM != 0).then_some(())
        });
    }

    /// Returns the resident memory, in bytes.
    #[cfg(target_os = "linux")]
    fn memory(&self) -> u64 {
        let kilobytes = self.status("VmRSS:");
        kilobytes.trim_end_matches(" kB").parse::<u64>().expect("a number") << 10
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl End {
    fn assert_failed(&self, mentions: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        for mention in mentions {
            assert!(self.err.contains(mention), "expected {mention:?} in {self:?}");
        }
    }

    fn assert_answer(&self, answer: &str) {
        assert_eq!((self.code, self.out.trim_end()), (Some(0), answer), "{self:?}");
    }
}

/// Waits until a function returns a value, and returns it.
fn wait_until<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(value) = ready() {
            return value;
        }
        assert!(began.elapsed() < LIMIT, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn wait_for(file: &Path) {
    wait_until(&format!("{} exists", file.display()), || file.exists().then_some(()));
}

#[test]
fn a_second_cluster_on_a_journal_of_a_search_is_refused() {
    let directory = Directory::new();
    let journal = directory.0.join("journal");
    let arguments = ["20", "--answer-only", "--journal", journal.to_str().expect("text")];
    let start = |hosts: &Hosts, process, options: &[&str]| {
        hosts.start("cluster_queens", &arguments, 2, process, options)
    };
    let first = Hosts::new(&directory, 2);
    let running = [0, 1].map(|process| start(&first, process, &[]));
    // The file exists when both processes have joined the run.
    wait_for(&journal.join("run-000001-process-0001.journal"));
    let second = Hosts::new(&directory, 2);
    let refused =
        [0, 1].map(|process| start(&second, process, &["--connect-timeout", SHORT_TIMEOUT]));
    let [zero, one] = refused.map(Process::end);
    zero.assert_failed(&["journal", "in use by another run", journal.to_str().expect("text")]);
    one.assert_failed(&["is not connected with process 0", &second.address(0)]);
    // The first cluster continues undisturbed.
    assert!(journal.join("run-000001-process-0000.journal").exists());
    drop(running);
    // Locks end with the processes that hold them, even if these are killed.
    let third = Hosts::new(&directory, 1);
    let again = third.start("cluster_queens", &arguments, 1, 0, &[]);
    wait_for(&journal.join("run-000002-process-0000.journal"));
    drop(again);
}

#[test]
fn a_second_cluster_on_a_journal_of_a_sweep_is_refused() {
    let directory = Directory::new();
    let journal = directory.0.join("journal");
    let journal = journal.to_str().expect("text");
    let arguments =
        ["hamiltonian-cycles", "24", "24", "--answer-only", "--every", "0", "--journal", journal];
    let start = |hosts: &Hosts, process| hosts.start("cluster_count", &arguments, 2, process, &[]);
    let first = Hosts::new(&directory, 2);
    let _running = [0, 1].map(|process| start(&first, process));
    wait_for(&Path::new(journal).join("journal.lock"));
    let second = Hosts::new(&directory, 2);
    for end in [0, 1].map(|process| start(&second, process)).map(Process::end) {
        end.assert_failed(&["the journal of worker 0", "in use by another run", journal]);
    }
}

#[test]
fn silent_connections_do_not_delay_the_start_up() {
    let directory = Directory::new();
    let hosts = Hosts::new(&directory, 2);
    let zero = hosts.queens("6", 2, 0, &[]);
    let _silent: Vec<TcpStream> = (0..3).map(|_| hosts.connect_stranger(0)).collect();
    let one = hosts.queens("6", 2, 1, &[]);
    zero.end().assert_answer("4");
    one.end().assert_answer("");
}

#[test]
fn another_number_of_processes_is_refused_by_both() {
    let directory = Directory::new();
    let hosts = Hosts::new(&directory, 3);
    let zero = hosts.queens("6", 2, 0, &[]);
    let one = hosts.queens("6", 3, 1, &[]);
    let zero = zero.end();
    zero.assert_failed(&["process 1 belongs to a cluster of 3 processes, expected 2"]);
    assert_documented(&zero.err);
    one.end().assert_failed(&["process 0 belongs to a cluster of 2 processes, expected 3"]);
}

#[test]
fn a_missing_process_is_named() {
    let directory = Directory::new();
    let hosts = Hosts::new(&directory, 2);
    let end = hosts.queens("6", 2, 0, &["--connect-timeout", "1"]).end();
    let shown = end.err.replace(&hosts.address(1), "localhost:2102").replace("1 s (", "60 s (");
    assert_documented(&shown);
}

/// Asserts that the page on clusters shows this message.
fn assert_documented(message: &str) {
    let page = include_str!("../../../docs/cluster.md");
    assert!(page.contains(message.trim_end()), "expected in docs/cluster.md: {message}");
}

#[test]
fn a_peer_with_another_secret_is_refused() {
    let directory = Directory::new();
    let secret = |name: &str, text: &str| {
        let path = directory.0.join(name);
        fs::write(&path, text).expect("written");
        path.to_str().expect("text").to_owned()
    };
    // White space at the end of the file does not belong to the secret.
    let (right, same) =
        (secret("right", "0123456789abcdef0123"), secret("same", "0123456789abcdef0123\n"));
    let wrong = secret("wrong", "0123456789abcdef0124");
    let hosts = Hosts::new(&directory, 2);
    // Process 0 keeps waiting for a peer that knows the secret. It is killed when it is dropped.
    let _zero = hosts.queens("6", 2, 0, &["--secret-file", &right]);
    let one = hosts.queens("6", 2, 1, &["--secret-file", &wrong]);
    one.end().assert_failed(&["process 0", &hosts.address(0), "another secret"]);
    let hosts = Hosts::new(&directory, 2);
    let zero = hosts.queens("6", 2, 0, &["--secret-file", &right]);
    let one = hosts.queens("6", 2, 1, &["--secret-file", &same]);
    zero.end().assert_answer("4");
    one.end().assert_answer("");
}

#[cfg(target_os = "linux")]
#[test]
fn a_stranger_that_claims_a_huge_message_causes_no_allocation() {
    /// The most bytes that the stranger sends.
    const SENT: u64 = 256 << 20;

    let directory = Directory::new();
    let hosts = Hosts::new(&directory, 2);
    let zero = hosts.queens("6", 2, 0, &[]);
    let mut stranger = hosts.connect_stranger(0);
    let before = zero.memory();
    // The bytes with which timely's own processes begin: the number of the process, then messages,
    // the first of 2^40 bytes.
    let fields: [u64; 7] = [1, 0, 1, 0, 1, 1 << 40, 0];
    let mut bytes: Vec<u8> = fields.iter().flat_map(|field| field.to_be_bytes()).collect();
    bytes.resize(1 << 20, 0);
    let was_refused = (0..SENT >> 20).any(|_| stranger.write_all(&bytes).is_err());
    assert!(was_refused, "{SENT} bytes were taken");
    let grown = zero.memory().saturating_sub(before);
    assert!(grown < SENT / 4, "memory has grown by {grown} bytes");
    let one = hosts.queens("6", 2, 1, &[]);
    zero.end().assert_answer("4");
    one.end().assert_answer("");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_waits_for_its_peers_ends_on_sigterm() {
    let directory = Directory::new();
    let hosts = Hosts::new(&directory, 3);
    let tilings = ["domino-tilings", "4", "4"];
    // One process waits for another to connect, the other for one to listen.
    for (process, missing) in [(0, 1), (2, 0)] {
        let waiting = hosts.start("cluster_count", &tilings, 3, process, &[]);
        // A process that listens has installed its signal handler before.
        drop(hosts.connect_stranger(process));
        waiting.terminate();
        let end = waiting.end();
        assert_eq!(end.code, Some(130), "{end:?}");
        assert!(
            end.err.contains(&format!("process {missing} ({})", hosts.address(missing))),
            "{end:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_reads_a_pipe_ends_on_sigterm() {
    let directory = Directory::new();
    let pipe = directory.0.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let pipe = pipe.to_str().expect("text");
    for arguments in [
        &["domino-tilings", "4", "4", "--obstacles", pipe][..],
        &["domino-tilings", "4", "4", "--", "-n", "2", "-h", pipe],
        &["domino-tilings", "4", "4", "--", "--secret-file", pipe],
    ] {
        let reading = Process::start("cluster_count", arguments);
        reading.wait_for_its_handler();
        reading.terminate();
        let end = reading.end();
        assert_eq!(end.code, Some(130), "{arguments:?}: {end:?}");
    }
}
