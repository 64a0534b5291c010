//! Families of sets: their [options](FamilyOptions), which keep all sets in a diagram, apply
//! operations to it, list sets and save them; and the answers.

use std::fs;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use clap::Args;
use secateurs::checkpoint::{Fingerprint, LoadError};
use secateurs::plug::algebra::{Natural, ZeroModulus};
use secateurs::plug::{Family, FamilyError};
use secateurs::{Direction, Limits, Stop};

use super::options::{Options, Subject};
use crate::support::{self, Failure, Unfinished, interrupt};

/// The options of families of sets.
#[derive(Args)]
#[group(id = "families", multiple = true,
    conflicts_with_all = ["residues", "saved", "spill", "estimate"])]
pub struct FamilyOptions {
    /// Apply this operation to the family of all sets before they are counted and printed. May be
    /// repeated: the operations follow one another.
    ///
    ///   with=ITEMS, without=ITEMS  the sets that contain each of the items, or none of them
    ///   within=ITEMS               the sets that contain nothing else
    ///   size=A..=B, weight=A..=B   the sets of these sizes or weights; also `A`, `A..` and `..=B`
    ///   maximal, minimal           the sets that no other one contains, or that contain no other
    ///   complements                for each set, the set of all that it does not contain
    ///   hitting-sets               all sets that have something in common with each of the sets
    ///   union=FILE, intersection=FILE, difference=FILE, symmetric-difference=FILE
    ///                              with the family that --save has written to this file
    ///   subsets-of=FILE, supersets-of=FILE
    ///                              the sets that are subsets, or supersets, of one of its sets
    ///
    /// Items are separated by commas. In sets of vertices they are vertices; in sets of edges they
    /// are edges, as in `A-B` or `A B` (with those parallel to it) or in `#2` (the second one of
    /// the file), or vertices (all of their edges). A set contains an item if it contains one of
    /// its edges.
    #[arg(long, value_name = "OPERATION", verbatim_doc_comment)]
    then: Vec<Operation>,
    /// Print the first K sets.
    #[arg(long, value_name = "K", conflicts_with = "answer_only")]
    list: Option<usize>,
    /// Print the K sets of the largest weights, best first. Edges weigh what the third word in
    /// their line of the file says, a whole number; else edges and vertices weigh 1.
    #[arg(long, value_name = "K", conflicts_with = "answer_only")]
    heaviest: Option<usize>,
    /// Print the K sets of the smallest weights, best first.
    #[arg(long, value_name = "K", conflicts_with = "answer_only")]
    lightest: Option<usize>,
    /// Save the family in this file, for --load and the operations with FILE. An existing file is
    /// replaced.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Begin with the family in this file instead of all sets of edges or vertices: for
    /// `edge-sets` and `vertex-sets`, with the same graph and order of edges.
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
}

/// An operation of `--then`.
#[derive(Clone)]
struct Operation {
    /// The operation on the command line.
    text: String,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    With(Vec<String>),
    Without(Vec<String>),
    Within(Vec<String>),
    Size(Bounds),
    Weight(Bounds),
    OfOne(fn(&Family) -> Result<Family, FamilyError>),
    OfTwo(fn(&Family, &Family) -> Result<Family, FamilyError>, PathBuf),
}

impl FromStr for Operation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        use Kind::{OfOne, OfTwo, Size, Weight, With, Within, Without};

        let (name, value) = text.split_once('=').map_or((text, None), |(n, v)| (n, Some(v)));
        let names = |value: &str| value.split(',').map(str::to_owned).collect();
        let kind = match (name, value.filter(|value| !value.is_empty())) {
            ("with", Some(value)) => With(names(value)),
            ("without", Some(value)) => Without(names(value)),
            ("within", Some(value)) => Within(names(value)),
            ("size", Some(value)) => Size(range(value)?),
            ("weight", Some(value)) => Weight(range(value)?),
            ("maximal", None) => OfOne(Family::maximal),
            ("minimal", None) => OfOne(Family::minimal),
            ("complements", None) => OfOne(Family::complements),
            ("hitting-sets", None) => OfOne(Family::hitting_sets),
            ("union", Some(file)) => OfTwo(Family::union, file.into()),
            ("intersection", Some(file)) => OfTwo(Family::intersection, file.into()),
            ("difference", Some(file)) => OfTwo(Family::difference, file.into()),
            ("symmetric-difference", Some(file)) => {
                OfTwo(Family::symmetric_difference, file.into())
            }
            ("subsets-of", Some(file)) => OfTwo(Family::subsets_of_any, file.into()),
            ("supersets-of", Some(file)) => OfTwo(Family::supersets_of_any, file.into()),
            _ => {
                return Err("expected with=ITEMS, without=ITEMS, within=ITEMS, size=A..=B, \
                     weight=A..=B, maximal, minimal, complements, hitting-sets, or union, \
                     intersection, difference, symmetric-difference, subsets-of or supersets-of \
                     followed by =FILE"
                    .to_owned());
            }
        };
        Ok(Operation { text: text.to_owned(), kind })
    }
}

