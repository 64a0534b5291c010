//! Outputs of comparisons: equal numbers in CSV and JSON, escaped names, and pages of limited size.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use secateurs::Limits;
use secateurs::{Effect, Search, hook};
use secateurs_lab::{Compare, Comparison, Contender, Plan, Reference, Section, Trial};
use secateurs_problems::queens::{BitQueens, RowByRow};
use serde_json::{Value, json};

use crate::comparisons::{boards, done, mirror, plain, small};
use crate::recording::chain;
use crate::support::problems::queens;
use crate::support::words::Full;

/// Returns the rows of the CSV, each as a map from column titles.
fn csv_rows(comparison: &Comparison) -> Vec<HashMap<String, String>> {
    let csv = comparison.csv();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().expect("valid output")
}

fn results(comparison: &Comparison) -> Value {
    serde_json::from_str(&comparison.json()).expect("valid output")
}

/// Returns whether a number was read as written, up to the precision of the reader.
fn is_same_number(value: &Value, number: Option<f64>) -> bool {
    match (value.as_f64(), number) {
        (Some(value), Some(number)) => (value - number).abs() <= 1e-12 * number.abs(),
        (None, None) => value.is_null(),
        _ => false,
    }
}

fn with_everything() -> Comparison {
    let counted = plain("counted").counted(|queens: &BitQueens, limits| {
        let watch = hook::enter("watch", Effect::Preserving, |_| secateurs::Verdict::Keep);
        Trial::from(Search::new(queens).hooks((watch,)).limits(limits).count()).stat("eyes", 2)
    });
    let references = [
        Reference::nodes("book", [("6 queens", 153.0)]),
        Reference::seconds("book", [("9 queens", 0.33)]),
    ];
    let counted = references.into_iter().fold(counted, Contender::reference);
    let compare = small([6, 9]).contender(counted).tally("small", |_, run| run.nodes() < 1000);
    done(compare.limits(Limits::new().nodes(5000)).title("everything"))
}

#[test]
fn csv_has_a_row_with_all_results_for_each_run() {
    let comparison = with_everything();
    let rows = csv_rows(&comparison);
    assert_eq!(rows.len(), 2 * 3);
    let mut rows = rows.iter();
    for (index, instance) in comparison.instances().iter().enumerate() {
        for contender in comparison.contenders() {
            let (row, run) = (rows.next().expect("a row"), &contender.runs()[index]);
            let number = |column: &str| row[column].parse::<f64>().ok();
            assert_eq!((&row["instance"], &*row["contender"]), (instance, contender.name()));
            assert_eq!(row["answer"], run.answer().text());
            assert_eq!(row["proven"] == "true", run.answer().proven().is_some());
            assert_eq!(row["stop"], run.report().stop().to_string());
            assert_eq!(row["effect"], run.report().effect().to_string());
            assert_eq!(row["nodes"].parse(), Ok(run.nodes()));
            assert_eq!(row["cuts"].parse(), Ok(run.cuts()));
            let (estimate, seconds) = (run.estimate(), run.seconds());
            let estimate_error = estimate.and_then(|estimate| estimate.standard_error);
            for (column, expected) in [
                ("estimate", estimate.map(|estimate| estimate.mean)),
                ("estimate_error", estimate_error),
                ("seconds", Some(seconds.median)),
                ("seconds_least", Some(seconds.least)),
                ("seconds_upper_quartile", Some(seconds.upper_quartile)),
                ("seconds_greatest", Some(seconds.greatest)),
                ("nanoseconds_per_node", Some(run.nanoseconds_per_node())),
            ] {
                assert_eq!(number(column), expected, "{column}");
            }
            assert_eq!((&*row["rounds"], &*row["peak_bytes"]), ("2", ""));
            assert_eq!(row["tally: small"], (run.nodes() < 1000).to_string());
            let hook = run.report().hook("mirror");
            for (column, expected) in [
                ("cuts: mirror", hook.map(|hook| hook.cuts())),
                ("calls: mirror", hook.map(|hook| hook.calls())),
                ("stat: eyes", run.stat("eyes")),
            ] {
                assert_eq!(row[column], expected.map_or_else(String::new, |n| n.to_string()));
            }
            assert!(!row.contains_key("cuts: watch"), "hooks are those of the timed run");
        }
    }
    let rows = csv_rows(&comparison);
    let references = ["reference nodes: book", "reference seconds: book"];
    assert_eq!(references.map(|column| &*rows[2][column]), ["153", ""]);
    assert_eq!(references.map(|column| &*rows[5][column]), ["", "0.33"]);
    let ratio = |row: &HashMap<String, String>| row["nodes_of_base"].parse::<f64>().ok();
    assert_eq!(ratio(&rows[0]), Some(1.0));
    assert_eq!(ratio(&rows[1]), Some(77.0 / 153.0));
    // The base reached the limit on 9 queens and was estimated, so its time is only a bound.
    assert!(ratio(&rows[4]).is_some_and(|ratio| (0.4..0.6).contains(&ratio)));
    assert_eq!((&*rows[3]["stop"], &*rows[4]["seconds_of_base"]), ("node limit", ""));
}

