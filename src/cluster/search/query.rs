//! What is asked of a search: [`Query`], and how to count or to find any solution.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::brancher::Brancher;
use crate::hook::Hooks;
use crate::incumbent::Objective;
use crate::limits::Stop;
use crate::problem::Problem;
use crate::search::{Frontier, Search};

/// What a worker asks of the parts of the tree that it gets.
pub(super) trait Query<P: Problem>: Send {
    /// What it is called, in short.
    const NAME: &'static str;

    /// What it is called in greetings and journals, with all that there is to it.
    fn name(&self) -> String {
        Self::NAME.to_owned()
    }

    /// Whether one solution is all that is wanted.
    const ENDS_AT_ONE: bool = false;

    /// Searches what is in a frontier, under the limits of `search`: why that ended, and the path
    /// of a solution that is wanted more than those before, if one was found.
    fn slice<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        search: Search<'_, P, B, H>,
        frontier: &mut Frontier<P::Choice>,
    ) -> Stop;

    /// The value of the best solution that this worker has found, if others have not been told of
    /// it.
    fn improvement(&mut self) -> Option<Result<Vec<u8>, String>> {
        None
    }

    /// Another worker has found a solution of this value.
    fn learn_value(&mut self, value: &[u8]) -> Result<(), String> {
        let _ = value;
        Ok(())
    }
}

/// How many solutions are there?
#[derive(Clone, Copy)]
pub(super) struct CountQuery;

impl<P: Problem<Choice: Clone>> Query<P> for CountQuery {
    const NAME: &'static str = "count";

    fn slice<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        search: Search<'_, P, B, H>,
        frontier: &mut Frontier<P::Choice>,
    ) -> Stop {
        search.frontier(frontier).count().stop()
    }
}

/// Is there one?
#[derive(Clone, Copy)]
pub(super) struct AnyQuery;

impl<P: Problem<Choice: Clone>> Query<P> for AnyQuery {
    const NAME: &'static str = "first";
    const ENDS_AT_ONE: bool = true;

    fn slice<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        search: Search<'_, P, B, H>,
        frontier: &mut Frontier<P::Choice>,
    ) -> Stop {
        let outcome = search.frontier(frontier).first();
        let stop = outcome.stop();
        if let Some(path) = outcome.solution() {
            frontier.best = vec![path.clone()];
        }
        stop
    }
}

/// Which is the best?
pub(super) struct Best<'o, P, V, F> {
    objective: &'o Objective<P, V, F>,
    /// The best value that all have been told of.
    told: Option<V>,
}

impl<'o, P: Problem, V: Ord + Clone, F: Fn(&P, &P::State) -> V> Best<'o, P, V, F> {
    pub(super) fn new(objective: &'o Objective<P, V, F>) -> Self {
        Best { objective, told: None }
    }
}

impl<P, V, F> Query<P> for Best<'_, P, V, F>
where
    P: Problem<Choice: Clone>,
    V: Ord + Clone + Send + Sync + Serialize + DeserializeOwned,
    F: Fn(&P, &P::State) -> V + Sync,
{
    const NAME: &'static str = "best";

    fn name(&self) -> String {
        format!("{} ({:?})", <Self as Query<P>>::NAME, self.objective.incumbent().direction())
    }

    fn slice<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        search: Search<'_, P, B, H>,
        frontier: &mut Frontier<P::Choice>,
    ) -> Stop {
        search.frontier(frontier).best(self.objective).stop()
    }

    fn improvement(&mut self) -> Option<Result<Vec<u8>, String>> {
        let value = self.objective.incumbent().peek();
        if value == self.told {
            return None;
        }
        let bytes = value
            .as_ref()
            .map(|value| postcard::to_allocvec(value).map_err(|error| error.to_string()));
        self.told = value;
        bytes
    }

    fn learn_value(&mut self, value: &[u8]) -> Result<(), String> {
        let value: V = crate::checkpoint::decode(value)?;
        if self.objective.incumbent().offer(value.clone()) {
            self.told = Some(value);
        }
        Ok(())
    }
}
