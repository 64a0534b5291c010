//! Writing frontiers to files, reading them, and checking them against a problem; and the formats
//! of their parts, which are validated when they are read.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::Frontier;
use super::division::DivisionPart;
use super::subtree::{Subtree, Untried};
use crate::checkpoint::{
    Fingerprint, Kind, LoadError, RecordReader, RecordWriter, SaveError, encode, replace,
};
use crate::problem::Problem;
use crate::refusal::refusal;
use crate::report::Report;

impl<C: Serialize + DeserializeOwned> Frontier<C> {
    /// Writes the frontier. `fingerprint` identifies the problem and the hooks: see
    /// [`Search::fingerprint`](crate::Search::fingerprint). Cost: proportional to the size of the
    /// frontier.
    ///
    /// # Errors
    /// Returns [`SaveError`] if `writer` fails, if the frontier is lost, if it has been searched by
    /// an objective without a [name](crate::Objective::named), if choices cannot be written so that
    /// they can be read again, or if the fingerprint has a part without
    /// [parameters](crate::Hook::parameters).
    pub fn write(&self, writer: impl Write, fingerprint: &Fingerprint) -> Result<(), SaveError> {
        if self.lost {
            return Err(SaveError::Lost);
        }
        if self.is_unnamed() {
            return Err(SaveError::Unnamed);
        }
        let data = encode(self)?;
        let mut records = RecordWriter::begin(writer, Kind::Frontier, fingerprint)?;
        records.record(&data)?;
        records.end()
    }

    /// Writes the frontier into a file and replaces an existing one, [all or
    /// nothing](crate::checkpoint#writing).
    ///
    /// ```
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs::search::Frontier;
    /// use secateurs::{Limits, Search};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(9)?.bits();
    /// let fingerprint = Search::new(&queens).fingerprint(Fingerprint::new("queens", &9));
    /// let mut frontier = Frontier::new();
    /// let limits = Limits::new().nodes(100);
    /// let _ = Search::new(&queens).limits(limits).frontier(&mut frontier).count();
    ///
    /// // Each part may go to another machine, and come back.
    /// # let name = format!("secateurs-doc-save-{}", std::process::id());
    /// # let directory = std::env::temp_dir().join(name);
    /// # std::fs::create_dir_all(&directory)?;
    /// for (index, part) in frontier.split(3).into_iter().enumerate() {
    ///     part.save(directory.join(format!("queens.part-{index}")), &fingerprint)?;
    /// }
    ///
    /// let mut whole: Option<Frontier<u64>> = None;
    /// for index in 0..3 {
    ///     let path = directory.join(format!("queens.part-{index}"));
    ///     let mut part = Frontier::load(path, &fingerprint)?;
    ///     let _ = Search::new(&queens).frontier(&mut part).count();
    ///     match &mut whole {
    ///         Some(whole) => whole.merge(part),
    ///         None => whole = Some(part),
    ///     }
    /// }
    /// let mut whole = whole.ok_or("three parts")?;
    /// assert_eq!(Search::new(&queens).frontier(&mut whole).count().exact(), Some(352));
    /// # std::fs::remove_dir_all(&directory)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`write`](Self::write), with the path.
    pub fn save(&self, path: impl AsRef<Path>, fingerprint: &Fingerprint) -> Result<(), SaveError> {
        let path = path.as_ref();
        let saved: Result<(), SaveError> = replace(path, |file| self.write(file, fingerprint));
        saved.map_err(|error| error.in_file(path))
    }

    /// Reads a frontier, which must be everything that `reader` returns.
    ///
    /// # Errors
    /// Returns [`LoadError`] if the data differ from what was written, or have another fingerprint.
    pub fn read(reader: impl Read, fingerprint: &Fingerprint) -> Result<Self, LoadError> {
        RecordReader::open(reader, Kind::Frontier, fingerprint)?.only(Self::validate)
    }

    /// Reads a frontier from a file.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read), with the path.
    pub fn load(path: impl AsRef<Path>, fingerprint: &Fingerprint) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let read = || Self::read(BufReader::new(File::open(path)?), fingerprint);
        read().map_err(|error| error.in_file(path))
    }
}

impl<C> Frontier<C> {
    /// Checks that the parts of a frontier that was read fit together. Otherwise, returns what was
    /// found and what was expected.
    pub(crate) fn validate(&self) -> Result<(), String> {
        if self.lost {
            return Err("found a frontier without its subtrees, which a run had taken".to_owned());
        }
        let reported = u128::from(self.report.as_ref().map_or(0, Report::solutions));
        let visited = self.counted.map_or(0, |counted| counted.visited());
        // A solution that is to be visited again does not count, but the report knows it.
        if visited > reported {
            return Err(format!(
                "found {visited} visited solutions, expected at most {reported} as in the report"
            ));
        }
        let others = self.counted.map_or(0, |counted| counted.non_representatives());
        if others > visited {
            return Err(format!(
                "found {others} solutions that are not representatives, expected at most \
                 {visited} as visited"
            ));
        }
        Ok(())
    }

