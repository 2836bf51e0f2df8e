//! Protected names: which parts of a path make it control, agent settings, secret or sensitive.
//! It names the class; what follows from it for reading and writing is policy.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::fold::fold;
use super::pattern::{Pattern, parts};

/// Why a name is protected. The later ones are the stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A change there is worth a question each time.
    Sensitive,
    /// Its content is a secret.
    Secret,
    /// It steers agents and editors.
    AgentSettings,
    /// It is the state of a version control system, or ours.
    Control,
}

impl Class {
    /// Every class, weakest first.
    pub const ALL: [Self; 4] = [Self::Sensitive, Self::Secret, Self::AgentSettings, Self::Control];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sensitive => "sensitive",
            Self::Secret => "secret",
            Self::AgentSettings => "agent_settings",
            Self::Control => "control",
        }
    }

    const fn patterns(self) -> &'static [&'static str] {
        match self {
            Self::Control => &[GIT, ".hg", ".svn", ".jj", "/.loop", ".gitmodules"],
            Self::AgentSettings => &[
                ".claude",
                ".codex",
                ".gemini",
                ".qwen",
                ".cursor",
                ".vscode",
                ".idea",
                ".mcp.json",
                ".envrc",
                "/loopwright.toml",
            ],
            Self::Secret => &[
                ".env",
                ".env.*",
                "*.pem",
                "*.key",
                "*.p12",
                "id_rsa*",
                "id_ed25519*",
                ".npmrc",
                ".netrc",
                ".pypirc",
                ".ssh",
                ".aws",
                ".gnupg",
                ".kube",
            ],
            Self::Sensitive => &[".github/workflows", "infra", "auth", "payments"],
        }
    }

    const fn bit(self) -> u8 {
        match self {
            Self::Sensitive => 1,
            Self::Secret => 2,
            Self::AgentSettings => 4,
            Self::Control => 8,
        }
    }
}

const GIT: &str = ".git";

/// A template that holds no secret, though its name looks like one.
const NOT_SECRET: &str = ".env.example";

/// The only parts that a secret's name can have and begin with no dot.
const SECRET_PARTS: [&str; 5] = [".pem", ".key", ".p12", "id_rsa", "id_ed25519"];

/// Every name that is kept as it is written, wherever in the root it is looked for.
pub fn written() -> impl Iterator<Item = &'static str> {
    let kept = [Class::Control, Class::AgentSettings, Class::Secret];
    let names = kept.into_iter().flat_map(|class| class.patterns().iter().copied());
    names.filter(|name| !name.contains('*')).map(|name| name.trim_start_matches('/'))
}

/// The classes of one path: a file below `.claude` may also hold a secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes(u8);

impl Classes {
    /// Whether it is of this class.
    #[must_use]
    pub const fn has(self, class: Class) -> bool {
        self.0 & class.bit() != 0
    }

    /// Whether it is of none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The strongest class, which is the one to show.
    #[must_use]
    pub fn strongest(self) -> Option<Class> {
        Class::ALL.into_iter().rev().find(|class| self.has(*class))
    }
}

/// Where a single name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Directly in the root.
    Root,
    /// Anywhere below.
    Below,
}

/// The names in force: ours, and what the user calls sensitive.
#[derive(Clone, Debug)]
pub struct Names {
    patterns: Vec<(Class, Pattern)>,
}

impl Default for Names {
    fn default() -> Self {
        Self::new::<&str>(&[])
    }
}

impl Names {
    /// Our names, and further sensitive ones: parts separated by `/` that must follow each other,
    /// at any depth unless a `/` stands in front; `*` stands for anything within a part.
    #[must_use]
    pub fn new<Text: AsRef<str>>(sensitive: &[Text]) -> Self {
        let ours = Class::ALL
            .into_iter()
            .flat_map(|class| class.patterns().iter().map(move |text| (class, Pattern::new(text))));
        let users = sensitive.iter().map(|text| (Class::Sensitive, Pattern::new(text.as_ref())));
        Self { patterns: ours.chain(users).collect() }
    }

    /// The classes of a path below the root: those of any of its parts.
    #[must_use]
    pub fn classes(&self, path: &str) -> Classes {
        self.of_parts(&parts(path))
    }

    /// The classes a single name has by itself. For a walk that already judged what is above.
    #[must_use]
    pub fn classes_of_name(&self, name: &str, place: Place) -> Classes {
        let folded = fold(name);
        match place {
            Place::Root => self.of_parts(&[folded]),
            Place::Below => self.of_parts(&[String::new(), folded]),
        }
    }

    /// What a single name is kept for by itself, whatever is called sensitive. Each of ours begins
    /// with a dot, is one of the root's or has a part that marks a secret, and only a name with a
    /// tilde can be short for another: the many that are none of that are not compared at all.
    #[must_use]
    pub fn kept(&self, name: &str, place: Place) -> Option<Class> {
        let plain = name.is_ascii() && !name.starts_with('.') && !name.contains('~');
        if plain && place == Place::Below {
            let low = name.to_ascii_lowercase();
            if !SECRET_PARTS.iter().any(|part| low.contains(part)) {
                return None;
            }
        }
        let strongest = self.classes_of_name(name, place).strongest();
        strongest.filter(|class| *class != Class::Sensitive)
    }

    fn of_parts(&self, parts: &[String]) -> Classes {
        let mut classes = Classes::default();
        for (class, pattern) in &self.patterns {
            if !classes.has(*class) && fits(*class, pattern, parts) {
                classes.0 |= class.bit();
            }
        }
        classes
    }
}

/// Whether a path is git's own directory or lies in one, whose content is not even listed.
#[must_use]
pub fn is_in_git(path: &str) -> bool {
    Pattern::new(GIT).is_in(&parts(path))
}

/// Secrets are looked for part by part, so that a template takes back only itself and not what
/// stands around it.
fn fits(class: Class, pattern: &Pattern, parts: &[String]) -> bool {
    match class {
        Class::Secret => parts
            .iter()
            .any(|part| part != NOT_SECRET && pattern.is_in(core::slice::from_ref(part))),
        Class::Sensitive | Class::AgentSettings | Class::Control => pattern.is_in(parts),
    }
}
