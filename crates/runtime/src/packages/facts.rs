//! What can be found out about a project without asking anybody: whether there is anything to work
//! on, languages by endings, manifests, modules by directories, packages that wait.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use kernel::packages::kb;
use kernel::packages::name::Name;
use kernel::packages::template::Facts;
use kernel::packages::version;

use super::carry::Scene;
use super::place::KbRoot;
use crate::files::always_ignored;

/// Enough to know what a project is written in.
const FILES_MAX: usize = 20_000;
/// Directories below directories.
const DEPTH_MAX: usize = 8;
/// Where modules are kept, one directory each.
const GROUPS: [&str; 5] = ["crates", "packages", "apps", "libs", "modules"];

/// Bytes of a file that are looked at for what no text has.
const LOOKED_BYTES: u64 = 8 << 10;

const LANGUAGES: [(&str, &str); 29] = [
    ("rs", "Rust"),
    ("py", "Python"),
    ("ts", "TypeScript"),
    ("tsx", "TypeScript"),
    ("js", "JavaScript"),
    ("jsx", "JavaScript"),
    ("go", "Go"),
    ("java", "Java"),
    ("kt", "Kotlin"),
    ("c", "C"),
    ("cc", "C++"),
    ("cpp", "C++"),
    ("cs", "C#"),
    ("rb", "Ruby"),
    ("php", "PHP"),
    ("swift", "Swift"),
    ("dart", "Dart"),
    ("sh", "Shell"),
    ("vue", "Vue"),
    ("svelte", "Svelte"),
    ("scala", "Scala"),
    ("ex", "Elixir"),
    ("exs", "Elixir"),
    ("lua", "Lua"),
    ("hs", "Haskell"),
    ("zig", "Zig"),
    ("sql", "SQL"),
    ("html", "HTML"),
    ("css", "CSS"),
];

/// Manifests besides those that name a version.
const MANIFESTS: [&str; 7] = [
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "deno.json",
    "CMakeLists.txt",
];

/// Endings of documents, settings and data: text, and yet nothing that is built or run.
const NO_SOURCE: [&str; 24] = [
    "md",
    "mdx",
    "markdown",
    "rst",
    "adoc",
    "org",
    "txt",
    "json",
    "jsonl",
    "yaml",
    "yml",
    "toml",
    "xml",
    "ini",
    "cfg",
    "conf",
    "env",
    "properties",
    "csv",
    "tsv",
    "log",
    "lock",
    "svg",
    "bak",
];

/// Documents that have no ending.
const PAPERS: [&str; 8] =
    ["README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CHANGELOG", "CHANGES"];

/// The facts of a workspace.
#[must_use]
pub fn facts(workspace: &Path, base: &KbRoot, pending: usize, checks: &[String]) -> Facts {
    let mut count: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut left = FILES_MAX;
    counted(workspace, base.path.as_str(), DEPTH_MAX, &mut left, &mut count);
    let mut languages: Vec<(&str, usize)> = count.into_iter().collect();
    languages.sort_by_key(|(_, files)| std::cmp::Reverse(*files));
    let project = workspace.file_name().map(|name| name.to_string_lossy().into_owned());
    Facts {
        project: project.unwrap_or_default(),
        languages: languages.into_iter().map(|(name, _)| name.to_owned()).collect(),
        manifests: manifests(workspace).map(str::to_owned).collect(),
        modules: modules(workspace, base),
        pending,
        checks: checks.to_vec(),
    }
}

fn manifests(workspace: &Path) -> impl Iterator<Item = &'static str> {
    let all = version::MANIFESTS.into_iter().chain(MANIFESTS);
    all.filter(|name| workspace.join(name).is_file())
}

/// Whether there is anything to work on: a manifest, or a text that is neither a document nor
/// settings nor data. In which language it is written, and whether we know it, is another question.
#[must_use]
pub fn has_source(workspace: &Path, base: &KbRoot) -> bool {
    let mut left = FILES_MAX;
    manifests(workspace).next().is_some() || source_below(workspace, "", base, DEPTH_MAX, &mut left)
}

fn source_below(dir: &Path, path: &str, base: &KbRoot, depth: usize, left: &mut usize) -> bool {
    entries(dir).into_iter().any(|(name, is_dir)| {
        *left = left.saturating_sub(1);
        let path = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
        let outside = name.starts_with('.') || always_ignored(name.as_bytes());
        if *left == 0 || outside || path == base.path.as_str() {
            return false;
        }
        let here = dir.join(&name);
        match is_dir {
            true => depth > 0 && source_below(&here, &path, base, depth - 1, left),
            false => may_be_source(&name) && is_text(&here),
        }
    })
}

fn may_be_source(name: &str) -> bool {
    match name.rsplit_once('.') {
        Some((_, ending)) => !NO_SOURCE.contains(&ending.to_ascii_lowercase().as_str()),
        None => !PAPERS.contains(&name.to_ascii_uppercase().as_str()),
    }
}

/// Whether a file's beginning holds nothing that no text has.
fn is_text(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read =
        std::fs::File::open(path).and_then(|file| file.take(LOOKED_BYTES).read_to_end(&mut bytes));
    read.is_ok() && !bytes.contains(&0)
}

/// The facts of what an operation is planned from.
pub(super) fn of_scene(scene: &Scene<'_>, checks: &[String]) -> Facts {
    let pending = scene.shelf.dirs(kb::PLAN).iter().filter(|it| Name::parse(it).is_some()).count();
    facts(scene.workspace, scene.base, pending, checks)
}

fn counted(
    dir: &Path,
    skip: &str,
    depth: usize,
    left: &mut usize,
    count: &mut BTreeMap<&'static str, usize>,
) {
    for (name, is_dir) in entries(dir) {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let hidden = name.starts_with('.') || always_ignored(name.as_bytes()) || name == skip;
        if is_dir && depth > 0 && !hidden {
            counted(&dir.join(&name), "", depth - 1, left, count);
        }
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        let known = LANGUAGES.iter().find(|(known, _)| Some(*known) == ending);
        if let Some((_, language)) = known.filter(|_| !is_dir) {
            *count.entry(language).or_default() += 1;
        }
    }
}

/// Names in a directory, sorted; links are neither followed nor counted.
fn entries(dir: &Path) -> Vec<(String, bool)> {
    let found = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<(String, bool)> = found
        .filter_map(|entry| {
            let kind = entry.file_type().ok().filter(|kind| !kind.is_symlink())?;
            Some((entry.file_name().into_string().ok()?, kind.is_dir()))
        })
        .collect();
    names.sort();
    names
}

/// Directories that hold one module each: below a group, else below `src`.
fn modules(workspace: &Path, base: &KbRoot) -> Vec<(String, String)> {
    let dirs = |group: &str| -> Vec<(String, String)> {
        let shown = entries(&workspace.join(group)).into_iter();
        let dirs = shown.filter(|(name, is_dir)| *is_dir && !name.starts_with('.'));
        dirs.map(|(name, _)| (name.clone(), format!("`{group}/{name}/`"))).collect()
    };
    let own = |group: &&&str| base.path.as_str() != **group;
    let found: Vec<(String, String)> = GROUPS.iter().filter(own).flat_map(|it| dirs(it)).collect();
    if found.is_empty() { dirs("src") } else { found }
}
