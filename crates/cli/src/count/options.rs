//! The options of the commands that count, [`Options`], and the counts that they request.

use std::cell::Cell;
use std::fmt::Display;
use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use secateurs::plug::algebra::{CountByWeight, Counting, Natural, Polynomial, ZeroModulus};
use secateurs::plug::{ContourProblem, RepetitionError, Sweep};
use secateurs::{Incomplete, Limits, Report, Stop};
use secateurs_problems::catalogue::Determinant;

use super::estimate;
use super::family::lines_of_sizes;
use super::saving::{self, Answer, Mode, Storage};
use crate::support::catalogue::Size;
use crate::support::progress::{self, Bar};
use crate::support::sweeps::State;
use crate::support::{self, Failure, Unfinished, interrupt};

/// The options of a count.
#[derive(Args)]
#[group(id = "counting")]
pub struct Options {
    /// Count modulo this number, which takes less memory, instead of exactly.
    #[arg(long, value_name = "M", value_parser = support::whole::<u64>)]
    pub modulo: Option<u64>,
    /// Count exactly, but in several passes modulo primes, which take less memory than one pass
    /// with large numbers. Chosen automatically if --memory requires it.
    #[arg(long, conflicts_with_all = ["modulo", "sample", "witness"])]
    pub residues: bool,
    /// Count the solutions of each length separately: a line for each length, with the number of
    /// solutions of that length. It is the number of edges, of dominoes, or of cells or vertices in
    /// a set; of two colours, that of black cells.
    #[arg(long, conflicts_with_all = ["modulo", "residues", "sample", "witness"])]
    pub by_length: bool,
    /// The tables for states: hash tables, for every problem, or dense tables, indexed by the rank
    /// of a state, for problems of paths and loops on boards. With it, spanning trees and tilings
    /// are counted by a sweep, and not by a determinant. [default: dense if possible]
    #[arg(long, value_enum)]
    pub table: Option<Table>,
    #[command(flatten)]
    sweep: support::limits::SweepOptions,
    #[command(flatten)]
    progress: progress::Options,
    /// Draw this number of random solutions, uniformly distributed. Keeps all layers in memory, in
    /// hash tables.
    #[arg(long, value_name = "K", conflicts_with = "answer_only")]
    pub(super) sample: Option<usize>,
    /// The seed of the random solutions: the same seed gives the same solutions.
    #[arg(long, default_value = "1", value_parser = support::whole::<u64>)]
    pub(super) seed: u64,
    /// Draw one solution. Keeps all layers in memory, in hash tables.
    #[arg(long, conflicts_with = "answer_only")]
    pub(super) witness: bool,
    /// Estimate the number of states, and the memory and time that they take, instead of counting:
    /// from smaller boards, which takes a second.
    #[arg(long, conflicts_with_all = ["sample", "witness"])]
    pub estimate: bool,
    #[command(flatten)]
    pub saving: support::checkpoint::Options,
    /// Keep the states that exceed --memory in temporary files in this directory, instead of
    /// stopping. In hash tables, with one thread.
    #[arg(long, value_name = "DIRECTORY", requires = "memory",
        conflicts_with_all = ["saved", "sample", "witness", "estimate"])]
    pub spill: Option<PathBuf>,
    /// Print only the number.
    #[arg(long)]
    pub(super) answer_only: bool,
    /// The progress bar of the current sweep.
    #[arg(skip)]
    bar: Cell<Option<Bar>>,
    /// The report of a sweep for an estimate.
    #[arg(skip)]
    pub(super) measured: Cell<Option<Report>>,
}

/// The largest matrix of a determinant, with 200 bytes for a vertex.
const BYTES_OF_MATRIX: u64 = 1 << 28;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Table {
    Hash,
    Dense,
}

/// The description of the solutions that are counted.
pub struct Subject {
    /// The problem and its size. Name and data identify a saved count.
    pub name: String,
    /// The board or the graph, as text.
    pub data: String,
    /// Lines about the graph, to be printed with the number.
    pub facts: String,
}

/// A command that counts.
pub trait Countable {
    fn options(&self) -> &Options;

