//! No file of a library crate imports a file that imports it, directly or through others, and the
//! cluster imports only public items of the engines and those of their executors. The compiler
//! enforces the order of the crates; this is what is left within one.
//!
//! Imports are read as text: the paths in the code, resolved to the file that defines the item.
//! Re-exports (`pub use`) are followed and do not count as imports, so that a `mod.rs` may
//! re-export its children while these use what it defines. A glob import counts as an import of its
//! module. Aliases are not followed: an item of a module that was imported `as` another name is not
//! seen, and a re-export under another name counts as an item of the re-exporting module.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::mem::take;
use std::path::Path;

/// The segments of a path, such as `["crate", "hook", "Node"]`.
type Segments = Vec<String>;

/// A file of the library.
#[derive(Default)]
struct Module {
    imports: BTreeSet<Segments>,
    exports: Vec<Segments>,
    /// The names of public items, submodules and re-exports.
    public: BTreeSet<String>,
}

/// Returns the paths of two or more segments in a text. `a::{b, c::d as e, *}` stands for `a::b`,
/// `a::c::d` and `a::*`.
fn paths(code: &str) -> Vec<Segments> {
    let (mut all, mut path, mut groups) = (Vec::new(), Segments::new(), vec![Segments::new()]);
    let (mut continues, mut is_alias, mut rest) = (false, false, code);
    while let Some(first) = rest.chars().next() {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let is_glob = first == '*' && (continues || path.is_empty());
        let after_part = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        let end = if is_glob { 1 } else { after_part };
        let (token, after) = rest.split_at(end.max(first.len_utf8()));
        rest = after;
        if end > 0 && !take(&mut is_alias) {
            if !take(&mut continues) {
                all.push(std::mem::replace(&mut path, groups.last().cloned().unwrap_or_default()));
            }
            match token {
                "as" => is_alias = true,
                "self" if !path.is_empty() => {}
                _ => path.push(token.to_owned()),
            }
        } else if token == ":" && rest.starts_with(':') {
            (continues, rest) = (true, &rest[1..]);
        } else if token == "{" && take(&mut continues) {
            groups.push(take(&mut path));
        } else if !first.is_whitespace() {
            all.push(take(&mut path));
            match token {
                "{" => groups.push(Segments::new()),
                "}" => drop(groups.pop()),
                _ => {}
            }
        }
    }
    all.push(path);
    all.retain(|path| path.len() > 1);
    all
}

impl Module {
    fn read(text: &str) -> Self {
        let code = text.lines().map(|line| {
            // Without strings and comments.
            let line = line.split('"').step_by(2).collect::<Vec<_>>().join(" ");
            let line = line.split("//").next().unwrap_or_default();
            // In a module within the file, `super` is the file or its own module.
            match line.starts_with("    use super::") {
                true => line.replace("super::", "self::"),
                false => line.to_owned(),
            }
        });
        let code = code.collect::<Vec<_>>().join("\n");
        // The unit tests are at the end.
        let code = ["", "pub(super) "].iter().fold(&code[..], |code, visibility| {
            let tests = format!("#[cfg(test)]\n{visibility}mod tests {{");
            code.split_once(&tests).map_or(code, |(code, _)| code)
        });
        let mut module = Module::default();
        for statement in code.split_inclusive(';') {
            // A re-export begins a line.
            let export = statement.match_indices("use ").find_map(|(at, _)| {
                let start = statement[..at].rfind('\n').map_or(0, |end| end + 1);
                let visibility = statement[start..at].strip_suffix(' ')?;
                let is_whole = visibility.starts_with("pub") && !visibility.contains('{');
                is_whole.then_some((start, visibility))
            });
            let (start, visibility) = export.unwrap_or((statement.len(), ""));
            module.imports.extend(paths(&statement[..start]));
            let exports = paths(&statement[start..]);
            if visibility == "pub" {
                module.public.extend(exports.iter().filter_map(|path| path.last().cloned()));
            }
            module.exports.extend(exports);
        }
        let items = code.lines().filter_map(|line| line.strip_prefix("pub "));
        for item in items.filter(|item| !item.starts_with("use ")) {
            let mut words =
                item.split(|character: char| !character.is_alphanumeric() && character != '_');
            module.public.extend(words.nth(1).map(str::to_owned));
        }
        module
    }
}

/// All modules by path: `[]` is `lib.rs`.
struct Library(BTreeMap<Segments, Module>);

