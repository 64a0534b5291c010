//! Memory limits of sweeps.

use std::fs;

use secateurs::plug::algebra::{
    Algebra, Best, BestK, CountByWeight, Counting, Natural, Optima, Weight,
};
use secateurs::plug::code::Parentheses;
use secateurs::plug::motzkin::{CellRule, MotzkinProblem, PathPiece};
use secateurs::plug::{
    Antichain, ContourProblem, RepetitionError, StateDominance, Sweep, SweepCheckpoint, SweepHook,
    Thinning,
};
use secateurs::{Digest, Effect, Limits, Report, Stop};
use secateurs_problems::catalogue::{
    Grid, KnightsTours, Strands, hamiltonian_cycles, simple_paths,
};
use secateurs_problems::knights_tour::TourBoard;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::scratch::Directory;
use crate::shared::saved::{begun_or_resumed, file_at_the_end};
use crate::shared::sweeps::{Sets, Steps, Thins};
use crate::{assert_at_most, assert_out_of_memory, assert_within, growth};

const MIB: usize = 1 << 20;

fn cycles(side: usize) -> Strands {
    hamiltonian_cycles(&Grid::new(side, side).expect("a board"))
}

fn limited<P: ContourProblem>(problem: &P, limit: usize, threads: usize) -> Sweep<'_, P> {
    Sweep::new(problem).limits(Limits::new().memory(limit as u64)).threads(threads)
}

/// Sweeps under an algebra until the memory limit stops it.
fn check_limits<P: ContourProblem, A: Algebra<P>>(what: &str, problem: &P, algebra: &A) {
    for limit in [MIB, 4 * MIB] {
        for threads in [1, 2] {
            let (outcome, grown) = growth(|| limited(problem, limit, threads).run(algebra));
            assert_eq!(outcome.stop(), Stop::MemoryLimit, "{what}");
            let peak = outcome.report().peak_bytes().expect("a sweep") as usize;
            assert!(peak <= limit, "{what}: reported {peak} bytes under a limit of {limit}");
            assert_within(&format!("{what}, {threads} threads"), limit, grown);
        }
    }
}

/// A weight that differs between labels.
fn weight<L: std::fmt::Debug>(cell: usize, label: L) -> i64 {
    (cell as i64 * 37 + format!("{label:?}").bytes().map(i64::from).sum::<i64>()) % 101
}

#[test]
fn heap_of_weight_lists_is_included_in_the_limit() {
    crate::alone();
    check_limits("10,000 best weights", &cycles(10), &BestK::maximise(10_000, weight));
    check_limits(
        "20 best weights",
        &simple_paths(&Grid::new(12, 12).expect("a board")),
        &BestK::minimise(20, weight),
    );
}

#[test]
fn heap_of_naturals_is_included_in_the_limit() {
    crate::alone();
    check_limits("naturals", &cycles(18), &Counting::<Natural>::new());
    check_limits(
        "naturals and weights",
        &cycles(18),
        &(Counting::<Natural>::new(), BestK::maximise(3, weight)),
    );
}

/// Returns a problem of a few cells in each of which one of two labels is chosen; all choices lead
/// to one state.
fn choices(cells: usize) -> impl ContourProblem<State = (), Label = bool> {
    Steps::new(cells, (), |_, (), emit| [false, true].into_iter().for_each(|label| emit((), label)))
}

/// Returns the weight of one label of the first cell.
fn heavy(weight: i64) -> impl Fn(usize, bool) -> i64 + Copy + Sync {
    move |cell, label| if cell == 0 && label { weight } else { 0 }
}

/// Returns a problem of two ends, one of which [has a weight](HeavyEnd).
fn two_ends() -> impl ContourProblem<State = bool, Label = ()> {
    Steps::new(1, false, |_, _, emit| [false, true].into_iter().for_each(|end| emit(end, ())))
}

/// A weight of one of the ends.
#[derive(Clone, Copy)]
struct HeavyEnd(i64);

