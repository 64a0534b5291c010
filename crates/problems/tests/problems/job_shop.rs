//! Job-shop scheduling: known optima, a search by brute force, the text format, and charts.

use proptest::prelude::*;
use secateurs::{Limits, ParseError, Stop};
use secateurs_problems::job_shop::{JobShop, Schedule};

/// Two instances of Fisher and Thompson (1963).
const FT06: &str = include_str!("../../../cli/data/job_shop.txt");
const FT10: &str = "\
10 10
0 29 1 78 2 9 3 36 4 49 5 11 6 62 7 56 8 44 9 21
0 43 2 90 4 75 9 11 3 69 1 28 6 46 5 46 7 72 8 30
1 91 0 85 3 39 2 74 8 90 5 10 7 12 6 89 9 45 4 33
1 81 2 95 0 71 4 99 6 9 8 52 7 85 3 98 9 22 5 43
2 14 0 6 1 22 5 61 3 26 4 69 8 21 7 49 9 72 6 53
2 84 1 2 5 52 3 95 8 48 9 72 0 47 6 65 4 6 7 25
1 46 0 37 3 61 2 13 6 32 5 21 9 32 8 89 7 30 4 55
2 31 0 86 1 46 5 74 4 32 6 88 8 19 9 48 7 36 3 79
0 76 1 69 3 76 5 51 2 85 9 11 6 40 7 89 4 26 8 74
1 85 0 13 2 61 6 7 8 64 9 76 5 47 3 52 4 90 7 45
";

fn parse(text: &str) -> JobShop {
    text.parse().unwrap_or_else(|error: ParseError| panic!("{text:?}: {error}"))
}

/// Returns the smallest makespan, proven, and a schedule of it.
fn solve(shop: &JobShop) -> (i32, Schedule) {
    let model = shop.model().expect("a small model");
    let outcome = model.network().solver().minimise(model.makespan());
    let optimum = *outcome.proven().expect("an optimum without a limit");
    let solution = outcome.solution().expect("a solution");
    let schedule = model.schedule(solution).expect("a valid schedule");
    assert_valid(shop, &schedule);
    assert_eq!(schedule.makespan(), optimum, "{shop}");
    (optimum, schedule)
}

/// Checks a schedule, for each two steps of a job or machine.
fn assert_valid(shop: &JobShop, schedule: &Schedule) {
    let mut steps = Vec::new();
    for (job, (all, starts)) in shop.jobs().iter().zip(schedule.starts()).enumerate() {
        assert_eq!(all.len(), starts.len());
        let times = all.iter().zip(starts).enumerate();
        steps.extend(times.map(|(index, (step, &start))| {
            (job, index, step.machine(), start, start + step.duration())
        }));
    }
    for &(job, index, machine, start, end) in &steps {
        assert!(0 <= start && end <= schedule.makespan(), "{schedule:?}");
        for &(other_job, other_index, other_machine, other_start, other_end) in &steps {
            if job == other_job && index < other_index {
                assert!(end <= other_start, "{schedule:?}");
            }
            let take_time = start < end && other_start < other_end;
            if machine == other_machine && take_time && (job, index) != (other_job, other_index) {
                assert!(end <= other_start || other_end <= start, "{schedule:?}");
            }
        }
    }
    let last = steps.iter().map(|step| step.4).max();
    assert_eq!(schedule.makespan(), last.unwrap_or(0));
}

/// Returns the smallest makespan of all sequences of steps, each of which begins as soon as its job
/// and its machine are free.
fn brute_force(shop: &JobShop) -> i32 {
    fn extend(shop: &JobShop, done: &mut [usize], jobs: &mut [i32], machines: &mut [i32]) -> i32 {
        let mut best = None;
        for job in 0..done.len() {
            let Some(step) = shop.jobs()[job].get(done[job]) else { continue };
            let before = (jobs[job], machines[step.machine()]);
            // A step that takes no time neither waits for its machine nor occupies it.
            let takes_time = step.duration() > 0;
            let end = before.0.max(if takes_time { before.1 } else { 0 }) + step.duration();
            jobs[job] = end;
            if takes_time {
                machines[step.machine()] = end;
            }
            done[job] += 1;
            let makespan = extend(shop, done, jobs, machines);
            best = Some(best.map_or(makespan, |best: i32| best.min(makespan)));
            done[job] -= 1;
            (jobs[job], machines[step.machine()]) = before;
        }
        best.unwrap_or_else(|| jobs.iter().copied().max().unwrap_or(0))
    }
    let jobs = shop.jobs().len();
    extend(shop, &mut vec![0; jobs], &mut vec![0; jobs], &mut vec![0; shop.machines()])
}

