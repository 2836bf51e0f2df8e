//! What is never done, whatever rule or grant says otherwise: deleting, moving or opening up the
//! root, the home or the system, writing disks, bombs, and anything on our own state.

use alloc::string::String;
use alloc::vec::Vec;

use super::argv::{Bomb, Parsed, Segment, flags, operands, spellings};
use super::path::{Ground, Names, PathClass, Place, is_own_state};
use super::request::Asker;

/// What a built-in prohibition looks at.
pub(super) struct Scene<'a> {
    pub(super) ground: Ground<'a>,
    pub(super) names: Names<'a>,
    pub(super) cwd: &'a str,
    pub(super) by: Asker,
}

/// Programs that write, move or remove what they name.
const MUTATORS: [&str; 22] = [
    "rm", "rmdir", "unlink", "shred", "truncate", "mv", "cp", "ln", "install", "tee", "dd",
    "touch", "mkdir", "chmod", "chown", "chgrp", "chattr", "rsync", "sed", "gsed", "wipefs",
    "patch",
];
/// Our own program, for those who would end it.
const OURS: &str = "loopwright";

/// Whether a program writes to the paths it names.
pub(super) fn mutates(segment: &Segment) -> bool {
    let name = segment.program();
    match name.as_str() {
        "sed" | "gsed" => flags(&segment.words).has("i", "in-place"),
        name => MUTATORS.contains(&name) || name.starts_with("mkfs"),
    }
}

/// The built-in rule that forbids a command; none if none does.
pub(super) fn rule(parsed: &Parsed, scene: &Scene<'_>) -> Option<&'static str> {
    if parsed.bomb == Bomb::Fork {
        return Some("fork-bomb");
    }
    parsed.segments.iter().find_map(|segment| of_segment(segment, scene))
}

fn of_segment(segment: &Segment, scene: &Scene<'_>) -> Option<&'static str> {
    if ends_us(segment) {
        return Some("own-process");
    }
    if segment.only_wraps() {
        return None;
    }
    let words = operands(&segment.words);
    // Behind `of=` and its like stands a path as well; behind `@` or `:` it may be a remote one.
    let paths = || {
        words.iter().flat_map(|word| {
            let value = word.split_once('=').map(|(_, value)| value);
            let whole = Some(*word).filter(|word| !word.starts_with('-'));
            whole.into_iter().chain(value)
        })
    };
    let ours = |word: &str| match scene.ground.place(scene.cwd, word) {
        Place::Inside(path) => is_own_state(&path),
        Place::Root | Place::Home | Place::Above | Place::Outside(_) => false,
    };
    if words.iter().flat_map(|word| spellings(word)).any(ours) {
        return Some("own-state");
    }
    if find_roots(segment).into_iter().any(|root| is_all(root, scene)) {
        return Some("whole-tree");
    }
    if !mutates(segment) {
        return None;
    }
    if paths().any(|word| scene.ground.is_device(scene.cwd, word)) {
        return Some("block-device");
    }
    let goal = goal(segment);
    if spares_nothing(segment) && paths().any(|word| Some(word) != goal && is_all(word, scene)) {
        return Some("whole-tree");
    }
    let class = |word: &str| scene.ground.class(scene.names, scene.cwd, word);
    paths().find_map(|word| match class(word) {
        PathClass::Control => Some("control-path"),
        PathClass::AgentSettings => match scene.by {
            Asker::Agent => Some("agent-settings"),
            Asker::Person => spares_nothing(segment).then_some("agent-settings"),
        },
        PathClass::Ordinary | PathClass::Secret | PathClass::Sensitive | PathClass::Outside => None,
    })
}

/// Tests of `find` that leave most of a tree alone. A type does not: every file is of one.
const NARROWS: [&str; 18] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newer",
    "-newermt",
    "-perm",
    "-empty",
];

/// Where a `find` that removes whatever it comes upon starts; none if it removes nothing, or only
/// what a test picks.
fn find_roots(segment: &Segment) -> Vec<&str> {
    let words = &segment.words;
    let picks = |pair: &[String]| match pair {
        [test, value] => NARROWS.contains(&test.as_str()) && value != "*",
        _other => false,
    };
    let is_find = matches!(segment.program().as_str(), "find" | "gfind");
    if !is_find || !find_removes(words) || words.windows(2).any(picks) {
        return Vec::new();
    }
    let starts = words.iter().skip(1).map(String::as_str);
    let starts = starts.skip_while(|word| matches!(*word, "-H" | "-L" | "-P"));
    let mut roots: Vec<&str> =
        starts.take_while(|word| !word.starts_with(['-', '(', '!'])).collect();
    if roots.is_empty() {
        roots.push(".");
    }
    roots
}

fn find_removes(words: &[String]) -> bool {
    let runs = |word: &str| word.starts_with("-exec") || word.starts_with("-ok");
    let clears = |at: usize| {
        let inner = words.get(at + 1..).unwrap_or_default();
        let end = inner.iter().position(|word| word == ";" || word == "+").unwrap_or(inner.len());
        let inner = inner.get(..end).unwrap_or_default();
        let name = inner.first().and_then(|word| word.rsplit('/').next());
        name == Some("rm") && flags(inner).has("rR", "recursive")
    };
    words.iter().enumerate().any(|(at, word)| word == "-delete" || (runs(word) && clears(at)))
}

/// Deletes, moves or changes the rights of everything below what it names.
fn spares_nothing(segment: &Segment) -> bool {
    let given = flags(&segment.words);
    match segment.program().as_str() {
        "rm" | "chmod" | "chown" | "chgrp" | "chattr" => given.has("rR", "recursive"),
        "mv" => true,
        "rsync" => given.begins("delete"),
        _other => false,
    }
}

/// Where things are moved to: what is there already stays.
fn goal(segment: &Segment) -> Option<&str> {
    let operands = flags(&segment.words).operands;
    let last = operands.last().copied().filter(|_| segment.program() == "mv");
    last.filter(|goal| operands.iter().filter(|word| word == &goal).count() == 1)
}

fn is_all(word: &str, scene: &Scene<'_>) -> bool {
    match scene.ground.place(scene.cwd, word) {
        Place::Root | Place::Home | Place::Above => true,
        Place::Inside(_) | Place::Outside(_) => false,
    }
}

fn ends_us(segment: &Segment) -> bool {
    let given = flags(&segment.words);
    match segment.program().as_str() {
        "pkill" | "killall" | "skill" => {
            given.operands.iter().any(|word| word.to_ascii_lowercase().contains(OURS))
        }
        // Everything that may be signalled, ourselves included.
        "kill" => segment.words.iter().skip(2).any(|word| word == "-1"),
        _other => false,
    }
}