#[test]
fn json_has_the_same_results() {
    let comparison = with_everything();
    let results = results(&comparison);
    for (name, value) in [
        ("format", json!("secateurs comparison")),
        ("version", json!(1)),
        ("title", json!("everything")),
        ("rounds", json!(2)),
        ("limits", json!(["5 000 nodes"])),
        ("instances", json!(["6 queens", "9 queens"])),
    ] {
        assert_eq!(results[name], value);
    }
    let contenders = results["contenders"].as_array().expect("a list");
    assert_eq!(contenders.len(), 3);
    for (value, contender) in contenders.iter().zip(comparison.contenders()) {
        assert_eq!(value["name"], contender.name());
        let (sizes, seconds) = (contender.sizes(), contender.seconds());
        for (value, number) in [
            (&value["sizes"]["median"], sizes.map(|sizes| sizes.median)),
            (&value["seconds"]["greatest"], seconds.map(|seconds| seconds.greatest)),
            (&value["nodes_of_base"], comparison.ratio(contender)),
            (&value["seconds_of_base"], comparison.time_ratio(contender)),
        ] {
            assert!(is_same_number(value, number), "{value}, not {number:?}");
        }
        assert_eq!(value["limited"], contender.limited());
        assert_eq!(value["tallies"][0]["value"], contender.tally("small").expect("a tally"));
        for (value, run) in value["runs"].as_array().expect("a list").iter().zip(contender.runs()) {
            assert_eq!(value["answer"], run.answer().text());
            assert_eq!(value["nodes"], run.nodes());
            let estimate = run.estimate().map(|estimate| estimate.mean);
            assert!(is_same_number(&value["estimate"]["mean"], estimate));
            let levels: Vec<u64> = run.report().levels().iter().map(|level| level.nodes).collect();
            assert_eq!(value["nodes_by_depth"], json!(levels));
            let times: Vec<f64> = run.times().iter().map(|time| time.as_secs_f64()).collect();
            let read = value["times"].as_array().expect("a list");
            assert!(
                read.len() == times.len()
                    && read.iter().zip(times).all(|(read, time)| is_same_number(read, Some(time)))
            );
            for (value, hook) in
                value["hooks"].as_array().expect("a list").iter().zip(run.report().hooks())
            {
                assert_eq!(value["name"], hook.name());
                assert_eq!(value["cuts"], hook.cuts());
                let by_depth = value["cuts_by_depth"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .filter_map(Value::as_u64);
                assert_eq!(by_depth.sum::<u64>(), hook.cuts());
            }
        }
    }
    let reference = json!({ "quantity": "nodes", "source": "book", "figures": [153.0, null] });
    assert_eq!(contenders[2]["references"][0], reference);
    let stats = json!([{ "name": "eyes", "value": 2 }]);
    assert_eq!(contenders[2]["runs"][0]["stats"], stats);
}

const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "a|b",
    "two\nlines\r\n",
    "quote \" and ' and , and ;",
    "`code` *bold* _it_ [link](x) \\ ~~",
    "&amp; ]]> -->",
    "=1+1",
    "\u{0}\u{7}\u{202e}",
];

fn hostile() -> Comparison {
    let long = "x".repeat(100_000);
    let names = HOSTILE.into_iter().chain([&*long]);
    let contenders = names.clone().map(mirror);
    let boards = names.map(|name| (name.to_owned(), queens(4)));
    let compare =
        Compare::over(boards).contenders(contenders).tally("<b>|\n", |_, _| true).rounds(1);
    done(compare.title("<i>title</i>\n"))
}

