//! `[policy]` as plain fields, and how a workspace's own file is joined to the user's: it may only
//! tighten. What rules mean is decided by the kernel.

use kernel::policy::rules::{File, Source as Maker};

use super::layers::Source;
use super::settings::Read;
use super::shapes::Value;

/// The setting that holds rules.
const RULE: &str = "policy.rule";

/// `[policy]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// `[[policy.rule]]` of each file, in the order of the layers.
    pub files: Vec<File>,
    /// Further sensitive paths.
    pub sensitive: Vec<String>,
    /// Whether a file with several names may be written.
    pub break_hardlinks: bool,
    /// Files in one step above which a person is asked.
    pub files_ask: u64,
}

impl Policy {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            files: Vec::new(),
            sensitive: read.texts("policy.sensitive"),
            break_hardlinks: read.bool("policy.break_hardlinks"),
            files_ask: read.whole("policy.files_ask"),
        }
    }
}

/// A file's rules as the kernel takes them; none for another setting.
pub(super) fn rules(name: &str, value: &Value, source: Source, file: &str) -> Option<File> {
    let Value::Json(data) = value else { return None };
    let source = match source {
        Source::Workspace => Maker::Workspace,
        Source::BuiltIn | Source::User | Source::Environment | Source::Flag => Maker::User,
    };
    let rules = serde_json::from_value(data.clone()).ok().filter(|_| name == RULE)?;
    Some(File { source, name: file.to_owned(), rules })
}

/// What is in force when a layer speaks about policy: a workspace adds to sensitive paths, asks
/// for fewer files, and never breaks links that the user keeps.
pub(super) fn joined(name: &str, before: Option<&Value>, said: Value, source: Source) -> Value {
    if source != Source::Workspace {
        return said;
    }
    match (name, before, said) {
        ("policy.sensitive", Some(Value::Texts(before)), Value::Texts(said)) => {
            let new = said.into_iter().filter(|path| !before.contains(path));
            Value::Texts(before.iter().cloned().chain(new).collect())
        }
        ("policy.files_ask", Some(Value::Whole(before)), Value::Whole(said)) => {
            Value::Whole(said.min(*before))
        }
        ("policy.break_hardlinks", Some(Value::Bool(before)), Value::Bool(said)) => {
            Value::Bool(said && *before)
        }
        (_, _, said) => said,
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{File, Layers, resolve};

    const RULE: &str = "[[policy.rule]]\nid = \"ID\"\ntool = \"run\"\n\
        argv = [\"npm\", [\"test\", \"run\"], \"**\"]\nverdict = \"ask\"\n\
        reason = { en = \"e\", zh = \"中\" }\nmatch = [\"npm test\"]\n";

    #[test]
    fn a_workspace_only_tightens() {
        let user = "[policy]\nsensitive = [\"a\"]\nfiles_ask = 30\n";
        let user = format!("{user}{}", RULE.replace("ID", "mine"));
        let own = "[policy]\nsensitive = [\"b\", \"a\"]\nfiles_ask = 40\n\
            break_hardlinks = true\n";
        let own = format!("{own}{}", RULE.replace("ID", "theirs"));
        let layers = Layers {
            user: Some(File { name: "u", text: &user }),
            workspace: Some(File { name: "w", text: &own }),
            ..Layers::default()
        };
        let policy = resolve(&layers).unwrap().settings.policy;
        assert_eq!(policy.sensitive, ["a", "b"]);
        assert_eq!((policy.files_ask, policy.break_hardlinks), (30, false));
        let names: Vec<&str> = policy.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["u", "w"]);
        let ids: Vec<&str> =
            policy.files.iter().flat_map(|file| &file.rules).map(|rule| rule.id.as_str()).collect();
        assert_eq!(ids, ["mine", "theirs"]);
    }

    #[test]
    fn a_rule_of_another_form_is_a_fault() {
        for text in [
            RULE.replace("verdict = \"ask\"", "verdict = \"maybe\""),
            RULE.replace("tool = \"run\"", "tool = \"rum\""),
            format!("{RULE}wat = 1\n"),
            "policy.rule = 1\n".to_owned(),
        ] {
            let layers =
                Layers { user: Some(File { name: "u", text: &text }), ..Layers::default() };
            assert_eq!(resolve(&layers).err().map(|faults| faults.len()), Some(1), "{text}");
        }
    }
}
