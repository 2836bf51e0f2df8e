//! Getting an agent's launch ready: its words, its command line, what passes into it, and how its
//! output will be read. It writes what the child reads and nothing else.

use std::path::Path;

use kernel::agent::{Ask, Kind, Part, Usage};
use kernel::call::{Facts, Failure};
use sha2::{Digest, Sha256};

use super::pool::Desk;
use super::prepare::io_failure;
use crate::agents::config::{AgentConfig, Own};
use crate::agents::detect::{DOCTOR_WAIT, Found, Site, start_check};
use crate::agents::fold::{FoldPlan, TEXT_BYTES_MAX};
use crate::agents::prompt;
use crate::agents::render::{self, Flags, Launch, Place, RenderError};
use crate::agents::script::{self, drive::Before};
use crate::child_env::Declared;
use crate::shim::{durable, files};
use crate::words::Lang;

/// The detail word of a conversation that another call has.
pub(super) const BUSY: &str = "busy_session";

/// An agent's launch, ready to be prepared.
pub(super) struct Ready {
    /// Its program, absolute.
    pub(super) program: String,
    /// The process.
    pub(super) launch: Launch,
    /// The prompt file's text.
    pub(super) prompt: String,
    /// Kept of each of its streams.
    pub(super) spool_bytes: u64,
}

/// Renders the launch of a call, with no flag that the installed program does not know.
pub(super) fn ready(
    desk: &Desk,
    call: &str,
    facts: &Facts,
    ask: &Ask,
    workdir: &Path,
) -> Result<Ready, Failure> {
    let agent = find(desk, &ask.agent)?;
    if let Some(session) = &ask.resume {
        let taken = desk.take_talk(session, call);
        taken.map_err(|holder| invalid(BUSY, &format!("{session} ({holder})")))?;
    }
    let words = assemble(desk, &ask.prompt)?;
    let prompt = prompt::compose(agent, &ask.lang, &words)
        .map_err(|long| invalid("prompt", &format!("{} bytes", long.bytes)))?;
    let (launch, wall_ms) = (launch_number(&facts.key), facts.request.deadline_ms);
    let at = Where { workdir, call_dir: &desk.call_dir(call), launch, wall_ms };
    let (program, mut launch) = able(desk, ask, agent, &at, &prompt)?;
    if let Own::Script { scenario } = &agent.own {
        launch.own_state.extend(script::drive::own_state(&Before {
            scenario: &desk.plan.root.join(scenario),
            cwd: workdir,
            call,
            launch: at.launch,
            home: std::env::var_os("HOME").as_deref().map(Path::new),
        }));
    }
    Ok(Ready { program, launch, prompt, spool_bytes: agent.spool_bytes })
}

/// Whether a request could be launched, without starting or writing anything of it.
pub(super) fn check(desk: &Desk, ask: &Ask, workdir: &Path, wall_ms: u64) -> Result<(), Failure> {
    let agent = find(desk, &ask.agent)?;
    let at = Where { workdir, call_dir: &desk.call_dir("gate"), launch: 1, wall_ms };
    able(desk, ask, agent, &at, "").map(drop)
}

/// What passes into a call's child; the same each time it is asked.
pub(super) fn declared(
    desk: &Desk,
    call: &str,
    facts: &Facts,
    ask: &Ask,
    workdir: &Path,
) -> Result<Declared, Failure> {
    let agent = find(desk, &ask.agent)?;
    let (launch, wall_ms) = (launch_number(&facts.key), facts.request.deadline_ms);
    let at = Where { workdir, call_dir: &desk.call_dir(call), launch, wall_ms };
    // Its flags do not show in its environment, so the program need not be asked again.
    let launch = rendered(desk, ask, agent, &at, "", &Flags::Unasked)?;
    Ok(Declared { pass: launch.env_pass, set: launch.env_set })
}

/// Where and how long a launch may be.
struct Where<'a> {
    workdir: &'a Path,
    call_dir: &'a Path,
    launch: u32,
    wall_ms: u64,
}

/// The program and the process of a request, after a look at what is installed.
fn able(
    desk: &Desk,
    ask: &Ask,
    agent: &AgentConfig,
    at: &Where<'_>,
    prompt: &str,
) -> Result<(String, Launch), Failure> {
    let site = site(desk);
    let found = start_check(&site, agent).map_err(|(code, found)| unable(code, &found, ask))?;
    let launch = rendered(desk, ask, agent, at, prompt, &found.flags)?;
    let path = match agent.kind() {
        // Its command line may begin otherwise when it goes on with a conversation.
        Kind::Command => site.find(&launch.program).ok(),
        Kind::Codex | Kind::Gemini | Kind::Claude | Kind::Qwen | Kind::Wrapper | Kind::Script => {
            found.path
        }
    };
    let program = path.as_deref().and_then(Path::to_str).map(str::to_owned);
    let missing = || Failure {
        code: "E001".to_owned(),
        kind: "missing".to_owned(),
        detail: launch.program.clone(),
    };
    Ok((program.ok_or_else(missing)?, launch))
}

/// Where programs are looked for.
fn site(desk: &Desk) -> Site {
    Site {
        root: desk.plan.root.clone(),
        exe: desk.plan.exe.clone(),
        cache: desk.plan.agent_cache.clone(),
        env: std::env::vars_os().collect(),
        extra: desk.plan.extra.clone(),
        sandbox: desk.plan.walls.in_force(),
        wait: DOCTOR_WAIT,
    }
}