/// `cargo test --release --test problems -- --ignored job_shop::`
#[test]
#[ignore = "takes seconds in release mode"]
fn larger_shops_are_proven() {
    assert_eq!(solve(&parse(FT10)).0, 930);
    for seed in 0..20 {
        let shop = JobShop::generate(10, 5, seed).expect("a small shop");
        let load = |machine: usize| -> i32 {
            let steps = shop.jobs().iter().flatten().filter(|step| step.machine() == machine);
            steps.map(|step| step.duration()).sum()
        };
        let busiest = (0..5).map(load).max().expect("five machines");
        assert!(solve(&shop).0 >= busiest, "seed {seed}");
    }
}

#[test]
fn a_small_limit_suffices_for_a_schedule() {
    for (seed, size) in (0..).zip([5, 8, 10, 15]) {
        let shop = JobShop::generate(size, size, seed).expect("a small shop");
        let model = shop.model().expect("a small shop");
        let nodes = 2 * model.network().len() as u64;
        let solver = model.network().solver().limits(Limits::new().nodes(nodes));
        assert!(solver.minimise(model.makespan()).solution().is_some(), "{size} × {size}");
    }
}

#[test]
fn small_shops_have_the_known_makespans() {
    assert_eq!(solve(&parse(FT06)).0, 55);
    let sizes = [(1, 1), (1, 4), (2, 2), (2, 5), (3, 2), (3, 3), (4, 1), (4, 2), (5, 1)];
    for (seed, (jobs, machines)) in (0..).zip(sizes.repeat(3)) {
        let shop = JobShop::generate(jobs, machines, seed).expect("a small shop");
        assert_eq!(solve(&shop).0, brute_force(&shop), "{shop}");
    }
    let shop = JobShop::generate(4, 3, 0).expect("a small shop");
    assert_eq!(solve(&shop).0, brute_force(&shop), "{shop}");
}

#[test]
fn steps_without_duration_do_not_wait_for_their_machine() {
    // The second job passes machine 0 while it is busy with the first one.
    let shop = parse("2 2\n0 9 1 1\n0 0 1 8\n");
    let (makespan, schedule) = solve(&shop);
    assert_eq!(makespan, 10);
    assert_eq!(schedule.starts()[1], [0, 0]);
    assert_eq!(shop.check(vec![vec![0, 13], vec![5, 5]]).expect("a schedule").makespan(), 14);
    shop.check(vec![vec![0, 9], vec![5, 5]]).expect_err("machine 1 is busy");
}

#[test]
fn shops_with_one_job_or_one_machine_have_no_idle_time() {
    for (jobs, machines) in [(1, 1), (1, 7), (7, 1)] {
        let shop = JobShop::generate(jobs, machines, 5).expect("a small shop");
        assert_eq!(solve(&shop).0, shop.total_duration(), "{shop}");
    }
}

#[test]
fn shops_without_jobs_or_machines_take_no_time() {
    for (text, jobs, machines) in [("0 0", 0, 0), ("0 3\n", 0, 3), ("# none\n2 0\n\n\n", 2, 0)] {
        let shop = parse(text);
        assert_eq!((shop.jobs().len(), shop.machines()), (jobs, machines));
        let (makespan, schedule) = solve(&shop);
        assert_eq!(makespan, 0);
        assert_eq!(schedule.to_string().lines().count(), machines + 1);
        assert!(schedule.svg().ends_with("</svg>\n"));
        assert_eq!(parse(&shop.to_string()), shop);
    }
}

#[test]
fn generated_shops_depend_on_the_seed_only() {
    let shop = |seed| JobShop::generate(5, 4, seed).expect("a small shop");
    assert_eq!(shop(1), shop(1));
    assert_ne!(shop(1), shop(2));
    for job in shop(3).jobs() {
        let mut machines: Vec<usize> = job.iter().map(|step| step.machine()).collect();
        machines.sort_unstable();
        assert_eq!(machines, [0, 1, 2, 3]);
        assert!(job.iter().all(|step| (1..=99).contains(&step.duration())));
    }
}

#[test]
fn comments_blank_lines_and_line_endings_are_ignored() {
    let expected = parse("2 2\n0 3 1 2\n1 4 0 1\n");
    for text in [
        "2 2\n0 3 1 2\n1 4 0 1",
        "\u{feff}# a shop\r\n\r\n 2\t2 \r\n# job 1\r\n0 3 1 2\r\n\r\n  # job 2\r\n1 4 0 1\r\n\r\n",
        "02 2\n00 3 1 2\n1 004 0 1\n",
    ] {
        assert_eq!(parse(text), expected, "{text:?}");
    }
}