/// The bounds of a range.
type Bounds = (Bound<i64>, Bound<i64>);

/// Reads the bounds of a range, both included.
fn range(text: &str) -> Result<Bounds, String> {
    let bound = |bound: &str| bound.parse().ok().map(Bound::Included);
    let bounds = match text.split_once("..") {
        None => (bound(text), bound(text)),
        Some((least, most)) => {
            let least = if least.is_empty() { Some(Bound::Unbounded) } else { bound(least) };
            let most = match most {
                "" => Some(Bound::Unbounded),
                most => most.strip_prefix('=').and_then(bound),
            };
            (least, most)
        }
    };
    match bounds {
        (Some(least), Some(most)) => Ok((least, most)),
        _ => Err(format!("found {text:?}, expected whole numbers as in 4, 2..=5, 2.. or ..=5")),
    }
}

/// A function that returns the elements that an item stands for.
type Find<'a> = dyn Fn(&str) -> Result<Vec<usize>, Failure> + 'a;

/// The elements of the sets of a family.
pub struct Elements<'a> {
    /// The weights, if they differ from 1.
    pub weights: Option<Vec<i64>>,
    /// Returns the elements that an item stands for.
    pub find: Box<Find<'a>>,
    /// Writes a set in lines.
    pub draw: &'a dyn Fn(&[usize]) -> String,
    /// The graph and the order of its elements, by which a file is recognised.
    pub fingerprint: Fingerprint,
}

impl Elements<'_> {
    fn weight(&self, element: usize) -> i64 {
        self.weights.as_ref().map_or(1, |weights| weights[element])
    }

    /// Returns the elements that each of these items stands for.
    fn all(&self, items: &[String]) -> Result<Vec<Vec<usize>>, Failure> {
        let find = |item: &String| (self.find)(item).map_err(|error| format!("--then: {error}"));
        Ok(items.iter().map(find).collect::<Result<_, _>>()?)
    }
}

/// A function that writes the numbers of sets of each size.
pub type ShowSizes<'a> = &'a dyn Fn(&mut dyn Iterator<Item = (u32, Natural)>) -> String;

/// Writes a line for each size of sets.
pub fn lines_of_sizes(sizes: impl Iterator<Item = (u32, Natural)>) -> String {
    sizes.map(|(size, number)| format!("{size} {number}")).collect::<Vec<_>>().join("\n")
}

/// The limits of a run, whose clock runs through all of its operations.
struct Clock {
    start: Instant,
    limits: Limits,
}

impl Clock {
    /// Gives a family what is left of the limits beside itself and this number of bytes.
    fn limit(&self, family: Family, others: usize) -> Family {
        let mut limits = self.limits.clone();
        if let Some(time) = limits.max_time() {
            limits = limits.time(time.saturating_sub(self.start.elapsed()));
        }
        if let Some(bytes) = limits.max_memory() {
            limits = limits.memory(bytes.saturating_sub((family.bytes() + others) as u64));
        }
        family.limits(limits)
    }

    /// Returns why no further set should be printed, if there is a reason.
    fn stop(&self) -> Option<Stop> {
        let is_over = self.limits.max_time().is_some_and(|time| self.start.elapsed() > time);
        match interrupt::cancel().is_cancelled() {
            true => Some(Stop::Cancelled),
            false => is_over.then_some(Stop::TimeLimit),
        }
    }

