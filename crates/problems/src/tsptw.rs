//! The travelling salesman problem with time windows: a cheapest tour through all places, each of
//! which is to be visited within its window.
//!
//! A tour begins and ends at place 0. It may wait for a window to open; the cost is that of the
//! travel, without waiting, or the [time of the return](TimeWindows::makespan). [`TimeWindows`]
//! visits one place after another. Of tours with the same unvisited places and position, an earlier
//! one allows at least as much, so that the problem suits [diagrams](secateurs::diagram). The
//! relaxation is that of Cire and van Hoeve (2013).
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

use super::small_set::SmallSet;
use super::{InstanceError, formats};

/// An instance: the distances between places, which are also times, and the windows.
///
/// The text format has the number of places, a line of distances for each place, and a line `OPEN
/// CLOSE` for each window. Numbers may have up to nine decimals: all numbers are then multiplied by
/// a power of ten, so that they are integers; [`decimal`](Self::decimal) divides them again. Empty
/// lines are skipped, and `#` begins a comment. `Display` writes this format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeWindows {
    distances: Vec<Vec<u32>>,
    windows: Vec<(u32, u32)>,
    /// The lengths of shortest paths, which may be less than distances.
    shortest: Vec<Vec<u32>>,
    /// For each place, the others from which it is reached in time, if they are left as early as
    /// possible, and those that are reached from it; the nearest first.
    sources: Vec<Vec<u8>>,
    targets: Vec<Vec<u8>>,
    /// The places in ascending order of the ends of their windows.
    by_end: Vec<u8>,
    /// The length of the longest of the shortest paths from each place.
    longest: Vec<u32>,
    /// The number of decimals of the text: all numbers are multiplied by this power of ten.
    decimals: u32,
}

/// A partial tour, or a merged one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartialTour {
    /// The number of places visited after the first one.
    visited: usize,
    /// The places where the tour may be.
    at: SmallSet,
    /// The places that are still to be visited: by all merged tours, and by any.
    required: SmallSet,
    possible: SmallSet,
    time: u64,
    cost: u64,
    /// A lower bound of the travel that is left, for a merged tour the least one of those merged;
    /// `None` if the tour cannot be completed.
    travel: Option<u64>,
}

impl PartialTour {
    /// Returns the time at which the tour leaves its last place, at the earliest.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Returns whether the tour has returned to place 0.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.required == SmallSet::default()
    }

    /// Returns the cost of the travel so far.
    #[must_use]
    pub fn cost(&self) -> u64 {
        self.cost
    }
}

