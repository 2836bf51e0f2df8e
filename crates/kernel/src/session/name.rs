//! The commands that a person types with `~`: their names, their classes, and what each of them
//! may do beside a unit that is already running. It starts nothing.

use serde::{Deserialize, Serialize};

/// A `~` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the commands' own")]
pub enum Name {
    Auto,
    Plan,
    Exec,
    Init,
    Upgrade,
    Clean,
    Test,
    Commit,
    Review,
    Validate,
    Rollback,
    Help,
    Status,
}

/// What kind of command it is, as the seed sorts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// 需求评估类: it evaluates a requirement first.
    Evaluating,
    /// 目标选择类: it picks a target.
    Target,
    /// 场景确认类: it looks at the scene and confirms.
    Scene,
    /// 范围选择类: it picks a range.
    Scope,
    /// 直接执行类: it answers.
    Direct,
}

impl Class {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Evaluating => "evaluating",
            Self::Target => "target",
            Self::Scene => "scene",
            Self::Scope => "scope",
            Self::Direct => "direct",
        }
    }
}

/// What a command may do while a flow or a job runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Only one such unit at a time: a person decides which.
    Exclusive,
    /// It changes files: it opens at a safe point and holds what runs.
    Suspending,
    /// It only reads: what runs goes on.
    Reading,
    /// It is answered at once.
    Answered,
}

impl Name {
    /// Every command, in the order in which they are listed.
    pub const ALL: [Self; 13] = [
        Self::Auto,
        Self::Plan,
        Self::Exec,
        Self::Init,
        Self::Upgrade,
        Self::Clean,
        Self::Test,
        Self::Commit,
        Self::Review,
        Self::Validate,
        Self::Rollback,
        Self::Help,
        Self::Status,
    ];

    /// The name as typed, without `~`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Plan => "plan",
            Self::Exec => "exec",
            Self::Init => "init",
            Self::Upgrade => "upgrade",
            Self::Clean => "clean",
            Self::Test => "test",
            Self::Commit => "commit",
            Self::Review => "review",
            Self::Validate => "validate",
            Self::Rollback => "rollback",
            Self::Help => "help",
            Self::Status => "status",
        }
    }

    /// The command of that name, in any case; `?` asks for help.
    #[must_use]
    pub fn typed(word: &str) -> Option<Self> {
        if word == "?" {
            return Some(Self::Help);
        }
        Self::ALL.into_iter().find(|name| name.word().eq_ignore_ascii_case(word))
    }

    /// What kind of command it is.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::Auto | Self::Plan => Class::Evaluating,
            Self::Exec | Self::Rollback => Class::Target,
            Self::Init | Self::Upgrade | Self::Clean | Self::Test | Self::Commit => Class::Scene,
            Self::Review | Self::Validate => Class::Scope,
            Self::Help | Self::Status => Class::Direct,
        }
    }

    /// What it may do while something runs.
    #[must_use]
    pub const fn beside(self) -> Beside {
        match self {
            Self::Auto
            | Self::Plan
            | Self::Exec
            | Self::Init
            | Self::Upgrade
            | Self::Clean
            | Self::Rollback => Beside::Exclusive,
            Self::Test | Self::Commit => Beside::Suspending,
            Self::Review | Self::Validate => Beside::Reading,
            Self::Help | Self::Status => Beside::Answered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known_in_any_case() {
        for name in Name::ALL {
            assert_eq!(Name::typed(name.word()), Some(name));
            assert_eq!(Name::typed(&name.word().to_ascii_uppercase()), Some(name));
        }
        assert_eq!(Name::typed("?"), Some(Name::Help));
        assert_eq!(Name::typed("foo"), None);
    }
}
