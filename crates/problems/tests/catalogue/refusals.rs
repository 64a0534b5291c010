//! Texts that readers refuse; their messages are in `refusals.txt`.

use expect_test::expect_file;
use secateurs_problems::catalogue::{
    BlackAndWhite, EdgeWeights, ManhattanWiring, formula_1, tonys_tour,
};

use crate::support::refusals::{Reader, message, with_messages};

const READERS: [(&str, Reader); 6] = [
    ("BlackAndWhite", message::<BlackAndWhite>),
    ("cases of BlackAndWhite", |text| Some(BlackAndWhite::cases(text).err()?.to_string())),
    ("EdgeWeights", message::<EdgeWeights>),
    ("formula_1", |text| Some(formula_1(text).err()?.to_string())),
    ("ManhattanWiring", message::<ManhattanWiring>),
    ("tonys_tour", |text| Some(tonys_tour(text).err()?.to_string())),
];

#[test]
fn errors_name_the_position_and_what_was_expected() {
    let file = expect_file!["refusals.txt"];
    file.assert_eq(&with_messages(&file.data(), &READERS));
}
