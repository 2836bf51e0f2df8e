//! How much a requirement asks for: a tweak in one place, a light iteration, or standard
//! development. By the person's words alone; what the work turns out to be is seen later.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::anchor::Anchors;
use super::lists::{EXISTING, FAR, NEW_PROJECT};
use super::risk::Risk;
use super::score::{Score, single_point};
use super::text::Text;

/// Directories from which on work counts as spread out.
const SPREAD: usize = 3;

/// The way a flow takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Path {
    /// 微调模式: one turn, no package.
    Tweak,
    /// 轻量迭代: a package, quickly.
    Light,
    /// 标准开发: a package, with all care.
    Standard,
}

impl Path {
    /// Every path.
    pub const ALL: [Self; 3] = [Self::Tweak, Self::Light, Self::Standard];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tweak => "tweak",
            Self::Light => "light",
            Self::Standard => "standard",
        }
    }

    /// The path of that word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|path| path.word() == word)
    }
}

/// Why a path was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Reason {
    Risk,
    NewProject,
    FarReaching,
    SpreadOut,
    SinglePoint,
    NothingElse,
}

impl Reason {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Risk => "risk",
            Self::NewProject => "new_project",
            Self::FarReaching => "far_reaching",
            Self::SpreadOut => "spread_out",
            Self::SinglePoint => "single_point",
            Self::NothingElse => "nothing_else",
        }
    }
}

/// How much a requirement asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The path.
    pub path: Path,
    /// Why; the first that held, and what else speaks for it.
    pub reasons: Vec<Reason>,
    /// What is dangerous about it.
    pub risks: Vec<Risk>,
}

/// Judges a person's words. Risks are found before.
#[must_use]
pub fn judge(text: &Text, score: &Score, risks: Vec<Risk>) -> Judged {
    let anchors = Anchors::of(text);
    let mut reasons = Vec::new();
    if !risks.is_empty() {
        reasons.push(Reason::Risk);
    }
    if text.has(NEW_PROJECT) && anchors.paths.is_empty() && !text.has(EXISTING) {
        reasons.push(Reason::NewProject);
    }
    if text.has(FAR) {
        reasons.push(Reason::FarReaching);
    }
    if anchors.directories() >= SPREAD {
        reasons.push(Reason::SpreadOut);
    }
    if !reasons.is_empty() {
        return Judged { path: Path::Standard, reasons, risks };
    }
    if single_point(text, &anchors) && score.goal.points == 3 {
        return Judged { path: Path::Tweak, reasons: Vec::from([Reason::SinglePoint]), risks };
    }
    Judged { path: Path::Light, reasons: Vec::from([Reason::NothingElse]), risks }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::super::risk;
    use super::super::score::Source;
    use super::*;

    fn told(input: &str) -> String {
        let text = Text::of(input);
        let score = Score::of(&text);
        let judged = judge(&text, &score, risk::operations(&text, &[]));
        let inferred = if score.constraints.source == Source::Inferred { "*" } else { "" };
        let (goal, done) = (score.goal.points, score.done.points);
        let (scope, limits) = (score.scope.points, score.constraints.points);
        let (total, path) = (score.total(), judged.path.word());
        format!("{goal}+{done}+{scope}+{limits}{inferred}={total} {path}")
    }

    #[test]
    fn the_examples_of_the_rubric() {
        let table = [
            ("优化代码", "1+0+0+0=1 light"),
            ("添加登录功能", "2+0+0+0=2 light"),
            ("加一个按钮", "1+0+1+0=2 light"),
            ("重构用户模块", "2+0+1+0=3 standard"),
            ("把 src/net/client.rs 的超时从 30 改为 60", "3+2+2+2*=9 tweak"),
            ("Rename `load_cfg` to `load_config` in src/config.rs", "3+2+2+2*=9 tweak"),
            ("修复 src/auth/login.rs 中空密码时 panic 的错误，应该返回 401", "3+1+2+2*=8 tweak"),
            ("在 README.md 修正拼写 recieve 为 receive", "3+0+2+2*=7 tweak"),
            (
                "给登录页面添加“记住我”复选框，勾选后应该保持 7 天登录，失败时显示错误提示，\
                 只改登录模块，不引入新依赖",
                "3+3+2+2=10 light",
            ),
            (
                "Add a `--json` flag to the status command; it should print one JSON object and \
                 exit code must be 0, errors should go to stderr, only touch the cli module, no \
                 new dependencies",
                "3+3+2+2=10 light",
            ),
            ("帮我做个待办事项网站", "2+0+0+0=2 standard"),
        ];
        for (input, expected) in table {
            assert_eq!(told(input), expected, "{input}");
        }
    }

    #[test]
    fn what_makes_a_path() {
        let table = [
            ("delete rows with DELETE FROM users in production", Path::Standard),
            ("change src/a/x.rs, src/b/y.rs and src/c/z.rs", Path::Standard),
            ("fix src/a/x.rs, src/b/y.rs and src/b/z.rs", Path::Light),
            ("update the data model", Path::Standard),
            ("optimize `slow_query`", Path::Light),
            ("typo in README.md", Path::Light),
            ("fix the typo in README.md", Path::Tweak),
        ];
        for (input, expected) in table {
            let text = Text::of(input);
            let risks = risk::operations(&text, &[]);
            assert_eq!(judge(&text, &Score::of(&text), risks).path, expected, "{input}");
        }
    }
}
