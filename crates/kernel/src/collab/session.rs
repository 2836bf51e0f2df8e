//! What a conversation's id looks like, by adapter. It reads no text to find one: ids come from the
//! adapter's own event, and this only says whether such an id can be one.

use crate::agent::Kind;

/// The shortest and longest id of an adapter that does not say what its ids look like.
const LEAST: usize = 8;
const MOST: usize = 128;

/// Whether an id can be one of this adapter's.
#[must_use]
pub fn valid_session(kind: Kind, id: &str) -> bool {
    match kind {
        Kind::Codex | Kind::Gemini | Kind::Claude | Kind::Qwen | Kind::Wrapper | Kind::Script => {
            uuid(id)
        }
        Kind::Command => plain(id),
    }
}

/// A UUID of any version, not nil.
fn uuid(id: &str) -> bool {
    let groups = [8, 4, 4, 4, 12];
    let mut parts = id.split('-');
    let fits = groups.iter().all(|len| {
        parts.next().is_some_and(|part| {
            part.len() == *len && part.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    });
    fits && parts.next().is_none() && id.bytes().any(|byte| byte != b'0' && byte != b'-')
}

fn plain(id: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
    (LEAST..=MOST).contains(&id.len()) && id.bytes().all(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_by_adapter() {
        let v7 = "01890a5d-ac96-774b-bcce-b302099a8057";
        let table = [
            (Kind::Codex, v7, true),
            (Kind::Gemini, "3F2504E0-4F89-11D3-9A0C-0305E82C3301", true),
            (Kind::Claude, "00000000-0000-0000-0000-000000000000", false),
            (Kind::Qwen, "01890a5d-ac96-774b-bcce-b302099a805", false),
            (Kind::Wrapper, "01890a5d-ac96-774b-bcce-b302099a8057-1", false),
            (Kind::Script, "01890a5dac96774bbcceb302099a8057", false),
            (Kind::Codex, "g1890a5d-ac96-774b-bcce-b302099a8057", false),
            (Kind::Codex, "", false),
            (Kind::Command, "cmd-call-01JD", true),
            (Kind::Command, "short", false),
            (Kind::Command, "with a blank", false),
        ];
        for (kind, id, valid) in table {
            assert_eq!(valid_session(kind, id), valid, "{kind:?} {id}");
        }
    }
}
