//! Audits of the prunings of Rocket Mania, on boards of all kinds of blocks.

use std::cmp::Reverse;

use secateurs::plug::code::Labels;
use secateurs::plug::{Antichain, StateDominance, SweepHook};
use secateurs::{Direction, Limits, Verdict};
use secateurs_lab::{Coverage, SweepAudit, Violation};
use secateurs_problems::rocket_mania::{
    Block, Case, Containment, Extinguished, Fuses, LonePlugs, Matches, RocketBoard, Rockets,
    UnlitRockets, outshone,
};

use super::items::{Finding, Item, Sample, audit_on};

const BLOCKS: [char; 5] = ['.', '-', 'L', 'T', '+'];

/// Returns a case, given by the numbers of its blocks in row-major order.
fn case(columns: usize, blocks: &[usize], matches: Matches) -> Option<Case> {
    let block = |&index: &usize| Block::from_char(BLOCKS[index % BLOCKS.len()]);
    let rows: Option<Vec<Vec<Block>>> =
        blocks.chunks(columns).map(|row| row.iter().map(block).collect()).collect();
    Case::new(RocketBoard::new(&rows?).ok()?, matches).ok()
}

/// Returns all cases of up to `size` rows and columns.
fn small_cases(size: usize) -> impl Iterator<Item = Case> {
    let sizes = (1..=size).flat_map(move |rows| (1..=size).map(move |columns| (rows, columns)));
    sizes.flat_map(|(rows, columns)| {
        let cells = (rows * columns) as u32;
        (0..BLOCKS.len().pow(cells)).flat_map(move |number| {
            let blocks: Vec<usize> =
                (0..cells).map(|cell| number / BLOCKS.len().pow(cell)).collect();
            let matches = (0..rows).map(Matches::One).chain([Matches::All]);
            matches.filter_map(|matches| case(columns, &blocks, matches)).collect::<Vec<_>>()
        })
    })
}

/// Returns a reproducible pseudo-random generator.
fn random(mut state: u64) -> impl FnMut() -> usize {
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    }
}

/// Returns random cases of all sizes up to that of the sample.
fn random_cases(sample: Sample<'_>) -> impl Iterator<Item = Case> {
    (0..sample.boards).filter_map(move |index| {
        let mut next = random(sample.seed.wrapping_add(index.wrapping_mul(0x9e37_79b9)));
        let (rows, columns) = (1 + next() % sample.size.max(1), 1 + next() % sample.size.max(1));
        let blocks: Vec<usize> = (0..rows * columns).map(|_| next()).collect();
        let matches =
            if next().is_multiple_of(2) { Matches::All } else { Matches::One(next() % rows) };
        case(columns, &blocks, matches)
    })
}

/// Returns the cases that are one step smaller: without a row, a column or a block.
fn smaller(old: &Case) -> Vec<Case> {
    let board = old.board();
    let (rows, columns) = (board.rows(), board.columns());
    let new_case =
        |rows: Vec<Vec<Block>>, matches| Case::new(RocketBoard::new(&rows).ok()?, matches).ok();
    let all_rows = || {
        (0..rows).map(|row| (0..columns).map(|column| board.block(row, column)).collect::<Vec<_>>())
    };
    let without_row = (0..rows).filter_map(|removed| {
        let matches = match old.matches() {
            Matches::One(lit) if lit == removed => return None,
            Matches::One(lit) => Matches::One(lit - usize::from(lit > removed)),
            Matches::All => Matches::All,
        };
        new_case(
            all_rows().enumerate().filter(|(row, _)| *row != removed).map(|(_, row)| row).collect(),
            matches,
        )
    });
    let without_column = (0..columns).filter_map(|removed| {
        let rows = all_rows().map(|mut row| {
            row.remove(removed);
            row
        });
        new_case(rows.collect(), old.matches())
    });
    let without_block = (0..rows * columns).filter_map(|removed| {
        let mut rows: Vec<Vec<Block>> = all_rows().collect();
        let empty = Block::from_char('.')?;
        let place = &mut rows[removed / columns][removed % columns];
        (std::mem::replace(place, empty) != empty).then(|| new_case(rows, old.matches())).flatten()
    });
    without_row.chain(without_column).chain(without_block).collect()
}

/// Draws the plugs of a contour: equal numbers are connected, `*` is lit, `.` is none.
fn draw(rows: usize, contour: Labels<u64>) -> String {
    let symbol = |plug: usize| match contour.get(plug) {
        0 => '.',
        Labels::<u64>::RESERVED => '*',
        label => char::from_digit(label.into(), 36).unwrap_or('?'),
    };
    let right: String = (1..=rows).map(symbol).collect();
    format!("plugs: down {}, right {right} row by row", symbol(0))
}

