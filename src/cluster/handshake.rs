//! The first message of each worker to all others: a check that they run the same search or sweep.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::ClusterError;
use super::transport::{Capability, Channel, Message, Transport, Wait};
use crate::checkpoint::{Fingerprint, decode};

/// The interval at which a worker that waits for handshakes checks whether the wait was cancelled
/// or has timed out.
const POLL: Duration = Duration::from_millis(20);

/// The properties that all processes must agree on, as names and values.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Handshake {
    properties: Vec<(String, String)>,
    /// Data of this worker for all others.
    payload: Vec<u8>,
}

impl Handshake {
    /// Creates a handshake of these properties and the version of this crate. The payload may
    /// differ from worker to worker.
    pub(crate) fn new(
        properties: impl IntoIterator<Item = (&'static str, String)>,
        payload: Vec<u8>,
    ) -> Self {
        let version = ("version", env!("CARGO_PKG_VERSION").to_owned());
        let properties = [version]
            .into_iter()
            .chain(properties)
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Handshake { properties, payload }
    }

    /// Describes the first property in which another worker differs.
    fn difference(&self, other: &Handshake) -> Option<String> {
        let differs = |((name, own), (_, others)): (&(String, String), &(String, String))| {
            (own != others).then(|| format!("found the {name} `{others}`, expected `{own}`"))
        };
        let length = || {
            (self.properties.len() != other.properties.len())
                .then(|| "its handshake has another number of properties".to_owned())
        };
        self.properties.iter().zip(&other.properties).find_map(differs).or_else(length)
    }

    /// Sends this handshake to all other workers and waits for theirs. Returns the payload of each
    /// worker, and messages that arrived early, in their order.
    ///
    /// # Errors
    /// Returns an error if another worker has other properties, is lost, or sends no handshake by
    /// the deadline of the start-up, and if the start-up is cancelled.
    pub(crate) fn exchange(
        &self,
        transport: &mut Transport,
        capability: &Capability,
    ) -> Result<(Vec<Vec<u8>>, Vec<Message>), ClusterError> {
        let bytes = postcard::to_allocvec(self)
            .map_err(|error| ClusterError::Unsuitable { reason: error.to_string() })?;
        transport.send_to_others(capability, &bytes);
        let mut payloads = vec![None; transport.peers()];
        payloads[transport.index()] = Some(self.payload.clone());
        let mut early = Vec::new();
        while payloads.iter().any(Option::is_none) {
            let Some(message) = transport.receive(Wait::For(POLL))? else {
                if transport.open_round(Channel::Broadcast).is_none() {
                    return Err(ClusterError::PeerLost {
                        reason: "a worker has ended before its handshake".to_owned(),
                    });
                }
                transport.start_up().check(|| {
                    let missing = payloads.iter().position(Option::is_none).unwrap_or_default();
                    format!("worker {missing} is connected, but has sent no handshake")
                })?;
                continue;
            };
            // The handshake is the first message of each worker on this channel.
            if message.capability.channel() == Channel::Work || payloads[message.from].is_some() {
                early.push(message);
                continue;
            }
            let other =
                |reason: String| ClusterError::OtherProgram { worker: message.from, reason };
            let handshake: Handshake = decode(&message.bytes).map_err(other)?;
            if let Some(difference) = self.difference(&handshake) {
                return Err(other(difference));
            }
            payloads[message.from] = Some(handshake.payload);
            transport.release(message.capability);
        }
        Ok((payloads.into_iter().flatten().collect(), early))
    }
}

/// Describes a fingerprint as a property.
pub(crate) fn property(fingerprint: Option<&Fingerprint>) -> String {
    fingerprint.map_or_else(|| "none".to_owned(), Fingerprint::to_string)
}
