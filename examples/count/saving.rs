//! Counts that are saved to a file while they run, if the options request it.

use secateurs::plug::motzkin::MotzkinProblem;
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Incomplete, Outcome, Report, Total};

use crate::support::Failure;
use crate::support::checkpoint::Options;
use crate::support::sweeps::State;

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

/// The identity of a count, for the fingerprint of a file: a name, and the board.
pub struct Identity {
    pub name: String,
    pub data: String,
}

/// Counts by hashing, all solutions or modulo a number.
pub fn hashed<'p, P: ContourProblem<State: State> + 'p>(
    sweep: impl Fn() -> Sweep<'p, P>,
    identity: &Identity,
    options: &Options,
    modulo: Option<u64>,
) -> Result<Answer, Failure> {
    match (options.sweep(&identity.name, &identity.data)?, modulo) {
        (None, None) => Ok(Answer::new(sweep().count_natural(), ToString::to_string)),
        (None, Some(modulus)) => {
            Ok(Answer::new(sweep().count_modulo(modulus)?, ToString::to_string))
        }
        (Some(mut saved), modulo) => {
            // Check the modulus before a file is created.
            let modulo = modulo.map(single_modulus).transpose()?;
            let begun =
                saved.begin(|file| sweep().checkpoint(file), |file| sweep().resume(file))?;
            let answer = match modulo {
                None => {
                    begun.count_natural().map(|outcome| Answer::new(outcome, ToString::to_string))
                }
                Some(modulo) => {
                    begun.run(&modulo).map(|outcome| Answer::new(outcome, show_residue))
                }
            };
            let answer = answer?;
            saved.print_how_to_resume(answer.report.stop());
            Ok(answer)
        }
    }
}

/// Counts in dense tables, all solutions or modulo a number.
pub fn dense<'p, P: MotzkinProblem + 'p>(
    sweep: impl Fn() -> Sweep<'p, P>,
    identity: &Identity,
    options: &Options,
    modulo: Option<u64>,
) -> Result<Answer, Failure> {
    match (options.sweep(&identity.name, &identity.data)?, modulo) {
        (None, None) => Ok(Answer::new(sweep().dense().count_natural(), ToString::to_string)),
        (None, Some(modulus)) => {
            Ok(Answer::new(sweep().dense().count_modulo(modulus)?, ToString::to_string))
        }
        (Some(mut saved), modulo) => {
            // Check the modulus before a file is created.
            let modulo = modulo.map(single_modulus).transpose()?;
            let begun = saved.begin(
                |file| sweep().dense().checkpoint(file),
                |file| sweep().dense().resume(file),
            )?;
            let answer = match modulo {
                None => {
                    begun.count_natural().map(|outcome| Answer::new(outcome, ToString::to_string))
                }
                Some(modulo) => {
                    begun.count_moduli(&modulo).map(|outcome| Answer::new(outcome, show_residue))
                }
            };
            let answer = answer?;
            saved.print_how_to_resume(answer.report.stop());
            Ok(answer)
        }
    }
}

fn single_modulus(modulus: u64) -> Result<secateurs::plug::algebra::Modulo<1>, Failure> {
    Ok(secateurs::plug::algebra::Modulo::new([modulus])?)
}

fn show_residue(residues: &[u64; 1]) -> String {
    residues[0].to_string()
}
