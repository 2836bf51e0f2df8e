//! Names that a document may bear in either language. Readers take both; writers use the unit's.

use serde::{Deserialize, Serialize};

/// The language a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tongue {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

/// One name in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Both {
    /// Chinese.
    pub zh: &'static str,
    /// English.
    pub en: &'static str,
}

impl Both {
    /// The pair.
    #[must_use]
    pub const fn new(zh: &'static str, en: &'static str) -> Self {
        Self { zh, en }
    }

    /// The name in a language.
    #[must_use]
    pub const fn say(&self, tongue: Tongue) -> &'static str {
        match tongue {
            Tongue::En => self.en,
            Tongue::Zh => self.zh,
        }
    }

    /// Whether a text is this name, whole, in either language.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        text == self.zh || text.eq_ignore_ascii_case(self.en)
    }
}

/// A line as key and value, with either colon.
pub(super) fn pair(line: &str) -> Option<(&str, &str)> {
    let at = line.find([':', '：'])?;
    let (key, rest) = line.split_at(at);
    let colon = rest.chars().next().map_or(0, char::len_utf8);
    Some((key.trim(), rest.get(colon..).unwrap_or_default().trim()))
}
