//! Mutual authentication of two processes. Each proves that it knows the secret before the other
//! uses any of its data.
//!
//! | step | sent by | bytes |
//! |---|---|---|
//! | hello | both, at once | 8 of [`MAGIC`], 2 of the version, 32 of a random nonce |
//! | proof | the process that has connected | 24 of [claims](Claims), 32 of a proof |
//! | answer | the process that has listened | 1 of acceptance, 24 of claims, 32 of a proof |
//!
//! A proof is an HMAC-SHA-256 (Krawczyk, Bellare and Canetti, 1997) with the secret as the key,
//! over both nonces, the claims, and the side that sends it. Therefore neither a recorded proof nor
//! one that is sent back to its sender is accepted. All lengths are fixed, so a stranger cannot
//! make this process allocate memory. Data after the handshake are neither encrypted nor
//! authenticated.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

pub(super) const MAGIC: [u8; 8] = *b"SECATNET";
pub(super) const VERSION: u16 = 1;

// Lengths in bytes.
const NONCE: usize = 32;
const HELLO: usize = MAGIC.len() + 2 + NONCE;
const CLAIMS: usize = 24;
const PROOF: usize = CLAIMS + 32;
const ANSWER: usize = 1 + PROOF;

/// The first byte of an answer.
const ACCEPTED: u8 = 1;
const REFUSED: u8 = 0;

/// A peer that sends nothing for this long is refused.
const PATIENCE: Duration = Duration::from_secs(10);

/// The properties of a process on which its cluster must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claims {
    pub(super) processes: u64,
    pub(super) process: u64,
    /// Worker threads of each process.
    pub(super) threads: u64,
}

impl Claims {
    fn to_bytes(self) -> Vec<u8> {
        [self.processes, self.process, self.threads].map(u64::to_le_bytes).concat()
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let (numbers, _) = bytes.as_chunks();
        let number = |index: usize| u64::from_le_bytes(numbers[index]);
        Claims { processes: number(0), process: number(1), threads: number(2) }
    }
}

/// The reason why a handshake failed.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The peer does not speak this protocol.
    Foreign,
    OtherVersion(u16),
    OtherSecret,
    Closed,
    Silent,
    Io(io::Error),
}

impl Refusal {
    /// Returns whether a retry cannot succeed either.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Refusal::Foreign | Refusal::OtherVersion(_) | Refusal::OtherSecret)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Foreign => {
                f.write_str("it does not speak the protocol of a cluster of this crate")
            }
            Refusal::OtherVersion(found) => {
                write!(
                    f,
                    "it speaks version {found} of the protocol, expected {VERSION}: run the same \
                    program everywhere"
                )
            }
            Refusal::OtherSecret => f.write_str(
                "it has another secret, or one has a secret and the other none: give all \
                processes the same",
            ),
            Refusal::Closed => f.write_str("it closed the connection during the handshake"),
            Refusal::Silent => {
                write!(f, "it sent nothing for {} s during the handshake", PATIENCE.as_secs())
            }
            Refusal::Io(error) => write!(f, "{error}"),
        }
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
        match error.kind() {
            BrokenPipe | ConnectionAborted | ConnectionReset => Refusal::Closed,
            _ => Refusal::Io(error),
        }
    }
}

/// A side of the connection: the process that has opened it, or the one that has accepted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Connector,
    Listener,
}

#[derive(Clone, Copy)]
enum Stage {
    Hello,
    Proof,
    Answer,
}

/// A handshake in progress on a non-blocking connection.
pub(super) struct Authentication {
    stream: TcpStream,
    side: Side,
    stage: Stage,
    nonce: [u8; NONCE],
    peer_nonce: [u8; NONCE],
    received: Vec<u8>,
    to_send: Vec<u8>,
    /// The time at which the last byte of the peer arrived.
    last_received: Instant,
}