#[test]
fn other_layouts_have_the_same_meaning() {
    let expected = parse("2 3\n0 3 1 2 2 5\n2 4 1 1 0 0\n");
    for text in [
        "2 3\n1 3 2 2 3 5\n3 4 2 1 1 0\n",
        "2 3\n3 2 5\n4 1 0\n1 2 3\n3 2 1\n",
        "2 3\n3 2 5\n4 1 0\n0 1 2\n2 1 0\n",
        "2 3\nTimes\n3 2 5\n4 1 0\nMachines\n1 2 3\n3 2 1\n",
        "Nb of jobs, Nb of Machines, Time seed, Machine seed, Upper bound, Lower bound\n\
         2 3 8406 3981 12 10\nTimes\n 3 2 5\n 4 1 0\nMachines\n 1 2 3\n 3 2 1\n",
    ] {
        assert_eq!(parse(text), expected, "{text:?}");
    }
    // Two lines, both for one job or each for one of two.
    assert_eq!(parse("1 2\n5 6\n2 1\n"), parse("1 2\n1 5 0 6\n"));
    assert_eq!(parse("2 2\n1 6\n2 1\n"), parse("2 2\n0 6\n1 1\n"));
    assert_eq!(parse("2 1\n9\n8\n1\n1\n"), parse("2 1\n0 9\n0 8\n"));
}

#[test]
fn jobs_may_have_fewer_steps_than_machines() {
    let shop = parse("3 3\n2 4 1 3\n0 5\n2 2 1 1 0 3\n");
    assert_eq!(shop.jobs().iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 3]);
    assert_eq!(parse(&shop.to_string()), shop);
    assert_eq!(solve(&shop).0, brute_force(&shop));
    // Padded steps change nothing.
    let padded = parse("3 3\n2 4 1 3 0 0\n0 5 1 0 2 0\n2 2 1 1 0 3\n");
    assert_eq!(solve(&padded).0, solve(&shop).0);
}

#[test]
fn assignments_of_other_models_are_refused() {
    let shops = [(2, 2), (3, 2)].map(|(jobs, machines)| JobShop::generate(jobs, machines, 0));
    let [small, large] = shops.map(|shop| shop.expect("a small shop").model().expect("a model"));
    let outcome = small.network().solver().first();
    let error = large.schedule(outcome.solution().expect("a solution")).expect_err("another model");
    assert_eq!(error.to_string(), "found an assignment of 7 variables, expected 13");
}

#[test]
fn stopped_searches_prove_nothing() {
    let model = parse(FT10).model().expect("a small model");
    let solver = model.network().solver().limits(Limits::new().nodes(10));
    let outcome = solver.minimise(model.makespan());
    assert_eq!((outcome.proven(), outcome.stop()), (None, Stop::NodeLimit));
}

#[test]
fn long_schedules_are_drawn_to_scale() {
    let shop = parse("2 2\n0 300 1 200\n1 400 0 100\n");
    let schedule = shop.check(vec![vec![0, 400], vec![0, 400]]).expect("a schedule");
    let text = "\
machine 0  111111111111111111111111111111..........2222222222..........
machine 1  222222222222222222222222222222222222222211111111111111111111
           0         100       200       300       400       500       600
";
    assert_eq!(schedule.to_string(), text);
    let svg = schedule.svg();
    assert!(svg.contains("<title>job 1, step 2: machine 1, 400 to 600</title>"));
    assert!(svg.contains(">makespan 600</text>"));
    // The legend and the bars.
    assert_eq!(svg.matches("class=\"bar\"").count(), 2 + 4);
}

#[test]
fn extreme_schedules_are_drawn() {
    let shop = parse("2 1\n0 2147483647\n0 0\n");
    let schedule = shop.check(vec![vec![0], vec![i32::MAX]]).expect("a schedule");
    let lines: Vec<String> = schedule.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], format!("machine 0  {}", "1".repeat(66)));
    assert!(schedule.svg().contains(">makespan 2147483647</text>"));
}

/// A shop whose jobs may visit a machine repeatedly, with steps that may take no time.
fn small_shop() -> impl Strategy<Value = JobShop> {
    (1..=3_usize, 1..=3_usize).prop_flat_map(|(jobs, machines)| {
        let step = (0..machines, 0..=6_i32);
        let job = prop::collection::vec(step, machines);
        prop::collection::vec(job, jobs).prop_map(move |jobs| {
            let mut text = format!("{} {machines}\n", jobs.len());
            for job in jobs {
                let steps = job.iter().map(|(machine, duration)| format!("{machine} {duration} "));
                text.extend(steps);
                text.push('\n');
            }
            parse(&text)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_small_shop_agrees_with_brute_force(shop in small_shop()) {
        prop_assert_eq!(solve(&shop).0, brute_force(&shop));
        prop_assert_eq!(shop.to_string().parse(), Ok(shop));
    }

    #[test]
    fn shops_round_trip(jobs in 0..6_usize, machines in 0..6_usize, seed: u64) {
        let shop = JobShop::generate(jobs, machines, seed).expect("a small shop");
        prop_assert_eq!(shop.to_string().parse(), Ok(shop));
    }
}