impl Library {
    fn of(sources: &str) -> Self {
        let mut library = Library(BTreeMap::new());
        library.read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(sources), &[]);
        library
    }

    fn read(&mut self, folder: &Path, path: &[String]) {
        for entry in fs::read_dir(folder).expect("a folder of the library") {
            let file = entry.expect("an entry").path();
            let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
            let own = match &*stem {
                "mod" | "lib" => path.to_vec(),
                _ => [path, &[stem]].concat(),
            };
            if file.is_dir() {
                self.read(&file, &own);
            } else if file.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(file).expect("a file of the library");
                self.0.insert(own, Module::read(&text));
            }
        }
    }

    /// Returns the path from the root of the crate, if the path begins there, in module `from` or
    /// with an imported name.
    fn absolute(&self, from: &[String], path: &[String]) -> Option<Segments> {
        let (first, rest) = path.split_first()?;
        let base = match &**first {
            "crate" => Vec::new(),
            "self" => from.to_vec(),
            "super" => from[..from.len().saturating_sub(1)].to_vec(),
            _ if self.0.contains_key(&[from, &path[..1]].concat()) => [from, &path[..1]].concat(),
            _ => {
                let mut imports = self.0[from].imports.iter();
                let is_imported =
                    |path: &&Segments| path[0] != *first && path.last() == Some(first);
                self.absolute(from, imports.find(is_imported)?)?
            }
        };
        Some(rest.iter().fold(base, |mut base, part| {
            match &**part {
                "super" => drop(base.pop()),
                _ => base.push(part.clone()),
            }
            base
        }))
    }

    /// Returns the module that defines the item at the end of an absolute path; `None` if the path
    /// leads to a module. `depth` is the number of re-exports followed so far.
    fn definition(&self, path: &[String], depth: usize) -> Option<Segments> {
        let is_inside = |length: &usize| self.0.contains_key(&path[..*length]);
        let inside = (0..=path.len()).take_while(is_inside).last()?;
        let (module, rest) = path.split_at(inside);
        let mut exports = self.0[module].exports.iter();
        let export = exports.find(|export| depth < 9 && export.last() == rest.first());
        let followed = export.and_then(|export| {
            let export = self.absolute(module, export)?;
            self.definition(&[&export, rest.get(1..)?].concat(), depth + 1)
        });
        followed.or((!rest.is_empty()).then(|| module.to_vec()))
    }

    /// Returns the imports that are left when all modules are removed, again and again, that import
    /// no other one or that no other one imports: those of the cycles. `name` groups modules, and
    /// leaves out those for which it returns `None`.
    fn cycles(&self, name: impl Fn(&[String]) -> Option<String>) -> BTreeSet<(String, String)> {
        let mut left = BTreeSet::new();
        for (own, module) in &self.0 {
            let Some(from) = name(own) else { continue };
            let absolute = module.imports.iter().filter_map(|path| self.absolute(own, path));
            let others = absolute.filter_map(|path| name(&self.definition(&path, 0)?));
            left.extend(others.filter(|to| *to != from).map(|to| (from.clone(), to)));
        }
        loop {
            let (from, to): (BTreeSet<_>, BTreeSet<_>) = left.iter().cloned().unzip();
            let before = left.len();
            left.retain(|(own, other)| to.contains(own) && from.contains(other));
            if left.len() == before {
                return left;
            }
        }
    }
}

/// The sources of the library crates.
const CRATES: [&str; 5] =
    ["src", "crates/cover/src", "crates/csp/src", "crates/lab/src", "crates/problems/src"];

#[test]
fn globs_are_imports_and_modules_of_re_exports_are_not_public() {
    let module = Module::read(
        "use a::{self, b::*, *};\nuse super::*;\npub struct Mouse { of: [crate::c::D; 2] }\n\
         pub use inner::Item;\npub(crate) use inner::Other;\nfn of(x: &u8) -> u8 { *x * e::F }\n",
    );
    let imports: Vec<_> = module.imports.iter().map(|path| path.join("::")).collect();
    assert_eq!(imports, ["a::*", "a::b::*", "crate::c::D", "e::F", "super::*"]);
    let exports: Vec<_> = module.exports.iter().map(|path| path.join("::")).collect();
    assert_eq!(exports, ["inner::Item", "inner::Other"]);
    assert_eq!(module.public, ["Item", "Mouse"].map(str::to_owned).into());
}

#[test]
fn no_file_and_no_module_imports_one_that_imports_it() {
    for library in CRATES.map(Library::of) {
        assert_eq!(library.cycles(|path| Some(path.join("/"))), BTreeSet::new());
        // The children of one folder. A child stands for everything in it.
        let folders = library.0.keys().filter_map(|path| path.split_last());
        for folder in folders.map(|(_, folder)| folder).collect::<BTreeSet<_>>() {
            let child = |path: &[String]| path.strip_prefix(folder)?.first().cloned();
            assert_eq!(library.cycles(child), BTreeSet::new(), "in {folder:?}");
        }
    }
}

#[test]
fn the_cluster_imports_only_what_the_engines_offer() {
    let library = Library::of("src");
    let is_public = |path: &Segments| {
        let mut places =
            (0..path.len()).take_while(|&place| library.0.contains_key(&path[..place]));
        places.all(|place| library.0[&path[..place]].public.contains(&path[place]))
    };
    for (own, module) in &library.0 {
        let paths = module.imports.iter().filter_map(|path| library.absolute(own, path));
        for path in paths.filter(|_| own.first().is_some_and(|top| top == "cluster")) {
            let is_engine = ["plug", "search"].contains(&&*path[0]) && path.len() > 1;
            let is_allowed = !is_engine || path[1] == "executor" || is_public(&path);
            assert!(is_allowed, "{} imports {}", own.join("/"), path.join("::"));
        }
    }
}
