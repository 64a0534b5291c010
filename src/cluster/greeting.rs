//! What workers say to one another first: that they are about the same.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::ClusterError;
use super::post::{Letter, Line, Post, Right, Wait};

/// While a worker waits for greetings, it looks this often whether it is to wait no longer.
const LOOK: Duration = Duration::from_millis(20);

/// What is to be the same in all processes, as names with what they stand for.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Greeting {
    same: Vec<(String, String)>,
    /// What one worker tells all others before anything begins.
    word: Vec<u8>,
}

impl Greeting {
    /// The version of this crate is added; `word` may be different for each worker.
    pub(crate) fn new(
        same: impl IntoIterator<Item = (&'static str, String)>,
        word: Vec<u8>,
    ) -> Self {
        let version = ("version", env!("CARGO_PKG_VERSION").to_owned());
        let same = [version]
            .into_iter()
            .chain(same)
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Greeting { same, word }
    }

    /// What another one says differently.
    fn difference(&self, other: &Greeting) -> Option<String> {
        let differs = |((name, own), (_, others)): (&(String, String), &(String, String))| {
            (own != others).then(|| format!("its {name} is `{others}`, here it is `{own}`"))
        };
        let length =
            || (self.same.len() != other.same.len()).then(|| "it greets in another way".to_owned());
        self.same.iter().zip(&other.same).find_map(differs).or_else(length)
    }

    /// Greets all others, and waits for their greetings: the word of each worker, and letters that
    /// came too early, in their order.
    ///
    /// # Errors
    /// If another worker says something else, is lost, or says nothing until the deadline of the
    /// start-up, and if that is cancelled.
    pub(crate) fn exchange(
        &self,
        post: &mut Post,
        right: &Right,
    ) -> Result<(Vec<Vec<u8>>, Vec<Letter>), ClusterError> {
        let bytes = postcard::to_allocvec(self)
            .map_err(|error| ClusterError::Unsuitable { reason: error.to_string() })?;
        post.send_to_others(right, &bytes);
        let mut words = vec![None; post.peers()];
        words[post.own()] = Some(self.word.clone());
        let mut early = Vec::new();
        while words.iter().any(Option::is_none) {
            let Some(letter) = post.receive(Wait::For(LOOK))? else {
                if post.open(Line::News).is_none() {
                    return Err(ClusterError::PeerLost {
                        reason: "a worker has not greeted".to_owned(),
                    });
                }
                post.start_up().check(|| {
                    let missing = words.iter().position(Option::is_none).unwrap_or_default();
                    format!("worker {missing} is connected, but has not said what it runs")
                })?;
                continue;
            };
            // Of each worker, the greeting is the first letter on this line.
            if letter.line == Line::Work || words[letter.from].is_some() {
                early.push(letter);
                continue;
            }
            let other = |reason: String| ClusterError::OtherProgram { worker: letter.from, reason };
            let greeting: Greeting =
                postcard::from_bytes(&letter.bytes).map_err(|error| other(error.to_string()))?;
            if let Some(difference) = self.difference(&greeting) {
                return Err(other(difference));
            }
            words[letter.from] = Some(greeting.word);
            post.give_back(letter.right);
        }
        Ok((words.into_iter().flatten().collect(), early))
    }
}
