//! Classical constraint problems, with several models of most of them: levels of consistency of
//! all-different constraints, and constraints that state the same. The times do not include the
//! construction of the model.

use fastrand::Rng;
use secateurs::Search;
use secateurs_csp::{
    Ascending, Branching, Consistency, InputOrder, Model, ModelError, Network, Propagate,
    SmallestDomain, Variable, VariableOrder,
};

use super::constraints::group_by;
use crate::group::{Group, RunResult};

fn search<V: VariableOrder<Network>>(
    network: &Network,
    order: V,
) -> Search<'_, Network, Branching<V, Ascending>, (Propagate,)> {
    Search::new(network).hook(Propagate::full()).brancher(Branching::new(order, Ascending))
}

fn count_in_order(network: &Network) -> RunResult {
    search(network, InputOrder).count().into()
}

fn count_smallest_first(network: &Network) -> RunResult {
    search(network, SmallestDomain::first_tie()).count().into()
}

fn first_in_order(network: &Network) -> RunResult {
    search(network, InputOrder).first().into()
}

fn first_smallest_first(network: &Network) -> RunResult {
    search(network, SmallestDomain::first_tie()).first().into()
}

/// Returns the groups of the classical problems with one instance.
pub fn groups() -> [Group<Vec<Network>>; 5] {
    [
        group_by(
            "all-interval series of 9",
            120,
            [
                ("by pairs", all_interval(9, Consistency::Value), 19_420),
                ("by bounds", all_interval(9, Consistency::Bounds), 3810),
                ("by matching", all_interval(9, Consistency::Domain), 3810),
                ("tables, by matching", all_interval_by_tables(9), 1312),
            ],
            count_in_order,
        ),
        group_by(
            "first of the magic squares of order 5",
            1,
            [
                ("by pairs", magic_square(5, Consistency::Value), 1447),
                ("by bounds", magic_square(5, Consistency::Bounds), 1294),
                ("by matching", magic_square(5, Consistency::Domain), 1294),
            ],
            first_smallest_first,
        ),
        group_by(
            "social golfers 5-3-6",
            1,
            [("reified sums", golfers(false), 78_711), ("tables", golfers(true), 78_711)],
            first_in_order,
        ),
        group_by(
            "Langford triples of 10",
            10,
            [
                ("first places", langford_by_first_places(3, 10), 1689),
                ("all places, by pairs", langford(3, 10, Consistency::Value), 5083),
                ("all places, by matching", langford(3, 10, Consistency::Domain), 1873),
            ],
            count_smallest_first,
        ),
        group_by(
            "sequences of 14 cars",
            348,
            [
                ("counts", Cars::random(14, 11).network(false, false), 22_814),
                ("global cardinality", Cars::random(14, 11).network(true, false), 21_838),
                ("counts, tables of options", Cars::random(14, 11).network(false, true), 22_814),
            ],
            count_in_order,
        ),
    ]
}

/// Returns the group of quasigroup completions: the first solutions of Latin squares of order 20
/// with 42 % of the cells empty.
pub fn quasigroups() -> Group<Vec<Network>> {
    let squares = (0..20).map(|seed| quasigroup(20, 42, seed).expect("a small model")).collect();
    Group::new("csp/20 quasigroups completed", squares, 20, 763)
        .contender("smallest domain", |squares: &Vec<Network>| {
            RunResult::sum(squares.iter().map(first_smallest_first))
        })
}

/// The numbers 0 to n - 1 in an order in which all distances between neighbours are different. The
/// distance is the absolute value of a difference.
fn all_interval(n: i32, consistency: Consistency) -> Result<Network, ModelError> {
    let mut model = Model::new();
    let numbers = model.variables(n as usize, 0..n)?;
    let distances = model.variables(n as usize - 1, 1..n)?;
    for (two, &distance) in numbers.windows(2).zip(&distances) {
        let difference = model.variable(1 - n..n)?;
        model.linear([(1, two[1]), (-1, two[0]), (-1, difference)], 0..=0)?;
        model.binary(difference, distance, |difference, distance| difference.abs() == distance)?;
    }
    model.all_different_with(&numbers, consistency)?;
    model.all_different_with(&distances, consistency)?;
    Ok(model.build())
}

/// The same, with a table of all pairs of neighbours and their distances.
fn all_interval_by_tables(n: i32) -> Result<Network, ModelError> {
    let mut model = Model::new();
    let numbers = model.variables(n as usize, 0..n)?;
    let distances = model.variables(n as usize - 1, 1..n)?;
    let row = |x: i32, y: i32| [x, y, (x - y).abs()];
    let rows: Vec<[i32; 3]> = (0..n).flat_map(|x| (0..n).map(move |y| row(x, y))).collect();
    for (two, &distance) in numbers.windows(2).zip(&distances) {
        model.table(&[two[0], two[1], distance], &rows)?;
    }
    model.all_different_with(&numbers, Consistency::Domain)?;
    model.all_different_with(&distances, Consistency::Domain)?;
    Ok(model.build())
}

