//! What a session's question is about, in words: the facts it carries, one a line. Codes, names,
//! paths and states stay as they are.

use std::fmt::Display;

use serde_json::{Value, json};

use super::left::left;
use crate::words::{self, Lang};

/// Entries of a list that are shown; the rest is counted.
const SHOWN_MAX: usize = 20;

/// The dimensions of a score, with the most that each can have.
const DIMENSIONS: [(&str, u64); 4] = [("goal", 3), ("done", 3), ("scope", 2), ("constraints", 2)];

/// The facts of a question as lines; empty where they are none of these.
#[must_use]
pub fn about(lang: Lang, told: &str) -> String {
    let Ok(about) = serde_json::from_str::<Value>(told) else { return String::new() };
    let facts = Facts { lang, about: &about };
    let mut lines = Vec::new();
    facts.of_words(&mut lines);
    facts.of_packages(&mut lines);
    facts.of_work(&mut lines);
    facts.of_files(&mut lines);
    lines.iter().map(|line| format!("\n{line}")).collect()
}

/// Something that was noted on the way, as a sentence; one that nobody knows is shown as it is.
#[must_use]
pub fn finding(lang: Lang, noted: &str) -> String {
    let (code, detail) = noted.split_once(": ").unwrap_or((noted, ""));
    let key = format!("session-finding-{}", code.replace('_', "-"));
    words::find(lang, &key, &[("detail", &detail)]).unwrap_or_else(|| noted.to_owned())
}

struct Facts<'a> {
    lang: Lang,
    about: &'a Value,
}

