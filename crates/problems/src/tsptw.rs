//! The travelling salesman problem with time windows: a cheapest tour through all places, each of
//! which is to be visited within its window.
//!
//! A tour begins and ends at place 0. It may wait for a window to open; the cost is that of the
//! travel, without waiting. [`TimeWindows`] visits one place after another. Tours with the same
//! unvisited places, position and time have the same continuations, so that the problem suits
//! [diagrams](secateurs::diagram). The relaxation is that of Cire and van Hoeve (2013).
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::tsptw::TimeWindows;
//!
//! // The number of places, their distances, and their windows.
//! let text = "4\n0 2 9 4\n2 0 3 5\n9 3 0 1\n4 5 1 0\n0 99\n5 8\n0 20\n0 4\n";
//! let places: TimeWindows = text.parse()?;
//! let cost = TimeWindows::objective();
//! let search = Search::new(&places).diagrams(&cost, 10).rough(TimeWindows::bound);
//! let outcome = search.best(&cost);
//! assert_eq!(outcome.proven(), Some(&10));
//! assert_eq!(outcome.solution(), Some(&vec![3, 2, 1, 0]));
//! assert_eq!(places.cost_of(&[3, 2, 1, 0]), Some(10));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use secateurs::diagram::DiagramProblem;
use secateurs::text::{LineTokens, parse_number};
use secateurs::{Branch, CopyProblem, Objective, ParseError};

use super::InstanceError;

/// An instance: the distances between places, which are also times, and the windows.
///
/// The text format has the number of places, a line of distances for each place, and a line `OPEN
/// CLOSE` for each window. Empty lines are skipped, and `#` begins a comment. `Display` writes this
/// format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeWindows {
    distances: Vec<Vec<u32>>,
    windows: Vec<(u32, u32)>,
    /// The lengths of shortest paths, which may be less than distances.
    shortest: Vec<Vec<u32>>,
    /// For each place, the least distance from another one.
    nearest: Vec<u32>,
}

/// A partial tour, or a merged one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartialTour {
    /// The number of places visited after the first one.
    visited: usize,
    /// The places where the tour may be, as a set of bits.
    at: u128,
    /// The places that are still to be visited: by all merged tours, and by any.
    required: u128,
    possible: u128,
    time: u64,
    cost: u64,
}

impl PartialTour {
    /// Returns the time at which the tour leaves its last place, at the earliest.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Returns the cost of the travel so far.
    #[must_use]
    pub fn cost(&self) -> u64 {
        self.cost
    }
}

/// Returns the elements of a set of bits in ascending order.
fn elements(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let element = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (element < u128::BITS).then_some(element as usize)
    })
}

impl TimeWindows {
    /// The largest number of places.
    pub const MAX_PLACES: usize = 127;

    /// Creates an instance. `distances[i][j]` is the time, and the cost, from place `i` to place
    /// `j`; the window of a place is the earliest and the latest time of its visit.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no place, or more than [`MAX_PLACES`](Self::MAX_PLACES), or if
    /// there are not as many rows, columns and windows as places.
    pub fn new(distances: Vec<Vec<u32>>, windows: Vec<(u32, u32)>) -> Result<Self, InstanceError> {
        let places = windows.len();
        if !(1..=Self::MAX_PLACES).contains(&places) {
            return Err(InstanceError::new(format_args!(
                "found {places} places, expected from 1 to {}",
                Self::MAX_PLACES
            )));
        }
        if distances.len() != places || distances.iter().any(|row| row.len() != places) {
            let columns = distances.iter().map(Vec::len).find(|&length| length != places);
            return Err(InstanceError::new(format_args!(
                "found distances in {} rows and {} columns, expected {places} of each",
                distances.len(),
                columns.unwrap_or(places)
            )));
        }
        // Floyd 1962 and Warshall 1962.
        let mut shortest = distances.clone();
        for via in 0..places {
            for from in 0..places {
                for to in 0..places {
                    let length = shortest[from][via].saturating_add(shortest[via][to]);
                    shortest[from][to] = shortest[from][to].min(length);
                }
            }
        }
        let nearest = (0..places).map(|to| {
            let others = (0..places).filter(|&from| from != to);
            others.map(|from| distances[from][to]).min().unwrap_or(0)
        });
        let nearest = nearest.collect();
        Ok(TimeWindows { distances, windows, shortest, nearest })
    }

