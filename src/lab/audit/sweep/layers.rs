//! All states of a sweep without hooks, those that hooks make of them, and how they hang together.

use rustc_hash::FxHashMap;

use crate::hook::Verdict;
use crate::plug::{ContourProblem, SweepHook};

/// Hooks as an audit of a sweep has them.
pub(super) type Hooks<'a, P> = Vec<Box<dyn SweepHook<P> + 'a>>;

/// Where a state comes from, first of all.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Start,
    /// From a state of the layer before, by a label.
    Step {
        from: u32,
        label: u32,
    },
    /// From a state of the same layer, by a hook.
    Hook {
        from: u32,
        hook: u32,
    },
}

/// What a hook did to a state as it arose.
#[derive(Clone, Copy, Debug)]
pub(super) struct HookAction {
    pub(super) hook: usize,
    pub(super) state: u32,
    /// What it made of the state; nothing if it dropped it.
    pub(super) made: Option<u32>,
}

/// The states after so many cells.
pub(super) struct Layer<S> {
    pub(super) states: Vec<S>,
    index: FxHashMap<S, u32>,
    origins: Vec<Origin>,
    /// For each state, where the next cell leads to, and by which label.
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

    /// The number of a state; every state that a sweep with the hooks can come to has one.
    pub(super) fn find(&self, state: S) -> Option<u32> {
        self.index.get(&state).copied()
    }
}

/// Why not all states are known.
pub(super) struct TooMany;

/// The layers of a sweep, and its labels.
pub(super) struct Layers<P: ContourProblem> {
    pub(super) layers: Vec<Layer<P::State>>,
    /// Labels are told apart by what they print.
    pub(super) labels: Vec<(String, P::Label)>,
    names: Vec<String>,
}

impl<P: ContourProblem> Layers<P> {
    /// Sweeps without hooks, and lets each hook by itself see each state, as long as no layer has
    /// more than `most` states.
    pub(super) fn new(profile: &P, hooks: &Hooks<'_, P>, most: usize) -> Result<Self, TooMany> {
        let names = hooks.iter().map(|hook| hook.name().to_owned()).collect();
        let mut all = Layers { layers: Vec::new(), labels: Vec::new(), names };
        let mut known: FxHashMap<String, u32> = FxHashMap::default();
        let mut layer = Layer::new();
        layer.add(profile.start(), Origin::Start);
        for cell in 0..profile.cells() {
            profile.fits(cell).map_err(|_| TooMany)?;
            let mut next = Layer::new();
            for (from, &state) in (0..).zip(&layer.states) {
                let mut steps = Vec::new();
                profile.step(cell, state, &mut |state, label| {
                    let name = format!("{label:?}");
                    let id = *known.entry(name).or_insert_with_key(|name| {
                        all.labels.push((name.clone(), label));
                        all.labels.len() as u32 - 1
                    });
                    steps.push((id, next.add(state, Origin::Step { from, label: id })));
                });
                layer.steps.push(steps);
                if next.states.len() > most {
                    return Err(TooMany);
                }
            }
            // What a hook makes of a state is seen by all hooks again: they come one behind
            // another.
            let mut seen = 0;
            while let Some(&state) = next.states.get(seen) {
                for (hook, asked) in hooks.iter().enumerate() {
                    let mut made = state;
                    let made = match asked.enter(profile, cell, &mut made) {
                        Verdict::Prune => None,
                        Verdict::Keep if made == state => continue,
                        Verdict::Keep => Some(
                            next.add(made, Origin::Hook { from: seen as u32, hook: hook as u32 }),
                        ),
                    };
                    next.actions.push(HookAction { hook, state: seen as u32, made });
                }
                seen += 1;
                if next.states.len() > most {
                    return Err(TooMany);
                }
            }
            all.layers.push(std::mem::replace(&mut layer, next));
        }
        all.layers.push(layer);
        Ok(all)
    }

    /// The labels by which a state was first reached, and the hooks that took part in it.
    pub(super) fn path(&self, layer: usize, state: u32) -> String {
        let (labels, hooks) = self.way(layer, state);
        let labels: Vec<&str> =
            labels.into_iter().map(|label| &*self.labels[label as usize].0).collect();
        let by = match hooks.as_slice() {
            [] => String::new(),
            hooks => {
                let names: Vec<&str> =
                    hooks.iter().map(|&hook| &*self.names[hook as usize]).collect();
                format!(", and `{}`", names.join("`, `"))
            }
        };
        let cells = self.layers.len() - 1;
        format!("[{}] to cell {layer} of {cells}{by}", labels.join(", "))
    }

    fn way(&self, mut layer: usize, mut state: u32) -> (Vec<u32>, Vec<u32>) {
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

    /// The labels of one solution through a state that has any, as `has_future` knows.
    pub(super) fn word(
        &self,
        layer: usize,
        state: u32,
        has_future: impl Fn(usize, u32) -> bool,
    ) -> String {
        let (mut labels, _) = self.way(layer, state);
        let (mut layer, mut state) = (layer, state);
        while let Some(steps) = self.layers[layer].steps.get(state as usize) {
            let Some(&(label, next)) = steps.iter().find(|&&(_, next)| has_future(layer + 1, next))
            else {
                break;
            };
            labels.push(label);
            (layer, state) = (layer + 1, next);
        }
        let labels: Vec<&str> =
            labels.into_iter().map(|label| &*self.labels[label as usize].0).collect();
        format!("[{}]", labels.join(", "))
    }
}
