//! The proposal of a package, read from its text: its facts, sections, decisions and a summary.
//! What it says of its type counts only where its facts stand.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::section::{Section, fenced_pairs, named, sections};
use super::text::{Place, Text};
use super::words::{Both, Tongue, pair};

/// The facts.
pub const META: Both = Both::new("元信息", "Meta");
/// What is wanted.
pub const REQUIREMENT: Both = Both::new("需求", "Requirement");
/// How.
pub const SOLUTION: Both = Both::new("方案", "Solution");
/// The sections a proposal must have.
pub const REQUIRED: [Both; 3] = [META, REQUIREMENT, SOLUTION];
/// Why.
pub const BACKGROUND: Both = Both::new("背景", "Background");
/// What for.
pub const GOAL: Both = Both::new("目标", "Goal");
/// Where.
pub const IMPACT: Both = Both::new("影响范围", "Impact");
/// Which modules.
pub const MODULES: Both = Both::new("涉及模块", "modules");
/// What was decided.
pub const DECISIONS: Both = Both::new("技术决策", "Decisions");
/// A decision's state.
pub const DECISION_STATE: Both = Both::new("状态", "Status");
/// Key of the package's type.
pub const PACKAGE_TYPE: Both = Both::new("方案类型", "package type");
/// Key of the kind of change.
pub const KIND: Both = Both::new("类型", "kind");
/// Said where a package has no description.
pub const NO_SUMMARY: Both = Both::new("（无描述）", "(no description)");
/// Letters of a summary.
pub const PACKAGE_SUMMARY_CHARS: usize = 50;

/// What a package is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// Something is built.
    #[default]
    Implementation,
    /// Documents, design or analysis only.
    Overview,
}

impl Type {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Implementation => "implementation",
            Self::Overview => "overview",
        }
    }
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// `#D001`.
    pub id: String,
    /// What was decided.
    pub title: String,
    /// Whether it holds.
    pub adopted: bool,
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    text: Text,
    /// Its headings.
    pub sections: Vec<Section>,
}

impl Proposal {
    /// Reads it.
    #[must_use]
    pub fn read(text: Text) -> Self {
        let sections = sections(&text);
        Self { text, sections }
    }

    /// The text.
    #[must_use]
    pub const fn text(&self) -> &Text {
        &self.text
    }

    /// The value of a fact.
    #[must_use]
    pub fn fact(&self, key: &Both) -> Option<&str> {
        let section = named(&self.sections, &META)?;
        let pairs = fenced_pairs(&self.text, section);
        let (_, _, value) = pairs.into_iter().find(|(_, found, _)| key.is(found))?;
        Some(value.trim_matches(['"', '\'']))
    }

    /// What it is for.
    #[must_use]
    pub fn package_type(&self) -> Type {
        match self.fact(&PACKAGE_TYPE) {
            Some(word) if word.eq_ignore_ascii_case("overview") => Type::Overview,
            Some(_) | None => Type::Implementation,
        }
    }

    /// Required sections that are not there.
    #[must_use]
    pub fn missing(&self) -> Vec<Both> {
        let lacks = |name: &&Both| named(&self.sections, name).is_none();
        REQUIRED.iter().filter(lacks).copied().collect()
    }

    /// The decisions, read in headings of their own section only.
    #[must_use]
    pub fn decisions(&self) -> Vec<Decision> {
        let Some(section) = named(&self.sections, &DECISIONS) else { return Vec::new() };
        let inside = |it: &&Section| section.body().contains(&it.at);
        let read = |it: &Section| {
            let (id, title) = decision(&it.raw)?;
            Some(Decision { id, title, adopted: self.adopted(it) })
        };
        self.sections.iter().filter(inside).filter_map(read).collect()
    }

    fn adopted(&self, section: &Section) -> bool {
        section.body().filter_map(|at| self.text.open(at)).any(|line| {
            let line = line.trim_start_matches(['-', '*', ' ', '>']);
            let found = pair(line).filter(|(key, _)| DECISION_STATE.is(key.trim_matches('*')));
            found.is_some_and(|(_, value)| {
                value.contains("采纳") || value.to_ascii_lowercase().contains("adopted")
            })
        })
    }

    /// The modules that are touched.
    #[must_use]
    pub fn modules(&self) -> Vec<String> {
        let Some(section) = named(&self.sections, &IMPACT) else { return Vec::new() };
        let bodies = section.body().filter_map(|at| self.text.lines().get(at));
        let mut found = Vec::new();
        for line in bodies.filter(|line| line.place != Place::Comment) {
            let line = line.text.trim_start_matches(['-', '*', ' ', '\t']);
            let Some((key, value)) = pair(line) else { continue };
            if !MODULES.is(key.trim_matches('*')) {
                continue;
            }
            let parts = value.split([',', '，', '、', ';', '；']);
            let clean = parts.map(|part| part.trim().trim_matches(['`', '[', ']']).trim());
            let real = |part: &&str| !part.is_empty() && *part != "-" && !part.starts_with('{');
            found.extend(clean.filter(real).map(ToString::to_string));
        }
        found
    }

    /// Its first words: of the goal, else the background, else the first plain line.
    #[must_use]
    pub fn summary(&self, tongue: Tongue) -> String {
        let under = |name: &Both| {
            let section = named(&self.sections, name)?;
            section.body().find_map(|at| self.plain(at))
        };
        let first = || (0..self.text.lines().len()).find_map(|at| self.plain(at));
        let found = under(&GOAL).or_else(|| under(&BACKGROUND)).or_else(first);
        let Some(line) = found else { return NO_SUMMARY.say(tongue).to_string() };
        if line.chars().count() <= PACKAGE_SUMMARY_CHARS {
            return line.to_string();
        }
        let mut cut: String = line.chars().take(PACKAGE_SUMMARY_CHARS).collect();
        cut.push_str("...");
        cut
    }

    fn plain(&self, at: usize) -> Option<&str> {
        let line = self.text.open(at)?.trim();
        let odd = line.is_empty() || line.starts_with(['#', '|', '>']) || line == "---";
        let line = line.trim_start_matches(['-', '*', ' ']).trim_start_matches("[ ] ");
        (!odd && !line.is_empty()).then_some(line)
    }
}

/// The id and title of a decision's heading.
fn decision(raw: &str) -> Option<(String, String)> {
    let at = raw.find("#D")?;
    let digits = raw.get(at + 2..at + 5)?;
    let rest = raw.get(at + 5..)?;
    let whole = digits.bytes().all(|byte| byte.is_ascii_digit())
        && !rest.starts_with(|letter: char| letter.is_ascii_digit());
    let mut id = String::from("#D");
    id.push_str(digits);
    whole.then(|| (id, rest.trim_start_matches([':', '：', ' ']).trim().to_string()))
}
