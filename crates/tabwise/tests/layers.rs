//! Data flows one way: a module of the library uses only itself and the modules before it in this list, which is that of
//! ARCHITECTURE.md.

use std::fs;
use std::path::{Path, PathBuf};

const ORDER: &[&str] = &[
    "value",
    "words",
    "text",
    "table",
    "graph",
    "formula",
    "execute",
    "question",
    "settings",
    "grammar",
    "derivation",
    "model",
    "features",
    "parse",
    "confidence",
    "explain",
    "answer",
    "evaluate",
    "learn",
];

#[test]
fn modules_use_only_those_before_them() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for file in rust_files(&source) {
        let path = file.strip_prefix(&source).expect("it is in the folder");
        let first = path.components().next().expect("a file has a name").as_os_str().to_string_lossy();
        let module = first.trim_end_matches(".rs");
        if module != "lib" {
            let text = fs::read_to_string(&file).expect("a source file is text");
            wrong.extend(violations(module, &text).iter().map(|used| format!("{} uses crate::{used}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "against the order of the modules:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_has_its_place() {
    let library = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).expect("lib.rs is text");
    let modules = library.lines().filter_map(|line| line.trim().trim_start_matches("pub ").strip_prefix("mod "));
    for module in modules.map(|module| module.trim_end_matches(';')) {
        assert!(ORDER.contains(&module), "the module {module} has no place in the order");
    }
}

#[test]
fn violations_are_found() {
    assert_eq!(violations("table", "use crate::value::Value;"), [""; 0]);
    assert_eq!(violations("table", "use crate::{value::Value, graph::{self, Graph}, parse};"), ["graph", "parse"]);
    assert_eq!(violations("table", "// crate::graph\nlet x = crate::learn::y();"), ["learn"]);
    assert_eq!(violations("table", "use crate::Graph;"), [""; 0], "items of lib.rs are no modules");
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("an entry can be read").path();
        match path.is_dir() {
            true => files.extend(rust_files(&path)),
            false if path.extension().is_some_and(|ending| ending == "rs") => files.push(path),
            false => {}
        }
    }
    files.sort();
    files
}

/// The modules that a module uses although they come after it.
fn violations(module: &str, text: &str) -> Vec<String> {
    let place = |name: &str| ORDER.iter().position(|one| *one == name);
    let own = place(module).unwrap_or_else(|| panic!("the module {module} has no place in the order"));
    used(text).into_iter().filter(|name| place(name).is_some_and(|used| used > own)).collect()
}

/// The names that stand right after `crate::`, comments aside.
fn used(text: &str) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: String = text.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect();
    code.split("crate::").skip(1).flat_map(names).collect()
}

fn names(after: &str) -> Vec<String> {
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = after.strip_prefix('{') else { return vec![name(after)] };
    let (mut names, mut depth, mut start) = (Vec::new(), 1, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => {
                names.push(name(&group[start..]));
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            names.push(name(&group[start..]));
            break;
        }
    }
    names
}
