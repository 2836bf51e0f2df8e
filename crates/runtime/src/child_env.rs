//! The environment a child gets: empty, then a standing list. Nothing else passes, whatever it is
//! called; secrets pass only for an adapter that declares them, by name. Which ones those are is
//! the adapter's business.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Names that pass if they are set.
const PASSED: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TZ",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "GOPATH",
    "GOCACHE",
    "JAVA_HOME",
    "ANDROID_HOME",
    "FLUTTER_ROOT",
    "PUB_CACHE",
    "NVM_DIR",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
];
/// Names that never pass, even if listed: they make a program run something else.
const NEVER: &[&str] =
    &["BASH_ENV", "ENV", "PROMPT_COMMAND", "NODE_OPTIONS", "PYTHONSTARTUP", "PERL5OPT", "RUBYOPT"];
/// `LOOPWRIGHT_` is ours: a child is told of itself below, and of nothing else.
const NEVER_PREFIXES: &[&str] = &["LD_", "DYLD_", "GIT_", "LOOPWRIGHT_"];
/// Names that a child gets from us, whatever else is said.
const OURS: &[&str] = &["PATH", "TMPDIR", "TERM", "TRACEPARENT"];
const SECRET_PARTS: &[&str] = &["TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"];

/// Which extra names a person's settings let through.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// `env.pass`.
    pub pass: Vec<String>,
    /// Whether `*_PROXY` passes.
    pub proxy: bool,
}

/// What an adapter declares for its own child.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// Names that pass if they are set, even those that look like secrets.
    pub pass: Vec<String>,
    /// Names with their values; they win over what is set here.
    pub set: Vec<(String, String)>,
}

impl Declared {
    /// What a command gets: these variables, and the word that nobody sits before it. An agent is
    /// told by its own flags.
    #[must_use]
    pub fn of_command(given: Vec<(String, String)>) -> Self {
        let mut set = vec![("CI".to_owned(), "1".to_owned())];
        set.extend(given);
        Self { pass: Vec::new(), set }
    }
}

/// What a child is told of itself.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The work tree.
    pub root: &'a Path,
    /// The call's own temporary directory.
    pub tmp: &'a Path,
    /// The call.
    pub call: &'a str,
    /// The run that owns it.
    pub run: &'a str,
    /// 32 hex digits of the trace, for `TRACEPARENT`.
    pub trace: &'a str,
}

/// Builds the environment of a command from ours.
pub fn build(
    ours: impl Iterator<Item = (OsString, OsString)>,
    extra: &Extra,
    place: &Place<'_>,
) -> Vec<(OsString, OsString)> {
    build_declared(ours, extra, &Declared::of_command(Vec::new()), place)
}

/// Builds the environment of an adapter's child from ours.
pub fn build_declared(
    ours: impl Iterator<Item = (OsString, OsString)>,
    extra: &Extra,
    declared: &Declared,
    place: &Place<'_>,
) -> Vec<(OsString, OsString)> {
    let mut env = passed(ours, extra, declared, place.root);
    let mut set = |name: &str, value: OsString| env.push((name.into(), value));
    set("TERM", "dumb".into());
    set("NO_COLOR", "1".into());
    set("TMPDIR", place.tmp.as_os_str().to_owned());
    set("LOOPWRIGHT_RUN_ID", place.run.into());
    set("LOOPWRIGHT_CALL_ID", place.call.into());
    set("LOOPWRIGHT_DEBUG_LOG", place.tmp.join("debug.log").into_os_string());
    if place.trace.len() == 32 {
        set("TRACEPARENT", format!("00-{}-{}-01", place.trace, &place.trace[16..]).into());
    }
    for (name, value) in &declared.set {
        env.retain(|(known, _)| known != name.as_str());
        env.push((name.into(), value.into()));
    }
    env
}

/// What of ours passes, before a child is told of itself.
#[must_use]
pub fn passed(
    ours: impl Iterator<Item = (OsString, OsString)>,
    extra: &Extra,
    declared: &Declared,
    root: &Path,
) -> Vec<(OsString, OsString)> {
    let mut env = Vec::new();
    for (name, value) in ours {
        let Some(text) = name.to_str() else { continue };
        if text == "PATH" {
            env.push((name, safe_path(&value, root)));
        } else if passes(text, extra, declared) {
            env.push((name, value));
        }
    }
    env
}

/// Whether whoever asks for a command may set this name for it: not what makes a program run
/// something else, not what we tell a child of itself, and nothing that would hold a secret.
#[must_use]
pub fn may_be_given(name: &str, extra: &Extra) -> bool {
    let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = first && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let named = Declared { pass: vec![name.to_owned()], set: Vec::new() };
    plain && !OURS.contains(&name) && !is_secret(name) && passes(name, extra, &named)
}

