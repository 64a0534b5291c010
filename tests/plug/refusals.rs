//! Texts that readers refuse, whose messages are in `refusals.txt`, and values that functions
//! refuse, whose messages are in `refused_values.txt`.

use expect_test::expect_file;
use secateurs::plug::algebra::Natural;
use secateurs::plug::code::{Bits, Labels, Mates, Parentheses};
use secateurs_problems::catalogue::Grid;
use secateurs_problems::catalogue::graphs::{Connecting, SimplePaths};
use secateurs_problems::graph::{Graph, Order};

use crate::support::refusals::{Reader, message, messages, with_messages};

const READERS: [(&str, Reader); 10] = [
    ("Graph", message::<Graph>),
    ("Grid", message::<Grid>),
    ("Labels of 2 bits", message::<Labels<u64, 2>>),
    ("Labels of 3 bits", message::<Labels<u64, 3>>),
    ("Labels of 4 bits", message::<Labels<u64, 4>>),
    ("Labels of 5 bits", message::<Labels<u64, 5>>),
    ("Mates in 32 bits", message::<Mates<u32>>),
    ("Parentheses in 32 bits", message::<Parentheses<u32>>),
    ("Bits", message::<Bits>),
    ("Natural", message::<Natural>),
];

#[test]
fn errors_name_the_position_and_what_was_expected() {
    let file = expect_file!["refusals.txt"];
    file.assert_eq(&with_messages(&file.data(), &READERS));
}

#[test]
fn errors_name_the_value_and_what_was_expected() {
    let graph =
        |vertices, edges: &[(usize, usize)]| Graph::from_edges(vertices, edges.iter().copied());
    let path = Graph::path(3).unwrap();
    let order = Order::as_given(&path);
    expect_file!["refused_values.txt"].assert_eq(&messages![
        graph(2, &[(0, 1), (1, 2)]),
        graph(2, &[(0, 1), (1, 1)]),
        graph(4, &[(2, 3), (0, 1), (3, 2), (1, 0)]),
        Graph::cycle(2),
        Order::of_vertices(&path, &[0, 3, 1]),
        Order::of_vertices(&path, &[0, 1, 0]),
        Order::of_vertices(&path, &[0, 1]),
        Order::of_edges(&path, &[1]),
        Connecting::new(&order, &[1, 3]),
        SimplePaths::new(&order, 0, 4),
    ]);
}
