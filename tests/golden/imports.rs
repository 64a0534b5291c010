//! No file of a library crate imports a file that imports it, directly or through others, and the
//! cluster imports only public items of the engines and those of their executors.
//!
//! Imports are read as text: `use` declarations and qualified paths, resolved to the file that
//! defines the item. Re-exports (`pub use`) are followed and do not count as imports, so that a
//! `mod.rs` may re-export its children while these use what it defines.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;
use std::slice;

/// The segments of a path, such as `["crate", "hook", "Node"]`.
type Segments = Vec<String>;

/// A file of the library.
struct Module {
    file: String,
    /// The code without comments, strings and unit tests.
    code: String,
    /// The paths that `use` declarations import, with the names that they introduce.
    imports: Vec<(Segments, String)>,
    /// The re-exports: each name with its path.
    exports: Vec<(Segments, String)>,
    /// The names of public items, submodules and re-exports.
    public: BTreeSet<String>,
}

/// Removes comments, string literals, the character literals `'"'` and `'/'`, and the unit tests at
/// the end.
fn stripped(text: &str) -> String {
    let text = ["", "pub(super) "].iter().fold(text, |text, visibility| {
        let tests = format!("#[cfg(test)]\n{visibility}mod tests {{");
        text.split_once(&tests).map_or(text, |(code, _)| code)
    });
    let (mut code, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            raw.find("\"#").map_or(rest.len(), |end| end + 5)
        } else if first == '"' {
            let mut end = 1;
            while end < rest.len() && !rest[end..].starts_with('"') {
                end += if rest[end..].starts_with('\\') { 1 } else { 0 };
                end += rest[end..].chars().next().map_or(1, char::len_utf8);
            }
            end + 1
        } else if rest.starts_with("'\"'") || rest.starts_with("'/'") {
            3
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        rest = rest.get(skipped..).unwrap_or_default();
    }
    code
}

/// Makes paths in inline modules relative to their file: `super::` becomes `self::`.
fn with_flat_modules(code: &str) -> String {
    let (mut flat, mut depth, mut inline): (String, usize, Option<usize>) =
        (String::new(), 0, None);
    for line in code.lines() {
        let declared =
            line.trim_start().trim_start_matches("pub(crate) ").trim_start_matches("pub ");
        if inline.is_none() && declared.starts_with("mod ") && line.trim_end().ends_with('{') {
            inline = Some(depth);
        }
        flat += &if inline.is_some() { line.replace("super::", "self::") } else { line.to_owned() };
        flat.push('\n');
        depth = depth + line.matches('{').count() - line.matches('}').count();
        inline = inline.filter(|&outer| depth > outer);
    }
    flat
}

/// Expands `a::{b, c::d as e}` into the paths `a::b` and `a::c::d` with the names `b` and `e`.
fn expand(prefix: &[String], tree: &str, paths: &mut Vec<(Segments, String)>) {
    let tree = tree.trim();
    if let Some((head, group)) = tree.split_once('{') {
        let mut prefix = prefix.to_vec();
        prefix.extend(
            head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned),
        );
        let group = group.trim_end().strip_suffix('}').unwrap_or(group);
        let (mut depth, mut start) = (0, 0);
        for (at, character) in group.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&prefix, &group[start..at], paths);
                    start = at + 1;
                }
                _ => {}
            }
        }
        expand(&prefix, &group[start..], paths);
    } else if !tree.is_empty() {
        let (path, name) =
            tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
        let mut path: Segments = prefix
            .iter()
            .cloned()
            .chain(path.split("::").map(|part| part.trim().to_owned()))
            .collect();
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name =
            name.map(str::trim).or(path.last().map(String::as_str)).unwrap_or_default().to_owned();
        paths.push((path, name));
    }
}

/// Returns the name in a declaration such as `const fn name(…)`.
fn declared_name(declaration: &str) -> Option<&str> {
    const KEYWORDS: [&str; 9] =
        ["const", "enum", "fn", "macro", "mod", "static", "struct", "trait", "type"];
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut words =
        declaration.split(|character| !is_part(character)).filter(|word| !word.is_empty());
    words.find(|word| !KEYWORDS.contains(word))
}