impl<P: ContourProblem<State = bool, Label = ()>> Weight<P> for HeavyEnd {
    fn label(&self, _: usize, (): ()) -> i64 {
        0
    }
    fn end(&self, state: bool) -> i64 {
        if state { self.0 } else { 0 }
    }
}

/// Asserts that a run ended for this reason and grew by no more than its memory limit.
fn assert_stopped(what: &str, (stop, expected): (Stop, Stop), grown: usize, limit: usize) {
    assert_eq!(stop, expected, "{what}");
    assert_at_most(what, limit, grown);
}

#[test]
fn values_are_counted_before_they_are_allocated() {
    crate::alone();
    const LIMIT: usize = 16 * MIB;
    let by_weight = CountByWeight::new(heavy(50_000_000));
    let best = BestK::maximise(usize::MAX, heavy(0));
    let (two, forty, ends) = (choices(2), choices(40), two_ends());
    let directory = Directory::new();
    let check = |what: &str, run: &dyn Fn() -> Stop| {
        let (stop, grown) = growth(run);
        assert_stopped(what, (stop, Stop::MemoryLimit), grown, LIMIT);
    };
    for threads in [1, 2] {
        check("polynomials", &|| limited(&two, LIMIT, threads).run(&by_weight).stop());
        check("lists", &|| limited(&forty, LIMIT, threads).run(&best).stop());
        let pairs = (Counting::<Natural>::new(), by_weight);
        check("pairs", &|| limited(&two, LIMIT, threads).run(&pairs).stop());
        let by_end = CountByWeight::new(HeavyEnd(50_000_000));
        check("ends", &|| limited(&ends, LIMIT, threads).run(&by_end).stop());
        check("retained polynomials", &|| {
            let retained = limited(&two, LIMIT, threads).retain_layers();
            retained.expect("few states").run(&by_weight).stop()
        });
        check("retained lists", &|| {
            let retained = limited(&forty, LIMIT, threads).retain_layers();
            retained.expect("few states").run(&best).stop()
        });
    }
    let spilled = || limited(&two, LIMIT, 1).spill(&directory.0);
    check("spilled polynomials", &|| spilled().run(&by_weight).expect("files").stop());
    let spilled = || limited(&forty, LIMIT, 1).spill(&directory.0);
    check("spilled lists", &|| spilled().run(&best).expect("files").stop());
}

#[test]
fn values_beyond_their_maximum_size_overflow_without_a_limit() {
    crate::alone();
    for degree in [1_i64 << 27, (1 << 32) - 2] {
        let by_weight = CountByWeight::new(heavy(degree));
        let by_end = CountByWeight::new(HeavyEnd(degree));
        let (two, three, ends) = (choices(2), choices(3), two_ends());
        for threads in [1, 2] {
            let run = || Sweep::new(&two).threads(threads).run(&by_weight).stop();
            let (stop, grown) = growth(run);
            assert_stopped("polynomials", (stop, Stop::CountOverflow), grown, MIB);
            let (stop, grown) = growth(|| Sweep::new(&ends).run(&by_end).stop());
            assert_stopped("ends", (stop, Stop::CountOverflow), grown, MIB);
            let retained = Sweep::new(&two).retain_layers().expect("few states");
            let (stop, grown) = growth(|| retained.run(&by_weight).stop());
            assert_stopped("retained", (stop, Stop::CountOverflow), grown, MIB);
        }
        // A single term is small, whatever its degree.
        let only = |_: usize, _: bool| degree / 4;
        let (outcome, grown) = growth(|| Sweep::new(&three).run(&CountByWeight::new(only)));
        assert_eq!(
            outcome.total().and_then(|sum| sum.terms().next()).map(|term| term.1),
            Some(Natural::from(8_u32))
        );
        assert!(grown < MIB, "{grown}");
    }
}

