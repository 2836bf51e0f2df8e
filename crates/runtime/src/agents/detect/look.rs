//! A look at an agent from start to end: find, ask, compare, guess about credentials. The same look
//! serves `doctor` and the gate before a start.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kernel::agent::{Access, Kind};

use super::cache::{self, Said, Stamp};
use super::credentials;
use super::find::{Missing, find};
use super::probe::{Asker, Heard, ask};
use super::verdict::{Found, Hint, State, is_older, package, version_in};
use crate::agents::config::{AgentConfig, Own, Piece};
use crate::agents::env::{self, Wants};
use crate::agents::render::{Flags, Need, Sandbox, WRAPPER_BIN};
use crate::child_env::{Declared, Extra};

/// Where the look is made from.
#[derive(Debug, Clone)]
pub struct Site {
    /// The work tree, whose own programs do not count.
    pub root: PathBuf,
    /// Our own program.
    pub exe: PathBuf,
    /// Where answers are kept.
    pub cache: PathBuf,
    /// Our environment.
    pub env: Vec<(OsString, OsString)>,
    /// What passes into children beyond the standing list.
    pub extra: Extra,
    /// Whether our sandbox would hold the child.
    pub sandbox: Sandbox,
    /// How long a program may take to answer.
    pub wait: Duration,
}

impl Site {
    fn var(&self, name: &str) -> Option<OsString> {
        self.env.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// Where a program is: nothing that the work tree holds counts, by whatever way it is named.
    ///
    /// # Errors
    /// When there is none that could be run.
    pub fn find(&self, program: &str) -> Result<PathBuf, Missing> {
        let path = self.var("PATH").unwrap_or_default();
        let found = find(program, OsStr::new(&path), &self.root)?;
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let of_the_tree =
            found.starts_with(&self.root) || real(&found).starts_with(real(&self.root));
        if of_the_tree { Err(Missing::NotFound) } else { Ok(found) }
    }

    /// Where an agent's program is, without asking it anything.
    #[must_use]
    pub fn program(&self, agent: &AgentConfig) -> (String, Option<PathBuf>) {
        match &agent.own {
            Own::Script { .. } => (self.exe.display().to_string(), Some(self.exe.clone())),
            Own::Codex { .. }
            | Own::Gemini
            | Own::Claude { .. }
            | Own::Qwen { .. }
            | Own::Wrapper { .. }
            | Own::Command(_) => {
                let name = program_name(agent);
                let path = self.find(&name).ok();
                (name, path)
            }
        }
    }

    fn asker<'a>(&'a self, declared: &'a Declared) -> Asker<'a> {
        let (root, env, extra, wait) = (&self.root, &self.env, &self.extra, self.wait);
        Asker { root, env, extra, declared, wait }
    }
}

/// Looks at several agents at once: some programs take seconds to say who they are.
#[must_use]
pub fn look_all(site: &Site, agents: &[&AgentConfig]) -> Vec<Found> {
    std::thread::scope(|scope| {
        let looks: Vec<_> =
            agents.iter().map(|agent| scope.spawn(move || look(site, agent))).collect();
        let found = looks.into_iter().map(|look| look.join().expect("a look does not panic"));
        found.collect()
    })
}

/// A program that is no agent: where it is and which version it tells.
#[must_use]
pub fn tool(site: &Site, name: &str) -> Option<(PathBuf, Option<String>)> {
    let path = site.find(name).ok()?;
    let declared = Declared::default();
    let heard = ask(&site.asker(&declared), &path, &["--version"]);
    Some((path, text(heard, false).ok().and_then(|text| version_in(&text))))
}

/// Whether an agent may be started, and what is known of its program.
///
/// # Errors
/// The code of the refusal, and what was found.
pub fn start_check(site: &Site, agent: &AgentConfig) -> Result<Found, (&'static str, Box<Found>)> {
    let found = look(site, agent);
    match found.refusal() {
        None => Ok(found),
        Some(code) => Err((code, Box::new(found))),
    }
}

/// Looks at one agent.
#[must_use]
pub fn look(site: &Site, agent: &AgentConfig) -> Found {
    let found = Found {
        agent: agent.name.clone(),
        kind: agent.kind(),
        path: None,
        version: None,
        state: State::Ready,
        hint: Hint::Nothing,
        flags: Flags::Unasked,
        access: Vec::new(),
    };
    match &agent.own {
        Own::Script { scenario } => scripted(site, found, scenario, agent),
        Own::Codex { .. }
        | Own::Gemini
        | Own::Claude { .. }
        | Own::Qwen { .. }
        | Own::Wrapper { .. }
        | Own::Command(_) => program(site, found, agent),
    }
}

/// It is our own program, so only its file can be missing.
fn scripted(site: &Site, mut found: Found, scenario: &Path, agent: &AgentConfig) -> Found {
    found.path = Some(site.exe.clone());
    found.version = Some(env!("CARGO_PKG_VERSION").to_owned());
    if !site.root.join(scenario).is_file() {
        return Found { state: State::Unusable, hint: Hint::NoScenario, ..found };
    }
    found.access = access(site, agent, &Flags::Unasked);
    found
}

fn program(site: &Site, mut found: Found, agent: &AgentConfig) -> Found {
    let path = match site.find(&program_name(agent)) {
        Ok(path) => path,
        Err(Missing::NotFound) => {
            let hint = Hint::Install { package: package(agent.kind()) };
            return Found { state: State::Missing, hint, ..found };
        }
        Err(Missing::NotExecutable(path)) => {
            let (state, hint) = (State::Unusable, Hint::NotExecutable);
            return Found { path: Some(path), state, hint, ..found };
        }
    };
    found.path = Some(path.clone());
    match answers(site, agent, &path) {
        Ok((version, flags)) => (found.version, found.flags) = (version, flags),
        Err(hint) => return Found { state: State::Unusable, hint, ..found },
    }
    judge(site, found, agent)
}

/// What follows from its answers.
fn judge(site: &Site, mut found: Found, agent: &AgentConfig) -> Found {
    let lacking = found.flags.lacking(agent);
    if let Some(flag) = lacking.iter().find(|flag| flag.need == Need::Always) {
        let hint = Hint::Lacks { flag: flag.name, package: package(agent.kind()) };
        let older = is_older(agent.kind(), found.version.as_deref());
        let state = if older { State::TooOld } else { State::Unusable };
        return Found { state, hint, ..found };
    }
    found.access = access(site, agent, &found.flags);
    if !credentials::there(agent, &|name| site.var(name)) {
        found.state = State::NeedsAuth;
        found.hint = Hint::LogIn { variables: credentials::variables(agent.speaks()) };
    }
    found
}

/// Whether an agent's program is there, by our own search path and without asking it anything.
#[must_use]
pub fn is_there(agent: &AgentConfig, root: &Path) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    matches!(agent.own, Own::Script { .. }) || find(&program_name(agent), &path, root).is_ok()
}

