//! How many? The catalogue of contour problems on a board, counted exactly.

mod estimate;
mod saving;
#[path = "../support/mod.rs"]
mod support;

use std::cell::Cell;
use std::fmt::Display;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use saving::{Answer, What};
use secateurs::plug::algebra::{Counting, Natural, ZeroModulus};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::problems::catalogue::Strands;
use secateurs::{Cancel, Limits, Report, Stop};
use support::Failure;
use support::catalogue::{Board, Draw, Problem, Use};
use support::interrupt::Interrupted;
use support::progress::{self, Bar};
use support::sweeps::State;

/// Count paths, loops, tilings, trees and other things on a board, exactly, however many there are.
///
/// The board has ROWS times COLS cells, which are the vertices of paths, loops, trees and
/// matchings. It is swept cell by cell, along the shorter side, and all ways to do what has been
/// done that leave the same to be done are counted together. Time and memory grow exponentially
/// with the shorter side, but only linearly with the longer one.
///
/// Examples:
///   count hamiltonian-cycles 8 8
///   count domino-tilings 8 8 --sample 3
///   count simple-paths 12 12 --modulo 1000000007
///   count polyominoes 20
///   count hamiltonian-cycles 20 20 --threads 2 --checkpoint cycles.saved
#[derive(Parser)]
#[command(verbatim_doc_comment)]
struct Arguments {
    /// What to count.
    #[arg(value_enum)]
    problem: Problem,
    #[command(flatten)]
    board: Board,
    /// Count modulo this number, which takes less memory, instead of exactly.
    #[arg(long, value_name = "M", value_parser = support::whole::<u64>)]
    modulo: Option<u64>,
    /// How states are kept: in a hash table, which every problem can, or in a dense table,
    /// addressed by the rank of a state, which problems of paths and loops can. [default: dense if
    /// possible]
    #[arg(long, value_enum)]
    table: Option<Table>,
    /// Sweep with so many threads; with 0, as many as the machine runs at the same time.
    #[arg(long, value_name = "T", default_value = "1", value_parser = support::whole::<usize>)]
    threads: usize,
    /// Draw so many solutions at random, each as likely as any other. Keeps all layers in memory,
    /// in hash tables.
    #[arg(long, value_name = "K", conflicts_with = "answer_only")]
    sample: Option<usize>,
    /// The seed of the random solutions: the same one gives the same ones.
    #[arg(long, default_value = "1", value_parser = support::whole::<u64>)]
    seed: u64,
    /// Draw a solution. Keeps all layers in memory, in hash tables.
    #[arg(long, conflicts_with = "answer_only")]
    witness: bool,
    /// Give up if the layers need more than this.
    #[arg(long, value_name = "BYTES", value_parser = support::whole::<u64>)]
    memory: Option<u64>,
    /// Give up if a layer has more states than this.
    #[arg(long, value_name = "N", value_parser = support::whole::<u64>)]
    states: Option<u64>,
    /// Give up before more states than this have been taken through a cell.
    #[arg(long, value_name = "N", value_parser = support::whole::<u64>)]
    nodes: Option<u64>,
    /// Give up after this time.
    #[arg(long, value_name = "SECONDS", value_parser = support::run::seconds)]
    time: Option<Duration>,
    /// Say how the sweep is going, every few seconds, even where standard error is no terminal.
    /// Where it is one, a bar does as soon as the sweep lasts over a second.
    #[arg(long)]
    progress: bool,
    /// Estimate how many states there are, and how much memory and time they take, instead of
    /// counting: from smaller boards, which takes a second.
    #[arg(long, conflicts_with_all = ["sample", "witness", "obstacles"])]
    estimate: bool,
    #[command(flatten)]
    saving: support::checkpoint::Options,
    /// Print nothing but the number.
    #[arg(long)]
    answer_only: bool,
    /// Thrown by Ctrl-C.
    #[arg(skip)]
    cancel: Cancel,
    /// Shows how the sweep is going, while there is one.
    #[arg(skip)]
    bar: Cell<Option<Bar>>,
    /// What a sweep has come to that is only measured.
    #[arg(skip)]
    measured: Cell<Option<Report>>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    Hash,
    Dense,
}

fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    support::run(|| {
        support::interrupt::install(&arguments.cancel)?;
        if arguments.estimate { estimate::estimate(&mut arguments) } else { count(&arguments) }
    })
}

fn count(arguments: &Arguments) -> Result<(), Failure> {
    arguments.problem.with(&arguments.board, arguments)
}

impl Use for Arguments {
    /// Counts the paths or loops of a board, in a dense table if nothing speaks against it.
    fn strands(&self, strands: &Strands) -> Result<(), Failure> {
        self.count_strands(strands)
    }

    fn profile<P: ContourProblem<State: State>, D: Display>(
        &self,
        profile: &P,
        draw: Draw<P, D>,
    ) -> Result<(), Failure> {
        self.count(profile, draw)
    }
}