/// Returns by how many bytes a repetition grows until the memory limit stops it.
fn growth_of_a_repetition(problem: &impl ContourProblem, limit: usize) -> usize {
    let (stopped, grown) = growth(|| limited(problem, limit, 1).repeated(0..1));
    let Err(RepetitionError::Stopped(incomplete)) = stopped else { panic!("a limit") };
    assert_eq!(incomplete.stop(), Stop::MemoryLimit);
    grown
}

#[test]
fn states_of_a_repetition_are_included_in_the_limit() {
    crate::alone();
    // States of 64 bytes, of which each leads to four others.
    let numbers = Steps::new(1, [1_u64; 8], |_, [number, ..], emit| {
        (0..4).for_each(|digit| emit([(4 * number + digit) % (1 << 20); 8], ()));
    });
    for limit in [MIB, 4 * MIB, 15 * MIB] {
        assert_within("a repetition", limit, growth_of_a_repetition(&numbers, limit));
    }
}

/// A problem of this many cells with a single state before each of them.
fn narrow(cells: usize) -> impl ContourProblem<State = u8, Label = ()> {
    Steps::new(cells, 0, |_, _, emit| emit(0, ()))
}

#[test]
fn statistics_of_narrow_layers_and_their_report_are_included_in_the_limit() {
    crate::alone();
    for limit in [MIB, 3 * MIB, 4 * MIB, 16 * MIB] {
        let limits = Limits::new().memory(limit as u64).depth(1 << 20);
        let problem = narrow(usize::MAX);
        let (stop, grown) = growth(|| Sweep::new(&problem).limits(limits).exists().stop());
        assert_eq!(stop, Stop::MemoryLimit);
        assert_within("statistics", limit, grown);
    }
}

#[test]
fn narrow_retained_layers_are_included_in_the_limit() {
    crate::alone();
    let problem = narrow(1 << 14);
    let (mut limit, mut is_retained) = (MIB / 2, false);
    while !is_retained && limit < 64 * MIB {
        let (retained, grown) = growth(|| limited(&problem, limit, 1).retain_layers().is_ok());
        assert_at_most("narrow retained layers", limit, grown);
        let square = |cell: usize, ()| [cell];
        let (_, grown) = growth(|| limited(&problem, limit, 1).family(1 << 14, square).is_ok());
        assert_at_most("a family of narrow layers", limit, grown);
        (limit, is_retained) = (limit + limit / 8, retained);
    }
    assert!(is_retained);
}

#[test]
fn cells_of_a_repetition_are_included_in_the_limit() {
    crate::alone();
    for cells in [1 << 16, usize::MAX] {
        let grown = growth_of_a_repetition(&narrow(cells), MIB);
        assert_at_most("cells of a repetition", MIB, grown);
    }
}

#[test]
fn tables_are_included_in_the_limit() {
    crate::alone();
    check_limits("machine words", &cycles(18), &Counting::<u64>::new());
    check_limits("best weight", &cycles(18), &Best::maximise(weight));
    check_limits("optima", &cycles(18), &Optima::maximise(weight));
    let large = Optima::maximise(weight).counted_by(Counting::<Natural>::new());
    check_limits("optima in numbers of any size", &cycles(18), &large);
}

/// Counts the Hamiltonian cycles of a board in files, under each limit.
fn check_spilled(rows: usize, columns: usize, count: &str, limits: &[usize]) {
    let directory = Directory::new();
    let problem = hamiltonian_cycles(&Grid::new(rows, columns).expect("a board"));
    for &limit in limits {
        let check = |what: &str, counted: Option<String>, grown: usize| {
            assert_eq!(counted.as_deref(), Some(count), "{what}");
            assert_within(what, limit, grown);
        };
        let spilled = || limited(&problem, limit, 1).spill(&directory.0);
        let (outcome, grown) = growth(|| spilled().count().expect("files"));
        check("words", outcome.exact().map(|count| count.to_string()), grown);
        let naturals = Counting::<Natural>::new();
        let (outcome, grown) = growth(|| spilled().run(&naturals).expect("files"));
        check("naturals", outcome.total().map(ToString::to_string), grown);
    }
}

