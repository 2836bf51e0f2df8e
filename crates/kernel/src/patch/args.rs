//! The arguments of the tools that change files, read from JSON once and valid from then on.
//! Other names that models use for an argument are mapped; an unknown one is refused, because
//! whoever sent it believes that it does something.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::write::WRITE_BYTES_MAX;
use crate::base64;

/// The argument that is wrong, and what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadArgs {
    /// A JSON Pointer into the arguments.
    pub path: String,
    /// What is expected there.
    pub expected: &'static str,
}

/// A search and replace in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: String,
    /// The exact text to find, not empty.
    pub old: String,
    /// What to put in its place, not the same.
    pub new: String,
    /// How often it must occur; 0 is any number but none.
    pub expected: u32,
}

/// What a patch does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Patch {
    /// Searches and replaces in one file.
    Edit(Edit),
    /// Applies a unified diff, with its last line ended.
    Diff(String),
}

/// Arguments of `apply_patch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplyPatch {
    /// What it does.
    pub patch: Patch,
    /// Hash each file must have.
    pub expect: BTreeMap<String, String>,
    /// Whether it is only worked out and shown.
    pub dry_run: bool,
}

/// Which line endings written text gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EolWanted {
    /// Those of the file, if it has one kind throughout; else as sent.
    Keep,
    /// LF.
    Lf,
    /// CR LF.
    Crlf,
}

/// Which executable bit a written file gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutableWanted {
    /// That of the file; a new one is not executable.
    Keep,
    /// Set.
    Yes,
    /// Not set.
    No,
}

/// Whether a file must be there or must not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It must not be there.
    Create,
    /// It must be there.
    Overwrite,
}

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Text, whose line endings may be turned.
    Text(String),
    /// Bytes, written as they are.
    Bytes(Vec<u8>),
}

/// Arguments of `write`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The file.
    pub path: String,
    /// What is written.
    pub body: Body,
    /// Whether the file must be there.
    pub mode: Mode,
    /// Hash it must have.
    pub expect: Option<String>,
    /// Its line endings.
    pub eol: EolWanted,
    /// Its executable bit.
    pub executable: ExecutableWanted,
}

/// Arguments of `delete`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delete {
    /// A file, a link or an empty directory.
    pub path: String,
    /// Hash it must have.
    pub expect: Option<String>,
}

const PATH: &[&str] = &["path", "file_path", "filePath", "target_file", "file"];
const OLD: &[&str] = &["old", "old_string", "old_str", "old_text"];
const NEW: &[&str] = &["new", "new_string", "new_str", "new_text"];
const EXPECTED: &[&str] = &["expected", "expected_replacements"];
const DIFF: &[&str] = &["diff", "patch"];
const TEXT: &[&str] = &["text", "content", "contents"];
const EXPECT: &[&str] = &["expect", "expected_sha256"];

impl ApplyPatch {
    /// Reads them.
    ///
    /// # Errors
    /// Names the argument that is wrong.
    pub fn read(args: &Value) -> Result<Self, BadArgs> {
        let mut fields = Fields::of(args)?;
        let diff = fields.text(DIFF)?;
        let (path, old, new) = (fields.text(PATH)?, fields.text(OLD)?, fields.text(NEW)?);
        let expected = fields.number(EXPECTED)?;
        let expect = fields.hashes(EXPECT)?;
        let dry_run = fields.flag(&["dry_run"])?.unwrap_or(false);
        fields.done()?;
        let patch = match (diff, path, old, new) {
            (Some(diff), None, None, None) if expected.is_none() => Patch::Diff(ended(diff)),
            (None, Some(path), Some(old), Some(new)) => {
                let expected = expected.unwrap_or(1);
                Patch::Edit(valid(Edit { path, old, new, expected })?)
            }
            (Some(_), ..) => return Err(bad("/diff", "diff alone, or path, old and new")),
            (None, None, ..) => return Err(bad("/path", "path, old and new, or diff")),
            (None, Some(_), None, _) => return Err(bad("/old", "the exact text to find")),
            (None, Some(_), Some(_), None) => {
                return Err(bad("/new", "the text to put in its place"));
            }
        };
        Ok(Self { patch, expect, dry_run })
    }
}

fn valid(edit: Edit) -> Result<Edit, BadArgs> {
    if edit.old.is_empty() {
        return Err(bad("/old", "some text: an empty one is everywhere"));
    }
    if edit.old == edit.new {
        return Err(bad("/new", "another text than old"));
    }
    Ok(edit)
}

/// A diff in JSON often comes without the end of its last line. Without that line's own mark for
/// a missing newline there is just one thing it can mean.
fn ended(mut diff: String) -> String {
    if !diff.ends_with('\n') {
        diff.push('\n');
    }
    diff
}

