//! What every command needs to know: language, form of output, which workspace, under which trace.
//! It opens nothing until asked, so a command that needs no workspace never looks for one.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use edge::site::Site;
pub use edge::site::env;
use journal::Reader;
use runtime::config::Resolved;
use runtime::redact::Redactor;
use runtime::trace::Asked;
use runtime::words::{self, Lang, LangSources, UnknownLang};
use runtime::workspace::{self, OwnerRule, Places, Refusal, Root, StateDir};

use crate::trouble::{self, Trouble};

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
    /// Take a directory that belongs to somebody else.
    #[arg(long, global = true)]
    pub allow_foreign_owner: bool,
}

/// What can be known before the arguments are parsed, so that even a parse error is told in the
/// right language and form.
#[derive(Debug, Clone)]
pub struct Early {
    /// The language of the flag, the environment or the settings.
    pub lang: Result<Lang, UnknownLang>,
    /// Whether nobody said which, so that a person's own words may.
    pub unsaid: bool,
    /// Whether the command itself says which.
    pub flagged: bool,
    /// The form of the answer.
    pub form: Form,
    /// The trace of this command chain, and when it began.
    pub asked: Asked,
}

impl Early {
    /// Looks at the raw arguments and the environment.
    pub fn scan(argv: &[OsString]) -> Self {
        let words: Vec<&str> =
            argv.iter().skip(1).map(|word| word.to_str().unwrap_or("")).collect();
        let words = words.split(|word| *word == "--").next().unwrap_or_default();
        let form = if words.contains(&"--json") { Form::Json } else { Form::Text };
        let flag = value_of(words, "--lang");
        let named = std::env::var("OUTPUT_LANGUAGE").is_ok_and(|text| !text.trim().is_empty());
        let setting = match flag {
            None if !named => language_setting(value_of(words, "--workspace")),
            Some(_) | None => None,
        };
        let said = spoken(flag, setting.as_deref());
        let unsaid = matches!(said, Ok(None));
        let lang = said.map(Option::unwrap_or_default);
        Self { lang, unsaid, flagged: flag.is_some(), form, asked: Asked::now() }
    }

    /// The language to use even when an unknown one was asked for.
    pub fn lang_or_default(&self) -> Lang {
        let other = || spoken(None, None).ok().flatten().unwrap_or_default();
        self.lang.clone().unwrap_or_else(|_| other())
    }
}

fn value_of<'a>(words: &[&'a str], name: &str) -> Option<&'a str> {
    let joined = |word: &&'a str| word.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
    let at = words.iter().rposition(|word| *word == name || joined(word).is_some())?;
    joined(&words[at]).or_else(|| words.get(at + 1).copied())
}

/// `output.language`, if settings can be read at all; the command itself says what is wrong.
fn language_setting(named: Option<&str>) -> Option<String> {
    let places = Places::from_env().ok()?;
    let cwd = std::env::current_dir().ok()?;
    let root = workspace::find(named.map(Path::new), &cwd, &places, OwnerRule::Anyone).ok();
    workspace::settings(root.as_ref(), &places, &env()).ok()?.settings.output.language
}