#[test]
fn spilled_layers_are_within_the_limit() {
    crate::alone();
    check_spilled(10, 12, "328076475659033", &[MIB / 4]);
}

#[test]
#[ignore = "twenty seconds without optimisation: cargo test --release --test memory -- --ignored"]
fn spilled_layers_of_a_larger_board_are_within_the_limit() {
    crate::alone();
    check_spilled(12, 12, "1076226888605605706", &[MIB / 2, MIB, 3 * MIB]);
}

#[test]
fn widening_stays_within_the_limit() {
    crate::alone();
    // On a long strip, counts grow beyond any fixed width.
    let strip = hamiltonian_cycles(&Grid::new(8, 2000).expect("a board"));
    for limit in [100_000, 200_000] {
        let (outcome, grown) = growth(|| limited(&strip, limit, 1).count_natural());
        assert!(matches!(outcome.stop(), Stop::MemoryLimit | Stop::Exhausted));
        assert_at_most("widening", limit, grown);
    }
}

#[test]
fn dense_tables_and_plans_are_included_in_the_limit() {
    crate::alone();
    let cycles = hamiltonian_cycles(&Grid::new(19, 18).expect("a board"));
    for limit in [4 * MIB, 16 * MIB] {
        for threads in [1, 2] {
            let (outcome, grown) = growth(|| limited(&cycles, limit, threads).dense().count());
            assert_eq!(outcome.stop(), Stop::MemoryLimit);
            assert_within(&format!("dense, {threads} threads"), limit, grown);
            let count = || limited(&cycles, limit / 2, threads).dense().count_by_residues();
            let (outcome, grown) = growth(count);
            assert_eq!(outcome.stop(), Stop::MemoryLimit);
            assert_within(&format!("residues, {threads} threads"), limit / 2, grown);
        }
    }
}

/// Saves a layer of up to `states` states that takes more than `limit` bytes, and resumes from it
/// under this limit and a larger one.
fn check_resumed(
    what: &str,
    (states, limit): (u64, usize),
    run: impl Fn(Limits, &mut SweepCheckpoint) -> Report,
) {
    let directory = Directory::new();
    let mut file = file_at_the_end(directory.file());
    // Everything that allocates runs in `growth`, so that no measurement of another test sees it.
    let digest = || Digest::of(&fs::read(directory.file()).expect("a file"));
    let ((saved, before), _) = growth(|| (run(Limits::new().states(states), &mut file), digest()));
    assert_eq!((saved.stop(), file.saves()), (Stop::StateLimit, 1), "{what}");
    let cells = saved.levels().len();
    let (report, grown) = growth(|| run(Limits::new().memory(limit as u64), &mut file));
    assert_eq!((report.stop(), report.levels().len()), (Stop::MemoryLimit, cells), "{what}");
    assert_at_most(what, limit, grown);
    // The file remains as it is, to be resumed with more memory.
    let limits = Limits::new().memory(1 << 30).depth(cells);
    let ((report, after), _) = growth(|| {
        let after = digest();
        (run(limits, &mut file), after)
    });
    assert_eq!(after, before, "{what}");
    assert_eq!((report.stop(), report.levels().len()), (Stop::DepthLimit, cells + 1), "{what}");
    assert_eq!(report.levels()[..cells - 1], saved.levels()[..cells - 1], "{what}");
}

/// Does the same under an algebra, with one thread and with several.
fn check_resumed_under<P, A>(what: &str, size: (u64, usize), problem: &P, algebra: &A)
where
    P: ContourProblem<State: Serialize + DeserializeOwned>,
    A: Algebra<P, Value: Serialize + DeserializeOwned>,
{
    for threads in [1, 3] {
        check_resumed(&format!("{what}, {threads} threads"), size, |limits, file| {
            let sweep = Sweep::new(problem).limits(limits).threads(threads);
            let sweep = begun_or_resumed!(sweep, file).expect("a file");
            sweep.run(algebra).expect("its own file").report().clone()
        });
    }
}