    fn options_mut(&mut self) -> &mut Options;

    /// Returns the size that the number of states grows exponentially with, such as the length of
    /// the shorter side of a board, or the reason why there are no smaller instances.
    fn side(&mut self) -> Result<usize, &'static str>;

    /// Makes the instance smaller, so that [`side`](Self::side) returns this number.
    fn shorten(&mut self, side: usize);

    /// Counts, and prints the answer; or stores the report of the sweep for an estimate.
    fn count(&self) -> Result<(), Failure>;
}

/// Runs a command that counts.
pub fn run(mut command: impl Countable) -> ExitCode {
    support::run(|| {
        if command.options().estimate {
            return estimate::estimate(&mut command);
        }
        let Err(failure) = count(&command) else { return Ok(()) };
        let Some(&incomplete) = failure.downcast_ref::<Incomplete>() else { return Err(failure) };
        let parts = [
            Some(format!("{incomplete:#}")),
            estimate::of_memory(&mut command, &incomplete),
            command.options().advice(incomplete.stop()).map(str::to_owned),
        ];
        let message = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
        Err(Unfinished::new(incomplete.stop(), message).into())
    })
}

/// Counts, and saves the count if that is requested.
pub fn count(command: &impl Countable) -> Result<(), Failure> {
    match command.options().saving.path() {
        Some((path, _)) => {
            let action = format!("saving {}", path.display());
            interrupt::while_completing(action, || command.count())
        }
        None => command.count(),
    }
}

impl Options {
    /// Counts the solutions of a problem in hash tables, and draws some of them if requested.
    pub fn count<P: ContourProblem<State: State, Label: Size>, D: Display>(
        &self,
        subject: &Subject,
        problem: &P,
        draw: impl Fn(&P, &[P::Label]) -> D,
    ) -> Result<(), Failure> {
        self.refuse_dense()?;
        if self.draws() {
            return self.draw(subject, problem, draw);
        }
        if self.by_length {
            return self.count_by_size(subject, problem, |sizes| lines_of_sizes(sizes.terms()));
        }
        let sweep = || self.sweep(problem);
        let storage = self.storage(subject);
        let answer = self.in_little_memory(|mode| saving::hashed(sweep, &storage, mode))?;
        self.print_answer(subject, answer)
    }

    /// Counts the solutions of each size in hash tables. `show` converts their numbers.
    pub fn count_by_size<P: ContourProblem<State: State, Label: Size>>(
        &self,
        subject: &Subject,
        problem: &P,
        show: impl FnOnce(&Polynomial) -> String,
    ) -> Result<(), Failure> {
        self.refuse_dense()?;
        let by_size = CountByWeight::new(|_: usize, label: P::Label| label.size());
        let answer =
            saving::by_weight(|| self.sweep(problem), &self.storage(subject), &by_size, show)?;
        self.print_answer(subject, answer)
    }

