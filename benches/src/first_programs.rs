//! Small problems in the shortest form that the library offers, beside plain recursions for the
//! same trees.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash};
use std::hint::black_box;

use rustc_hash::FxHasher;
use secateurs::brancher::{Branching, SmallestDomain};
use secateurs::hook::{Dominance, ForwardChecking, Memo};
use secateurs::plug::{ContourProblem, ContourTree};
use secateurs::{Assignments, Branch, CopyProblem, Objective, Search, Successors};
use secateurs_problems::catalogue::{Grid, simple_cycles};

use crate::group::Group;

type Map<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// The subsets of 22 items that weigh at most 300: the items decided so far, and what they weigh.
#[derive(Clone, Copy)]
struct Knapsack {
    items: usize,
    weight: u32,
}

const ITEMS: usize = 22;

fn weight_of(item: usize) -> u32 {
    13 + (item as u32 * 37) % 29
}

fn count_subsets(weights: &[u32], knapsack: Knapsack) -> u64 {
    let Knapsack { items, weight } = knapsack;
    let Some(&more) = weights.get(items) else { return 1 };
    let mut count = count_subsets(weights, Knapsack { items: items + 1, weight });
    if weight + more <= 300 {
        count += count_subsets(weights, Knapsack { items: items + 1, weight: weight + more });
    }
    count
}

/// Returns the group of the subsets of a knapsack.
pub fn knapsack() -> Group<Vec<u32>> {
    let weights: Vec<u32> = (0..ITEMS).map(weight_of).collect();
    let empty = Knapsack { items: 0, weight: 0 };
    Group::new("first_programs/subsets of 22 items", weights, 2_146_534, 5_057_498)
        .contender("recursion", move |weights| count_subsets(weights, empty))
        .contender("successors", move |weights| {
            let subsets = Successors::new(
                empty,
                |knapsack: &Knapsack| knapsack.items == ITEMS,
                |Knapsack { items, weight }| {
                    let with = weight + weights[items];
                    [Some(weight), (with <= 300).then_some(with)]
                        .into_iter()
                        .flatten()
                        .map(move |weight| Knapsack { items: items + 1, weight })
                },
            );
            Search::new(&subsets).count()
        })
}

/// Colours of the first vertices of a graph of 16.
#[derive(Clone, Copy)]
struct Coloured {
    vertices: usize,
    colours: [u8; 16],
}

impl Coloured {
    const NONE: Self = Coloured { vertices: 0, colours: [0; 16] };

    fn with(mut self, colour: u8) -> Self {
        self.colours[self.vertices] = colour;
        self.vertices += 1;
        self
    }
}

/// For each vertex its neighbours among the earlier ones.
type Neighbours = Vec<Vec<usize>>;

fn allows(neighbours: &Neighbours, coloured: &Coloured, colour: u8) -> bool {
    neighbours[coloured.vertices].iter().all(|&other| coloured.colours[other] != colour)
}

fn count_colourings(neighbours: &Neighbours, coloured: Coloured) -> u64 {
    if coloured.vertices == 16 {
        return 1;
    }
    let mut count = 0;
    for colour in 0..4 {
        if allows(neighbours, &coloured, colour) {
            count += count_colourings(neighbours, coloured.with(colour));
        }
    }
    count
}

/// Returns a graph of 16 vertices.
fn random_graph() -> Neighbours {
    let mut random = fastrand::Rng::with_seed(1);
    (0..16).map(|vertex| (0..vertex).filter(|_| random.f64() < 0.3).collect()).collect()
}

/// Returns the problem of colouring a graph of 16 vertices with four colours.
fn all_colourings(neighbours: &Neighbours) -> impl CopyProblem<State = Coloured> {
    Successors::new(
        Coloured::NONE,
        |coloured: &Coloured| coloured.vertices == 16,
        move |coloured| {
            (0..4)
                .filter(move |&colour| allows(neighbours, &coloured, colour))
                .map(move |colour| coloured.with(colour))
        },
    )
}

