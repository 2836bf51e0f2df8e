//! The clients, the place of their settings, and what an entry in them is. No file is touched.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{json, toml};

/// The name of our server in every client.
pub(super) const NAME: &str = "loopwright";

/// A program that can speak to our server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the programs' own")]
pub enum Client {
    Codex,
    Gemini,
    Claude,
    Qwen,
}

/// How our server is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The program.
    pub command: String,
    /// Its words.
    pub args: Vec<String>,
}

/// What entering it makes of a client's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entered {
    /// An equal entry is there.
    Same,
    /// The whole text, with the entry in it.
    Text(String),
}

/// Settings that are not written as the client itself writes them, so that an entry could spoil
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfit;

impl Client {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Codex, Self::Gemini, Self::Claude, Self::Qwen];
    /// Their names, in the same order.
    pub const NAMES: [&'static str; 4] = ["codex", "gemini", "claude", "qwen"];

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.name() == name)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Claude => "claude",
            Self::Qwen => "qwen",
        }
    }

    /// The user's own settings of it: those that hold in every directory.
    #[must_use]
    pub fn settings(self, home: &Path, var: impl Fn(&str) -> Option<OsString>) -> PathBuf {
        let moved = |name: &str| var(name).map(PathBuf::from).filter(|path| path.is_absolute());
        match self {
            Self::Codex => {
                moved("CODEX_HOME").unwrap_or_else(|| home.join(".codex")).join("config.toml")
            }
            Self::Gemini => home.join(".gemini/settings.json"),
            Self::Claude => {
                moved("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.to_owned()).join(".claude.json")
            }
            Self::Qwen => home.join(".qwen/settings.json"),
        }
    }

    /// The entry as it stands alone, in the client's own form.
    #[must_use]
    pub fn shown(self, entry: &Entry) -> String {
        match self.entered("", entry) {
            Ok(Entered::Text(text)) => text,
            Ok(Entered::Same) | Err(Unfit) => String::new(),
        }
    }

    /// The settings with the entry in them; nothing else in them changes.
    ///
    /// # Errors
    /// Settings that are not written as the client writes them.
    pub fn entered(self, text: &str, entry: &Entry) -> Result<Entered, Unfit> {
        match self {
            Self::Codex => toml::entered(text, entry),
            Self::Claude => json::entered(text, entry, &[("type", "stdio")]),
            Self::Gemini | Self::Qwen => json::entered(text, entry, &[]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry { command: "/opt/loopwright".into(), args: vec!["mcp".into()] }
    }

    #[test]
    fn settings_are_where_the_client_looks() {
        let home = Path::new("/home/p");
        let none = |_: &str| None;
        let moved = |name: &str| Some(OsString::from(format!("/moved/{name}")));
        let table = [
            (Client::Codex, "/home/p/.codex/config.toml", "/moved/CODEX_HOME/config.toml"),
            (Client::Gemini, "/home/p/.gemini/settings.json", "/home/p/.gemini/settings.json"),
            (Client::Claude, "/home/p/.claude.json", "/moved/CLAUDE_CONFIG_DIR/.claude.json"),
            (Client::Qwen, "/home/p/.qwen/settings.json", "/home/p/.qwen/settings.json"),
        ];
        for (client, plain, other) in table {
            assert_eq!(client.settings(home, none), Path::new(plain));
            assert_eq!(client.settings(home, moved), Path::new(other));
            assert_eq!(Client::named(client.name()), Some(client));
        }
        assert_eq!(Client::named("Codex"), None);
        assert_eq!(Client::ALL.map(Client::name), Client::NAMES);
    }

    #[test]
    fn an_entry_is_entered_once() {
        for client in Client::ALL {
            let text = client.shown(&entry());
            assert!(text.contains("/opt/loopwright"), "{client:?}: {text}");
            assert_eq!(client.entered(&text, &entry()), Ok(Entered::Same), "{client:?}");
            let moved = Entry { command: "/new".into(), ..entry() };
            let Ok(Entered::Text(text)) = client.entered(&text, &moved) else { panic!() };
            assert!(text.contains("/new") && !text.contains("/opt/loopwright"), "{text}");
            assert_eq!(client.entered(&text, &moved), Ok(Entered::Same), "{client:?}");
            assert_eq!(client.entered("{ not settings", &entry()), Err(Unfit), "{client:?}");
        }
    }
}
