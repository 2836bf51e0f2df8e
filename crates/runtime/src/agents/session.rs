//! The grammar of conversation ids, by the kind of agent that issues them. Where an id may be
//! taken from is the stream readers' business; this only says whether one can be real.

use kernel::agent::Kind;

/// Shortest and longest id of a program we know nothing about.
const FREE_BYTES: std::ops::RangeInclusive<usize> = 8..=128;
/// What ids that we issue ourselves begin with.
const LOCAL_PREFIX: &str = "cmd-";

/// Whether `id` is one that this kind of agent issues.
#[must_use]
pub fn valid(kind: Kind, id: &str) -> bool {
    match kind {
        Kind::Codex | Kind::Gemini | Kind::Claude | Kind::Qwen | Kind::Wrapper | Kind::Script => {
            uuid(id)
        }
        Kind::Command => free(id),
    }
}

/// The id of a conversation that we name ourselves.
#[must_use]
pub fn local(call: &str) -> String {
    format!("{LOCAL_PREFIX}{call}")
}

/// A UUID of any version in its one written form, and not the nil one.
fn uuid(id: &str) -> bool {
    let groups: Vec<&str> = id.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|b| b.is_ascii_hexdigit()))
        && id.bytes().any(|b| b != b'0' && b != b'-')
}

fn free(id: &str) -> bool {
    FREE_BYTES.contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"._:-".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_by_kind() {
        let table = [
            (Kind::Codex, "01a1e071-b39d-7503-86fc-e537e9e678d6", true),
            (Kind::Codex, "01A1E071-B39D-7503-86FC-E537E9E678D6", true),
            (Kind::Codex, "00000000-0000-0000-0000-000000000000", false),
            (Kind::Gemini, "01a1e071b39d750386fce537e9e678d6", false),
            (Kind::Claude, "{01a1e071-b39d-7503-86fc-e537e9e678d6}", false),
            (Kind::Qwen, "01a1e071-b39d-7503-86fc-e537e9e678d6 ", false),
            (Kind::Wrapper, "01a1e071-b39d-7503-86fc-e537e9e678dg", false),
            (Kind::Script, "", false),
            (Kind::Script, "+1a1e071-b39d-7503-86fc-e537e9e678d6", false),
            (Kind::Command, "cmd-call-01JD", true),
            (Kind::Command, "short", false),
            (Kind::Command, "with blank here", false),
        ];
        for (kind, id, expected) in table {
            assert_eq!(valid(kind, id), expected, "{kind:?} {id:?}");
        }
        assert!(valid(Kind::Command, &local("call-01JDABC")));
    }
}
