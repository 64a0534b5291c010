//! Connections between the processes of a cluster, opened within a deadline, each after an
//! [authentication] that proves a shared secret.
//!
//! Each process listens at its own address and connects to the processes with lower numbers. One
//! thread polls all handshakes, so that a silent connection does not delay the others. Resolving
//! the name of a peer and opening a connection block, so they run on threads of their own.
//!
//! Read `mod` first, which connects all processes, then [`authentication`], then [`connection`],
//! which checks what arrives afterwards.

mod authentication;
mod connection;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use authentication::{Authentication, Claims, Refusal, Side};
use connection::Accepted;
pub(super) use connection::{Connection, Loss};

use super::error::ClusterError;
use crate::limits::Cancel;

/// The interval between two polls of all handshakes.
const POLL: Duration = Duration::from_millis(5);
/// The interval between two attempts to connect to a process that does not listen yet.
const RETRY: Duration = Duration::from_millis(100);
/// The time limit of an attempt to connect: a host that is down may not answer at all.
const ATTEMPT: Duration = Duration::from_secs(2);
/// The time that a cancelled run still waits for the others, so that processes that are cancelled
/// together can still connect, and then all stop with the same outcome.
const CANCEL_GRACE: Duration = Duration::from_secs(2);
/// The number of accepted connections that are kept before they have proven the secret, in addition
/// to one for each process.
const MAX_STRANGERS: usize = 64;

/// The time limit of the start-up, and a switch that cancels the wait. One deadline covers all
/// steps until the processes work.
#[derive(Clone, Debug)]
pub(super) struct StartUp {
    within: Duration,
    deadline: Option<Instant>,
    cancel: Option<Cancel>,
    /// The time at which the cancellation was noticed.
    cancelled: OnceLock<Instant>,
}

impl StartUp {
    /// Starts the clock.
    pub(super) fn new(within: Duration, cancel: Option<Cancel>) -> Self {
        StartUp {
            within,
            // If the sum overflows the clock, there is no deadline.
            deadline: Instant::now().checked_add(within),
            cancel,
            cancelled: OnceLock::new(),
        }
    }

    /// Creates a start-up without a deadline.
    pub(super) fn endless() -> Self {
        StartUp { within: Duration::MAX, deadline: None, cancel: None, cancelled: OnceLock::new() }
    }

    /// Checks whether to keep waiting.
    ///
    /// # Errors
    /// Returns an error if the wait was cancelled or has timed out. `missing` describes what is
    /// awaited, as the beginning of a sentence that goes on with "within 5 s".
    pub(super) fn check(&self, missing: impl FnOnce() -> String) -> Result<(), ClusterError> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled)
            && self.cancelled.get_or_init(Instant::now).elapsed() >= CANCEL_GRACE
        {
            return Err(ClusterError::Cancelled { reason: missing() });
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let within = self.within.as_secs_f64();
            let reason = format!("{} within {within} s (--connect-timeout)", missing());
            return Err(ClusterError::Connect { reason });
        }
        Ok(())
    }
}

/// The processes of a cluster, and the number of this one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Membership<'a> {
    pub(super) addresses: &'a [String],
    pub(super) process: usize,
    pub(super) threads: usize,
    /// The shared secret; empty if there is none.
    pub(super) secret: &'a [u8],
}

impl Membership<'_> {
    fn claims(&self) -> Claims {
        Claims {
            processes: self.addresses.len() as u64,
            process: self.process as u64,
            threads: self.threads as u64,
        }
    }

    fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.addresses[process].trim())
    }

    /// Returns the first difference between the claims of a peer that has proven the secret and
    /// those of this process.
    fn disagreement(&self, found: Claims) -> Option<String> {
        let own = self.claims();
        let Claims { processes, process, threads } = found;
        if processes != own.processes {
            let expected = own.processes;
            return Some(format!(
                "process {process} belongs to a cluster of {processes} processes, expected \
                {expected} as here (process {}): start all with the same -n",
                own.process
            ));
        }
        if threads != own.threads {
            return Some(format!(
                "process {process} has {threads} threads, expected {} as here: start all with \
                the same -w",
                own.threads
            ));
        }
        None
    }
}

