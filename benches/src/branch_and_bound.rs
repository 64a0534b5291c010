//! Branch and bound with children in the order of the bound, by the engine and by hand-written
//! recursions that break out of their loops.

use std::hint::black_box;

use secateurs::{Branch, Objective, Problem, Search, ToBeat};

use crate::group::Group;

/// Golomb rulers: marks at whole numbers, no two pairs of them at the same distance.
#[derive(Clone, Copy, Debug)]
pub struct Golomb {
    marks: usize,
}

/// The greatest length that is tried. The distances are bits of a `u128`.
const LONGEST: usize = 120;

/// The marks from 0 up to some mark.
#[derive(Clone, Copy, Debug)]
pub struct Ruler {
    /// The last mark.
    end: usize,
    /// The number of marks that are missing.
    missing: usize,
    /// Bit d − 1: some mark is at distance d from the last one.
    from_end: u128,
    /// Bit d − 1: some two marks are at distance d.
    distances: u128,
}

impl Ruler {
    #[inline]
    fn of(marks: usize) -> Self {
        Ruler { end: 0, missing: marks - 1, from_end: 0, distances: 0 }
    }

    /// Returns the ruler with one more mark, if it repeats no distance.
    #[inline]
    fn extended(&self, by: usize) -> Option<Self> {
        let from_end = (self.from_end << 1 | 1) << (by - 1);
        (from_end & self.distances == 0).then(|| Ruler {
            end: self.end + by,
            missing: self.missing - 1,
            from_end,
            distances: self.distances | from_end,
        })
    }

    /// Returns a lower bound of the length if the next mark is at distance `by`. The gaps between
    /// the marks after it differ, so they add up to at least 1 + 2 + ….
    #[inline]
    fn least_length(&self, by: usize) -> usize {
        self.end + by + (self.missing - 1) * self.missing / 2
    }
}

impl Golomb {
    #[inline]
    fn next_within(
        &self,
        ruler: &Ruler,
        cursor: &mut usize,
        to_beat: &ToBeat<'_, usize>,
    ) -> Option<usize> {
        while ruler.end + *cursor <= LONGEST {
            let by = *cursor;
            if !to_beat.is_beaten_by(&ruler.least_length(by)) {
                break;
            }
            *cursor += 1;
            if ruler.extended(by).is_some() {
                return Some(by);
            }
        }
        None
    }
}

impl Problem for Golomb {
    type State = Ruler;
    type Cursor = usize;
    type Choice = usize;
    type Undo = Ruler;

    fn root(&self) -> Ruler {
        Ruler::of(self.marks)
    }
    #[inline]
    fn branch(&self, ruler: &Ruler) -> Branch<usize> {
        if ruler.missing == 0 { Branch::Solution } else { Branch::Inner(1) }
    }
    #[inline]
    fn next(&self, ruler: &Ruler, cursor: &mut usize) -> Option<usize> {
        self.next_within(ruler, cursor, &ToBeat::nothing())
    }
    #[inline]
    fn apply(&self, ruler: &mut Ruler, &by: &usize) -> Ruler {
        let longer = ruler.extended(by).unwrap_or(*ruler);
        std::mem::replace(ruler, longer)
    }
    #[inline]
    fn undo(&self, ruler: &mut Ruler, _: &usize, before: Ruler) {
        *ruler = before;
    }
}

#[inline(never)]
fn shortest_ruler(ruler: Ruler, best: &mut usize) {
    if ruler.missing == 0 {
        *best = ruler.end;
        return;
    }
    for by in 1.. {
        if ruler.least_length(by) >= *best {
            break;
        }
        if let Some(longer) = ruler.extended(by) {
            shortest_ruler(longer, best);
        }
    }
}

/// Returns the group of the shortest ruler of ten marks.
pub fn golomb_10() -> Group<Golomb> {
    Group::new("branch_and_bound/Golomb ruler of 10 marks", Golomb { marks: 10 }, 55, GOLOMB_NODES)
        .contender("recursion", |golomb| {
            let mut best = LONGEST + 1;
            shortest_ruler(black_box(Ruler::of(golomb.marks)), &mut best);
            best
        })
        .contender("next within", |golomb| {
            let length = Objective::minimise(|_: &Golomb, ruler: &Ruler| ruler.end);
            let next = length.next_within(Golomb::next_within);
            Search::new(golomb).brancher(next).best(&length)
        })
        .contender("ordered bound", |golomb| {
            let length = Objective::minimise(|_: &Golomb, ruler: &Ruler| ruler.end);
            let bound = length.ordered_bound("length", |_: &Golomb, ruler: &Ruler, &by: &usize| {
                ruler.least_length(by)
            });
            Search::new(golomb).hooks((bound,)).best(&length)
        })
        .contender("bound on entering", |golomb| {
            let length = Objective::minimise(|_: &Golomb, ruler: &Ruler| ruler.end);
            let bound = length.bound("length", |_: &Golomb, ruler: &Ruler| {
                ruler.end + ruler.missing * (ruler.missing + 1) / 2
            });
            Search::new(golomb).hooks((bound,)).best(&length)
        })
        .nodes(GOLOMB_ENTERED)
}

/// An instance of the travelling salesman problem: cities, with the distances between them.
#[derive(Clone, Debug)]
pub struct Cities {
    distances: Vec<Vec<usize>>,
    /// By city, the others in ascending order of distance.
    nearest: Vec<Vec<usize>>,
}

