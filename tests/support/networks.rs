//! Constraint networks of any size: Latin squares, magic squares, Golomb rulers, wide domains and
//! long paths.

use secateurs::Search;
use secateurs::search::{LimitedDiscrepancy, Schedule};
use secateurs_csp::{
    Assignment, Consistency, Halves, Model, Network, Propagate, Restarts, SmallestDomain, Variable,
    minimise,
};
use secateurs_problems::magic_square::MagicSquares;

use crate::support::propagation::{LEVELS, count};

/// Returns the network of Latin squares of an order.
pub fn latin_squares(order: usize, matching: bool) -> Network {
    let mut model = Model::new();
    let cells = model.variables(order * order, 1..=order as i32).expect("small");
    for line in 0..order {
        let row: Vec<_> = (0..order).map(|place| cells[line * order + place]).collect();
        let column: Vec<_> = (0..order).map(|place| cells[place * order + line]).collect();
        for line in [row, column] {
            if matching {
                model.all_different_with(&line, Consistency::Domain)
            } else {
                model.all_different(&line)
            }
            .expect("known variables");
        }
    }
    model.build()
}

/// Compares the numbers of Latin squares with known ones, with and without matching, at every level
/// of propagation (except the weakest for order 4).
pub fn check_latin_squares(numbers: &[(usize, u128)]) {
    for &(order, squares) in numbers {
        for matching in [true, false] {
            let network = latin_squares(order, matching);
            for &level in &LEVELS[usize::from(order == 4)..] {
                assert_eq!(count(&network, level), Some(squares), "order {order}, {level:?}");
            }
        }
    }
}

/// Returns the problem of magic squares of an order.
pub fn squares(order: usize) -> MagicSquares {
    MagicSquares::new(order).expect("an order in range")
}

/// Counts magic squares by full propagation.
pub fn count_magic_squares(squares: MagicSquares) -> u128 {
    let network = squares.network();
    let order = Halves::new(SmallestDomain::first_tie());
    Search::new(&network)
        .hooks((Propagate::full(),))
        .brancher(order)
        .count()
        .exact()
        .expect("exact")
}

/// Returns the network of Golomb rulers of `marks` marks and length at most `most`, and the
/// variable of the last mark.
pub fn golomb(marks: usize, most: i32) -> (Network, Variable) {
    let mut model = Model::new();
    let first = model.variable(0).unwrap();
    let mut marks_so_far = vec![first];
    let mut distances = Vec::new();
    for _ in 1..marks {
        let mark = model.variable(1..=most).unwrap();
        for &before in &marks_so_far {
            let distance = model.variable(1..=most).unwrap();
            model.linear([(1, mark), (-1, before), (-1, distance)], 0..=0).unwrap();
            distances.push(distance);
        }
        marks_so_far.push(mark);
    }
    model.all_different(&distances).unwrap();
    // Breaks the symmetry between a ruler and its mirror image.
    if let [shortest, .., longest] = distances[..] {
        model.linear([(1, shortest), (-1, longest)], ..=-1).unwrap();
    }
    (model.build(), marks_so_far[marks - 1])
}

/// Checks searches for a ruler shorter than `length`, the optimum.
pub fn check_nothing_shorter(marks: usize, most: i32, length: i32) {
    let (network, last) = golomb(marks, most);
    for level in LEVELS {
        let (objective, mut shorter) = minimise(last);
        let fresh = Search::new(&network).hooks((&mut shorter, Propagate::new(level))).first();
        assert_eq!(fresh.exists(), Some(true), "{level:?}");
        objective.incumbent().offer(length);
        let outcome = Search::new(&network).hooks((&mut shorter, Propagate::new(level))).first();
        assert_eq!((outcome.exists(), outcome.is_proven_none()), (None, false), "{level:?}");
        let restarts = Restarts::new(&network, Schedule::luby(100)).first_by(|attempt| {
            Search::new(&network).hooks((attempt.no_goods, shorter.clone(), Propagate::new(level)))
        });
        assert_eq!(restarts.exists(), None, "{level:?}");
        let within = LimitedDiscrepancy::new().doubling();
        let within = within.first(|within| {
            Search::new(&network).hooks((shorter.clone(), Propagate::new(level), within))
        });
        assert_eq!(within.exists(), None, "{level:?}");
    }
    // The run proves that there is no solution unless the incumbent has removed a value.
    let mut model = Model::new();
    let variable = model.variable(3..=5).unwrap();
    model.binary(variable, variable, |_, _| false).unwrap();
    let network = model.build();
    let (objective, shorter) = minimise(variable);
    objective.incumbent().offer(9);
    assert_eq!(
        Search::new(&network).hooks((shorter, Propagate::full())).first().exists(),
        Some(false)
    );
}

/// Checks a network with wide domains of `2 * half` values each, and one with many variables.
pub fn check_large_networks(half: i32, variables: usize) {
    // x < y < z, with such distances that there is one solution.
    let mut model = Model::new();
    let wide = model.variables(3, 0..2 * half).expect("not too wide");
    model.binary(wide[0], wide[1], move |x, y| x + half - 1 < y).expect("known");
    model.binary(wide[1], wide[2], move |y, z| y + half - 2 < z).expect("known");
    let network = model.build();
    let outcome = Search::new(&network).hooks((Propagate::arc_consistency(),)).count();
    assert_eq!(outcome.exact(), Some(1));
    // However much work a revision takes, the root reaches a fixpoint.
    assert_eq!(outcome.report().nodes(), 1);

    // A path in two colours.
    let mut model = Model::new();
    let path = model.variables(variables, 0..2).expect("not too large");
    for pair in path.windows(2) {
        model.different(pair[0], pair[1]).expect("known");
    }
    let network = model.build();
    for level in LEVELS {
        let outcome =
            Search::new(&network).hooks((Propagate::new(level),)).extract(Assignment::of).first();
        let solution = outcome.solution().expect("there are two solutions");
        assert!(solution.values().windows(2).all(|two| two[0] != two[1]));
    }
}