impl Facts<'_> {
    fn say(&self, key: &str, args: &[(&str, &dyn Display)]) -> String {
        words::say(self.lang, key, args)
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.about[name].as_str().filter(|text| !text.is_empty())
    }

    /// A list, one entry a line.
    fn each(&self, list: &Value, line: impl Fn(&Value) -> String) -> Vec<String> {
        let all = list.as_array().map(Vec::as_slice).unwrap_or_default();
        let mut lines: Vec<String> = all.iter().take(SHOWN_MAX).map(line).collect();
        let more = all.len().saturating_sub(SHOWN_MAX);
        if more > 0 {
            lines.push(self.say("session-about-more", &[("count", &more)]));
        }
        lines
    }

    /// What was said and how it was judged.
    fn of_words(&self, lines: &mut Vec<String>) {
        if let Some(input) = self.word("input") {
            lines.push(format!("“{input}”"));
        }
        if let (Some(running), Some(wanted)) = (self.word("running"), self.word("wanted")) {
            let args: [(&str, &dyn Display); 2] = [("running", &running), ("wanted", &wanted)];
            lines.push(self.say("session-about-replace", &args));
        }
        if let Some(path) = self.about["score"].is_object().then(|| self.word("path")).flatten() {
            let name = self.say(&format!("session-path-{path}"), &[]);
            lines.push(self.say("session-about-path", &[("path", &path), ("name", &name)]));
        }
        if let Some(total) = self.about["total"].as_u64() {
            let points = |name: &str| self.about["score"][name]["points"].as_u64().unwrap_or(0);
            let args: [(&str, &dyn Display); 5] = [
                ("total", &total),
                ("goal", &points("goal")),
                ("done", &points("done")),
                ("scope", &points("scope")),
                ("constraints", &points("constraints")),
            ];
            lines.push(self.say("session-about-score", &args));
            lines.extend(self.evidence());
        }
        lines.extend(self.each(&self.about["gaps"], |gap| {
            let gap = gap.as_str().unwrap_or_default();
            format!("- {}", self.say(&format!("session-gap-{gap}"), &[]))
        }));
        lines.extend(self.each(&self.about["risks"], |risk| {
            let word = |name: &str| risk[name].as_str().unwrap_or_default().to_owned();
            let args: [(&str, &dyn Display); 4] = [
                ("type", &word("type")),
                ("level", &word("level")),
                ("where", &word("where")),
                ("evidence", &word("evidence")),
            ];
            format!("⚠️ {}", self.say("session-about-risk", &args))
        }));
    }

    /// By which words each dimension has its points, and which it has without any.
    fn evidence(&self) -> Vec<String> {
        let of = |name: &str| {
            let points = &self.about["score"][name];
            let words = points["evidence"].as_array().into_iter().flatten();
            let words: Vec<&str> = words.filter_map(Value::as_str).collect();
            let inferred = points["source"] == "inferred";
            let inferred = inferred.then(|| self.say("session-about-inferred", &[]));
            let told = inferred.or_else(|| (!words.is_empty()).then(|| words.join(", ")))?;
            let name = self.say(&format!("session-dimension-{name}"), &[]);
            let args: [(&str, &dyn Display); 2] = [("name", &name), ("evidence", &told)];
            Some(self.say("session-about-evidence", &args))
        };
        let mut lines: Vec<String> = DIMENSIONS.iter().filter_map(|(name, _)| of(name)).collect();
        // Where more is asked for, the gaps are questions of their own.
        let lacks = |(name, full): &&(&str, u64)| {
            self.about["score"][*name]["points"].as_u64().is_some_and(|points| points < *full)
        };
        let named = |(name, _): &(&str, u64)| self.say(&format!("session-dimension-{name}"), &[]);
        let gaps: Vec<String> = DIMENSIONS.iter().filter(lacks).map(named).collect();
        if !gaps.is_empty() && self.about["gaps"].is_null() {
            lines.push(self.say("session-about-gaps", &[("gaps", &gaps.join(", "))]));
        }
        lines
    }

    /// Packages, and what is wrong with one; a text that was asked for.
    fn of_packages(&self, lines: &mut Vec<String>) {
        match (self.word("name"), self.about["tasks"].as_u64()) {
            (Some(name), Some(tasks)) => {
                let path = self.word("path").unwrap_or_default();
                let args: [(&str, &dyn Display); 3] =
                    [("name", &name), ("tasks", &tasks), ("path", &path)];
                lines.push(self.say("session-about-package", &args));
            }
            (Some(name), None) => lines.push(name.to_owned()),
            (None, _) => {}
        }
        if let Some(text) = self.word("text") {
            lines.extend(text.lines().map(|line| format!("  | {line}")));
        }
        if let Some(root) = self.word("root") {
            lines.push(self.say("session-about-root", &[("root", &root)]));
        }
        lines.extend(self.each(&self.about["issues"], bullet));
        lines.extend(self.each(&self.about["packages"], |one| {
            let word = |name: &str| one[name].as_str().unwrap_or_default();
            format!("- {}  {}", word("name"), word("summary"))
        }));
    }

    /// What runs, ran or was found.
    fn of_work(&self, lines: &mut Vec<String>) {
        if let Some(cause) = self.word("cause") {
            let stage = self.word("stage").unwrap_or_default();
            let args: [(&str, &dyn Display); 2] = [("cause", &cause), ("stage", &stage)];
            lines.push(self.say("session-about-cause", &args));
        }
        for name in ["rule", "tool"] {
            if let Some(word) = self.word(name) {
                lines.push(format!("- {word}"));
            }
        }
        lines.extend(self.each(&self.about["undone"], bullet));
        let tests = if self.about["tests"].is_object() { &self.about["tests"] } else { self.about };
        if let Some(failed) = tests["failed"].as_u64() {
            lines.push(self.say("session-about-failed", &[("failed", &failed)]));
        }
        lines.extend(self.each(&tests["errors"], bullet));
        lines.extend(self.each(&self.about["findings"], |one| {
            let word = |name: &str| one[name].as_str().unwrap_or_default();
            let line = one["line"].as_u64().map(|n| format!(":{n}")).unwrap_or_default();
            let parts = [word("severity"), word("path"), word("code"), word("problem")];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            format!("- {}{line}", parts.join(" "))
        }));
        if let Some(error) = self.word("error_message") {
            lines.push(error.to_owned());
        }
        lines.extend(left(self.lang, self.about));
    }

    /// Files: what would be committed, moved or brought back.
    fn of_files(&self, lines: &mut Vec<String>) {
        let commit = &self.about["commit"];
        if commit.is_object() {
            let count = |name: &str| commit[name].as_u64().unwrap_or(0);
            let branch = commit["head"]["branch"].as_str().unwrap_or("-");
            let remote = commit["remote"].as_str().map(|name| format!(" → {name}"));
            let branch = format!("{branch}{}", remote.unwrap_or_default());
            let args: [(&str, &dyn Display); 4] = [
                ("branch", &branch),
                ("added", &count("added")),
                ("modified", &count("modified")),
                ("deleted", &count("deleted")),
            ];
            lines.push(self.say("session-about-commit", &args));
            lines.extend(self.each(&commit["paths"], bullet));
        }
        if let Some(message) = self.word("message") {
            lines.extend(message.lines().map(|line| format!("  | {line}")));
        }
        let mut n = 0;
        for target in self.about["targets"].as_array().into_iter().flatten() {
            n += 1;
            let word = |name: &str| target[name].as_str().unwrap_or_default();
            let files = target["files"].as_u64().map(|count| format!("  📁 {count}"));
            let files = files.unwrap_or_default();
            lines.push(format!("{n}. {}  {}{files}", word("id"), word("summary")));
        }
        lines.extend(self.each(&self.about["conflicts"], bullet));
        let plan = &self.about["plan"];
        if let Some(operations) = plan["operations"].as_array() {
            match self.about["details"] == true {
                true => lines.extend(operations.iter().flat_map(whole)),
                false => lines.extend(self.each(&plan["operations"], bullet)),
            }
            lines.extend(left(self.lang, &json!({ "context": plan })));
            return;
        }
        for name in ["moves", "actions", "paths", "restore", "left"] {
            lines.extend(self.each(&plan[name], bullet));
        }
    }
}

