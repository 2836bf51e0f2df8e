//! What every command needs to know: language, form of output, which workspace, under which trace.
//! It opens nothing until asked, so a command that needs no workspace never looks for one.

use std::ffi::OsString;
use std::path::PathBuf;

use runtime::words::{self, Lang, LangSources, UnknownLang};

use crate::trouble::Trouble;

/// How the answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text for people.
    Text,
    /// Exactly one JSON value.
    Json,
}

/// Flags every command takes.
#[derive(Debug, Clone, clap::Args)]
pub struct Global {
    /// One JSON value instead of text.
    #[arg(long, global = true)]
    pub json: bool,
    /// The language to speak.
    #[arg(long, global = true, value_name = "LANG")]
    pub lang: Option<String>,
    /// The directory to work in.
    #[arg(long, global = true, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
}

/// What can be known before the arguments are parsed, so that even a parse error is told in the
/// right language and form.
#[derive(Debug, Clone)]
pub struct Early {
    /// The language of the flag or the environment.
    pub lang: Result<Lang, UnknownLang>,
    /// The form of the answer.
    pub form: Form,
    /// The trace of this command chain.
    pub trace: String,
}

impl Early {
    /// Looks at the raw arguments and the environment.
    pub fn scan(argv: &[OsString]) -> Self {
        let words = argv.iter().skip(1).filter_map(|word| word.to_str()).take_while(|w| *w != "--");
        let (mut flag, mut form, mut lang_follows) = (None, Form::Text, false);
        for word in words {
            if lang_follows {
                flag = Some(word.to_owned());
                lang_follows = false;
            } else if word == "--lang" {
                lang_follows = true;
            } else if let Some(value) = word.strip_prefix("--lang=") {
                flag = Some(value.to_owned());
            } else if word == "--json" {
                form = Form::Json;
            }
        }
        let trace = format!("trace_{}", uuid::Uuid::new_v4().simple());
        Self { lang: choose(flag.as_deref(), None), form, trace }
    }

    /// The language to use even when an unknown one was asked for.
    pub fn lang_or_default(&self) -> Lang {
        self.lang.clone().or_else(|_| choose(None, None)).unwrap_or_default()
    }
}

fn choose(flag: Option<&str>, setting: Option<&str>) -> Result<Lang, UnknownLang> {
    let var = |name: &str| std::env::var(name).ok();
    let (output_language, lc_all, lang) = (var("OUTPUT_LANGUAGE"), var("LC_ALL"), var("LANG"));
    words::choose(LangSources {
        flag,
        output_language: output_language.as_deref(),
        setting,
        lc_all: lc_all.as_deref(),
        lang: lang.as_deref(),
    })
}

/// The context of one command.
#[derive(Debug)]
pub struct Ctx {
    /// The language to speak.
    pub lang: Lang,
    /// How to answer.
    pub form: Form,
    /// The trace of this command chain.
    pub trace: String,
    /// `--workspace`.
    pub named: Option<PathBuf>,
}

impl Ctx {
    /// The context after the arguments were parsed.
    ///
    /// # Errors
    /// When the language asked for is none of ours.
    pub fn new(early: &Early, global: &Global) -> Result<Self, Trouble> {
        let lang = early.lang.clone().map_err(|unknown| Trouble::unknown_lang(&unknown))?;
        Ok(Self {
            lang,
            form: early.form,
            trace: early.trace.clone(),
            named: global.workspace.clone(),
        })
    }

    /// A sentence of the catalogue.
    pub fn say(&self, key: &str) -> String {
        words::say(self.lang, key, &[])
    }

    /// A sentence with variables.
    pub fn tell(&self, key: &str, args: &[(&str, &dyn std::fmt::Display)]) -> String {
        words::say(self.lang, key, args)
    }
}
