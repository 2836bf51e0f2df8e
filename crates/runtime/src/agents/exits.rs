//! What a CLI's own exit codes and its words on standard error say, by kind. Consulted only when
//! no final event came and we did not end the process ourselves.

use kernel::agent::Kind;

use super::status::{self, Cause};

/// The error a code stands for: code and detail word.
pub(super) type Row = (&'static str, &'static str);

/// The program was found and could not be run: the codes that shells and launchers give.
const NOT_RUN: Row = ("E003", "spawn");
const CONFIG: Row = ("E002", "config");
const STOPPED: Row = ("E007", "stopped");
const OWN_LIMIT: Row = ("E004", "own_limit");
const NO_ANSWER: Row = ("E009", "no_answer");

/// What the exit code means for this kind; none if nothing is known of it.
pub(super) fn row(kind: Kind, backend: Option<Kind>, code: i32) -> Option<Row> {
    match (kind, code) {
        (Kind::Wrapper, 124) => Some(OWN_LIMIT),
        // Its own way to say interrupted; that we did it would be in the exit record.
        (Kind::Wrapper, 1 | 130) => None,
        (_, 126 | 127) => Some(NOT_RUN),
        (Kind::Wrapper, _) => backend.and_then(|behind| row(behind, None, code)),
        (Kind::Gemini, _) => gemini(code),
        (Kind::Qwen, 53) => Some(NO_ANSWER),
        (Kind::Qwen, 55) => Some(OWN_LIMIT),
        (Kind::Qwen, 130) => Some(STOPPED),
        (Kind::Codex | Kind::Claude | Kind::Qwen | Kind::Command | Kind::Script, _) => None,
    }
}

/// Its codes from 144 on are HTTP statuses in one byte, not signals.
fn gemini(code: i32) -> Option<Row> {
    match code {
        41 => Some(("E009", "auth")),
        42 => Some(("E002", "bad_input")),
        44 | 52 => Some(CONFIG),
        53 => Some(NO_ANSWER),
        54 => Some(("E009", "exit")),
        55 => Some(("E002", "untrusted")),
        130 => Some(STOPPED),
        144..=255 => u64::try_from(code).ok().map(|code| of_cause(status::of_status(code + 256))),
        _ => None,
    }
}

pub(super) const fn of_cause(cause: Cause) -> Row {
    (cause.code(), cause.kind())
}

/// Whether these words say that the conversation asked for is not known.
pub(super) fn resume_unknown(kind: Kind, backend: Option<Kind>, words: &str) -> bool {
    let patterns: &[&str] = match kind {
        Kind::Codex => &["no rollout found", "thread/resume failed"],
        Kind::Gemini => &["Error resuming session"],
        Kind::Claude => &["No conversation found with session ID"],
        Kind::Qwen => &["No saved session found"],
        Kind::Wrapper => {
            return backend
                .filter(|behind| *behind != Kind::Wrapper)
                .is_some_and(|behind| resume_unknown(behind, None, words));
        }
        Kind::Command | Kind::Script => &[],
    };
    patterns.iter().any(|pattern| words.contains(pattern))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_by_kind() {
        let table = [
            (Kind::Gemini, None, 145, Some(("E009", "auth"))),
            (Kind::Gemini, None, 147, Some(("E009", "auth"))),
            (Kind::Gemini, None, 144, Some(("E009", "error_event"))),
            (Kind::Gemini, None, 148, Some(("E009", "error_event"))),
            (Kind::Gemini, None, 173, Some(("E009", "quota"))),
            (Kind::Gemini, None, 244, Some(("E009", "server"))),
            (Kind::Gemini, None, 247, Some(("E009", "server"))),
            (Kind::Gemini, None, 41, Some(("E009", "auth"))),
            (Kind::Gemini, None, 52, Some(("E002", "config"))),
            (Kind::Gemini, None, 53, Some(("E009", "no_answer"))),
            (Kind::Gemini, None, 1, None),
            (Kind::Qwen, None, 55, Some(("E004", "own_limit"))),
            (Kind::Qwen, None, 145, None),
            (Kind::Claude, None, 143, None),
            (Kind::Claude, None, 127, Some(("E003", "spawn"))),
            (Kind::Wrapper, Some(Kind::Codex), 124, Some(("E004", "own_limit"))),
            (Kind::Wrapper, Some(Kind::Codex), 127, Some(("E003", "spawn"))),
            (Kind::Wrapper, Some(Kind::Gemini), 130, None),
            (Kind::Wrapper, Some(Kind::Gemini), 173, Some(("E009", "quota"))),
            (Kind::Wrapper, Some(Kind::Codex), 173, None),
            (Kind::Wrapper, None, 42, None),
        ];
        for (kind, backend, code, expected) in table {
            assert_eq!(row(kind, backend, code), expected, "{kind:?} {backend:?} {code}");
        }
    }
}