    /// Creates a random instance of the kind of Dumas et al. (1995): places in a square of side 50,
    /// and windows of random widths up to `width` around the visits of a random tour, which is
    /// therefore feasible. The same seed gives the same instance.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no place, or more than [`MAX_PLACES`](Self::MAX_PLACES).
    pub fn generate(places: usize, width: u32, seed: u64) -> Result<Self, InstanceError> {
        let mut random = fastrand::Rng::with_seed(seed);
        // One more than allowed is enough for the error.
        let places = places.min(Self::MAX_PLACES + 1);
        let points: Vec<(f64, f64)> =
            (0..places).map(|_| (random.f64() * 50.0, random.f64() * 50.0)).collect();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 71")]
        let distance =
            |one: &(f64, f64), other: &(f64, f64)| (one.0 - other.0).hypot(one.1 - other.1) as u32;
        let row = |from| points.iter().map(|to| distance(from, to)).collect();
        let distances: Vec<Vec<u32>> = points.iter().map(row).collect();
        let mut tour: Vec<usize> = (1..places).collect();
        random.shuffle(&mut tour);
        let mut windows = vec![(0, u32::MAX); places];
        let (mut time, mut last) = (0_u32, 0);
        for place in tour {
            time += distances[last][place];
            let before = random.u32(0..=width / 2);
            windows[place] = (time.saturating_sub(before), time + random.u32(0..=width / 2));
            last = place;
        }
        Self::new(distances, windows)
    }

    /// Returns the objective: the cost of the travel, to be minimised.
    #[must_use]
    pub fn objective() -> Objective<Self, u64, fn(&Self, &PartialTour) -> u64> {
        let cost: fn(&Self, &PartialTour) -> u64 = |_, tour| tour.cost;
        Objective::minimise(cost).named("travel")
    }

    /// Returns the cost of a tour through these places, from the first one after place 0 to place
    /// 0 itself, if it visits each place once and within its window.
    #[must_use]
    pub fn cost_of(&self, places: &[usize]) -> Option<u64> {
        let tour = places.iter().try_fold(CopyProblem::root(self), |tour, place| {
            CopyProblem::accepts_saved(self, &tour, place)
                .then(|| CopyProblem::apply(self, tour, place))
        })?;
        (tour.visited == self.windows.len()).then_some(tour.cost)
    }

    /// Returns a lower bound of the cost of all tours below this one: each place that is still to
    /// be visited costs at least the distance from the nearest other place.
    ///
    /// Takes time linear in the number of places.
    #[must_use]
    pub fn bound(&self, tour: &PartialTour) -> u64 {
        let near = |places| elements(places).map(|place| u64::from(self.nearest[place]));
        let left = self.windows.len() - tour.visited;
        let required: u64 = near(tour.required).sum();
        let mut others: smallvec::SmallVec<[u64; 64]> =
            near(tour.possible & !tour.required).collect();
        others.sort_unstable();
        let count = left.saturating_sub(tour.required.count_ones() as usize);
        tour.cost + required + others.iter().take(count).sum::<u64>()
    }

    /// Returns the least of the distances from the places where a tour may be.
    fn distance(&self, tour: &PartialTour, to: usize) -> u64 {
        elements(tour.at).map(|from| self.distances[from][to]).min().map_or(0, u64::from)
    }

    /// Returns whether a place can be reached directly before its window closes.
    fn is_reachable(&self, tour: &PartialTour, place: usize) -> bool {
        tour.time + self.distance(tour, place) <= u64::from(self.windows[place].1)
    }

    /// Returns the places that the tour may visit next, whatever the time.
    fn next_places(&self, tour: &PartialTour) -> u128 {
        let left = self.windows.len() - tour.visited;
        // Place 0 comes last.
        match tour.required.count_ones() as usize {
            _ if left == 1 => 1,
            required if required == left => tour.required & !1,
            _ => tour.possible & !1,
        }
    }
}

impl CopyProblem for TimeWindows {
    type State = PartialTour;
    type Cursor = u128; // the places still to be tried
    type Choice = usize; // the next place

    fn root(&self) -> PartialTour {
        let all = (1 << self.windows.len()) - 1;
        let time = self.windows[0].0.into();
        PartialTour { visited: 0, at: 1, required: all, possible: all, time, cost: 0 }
    }

    fn branch(&self, tour: &PartialTour) -> Branch<u128> {
        if tour.visited == self.windows.len() {
            return Branch::Solution;
        }
        // A place that is reached too late by a shortest path is never reached in time.
        let is_too_late = |place: usize| {
            let paths = elements(tour.at).map(|from| self.shortest[from][place]);
            let least = paths.min().map_or(0, u64::from);
            tour.time + least > u64::from(self.windows[place].1)
        };
        match elements(tour.required).any(is_too_late) {
            true => Branch::DeadEnd,
            false => Branch::Inner(self.next_places(tour)),
        }
    }

