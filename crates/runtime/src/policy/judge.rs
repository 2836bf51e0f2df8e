//! The policy as engine and doors ask it. What is known of the world is gathered for each question
//! anew, so that settings, trust and programs that changed meanwhile count at once. Judging itself
//! is the kernel's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::agent::Access;
use kernel::machine::At;
use kernel::policy::grant::{Grant, Now, Pin};
use kernel::policy::{
    Act, Asker, Backing, Command, Facts, Granted, Judgement, Program, Repeat, Request, Run, Shown,
    Trust, Verdict, Word, judge,
};
use kernel::turn::CheckedOut;

use super::program::Programs;
use super::standing::Standing;
use crate::checkpoints;
use crate::turns::checked_out;

/// How the workspace stands now.
type Look = dyn Fn() -> Arc<Standing> + Send + Sync;

/// The judge of one workspace; its copies judge alike.
#[derive(Clone)]
pub struct Judge {
    look: Arc<Look>,
    /// None in a world in which every program is safe.
    programs: Option<Arc<Programs>>,
}

/// What a person has granted the run that asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// The moment.
    pub at: At,
    /// The run that asks, and the hash of what it was given to do.
    pub session: Option<(String, String)>,
    /// Commands that a person's own start listed.
    pub started: Vec<Granted>,
    /// Grants, of whatever state.
    pub grants: Vec<Grant>,
    /// Hashes of accepted risks.
    pub accepted: Vec<String>,
    /// Hash of the plan in force, where one was approved.
    pub plan: Option<String>,
}

/// A judgement, as far as a call needs it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What was judged, with what is known of its program.
    pub request: Request,
    /// Allow, ask or deny, and by which rule or grant.
    pub verdict: Verdict,
    /// What a person is shown, where one is asked.
    pub shown: Option<Box<Shown>>,
    /// What repeating it means.
    pub repeat: Repeat,
    /// Grants it rests on.
    pub used: Vec<String>,
}

impl Judged {
    /// What a call keeps of a judgement.
    #[must_use]
    pub fn of(request: Request, judged: Judgement) -> Self {
        let shown = match judged.verdict.word() {
            Word::Ask => Some(Box::new(Shown::of(&request, &judged))),
            Word::Allow | Word::Deny => None,
        };
        let Judgement { verdict, repeat, used, .. } = judged;
        Self { request, verdict, shown, repeat, used }
    }
}

impl std::fmt::Debug for Judge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judge").finish_non_exhaustive()
    }
}

impl Judge {
    /// A judge that looks at the world: how the workspace stands, and programs on this search path.
    #[must_use]
    pub fn new(look: Arc<Look>, root: PathBuf, path: OsString) -> Self {
        Self { look, programs: Some(Arc::new(Programs::new(root, path))) }
    }

    /// A judge of a world that does not change, in which every program is safe.
    #[must_use]
    pub fn fixed(standing: Standing) -> Self {
        let standing = Arc::new(standing);
        Self { look: Arc::new(move || Arc::clone(&standing)), programs: None }
    }

    /// How the workspace stands now.
    #[must_use]
    pub fn standing(&self) -> Arc<Standing> {
        (self.look)()
    }

    /// Whether a person trusts it now.
    #[must_use]
    pub fn trust(&self) -> Trust {
        self.standing().trust
    }

    /// What is known of the program that a word names in a directory.
    #[must_use]
    pub fn program(&self, word: &str, cwd: &str) -> Program {
        self.programs.as_ref().map_or_else(Program::default, |known| known.look(word, cwd))
    }

    /// The same as what a word for this command is bound to.
    #[must_use]
    pub fn pin(&self, argv: &[String], cwd: &str) -> Pin {
        argv.first().map(|word| Pin::of(&self.program(word, cwd))).unwrap_or_default()
    }

    /// What is checked out now; none where nothing is, and in a world without programs.
    #[must_use]
    pub fn head(&self) -> Option<CheckedOut> {
        self.programs.as_ref()?;
        let found = checked_out(Path::new(&self.standing().root));
        (found != CheckedOut::default()).then_some(found)
    }

    /// Whether the program that was judged still is that one.
    #[must_use]
    pub fn holds(&self, pin: &Pin) -> bool {
        self.programs.as_ref().is_none_or(|known| known.holds(pin))
    }

    /// Judges a command.
    #[must_use]
    pub fn command(&self, run: Run, by: Asker, flow: &Flow) -> Judged {
        let word = match &run.command {
            Command::Argv(argv) => argv.first().map_or("", String::as_str),
            Command::Script(_) => "sh",
        };
        let program = self.program(word, &run.cwd);
        self.judged(Request::new(Act::Run(Run { program, ..run }), by), flow)
    }

    /// Judges the launch of an agent.
    #[must_use]
    pub fn agent(&self, name: &str, access: Access, backing: Backing, flow: &Flow) -> Judged {
        let act = Act::Agent { name: name.to_owned(), access, backing };
        self.judged(Request::new(act, Asker::Agent), flow)
    }

    /// Judges what a tool of the engine's own is asked to do.
    #[must_use]
    pub fn tool(&self, request: Request, flow: &Flow) -> Judged {
        self.judged(request, flow)
    }

    fn judged(&self, request: Request, flow: &Flow) -> Judged {
        let judgement = self.weighed(&request, flow);
        let mut judged = Judged::of(request, judgement);
        if let Some(shown) = &mut judged.shown {
            shown.unkept = self.unkept(&judged.request.act);
        }
        judged
    }

    /// Why what this changes could not be taken back, as far as it is known before it starts.
    fn unkept(&self, act: &Act) -> Option<String> {
        let changes = match act {
            Act::Run(_) => true,
            Act::Agent { access, .. } => *access != Access::Read,
            Act::Look { .. } | Act::Change { .. } | Act::Delete { .. } => false,
        };
        // A world without programs has no git that could be missing.
        self.programs.as_ref().filter(|_| changes)?;
        let standing = self.standing();
        let there = checkpoints::has_git(&standing.git, Path::new(&standing.root));
        (!there).then(|| checkpoints::NO_GIT.to_owned())
    }

    /// Everything that is found about a request, whatever the verdict.
    pub(crate) fn weighed(&self, request: &Request, flow: &Flow) -> Judgement {
        let standing = self.standing();
        let class = |path: &str| standing.leads(path);
        let session = flow.session.as_ref().map(|(run, hash)| (run.as_str(), hash.as_str()));
        let facts = Facts {
            grants: &flow.grants,
            now: Now { at: flow.at, plan_hash: flow.plan.as_deref(), session },
            started: &flow.started,
            accepted: &flow.accepted,
            ..standing.facts(&class)
        };
        judge(request, &facts)
    }
}
