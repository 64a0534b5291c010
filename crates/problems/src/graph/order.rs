//! Orders in which the edges of a graph are swept: [`Order`], and their improvement by simulated
//! annealing (Kirkpatrick, Gelatt and Vecchi, 1983).
//!
//! Long functions that no sweep needs are `#[inline]`, here and in `shapes`, so that they are
//! compiled only in crates that call them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::model::{Graph, GraphError, narrow};

/// The order in which the edges of a graph are swept.
///
/// The *frontier* at a position of the order consists of the vertices with edges both before and
/// after it. Its width determines the cost of a sweep: the number of states is exponential in it,
/// and each state has to fit into a word. A good order has small [`widths`](Self::widths), or
/// better a small [`cost`](Self::cost). Finding the best order is as hard as finding the pathwidth
/// of the graph, so the ready-made orders are heuristics, and [`narrowest`](Self::narrowest)
/// returns the best of them.
///
/// An order of vertices induces an order of edges: each vertex in turn contributes all its edges to
/// later vertices.
///
/// ```
/// use secateurs_problems::graph::{Graph, Order};
///
/// let grid = Graph::grid(&[3, 20])?;
/// let by_row = Order::of_vertices(&grid, &(0..60).collect::<Vec<_>>())?;
/// assert_eq!(by_row.width(), 20);
/// assert!(Order::breadth_first(&grid).width() <= 4); // along the shorter side
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
/// ```
///
/// (Sweeping a frontier along a linear order: Sekine, Imai and Tani, 1995, for spanning trees and
/// the Tutte polynomial; Knuth, *The Art of Computer Programming* 4A, 2011, with `SIMPATH`;
/// Kawahara, Inoue, Iwashita and Minato, 2017, under the name of frontier-based search.)
#[derive(Clone, Debug)]
pub struct Order<'g> {
    graph: &'g Graph,
    edges: Vec<u32>,
}

impl<'g> Order<'g> {
    /// Creates the order of the edges by their numbers.
    #[must_use]
    pub fn as_given(graph: &'g Graph) -> Self {
        Order { graph, edges: (0..narrow(graph.edge_count())).collect() }
    }

    /// Creates an order from the numbers of all edges.
    ///
    /// # Errors
    /// Returns a [`GraphError`] unless these are all edges, each once.
    pub fn of_edges(graph: &'g Graph, edges: &[usize]) -> Result<Self, GraphError> {
        check_permutation("edge", edges, graph.edge_count())?;
        Ok(Order { graph, edges: edges.iter().map(|&edge| narrow(edge)).collect() })
    }

    /// Creates an order from the numbers of all vertices; each vertex contributes its edges to
    /// later ones.
    ///
    /// # Errors
    /// Returns a [`GraphError`] unless these are all vertices, each once.
    pub fn of_vertices(graph: &'g Graph, vertices: &[usize]) -> Result<Self, GraphError> {
        check_permutation("vertex", vertices, graph.vertices())?;
        Ok(Self::from_vertex_order(graph, vertices))
    }

    #[inline]
    fn from_vertex_order(graph: &'g Graph, vertices: &[usize]) -> Self {
        let mut place = vec![0; vertices.len()];
        for (index, &vertex) in vertices.iter().enumerate() {
            place[vertex] = index;
        }
        let mut edges: Vec<usize> = (0..graph.edge_count()).collect();
        sort_by_pair(&mut edges, &|edge| {
            let (one, other) = graph.edge(edge);
            (place[one].min(place[other]), place[one].max(place[other]))
        });
        Order { graph, edges: edges.into_iter().map(narrow).collect() }
    }