/// An entry: a text, or a value with its members in one line.
fn bullet(one: &Value) -> String {
    match one {
        Value::String(text) => format!("- {text}"),
        Value::Object(members) => {
            let told = |(_, value): (&String, &Value)| value.as_str().map(str::to_owned);
            let words: Vec<String> = members.iter().filter_map(told).collect();
            let words: Vec<&str> = words.iter().filter_map(|text| text.lines().next()).collect();
            format!("- {}", words.join(" "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => format!("- {one}"),
    }
}

/// An operation with all that it writes.
fn whole(one: &Value) -> Vec<String> {
    let word = |name: &str| one[name].as_str().unwrap_or_default();
    let told = ["action", "path", "from", "to"].map(word);
    let told: Vec<&str> = told.into_iter().filter(|word| !word.is_empty()).collect();
    let content = word("content").lines().map(|line| format!("  | {line}"));
    std::iter::once(format!("- {}", told.join(" "))).chain(content).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_told_in_words() {
        let noted = [
            "no_context: E009",
            "kb_damaged",
            "kb_skipped",
            "kb_root_ambiguous: kb",
            "version_passed: package.json: 1.2",
            "changelog_format",
            "changelog_skipped",
            "no_tests",
            "quick_tests_failed",
            "fix_failed: 1",
            "tasks_undone: 1.1",
            "tweak_forced: change_limit",
            "package_forced: no_tasks",
            "mention: production - prod",
        ];
        for lang in Lang::ALL {
            for one in noted {
                let told = finding(lang, one);
                assert_ne!(told, one, "{lang}");
                let detail = one.split_once(": ").map_or("", |(_, detail)| detail);
                assert!(told.contains(detail) && !told.contains("session-"), "{told}");
            }
        }
        assert_eq!(finding(Lang::En, "something else: x"), "something else: x");
    }

    #[test]
    fn facts_are_lines_and_never_json() {
        let table = [
            (json!({ "gaps": ["goal", "done"], "total": 2, "round": 1, "score": {} }), 3),
            (
                json!({ "total": 5, "score": {
                    "goal": { "points": 3, "evidence": ["add", "src/a.rs"], "source": "said" },
                    "done": { "points": 0, "evidence": [], "source": "said" },
                    "constraints": { "points": 2, "evidence": [], "source": "inferred" },
                } }),
                4,
            ),
            (json!({ "running": "~auto", "wanted": "~plan" }), 1),
            (json!({ "name": "202601221030_x", "path": "p", "tasks": 3 }), 1),
            (json!({ "commit": { "paths": ["a", "b"], "added": 2 }, "message": "x\n\ny" }), 6),
            (json!({ "targets": [{ "id": "cp-1", "summary": "s" }] }), 1),
            (json!({ "issues": (0..30).map(|n| n.to_string()).collect::<Vec<_>>() }), 21),
            (json!({ "cause": "E_MODEL", "stage": "DESIGN" }), 1),
            (json!({}), 0),
        ];
        for lang in Lang::ALL {
            for (told, expected) in &table {
                let text = about(lang, &told.to_string());
                assert_eq!(text.lines().filter(|line| !line.is_empty()).count(), *expected);
                assert!(!text.contains(['{', '}']), "{text}");
                assert!(!text.contains("session-"), "{text}");
            }
        }
        let plan = json!({
            "operations": [
                { "action": "rename", "from": "wiki/a.md", "to": "modules/a.md" },
                { "action": "write", "path": "context.md", "content": "# one\n\ntwo\n" },
            ],
            "conflicts": ["modules/b.md"], "left": ["notes.txt"],
        });
        for details in [false, true] {
            let told = about(Lang::En, &json!({ "plan": plan, "details": details }).to_string());
            assert!(told.contains("modules/b.md") && told.contains("notes.txt"), "{told}");
            assert_eq!(told.contains("\n  | two"), details, "{told}");
        }
        let shown = json!({ "targets": [{ "id": "cp-1", "summary": "s", "files": 3 }] });
        assert_eq!(about(Lang::En, &shown.to_string()), "\n1. cp-1  s  📁 3");
        let commit = json!({ "commit": { "head": { "branch": "main" }, "remote": "origin" } });
        assert!(about(Lang::En, &commit.to_string()).contains("main → origin"));
        assert_eq!(about(Lang::ALL[0], "no json"), "");
    }
}