/// Magic squares in the standard form of Frénicle: the first cell is the smallest corner, and the
/// corner to its right is smaller than the one below it.
fn magic_square(order: usize, consistency: Consistency) -> Result<Network, ModelError> {
    let mut model = Model::new();
    let cells = model.variables(order * order, 1..=(order * order) as i32)?;
    let line = |first: usize, step: usize| -> Vec<Variable> {
        cells.iter().copied().skip(first).step_by(step).take(order).collect()
    };
    let rows = (0..order).map(|row| line(row * order, 1));
    let columns = (0..order).map(|column| line(column, order));
    let diagonals = [line(0, order + 1), line(order - 1, order - 1)];
    let sum = (order * (order * order + 1) / 2) as i64;
    for line in rows.chain(columns).chain(diagonals) {
        model.sum(&line, sum..=sum)?;
    }
    model.all_different_with(&cells, consistency)?;
    let [first, right, below, last] =
        [0, order - 1, order * (order - 1), order * order - 1].map(|corner| cells[corner]);
    for (smaller, larger) in [(first, right), (first, below), (first, last), (right, below)] {
        model.linear([(1, smaller), (-1, larger)], ..0)?;
    }
    Ok(model.build())
}

/// Social golfers: fifteen golfers play in five groups of three each week, and no two of them meet
/// twice in six weeks. The groups of the first week are given. The first three golfers met there,
/// so that they are in the first three groups of each later week.
fn golfers(by_tables: bool) -> Result<Network, ModelError> {
    let (groups, size, weeks) = (5, 3, 6);
    let golfers = groups * size;
    let mut model = Model::new();
    let group_of: Vec<Vec<Variable>> =
        (0..weeks).map(|_| model.variables(golfers, 0..groups as i32)).collect::<Result<_, _>>()?;
    for week in &group_of {
        for group in 0..groups as i32 {
            model.count(week, group, size as i64..=size as i64)?;
        }
    }
    let row = |x: i32, y: i32| [i32::from(x == y), x, y];
    let rows: Vec<[i32; 3]> =
        (0..groups as i32).flat_map(|x| (0..groups as i32).map(move |y| row(x, y))).collect();
    for one in 0..golfers {
        for other in 0..one {
            let meetings = model.variables(weeks, 0..=1)?;
            for (&meets, week) in meetings.iter().zip(&group_of) {
                if by_tables {
                    model.table(&[meets, week[one], week[other]], &rows)?;
                } else {
                    model.linear_reified(meets, [(1, week[one]), (-1, week[other])], 0..=0)?;
                }
            }
            model.sum(&meetings, ..=1)?;
        }
    }
    for (golfer, &first) in group_of[0].iter().enumerate() {
        model.restrict(first, |group| group == (golfer / size) as i32)?;
    }
    for week in &group_of[1..] {
        for (golfer, &variable) in (0..).zip(&week[..size]) {
            model.restrict(variable, |group| group == golfer)?;
        }
    }
    Ok(model.build())
}

/// Places of `copies` copies of each number from 1 on, with as many places between two neighbouring
/// copies as the number says.
fn langford(
    copies: usize,
    numbers: usize,
    consistency: Consistency,
) -> Result<Network, ModelError> {
    let mut model = Model::new();
    let places = model.variables(copies * numbers, 0..(copies * numbers) as i32)?;
    for (number, places) in (1..).zip(places.chunks(copies)) {
        for two in places.windows(2) {
            model.binary(two[0], two[1], move |x, y| y == x + number + 1)?;
        }
    }
    model.all_different_with(&places, consistency)?;
    Ok(model.build())
}

/// The same, with a variable for the first place of each number only.
fn langford_by_first_places(copies: usize, numbers: usize) -> Result<Network, ModelError> {
    let mut model = Model::new();
    let mut places = Vec::new();
    for number in 1..=numbers {
        let last_shift = (copies - 1) * (number + 1);
        let first = model.variable(0..(copies * numbers - last_shift) as i32)?;
        places.extend((0..=last_shift as i32).step_by(number + 1).map(|shift| (first, shift)));
    }
    model.all_different_shifted(places)?;
    Ok(model.build())
}

