//! From code and facts to sentences: what happened, what to do next, and with which commands.
//! Facts come in as details; nothing is looked up in the world.

use std::collections::BTreeMap;

use kernel::errors::{Class, Code, Machine};
use serde_json::Value;

use super::catalogue::{Found, fluent, look_up};
use super::guide::commands;
use super::lang::Lang;

/// A list in a sentence names at most this many things.
const LISTED_MAX: usize = 10;

/// The variables of a sentence: scalar detail fields by their names, lists of scalars joined.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vars {
    values: BTreeMap<String, String>,
    kind: String,
}

/// What a person is told about a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// One sentence: what happened.
    pub message: String,
    /// One sentence, imperative: what to do.
    pub next_step: String,
    /// Exact command lines that do it; one whose variables are not all known is left out.
    pub commands: Vec<String>,
}

impl Vars {
    /// Takes the scalars out of an error's details.
    pub fn of(details: &Value) -> Self {
        let mut vars = Self::default();
        for (name, value) in details.as_object().into_iter().flatten() {
            if let Some(text) = text_of(value) {
                vars = vars.with(name, &text);
            }
        }
        // A refusal names its kind by what is wrong with a field, or by what is missing.
        let kind = ["kind", "wrong", "what"].iter().find_map(|name| details.get(name)?.as_str());
        vars.kind = kind.unwrap_or_default().to_owned();
        vars
    }

    /// The same with one more; a detail of that name is kept, as it is the nearer fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        let one_line = |c: char| if c.is_control() { ' ' } else { c };
        if !value.is_empty() {
            let value = || value.chars().map(one_line).collect();
            self.values.entry(name.to_owned()).or_insert_with(value);
        }
        self
    }

    /// The detail kind, empty if there is none.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    fn say(&self, lang: Lang, key: &str) -> Option<String> {
        let pairs = self.values.iter().map(|(name, value)| (name.as_str(), value.clone()));
        match look_up(lang, key, &fluent(pairs)) {
            Found::Whole(text) => Some(text),
            Found::Lacking(_) | Found::Nothing => None,
        }
    }

    fn fill(&self, template: &str) -> Option<String> {
        let mut line = template.to_owned();
        while let Some((name, hole)) = hole(&line) {
            let value = self.values.get(&name).filter(|value| plain(value))?;
            line.replace_range(hole, value);
        }
        Some(line)
    }
}

/// What to tell about a code, given the facts.
pub fn tell(lang: Lang, code: Code, vars: &Vars) -> Told {
    let ids = ids(code, vars.kind());
    let full = ids
        .iter()
        .find_map(|id| vars.say(lang, &format!("{id}.full")).or_else(|| vars.say(lang, id)));
    // `otherwise` is the next step when the facts that `next` names are not known.
    let next = ids.iter().find_map(|id| {
        vars.say(lang, &format!("{id}.next")).or_else(|| vars.say(lang, &format!("{id}.otherwise")))
    });
    let lines = commands(code, vars.kind()).iter();
    let commands = lines.filter_map(|line| vars.fill(line)).collect();
    Told {
        message: full.unwrap_or_else(|| code.to_string()),
        next_step: next.unwrap_or_else(|| format!("loopwright explain {code}")),
        commands,
    }
}

/// The sentence that names a code without any facts.
pub fn title(lang: Lang, code: Code) -> String {
    part(lang, code, "").unwrap_or_else(|| code.to_string())
}

/// One part of a code's page (`""`, `.when`, `.state`, `.next`), without any facts.
pub(super) fn part(lang: Lang, code: Code, form: &str) -> Option<String> {
    let none = Vars::default();
    ids(code, "").iter().find_map(|id| none.say(lang, &format!("{id}{form}")))
}

/// A command line with the names of what is missing in capitals, as a page shows it.
pub(super) fn with_placeholders(template: &str) -> String {
    let mut line = template.to_owned();
    while let Some((name, hole)) = hole(&line) {
        line.replace_range(hole, &name.trim_end_matches("_id").to_uppercase());
    }
    line
}

/// Catalogue names for a code, most specific first.
fn ids(code: Code, kind: &str) -> Vec<String> {
    let base = match code {
        Code::Class(class) => vec![class.name().to_owned()],
        Code::Number(number) => vec![number.name().to_owned()],
        Code::Refusal(machine, reason) => {
            vec![format!("{}-{}", machine.name(), reason.word), format!("any-{}", reason.word)]
        }
    };
    let mut all = Vec::new();
    if !kind.is_empty() {
        // The journal's kinds are refusal words of their own, with pages of their own.
        if code == Code::Class(Class::Journal) {
            all.push(format!("{}-{kind}", Machine::Journal.name()));
        }
        all.extend(base.iter().map(|id| format!("{id}-{kind}")));
    }
    all.extend(base);
    all
}

