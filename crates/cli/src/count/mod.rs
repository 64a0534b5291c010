//! Counts the solutions of the catalogue's contour problems on a board, exactly.
//!
//! In reading order, `options` has the options of every command that counts, and the counts that
//! they request; `saving` runs a count with its layers in memory, in a checkpoint or on disk;
//! `long` repeats the lines of long boards; `estimate` predicts the effort from smaller instances;
//! `family` keeps all solutions, for operations on families of sets.

mod estimate;
pub mod family;
mod long;
pub mod options;
mod saving;

use std::fmt::Display;
use std::process::ExitCode;

use clap::Args;
use secateurs::plug::ContourProblem;
use secateurs::plug::algebra::{CountByWeight, ZeroModulus};
use secateurs::plug::code::Word;
use secateurs_problems::catalogue::{Determinant, Grid, PolyominoState, Polyominoes, Strands};

use crate::support::Failure;
use crate::support::catalogue::{Board, Draw, Problem, Size, Use};
use crate::support::sweeps::State;
use long::LongBoard;
use options::{Countable, Options, Subject, Table};

/// Count paths, loops, tilings, trees and other things on a board, exactly, however many there are.
///
/// The board has ROWS times COLS cells, which are the vertices of paths, loops, trees and
/// matchings. It is swept cell by cell, along the shorter side, and partial solutions with the same
/// completions are counted together. Time and memory grow exponentially with the shorter side, but
/// only linearly with the longer one. Spanning trees and domino tilings are counted by a
/// determinant, in polynomial time, unless an option concerns a sweep. Boards of 10000 lines and
/// more are counted by a linear recurrence with --modulo, up to 10^18 lines in about a second.
///
/// Examples:
///   count hamiltonian-cycles 8 8
///   count domino-tilings 8 8 --sample 3
///   count simple-paths 12 12 --modulo 1000000007
///   count hamiltonian-cycles 7000000000 7 --modulo 1000000007
///   count polyominoes 20
///   count walks 12
///   count simple-paths 8 8 --by-length
///   count simple-cycles 8 8 --through 1,1 --through 8,8
///   count hamiltonian-cycles 20 20 --threads 2 --checkpoint cycles.saved
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The problem to count the solutions of.
    #[arg(value_enum)]
    problem: Problem,
    #[command(flatten)]
    board: Board,
    #[command(flatten)]
    options: Options,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    options::run(arguments)
}

impl Countable for Arguments {
    fn options(&self) -> &Options {
        &self.options
    }

    fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    fn side(&mut self) -> Result<usize, &'static str> {
        match self.board.is_plain() {
            true => Ok(self.board.width()),
            false => {
                Err("found --estimate with --obstacles or --through, expected a board without \
                          them")
            }
        }
    }

    fn shorten(&mut self, side: usize) {
        self.board = self.board.with_width(side);
    }

    fn count(&self) -> Result<(), Failure> {
        let long = LongBoard::new(self.problem, &self.board);
        if let (Some(long), Some(modulus)) = (&long, self.options.modulo)
            && self.options.ask_for_number_only()
        {
            // Nothing is saved under a name.
            let subject =
                Subject { name: String::new(), data: String::new(), facts: String::new() };
            return long.count(self.problem, &self.options, &subject, modulus);
        }
        let (name, data) = self.problem.what(&self.board).map_err(|error| match long {
            Some(_) => format!("{error}; with --modulo, a board may be longer").into(),
            None => error,
        })?;
        let subject = Subject { name, data, facts: String::new() };
        if let Some((determinant, theorem)) = self.determinant()? {
            return self.options.count_by_determinant(&subject, &determinant, theorem);
        }
        self.problem.with(&self.board, &BoardCount { options: &self.options, subject })
    }
}

impl Arguments {
    /// Returns the determinant that is the answer, if there is one and the options permit it, and
    /// its source.
    fn determinant(&self) -> Result<Option<(Determinant, &'static str)>, Failure> {
        let (new, theorem): (fn(&Grid) -> Determinant, _) = match self.problem {
            Problem::SpanningTrees => (Determinant::spanning_trees, "Kirchhoff, 1847"),
            Problem::DominoTilings => (Determinant::domino_tilings, "Kasteleyn, 1961"),
            _ => return Ok(None),
        };
        let grid = self.board.grid()?;
        let permitted = self.options.permit_determinant(grid.cells(), grid.width());
        Ok(permitted.then(|| (new(grid), theorem)))
    }
}

/// A count on a board, as the options request it.
struct BoardCount<'a> {
    options: &'a Options,
    subject: Subject,
}

impl Use for BoardCount<'_> {
    /// Counts in a dense table unless the options rule it out.
    fn strands(&self, strands: &Strands) -> Result<(), Failure> {
        let Options { table, spill, by_length, .. } = self.options;
        let needs_hashing =
            spill.is_some() || *by_length || self.options.draws() || *table == Some(Table::Hash);
        if needs_hashing {
            if *table == Some(Table::Dense) {
                return Err("found --table dense, expected --table hash with --spill, \
                     --by-length, --sample and --witness"
                    .into());
            }
            return self.contour_problem(strands, Strands::draw);
        }
        let answer = self.options.in_little_memory(|mode| {
            let sweep = || self.options.sweep(strands);
            saving::dense(sweep, &self.options.storage(&self.subject), mode)
        })?;
        // Hash tables have longer words and larger numbers than dense ones: fall back to them
        // unless the options say otherwise.
        use secateurs::Stop::{CountOverflow, StateTooWide};
        let is_too_large = matches!(answer.report.stop(), StateTooWide | CountOverflow);
        match self.options.saving.given() {
            _ if table.is_some() || !is_too_large => {
                self.options.print_answer(&self.subject, answer)
            }
            None => self.contour_problem(strands, Strands::draw),
            Some(_) => Err("the board is too wide or the count too large for dense tables, \
                 expected --table hash and another file"
                .into()),
        }
    }

    fn polyominoes<W: Word>(&self, polyominoes: &Polyominoes<W>, cells: u32) -> Result<(), Failure>
    where
        PolyominoState<W>: State,
    {
        let Options { residues, table, by_length, modulo, .. } = self.options;
        if *residues || *table == Some(Table::Dense) || *by_length || self.options.draws() {
            return self.contour_problem(&polyominoes.of_size(cells), |polyominoes, labels| {
                polyominoes.problem().draw(labels)
            });
        }
        let modulus = modulo.map_or(Ok(None), |modulus| match modulus {
            0 => Err(ZeroModulus),
            _ => Ok(Some(modulus)),
        })?;
        let by_size = CountByWeight::new(polyominoes).up_to(cells);
        let sweep = || self.options.sweep(polyominoes);
        let storage = self.options.storage(&self.subject);
        let answer = saving::by_weight(sweep, &storage, &by_size, |sizes| {
            let number = sizes.coefficient(cells).unwrap_or_default();
            let residue = modulus.and_then(|modulus| number.remainder(modulus));
            residue.map_or_else(|| number.to_string(), |residue| residue.to_string())
        })?;
        self.options.print_answer(&self.subject, answer)
    }

    fn contour_problem<P: ContourProblem<State: State, Label: Size>, D: Display>(
        &self,
        problem: &P,
        draw: Draw<P, D>,
    ) -> Result<(), Failure> {
        self.options.count(&self.subject, problem, draw)
    }
}