impl TimeWindows {
    /// The largest number of places.
    pub const MAX_PLACES: usize = 255;

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
        let is_in_time = |from: usize, to: usize| {
            u64::from(windows[from].0) + u64::from(distances[from][to]) <= windows[to].1.into()
        };
        let sorted = |key: &dyn Fn(usize) -> Option<u32>| {
            let mut others: Vec<u8> = (0..=u8::MAX).take(places).collect();
            others.retain(|&other| key(other.into()).is_some());
            others.sort_by_key(|&other| key(other.into()));
            others
        };
        let distance = |from: usize, to: usize| {
            let is_arc = from != to || places == 1;
            (is_arc && is_in_time(from, to)).then_some(distances[from][to])
        };
        let sources = (0..places).map(|to| sorted(&|from| distance(from, to))).collect();
        let targets = (0..places).map(|from| sorted(&|to| distance(from, to))).collect();
        let mut by_end: Vec<u8> = (0..=u8::MAX).take(places).collect();
        by_end.sort_by_key(|&place| windows[usize::from(place)].1);
        let longest = shortest.iter().map(|row| row.iter().copied().max().unwrap_or(0)).collect();
        Ok(TimeWindows {
            distances,
            windows,
            shortest,
            sources,
            targets,
            by_end,
            longest,
            decimals: 0,
        })
    }

    /// Returns a distance, a time or a cost as a number in the units of the text from which the
    /// instance was read, with as many decimals as that text has.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::tsptw::TimeWindows;
    ///
    /// let places: TimeWindows = "2\n0 1.5\n2.25 0\n0 9\n0 9\n".parse()?;
    /// let cost = TimeWindows::objective();
    /// let outcome = Search::new(&places).diagrams(&cost, 10).best(&cost);
    /// assert_eq!(outcome.proven().map(|&cost| places.decimal(cost)).as_deref(), Some("3.75"));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    #[must_use]
    pub fn decimal(&self, number: u64) -> String {
        let scale = 10_u64.pow(self.decimals);
        match self.decimals as usize {
            0 => number.to_string(),
            width => format!("{}.{:0width$}", number / scale, number % scale),
        }
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

    /// Returns another objective: the time of the return to place 0, waiting included, to be
    /// minimised. The value of a tour that has not returned is 0.
    #[must_use]
    pub fn makespan() -> Objective<Self, u64, fn(&Self, &PartialTour) -> u64> {
        let end: fn(&Self, &PartialTour) -> u64 =
            |_, tour| if tour.is_complete() { tour.time } else { 0 };
        Objective::minimise(end).named("makespan")
    }

    /// Returns a lower bound of the cost of all tours below this one: each place that is still to
    /// be visited is entered from one that is left, and each place that is still to be left leads
    /// to one, at the least distance.
    ///
    /// A step computes it, in time linear in the number of places unless many near ones are visited
    /// already.
    #[must_use]
    pub fn bound(&self, tour: &PartialTour) -> u64 {
        tour.cost + tour.travel.unwrap_or(0)
    }

    /// Returns a lower bound of the [makespan](Self::makespan) of all tours below this one: the
    /// travel that is left takes time, and from each place that must still be visited, its window
    /// and the way back do.
    #[must_use]
    pub fn makespan_bound(&self, tour: &PartialTour) -> u64 {
        let end = |place: usize| {
            let arrival = tour.time + self.shortest_to(tour, place);
            arrival.max(self.windows[place].0.into()) + u64::from(self.shortest[place][0])
        };
        let ends = tour.required.without(0).iter().map(end);
        ends.fold(tour.time + tour.travel.unwrap_or(0), u64::max)
    }

    /// Returns a lower bound of the travel that is left, or `None` if a place cannot be entered or
    /// left any more.
    fn least_travel(&self, tour: &PartialTour) -> Option<u64> {
        let left = self.windows.len() - tour.visited;
        if left == 0 {
            return Some(0);
        }
        // Place 0 is only left at the beginning, and only entered at the end.
        let sources = tour.at | tour.possible.without(0);
        let nearest = |places: &[u8], among: SmallSet| {
            places.iter().map(|&place| usize::from(place)).find(|&place| among.contains(place))
        };
        let entering = |to: usize| {
            let from = nearest(&self.sources[to], sources)?;
            Some(self.distances[from][to].into())
        };
        let leaving = |from: usize| {
            let to = nearest(&self.targets[from], tour.possible)?;
            Some(self.distances[from][to].into())
        };
        let others = tour.possible & !tour.required;
        let entered = least_sum(left, tour.required, others, entering)?;
        let required = tour.required.without(0);
        let first = tour.at.iter().filter_map(leaving).min()?;
        let left = first + least_sum(left - 1, required, others, leaving)?;
        Some(entered.max(left))
    }

    /// Returns the least of the distances from the places where a tour may be. A merged tour that
    /// may visit one of them is at another one then.
    fn distance(&self, tour: &PartialTour, to: usize) -> u64 {
        let others = tour.at.without(to);
        let at = if others == SmallSet::default() { tour.at } else { others };
        at.iter().map(|from| self.distances[from][to]).min().map_or(0, u64::from)
    }

    /// Returns the length of a shortest path from the places where a tour may be.
    fn shortest_to(&self, tour: &PartialTour, place: usize) -> u64 {
        tour.at.iter().map(|from| self.shortest[from][place]).min().map_or(0, u64::from)
    }

    /// Returns whether a place can be reached directly before its window closes, and every other
    /// one that must still be visited, by a shortest path from there, before its own does.
    fn leads_on(&self, tour: &PartialTour, place: usize) -> bool {
        let arrival = tour.time + self.distance(tour, place);
        // A window may close before it opens.
        let time = arrival.max(self.windows[place].0.into());
        if time > u64::from(self.windows[place].1) {
            return false;
        }
        // The windows of all later places close late enough.
        let others = self.by_end.iter().map(|&other| usize::from(other));
        let mut urgent = others.take_while(|&other| {
            time + u64::from(self.longest[place]) > u64::from(self.windows[other].1)
        });
        urgent.all(|other| {
            let is_left = other != place && tour.required.contains(other);
            !is_left
                || time + u64::from(self.shortest[place][other]) <= self.windows[other].1.into()
        })
    }

    /// Returns the places that the tour may visit next, whatever the time.
    fn next_places(&self, tour: &PartialTour) -> SmallSet {
        let left = self.windows.len() - tour.visited;
        // Place 0 comes last.
        match tour.required.len() {
            _ if left == 1 => SmallSet::of(0),
            required if required == left => tour.required.without(0),
            _ => tour.possible.without(0),
        }
    }
}

