//! Extremely high risk in words: which sentence names one, and whether it is an operation or only a
//! mention. Commands are parsed by the policy and never looked at as text.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::lists::{CHANGE, DEED, DESCRIBE, NEGATION, RELEASE};
use super::text::{Text, find, has};
use crate::policy::risk::{Level, Risk as Kind, Subject, hash};

/// Who found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A word of the lists.
    Keyword,
    /// The policy, in a parsed command.
    Policy,
}

/// A risk that a person is asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Risk {
    /// What kind.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// How bad.
    pub level: Level,
    /// Who found it.
    pub source: Source,
    /// Where: the requirement, a task, a path.
    #[serde(rename = "where")]
    pub place: String,
    /// The words that show it.
    pub evidence: String,
    /// What a person accepts.
    pub hash: String,
}

/// What a sentence must have for its keyword to be an operation.
#[derive(Clone, Copy)]
enum Needs {
    Change,
    NotDescribed,
    Deed,
}

struct Row {
    kind: Kind,
    level: Level,
    needs: Needs,
    words: &'static [&'static str],
}

/// Where the requirement itself is named.
pub const REQUIREMENT: &str = "requirement";

const ROWS: [Row; 8] = [
    Row {
        kind: Kind::Production,
        level: Level::Critical,
        needs: Needs::Change,
        words: &["prod", "production", "live site", "线上", "生产环境", "master branch"],
    },
    Row {
        kind: Kind::Destructive,
        level: Level::Critical,
        needs: Needs::NotDescribed,
        words: &[
            "rm -rf",
            "drop table",
            "drop database",
            "truncate",
            "delete from",
            "mkfs",
            "格式化磁盘",
            "git reset --hard",
            "git clean -fd",
            "git push -f",
            "shutdown",
            "reboot",
            "kill -9",
        ],
    },
    Row {
        kind: Kind::Irreversible,
        level: Level::Critical,
        needs: Needs::NotDescribed,
        words: &["--force", "--hard", "push -f", "无备份", "without backup"],
    },
    Row {
        kind: Kind::Permission,
        level: Level::High,
        needs: Needs::Deed,
        words: &["chmod 777", "sudo", "admin", "root", "角色提升"],
    },
    Row {
        kind: Kind::Sensitive,
        level: Level::High,
        needs: Needs::Deed,
        words: &["password", "secret", "token", "credential", "api_key", "密钥"],
    },
    Row {
        kind: Kind::Pii,
        level: Level::High,
        needs: Needs::Deed,
        words: &["姓名", "身份证", "手机", "邮箱", "地址", "生物特征", "id card", "phone"],
    },
    Row {
        kind: Kind::Payment,
        level: Level::High,
        needs: Needs::Deed,
        words: &["payment", "refund", "transaction", "订单金额"],
    },
    Row {
        kind: Kind::External,
        level: Level::High,
        needs: Needs::Deed,
        words: &["第三方api", "消息队列", "缓存清空", "third-party api", "message queue"],
    },
];

/// A keyword in a sentence.
struct Hit {
    kind: Kind,
    level: Level,
    operation: bool,
    sentence: String,
}

/// The operations that a text names, each kind of a sentence once.
#[must_use]
pub fn operations(text: &Text, extra: &[String]) -> Vec<Risk> {
    found(text, extra, REQUIREMENT, true)
}

/// The operations of a task's words.
#[must_use]
pub fn in_task(id: &str, words: &str, extra: &[String]) -> Vec<Risk> {
    found(&Text::of(words), extra, id, true)
}

/// What a text only mentions.
#[must_use]
pub fn mentions(text: &Text, extra: &[String]) -> Vec<Risk> {
    found(text, extra, REQUIREMENT, false)
}