fn program_name(agent: &AgentConfig) -> String {
    let usual = match &agent.own {
        Own::Wrapper { .. } => WRAPPER_BIN.to_owned(),
        // The first word of a template has no holes.
        Own::Command(template) => match template.argv.first().map(Vec::as_slice) {
            Some([Piece::Text(program)]) => program.clone(),
            Some(_) | None => String::new(),
        },
        Own::Codex { .. } | Own::Gemini | Own::Claude { .. } | Own::Qwen { .. } => {
            agent.kind().name().to_owned()
        }
        Own::Script { .. } => String::new(),
    };
    agent.bin.clone().unwrap_or(usual)
}

/// The page that lists the flags a launch uses; none for programs that might do anything.
const fn help(kind: Kind) -> Option<&'static [&'static str]> {
    match kind {
        Kind::Codex => Some(&["exec", "--help"]),
        Kind::Gemini | Kind::Claude | Kind::Qwen | Kind::Wrapper => Some(&["--help"]),
        Kind::Command | Kind::Script => None,
    }
}

/// Version and flags, as kept or as asked now.
fn answers(
    site: &Site,
    agent: &AgentConfig,
    program: &Path,
) -> Result<(Option<String>, Flags), Hint> {
    let Some(help) = help(agent.kind()) else { return Ok((None, Flags::Unasked)) };
    let stamp = Stamp::of(program, help);
    if let Some(said) = stamp.as_ref().and_then(|stamp| cache::load(&site.cache, stamp)) {
        return Ok((said.version, Flags::Listed(said.flags)));
    }
    let declared = env::declared(&Wants {
        agent,
        access: Access::Read,
        model: None,
        sandbox: Sandbox::None,
        wall_ms: 0,
        launch: 0,
        var: &|name| site.var(name),
    });
    let asker = site.asker(&declared);
    // The wrapper stands in for programs of several makers; some of them know no version.
    let strict = agent.kind() != Kind::Wrapper;
    let version = version_in(&text(ask(&asker, program, &["--version"]), strict)?);
    let page = text(ask(&asker, program, help), false)?;
    let Flags::Listed(flags) = Flags::of_help(&page) else { return Ok((version, Flags::Unasked)) };
    if let Some(stamp) = stamp {
        cache::save(&site.cache, &Said::new(stamp, version.clone(), flags.clone()));
    }
    Ok((version, Flags::Listed(flags)))
}

fn text(heard: Heard, strict: bool) -> Result<String, Hint> {
    match heard {
        Heard::Ended { code, .. } if strict && code != Some(0) => Err(Hint::Fails { code }),
        Heard::Ended { text, .. } => Ok(text),
        Heard::Hangs => Err(Hint::Hangs),
        Heard::Floods => Err(Hint::Floods),
        Heard::NotStarted(why) => Err(Hint::NotStarted { why }),
    }
}

/// What the agent could be asked for here.
fn access(site: &Site, agent: &AgentConfig, flags: &Flags) -> Vec<Access> {
    let lacks_full = flags.lacking(agent).iter().any(|flag| flag.need == Need::Full);
    let walled = site.sandbox == Sandbox::InForce || agent.unsandboxed;
    let possible = |level: &Access| match level {
        Access::Read | Access::Edit => true,
        Access::Full => walled && !lacks_full,
    };
    Access::ALL.into_iter().filter(|level| *level <= agent.access_max).filter(possible).collect()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