impl Module {
    fn read(file: String, text: &str) -> Self {
        let (imports, exports, public) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut module = Module { file, code: String::new(), imports, exports, public };
        let code = with_flat_modules(&stripped(text));
        let mut rest = code.as_str();
        // A declaration begins a line, after its visibility.
        while let Some(at) = rest.find("use ") {
            let line = rest[..at].rfind('\n').map_or(0, |end| end + 1);
            let visibility = rest[line..at].trim();
            let is_declaration = visibility.is_empty()
                || (visibility.starts_with("pub") && !visibility.contains('{'));
            match rest[at..].find(';') {
                Some(end) if is_declaration => {
                    let paths = if visibility.is_empty() {
                        &mut module.imports
                    } else {
                        &mut module.exports
                    };
                    let before = paths.len();
                    expand(&[], &rest[at + 4..at + end], paths);
                    if visibility == "pub" {
                        module.public.extend(paths[before..].iter().map(|(_, name)| name.clone()));
                    }
                    module.code.push_str(&rest[..line]);
                    rest = &rest[at + end + 1..];
                }
                _ => {
                    module.code.push_str(&rest[..at + 4]);
                    rest = &rest[at + 4..];
                }
            }
        }
        module.code.push_str(rest);
        let items = module.code.lines().filter_map(|line| line.strip_prefix("pub "));
        module.public.extend(items.filter_map(declared_name).map(str::to_owned));
        module
    }

    /// Returns the paths of two or more segments in the code.
    fn qualified(&self) -> BTreeSet<Segments> {
        let is_part =
            |character: char| character.is_alphanumeric() || character == '_' || character == ':';
        let words = self.code.split(|character| !is_part(character));
        let paths = words.map(|word| {
            word.trim_matches(':').split("::").map(str::to_owned).collect::<Segments>()
        });
        paths.filter(|path| path.len() > 1 && path.iter().all(|part| !part.is_empty())).collect()
    }
}

/// All modules by path: `[]` is `lib.rs`.
struct Library(BTreeMap<Segments, Module>);

impl Library {
    fn read(folder: &Path, path: &[String], modules: &mut BTreeMap<Segments, Module>) {
        for entry in fs::read_dir(folder).expect("a folder of the library") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a name in Unicode");
            if entry.path().is_dir() {
                Self::read(&entry.path(), &[path, &[name]].concat(), modules);
            } else if let Some(stem) = name.strip_suffix(".rs") {
                let own = match stem {
                    "mod" | "lib" => path.to_vec(),
                    _ => [path, &[stem.to_owned()]].concat(),
                };
                let file = [path, slice::from_ref(&name)].concat().join("/");
                let text = fs::read_to_string(entry.path()).expect("a file of the library");
                modules.insert(own, Module::read(file, &text));
            }
        }
    }

    /// Returns the module whose file defines the item at the end of `path`, which is resolved in
    /// module `from`; `None` if the path leads to another crate or to a module. `depth` is the
    /// number of imports and re-exports followed so far.
    fn definition(&self, from: &[String], path: &[String], depth: usize) -> Option<Segments> {
        let mut at: Segments = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => from.to_vec(),
            "super" => from[..from.len().saturating_sub(1)].to_vec(),
            first => {
                let child = [from, &[first.to_owned()]].concat();
                if self.0.contains_key(&child) {
                    child
                } else {
                    // The name of a module that a `use` declaration imports.
                    let imports = &self.0.get(from)?.imports;
                    let (module, _) =
                        imports.iter().find(|(path, name)| name == first && path[0] != *first)?;
                    return self.definition(from, &[module, &path[1..]].concat(), depth + 1);
                }
            }
        };
        for (index, part) in path.iter().enumerate().skip(1) {
            let child = [&at[..], slice::from_ref(part)].concat();
            if part == "super" {
                at.pop();
            } else if self.0.contains_key(&child) {
                at = child;
            } else {
                let exports = &self.0.get(&at)?.exports;
                let export = exports.iter().find(|(_, name)| name == part);
                return match export {
                    Some((export, _)) if depth < 9 => {
                        let whole = [export, &path[index + 1..]].concat();
                        self.definition(&at, &whole, depth + 1).or(Some(at))
                    }
                    _ => Some(at),
                };
            }
        }
        None
    }

    /// Returns the path from the root of the library if `path` begins with `crate` or with an
    /// imported name.
    fn absolute(&self, from: &[String], path: &[String]) -> Option<Segments> {
        let (first, rest) = path.split_first()?;
        if first == "crate" {
            return Some(rest.to_vec());
        }
        let (module, _) = self.0.get(from)?.imports.iter().find(|(_, name)| name == first)?;
        (module.first()? == "crate").then(|| [&module[1..], rest].concat())
    }

    /// Returns whether an absolute path names a public item.
    fn is_public(&self, path: &[String]) -> bool {
        let mut at: Segments = Vec::new();
        for part in path {
            let Some(module) = self.0.get(&at) else { return true };
            if !module.public.contains(part) {
                return false;
            }
            at.push(part.clone());
        }
        true
    }

    /// Returns, for each module, the modules whose items it imports.
    fn imports(&self) -> BTreeMap<&Segments, BTreeSet<Segments>> {
        let imports_of = |own: &Segments, module: &Module| -> BTreeSet<Segments> {
            let declared = module.imports.iter().map(|(path, _)| path.clone());
            let all = declared.chain(module.qualified());
            let defined = all.filter_map(|path| self.definition(own, &path, 0));
            defined.filter(|other| other != own).collect()
        };
        self.0.iter().map(|(own, module)| (own, imports_of(own, module))).collect()
    }
}

