//! Gathers what a planner is told of the workspace: its map, places that have to do with the
//! request, lines of these, what came before. It only reads, and only what a search would show:
//! nothing ignored, nothing protected, no secret. The same tree and words give the same pack.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use kernel::paths::Rel;
use kernel::turn::{
    CodeSnippet, ContextPack, HitSource, Life, PackLimits, PackRef, RECENT_ACTIONS_MAX,
    RetrievalHit, TokenBudget,
};
use serde_json::Value;

use super::store;
use crate::config::TurnContext;
use crate::files::search::{self, Adapter, Hit, Semantic, Source};
use crate::files::{Desk, Fault, map, read};
use crate::redact::Redactor;
use crate::trace::redacted;

/// Places that are looked for; the budget takes the best of them.
const HITS_MAX: usize = 60;
/// Lines before and after a hit that make it readable.
const AROUND: usize = 12;
/// Earlier turns that are told.
const EARLIER_MAX: usize = 5;
/// Characters of one earlier turn's summary.
const EARLIER_CHARS_MAX: usize = 2_000;
/// Bytes of a question; the search takes no longer one.
const QUERY_BYTES_MAX: usize = 1_000;
/// Paths of a request that are looked for; more are a list, not a hint.
const NAMED_MAX: usize = 10;
/// A path that a person names is what they mean.
const NAMED_SCORE: f64 = 1.0;
/// The note of a pack whose places were found by their words alone, though more was configured.
const NO_SEMANTIC: &str = "semantic_unavailable";
/// The note of a pack that was cut to what is known at once.
const CUT: &str = "context_cut";
/// Files that such a pack lists; the budget takes the first of them.
const FILES_LISTED_MAX: usize = 1_000;
/// The note of a search that met a bound.
const SEARCH_CUT: &str = "search_truncated";

/// Where and with what a pack is gathered.
#[derive(Debug)]
pub struct Sight<'a> {
    /// The files.
    pub desk: Desk<'a>,
    /// The program that searches by meaning, if there is one.
    pub semantic: Option<&'a Adapter>,
    /// Takes secrets out of what files say.
    pub redactor: &'a Redactor,
    /// `[turn.context]`
    pub bounds: TurnContext,
    /// What the turns before this one of the conversation came to, the oldest first.
    pub earlier: &'a [String],
    /// Results of the last calls, the oldest first.
    pub actions: &'a [Value],
}

/// Gathers the pack of a turn.
///
/// # Errors
/// When the workspace cannot be read.
pub fn context(life: &Life, sight: &Sight<'_>) -> Result<ContextPack, Fault> {
    let start = &life.body.start;
    let told = life.body.answers.iter().filter_map(|told| told.answer.as_deref());
    let words: Vec<&str> = std::iter::once(start.request.as_str()).chain(told).collect();
    let words = words.join("\n");
    let mut notes = Vec::new();
    let summary = map_text(sight)?;
    let mut hits = named(sight, &words);
    hits.extend(found(sight, &words, &mut notes)?);
    let snippets = snippets(sight, &hits);
    let pack = ContextPack {
        workspace_summary: summary,
        constraints: start.constraints.clone(),
        retrieval_hits: hits,
        code_snippets: snippets,
        recent_actions: actions(sight),
        token_budget: budget(sight.bounds),
        history_summary: history(sight),
        notes,
    };
    Ok(pack.fitted(&words))
}

/// What is known at once, for a turn whose context took too long: its words, and which files there
/// are.
#[must_use]
pub fn bare(life: &Life, sight: &Sight<'_>) -> ContextPack {
    let start = &life.body.start;
    let asked = search::Args {
        query: search::Query::Files,
        path: Rel::root(),
        glob: None,
        case: search::Case::Sensitive,
        context: 0,
        limit: FILES_LISTED_MAX,
    };
    let found = search::search(&sight.desk, &asked).map(|found| found.hits).unwrap_or_default();
    let files: Vec<&str> = found.iter().map(|hit| hit.path.as_str()).collect();
    let pack = ContextPack {
        workspace_summary: sight.redactor.redact_text(&files.join("\n")),
        constraints: start.constraints.clone(),
        token_budget: budget(sight.bounds),
        notes: vec![CUT.to_owned()],
        ..ContextPack::default()
    };
    pack.fitted(&start.request)
}

