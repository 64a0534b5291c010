//! Global constraints, beside models of the same problem with other constraints. The times do not
//! include the construction of the model.

use secateurs::Search;
use secateurs_csp::{
    Ascending, Branching, Consistency, Model, ModelError, Network, Propagate, SmallestDomain,
    Variable,
};

use crate::group::{Group, RunResult};

/// The name of a model, its network, and the nodes of its tree.
type Contender = (&'static str, Result<Network, ModelError>, u64);

/// Returns the group of all solutions by full propagation, smallest domain first.
fn group<const N: usize>(
    problem: &str,
    solutions: u128,
    contenders: [Contender; N],
) -> Group<Vec<Network>> {
    group_by(problem, solutions, contenders, |network| {
        let order = Branching::new(SmallestDomain::first_tie(), Ascending);
        Search::new(network).hook(Propagate::full()).brancher(order).count().into()
    })
}

/// Returns the group of an answer that `search` finds.
pub(super) fn group_by<const N: usize>(
    problem: &str,
    answer: u128,
    contenders: [Contender; N],
    search: fn(&Network) -> RunResult,
) -> Group<Vec<Network>> {
    let nodes = contenders[0].2;
    let names = contenders.each_ref().map(|contender| (contender.0, contender.2));
    let networks = contenders.map(|contender| contender.1.expect("a small model"));
    let group = Group::new(format!("csp/{problem}"), networks.into(), answer, nodes);
    names.into_iter().enumerate().fold(group, |group, (index, (name, nodes))| {
        group.contender(name, move |networks: &Vec<Network>| search(&networks[index])).nodes(nodes)
    })
}

/// Returns the groups of all global constraints.
pub fn groups() -> [Group<Vec<Network>>; 7] {
    [
        group(
            "magic sequence of 12",
            1,
            [("counts", magic_sequence(true), 122), ("reified sums", magic_sequence(false), 155)],
        ),
        group(
            "rosters",
            45_360,
            [("global cardinality", rosters(true), 91_752), ("counts", rosters(false), 114_204)],
        ),
        group("Langford pairs of 7", 52, [("element", langford(7), 589)]),
        group("loads of three machines", 144, [("maximum", loads(false), 775)]),
        group("least loads of three machines", 168, [("minimum", loads(true), 805)]),
        group("sorted matrices", 1683, [("lexicographic", matrices(), 3671)]),
        group(
            "Golomb rulers of 7 marks",
            5,
            [
                ("by bounds", golomb(Consistency::Bounds), 643),
                ("by matching", golomb(Consistency::Domain), 643),
                ("by pairs", golomb(Consistency::Value), 1151),
            ],
        ),
    ]
}

/// The number at each position states how often the position occurs.
fn magic_sequence(by_counts: bool) -> Result<Network, ModelError> {
    let length = 12;
    let mut model = Model::new();
    let sequence = model.variables(length, 0..=length as i32)?;
    for (value, &number) in (0..).zip(&sequence) {
        if by_counts {
            model.count_variable(&sequence, value, number)?;
            continue;
        }
        let equal = model.variables(length, 0..=1)?;
        for (&indicator, &variable) in equal.iter().zip(&sequence) {
            let value = i64::from(value);
            model.linear_reified(indicator, [(1, variable)], value..=value)?;
        }
        let ones = equal.into_iter().map(|indicator| (1, indicator));
        model.linear(ones.chain([(-1, number)]), 0..=0)?;
    }
    Ok(model.build())
}

/// Five people and four days: each person has one or two days off (0) and one late shift (2); each
/// day has two early shifts (1), and one late one or two.
fn rosters(by_flow: bool) -> Result<Network, ModelError> {
    let (people, days) = (5, 4);
    let mut model = Model::new();
    let shifts = model.variables(people * days, 0..=2)?;
    let rows = shifts.chunks(days).map(<[Variable]>::to_vec);
    let rows = rows.map(|row| (row, [(0, 1..=2), (2, 1..=1)]));
    let columns = (0..days).map(|day| {
        let column = shifts.iter().copied().skip(day).step_by(days).collect();
        (column, [(1, 2..=2), (2, 1..=2)])
    });
    for (line, ranges) in rows.chain(columns) {
        if by_flow {
            model.global_cardinality(&line, ranges)?;
        } else {
            for (value, range) in ranges {
                model.count(&line, value, range)?;
            }
        }
    }
    Ok(model.build())
}

/// Each number from 1 to `pairs` occurs twice, with as many others between.
fn langford(pairs: i32) -> Result<Network, ModelError> {
    let mut model = Model::new();
    let sequence = model.variables(2 * pairs as usize, 1..=pairs)?;
    for number in 1..=pairs {
        let value = model.variable(number)?;
        let [first, second] = model.variables(2, 0..2 * pairs)?[..] else { unreachable!("two") };
        let distance = i64::from(number) + 1;
        model.linear([(1, second), (-1, first)], distance..=distance)?;
        model.element(first, &sequence, value)?;
        model.element(second, &sequence, value)?;
    }
    Ok(model.build())
}

/// Eight jobs on three machines, so that the largest load is 17 or less, or the least load 15 or
/// more.
fn loads(are_least: bool) -> Result<Network, ModelError> {
    let mut model = Model::new();
    let jobs = [9, 8, 7, 6, 6, 5, 4, 3];
    let machines: Vec<Vec<Variable>> =
        (0..3).map(|_| model.variables(jobs.len(), 0..=1)).collect::<Result<_, _>>()?;
    let loads = model.variables(machines.len(), 0..=48)?;
    for (machine, &load) in machines.iter().zip(&loads) {
        let hours = jobs.into_iter().zip(machine.iter().copied());
        model.linear(hours.chain([(-1, load)]), 0..=0)?;
    }
    for job in 0..jobs.len() {
        let machine_of: Vec<Variable> = machines.iter().map(|machine| machine[job]).collect();
        model.sum(&machine_of, 1..=1)?;
    }
    if are_least {
        let least = model.variable(15..=48)?;
        model.minimum(least, &loads)?;
    } else {
        let end = model.variable(0..=17)?;
        model.maximum(end, &loads)?;
    }
    Ok(model.build())
}

/// Matrices of bits with two in each row, in which rows and columns are sorted.
fn matrices() -> Result<Network, ModelError> {
    let (rows, columns) = (6, 6);
    let mut model = Model::new();
    let cells = model.variables(rows * columns, 0..=1)?;
    let lines_of = |lines: usize, of: &dyn Fn(usize) -> Vec<Variable>| -> Vec<Vec<Variable>> {
        (0..lines).map(of).collect()
    };
    let all_rows = lines_of(rows, &|row| cells[row * columns..][..columns].to_vec());
    let all_columns =
        lines_of(columns, &|column| cells.iter().copied().skip(column).step_by(columns).collect());
    for row in &all_rows {
        model.sum(row, 2..=2)?;
    }
    for two in all_rows.windows(2).chain(all_columns.windows(2)) {
        model.lexicographic(&two[0], &two[1])?;
    }
    Ok(model.build())
}

/// Rulers of 7 marks and length 25, the shortest one, up to mirror images.
fn golomb(consistency: Consistency) -> Result<Network, ModelError> {
    let mut model = Model::new();
    let mut marks = vec![model.variable(0)?];
    let mut distances = Vec::new();
    for _ in 1..7 {
        let mark = model.variable(1..=25)?;
        for &before in &marks {
            let distance = model.variable(1..=25)?;
            model.linear([(1, mark), (-1, before), (-1, distance)], 0..=0)?;
            distances.push(distance);
        }
        marks.push(mark);
    }
    model.all_different_with(&distances, consistency)?;
    let (first, last) = (distances[0], distances[distances.len() - 1]);
    model.linear([(1, first), (-1, last)], ..0)?;
    Ok(model.build())
}