    /// Creates the order of the vertices by breadth-first search from a pseudo-peripheral vertex of
    /// each component: in rings of equal distance, so that the frontier is about one ring. (Cuthill
    /// and McKee, 1969, for matrices. The pseudo-peripheral vertex is the last one of the second of
    /// two breadth-first searches, which simplifies Gibbs, Poole and Stockmeyer, 1976.)
    ///
    /// Takes time O(n + m log m) for n vertices and m edges.
    #[must_use]
    #[inline]
    pub fn breadth_first(graph: &'g Graph) -> Self {
        let mut seen = vec![false; graph.vertices()];
        let mut order = Vec::with_capacity(graph.vertices());
        for vertex in 0..graph.vertices() {
            if !seen[vertex] {
                let component =
                    breadth_first_component(graph, pseudo_peripheral_vertex(graph, vertex));
                component.iter().for_each(|&vertex| seen[vertex] = true);
                order.extend(component);
            }
        }
        Self::from_vertex_order(graph, &order)
    }

    /// Creates an order greedily from a pseudo-peripheral vertex of each component. The next vertex
    /// is the one of the frontier with the fewest edges to vertices that have not entered it yet,
    /// so that its removal leaves the smallest frontier; of several such vertices, the one that
    /// entered the frontier first. (King, 1970, for matrices.)
    ///
    /// Takes time O(n + m log m) for n vertices and m edges.
    #[must_use]
    #[inline]
    pub fn minimum_frontier(graph: &'g Graph) -> Self {
        let mut greedy = MinimumFrontier::new(graph);
        for vertex in 0..graph.vertices() {
            if !greedy.ordered[vertex] {
                greedy.grow(pseudo_peripheral_vertex(graph, vertex));
            }
        }
        Self::from_vertex_order(graph, &greedy.order)
    }

    /// Returns the order of the least [`cost`](Self::cost) among these: vertices by number,
    /// [breadth first](Self::breadth_first), [minimum frontier](Self::minimum_frontier), and edges
    /// [as given](Self::as_given). Of several cheapest orders it returns the first.
    #[must_use]
    #[inline]
    pub fn narrowest(graph: &'g Graph) -> Self {
        let numbered: Vec<usize> = (0..graph.vertices()).collect();
        let first = Order::from_vertex_order(graph, &numbered);
        [Order::breadth_first(graph), Order::minimum_frontier(graph), Order::as_given(graph)]
            .into_iter()
            .fold(first, Self::cheaper)
    }

    /// Returns the best order that simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) finds
    /// from this one: `rounds` times it moves a random vertex to another position, and moves it
    /// back unless the change of the estimated cost is accepted by the rule of Metropolis.
    ///
    /// Takes time proportional to `rounds` times the size of the graph; about 100 000 rounds pay
    /// off for sweeps that take more than seconds. The same seed gives the same order. On a
    /// knight's board of 6 × 7 squares, where Hamiltonian cycles take 10 million states column by
    /// column and 1.5 million by [minimum frontier](Self::minimum_frontier), it finds orders of
    /// fewer than 300 000 states; on wider boards it gains less.
    ///
    /// ```
    /// use secateurs_problems::graph::{Graph, Order};
    ///
    /// let board = Graph::knight(6, 6)?;
    /// let order = Order::narrowest(&board);
    /// let better = order.annealed(10_000, 1);
    /// assert!(better.cost() <= order.cost());
    /// # Ok::<(), secateurs_problems::graph::GraphError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn annealed(&self, rounds: usize, seed: u64) -> Self {
        let vertices = anneal(self.graph, self.vertices(), rounds, seed);
        self.clone().cheaper(Self::from_vertex_order(self.graph, &vertices))
    }

    /// Returns `other` if it costs less than this order, and otherwise this order.
    fn cheaper(self, other: Self) -> Self {
        if other.cost() < self.cost() { other } else { self }
    }

    /// Returns the reverse order. Its widths are the same in reverse, so its cost is the same, but
    /// a sweep may have a different number of states.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Order { graph: self.graph, edges: self.edges.iter().rev().copied().collect() }
    }

    /// Returns the graph.
    #[must_use]
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Returns the numbers of the edges, in this order.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.edges.iter().map(|&edge| edge as usize)
    }

    /// Returns all vertices in the order of their last edges; those without edges come last.
    #[must_use]
    pub fn vertices(&self) -> Vec<usize> {
        let mut vertices: Vec<usize> = (0..self.graph.vertices()).collect();
        let spans = spans(self);
        sort_by_pair(&mut vertices, &|vertex| {
            spans[vertex].map_or((usize::MAX, 0), |(first, last)| (last, first))
        });
        vertices
    }

    /// Returns the width of the frontier after each edge: the number of vertices with edges both up
    /// to there and after it.
    #[must_use]
    pub fn widths(&self) -> Vec<usize> {
        let mut change = vec![(0usize, 0usize); self.edges.len()];
        for (first, last) in spans(self).into_iter().flatten() {
            change[first].0 += 1;
            change[last].1 += 1;
        }
        let mut width = 0;
        let step = |(enter, leave): (usize, usize)| {
            width = width + enter - leave;
            width
        };
        change.into_iter().map(step).collect()
    }

    /// Returns the maximal width of the frontier; 0 if there are no edges.
    #[must_use]
    pub fn width(&self) -> usize {
        self.widths().into_iter().max().unwrap_or(0)
    }

    /// Returns the sum of 2 to the power of each [width](Self::widths): a rough measure of the cost
    /// of a sweep, for comparing orders.
    #[must_use]
    pub fn cost(&self) -> f64 {
        // Widths are at most 2²⁰. A power that overflows is infinite: such an order cannot be swept
        // anyway.
        self.widths()
            .into_iter()
            .map(|width| 2f64.powi(i32::try_from(width).unwrap_or(i32::MAX)))
            .sum()
    }
}

