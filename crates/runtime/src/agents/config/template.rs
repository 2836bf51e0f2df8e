//! Command lines of a configured program: words with holes. One word stays one argument, and what
//! fills a hole is never looked at again. Nothing here runs anything.

use kernel::agent::Talk;

/// What may stand in a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The file that holds the prompt.
    PromptFile,
    /// The prompt itself.
    Prompt,
    /// The working directory.
    Workdir,
    /// The model.
    Model,
    /// The conversation to go on with.
    Session,
    /// The directory of the call.
    CallDir,
}

impl Slot {
    /// Every hole.
    pub const ALL: [Self; 6] =
        [Self::PromptFile, Self::Prompt, Self::Workdir, Self::Model, Self::Session, Self::CallDir];

    /// Their names, in that order.
    pub const NAMES: &'static [&'static str] =
        &["prompt_file", "prompt", "workdir", "model", "session", "call_dir"];

    /// Its name between the braces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PromptFile => "prompt_file",
            Self::Prompt => "prompt",
            Self::Workdir => "workdir",
            Self::Model => "model",
            Self::Session => "session",
            Self::CallDir => "call_dir",
        }
    }
}

/// One argument: pieces that are put together.
pub type Word = Vec<Piece>;

/// A piece of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// As written.
    Text(String),
    /// Filled in at launch.
    Hole(Slot),
}

/// Where a program of ours reads from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StdinFrom {
    /// The prompt.
    Prompt,
    /// Nothing.
    Nothing,
}

/// How its output is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// All of it is the answer.
    Text,
    /// One JSON value.
    Json,
    /// One JSON value a line; the last one that fits is the end.
    Jsonl {
        /// What marks the end, if anything.
        end: Option<Final>,
    },
}

/// A JSON Pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer(pub String);

/// What marks the end of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Final {
    /// Where to look.
    pub pointer: Pointer,
    /// What must stand there.
    pub equals: serde_json::Value,
}

/// Where the conversation's id comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionFrom {
    /// Its output.
    Told(Pointer),
    /// Us: it proves that a call was made and cannot be gone on with.
    Local,
    /// Nowhere.
    Nothing,
}

/// A configured program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Program and words.
    pub argv: Vec<Word>,
    /// The same for going on with a conversation.
    pub argv_resume: Option<Vec<Word>>,
    /// Where it reads from.
    pub stdin: StdinFrom,
    /// How its output is read.
    pub output: Output,
    /// Where the answer is.
    pub text: Option<Pointer>,
    /// Where an error is.
    pub error: Option<Pointer>,
    /// Where the usage is.
    pub usage: Option<Pointer>,
    /// Where the conversation's id comes from.
    pub session: SessionFrom,
    /// Exit codes that are no failure.
    pub ok_exit: Vec<u8>,
}

impl Template {
    /// What its conversations are.
    #[must_use]
    pub const fn talk(&self) -> Talk {
        match (&self.session, &self.argv_resume) {
            (SessionFrom::Told(_), Some(_)) => Talk::Lasting,
            (SessionFrom::Told(_), None) | (SessionFrom::Nothing, _) => Talk::Single,
            (SessionFrom::Local, _) => Talk::Local,
        }
    }
}

/// Why a template is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateError {
    /// No hole of that name.
    Unknown(String),
    /// A hole that nothing fills here.
    Unset(Slot),
    /// The program itself has a hole.
    Program,
}

/// Reads one argument. A brace that does not enclose a name is a brace.
///
/// # Errors
/// A name that is no hole.
pub fn word(text: &str) -> Result<Word, TemplateError> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        plain.push_str(&rest[..open]);
        let inner = &rest[open + 1..];
        let name = inner.find('}').map(|close| &inner[..close]).filter(|name| is_name(name));
        let Some(name) = name else {
            plain.push('{');
            rest = inner;
            continue;
        };
        let slot = Slot::ALL.into_iter().find(|slot| slot.name() == name);
        let slot = slot.ok_or_else(|| TemplateError::Unknown(name.to_owned()))?;
        if !plain.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
        }
        pieces.push(Piece::Hole(slot));
        rest = &inner[name.len() + 1..];
    }
    plain.push_str(rest);
    if !plain.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Reads a whole command line; `filled` says which holes something will fill.
///
/// # Errors
/// The first word that cannot be used.
pub fn words(all: &[String], filled: impl Fn(Slot) -> bool) -> Result<Vec<Word>, TemplateError> {
    let mut read = Vec::with_capacity(all.len());
    for (at, text) in all.iter().enumerate() {
        let word = word(text)?;
        for piece in &word {
            match piece {
                Piece::Hole(_) if at == 0 => return Err(TemplateError::Program),
                Piece::Hole(slot) if !filled(*slot) => return Err(TemplateError::Unset(*slot)),
                Piece::Hole(_) | Piece::Text(_) => {}
            }
        }
        read.push(word);
    }
    Ok(read)
}

/// Puts one argument together. What fills a hole is taken as it is.
pub fn fill<E>(word: &Word, value: impl Fn(Slot) -> Result<String, E>) -> Result<String, E> {
    let mut text = String::new();
    for piece in word {
        match piece {
            Piece::Text(plain) => text.push_str(plain),
            Piece::Hole(slot) => text.push_str(&value(*slot)?),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_holes_only_where_a_name_stands_in_braces() {
        let hole = Piece::Hole;
        let text = |text: &str| Piece::Text(text.to_owned());
        let table = [
            ("{prompt}", Ok(vec![hole(Slot::Prompt)])),
            ("--in={prompt_file}", Ok(vec![text("--in="), hole(Slot::PromptFile)])),
            ("{workdir}/{model}", { Ok(vec![hole(Slot::Workdir), text("/"), hole(Slot::Model)]) }),
            (r#"{"a": {}}"#, Ok(vec![text(r#"{"a": {}}"#)])),
            ("{", Ok(vec![text("{")])),
            ("", Ok(vec![text("")])),
            ("{{session}}", Ok(vec![text("{"), hole(Slot::Session), text("}")])),
            ("{promt}", Err(TemplateError::Unknown("promt".into()))),
            ("${HOME}", Err(TemplateError::Unknown("HOME".into()))),
        ];
        for (written, expected) in table {
            assert_eq!(word(written), expected, "{written}");
        }
    }

    #[test]
    fn what_nothing_fills_is_refused() {
        let filled = |slot: Slot| match slot {
            Slot::Model | Slot::Session => false,
            Slot::PromptFile | Slot::Prompt | Slot::Workdir | Slot::CallDir => true,
        };
        let read = |all: &[&str]| {
            let all: Vec<String> = all.iter().map(|word| (*word).to_owned()).collect();
            words(&all, filled).map(|words| words.len())
        };
        assert_eq!(read(&["x", "{prompt}", "{call_dir}"]), Ok(3));
        assert_eq!(read(&["x", "-m", "{model}"]), Err(TemplateError::Unset(Slot::Model)));
        assert_eq!(read(&["x", "{session}"]), Err(TemplateError::Unset(Slot::Session)));
        assert_eq!(read(&["{workdir}/x"]), Err(TemplateError::Program));
    }

    #[test]
    fn values_are_never_scanned_again() {
        let word = word("a{prompt}b").unwrap();
        let filled = fill(&word, |_| Ok::<_, ()>("{model} $(x)".to_owned()));
        assert_eq!(filled, Ok("a{model} $(x)b".to_owned()));
    }
}