/// Connects this process with all others. Returns the connections in the order of the processes,
/// `None` for this one.
///
/// # Errors
/// Returns an error if another process is missing at the deadline, has ended in the meantime or
/// does not belong to this cluster, if the wait is cancelled, if this process cannot listen at its
/// address, or if an address is not on the loopback interface and there is no secret.
pub(super) fn connect(
    membership: Membership<'_>,
    start_up: &StartUp,
    message_limit: u64,
    loss: &Loss,
) -> Result<Vec<Option<Connection>>, ClusterError> {
    let Membership { addresses, process, threads, secret } = membership;
    let failed = |reason: String| ClusterError::Connect { reason };
    if secret.is_empty()
        && let Some(public) = addresses.iter().find(|address| !is_loopback(address))
    {
        let public = public.trim();
        return Err(ClusterError::Options {
            reason: format!(
                "{public} may be reached from other hosts, and there is no secret: give all \
                processes the same (--secret-file FILE), or use addresses of 127.0.0.1 or localhost"
            ),
        });
    }
    let own = addresses[process].trim();
    let cannot_listen = |error: io::Error| {
        let hint = match error.kind() {
            io::ErrorKind::AddrInUse => {
                ": is this process started twice, or another program there?"
            }
            _ => "",
        };
        failed(format!("{} cannot listen at its address: {error}{hint}", membership.name(process)))
    };
    let listener = TcpListener::bind(own).map_err(cannot_listen)?;
    listener.set_nonblocking(true).map_err(cannot_listen)?;
    let mut rendezvous = Rendezvous::new(membership, listener);
    loop {
        rendezvous.accept();
        rendezvous.advance().map_err(failed)?;
        if rendezvous.missing_processes().next().is_none() {
            break;
        }
        rendezvous.check_peers().map_err(failed)?;
        start_up.check(|| rendezvous.missing())?;
        rendezvous.wait();
    }
    let workers = ((process * threads) as u64, ((process + 1) * threads) as u64);
    let peers = std::mem::take(&mut rendezvous.peers).into_iter().enumerate();
    let connections = peers.map(|(index, stream)| {
        let accepted = Accepted { length: message_limit, workers };
        stream.map(|stream| Connection::new(stream, membership.name(index), accepted, loss.clone()))
    });
    Ok(connections.collect())
}

/// Returns whether an address certainly belongs to the loopback interface. Names are not resolved.
fn is_loopback(address: &str) -> bool {
    let host = address.trim().rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || host.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback())
}

/// A handshake in progress.
struct Pending {
    authentication: Authentication,
    peer: Peer,
}

/// The other end of a handshake.
#[derive(Clone, Copy, Debug)]
enum Peer {
    /// The process to which this one has connected.
    Known(usize),
    /// An unknown peer that has connected to this process.
    Stranger(SocketAddr),
}

/// The number of a process, and the result of an attempt to connect to it.
type Opened = (usize, io::Result<TcpStream>);

/// The connections of one process while it waits for the others.
struct Rendezvous<'a> {
    membership: Membership<'a>,
    listener: TcpListener,
    pending: VecDeque<Pending>,
    /// The peers that have proven the secret, by their numbers.
    peers: Vec<Option<TcpStream>>,
    /// A channel for the results of the threads that open connections.
    opened: (Sender<Opened>, Receiver<Opened>),
    /// The error of the last attempt to reach each process.
    failures: Vec<Option<String>>,
    /// The last connection that was refused or not accepted, with the reason.
    refused: Option<String>,
}

impl<'a> Rendezvous<'a> {
    fn new(membership: Membership<'a>, listener: TcpListener) -> Self {
        let count = membership.addresses.len();
        let rendezvous = Rendezvous {
            membership,
            listener,
            pending: VecDeque::new(),
            peers: (0..count).map(|_| None).collect(),
            opened: channel(),
            failures: vec![None; count],
            refused: None,
        };
        (0..membership.process)
            .for_each(|process| rendezvous.spawn_opener(process, Duration::ZERO));
        rendezvous
    }

    /// Starts a thread that opens a connection to a process, after a pause.
    fn spawn_opener(&self, process: usize, pause: Duration) {
        let address = self.membership.addresses[process].trim().to_owned();
        let opened = self.opened.0.clone();
        thread::spawn(move || {
            thread::sleep(pause);
            loop {
                let stream = open_address(&address);
                let is_open = stream.is_ok();
                // Sending fails when the rendezvous has ended and dropped the receiver.
                if opened.send((process, stream)).is_err() || is_open {
                    return;
                }
                thread::sleep(RETRY);
            }
        });
    }