/// Sorts stably by a key of two numbers. The key is a trait object, so that all orders share one
/// instance of the sort, which is some kilobytes of code.
#[inline]
fn sort_by_pair(items: &mut [usize], key: &dyn Fn(usize) -> (usize, usize)) {
    items.sort_by_key(|&item| key(item));
}

/// Returns the vertices of the component of `from` in breadth-first order. New neighbours of a
/// vertex are ordered by degree.
#[inline]
fn breadth_first_component(graph: &Graph, from: usize) -> Vec<usize> {
    let mut seen = std::collections::HashSet::from([from]);
    let mut queue = VecDeque::from([from]);
    let mut order = Vec::new();
    while let Some(vertex) = queue.pop_front() {
        order.push(vertex);
        let mut next: Vec<usize> =
            graph.neighbours(vertex).filter(|&next| seen.insert(next)).collect();
        sort_by_pair(&mut next, &|next| (graph.degree(next), 0));
        queue.extend(next);
    }
    order
}

/// Returns a pseudo-peripheral vertex of the component of `vertex`, by two breadth-first searches.
fn pseudo_peripheral_vertex(graph: &Graph, vertex: usize) -> usize {
    let last = |from| breadth_first_component(graph, from).pop().unwrap_or(from);
    last(last(vertex))
}

/// The state of the greedy search of [`Order::minimum_frontier`].
struct MinimumFrontier<'g> {
    graph: &'g Graph,
    order: Vec<usize>,
    /// Whether each vertex is in `order`.
    ordered: Vec<bool>,
    /// The time of entry of each vertex into the frontier, which breaks ties: the number of
    /// vertices that entered before. `None` before its entry.
    entered: Vec<Option<usize>>,
    /// The number of vertices that have entered the frontier.
    entries: usize,
    /// The number of neighbours of each vertex that have not entered the frontier yet.
    fresh: Vec<usize>,
    /// The vertices of the frontier by fresh neighbours and time of entry. Outdated entries are
    /// skipped.
    candidates: BinaryHeap<Reverse<(usize, usize, usize)>>,
}

impl<'g> MinimumFrontier<'g> {
    fn new(graph: &'g Graph) -> Self {
        let vertices = graph.vertices();
        MinimumFrontier {
            graph,
            order: Vec::with_capacity(vertices),
            ordered: vec![false; vertices],
            entered: vec![None; vertices],
            entries: 0,
            fresh: (0..vertices).map(|vertex| graph.degree(vertex)).collect(),
            candidates: BinaryHeap::new(),
        }
    }