impl Authentication {
    /// Begins a handshake.
    ///
    /// # Errors
    /// Returns an error if the connection cannot be configured, or if the system has no random
    /// numbers.
    pub(super) fn new(stream: TcpStream, side: Side) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(io::Error::other)?;
        let to_send = [&MAGIC[..], &VERSION.to_le_bytes(), &nonce].concat();
        let (received, last_received) = (Vec::with_capacity(ANSWER), Instant::now());
        Ok(Authentication {
            stream,
            side,
            stage: Stage::Hello,
            nonce,
            peer_nonce: [0; NONCE],
            received,
            to_send,
            last_received,
        })
    }

    /// Advances the handshake as far as possible without blocking. Returns the claims of the peer
    /// once they are proven.
    ///
    /// # Errors
    /// Returns an error if the handshake has failed.
    pub(super) fn advance(
        &mut self,
        secret: &[u8],
        own: Claims,
    ) -> Result<Option<Claims>, Refusal> {
        loop {
            self.flush()?;
            let expected = match self.stage {
                Stage::Hello => HELLO,
                Stage::Proof => PROOF,
                Stage::Answer => ANSWER,
            };
            if !self.fill(expected)? {
                return if self.last_received.elapsed() > PATIENCE {
                    Err(Refusal::Silent)
                } else {
                    Ok(None)
                };
            }
            let received = std::mem::take(&mut self.received);
            match self.stage {
                Stage::Hello => {
                    self.read_hello(&received)?;
                    self.stage = match self.side {
                        Side::Listener => Stage::Proof,
                        Side::Connector => {
                            self.to_send.extend(self.prove(secret, own));
                            Stage::Answer
                        }
                    };
                }
                Stage::Proof => {
                    let Some(claims) = self.verify(secret, &received) else {
                        self.to_send.extend([REFUSED; ANSWER]);
                        self.flush()?;
                        return Err(Refusal::OtherSecret);
                    };
                    self.to_send.push(ACCEPTED);
                    self.to_send.extend(self.prove(secret, own));
                    self.flush()?;
                    return Ok(Some(claims));
                }
                Stage::Answer => {
                    let is_accepted = received[0] == ACCEPTED;
                    let claims =
                        if is_accepted { self.verify(secret, &received[1..]) } else { None };
                    return claims.ok_or(Refusal::OtherSecret).map(Some);
                }
            }
        }
    }

    /// Returns the connection, after the handshake.
    pub(super) fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Sends the queued bytes. This never blocks, because the send buffer of a new connection is
    /// larger than everything that the handshake sends.
    fn flush(&mut self) -> Result<(), Refusal> {
        let bytes = std::mem::take(&mut self.to_send);
        Ok(self.stream.write_all(&bytes)?)
    }

    /// Reads until `expected` bytes have arrived, and no further, because the bytes after them may
    /// not belong to the handshake. Returns whether all have arrived.
    fn fill(&mut self, expected: usize) -> Result<bool, Refusal> {
        let mut buffer = [0; ANSWER];
        while self.received.len() < expected {
            match self.stream.read(&mut buffer[..expected - self.received.len()]) {
                Ok(0) => return Err(Refusal::Closed),
                Ok(count) => {
                    self.received.extend(&buffer[..count]);
                    self.last_received = Instant::now();
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    fn read_hello(&mut self, hello: &[u8]) -> Result<(), Refusal> {
        let (magic, rest) = hello.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(Refusal::Foreign);
        }
        let version = u16::from_le_bytes([rest[0], rest[1]]);
        if version != VERSION {
            return Err(Refusal::OtherVersion(version));
        }
        self.peer_nonce.copy_from_slice(&rest[2..]);
        Ok(())
    }

    fn mac(&self, secret: &[u8], speaker: Side, claims: &[u8]) -> Option<Hmac<Sha256>> {
        // Keys of any length are allowed.
        let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
        let (connector, listener) = match self.side {
            Side::Connector => (&self.nonce, &self.peer_nonce),
            Side::Listener => (&self.peer_nonce, &self.nonce),
        };
        mac.update(&MAGIC);
        mac.update(&VERSION.to_le_bytes());
        mac.update(&[u8::from(speaker == Side::Connector)]);
        mac.update(connector);
        mac.update(listener);
        mac.update(claims);
        Some(mac)
    }

    fn prove(&self, secret: &[u8], own: Claims) -> Vec<u8> {
        let mut bytes = own.to_bytes();
        let mac = self.mac(secret, self.side, &bytes);
        bytes.extend(mac.into_iter().flat_map(|mac| mac.finalize().into_bytes()));
        bytes
    }

    /// Returns the claims of the peer if their proof is valid.
    fn verify(&self, secret: &[u8], proof: &[u8]) -> Option<Claims> {
        let (claims, tag) = proof.split_at(CLAIMS);
        let speaker = match self.side {
            Side::Connector => Side::Listener,
            Side::Listener => Side::Connector,
        };
        // `verify_slice` compares in constant time, so that the time does not reveal how much of a
        // guess is correct.
        self.mac(secret, speaker, claims)?.verify_slice(tag).ok()?;
        Some(Claims::from_bytes(claims))
    }
}