    /// Refuses dense tables, for a problem that has none.
    pub fn refuse_dense(&self) -> Result<(), Failure> {
        match self.table {
            Some(Table::Dense) => {
                Err("found --table dense, expected it with paths, cycles and loops \
                 on boards of up to 30 cells along the shorter side"
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the options ask only for the number of solutions, and none of them concerns
    /// a sweep.
    pub(super) fn ask_for_number_only(&self) -> bool {
        let concern_sweeps = self.table.is_some()
            || self.residues
            || self.saving.given().is_some()
            || self.spill.is_some()
            || self.sweep.limits.nodes.is_some()
            || self.sweep.states.is_some();
        !(self.by_length || self.draws() || self.estimate || concern_sweeps)
    }

    /// Returns whether a determinant answers what the options ask. With this many vertices, the
    /// matrix must fit into memory, and a graph of this width must not be so long and narrow that a
    /// sweep is faster.
    pub fn permit_determinant(&self, vertices: usize, width: usize) -> bool {
        let bytes = self.sweep.limits.memory.unwrap_or(u64::MAX).min(BYTES_OF_MATRIX);
        let is_suitable = vertices <= 10_000 || width >= 8;
        self.ask_for_number_only() && is_suitable && vertices as u64 * 200 <= bytes
    }

    /// Counts the solutions of a problem with some cells repeated, modulo a number.
    pub(super) fn count_repeated<P: ContourProblem>(
        &self,
        subject: &Subject,
        problem: &P,
        repeated: Range<usize>,
        times: usize,
        modulus: u64,
    ) -> Result<(), Failure> {
        let repetition = self.sweep(problem).repeated(repeated);
        self.end_bar();
        let repetition = match repetition {
            Ok(repetition) => repetition,
            Err(RepetitionError::Stopped(incomplete)) => {
                support::print("unknown\n")?;
                return Err(incomplete.into());
            }
            Err(error) => return Err(error.into()),
        };
        let outcome = repetition.count_modulo(times as u128, modulus)?;
        let outcome = support::complete(outcome, self.answer_only)?;
        let how = format!(
            "by a linear recurrence of order at most {}\ntime  {:.3} s\n",
            repetition.states(),
            outcome.report().elapsed().as_secs_f64()
        );
        self.print_number(subject, outcome.total().unwrap_or(&0), how)
    }

    /// Computes a determinant, and prints it. `theorem` says where it is from.
    pub fn count_by_determinant(
        &self,
        subject: &Subject,
        determinant: &Determinant,
        theorem: &str,
    ) -> Result<(), Failure> {
        let (start, limits) = (Instant::now(), self.sweep.limits());
        let number = match self.modulo {
            Some(modulus) => {
                let modulus = NonZero::new(modulus).ok_or(ZeroModulus)?;
                determinant.count_modulo(modulus, &limits).map(Natural::from)
            }
            None => determinant.count(&limits),
        };
        let time = start.elapsed().as_secs_f64();
        match number {
            Ok(number) => {
                let how = format!("by a determinant ({theorem})\ntime  {time:.3} s\n");
                self.print_number(subject, number, how)
            }
            Err(stop) => {
                support::print("unknown\n")?;
                let message = format!("stopped after {time:.1} s: {stop}; try a higher limit");
                Err(Unfinished::new(stop, message).into())
            }
        }
    }

    /// Counts the solutions of a problem, and draws some of them.
    fn draw<P: ContourProblem<State: State>, D: Display>(
        &self,
        subject: &Subject,
        problem: &P,
        draw: impl Fn(&P, &[P::Label]) -> D,
    ) -> Result<(), Failure> {
        if let Some(option) = self.saving.given() {
            return Err(format!(
                "found {option} with --sample or --witness, expected it with counts only"
            )
            .into());
        }
        // Solutions are read off the layers from the last to the first, so all layers are retained.
        let retained = self.sweep(problem).retain_layers();
        self.end_bar();
        let retained = retained?;
        let outcome = retained.run(&Counting::<Natural>::new());
        let outcome = support::complete(outcome, self.answer_only)?;
        let number = outcome.total().cloned().unwrap_or_else(|| Natural::from(0_u64));
        let number = match self.modulo {
            Some(modulus) => number.remainder(modulus).ok_or(ZeroModulus)?.into(),
            None => number,
        };
        if self.witness
            && let Some(labels) = retained.first().complete()?.solution()
        {
            support::print(format_args!("{}\n", draw(problem, labels)))?;
        }
        let mut stop = None;
        if let Some(samples) = self.sample {
            for labels in retained.samples(self.seed)?.take(samples) {
                stop = self.used_up();
                if stop.is_some() {
                    break;
                }
                support::print(format_args!("{}\n", draw(problem, &labels)))?;
            }
        }
        self.print_number(subject, number, retained.report())?;
        support::check_complete(stop.unwrap_or(Stop::Exhausted))
    }

    /// Counts as the options say. If the memory limit rules out exact numbers, counts again by
    /// residues, unless the count is saved: a file belongs to one kind of count.
    pub(super) fn in_little_memory(
        &self,
        count: impl Fn(Mode) -> Result<Answer, Failure>,
    ) -> Result<Answer, Failure> {
        let mode = match self.modulo {
            Some(modulus) => Mode::Modulo(modulus),
            None if self.residues => Mode::ByResidues,
            None => Mode::Exact,
        };
        let count = |mode| {
            let answer = count(mode)?;
            self.sweep.limits.spend(&answer.report);
            Ok::<_, Failure>(answer)
        };
        let answer = count(mode)?;
        let may_count_again = mode == Mode::Exact
            && self.saving.given().is_none()
            && self.spill.is_none()
            && !self.estimate;
        if !may_count_again || answer.report.stop() != Stop::MemoryLimit {
            return Ok(answer);
        }
        let by_residues = count(Mode::ByResidues)?;
        // If they do not fit either, the first answer says what is needed.
        Ok(if by_residues.report.stop() == Stop::MemoryLimit { answer } else { by_residues })
    }

    /// Returns whether solutions are drawn.
    pub fn draws(&self) -> bool {
        self.witness || self.sample.is_some()
    }

    /// Creates a sweep with these limits and threads, which shows its progress.
    pub fn sweep<'p, P: ContourProblem>(&self, problem: &'p P) -> Sweep<'p, P> {
        let options = &self.sweep;
        let sweep = Sweep::new(problem).threads(options.threads()).limits(options.limits());
        let bar = self.progress.bar();
        let sweep = bar.watch_sweep(sweep);
        self.bar.set(Some(bar));
        sweep
    }

    /// Returns the limits of a sweep, and of what follows it.
    pub fn limits(&self) -> Limits {
        self.sweep.limits()
    }

    /// Returns why nothing should follow a sweep, if there is a reason.
    pub fn used_up(&self) -> Option<Stop> {
        self.sweep.limits.used_up()
    }

    /// Limits the time of the sweeps that follow.
    pub(super) fn limit_time(&mut self, time: Duration) {
        self.sweep.limits.restart(time);
    }

    /// Removes the bar before the answer is printed.
    pub(super) fn end_bar(&self) {
        drop(self.bar.take());
    }

    /// Returns where the layers are kept.
    pub(super) fn storage<'a>(&'a self, subject: &'a Subject) -> Storage<'a> {
        match &self.spill {
            Some(directory) => Storage::Spilled(directory),
            None => Storage::Saved { options: &self.saving, subject },
        }
    }

    /// Prints the answer of a sweep, or stores its report for an estimate. A sweep that stopped
    /// early has no answer and is a failure.
    pub(super) fn print_answer(&self, subject: &Subject, answer: Answer) -> Result<(), Failure> {
        self.end_bar();
        match answer.number {
            _ if self.estimate => {
                self.measured.set(Some(answer.report));
                Ok(())
            }
            Ok(number) => self.print_number(subject, number, &answer.report),
            Err(incomplete) => {
                support::print_unknown(&answer.report, self.answer_only)?;
                Err(incomplete.into())
            }
        }
    }

    pub(super) fn print_number(
        &self,
        subject: &Subject,
        number: impl Display,
        report: impl Display,
    ) -> Result<(), Failure> {
        if self.answer_only {
            return support::print(format_args!("{number}\n"));
        }
        let modulo = self.modulo.map_or(String::new(), |modulus| format!("  (modulo {modulus})"));
        support::print(format_args!("{number}{modulo}\n\n{}{report}", subject.facts))
    }

    /// Returns the options that would help a count that has stopped.
    fn advice(&self, stop: Stop) -> Option<&'static str> {
        let is_exact = self.modulo.is_none() && !self.residues && !self.by_length;
        match stop {
            Stop::MemoryLimit if self.draws() => Some("try more --memory, or a count only"),
            Stop::MemoryLimit if self.spill.is_some() => Some("try more --memory"),
            Stop::MemoryLimit if self.saving.given().is_some() && is_exact => {
                Some("try more --memory, or --residues and another file")
            }
            Stop::MemoryLimit => Some("try more --memory, or --spill DIRECTORY"),
            Stop::StateLimit => Some("try more --states"),
            Stop::CountOverflow => Some("try --table hash"),
            _ => None,
        }
    }
}
