//! Playing the steps that do something: the effect is counted as it begins, done, and told as a
//! tool the agent used. A deed that fails is told as a failed tool; the scenario goes on.

use std::io;
use std::path::PathBuf;

use kernel::agent::FileKind;

use super::act;
use super::dialect::Act;
use super::play::Play;
use super::step::{Deed, Stage};
use super::text::Text;

impl Play<'_> {
    pub(super) fn act(&mut self, number: usize, deed: &Deed) -> io::Result<()> {
        match deed {
            Deed::Write { path, text } => self.write(number, path, text),
            Deed::Delete(path) => self.delete(number, path),
            Deed::Run(argv) => self.run(number, argv),
            Deed::Effect(text) => self.effects.note(number, "effect", &self.fill(text)),
            Deed::ReadStdin => {
                io::copy(&mut io::stdin().lock(), &mut io::sink())?;
                Ok(())
            }
        }
    }

    /// The path as named and as used.
    fn path(&self, path: &Text) -> (String, io::Result<PathBuf>) {
        let named = self.fill(path);
        let used = act::relative(&self.voice.cwd, &named).map(PathBuf::from);
        (named, used)
    }

    fn write(&mut self, number: usize, path: &Text, text: &Text) -> io::Result<()> {
        self.begin()?;
        let ((named, used), text) = (self.path(path), self.fill(text));
        let shown = self.absolute(&named);
        let told = |kind| Act::Write { path: shown.clone(), text: text.clone(), kind };
        let id = self.tool_id();
        self.use_tool(&id, told(FileKind::Add), Stage::Open)?;
        let done = match used {
            Ok(used) => {
                self.effects.note(number, "write", &named)?;
                act::write(&self.voice.cwd, &used, &text)
            }
            Err(error) => Err(error),
        };
        match done {
            Ok(kind) => self.use_tool(&id, told(kind), Stage::Ok),
            Err(error) => {
                self.voice.err(&format!("drive.write {named}: {error}"))?;
                self.use_tool(&id, told(FileKind::Add), Stage::Failed)
            }
        }
    }

    fn delete(&mut self, number: usize, path: &Text) -> io::Result<()> {
        self.begin()?;
        let (named, used) = self.path(path);
        let told = Act::Delete { path: self.absolute(&named) };
        let id = self.tool_id();
        self.use_tool(&id, told.clone(), Stage::Open)?;
        let done = match used {
            Ok(used) => {
                self.effects.note(number, "delete", &named)?;
                act::delete(&self.voice.cwd, &used)
            }
            Err(error) => Err(error),
        };
        match done {
            Ok(()) => self.use_tool(&id, told, Stage::Ok),
            Err(error) => {
                self.voice.err(&format!("drive.delete {named}: {error}"))?;
                self.use_tool(&id, told, Stage::Failed)
            }
        }
    }

    fn run(&mut self, number: usize, argv: &[Text]) -> io::Result<()> {
        self.begin()?;
        let argv: Vec<String> = argv.iter().map(|word| self.fill(word)).collect();
        let told = |output: String, code| Act::Run { argv: argv.clone(), output, code };
        let id = self.tool_id();
        self.use_tool(&id, told(String::new(), None), Stage::Open)?;
        self.effects.note(number, "run", &argv.join(" "))?;
        match act::run(&self.voice.cwd, &argv) {
            Ok(ran) => {
                let stage = if ran.code == Some(0) { Stage::Ok } else { Stage::Failed };
                self.use_tool(&id, told(ran.output, ran.code), stage)
            }
            Err(error) => {
                self.voice.err(&format!("drive.run {}: {error}", argv.join(" ")))?;
                self.use_tool(&id, told(error.to_string(), None), Stage::Failed)
            }
        }
    }
}
