//! Diagrams of random graphs whose layers are early, skipped or equal, with and without
//! constraints, against the enumeration of all paths.

use std::hash::Hash;

use secateurs::diagram::DiagramProblem;
use secateurs::hook::{self, BoxedHook};
use secateurs::{Branch, Constraint, CopyProblem, Effect, Node, Objective, Search};

/// The paths from place 0 through an acyclic graph; the value of a path is the sum of its gains.
struct Places {
    /// The gain of each step, from a place to a later one.
    gains: Vec<Vec<Option<i64>>>,
    is_goal: Vec<bool>,
    /// Any numbers: the documentation allows layers that are too early or far apart.
    layers: Vec<usize>,
}

/// A place, or the set of places of a merged state, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stand {
    places: u32,
    sum: i64,
}

impl Stand {
    fn places(self) -> impl Iterator<Item = usize> + Clone {
        (0..32).filter(move |place| self.places >> place & 1 == 1)
    }
}

impl Places {
    fn random(seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let count = rng.usize(1..9);
        let density = rng.f64();
        let mut gain =
            |from: usize, to: usize| (to > from && rng.f64() < density).then(|| rng.i64(-2..6));
        let gains = (0..count).map(|from| (0..count).map(|to| gain(from, to)).collect()).collect();
        let is_goal = (0..count).map(|place| place + 1 == count || rng.u8(..3) == 0).collect();
        // In order, in order with equal and skipped numbers, or in no order at all.
        let (step, way) = (rng.usize(1..3), rng.u8(..3));
        // As they are, far apart, or the greatest ones.
        let (factor, first) = match rng.u8(..4) {
            0 => (usize::MAX / 16, 0),
            1 => (1, usize::MAX - 15),
            _ => (1, 0),
        };
        let layers = (0..count).map(|place| match way {
            0 => place,
            1 => place / step * 2,
            _ => rng.usize(0..count),
        });
        let layers = layers.map(|layer| first + factor * layer).collect();
        Places { gains, is_goal, layers }
    }

    /// Returns the best gain of a step from any of the places.
    fn gain(&self, stand: &Stand, to: usize) -> Option<i64> {
        stand.places().filter_map(|from| self.gains[from][to]).max()
    }

    /// Returns the best value of the paths that `allows` each prefix of.
    fn best(
        &self,
        path: &mut Vec<usize>,
        sum: i64,
        allows: &dyn Fn(&[usize]) -> bool,
    ) -> Option<i64> {
        if !allows(path) {
            return None;
        }
        let place = path.last().copied().unwrap_or(0);
        let mut best = self.is_goal[place].then_some(sum);
        for (to, gain) in self.gains[place].iter().enumerate() {
            if let Some(gain) = gain {
                path.push(to);
                best = best.max(self.best(path, sum + gain, allows));
                path.pop();
            }
        }
        best
    }
}

impl CopyProblem for Places {
    type State = Stand;
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> Stand {
        Stand { places: 1, sum: 0 }
    }
    fn branch(&self, stand: &Stand) -> Branch<usize> {
        if stand.places().any(|place| self.is_goal[place]) {
            Branch::SolutionInner(0)
        } else {
            Branch::Inner(0)
        }
    }
    fn next(&self, stand: &Stand, cursor: &mut usize) -> Option<usize> {
        let to = (*cursor..self.gains.len()).find(|&to| self.gain(stand, to).is_some())?;
        *cursor = to + 1;
        Some(to)
    }
    fn apply(&self, stand: Stand, &to: &usize) -> Stand {
        Stand { places: 1 << to, sum: stand.sum + self.gain(&stand, to).unwrap_or(0) }
    }
}

impl DiagramProblem for Places {
    fn layer(&self, stand: &Stand) -> usize {
        stand.places().next().map_or(0, |place| self.layers[place])
    }
    fn key(&self, stand: &Stand) -> impl Hash + Eq {
        stand.places
    }
    fn merge(&self, stand: &mut Stand, other: &Stand) {
        stand.places |= other.places;
        stand.sum = stand.sum.max(other.sum);
    }
}

/// Whether a constraint of the given kind allows the last place of a path.
fn allows(kind: Option<Constraint>, seed: u64, path: &[usize]) -> bool {
    let read = match kind {
        None => return true,
        Some(Constraint::State) => &path[path.len().saturating_sub(1)..],
        Some(Constraint::Path) => path,
    };
    let mixed = read.iter().fold(seed, |mixed, &place| mixed * 31 + 7 * place as u64 + 1);
    path.is_empty() || fastrand::Rng::with_seed(mixed).u8(..3) > 0
}

