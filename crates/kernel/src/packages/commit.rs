//! The message of a commit that a person asked for: emoji, type, scope and summary by rules over
//! what is in the set, in one language or two. Whoever commits adds the trailer.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::words::Tongue;

/// Letters of a summary.
pub const SUMMARY_MAX: usize = 50;
/// Columns of a body.
pub const BODY_WIDTH: usize = 72;

/// What was done to a file of the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is new.
    Added,
    /// It differs.
    Modified,
    /// It is gone.
    Deleted,
}

/// One file of the set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Where.
    pub path: String,
    /// What was done.
    pub change: Change,
}

/// What a message is made of.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// What the person wrote, if anything.
    pub given: Option<&'a str>,
    /// The set.
    pub files: &'a [File],
    /// The branch.
    pub branch: Option<&'a str>,
    /// Whether there is no commit yet.
    pub first: bool,
    /// Whether only blanks differ.
    pub blanks_only: bool,
    /// The language of the unit.
    pub tongue: Tongue,
    /// Whether an English block follows another.
    pub bilingual: bool,
}

/// The types with their signs.
const TYPES: [(&str, &str); 12] = [
    ("init", "🎉"),
    ("feat", "✨"),
    ("fix", "🐞"),
    ("docs", "📃"),
    ("style", "🌈"),
    ("refactor", "🦄"),
    ("perf", "🎈"),
    ("test", "🧪"),
    ("build", "🔧"),
    ("ci", "🐎"),
    ("chore", "🐳"),
    ("revert", "↩"),
];

/// The message, without a trailer.
#[must_use]
pub fn message(told: &Told<'_>) -> String {
    let given = told.given.map(str::trim).filter(|text| !text.is_empty());
    if let Some(given) = given.filter(|text| is_whole(text)) {
        return given.to_owned();
    }
    let head = head(told);
    let drawn = |tongue| block(&head, &generated(told.files, tongue), "");
    let second = told.bilingual && told.tongue != Tongue::En;
    match given {
        Some(given) => {
            let (summary, body) = split(given);
            let first = block(&head, &summary, &body);
            // What is written in plain letters says it in English already.
            if second && !given.is_ascii() { both(&first, &drawn(Tongue::En)) } else { first }
        }
        None if second => both(&drawn(told.tongue), &drawn(Tongue::En)),
        None => drawn(told.tongue),
    }
}

fn both(first: &str, second: &str) -> String {
    format!("{first}\n\n---\n\n{second}")
}

fn block(head: &str, summary: &str, body: &str) -> String {
    match body.trim() {
        "" => format!("{head}: {summary}"),
        body => format!("{head}: {summary}\n\n{}", wrapped(body)),
    }
}

/// Emoji, type and scope.
fn head(told: &Told<'_>) -> String {
    let kind = kind(told);
    let sign = TYPES.iter().find(|(name, _)| *name == kind).map_or("🐳", |(_, sign)| sign);
    let paths: Vec<&str> = told.files.iter().map(|file| file.path.as_str()).collect();
    let scope = scope(&paths).filter(|scope| !kind.starts_with(*scope) && !scope.starts_with(kind));
    let scope = scope.map(|scope| format!("({scope})")).unwrap_or_default();
    format!("{sign} {kind}{scope}")
}

/// Whether a message has a sign or a type of its own.
fn is_whole(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    if TYPES.iter().any(|(_, sign)| line.starts_with(sign)) {
        return true;
    }
    let Some((head, _)) = line.split_once(": ") else { return false };
    let head = head.trim_end_matches('!');
    let name = head.split('(').next().unwrap_or_default();
    let closed = !head.contains('(') || head.ends_with(')');
    closed && TYPES.iter().any(|(known, _)| *known == name)
}

/// The summary, and what is too long for one.
fn split(given: &str) -> (String, String) {
    let (line, rest) = given.split_once('\n').unwrap_or((given, ""));
    let line = line.trim().trim_end_matches(['.', '。']);
    let fits = |text: &str| text.chars().count() <= SUMMARY_MAX;
    if fits(line) {
        return (line.to_owned(), rest.trim().to_owned());
    }
    let clause = line
        .find(['，', ',', '；', ';', '。', '：'])
        .filter(|at| line.get(..*at).is_some_and(|text| fits(text) && !text.trim().is_empty()));
    let cut = || {
        let end = line.char_indices().nth(SUMMARY_MAX).map_or(line.len(), |(at, _)| at);
        let head = line.get(..end).unwrap_or(line);
        head.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(end)
    };
    let at = clause.unwrap_or_else(cut);
    let (summary, left) = line.split_at(at);
    let left = left.trim_start_matches(['，', ',', '；', ';', '。', '：', ' ']);
    let body: Vec<&str> =
        [left.trim(), rest.trim()].into_iter().filter(|it| !it.is_empty()).collect();
    (summary.trim().to_owned(), body.join("\n\n"))
}