#[test]
fn hostile_names_survive_csv_and_json() {
    let comparison = hostile();
    let names: Vec<&str> =
        comparison.contenders().iter().map(|contender| contender.name()).collect();
    for (row, name) in csv_rows(&comparison).iter().zip(&names) {
        assert_eq!(row["contender"], *name);
    }
    let results = results(&comparison);
    assert_eq!(results["instances"], json!(names));
    assert_eq!(results["title"], "<i>title</i>\n");
}

#[test]
fn hostile_names_are_escaped_in_tables() {
    let comparison = hostile();
    for section in Section::ALL {
        let table = comparison.section(section);
        let (text, markdown) = (table.to_string(), table.markdown());
        let lines = table.rows().len() + table.notes().len();
        assert_eq!(text.lines().count(), lines, "{section:?}:\n{text}");
        let bars = |line: &str| line.matches('|').count() - line.matches("\\|").count();
        for line in markdown.lines().take(table.rows().len() + 1) {
            assert_eq!(bars(line), table.rows()[0].len() + 1, "{section:?}:\n{markdown}");
        }
        for raw in ["<script", "`code`", "*bold*"] {
            assert!(!markdown.contains(raw), "{section:?}:\n{markdown}");
        }
    }
    assert!(comparison.to_string().len() < 50_000);
}

#[test]
fn hostile_names_are_escaped_in_pages() {
    let page = hostile().html();
    let (page, script) = page.split_once("<script>'use strict';").expect("the page's own script");
    assert_eq!(script.matches("</script").count(), 1);
    for raw in ["<script", "<b>", "<i>", "]]>", "\u{0}", "\u{202e}", "-->"] {
        assert!(!page.contains(raw), "{raw:?}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("<title>&lt;i&gt;title&lt;/i&gt; </title>"));
    assert!(page.len() < 400_000, "{} bytes", page.len());
}

#[test]
fn pages_refer_to_no_other_file() {
    let page = with_everything().html();
    // The script handles the addresses of patterns within a chart.
    let rest = page.replace("http://www.w3.org/2000/svg", "").replace(r"replace(/url\(", "");
    let rest = rest.replace("'url($1)'", "");
    for reference in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!rest.contains(reference), "{reference}");
    }
    for id in [
        "chart-nodes",
        "chart-time",
        "chart-depths",
        "chart-nodes-over-instances",
        "chart-time-over-instances",
    ] {
        assert_eq!(page.matches(&format!("<figure id=\"{id}\">")).count(), 1, "{id}");
    }
    let one = done(small([6])).html();
    assert!(!one.contains("over-instances"));
}

#[test]
fn bands_of_depths_end_at_the_last_depth() {
    // With at most 40 bars, 41 depths are drawn in bands of two. The last band has one depth.
    let all =
        Contender::new("all", |chain: &Full, limits| Search::new(chain).limits(limits).count());
    let page = done(Compare::of("chain", chain(40)).contender(all).rounds(1)).html();
    assert!(page.contains("depth 40") && !page.contains("depth 41"), "the axis ends at 40");
    assert!(page.contains("38–39") && !page.contains("40–41"));
}

#[test]
fn pages_of_many_contenders_show_a_selection() {
    let names: Vec<String> = (0..10).map(|number| format!("hook {number}")).collect();
    let contenders =
        Plan::Subsets.sets(names).expect("1024 sets").into_iter().map(|on| plain(&on.to_string()));
    let comparison = done(boards("", [4]).contenders(contenders).rounds(1));
    assert_eq!((comparison.contenders().len(), csv_rows(&comparison).len()), (1024, 1024));
    let page = comparison.html();
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert!(
        page.contains("24 of 1024 contenders") && page.contains("200 of 1024 contenders"),
        "the selection is stated"
    );
    assert!(comparison.to_string().lines().count() < 300);
}

#[test]
fn pages_of_many_instances_show_a_selection() {
    let boards = (0..3000).map(|number| (format!("board {number}"), queens(4 + number % 2)));
    let compare = Compare::over(boards).contender(plain("plain")).contender(mirror("mirror"));
    let comparison = done(compare.rounds(1));
    let page = comparison.html();
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert!(
        page.contains("300 of 3000 instances") && page.contains("… and 2800 more"),
        "the selection is stated"
    );
    assert_eq!(csv_rows(&comparison).len(), 6000);
}

