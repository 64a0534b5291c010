//! The bundled comparisons of the ten prunings of fire-net, and of Rocket Mania: Table 4 of the
//! paper.

use secateurs::Report;
use secateurs_problems::fire_net::{
    FireNetBoard, FireNetPrunings, FireNetSettings, maximum_matching,
};
use secateurs_problems::rocket_mania::{
    Block, Case, DominanceScope, Matches, RocketBoard, RocketPrunings, RocketSettings,
};

use crate::{Compare, Contender, Reference, Trial};

/// The meaning of the numbers of the prunings.
const FIRE_NET_NOTE: &str = "The prunings: 1 candidates from a list, 2 cells in increasing order, \
    3 too few cells left, 4 as many bunkers as segments, 5 a segment with one candidate, \
    6 a rectangle walled on four sides, 7 to 9 on three, 8 and 10 on two.";

/// The name of the source of [`FIRE_NET_NODES`].
const FIRE_NET_SOURCE: &str = "known";

/// Known node counts of the trees that the article's programs search: the rows of a board, or the
/// side of an empty one, and the nodes without prunings, and with prunings 1–2, 1–3, 1–4 and 1–5.
/// The article itself has no node counts. From the empty 5×5 board on, large counts are known to
/// three digits.
const FIRE_NET_NODES: [(&str, [f64; 5]); 6] = [
    (".X..\n....\nXX..\n....", [1844.0, 175.0, 111.0, 6.0, 3.0]),
    ("4", [1313.0, 209.0, 146.0, 5.0, 5.0]),
    ("5", [32.8e3, 1546.0, 1060.0, 6.0, 6.0]),
    ("6", [1.18e6, 13.3e3, 9297.0, 7.0, 7.0]),
    ("7", [57.9e6, 131e3, 93.3e3, 8.0, 8.0]),
    ("8", [3.71e9, 1.44e6, 1.05e6, 9.0, 9.0]),
];

/// Returns the boards of [`FIRE_NET_NODES`] with their node counts.
fn known_boards() -> impl Iterator<Item = (FireNetBoard, [f64; 5])> {
    FIRE_NET_NODES.into_iter().map(|(text, nodes)| {
        let board = match text.parse() {
            Ok(side) => FireNetBoard::empty(side, side),
            Err(_) => {
                let rows: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
                FireNetBoard::new(rows.len(), rows[0].len(), |row, column| {
                    rows[row][column] == b'X'
                })
            }
        };
        (board, nodes)
    })
}

/// Returns the boards with known node counts that have at most `max_side` rows: the sample board,
/// and the empty boards from 4×4 to 8×8.
pub fn article_boards(max_side: usize) -> impl Iterator<Item = (String, FireNetBoard)> {
    let named = known_boards().enumerate().map(|(index, (board, _))| match index {
        0 => ("sample".to_owned(), board),
        _ => (format!("empty {0}×{0}", board.rows()), board),
    });
    named.filter(move |(_, board)| board.rows() <= max_side)
}

/// Compares sets of the ten prunings of the article's program (wisewin 2006), with known node
/// counts as references. For the cumulative comparison, take the sets from
/// [`selections`](super::selections) with [`Plan::Cumulative`](crate::Plan::Cumulative).
///
/// A node is a call of the article's `Find`. If a limit is reached, the estimate is that of a
/// search that knows the optimum from the start. Without prunings 3 and 4 this is the same tree.
/// With them, a search that has to find the optimum visits a larger tree, sometimes many times as
/// large, so the estimate gives a lower bound. If pruning 4 ends a search right after it has found
/// the optimum, the bound is below the number of visited nodes and is discarded.
///
/// See the [module](super) for an example.
pub fn fire_net(
    boards: impl IntoIterator<Item = (impl Into<String>, FireNetBoard)>,
    sets: impl IntoIterator<Item = FireNetPrunings>,
) -> Compare<'static, FireNetBoard> {
    let boards: Vec<(String, FireNetBoard)> =
        boards.into_iter().map(|(name, board)| (name.into(), board)).collect();
    let known: Vec<(String, [f64; 5])> = boards
        .iter()
        .filter_map(|(name, board)| {
            known_boards().find(|(known, _)| known == board).map(|(_, nodes)| (name.clone(), nodes))
        })
        .collect();
    let contenders = sets.into_iter().map(move |set| {
        let settings = FireNetSettings::article(set);
        let estimated = settings.clone();
        let contender = Contender::new(set.to_string(), move |board: &FireNetBoard, limits| {
            settings.clone().limits(limits).solve(board)
        })
        .estimated_for_optimum(move |board, probes, seed| {
            estimated.estimate(board, Some(maximum_matching(board).len()), probes, seed)
        });
        let column =
            [0, 2, 3, 4, 5].into_iter().position(|last| set == FireNetPrunings::of(1..=last));
        with_reference(contender, FIRE_NET_SOURCE, &known, column)
    });
    let contenders: Vec<_> = contenders.collect();
    Compare::over(boards)
        .title("Fire-net: the article's prunings")
        .note(FIRE_NET_NOTE)
        .contenders(contenders)
}

