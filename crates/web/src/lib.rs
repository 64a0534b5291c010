//! The model problems and the lab as functions for a page in a browser.
//!
//! The host writes a command into the buffer that [`input`] returns, calls [`call`], and reads the
//! bytes that it returns; [`output_length`] is their number. A command is a line with a name and up
//! to two numbers, and then the settings, a line `name=value` each. An instance of the program has
//! one run at a time.
//!
//! | command | does | answers with |
//! |---|---|---|
//! | `start` | begins a run with the settings | nothing, or an object with a `message` |
//! | `advance NODES` | continues the run | its progress |
//! | `tree IS_FINISHED` | | the [tree](tree::Tree::snapshot) so far, as bytes of 32-bit numbers |
//! | `labels FROM` | | the labels of the steps from this number on, and the names of hooks |
//! | `look` | draws the node at the end of the setting `path` | the text of an SVG, or nothing |
//! | `estimate PROBES SEED` | estimates the size of the tree | the estimate, or nothing |
//! | `audit` | begins an audit of the setting `audit` | nothing, or a `message` |
//! | `advance-audit INSTANCES` | continues the audit | the verdict so far |
//! | `random-board` | | a random board for the settings, or a `message` |
//!
//! Other answers are JSON.

#[path = "../../cli/src/audit/boards.rs"]
mod boards;
#[path = "../../cli/src/audit/readings.rs"]
mod readings;

mod audit;
mod prefix;
mod problems;
mod search;
mod settings;
mod sweep;
mod tree;

use std::cell::RefCell;

use serde::Serialize;

use audit::Auditing;
use search::Run;
use settings::Settings;

/// The data of the program. It has one thread.
#[derive(Default)]
struct Page {
    input: Vec<u8>,
    output: Vec<u8>,
    run: Option<Run>,
    auditing: Option<Auditing>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Returns a buffer for a command of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| {
        page.input.resize(length, 0);
        page.input.as_mut_ptr()
    })
}

/// Returns the number of bytes of the last output.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    PAGE.with_borrow(|page| page.output.len())
}

/// Executes the command in the input, and returns its output.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> *const u8 {
    PAGE.with_borrow_mut(|page| {
        let text = String::from_utf8_lossy(&page.input).into_owned();
        page.output = page.execute(&text);
        page.output.as_ptr()
    })
}

impl Page {
    fn execute(&mut self, text: &str) -> Vec<u8> {
        let (command, settings) = text.split_once('\n').unwrap_or((text, ""));
        let (settings, mut words) = (Settings::new(settings), command.split(' '));
        let name = words.next();
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0_u64);
        if name == Some("start") {
            return result(problems::start(&settings).map(|run| self.run = Some(run)));
        }
        match (name, &mut self.run, &mut self.auditing) {
            (Some("advance"), Some(run), _) => {
                let mut progress = (run.advance)(number());
                if run.tree.is_full() {
                    progress.stop.get_or_insert_with(|| "limit of 2³¹ nodes and cuts".to_owned());
                }
                json(&progress)
            }
            (Some("tree"), Some(run), _) => {
                let numbers = run.tree.snapshot(number() > 0).into_iter();
                numbers.flat_map(u32::to_le_bytes).collect()
            }
            (Some("labels"), Some(run), _) => {
                json(&(run.tree.labels(number() as usize), &*run.tree.hooks.borrow()))
            }
            (Some("look"), Some(run), _) => json(&(run.look)(settings.path("path"))),
            (Some("estimate"), Some(run), _) => json(&(run.estimate)(number(), number())),
            (Some("audit"), ..) => {
                result(Auditing::new(&settings).map(|begun| self.auditing = Some(begun)))
            }
            (Some("advance-audit"), _, Some(auditing)) => json(auditing.advance(number())),
            (Some("random-board"), ..) => result(problems::random_board(&settings)),
            _ => result(Err::<(), _>(format!("there is no command {command:?} now"))),
        }
    }
}

fn json(answer: &impl Serialize) -> Vec<u8> {
    // Numbers and texts always make JSON.
    serde_json::to_vec(answer).unwrap_or_default()
}

/// Returns an answer, or an object with a `message`.
fn result(answer: Result<impl Serialize, String>) -> Vec<u8> {
    answer.map_or_else(
        |message| json(&serde_json::json!({ "message": message })),
        |answer| json(&answer),
    )
}
