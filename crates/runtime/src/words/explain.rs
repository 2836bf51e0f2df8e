//! The page of a code: what it means, when it is raised, what it left unchanged, what to do.
//! The same text stands in the binary and in the reference; nothing here knows a door.

use kernel::errors::{self, Code, Unknown};
use serde::Serialize;

use super::catalogue::say;
use super::guide::guide;
use super::lang::Lang;
use super::tell::{part, title, with_placeholders};

/// Everything there is to say about a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// The code as it is written.
    pub code: String,
    /// Its class.
    pub class: &'static str,
    /// Exit code of a command that ends with it.
    pub exit: u8,
    /// HTTP status.
    pub http: u16,
    /// Would the same request later be sensible.
    pub retryable: bool,
    /// Its name in English.
    pub title_en: String,
    /// Its name in Chinese.
    pub title_zh: String,
    /// When it is raised.
    pub when: String,
    /// What was and was not changed.
    pub state: String,
    /// What to do.
    pub next: String,
    /// Commands that do it.
    pub commands: Vec<String>,
    /// Settings that bear on it.
    pub keys: Vec<&'static str>,
    /// Its detail kinds.
    pub kinds: Vec<&'static str>,
    /// The first line a terminal shows.
    pub example: String,
}

/// The page of the named code.
///
/// # Errors
/// When no code has that name; the nearest names come along.
pub fn explain(name: &str, lang: Lang) -> Result<Explained, Unknown> {
    Code::parse(name).map(|code| page(code, lang))
}

/// The codes `explain --list` shows: classes, numbers and refusals, with their titles.
pub fn listed(lang: Lang) -> Vec<(String, String)> {
    let titled = |name: String| {
        let code = Code::parse(&name).ok()?;
        Some((name, title(lang, code)))
    };
    errors::names().into_iter().filter_map(titled).collect()
}

fn page(code: Code, lang: Lang) -> Explained {
    let guide = guide(code);
    let of = |form: &str| part(lang, code, form).unwrap_or_default();
    let state = part(lang, code, ".state").unwrap_or_else(|| say(lang, "refusal-state", &[]));
    Explained {
        code: code.to_string(),
        class: code.class().name(),
        exit: code.exit().code(),
        http: code.http(),
        retryable: code.retryable(""),
        title_en: title(Lang::En, code),
        title_zh: title(Lang::Zh, code),
        when: of(".when"),
        state,
        next: of(".next"),
        commands: guide.commands.iter().map(|line| with_placeholders(line)).collect(),
        keys: guide.settings.to_vec(),
        kinds: kinds(code),
        example: example(code, lang),
    }
}

fn kinds(code: Code) -> Vec<&'static str> {
    match code {
        Code::Class(class) => errors::kinds(class).to_vec(),
        Code::Number(number) => number.kinds().to_vec(),
        Code::Refusal(_, _) => Vec::new(),
    }
}

fn example(code: Code, lang: Lang) -> String {
    let label = match code {
        Code::Refusal(_, _) => "cli-refused",
        Code::Class(_) | Code::Number(_) => "cli-error",
    };
    let (label, text) = (say(lang, label, &[]), title(lang, code));
    say(lang, "cli-head", &[("label", &label), ("code", &code), ("text", &text)])
}

impl Explained {
    /// The page as a terminal shows it.
    pub fn text(&self, lang: Lang) -> String {
        let (first, second) = match lang {
            Lang::En => (&self.title_en, &self.title_zh),
            Lang::Zh => (&self.title_zh, &self.title_en),
        };
        let word = |key: &str| say(lang, key, &[]);
        let head = format!(
            "{}  {first} / {second}   {} {}   {} {}   HTTP {}",
            self.code,
            word("cli-class"),
            self.class,
            word("cli-exit"),
            self.exit,
            self.http
        );
        let mut lines = vec![head];
        let mut line = |key: &str, text: &str| {
            if !text.is_empty() {
                lines.push(say(lang, "cli-line", &[("label", &word(key)), ("text", &text)]));
            }
        };
        line("cli-when", &self.when);
        line("cli-state", &self.state);
        line("cli-next", &with_commands(lang, &self.next, &self.commands));
        line("cli-keys", &self.keys.join(" "));
        line("cli-kinds", &self.kinds.join(" "));
        line("cli-example", &self.example);
        lines.join("\n")
    }
}

/// A next step and the commands that do it, as one line.
pub(super) fn with_commands(lang: Lang, next: &str, commands: &[String]) -> String {
    if commands.is_empty() {
        return next.to_owned();
    }
    let open = next.trim_end_matches(['.', '。']);
    say(lang, "cli-with-command", &[("text", &open), ("command", &commands.join(" | "))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariant_every_code_explained() {
        for name in errors::names() {
            for lang in Lang::ALL {
                let page = explain(&name, lang).unwrap();
                let parts = [
                    &page.title_en,
                    &page.title_zh,
                    &page.when,
                    &page.state,
                    &page.next,
                    &page.example,
                ];
                for text in parts {
                    assert!(!text.is_empty() && *text != name, "{lang} {name}: {page:?}");
                }
                let named = !page.commands.is_empty() || !page.keys.is_empty();
                assert!(named, "{name}: the next step names no command or key");
                assert_ne!(page.exit, 0, "{name}");
                assert!((200..600).contains(&page.http), "{name}");
            }
        }
    }

    #[test]
    fn invariant_language_is_render() {
        for name in errors::names() {
            let (en, zh) = (explain(&name, Lang::En).unwrap(), explain(&name, Lang::Zh).unwrap());
            assert_ne!(en.when, zh.when, "{name} is not translated");
            assert_ne!(en.title_en, zh.title_zh, "{name} is not translated");
            let same = Explained {
                when: en.when.clone(),
                state: en.state.clone(),
                next: en.next.clone(),
                example: en.example.clone(),
                ..zh
            };
            assert_eq!(en, same, "{name}");
        }
    }

    #[test]
    fn a_page_reads_as_settled() {
        let page = explain("e004", Lang::En).unwrap();
        let text = page.text(Lang::En);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines[0],
            "E004  one model timed out / 单模型超时   class E_TOOL_TIMEOUT   exit 8   HTTP 504"
        );
        assert!(lines[1].starts_with("When: A model of a run with several"));
        assert!(lines[3].ends_with("becomes DEGRADED: loopwright show RUN"), "{text}");
        assert!(text.contains("\nKeys: collab.timeout"), "{text}");
        assert!(page.text(Lang::Zh).starts_with("E004  单模型超时 / one model timed out"));
    }

    #[test]
    fn unknown_codes_name_the_nearest() {
        assert_eq!(explain("E4", Lang::En).unwrap_err().nearest, ["E004"]);
        assert_eq!(explain("turn.not_now", Lang::En).unwrap().code, "turn.not_now");
        assert!(
            listed(Lang::Zh)
                .iter()
                .any(|(code, title)| code == "E001" && title == "CCG_BIN 不存在")
        );
    }
}
