//! Programs whose arguments are programs: interpreters with the text on the command line, options
//! that name a program to run, launchers. Such a command cannot be seen through.

use alloc::string::String;

use super::flags::{Flags, base_name, flags};
use super::segment::Opaque;
use super::{git, sed};

/// Programs that run what they are told in a way that is not taken apart here.
const LAUNCHERS: [&str; 58] = [
    "watch",
    "parallel",
    "script",
    "expect",
    "unbuffer",
    "socat",
    "entr",
    "flock",
    "strace",
    "ltrace",
    "gdb",
    "lldb",
    "chroot",
    "unshare",
    "nsenter",
    "systemd-run",
    "at",
    "batch",
    "crontab",
    "tmux",
    "screen",
    "eval",
    "source",
    ".",
    "exec",
    "trap",
    "alias",
    "builtin",
    "coproc",
    "start-stop-daemon",
    "proot",
    "fakeroot",
    "firejail",
    "bwrap",
    "runcon",
    "chrt",
    "taskset",
    "ionice",
    "setpriv",
    "capsh",
    "vim",
    "vi",
    "nvim",
    "view",
    "ex",
    "ed",
    "emacs",
    "nano",
    "less",
    "more",
    "man",
    "rlwrap",
    "dbus-run-session",
    "ssh-agent",
    "setarch",
    "cpulimit",
    "hyperfine",
    "ncat",
];

/// Why the arguments of this command hide what runs; none if they do not.
#[must_use]
pub fn opaque(words: &[String]) -> Option<Opaque> {
    let name = words.first().map(|word| base_name(word)).unwrap_or_default();
    let given = flags(words);
    if is_inline(&name, &given, words) {
        return Some(Opaque::Inline);
    }
    names_program(&name, &given, words).then_some(Opaque::NamesProgram)
}

fn is_inline(name: &str, given: &Flags<'_>, words: &[String]) -> bool {
    // Versions are part of names: python3.12, lua5.4.
    let family = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    match family {
        "awk" | "gawk" | "mawk" | "nawk" | "powershell" | "pwsh" | "cmd" | "osascript"
        | "tclsh" | "bc" | "dc" | "m" => true,
        "sed" | "gsed" => !sed::is_harmless(words),
        "perl" | "ruby" | "lua" | "luajit" | "rscript" | "julia" | "elixir" | "erl" | "groovy"
        | "scala" | "swift" | "racket" | "raku" => {
            given.any("eE") || given.begins("eval") || given.begins("execute")
        }
        "python" | "pypy" | "ipython" | "guile" => given.any("c"),
        "node" | "nodejs" | "deno" | "bun" | "tsx" | "ts-node" => {
            given.any("epr")
                || ["eval", "print", "require", "import", "loader"].iter().any(|l| given.begins(l))
                || given.names("eval")
        }
        "php" => given.any("rBRE"),
        "make" | "gmake" | "nmake" | "bmake" => {
            given.any("E")
                || given.begins("eval")
                || given.operands.iter().any(|word| word.contains('='))
        }
        _other => false,
    }
}

fn names_program(name: &str, given: &Flags<'_>, words: &[String]) -> bool {
    let long = |names: &[&str]| names.iter().any(|option| given.long(option));
    match name {
        "git" => git::names_program(words),
        "tar" | "gtar" | "bsdtar" => {
            let old = words
                .get(1)
                .is_some_and(|word| !word.starts_with('-') && word.contains(['I', 'F']));
            old || given.any("IF")
                || long(&[
                    "checkpoint-action",
                    "to-command",
                    "use-compress-program",
                    "rsh-command",
                    "info-script",
                    "new-volume-script",
                    "rmt-command",
                ])
        }
        "rsync" => given.any("e") || long(&["rsh", "rsync-path"]),
        "scp" | "sftp" => given.any("SoD"),
        "rg" => given.long("pre") || given.long("hostname-bin"),
        "ag" | "ack" | "bat" => given.begins("pager"),
        "sort" => given.long("compress-program"),
        "zip" => given.any("T") || given.begins("unzip-command"),
        "nc" | "netcat" => given.any("ec"),
        "curl" => given.any("K") || given.long("config"),
        "wget" => given.begins("use-askpass"),
        _other => LAUNCHERS.contains(&name),
    }
}