/// Keeps a pack under its hash.
///
/// # Errors
/// When it can't be written.
pub fn keep_pack(loop_dir: &Path, pack: &ContextPack) -> io::Result<PackRef> {
    let text = serde_json::to_string_pretty(pack).map_err(io::Error::other)?;
    Ok(PackRef {
        sha256: store::keep(loop_dir, &text)?,
        used_estimate: pack.token_budget.used_estimate,
        total_estimate: pack.token_budget.total_estimate,
        notes: pack.notes.clone(),
    })
}

/// The pack that was kept; none if it is gone or damaged.
#[must_use]
pub fn load_pack(loop_dir: &Path, kept: &PackRef) -> Option<ContextPack> {
    serde_json::from_str(&store::load(loop_dir, &kept.sha256).ok()?).ok()
}

fn budget(bounds: TurnContext) -> TokenBudget {
    let most = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    TokenBudget {
        total_estimate: bounds.tokens,
        used_estimate: 0,
        limits: PackLimits {
            max_snippets: most(bounds.max_snippets),
            max_lines_per_snippet: most(bounds.max_lines_per_snippet),
        },
    }
}

fn map_text(sight: &Sight<'_>) -> Result<String, Fault> {
    let map = map::map(&sight.desk)?;
    let lines: Vec<String> = map.files.iter().map(map::File::line).collect();
    Ok(sight.redactor.redact_text(&lines.join("\n")))
}

/// Files that the words name and that are there.
fn named(sight: &Sight<'_>, words: &str) -> Vec<RetrievalHit> {
    let edge = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    let mut paths: Vec<&str> = Vec::new();
    for word in words.split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | ',')) {
        let word = word.trim_matches(edge).trim_end_matches('.');
        let plain = word.contains(['/', '.']) && !paths.contains(&word);
        if plain && paths.len() < NAMED_MAX && shows(sight, word) {
            paths.push(word);
        }
    }
    let hit = |path: &&str| RetrievalHit {
        source: HitSource::Manual,
        path: (*path).to_owned(),
        score: NAMED_SCORE,
        summary: String::new(),
        start_line: None,
        end_line: None,
    };
    paths.iter().map(hit).collect()
}

/// Whether a search would come upon a file: it is there, and neither hidden nor ignored nor binary.
fn shows(sight: &Sight<'_>, path: &str) -> bool {
    let parent = path.rsplit_once('/').map_or(".", |(parent, _)| parent);
    let (Ok(file), Ok(parent)) = (Rel::file(path), Rel::dir(parent)) else { return false };
    let asked = search::Args {
        query: search::Query::Files,
        path: parent,
        glob: Some(file.as_str().to_owned()),
        case: search::Case::Sensitive,
        context: 0,
        limit: 1,
    };
    let found = search::search(&sight.desk, &asked);
    found.is_ok_and(|found| found.hits.iter().any(|hit| hit.path == file.as_str()))
}

fn found(
    sight: &Sight<'_>,
    words: &str,
    notes: &mut Vec<String>,
) -> Result<Vec<RetrievalHit>, Fault> {
    let mut end = words.len().min(QUERY_BYTES_MAX);
    while !words.is_char_boundary(end) {
        end -= 1;
    }
    let query = words[..end].trim();
    if query.is_empty() {
        return Ok(Vec::new());
    }
    let asked = Semantic { query: query.to_owned(), path: Rel::root(), limit: HITS_MAX };
    let payload = search::search_semantic(&sight.desk, &asked, sight.semantic)?;
    if sight.semantic.is_some() && payload.fallback.is_some() {
        notes.push(NO_SEMANTIC.to_owned());
    }
    if payload.truncated.iter().any(|bound| *bound != search::Bound::Line) {
        notes.push(SEARCH_CUT.to_owned());
    }
    Ok(payload.hits.iter().map(|hit| of_hit(sight, hit)).collect())
}

fn of_hit(sight: &Sight<'_>, hit: &Hit) -> RetrievalHit {
    let line = u32::try_from(hit.line).ok();
    RetrievalHit {
        source: match hit.source {
            Source::Grep => HitSource::Grep,
            Source::Semantic => HitSource::Semantic,
        },
        path: hit.path.clone(),
        score: hit.score,
        summary: sight.redactor.redact_text(hit.text.trim()),
        start_line: line,
        end_line: line,
    }
}