/// Returns the group of the colourings of a graph of 16 vertices with four colours.
pub fn colourings() -> Group<Neighbours> {
    Group::new("first_programs/colourings of 16 vertices", random_graph(), 960, 131_541)
        .contender("recursion", |neighbours| count_colourings(neighbours, Coloured::NONE))
        .contender("successors", |neighbours| Search::new(&all_colourings(neighbours)).count())
}

/// Returns the group of the same colourings in another order: those with the least sum of
/// colours first. Both orders enter the same nodes.
pub fn best_first() -> Group<Neighbours> {
    Group::new("first_programs/colourings, best first", random_graph(), 960, 131_541)
        .contender("depth first", |neighbours| Search::new(&all_colourings(neighbours)).count())
        .contender("best first", |neighbours| {
            let sum = |coloured: &Coloured| -> u32 { coloured.colours.map(u32::from).iter().sum() };
            let least = Objective::minimise(|_, coloured| sum(coloured));
            let colourings = all_colourings(neighbours);
            Search::new(&colourings).best_first(&least, |_, coloured| sum(coloured)).count()
        })
}

/// The vertices without a colour, and the colours that each may have, as bits.
#[derive(Clone, Copy)]
struct Allowed {
    open: u16,
    colours: [u8; 16],
}

impl Allowed {
    const ALL: Self = Allowed { open: u16::MAX, colours: [0b1111; 16] };

    fn vertices(self) -> impl Iterator<Item = usize> {
        (0..16).filter(move |vertex| self.open >> vertex & 1 != 0)
    }

    fn colours(self, vertex: usize) -> impl Iterator<Item = u8> {
        (0..4).filter(move |colour| self.colours[vertex] >> colour & 1 != 0)
    }

    fn with(mut self, both: &Neighbours, vertex: usize, colour: u8) -> Self {
        self.open &= !(1 << vertex);
        for &other in &both[vertex] {
            self.colours[other] &= !(1 << colour);
        }
        self
    }
}

/// Counts colourings: the vertex with the fewest colours is next, and none may have no colour left.
fn count_allowed(both: &Neighbours, allowed: Allowed) -> u64 {
    let left = |&vertex: &usize| allowed.colours[vertex].count_ones();
    let Some(vertex) = allowed.vertices().min_by_key(left) else { return 1 };
    if left(&vertex) == 0 {
        return 0;
    }
    allowed
        .colours(vertex)
        .map(|colour| count_allowed(both, allowed.with(both, vertex, colour)))
        .sum()
}

/// Returns the group of the same colourings with forward checking and the smallest domain first.
pub fn assignments() -> Group<Neighbours> {
    let earlier = random_graph();
    let is_edge =
        |one: usize, other: usize| earlier[one].contains(&other) || earlier[other].contains(&one);
    let neighbours = |vertex| (0..16).filter(|&other| is_edge(vertex, other)).collect();
    let both: Neighbours = (0..16).map(neighbours).collect();
    Group::new("first_programs/colourings, smallest domain first", both, 960, 2_177)
        .contender("recursion", |both| count_allowed(both, Allowed::ALL))
        .contender("assignments", |both| {
            let colourings = Assignments::new(
                Allowed::ALL,
                Allowed::vertices,
                Allowed::colours,
                |allowed, vertex, colour| allowed.with(both, vertex, colour),
            );
            let smallest = Branching::by(SmallestDomain::first_tie());
            Search::new(&colourings).hook(ForwardChecking).brancher(smallest).count()
        })
}

/// The ways to pay an amount with coins of 1, 2, 5 and 10 in any order, as an array of successors.
fn payments(rest: u32) -> [Option<u32>; 4] {
    [1, 2, 5, 10].map(|coin| rest.checked_sub(coin))
}

#[inline(never)]
fn count_payments(rest: u32) -> u64 {
    if rest == 0 {
        return 1;
    }
    payments(rest).into_iter().flatten().map(count_payments).sum()
}

/// Returns the group of the ways to pay 30.
pub fn payments_of_30() -> Group<u32> {
    Group::new("first_programs/payments of 30, from an array", 30, 5_877_241, 14_156_814)
        .contender("recursion", |&amount| count_payments(amount))
        .contender("successors", |&amount| {
            let all = |rest| payments(rest).into_iter().flatten();
            Search::new(&Successors::new(amount, |&rest| rest == 0, all)).count()
        })
}

