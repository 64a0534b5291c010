//! Models with several constraints, compared with known counts.

use secateurs::Search;
use secateurs_csp::{Assignment, Halves, InputOrder, Model, Network, Propagate, Propagation};

use crate::support::propagation::{LEVELS, count};

/// Normal magic squares: rows, columns and diagonals have the same sum.
fn magic_squares(order: usize, matching: bool) -> Network {
    let mut model = Model::new();
    let last = (order * order) as i32;
    let cells = model.variables(order * order, 1..=last).expect("small");
    if matching { model.all_different_matching(&cells) } else { model.all_different(&cells) }
        .expect("known variables");
    let sum = i64::from(last * (last + 1) / 2) / order as i64;
    let mut line = |of: &dyn Fn(usize) -> usize| {
        let cells: Vec<_> = (0..order).map(|place| cells[of(place)]).collect();
        model.sum(&cells, sum..=sum).expect("small");
    };
    for index in 0..order {
        line(&|place| index * order + place);
        line(&|place| place * order + index);
    }
    line(&|place| place * order + place);
    line(&|place| place * order + order - 1 - place);
    model.build()
}

#[test]
fn magic_squares_of_order_three_match_the_known_count() {
    for matching in [true, false] {
        let network = magic_squares(3, matching);
        for level in LEVELS {
            assert_eq!(count(&network, level), Some(8), "matching: {matching}, {level:?}");
        }
    }
    for (order, squares) in [(1, 1), (2, 0)] {
        let network = magic_squares(order, true);
        assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(squares); 4], "order {order}");
    }
}

/// Run it with `cargo test --release --test csp -- --ignored --nocapture order_four`.
#[test]
#[ignore = "half a million nodes, twice: seconds"]
fn magic_squares_of_order_four_match_the_known_count() {
    for matching in [false, true] {
        let network = magic_squares(4, matching);
        let outcome = Search::new(&network).hooks((Propagate::full(),)).count();
        println!("matching: {matching}\n{}", outcome.report());
        assert_eq!(outcome.exact(), Some(7040), "matching: {matching}");
    }
}

/// SEND + MORE = MONEY has one solution, 9567 + 1085 = 10652, at every level and with domain
/// splitting.
#[test]
fn send_more_money_has_one_solution() {
    let mut model = Model::new();
    let [s, m] = model.variables(2, 1..=9).expect("digits")[..] else { unreachable!() };
    let [e, n, d, o, r, y] = model.variables(6, 0..=9).expect("digits")[..] else { unreachable!() };
    model.all_different_matching(&[s, e, n, d, m, o, r, y]).expect("known variables");
    let number = |sign: i64, letters: &[_]| {
        let places = (0..letters.len() as u32).rev().map(|place| sign * 10_i64.pow(place));
        places.zip(letters.to_vec()).collect::<Vec<_>>()
    };
    let terms = [number(1, &[s, e, n, d]), number(1, &[m, o, r, e]), number(-1, &[m, o, n, e, y])];
    model.linear(terms.concat(), 0..=0).expect("a small sum");
    let network = model.build();
    for level in [Propagation::Forward, Propagation::ArcConsistency, Propagation::Full] {
        let search = Search::new(&network)
            .hooks((Propagate::new(level),))
            .extract(Assignment::of)
            .check_undo();
        let solutions: Vec<Assignment> = search.solutions().collect();
        assert_eq!(solutions.len(), 1, "{level:?}");
        let digits: Vec<i32> = solutions[0].of_variables(&[s, e, n, d, m, o, r, y]).collect();
        assert_eq!(digits, [9, 5, 6, 7, 1, 0, 8, 2], "{level:?}");
    }
    let halves =
        Search::new(&network).hooks((Propagate::full(),)).brancher(Halves::new(InputOrder)).count();
    assert_eq!(halves.exact(), Some(1));
}
