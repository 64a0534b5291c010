//! Counts the solutions of the catalogue's contour problems on a board, exactly.

mod estimate;
mod saving;

use std::cell::Cell;
use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::support::catalogue::{Board, Draw, Problem, Use};
use crate::support::progress::{self, Bar};
use crate::support::sweeps::State;
use crate::support::{self, Failure, interrupt};
use clap::{Args, ValueEnum};
use saving::{Answer, Mode, Storage};
use secateurs::plug::algebra::{CountByWeight, Counting, Natural, Polynomial, ZeroModulus};
use secateurs::plug::code::Word;
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Report, Stop};
use secateurs_problems::catalogue::{PolyominoState, Polyominoes, Strands};

/// Count paths, loops, tilings, trees and other things on a board, exactly, however many there are.
///
/// The board has ROWS times COLS cells, which are the vertices of paths, loops, trees and
/// matchings. It is swept cell by cell, along the shorter side, and partial solutions with the same
/// completions are counted together. Time and memory grow exponentially with the shorter side, but
/// only linearly with the longer one.
///
/// Examples:
///   count hamiltonian-cycles 8 8
///   count domino-tilings 8 8 --sample 3
///   count simple-paths 12 12 --modulo 1000000007
///   count polyominoes 20
///   count simple-paths 8 8 --by-length
///   count hamiltonian-cycles 20 20 --threads 2 --checkpoint cycles.saved
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The problem to count the solutions of.
    #[arg(value_enum)]
    problem: Problem,
    #[command(flatten)]
    board: Board,
    /// Count modulo this number, which takes less memory, instead of exactly.
    #[arg(long, value_name = "M", value_parser = support::whole::<u64>)]
    modulo: Option<u64>,
    /// Count exactly, but in several passes modulo primes, which take less memory than one pass
    /// with large numbers. Chosen automatically if --memory requires it.
    #[arg(long, conflicts_with_all = ["modulo", "sample", "witness"])]
    residues: bool,
    /// Count the paths or cycles of each length separately: a line for each length, in edges, with
    /// the number of solutions of that length.
    #[arg(long, conflicts_with_all = ["modulo", "residues", "sample", "witness"])]
    by_length: bool,
    /// The tables for states: hash tables, for every problem, or dense tables, indexed by the rank
    /// of a state, for problems of paths and loops. [default: dense if possible]
    #[arg(long, value_enum)]
    table: Option<Table>,
    #[command(flatten)]
    sweep: support::limits::SweepOptions,
    #[command(flatten)]
    progress: progress::Options,
    /// Draw this number of random solutions, uniformly distributed. Keeps all layers in memory, in
    /// hash tables.
    #[arg(long, value_name = "K", conflicts_with = "answer_only")]
    sample: Option<usize>,
    /// The seed of the random solutions: the same seed gives the same solutions.
    #[arg(long, default_value = "1", value_parser = support::whole::<u64>)]
    seed: u64,
    /// Draw one solution. Keeps all layers in memory, in hash tables.
    #[arg(long, conflicts_with = "answer_only")]
    witness: bool,
    /// Estimate the number of states, and the memory and time that they take, instead of counting:
    /// from smaller boards, which takes a second.
    #[arg(long, conflicts_with_all = ["sample", "witness", "obstacles"])]
    estimate: bool,
    #[command(flatten)]
    saving: support::checkpoint::Options,
    /// Keep the states that exceed --memory in temporary files in this directory, instead of
    /// stopping. In hash tables, with one thread.
    #[arg(long, value_name = "DIRECTORY", requires = "memory",
        conflicts_with_all = ["saved", "sample", "witness", "estimate"])]
    spill: Option<PathBuf>,
    /// Print only the number.
    #[arg(long)]
    answer_only: bool,
    /// The progress bar of the current sweep.
    #[arg(skip)]
    bar: Cell<Option<Bar>>,
    /// The report of a sweep for an estimate.
    #[arg(skip)]
    measured: Cell<Option<Report>>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    Hash,
    Dense,
}