fn spoken(flag: Option<&str>, setting: Option<&str>) -> Result<Option<Lang>, UnknownLang> {
    let var = |name: &str| std::env::var(name).ok();
    let (output_language, lc_all, lang) = (var("OUTPUT_LANGUAGE"), var("LC_ALL"), var("LANG"));
    words::spoken(LangSources {
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
    /// Whether nobody said which, so that a person's own words may.
    pub unsaid: bool,
    /// Whether the command itself says which.
    pub flagged: bool,
    /// How to answer.
    pub form: Form,
    /// The trace of this command chain, and when it began.
    pub asked: Asked,
    /// `--workspace`.
    pub named: Option<PathBuf>,
    /// Whose directory may be a root.
    pub owner: OwnerRule,
    /// The settings, once they were read: one command goes by one reading.
    settled: OnceCell<Resolved>,
}

impl Ctx {
    /// The context after the arguments were parsed.
    pub fn new(early: &Early, global: &Global) -> Self {
        let owner = if global.allow_foreign_owner { OwnerRule::Anyone } else { OwnerRule::Own };
        Self {
            lang: early.lang_or_default(),
            unsaid: early.unsaid,
            flagged: early.flagged,
            form: early.form,
            asked: early.asked.clone(),
            named: global.workspace.clone(),
            owner,
            settled: OnceCell::new(),
        }
    }

    /// The context of a command line that may not even be one.
    pub fn early(early: &Early, argv: &[OsString]) -> Self {
        let words: Vec<&str> = argv.iter().skip(1).filter_map(|word| word.to_str()).collect();
        Self {
            lang: early.lang_or_default(),
            unsaid: early.unsaid,
            flagged: early.flagged,
            form: early.form,
            asked: early.asked.clone(),
            named: value_of(&words, "--workspace").map(PathBuf::from),
            owner: OwnerRule::Anyone,
            settled: OnceCell::new(),
        }
    }

    /// The same command in another language.
    pub fn speaking(&self, lang: Lang) -> Self {
        Self {
            lang,
            unsaid: self.unsaid,
            flagged: self.flagged,
            form: self.form,
            asked: self.asked.clone(),
            named: self.named.clone(),
            owner: self.owner,
            settled: self.settled.clone(),
        }
    }

    /// A sentence of the catalogue.
    pub fn say(&self, key: &str) -> String {
        words::say(self.lang, key, &[])
    }

    /// A sentence with variables.
    pub fn tell(&self, key: &str, args: &[(&str, &dyn std::fmt::Display)]) -> String {
        words::say(self.lang, key, args)
    }

    /// The heading of a table, by the keys of its columns.
    pub fn heading<const N: usize>(&self, columns: [&str; N]) -> [String; N] {
        columns.map(|column| self.say(&format!("col-{column}")))
    }

    /// The user's directories.
    ///
    /// # Errors
    /// When there is no home.
    pub fn places(&self) -> Result<Places, Trouble> {
        Places::from_env().map_err(|refusal| trouble::of_workspace(&refusal))
    }

    /// The root of the workspace.
    ///
    /// # Errors
    /// When this directory cannot be one.
    pub fn root(&self) -> Result<Root, Trouble> {
        let cwd = std::env::current_dir().map_err(|_| {
            trouble::of_workspace(&Refusal::NoDirectory { path: PathBuf::from(".") })
        })?;
        workspace::find(self.named.as_deref(), &cwd, &self.places()?, self.owner)
            .map_err(|refusal| trouble::of_workspace(&refusal))
    }

    /// The workspace.
    ///
    /// # Errors
    /// When this directory cannot be one.
    pub fn site(&self) -> Result<Site, Trouble> {
        let (root, places) = (self.root()?, self.places()?);
        Ok(Site { root, places, owner: self.owner, lang: self.lang })
    }

    /// The state directory to read from; none when there is none yet. Makes nothing.
    ///
    /// # Errors
    /// When the one that is there is foreign.
    pub fn state_dir(&self) -> Result<Option<StateDir>, Trouble> {
        self.site()?.state_dir()
    }

    /// The journal to read; none when nothing was recorded yet. Starts and makes nothing.
    ///
    /// # Errors
    /// When the state is foreign, or the journal is damaged or newer than this build.
    pub fn journal(&self) -> Result<Option<(StateDir, Reader)>, Trouble> {
        self.site()?.journal()
    }

    /// The settings in force.
    ///
    /// # Errors
    /// When a settings file is wrong or cannot be read.
    pub fn settings(&self) -> Result<Resolved, Trouble> {
        if let Some(settled) = self.settled.get() {
            return Ok(settled.clone());
        }
        let settled = self.site()?.settings()?;
        Ok(self.settled.get_or_init(|| settled).clone())
    }

    /// What takes secrets out of what is shown.
    ///
    /// # Errors
    /// When the settings that name further secrets cannot be used.
    pub fn redactor(&self) -> Result<Redactor, Trouble> {
        self.site()?.redactor(&self.settings()?, None)
    }
}
