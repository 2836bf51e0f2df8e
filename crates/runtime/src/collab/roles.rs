//! The text that tells a participant who it is. A person's file wins over the built-in words; only
//! four placeholders are known in it, and any other is refused rather than sent.

use std::path::{Path, PathBuf};

use crate::words::{Lang, say};

/// Largest role file; the prompt it becomes part of has a bound of its own.
const ROLE_BYTES_MAX: u64 = 256 << 10;

/// What a role's text may name.
pub(super) struct Names<'a> {
    pub(super) workdir: &'a str,
    pub(super) role: &'a str,
    pub(super) dimension: &'a str,
    pub(super) lang: Lang,
}

/// Why a role has no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoleError {
    /// A placeholder nobody fills.
    #[error("{file}: no such placeholder {{{{{name}}}}}")]
    Placeholder {
        /// The file.
        file: String,
        /// What stands between the braces.
        name: String,
    },
    /// A file that can't be read as text.
    #[error("{file} cannot be read as text")]
    Unreadable {
        /// The file.
        file: String,
    },
}

/// The text of a role for one participant.
///
/// # Errors
/// A file that can't be used.
pub(super) fn role_text(
    loop_dir: &Path,
    configured: Option<&Path>,
    participant: &str,
    names: &Names<'_>,
) -> Result<String, RoleError> {
    let roles = loop_dir.join("roles");
    let file = format!("{}.md", names.role);
    let places: Vec<PathBuf> = configured
        .map(Path::to_owned)
        .into_iter()
        .chain([roles.join(participant).join(&file), roles.join(&file)])
        .collect();
    for place in &places {
        if place.is_file() {
            let shown = place.strip_prefix(loop_dir).unwrap_or(place).display().to_string();
            let bytes = crate::shim::durable::read(place, ROLE_BYTES_MAX);
            let text = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok());
            let text = text.ok_or(RoleError::Unreadable { file: shown.clone() })?;
            return fill(&text, names).map_err(|name| RoleError::Placeholder { file: shown, name });
        }
    }
    Ok(built_in(names))
}

/// The words for a role that nobody wrote a file for.
fn built_in(names: &Names<'_>) -> String {
    let key = match names.role {
        "architect" => "role-architect",
        "analyzer" => "role-analyzer",
        "reviewer" => "role-reviewer",
        "developer" => "role-developer",
        _ => "role-other",
    };
    say(
        names.lang,
        key,
        &[("role", &names.role), ("dimension", &names.dimension), ("workdir", &names.workdir)],
    )
}

/// Fills the placeholders; the name of one that is not known otherwise. What is filled in is not
/// looked at again.
fn fill(text: &str, names: &Names<'_>) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, behind)) = after.split_once("}}") else { break };
        filled.push_str(before);
        filled.push_str(match name.trim() {
            "WORKDIR" => names.workdir,
            "ROLE" => names.role,
            "DIMENSION" => names.dimension,
            "LANG" => names.lang.tag(),
            _ => return Err(name.to_owned()),
        });
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names<'_> =
        Names { workdir: "/w/{{ROLE}}", role: "architect", dimension: "backend", lang: Lang::En };

    #[test]
    fn four_placeholders_are_known_and_no_other() {
        let table = [
            ("be {{ROLE}} of {{DIMENSION}} ({{LANG}})", Ok("be architect of backend (en)")),
            ("in {{ WORKDIR }}", Ok("in /w/{{ROLE}}")),
            ("{{TASK}}", Err("TASK")),
            ("a }} b {{ c", Ok("a }} b {{ c")),
            ("", Ok("")),
        ];
        for (text, expected) in table {
            let found = fill(text, &NAMES);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text}");
        }
    }

    #[test]
    fn a_persons_file_wins_the_participants_own_first() {
        let dir = tempfile::tempdir().unwrap();
        let roles = dir.path().join("roles");
        std::fs::create_dir_all(roles.join("codex")).unwrap();
        let text = |name: &str| role_text(dir.path(), None, name, &NAMES).unwrap();
        assert!(text("codex").contains("backend"));
        std::fs::write(roles.join("architect.md"), "for all").unwrap();
        std::fs::write(roles.join("codex/architect.md"), "for codex").unwrap();
        assert_eq!((text("codex").as_str(), text("gemini").as_str()), ("for codex", "for all"));
        std::fs::write(roles.join("architect.md"), "{{x}}").unwrap();
        let refused = role_text(dir.path(), None, "gemini", &NAMES).unwrap_err();
        let file = "roles/architect.md".to_owned();
        assert_eq!(refused, RoleError::Placeholder { file, name: "x".to_owned() });
    }
}