fn is_secret(name: &str) -> bool {
    SECRET_PARTS.iter().any(|part| name.to_ascii_uppercase().contains(part))
}

fn passes(name: &str, extra: &Extra, declared: &Declared) -> bool {
    if NEVER.contains(&name) || NEVER_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return false;
    }
    if name.to_ascii_uppercase().ends_with("_PROXY") {
        return extra.proxy;
    }
    if declared.pass.iter().any(|passed| passed == name) {
        return true;
    }
    if is_secret(name) {
        return false;
    }
    PASSED.contains(&name)
        || name.starts_with("LC_")
        || name.starts_with("XDG_")
        || extra.pass.iter().any(|passed| passed == name)
}

/// Absolute entries outside the work tree: a program of the repository's can't pose as a tool.
#[must_use]
pub fn safe_path(path: &std::ffi::OsStr, root: &Path) -> OsString {
    let kept: Vec<&[u8]> = path
        .as_bytes()
        .split(|byte| *byte == b':')
        .filter(|entry| {
            let entry = Path::new(std::ffi::OsStr::from_bytes(entry));
            entry.is_absolute() && !entry.starts_with(root)
        })
        .collect();
    OsString::from_vec(kept.join(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(ours: &[(&str, &str)], extra: &Extra) -> Vec<(String, String)> {
        let place = Place {
            root: Path::new("/w"),
            tmp: Path::new("/w/.loop/calls/c/tmp"),
            call: "call-1",
            run: "loop-1",
            trace: "0123456789abcdef0123456789abcdef",
        };
        build(ours.iter().map(|(n, v)| ((*n).into(), (*v).into())), extra, &place)
            .into_iter()
            .map(|(n, v)| (n.into_string().unwrap(), v.into_string().unwrap()))
            .collect()
    }

    #[test]
    fn invariant_env_closed() {
        let ours = [
            ("HOME", "/h"),
            ("LC_ALL", "C"),
            ("OPENAI_API_KEY", "sk-1234567890"),
            ("LD_PRELOAD", "x"),
            ("GIT_DIR", "x"),
            ("HTTPS_PROXY", "p"),
            ("MINE", "m"),
            ("BASH_ENV", "b"),
            ("PATH", "/usr/bin:.:/w/bin:/bin"),
        ];
        let names = |extra: &Extra| -> Vec<String> {
            built(&ours, extra).into_iter().map(|(n, _)| n).collect()
        };
        let plain = names(&Extra::default());
        let own = ["TERM", "NO_COLOR", "TMPDIR", "LOOPWRIGHT_RUN_ID", "LOOPWRIGHT_CALL_ID"];
        let tail = ["LOOPWRIGHT_DEBUG_LOG", "TRACEPARENT", "CI"];
        let mut expected = vec!["HOME", "LC_ALL", "PATH"];
        expected.extend(own);
        expected.extend(tail);
        assert_eq!(plain, expected);
        let wide = Extra {
            pass: ["MINE", "BASH_ENV", "LD_PRELOAD", "OPENAI_API_KEY"].map(String::from).to_vec(),
            proxy: true,
        };
        let wide = names(&wide);
        assert!(wide.contains(&"MINE".to_owned()) && wide.contains(&"HTTPS_PROXY".to_owned()));
        for never in ["BASH_ENV", "LD_PRELOAD", "OPENAI_API_KEY", "GIT_DIR"] {
            assert!(!wide.contains(&never.to_owned()), "{never}");
        }
    }

    #[test]
    fn path_keeps_absolute_entries_outside_the_tree() {
        let path = built(&[("PATH", "/usr/bin:.::/w/bin:/bin")], &Extra::default());
        assert_eq!(path[0].1, "/usr/bin:/bin");
    }

    #[test]
    fn what_may_be_set_for_a_command() {
        let table = [
            ("RUST_LOG", true),
            ("_x1", true),
            ("HOME", true),
            ("", false),
            ("1A", false),
            ("A=B", false),
            ("A B", false),
            ("PATH", false),
            ("TMPDIR", false),
            ("LD_PRELOAD", false),
            ("GIT_DIR", false),
            ("BASH_ENV", false),
            ("LOOPWRIGHT_CALL_ID", false),
            ("MY_TOKEN", false),
            ("https_proxy", false),
        ];
        for (name, may) in table {
            assert_eq!(may_be_given(name, &Extra::default()), may, "{name}");
        }
        let extra = Extra { proxy: true, ..Extra::default() };
        assert!(may_be_given("https_proxy", &extra));
    }
}
