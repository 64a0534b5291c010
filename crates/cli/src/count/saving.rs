//! Counts that are saved to a file while they run, or have layers on disk, if the options request
//! it.

use std::path::Path;

use secateurs::plug::algebra::{CountByWeight, Modulo, Polynomial, Weight, ZeroModulus};
use secateurs::plug::motzkin::MotzkinProblem;
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Incomplete, Outcome, Report, Total};

use super::options::Subject;
use crate::support::Failure;
use crate::support::checkpoint::Options;
use crate::support::sweeps::{Saved, State};

/// The number, if the sweep is complete, and the report.
pub struct Answer {
    pub number: Result<String, Incomplete>,
    pub report: Report,
}

impl Answer {
    /// Creates an answer with the number converted by `show`.
    fn new<V>(outcome: Outcome<Total<V>>, show: impl FnOnce(&V) -> String) -> Self {
        let report = outcome.report().clone();
        let number =
            outcome.complete().map(|outcome| outcome.total().map_or_else(|| "0".to_owned(), show));
        Answer { number, report }
    }
}

/// The place of the layers of a count.
pub enum Storage<'a> {
    /// In memory. The last layer is saved in a file if the options request it.
    Saved { options: &'a Options, subject: &'a Subject },
    /// In files in this directory, if they do not fit in memory.
    Spilled(&'a Path),
}

impl Storage<'_> {
    /// Returns the file to save in, if there is one.
    fn saved(&self) -> Result<Option<Saved>, Failure> {
        match self {
            Storage::Saved { options, subject } => options.sweep(&subject.name, &subject.data),
            Storage::Spilled(_) => Ok(None),
        }
    }
}

/// A kind of count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Exactly, in numbers that grow.
    Exact,
    /// Exactly, in several passes modulo primes.
    ByResidues,
    /// Modulo this number, in one pass.
    Modulo(u64),
}

/// Counts by hashing.
pub fn hashed<'p, P: ContourProblem<State: State> + 'p>(
    sweep: impl Fn() -> Sweep<'p, P>,
    storage: &Storage<'_>,
    mode: Mode,
) -> Result<Answer, Failure> {
    let modulo = modulo(mode)?;
    if let Storage::Spilled(directory) = storage {
        let spilled = sweep().spill(directory);
        return Ok(match mode {
            Mode::Exact => Answer::new(spilled.count_natural()?, ToString::to_string),
            Mode::ByResidues => Answer::new(spilled.count_by_residues()?, ToString::to_string),
            Mode::Modulo(_) => Answer::new(spilled.run(&modulo)?, show_residue),
        });
    }
    let Some(mut saved) = storage.saved()? else {
        return Ok(match mode {
            Mode::Exact => Answer::new(sweep().count_natural(), ToString::to_string),
            Mode::ByResidues => Answer::new(sweep().count_by_residues(), ToString::to_string),
            Mode::Modulo(_) => Answer::new(sweep().run(&modulo), show_residue),
        });
    };
    let begun = saved.begin(|file| sweep().checkpoint(file), |file| sweep().resume(file))?;
    let answer = match mode {
        Mode::Exact => Answer::new(begun.count_natural()?, ToString::to_string),
        Mode::ByResidues => Answer::new(begun.count_by_residues()?, ToString::to_string),
        Mode::Modulo(_) => Answer::new(begun.run(&modulo)?, show_residue),
    };
    saved.print_how_to_resume(answer.report.stop());
    Ok(answer)
}

/// Counts in dense tables.
pub fn dense<'p, P: MotzkinProblem + 'p>(
    sweep: impl Fn() -> Sweep<'p, P>,
    storage: &Storage<'_>,
    mode: Mode,
) -> Result<Answer, Failure> {
    let modulo = modulo(mode)?;
    let sweep = || sweep().dense();
    let Some(mut saved) = storage.saved()? else {
        return Ok(match mode {
            Mode::Exact => Answer::new(sweep().count_natural(), ToString::to_string),
            Mode::ByResidues => Answer::new(sweep().count_by_residues(), ToString::to_string),
            Mode::Modulo(_) => Answer::new(sweep().count_moduli(&modulo), show_residue),
        });
    };
    let begun = saved.begin(|file| sweep().checkpoint(file), |file| sweep().resume(file))?;
    let answer = match mode {
        Mode::Exact => Answer::new(begun.count_natural()?, ToString::to_string),
        Mode::ByResidues => Answer::new(begun.count_by_residues()?, ToString::to_string),
        Mode::Modulo(_) => Answer::new(begun.count_moduli(&modulo)?, show_residue),
    };
    saved.print_how_to_resume(answer.report.stop());
    Ok(answer)
}

/// Counts by weight, by hashing. `show` converts the numbers.
pub fn by_weight<'p, P: ContourProblem<State: State> + 'p, W: Weight<P>>(
    sweep: impl Fn() -> Sweep<'p, P>,
    storage: &Storage<'_>,
    by_weight: &CountByWeight<W>,
    show: impl FnOnce(&Polynomial) -> String,
) -> Result<Answer, Failure> {
    if let Storage::Spilled(directory) = storage {
        return Ok(Answer::new(sweep().spill(directory).run(by_weight)?, show));
    }
    let Some(mut saved) = storage.saved()? else {
        return Ok(Answer::new(sweep().run(by_weight), show));
    };
    let begun = saved.begin(|file| sweep().checkpoint(file), |file| sweep().resume(file))?;
    let answer = Answer::new(begun.run(by_weight)?, show);
    saved.print_how_to_resume(answer.report.stop());
    Ok(answer)
}

/// Returns the algebra of a count modulo a number, checked before a file is created. The others do
/// not use it.
fn modulo(mode: Mode) -> Result<Modulo<1>, ZeroModulus> {
    Modulo::new([if let Mode::Modulo(modulus) = mode { modulus } else { 1 }])
}

fn show_residue(residues: &[u64; 1]) -> String {
    residues[0].to_string()
}