/// An agent that cannot be started, with what a person could do about it.
fn unable(code: &str, found: &Found, ask: &Ask) -> Failure {
    let hint = found.told(Lang::parse(&ask.lang).unwrap_or_default());
    let detail = [Some(found.agent.clone()), hint].into_iter().flatten().collect::<Vec<_>>();
    Failure { code: code.to_owned(), kind: found.hint.word().to_owned(), detail: detail.join(": ") }
}

fn rendered(
    desk: &Desk,
    ask: &Ask,
    agent: &AgentConfig,
    at: &Where<'_>,
    prompt: &str,
    flags: &Flags,
) -> Result<Launch, Failure> {
    let place = Place {
        root: &desk.plan.root,
        workdir: at.workdir,
        call_dir: at.call_dir,
        exe: &desk.plan.exe,
        sandbox: desk.plan.walls.in_force(),
        flags,
        prompt,
        launch: at.launch,
        wall_ms: at.wall_ms,
        var: &|name| std::env::var_os(name),
    };
    render::render(ask, agent, &place).map_err(|why| of_render(&why))
}

/// Keeps the words, and the servers it is told of, where the child reads them.
pub(super) fn keep_read(desk: &Desk, call: &str, ready: &Ready) -> std::io::Result<()> {
    let dir = desk.call_dir(call);
    if let Some(servers) = &ready.launch.servers {
        durable::show(&dir, files::SERVERS, servers.as_bytes())?;
    }
    durable::show(&dir, files::PROMPT, ready.prompt.as_bytes())
}

/// How the output of a call is read.
pub(super) fn fold_plan(desk: &Desk, call: &str, ask: &Ask, workdir: &Path) -> FoldPlan {
    let own = find(desk, &ask.agent).map(|agent| &agent.own).ok();
    FoldPlan {
        call: call.to_owned(),
        resume: ask.resume.clone(),
        workdir: workdir.to_owned(),
        totals: totals(desk, call, ask),
        backend: own.and_then(|own| match own {
            Own::Wrapper { backend, .. } => Some(backend.kind()),
            Own::Codex { .. }
            | Own::Gemini
            | Own::Claude { .. }
            | Own::Qwen { .. }
            | Own::Command(_)
            | Own::Script { .. } => None,
        }),
        dialect: own.and_then(|own| match own {
            // A scenario that can't be read was refused when the call was prepared.
            Own::Script { scenario, .. } => {
                let scenario = desk.plan.root.join(scenario);
                script::scenario::load(&scenario).ok()?.dialect.kind()
            }
            Own::Codex { .. }
            | Own::Gemini
            | Own::Claude { .. }
            | Own::Qwen { .. }
            | Own::Wrapper { .. }
            | Own::Command(_) => None,
        }),
        command: own
            .and_then(|own| match own {
                Own::Command(template) => Some(template.shape()),
                Own::Codex { .. }
                | Own::Gemini
                | Own::Claude { .. }
                | Own::Qwen { .. }
                | Own::Wrapper { .. }
                | Own::Script { .. } => None,
            })
            .unwrap_or_default(),
        ..FoldPlan::default()
    }
}

/// What earlier calls of a conversation cost; some programs count over all of it.
fn totals(desk: &Desk, call: &str, ask: &Ask) -> Usage {
    let zero = Some(0);
    let fresh = Usage {
        input_tokens: zero,
        output_tokens: zero,
        cached_tokens: zero,
        reasoning_tokens: zero,
        cost_micros: zero,
    };
    match &ask.resume {
        None => fresh,
        Some(session) => desk.sessions.totals(&ask.agent, session, call).unwrap_or_default(),
    }
}

fn find<'a>(desk: &'a Desk, name: &str) -> Result<&'a AgentConfig, Failure> {
    let known = desk.plan.agents.iter().find(|agent| agent.name == name);
    known.ok_or_else(|| Failure {
        code: "E002".to_owned(),
        kind: "no_such".to_owned(),
        detail: name.to_owned(),
    })
}

/// The words of a prompt; earlier answers are read from their calls and checked.
fn assemble(desk: &Desk, parts: &[Part]) -> Result<String, Failure> {
    let mut words = String::new();
    for part in parts {
        match part {
            Part::Text(text) => words.push_str(text),
            Part::Answer { call, sha256, bytes_max } => {
                let path = desk.call_dir(call).join(files::ANSWER);
                let bytes = durable::read(&path, TEXT_BYTES_MAX as u64)
                    .map_err(|why| super::prepare::of_io(&why))?;
                if format!("{:x}", Sha256::digest(&bytes)) != *sha256 {
                    return Err(io_failure("unreadable", "an earlier answer has changed"));
                }
                // What one agent let slip is not told to the next.
                let answer = desk.plan.redactor.redact_text(&String::from_utf8_lossy(&bytes));
                words.push_str(&answer[..answer.floor_char_boundary(*bytes_max)]);
            }
        }
    }
    Ok(words)
}

/// Which launch of its owner a call is: the number its key ends with.
fn launch_number(key: &str) -> u32 {
    key.rsplit('/').next().and_then(|last| last.parse().ok()).unwrap_or(1)
}

fn of_render(why: &RenderError) -> Failure {
    Failure { code: "E002".to_owned(), kind: why.code().to_owned(), detail: why.to_string() }
}

fn invalid(kind: &str, detail: &str) -> Failure {
    Failure { code: "E002".to_owned(), kind: kind.to_owned(), detail: detail.to_owned() }
}
