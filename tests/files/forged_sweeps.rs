//! Saved sweeps with correct checksums and wrong contents: each is refused, or its run ends without
//! a panic.

use std::fmt::Debug;
use std::fs;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use secateurs::Limits;
use secateurs::checkpoint::LoadError;
use secateurs::plug::algebra::{Algebra, BestK, CountByWeight, Counting, Modulo, Natural, Weight};
use secateurs::plug::code::{Bits, Labels, Mates, Parentheses};
use secateurs::plug::meet_in_the_middle::{DenseMates, HalfCycle, MeetSplit};
use secateurs::plug::{Both, ContourProblem, OfWeight, Sweep, SweepCheckpoint};
use secateurs_problems::catalogue::graphs::{
    ConnectedSets, Connecting, Factors, HamiltonianPaths, IndependentSets, Matchings, SimpleCycles,
    Spanning, SpanningSubgraphs,
};
use secateurs_problems::catalogue::{
    BlackAndWhite, Grid, Paths, Polyominoes, TwoFactorsByLoops, connected_subsets, domino_tilings,
    hamiltonian_cycles, hamiltonian_paths, independent_sets, simple_paths, spanning_forests,
    spanning_trees,
};
use secateurs_problems::graph::{Graph, Order};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::sealed::{HEADER, records, sealed};
use crate::shared::saved::{begun_or_resumed, file_at_the_end, variant};
use crate::support::problems::cycles;
use crate::support::scratch::Directory;
use crate::support::sizes::sized;

/// Resumes the file of a directory, and runs it to its end.
type Resume = dyn Fn(&Directory) -> Result<(), LoadError>;

/// A saved sweep, and the way to resume it.
struct Saved {
    header: Vec<u8>,
    records: Vec<Vec<u8>>,
    resume: Box<Resume>,
}

impl Saved {
    /// Saves the layer after `cells` cells of a sweep.
    fn new<T>(
        cells: usize,
        run: impl Fn(Limits, &mut SweepCheckpoint) -> Result<T, LoadError> + 'static,
    ) -> Self {
        let directory = Directory::new();
        run(Limits::new().depth(cells), &mut file_at_the_end(directory.file()))
            .expect("a new file");
        let file = fs::read(directory.file()).expect("a file");
        let records = records(&file);
        assert_eq!(sealed(&file[..HEADER], &records), file);
        let resume = move |directory: &Directory| {
            // A forged number of states may be large, but not the states that follow from it.
            let mut file = file_at_the_end(directory.file());
            run(Limits::new().states(100_000), &mut file).map(drop)
        };
        Saved { header: file[..HEADER].to_vec(), records, resume: Box::new(resume) }
    }

    fn hashed<P>(problem: P, cells: usize) -> Self
    where
        P: ContourProblem<State: Serialize + DeserializeOwned> + 'static,
    {
        Self::new(cells, move |limits, file| {
            begun_or_resumed!(Sweep::new(&problem).limits(limits), file)?.count()
        })
    }

    fn under<P, A>(problem: P, algebra: A, cells: usize) -> Self
    where
        P: ContourProblem<State: Serialize + DeserializeOwned> + 'static,
        A: Algebra<P, Value: Serialize + DeserializeOwned> + 'static,
    {
        Self::new(cells, move |limits, file| {
            let sweep = Sweep::new(&problem).limits(limits).threads(2);
            begun_or_resumed!(sweep, file)?.run(&algebra)
        })
    }

    /// Resumes a sweep from a file with these records. Returns whether the file was accepted.
    fn resume(&self, records: &[Vec<u8>]) -> bool {
        let directory = Directory::new();
        fs::write(directory.file(), sealed(&self.header, records)).expect("written");
        match (self.resume)(&directory) {
            Ok(()) => true,
            Err(error) => {
                let variant = variant(error.reason());
                let named = ["Inconsistent", "OtherQuestion", "OtherFingerprint"];
                let is_named = named.contains(&&*variant);
                assert!(is_named, "{error}");
                false
            }
        }
    }
}