/// Returns a shortest cycle through `start`, if there is one.
fn cycle<T: Clone + Ord>(start: &T, imports: &BTreeMap<T, BTreeSet<T>>) -> Option<Vec<T>> {
    let mut reached: BTreeMap<T, T> = BTreeMap::new();
    let mut open = VecDeque::from([start.clone()]);
    while let Some(module) = open.pop_front() {
        for next in imports.get(&module).into_iter().flatten() {
            if next == start {
                let mut path = vec![module.clone()];
                while path.last() != Some(start) {
                    path.push(reached[path.last().expect("not empty")].clone());
                }
                path.reverse();
                return Some(path);
            }
            if !reached.contains_key(next) {
                reached.insert(next.clone(), module.clone());
                open.push_back(next.clone());
            }
        }
    }
    None
}

/// Returns a shortest cycle through each file that is on one, as lines without duplicates.
fn cycles(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for start in imports.keys() {
        if let Some(mut files) = cycle(start, imports) {
            // The same cycle is found from each of its members.
            let first = files.iter().enumerate().min_by_key(|(_, file)| *file);
            let first = first.map_or(0, |(index, _)| index);
            files.rotate_left(first);
            found.insert(files);
        }
    }
    found.into_iter().map(|files| files.join(" → ")).collect()
}

/// The sources of the library crates.
const CRATES: [&str; 5] =
    ["src", "crates/cover/src", "crates/csp/src", "crates/lab/src", "crates/problems/src"];

fn library(sources: &str) -> Library {
    let mut modules = BTreeMap::new();
    Library::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(sources), &[], &mut modules);
    Library(modules)
}

#[test]
fn no_file_imports_a_file_that_imports_it() {
    for library in CRATES.map(library) {
        let file = |module: &Segments| library.0[module].file.clone();
        let imports = library.imports();
        let by_file = |(own, others): (&&Segments, &BTreeSet<Segments>)| {
            (file(own), others.iter().map(file).collect())
        };
        let cycles = cycles(&imports.iter().map(by_file).collect());
        assert!(cycles.is_empty(), "{} import cycles:\n{}", cycles.len(), cycles.join("\n"));
    }
}

#[test]
fn no_module_imports_a_module_that_imports_it() {
    for library in CRATES.map(library) {
        let found = cycles_of_modules(&library);
        assert!(found.is_empty(), "{} import cycles:\n{}", found.len(), found.join("\n"));
    }
}

fn cycles_of_modules(library: &Library) -> Vec<String> {
    let all_imports = library.imports();
    let mut found = Vec::new();
    // The children of one folder are compared with each other. A child stands for everything in it.
    let folders: BTreeSet<&[String]> =
        library.0.keys().filter_map(|path| path.split_last()).map(|(_, folder)| folder).collect();
    for folder in folders {
        let child = |path: &Segments| {
            let inside = path.starts_with(folder).then(|| path.get(folder.len())).flatten();
            inside.map(|child| [folder, slice::from_ref(child)].concat().join("/"))
        };
        let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (own, others) in &all_imports {
            let Some(own) = child(own) else { continue };
            let others: Vec<String> = others.iter().filter_map(child).collect();
            let others = others.into_iter().filter(|other| *other != own);
            imports.entry(own.clone()).or_default().extend(others);
        }
        found.extend(cycles(&imports));
    }
    found
}

#[test]
fn the_cluster_imports_only_what_the_engines_offer() {
    let library = library("src");
    let mut found = Vec::new();
    let on_top = |path: &Segments| path.first().is_some_and(|top| top == "cluster");
    for (own, module) in library.0.iter().filter(|(path, _)| on_top(path)) {
        let declared = module.imports.iter().map(|(path, _)| path.clone());
        for path in declared.chain(module.qualified()) {
            let Some(path) = library.absolute(own, &path) else { continue };
            let [engine, item, ..] = &path[..] else { continue };
            let is_engine = engine == "plug" || engine == "search";
            if is_engine && item != "executor" && !library.is_public(&path) {
                found.push(format!("{} imports {}", module.file, path.join("::")));
            }
        }
    }
    assert!(found.is_empty(), "{} imports of internals:\n{}", found.len(), found.join("\n"));
}
