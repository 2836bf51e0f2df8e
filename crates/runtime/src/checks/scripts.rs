//! Checks whose meaning a file of the tree decides: package scripts, just and make. Their hash is
//! part of what a person approves, so that `"test": "true"` written later is seen.

use serde_json::{Map, Value};

use super::check::{Check, Level, Parser};
use super::detect::Place;
use crate::tree::Hash;

/// What `npm init` writes where no tests are.
const STUB: &str = "no test specified";

/// Lint, type check and test of `package.json`, where the scripts are there.
pub(super) fn package(place: &Place) -> Vec<Check> {
    let Some(manifest) = manifest(place) else { return Vec::new() };
    let Some(Value::Object(scripts)) = manifest.get("scripts") else { return Vec::new() };
    let manager = manager(place, &manifest);
    // `bun test` is a runner of its own and not the script.
    let test = if manager == "bun" { "run test" } else { "test" };
    let rows = [
        ("lint", "run lint", Level::Static),
        ("typecheck", "run typecheck", Level::Static),
        ("test", test, Level::Test),
    ];
    let mut checks = Vec::new();
    for (name, command, level) in rows {
        let Some(Value::String(script)) = scripts.get(name) else { continue };
        if script.trim().is_empty() || (name == "test" && script.contains(STUB)) {
            continue;
        }
        let mut check = place.check(&format!("{manager} {command}"), level, Parser::Auto);
        check.definition_hash = Some(definition(scripts, name));
        checks.push(check);
    }
    checks
}

fn manifest(place: &Place) -> Option<Map<String, Value>> {
    place.bytes("package.json").and_then(|bytes| serde_json::from_slice(&bytes).ok())
}

/// What the script means that these words of a package manager start; none if they start none.
pub(super) fn of_words(place: &Place, words: &[String]) -> Option<String> {
    let manifest = manifest(place)?;
    let scripts = manifest.get("scripts")?.as_object()?;
    let words = match words.split_first() {
        Some((run, rest)) if ["run", "run-script"].contains(&run.as_str()) => rest,
        Some(_) | None => words,
    };
    let name = words.iter().find(|word| scripts.contains_key(*word))?;
    Some(definition(scripts, name))
}

fn manager(place: &Place, manifest: &Map<String, Value>) -> &'static str {
    const KNOWN: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
    let named = manifest.get("packageManager").and_then(Value::as_str);
    let named = named.and_then(|text| text.split('@').next());
    if let Some(known) = KNOWN.into_iter().find(|known| Some(*known) == named) {
        return known;
    }
    let locks = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
    ];
    locks.into_iter().find(|(lock, _)| place.has(lock)).map_or("npm", |(_, manager)| manager)
}

/// A script with those that run before and after it.
fn definition(scripts: &Map<String, Value>, name: &str) -> String {
    let parts: Vec<Value> = [format!("pre{name}"), name.to_owned(), format!("post{name}")]
        .iter()
        .map(|name| scripts.get(name).cloned().unwrap_or(Value::Null))
        .collect();
    Hash::of(Value::Array(parts).to_string().as_bytes()).to_string()
}

/// What reads recipes.
#[derive(Clone, Copy)]
pub(super) enum Tool {
    Just,
    Make,
}

impl Tool {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Just => "just",
            Self::Make => "make",
        }
    }

    /// The files it looks for, first one first.
    const fn files(self) -> [&'static str; 2] {
        match self {
            Self::Just => ["justfile", "Justfile"],
            Self::Make => ["GNUmakefile", "Makefile"],
        }
    }

    /// Every file that it reads by itself, first one first.
    pub(super) const fn reads(self) -> &'static [&'static str] {
        match self {
            Self::Just => &["justfile", "Justfile", ".justfile"],
            Self::Make => &["GNUmakefile", "makefile", "Makefile"],
        }
    }

    /// Whether a line is the head of this recipe, and not a variable or a command.
    fn defines(self, line: &str, recipe: &str) -> bool {
        if line.starts_with([' ', '\t', '#']) {
            return false;
        }
        let Some((head, rest)) = line.split_once(':') else { return false };
        if rest.starts_with('=') || rest.starts_with(":=") {
            return false;
        }
        let mut words = head.split_whitespace();
        match self {
            // The other words are parameters, perhaps with values.
            Self::Just => words.next().map(|word| word.trim_start_matches('@')) == Some(recipe),
            // Every word is a target, unless the colon stands in a value.
            Self::Make => !head.contains('=') && words.any(|word| word == recipe),
        }
    }
}

/// Lint, check and test of a justfile or makefile, where the recipes are there.
pub(super) fn recipes(place: &Place) -> Vec<Check> {
    let mut checks = Vec::new();
    for tool in [Tool::Just, Tool::Make] {
        let Some(file) = tool.files().into_iter().find(|name| place.has(name)) else { continue };
        let text = place.text(file).unwrap_or_default();
        let rows = [("lint", Level::Static), ("check", Level::Static), ("test", Level::Test)];
        for (recipe, level) in rows {
            if text.lines().any(|line| tool.defines(line, recipe)) {
                let command = format!("{} {recipe}", tool.name());
                let mut check = place.check(&command, level, Parser::Auto);
                check.definition_hash = place.hash(file);
                checks.push(check);
            }
        }
    }
    checks
}