impl Write {
    /// Reads them.
    ///
    /// # Errors
    /// Names the argument that is wrong.
    pub fn read(args: &Value) -> Result<Self, BadArgs> {
        let mut fields = Fields::of(args)?;
        let path = fields.text(PATH)?.ok_or(bad("/path", "the file to write"))?;
        let (text, coded) = (fields.text(TEXT)?, fields.text(&["base64"])?);
        let mode = fields.word(&["mode"], &[("create", Mode::Create), ("overwrite", OVER)])?;
        let expect = fields.hash(EXPECT)?;
        let eol = fields.word(
            &["eol"],
            &[("keep", EolWanted::Keep), ("lf", EolWanted::Lf), ("crlf", EolWanted::Crlf)],
        )?;
        let executable = fields.executable()?;
        fields.done()?;
        let body = match (text, coded) {
            (Some(text), None) => Body::Text(text),
            (None, Some(coded)) => {
                Body::Bytes(base64::decode(&coded).ok_or(bad("/base64", "padded base64"))?)
            }
            (None, None) | (Some(_), Some(_)) => return Err(bad("/text", "text or base64")),
        };
        if body.len() > WRITE_BYTES_MAX {
            return Err(bad("/text", "at most 16 MiB"));
        }
        let mode = mode.ok_or(bad("/mode", "create or overwrite"))?;
        if mode == Mode::Create && expect.is_some() {
            return Err(bad("/expect", "nothing: a file to create has no hash yet"));
        }
        let eol = eol.unwrap_or(EolWanted::Keep);
        Ok(Self { path, body, mode, expect, eol, executable })
    }
}

const OVER: Mode = Mode::Overwrite;

impl Body {
    fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

impl Delete {
    /// Reads them.
    ///
    /// # Errors
    /// Names the argument that is wrong.
    pub fn read(args: &Value) -> Result<Self, BadArgs> {
        let mut fields = Fields::of(args)?;
        let path = fields.text(PATH)?.ok_or(bad("/path", "what to delete"))?;
        let expect = fields.hash(EXPECT)?;
        fields.done()?;
        Ok(Self { path, expect })
    }
}

fn bad(path: &str, expected: &'static str) -> BadArgs {
    BadArgs { path: path.to_string(), expected }
}

/// Arguments as they come, taken out one by one, so that what is left is unknown.
struct Fields {
    left: Map<String, Value>,
}

impl Fields {
    fn of(args: &Value) -> Result<Self, BadArgs> {
        let left = args.as_object().ok_or(bad("", "an object"))?.clone();
        Ok(Self { left })
    }

    /// Takes the argument of these names; two of them at once are refused.
    fn take(&mut self, names: &[&str]) -> Result<Option<Value>, BadArgs> {
        let mut found = None;
        for name in names {
            let Some(value) = self.left.remove(*name) else { continue };
            if found.is_some() {
                return Err(bad(&format!("/{name}"), "one name for one argument"));
            }
            found = Some(value);
        }
        Ok(found.filter(|value| !value.is_null()))
    }

    fn text(&mut self, names: &[&str]) -> Result<Option<String>, BadArgs> {
        match self.take(names)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(bad(&format!("/{}", names[0]), "a string")),
        }
    }

    fn number(&mut self, names: &[&str]) -> Result<Option<u32>, BadArgs> {
        let Some(value) = self.take(names)? else { return Ok(None) };
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        number.map(Some).ok_or_else(|| bad(&format!("/{}", names[0]), "a whole number from 0"))
    }

    fn flag(&mut self, names: &[&str]) -> Result<Option<bool>, BadArgs> {
        let Some(value) = self.take(names)? else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| bad(&format!("/{}", names[0]), "true or false"))
    }

    fn word<T: Copy>(&mut self, names: &[&str], words: &[(&str, T)]) -> Result<Option<T>, BadArgs> {
        let Some(text) = self.text(names)? else { return Ok(None) };
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        found.map(Some).ok_or_else(|| bad(&format!("/{}", names[0]), "one of the words it knows"))
    }

    fn executable(&mut self) -> Result<ExecutableWanted, BadArgs> {
        match self.take(&["executable"])? {
            None => Ok(ExecutableWanted::Keep),
            Some(Value::String(word)) if word == "keep" => Ok(ExecutableWanted::Keep),
            Some(Value::Bool(true)) => Ok(ExecutableWanted::Yes),
            Some(Value::Bool(false)) => Ok(ExecutableWanted::No),
            Some(_) => Err(bad("/executable", "\"keep\", true or false")),
        }
    }

    fn hash(&mut self, names: &[&str]) -> Result<Option<String>, BadArgs> {
        let Some(text) = self.text(names)? else { return Ok(None) };
        is_hash(&text).then_some(Some(text)).ok_or(bad("/expect", HASH))
    }

    fn hashes(&mut self, names: &[&str]) -> Result<BTreeMap<String, String>, BadArgs> {
        let Some(value) = self.take(names)? else { return Ok(BTreeMap::new()) };
        let map = value.as_object().ok_or(bad("/expect", "an object of path and sha256"))?;
        map.iter()
            .map(|(path, hash)| match hash.as_str().filter(|hash| is_hash(hash)) {
                Some(hash) => Ok((path.clone(), hash.to_string())),
                None => Err(bad(&format!("/expect/{}", pointer(path)), HASH)),
            })
            .collect()
    }

    fn done(self) -> Result<(), BadArgs> {
        self.left.keys().next().map_or(Ok(()), |name| {
            Err(bad(&format!("/{}", pointer(name)), "no such argument here"))
        })
    }
}

const HASH: &str = "64 lower-case hex digits";

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn pointer(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