    /// Accepts all waiting connections. If there are too many, the oldest stranger is dropped: a
    /// process of the cluster that is dropped by mistake connects again.
    fn accept(&mut self) {
        loop {
            match self.listener.accept() {
                Ok((stream, address)) => {
                    if self.pending.len() >= MAX_STRANGERS + self.peers.len()
                        && let Some(oldest) = self
                            .pending
                            .iter()
                            .position(|one| matches!(one.peer, Peer::Stranger(_)))
                    {
                        self.pending.remove(oldest);
                    }
                    if let Ok(authentication) = Authentication::new(stream, Side::Listener) {
                        self.pending
                            .push_back(Pending { authentication, peer: Peer::Stranger(address) });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // The peer has already closed the connection, or a signal arrived.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::ConnectionAborted
                            | io::ErrorKind::ConnectionReset
                            | io::ErrorKind::Interrupted
                    ) => {}
                // It may be the error of a stranger's connection, or a shortage that passes.
                Err(error) => {
                    self.refused
                        .get_or_insert_with(|| format!("a connection was not accepted: {error}"));
                    return;
                }
            }
        }
    }

    /// Advances all handshakes as far as possible without blocking.
    ///
    /// # Errors
    /// Returns an error that ends the start-up; the failure of a stranger is only recorded.
    fn advance(&mut self) -> Result<(), String> {
        for Pending { mut authentication, peer } in std::mem::take(&mut self.pending) {
            match authentication.advance(self.membership.secret, self.membership.claims()) {
                Ok(None) => self.pending.push_back(Pending { authentication, peer }),
                Ok(Some(claims)) => self.admit(authentication.into_stream(), claims, peer)?,
                Err(refusal) => match peer {
                    Peer::Known(process) => self.retry(process, &refusal)?,
                    // A stranger that can reach the port must not be able to end the run.
                    Peer::Stranger(address) => {
                        self.refused =
                            Some(format!("a connection from {address} was refused: {refusal}"));
                    }
                },
            }
        }
        Ok(())
    }

    /// Opens a new connection after a failed handshake, unless the failure is final.
    fn retry(&mut self, process: usize, refusal: &Refusal) -> Result<(), String> {
        let reason = format!("{}: {refusal}", self.membership.name(process));
        if refusal.is_final() {
            return Err(reason);
        }
        self.failures[process] = Some(refusal.to_string());
        self.spawn_opener(process, RETRY);
        Ok(())
    }

    /// Accepts a peer that has proven the secret, unless it belongs to another cluster.
    fn admit(&mut self, stream: TcpStream, claims: Claims, peer: Peer) -> Result<(), String> {
        if let Some(disagreement) = self.membership.disagreement(claims) {
            return Err(disagreement);
        }
        let (own, count) = (self.membership.process, self.peers.len());
        let found = usize::try_from(claims.process).unwrap_or(usize::MAX);
        let (is_expected, expected) = match peer {
            Peer::Known(process) => (found == process, self.membership.name(process)),
            Peer::Stranger(_) => (
                own < found && found < count,
                format!("one with a number above {own} at {}", self.membership.name(own)),
            ),
        };
        if !is_expected {
            return Err(format!(
                "found process {found}, expected {expected}: give all processes the same \
                addresses in the same order, and each its own number (-p)"
            ));
        }
        if self.peers[found].is_some() {
            return Err(format!(
                "process {found} has connected twice: start each number (-p) once"
            ));
        }
        self.peers[found] = Some(stream);
        Ok(())
    }

    /// Returns an error if a connected peer has ended while others are missing.
    fn check_peers(&self) -> Result<(), String> {
        for (process, peer) in self.peers.iter().enumerate() {
            let Some(stream) = peer else { continue };
            match stream.peek(&mut [0]) {
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                    ) => {}
                // The peer is connected to all others and has begun the run.
                Ok(1..) => {}
                Ok(0) | Err(_) => {
                    return Err(format!(
                        "{} has ended before all were connected",
                        self.membership.name(process)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Waits until a connection is open, and begins its handshake, or until the next poll is due.
    fn wait(&mut self) {
        match self.opened.1.recv_timeout(POLL) {
            Ok((process, Ok(stream))) => match Authentication::new(stream, Side::Connector) {
                Ok(authentication) => {
                    self.pending.push_back(Pending { authentication, peer: Peer::Known(process) })
                }
                Err(error) => {
                    self.failures[process] = Some(error.to_string());
                    self.spawn_opener(process, RETRY);
                }
            },
            Ok((process, Err(error))) => self.failures[process] = Some(error.to_string()),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
    }

    /// Returns the processes that this one waits for.
    fn missing_processes(&self) -> impl Iterator<Item = usize> {
        let own = self.membership.process;
        (0..self.peers.len()).filter(move |&index| index != own && self.peers[index].is_none())
    }

    /// Names the processes that this one waits for.
    fn missing(&self) -> String {
        let Rendezvous { membership, peers, failures, refused, .. } = self;
        let name = |process: usize| match &failures[process] {
            Some(failure) => format!("{} [{failure}]", membership.name(process)),
            None => membership.name(process).to_string(),
        };
        let names: Vec<String> = self.missing_processes().take(MAX_NAMED).map(name).collect();
        let names = names.join(", ");
        let more = match self.missing_processes().skip(MAX_NAMED).count() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let refused = refused.as_ref().map_or(String::new(), |refused| format!(" ({refused})"));
        let (own, count) = (membership.process, peers.len());
        format!("process {own} of {count} is not connected with {names}{more}{refused}")
    }
}

/// The number of missing processes that an error names.
const MAX_NAMED: usize = 3;

/// Opens a connection to the first address of a name that accepts one.
fn open_address(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "its name has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, ATTEMPT) {
            // A connection to a port without a listener may connect to itself if the system assigns
            // it that port as its own.
            Ok(stream) if stream.local_addr().is_ok_and(|own| own == address) => {
                last = io::ErrorKind::ConnectionRefused.into();
            }
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}
