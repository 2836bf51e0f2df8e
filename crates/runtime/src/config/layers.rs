//! Who says what, and who is heard: the layers put on top of each other, faults and all. Typed
//! access is elsewhere.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kernel::errors::nearest;
use serde::Serialize;

use super::fault::{Fault, Problem, Warning};
use super::keys::{KEYS, Key, key};
use super::raw::{self, Raw};
use super::settings::Settings;
use super::shapes::Value;
use crate::redact::{Redactor, Secrets};

/// Who set a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Nobody: the default.
    BuiltIn,
    /// The user's file.
    User,
    /// The workspace's file, trusted.
    Workspace,
    /// A variable.
    Environment,
    /// A flag.
    Flag,
}

/// A file's text and the name people know it by.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// The name, with the home directory as `~`.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// What each layer says. The caller has read the files and decided about trust.
#[derive(Debug, Clone, Default)]
pub struct Layers<'a> {
    /// The user's file.
    pub user: Option<File<'a>>,
    /// The workspace's file, only if the workspace is trusted.
    pub workspace: Option<File<'a>>,
    /// The environment.
    pub env: &'a [(String, String)],
    /// Settings given as flags: name and text.
    pub flags: &'a [(&'a str, &'a str)],
}

/// A setting in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Its name.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// Who set it.
    pub source: Source,
    /// Its default, as it would be written.
    pub default: &'static str,
}

/// Everything in force.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// All settings, in the order of the table.
    pub held: Vec<Held>,
    /// The same, typed.
    pub settings: Settings,
    /// What is odd.
    pub warnings: Vec<Warning>,
}

/// The user's file, by the environment; none without a home.
pub fn user_file(env: &[(String, String)]) -> Option<PathBuf> {
    let get = |name: &str| {
        let found = env.iter().find(|(key, _)| key == name).map(|(_, value)| PathBuf::from(value));
        found.filter(|path| path.is_absolute())
    };
    let base = get("XDG_CONFIG_HOME").or_else(|| get("HOME").map(|home| home.join(".config")))?;
    Some(base.join("loopwright").join("config.toml"))
}

/// Puts the layers on top of each other.
///
/// # Errors
/// Everything that is wrong, in the order it was met: one look is enough to mend a file.
pub fn resolve(layers: &Layers<'_>) -> Result<Resolved, Vec<Fault>> {
    let mut stack = Stack::new();
    if let Some(file) = layers.user {
        stack.file(file, Source::User);
    }
    if let Some(file) = layers.workspace {
        stack.file(file, Source::Workspace);
    }
    for key in KEYS {
        let said = key.env.and_then(|name| layers.env.iter().find(|(other, _)| other == name));
        if let Some((name, text)) = said.filter(|(_, text)| !text.trim().is_empty()) {
            stack.text(key, text, name, Source::Environment);
        }
    }
    for (name, text) in layers.flags {
        match key(name) {
            Some(key) => stack.text(key, text, &format!("--{name}"), Source::Flag),
            None => stack.unknown(&format!("--{name}"), 0, name),
        }
    }
    stack.finish()
}

struct Stack {
    values: BTreeMap<&'static str, (Value, Source, Place)>,
    faults: Vec<Fault>,
    warnings: Vec<Warning>,
    literal: Redactor,
}

#[derive(Clone, Default)]
struct Place {
    name: String,
    line: usize,
}

