//! The nodes that are left according to progress reports, against those that were.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use secateurs::brancher::Brancher;
use secateurs::hook::Hooks;
use secateurs::search::{Progress, Remaining};
use secateurs::{Limits, Node, Problem, Search};
use secateurs_csp::Network;
use secateurs_problems::fire_net::{FireNetBoard, FireNetSettings};
use secateurs_problems::queens::Queens;

use crate::shared::golomb::golomb_ruler;
use crate::shared::random_networks::{coloring, latin};
use crate::{by_halves, by_smallest_domain, fire_net, leak, remaining, shorter_ruler};

/// The reports of a run, and its total number of nodes.
struct Course {
    kind: &'static str,
    /// Whether the reports use estimates of the tree.
    is_estimated: bool,
    threads: usize,
    reports: Vec<Progress>,
    nodes: u64,
    elapsed: Duration,
}

/// The sizes of trees.
const SIZES: std::ops::Range<u64> = 5_000_000..200_000_000;

/// The least time of a long run of one thread.
const LEAST_TIME: Duration = Duration::from_millis(300);

/// Runs a search by one and by two threads, each without and with an estimate from 1 % of its
/// nodes, at most a million. The types of the estimate are derived unless they are given. Returns
/// nothing if the run is too short or too long.
fn courses_of<P, B, H>(
    kind: &'static str,
    types: Option<fn(&Node<'_, P>, i64) -> u64>,
    search: impl Fn() -> Search<'static, P, B, H>,
) -> Vec<Course>
where
    P: Problem<Choice: Clone + Send + std::fmt::Debug> + Sync + 'static,
    B: Brancher<P> + Clone + Send + 'static,
    H: Hooks<P> + Clone + Send + 'static,
{
    let mut courses = Vec::new();
    let sized = search().limits(Limits::new().nodes(SIZES.end)).count();
    let size = sized.report().nodes();
    if !SIZES.contains(&size) || sized.report().elapsed() < LEAST_TIME {
        return courses;
    }
    let budget = (size / 100).min(1_000_000);
    let estimate = match types {
        Some(types) => search().estimate_within_by(budget, 1, |node| types(node, 0)),
        None => search().estimate_within(budget, 1),
    };
    for (threads, is_estimated) in [(1, false), (1, true), (2, false), (2, true)] {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&reports);
        let mut run = search()
            .progress(Duration::from_millis(1), move |progress| {
                shared.lock().expect("no panic").push(*progress);
            })
            .fraction();
        if is_estimated {
            run = run.estimated_size(&estimate);
        }
        let outcome = if threads == 1 { run.count() } else { run.threads(threads).count() };
        let reports = std::mem::take(&mut *reports.lock().expect("no panic"));
        let (nodes, elapsed) = (outcome.report().nodes(), outcome.report().elapsed());
        let course = Course { kind, is_estimated, threads, reports, nodes, elapsed };
        course.print();
        courses.push(course);
    }
    courses
}

impl Course {
    /// Returns the first report after a part of the nodes.
    fn report(&self, part: f64) -> Option<&Progress> {
        let from = part * self.nodes as f64;
        self.reports.iter().find(|report| report.nodes as f64 >= from && report.nodes < self.nodes)
    }

    /// Returns the nodes left after a part of the run: according to the report, and the truth.
    fn after(&self, part: f64) -> Option<(Remaining<f64>, f64)> {
        let report = self.report(part)?;
        Some((report.nodes_left()?, (self.nodes - report.nodes) as f64))
    }

    /// Returns the time left after a part of the run, divided by the truth.
    fn time_after(&self, part: f64) -> Option<f64> {
        let report = self.report(part)?;
        let left = report.time_left()?.estimate;
        Some(left.as_secs_f64() / (self.elapsed - report.elapsed).as_secs_f64())
    }

    fn print(&self) {
        let shown = |part| match self.after(part) {
            Some((left, truth)) => {
                let (from, to) = (left.interval.0 / truth, left.interval.1 / truth);
                let time = self.time_after(part).unwrap_or(f64::NAN);
                format!("{:.2} ({from:.2} to {to:.2}), time {time:.2}", left.estimate / truth)
            }
            None => "none".to_owned(),
        };
        println!(
            "{}{} on {}, {} nodes: after 10 % {}, after 50 % {}",
            self.kind,
            if self.is_estimated { ", estimated," } else { "" },
            self.threads,
            self.nodes,
            shown(0.1),
            shown(0.5)
        );
    }
}

/// Returns the courses of 15 searches.
fn courses() -> Vec<Course> {
    let mut courses = Vec::new();
    let queens = leak(Queens::new(15).expect("a size").bits());
    courses.extend(courses_of("queens", None, || Search::new(queens)));
    courses.extend(courses_of("queens", None, || Search::new(queens).hooks((Queens::mirror(),))));
    for seed in 0.. {
        let density = [0.3, 0.4, 0.5][seed as usize % 3];
        let network: &'static Network = leak(if seed / 2 % 2 == 0 {
            coloring(26 + seed as usize % 10, density, 4, seed)
        } else {
            latin(6, 4 + seed as usize % 6, seed)
        });
        courses.extend(match seed % 2 {
            0 => courses_of("network", None, || by_halves(network)),
            _ => courses_of("network", None, || by_smallest_domain(network)),
        });
        if courses.len() == 28 {
            break;
        }
    }
    for seed in 0.. {
        let board = leak(FireNetBoard::random(8, 8, 0.7, seed).expect("a board"));
        let Some(&optimum) = FireNetSettings::default().solve(board).proven() else { continue };
        courses.extend(courses_of("fire-net", None, || fire_net(board, optimum, 2)));
        if courses.len() == 48 {
            break;
        }
    }
    for limit in 44.. {
        let (network, length) = golomb_ruler(9);
        let network = leak(network);
        let search = || shorter_ruler(network, length, limit);
        courses.extend(courses_of("Golomb", Some(remaining), search));
        if courses.len() == 60 {
            return courses;
        }
    }
    unreachable!("the loop returns")
}

#[test]
#[ignore = "minutes: cargo test --release --test predictions left -- --ignored --nocapture"]
fn the_nodes_left_are_near_and_intervals_contain_them() {
    let courses = courses();
    assert_eq!(courses.len(), 60);
    println!("| forecast | after | shown | within 30 % | within 2 | covered | time within 30 % |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (is_estimated, part) in [(false, 0.1), (false, 0.5), (true, 0.1), (true, 0.5)] {
        let courses = courses.iter().filter(|course| course.is_estimated == is_estimated);
        let shown: Vec<_> = courses.clone().filter_map(|course| course.after(part)).collect();
        let count = |good: &dyn Fn(&Remaining<f64>, f64) -> bool| {
            shown.iter().filter(|(left, truth)| good(left, *truth)).count()
        };
        let within = |factor: f64| {
            count(&|left, truth| (1.0 / factor..=factor).contains(&(left.estimate / truth)))
        };
        let near = count(&|left, truth| (left.estimate / truth - 1.0).abs() <= 0.3);
        let covered = count(&|left, truth| (left.interval.0..=left.interval.1).contains(&truth));
        let times = courses.filter_map(|course| course.time_after(part));
        let near_times = times.filter(|time| (0.7..=1.3).contains(time)).count();
        println!(
            "| {} | {:.0} % | {} | {near} | {} | {covered} | {near_times} |",
            if is_estimated { "shares and estimates" } else { "shares" },
            100.0 * part,
            shown.len(),
            within(2.0)
        );
        if is_estimated {
            assert!(near >= 25 && covered >= 25, "{near} near and {covered} covered of 30");
        }
    }
}
