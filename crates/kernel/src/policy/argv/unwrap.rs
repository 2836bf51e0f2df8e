//! Which commands run inside a command: wrappers, `find -exec`, shells, remote commands. A flag
//! that a wrapper is not known to take makes it opaque: what it runs would be a guess.

use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use super::flags::base_name;
use super::git;
use super::segment::{Opaque, Role};
use super::shell::{self, Asked};

/// What runs inside a command.
#[derive(Debug)]
pub struct Inside {
    /// What the command itself is then.
    pub role: Role,
    /// Commands inside it.
    pub commands: Vec<Vec<String>>,
    /// Texts for a shell inside it.
    pub texts: Vec<String>,
    /// Why not all of it can be seen.
    pub opaque: Vec<Opaque>,
}

impl Inside {
    /// Nothing inside.
    #[must_use]
    pub fn nothing() -> Self {
        Self { role: Role::Command, commands: vec![], texts: vec![], opaque: vec![] }
    }

    /// One command inside.
    #[must_use]
    pub fn one(role: Role, words: &[String]) -> Self {
        Self { role, commands: vec![words.to_vec()], ..Self::nothing() }
    }

    /// Something inside that cannot be seen.
    #[must_use]
    pub fn hidden(why: Opaque) -> Self {
        Self { role: Role::Changer, opaque: vec![why], ..Self::nothing() }
    }

    fn text(text: String) -> Self {
        Self { role: Role::Changer, texts: vec![text], ..Self::nothing() }
    }
}

/// The flags a wrapper takes before the command it runs.
struct Takes {
    /// Letters without a value.
    flags: &'static str,
    /// Letters with one.
    values: &'static str,
    /// Long names without a value, or with one behind `=`.
    long: &'static [&'static str],
    /// Long names whose value may be the next word.
    long_values: &'static [&'static str],
}

const SUDO: Takes = Takes {
    flags: "AbEHknPSB",
    values: "ugpCrtThDRU",
    long: &["non-interactive", "preserve-env", "stdin", "set-home", "background"],
    long_values: &["user", "group", "prompt", "host", "chdir", "chroot"],
};
const DOAS: Takes = Takes { flags: "nL", values: "uC", long: &[], long_values: &[] };
const ENV: Takes = Takes {
    flags: "i0v",
    values: "uC",
    long: &["ignore-environment", "null", "debug"],
    long_values: &["unset", "chdir"],
};
const NICE: Takes =
    Takes { flags: "0123456789", values: "n", long: &[], long_values: &["adjustment"] };
const NONE: Takes = Takes { flags: "", values: "", long: &[], long_values: &[] };
const TIMEOUT: Takes = Takes {
    flags: "v",
    values: "ks",
    long: &["foreground", "preserve-status", "verbose"],
    long_values: &["kill-after", "signal"],
};
const TIME: Takes =
    Takes { flags: "pv", values: "f", long: &["portability", "verbose"], long_values: &["format"] };
const COMMAND: Takes = Takes { flags: "p", values: "", long: &[], long_values: &[] };
const STDBUF: Takes =
    Takes { flags: "", values: "ioe", long: &[], long_values: &["input", "output", "error"] };
const SETSID: Takes =
    Takes { flags: "cfw", values: "", long: &["ctty", "fork", "wait"], long_values: &[] };
const XARGS: Takes = Takes {
    flags: "0rtpxo",
    values: "adEILnPs",
    long: &["null", "no-run-if-empty", "verbose", "interactive", "exit", "open-tty"],
    long_values: &["arg-file", "delimiter", "max-args", "max-procs", "max-chars", "replace"],
};
const SSH: Takes = Takes {
    flags: "46AaCfGgKkMNnqsTtVvXxYy",
    values: "BbcDEeFIiJLlmOopQRSWw",
    long: &[],
    long_values: &[],
};

/// What runs inside these words.
#[must_use]
pub fn inside(words: &[String]) -> Inside {
    let name = words.first().map(|word| base_name(word)).unwrap_or_default();
    match name.as_str() {
        "sudo" => assigned(words, &SUDO),
        "doas" => wrapped(words, &DOAS, 0, Role::Changer),
        "env" => assigned(words, &ENV),
        "nice" => wrapped(words, &NICE, 0, carrier(words)),
        "nohup" => wrapped(words, &NONE, 0, Role::Changer),
        "timeout" => wrapped(words, &TIMEOUT, 1, carrier(words)),
        "time" => wrapped(words, &TIME, 0, carrier(words)),
        "command" if words.get(1).is_some_and(|word| word == "-v" || word == "-V") => {
            Inside::nothing()
        }
        "command" => wrapped(words, &COMMAND, 0, carrier(words)),
        "stdbuf" => wrapped(words, &STDBUF, 0, carrier(words)),
        "setsid" => wrapped(words, &SETSID, 0, Role::Changer),
        "busybox" => wrapped(words, &NONE, 0, Role::Changer),
        "xargs" => fed(words),
        "find" | "gfind" | "fd" => found(words),
        "ssh" => remote(words),
        "git" => git::inside(words),
        "su" | "runuser" => as_user(words),
        _other if shell::is_shell(&name) => shelled(words),
        _other => Inside::nothing(),
    }
}

