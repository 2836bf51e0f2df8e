//! Commands that destroy, cannot be taken back, or change rights.

use alloc::string::String;

use super::find::shown;
use super::finding::{Level, Look, Reach, Risk};
use crate::policy::argv::{Flags, Segment, flags};

/// Clients that are given SQL as words.
const SQL_CLIENTS: [&str; 8] =
    ["psql", "mysql", "mariadb", "sqlite3", "sqlite", "clickhouse-client", "duckdb", "sqlcmd"];
/// What hands packages or releases to everyone, and its subcommands.
const PUBLISHERS: [(&str, &[&str]); 16] = [
    ("npm", &["publish", "unpublish", "deprecate"]),
    ("yarn", &["publish"]),
    ("pnpm", &["publish"]),
    ("cargo", &["publish", "yank", "release"]),
    ("twine", &["upload"]),
    ("poetry", &["publish"]),
    ("uv", &["publish"]),
    ("gem", &["push", "yank"]),
    ("dart", &["publish"]),
    ("flutter", &["publish"]),
    ("docker", &["push"]),
    ("podman", &["push"]),
    ("mvn", &["deploy", "release:perform"]),
    ("gradle", &["publish"]),
    ("gh", &["release", "delete"]),
    ("goreleaser", &["release"]),
];
/// What changes machines elsewhere, and its subcommands.
const OPERATORS: [(&str, &[&str]); 7] = [
    ("terraform", &["apply", "destroy"]),
    ("tofu", &["apply", "destroy"]),
    ("terragrunt", &["apply", "destroy", "run-all"]),
    ("pulumi", &["up", "destroy"]),
    ("kubectl", &["delete", "apply", "replace", "drain"]),
    ("helm", &["upgrade", "install", "uninstall", "rollback"]),
    ("ansible-playbook", &[]),
];

pub(super) fn look(segment: &Segment, look: &mut Look) {
    let name = segment.program();
    let given = flags(&segment.words);
    if name == "git" {
        git(segment, &given, look);
    }
    let destroys = destroys(&name, &given, segment);
    if let Some((level, reach)) = destroys {
        look.add(Risk::Destructive, level, reach, shown(segment));
    }
    let told = |list: &[(&str, &[&str])]| {
        let known = list.iter().find(|(program, _)| *program == name);
        known.is_some_and(|(_, subs)| subs.is_empty() || subs.iter().any(|sub| given.names(sub)))
    };
    if told(&PUBLISHERS) || told(&OPERATORS) {
        look.add(Risk::Irreversible, Level::Critical, Reach::Remote, shown(segment));
    }
    if changes_rights(&name, &given) {
        look.add(Risk::Permission, Level::High, Reach::Machine, shown(segment));
    }
}

fn destroys(name: &str, given: &Flags<'_>, segment: &Segment) -> Option<(Level, Reach)> {
    let files = Some((Level::High, Reach::Files));
    let machine = Some((Level::Critical, Reach::Machine));
    match name {
        "rm" | "unlink" | "rmdir" | "srm" => given.has("rR", "recursive").then_some(files)?,
        "find" | "gfind" => segment.words.iter().any(|w| w == "-delete").then_some(files)?,
        "rsync" => given.begins("delete").then_some(files)?,
        "truncate" | "shred" | "wipe" => files,
        "dd" => given.operands.iter().any(|w| w.starts_with("of=")).then_some(machine)?,
        "wipefs" | "fdisk" | "sfdisk" | "parted" | "mkswap" => machine,
        "shutdown" | "reboot" | "poweroff" | "halt" | "init" | "telinit" => machine,
        "systemctl" => ["poweroff", "reboot", "halt", "stop", "disable", "mask"]
            .iter()
            .any(|word| given.names(word))
            .then_some(machine)?,
        "kill" | "pkill" | "killall" => hard_kill(segment).then_some((Level::High, Reach::Machine)),
        "docker" | "podman" => (given.names("prune") || (given.names("rm") && given.any("fv")))
            .then_some((Level::High, Reach::Machine)),
        "dropdb" | "mysqladmin" => Some((Level::Critical, Reach::Machine)),
        "redis-cli" => given
            .operands
            .iter()
            .any(|word| ["flushall", "flushdb"].contains(&word.to_ascii_lowercase().as_str()))
            .then_some((Level::Critical, Reach::Machine)),
        _other if name.starts_with("mkfs") => machine,
        _other if SQL_CLIENTS.contains(&name) => segment
            .words
            .iter()
            .skip(1)
            .any(|word| destroys_rows(word))
            .then_some((Level::Critical, Reach::Machine)),
        _other => None,
    }
}

fn hard_kill(segment: &Segment) -> bool {
    let mut before = "";
    for word in segment.words.iter().skip(1) {
        let signal = word.trim_start_matches('-').to_ascii_uppercase();
        let signal = signal.strip_prefix("SIGNAL=").unwrap_or(&signal);
        let signal = signal
            .strip_prefix('S')
            .filter(|s| s.starts_with('9') || s.starts_with('K'))
            .unwrap_or(signal);
        let hard = ["9", "KILL", "SIGKILL"].contains(&signal);
        if hard
            && (word.starts_with('-') || before == "-s" || before == "--signal" || before == "-n")
        {
            return true;
        }
        before = word;
    }
    false
}