/// A summary from the set alone.
fn generated(files: &[File], tongue: Tongue) -> String {
    let verb = |change: Change| match (change, tongue) {
        (Change::Added, Tongue::En) => "add",
        (Change::Added, Tongue::Zh) => "新增",
        (Change::Modified, Tongue::En) => "update",
        (Change::Modified, Tongue::Zh) => "更新",
        (Change::Deleted, Tongue::En) => "remove",
        (Change::Deleted, Tongue::Zh) => "移除",
    };
    let alike = files.first().filter(|one| files.iter().all(|it| it.change == one.change));
    let verb = verb(alike.map_or(Change::Modified, |one| one.change));
    if let [one] = files {
        let whole = format!("{verb} {}", one.path);
        let short = format!("{verb} {}", name(&one.path));
        return [whole, short]
            .into_iter()
            .find(|text| text.chars().count() <= SUMMARY_MAX)
            .unwrap_or_else(|| counted(verb, 1, tongue));
    }
    counted(verb, files.len(), tongue)
}

fn counted(verb: &str, count: usize, tongue: Tongue) -> String {
    match (tongue, count) {
        (Tongue::En, 1) => format!("{verb} 1 file"),
        (Tongue::En, count) => format!("{verb} {count} files"),
        (Tongue::Zh, count) => format!("{verb} {count} 个文件"),
    }
}

/// What kind of change it is; the first rule that fits.
fn kind(told: &Told<'_>) -> &'static str {
    let all = |fits: fn(&str) -> bool| {
        !told.files.is_empty() && told.files.iter().all(|file| fits(&file.path))
    };
    let asked = told.given.is_some_and(|text| text.trim_start().starts_with("revert"));
    let rules: [(&str, bool); 7] = [
        ("init", told.first),
        ("revert", asked),
        ("docs", all(is_document)),
        ("test", all(is_test)),
        ("ci", all(is_pipeline)),
        ("build", all(is_build)),
        ("style", told.blanks_only),
    ];
    if let Some((kind, _)) = rules.into_iter().find(|(_, fits)| *fits) {
        return kind;
    }
    let added = told.files.iter().any(|file| file.change == Change::Added && is_source(&file.path));
    told.branch.and_then(of_branch).unwrap_or(if added { "feat" } else { "chore" })
}

/// The type that a branch's name stands for.
#[must_use]
pub fn of_branch(branch: &str) -> Option<&'static str> {
    match branch.split('/').next()? {
        "fix" | "bugfix" | "hotfix" => Some("fix"),
        "feat" | "feature" => Some("feat"),
        "refactor" => Some("refactor"),
        "perf" => Some("perf"),
        _other => None,
    }
}

/// Lines of at most so many columns; a wide letter takes two.
#[must_use]
pub fn wrapped(text: &str) -> String {
    let wide = |letter: char| if letter < '\u{1100}' { 1 } else { 2 };
    let width = |word: &str| -> usize { word.chars().map(wide).sum() };
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace().flat_map(|word| pieces(word, wide)) {
            let (word, glued) = word;
            let gap = usize::from(!glued && !line.is_empty());
            if !line.is_empty() && width(&line) + gap + width(&word) > BODY_WIDTH {
                lines.push(core::mem::take(&mut line));
            }
            if !line.is_empty() && !glued {
                line.push(' ');
            }
            line.push_str(&word);
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// A word, or where it has wide letters its parts: text without blanks breaks anywhere.
fn pieces(word: &str, wide: fn(char) -> usize) -> Vec<(String, bool)> {
    if !word.chars().any(|letter| wide(letter) == 2) {
        return Vec::from([(word.to_string(), false)]);
    }
    let letters = word.chars().enumerate();
    letters.map(|(n, letter)| (letter.to_string(), n > 0)).collect()
}

/// The one directory that everything changed lies in.
#[must_use]
pub fn scope<'a>(paths: &[&'a str]) -> Option<&'a str> {
    let top = |path: &'a str| -> Option<&'a str> {
        let mut parts = path.split('/');
        let first = parts.next()?;
        let grouped = matches!(first, "crates" | "packages" | "apps" | "src" | "lib" | "libs");
        let name = if grouped { parts.next()? } else { first };
        parts.next().map(|_| name)
    };
    let first = top(paths.first()?)?;
    paths.iter().all(|path| top(path) == Some(first)).then_some(first)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn ends(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}

/// Whether a file is words.
#[must_use]
pub fn is_document(path: &str) -> bool {
    ends(path, &["md", "rst", "adoc"]) || path.starts_with("docs/")
}

/// Whether a file is a test.
#[must_use]
pub fn is_test(path: &str) -> bool {
    let name = name(path);
    path.split('/').any(|part| matches!(part, "tests" | "test" | "__tests__"))
        || name.starts_with("test_")
        || [".test.", ".spec.", "_test."].iter().any(|mark| name.contains(mark))
}

/// Whether a file drives a pipeline.
#[must_use]
pub fn is_pipeline(path: &str) -> bool {
    path.starts_with(".github/workflows/") || name(path) == ".gitlab-ci.yml"
}

/// Whether a file says how things are built.
#[must_use]
pub fn is_build(path: &str) -> bool {
    let names = [
        "Cargo.toml",
        "Cargo.lock",
        "package.json",
        "package-lock.json",
        "yarn.lock",
        "go.mod",
        "go.sum",
        "pyproject.toml",
        "Makefile",
        "build.rs",
        "pom.xml",
        "build.gradle",
    ];
    names.contains(&name(path))
}

/// Whether a file is source.
fn is_source(path: &str) -> bool {
    let endings = [
        "rs", "py", "js", "ts", "tsx", "jsx", "go", "java", "kt", "c", "h", "cc", "cpp", "cs",
        "rb", "php", "swift", "dart", "sh", "vue", "svelte", "scala",
    ];
    ends(path, &endings) && !is_test(path)
}