/// Returns the least sum of the costs of `count` places: all required ones, and some of the others.
/// Returns `None` if they are too few; a place without a cost cannot be one of them.
fn least_sum(
    count: usize,
    required: SmallSet,
    others: SmallSet,
    cost: impl Fn(usize) -> Option<u64>,
) -> Option<u64> {
    let sum = required.iter().map(&cost).sum::<Option<u64>>()?;
    let count = count.saturating_sub(required.len());
    if count == 0 {
        return Some(sum);
    }
    let mut others: smallvec::SmallVec<[u64; 64]> = others.iter().filter_map(cost).collect();
    if others.len() < count {
        return None;
    }
    others.select_nth_unstable(count - 1);
    Some(sum + others.iter().take(count).sum::<u64>())
}

impl CopyProblem for TimeWindows {
    type State = PartialTour;
    type Cursor = SmallSet; // the places still to be tried
    type Choice = usize; // the next place

    fn root(&self) -> PartialTour {
        let (at, all) = (SmallSet::of(0), SmallSet::below(self.windows.len()));
        let time = self.windows[0].0.into();
        let travel = None;
        let tour =
            PartialTour { visited: 0, at, required: all, possible: all, time, cost: 0, travel };
        PartialTour { travel: self.least_travel(&tour), ..tour }
    }

    fn branch(&self, tour: &PartialTour) -> Branch<SmallSet> {
        if tour.visited == self.windows.len() {
            return Branch::Solution;
        }
        let returns_in_time =
            |travel: u64| tour.time.saturating_add(travel) <= u64::from(self.windows[0].1);
        let may_return = tour.travel.is_some_and(returns_in_time);
        match may_return {
            true => Branch::Inner(self.next_places(tour)),
            false => Branch::DeadEnd,
        }
    }

    fn next(&self, tour: &PartialTour, places: &mut SmallSet) -> Option<usize> {
        let place = places.iter().find(|&place| self.leads_on(tour, place))?;
        // The places up to this one are done.
        *places = *places & !SmallSet::below(place + 1);
        Some(place)
    }

    fn apply(&self, tour: PartialTour, &place: &usize) -> PartialTour {
        let distance = self.distance(&tour, place);
        let tour = PartialTour {
            visited: tour.visited + 1,
            at: SmallSet::of(place),
            required: tour.required.without(place),
            possible: tour.possible.without(place),
            time: (tour.time + distance).max(self.windows[place].0.into()),
            cost: tour.cost + distance,
            travel: None,
        };
        PartialTour { travel: self.least_travel(&tour), ..tour }
    }

    fn accepts_saved(&self, tour: &PartialTour, &place: &usize) -> bool {
        tour.visited < self.windows.len()
            && place < self.windows.len()
            && self.next_places(tour).contains(place)
            && self.leads_on(tour, place)
    }
}

/// Of tours with the same unvisited places, position and bound of the travel that is left, an
/// earlier one dominates later ones. A merged tour may be at any of their positions at the earliest
/// time, must visit the places that all of them must, and may visit those of any.
impl DiagramProblem for TimeWindows {
    fn layer(&self, tour: &PartialTour) -> usize {
        tour.visited
    }