impl Arguments {
    /// Counts the paths or loops of a board, in a dense table if nothing speaks against it.
    fn count_strands(&self, strands: &Strands) -> Result<(), Failure> {
        if self.table == Some(Table::Hash) || self.draws() {
            if self.table == Some(Table::Dense) {
                return Err(
                    "expected no dense table: solutions are drawn from layers in hash tables"
                        .into(),
                );
            }
            return self.count_hashed(strands, Strands::draw);
        }
        let answer =
            saving::dense(|| self.sweep(strands), &self.what()?, &self.saving, self.modulo)?;
        // Words longer and numbers larger than its tables can have are left to hashing, unless
        // something else was asked for.
        let is_beyond = matches!(answer.report.stop(), Stop::StateTooWide | Stop::CountOverflow);
        match self.saving.given() {
            _ if self.table.is_some() || !is_beyond => self.answer(answer),
            None => self.count_hashed(strands, Strands::draw),
            Some(_) => Err(
                "too wide or too many for a dense table: expected --table hash, and another file"
                    .into(),
            ),
        }
    }

    /// Counts the solutions of any other profile.
    fn count<P: ContourProblem<State: State>, D: Display>(
        &self,
        profile: &P,
        draw: Draw<P, D>,
    ) -> Result<(), Failure> {
        if self.table == Some(Table::Dense) {
            return Err(
                "expected no dense table: those are for paths, cycles and two-factors".into()
            );
        }
        self.count_hashed(profile, draw)
    }

    /// Counts the solutions of a profile, and draws some of them if asked for.
    fn count_hashed<P: ContourProblem<State: State>, D: Display>(
        &self,
        profile: &P,
        draw: Draw<P, D>,
    ) -> Result<(), Failure> {
        if !self.draws() {
            return self.answer(saving::hashed(
                || self.sweep(profile),
                &self.what()?,
                &self.saving,
                self.modulo,
            )?);
        }
        if let Some(option) = self.saving.given() {
            return Err(format!(
                "{option} is for numbers: expected neither --sample nor --witness"
            )
            .into());
        }

        // All layers are kept, so that there is a way back through them.
        let kept = self.sweep(profile).retain_layers();
        self.end_bar();
        let kept = kept?;
        let outcome = kept.run(&Counting::<Natural>::new()).complete()?;
        let number = outcome.total().cloned().unwrap_or_else(|| Natural::from(0_u64));
        let number = match self.modulo {
            Some(modulus) => number.remainder(modulus).ok_or(ZeroModulus)?.into(),
            None => number,
        };
        if self.witness
            && let Some(labels) = kept.first().complete()?.solution()
        {
            support::print(format_args!("{}\n", draw(profile, labels)))?;
        }
        for labels in kept.samples(self.seed)?.take(self.sample.unwrap_or(0)) {
            if self.cancel.is_cancelled() {
                break;
            }
            support::print(format_args!("{}\n", draw(profile, &labels)))?;
        }
        self.print(number, &kept.report())?;
        if self.cancel.is_cancelled() { Err(Interrupted.into()) } else { Ok(()) }
    }

    fn draws(&self) -> bool {
        self.witness || self.sample.is_some()
    }

    fn sweep<'p, P: ContourProblem>(&self, profile: &'p P) -> Sweep<'p, P> {
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let sweep = Sweep::new(profile).threads(threads).limits(self.limits());
        let bar = Bar::new(self.progress);
        let sweep = match bar.of_sweep() {
            Some(callback) => sweep.progress(progress::EVERY, callback),
            None => sweep,
        };
        self.bar.set(Some(bar));
        sweep
    }

    /// Wipes the bar away, for the answer.
    fn end_bar(&self) {
        drop(self.bar.take());
    }

    fn limits(&self) -> Limits {
        let limits = Limits::new().cancel(&self.cancel);
        let limits = self.memory.map_or(limits.clone(), |bytes| limits.memory(bytes));
        let limits = self.states.map_or(limits.clone(), |states| limits.states(states));
        let limits = self.nodes.map_or(limits.clone(), |nodes| limits.nodes(nodes));
        self.time.map_or(limits.clone(), |time| limits.time(time))
    }

    /// What is counted, for a file to know.
    fn what(&self) -> Result<What, Failure> {
        let (name, data) = self.problem.what(&self.board)?;
        Ok(What { name, data })
    }

    /// Prints the number that a sweep has come to; one that has stopped before is a failure, and
    /// half a sweep is no answer.
    fn answer(&self, answer: Answer) -> Result<(), Failure> {
        self.end_bar();
        match answer.number {
            _ if self.estimate => {
                self.measured.set(Some(answer.report));
                Ok(())
            }
            Ok(number) => self.print(number, &answer.report),
            Err(incomplete) if incomplete.stop() == Stop::Cancelled => {
                if !self.answer_only {
                    support::print(format_args!("no number: {incomplete}\n\n{}\n", answer.report))?;
                }
                Err(Interrupted.into())
            }
            Err(incomplete) => Err(incomplete.into()),
        }
    }

    fn print(&self, number: impl Display, report: &Report) -> Result<(), Failure> {
        let modulo = self.modulo.map_or(String::new(), |modulus| format!("  (modulo {modulus})"));
        if self.answer_only {
            return support::print(format_args!("{number}\n"));
        }
        support::print(format_args!("{number}{modulo}\n\n{report}"))
    }
}