/// Returns a comparison of contenders with one hook each, of which only the last one cuts.
fn idle_hooks_but_the_last(count: usize) -> Comparison {
    let contenders = (1..=count).map(|number| {
        Contender::new(format!("{number}"), move |queens: &BitQueens, limits| {
            let name = format!("hook {number}");
            let hook = hook::admit(name, Effect::Lossy, |node, _| {
                secateurs::Verdict::prune_if(number == count && node.depth() == 2)
            });
            Search::new(queens).hooks((hook,)).limits(limits).count()
        })
    });
    done(boards("", [4]).contenders(contenders).rounds(1))
}

#[test]
fn hooks_with_cuts_are_shown_before_earlier_ones_without() {
    let table = idle_hooks_but_the_last(13).section(Section::Cuts);
    assert_eq!(table.rows()[0], ["contender", "hook 13"]);
    assert_eq!(table.notes()[0], "12 of 13 hooks: those with the most cuts.");
    let idle: Vec<String> = (1..12).map(|number| format!("hook {number}")).collect();
    let expected =
        format!("Without cuts: {}. They may still have tightened states.", idle.join("; "));
    assert_eq!(table.notes()[1], expected);
    let page = idle_hooks_but_the_last(30).html();
    assert!(page.contains("hook 30") && !page.contains("other hooks"));
}

#[test]
fn text_output_is_aligned() {
    let comparison = done(small([6]));
    let text = comparison.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("contender  answer  nodes  of base"), "{text}");
    assert!(lines[1].starts_with("plain           4    153    1.000"), "{text}");
    assert!(lines[2].starts_with("mirror          4     77    0.503"), "{text}");
    assert!(lines[4..].join("\n").contains("cuts of each hook"), "{text}");
    let depths = comparison.section(Section::Depths);
    assert_eq!(depths.rows()[0], ["depth", "plain", "mirror"]);
    assert_eq!(depths.rows()[1..3], [["0", "1", "1"], ["1", "6", "3"]]);
    assert!(comparison.section(Section::Stats).is_empty());
}

#[test]
fn tables_state_how_many_statistics_they_omit() {
    let table = |stats: u64, sizes: &[usize]| {
        let many = Contender::new("many", move |queens: &BitQueens, limits| {
            let trial = Trial::from(Search::new(queens).limits(limits).count());
            (1..=stats).fold(trial, |trial, number| trial.stat(format!("stat {number}"), number))
        });
        done(boards("", sizes.iter().copied()).contender(many).rounds(1)).section(Section::Stats)
    };
    assert_eq!(table(13, &[4]).notes(), ["12 of 13 statistics: the first ones."]);
    assert_eq!(table(25, &[4, 5]).notes(), ["24 of 25 statistics: the first ones."]);
    assert!(table(12, &[4]).notes().is_empty() && table(24, &[4, 5]).notes().is_empty());
}

/// A contender that finishes only on easy instances is not named the best, however small its ratio
/// is there.
#[test]
fn the_best_contender_has_finished_on_all_instances() {
    // It cuts off the root on the first board, and reaches a limit on the second.
    let lucky = Contender::new("lucky", |board: &BitQueens, limits: Limits| {
        let is_small = board.size() == 4;
        let root =
            hook::enter("root", Effect::Lossy, move |_| secateurs::Verdict::prune_if(is_small));
        Search::new(board)
            .hooks((root,))
            .limits(if is_small { limits } else { limits.nodes(5) })
            .count()
    });
    let contenders = [plain("plain"), mirror("mirror"), lucky];
    let comparison = done(boards("", [4, 8]).contenders(contenders));
    assert!(comparison.html().contains("“mirror” visits the fewest nodes"));
}

/// Returns a contender that visits these numbers of nodes, by instance, or fewer at a limit.
fn visiting<'a>(name: &str, nodes: &'a [u64]) -> Contender<'a, usize> {
    Contender::new(name, |&instance: &usize, limits| {
        Search::new(&chain(nodes[instance] - 1)).limits(limits).count()
    })
}

/// Compares contenders that visit these numbers of nodes, with a limit of 2000 nodes.
fn visits(nodes: &[(&str, &[u64])]) -> Comparison {
    let instances = (0..nodes[0].1.len()).map(|instance| (instance.to_string(), instance));
    let contenders = nodes.iter().map(|&(name, nodes)| visiting(name, nodes));
    let compare = Compare::over(instances).contenders(contenders);
    done(compare.limits(Limits::new().nodes(2000)).rounds(1))
}

