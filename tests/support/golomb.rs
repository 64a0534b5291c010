//! Golomb rulers.

use secateurs_csp::{Consistency, Model, Network, Variable};

/// Creates the network of a ruler with different distances, and returns its last mark.
pub fn golomb_ruler(marks: usize) -> (Network, Variable) {
    let mut model = Model::new();
    let longest = (marks * marks) as i32;
    let mut so_far = vec![model.variable(0).expect("a value")];
    let mut distances = Vec::new();
    for _ in 1..marks {
        let mark = model.variable(1..=longest).expect("a small domain");
        for &before in &so_far {
            let distance = model.variable(1..=longest).expect("a small domain");
            model.require((mark - before).equals(distance)).expect("a small sum");
            distances.push(distance);
        }
        so_far.push(mark);
    }
    model.all_different_with(&distances, Consistency::Bounds).expect("variables of the model");
    let (first, last) = (distances[0], distances[distances.len() - 1]);
    model.require(first.at_most(last - 1)).expect("a small sum");
    (model.build(), so_far[marks - 1])
}
