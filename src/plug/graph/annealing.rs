//! Better orders by chance: simulated annealing, after Kirkpatrick, Gelatt and Vecchi (1983).

use super::model::Graph;

/// Changes that make the cost worse by this factor (as a power of 2) are taken now and then in the
/// beginning, and
const HOT: f64 = 0.5;
/// those that make it worse by this one in the end.
const COLD: f64 = 0.005;
/// Every other change moves a vertex by so many places at most.
const NEAR: usize = 4;

/// Moves one vertex at a time to another place, `rounds` times, and gives the cheapest order on the
/// way.
#[inline] // Compiled only for those who call it.
pub(super) fn anneal(
    graph: &Graph,
    mut vertices: Vec<usize>,
    rounds: usize,
    seed: u64,
) -> Vec<usize> {
    let count = vertices.len();
    if count < 2 {
        return vertices;
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let mut scales = Scales::new(graph);
    let mut cost = scales.weigh(&vertices);
    let mut best = (cost, vertices.clone());
    for round in 0..rounds {
        let temperature = COLD + (HOT - COLD) * (1.0 - round as f64 / rounds as f64);
        let from = random.usize(..count);
        let to = if random.bool() {
            random.usize(..count)
        } else {
            (from + random.usize(..=2 * NEAR)).saturating_sub(NEAR).min(count - 1)
        };
        shift(&mut vertices, from, to);
        let changed = scales.weigh(&vertices);
        if changed <= cost || random.f64() < ((cost - changed) / temperature).exp() {
            cost = changed;
            if cost < best.0 {
                best = (cost, vertices.clone());
            }
        } else {
            shift(&mut vertices, to, from);
        }
    }
    best.1
}

/// Moves what is at one place to another; those between make room.
fn shift(vertices: &mut [usize], from: usize, to: usize) {
    if from < to {
        vertices[from..=to].rotate_left(1);
    } else {
        vertices[to..=from].rotate_right(1);
    }
}

/// Weighs orders of vertices by the widths of the frontier after each of them.
struct Scales<'g> {
    graph: &'g Graph,
    place: Vec<usize>,
    /// How many vertices more than before are in the frontier after each place.
    change: Vec<i32>,
}

impl<'g> Scales<'g> {
    fn new(graph: &'g Graph) -> Self {
        Scales { graph, place: vec![0; graph.vertices()], change: vec![0; graph.vertices()] }
    }

    /// The logarithm of the sum of 2 to the power of each width.
    fn weigh(&mut self, vertices: &[usize]) -> f64 {
        for (place, &vertex) in vertices.iter().enumerate() {
            self.place[vertex] = place;
        }
        // A vertex is in the frontier from its first neighbour's turn to its own.
        self.change.fill(0);
        for (vertex, &own) in self.place.iter().enumerate() {
            let first = self.graph.neighbours(vertex).map(|neighbour| self.place[neighbour]).min();
            if let Some(first) = first.filter(|&first| first < own) {
                self.change[first] += 1;
                self.change[own] -= 1;
            }
        }
        let (mut width, mut widest, mut sum) = (0, 0, 0.0f64);
        for &change in &self.change {
            width += change;
            if width > widest {
                sum *= f64::from(widest - width).exp2();
                widest = width;
            }
            sum += f64::from(width - widest).exp2();
        }
        f64::from(widest) + sum.log2()
    }
}
