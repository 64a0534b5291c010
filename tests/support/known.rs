//! Known numbers of solutions on grids, through which every way to count them runs. A row has the
//! numbers of rows and columns, and that of the solutions. The last table is for n queens: its rows
//! have the published counts of several searches.

pub type Row = (usize, usize, u128);

#[rustfmt::skip] // Several rows on a line.
pub const HAMILTONIAN_CYCLES: &[Row] = &[
    (1, 1, 0), (2, 2, 1), (4, 4, 6), (6, 6, 1072), (8, 8, 4_638_576), (10, 10, 467_260_456_608),
    (12, 12, 1_076_226_888_605_605_706), (14, 14, 56_126_499_620_491_437_281_263_608),
    (16, 16, 65_882_516_522_625_836_326_159_786_165_530_572),
    (4, 5, 14), (4, 6, 37), (4, 7, 92), (4, 8, 236), (4, 9, 596), (4, 10, 1517), (5, 6, 154),
    (6, 7, 5320), (6, 8, 32_675), (7, 8, 301_384), (8, 9, 49_483_138), (9, 10, 13_916_993_782),
    // Both sides are odd.
    (3, 3, 0), (5, 7, 0), (7, 9, 0), (9, 9, 0), (3, 25, 0),
];

/// Between opposite corners.
#[rustfmt::skip]
pub const HAMILTONIAN_PATHS: &[Row] = &[
    (1, 1, 1), (2, 2, 0), (3, 3, 2), (4, 4, 0), (5, 5, 104), (6, 6, 0), (7, 7, 111_712),
    (9, 9, 2_688_307_514),
];

pub const SIMPLE_CYCLES: &[Row] = &[
    (1, 1, 0),
    (2, 2, 1),
    (3, 3, 13),
    (4, 4, 213),
    (12, 12, 109_331_355_810_135_629_946_698_361_371),
];

/// Between opposite corners.
#[rustfmt::skip]
pub const SIMPLE_PATHS: &[Row] = &[
    (1, 1, 1), (2, 2, 2), (3, 3, 12), (4, 4, 184), (5, 5, 8512), (6, 6, 1_262_816),
    (7, 7, 575_780_564), (8, 8, 789_360_053_252),
];

pub const TWO_FACTORS: &[Row] = &[(1, 1, 0), (2, 2, 1), (3, 3, 0), (4, 4, 18)];

#[rustfmt::skip]
pub const DOMINO_TILINGS: &[Row] = &[
    (1, 1, 0), (2, 2, 2), (4, 4, 36), (5, 5, 0), (6, 6, 6728), (8, 8, 12_988_816),
    // Fibonacci numbers.
    (2, 1, 1), (2, 3, 3), (2, 4, 5), (2, 5, 8), (2, 90, 4_660_046_610_375_530_309),
];

/// Sets of edges without a common vertex. The last number is a Fibonacci number.
pub const MATCHINGS: &[Row] = &[(1, 1, 1), (2, 2, 7), (3, 3, 131), (4, 4, 10_012), (1, 10, 89)];

/// The last number is a Fibonacci number.
pub const INDEPENDENT_SETS: &[Row] =
    &[(1, 1, 2), (2, 2, 7), (3, 3, 63), (4, 4, 1234), (5, 5, 55_447), (10, 1, 144)];

pub const SPANNING_TREES: &[Row] =
    &[(1, 1, 1), (2, 2, 4), (3, 3, 192), (4, 4, 100_352), (1, 30, 1)];

pub const SPANNING_FORESTS: &[Row] =
    &[(1, 1, 1), (2, 2, 15), (3, 3, 3102), (4, 4, 8_790_016), (1, 30, 1 << 29)];

/// Connected sets of cells.
pub const CONNECTED_SUBSETS: &[Row] =
    &[(1, 1, 1), (2, 2, 13), (3, 3, 218), (4, 4, 11_506), (5, 5, 2_301_877), (30, 1, 30 * 31 / 2)];

/// Closed knight's tours, whose direction does not count.
#[rustfmt::skip]
pub const CLOSED_TOURS: &[Row] = &[
    (1, 1, 0), (1, 2, 0), (2, 9, 0), (3, 3, 0), (3, 4, 0), (4, 4, 0), (3, 6, 0), (4, 5, 0),
    (5, 5, 0), (5, 6, 8), (3, 10, 16), (3, 12, 176), (6, 6, 9862), (5, 8, 44_202), (3, 14, 1536),
    (6, 7, 1_067_638), (3, 16, 15_424), (6, 8, 55_488_142),
];

/// The counts of the article on n-queens, a row for each n: n and the solutions; placements, tested
/// squares and compared pairs of backtracking; excluded squares of propagation in fixed order;
/// placements with the smallest domain first, of equal rows the first; placements and excluded
/// squares with the last of equal rows.
#[rustfmt::skip] // Several numbers on a line.
pub const QUEENS: [[u64; 9]; 11] = [
    [4, 2, 16, 60, 84, 60, 16, 16, 61],
    [5, 10, 53, 220, 405, 216, 53, 52, 211],
    [6, 4, 152, 894, 2_016, 824, 120, 114, 698],
    [7, 40, 551, 3_584, 9_297, 3_224, 393, 381, 2_312],
    [8, 92, 2_056, 15_720, 46_752, 13_510, 1_338, 1_309, 8_916],
    [9, 352, 8_393, 72_378, 243_009, 59_876, 5_351, 5_200, 37_386],
    [10, 724, 35_538, 348_150, 1_297_558, 277_654, 20_025, 19_652, 158_971],
    [11, 2_680, 166_925, 1_806_706, 7_416_541, 1_395_876, 86_316, 84_233, 717_492],
    [12, 14_200, 856_188, 10_103_868, 45_396_914, 7_530_546, 416_988, 400_505, 3_516_394],
    [
        13, 73_712, 4_674_889, 59_815_314, 292_182_579, 42_949_734, 2_151_630, 2_068_320,
        18_610_960,
    ],
    [
        14, 365_596, 27_358_552, 377_901_398, 1_995_957_888, 261_296_702, 11_775_415, 11_362_859,
        106_473_963,
    ],
];

/// Compares the known numbers of boards of at most so many cells with those that `count` returns
/// for a number of rows and of columns, in both orientations.
pub fn check(what: &str, known: &[Row], most_cells: usize, count: impl Fn(usize, usize) -> u128) {
    let small = known.iter().filter(|(rows, columns, _)| rows * columns <= most_cells);
    for &(rows, columns, expected) in small {
        assert_eq!(count(rows, columns), expected, "{what} of {rows} × {columns}");
        if rows != columns {
            assert_eq!(count(columns, rows), expected, "{what} of {columns} × {rows}");
        }
    }
}
