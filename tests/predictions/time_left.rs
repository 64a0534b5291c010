//! The nodes that are left according to progress reports, against those that were.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use secateurs::brancher::Brancher;
use secateurs::csp::{
    Ascending, Branching, Halves, InputOrder, Network, Propagate, SmallestDomain,
};
use secateurs::hook::Hooks;
use secateurs::problems::fire_net::{FireNetBoard, FireNetPrunings, FireNetSettings};
use secateurs::problems::knapsack::Knapsack;
use secateurs::problems::queens::Queens;
use secateurs::search::Remaining;
use secateurs::{Direction, Incumbent, Problem, Search};

use crate::{coloring, latin};

/// The reports of a run, and its total number of nodes.
struct Course {
    kind: &'static str,
    /// Whether the reports use estimates of the tree.
    is_estimated: bool,
    threads: usize,
    reports: Vec<(u64, Option<Remaining<f64>>)>,
    nodes: u64,
}

/// The sizes of trees.
const SIZES: std::ops::Range<u64> = 200_000..20_000_000;

/// Runs a search without and with estimates, from 1 % of its nodes by either of two methods.
/// Returns nothing if it is too short or too long.
fn courses_of<P, B, H>(
    kind: &'static str,
    threads: usize,
    search: impl Fn() -> Search<'static, P, B, H>,
) -> Vec<Course>
where
    P: Problem<Choice: Clone + Send + std::fmt::Debug> + Sync + 'static,
    B: Brancher<P> + Clone + Send + 'static,
    H: Hooks<P> + Clone + Send + 'static,
{
    let mut courses = Vec::new();
    for is_estimated in [false, true] {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&reports);
        let mut run = search()
            .progress(Duration::from_millis(1), move |progress| {
                shared.lock().expect("no panic").push((progress.nodes, progress.nodes_left()));
            })
            .fraction();
        if let (true, Some(course)) = (is_estimated, courses.first()) {
            let Course { nodes, .. } = course;
            let pilot = search().estimate(256, 1);
            let probes = nodes / 100 * 256 / pilot.visited();
            run = run.estimated_size(&search().estimate(probes.max(256), 2));
            run = run.estimated_size(&search().estimate_within(nodes / 100, 3));
        }
        let outcome = if threads == 1 { run.count() } else { run.threads(threads).count() };
        let reports = std::mem::take(&mut *reports.lock().expect("no panic"));
        let nodes = outcome.report().nodes();
        if !SIZES.contains(&nodes) {
            return Vec::new();
        }
        courses.push(Course { kind, is_estimated, threads, reports, nodes });
    }
    courses
}

/// Returns the nodes left after a part of the run: the first report, and the truth.
impl Course {
    fn after(&self, part: f64) -> Option<(Remaining<f64>, f64)> {
        let from = part * self.nodes as f64;
        let (nodes, left) =
            self.reports.iter().find(|(nodes, _)| *nodes as f64 >= from && *nodes < self.nodes)?;
        Some(((*left)?, (self.nodes - nodes) as f64))
    }
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Returns 15 runs for a number of threads, each without and with estimates.
fn courses(threads: usize) -> Vec<Course> {
    let mut courses = Vec::new();
    for size in [11, 12, 13] {
        let queens = leak(Queens::new(size).expect("a size").bits());
        courses.extend(courses_of("queens", threads, || Search::new(queens)));
        let halved = || Search::new(queens).hooks((Queens::mirror(),));
        courses.extend(courses_of("queens", threads, halved));
    }
    courses.truncate(8);
    for seed in 0.. {
        let density = [0.3, 0.4, 0.5][seed as usize % 3];
        let network: &'static Network = leak(if seed / 2 % 2 == 0 {
            coloring(20 + seed as usize % 10, density, 4, seed)
        } else {
            latin(6, 6 + seed as usize % 6, seed)
        });
        let search = || Search::new(network).hooks((Propagate::full(),));
        courses.extend(if seed % 2 == 0 {
            courses_of("network", threads, || search().brancher(Halves::new(InputOrder)))
        } else {
            let brancher = Branching::new(SmallestDomain::first_tie(), Ascending);
            courses_of("network", threads, || search().brancher(brancher))
        });
        if courses.len() >= 16 {
            break;
        }
    }
    for seed in 0.. {
        let board = leak(FireNetBoard::random(8, 8, 0.7, seed).expect("a board"));
        let Some(&optimum) = FireNetSettings::default().solve(board).proven() else { continue };
        let known = Incumbent::new(Direction::Maximise);
        known.offer(optimum);
        let settings = FireNetSettings::article(FireNetPrunings::of(1..=2));
        courses.extend(courses_of("fire-net", threads, || settings.search(board, &known)));
        if courses.len() >= 24 {
            break;
        }
    }
    for seed in 0.. {
        let knapsack = Knapsack::strongly_correlated(26 + seed as usize % 10, 1000, seed);
        let knapsack = leak(knapsack.expect("small sums"));
        let value = Knapsack::objective();
        let bound = value.bound("relaxation", Knapsack::relaxation);
        let limits = secateurs::Limits::new().nodes(20_000_000);
        let solved = Search::new(knapsack).hooks((bound.clone(),)).limits(limits).best(&value);
        if solved.proven().is_some() {
            let search = || Search::new(knapsack).hooks((bound.clone(),));
            courses.extend(courses_of("knapsack", threads, search));
        }
        if courses.len() >= 30 {
            return courses;
        }
    }
    unreachable!("the loop returns")
}

#[test]
#[ignore = "expensive: cargo test --release --test predictions left -- --ignored --nocapture"]
fn the_nodes_left_are_near_and_intervals_contain_them() {
    let courses: Vec<Course> = [1, 2].into_iter().flat_map(courses).collect();
    assert_eq!(courses.len(), 60);
    for course in &courses {
        let shown = |part| match course.after(part) {
            Some((left, truth)) => {
                let (from, to) = (left.interval.0 / truth, left.interval.1 / truth);
                format!("{:.2} ({from:.2} to {to:.2})", left.estimate / truth)
            }
            None => "none".to_owned(),
        };
        println!(
            "{}{} on {}, {} nodes: after 10 % {}, after 50 % {}",
            course.kind,
            if course.is_estimated { ", estimated," } else { "" },
            course.threads,
            course.nodes,
            shown(0.1),
            shown(0.5)
        );
    }
    println!("| forecast | after | shown | within 30 % | within 2 | covered |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (is_estimated, part) in [(false, 0.1), (false, 0.5), (true, 0.1), (true, 0.5)] {
        let courses = courses.iter().filter(|course| course.is_estimated == is_estimated);
        let shown: Vec<_> = courses.filter_map(|course| course.after(part)).collect();
        let count = |good: &dyn Fn(&Remaining<f64>, f64) -> bool| {
            shown.iter().filter(|(left, truth)| good(left, *truth)).count()
        };
        let within = |factor: f64| {
            count(&|left, truth| (1.0 / factor..=factor).contains(&(left.estimate / truth)))
        };
        let near = count(&|left, truth| (left.estimate / truth - 1.0).abs() <= 0.3);
        let covered = count(&|left, truth| (left.interval.0..=left.interval.1).contains(&truth));
        println!(
            "| {} | {:.0} % | {} | {near} | {} | {covered} |",
            if is_estimated { "shares and estimates" } else { "shares" },
            100.0 * part,
            shown.len(),
            within(2.0)
        );
        if is_estimated {
            assert!(2 * near > shown.len(), "{near} of {}", shown.len());
        }
    }
}