fn found(text: &Text, extra: &[String], place: &str, operation: bool) -> Vec<Risk> {
    let mut risks: Vec<Risk> = Vec::new();
    for sentence in text.sentences() {
        for hit in hits(sentence, extra).into_iter().filter(|hit| hit.operation == operation) {
            let hash = hash(hit.kind, &Subject::Text(&hit.sentence));
            if risks.iter().any(|known| known.hash == hash) {
                continue;
            }
            risks.push(Risk {
                kind: hit.kind,
                level: hit.level,
                source: Source::Keyword,
                place: place.into(),
                evidence: hit.sentence,
                hash,
            });
        }
    }
    risks
}

fn hits(sentence: &str, extra: &[String]) -> Vec<Hit> {
    let lower = sentence.to_lowercase();
    let mut found = Vec::new();
    for row in &ROWS {
        let words = row.words.iter().copied();
        found.extend(hit(sentence, &lower, row.kind, row.level, row.needs, words));
    }
    // What a workspace adds is taken for something that must not happen unseen.
    let added: Vec<String> = extra.iter().map(|word| word.trim().to_lowercase()).collect();
    let added = added.iter().map(String::as_str).filter(|word| !word.is_empty());
    let (kind, level) = (Kind::Destructive, Level::High);
    found.extend(hit(sentence, &lower, kind, level, Needs::NotDescribed, added));
    found
}

fn hit<'a>(
    sentence: &str,
    lower: &str,
    kind: Kind,
    level: Level,
    needs: Needs,
    words: impl Iterator<Item = &'a str>,
) -> Option<Hit> {
    // A negation excuses only what comes after it: if any place of any word is free of one, the
    // earliest is.
    let first = words.filter_map(|word| find(lower, word)).min()?;
    let met = match needs {
        Needs::Change => has(lower, CHANGE) || has(lower, RELEASE),
        Needs::NotDescribed => !has(lower, DESCRIBE),
        Needs::Deed => has(lower, DEED),
    };
    let negated = has(&lower[..first], NEGATION);
    Some(Hit { kind, level, operation: met && !negated, sentence: sentence.to_string() })
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn words(risks: &[Risk]) -> Vec<&'static str> {
        risks.iter().map(|risk| risk.kind.word()).collect()
    }

    #[test]
    fn an_operation_is_a_risk_and_a_mention_is_not() {
        let table: [(&str, &[&str], &[&str]); 12] = [
            (
                "delete rows with DELETE FROM users in production",
                &["production", "destructive"],
                &[],
            ),
            ("add a password field to the form", &[], &["sensitive"]),
            ("never run git push -f", &[], &["destructive", "irreversible"]),
            ("导出用户手机和邮箱", &["pii"], &[]),
            ("解释 rm -rf 的文档", &[], &["destructive"]),
            ("部署到生产环境", &["production"], &[]),
            ("不要删除密钥", &[], &["sensitive"]),
            ("print the token. Add a rooted tree", &["sensitive"], &[]),
            ("reset with --force", &["irreversible"], &[]),
            ("Run DROP TABLE users in src/lib.rs but never run rm -rf", &["destructive"], &[]),
            ("Run rm -rf build but never run DROP TABLE", &["destructive"], &[]),
            ("never run rm -rf or DROP TABLE", &[], &["destructive"]),
        ];
        for (input, risks, said) in table {
            let text = Text::of(input);
            assert_eq!(words(&operations(&text, &[])), risks, "{input}");
            assert_eq!(words(&mentions(&text, &[])), said, "{input}");
        }
    }

    #[test]
    fn a_workspace_adds_words_and_the_same_words_have_one_hash() {
        let extra = vec!["ledger".to_string()];
        let found = operations(&Text::of("rewrite the Ledger"), &extra);
        assert_eq!(words(&found), ["destructive"]);
        let again = operations(&Text::of("rewrite  the\tLedger"), &extra);
        assert_eq!(found[0].hash, again[0].hash);
        assert!(operations(&Text::of("rewrite the Ledger"), &[]).is_empty());
    }
}
