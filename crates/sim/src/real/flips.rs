//! One flipped bit or one cut in the files of a real journal, and what the commands then say: the
//! same as before, or a named fault. Never other data, and never a crash.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::broken::{Broken, ensure};
use super::house::House;
use super::script;

/// What a command ends with when the journal is not what it was.
const EXIT_JOURNAL: i32 = 10;
/// The files of a journal that hold something.
const FILES: [&str; 3] = ["journal.db", "journal.db-wal", "head"];

/// Faults that say that the journal is not what it was. A flipped bit is no failure of the machine.
const NAMED: [&str; 5] =
    ["hash_mismatch", "shorter_than_head", "damaged", "newer_format", "head_only"];

/// How a file is hurt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hurt {
    /// One bit of this byte.
    Flip,
    /// Everything from this byte on.
    Cut,
}

/// How the engine left the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// It was asked to leave: everything is in the main file.
    Closed,
    /// It was killed: a part is still in the log.
    Killed,
}

/// A house whose loop is over, and what its commands say while nothing is hurt.
pub struct Patient {
    house: House,
    journal: PathBuf,
    questions: Vec<Vec<String>>,
    answers: Vec<String>,
    /// What became of each hurt, for the report.
    pub outcomes: BTreeMap<String, usize>,
}

impl Patient {
    /// Runs the scripted loop to its end and asks everything once.
    ///
    /// # Errors
    /// When the loop does not come to its end.
    pub fn new(exe: &Path, shape: Shape) -> Result<Self, Broken> {
        let house = script::house(exe)?;
        let id = script::drive(&house)?;
        match shape {
            Shape::Closed => {}
            Shape::Killed => super::procs::clear(&house.top),
        }
        house.empty()?;
        let questions = [&["runs"][..], &["log", &id], &["journal", "verify"]];
        let questions: Vec<Vec<String>> = questions
            .iter()
            .map(|words| words.iter().chain(&["--json"]).map(|&word| word.to_owned()).collect())
            .collect();
        let journal = house.state().join("journal");
        let mut patient =
            Self { house, journal, questions, answers: Vec::new(), outcomes: BTreeMap::new() };
        for question in &patient.questions {
            let ran = patient.ask(question)?;
            ensure(ran.code == 0, || format!("before anything is hurt: {ran:?}"))?;
            patient.answers.push(ran.out);
        }
        Ok(patient)
    }

    fn ask(&self, question: &[String]) -> Result<super::house::Ran, Broken> {
        let words: Vec<&str> = question.iter().map(String::as_str).collect();
        self.house.run(&words)
    }

    /// Every byte of every file, one after the other.
    ///
    /// # Errors
    /// When the files can't be looked at.
    pub fn bytes(&self) -> Result<Vec<(&'static str, u64)>, Broken> {
        let mut all = Vec::new();
        for name in FILES {
            if let Ok(meta) = fs::metadata(self.journal.join(name)) {
                all.extend((0..meta.len()).map(|at| (name, at)));
            }
        }
        Ok(all)
    }

    /// Hurts one byte, asks everything, and heals it.
    ///
    /// # Errors
    /// When an answer is neither the same nor a named fault.
    pub fn hurt(&mut self, file: &'static str, at: u64, hurt: Hurt) -> Result<(), Broken> {
        let path = self.journal.join(file);
        let whole = fs::read(&path)?;
        let target = OpenOptions::new().write(true).open(&path)?;
        match hurt {
            Hurt::Cut => target.set_len(at)?,
            Hurt::Flip => {
                let index = usize::try_from(at).map_err(|why| Broken(why.to_string()))?;
                target.write_all_at(&[whole[index] ^ (1 << (at % 8))], at)?;
            }
        }
        let judged = self.judge(file, at, hurt);
        fs::write(&path, whole)?;
        judged
    }

    fn judge(&mut self, file: &str, at: u64, hurt: Hurt) -> Result<(), Broken> {
        for (question, answer) in self.questions.iter().zip(&self.answers) {
            let ran = self.ask(question)?;
            let error = ran.json()["error"].clone();
            // Some kinds have a code of their own, the others stand in the details.
            let code = error["code"].as_str().and_then(|code| code.strip_prefix("journal."));
            let kind = code.or(error["details"]["kind"].as_str()).unwrap_or_default();
            let named = error["class"] == "E_JOURNAL" && NAMED.contains(&kind);
            let word = match ran.code {
                0 if ran.out == *answer => "same".to_owned(),
                EXIT_JOURNAL if named => kind.to_owned(),
                _ => {
                    let asked = question.join(" ");
                    return Err(Broken(format!("{file} {hurt:?} at {at}: `{asked}`: {ran:?}")));
                }
            };
            *self.outcomes.entry(format!("{file} {word}")).or_insert(0) += 1;
        }
        Ok(())
    }
}
