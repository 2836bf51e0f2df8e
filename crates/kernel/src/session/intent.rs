//! What plain words want: a change, a commit, or an answer. A rule over the words; it starts
//! nothing, and a unit that runs is joined only by a person's word.

use super::lists::CHANGE;
use super::text::{Text, find, has};

/// What a question opens with.
const ASKS: &[&str] = &[
    "怎么",
    "如何",
    "为什么",
    "什么",
    "是否",
    "what",
    "why",
    "how",
    "where",
    "who",
    "is",
    "are",
    "does",
    "explain",
];
/// What a polite wish opens with; it is a wish even if it ends like a question.
const PLEASE: &[&str] = &["请", "帮我", "please", "can you"];
/// How a commit is asked for.
const COMMIT: &[&str] = &[
    "提交这些变更",
    "提交变更",
    "提交更改",
    "提交代码",
    "提交一下",
    "commit these changes",
    "commit the changes",
    "commit my changes",
    "commit everything",
    "commit this",
    "commit it",
];

/// Before it, a wish is none.
const NOT: &[&str] = &["不要", "别", "先不", "不用", "禁止", "don't", "do not", "never", "without"];

/// What words want while nothing runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Something is to be made, changed or removed.
    Change,
    /// What was changed is to be committed.
    Commit,
    /// An answer.
    Chat,
}

/// How words stand to a unit that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They only want an answer.
    Chat,
    /// A person has to say.
    Unsure,
}

/// Whether words ask something.
#[must_use]
pub fn question(text: &Text) -> bool {
    let lower = text.lower.trim();
    lower.ends_with('?') || opens(lower, ASKS)
}

fn opens(lower: &str, list: &[&str]) -> bool {
    list.iter().any(|word| find(lower, word) == Some(0))
}

/// What words want while nothing runs.
#[must_use]
pub fn intent(text: &Text) -> Intent {
    if question(text) && !opens(text.lower.trim(), PLEASE) {
        return Intent::Chat;
    }
    let first = |list: &[&str]| list.iter().filter_map(|word| find(&text.lower, word)).min();
    let wish = first(COMMIT).filter(|at| !has(&text.lower[..*at], NOT));
    match (wish, first(CHANGE)) {
        // A change that is said first is made first; what becomes of it is asked for later.
        (Some(commit), Some(change)) if change < commit => Intent::Change,
        (Some(_), _) => Intent::Commit,
        (None, Some(_)) => Intent::Change,
        (None, None) => Intent::Chat,
    }
}

/// How words stand to a unit that runs.
#[must_use]
pub fn relation(text: &Text) -> Relation {
    if question(text) || !text.has(CHANGE) { Relation::Chat } else { Relation::Unsure }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_want_a_change_a_commit_or_an_answer() {
        let table = [
            ("把超时从 30 改为 60", Intent::Change),
            ("fix the login", Intent::Change),
            ("解释一下这个模块", Intent::Chat),
            ("这个函数是什么意思？", Intent::Chat),
            ("how do I fix the login", Intent::Chat),
            ("is it fixed?", Intent::Chat),
            ("请添加一个按钮，好吗？", Intent::Change),
            ("can you add a button?", Intent::Change),
            ("提交这些变更", Intent::Commit),
            ("commit these changes", Intent::Commit),
            ("please commit it", Intent::Commit),
            ("commit these changes: fix the login", Intent::Commit),
            ("fix the login and commit it", Intent::Change),
            ("fix the login but do not commit it", Intent::Change),
            ("don't commit these changes", Intent::Chat),
            ("先不提交代码", Intent::Chat),
            ("should I commit it?", Intent::Chat),
            ("开发完成了", Intent::Change),
            ("hello", Intent::Chat),
        ];
        for (input, expected) in table {
            assert_eq!(intent(&Text::of(input)), expected, "{input}");
        }
        let table = [
            ("这个函数是什么意思？", Relation::Chat),
            ("thanks", Relation::Chat),
            ("also add a test", Relation::Unsure),
        ];
        for (input, expected) in table {
            assert_eq!(relation(&Text::of(input)), expected, "{input}");
        }
    }
}
