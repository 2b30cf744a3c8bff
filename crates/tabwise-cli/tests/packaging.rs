//! Checks that what describes a package agrees with the crate: versions, names of archives, the oldest Rust.

use serde_json::Value;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Name of an archive without its ending, as the release workflow makes it.
fn archive(target: &str) -> String {
    format!("tabwise-v{VERSION}-{target}")
}

#[test]
#[cfg(unix)]
fn manifests_are_of_this_version() {
    let folder = std::env::temp_dir().join(format!("tabwise-packaging-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/fill.sh");
    let filled = std::process::Command::new(script).arg(&folder).status().expect("it is a script");
    assert!(filled.success());
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
    assert!(image.contains(&format!("FROM rust:{oldest}-alpine")), "the image should be built with Rust {oldest}");
    assert!(image.lines().any(|line| line == "USER 65534:65534"));
}
