//! What a `git` command is: its own flags before the subcommand, whether it only reads, and
//! whether one of its options names a program to run.

use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use super::flags::{Flags, flags};
use super::segment::{Opaque, Role};
use super::unwrap::Inside;

/// Flags before the subcommand that change nothing of what it does.
const QUIET: [&str; 5] =
    ["--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects"];
/// Flags before the subcommand that change where it works.
const ELSEWHERE: [&str; 3] = ["--bare", "-p", "--paginate"];
const ELSEWHERE_VALUES: [&str; 4] = ["-C", "--git-dir", "--work-tree", "--namespace"];
/// Settings that only change how something is shown or who is named; any other may name a
/// program.
const SHOWN: [&str; 12] = [
    "color.",
    "advice.",
    "log.date",
    "log.decorate",
    "core.quotepath",
    "core.abbrev",
    "core.autocrlf",
    "diff.renames",
    "diff.context",
    "status.",
    "user.name",
    "user.email",
];

/// What runs inside a `git` command with flags before its subcommand.
#[must_use]
pub fn inside(words: &[String]) -> Inside {
    let mut role = Role::Carrier;
    let mut opaque = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        let name = word.split('=').next().unwrap_or_default();
        let joined = word.contains('=') && word.starts_with("--");
        at += match name {
            _other if QUIET.contains(&word.as_str()) => 1,
            "--version" | "--help" | "-v" | "-h" | "--exec-path" | "--html-path" if !joined => {
                return Inside::nothing();
            }
            _other if ELSEWHERE.contains(&word.as_str()) => {
                role = Role::Changer;
                1
            }
            _other if ELSEWHERE_VALUES.contains(&name) => {
                role = Role::Changer;
                if joined { 1 } else { 2 }
            }
            "-c" => {
                role = Role::Changer;
                if !words.get(at + 1).is_some_and(|setting| only_shown(setting)) {
                    opaque.push(Opaque::NamesProgram);
                }
                2
            }
            "--config-env" | "--exec-path" => {
                role = Role::Changer;
                opaque.push(Opaque::NamesProgram);
                1
            }
            _other => return Inside::hidden(Opaque::Unparsed),
        };
    }
    if at == 1 {
        return Inside::nothing();
    }
    let rest = words.get(at..).filter(|rest| !rest.is_empty());
    let commands = rest.map(|rest| [&["git".to_string()], rest].concat());
    let role = if words[0] == "git" { role } else { Role::Changer };
    Inside { role, commands: Vec::from_iter(commands), texts: vec![], opaque }
}

fn only_shown(setting: &str) -> bool {
    let name = setting.split('=').next().unwrap_or_default().to_ascii_lowercase();
    SHOWN.iter().any(
        |known| {
            if known.ends_with('.') { name.starts_with(known) } else { name == *known }
        },
    )
}

/// Subcommands that only read, whatever their flags (flags that name programs aside).
const READS: [&str; 33] = [
    "status",
    "log",
    "diff",
    "show",
    "blame",
    "annotate",
    "describe",
    "rev-parse",
    "rev-list",
    "ls-files",
    "ls-tree",
    "cat-file",
    "grep",
    "shortlog",
    "name-rev",
    "merge-base",
    "for-each-ref",
    "show-ref",
    "show-branch",
    "whatchanged",
    "count-objects",
    "check-ignore",
    "check-attr",
    "check-mailmap",
    "diff-tree",
    "diff-index",
    "diff-files",
    "range-diff",
    "cherry",
    "verify-commit",
    "verify-tag",
    "var",
    "help",
];

/// Whether a `git` command may write: to the work tree, the repository or a remote.
#[must_use]
pub fn writes(words: &[String]) -> bool {
    let given = flags(words);
    let Some(sub) = words.get(1).filter(|sub| !sub.starts_with('-')) else { return false };
    let second = given.operands.get(1).copied();
    let reads = match sub.as_str() {
        "branch" => {
            second.is_none_or(|_| given.long("list") || given.long("contains")) && !moves(&given)
        }
        "tag" => second.is_none_or(|_| given.has("l", "list")) && !moves(&given),
        "remote" => matches!(second, None | Some("show" | "get-url")),
        "stash" => matches!(second, Some("list" | "show")),
        "worktree" => second == Some("list"),
        "submodule" => second == Some("status"),
        "notes" | "bisect" => matches!(second, Some("show" | "list" | "log")),
        "reflog" => matches!(second, None | Some("show")),
        "config" => {
            given.begins("get") || given.has("l", "list") || matches!(second, Some("get" | "list"))
        }
        other => READS.contains(&other),
    };
    !reads
}

fn moves(given: &Flags<'_>) -> bool {
    let long = ["delete", "move", "copy", "force", "edit-description", "set-upstream-to"];
    given.any("dDmMcCfus") || long.iter().any(|name| given.long(name))
}

/// Whether an option of a `git` command names a program, or the subcommand runs one.
#[must_use]
pub fn names_program(words: &[String]) -> bool {
    let given = flags(words);
    let second = given.operands.get(1).copied().unwrap_or_default();
    let sub = words.get(1).map_or("", String::as_str);
    let by_option = ["upload-pack", "receive-pack", "ext-diff", "textconv", "open-files-in-pager"]
        .iter()
        .any(|name| given.begins(name) || given.long(name));
    let by_sub = match sub {
        "bisect" => second == "run",
        "submodule" => second == "foreach",
        "rebase" => given.has("x", "exec"),
        "push" | "archive" | "daemon" => given.begins("exec"),
        "clone" => given.any("uc") || given.long("config") || given.long("template"),
        "init" => given.long("template"),
        "ls-remote" | "fetch" | "pull" | "fetch-pack" => given.begins("exec"),
        "grep" => given.any("O"),
        "difftool" | "mergetool" | "filter-branch" | "send-email" | "web--browse"
        | "daemon-run" => true,
        "config" => writes(words) && given.operands.get(1).is_some_and(|name| !only_shown(name)),
        _other => false,
    };
    by_option || by_sub || words.iter().any(|word| word.starts_with("ext::"))
}