/// Runs the command.
pub fn run(mut arguments: Arguments) -> ExitCode {
    support::run(|| {
        if arguments.estimate {
            return estimate::estimate(&mut arguments);
        }
        count(&arguments).map_err(|failure| estimate::with_memory_estimate(&mut arguments, failure))
    })
}

fn count(arguments: &Arguments) -> Result<(), Failure> {
    let count = || arguments.problem.with(&arguments.board, arguments);
    match arguments.saving.path() {
        Some((path, _)) => interrupt::while_completing(format!("saving {}", path.display()), count),
        None => count(),
    }
}

impl Use for Arguments {
    fn strands(&self, strands: &Strands) -> Result<(), Failure> {
        if self.by_length { self.count_by_length(strands) } else { self.count_strands(strands) }
    }

    fn polyominoes<W: Word>(&self, polyominoes: &Polyominoes<W>, cells: u32) -> Result<(), Failure>
    where
        PolyominoState<W>: State,
    {
        if self.draws() || self.residues || self.table == Some(Table::Dense) || self.by_length {
            return self.count(&polyominoes.of_size(cells), |polyominoes, labels| {
                polyominoes.problem().draw(labels)
            });
        }
        let modulus = self.modulo.map_or(Ok(None), |modulus| match modulus {
            0 => Err(ZeroModulus),
            _ => Ok(Some(modulus)),
        })?;
        let by_size = CountByWeight::new(polyominoes).up_to(cells);
        let sweep = || self.sweep(polyominoes);
        let answer = saving::by_weight(sweep, &self.storage()?, &by_size, |sizes| {
            let number = sizes.coefficient(cells).unwrap_or_default();
            let residue = modulus.and_then(|modulus| number.remainder(modulus));
            residue.map_or_else(|| number.to_string(), |residue| residue.to_string())
        })?;
        self.print_answer(answer)
    }

    fn contour_problem<P: ContourProblem<State: State>, D: Display>(
        &self,
        problem: &P,
        draw: Draw<P, D>,
    ) -> Result<(), Failure> {
        self.count(problem, draw)
    }
}

impl Arguments {
    /// Counts the paths or loops of a board, in a dense table unless the options rule it out.
    fn count_strands(&self, strands: &Strands) -> Result<(), Failure> {
        if self.table == Some(Table::Dense) && self.spill.is_some() {
            return Err("found --table dense, expected --table hash with --spill".into());
        }
        if self.table == Some(Table::Hash) || self.draws() || self.spill.is_some() {
            if self.table == Some(Table::Dense) {
                return Err("found --table dense, expected --table hash with --sample or \
                     --witness: solutions are drawn from layers in hash tables"
                    .into());
            }
            return self.count_hashed(strands, Strands::draw);
        }
        let answer = self.in_little_memory(|mode| {
            saving::dense(|| self.sweep(strands), &self.storage()?, mode)
        })?;
        // Hash tables have longer words and larger numbers than dense ones: fall back to them
        // unless the options say otherwise.
        let is_too_large = matches!(answer.report.stop(), Stop::StateTooWide | Stop::CountOverflow);
        match self.saving.given() {
            _ if self.table.is_some() || !is_too_large => self.print_answer(answer),
            None => self.count_hashed(strands, Strands::draw),
            Some(_) => Err("the board is too wide or the count too large for dense tables, \
                 expected --table hash and another file"
                .into()),
        }
    }

    /// Counts the paths or loops of each length.
    fn count_by_length(&self, strands: &Strands) -> Result<(), Failure> {
        if self.table == Some(Table::Dense) {
            return Err("found --table dense, expected --table hash with --by-length".into());
        }
        let by_length = CountByWeight::new(|_: usize, piece: PathPiece| piece.length());
        let sweep = || self.sweep(strands);
        let show = |lengths: &Polynomial| {
            let lines = lengths.terms().map(|(length, number)| format!("{length} {number}"));
            lines.collect::<Vec<_>>().join("\n")
        };
        self.print_answer(saving::by_weight(sweep, &self.storage()?, &by_length, show)?)
    }