/// A path that begins at city 0.
#[derive(Clone, Copy, Debug)]
pub struct Tour {
    last: usize,
    visited: u64,
    length: usize,
    /// The sum of the shortest distances from the cities that the path has not left yet.
    rest: usize,
}

impl Cities {
    fn random(cities: usize, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let places: Vec<(f64, f64)> =
            (0..cities).map(|_| (1000.0 * random.f64(), 1000.0 * random.f64())).collect();
        let distances: Vec<Vec<usize>> = places
            .iter()
            .map(|a| places.iter().map(|b| (a.0 - b.0).hypot(a.1 - b.1).round() as usize).collect())
            .collect();
        let nearest = (0..cities)
            .map(|city| {
                let mut others: Vec<usize> = (0..cities).filter(|&other| other != city).collect();
                others.sort_by_key(|&other| distances[city][other]);
                others
            })
            .collect();
        Cities { distances, nearest }
    }

    #[inline]
    fn shortest(&self, city: usize) -> usize {
        self.distances[city][self.nearest[city][0]]
    }

    fn start(&self) -> Tour {
        let rest = (0..self.distances.len()).map(|city| self.shortest(city)).sum();
        Tour { last: 0, visited: 1, length: 0, rest }
    }

    #[inline]
    fn is_full(&self, tour: &Tour) -> bool {
        tour.visited.count_ones() as usize == self.distances.len()
    }

    #[inline]
    fn extended(&self, tour: &Tour, city: usize) -> Tour {
        Tour {
            last: city,
            visited: tour.visited | 1 << city,
            length: tour.length + self.distances[tour.last][city],
            rest: tour.rest - self.shortest(tour.last),
        }
    }

    /// Returns a lower bound of the round trips that continue to `city`. It grows with the distance
    /// of the city, so the loop over the nearest cities may end at the first one that fails.
    #[inline]
    fn least_length(&self, tour: &Tour, city: usize) -> usize {
        tour.length + self.distances[tour.last][city] + tour.rest - self.shortest(tour.last)
    }

    #[inline]
    fn next_within(
        &self,
        tour: &Tour,
        cursor: &mut usize,
        to_beat: &ToBeat<'_, usize>,
    ) -> Option<usize> {
        let nearest = &self.nearest[tour.last];
        while let Some(&city) = nearest.get(*cursor) {
            *cursor += 1;
            if tour.visited >> city & 1 == 0 {
                return to_beat.is_beaten_by(&self.least_length(tour, city)).then_some(city);
            }
        }
        None
    }

    fn round_trip(&self, tour: &Tour) -> usize {
        tour.length + self.distances[tour.last][0]
    }

    #[inline(never)]
    fn shortest_tour(&self, tour: Tour, best: &mut usize) {
        if self.is_full(&tour) {
            *best = self.round_trip(&tour).min(*best);
            return;
        }
        for &city in &self.nearest[tour.last] {
            if tour.visited >> city & 1 == 1 {
                continue;
            }
            if self.least_length(&tour, city) >= *best {
                break;
            }
            self.shortest_tour(self.extended(&tour, city), best);
        }
    }
}

impl Problem for Cities {
    type State = Tour;
    type Cursor = usize;
    type Choice = usize;
    type Undo = Tour;

    fn root(&self) -> Tour {
        self.start()
    }
    #[inline]
    fn branch(&self, tour: &Tour) -> Branch<usize> {
        if self.is_full(tour) { Branch::Solution } else { Branch::Inner(0) }
    }
    #[inline]
    fn next(&self, tour: &Tour, cursor: &mut usize) -> Option<usize> {
        self.next_within(tour, cursor, &ToBeat::nothing())
    }
    #[inline]
    fn apply(&self, tour: &mut Tour, &city: &usize) -> Tour {
        std::mem::replace(tour, self.extended(tour, city))
    }
    #[inline]
    fn undo(&self, tour: &mut Tour, _: &usize, before: Tour) {
        *tour = before;
    }
}

/// Returns the group of the shortest round trip through fifteen random cities.
pub fn salesman_15() -> Group<Cities> {
    let cities = Cities::random(15, 1);
    Group::new("branch_and_bound/salesman in 15 cities", cities, SHORTEST, SALESMAN_NODES)
        .contender("recursion", |cities| {
            let mut best = usize::MAX;
            cities.shortest_tour(black_box(cities.start()), &mut best);
            best
        })
        .contender("next within", |cities| {
            let length = Objective::minimise(Cities::round_trip);
            let next = length.next_within(Cities::next_within);
            Search::new(cities).brancher(next).best(&length)
        })
        .contender("ordered bound", |cities| {
            let length = Objective::minimise(Cities::round_trip);
            let bound = length
                .ordered_bound("length", |cities: &Cities, tour: &Tour, &city: &_| {
                    cities.least_length(tour, city)
                });
            Search::new(cities).hooks((bound,)).best(&length)
        })
        .contender("bound on entering", |cities| {
            let length = Objective::minimise(Cities::round_trip);
            let bound = length.bound("length", |_: &Cities, tour: &Tour| tour.length + tour.rest);
            Search::new(cities).hooks((bound,)).best(&length)
        })
        .nodes(SALESMAN_ENTERED)
}

/// The nodes with an ordered bound.
const GOLOMB_NODES: u64 = 1_023_649;
/// The nodes with a bound on entering: each cut child is a node as well.
const GOLOMB_ENTERED: u64 = 46_563_221;
/// The length of the shortest round trip.
const SHORTEST: u128 = 3226;
const SALESMAN_NODES: u64 = 796_635;
const SALESMAN_ENTERED: u64 = 4_634_419;