#[test]
fn resumed_layers_are_included_in_the_limit() {
    crate::alone();
    check_resumed_under("machine words", (30_000, 100_000), &cycles(18), &Counting::<u64>::new());
    check_resumed_under("naturals", (30_000, 100_000), &cycles(18), &Counting::<Natural>::new());
    // The table fits into this limit, but not with its lists.
    let paths = simple_paths(&Grid::new(12, 12).expect("a board"));
    check_resumed_under("20 best weights", (10_000, MIB / 2), &paths, &BestK::minimise(20, weight));
    check_resumed("dense", (60_000, 200_000), |limits, file| {
        let cycles = cycles(18);
        let sweep = Sweep::new(&cycles).limits(limits).dense();
        let sweep = begun_or_resumed!(sweep, file).expect("a file");
        sweep.count().expect("its own file").report().clone()
    });
}

#[test]
fn retained_layers_are_included_in_the_limit() {
    crate::alone();
    let paths = simple_paths(&Grid::new(11, 11).expect("a board"));
    for threads in [1, 2] {
        let limit = 8 * MIB;
        assert_out_of_memory(&format!("retained layers, {threads} threads"), limit, || {
            limited(&paths, limit, threads).retain_layers().map(|_| ()).unwrap_err().stop()
        });
    }
}

#[test]
fn iterators_over_retained_layers_stay_within_the_limit() {
    crate::alone();
    let cycles = cycles(8);
    for threads in [1, 2] {
        let (retained, needed) = growth(|| {
            limited(&cycles, usize::MAX, threads).retain_layers().map(|retained| retained.bytes())
        });
        println!("{} bytes retained, {needed} needed", retained.expect("no limit"));
        for limit in [needed, needed + MIB] {
            let (given, grown) = growth(|| {
                let retained = limited(&cycles, limit, threads).retain_layers().ok()?;
                let samples = retained.samples(1).ok()?.take(10).count();
                let mut ranked = retained.ranked(secateurs::Direction::Maximise, weight).ok()?;
                let ranks = ranked.by_ref().take(100_000).count();
                Some((samples, ranks, ranked.stop()))
            });
            assert_at_most(&format!("{given:?}"), limit, grown);
        }
    }
}

/// A sweep over only the first cells of a board, which accepts every word of its last layer.
struct FirstCells(Strands, usize);

impl ContourProblem for FirstCells {
    type State = Parentheses;
    type Label = PathPiece;

    fn cells(&self) -> usize {
        self.1
    }
    fn start(&self) -> Parentheses {
        self.0.start()
    }
    fn step(&self, cell: usize, state: Parentheses, emit: &mut impl FnMut(Parentheses, PathPiece)) {
        self.0.step(cell, state, emit);
    }
    fn accept(&self, _: Parentheses) -> bool {
        true
    }
}

impl MotzkinProblem for FirstCells {
    fn plugs(&self) -> usize {
        self.0.plugs()
    }
    fn low(&self, cell: usize) -> usize {
        self.0.low(cell)
    }
    fn rule(&self, cell: usize) -> CellRule {
        self.0.rule(cell)
    }
}

#[test]
fn the_words_of_a_large_last_layer_of_a_dense_sweep_are_not_collected() {
    crate::alone();
    let paths = FirstCells(simple_paths(&Grid::new(13, 13).expect("a board")), 2 * 13 + 6);
    let count = |limit| growth(|| limited(&paths, limit, 1).dense().count());
    let (expected, _) = count(usize::MAX);
    let needed = expected.report().peak_bytes().expect("a sweep") as usize;
    let (counted, grown) = count(needed);
    assert_eq!(counted.exact(), expected.exact());
    assert_at_most("reported bytes", needed, grown);
}

/// All subsets of 16 elements. The last layer has 2¹⁶ states.
const SETS: Sets = Sets { cells: 16, things: 16 };

/// The largest set covers all others. A form takes far more memory than a state.
struct LargestCovers;