/// The leaves of a binary tree, whose nodes do next to nothing.
struct Binary(u32);

impl CopyProblem for Binary {
    type State = u32;
    type Cursor = u8;
    type Choice = u8;

    fn root(&self) -> u32 {
        0
    }
    fn branch(&self, &depth: &u32) -> Branch<u8> {
        if depth == self.0 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, _: &u32, next: &mut u8) -> Option<u8> {
        *next += 1;
        (*next <= 2).then_some(*next)
    }
    fn apply(&self, depth: u32, _: &u8) -> u32 {
        depth + 1
    }
}

#[inline(never)]
fn count_leaves(depth: u32, height: u32) -> u64 {
    if black_box(depth) == height {
        return 1;
    }
    (0..2).map(|_| count_leaves(depth + 1, height)).sum()
}

/// Returns the group of a binary tree of height 20.
pub fn nearly_empty_nodes() -> Group<u32> {
    Group::new("first_programs/binary tree of height 20", 20, 1 << 20, (2 << 20) - 1)
        .contender("recursion", |&height| count_leaves(0, height))
        .contender("copied states", |&height| Search::new(&Binary(height)).count())
}

/// The strings of bits without two ones side by side, as a contour problem.
pub struct SparseStrings {
    length: usize,
}

impl ContourProblem for SparseStrings {
    type State = bool;
    type Label = bool;

    fn cells(&self) -> usize {
        self.length
    }
    fn start(&self) -> bool {
        false
    }
    fn step(&self, _: usize, last: bool, emit: &mut impl FnMut(bool, bool)) {
        emit(false, false);
        if !last {
            emit(true, true);
        }
    }
    fn accept(&self, _: bool) -> bool {
        true
    }
}

/// Counts the paths of a contour problem without merging equal states.
fn count_paths<P: ContourProblem>(problem: &P, cell: usize, state: P::State) -> u64 {
    if cell == problem.cells() {
        return u64::from(problem.accept(state));
    }
    let mut count = 0;
    problem.step(cell, state, &mut |state, _| count += count_paths(problem, cell + 1, state));
    count
}

fn contour_tree<P>(name: &str, problem: P, answer: u128, nodes: u64) -> Group<P>
where
    P: ContourProblem<Label: PartialEq> + 'static,
{
    Group::new(name, problem, answer, nodes)
        .contender("recursion", |problem| count_paths(problem, 0, problem.start()))
        .contender("contour tree", |problem| {
            let tree = ContourTree::unweighted(problem).expect("the states fit");
            Search::new(&tree).count()
        })
}

/// Returns the group of the paths of a contour problem with at most two steps per cell.
pub fn two_way_contour_tree() -> Group<SparseStrings> {
    let strings = SparseStrings { length: 27 };
    contour_tree("first_programs/contour tree, two-way", strings, 514_229, 1_346_267)
}

/// Returns the group of the loops on a board of 5×5 vertices, by a search of the contour problem.
pub fn contour_tree_of_loops() -> Group<impl ContourProblem<Label: PartialEq> + 'static> {
    let loops = simple_cycles(&Grid::new(5, 5).expect("a small board"));
    contour_tree("first_programs/contour tree, loops", loops, 9_349, 89_787)
}

/// Peg solitaire on a board of 5×4 holes, of which one is empty at first; a solution leaves one
/// peg. Pegs are bits.
pub struct Pegs {
    /// The pegs that a jump needs, and with the hole that it needs.
    jumps: Vec<(u32, u32)>,
}

impl Pegs {
    const ROWS: i32 = 5;
    const COLUMNS: i32 = 4;

