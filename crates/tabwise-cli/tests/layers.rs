//! Checks the order of crates and modules: a crate uses only the crates named here, and a module uses only modules
//! before it in its list. The order of the library is that of ARCHITECTURE.md.

use std::fs;
use std::path::{Path, PathBuf};

/// A crate, the crates of this project that it may use, and its modules in order.
struct Crate {
    name: &'static str,
    uses: &'static [&'static str],
    orders: &'static [Order],
}

/// Submodules of a module in order; the root of the crate is `""`. Submodules of a module without an order may use each
/// other.
struct Order {
    of: &'static str,
    modules: &'static [&'static str],
}

const CRATES: &[Crate] = &[
    Crate { name: "tabwise-weights-1", uses: &[], orders: &[] },
    Crate { name: "tabwise-weights-2", uses: &[], orders: &[] },
    Crate {
        name: "tabwise",
        uses: &["tabwise-weights-1", "tabwise-weights-2"],
        orders: &[Order { of: "", modules: LIBRARY }],
    },
    Crate { name: "tabwise-server", uses: &["tabwise"], orders: &[Order { of: "", modules: SERVER }] },
    Crate {
        name: "tabwise-lab",
        uses: &["tabwise"],
        orders: &[
            Order { of: "", modules: LAB },
            Order { of: "generate", modules: LAB_GENERATE },
            Order { of: "check", modules: LAB_CHECK },
            Order { of: "reproduce", modules: LAB_REPRODUCE },
        ],
    },
    Crate {
        name: "tabwise-cli",
        uses: &["tabwise", "tabwise-server", "tabwise-lab"],
        orders: &[
            Order { of: "", modules: PROGRAM },
            Order { of: "commands", modules: PROGRAM_COMMANDS },
            Order { of: "commands::show", modules: PROGRAM_SHOW },
        ],
    },
    Crate { name: "tabwise-py", uses: &["tabwise"], orders: &[Order { of: "", modules: PYTHON }] },
];

const LIBRARY: &[&str] = &[
    "named",
    "hash",
    "meter",
    "value",
    "words",
    "text",
    "table",
    "graph",
    "profile",
    "formula",
    "execute",
    "explain",
    "sql",
    "engine",
    "question",
    "grammar",
    "features",
    "derivation",
    "settings",
    "model",
    "search",
    "rank",
    "answer",
    "dialogue",
    "evaluate",
    "learn",
];

const SERVER: &[&str] = &[
    "memory",
    "corrections",
    "sandbox",
    "failure",
    "limits",
    "metrics",
    "guard",
    "stream",
    "clients",
    "listen",
    "body",
    "request",
    "description",
    "view",
    "wire",
    "teaching",
    "reply",
    "suggest",
    "desk",
    "worker",
    "work",
    "pool",
    "examples",
    "store",
    "disk",
    "wish",
    "state",
    "assets",
    "tables",
    "ask",
    "routes",
];

const LAB: &[&str] = &[
    "outcome",
    "files",
    "progress",
    "threads",
    "usage",
    "reader",
    "settings",
    "dataset",
    "tagged",
    "annotated",
    "eval",
    "train",
    "alike",
    "corrections",
    "candidates",
    "train_tagger",
    "generate",
    "check",
    "reproduce",
];

const LAB_GENERATE: &[&str] = &[
    "dice",
    "pattern",
    "speech",
    "phrasings",
    "english",
    "columns",
    "records",
    "restyle",
    "tables",
    "fill",
    "question",
    "tests",
];

const LAB_CHECK: &[&str] =
    &["data", "engine", "annotator", "english", "evaluator", "formulas", "readings", "sql", "tables", "values"];

const LAB_REPRODUCE: &[&str] = &["recipe", "plot", "runs", "page", "statistics", "errors", "pages"];

const PROGRAM: &[&str] = &[
    "style", "outcome", "progress", "grid", "hints", "files", "input", "lines", "database", "asker", "picture",
    "report", "commands",
];

const PROGRAM_COMMANDS: &[&str] = &["show", "ask", "chat", "exec", "lab", "manual", "serve", "sql"];

const PROGRAM_SHOW: &[&str] = &["candidates", "features", "graph", "links", "rules", "table"];

const PYTHON: &[&str] = &["error", "value", "stream", "html", "source", "answer", "table", "engine", "read"];

