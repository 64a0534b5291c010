//! How many? The catalogue of contour problems on a board, counted exactly.

#[path = "support/mod.rs"]
mod support;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use secateurs::plug::algebra::{Counting, Natural, ZeroModulus};
use secateurs::plug::{Profile, Sweep};
use secateurs::problems::catalogue::{
    ConnectedSubsets, Dimers, Grid, IndependentSets, Polyominoes, SpanningForests, Strands, connected_subsets,
    domino_tilings, hamiltonian_cycles, hamiltonian_paths, independent_sets, monomer_dimer, simple_cycles,
    simple_paths, spanning_forests, spanning_trees, two_factors,
};
use secateurs::{Limits, Outcome, Report, Total};

use support::Failure;

/// Count paths, loops, tilings, trees and other things on a board, exactly, however many there are.
///
/// The board has ROWS times COLS cells, which are the vertices of paths, loops, trees and matchings. It is swept cell by
/// cell, along the shorter side, and all ways to do what has been done that leave the same to be done are counted together. Time
/// and memory grow exponentially with the shorter side, but only linearly with the longer one.
///
/// Examples:
///   count hamiltonian-cycles 8 8
///   count domino-tilings 8 8 --sample 3
///   count simple-paths 12 12 --modulo 1000000007
///   count polyominoes 20
#[derive(Parser)]
#[command(verbatim_doc_comment)]
struct Arguments {
    /// What to count.
    #[arg(value_enum)]
    problem: Problem,
    /// Rows of the board; of polyominoes, the number of cells.
    #[arg(value_parser = support::whole::<usize>)]
    rows: usize,
    /// Columns of the board; of polyominoes, nothing.
    #[arg(value_name = "COLS", value_parser = support::whole::<usize>)]
    columns: Option<usize>,
    /// A board with obstacles: a text of one line a row, `.` for a free cell, `*` for an obstacle; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    obstacles: Option<PathBuf>,
    /// Count modulo this number, which takes less memory, instead of exactly.
    #[arg(long, value_name = "M", value_parser = support::whole::<u64>)]
    modulo: Option<u64>,
    /// How states are kept: in a hash table, which every problem can, or in a dense table, addressed by the rank of a
    /// state, which problems of paths and loops can. [default: dense if possible]
    #[arg(long, value_enum)]
    table: Option<Table>,
    /// Sweep with so many threads.
    #[arg(long, default_value = "1", value_parser = support::whole::<usize>)]
    threads: usize,
    /// Draw so many solutions at random, each as likely as any other. Keeps all layers in memory, in hash tables.
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
    /// Give up after this time.
    #[arg(long, value_name = "SECONDS", value_parser = support::whole::<u64>)]
    time: Option<u64>,
    /// Print nothing but the number.
    #[arg(long)]
    answer_only: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Problem {
    /// Loops through all cells.
    HamiltonianCycles,
    /// Paths through all cells, from the top left corner to the bottom right one.
    HamiltonianPaths,
    /// Paths from the top left corner to the bottom right one; of one cell there is one.
    SimplePaths,
    /// Loops through any cells.
    SimpleCycles,
    /// Sets of loops that together go through all cells.
    TwoFactors,
    /// Ways to cover all cells with dominoes.
    DominoTilings,
    /// Ways to place dominoes, not necessarily on all cells.
    Matchings,
    /// Sets of cells no two of which are neighbours.
    IndependentSets,
    /// Trees of edges through all cells.
    SpanningTrees,
    /// Sets of edges without a loop.
    SpanningForests,
    /// Sets of cells, one at least, that hang together.
    ConnectedSubsets,
    /// Shapes of so many cells that hang together, as they stand.
    Polyominoes,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    Hash,
    Dense,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let grid = || arguments.grid();
    support::run(|| match arguments.problem {
        Problem::HamiltonianCycles => arguments.count_strands(&hamiltonian_cycles(&grid()?)),
        Problem::HamiltonianPaths => arguments.count_strands(&hamiltonian_paths(&grid()?)),
        Problem::SimplePaths => arguments.count_strands(&simple_paths(&grid()?)),
        Problem::SimpleCycles => arguments.count_strands(&simple_cycles(&grid()?)),
        Problem::TwoFactors => arguments.count_strands(&two_factors(&grid()?)),
        Problem::DominoTilings => arguments.count(&domino_tilings(&grid()?), Dimers::draw),
        Problem::Matchings => arguments.count(&monomer_dimer(&grid()?), Dimers::draw),
        Problem::IndependentSets => arguments.count(&independent_sets(&grid()?), IndependentSets::draw),
        Problem::SpanningTrees => arguments.count(&spanning_trees(&grid()?), SpanningForests::draw),
        Problem::SpanningForests => arguments.count(&spanning_forests(&grid()?), SpanningForests::draw),
        Problem::ConnectedSubsets => arguments.count(&connected_subsets(&grid()?), ConnectedSubsets::draw),
        Problem::Polyominoes => match arguments.cells()? {
            cells if cells <= Polyominoes::<u64>::MOST_CELLS => {
                arguments.count(&Polyominoes::<u64>::new(cells)?, Polyominoes::draw)
            }
            cells => arguments.count(&Polyominoes::<u128>::new(cells)?, Polyominoes::draw),
        },
    })
}

impl Arguments {
    fn cells(&self) -> Result<usize, Failure> {
        if self.columns.is_some() || self.obstacles.is_some() {
            return Err("polyominoes have no board: expected one number, that of cells, and no obstacles".into());
        }
        Ok(self.rows)
    }

