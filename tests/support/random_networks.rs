//! Random constraint networks: colourings of graphs, and Latin squares with given symbols.

use secateurs_csp::{Model, Network};

/// Returns the network of the colourings of a random graph.
pub fn coloring(vertices: usize, density: f64, colors: i32, seed: u64) -> Network {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut model = Model::new();
    let color = model.variables(vertices, 1..=colors).expect("small domains");
    for a in 0..vertices {
        for b in 0..a {
            if random.f64() < density {
                model.all_different(&[color[a], color[b]]).expect("known variables");
            }
        }
    }
    model.build()
}

/// Returns the network of the Latin squares of an order with some given symbols.
pub fn latin(order: usize, given: usize, seed: u64) -> Network {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut model = Model::new();
    let cells = model.variables(order * order, 1..=order as i32).expect("small domains");
    for line in 0..order {
        let row: Vec<_> = (0..order).map(|place| cells[line * order + place]).collect();
        let column: Vec<_> = (0..order).map(|place| cells[place * order + line]).collect();
        model.all_different(&row).expect("known variables");
        model.all_different(&column).expect("known variables");
    }
    for _ in 0..given {
        let (row, column) = (random.usize(..order), random.usize(..order));
        let symbol = ((row + column) % order) as i32 + 1;
        model
            .restrict(cells[row * order + column], |value| value == symbol)
            .expect("a known variable");
    }
    model.build()
}
