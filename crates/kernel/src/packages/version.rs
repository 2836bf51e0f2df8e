//! The version that an entry of the changelog goes under: the first source that says one. What the
//! sources hold is read elsewhere.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::words::pair;

/// What stands where nothing says a version.
pub const FIRST: &str = "0.1.0";

/// How far a change goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bump {
    /// It breaks something.
    Major,
    /// It adds something.
    Minor,
    /// Anything else.
    Patch,
}

/// What each source says; none where it is absent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sources<'a> {
    /// What the person said.
    pub given: Option<&'a str>,
    /// The manifest, with its name.
    pub manifest: Option<(&'a str, &'a str)>,
    /// The newest tag.
    pub tag: Option<&'a str>,
    /// The newest version of the changelog.
    pub changelog: Option<&'a str>,
    /// Whether tags come before manifests here.
    pub tags_first: bool,
}

/// A version, and what was passed over on the way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The version.
    pub version: String,
    /// Sources whose version is none.
    pub passed: Vec<String>,
}

/// Three numbers, or nothing.
#[must_use]
pub fn numbers(text: &str) -> Option<[u64; 3]> {
    let mut parts = text.split('.').map(|part| {
        let plain = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u64>().ok().filter(|_| plain)
    });
    let found = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(found)
}

/// The first that fits.
#[must_use]
pub fn choose(sources: &Sources<'_>, bump: Bump) -> Chosen {
    let tag = sources.tag.map(|tag| ("tag", tag.strip_prefix('v').unwrap_or(tag)));
    let order = match sources.tags_first {
        true => [tag, sources.manifest],
        false => [sources.manifest, tag],
    };
    let mut passed = Vec::new();
    for (source, text) in
        [sources.given.map(|given| ("given", given)), order[0], order[1]].into_iter().flatten()
    {
        if numbers(text).is_some() {
            return Chosen { version: text.to_string(), passed };
        }
        passed.push(format!("{source}: {text}"));
    }
    let version = match sources.changelog.and_then(numbers) {
        Some(last) => bumped(last, bump),
        None => FIRST.to_string(),
    };
    Chosen { version, passed }
}

fn bumped([major, minor, patch]: [u64; 3], bump: Bump) -> String {
    match bump {
        Bump::Major => format!("{}.0.0", major + 1),
        Bump::Minor => format!("{major}.{}.0", minor + 1),
        Bump::Patch => format!("{major}.{minor}.{}", patch + 1),
    }
}

/// The manifests that are looked at, in that order.
pub const MANIFESTS: [&str; 4] = ["package.json", "pyproject.toml", "Cargo.toml", "pubspec.yaml"];

/// The version that a manifest of that name says.
#[must_use]
pub fn of_manifest(name: &str, text: &str) -> Option<String> {
    match name {
        "package.json" => {
            let value: serde_json::Value = serde_json::from_str(text).ok()?;
            value.get("version")?.as_str().map(ToString::to_string)
        }
        "pyproject.toml" => toml_version(text, &["[project]", "[tool.poetry]"]),
        "Cargo.toml" => toml_version(text, &["[package]", "[workspace.package]"]),
        "pubspec.yaml" => text.lines().find_map(|line| {
            let (key, value) = pair(line).filter(|_| !line.starts_with([' ', '\t']))?;
            (key == "version").then(|| value.trim_matches(['"', '\'']).to_string())
        }),
        _ => None,
    }
}

/// The version of the first of these tables that has one.
fn toml_version(text: &str, tables: &[&str]) -> Option<String> {
    let of = |table: &&str| {
        let mut inside = false;
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                inside = line.split('#').next().unwrap_or_default().trim() == *table;
                continue;
            }
            let Some((key, value)) = line.split_once('=').filter(|_| inside) else { continue };
            if key.trim() == "version" {
                let value = value.split('#').next().unwrap_or_default().trim();
                return Some(value.trim_matches(['"', '\'']).to_string());
            }
        }
        None
    };
    tables.iter().find_map(of)
}
