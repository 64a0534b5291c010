//! Improves orders by simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983).

use super::model::Graph;

/// The first temperature. The cost is a binary logarithm, so a change that doubles the expected
/// number of states is accepted with probability exp(−1 / temperature).
const INITIAL_TEMPERATURE: f64 = 0.5;
/// The last temperature.
const FINAL_TEMPERATURE: f64 = 0.005;
/// Half of the changes move a vertex by at most this number of positions.
const SHORT_MOVE: usize = 4;

/// Moves one vertex at a time to another position, `rounds` times, and returns the cheapest order
/// found.
#[inline] // Compiled only in crates that call it.
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
    let mut costs = OrderCost::new(graph);
    let mut cost = costs.cost(&vertices);
    let mut best = (cost, vertices.clone());
    for round in 0..rounds {
        let temperature = FINAL_TEMPERATURE
            + (INITIAL_TEMPERATURE - FINAL_TEMPERATURE) * (1.0 - round as f64 / rounds as f64);
        let from = random.usize(..count);
        let to = if random.bool() {
            random.usize(..count)
        } else {
            (from + random.usize(..=2 * SHORT_MOVE)).saturating_sub(SHORT_MOVE).min(count - 1)
        };
        shift(&mut vertices, from, to);
        let changed = costs.cost(&vertices);
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

/// Moves the element at one position to another, and shifts those between.
fn shift(vertices: &mut [usize], from: usize, to: usize) {
    if from < to {
        vertices[from..=to].rotate_left(1);
    } else {
        vertices[to..=from].rotate_right(1);
    }
}

/// Computes the cost of vertex orders from the widths of the frontier.
struct OrderCost<'g> {
    graph: &'g Graph,
    place: Vec<usize>,
    /// The change of the width of the frontier after each position.
    change: Vec<i32>,
}

impl<'g> OrderCost<'g> {
    fn new(graph: &'g Graph) -> Self {
        OrderCost { graph, place: vec![0; graph.vertices()], change: vec![0; graph.vertices()] }
    }

    /// Returns the binary logarithm of the sum of 2 to the power of each width.
    fn cost(&mut self, vertices: &[usize]) -> f64 {
        for (place, &vertex) in vertices.iter().enumerate() {
            self.place[vertex] = place;
        }
        // A vertex is in the frontier from the position of its first neighbour to its own.
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
