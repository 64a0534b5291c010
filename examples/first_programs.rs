//! Five first programs: Golomb rulers, Costas arrays, graph colourings, travelling salesman and
//! knapsack. Each is a state, the states that follow it, and a question.

use secateurs::{Objective, Search, Successors};

/// Returns the length of a shortest ruler, below 64, all of whose marks have different distances.
pub fn golomb(marks: u32) -> Option<u32> {
    // Marks and length; as bits, the distances from the last mark and all distances.
    let rulers = Successors::new(
        (1, 0, 1_u64, 0_u64),
        |ruler| ruler.0 == marks,
        |(marks, length, from_last, used)| {
            (1..64 - length)
                .map(move |step| (step, from_last << step))
                .filter(move |(_, new)| new & used == 0)
                .map(move |(step, new)| (marks + 1, length + step, new | 1, used | new))
        },
    );
    let length = Objective::minimise_for(&rulers, |_, ruler| ruler.1);
    let shortest = length.sorted(|_, _, ruler| ruler.1);
    Search::new(&rulers).brancher(shortest).best(&length).proven().copied()
}

/// Returns the number of permutations of up to 8 rows whose vectors between points all differ.
pub fn costas(order: usize) -> Option<u128> {
    // The column, the rows so far, and by distance of columns the differences of rows, as bits.
    let arrays = Successors::new(
        (0, [0; 8], [1_u32 << 8; 8]),
        |array| array.0 == order,
        |(column, rows, seen)| {
            (0..order).filter_map(move |row| {
                let (mut rows, mut seen) = (rows, seen);
                for gap in 1..=column {
                    let difference = 1 << (8 + row - rows[column - gap]);
                    if seen[gap] & difference != 0 {
                        return None;
                    }
                    seen[gap] |= difference;
                }
                rows[column] = row;
                Some((column + 1, rows, seen))
            })
        },
    );
    Search::new(&arrays).count().exact()
}

/// Returns the number of colourings of up to 16 vertices whose neighbours have different colours.
pub fn colourings(neighbours: &[Vec<usize>], colours: u8) -> Option<u128> {
    // The next vertex, and the colours so far.
    let colourings = Successors::new(
        (0, [0; 16]),
        |state| state.0 == neighbours.len(),
        |(vertex, colour)| {
            (1..=colours)
                .filter(move |own| neighbours[vertex].iter().all(|&other| colour[other] != *own))
                .map(move |own| {
                    let mut colour = colour;
                    colour[vertex] = own;
                    (vertex + 1, colour)
                })
        },
    );
    Search::new(&colourings).count().exact()
}

/// Returns the length of a shortest round trip through up to 32 cities.
pub fn travelling_salesman(distances: &[Vec<u32>]) -> Option<u32> {
    let cities = distances.len();
    // The city, the visited ones as bits, and the length so far.
    let trips = Successors::new(
        (0, 1_u32, 0),
        |trip| trip.1.count_ones() as usize == cities,
        |(at, visited, length)| {
            (0..cities)
                .filter(move |city| visited >> city & 1 == 0)
                .map(move |city| (city, visited | 1 << city, length + distances[at][city]))
        },
    );
    let length = Objective::minimise_for(&trips, |_, &(at, _, length)| length + distances[at][0]);
    let nearest = length.sorted(|_, _, trip| trip.2);
    Search::new(&trips).brancher(nearest).best(&length).proven().copied()
}

/// Returns the largest value of items (weight, value) that fit into the room.
pub fn knapsack(items: &[(u64, u64)], room: u64) -> Option<u64> {
    // The next item, the room left, and the value so far.
    let loads = Successors::new(
        (0, room, 0),
        |load| load.0 == items.len(),
        |(item, room, value)| {
            let (weight, worth) = items[item];
            let taken = (weight <= room).then(|| (item + 1, room - weight, value + worth));
            taken.into_iter().chain([(item + 1, room, value)])
        },
    );
    let value = Objective::maximise_for(&loads, |_, load| load.2);
    let rest = value.bound("rest", |_, &(item, _, value)| {
        value + items[item..].iter().map(|item| item.1).sum::<u64>()
    });
    Search::new(&loads).hook(rest).best(&value).proven().copied()
}

fn main() {
    println!("a Golomb ruler of 8 marks has length {}", golomb(8).unwrap());
    println!("{} Costas arrays of order 8", costas(8).unwrap());
    let wheel = |hub: usize| -> Vec<Vec<usize>> {
        let rim = (0..hub).map(|i| vec![(i + 1) % hub, (i + hub - 1) % hub, hub]);
        rim.chain([(0..hub).collect()]).collect()
    };
    println!("{} colourings of a wheel", colourings(&wheel(10), 4).unwrap());
    let cities = [(0, 0), (3, 8), (9, 1), (4, 4), (8, 8), (1, 6), (7, 5), (2, 2), (6, 0_i32)];
    let distance = |(x, y), (to_x, to_y): (i32, i32)| to_x.abs_diff(x) + to_y.abs_diff(y);
    let distances: Vec<Vec<u32>> =
        cities.iter().map(|&from| cities.iter().map(|&to| distance(from, to)).collect()).collect();
    println!("a round trip of length {}", travelling_salesman(&distances).unwrap());
    let items = [(12, 4), (2, 2), (1, 1), (4, 10), (1, 2), (7, 9), (3, 5), (6, 8)];
    println!("a knapsack of value {}", knapsack(&items, 15).unwrap());
}