/// The lines around the hits, the best first; places of one file that touch are one snippet.
fn snippets(sight: &Sight<'_>, hits: &[RetrievalHit]) -> Vec<CodeSnippet> {
    let most = usize::try_from(sight.bounds.max_lines_per_snippet).unwrap_or(usize::MAX);
    let wanted = usize::try_from(sight.bounds.max_snippets).unwrap_or(usize::MAX);
    let mut places: Vec<(f64, &str, usize, usize)> = Vec::new();
    let mut by_path: BTreeMap<&str, Vec<(usize, f64)>> = BTreeMap::new();
    for hit in hits {
        match hit.start_line {
            None => places.push((hit.score, &hit.path, 1, most)),
            Some(line) => {
                let line = usize::try_from(line).unwrap_or(1);
                by_path.entry(&hit.path).or_default().push((line, hit.score));
            }
        }
    }
    for (path, mut lines) in by_path {
        let whole = places.iter().any(|(_, named, ..)| *named == path);
        lines.sort_by_key(|(line, _)| *line);
        if !whole {
            places
                .extend(merged(&lines, most).into_iter().map(|(s, from, to)| (s, path, from, to)));
        }
    }
    places.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    let read = places.iter().filter_map(|(_, path, from, to)| {
        let path = Rel::file(path).ok()?;
        lines(sight, &path, *from, *to)
    });
    read.take(wanted).collect()
}

/// Windows around lines, those that touch made one as long as it stays short enough.
fn merged(lines: &[(usize, f64)], most: usize) -> Vec<(f64, usize, usize)> {
    let mut all: Vec<(f64, usize, usize)> = Vec::new();
    for (line, score) in lines {
        let (from, to) = (line.saturating_sub(AROUND).max(1), line + AROUND);
        match all.last_mut() {
            Some((best, first, last)) if from <= *last + 1 && to - *first < most => {
                *last = to;
                *best = best.max(*score);
            }
            Some(_) | None => all.push((*score, from, to.min(from + most - 1))),
        }
    }
    all
}

/// Lines of a file as text; none where there is no text that may be shown.
fn lines(sight: &Sight<'_>, path: &Rel, from: usize, to: usize) -> Option<CodeSnippet> {
    let limit = to.saturating_sub(from) + 1;
    let args = read::Args { path: path.clone(), offset: from, limit };
    let found = read::read(&sight.desk, &args).ok()?;
    let text = found.text.filter(|_| found.end >= found.start)?;
    Some(CodeSnippet {
        path: found.path,
        start_line: u32::try_from(found.start).ok()?,
        end_line: u32::try_from(found.end).ok()?,
        content: sight.redactor.redact_text(text.trim_end_matches('\n')),
    })
}

fn history(sight: &Sight<'_>) -> String {
    let from = sight.earlier.len().saturating_sub(EARLIER_MAX);
    let one = |text: &String| text.chars().take(EARLIER_CHARS_MAX).collect::<String>();
    let told: Vec<String> = sight.earlier[from..].iter().map(one).collect();
    sight.redactor.redact_text(&told.join("\n\n"))
}

fn actions(sight: &Sight<'_>) -> Vec<Value> {
    let from = sight.actions.len().saturating_sub(RECENT_ACTIONS_MAX);
    sight.actions[from..].iter().map(|one| redacted(one, sight.redactor)).collect()
}

#[cfg(test)]
mod tests {
    use kernel::paths::Names;
    use kernel::turn::samples;

    use super::*;
    use crate::config::SandboxMode;
    use crate::files::Root;
    use crate::redact::Secrets;

    const BOUNDS: TurnContext =
        TurnContext { tokens: 24_000, max_snippets: 20, max_lines_per_snippet: 40 };

