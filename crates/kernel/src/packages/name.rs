//! The name of a package: a real minute, a feature, perhaps a version. Which names are free is
//! somebody else's to look at.

use alloc::format;
use alloc::string::{String, ToString};

use serde::{Deserialize, Serialize};

/// A longer feature is a sentence.
pub const FEATURE_MAX: usize = 60;
/// More packages of one name in one minute are a mistake.
pub const VERSIONS_MAX: u32 = 100;
/// Digits of a minute.
const STAMP: usize = 12;

/// A package's name, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name {
    stamp: String,
    feature: String,
    version: u32,
}

impl Name {
    /// The name of a feature at a minute; none if either is none.
    #[must_use]
    pub fn new(stamp: &str, feature: &str, version: u32) -> Option<Self> {
        let fits = is_minute(stamp) && !feature.is_empty() && (1..=VERSIONS_MAX).contains(&version);
        let (stamp, feature) = (stamp.to_string(), feature.to_string());
        fits.then_some(Self { stamp, feature, version })
    }

    /// Reads a directory's name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (stamp, rest) = text.split_once('_')?;
        if stamp.len() != STAMP || rest.is_empty() || rest.contains(['/', '\0']) {
            return None;
        }
        let (feature, version) = versioned(rest);
        Self::new(stamp, feature, version)
    }

    /// Twelve digits.
    #[must_use]
    pub fn stamp(&self) -> &str {
        &self.stamp
    }

    /// What it is about.
    #[must_use]
    pub fn feature(&self) -> &str {
        &self.feature
    }

    /// 1 unless its name says otherwise.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// The same with another version.
    #[must_use]
    pub fn with_version(&self, version: u32) -> Self {
        Self { version, ..self.clone() }
    }

    /// The month its archive lies in.
    #[must_use]
    pub fn month(&self) -> String {
        let part = |from: usize, to: usize| self.stamp.get(from..to).unwrap_or_default();
        format!("{}-{}", part(0, 4), part(4, 6))
    }
}

impl core::fmt::Display for Name {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.version {
            1 => write!(f, "{}_{}", self.stamp, self.feature),
            version => write!(f, "{}_{}_v{version}", self.stamp, self.feature),
        }
    }
}

/// Splits a trailing version off. `_v1` is no version: we never write it.
fn versioned(rest: &str) -> (&str, u32) {
    let Some((feature, number)) = rest.rsplit_once("_v") else { return (rest, 1) };
    let plain = !number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit());
    match number.parse::<u32>() {
        Ok(version) if plain && !feature.is_empty() && (2..=VERSIONS_MAX).contains(&version) => {
            (feature, version)
        }
        Ok(_) | Err(_) => (rest, 1),
    }
}

/// A feature as it stands in a name; none if nothing is left of it.
#[must_use]
pub fn feature(text: &str) -> Option<String> {
    let keeps = |letter: &char| {
        letter.is_ascii_alphanumeric() || ('\u{4e00}'..='\u{9fff}').contains(letter)
    };
    let mut out = String::new();
    for letter in text.trim().chars() {
        if keeps(&letter) {
            out.push(letter.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let cut: String = out.chars().take(FEATURE_MAX).collect();
    let cut = cut.trim_matches('-');
    (!cut.is_empty()).then(|| cut.to_string())
}

/// Whether twelve digits name a minute that there was or will be.
#[must_use]
pub fn is_minute(stamp: &str) -> bool {
    if stamp.len() != STAMP || !stamp.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let part = |from: usize, to: usize| stamp.get(from..to).and_then(|it| it.parse::<u32>().ok());
    let parts = (part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 12));
    let (Some(year), Some(month), Some(day), Some(hour), Some(minute)) = parts else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day) && hour < 24 && minute < 60
}