type CaseAudit<'a> = SweepAudit<'a, Fuses<'a>>;

fn on_cases(
    sample: Sample<'_>,
    audit: impl for<'a> Fn(CaseAudit<'a>) -> Result<Coverage, Violation>,
) -> Result<Coverage, Finding> {
    let (small, random) = (small_cases(sample.small), random_cases(sample));
    audit_on(sample, small, random, smaller, Case::to_string, |case, nodes| {
        let fuses = Fuses::new(case);
        let base = SweepAudit::new(&fuses)
            .weight(Direction::Maximise, Rockets)
            .share(sample.share, sample.seed);
        let rows = case.board().rows();
        audit(
            base.limits(Limits::new().states(nodes)).show(move |_, _, contour| draw(rows, contour)),
        )
    })
}

pub fn sound() -> Vec<Item> {
    vec![
        Item::new("1", "a contour without a lit plug", |sample| {
            on_cases(sample, |audit| audit.hook(Extinguished).run())
        }),
        Item::new("2", "an unlit plug that is connected to no other", |sample| {
            on_cases(sample, |audit| audit.hook(LonePlugs).run())
        }),
        Item::new("3", "all plugs lit in the contour with the most lit plugs", |sample| {
            on_cases(sample, |audit| audit.hook(outshone()).run())
        }),
        Item::new("4", "an unlit plug at a rocket that nothing can light", |sample| {
            on_cases(sample, |audit| audit.hook(UnlitRockets).run())
        }),
        Item::new("full", "contained in any contour of the layer", |sample| {
            on_cases(sample, |audit| {
                audit.hook(Antichain::new("full dominance", Containment)).run()
            })
        }),
        Item::new("containment", "the relation behind it, and its laws", |sample| {
            on_cases(sample, |audit| audit.dominance("containment", Containment).run())
        }),
        Item::new("all", "all of them together", |sample| {
            on_cases(sample, |audit| {
                let audit = audit.hook(Extinguished).hook(LonePlugs).hook(UnlitRockets);
                audit.hook(outshone()).hook(Antichain::new("full dominance", Containment)).run()
            })
        }),
    ]
}

/// A wrong dominance: it ignores which plugs are lit.
struct IgnoresFire;

impl StateDominance<Fuses<'_>> for IgnoresFire {
    type Form = Labels<u64>;
    type Key = (usize, Reverse<Labels<u64>>);
    fn form(&self, _: &Fuses<'_>, _: usize, contour: Labels<u64>) -> Labels<u64> {
        contour
    }
    fn key(&self, contour: Labels<u64>, _: &Labels<u64>) -> Self::Key {
        ((0..contour.len()).filter(|&plug| contour.get(plug) != 0).count(), Reverse(contour))
    }
    fn covers(&self, better: &Labels<u64>, worse: &Labels<u64>) -> bool {
        (0..worse.len()).all(|plug| worse.get(plug) == 0 || better.get(plug) != 0)
    }
}

/// A wrong canonicaliser: it merges the first two unlit components.
struct Merge;

impl SweepHook<Fuses<'_>> for Merge {
    fn name(&self) -> &str {
        "merge"
    }
    fn enter(&self, _: &Fuses<'_>, _: usize, contour: &mut Labels<u64>) -> Verdict {
        if contour.has(2) {
            *contour = contour.relabelled(2, 1).canonical();
        }
        Verdict::Keep
    }
}

/// A wrong filter: it drops contours with fewer than two lit plugs.
struct HardlyLit;

impl SweepHook<Fuses<'_>> for HardlyLit {
    fn name(&self) -> &str {
        "hardly lit"
    }
    fn enter(&self, _: &Fuses<'_>, _: usize, contour: &mut Labels<u64>) -> Verdict {
        Verdict::prune_if(contour.count_of(Labels::<u64>::RESERVED) < 2)
    }
}

pub fn unsound() -> Vec<Item> {
    vec![
        Item::new("ignores-fire", "full dominance that ignores which plugs are lit", |sample| {
            on_cases(sample, |audit| audit.hook(Antichain::new("ignores fire", IgnoresFire)).run())
        }),
        Item::new("merge", "a canonicaliser that merges two unlit components", |sample| {
            on_cases(sample, |audit| audit.hook(Merge).run())
        }),
        Item::new("hardly-lit", "pruning 1 with two lit plugs instead of one", |sample| {
            on_cases(sample, |audit| audit.hook(HardlyLit).run())
        }),
    ]
}