#[test]
fn no_layers_and_no_constraints_make_a_wrong_optimum_proven() {
    let mut proven_with_path = [0; 2];
    for seed in 0..600 {
        let places = Places::random(seed);
        let kind = [None, Some(Constraint::State), Some(Constraint::Path)][seed as usize % 3];
        let best = places.best(&mut Vec::new(), 0, &|path| allows(kind, seed, path));
        let constraint = || -> Vec<BoxedHook<'static, Places>> {
            let hook = kind.map(|kind| {
                let decide =
                    move |node: &Node<'_, Places>| allows(Some(kind), seed, &node.path().to_vec());
                hook::constraint("constraint", kind, decide).parameters(&seed)
            });
            hook.into_iter().map(|hook| Box::new(hook) as BoxedHook<'_, _>).collect()
        };
        let sum = || Objective::maximise(|_: &Places, stand: &Stand| stand.sum);
        for width in 1..4 {
            let value = sum();
            let mut hooks = constraint();
            hooks.push(Box::new(value.relaxed_bound("relaxed", width)));
            let bounded = Search::new(&places).hooks(hooks).best(&value);
            let label = format!("seed {seed}, width {width}, {kind:?}");
            assert_eq!(bounded.proven().copied(), best, "{label}: bound");
            assert_eq!(bounded.is_proven_infeasible(), best.is_none(), "{label}: bound");
            for threads in [1, 2] {
                let value = sum();
                let search = Search::new(&places).hooks(constraint());
                let search = search.diagrams(&value, width).cut_width(seed as usize % 4);
                let outcome = match threads {
                    1 => search.best(&value),
                    _ if seed % 8 > 0 => continue,
                    _ => search.threads(2).best(&value),
                };
                if kind == Some(Constraint::Path) {
                    assert_eq!(outcome.effect(), Effect::Lossy, "{label}");
                    assert_eq!(outcome.proven(), None, "{label}");
                    proven_with_path[usize::from(outcome.best_so_far().copied() == best)] += 1;
                } else {
                    assert_eq!(outcome.proven().copied(), best, "{label}, {threads} threads");
                    assert_eq!(outcome.is_proven_infeasible(), best.is_none(), "{label}");
                }
            }
            let value = sum();
            let search = Search::new(&places).hooks(constraint()).restricted(&value, width);
            let outcome = search.best(&value);
            assert!(outcome.proven().is_none_or(|proven| Some(*proven) == best), "{label}");
            assert!(!outcome.is_proven_infeasible() || best.is_none(), "{label}");
        }
    }
    // Without the rule for constraints of paths, these answers would have been called proven.
    assert!(proven_with_path[0] > 0, "{proven_with_path:?}");
}

/// Places 0 to 3; from 0 to 1 and 2, and from 1 to 3. Place 1 is in the layer of place 0.
#[test]
fn a_state_in_the_layer_of_its_parent_is_not_merged_with_those_of_the_next_layer() {
    let mut gains = vec![vec![None; 4]; 4];
    (gains[0][1], gains[0][2], gains[1][3]) = (Some(1), Some(9), Some(9));
    let is_goal = vec![false, false, false, true];
    let places = Places { gains, is_goal, layers: vec![0, 0, 1, 2] };
    let sum = Objective::maximise(|_: &Places, stand: &Stand| stand.sum);
    let bound = sum.relaxed_bound("relaxed", 1);
    assert_eq!(Search::new(&places).hook(bound).best(&sum).proven(), Some(&10));
}

/// Two steps from the start, one of them past a layer; only the worse one leads to a goal.
#[test]
fn a_restricted_diagram_compares_nodes_of_one_layer_only() {
    let mut gains = vec![vec![None; 4]; 4];
    (gains[0][1], gains[0][2], gains[1][3]) = (Some(1), Some(9), Some(1));
    let is_goal = vec![false, false, false, true];
    let best = |layers: [usize; 4]| {
        let places =
            Places { gains: gains.clone(), is_goal: is_goal.clone(), layers: layers.to_vec() };
        let sum = Objective::maximise(|_: &Places, stand: &Stand| stand.sum);
        Search::new(&places).restricted(&sum, 1).best(&sum).best_so_far().copied()
    };
    assert_eq!(best([0, 1, 2, 3]), Some(2));
    assert_eq!(best([0, 1, 1, 3]), None);
}
