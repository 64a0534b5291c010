//! Writes the lab: a page that runs the problems in a browser.
//!
//! `secateurs lab` and `secateurs lab --help`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::support::{self, Failure};

#[path = "../../lab/src/compact.rs"]
mod compact;
use compact::compact;

/// Writes the lab: a page on which prunings are switched on and off.
///
/// The page runs the engine itself, as WebAssembly: seven problems, each with its prunings, the
/// search tree as it grows, audits and predictions. The folder has the page as one file, lab.html,
/// which opens from disk, and as index.html with separate files, for a file server.
#[derive(Args)]
#[command(after_help = "\
The command compiles the engine of the page from the sources of this program, which takes one to
two minutes the first time. It needs them, cargo, and the target wasm32-unknown-unknown, which this
command installs: rustup target add wasm32-unknown-unknown

  lab                          target/lab/lab.html, to be opened in a browser
  lab --folder public          public/index.html and its files, and public/lab.html")]
pub struct Arguments {
    /// The folder to write
    #[arg(long, value_name = "FOLDER", default_value = "target/lab")]
    folder: PathBuf,
    /// The compiled engine, instead of compiling it
    #[arg(long, value_name = "FILE")]
    engine: Option<PathBuf>,
}

/// The page, its styles and its scripts. Some are those of the pages of recordings.
const PAGE: &str = include_str!("../../web/page/index.html");
const WORKER: &str = include_str!("../../web/page/worker.js");
const STYLE: &str = concat!(
    include_str!("../../lab/src/pages/style.css"),
    include_str!("../../lab/src/recording/page/common.css"),
    include_str!("../../lab/src/recording/page/tree.css"),
    include_str!("../../lab/src/recording/page/contour.css"),
    include_str!("../../web/page/lab.css"),
);
const SCRIPT: &str = concat!(
    include_str!("../../lab/src/recording/page/decode.js"),
    include_str!("../../lab/src/recording/page/pictures.js"),
    include_str!("../../lab/src/recording/page/outcomes.js"),
    include_str!("../../lab/src/recording/page/tree.js"),
    include_str!("../../lab/src/recording/page/outline.js"),
    include_str!("../../lab/src/recording/page/icicle.js"),
    include_str!("../../lab/src/recording/page/layers.js"),
    include_str!("../../web/page/problems.js"),
    include_str!("../../web/page/lab.js"),
);

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| write(&arguments))
}

fn write(Arguments { folder, engine }: &Arguments) -> Result<(), Failure> {
    let engine = match engine {
        Some(file) => read(file)?,
        None => compile()?,
    };
    fs::create_dir_all(folder).map_err(|error| in_file(folder, error))?;
    let (style, script) = (compact(STYLE), compact(SCRIPT));
    let worker = compact(WORKER);
    let worker = format!("<script id=\"worker\" type=\"text/plain\">{worker}</script>\n");
    let page = |style: &str, script: &str| {
        PAGE.replace("<!--style-->", style).replace("<!--scripts-->", &format!("{worker}{script}"))
    };
    let mut compressed = DeflateEncoder::new(Vec::new(), Compression::best());
    compressed.write_all(&engine)?;
    let engine_text = STANDARD.encode(compressed.finish()?);
    let single = page(
        &format!("<style>\n{style}</style>"),
        &format!(
            "<script id=\"engine\" type=\"text/plain\">{engine_text}</script>\n\
             <script>\n{script}</script>"
        ),
    );
    let index =
        page("<link rel=\"stylesheet\" href=\"lab.css\">", "<script src=\"lab.js\"></script>");
    let files: [(&str, &[u8]); 5] = [
        ("lab.html", single.as_bytes()),
        ("index.html", index.as_bytes()),
        ("lab.css", style.as_bytes()),
        ("lab.js", script.as_bytes()),
        ("engine.wasm", &engine),
    ];
    for (name, bytes) in files {
        let file = folder.join(name);
        fs::write(&file, bytes).map_err(|error| in_file(&file, error))?;
    }
    support::print(format_args!(
        "The page: {} ({} bytes), to be opened in a browser.\nFor a file server: {}\n",
        folder.join("lab.html").display(),
        single.len(),
        folder.join("index.html").display()
    ))
}

fn in_file(file: &Path, error: std::io::Error) -> Failure {
    format!("{}: {error}", file.display()).into()
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| in_file(file, error))
}

/// Compiles the engine from the sources of this program.
fn compile() -> Result<Vec<u8>, Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !root.join("crates/web/Cargo.toml").exists() {
        return Err(
            "the sources of this program are gone: expected them in the folder where it was \
                    compiled; try `cargo run --package secateurs-cli -- lab` in a clone of the \
                    repository, or --engine with a compiled one"
                .into(),
        );
    }
    let target = root.join("target/web");
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--locked", "--package", "secateurs-web", "--lib", "--profile", "web"])
        .args(["--target", "wasm32-unknown-unknown", "--target-dir"])
        .arg(&target)
        // The engine gets at most 512 MiB.
        .env("RUSTFLAGS", "-C link-arg=--max-memory=536870912")
        .current_dir(&root)
        .status();
    match status {
        Ok(status) if status.success() => {
            read(&target.join("wasm32-unknown-unknown/web/secateurs_web.wasm"))
        }
        Ok(_) => {
            Err("the engine of the page was not compiled, see above; if the target is missing, \
                      try `rustup target add wasm32-unknown-unknown`"
                .into())
        }
        Err(error) => Err(format!("cargo: {error}; it is needed to compile the page").into()),
    }
}
