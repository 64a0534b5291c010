//! Connections whose message headers are checked before timely reads them: [`Connection`].
//!
//! timely trusts the header of each message: it buffers as many bytes as the header claims, and
//! sends them to the workers that it names.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use timely::communication::allocator::zero_copy::stream::Stream;

/// The number of fields of timely's `MessageHeader`, each a big-endian `u64`: the channel, the
/// source, the first worker that the message is for, the one after the last, the length of the data
/// that follow, and a sequence number.
const FIELDS: usize = 6;
/// The length of a header in bytes.
const HEADER: usize = 8 * FIELDS;

/// The first lost connection and the reason, which becomes the error of the run. The lock protects
/// that text. It is held only to read or set the text, so that a poisoned lock is still valid.
#[derive(Clone, Debug, Default)]
pub(in crate::cluster) struct Loss(Arc<Mutex<Option<String>>>);

impl Loss {
    pub(in crate::cluster) fn reason(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn record(&self, reason: impl FnOnce() -> String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(reason);
    }
}

/// The limits of the messages that this process accepts.
#[derive(Clone, Debug)]
pub(super) struct Accepted {
    /// The largest number of bytes after a header.
    pub(super) length: u64,
    /// The workers of this process: the first one, and the one after the last.
    pub(super) workers: (u64, u64),
}

/// A connection to another process.
pub(in crate::cluster) struct Connection {
    stream: TcpStream,
    /// The process at the other end, for messages.
    peer: Arc<str>,
    headers: HeaderChecker,
    loss: Loss,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, peer: String, accepted: Accepted, loss: Loss) -> Self {
        Connection { stream, peer: peer.into(), headers: HeaderChecker::new(accepted), loss }
    }

    fn lost(&self, reason: impl std::fmt::Display) {
        self.loss.record(|| format!("{}: {reason}", self.peer));
    }
}

impl Read for Connection {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(into) {
                // timely treats every error as the end of the connection.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) if !into.is_empty() && !self.headers.has_ended => {
                    self.lost("the connection was closed before the end of the run");
                    return Ok(0);
                }
                Ok(count) => {
                    return match self.headers.check(&into[..count]) {
                        Ok(()) => Ok(count),
                        Err(reason) => {
                            self.lost(&reason);
                            Err(io::Error::new(io::ErrorKind::InvalidData, reason))
                        }
                    };
                }
                Err(error) => {
                    self.lost(&error);
                    return Err(error);
                }
            }
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes).inspect_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted {
                self.lost(error);
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Connection {
    /// timely calls this before it reads anything, because it reads from one clone and writes to
    /// another. Thus both parsers are at the start of a header.
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Connection {
            stream: self.stream.try_clone()?,
            peer: Arc::clone(&self.peer),
            headers: self.headers.clone(),
            loss: self.loss.clone(),
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}

/// A parser of the headers in a stream of bytes that arrives in pieces.
#[derive(Clone, Debug)]
struct HeaderChecker {
    accepted: Accepted,
    /// The bytes of an incomplete header.
    header: Vec<u8>,
    /// The bytes of the current message that have not arrived yet.
    left: u64,
    /// Whether the empty message by which timely ends a connection has arrived.
    has_ended: bool,
}

impl HeaderChecker {
    fn new(accepted: Accepted) -> Self {
        HeaderChecker { accepted, header: Vec::with_capacity(HEADER), left: 0, has_ended: false }
    }

    /// Checks the next bytes; an error describes the invalid header.
    fn check(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        while !bytes.is_empty() {
            if self.left > 0 {
                let skipped = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
                self.left -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            let missing = (HEADER - self.header.len()).min(bytes.len());
            let (head, rest) = bytes.split_at(missing);
            self.header.extend(head);
            bytes = rest;
            if self.header.len() == HEADER {
                self.check_header()?;
                self.header.clear();
            }
        }
        Ok(())
    }

    fn check_header(&mut self) -> Result<(), String> {
        let (fields, _) = self.header.as_chunks();
        let [from, to, length] = [2, 3, 4].map(|index| u64::from_be_bytes(fields[index]));
        let Accepted { length: most, workers: (first, end) } = self.accepted;
        if length == 0 {
            self.has_ended = true;
            return Ok(());
        }
        if length > most {
            return Err(format!(
                "a message of {length} bytes, expected at most {most}: raise the limit \
                (--message-limit) in all processes if messages may be so long"
            ));
        }
        if !(first <= from && from < to && to <= end) {
            return Err(format!(
                "a message for the workers {from}..{to}, expected some of {first}..{end}"
            ));
        }
        self.left = length;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checker() -> HeaderChecker {
        HeaderChecker::new(Accepted { length: 1_000, workers: (2, 4) })
    }

    fn header(from: u64, to: u64, length: u64) -> Vec<u8> {
        [0, 0, from, to, length, 0].iter().flat_map(|field: &u64| field.to_be_bytes()).collect()
    }

    #[test]
    fn valid_messages_pass_in_pieces_of_any_size() {
        let mut bytes = Vec::new();
        for length in [1, 1_000, 47] {
            bytes.extend(header(2, 4, length));
            bytes.extend(vec![255; length as usize]);
        }
        bytes.extend(header(0, 0, 0));
        for size in [1, 7, 48, 5_000] {
            let mut checker = checker();
            assert!(bytes.chunks(size).all(|piece| checker.check(piece).is_ok()), "{size}");
            assert!(checker.has_ended);
        }
    }

    #[test]
    fn a_header_beyond_the_limit_is_refused_before_its_last_byte_is_passed_on() {
        for length in [1_001, 1 << 40, u64::MAX] {
            let bytes = header(2, 3, length);
            let mut checker = checker();
            checker.check(&bytes[..HEADER - 1]).expect("no header yet");
            let error = checker.check(&bytes[HEADER - 1..]).expect_err("too long");
            assert!(error.contains(&format!("{length} bytes, expected at most 1000")), "{error}");
        }
    }

    #[test]
    fn a_message_for_workers_elsewhere_is_refused() {
        for (from, to) in [(1, 3), (2, 5), (3, 3), (4, 2), (0, u64::MAX)] {
            assert!(checker().check(&header(from, to, 8)).is_err(), "{from}..{to}");
        }
    }
}
