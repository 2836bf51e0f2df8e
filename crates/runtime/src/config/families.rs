//! Settings of tables that a person names: `agents.<name>.bin`, `collab.participant.<name>.core`.
//! Like the table of plain settings, only with a name in the middle. What a table as a whole must
//! have is the business of whoever reads it.

use super::keys::{DEADLINE_MS_MAX, KEYS, Key, PAYLOAD_BYTES_MIN, bytes, ms};
use super::shapes::Shape;

/// A kind of named tables.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// What stands before the name.
    pub prefix: &'static str,
    /// The settings of one table, by the last part of their names. An empty default is none.
    pub keys: &'static [Key],
}

/// A setting of one named table.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// Which kind of tables.
    pub family: &'static Family,
    /// The table's name.
    pub name: &'a str,
    /// The setting.
    pub key: &'static Key,
}

/// A table's name is a word: it stands in paths, records and on command lines.
const NAME_CHARS_MAX: usize = 32;

/// Words for what an agent may do.
pub(super) const ACCESS: &[&str] = &["read", "edit", "full"];
/// Words for the adapters of this build.
pub(crate) const KINDS: &[&str] =
    &["codex", "gemini", "claude", "qwen", "wrapper", "command", "script"];

const fn of(name: &'static str, shape: Shape, default: &'static str, page: &'static str) -> Key {
    Key::new(name, shape, default, page)
}

const fn agent(name: &'static str, shape: Shape, default: &'static str) -> Key {
    of(name, shape, default, "agents")
}

/// `[agents.<name>]`
pub const AGENTS: Family = Family {
    prefix: "agents",
    keys: &[
        agent("kind", Shape::Choice(KINDS), ""),
        agent("bin", Shape::Program, ""),
        agent("model", Shape::Text, ""),
        agent("args", Shape::Texts, "[]"),
        agent("env", Shape::Names, "[]"),
        agent("access_max", Shape::Choice(ACCESS), "\"full\""),
        agent("wall", ms(1, DEADLINE_MS_MAX), ""),
        agent("idle", ms(0, DEADLINE_MS_MAX), ""),
        agent("spool_bytes", bytes(PAYLOAD_BYTES_MIN), ""),
        agent("unsandboxed", Shape::Bool, "false"),
        agent("resume_at_reset", Shape::Bool, "false"),
        agent("tools", Shape::Bool, "false"),
        agent("inner_sandbox", Shape::Choice(&["auto", "on", "off"]), "\"auto\""),
        agent("project_settings", Shape::Bool, "false"),
        agent("mentions", Shape::Bool, "false"),
        agent("auth_type", Shape::Text, ""),
        agent("backend", Shape::Choice(&["codex", "gemini", "claude", "qwen"]), "\"codex\""),
        agent("lite", Shape::Bool, "false"),
        agent("argv", Shape::Texts, ""),
        agent("argv_resume", Shape::Texts, ""),
        agent("stdin", Shape::Choice(&["prompt", "none"]), "\"prompt\""),
        agent("output", Shape::Choice(&["text", "json", "jsonl"]), "\"text\""),
        agent("text", Shape::Pointer, ""),
        agent("session", Shape::Session, "\"none\""),
        agent("error", Shape::Pointer, ""),
        agent("usage", Shape::Pointer, ""),
        agent("final", Shape::Final, ""),
        agent("ok_exit", Shape::Exits, "[0]"),
        agent("scenario", Shape::Text, ""),
    ],
};

/// `[collab.participant.<name>]`
pub const PARTICIPANTS: Family = Family {
    prefix: "collab.participant",
    keys: &[
        of("agent", Shape::Text, "", "collab"),
        of("dimension", Shape::Word, "", "collab"),
        of("core", Shape::Bool, "", "collab"),
        of("access", Shape::Choice(&["read"]), "\"read\"", "collab"),
    ],
};

/// `[collab.roles.<role>]`
pub const ROLES: Family =
    Family { prefix: "collab.roles", keys: &[of("file", Shape::Text, "", "collab")] };

/// `[tool.<name>]`
pub const TOOLS: Family = Family {
    prefix: "tool",
    keys: &[
        of("type", Shape::Choice(&["command"]), "\"command\"", "session"),
        of("prefix", Shape::Text, "", "session"),
        of("command", Shape::Texts, "", "session"),
        of("describe", Shape::Text, "", "session"),
    ],
};

/// Every kind of named tables.
pub const FAMILIES: &[Family] = &[AGENTS, PARTICIPANTS, ROLES, TOOLS];

/// The table and setting of a full name; none if there is no such setting, whatever the table.
#[must_use]
pub fn member(path: &str) -> Option<Member<'_>> {
    FAMILIES.iter().find_map(|family| {
        let (name, leaf) = below(family, path)?.rsplit_once('.')?;
        let key = family.keys.iter().find(|key| key.name == leaf)?;
        Some(Member { family, name, key })
    })
}

/// The family and name of a table, `agents.codex`.
pub(super) fn table(path: &str) -> Option<(&'static Family, &str)> {
    FAMILIES.iter().find_map(|family| below(family, path).map(|name| (family, name)))
}

fn below<'a>(family: &Family, path: &'a str) -> Option<&'a str> {
    path.strip_prefix(family.prefix)?.strip_prefix('.')
}

/// Whether a table may have that name.
pub(super) fn is_name(name: &str) -> bool {
    let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    name.len() <= NAME_CHARS_MAX
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(part)
}

/// Names that an unknown one may have meant: the same table with each setting of its kind.
pub(super) fn neighbours(path: &str) -> Vec<String> {
    let Some((family, rest)) = table(path) else { return Vec::new() };
    let name = rest.split('.').next().unwrap_or_default();
    family.keys.iter().map(|key| format!("{}.{name}.{}", family.prefix, key.name)).collect()
}

/// Whether a table of this name can be: something is set in it.
pub(super) fn is_section(path: &str) -> bool {
    let inside = |name: &str| name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    let tables = FAMILIES.iter().map(|family| family.prefix);
    tables.chain(KEYS.iter().map(|key| key.name)).any(|name| name == path || inside(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_in_the_middle() {
        let found = |path| member(path).map(|m| (m.family.prefix, m.name, m.key.name));
        assert_eq!(found("agents.codex.bin"), Some(("agents", "codex", "bin")));
        assert_eq!(found("agents.a.b.bin"), Some(("agents", "a.b", "bin")));
        assert_eq!(found("collab.participant.p.core"), Some(("collab.participant", "p", "core")));
        assert_eq!(found("collab.roles.r.file"), Some(("collab.roles", "r", "file")));
        for none in ["agents.codex", "agents.codex.nope", "agent.codex.bin", "agents", "call.bin"] {
            assert_eq!(found(none), None, "{none}");
        }
    }

    #[test]
    fn names_are_words() {
        for (name, good) in [("codex", true), ("my-2", true), ("2my", false), ("A", false)] {
            assert_eq!(is_name(name), good, "{name}");
        }
        assert!(!is_name("a.b") && !is_name("") && !is_name(&"a".repeat(33)));
    }
}
