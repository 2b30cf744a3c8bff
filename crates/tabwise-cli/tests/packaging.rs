//! Checks that what describes a package agrees with the crate: versions, names of archives, the oldest Rust, sizes.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Name of an archive without its ending, as the release workflow makes it.
fn archive(target: &str) -> String {
    format!("tabwise-v{VERSION}-{target}")
}

/// The path of a folder for a test; none is there yet.
fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tabwise-{name}-{}", std::process::id()))
}

/// Runs a script of `packaging` with a folder.
fn run(script: &str, folder: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging").join(script);
    assert!(Command::new(script).arg(folder).status().expect("it is a script").success());
}

/// Largest package that crates.io takes, in bytes.
const LARGEST: u64 = 10_000_000;

#[test]
#[cfg(unix)]
fn packages_are_small_enough_and_have_the_whole_reader() {
    let folder = folder("crates");
    run("crates.sh", &folder);
    let halves = ["tabwise-weights-1", "tabwise-weights-2"]
        .map(|name| std::fs::read(folder.join("crates").join(name).join("part.bin")).expect("it is there"));
    assert!(tabwise::rank::reader::Reader::read(&halves.concat()).is_ok(), "the halves are a reader");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["package", "--workspace", "--exclude", "tabwise-py", "--no-verify", "--offline", "--quiet"]);
    let made = cargo.current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target")).output().expect("it is cargo");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let packages = std::fs::read_dir(folder.join("target/package")).expect("packages were made");
    let packages = packages.map(|entry| entry.expect("it can be listed"));
    let packages: Vec<_> =
        packages.filter(|entry| entry.path().extension().is_some_and(|end| end == "crate")).collect();
    assert_eq!(packages.len(), 6);
    for package in packages {
        let size = package.metadata().expect("it is a file").len();
        assert!(size < LARGEST, "{} has {size} bytes", package.path().display());
    }
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
#[cfg(unix)]
fn manifests_are_of_this_version() {
    let folder = folder("manifests");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    run("fill.sh", &folder);
    let filled = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it was written");
    let scoop: Value = serde_json::from_str(&filled("tabwise.json")).expect("it is JSON");
    assert_eq!((&scoop["version"], &scoop["homepage"]), (&VERSION.into(), &env!("CARGO_PKG_REPOSITORY").into()));
    let windows = archive("x86_64-pc-windows-msvc");
    let build = &scoop["architecture"]["64bit"];
    assert_eq!(build["extract_dir"], windows.as_str());
    assert!(build["url"].as_str().is_some_and(|url| url.ends_with(&format!("/v{VERSION}/{windows}.zip"))));
    let brew = filled("tabwise.rb");
    assert!(brew.contains(&format!("/v{VERSION}.tar.gz")) && !brew.contains('@'), "{brew}");
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn archives_are_called_as_the_workflow_calls_them() {
    let workflow = read(".github/workflows/release.yml");
    assert!(workflow.contains("name=\"tabwise-$GITHUB_REF_NAME-${{ matrix.target }}\""));
    assert!(workflow.contains("x86_64-pc-windows-msvc"));
    let manifest: toml::Table = toml::from_str(&read("crates/tabwise-cli/Cargo.toml")).expect("it is TOML");
    let binstall = &manifest["package"]["metadata"]["binstall"];
    let url = binstall["pkg-url"].as_str().expect("it is text");
    assert!(url.ends_with("/v{ version }/tabwise-v{ version }-{ target }{ archive-suffix }"), "{url}");
    assert_eq!(binstall["bin-dir"].as_str(), Some("tabwise-v{ version }-{ target }/{ bin }{ binary-ext }"));
}

#[test]
fn the_image_is_built_with_the_oldest_rust_and_runs_as_nobody() {
    let manifest: toml::Table = toml::from_str(&read("Cargo.toml")).expect("it is TOML");
    let oldest = manifest["workspace"]["package"]["rust-version"].as_str().expect("it is text");
    let image = read("Dockerfile");
    assert!(
        image.contains(&format!("FROM rust:{oldest}-slim-bookworm")),
        "the image should be built with Rust {oldest}"
    );
    assert!(image.lines().any(|line| line == "USER 65534:65534"));
}
