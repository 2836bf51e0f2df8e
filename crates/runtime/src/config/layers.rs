//! Who says what, and who is heard: the layers put on top of each other, faults and all. Typed
//! access is elsewhere.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kernel::errors::nearest;
use kernel::policy::rules::Listed;
use serde::Serialize;

use super::between;
use super::families::{self, AGENTS, Member, PARTICIPANTS, ROLES, TOOLS, member};
use super::fault::{Fault, Problem, Warning};
use super::forms::word;
use super::keys::{KEYS, Key, key};
use super::policy;
use super::raw::{self, Raw};
use super::session::Tool;
use super::settings::{Read, Settings};
use super::shapes::Value;
use super::walls;
use crate::agents::config as agents;
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
    /// Whether what that file loosens of the walls counts.
    pub walls: Listed,
    /// The environment.
    pub env: &'a [(String, String)],
    /// Settings given as flags: name and text.
    pub flags: &'a [(&'a str, &'a str)],
}

/// A setting in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Its name.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// Who set it.
    pub source: Source,
    /// Its default, as it would be written; empty if it has none.
    pub default: &'static str,
}

/// Everything in force.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// All settings, in the order of the table, then those of named tables that are set.
    pub held: Vec<Held>,
    /// The same, typed.
    pub settings: Settings,
    /// What is odd.
    pub warnings: Vec<Warning>,
}

impl Resolved {
    /// One setting, set or not; none if there is no such setting or no such table.
    #[must_use]
    pub fn look(&self, name: &str) -> Option<Held> {
        if let Some(held) = self.held.iter().find(|held| held.key == name) {
            return Some(held.clone());
        }
        let member = member(name)?;
        let table = format!("{}.{}.", member.family.prefix, member.name);
        self.held.iter().find(|held| held.key.starts_with(&table))?;
        let default = raw::literal(member.key.default).map(|raw| member.key.shape.read(&raw));
        let value = default.and_then(Result::ok).unwrap_or(Value::Json(serde_json::Value::Null));
        let (key, default) = (name.to_owned(), member.key.default);
        Some(Held { key, value, source: Source::BuiltIn, default })
    }
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
    let mut stack = Stack::new(layers.walls);
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
        let place = format!("--{name}");
        match key(name).or_else(|| member(name).map(|member| member.key)) {
            Some(key) => stack.text_at(name, key, text, &place, Source::Flag),
            None => stack.unknown(&place, 0, name),
        }
    }
    stack.wrappers(layers.env);
    stack.finish()
}

struct Stack {
    values: Values,
    tables: BTreeMap<String, Place>,
    faults: Vec<Fault>,
    warnings: Vec<Warning>,
    rules: Vec<kernel::policy::rules::File>,
    literal: Redactor,
    walls: Listed,
}

/// Values by name, with who set them and where.
pub(super) type Values = BTreeMap<String, (Value, Source, Place)>;

/// Where a value was set.
#[derive(Clone, Default)]
pub(super) struct Place {
    pub(super) name: String,
    pub(super) line: usize,
}