    /// Loads a family with what is left of the limits beside this number of bytes.
    fn load(&self, path: &Path, elements: &Elements<'_>, others: usize) -> Result<Family, Failure> {
        let left = self.limits.max_memory().map(|bytes| bytes.saturating_sub(others as u64));
        let size = fs::metadata(path).map_or(0, |data| data.len());
        if left.is_some_and(|left| size.saturating_mul(BYTES_TO_LOAD) > left) {
            let message = format!("{}: {}; try more --memory", path.display(), Stop::MemoryLimit);
            return Err(Unfinished::new(Stop::MemoryLimit, message).into());
        }
        let loaded = interrupt::while_reading(|| Family::load(path, &elements.fingerprint));
        let family = loaded.map_err(|error| -> Failure {
            match error.reason() {
                LoadError::OtherFingerprint { .. } => {
                    format!("{error}; expected a family of the same graph and order").into()
                }
                _ => error.into(),
            }
        })?;
        Ok(self.limit(family, others))
    }
}

/// The bytes that loading a family takes, for each byte of the file.
const BYTES_TO_LOAD: u64 = 4;

/// The part of a run that makes a family of solutions.
const SWEEP: &str = "the sweep";

/// Returns a function that makes an error of a family a failure of this part of a run.
pub fn failure_of(part: &str) -> impl Fn(FamilyError) -> Failure {
    let advice = move |stop| match stop {
        Stop::Cancelled => "",
        _ if part == SWEEP => "; try a higher limit, or a count only",
        _ => "; try a higher limit",
    };
    move |error| match (&error, error.stop()) {
        (FamilyError::Sweep(incomplete), Some(Stop::StateTooWide)) => {
            format!("{incomplete:#}").into()
        }
        (FamilyError::Sweep(incomplete), Some(stop)) => {
            Unfinished::new(stop, format!("{incomplete:#}{}", advice(stop))).into()
        }
        (_, Some(Stop::CountOverflow)) => {
            format!("{part}: found a sum of weights beyond 64 bits").into()
        }
        (_, Some(stop)) => {
            Unfinished::new(stop, format!("stopped in {part}: {stop}{}", advice(stop))).into()
        }
        (_, None) => format!("{part}: {error}").into(),
    }
}

impl FamilyOptions {
    /// Returns whether an option was given.
    pub fn are_given(&self) -> bool {
        let lists = [self.list, self.heaviest, self.lightest].iter().any(Option::is_some);
        lists || !self.then.is_empty() || self.save.is_some() || self.load.is_some()
    }

    /// Returns whether the family is loaded.
    pub fn loads(&self) -> bool {
        self.load.is_some()
    }

    /// Returns whether the options depend on weights.
    pub fn depends_on_weights(&self) -> bool {
        let mut operations = self.then.iter().map(|operation| &operation.kind);
        let is_weight = |kind: &Kind| matches!(kind, Kind::Weight(_));
        self.heaviest.is_some() || self.lightest.is_some() || operations.any(is_weight)
    }

    /// Makes a family, by `sweep` unless it is loaded, and prints what is asked of it: sets, and
    /// their number, or what `show_sizes` writes.
    pub fn answer(
        &self,
        options: &Options,
        subject: &Subject,
        elements: &Elements<'_>,
        sweep: &dyn Fn() -> Result<Family, FamilyError>,
        show_sizes: Option<ShowSizes<'_>>,
    ) -> Result<(), Failure> {
        let clock = Clock { start: Instant::now(), limits: options.limits() };
        let made = self.make(options, elements, sweep, &clock);
        let counted = made.and_then(|family| {
            let family = clock.limit(family, 0);
            Ok((count(&family, options, show_sizes)?, family))
        });
        let (number, family) = match counted {
            Err(failure) if failure.is::<Unfinished>() => {
                support::print("unknown\n")?;
                return Err(failure);
            }
            counted => counted?,
        };
        let nodes = family.nodes();
        let printed = self.print_sets(options, family, elements, &clock);
        let time = clock.start.elapsed().as_secs_f64();
        options.print_number(subject, number, format!("nodes  {nodes}\ntime   {time:.3} s\n"))?;
        printed
    }

    /// Makes the family, and saves it if that is requested.
    fn make(
        &self,
        options: &Options,
        elements: &Elements<'_>,
        sweep: &dyn Fn() -> Result<Family, FamilyError>,
        clock: &Clock,
    ) -> Result<Family, Failure> {
        let mut family = match &self.load {
            Some(file) => clock.load(file, elements, 0)?,
            None => {
                let swept = sweep();
                options.end_bar();
                clock.limit(swept.map_err(failure_of(SWEEP))?, 0)
            }
        };
        for operation in &self.then {
            let changed = operation.apply(family, elements, clock)?;
            family = clock.limit(changed, 0);
        }
        if let Some(path) = &self.save {
            let action = format!("saving {}", path.display());
            interrupt::while_completing(action, || family.save(path, &elements.fingerprint))?;
        }
        Ok(family)
    }