    /// Checks that `problem` [accepts](Problem::accepts_saved) all choices in this frontier.
    ///
    /// A search that [continues](crate::Search::frontier) a frontier from a file checks this by
    /// itself. If the frontier is impossible, this function says why. Cost: replays all paths once,
    /// without hooks.
    ///
    /// # Errors
    /// Returns [`LoadError::Inconsistent`] with the depth of an impossible choice.
    pub fn check(&self, problem: &impl Problem<Choice = C>) -> Result<(), LoadError> {
        self.subtrees.iter().try_for_each(|subtree| check_subtree(problem, subtree))?;
        self.best.iter().try_for_each(|best| check_path(problem, &best.path, |_| None))
    }

    /// Checks a frontier that was read from a file against the problem, once. If it has choices
    /// that the problem cannot make, it becomes lost.
    pub(crate) fn check_once(
        &mut self,
        problem: &impl Problem<Choice = C>,
    ) -> Result<(), LoadError> {
        if std::mem::replace(&mut self.is_checked, true) {
            return Ok(());
        }
        self.check(problem).inspect_err(|_| self.lost = true)
    }
}

/// Checks the choices of a subtree.
pub(crate) fn check_subtree<P: Problem>(
    problem: &P,
    subtree: &Subtree<P::Choice>,
) -> Result<(), LoadError> {
    check_path(problem, &subtree.path, |depth| subtree.node(depth))
}

/// Checks the choices of a path, and the `untried` children of its nodes by depth.
fn check_path<'c, P: Problem<Choice: 'c>>(
    problem: &P,
    path: &[P::Choice],
    untried: impl Fn(usize) -> Option<&'c Untried<P::Choice>>,
) -> Result<(), LoadError> {
    let mut state = problem.root();
    for depth in 0..=path.len() {
        let next = path.get(depth);
        let children = untried(depth).into_iter().flat_map(|node| &node.choices);
        let mut choices = children.chain(next);
        if !choices.all(|choice| problem.accepts_saved(&state, choice)) {
            let reason = format!("at depth {depth}, it has a choice that the problem cannot make");
            return Err(LoadError::Inconsistent { reason });
        }
        if let Some(choice) = next {
            problem.apply(&mut state, choice);
        }
    }
    Ok(())
}

/// A choice with a marker.
///
/// In formats without names, the marker takes one byte. Otherwise choices of a zero-sized type
/// would take no space, and a few bytes could claim any number of them.
#[derive(Serialize, Deserialize)]
enum Marked<C> {
    Choice(C),
}

/// A sequence of choices as a list of marked choices.
pub(super) mod choices {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Marked;

    pub(in crate::search::frontier) fn serialize<'a, C: Serialize + 'a, L, S: Serializer>(
        choices: &'a L,
        serializer: S,
    ) -> Result<S::Ok, S::Error>
    where
        &'a L: IntoIterator<Item = &'a C, IntoIter: ExactSizeIterator>,
    {
        serializer.collect_seq(choices.into_iter().map(Marked::Choice))
    }

    pub(in crate::search::frontier) fn deserialize<'de, C, L, D>(
        deserializer: D,
    ) -> Result<L, D::Error>
    where
        C: Deserialize<'de>,
        L: FromIterator<C>,
        D: Deserializer<'de>,
    {
        let marked = Vec::<Marked<C>>::deserialize(deserializer)?;
        Ok(marked.into_iter().map(|Marked::Choice(choice)| choice).collect())
    }
}

/// Reads a share of the tree, or a sum of shares.
pub(super) fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(deserializer)?;
    // A sum of shares may exceed 1 after overlapping parts were merged.
    if (0.0..=1e9).contains(&share) {
        Ok(share)
    } else {
        Err(refusal(format!("found {share}, expected a share of a tree, from 0 to 1e9")))
    }
}

/// A subtree as read, before it is validated.
#[derive(Deserialize)]
#[serde(bound(deserialize = "C: Deserialize<'de>"))]
struct Unchecked<C> {
    #[serde(with = "choices")]
    path: Vec<C>,
    untried: Vec<Untried<C>>,
    solution: bool,
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for Subtree<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Unchecked { path, untried, solution } = Unchecked::deserialize(deserializer)?;
        let whole = path.is_empty() && untried.is_empty() && !solution;
        let most = path.len() + 1;
        if !whole && !(1..=most).contains(&untried.len()) {
            return Err(refusal(format!(
                "found {} nodes along a path of {} choices, expected 1 to {most} nodes",
                untried.len(),
                path.len()
            )));
        }
        let is_only_end = |nodes: &[Untried<C>]| {
            let [end] = nodes else { return false };
            end.choices.is_empty() && !end.barren
        };
        if solution && !is_only_end(&untried) {
            return Err(refusal(format!(
                "found a solution at depth {} with untried children along its path, \
                 expected none",
                path.len()
            )));
        }
        Ok(Subtree { path, untried, solution })
    }
}

/// Reads the parts of the tree that a frontier covers.
pub(super) fn extent<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Vec<DivisionPart>>, D::Error> {
    let extent = Vec::<Vec<DivisionPart>>::deserialize(deserializer)?;
    if extent.is_empty() {
        return Err(refusal("found a frontier of no part of the tree, expected at least one"));
    }
    for &DivisionPart { parts, index, .. } in extent.iter().flatten() {
        if parts < 2 || index >= parts {
            return Err(refusal(format!(
                "found part {index} of a division into {parts}, \
                 expected a part from 0 of a division into 2 or more"
            )));
        }
    }
    Ok(extent)
}
