//! The layers of a sweep without hooks, together with the states that hooks produce from the states
//! of these layers.

use rustc_hash::FxHashMap;
use secateurs::plug::{ContourProblem, SweepHook};

use crate::audit::coverage::GapReason;

/// A vector of boxed sweep hooks.
pub(super) type BoxedHooks<'a, P> = Vec<Box<dyn SweepHook<P> + 'a>>;

/// The first origin of a state.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Start,
    /// A step from a state of the previous layer, by a label.
    Step {
        from: u32,
        label: u32,
    },
    /// A hook that replaced a state of the same layer.
    Hook {
        from: u32,
        hook: u32,
    },
}

/// A cut or replacement of a state by a hook.
#[derive(Clone, Copy, Debug)]
pub(super) struct HookAction {
    pub(super) hook: usize,
    pub(super) state: u32,
    /// The state that replaces it; `None` if it was dropped.
    pub(super) replacement: Option<u32>,
}

/// The states after some number of cells.
pub(super) struct Layer<S> {
    pub(super) states: Vec<S>,
    index: FxHashMap<S, u32>,
    origins: Vec<Origin>,
    /// For each state, the transitions of the next cell: the indexes of the label and of the target
    /// in the next layer. Empty for the last layer.
    pub(super) steps: Vec<Vec<(u32, u32)>>,
    pub(super) actions: Vec<HookAction>,
}

impl<S: Copy + Eq + std::hash::Hash> Layer<S> {
    fn new() -> Self {
        Layer {
            states: Vec::new(),
            index: FxHashMap::default(),
            origins: Vec::new(),
            steps: Vec::new(),
            actions: Vec::new(),
        }
    }

    fn add(&mut self, state: S, origin: Origin) -> u32 {
        let next = self.states.len() as u32;
        let index = *self.index.entry(state).or_insert(next);
        if index == next {
            self.states.push(state);
            self.origins.push(origin);
        }
        index
    }

    /// Returns the index of a state. Every state that a sweep with the hooks can reach has one.
    pub(super) fn find(&self, state: S) -> Option<u32> {
        self.index.get(&state).copied()
    }
}

/// The layers and labels of a sweep.
pub(super) struct Layers<P: ContourProblem> {
    pub(super) layers: Vec<Layer<P::State>>,
    /// The labels with their names. They are identified by their `Debug` output.
    pub(super) labels: Vec<(String, P::Label)>,
    hook_names: Vec<String>,
}

impl<P: ContourProblem> Layers<P> {
    /// Sweeps without hooks, and applies each hook to each state.
    ///
    /// # Errors
    /// Returns [`GapReason::Unfinished`] if a layer has more than `max_states` states, and
    /// [`GapReason::StateTooWide`] if a state may not fit into its type.
    pub(super) fn new(
        problem: &P,
        hooks: &BoxedHooks<'_, P>,
        max_states: usize,
    ) -> Result<Self, GapReason> {
        let hook_names = hooks.iter().map(|hook| hook.name().to_owned()).collect();
        let mut layers = Layers { layers: Vec::new(), labels: Vec::new(), hook_names };
        let mut label_ids: FxHashMap<String, u32> = FxHashMap::default();
        let mut layer = Layer::new();
        layer.add(problem.start(), Origin::Start);
        for cell in 0..problem.cells() {
            problem.fits(cell).map_err(|_| GapReason::StateTooWide)?;
            let mut next = Layer::new();
            for (from, &state) in (0..).zip(&layer.states) {
                let mut steps = Vec::new();
                problem.step(cell, state, &mut |state, label| {
                    let name = format!("{label:?}");
                    let id = *label_ids.entry(name).or_insert_with_key(|name| {
                        layers.labels.push((name.clone(), label));
                        layers.labels.len() as u32 - 1
                    });
                    steps.push((id, next.add(state, Origin::Step { from, label: id })));
                });
                layer.steps.push(steps);
                if next.states.len() > max_states {
                    return Err(GapReason::Unfinished);
                }
            }
            // A state that a hook produces is passed to all hooks again: a sweep applies them one
            // after another, so later hooks see what earlier ones produced.
            let mut index = 0;
            while let Some(&state) = next.states.get(index) {
                for (hook_index, hook) in hooks.iter().enumerate() {
                    let mut after = state;
                    let is_dropped = hook.enter(problem, cell, &mut after).prunes();
                    if !is_dropped && after == state {
                        continue;
                    }
                    let origin = Origin::Hook { from: index as u32, hook: hook_index as u32 };
                    let replacement = (!is_dropped).then(|| next.add(after, origin));
                    next.actions.push(HookAction {
                        hook: hook_index,
                        state: index as u32,
                        replacement,
                    });
                }
                index += 1;
                if next.states.len() > max_states {
                    return Err(GapReason::Unfinished);
                }
            }
            layers.layers.push(std::mem::replace(&mut layer, next));
        }
        layers.layers.push(layer);
        Ok(layers)
    }

    /// Describes the labels by which a state was first reached, and the hooks involved.
    pub(super) fn path(&self, layer: usize, state: u32) -> String {
        let (labels, hooks) = self.origin(layer, state);
        let by = match hooks.as_slice() {
            [] => String::new(),
            hooks => {
                let names: Vec<&str> =
                    hooks.iter().map(|&hook| &*self.hook_names[hook as usize]).collect();
                format!(", and `{}`", names.join("`, `"))
            }
        };
        let cells = self.layers.len() - 1;
        format!("{} to cell {layer} of {cells}{by}", self.list(&labels))
    }

    /// Returns the labels of these numbers as text.
    pub(super) fn list(&self, labels: &[u32]) -> String {
        let labels: Vec<&str> =
            labels.iter().map(|&label| &*self.labels[label as usize].0).collect();
        format!("[{}]", labels.join(", "))
    }

    /// Returns the labels by which a state was first reached, and the hooks that replaced states on
    /// the way.
    fn origin(&self, mut layer: usize, mut state: u32) -> (Vec<u32>, Vec<u32>) {
        let (mut labels, mut hooks) = (Vec::new(), Vec::new());
        loop {
            match self.layers[layer].origins[state as usize] {
                Origin::Start => break,
                Origin::Step { from, label } => {
                    labels.push(label);
                    (layer, state) = (layer - 1, from);
                }
                Origin::Hook { from, hook } => {
                    hooks.push(hook);
                    state = from;
                }
            }
        }
        labels.reverse();
        hooks.reverse();
        (labels, hooks)
    }

    /// Returns the labels of one solution through a state. `has_completions` says whether a state
    /// has any.
    pub(super) fn word(
        &self,
        layer: usize,
        state: u32,
        has_completions: impl Fn(usize, u32) -> bool,
    ) -> String {
        let (mut labels, _) = self.origin(layer, state);
        let (mut layer, mut state) = (layer, state);
        while let Some(steps) = self.layers[layer].steps.get(state as usize) {
            let Some(&(label, next)) =
                steps.iter().find(|&&(_, next)| has_completions(layer + 1, next))
            else {
                break;
            };
            labels.push(label);
            (layer, state) = (layer + 1, next);
        }
        self.list(&labels)
    }
}