    /// Prints the sets that are asked for.
    fn print_sets(
        &self,
        options: &Options,
        mut family: Family,
        elements: &Elements<'_>,
        clock: &Clock,
    ) -> Result<(), Failure> {
        let print = |sets: &mut dyn Iterator<Item = (Option<i64>, Vec<usize>)>| {
            let mut stop = None;
            let drawn = sets.map_while(|(weight, set)| {
                stop = clock.stop();
                // A comment, so that sets of edges are files of graphs.
                let head = weight.map_or(String::new(), |weight| format!("# weight {weight}\n"));
                stop.is_none().then(|| head + &(elements.draw)(&set))
            });
            support::print_lines(drawn, "\n")?;
            stop.map_or(Ok(()), |stop| Err(failure_of("the list of sets")(stop.into())))
        };
        let first = self.list.unwrap_or(0).max(usize::from(options.witness));
        if first > 0 {
            print(&mut family.sets().take(first).map(|set| (None, set)))?;
        }
        for (number, direction, option) in [
            (self.heaviest, Direction::Maximise, "--heaviest"),
            (self.lightest, Direction::Minimise, "--lightest"),
        ] {
            let Some(number) = number else { continue };
            let weight = |element| elements.weight(element);
            family = clock.limit(family, 0);
            let mut ranked = family.ranked(direction, weight).map_err(failure_of(option))?;
            print(&mut ranked.by_ref().take(number).map(|(weight, set)| (Some(weight), set)))?;
            if !matches!(ranked.stop(), Stop::Paused | Stop::Exhausted) {
                return Err(failure_of(option)(ranked.stop().into()));
            }
        }
        if let Some(number) = options.sample {
            family = clock.limit(family, 0);
            let sets = family.random_sets(options.seed).map_err(failure_of("--sample"))?;
            print(&mut sets.take(number).map(|set| (None, set)))?;
        }
        Ok(())
    }
}

/// Returns the number of sets as the options request it, or what `show_sizes` writes.
fn count(
    family: &Family,
    options: &Options,
    show_sizes: Option<ShowSizes<'_>>,
) -> Result<String, Failure> {
    if let Some(show) = show_sizes {
        let sizes = family.counts_by_size().map_err(failure_of("the count"))?;
        return Ok(show(&mut (0..).zip(sizes).filter(|(_, number)| *number != Natural::default())));
    }
    let number = family.count_natural().map_err(failure_of("the count"))?;
    Ok(match options.modulo {
        Some(modulus) => number.remainder(modulus).ok_or(ZeroModulus)?.to_string(),
        None => number.to_string(),
    })
}

impl Operation {
    /// Applies the operation to a family with the limits of the run.
    fn apply(
        &self,
        family: Family,
        elements: &Elements<'_>,
        clock: &Clock,
    ) -> Result<Family, Failure> {
        let applied = match &self.kind {
            Kind::With(items) => {
                let with = |family, item: Vec<usize>| with(family, &item, clock);
                elements.all(items)?.into_iter().try_fold(family, with)
            }
            Kind::Without(items) => without(&family, &elements.all(items)?.concat()),
            Kind::Within(items) => family.subsets_of(elements.all(items)?.concat()),
            Kind::Size(bounds) => family.of_weight(|_| 1, *bounds),
            Kind::Weight(bounds) => family.of_weight(|element| elements.weight(element), *bounds),
            Kind::OfOne(operation) => operation(&family),
            Kind::OfTwo(operation, file) => {
                let other = clock.load(file, elements, family.bytes())?;
                operation(&clock.limit(family, other.bytes()), &other)
            }
        };
        applied.map_err(failure_of(&format!("--then {}", self.text)))
    }
}

/// Returns the sets that contain at least one of these elements.
fn with(family: Family, item: &[usize], clock: &Clock) -> Result<Family, FamilyError> {
    let family = clock.limit(family, 0);
    if let &[element] = item {
        return family.including(element);
    }
    let others = without(&family, item)?;
    clock.limit(family, others.bytes()).difference(&others)
}

/// Returns the sets that contain none of these elements.
fn without(family: &Family, items: &[usize]) -> Result<Family, FamilyError> {
    family.subsets_of((0..family.universe()).filter(|element| !items.contains(element)))
}
