//! What workers say to one another first: that they are about the properties.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::ClusterError;
use super::transport::{Capability, Channel, Message, Transport, Wait};

/// While a worker waits for greetings, it looks this often whether it is to wait no longer.
const POLL: Duration = Duration::from_millis(20);

/// What is to be the properties in all processes, as names with what they stand for.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Handshake {
    properties: Vec<(String, String)>,
    /// What one worker tells all others before anything begins.
    payload: Vec<u8>,
}

impl Handshake {
    /// The version of this crate is added; `payload` may be different for each worker.
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

    /// What another one says differently.
    fn difference(&self, other: &Handshake) -> Option<String> {
        let differs = |((name, own), (_, others)): (&(String, String), &(String, String))| {
            (own != others).then(|| format!("its {name} is `{others}`, here it is `{own}`"))
        };
        let length = || {
            (self.properties.len() != other.properties.len())
                .then(|| "it greets in another way".to_owned())
        };
        self.properties.iter().zip(&other.properties).find_map(differs).or_else(length)
    }

    /// Greets all others, and waits for their greetings: the payload of each worker, and messages that
    /// came too early, in their order.
    ///
    /// # Errors
    /// If another worker says something else, is lost, or says nothing until the deadline of the
    /// start-up, and if that is cancelled.
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
                        reason: "a worker has not greeted".to_owned(),
                    });
                }
                transport.start_up().check(|| {
                    let missing = payloads.iter().position(Option::is_none).unwrap_or_default();
                    format!("worker {missing} is connected, but has not said what it runs")
                })?;
                continue;
            };
            // Of each worker, the handshake is the first message on this channel.
            if message.channel == Channel::Work || payloads[message.from].is_some() {
                early.push(message);
                continue;
            }
            let other =
                |reason: String| ClusterError::OtherProgram { worker: message.from, reason };
            let handshake: Handshake =
                postcard::from_bytes(&message.bytes).map_err(|error| other(error.to_string()))?;
            if let Some(difference) = self.difference(&handshake) {
                return Err(other(difference));
            }
            payloads[message.from] = Some(handshake.payload);
            transport.release(message.capability);
        }
        Ok((payloads.into_iter().flatten().collect(), early))
    }
}