impl Stack {
    fn new() -> Self {
        let built_in = |key: &'static Key| {
            let raw = raw::literal(key.default).expect("defaults are TOML");
            let value = key.shape.read(&raw).expect("defaults fit their own shape");
            (key.name, (value, Source::BuiltIn, Place::default()))
        };
        let literal = Redactor::new(&Secrets::default()).expect("no pattern, no bad pattern");
        let values = KEYS.iter().map(built_in).collect();
        Self { values, faults: Vec::new(), warnings: Vec::new(), literal }
    }

    fn file(&mut self, file: File<'_>, source: Source) {
        let entries = match raw::entries(file.text, |path| key(path).is_some()) {
            Ok(entries) => entries,
            Err(broken) => {
                self.fault(file.name, broken.line, "", Problem::Syntax);
                return;
            }
        };
        for entry in entries {
            if holds_credential(&entry.raw, &self.literal) {
                let (place, key) = (file.name.to_owned(), entry.path.clone());
                self.warnings.push(Warning { place, line: entry.line, key });
            }
            let section = matches!(&entry.raw, Raw::Table(inner) if inner.is_empty());
            match key(&entry.path) {
                Some(key) => match key.shape.read(&entry.raw) {
                    Ok(value) => self.put(key, value, source, file.name, entry.line),
                    Err(problem) => self.fault(file.name, entry.line, key.name, problem),
                },
                None if section && is_section(&entry.path) => {}
                None => self.unknown(file.name, entry.line, &entry.path),
            }
        }
    }

    fn text(&mut self, key: &'static Key, text: &str, place: &str, source: Source) {
        match key.shape.read_text(text) {
            Ok(value) => self.put(key, value, source, place, 0),
            Err(problem) => self.fault(place, 0, key.name, problem),
        }
    }

    fn put(&mut self, key: &Key, value: Value, source: Source, name: &str, line: usize) {
        if let Some(slot) = self.values.get_mut(key.name) {
            *slot = (value, source, Place { name: name.to_owned(), line });
        }
    }

    fn unknown(&mut self, place: &str, line: usize, name: &str) {
        let known = KEYS.iter().map(|key| key.name);
        let nearest = nearest(name, known).into_iter().map(str::to_owned).collect();
        self.fault(place, line, name, Problem::Unknown { nearest });
    }

    fn fault(&mut self, place: &str, line: usize, key: &str, problem: Problem) {
        self.faults.push(Fault { place: place.to_owned(), line, key: key.to_owned(), problem });
    }

    /// A loop may not start with more iterations than the ceiling allows it to be given.
    fn ceiling(&mut self) {
        let number = |name: &str| match self.values.get(name) {
            Some((Value::Whole(number), _, place)) => Some((*number, place.clone())),
            Some(_) | None => None,
        };
        let limits = (number("loop.max_iterations"), number("loop.max_iterations_ceiling"));
        if let (Some((limit, place)), Some((ceiling, other))) = limits
            && limit > ceiling
        {
            let at = if place.name.is_empty() { other } else { place };
            let problem = Problem::Above { other: "loop.max_iterations_ceiling" };
            self.fault(&at.name, at.line, "loop.max_iterations", problem);
        }
    }

    fn finish(mut self) -> Result<Resolved, Vec<Fault>> {
        self.ceiling();
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let settings = Settings::of(&|name| self.values.get(name).map(|(value, _, _)| value));
        let held = KEYS.iter().filter_map(|key| {
            let (value, source, _) = self.values.get(key.name)?;
            let (value, source) = (value.clone(), *source);
            Some(Held { key: key.name, value, source, default: key.default })
        });
        Ok(Resolved { held: held.collect(), settings, warnings: self.warnings })
    }
}