    fn new() -> Self {
        let bit = |row: i32, column: i32| 1 << (row * Self::COLUMNS + column);
        let mut jumps = Vec::new();
        for row in 0..Self::ROWS {
            for column in 0..Self::COLUMNS {
                for (down, right) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                    let (to_row, to_column) = (row + 2 * down, column + 2 * right);
                    if (0..Self::ROWS).contains(&to_row) && (0..Self::COLUMNS).contains(&to_column)
                    {
                        let pegs = bit(row, column) | bit(row + down, column + right);
                        jumps.push((pegs, pegs | bit(to_row, to_column)));
                    }
                }
            }
        }
        Pegs { jumps }
    }

    /// The pegs after a mirror image from left to right, if it is the smaller number of both.
    fn canonical(pegs: u32) -> u32 {
        let row = |row: i32| (pegs >> (4 * row) & 0xf).reverse_bits() >> 28 << (4 * row);
        (0..Self::ROWS).map(row).sum::<u32>().min(pegs)
    }

    fn count(&self, pegs: u32, key: fn(u32) -> u32, known: &mut Map<u32, u64>) -> u64 {
        if pegs.count_ones() == 1 {
            return 1;
        }
        if let Some(&count) = known.get(&key(pegs)) {
            return count;
        }
        let mut count = 0;
        for &(needed, all) in &self.jumps {
            if pegs & all == needed {
                count += self.count(pegs ^ all, key, known);
            }
        }
        known.insert(key(pegs), count);
        count
    }
}

impl CopyProblem for Pegs {
    type State = u32;
    type Cursor = usize;
    type Choice = u32;

    fn root(&self) -> u32 {
        (1 << (Self::ROWS * Self::COLUMNS)) - 2
    }
    fn branch(&self, pegs: &u32) -> Branch<usize> {
        if pegs.count_ones() == 1 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, pegs: &u32, next: &mut usize) -> Option<u32> {
        while let Some(&(needed, all)) = self.jumps.get(*next) {
            *next += 1;
            if pegs & all == needed {
                return Some(all);
            }
        }
        None
    }
    fn apply(&self, pegs: u32, all: &u32) -> u32 {
        pegs ^ all
    }
}

/// Returns the groups of memoised peg solitaire: by the pegs, and by a canonical form of them.
pub fn memoised_pegs() -> [Group<Pegs>; 2] {
    let group = |name: &str, key: fn(u32) -> u32, nodes| {
        Group::new(name, Pegs::new(), 192_600_638, nodes)
            .contender("recursion", move |pegs| pegs.count(pegs.root(), key, &mut Map::default()))
            .contender("memo", move |pegs| {
                let memo = Memo::counted("memo", move |_: &Pegs, pegs: &u32| key(*pegs));
                Search::new(pegs).hook(memo).count()
            })
    };
    [
        group("first_programs/pegs, memoised", |pegs| pegs, 125_840),
        group("first_programs/pegs, memoised by a canonical form", Pegs::canonical, 71_486),
    ]
}

/// A round trip through 12 cities: distances by pairs of cities.
pub struct Cities([[usize; Self::COUNT]; Self::COUNT]);

/// The cities visited, the last one, and the length of the way.
#[derive(Clone, Copy)]
pub struct Tour {
    visited: u32,
    last: usize,
    length: usize,
}

impl Cities {
    const COUNT: usize = 12;

    fn random(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let places: Vec<[f64; 2]> =
            (0..Self::COUNT).map(|_| [(); 2].map(|()| 1000.0 * random.f64())).collect();
        let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) as usize;
        Cities(std::array::from_fn(|a| std::array::from_fn(|b| distance(places[a], places[b]))))
    }

    fn is_full(tour: &Tour) -> bool {
        tour.visited == (1 << Self::COUNT) - 1
    }

    /// Searches the tours that may be shorter than the best one, the nearest city first.
    fn nearest_first(&self, tour: Tour, best: &mut usize) {
        if Self::is_full(&tour) {
            *best = self.round_trip(&tour).min(*best);
            return;
        }
        let is_new = |city: &usize| tour.visited >> city & 1 == 0;
        let mut cities: Vec<usize> = (0..Self::COUNT).filter(is_new).collect();
        cities.sort_by_key(|&city| self.0[tour.last][city]);
        for city in cities {
            let longer = self.apply(tour, &city);
            if longer.length < *best {
                self.nearest_first(longer, best);
            }
        }
    }

    fn round_trip(&self, tour: &Tour) -> usize {
        tour.length + self.0[tour.last][0]
    }

    /// A key of 41 bytes: whether each city was visited, and the last one.
    fn long_key(tour: &Tour) -> [u8; 41] {
        let mut key = [0; 41];
        for (city, byte) in key.iter_mut().enumerate().take(Self::COUNT) {
            *byte = (tour.visited >> city & 1) as u8;
        }
        key[40] = tour.last as u8;
        key
    }

    fn shortest<K: Hash + Eq>(
        &self,
        tour: Tour,
        key: fn(&Tour) -> K,
        known: &mut Map<K, usize>,
        best: &mut usize,
    ) {
        let known_length = known.entry(key(&tour)).or_insert(usize::MAX);
        if *known_length <= tour.length {
            return;
        }
        *known_length = tour.length;
        if Self::is_full(&tour) {
            *best = self.round_trip(&tour).min(*best);
            return;
        }
        for city in 0..Self::COUNT {
            if tour.visited >> city & 1 == 0 {
                self.shortest(self.apply(tour, &city), key, known, best);
            }
        }
    }
}

