//! The questions that a search can answer: [`Query`], [`CountQuery`], [`AnyQuery`] and
//! [`BestQuery`].

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::messages::encode;
use crate::brancher::Brancher;
use crate::checkpoint::decode;
use crate::cluster::error::Abort;
use crate::hook::Hooks;
use crate::incumbent::{Objective, ObjectiveValue};
use crate::limits::Stop;
use crate::problem::Problem;
use crate::search::executor::{BestSolution, KnownValue, OfferedValues};
use crate::search::{Frontier, Search};

/// A question that the workers answer subtree by subtree.
pub(super) trait Query<P: Problem>: Send {
    /// A short name.
    const NAME: &'static str;

    /// Returns the name with all parameters, for handshakes and journals; `None` if a parameter,
    /// such as an objective, has no name.
    fn name(&self) -> Option<String> {
        Some(Self::NAME.to_owned())
    }

    /// Returns the values that other code has offered to the incumbent, if there is one.
    fn offered(&self) -> OfferedValues {
        OfferedValues::default()
    }

    /// Whether one solution answers the question.
    const ONE_SUFFICES: bool = false;

    /// Searches the subtrees of a frontier under the limits of `search`. Returns why the search
    /// ended. If a better solution was found, its path is added to the frontier.
    fn search_slice<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        search: Search<'_, P, B, H>,
        frontier: &mut Frontier<P::Choice>,
    ) -> Stop;

    /// Returns the value of the best solution that this worker has found, serialized, if it has not
    /// been broadcast yet.
    fn improvement(&mut self) -> Option<Result<Vec<u8>, Abort>> {
        None
    }

    /// Handles the value of a solution that another worker has found.
    fn learn_value(&mut self, value: &[u8]) -> Result<(), String> {
        let _ = value;
        Ok(())
    }
}

/// The question for the number of solutions.
#[derive(Clone, Copy)]
pub(super) struct CountQuery;

impl<P: Problem<Choice: Clone>> Query<P> for CountQuery {
    const NAME: &'static str = "count";

    fn search_slice<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        search: Search<'_, P, B, H>,
        frontier: &mut Frontier<P::Choice>,
    ) -> Stop {
        search.frontier(frontier).count().stop()
    }
}

/// The question for any solution.
#[derive(Clone, Copy)]
pub(super) struct AnyQuery;

impl<P: Problem<Choice: Clone>> Query<P> for AnyQuery {
    const NAME: &'static str = "first";
    const ONE_SUFFICES: bool = true;

    fn search_slice<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        search: Search<'_, P, B, H>,
        frontier: &mut Frontier<P::Choice>,
    ) -> Stop {
        let outcome = search.frontier(frontier).first();
        let stop = outcome.stop();
        if let Some(path) = outcome.solution() {
            frontier.best = vec![BestSolution { path: path.clone(), value: KnownValue::none() }];
        }
        stop
    }
}

/// The question for the best solution.
pub(super) struct BestQuery<'o, P, V, F> {
    objective: &'o Objective<P, V, F>,
    /// The last value that this worker has broadcast or received.
    broadcast: Option<V>,
}

impl<'o, P: Problem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V> BestQuery<'o, P, V, F> {
    pub(super) fn new(objective: &'o Objective<P, V, F>) -> Self {
        BestQuery { objective, broadcast: None }
    }
}

impl<P, V, F> Query<P> for BestQuery<'_, P, V, F>
where
    P: Problem<Choice: Clone>,
    V: ObjectiveValue + Send + Sync + Serialize + DeserializeOwned,
    F: Fn(&P, &P::State) -> V + Sync,
{
    const NAME: &'static str = "best";

    fn name(&self) -> Option<String> {
        self.objective.id().name().map(str::to_owned)
    }

    fn offered(&self) -> OfferedValues {
        let mut offered = OfferedValues::default();
        offered.insert_latest(&self.objective.id());
        offered
    }

    fn search_slice<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        search: Search<'_, P, B, H>,
        frontier: &mut Frontier<P::Choice>,
    ) -> Stop {
        search.frontier(frontier).best(self.objective).stop()
    }

    fn improvement(&mut self) -> Option<Result<Vec<u8>, Abort>> {
        let value = self.objective.incumbent().peek();
        if value == self.broadcast {
            return None;
        }
        let bytes = value.as_ref().map(encode);
        self.broadcast = value;
        bytes
    }

    fn learn_value(&mut self, value: &[u8]) -> Result<(), String> {
        let value: V = decode(value)?;
        if self.objective.incumbent().offer(value.clone()) {
            self.broadcast = Some(value);
        }
        Ok(())
    }
}