#[test]
fn modules_use_only_those_before_them() {
    let mut wrong = Vec::new();
    for one in CRATES {
        for (module, text) in modules(one) {
            let used = used(&module, &text);
            let against = used.iter().filter(|used| one.orders.iter().any(|order| order.forbids(&module, used)));
            wrong.extend(against.map(|used| format!("{}: {module} uses {used}", one.name)));
        }
    }
    assert!(wrong.is_empty(), "against the order of the modules:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_has_its_place() {
    for one in CRATES {
        let all: Vec<String> = modules(one).into_iter().map(|(module, _)| module).collect();
        for order in one.orders {
            let mut children: Vec<&str> = all.iter().filter_map(|module| order.child(module)).collect();
            children.sort_unstable();
            children.dedup();
            let mut listed = order.modules.to_vec();
            listed.sort_unstable();
            assert_eq!(children, listed, "{} {}: the modules, and those in the order", one.name, order.of);
        }
    }
}

#[test]
fn crates_use_only_those_before_them() {
    let mut found: Vec<String> = fs::read_dir(crates()).expect("a folder can be listed").map(folder_name).collect();
    found.sort();
    let mut known: Vec<&str> = CRATES.iter().map(|one| one.name).collect();
    for (at, one) in CRATES.iter().enumerate() {
        assert!(one.uses.iter().all(|used| known[..at].contains(used)), "{} uses a later crate", one.name);
        for used in dependencies(one) {
            assert!(one.uses.contains(&used.as_str()), "{} must not use {used}", one.name);
        }
    }
    known.sort_unstable();
    assert_eq!(found, known, "every crate has its place");
}

#[test]
fn violations_are_found() {
    let order = Order { of: "", modules: LIBRARY };
    let wrong = |module: &str, text: &str| -> Vec<String> {
        used(module, text).into_iter().filter(|used| order.forbids(module, used)).collect()
    };
    assert_eq!(wrong("table", "use crate::value::Value;"), [""; 0]);
    assert_eq!(
        wrong("table", "use crate::{value::Value, graph::{self, Graph}, rank};"),
        ["graph::self", "graph::Graph", "rank"]
    );
    assert_eq!(wrong("table", "// crate::graph\nlet x = crate::learn::y();"), ["learn::y"]);
    assert_eq!(wrong("table::csv", "use super::html;\nuse super::super::graph::Graph;"), ["graph::Graph"]);
    assert_eq!(wrong("table", "use crate::Graph;"), [""; 0], "items of lib.rs are no modules");
    let inner = Order { of: "commands::show", modules: PROGRAM_SHOW };
    assert!(inner.forbids("commands::show::graph", "commands::show::rules::Args"));
    assert!(inner.forbids("commands::show::graph", "commands::show::Args"), "a part does not use the whole");
    assert!(!inner.forbids("commands::show::rules", "commands::show::graph"));
    assert!(!inner.forbids("commands::show", "commands::show::rules"), "the whole uses its parts");
}

impl Order {
    /// True if a module may not use a path.
    fn forbids(&self, module: &str, used: &str) -> bool {
        let (Some(own), Some(other)) = (self.child(module), self.child(used)) else { return false };
        let place = |name: &str| self.modules.iter().position(|one| *one == name);
        match (place(own), place(other)) {
            (Some(own), Some(other)) => other > own,
            // An item of the module around both. At the root these are what lib.rs exports.
            (Some(_), None) => !self.of.is_empty() && !other.is_empty(),
            (None, _) => false,
        }
    }

    /// The submodule of this order that contains a path.
    fn child<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = match self.of {
            "" => path,
            of => path.strip_prefix(of)?.strip_prefix("::")?,
        };
        below.split("::").next()
    }
}

/// The folder of all crates.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn folder_name(entry: std::io::Result<fs::DirEntry>) -> String {
    entry.expect("an entry can be read").file_name().to_string_lossy().into_owned()
}

/// Crates of this project that a manifest depends on, for building and for tests.
fn dependencies(one: &Crate) -> Vec<String> {
    let manifest = fs::read_to_string(crates().join(one.name).join("Cargo.toml")).expect("a manifest is text");
    let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let tables = kinds.iter().filter_map(|kind| manifest.get(*kind)?.as_table());
    tables.flat_map(|table| table.keys()).filter(|name| name.starts_with("tabwise")).cloned().collect()
}

/// Path and text of each module of a crate, except its root.
fn modules(one: &Crate) -> Vec<(String, String)> {
    let source = crates().join(one.name).join("src");
    let module = |file: PathBuf| {
        let path = file.strip_prefix(&source).expect("it is in the folder").with_extension("");
        let names: Vec<String> = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let names = names.strip_suffix(&["mod".to_owned()]).unwrap_or(&names).join("::");
        (names, fs::read_to_string(&file).expect("a source file is text"))
    };
    rust_files(&source).into_iter().map(module).filter(|(name, _)| name != "lib" && name != "main").collect()
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

/// Paths that a module uses outside of comments, from the root of its crate.
fn used(module: &str, text: &str) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: String = text.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect();
    let above: Vec<&str> = module.split("::").collect();
    let absolute = code.split("crate::").skip(1).flat_map(paths);
    let relative = code.replace("super::super::", "higher::");
    let relative = relative.split("super::").skip(1).flat_map(paths).map(|path| from(&above, 1, &path));
    let higher = code.split("super::super::").skip(1).flat_map(paths).map(|path| from(&above, 2, &path));
    absolute.chain(relative).chain(higher).collect()
}

/// A path that begins `up` modules above a module.
fn from(module: &[&str], up: usize, path: &str) -> String {
    let above = &module[..module.len().saturating_sub(up)];
    above.iter().copied().chain([path]).collect::<Vec<_>>().join("::")
}

/// The paths at the start of a text: one, or those of a group in braces.
fn paths(text: &str) -> Vec<String> {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        return pieces(group).into_iter().flat_map(paths).collect();
    }
    let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    match text[name.len()..].strip_prefix("::") {
        Some(rest) => paths(rest).into_iter().map(|path| format!("{name}::{path}")).collect(),
        None => vec![name],
    }
}

/// The pieces of a group, up to its closing brace.
fn pieces(group: &str) -> Vec<&str> {
    let (mut pieces, mut depth, mut start) = (Vec::new(), 1, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            pieces.push(&group[start..at]);
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    pieces
}