#[test]
fn the_finding_is_about_proven_answers_on_all_instances() {
    let finding = |nodes| {
        let html = visits(nodes).html();
        let (_, finding) = html.split_once("<p class=\"finding\">").expect("a finding");
        finding.split_once("</p>").expect("its end").0.to_owned()
    };
    // On the instance that the base finishes, A has fewer nodes than B.
    let found = finding(&[("base", &[100, 9999]), ("A", &[10, 1000]), ("B", &[20, 2])]);
    assert!(found.starts_with("“B” visits the fewest nodes"), "{found}");
    // The rest of the tree of the base may be small or large.
    let found = finding(&[("base", &[1, 9999]), ("A", &[1999, 1999])]);
    let unknown = "It is unknown which contender visits the fewest nodes, because runs reached";
    assert!(found.starts_with(unknown), "{found}");
    let found = finding(&[("base", &[10, 20]), ("A", &[10, 9999]), ("B", &[10, 10])]);
    let those =
        "Of the contenders that proved all answers within the limits, “B” visits the fewest";
    assert!(found.starts_with(those), "{found}");
    let found = finding(&[("base", &[10, 20]), ("A", &[10, 21])]);
    assert!(found.contains("No contender visits fewer nodes than the base."), "{found}");
    // The time of a run at a limit is that of the nodes it has visited, not of the whole tree.
    let found = finding(&[("A", &[9999])]);
    assert!(found.starts_with("“A” visits 2 000 nodes in "), "{found}");
    assert!(found.ends_with(" and reaches a limit (node limit)."), "{found}");
    let found = finding(&[("A", &[1, 9, 9999])]);
    assert!(found.starts_with("“A” visits 9 nodes in ") && found.contains("medians"), "{found}");
    assert!(found.ends_with("reaches a limit on 1 of 3."), "{found}");
}

#[test]
fn a_limit_that_only_a_later_round_reaches_leaves_the_size_known() {
    let calls = AtomicUsize::new(0);
    let tired = Contender::new("tired", |&nodes: &u64, limits: Limits| {
        let is_first = calls.fetch_add(1, Ordering::Relaxed) == 0;
        let limits = if is_first { limits } else { limits.nodes(5) };
        Search::new(&chain(nodes - 1)).limits(limits).count()
    });
    let comparison = done(Compare::of("chain", 9).contender(tired).rounds(2));
    let run = &comparison.contenders()[0].runs()[0];
    assert!(run.is_limited() && run.nodes() == 9);
    let html = comparison.html();
    assert!(html.contains("and reaches a limit in a later round."), "{html}");
    let note = "Runs that reached a limit only in a later round: 1. ";
    assert!(html.contains(note) && !html.contains("Their trees are larger"), "{html}");
}

#[test]
fn the_finding_does_not_hide_contenders_without_proven_answers() {
    let lossy = Contender::new("lossy", |board: &BitQueens, limits| {
        let root = hook::enter("root", Effect::Lossy, |_| secateurs::Verdict::Prune);
        Search::new(board).hooks((root,)).limits(limits).count()
    });
    let comparison = done(boards("", [4]).contender(plain("plain")).contender(lossy));
    let none = "No contender that proved all answers within the limits visits fewer nodes than";
    assert!(comparison.html().contains(none));
}

#[test]
fn ratios_over_some_of_the_instances_state_their_number() {
    let comparison = visits(&[("base", &[10, 9999, 20]), ("A", &[9999, 10, 10])]);
    let table = comparison.section(Section::Summary);
    let of_base = |title: &str| {
        let column = table.rows()[0].iter().position(|known| known == title).expect("a column");
        table.rows()[2][column].clone()
    };
    assert_eq!(of_base("of base"), "0.500 (1 of 3)");
    assert!(of_base("time of base").ends_with(" (1 of 3)"), "{table}");
    let bound = visits(&[("base", &[1, 1, 9999]), ("A", &[1, 1, 130])]).to_string();
    // The cube root of 0.065 is 0.4020…: a rounded upper bound still holds.
    assert!(bound.contains("  ≤ 0.403  "), "{bound}");
}
