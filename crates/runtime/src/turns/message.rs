//! The message that a commit of a turn would have: a type by what was changed, the goal as its
//! summary. Rules only; an agent may write a better one.

use kernel::packages::commit::{
    SUMMARY_MAX, is_build, is_document, is_pipeline, is_test, of_branch, scope, wrapped,
};
use kernel::turn::ChangedFile;

/// What a message is made of.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// What was wanted.
    pub goal: &'a str,
    /// Why it was done.
    pub why: &'a str,
    /// What changed.
    pub changed: &'a [ChangedFile],
    /// The branch it lies on.
    pub branch: Option<&'a str>,
}

/// The message, without a trailer.
#[must_use]
pub fn message(told: &Told<'_>) -> String {
    let line = told.goal.lines().next().unwrap_or_default().trim();
    let (summary, cut) = shortened(line.trim_end_matches(['.', '。']));
    let kind = kind(told);
    let paths: Vec<&str> = told.changed.iter().map(|file| file.path.as_str()).collect();
    let scope = scope(&paths).filter(|scope| !scope.starts_with(kind));
    let scope = scope.map(|scope| format!("({scope})")).unwrap_or_default();
    let mut text = format!("{kind}{scope}: {}", lowered(&summary));
    let rest = told.goal.lines().skip(1).collect::<Vec<_>>().join("\n");
    let whole = if cut { line } else { "" };
    for part in [whole, rest.trim(), told.why.trim()] {
        if !part.is_empty() {
            text.push_str("\n\n");
            text.push_str(&wrapped(part));
        }
    }
    text
}

/// At most so many characters, cut between words; whether something was cut.
fn shortened(line: &str) -> (String, bool) {
    if line.chars().count() <= SUMMARY_MAX {
        return (line.to_owned(), false);
    }
    let head: String = line.chars().take(SUMMARY_MAX).collect();
    let end = head.rfind(char::is_whitespace).unwrap_or(head.len());
    (head[..end].trim_end().to_owned(), true)
}

/// A sentence that begins with a plain word begins small.
fn lowered(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second))
            if first.is_ascii_uppercase() && second.is_ascii_lowercase() =>
        {
            format!("{}{}", first.to_ascii_lowercase(), &text[1..])
        }
        (_, _) => text.to_owned(),
    }
}

/// What kind of change it is; the first rule that fits.
fn kind(told: &Told<'_>) -> &'static str {
    let all = |fits: fn(&str) -> bool| {
        !told.changed.is_empty() && told.changed.iter().all(|file| fits(&file.path))
    };
    let rules: [(&str, bool); 4] = [
        ("docs", all(is_document)),
        ("test", all(is_test)),
        ("ci", all(is_pipeline)),
        ("build", all(is_build)),
    ];
    if let Some((kind, _)) = rules.into_iter().find(|(_, fits)| *fits) {
        return kind;
    }
    let of_branch = told.branch.and_then(of_branch);
    let added = told.changed.iter().any(|file| file.action == "added" && !is_test(&file.path));
    of_branch.or_else(|| verb(told.goal)).unwrap_or(if added { "feat" } else { "chore" })
}

fn verb(goal: &str) -> Option<&'static str> {
    let lower = goal.trim_start().to_lowercase();
    let first = lower.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let table: [(&str, &[&str], &[&str]); 4] = [
        ("fix", &["fix", "repair", "solve", "correct"], &["修复", "修正", "解决"]),
        ("refactor", &["refactor", "rewrite", "rename", "extract", "split"], &["重构", "重写"]),
        ("perf", &["optimize", "optimise"], &["优化"]),
        (
            "feat",
            &["add", "implement", "create", "support"],
            &["新增", "添加", "实现", "增加", "支持"],
        ),
    ];
    let fits = |latin: &[&str], chinese: &[&str]| {
        latin.contains(&first) || chinese.iter().any(|word| lower.starts_with(word))
    };
    table.into_iter().find(|(_, latin, chinese)| fits(latin, chinese)).map(|(kind, _, _)| kind)
}

#[cfg(test)]
mod tests {
    use kernel::packages::commit::BODY_WIDTH;

    use super::*;

    /// Goal, files with what was done to them, branch; the message.
    type Case =
        (&'static str, &'static [(&'static str, &'static str)], Option<&'static str>, &'static str);

    fn files(paths: &[(&str, &str)]) -> Vec<ChangedFile> {
        let one = |(path, action): &(&str, &str)| ChangedFile {
            path: (*path).to_owned(),
            action: (*action).to_owned(),
            added: 1,
            removed: 0,
        };
        paths.iter().map(one).collect()
    }

    #[test]
    fn a_message_says_what_and_where() {
        let long = "Add a flag that prints everything as JSON to each of the commands there are";
        let table: [Case; 9] = [
            (
                "Add --json to list",
                &[("src/list.rs", "modified")],
                None,
                "feat: add --json to list",
            ),
            (
                "Fix the list.",
                &[("crates/cli/src/a.rs", "modified")],
                None,
                "fix(cli): fix the list",
            ),
            ("JSON everywhere", &[("a.rs", "modified")], None, "chore: JSON everywhere"),
            ("JSON everywhere", &[("a.rs", "added")], None, "feat: JSON everywhere"),
            ("Say it", &[("docs/a.md", "modified")], None, "docs: say it"),
            ("Cover it", &[("tests/a.rs", "added")], None, "test: cover it"),
            (
                "Bump",
                &[("Cargo.toml", "modified"), ("Cargo.lock", "modified")],
                None,
                "build: bump",
            ),
            ("Make it", &[("a.rs", "modified")], Some("perf/x"), "perf: make it"),
            ("修复列表", &[("a.rs", "modified")], None, "fix: 修复列表"),
        ];
        for (goal, changed, branch, expected) in table {
            let changed = files(changed);
            let told = Told { goal, why: "", changed: &changed, branch };
            assert_eq!(message(&told), expected);
        }
        let changed = files(&[("a.rs", "modified")]);
        let told = Told { goal: long, why: "machines read it", changed: &changed, branch: None };
        let text = message(&told);
        let first = text.lines().next().unwrap();
        assert!(first.chars().count() <= SUMMARY_MAX + "feat: ".len(), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= BODY_WIDTH), "{text}");
        assert!(text.ends_with("machines read it"), "{text}");
    }
}
