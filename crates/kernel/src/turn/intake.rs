//! What intake makes of the words, by rules alone: what is wanted, how sure that is, what it will
//! probably need, and what only a person knows. It predicts and never allows anything. Questions
//! are keys here; their sentences are made elsewhere.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use unicode_normalization::UnicodeNormalization as _;

use super::models::{Asking, Confidence, IntakeReport, Intent, Permission};
use super::plan::Risk;
use super::setup::{Mode, Planner, Start};
use super::state::Told;

/// Below this nobody acts without asking.
const SURE: Confidence = Confidence(50);

/// Words of changing something.
const CHANGES: &str = "add create build implement write develop make change modify replace adjust \
    update upgrade bump fix repair solve delete remove drop rename optimize optimise improve \
    enhance refactor rewrite migrate integrate support generate scaffold set move split extract";
const CHANGES_ZH: &str = "加个 加一 添加 新增 增加 加上 创建 新建 实现 编写 开发 做个 修改 改为 改成 换成 \
    替换 调整 更新 升级 修复 修正 解决 删除 移除 去掉 重命名 优化 改进 完善 重构 重写 迁移 集成 接入 \
    支持 生成 搭建 清空";
/// Words that begin a question.
const ASKS: &str = "what why how where which who when is are does do did can could should would";
const ASKS_ZH: &str = "什么 为什么 怎么 怎样 如何 哪里 哪个 哪些 是否 吗 谁 多少";
/// Words that point at something said before.
const POINTS: &str = "it this";
const POINTS_ZH: &str = "它 这个";
/// Endings of source files and documents.
const ENDINGS: &str = "rs py ts tsx js jsx go java kt c h cc cpp hpp cs rb php swift sh bash sql \
    html css scss vue svelte md txt rst json toml yaml yml xml proto lock ini cfg conf env gradle";

/// What has to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// What is wanted.
    Goal,
    /// What "it" is.
    Referent,
}

/// What intake looks at.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// What the turn was started with.
    pub start: &'a Start,
    /// What people answered since.
    pub answers: &'a [Told],
    /// Whether the conversation has a turn before this one, so that "it" may be known.
    pub earlier: Earlier,
}

/// Whether there was a turn before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Earlier {
    Some,
    None,
}

/// What intake made of the words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the report's own")]
pub struct Assessed {
    pub intent: Intent,
    pub confidence: Confidence,
    pub permissions: Vec<Permission>,
    pub risk_level: Risk,
    pub missing: Vec<Missing>,
}

impl Assessed {
    /// The report, its questions put into words.
    #[must_use]
    pub fn report(&self, say: impl Fn(Missing) -> String) -> IntakeReport {
        let asking = |one: &Missing| Asking { text: say(*one), options: vec![] };
        IntakeReport {
            intent: self.intent,
            confidence: self.confidence,
            permissions: self.permissions.clone(),
            risk_level: self.risk_level,
            constraints: vec![],
            missing: self.missing.iter().map(asking).collect(),
            by: "rules".to_string(),
        }
    }
}

/// Looks at the words; the first rule that fits decides.
#[must_use]
pub fn assess(words: &Words<'_>) -> Assessed {
    let start = words.start;
    let given = match start.planner {
        Planner::File { .. } | Planner::Direct => true,
        Planner::Agents(_) => start.mode == Mode::Plan || start.continues.is_some(),
    };
    let told = words.answers.iter().filter_map(|one| one.answer.as_deref());
    let raw: String =
        core::iter::once(start.request.as_str()).chain(told).collect::<Vec<_>>().join("\n");
    let text = raw.nfkc().collect::<String>();
    let (intent, sure) = if start.mode == Mode::Analysis {
        (Intent::RepoAnalysis, 100)
    } else if given {
        (Intent::CodingTask, 100)
    } else {
        read(&text)
    };
    let confidence = Confidence(sure);
    let missing = if sure == 100 { vec![] } else { gaps(intent, confidence, &text, words.earlier) };
    let (permissions, risk_level) = match intent {
        Intent::CodingTask | Intent::Uncertain => {
            (vec![Permission::FsRead, Permission::FsWrite], Risk::Medium)
        }
        Intent::RepoAnalysis | Intent::CapabilityQuery | Intent::GeneralChat => {
            (vec![Permission::FsRead], Risk::Low)
        }
    };
    Assessed { intent, confidence, permissions, risk_level, missing }
}

fn read(text: &str) -> (Intent, u8) {
    let lower = text.to_lowercase();
    if has(&lower, CHANGES, CHANGES_ZH) {
        (Intent::CodingTask, 80)
    } else if !asks(&lower) {
        (Intent::Uncertain, 30)
    } else if names_something(text) {
        (Intent::RepoAnalysis, 80)
    } else {
        (Intent::GeneralChat, 80)
    }
}