impl CopyProblem for Cities {
    type State = Tour;
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> Tour {
        Tour { visited: 1, last: 0, length: 0 }
    }
    fn branch(&self, tour: &Tour) -> Branch<usize> {
        if Self::is_full(tour) { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, tour: &Tour, next: &mut usize) -> Option<usize> {
        let city = (*next..Self::COUNT).find(|city| tour.visited >> city & 1 == 0)?;
        *next = city + 1;
        Some(city)
    }
    fn apply(&self, tour: Tour, &city: &usize) -> Tour {
        Tour {
            visited: tour.visited | 1 << city,
            last: city,
            length: tour.length + self.0[tour.last][city],
        }
    }
}

/// Returns the groups of round trips without those that a shorter tour through the same cities
/// dominates: by one criterion and a long key, and by comparing pairs.
pub fn dominated_tours() -> [Group<Cities>; 2] {
    const SHORTEST: u128 = 3160;
    const NODES: u64 = 343_253;
    let by_criterion = Group::new(
        "first_programs/dominance, a key of 41 bytes",
        Cities::random(1),
        SHORTEST,
        NODES,
    )
    .contender("recursion", |cities| {
        let mut best = usize::MAX;
        cities.shortest(cities.root(), Cities::long_key, &mut Map::default(), &mut best);
        best
    })
    .contender("by one criterion", |cities| {
        let length = Objective::minimise(Cities::round_trip);
        let dominance = Dominance::by_criteria_for(
            cities,
            "shorter",
            |_, tour| Cities::long_key(tour),
            |_, tour| [std::cmp::Reverse(tour.length)],
        );
        Search::new(cities).hook(dominance).best(&length)
    });
    let pairwise =
        Group::new("first_programs/dominance, by pairs", Cities::random(1), SHORTEST, NODES)
            .contender("recursion", |cities| {
                let (key, mut best) = (|tour: &Tour| (tour.visited, tour.last), usize::MAX);
                cities.shortest(cities.root(), key, &mut Map::default(), &mut best);
                best
            })
            .contender("pairwise", |cities| {
                let length = Objective::minimise(Cities::round_trip);
                let dominance = Dominance::new_for(
                    cities,
                    "shorter",
                    |_, tour| (tour.visited, tour.last),
                    |_, tour| tour.length,
                    |shorter, longer| shorter <= longer,
                );
                Search::new(cities).hook(dominance).best(&length)
            });
    [by_criterion, pairwise]
}

/// Returns the group of round trips with the nearest city first and the length so far as a bound.
pub fn sorted_children() -> Group<Cities> {
    Group::new("first_programs/children sorted by a key", Cities::random(1), 3160, 3_349_767)
        .contender("recursion", |cities| {
            let mut best = usize::MAX;
            cities.nearest_first(cities.root(), &mut best);
            best
        })
        .contender("sorted", |cities| {
            let length = Objective::minimise(Cities::round_trip);
            Search::new(cities)
                .sorted(|node, &city| cities.0[node.state().last][city])
                .hook(length.bound("length", |_, tour| tour.length))
                .best(&length)
        })
}