/// Adds the published nodes in a column as a reference, if there are any.
fn with_reference<I>(
    contender: Contender<'static, I>,
    source: &str,
    known: &[(String, [f64; 5])],
    column: Option<usize>,
) -> Contender<'static, I> {
    match column.filter(|_| !known.is_empty()) {
        Some(column) => {
            let nodes = known.iter().map(|(name, nodes)| (name.clone(), nodes[column]));
            contender.reference(Reference::nodes(source, nodes))
        }
        None => contender,
    }
}

/// Table 4 of the paper: the [hash](fingerprint) of each case, and the contours expanded without
/// prunings, with pruning 1, with 1–2, with 1–3, and with all four.
const TABLE_4: [(u64, [f64; 5]); 10] = [
    (0x6ff0_38d6_98ae_3636, [105.0, 55.0, 55.0, 55.0, 55.0]),
    (0xc1e7_4b0d_f982_d28c, [304_250.0, 121_585.0, 8_758.0, 8_758.0, 7_620.0]),
    (0xe283_4c1e_eaa3_9f5c, [18_193_954.0, 13_870_994.0, 1_133_036.0, 11_451.0, 11_451.0]),
    (0xa040_a633_9216_8a16, [55.0, 55.0, 55.0, 55.0, 55.0]),
    (0x74ee_e8cb_b748_3548, [958.0, 2.0, 2.0, 2.0, 2.0]),
    (0x7bfa_eded_326b_6bd0, [4_409_663.0, 2_914_156.0, 438_714.0, 155_049.0, 153_665.0]),
    (0xb9e5_1124_9b7b_dbd8, [1_662_550.0, 865_193.0, 137_771.0, 67_473.0, 67_086.0]),
    (0x1303_2d24_977c_cd81, [1_697_106.0, 1_075_240.0, 156_778.0, 7_741.0, 7_741.0]),
    (0xdb69_0b2e_f481_70e7, [557_590.0, 379_853.0, 75_449.0, 24_856.0, 13_370.0]),
    (0x0c40_8bbb_e552_a078, [210_290.0, 43_759.0, 6_084.0, 6_079.0, 2_957.0]),
];

/// The name of the paper in the tables.
const TABLE_4_SOURCE: &str = "Chen 2008";

/// The meaning of the numbers of the prunings, and the source of the numbers of contours.
const ROCKET_MANIA_NOTE: &str = "The prunings: 1 contours without a lit plug, 2 unlit plugs \
    connected to no other, 3 contours outshone by the brightest, 4 unlit plugs at rockets. Full \
    dominance keeps the maximal contours. “Chen 2008” is Table 4 of Chen Danqi's paper on plug DP, \
    which seems to count contours before pruning 3 drops them.";

/// Returns a hash that identifies a case (FNV-1a; Fowler, Noll and Vo). The paper's boards 7 to 10
/// are not part of this crate, but are recognised if the user supplies them.
fn fingerprint(case: &Case) -> u64 {
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    case.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, hash)
}

/// Returns boards 1 to 6 of the paper, of 9×6 blocks: four boards of one kind of block, one with
/// corners in every other row, and one with alternating tees and corners. The match is in row 5, or
/// in row 1 for the last two.
pub fn paper_cases() -> impl Iterator<Item = (String, Case)> {
    type Pattern = fn(usize, usize) -> Block;
    let patterns: [(&str, usize, Pattern); 6] = [
        ("all -", 4, |_, _| Block::Straight),
        ("all L", 4, |_, _| Block::Corner),
        ("all T", 4, |_, _| Block::Tee),
        ("all +", 4, |_, _| Block::Cross),
        ("rows of L", 0, |row, _| if row % 2 == 0 { Block::Corner } else { Block::Empty }),
        (
            "T and L",
            0,
            |row, column| if (row + column) % 2 == 0 { Block::Tee } else { Block::Corner },
        ),
    ];
    patterns.into_iter().filter_map(|(name, row, block)| {
        let rows: Vec<Vec<Block>> =
            (0..9).map(|row| (0..6).map(|column| block(row, column)).collect()).collect();
        let case = Case::new(RocketBoard::new(&rows).ok()?, Matches::One(row)).ok()?;
        Some((name.to_owned(), case))
    })
}

