//! The model problems and the lab as functions for a page in a browser.
//!
//! The host writes a text into the buffer that [`input`] returns, calls a function, and reads the
//! bytes that it returns; [`output_length`] is their number. Answers are JSON unless stated
//! otherwise. An instance of the program has one run at a time.

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

/// Calls `act`, and returns the bytes that it stores as output.
fn with_page(act: impl FnOnce(&mut Page)) -> *const u8 {
    PAGE.with_borrow_mut(|page| {
        act(page);
        page.output.as_ptr()
    })
}

impl Page {
    fn settings(&self) -> Settings {
        Settings::new(&String::from_utf8_lossy(&self.input))
    }

    fn answer(&mut self, answer: &impl Serialize) {
        self.output.clear();
        // Numbers and texts always make JSON, and writing to a vector does not fail.
        let _ = serde_json::to_writer(&mut self.output, answer);
    }

    /// Answers with a result; an error is an object with a `message`.
    fn answer_result(&mut self, result: Result<impl Serialize, String>) {
        #[derive(Serialize)]
        struct Wrong {
            message: String,
        }
        match result {
            Ok(answer) => self.answer(&answer),
            Err(message) => self.answer(&Wrong { message }),
        }
    }
}

/// Returns a buffer for an input of so many bytes.
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

/// Begins a run with the settings of the input, one `name=value` per line. Answers with an object
/// that has a `message` if they are wrong.
#[unsafe(no_mangle)]
pub extern "C" fn start() -> *const u8 {
    with_page(|page| {
        let begun = problems::start(&page.settings()).map(|run| page.run = Some(run));
        page.answer_result(begun);
    })
}

/// Continues the run for so many nodes, and answers with its progress.
#[unsafe(no_mangle)]
pub extern "C" fn advance(nodes: u32) -> *const u8 {
    with_page(|page| {
        let progress = page.run.as_mut().map(|run| (run.advance)(nodes.into()));
        page.answer(&progress);
    })
}

/// Returns the tree so far, as 32-bit numbers.
#[unsafe(no_mangle)]
pub extern "C" fn tree(is_finished: bool) -> *const u8 {
    with_page(|page| {
        let numbers = page.run.as_ref().map(|run| run.tree.snapshot(is_finished));
        page.output.clear();
        page.output.extend(numbers.iter().flatten().flat_map(|number| number.to_le_bytes()));
    })
}

/// Answers with the labels of the steps of the tree from this number on, and the names of the
/// hooks.
#[unsafe(no_mangle)]
pub extern "C" fn labels(from: usize) -> *const u8 {
    with_page(|page| {
        let names =
            (page.run.as_ref()).map(|run| (run.tree.labels(from), run.hooks.borrow().clone()));
        page.answer(&names);
    })
}

/// Answers with the picture of the node at the end of the path in the input: numbers with dots
/// between them.
#[unsafe(no_mangle)]
pub extern "C" fn look() -> *const u8 {
    with_page(|page| {
        let path = page.settings().path("path");
        let picture = page.run.as_ref().and_then(|run| (run.look)(path));
        page.answer(&picture);
    })
}

/// Answers with an estimate of the size of the tree from so many random probes.
#[unsafe(no_mangle)]
pub extern "C" fn estimate(probes: u32, seed: u32) -> *const u8 {
    with_page(|page| {
        let size = page.run.as_ref().and_then(|run| (run.estimate)(probes.into(), seed.into()));
        page.answer(&size);
    })
}

/// Begins an audit of the pruning that the settings of the input name.
#[unsafe(no_mangle)]
pub extern "C" fn audit() -> *const u8 {
    with_page(|page| {
        let begun = Auditing::new(&page.settings()).map(|begun| page.auditing = Some(begun));
        page.answer_result(begun);
    })
}

/// Audits so many more instances, and answers with the verdict so far.
#[unsafe(no_mangle)]
pub extern "C" fn advance_audit(instances: u32) -> *const u8 {
    with_page(|page| {
        let mut auditing = page.auditing.take();
        page.answer(&auditing.as_mut().map(|auditing| auditing.advance(instances.into())));
        page.auditing = auditing;
    })
}

/// Answers with a random board for the settings of the input.
#[unsafe(no_mangle)]
pub extern "C" fn random_board() -> *const u8 {
    with_page(|page| {
        let board = problems::random_board(&page.settings());
        page.answer_result(board);
    })
}