    fn next(&self, tour: &PartialTour, places: &mut u128) -> Option<usize> {
        let place = elements(*places).find(|&place| self.is_reachable(tour, place))?;
        // The places up to this one are done.
        *places &= !1 << place;
        Some(place)
    }

    fn apply(&self, tour: PartialTour, &place: &usize) -> PartialTour {
        let distance = self.distance(&tour, place);
        PartialTour {
            visited: tour.visited + 1,
            at: 1 << place,
            required: tour.required & !(1 << place),
            possible: tour.possible & !(1 << place),
            time: (tour.time + distance).max(self.windows[place].0.into()),
            cost: tour.cost + distance,
        }
    }

    fn accepts_saved(&self, tour: &PartialTour, &place: &usize) -> bool {
        tour.visited < self.windows.len()
            && place < self.windows.len()
            && self.next_places(tour) >> place & 1 == 1
            && self.is_reachable(tour, place)
    }
}

/// Of tours with the same unvisited places and position, an earlier one dominates later ones. A
/// merged tour may be at any of their positions at the earliest time, must visit the places that
/// all of them must, and may visit those of any.
impl DiagramProblem for TimeWindows {
    fn layer(&self, tour: &PartialTour) -> usize {
        tour.visited
    }

    fn key(&self, tour: &PartialTour) -> impl Hash + Eq {
        (tour.at, tour.required, tour.possible)
    }

    fn resources(&self, tour: &PartialTour) -> impl AsRef<[u64]> + Hash + Eq {
        [u64::MAX - tour.time]
    }

    fn merge(&self, tour: &mut PartialTour, other: &PartialTour) {
        tour.at |= other.at;
        tour.required &= other.required;
        tour.possible |= other.possible;
        tour.time = tour.time.min(other.time);
        tour.cost = tour.cost.min(other.cost);
    }

    fn rank(&self, tour: &PartialTour) -> u64 {
        u64::MAX - tour.time
    }
}

impl FromStr for TimeWindows {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = (1..)
            .zip(text.lines())
            .map(|(number, line)| (number, line.split('#').next().unwrap_or_default()))
            .filter(|(_, line)| !line.trim().is_empty());
        let end = text.lines().count() + 1;
        let mut next = |expected: &str| {
            lines.next().ok_or_else(|| {
                let message = format!("found the end of the text, expected {expected}");
                ParseError::in_line(end, message)
            })
        };
        let (number, line) = next("the number of places")?;
        let mut tokens = LineTokens::new(number, line);
        let expected = format!("the number of places, from 1 to {}", Self::MAX_PLACES);
        let places = tokens.read(&*expected, |token| {
            parse_number(token).filter(|places| (1..=Self::MAX_PLACES).contains(places))
        })?;
        tokens.end()?;
        let mut distances = Vec::with_capacity(places);
        for place in 0..places {
            let (number, line) = next(&format!("the distances from place {place}"))?;
            let mut tokens = LineTokens::new(number, line);
            let row = (0..places).map(|to| {
                let expected = format!("the distance to place {to}, below 2^32");
                tokens.read(&*expected, parse_number)
            });
            let row = row.collect::<Result<Vec<u32>, _>>()?;
            tokens.end()?;
            distances.push(row);
        }
        let mut windows = Vec::with_capacity(places);
        for place in 0..places {
            let (number, line) = next(&format!("the window of place {place}"))?;
            let mut tokens = LineTokens::new(number, line);
            let open = tokens.read("the earliest time, below 2^32", parse_number)?;
            let close = tokens.read("the latest time, below 2^32", parse_number)?;
            tokens.end()?;
            windows.push((open, close));
        }
        if let Ok((number, _)) = next("") {
            let message = format!("found a further line, expected the end after {places} windows");
            return Err(ParseError::in_line(number, message));
        }
        Ok(Self::new(distances, windows)?)
    }
}

impl fmt::Display for TimeWindows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.windows.len())?;
        for row in &self.distances {
            for (index, distance) in row.iter().enumerate() {
                write!(f, "{}{distance}", if index > 0 { " " } else { "" })?;
            }
            writeln!(f)?;
        }
        self.windows.iter().try_for_each(|(open, close)| writeln!(f, "{open} {close}"))
    }
}