fn gaps(intent: Intent, confidence: Confidence, text: &str, earlier: Earlier) -> Vec<Missing> {
    let mut missing = Vec::new();
    if intent == Intent::Uncertain || confidence < SURE {
        missing.push(Missing::Goal);
    }
    let points = has(&text.to_lowercase(), POINTS, POINTS_ZH) && !names_something(text);
    if points && earlier == Earlier::None && intent == Intent::CodingTask {
        missing.push(Missing::Referent);
    }
    missing
}

/// Latin words match whole, Chinese ones anywhere.
fn has(lower: &str, latin: &str, chinese: &str) -> bool {
    let word = |one: &str| latin.split_whitespace().any(|known| known == one);
    lower.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(word)
        || chinese.split_whitespace().any(|known| lower.contains(known))
}

fn asks(lower: &str) -> bool {
    let first = lower.split(|c: char| !c.is_ascii_alphanumeric()).find(|word| !word.is_empty());
    lower.contains('?')
        || first.is_some_and(|first| ASKS.split_whitespace().any(|word| word == first))
        || ASKS_ZH.split_whitespace().any(|word| lower.contains(word))
}

/// Whether a path or an identifier is named.
fn names_something(text: &str) -> bool {
    let edges = |c: char| matches!(c, ',' | ';' | ':' | '!' | '?' | '(' | '。' | '、' | '"' | '\'');
    text.contains('`') || text.split_whitespace().any(|word| names(word.trim_matches(edges)))
}

fn names(word: &str) -> bool {
    let word = word.trim_end_matches('.');
    let part = |one: &str| !one.is_empty() && one.is_ascii();
    let path = word.split_once('/').is_some_and(|(a, b)| part(a) && part(b));
    let file = word.rsplit_once('.').is_some_and(|(stem, ending)| {
        part(stem) && ENDINGS.split_whitespace().any(|known| known == ending)
    });
    let call = word.ends_with("()") && word.len() > 2;
    let letters = word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let snake = letters && word.trim_matches('_').contains('_');
    let pairs = word.as_bytes().windows(2);
    let camel = letters
        && pairs.into_iter().any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    path || file || call || snake || camel
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn of(request: &str, change: fn(&mut Start), earlier: Earlier) -> Assessed {
        let mut start = samples::start();
        start.request = request.to_string();
        change(&mut start);
        assess(&Words { start: &start, answers: &[], earlier })
    }

    #[test]
    fn the_first_rule_that_fits_decides() {
        use Intent::{CodingTask, GeneralChat, RepoAnalysis, Uncertain};
        let usual: fn(&mut Start) = |_| {};
        let file: fn(&mut Start) = |start| start.planner = Planner::File { sha256: "f".into() };
        let direct: fn(&mut Start) = |start| start.planner = Planner::Direct;
        let plan: fn(&mut Start) = |start| start.mode = Mode::Plan;
        let analysis: fn(&mut Start) = |start| start.mode = Mode::Analysis;
        let table = [
            ("hm", file, CodingTask, 100, 0),
            ("hm", direct, CodingTask, 100, 0),
            ("hm", plan, CodingTask, 100, 0),
            ("fix it", analysis, RepoAnalysis, 100, 0),
            ("Add --json to list", usual, CodingTask, 80, 0),
            ("给 list 添加 --json", usual, CodingTask, 80, 0),
            ("ＦＩＸ the build", usual, CodingTask, 80, 0),
            ("what does src/list.rs do?", usual, RepoAnalysis, 80, 0),
            ("where is parse_args called", usual, RepoAnalysis, 80, 0),
            ("how does listFiles sort?", usual, RepoAnalysis, 80, 0),
            ("what is a monad?", usual, GeneralChat, 80, 0),
            ("address the issue", usual, Uncertain, 30, 1),
            ("hello", usual, Uncertain, 30, 1),
            ("fix it", usual, CodingTask, 80, 1),
            ("fix it in src/list.rs", usual, CodingTask, 80, 0),
            ("修复这个", usual, CodingTask, 80, 1),
        ];
        for (request, change, intent, sure, missing) in table {
            let found = of(request, change, Earlier::None);
            let seen = (found.intent, found.confidence.0, found.missing.len());
            assert_eq!(seen, (intent, sure, missing), "{request}");
        }
        assert!(of("fix it", usual, Earlier::Some).missing.is_empty(), "said before");
    }

    #[test]
    fn an_answer_is_read_with_the_words() {
        let mut start = samples::start();
        start.request = "fix it".to_string();
        let answers = [Told { question: "q".into(), answer: Some("src/list.rs panics".into()) }];
        let words = Words { start: &start, answers: &answers, earlier: Earlier::None };
        assert!(assess(&words).missing.is_empty());
    }

    #[test]
    fn only_a_change_needs_more_than_reading() {
        let found = of("what does src/list.rs do?", |_| {}, Earlier::None);
        assert_eq!((found.risk_level, found.permissions), (Risk::Low, vec![Permission::FsRead]));
        let found = of("rename it", |_| {}, Earlier::None);
        assert_eq!(found.missing, [Missing::Referent]);
        let report = found.report(|_| "Which?".to_string());
        assert_eq!((report.by.as_str(), report.missing[0].text.as_str()), ("rules", "Which?"));
    }
}