fn board(text: &str) -> Grid {
    text.parse().expect("a board")
}

/// A weight whose bound of the weight to go is negative.
struct Loose;

impl<P: ContourProblem<Label = bool>> Weight<P> for Loose {
    fn label(&self, _: usize, taken: bool) -> i64 {
        i64::from(taken)
    }
    fn least_to_go(&self, _: usize, _: P::State) -> i64 {
        -2
    }
}

/// Returns the half of the cycles of a grid: its first row, and edges in the middle rows.
fn half_cycle() -> HalfCycle {
    let grid = Graph::grid(&[4, 4]).expect("a graph");
    let opposite: Vec<usize> = (0..16).rev().collect();
    MeetSplit::new(grid.edges(), &opposite, &[0, 1, 2, 3]).expect("two halves").half()
}

/// Sweeps of all problems whose states can be saved, each after about half of its cells.
fn saved_sweeps() -> Vec<Saved> {
    let grid = || board("....\n..*.\n....\n....\n");
    let king = Graph::king(3, 3).expect("a graph");
    let order = Order::narrowest(&king);
    let half = |edges: usize| edges / 2;
    let edges = king.edge_count();
    let length = |_: usize, piece: secateurs::plug::motzkin::PathPiece| piece.length();
    let dense = |question: u8| {
        Saved::new(9, move |limits, file| {
            let cycles = cycles(4, 4);
            let sweep = begun_or_resumed!(Sweep::new(&cycles).limits(limits).dense(), file)?;
            match question {
                0 => sweep.count().map(drop),
                1 => sweep.count_by_residues().map(drop),
                _ => sweep.count_moduli(&Modulo::new([7, 100]).expect("moduli")).map(drop),
            }
        })
    };
    vec![
        Saved::hashed(hamiltonian_cycles(&grid()), 9),
        Saved::hashed(hamiltonian_paths(&grid()), 8),
        Saved::hashed(simple_paths(&grid()), 7),
        Saved::hashed(TwoFactorsByLoops::new(&grid()), 9),
        Saved::hashed(Paths::simple(&grid()), 9),
        Saved::hashed(connected_subsets(&grid()), 9),
        Saved::hashed(spanning_trees(&grid()), 9),
        Saved::hashed(spanning_forests(&grid()), 10),
        Saved::hashed(BlackAndWhite::new(&grid()), 9),
        Saved::hashed(independent_sets(&grid()), 9),
        Saved::hashed(domino_tilings(&grid()), 9),
        Saved::hashed(Polyominoes::<u64>::new(6).expect("a size"), 8),
        Saved::hashed(Polyominoes::<u64>::new(6).expect("a size").of_size(5), 8),
        Saved::hashed(OfWeight::new(IndependentSets::new(&order), Loose, 1), 4),
        Saved::hashed(half_cycle(), 6),
        Saved::hashed(IndependentSets::new(&order), 4),
        Saved::hashed(Matchings::new(&order), half(edges)),
        Saved::hashed(SimpleCycles::new(&order), half(edges)),
        Saved::hashed(HamiltonianPaths::anywhere(&order), half(edges)),
        Saved::hashed(SpanningSubgraphs::trees(&order), half(edges)),
        Saved::hashed(SpanningSubgraphs::connected(&order), half(edges)),
        Saved::hashed(HamiltonianPaths::anywhere(&order).directed(), half(edges)),
        Saved::hashed(Factors::regular(&order, 2), half(edges)),
        Saved::hashed(Connecting::forests(&order, &[0, 5]).expect("vertices"), half(edges)),
        Saved::hashed(ConnectedSets::new(&order), 4),
        Saved::hashed(ConnectedSets::new(&order).dominating(), 5),
        Saved::under(simple_paths(&grid()), Counting::<Natural>::new(), 8),
        Saved::under(simple_paths(&grid()), CountByWeight::new(length), 8),
        Saved::under(simple_paths(&grid()), CountByWeight::new(length).up_to(9), 8),
        Saved::under(simple_paths(&grid()), BestK::maximise(5, length), 8),
        Saved::under(simple_paths(&grid()), Modulo::new([7, 1 << 63]).expect("moduli"), 8),
        dense(0),
        dense(1),
        dense(2),
    ]
}

