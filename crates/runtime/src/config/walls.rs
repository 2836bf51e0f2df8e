//! `[sandbox]` of a workspace's own file: it may only tighten the walls that the user's settings
//! leave standing, unless the person who trusted it was shown what it loosens. What walls are is
//! the sandbox's to say.

use kernel::hash;
use kernel::policy::rules::Listed;
use serde::Serialize;
use serde_json::json;

use super::layers::{File, Layers, Source, resolve};
use super::shapes::Value;

/// Words of each choice, the loosest first.
const MODES: &[&str] = &["off", "prefer", "require"];
const NETWORKS: &[&str] = &["open", "none"];
/// The settings that say how far the walls stand.
const WALLS: [&str; 4] = ["sandbox.mode", "sandbox.read", "sandbox.write", "sandbox.network"];

/// One setting by which a workspace loosens the walls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Loosened {
    /// Its name.
    pub key: &'static str,
    /// What it says; of places only those that are new.
    pub value: Value,
}

/// What is in force when a layer speaks about walls: a workspace only tightens them while what it
/// loosens does not count.
pub(super) fn joined(
    name: &str,
    before: Option<&Value>,
    said: Value,
    (source, walls): (Source, Listed),
) -> Value {
    match (source, walls) {
        (Source::Workspace, Listed::No) => tightened(name, before, said),
        (Source::Workspace, Listed::Yes)
        | (Source::BuiltIn | Source::User | Source::Environment | Source::Flag, _) => said,
    }
}

fn tightened(name: &str, before: Option<&Value>, said: Value) -> Value {
    match (name, before, said) {
        ("sandbox.mode", Some(Value::Text(before)), Value::Text(said)) => {
            Value::Text(stricter(MODES, before, &said))
        }
        ("sandbox.network", Some(Value::Text(before)), Value::Text(said)) => {
            Value::Text(stricter(NETWORKS, before, &said))
        }
        ("sandbox.read" | "sandbox.write", Some(Value::Texts(before)), Value::Texts(said)) => {
            Value::Texts(said.into_iter().filter(|place| before.contains(place)).collect())
        }
        (_, _, said) => said,
    }
}

fn stricter(words: &[&str], one: &str, other: &str) -> String {
    let rank = |word: &str| words.iter().position(|known| *known == word);
    if rank(one) >= rank(other) { one } else { other }.to_owned()
}

/// By what a workspace's file would loosen the walls that the user's leaves standing. A file that
/// cannot be read loosens nothing.
#[must_use]
pub fn loosened(user: Option<File<'_>>, workspace: File<'_>) -> Vec<Loosened> {
    let of = |walls| {
        resolve(&Layers { user, workspace: Some(workspace), walls, ..Layers::default() }).ok()
    };
    let (Some(tight), Some(free)) = (of(Listed::No), of(Listed::Yes)) else { return Vec::new() };
    let value = |key: &str| match (tight.look(key)?.value, free.look(key)?.value) {
        (Value::Texts(tight), Value::Texts(free)) => {
            let new: Vec<String> = free.into_iter().filter(|one| !tight.contains(one)).collect();
            (!new.is_empty()).then_some(Value::Texts(new))
        }
        (tight, free) => (tight != free).then_some(free),
    };
    WALLS.into_iter().filter_map(|key| Some(Loosened { key, value: value(key)? })).collect()
}

/// What a trust that listed this is bound to; none where there was nothing to list.
#[must_use]
pub fn loosened_hash(loosened: &[Loosened]) -> Option<String> {
    (!loosened.is_empty()).then(|| hash::of_json(&json!(loosened)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> File<'_> {
        File { name: "f", text }
    }

    /// What holds when nobody was shown the workspace's file, and what it would loosen.
    fn told(user: &str, own: &str) -> (String, String) {
        let (user, own) = (format!("[sandbox]\n{user}\n"), format!("[sandbox]\n{own}\n"));
        let (user, own) = (Some(file(&user)), file(&own));
        let layers = Layers { user, workspace: Some(own), ..Layers::default() };
        let held = resolve(&layers).unwrap();
        let values = WALLS.map(|key| json!(held.look(key).unwrap().value).to_string());
        let listed: Vec<String> = loosened(user, own)
            .iter()
            .map(|one| format!("{}={}", one.key.trim_start_matches("sandbox."), json!(one.value)))
            .collect();
        (values.join(" ").replace('"', ""), listed.join(" ").replace('"', ""))
    }

    #[test]
    fn a_workspace_only_tightens_what_nobody_was_shown() {
        let table = [
            ("", "", "prefer [] [] none", ""),
            ("", "mode = \"prefer\"", "prefer [] [] none", ""),
            ("", "mode = \"require\"", "require [] [] none", ""),
            ("", "mode = \"off\"", "prefer [] [] none", "mode=off"),
            ("mode = \"require\"", "mode = \"prefer\"", "require [] [] none", "mode=prefer"),
            ("mode = \"off\"", "mode = \"prefer\"", "prefer [] [] none", ""),
            ("network = \"open\"", "network = \"none\"", "prefer [] [] none", ""),
            ("", "network = \"open\"", "prefer [] [] none", "network=open"),
            ("read = [\"/a\"]", "read = [\"/a\", \"/b\"]", "prefer [/a] [] none", "read=[/b]"),
            ("write = [\"/a\"]", "write = []", "prefer [] [] none", ""),
            ("", "write = [\"/b\"]\nmode = \"off\"", "prefer [] [] none", "mode=off write=[/b]"),
        ];
        for (user, own, held, listed) in table {
            let expected = (held.to_owned(), listed.to_owned());
            assert_eq!(told(user, own), expected, "user {user:?}, workspace {own:?}");
        }
    }

    #[test]
    fn what_was_shown_counts_as_written() {
        let own = "[sandbox]\nmode = \"off\"\nread = [\"/b\"]\nnetwork = \"open\"\n";
        let shown = Layers { workspace: Some(file(own)), walls: Listed::Yes, ..Layers::default() };
        let held = resolve(&shown).unwrap();
        let values = WALLS.map(|key| json!(held.look(key).unwrap().value).to_string());
        assert_eq!(values, ["\"off\"", "[\"/b\"]", "[]", "\"open\""]);
        let (one, other) = (loosened(None, file(own)), own.replace("/b", "/c"));
        assert_ne!(loosened_hash(&one), loosened_hash(&loosened(None, file(&other))));
        assert_eq!(loosened_hash(&[]), None);
    }
}