    fn key(&self, tour: &PartialTour) -> impl Hash + Eq {
        // The travel that is left follows from the places, except for a tour that was just merged:
        // that one may be a dead end, and would dominate a later tour with its places that is none.
        (tour.at, tour.required, tour.possible, tour.travel)
    }

    fn resources(&self, tour: &PartialTour) -> impl AsRef<[u64]> + Hash + Eq {
        [u64::MAX - tour.time]
    }

    fn merge(&self, tour: &mut PartialTour, other: &PartialTour) {
        tour.at = tour.at | other.at;
        tour.required = tour.required & other.required;
        tour.possible = tour.possible | other.possible;
        tour.time = tour.time.min(other.time);
        tour.cost = tour.cost.min(other.cost);
        // One of the merged tours is completed, at the cost that is left for it.
        tour.travel = match (tour.travel, other.travel) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }

    fn rank(&self, tour: &PartialTour) -> u64 {
        u64::MAX - tour.time
    }
}

impl FromStr for TimeWindows {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        formats::read(text, "places with time windows", Self::read)
    }
}

impl TimeWindows {
    fn read(text: &str) -> Result<Self, ParseError> {
        let lines = (1..)
            .zip(text.lines())
            .map(|(number, line)| (number, line.split('#').next().unwrap_or_default()))
            .filter(|(_, line)| !line.trim().is_empty());
        let decimals_of = |(_, line): (usize, &str)| {
            let fraction = |token: &str| Some(token.split_once('.')?.1.trim_end_matches('0').len());
            line.split_whitespace().filter_map(fraction).max()
        };
        let decimals = lines.clone().filter_map(decimals_of).max().unwrap_or(0).min(9);
        let mut lines = lines;
        let unit = match decimals {
            0 => String::new(),
            _ => format!(", in units of 0.{:0>decimals$}", 1),
        };
        let read = |token: &str| parse_decimal(token, decimals);
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
                tokens.read(format_args!("the distance to place {to}, below 2^32{unit}"), read)
            });
            let row = row.collect::<Result<Vec<u32>, _>>()?;
            tokens.end()?;
            distances.push(row);
        }
        let mut windows = Vec::with_capacity(places);
        for place in 0..places {
            let (number, line) = next(&format!("the window of place {place}"))?;
            let mut tokens = LineTokens::new(number, line);
            let open = tokens.read(format_args!("the earliest time, below 2^32{unit}"), read)?;
            let close = tokens.read(format_args!("the latest time, below 2^32{unit}"), read)?;
            tokens.end()?;
            windows.push((open, close));
        }
        if let Ok((number, _)) = next("") {
            let message = format!("found a further line, expected the end after {places} windows");
            return Err(ParseError::in_line(number, message));
        }
        #[allow(clippy::cast_possible_truncation, reason = "a line has fewer")]
        let decimals = decimals as u32;
        Ok(TimeWindows { decimals, ..Self::new(distances, windows)? })
    }
}

/// Reads a number without a sign and with at most this number of decimals, and returns its product
/// with 10 to the power of `decimals`.
fn parse_decimal(token: &str, decimals: usize) -> Option<u32> {
    let (whole, fraction) = token.split_once('.').unwrap_or((token, "0"));
    let has_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !has_digits(whole) || !has_digits(fraction) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let has_few = fraction.len() <= decimals;
    has_few.then(|| parse_number(&format!("{whole}{fraction:0<decimals$}"))).flatten()
}

impl fmt::Display for TimeWindows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimal = |number: u32| self.decimal(number.into());
        writeln!(f, "{}", self.windows.len())?;
        for row in &self.distances {
            let row: Vec<String> = row.iter().map(|&distance| decimal(distance)).collect();
            writeln!(f, "{}", row.join(" "))?;
        }
        self.windows
            .iter()
            .try_for_each(|&(open, close)| writeln!(f, "{} {}", decimal(open), decimal(close)))
    }
}