    fn enter(&mut self, vertex: usize) {
        self.entered[vertex] = Some(self.entries);
        self.entries += 1;
        self.push_candidate(vertex);
        for neighbour in self.graph.neighbours(vertex) {
            self.fresh[neighbour] -= 1;
            self.push_candidate(neighbour);
        }
    }

    fn push_candidate(&mut self, vertex: usize) {
        if let Some(entered) = self.entered[vertex].filter(|_| !self.ordered[vertex]) {
            self.candidates.push(Reverse((self.fresh[vertex], entered, vertex)));
        }
    }

    /// Orders the component of `start`.
    fn grow(&mut self, start: usize) {
        self.enter(start);
        while let Some(Reverse((fresh, _, vertex))) = self.candidates.pop() {
            if self.ordered[vertex] || fresh != self.fresh[vertex] {
                continue;
            }
            self.ordered[vertex] = true;
            self.order.push(vertex);
            for neighbour in self.graph.neighbours(vertex) {
                if self.entered[neighbour].is_none() {
                    self.enter(neighbour);
                }
            }
        }
    }
}

/// Returns the positions in the order of the first and the last edge of each vertex; `None` for a
/// vertex without edges.
fn spans(order: &Order<'_>) -> Vec<Option<(usize, usize)>> {
    let mut spans = vec![None; order.graph().vertices()];
    for (place, edge) in order.edges().enumerate() {
        let (one, other) = order.graph().edge(edge);
        for vertex in [one, other] {
            spans[vertex].get_or_insert((place, place)).1 = place;
        }
    }
    spans
}

/// Checks that `order` lists the numbers below `expected`, each once; `what` names them in errors.
fn check_permutation(
    what: &'static str,
    order: &[usize],
    expected: usize,
) -> Result<(), GraphError> {
    let mut places: Vec<Option<usize>> = vec![None; expected];
    for (place, &number) in order.iter().enumerate() {
        match places.get_mut(number) {
            None => return Err(GraphError::UnknownInOrder { what, place, number, expected }),
            Some(Some(first)) => {
                return Err(GraphError::RepeatedInOrder { what, place, number, first: *first });
            }
            Some(entry) => *entry = Some(place),
        }
    }
    if order.len() == expected {
        Ok(())
    } else {
        Err(GraphError::MissingInOrder { what, found: order.len(), expected })
    }
}

/// The first temperature. The cost is a binary logarithm, so a change that doubles the expected
/// number of states is accepted with probability exp(−1 / temperature).
const INITIAL_TEMPERATURE: f64 = 0.5;
/// The last temperature.
const FINAL_TEMPERATURE: f64 = 0.005;
/// Half of the changes move a vertex by at most this number of positions.
const SHORT_MOVE: usize = 4;

/// Moves one vertex at a time to another position, `rounds` times, and returns the cheapest order
/// found.
#[inline]
fn anneal(graph: &Graph, mut vertices: Vec<usize>, rounds: usize, seed: u64) -> Vec<usize> {
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
        let new_cost = costs.cost(&vertices);
        if new_cost <= cost || random.f64() < ((cost - new_cost) / temperature).exp() {
            cost = new_cost;
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

/// Estimates the cost of vertex orders from above, by the widths of the frontier.
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
        // A vertex is taken to be in the frontier from the position of its first neighbour to its
        // own. It may leave earlier, with its last neighbour; but by widths that regard this,
        // annealing finds worse orders: on a knight's board of 6 × 7 squares, of 366,367 states
        // instead of 243,739.
        self.change.fill(0);
        for (vertex, &own) in self.place.iter().enumerate() {
            let first = self.graph.neighbours(vertex).map(|neighbour| self.place[neighbour]).min();
            if let Some(first) = first.filter(|&first| first < own) {
                self.change[first] += 1;
                self.change[own] -= 1;
            }
        }
        // The sum is divided by 2 to the power of `widest`, so that it cannot overflow.
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