/// Whether a text of SQL drops, empties or deletes without saying which rows.
fn destroys_rows(text: &str) -> bool {
    let text = text.strip_prefix("-e").or_else(|| text.strip_prefix("-c")).unwrap_or(text);
    let text = text.split_once('=').filter(|(n, _)| n.starts_with("--")).map_or(text, |(_, v)| v);
    text.split(';').any(|statement| {
        let upper: String = statement.to_ascii_uppercase();
        let mut words = upper.split_whitespace();
        match words.next() {
            Some("DROP" | "TRUNCATE") => true,
            Some("DELETE") => !words.any(|word| word == "WHERE"),
            Some(_) | None => false,
        }
    })
}

fn changes_rights(name: &str, given: &Flags<'_>) -> bool {
    match name {
        "sudo" | "doas" | "su" | "runuser" | "pkexec" | "chown" | "chgrp" | "setcap"
        | "setfacl" | "visudo" | "usermod" | "useradd" | "passwd" | "chattr" => true,
        "chmod" => given.operands.iter().any(|mode| opens_wide(mode)) || given.begins("reference"),
        "install" => given.operands.iter().any(|mode| opens_wide(mode)),
        _other => false,
    }
}

/// Whether a mode lets everyone write, or runs as somebody else.
fn opens_wide(mode: &str) -> bool {
    let octal =
        !mode.is_empty() && mode.len() <= 5 && mode.bytes().all(|b| (b'0'..=b'7').contains(&b));
    if octal {
        let digits = mode.trim_start_matches('0').as_bytes();
        let everyone = digits.last().is_some_and(|last| (last - b'0') & 2 != 0);
        let special =
            digits.len() == 4 && digits.first().is_some_and(|first| (first - b'0') & 6 != 0);
        return everyone || special;
    }
    mode.split(',').any(|clause| {
        let Some(at) = clause.find(['+', '=']) else { return false };
        let (who, what) = clause.split_at(at);
        let all = who.is_empty() || who.contains(['a', 'o']);
        who.chars().all(|c| "ugoa".contains(c))
            && ((all && what.contains('w')) || what.contains('s'))
    })
}

fn git(segment: &Segment, given: &Flags<'_>, look: &mut Look) {
    let (sub, second) = (segment.word(1), given.operands.get(1).copied().unwrap_or_default());
    let everything =
        given.operands.iter().skip(1).any(|w| [".", ":/", "*", "./", ":/*"].contains(w));
    let destroys = match sub {
        "reset" => ["hard", "merge", "keep"].iter().any(|how| given.long(how)),
        "clean" => given.has("f", "force"),
        "checkout" => everything || given.has("f", "force"),
        "restore" => everything,
        "switch" => given.has("f", "force") || given.long("discard-changes"),
        "stash" => !matches!(second, "list" | "show" | "apply" | "branch" | "create"),
        "branch" => given.any("D") || (given.has("d", "delete") && given.has("f", "force")),
        "tag" => given.has("d", "delete"),
        "reflog" => matches!(second, "expire" | "delete"),
        "gc" | "prune" => given.begins("prune") || sub == "prune",
        "filter-branch" | "filter-repo" => true,
        "update-ref" => given.any("d") || given.long("stdin"),
        "worktree" => second == "remove" && given.has("f", "force"),
        "rm" => given.any("r"),
        _other => false,
    };
    if destroys {
        look.add(Risk::Destructive, Level::High, Reach::Repository, shown(segment));
    }
    if sub == "push" && push_is_final(given) {
        look.add(Risk::Irreversible, Level::Critical, Reach::Remote, shown(segment));
    }
}

fn push_is_final(given: &Flags<'_>) -> bool {
    given.any("fd")
        || given.begins("force")
        || ["force", "mirror", "delete", "prune"].iter().any(|name| given.long(name))
        || given.operands.iter().skip(2).any(|word| word.starts_with('+') || word.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_open_wide() {
        let table = [
            ("777", true),
            ("0666", true),
            ("4755", true),
            ("755", false),
            ("0644", false),
            ("a+w", true),
            ("o=rw", true),
            ("u+s", true),
            ("+w", true),
            ("u+w", false),
            ("u+x,g-w", false),
            ("file", false),
            ("", false),
        ];
        for (mode, wide) in table {
            assert_eq!(opens_wide(mode), wide, "{mode}");
        }
    }

    #[test]
    fn rows_are_destroyed_by_statements_not_by_words() {
        let table = [
            ("DROP TABLE users", true),
            ("select 1; truncate t", true),
            ("delete from t", true),
            ("DELETE FROM t WHERE id=1", false),
            ("select 'drop table'", false),
            ("-edrop table x", true),
            ("--execute=DROP TABLE x", true),
        ];
        for (text, found) in table {
            assert_eq!(destroys_rows(text), found, "{text}");
        }
    }
}