fn hole(line: &str) -> Option<(String, std::ops::Range<usize>)> {
    let start = line.find('{')?;
    let end = start + line[start..].find('}')?;
    Some((line[start + 1..end].to_owned(), start..end + 1))
}

/// Only what needs no quoting goes into a command line that a person may paste.
fn plain(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_alphanumeric() || "._-/:@+=,".contains(c))
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Array(all) => {
            let parts: Vec<_> = all.iter().take(LISTED_MAX).map(text_of).collect::<Option<_>>()?;
            (!parts.is_empty()).then(|| parts.join(", "))
        }
        Value::Null | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::errors::kinds;
    use serde_json::json;

    #[test]
    fn the_most_specific_sentence_whose_facts_are_known() {
        let table = [
            ("E_CONFLICT", json!({}), "patch or concurrent-write conflict"),
            (
                "E_CONFLICT",
                json!({"kind": "changed_since_read", "path": "src/list.rs"}),
                "src/list.rs changed since it was read",
            ),
            (
                "E_CONFLICT",
                json!({"kind": "changed_since_read"}),
                "the file changed since it was read",
            ),
            (
                "E_CONFLICT",
                json!({"kind": "never heard", "path": "a"}),
                "a changed in the meantime",
            ),
            (
                "E_JOURNAL",
                json!({"kind": "hash_mismatch", "pos": 7}),
                "record 7 does not have its hash",
            ),
            (
                "E_JOURNAL",
                json!({"kind": "engine_gone"}),
                "the engine went away before it answered",
            ),
            ("loop.busy", json!({"holder": "loop-1"}), "loop-1 holds the work tree"),
            ("loop.no_such", json!({"what": "task", "id": "t-9"}), "no task is named t-9"),
            ("loop.no_such", json!({"what": "loop", "id": "l-9"}), "no loop is named l-9"),
            (
                "loop.invalid_args",
                json!({"field": "title", "wrong": "empty"}),
                "title must not be empty",
            ),
            (
                "loop.invalid_args",
                json!({"field": "max_iterations", "wrong": "range", "least": 1, "most": 1000}),
                "max_iterations must be 1 to 1000",
            ),
            (
                "loop.invalid_args",
                json!({"field": "mode", "found": "x", "expected": "auto, interactive"}),
                "mode: expected auto, interactive",
            ),
            (
                "loop.ambiguous_command",
                json!({"command": "re", "candidates": ["a", "b"]}),
                "re fits several: a, b",
            ),
            ("E009", json!({"kind": "quota"}), "agent's quota is used up"),
            (
                "E_IO",
                json!({"kind": "not_found", "path": "a\u{1b}[31m\nb"}),
                "a [31m b does not exist",
            ),
        ];
        for (name, details, expected) in table {
            let told = tell(Lang::En, Code::parse(name).unwrap(), &Vars::of(&details));
            assert_eq!(told.message, expected, "{name} {details}");
        }
    }

    #[test]
    fn commands_are_exact_or_absent() {
        let code = Code::parse("call.settle_first").unwrap();
        let known = Vars::default().with("call_id", "call-1");
        assert_eq!(
            tell(Lang::En, code, &known).commands[0],
            "loopwright call settle call-1 happened --note NOTE"
        );
        assert!(tell(Lang::En, code, &Vars::default()).commands.is_empty());
        let hostile = Vars::default().with("call_id", "x; rm -rf ~");
        assert!(tell(Lang::En, code, &hostile).commands.is_empty(), "nothing to paste blindly");
    }

    #[test]
    fn reg_an_engine_that_went_away_says_nothing_of_the_journal() {
        let code = Code::Class(Class::Journal);
        for (kind, expected) in [
            ("engine_gone", ["loopwright show turn-1", "loopwright runs"].as_slice()),
            ("hash_mismatch", &["loopwright journal verify"]),
        ] {
            let vars = Vars::of(&json!({"kind": kind})).with("run_id", "turn-1");
            let told = tell(Lang::En, code, &vars);
            assert_eq!(told.commands, expected, "{kind}");
        }
    }

    #[test]
    fn invariant_every_kind_has_a_sentence() {
        for class in Class::ALL {
            for kind in kinds(class) {
                let ids = ids(Code::Class(class), kind);
                for lang in Lang::ALL {
                    let has = |id: &String| Vars::default().say(lang, id).is_some();
                    let general = ids.len() - 1;
                    assert!(ids[..general].iter().any(has), "{lang}: {class:?} {kind}");
                }
            }
        }
    }
}
