//! `[collab]` and `[ask.zhi]` as plain fields. Checked already; what a run makes of them is not
//! decided here.

use std::collections::BTreeMap;

use kernel::agent::Access;

use super::choices::{CollabAccept, CollabGate, CollabMerge, CollabMode};
use super::settings::{PROVEN, Read};

/// `[collab]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collab {
    /// Who is asked, in order.
    pub participants: Vec<String>,
    /// Which role they have.
    pub role: String,
    /// In which order.
    pub mode: CollabMode,
    /// How many a result needs.
    pub gate: CollabGate,
    /// The whole run's time.
    pub timeout_ms: u64,
    /// Retries for each participant.
    pub max_retries: u64,
    /// Whether nobody is called.
    pub lite: bool,
    /// Who accepts a result that lacks something.
    pub accept: CollabAccept,
    /// How long that question stays open; 0 = for ever.
    pub confirm_timeout_ms: u64,
    /// How answers are put together.
    pub merge: CollabMerge,
    /// Whether the network is tried before the start.
    pub check_network: bool,
    /// Where, as `host:port`.
    pub network_probe: Vec<String>,
    /// Between two lines of progress.
    pub progress_interval_ms: u64,
    /// Silence that is worth a notice.
    pub warning_threshold_ms: u64,
    /// Between two signs of life.
    pub heartbeat_ms: u64,
    /// `[collab.participant.<name>]`
    pub participant: BTreeMap<String, Participant>,
    /// `[collab.roles.<role>]`: the file that holds its text.
    pub roles: BTreeMap<String, String>,
}

/// `[collab.participant.<name>]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// The agent; the participant's own name if none is named.
    pub agent: String,
    /// The side of the question it answers for, if one is named.
    pub dimension: Option<String>,
    /// Whether that side is a core part; none = by role.
    pub core: Option<bool>,
    /// What it may do.
    pub access: Access,
}

impl Collab {
    /// The agent that speaks for a participant.
    #[must_use]
    pub fn agent_of<'a>(&'a self, participant: &'a str) -> &'a str {
        self.participant.get(participant).map_or(participant, |found| &found.agent)
    }

    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            participants: read.texts("collab.participants"),
            role: read.text("collab.role"),
            mode: CollabMode::named(&read.text("collab.mode")).expect(PROVEN),
            gate: CollabGate::named(&read.text("collab.gate")).expect(PROVEN),
            timeout_ms: read.whole("collab.timeout"),
            max_retries: read.whole("collab.max_retries"),
            lite: read.bool("collab.lite"),
            accept: CollabAccept::named(&read.text("collab.accept")).expect(PROVEN),
            confirm_timeout_ms: read.whole("collab.confirm_timeout"),
            merge: CollabMerge::named(&read.text("collab.merge")).expect(PROVEN),
            check_network: read.bool("collab.check_network"),
            network_probe: read.texts("collab.network_probe"),
            progress_interval_ms: read.whole("collab.progress_interval"),
            warning_threshold_ms: read.whole("collab.warning_threshold"),
            heartbeat_ms: read.whole("collab.heartbeat"),
            participant: BTreeMap::new(),
            roles: BTreeMap::new(),
        }
    }

    /// Takes the named tables in.
    pub(super) fn tables(&mut self, read: &Read<'_>, participants: &[String], roles: &[String]) {
        for name in participants {
            let at = |leaf: &str| format!("collab.participant.{name}.{leaf}");
            let access = read.maybe_text(&at("access"));
            let access = access.and_then(|word| Access::named(&word));
            let participant = Participant {
                agent: read.maybe_text(&at("agent")).unwrap_or_else(|| name.clone()),
                dimension: read.maybe_text(&at("dimension")),
                core: read.maybe_bool(&at("core")),
                access: access.unwrap_or(Access::Read),
            };
            self.participant.insert(name.clone(), participant);
        }
        for role in roles {
            let file = read.maybe_text(&format!("collab.roles.{role}.file"));
            self.roles.extend(file.map(|file| (role.clone(), file)));
        }
    }
}

/// `[ask]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// `[ask.zhi]`
    pub zhi: Zhi,
}

/// `[ask.zhi]`: another way to put questions to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zhi {
    /// Whether it is used.
    pub enabled: bool,
    /// The server's program and words.
    pub command: Vec<String>,
    /// The tool that asks.
    pub tool: String,
    /// What is sent along.
    pub extra: serde_json::Value,
}

impl Ask {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            zhi: Zhi {
                enabled: read.bool("ask.zhi.enabled"),
                command: read.texts("ask.zhi.command"),
                tool: read.text("ask.zhi.tool"),
                extra: read.json("ask.zhi.extra"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{File, Layers, Settings, Source, resolve};

    #[test]
    fn defaults_are_as_settled() {
        let settings = Settings::default();
        let collab = &settings.collab;
        assert_eq!(collab.participants, ["codex", "gemini"]);
        assert_eq!((collab.timeout_ms, collab.max_retries), (600_000, 1));
        assert_eq!((collab.confirm_timeout_ms, collab.heartbeat_ms), (0, 10_000));
        assert_eq!((collab.progress_interval_ms, collab.warning_threshold_ms), (30_000, 45_000));
        assert_eq!(collab.agent_of("codex"), "codex");
        assert_eq!(settings.ask.zhi.tool, "zhi");
        assert_eq!(settings.ask.zhi.extra, serde_json::json!({}));
    }

    #[test]
    fn named_tables_are_read() {
        let text = "[collab]\nparticipants = [\"a\", \"b\"]\n[collab.participant.a]\n\
            agent = \"codex\"\ndimension = \"backend\"\ncore = false\n\
            [collab.roles.poet]\nfile = \"poet.md\"\n[ask.zhi.extra]\nx = [1]\n";
        let env = [("LITE_MODE".to_owned(), "true".to_owned())];
        let workspace = Some(File { name: "w", text });
        let resolved = resolve(&Layers { workspace, env: &env, ..Layers::default() }).unwrap();
        let collab = &resolved.settings.collab;
        let a = Participant {
            agent: "codex".into(),
            dimension: Some("backend".into()),
            core: Some(false),
            access: Access::Read,
        };
        assert_eq!(collab.participant, BTreeMap::from([("a".to_owned(), a)]));
        assert_eq!((collab.agent_of("a"), collab.agent_of("b")), ("codex", "b"));
        assert_eq!(collab.roles["poet"], "poet.md");
        assert!(collab.lite);
        assert_eq!(resolved.settings.ask.zhi.extra, serde_json::json!({ "x": [1] }));
        let held = |key: &str| resolved.held.iter().find(|held| held.key == key).unwrap().source;
        assert_eq!(held("collab.lite"), Source::Environment);
        assert_eq!(held("collab.participant.a.core"), Source::Workspace);
    }

    #[test]
    fn wrong_forms_are_refused() {
        for text in [
            "[collab]\ntimeout = \"5s\"",
            "[collab]\nmax_retries = 4",
            "[collab]\nmerge = \"structured\"",
            "[collab.participant.a]\naccess = \"edit\"",
            "[collab.participant.a]\nfile = \"x\"",
            "[ask.zhi]\nextra = 1",
        ] {
            let layers = Layers { user: Some(File { name: "u", text }), ..Layers::default() };
            assert_eq!(resolve(&layers).err().map(|faults| faults.len()), Some(1), "{text}");
        }
    }
}