    fn tree() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let body: String = (1..=100).map(|n| format!("// line {n}\n")).collect();
        write("src/list.rs", &format!("pub fn list() {{}}\n{body}// the flag of list\n"));
        write(
            "src/other.rs",
            "pub fn other() {}\nlet key = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"; // flag\n",
        );
        write(".env", "flag=canary-secret\n");
        write("certs/server.key", "flag canary-secret\n");
        write("ignored.txt", "flag canary-ignored\n");
        write(".gitignore", "ignored.txt\n");
        write("data.bin", "flag\0canary-binary\n");
        write(".git/config", "flag canary-control\n");
        dir
    }

    fn packed(dir: &Path, request: &str, semantic: Option<&Adapter>) -> ContextPack {
        made(dir, request, semantic, |life, sight| context(life, sight).unwrap())
    }

    fn cut(dir: &Path) -> ContextPack {
        made(dir, "the flag", None, bare)
    }

    fn made(
        dir: &Path,
        request: &str,
        semantic: Option<&Adapter>,
        make: fn(&Life, &Sight<'_>) -> ContextPack,
    ) -> ContextPack {
        let (root, names) = (Root::open(dir).unwrap(), Names::default());
        let redactor = Redactor::new(&Secrets::default()).unwrap();
        let mut life = Life {
            body: samples::sample_states()
                .into_iter()
                .find_map(|(_, state)| state.life().map(|life| life.body.clone()))
                .unwrap(),
            phase: kernel::turn::Phase::ContextBuilding { round: 0 },
        };
        life.body.start.request = request.to_owned();
        life.body.start.constraints = vec!["no API change".to_owned()];
        let earlier: Vec<String> = (0..7).map(|n| format!("turn {n}")).collect();
        let sight = Sight {
            desk: Desk::new(&root, &names),
            semantic,
            redactor: &redactor,
            bounds: BOUNDS,
            earlier: &earlier,
            actions: &[],
        };
        make(&life, &sight)
    }

    #[test]
    fn what_has_to_do_with_the_words_is_there_and_nothing_hidden() {
        let dir = tree();
        let request =
            "Add the flag to `src/list.rs`, see .env, ignored.txt, data.bin and certs/server.key";
        let pack = packed(dir.path(), request, None);
        let text = serde_json::to_string(&pack).unwrap();
        assert!(!text.contains("canary"), "{text}");
        assert!(!text.contains("ghp_"), "secrets of files are taken out: {text}");
        assert_eq!(pack.retrieval_hits[0].source, HitSource::Manual);
        assert_eq!(pack.retrieval_hits[0].path, "src/list.rs");
        assert_eq!((pack.code_snippets[0].start_line, pack.code_snippets[0].end_line), (1, 40));
        assert!(pack.code_snippets.iter().any(|one| one.path == "src/other.rs"));
        assert!(pack.workspace_summary.contains("src/list.rs: list"));
        assert_eq!(pack.history_summary, "turn 2\n\nturn 3\n\nturn 4\n\nturn 5\n\nturn 6");
        assert_eq!(pack.constraints, ["no API change"]);
        assert!(pack.notes.is_empty(), "{:?}", pack.notes);
        assert_eq!(packed(dir.path(), request, None), pack, "the same tree gives the same pack");
    }

    #[test]
    fn a_search_by_meaning_that_fails_is_told() {
        let dir = tree();
        let broken = Adapter::unheld(&["/nowhere/finder"], SandboxMode::Off);
        let pack = packed(dir.path(), "where is the flag", Some(&broken));
        assert_eq!(pack.notes, [NO_SEMANTIC]);
        assert!(pack.retrieval_hits.iter().all(|hit| hit.source == HitSource::Grep));
        assert!(!pack.retrieval_hits.is_empty());
    }

    #[test]
    fn a_pack_that_is_cut_still_lists_the_files() {
        let dir = tree();
        let pack = cut(dir.path());
        let files: Vec<&str> = pack.workspace_summary.lines().collect();
        assert!(files.contains(&"src/list.rs") && files.contains(&"src/other.rs"), "{files:?}");
        let hidden = |file: &&str| [".env", "ignored.txt", "certs/server.key"].contains(file);
        assert!(!files.iter().any(hidden), "{files:?}");
        assert_eq!(
            (pack.notes, pack.constraints),
            (vec![CUT.into()], vec!["no API change".into()])
        );
        assert!(pack.retrieval_hits.is_empty() && pack.code_snippets.is_empty());
    }

    #[test]
    fn a_pack_is_kept_under_its_hash() {
        let dir = tree();
        let pack = packed(dir.path(), "the flag", None);
        let kept = keep_pack(&dir.path().join(".loop"), &pack).unwrap();
        assert_eq!(load_pack(&dir.path().join(".loop"), &kept), Some(pack));
        assert!(kept.used_estimate <= kept.total_estimate);
        let gone = PackRef { sha256: "0".repeat(64), ..kept };
        assert_eq!(load_pack(dir.path(), &gone), None);
    }

    #[test]
    fn windows_that_touch_are_one() {
        let lines = [(1, 0.5), (20, 0.9), (100, 0.1)];
        assert_eq!(merged(&lines, 200), [(0.9, 1, 32), (0.1, 88, 112)]);
        assert_eq!(merged(&lines, 10), [(0.5, 1, 10), (0.9, 8, 17), (0.1, 88, 97)]);
    }
}