fn is_section(path: &str) -> bool {
    KEYS.iter().any(|key| key.name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
}

/// A text that redaction would take out does not belong into a file.
fn holds_credential(raw: &Raw, literal: &Redactor) -> bool {
    match raw {
        Raw::Text(text) => literal.redact_text(text) != *text,
        Raw::List(all) => all.iter().any(|one| holds_credential(one, literal)),
        Raw::Table(table) => table.values().any(|one| holds_credential(one, literal)),
        Raw::Whole(_) | Raw::Bool(_) | Raw::Other => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    fn file(text: &str) -> Option<File<'_>> {
        Some(File { name: "loopwright.toml", text })
    }

    fn faults(text: &str) -> Vec<String> {
        let layers = Layers { workspace: file(text), ..Layers::default() };
        let faults = resolve(&layers).err().unwrap_or_default();
        faults.iter().map(|fault| fault.say(Lang::En)).collect()
    }

    #[test]
    fn the_last_layer_wins() {
        let env = [("OUTPUT_LANGUAGE".to_owned(), "zh-CN".to_owned())];
        let layers = Layers {
            user: Some(File { name: "~/c", text: "call.probes = 5\nrun.memory = 2097152\n" }),
            workspace: file("[call]\nprobes = 6\n[output]\nlanguage = \"en\"\n[loop.debug]\n"),
            env: &env,
            flags: &[("call.in_flight", "7")],
        };
        let resolved = resolve(&layers).unwrap();
        let table = [
            ("call.probes", Value::Whole(6), Source::Workspace),
            ("run.memory", Value::Whole(2 << 20), Source::User),
            ("output.language", Value::Text("zh-CN".into()), Source::Environment),
            ("call.in_flight", Value::Whole(7), Source::Flag),
            ("call.grace", Value::Whole(10_000), Source::BuiltIn),
        ];
        for (name, value, source) in table {
            let held = resolved.held.iter().find(|held| held.key == name).unwrap();
            assert_eq!((&held.value, held.source), (&value, source), "{name}");
        }
        assert_eq!(resolved.settings.call.probes, 6);
        assert_eq!(resolved.held.len(), KEYS.len());
    }

    #[test]
    fn faults_name_file_line_and_nearest() {
        let table = [
            (
                "\n[call]\nprobe = 1\n",
                "loopwright.toml:3: unknown setting call.probe; nearest: call.probes",
            ),
            ("[cal]\nx = 1\n", "loopwright.toml:2: unknown setting cal.x"),
            ("[budget]\n", "loopwright.toml:1: unknown setting budget"),
            ("call = 3", "loopwright.toml:1: unknown setting call"),
            ("call.probes = 11", "loopwright.toml:1: call.probes must be 0 to 10"),
            (
                "call.grace = \"soon\"",
                "loopwright.toml:1: call.grace wants \"200ms\", \"30s\", \"10m\", \"8h\"",
            ),
            ("loop.mode = \"fast\"", "loopwright.toml:1: loop.mode wants one of interactive, auto"),
            ("a = [", "loopwright.toml:1: not readable as TOML"),
            (
                "[loop]\nmax_iterations_ceiling = 5\n",
                "loopwright.toml:2: loop.max_iterations must not be above loop.max_iterations_c",
            ),
        ];
        for (text, expected) in table {
            let said = faults(text);
            assert!(said.first().is_some_and(|s| s.starts_with(expected)), "{text:?}: {said:?}");
        }
    }

    #[test]
    fn a_fault_reads_well_as_an_error_too() {
        use crate::words::{Vars, tell};
        let layers =
            Layers { workspace: file("call.probes = 11\ncall.x = 1"), ..Layers::default() };
        let faults = resolve(&layers).unwrap_err();
        let code = kernel::errors::Code::parse("E_INVALID_ARGS").unwrap();
        let said = |at: usize| tell(Lang::En, code, &Vars::of(&faults[at].details())).message;
        assert_eq!(said(0), "loopwright.toml:1 call.probes: expected 0..10");
        assert_eq!(said(1), "call.x is not part of this build");
    }

    #[test]
    fn all_faults_are_told_at_once() {
        assert_eq!(faults("call.probes = 99\nx = 1\n[run]\nmemory = true\n").len(), 3);
    }

    #[test]
    fn a_literal_credential_is_a_warning_without_its_value() {
        let text = "[loop.develop]\ndefault_tool = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"\n";
        let resolved = resolve(&Layers { user: file(text), ..Layers::default() }).unwrap();
        let warning = &resolved.warnings[0];
        assert_eq!(
            (warning.at().as_str(), warning.key.as_str()),
            ("loopwright.toml:2", "loop.develop.default_tool")
        );
        assert!(!warning.say(Lang::Zh).contains("ghp_"));
    }

    #[test]
    fn the_users_file_follows_xdg() {
        let config = "loopwright/config.toml";
        let table = [
            (vec![("XDG_CONFIG_HOME", "/c"), ("HOME", "/h")], Some(format!("/c/{config}"))),
            (vec![("HOME", "/h")], Some(format!("/h/.config/{config}"))),
            (
                vec![("XDG_CONFIG_HOME", "rel"), ("HOME", "/h")],
                Some(format!("/h/.config/{config}")),
            ),
            (vec![], None),
        ];
        for (pairs, expected) in table {
            let env = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let found = user_file(&env.collect::<Vec<_>>());
            assert_eq!(found.map(|path| path.display().to_string()), expected, "{pairs:?}");
        }
    }
}
