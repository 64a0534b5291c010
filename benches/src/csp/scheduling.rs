//! Scheduling: tasks on machines.

use secateurs::Search;
use secateurs_csp::{
    Ascending, Branching, DomainOverDegree, Halves, Model, Network, Propagate, SmallestDomain,
    Task, Variable,
};

use crate::group::{Group, RunResult};

/// The machine and the duration of each task of a job.
type Job = Vec<(usize, i32)>;

/// Returns the model of the schedules of at most this length.
fn model(jobs: &[Job], length: i32, machine: fn(&mut Model, &[(Variable, i32)])) -> Network {
    let mut model = Model::new();
    let mut machines = vec![Vec::new(); jobs[0].len()];
    for job in jobs {
        let mut previous: Option<(Variable, i32)> = None;
        for &(machine, duration) in job {
            let start = model.variable(0..=length - duration).expect("small");
            machines[machine].push((start, duration));
            if let Some((before, duration)) = previous.replace((start, duration)) {
                model.linear([(1, start), (-1, before)], i64::from(duration)..).expect("small");
            }
        }
    }
    for tasks in machines {
        machine(&mut model, &tasks);
    }
    model.build()
}

fn state_disjunctive(model: &mut Model, tasks: &[(Variable, i32)]) {
    model.disjunctive(tasks.iter().copied()).expect("no duration is negative");
}

/// Requires that each two tasks do not overlap, with an indicator for each order.
fn state_pairs(model: &mut Model, tasks: &[(Variable, i32)]) {
    for (index, &(one, duration)) in tasks.iter().enumerate() {
        for &(other, other_duration) in &tasks[..index] {
            let orders = model.variables(2, 0..=1).expect("small");
            let after = [(1, other), (-1, one)];
            model.linear_reified(orders[0], after, i64::from(duration)..).expect("small");
            let before = [(1, one), (-1, other)];
            model.linear_reified(orders[1], before, i64::from(other_duration)..).expect("small");
            model.sum(&orders, 1..).expect("small");
        }
    }
}

/// Requires that each two tasks do not overlap, with a variable that says which one comes first.
fn state_orders(model: &mut Model, tasks: &[(Variable, i32)]) {
    for (index, &one) in tasks.iter().enumerate() {
        for &other in &tasks[..index] {
            let order = model.variable(0..=1).expect("small");
            model.ordered(order, one, other).expect("small");
        }
    }
}

/// Returns random job shops of seven jobs on five machines. Each is given by its seed and by a
/// length for which there is no schedule, although there is one for the next length.
fn job_shops(shops: &[(u64, i32)], machine: fn(&mut Model, &[(Variable, i32)])) -> Vec<Network> {
    let shop = |&(seed, length): &(u64, i32)| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let jobs: Vec<Job> = (0..7)
            .map(|_| {
                let mut machines: Vec<usize> = (0..5).collect();
                rng.shuffle(&mut machines);
                machines.into_iter().map(|machine| (machine, rng.i32(1..=20))).collect()
            })
            .collect();
        model(&jobs, length, machine)
    };
    shops.iter().map(shop).collect()
}

/// Counts the job shops that have a schedule.
fn feasible(networks: &[Network]) -> RunResult {
    RunResult::sum(networks.iter().map(|network| {
        let order = Halves::new(DomainOverDegree::first_tie());
        Search::new(network).hooks((Propagate::full(),)).brancher(order).exists().into()
    }))
}

/// Returns the group of job shops that a disjunctive constraint refutes at the root.
pub fn job_shops_by_pairs() -> Group<[Vec<Network>; 3]> {
    let shops = [(2, 104), (16, 86), (18, 103), (26, 98)];
    let models = [
        job_shops(&shops, state_disjunctive),
        job_shops(&shops, state_pairs),
        job_shops(&shops, state_orders),
    ];
    Group::new("csp/4 job shops without a search", models, 0, 4)
        .contender("disjunctive", |models| feasible(&models[0]))
        .contender("reified sums", |models| feasible(&models[1]))
        .nodes(40_674)
        .contender("orders", |models| feasible(&models[2]))
        .nodes(70_806)
}

/// Returns the group of job shops that take a search.
pub fn hard_job_shops() -> Group<Vec<Network>> {
    let shops = [(12, 105), (14, 100), (17, 106), (22, 107)];
    Group::new("csp/4 job shops", job_shops(&shops, state_disjunctive), 0, 12_162)
        .contender("disjunctive", |networks| feasible(networks))
}

/// Returns the group of squares of side 1 to 10 in strips that are too short for them.
pub fn strips_of_squares() -> Group<Vec<Network>> {
    let strip = |(width, length)| {
        let mut model = Model::new();
        let task = |side| {
            let start = model.variable(0..=length - side).expect("small");
            Task { start, duration: side, demand: side }
        };
        let tasks: Vec<Task> = (1..=10).rev().map(task).collect();
        model.cumulative(tasks, width).expect("no negative number");
        model.build()
    };
    let strips = [(10, 41), (12, 38), (17, 23)].map(strip).into();
    Group::new("csp/3 strips of squares", strips, 0, 11_096).contender(
        "cumulative",
        |networks: &Vec<Network>| {
            RunResult::sum(networks.iter().map(|network| {
                let order = Branching::new(SmallestDomain::first_tie(), Ascending);
                Search::new(network).hooks((Propagate::full(),)).brancher(order).exists().into()
            }))
        },
    )
}
