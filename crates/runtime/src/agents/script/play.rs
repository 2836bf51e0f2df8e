//! Plays the steps of one rule, in order, once. How something is said is in `speaking`, how it is
//! done in `acting`.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use kernel::agent::Usage;

use super::dialect::{Dialect, Failed, Tongue};
use super::effects::Effects;
use super::memory::{Memory, Totals};
use super::misbehave;
use super::step::{Mischief, Step};
use super::text::{Text, Var};
use super::voice::Voice;

/// What a shell adds to a signal's number; used when the signal did not end us.
const SIGNAL_CODE: u8 = 128;

/// Whether a scenario goes on after a step.
enum Next {
    Step,
    Exit(u8),
}

/// The conversation, as far as it was said.
pub(super) enum Standing {
    /// Nothing was said yet.
    Unsaid,
    /// This is said; none is one that is not named.
    Said(Option<String>),
}

/// A rule being played.
pub(super) struct Play<'a> {
    pub(super) voice: Voice,
    pub(super) effects: Effects,
    pub(super) memory: &'a Memory,
    /// The conversation that is gone on with; known to us.
    pub(super) resume: Option<String>,
    /// The id to give when the scenario leaves it to us.
    pub(super) auto: String,
    pub(super) dialect: Box<dyn Dialect>,
    pub(super) tongue: Tongue,
    pub(super) standing: Standing,
    pub(super) before: Totals,
    pub(super) told: Option<Usage>,
    /// Pieces of an answer that this dialect shows only whole.
    pub(super) pending: String,
    pub(super) tools: u64,
    pub(super) open: BTreeSet<String>,
    pub(super) code: u8,
}

impl<'a> Play<'a> {
    pub(super) fn new(
        tongue: Tongue,
        voice: Voice,
        effects: Effects,
        memory: &'a Memory,
        auto: String,
    ) -> Self {
        Self {
            voice,
            effects,
            memory,
            resume: None,
            auto,
            dialect: tongue.speaker(),
            tongue,
            standing: Standing::Unsaid,
            before: Totals::default(),
            told: None,
            pending: String::new(),
            tools: 0,
            open: BTreeSet::new(),
            code: 0,
        }
    }

    /// All steps; the code to exit with.
    pub(super) fn steps(&mut self, steps: &[Step]) -> io::Result<u8> {
        for (number, step) in (1..).zip(steps) {
            if let Next::Exit(code) = self.step(number, step)? {
                return Ok(code);
            }
        }
        Ok(self.code)
    }

    /// What it says instead of playing when it is to go on with what it never began.
    pub(super) fn resume_unknown(&mut self, id: &str) -> io::Result<u8> {
        self.dialect.resume_unknown(&self.voice, id)
    }

    /// A final error that no step asked for.
    pub(super) fn fail(&mut self, kind: &str, message: String) -> io::Result<u8> {
        self.voice.err(&message)?;
        self.begin()?;
        let failed = Failed { kind: kind.to_owned(), status: None, message, retry_after_ms: None };
        self.dialect.failed(&self.voice, &failed)
    }

    /// Leaves the conversation without a name: there is none.
    pub(super) fn unnamed(&mut self) {
        self.standing = Standing::Said(None);
    }

    fn step(&mut self, number: usize, step: &Step) -> io::Result<Next> {
        match step {
            Step::Speak(speech) => self.speak(speech)?,
            Step::Act(deed) => self.act(number, deed)?,
            Step::Misbehave(mischief) => return self.misbehave(mischief),
        }
        Ok(Next::Step)
    }

    fn misbehave(&self, mischief: &Mischief) -> io::Result<Next> {
        match mischief {
            Mischief::SleepMs(ms) => std::thread::sleep(Duration::from_millis(*ms)),
            Mischief::Hang => misbehave::hang(),
            Mischief::Flood(flood) => misbehave::flood(&self.voice, flood)?,
            Mischief::OrphanMs(ms) => misbehave::orphan(*ms)?,
            Mischief::HoldStdoutMs(ms) => misbehave::hold_stdout(*ms)?,
            Mischief::IgnoreTerm => misbehave::ignore_term(),
            Mischief::Exit(code) => return Ok(Next::Exit(*code)),
            Mischief::Signal(number) => {
                misbehave::die(*number)?;
                let code = u8::try_from(*number).unwrap_or(0).saturating_add(SIGNAL_CODE);
                return Ok(Next::Exit(code));
            }
        }
        Ok(Next::Step)
    }

    pub(super) fn fill(&self, text: &Text) -> String {
        text.fill(|var| match var {
            Var::Cwd => self.voice.cwd.clone(),
            Var::Prompt => self.voice.prompt.clone(),
            Var::Session => match &self.standing {
                Standing::Said(Some(id)) => id.clone(),
                Standing::Said(None) | Standing::Unsaid => String::new(),
            },
            Var::Launch => self.effects.launch.to_string(),
            Var::Call => self.effects.call.clone(),
            Var::Args => self.voice.args.join(" "),
        })
    }
}
