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