impl StateDominance<Sets> for LargestCovers {
    type Form = [u32; 32];
    type Key = u32;

    fn form(&self, _: &Sets, _: usize, state: u32) -> [u32; 32] {
        [state; 32]
    }
    fn key(&self, state: u32, _: &[u32; 32]) -> u32 {
        state
    }
    fn covers(&self, better: &[u32; 32], _: &[u32; 32]) -> bool {
        better[0] == (1 << 16) - 1
    }
}

#[test]
fn forms_of_an_antichain_are_included_in_the_limit() {
    crate::alone();
    let run = |limit| {
        let antichain = Antichain::new("largest", LargestCovers);
        let last_layer_only = |sets: &Sets, cell, layer: &mut Thinning<'_, u32>| {
            if cell == 15 {
                antichain.thin(sets, cell, layer);
            }
        };
        let hook = Thins { effect: Effect::Preserving, thin: last_layer_only };
        growth(|| limited(&SETS, limit, 1).hooks((hook,)).exists().stop())
    };
    for (limit, expected) in [(4 * MIB, Stop::MemoryLimit), (16 * MIB, Stop::Exhausted)] {
        let (stop, grown) = run(limit);
        assert_eq!(stop, expected, "under a limit of {limit}");
        assert_at_most(&stop.to_string(), limit, grown);
    }
}

#[test]
fn the_states_of_a_large_last_layer_stay_within_the_limit() {
    crate::alone();
    for threads in [1, 2, 3] {
        let (mut limit, mut stop) = (MIB / 2, Stop::MemoryLimit);
        while stop == Stop::MemoryLimit {
            let algebra = Counting::<u64>::new();
            let (outcome, grown) = growth(|| limited(&SETS, limit, threads).ends(&algebra));
            stop = outcome.stop();
            assert_at_most(&format!("{threads} threads: {stop}"), limit, grown);
            if stop == Stop::Exhausted {
                assert_eq!(outcome.value().len(), 1 << 16);
            }
            limit += MIB / 4;
        }
        assert_eq!(stop, Stop::Exhausted);
    }
}

/// Counts the tours of these boards under limits that grow by a factor, until one suffices.
fn check_meet_in_the_middle(boards: &[(usize, usize, u128)], factor: usize) {
    let tours = |rows, columns, limit: usize, threads| {
        let board = TourBoard::new(rows, columns).expect("a board");
        let tours = KnightsTours::new(board).expect("not too large");
        let tours = tours.limits(Limits::new().memory(limit as u64)).threads(threads);
        growth(|| tours.count())
    };
    for &(rows, columns, count) in boards {
        for threads in [1, 2] {
            let (mut limit, mut exhausted) = (MIB / 4, false);
            while !exhausted && limit < 256 * MIB {
                let (outcome, grown) = tours(rows, columns, limit, threads);
                let stop = outcome.stop();
                assert_at_most(&format!("{rows}x{columns}, {threads}: {stop}"), limit, grown);
                let peak = outcome.report().peak_bytes().expect("a sweep") as usize;
                assert!(peak <= limit, "reported {peak} bytes under a limit of {limit}");
                exhausted = stop == Stop::Exhausted;
                if exhausted {
                    assert_eq!(outcome.exact(), Some(count));
                } else {
                    assert_eq!(stop, Stop::MemoryLimit);
                }
                limit *= factor;
            }
            assert!(exhausted, "{rows}x{columns}");
        }
    }
}

#[test]
fn meeting_in_the_middle_stays_within_the_limit() {
    crate::alone();
    check_meet_in_the_middle(&[(6, 6, 9862), (6, 7, 1_067_638)], 4);
}

#[test]
#[ignore = "a minute without optimisation: cargo test --release --test memory -- --ignored"]
fn meeting_in_the_middle_of_a_larger_board_stays_within_the_limit() {
    crate::alone();
    check_meet_in_the_middle(&[(6, 7, 1_067_638), (6, 8, 55_488_142)], 2);
}