    /// Counts the solutions of any other problem.
    fn count<P: ContourProblem<State: State>, D: Display>(
        &self,
        problem: &P,
        draw: Draw<P, D>,
    ) -> Result<(), Failure> {
        if self.by_length {
            return Err(
                "found --by-length, expected it with paths, cycles and two-factors only".into()
            );
        }
        if self.table == Some(Table::Dense) {
            return Err(
                "found --table dense, expected it with paths, cycles and two-factors only".into()
            );
        }
        self.count_hashed(problem, draw)
    }

    /// Counts the solutions of a problem, and draws some of them if the options say so.
    fn count_hashed<P: ContourProblem<State: State>, D: Display>(
        &self,
        problem: &P,
        draw: Draw<P, D>,
    ) -> Result<(), Failure> {
        if !self.draws() {
            return self.print_answer(self.in_little_memory(|mode| {
                saving::hashed(|| self.sweep(problem), &self.storage()?, mode)
            })?);
        }
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
        for labels in retained.samples(self.seed)?.take(self.sample.unwrap_or(0)) {
            if interrupt::cancel().is_cancelled() {
                break;
            }
            support::print(format_args!("{}\n", draw(problem, &labels)))?;
        }
        self.print_number(number, &retained.report())?;
        let is_interrupted = interrupt::cancel().is_cancelled();
        support::check_complete(if is_interrupted { Stop::Cancelled } else { Stop::Exhausted })
    }

    /// Counts as the options say. If the memory limit rules out exact numbers, counts again by
    /// residues, unless the count is saved: a file belongs to one kind of count.
    fn in_little_memory(
        &self,
        count: impl Fn(Mode) -> Result<Answer, Failure>,
    ) -> Result<Answer, Failure> {
        let mode = match self.modulo {
            Some(modulus) => Mode::Modulo(modulus),
            None if self.residues => Mode::ByResidues,
            None => Mode::Exact,
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

    fn draws(&self) -> bool {
        self.witness || self.sample.is_some()
    }

    fn sweep<'p, P: ContourProblem>(&self, problem: &'p P) -> Sweep<'p, P> {
        let options = &self.sweep;
        let sweep = Sweep::new(problem).threads(options.threads()).limits(options.limits());
        let bar = self.progress.bar();
        let sweep = match bar.sweep_callback() {
            Some(callback) => sweep.progress(progress::INTERVAL, callback),
            None => sweep,
        };
        self.bar.set(Some(bar));
        sweep
    }

    /// Removes the bar before the answer is printed.
    fn end_bar(&self) {
        drop(self.bar.take());
    }

    /// Returns where the layers are kept.
    fn storage(&self) -> Result<Storage<'_>, Failure> {
        if let Some(directory) = &self.spill {
            return Ok(Storage::Spilled(directory));
        }
        let (name, data) = self.problem.what(&self.board)?;
        Ok(Storage::Saved { options: &self.saving, name, data })
    }

    /// Prints the answer of a sweep, or stores its report for an estimate. A sweep that stopped
    /// early has no answer and is a failure.
    fn print_answer(&self, answer: Answer) -> Result<(), Failure> {
        self.end_bar();
        match answer.number {
            _ if self.estimate => {
                self.measured.set(Some(answer.report));
                Ok(())
            }
            Ok(number) => self.print_number(number, &answer.report),
            Err(incomplete) => {
                support::print_unknown(&answer.report, self.answer_only)?;
                Err(incomplete.into())
            }
        }
    }

    fn print_number(&self, number: impl Display, report: &Report) -> Result<(), Failure> {
        let modulo = self.modulo.map_or(String::new(), |modulus| format!("  (modulo {modulus})"));
        if self.answer_only {
            return support::print(format_args!("{number}\n"));
        }
        support::print(format_args!("{number}{modulo}\n\n{report}"))
    }
}