impl Stack {
    fn new(walls: Listed) -> Self {
        let built_in = |key: &'static Key| {
            let raw = raw::literal(key.default).expect("defaults are TOML");
            let value = key.shape.read(&raw).expect("defaults fit their own shape");
            (key.name.to_owned(), (value, Source::BuiltIn, Place::default()))
        };
        let literal = Redactor::new(&Secrets::default()).expect("no pattern, no bad pattern");
        let values = KEYS.iter().map(built_in).collect();
        let tables = BTreeMap::new();
        let (faults, warnings, rules) = (Vec::new(), Vec::new(), Vec::new());
        Self { values, tables, faults, warnings, rules, literal, walls }
    }

    fn file(&mut self, file: File<'_>, source: Source) {
        let whole = |path: &str| key(path).is_some() || member(path).is_some();
        let entries = match raw::entries(file.text, whole) {
            Ok(entries) => entries,
            Err(broken) => {
                self.fault(file.name, broken.line, "", Problem::Syntax);
                return;
            }
        };
        for entry in entries {
            if raw::holds_credential(&entry.raw, &self.literal) {
                let (place, key) = (file.name.to_owned(), entry.path.clone());
                self.warnings.push(Warning { place, line: entry.line, key });
            }
            self.entry(&entry, file.name, source);
        }
    }

    fn entry(&mut self, entry: &raw::Entry, file: &str, source: Source) {
        let section = matches!(&entry.raw, Raw::Table(inner) if inner.is_empty());
        let known = key(&entry.path).or_else(|| member(&entry.path).map(|member| member.key));
        match known {
            Some(key) => match key.shape.read(&entry.raw) {
                Ok(value) => self.put(&entry.path, value, source, file, entry.line),
                Err(problem) => self.fault(file, entry.line, &entry.path, problem),
            },
            None if section && families::is_section(&entry.path) => {}
            None if section && families::table(&entry.path).is_some() => {
                self.table(&entry.path, file, entry.line);
            }
            None => self.unknown(file, entry.line, &entry.path),
        }
    }

    fn text(&mut self, key: &'static Key, text: &str, place: &str, source: Source) {
        self.text_at(key.name, key, text, place, source);
    }

    fn text_at(&mut self, name: &str, key: &Key, text: &str, place: &str, source: Source) {
        match key.shape.read_text(text) {
            Ok(value) => self.put(name, value, source, place, 0),
            Err(problem) => self.fault(place, 0, name, problem),
        }
    }

    fn put(&mut self, name: &str, value: Value, source: Source, file: &str, line: usize) {
        if let Some(Member { family, name: table, .. }) = member(name)
            && !self.table(&format!("{}.{table}", family.prefix), file, line)
        {
            return;
        }
        self.rules.extend(policy::rules(name, &value, source, file));
        let before = self.values.get(name).map(|(value, _, _)| value);
        let value = walls::joined(name, before, value, (source, self.walls));
        let value = policy::joined(name, before, value, source);
        let place = Place { name: file.to_owned(), line };
        self.values.insert(name.to_owned(), (value, source, place));
    }

    /// Takes note of a named table; false if it may not have that name.
    fn table(&mut self, path: &str, file: &str, line: usize) -> bool {
        let good = families::table(path).is_some_and(|(_, name)| families::is_name(name));
        if good {
            let place = Place { name: file.to_owned(), line };
            self.tables.entry(path.to_owned()).or_insert(place);
        } else {
            self.fault(file, line, path, Problem::Name);
        }
        good
    }

    fn unknown(&mut self, place: &str, line: usize, name: &str) {
        let near = families::neighbours(name);
        let known = KEYS.iter().map(|key| key.name).chain(near.iter().map(String::as_str));
        let nearest = nearest(name, known).into_iter().map(str::to_owned).collect();
        self.fault(place, line, name, Problem::Unknown { nearest });
    }

    fn fault(&mut self, place: &str, line: usize, key: &str, problem: Problem) {
        self.faults.push(Fault { place: place.to_owned(), line, key: key.to_owned(), problem });
    }

    /// A wrapper whose program no file names takes the one that older set-ups name.
    fn wrappers(&mut self, env: &[(String, String)]) {
        let said = env.iter().find(|(name, text)| name == agents::BIN_VAR && !text.is_empty());
        let Some((var, text)) = said else { return };
        for name in self.named(AGENTS.prefix) {
            let bin = format!("{}.{name}.bin", AGENTS.prefix);
            let kind = self.values.get(&format!("{}.{name}.kind", AGENTS.prefix));
            let kind = kind.map_or(name.as_str(), |(value, _, _)| word(value));
            if kind == kernel::agent::Kind::Wrapper.name()
                && !self.values.contains_key(&bin)
                && let Some(known) = member(&bin)
            {
                self.text_at(&bin, known.key, text, var, Source::Environment);
            }
        }
    }

    /// The named tables of a family; agents that need no configuration are always there.
    fn named(&self, prefix: &str) -> Vec<String> {
        let tables = self.tables.keys().filter_map(|path| path.strip_prefix(prefix));
        let mut names: Vec<String> =
            tables.filter_map(|rest| rest.strip_prefix('.')).map(str::to_owned).collect();
        if prefix == AGENTS.prefix {
            names.extend(agents::BUILT_IN.iter().map(|name| (*name).to_owned()));
        }
        names.sort();
        names.dedup();
        names
    }

    /// Makes every agent, and finds what is wrong with those that cannot be.
    fn agents(&mut self, settings: &mut Settings) {
        for name in self.named(AGENTS.prefix) {
            let path = format!("{}.{name}", AGENTS.prefix);
            let made = agents::make(&name, &settings.call, &|leaf| {
                self.values.get(&format!("{path}.{leaf}")).map(|(value, _, _)| value)
            });
            match made {
                Ok(agent) => drop(settings.agents.insert(name, agent)),
                Err(wrong) => {
                    for (leaf, problem) in wrong {
                        let full = format!("{path}.{leaf}");
                        let own = self.values.get(&full).map(|(_, _, place)| place);
                        let at = own.or_else(|| self.tables.get(&path)).cloned();
                        let at = at.unwrap_or_default();
                        self.fault(&at.name, at.line, &full, problem);
                    }
                }
            }
        }
    }

    /// Takes the registered tools in; one without a command is none.
    fn tools(&mut self, settings: &mut Settings) {
        for name in self.named(TOOLS.prefix) {
            let path = format!("{}.{name}", TOOLS.prefix);
            let get = |leaf: &str| self.values.get(&format!("{path}.{leaf}"));
            let argv = match get("command").map(|(value, _, _)| value) {
                Some(Value::Texts(argv)) if !argv.is_empty() => argv.clone(),
                Some(_) | None => {
                    let at = self.tables.get(&path).cloned().unwrap_or_default();
                    self.fault(&at.name, at.line, &format!("{path}.command"), Problem::Missing);
                    continue;
                }
            };
            let text = |leaf: &str| get(leaf).map(|(value, _, _)| word(value).to_owned());
            settings.session.tools.push(Tool {
                prefix: text("prefix").unwrap_or_else(|| format!("/{name}")),
                describe: text("describe").unwrap_or_default(),
                name,
                argv,
            });
        }
    }

    fn finish(mut self) -> Result<Resolved, Vec<Fault>> {
        self.faults.extend(between::faults(&self.values));
        let (participants, roles) = (self.named(PARTICIPANTS.prefix), self.named(ROLES.prefix));
        let mut settings = self.plain(&participants, &roles);
        self.agents(&mut settings);
        self.tools(&mut settings);
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let held = self.held(&settings);
        Ok(Resolved { held, settings, warnings: self.warnings })
    }

    /// Everything but the agents, which may be wrong as a whole.
    fn plain(&self, participants: &[String], roles: &[String]) -> Settings {
        let get = |name: &str| self.values.get(name).map(|(value, _, _)| value);
        let source = |name: &str| self.values.get(name).map(|(_, source, _)| *source);
        let said = |name: &str| source(name).is_some_and(|source| source != Source::BuiltIn);
        let read = Read { get: &get, said: &said };
        let mut settings = Settings::of(&read);
        settings.collab.tables(&read, participants, roles);
        settings.policy.files.clone_from(&self.rules);
        settings
    }

    fn held(&self, settings: &Settings) -> Vec<Held> {
        let one = |name: &str, default: &'static str| {
            let (value, source, _) = self.values.get(name)?;
            Some(Held { key: name.to_owned(), value: value.clone(), source: *source, default })
        };
        let mut held: Vec<Held> =
            KEYS.iter().filter_map(|key| one(key.name, key.default)).collect();
        for family in families::FAMILIES {
            for name in self.named(family.prefix) {
                for key in family.keys {
                    let full = format!("{}.{name}.{}", family.prefix, key.name);
                    held.extend(one(&full, key.default).or_else(|| implied(settings, &full)));
                }
            }
        }
        held
    }
}

/// An agent's kind is always shown, even where its name says it.
fn implied(settings: &Settings, full: &str) -> Option<Held> {
    let member = member(full).filter(|member| member.key.name == "kind")?;
    let value = Value::Text(settings.agents.get(member.name)?.kind().name().to_owned());
    Some(Held { key: full.to_owned(), value, source: Source::BuiltIn, default: "" })
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
            ..Layers::default()
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
        let plain = resolved.held.iter().filter(|held| key(&held.key).is_some());
        assert_eq!(plain.count(), KEYS.len());
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
            (
                "[collab]\nnetwork_probe = []\ncheck_network = true\n",
                "loopwright.toml:3: collab.network_probe",
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