/// A random Latin square without a part of its cells: the square of sums modulo the order, with its
/// rows, columns and symbols permuted. Then two symbols are exchanged in random subsquares of order
/// 2 (*intercalates*), because squares of sums are easier than others.
fn quasigroup(order: usize, percent_empty: usize, seed: u64) -> Result<Network, ModelError> {
    let mut rng = Rng::with_seed(seed);
    let mut permutation = || {
        let mut all: Vec<usize> = (0..order).collect();
        rng.shuffle(&mut all);
        all
    };
    let (rows, columns, symbols) = (permutation(), permutation(), permutation());
    let mut square: Vec<Vec<usize>> = (rows.iter())
        .map(|row| columns.iter().map(|column| symbols[(row + column) % order]).collect())
        .collect();
    for _ in 0..20 * order * order {
        let (one, other, column) = (rng.usize(..order), rng.usize(..order), rng.usize(..order));
        let (x, y) = (square[one][column], square[other][column]);
        let partner = square[one].iter().position(|&symbol| symbol == y).unwrap_or(column);
        if square[other][partner] == x {
            (square[one][column], square[other][column]) = (y, x);
            (square[one][partner], square[other][partner]) = (x, y);
        }
    }
    let mut cells: Vec<usize> = (0..order * order).collect();
    rng.shuffle(&mut cells);
    let mut is_empty = vec![false; cells.len()];
    cells[..cells.len() * percent_empty / 100].iter().for_each(|&cell| is_empty[cell] = true);

    let mut model = Model::new();
    let cells = model.variables(order * order, 0..order as i32)?;
    for (cell, &variable) in cells.iter().enumerate().filter(|&(cell, _)| !is_empty[cell]) {
        let given = square[cell / order][cell % order] as i32;
        model.restrict(variable, |symbol| symbol == given)?;
    }
    for line in 0..order {
        model.all_different_with(&cells[line * order..][..order], Consistency::Domain)?;
        let column: Vec<Variable> = cells.iter().copied().skip(line).step_by(order).collect();
        model.all_different_with(&column, Consistency::Domain)?;
    }
    Ok(model.build())
}

/// Cars of several classes, to be produced in a sequence. The stations of an assembly line, one for
/// each option, can each serve only some cars out of as many consecutive ones.
struct Cars {
    /// The number of cars of each class, and whether it has each option.
    classes: Vec<(usize, [bool; CAPACITIES.len()])>,
}

/// For each option, the largest number of cars with it and the number of consecutive cars that this
/// limits.
const CAPACITIES: [(usize, usize); 5] = [(1, 2), (2, 3), (1, 3), (2, 5), (1, 5)];

impl Cars {
    /// Draws classes, and a sequence that respects the capacities, which gives the numbers of cars.
    fn random(cars: usize, seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        loop {
            let mut classes = Vec::new();
            while classes.len() < 6 {
                let options = [0.4, 0.5, 0.25, 0.3, 0.15].map(|portion| rng.f64() < portion);
                if options.contains(&true) && !classes.contains(&(0, options)) {
                    classes.push((0, options));
                }
            }
            let mut sequence: Vec<usize> = Vec::new();
            while sequence.len() < cars {
                let fits = |class: &usize| {
                    CAPACITIES.iter().enumerate().all(|(option, &(most, length))| {
                        let last = sequence.iter().rev().take(length - 1);
                        let used = last.filter(|&&class| classes[class].1[option]).count();
                        !classes[*class].1[option] || used < most
                    })
                };
                let Some(class) = rng.choice((0..classes.len()).filter(fits).collect::<Vec<_>>())
                else {
                    break;
                };
                classes[class].0 += 1;
                sequence.push(class);
            }
            if sequence.len() == cars && classes.iter().all(|class| class.0 >= 2) {
                return Cars { classes };
            }
        }
    }

    fn network(&self, by_flow: bool, by_tables: bool) -> Result<Network, ModelError> {
        let cars: usize = self.classes.iter().map(|class| class.0).sum();
        let mut model = Model::new();
        let class_of = model.variables(cars, 0..self.classes.len() as i32)?;
        let numbers =
            (0..).zip(&self.classes).map(|(class, &(cars, _))| (class, cars as i64..=cars as i64));
        if by_flow {
            model.global_cardinality(&class_of, numbers)?;
        } else {
            for (class, range) in numbers {
                model.count(&class_of, class, range)?;
            }
        }
        for (option, (most, length)) in CAPACITIES.into_iter().enumerate() {
            let has: Vec<i32> =
                self.classes.iter().map(|class| i32::from(class.1[option])).collect();
            let options = model.variables(cars, 0..=1)?;
            for (&class, &variable) in class_of.iter().zip(&options) {
                if by_tables {
                    model.element_constants(class, &has, variable)?;
                } else {
                    let pairs = (0..).zip(has.iter().copied());
                    model.pairs(class, variable, pairs)?;
                }
            }
            for window in options.windows(length) {
                model.sum(window, ..=most as i64)?;
            }
        }
        Ok(model.build())
    }
}
