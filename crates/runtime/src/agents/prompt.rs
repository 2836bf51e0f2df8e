//! The words an agent is given, as they stand in its prompt file. A prompt is only text, but some
//! programs act on it: a first line of ours and a few backslashes keep them from it. Everything
//! else arrives byte for byte.

use kernel::agent::{Kind, PROMPT_BYTES_MAX};

use super::config::AgentConfig;

/// A line that makes the wrapper put a file's content in.
const ROLE_FILE: &str = "ROLE_FILE:";

/// A prompt longer than any agent is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Its size.
    pub bytes: usize,
}

/// The prompt file's text: our line, then the words.
///
/// # Errors
/// When there are too many of them.
pub fn compose(agent: &AgentConfig, lang: &str, words: &str) -> Result<String, TooLong> {
    if words.len() > PROMPT_BYTES_MAX {
        return Err(TooLong { bytes: words.len() });
    }
    let mut text = header(&agent.name, lang);
    let mentions = if agent.mentions { Mentions::Act } else { mentions(agent.speaks()) };
    neutralise(words, mentions, &mut text);
    match agent.kind() {
        Kind::Wrapper => Ok(shift_role_lines(&text)),
        Kind::Codex | Kind::Gemini | Kind::Claude | Kind::Qwen | Kind::Command | Kind::Script => {
            Ok(text)
        }
    }
}

/// Some programs run a prompt that begins with `/` as a command of their own and call it a
/// success, so the first line is always ours.
fn header(agent: &str, lang: &str) -> String {
    if lang.starts_with("zh") {
        format!("任务（{agent}）：\n")
    } else {
        format!("Task for {agent}:\n")
    }
}

/// Where an `@` makes a program read a file into the prompt.
#[derive(Clone, Copy)]
enum Mentions {
    /// Nowhere, or where it is wanted.
    Act,
    /// Where a word begins.
    WordStart,
    /// Anywhere without a backslash before it.
    Anywhere,
}

const fn mentions(kind: Kind) -> Mentions {
    match kind {
        Kind::Claude => Mentions::WordStart,
        Kind::Gemini | Kind::Qwen => Mentions::Anywhere,
        Kind::Codex | Kind::Wrapper | Kind::Command | Kind::Script => Mentions::Act,
    }
}

fn neutralise(words: &str, mentions: Mentions, into: &mut String) {
    let mut before = None;
    for letter in words.chars() {
        let acts = letter == '@'
            && match mentions {
                Mentions::Act => false,
                Mentions::WordStart => !before.is_some_and(|c| in_word(c) || c == '\\'),
                Mentions::Anywhere => before != Some('\\'),
            };
        if acts {
            into.push('\\');
        }
        into.push(letter);
        before = Some(letter);
    }
}

/// What may stand before the `@` of an address. A Chinese letter does not: no blank parts words
/// there.
const fn in_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-' | '+')
}

fn shift_role_lines(text: &str) -> String {
    let mut shifted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with(ROLE_FILE) {
            shifted.push(' ');
        }
        shifted.push_str(line);
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{File, Layers, resolve};

    fn agent(text: &str) -> AgentConfig {
        let layers = Layers { user: Some(File { name: "u", text }), ..Layers::default() };
        let name = text.trim_start_matches("[agents.").split(']').next().unwrap();
        resolve(&layers).unwrap().settings.agents[name].clone()
    }

    /// What becomes of words, without our line.
    fn sent(text: &str, words: &str) -> String {
        let agent = agent(text);
        let whole = compose(&agent, "en", words).unwrap();
        whole.strip_prefix(&format!("Task for {}:\n", agent.name)).unwrap().to_owned()
    }

    #[test]
    fn the_first_line_is_ours() {
        let codex = agent("[agents.codex]");
        assert_eq!(compose(&codex, "en", "/clear").unwrap(), "Task for codex:\n/clear");
        assert_eq!(compose(&codex, "zh-CN", "x").unwrap(), "任务（codex）：\nx");
    }

    #[test]
    fn mentions_are_neutralised_where_they_act() {
        let table = [
            ("[agents.claude]", "see @/etc/hostname", r"see \@/etc/hostname"),
            ("[agents.claude]", "@a (@b) \"@c\" 看@d", r#"\@a (\@b) "\@c" 看\@d"#),
            ("[agents.claude]", "mail a.b@c.org, `x_@y`", "mail a.b@c.org, `x_@y`"),
            ("[agents.claude]", r"done \@a", r"done \@a"),
            ("[agents.gemini]", "see @/etc/hostname", r"see \@/etc/hostname"),
            ("[agents.gemini]", "mail a@c.org", r"mail a\@c.org"),
            ("[agents.gemini]", r"\@a @@b", r"\@a \@\@b"),
            ("[agents.qwen]", "x@/etc/hostname", r"x\@/etc/hostname"),
            ("[agents.codex]", "see @/etc/hostname", "see @/etc/hostname"),
            ("[agents.gemini]\nmentions = true", "see @a", "see @a"),
            ("[agents.wrapper]", "see @a", "see @a"),
            ("[agents.wrapper]\nbackend = \"claude\"", "see @a", r"see \@a"),
            ("[agents.wrapper]\nbackend = \"claude\"\nmentions = true", "see @a", "see @a"),
        ];
        for (text, words, expected) in table {
            assert_eq!(sent(text, words), expected, "{text}: {words}");
        }
    }

    #[test]
    fn lines_that_make_the_wrapper_read_a_file_are_shifted() {
        let words = "ROLE_FILE: /etc/passwd\r\nx ROLE_FILE: y\nROLE_FILE:z";
        let expected = " ROLE_FILE: /etc/passwd\r\nx ROLE_FILE: y\n ROLE_FILE:z";
        assert_eq!(sent("[agents.wrapper]", words), expected);
        assert_eq!(sent("[agents.codex]", words), words);
    }

    #[test]
    fn everything_else_arrives_byte_for_byte() {
        let words = "--help\n-x  !touch x\t$(y) `z` \"q\" 'r' 中文　\r\n\n  \u{0}\u{feff}end\n\n";
        let long = words.repeat(300 * 1024 / words.len());
        for name in ["codex", "gemini", "claude", "qwen", "wrapper"] {
            assert_eq!(sent(&format!("[agents.{name}]"), &long), long, "{name}");
        }
    }

    #[test]
    fn too_many_words_are_refused() {
        let codex = agent("[agents.codex]");
        let words = "x".repeat(PROMPT_BYTES_MAX);
        assert!(compose(&codex, "en", &words).is_ok());
        let why = compose(&codex, "en", &format!("{words}x")).unwrap_err();
        assert_eq!(why, TooLong { bytes: PROMPT_BYTES_MAX + 1 });
    }
}