/// Returns the configurations of Table 4, which are the first 0 to 4 of the paper's prunings, and
/// two more: full dominance alone, and full dominance with all four prunings.
pub fn table_4() -> impl Iterator<Item = (RocketPrunings, Option<DominanceScope>)> {
    let cumulative = (0..=4).map(|last| (RocketPrunings::of(1..=last), None));
    cumulative.chain(
        [RocketPrunings::NONE, RocketPrunings::ALL].map(|set| (set, Some(DominanceScope::Full))),
    )
}

/// Compares sets of the paper's four prunings (Chen Danqi 2008), each with or without dominance, on
/// cases of Rocket Mania. The paper's numbers of contours are shown as references.
///
/// The nodes are expanded contours, in all layers and including the start, as in the paper. They
/// are fewer than in the paper where this crate represents contours differently, or where pruning 3
/// chooses another one of several contours with equally many lit plugs. The paper also seems to
/// count contours before pruning 3 drops them, which the statistic `before pruning 3` does too.
///
/// ```
/// use secateurs_lab::bundled;
///
/// let boards = bundled::paper_cases().take(2);
/// let comparison = bundled::rocket_mania(boards, bundled::table_4().skip(2)).rounds(1).run()?;
/// let nodes: Vec<u64> =
///     comparison.contenders().iter().map(|contender| contender.runs()[1].nodes()).collect();
/// assert_eq!(nodes, [8758, 8758, 7620, 7789, 2484]); // the first three are the paper's
/// # Ok::<(), secateurs_lab::CompareError>(())
/// ```
pub fn rocket_mania(
    cases: impl IntoIterator<Item = (impl Into<String>, Case)>,
    hooks: impl IntoIterator<Item = (RocketPrunings, Option<DominanceScope>)>,
) -> Compare<'static, Case> {
    let cases: Vec<(String, Case)> =
        cases.into_iter().map(|(name, case)| (name.into(), case)).collect();
    let known: Vec<(String, [f64; 5])> = cases
        .iter()
        .filter_map(|(name, case)| {
            let hash = fingerprint(case);
            let (_, nodes) = TABLE_4.into_iter().find(|&(known, _)| known == hash)?;
            Some((name.clone(), nodes))
        })
        .collect();
    let contenders: Vec<_> = hooks
        .into_iter()
        .map(|(prunings, dominance)| {
            let settings = RocketSettings::default().prunings(prunings).dominance(dominance);
            let as_in_paper = dominance.is_none() && prunings.contains(3);
            let contender =
                Contender::new(name(prunings, dominance), move |case: &Case, limits| {
                    let outcome = settings.clone().limits(limits).rockets(case);
                    let before = as_in_paper.then(|| before_pruning_3(outcome.report()));
                    let trial = Trial::from(outcome);
                    match before {
                        Some(contours) => trial.stat("before pruning 3", contours),
                        None => trial,
                    }
                });
            let column = (0..=4)
                .position(|last| dominance.is_none() && prunings == RocketPrunings::of(1..=last));
            with_reference(contender, TABLE_4_SOURCE, &known, column)
        })
        .collect();
    Compare::over(cases)
        .title("Rocket Mania: contours with and without prunings")
        .note(ROCKET_MANIA_NOTE)
        .contenders(contenders)
}

/// Returns the number of contours expanded plus the number of those that pruning 3 drops.
fn before_pruning_3(report: &Report) -> u64 {
    report.nodes() + report.hook("3: outshone").map_or(0, |hook| hook.cuts())
}

fn name(prunings: RocketPrunings, dominance: Option<DominanceScope>) -> String {
    match dominance {
        None => prunings.to_string(),
        Some(scope) if prunings == RocketPrunings::NONE => format!("{scope} dominance"),
        Some(scope) => format!("{prunings}, {scope} dominance"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_identify_the_boards_of_the_paper() {
        let fingerprints: Vec<u64> = paper_cases().map(|(_, case)| fingerprint(&case)).collect();
        assert_eq!(fingerprints, TABLE_4.map(|(fingerprint, _)| fingerprint)[..6]);
    }
}