/// A wrapper named by its bare word is the one on our search path; any other may be anything.
fn carrier(words: &[String]) -> Role {
    match words.first() {
        Some(word) if !word.contains(['/', '\\']) => Role::Carrier,
        Some(_) | None => Role::Changer,
    }
}

fn wrapped(words: &[String], takes: &Takes, operands: usize, role: Role) -> Inside {
    match behind(words, takes).and_then(|at| words.get(at + operands..)) {
        Some([]) => Inside::nothing(),
        Some(command) => Inside::one(role, command),
        None => Inside::hidden(Opaque::Unparsed),
    }
}

/// Wrappers that set variables for what they run. Any variable can change what that does.
fn assigned(words: &[String], takes: &Takes) -> Inside {
    let Some(at) = behind(words, takes) else { return Inside::hidden(Opaque::Unparsed) };
    let is_set = |word: &&String| word.contains('=');
    let set = words.iter().skip(at).take_while(is_set).count();
    match words.get(at + set..) {
        None | Some([]) => Inside::nothing(),
        Some(command) => Inside::one(Role::Changer, command),
    }
}

fn fed(words: &[String]) -> Inside {
    let inside = wrapped(words, &XARGS, 0, Role::Changer);
    Inside { opaque: [inside.opaque, vec![Opaque::Dynamic]].concat(), ..inside }
}

fn found(words: &[String]) -> Inside {
    let runs = ["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];
    let mut commands = Vec::new();
    let mut rest = words.get(1..).unwrap_or_default();
    while let Some(at) = rest.iter().position(|word| runs.contains(&word.as_str())) {
        let inner = rest.get(at + 1..).unwrap_or_default();
        let end = inner.iter().position(|word| word == ";" || word == "+");
        let (command, after) = inner.split_at(end.unwrap_or(inner.len()));
        if !command.is_empty() {
            commands.push(command.to_vec());
        }
        rest = after;
    }
    Inside { commands, ..Inside::nothing() }
}

fn remote(words: &[String]) -> Inside {
    let programs = ["proxycommand", "localcommand", "knownhostscommand", "permitlocalcommand"];
    let named = words.iter().any(|word| {
        let word = word.to_ascii_lowercase();
        programs.iter().any(|program| word.contains(program))
    });
    let Some(at) = behind(words, &SSH) else { return Inside::hidden(Opaque::Unparsed) };
    let command = words.get(at + 1..).unwrap_or_default();
    let mut inside = match command {
        [] => Inside { role: Role::Changer, ..Inside::nothing() },
        command => Inside::text(command.join(" ")),
    };
    if named {
        inside.opaque.push(Opaque::NamesProgram);
    }
    inside
}

fn as_user(words: &[String]) -> Inside {
    let at = words.iter().position(|word| {
        word == "--command"
            || (word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'))
    });
    match at.and_then(|at| words.get(at + 1)) {
        Some(text) => Inside::text(text.to_string()),
        None => Inside::hidden(Opaque::Unparsed),
    }
}

fn shelled(words: &[String]) -> Inside {
    match shell::asked(words) {
        Asked::Text(text) => Inside::text(text),
        Asked::File => Inside::nothing(),
        Asked::Unclear => Inside::hidden(Opaque::Script),
    }
}

/// Where the words after a wrapper's own flags begin; none if one of them is not known.
fn behind(words: &[String], takes: &Takes) -> Option<usize> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        if word == "--" {
            return Some(at + 1);
        }
        at += match word.strip_prefix("--") {
            Some(long) => 1 + long_value(long, takes)?,
            None if word.len() > 1 && word.starts_with('-') => 1 + short_value(word, takes)?,
            None => return Some(at),
        };
    }
    Some(at)
}

/// How many further words a long flag takes.
fn long_value(flag: &str, takes: &Takes) -> Option<usize> {
    match flag.split_once('=') {
        Some((name, _)) => {
            (takes.long.contains(&name) || takes.long_values.contains(&name)).then_some(0)
        }
        None if takes.long.contains(&flag) => Some(0),
        None => takes.long_values.contains(&flag).then_some(1),
    }
}

/// How many further words a group of letters takes.
fn short_value(group: &str, takes: &Takes) -> Option<usize> {
    let letters: Vec<char> = group.chars().skip(1).collect();
    for (at, letter) in letters.iter().enumerate() {
        if takes.values.contains(*letter) {
            return Some(usize::from(at + 1 == letters.len()));
        }
        if !takes.flags.contains(*letter) {
            return None;
        }
    }
    Some(0)
}