#[test]
fn unchanged_sweeps_are_resumed() {
    for (number, saved) in saved_sweeps().iter().enumerate() {
        assert!(saved.resume(&saved.records), "sweep {number}");
    }
}

#[test]
fn sweeps_with_any_changed_byte_end_without_a_panic() {
    let (mut accepted, mut refused) = (0, 0);
    for saved in saved_sweeps() {
        for record in 1..saved.records.len() {
            // The report and the states; and the beginning of the states, if there are many.
            for at in (0..saved.records[record].len().min(160)).step_by(3) {
                for change in [0x01, 0x90] {
                    let mut records = saved.records.clone();
                    records[record][at] ^= change;
                    match saved.resume(&records) {
                        true => accepted += 1,
                        false => refused += 1,
                    }
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}

#[test]
fn sweeps_with_random_contents_end_without_a_panic() {
    let saved = saved_sweeps();
    let index = any::<prop::sample::Index>;
    let changes = prop::collection::vec((index(), index(), any::<u8>()), 1..6);
    let (missing, repeated) = (prop::option::of(index()), prop::option::of(index()));
    let mut runner = TestRunner::new(ProptestConfig::with_cases(sized(4, 5_000)));
    let run = runner.run(&(changes, missing, repeated), |(changes, missing, repeated)| {
        for saved in &saved {
            let mut records = saved.records.clone();
            for (record, at, byte) in &changes {
                let record = 1 + record.index(records.len() - 1);
                let at = at.index(records[record].len());
                records[record][at] = *byte;
            }
            if let Some(index) = repeated {
                let repeated = records[1 + index.index(records.len() - 1)].clone();
                records.push(repeated);
            }
            if let Some(index) = missing {
                records.remove(1 + index.index(records.len() - 1));
            }
            saved.resume(&records);
        }
        Ok(())
    });
    run.expect("no panic");
}

/// The problem with another start, before another cell. Asserts that all states are legal if the
/// start is.
struct From<'p, P: ContourProblem> {
    problem: &'p P,
    cell: usize,
    state: P::State,
}

impl<P: ContourProblem> ContourProblem for From<'_, P> {
    type State = P::State;
    type Label = P::Label;

    fn cells(&self) -> usize {
        self.problem.cells() - self.cell
    }
    fn start(&self) -> P::State {
        self.state
    }
    fn step(&self, cell: usize, state: P::State, emit: &mut impl FnMut(P::State, P::Label)) {
        let cell = self.cell + cell;
        self.problem.step(cell, state, &mut |next, label| {
            assert!(
                self.problem.is_legal(cell + 1, next),
                "{state:?} leads to {next:?} in cell {cell}"
            );
            emit(next, label);
        });
    }
    fn accept(&self, state: P::State) -> bool {
        self.problem.accept(state)
    }
    fn fits(&self, cell: usize) -> Result<(), secateurs::plug::TooWide> {
        self.problem.fits(self.cell + cell)
    }
    fn region(&self, cell: usize, state: P::State) -> Option<u64> {
        self.problem.region(self.cell + cell, state)
    }
}

/// Sweeps from a state before each cell in which it is legal. Returns the number of these cells.
fn sweep_from<P: ContourProblem>(problem: &P, state: P::State) -> usize {
    let is_legal = |&cell: &usize| problem.is_legal(cell, state);
    let legal = (0..=problem.cells()).filter(is_legal).map(|cell| {
        let from = From { problem, cell, state };
        let _ = Sweep::new(&from).limits(Limits::new().states(5_000)).threads(2).count();
    });
    legal.count()
}

/// Sweeps from the start, and from all words of few bits.
fn check_words<P: ContourProblem>(problem: &P, bits: u32, state: impl Fn(u64) -> P::State)
where
    P::State: Debug,
{
    assert!(problem.is_legal(0, problem.start()));
    sweep_from(problem, problem.start());
    // A part of the words, if there are many.
    let stride = if bits > 8 { 3 } else { 1 };
    let legal: usize =
        (0..1 << bits).step_by(stride).map(|word| sweep_from(problem, state(word))).sum();
    assert!(legal > 0, "no legal state");
    // Words of all widths, most of which are not legal.
    for word in (0..64).flat_map(|shift| [1, 3, 5, 0x91, u64::MAX].map(|word| word << shift)) {
        sweep_from(problem, state(word));
    }
}

#[test]
fn steps_from_legal_states_lead_to_legal_states() {
    for text in ["...\n...\n...\n", "..*.\n.*..\n....\n", "*...\n....\n...*\n"] {
        let grid = board(text);
        check_words(&hamiltonian_cycles(&grid), 8, Parentheses::from_word);
        check_words(&hamiltonian_paths(&grid), 8, Parentheses::from_word);
        check_words(&simple_paths(&grid), 8, Parentheses::from_word);
        check_words(&connected_subsets(&grid), 12, Labels::from_word);
        check_words(&spanning_trees(&grid), 12, Labels::from_word);
        check_words(&spanning_forests(&grid), 12, Labels::from_word);
        check_words(&independent_sets(&grid), 4, Bits::from_word);
        check_words(&domino_tilings(&grid), 4, Bits::from_word);
    }
    let graph = Graph::grid(&[3, 3]).expect("a graph");
    let order = Order::narrowest(&graph);
    for kind in [Spanning::Trees, Spanning::Forests, Spanning::Connected] {
        check_words(&SpanningSubgraphs::<u64, 3>::with_word(&order, kind), 12, Labels::from_word);
    }
    check_words(&SimpleCycles::new(&order), 12, Mates::from_word);
    check_words(&HamiltonianPaths::anywhere(&order), 12, Mates::from_word);
    check_words(&HamiltonianPaths::between(&order, 0, 8).expect("two ends"), 12, Mates::from_word);
    check_words(&Matchings::new(&order), 5, Bits::from_word);
    check_words(&IndependentSets::new(&order), 5, Bits::from_word);
    let word = |word: u64| {
        let bytes = postcard::to_allocvec(&word).expect("bytes");
        postcard::from_bytes::<DenseMates>(&bytes).expect("a word")
    };
    check_words(&half_cycle(), 12, word);
}

/// Saves a sweep, and returns the error of resuming another one from its file.
fn refusal<P, Q>(saved: &P, resumed: &Q) -> String
where
    P: ContourProblem<State: Serialize + DeserializeOwned>,
    Q: ContourProblem<State: Serialize + DeserializeOwned>,
{
    let directory = Directory::new();
    let mut file = file_at_the_end(directory.file());
    let sweep = Sweep::new(saved).limits(Limits::new().depth(10));
    let _ = sweep.checkpoint(&mut file).expect("a new file").count();
    Sweep::new(resumed).resume(&mut file).map(drop).expect_err("another width").to_string()
}

#[test]
fn a_sweep_is_not_resumed_with_words_of_another_width() {
    let grid = Graph::grid(&[4, 4]).expect("small");
    let order = Order::narrowest(&grid);
    let (cycles, wide) =
        (SimpleCycles::<u64>::with_word(&order), SimpleCycles::<u128>::with_word(&order));
    let message = refusal(&cycles, &wide);
    let expected = "found a state of 8 bytes at the place of a state of 16 bytes";
    assert!(message.ends_with(expected), "{message}");
    // Two pairs of one size.
    let matchings = Matchings::<u128>::with_word(&order);
    let both = Both::new(&cycles, &matchings).expect("the same edges");
    let message = refusal(&both, &Both::new(&wide, &matchings).expect("the same edges"));
    assert!(message.ends_with("a state of 32 bytes"), "{message}");
}