    fn grid(&self) -> Result<Grid, Failure> {
        let columns = self.columns.ok_or("expected two numbers: ROWS and COLS")?;
        let rows = self.rows;
        let file = self.obstacles.as_deref();
        if file.is_none() {
            return Ok(Grid::new(rows, columns)?);
        }
        let grid: Grid = support::read(file, "")?.parse().map_err(|error| support::about(file, error))?;
        if (grid.rows(), grid.columns()) != (rows, columns) {
            let (found_rows, found_columns) = (grid.rows(), grid.columns());
            let error = format!("found {found_rows} rows and {found_columns} columns, expected {rows} and {columns}");
            return Err(support::about(file, std::io::Error::other(error)));
        }
        Ok(grid)
    }

    /// Counts the paths or loops of a board, in a dense table if nothing speaks against it.
    fn count_strands(&self, strands: &Strands) -> Result<(), Failure> {
        self.count(strands, Strands::draw)
    }

    /// Counts the solutions of any profile, and draws some of them.
    fn count<P: Profile, D: Display>(&self, profile: &P, draw: impl Fn(&P, &[P::Label]) -> D) -> Result<(), Failure> {
        if self.table == Some(Table::Dense) {
            return Err("the dense table is for paths and loops whose states are words of parentheses".into());
        }
        let sweep = Sweep::new(profile).threads(self.threads).limits(self.limits());
        if self.sample.is_none() && !self.witness {
            let (number, report) = match self.modulo {
                Some(modulus) => parts(sweep.count_modulo(modulus)?)?,
                None => parts(sweep.count_natural())?,
            };
            return self.answer(&number, &report, &[] as &[D]);
        }

        // All layers are kept, so that there is a way back through them.
        let kept = sweep.keep()?;
        let outcome = kept.run(&Counting::<Natural>::new()).complete()?;
        let number = outcome.total().cloned().unwrap_or_else(|| Natural::from(0_u64));
        let number = match self.modulo {
            Some(modulus) => number.remainder(modulus).ok_or(ZeroModulus)?.to_string(),
            None => number.to_string(),
        };
        let mut drawn = Vec::new();
        if self.witness {
            drawn.extend(kept.first().complete()?.solution().map(|labels| draw(profile, labels)));
        }
        let random = kept.samples(self.seed)?.take(self.sample.unwrap_or(0));
        drawn.extend(random.map(|labels| draw(profile, &labels)));
        self.answer(&number, &kept.report(), &drawn)
    }

    fn limits(&self) -> Limits {
        let limits = Limits::new();
        let limits = self.memory.map_or(limits.clone(), |bytes| limits.memory(bytes));
        self.time.map_or(limits.clone(), |seconds| limits.time(Duration::from_secs(seconds)))
    }

    fn answer(&self, number: &str, report: &Report, drawn: &[impl Display]) -> Result<(), Failure> {
        if self.answer_only {
            return support::print(format_args!("{number}\n"));
        }
        support::print_lines(drawn, "\n")?;
        let modulo = self.modulo.map_or(String::new(), |modulus| format!("  (modulo {modulus})"));
        support::print(format_args!("{number}{modulo}\n\n{report}"))
    }
}

/// The number that a count has come to, as text, and its report.
fn parts<V: Display>(outcome: Outcome<Total<V>>) -> Result<(String, Report), Failure> {
    let outcome = outcome.complete()?;
    let number = outcome.total().map_or("0".to_owned(), ToString::to_string);
    Ok((number, outcome.report().clone()))
}
