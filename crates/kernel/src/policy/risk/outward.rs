//! Commands that send something elsewhere, run something from there, or touch what others use.

use super::find::{Scene, shown};
use super::finding::{Level, Look, Reach, Risk};
use crate::policy::argv::{Flags, Segment, flags, is_shell, operands, spellings};
use crate::policy::path::PathClass;

/// Programs that talk to other machines.
const NETWORK: [&str; 20] = [
    "curl", "wget", "scp", "sftp", "rsync", "ssh", "ftp", "lftp", "nc", "ncat", "netcat", "socat",
    "telnet", "aws", "gsutil", "gcloud", "az", "http", "https", "rclone",
];
const MAILERS: [&str; 8] =
    ["mail", "mailx", "sendmail", "mutt", "msmtp", "swaks", "ssmtp", "mpack"];
/// Words that name what others use, as a whole word or a part of a host's name.
const LIVE: [&str; 3] = ["prod", "production", "live"];
/// Programs that only look at their own arguments and files.
const LOOKERS: [&str; 28] = [
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "cat", "ls", "head", "tail", "wc", "echo",
    "printf", "find", "fd", "stat", "file", "diff", "cmp", "sed", "jq", "tree", "du", "which",
    "basename", "dirname", "realpath", "test",
];

pub(super) fn look(segment: &Segment, scene: &Scene<'_>, look: &mut Look) {
    let name = segment.program();
    let given = flags(&segment.words);
    if NETWORK.contains(&name.as_str()) && reads_secret(segment, scene) {
        look.add(Risk::Sensitive, Level::Critical, Reach::Remote, shown(segment));
    }
    let piped = ["curl", "wget", "fetch"].contains(&name.as_str())
        && segment
            .into
            .as_deref()
            .is_some_and(|next| is_shell(next) || INTERPRETERS.contains(&next));
    if piped {
        look.add(Risk::External, Level::Critical, Reach::Machine, shown(segment));
    } else if sends(&name, &given, segment) {
        look.add(Risk::External, Level::High, Reach::Remote, shown(segment));
    }
    if is_live(&name, &given, segment) {
        look.add(Risk::Production, Level::Critical, Reach::Remote, shown(segment));
    }
}

const INTERPRETERS: [&str; 6] = ["python", "python3", "perl", "ruby", "node", "sudo"];

fn reads_secret(segment: &Segment, scene: &Scene<'_>) -> bool {
    operands(&segment.words)
        .into_iter()
        .flat_map(spellings)
        .any(|path| scene.ground.class(scene.names, scene.cwd, path) == PathClass::Secret)
}

fn sends(name: &str, given: &Flags<'_>, segment: &Segment) -> bool {
    let words = || segment.words.iter().skip(1);
    let remote = |word: &&str| {
        word.contains("://") || word.split_once(':').is_some_and(|(host, _)| !host.contains('/'))
    };
    match name {
        "curl" | "http" | "https" => {
            let method = |word: &str| {
                ["POST", "PUT", "PATCH", "DELETE"].contains(&word.to_ascii_uppercase().as_str())
            };
            given.any("TFd")
                || ["data", "form", "json", "upload"].iter().any(|start| given.begins(start))
                || words().any(|word| method(word.trim_start_matches("-X")))
                || given.values().any(method)
                || words().any(|word| is_webhook(word))
        }
        "wget" => given.begins("post") || given.begins("body") || words().any(|w| is_webhook(w)),
        "scp" | "rsync" => given.operands.last().is_some_and(remote),
        "sftp" | "ftp" | "lftp" | "nc" | "ncat" | "netcat" | "socat" | "telnet" => true,
        "aws" | "gsutil" | "rclone" | "az" | "gcloud" => {
            ["cp", "mv", "sync", "rsync", "copy", "upload", "put-object", "move"]
                .iter()
                .any(|word| given.names(word))
        }
        "gh" => ["gist", "comment"].iter().any(|word| given.names(word)) && given.names("create"),
        _other => MAILERS.contains(&name),
    }
}

fn is_webhook(word: &str) -> bool {
    word.contains("://") && {
        let lower = word.to_ascii_lowercase();
        ["hooks.slack.com", "webhook", "discord.com/api"].iter().any(|part| lower.contains(part))
    }
}

fn is_live(name: &str, given: &Flags<'_>, segment: &Segment) -> bool {
    if LOOKERS.contains(&name) {
        return false;
    }
    if name == "git" {
        return segment.word(1) == "push" && pushes_to_trunk(given);
    }
    let is_word = |word: &str| LIVE.contains(&word.to_ascii_lowercase().as_str());
    let operands = given.operands.iter().copied().chain(given.values());
    operands.into_iter().any(|word| is_word(word) || host(word).split(['.', '-']).any(is_word))
}

/// The host a word names: of a URL, or before the colon of a copy; else nothing.
fn host(word: &str) -> &str {
    let (host, named) = match word.split_once("://") {
        Some((_, rest)) => (rest.split(['/', '?', '#']).next().unwrap_or_default(), true),
        None => (word.split(':').next().unwrap_or_default(), word.contains(['@', ':'])),
    };
    let host = host.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default();
    if named && !host.contains('/') { host } else { "" }
}

fn pushes_to_trunk(given: &Flags<'_>) -> bool {
    given.long("all")
        || given.operands.iter().skip(2).any(|refspec| {
            let target = refspec.trim_start_matches('+').rsplit(':').next().unwrap_or_default();
            let branch = target.strip_prefix("refs/heads/").unwrap_or(target);
            ["main", "master"].contains(&branch) || branch.starts_with("release/")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_found_where_one_is_named() {
        let table = [
            ("https://api.prod.example.org/x", "api.prod.example.org"),
            ("u@live-1:/x", "live-1"),
            ("db-prod:5432", "db-prod"),
            ("prod", ""),
            ("src/live/x", ""),
            ("https://u:p@h:80/x", "h"),
        ];
        for (word, expected) in table {
            assert_eq!(host(word), expected, "{word}");
        }
    }
}
