//! The process of the scripted agent, from its arguments to its exit code. It reads the call it was
//! launched for (or stands in for a CLI and reads standard input), picks the rule and plays it. It
//! knows no journal and no engine.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sha2::{Digest as _, Sha256};

use super::args::{self, Source, Told};
use super::effects::Effects;
use super::memory::Memory;
use super::misbehave;
use super::play::Play;
use super::scenario::{self, Scenario};
use super::step::Stream;
use super::text::Var;
use super::voice::{Voice, random_id};
use crate::shim::{durable, files, procfs};
use crate::words::{Lang, say};

/// The hidden command's name.
pub const SUBCOMMAND: &str = misbehave::DRIVE;
/// The kind of driver this is.
pub const KIND: &str = "script";
/// The variable that tells which launch of its owner this is; 1 when it is not set.
pub const LAUNCH_VAR: &str = "LOOPWRIGHT_LAUNCH";
/// Not called as a launcher calls it, or with a scenario that can't be played.
const EXIT_USAGE: u8 = 2;
/// The streams are gone, or a file of ours can't be written.
const EXIT_IO: u8 = 1;
/// Longer prompts are not sent by anyone; what is beyond this is not matched.
const PROMPT_BYTES_MAX: u64 = 8 << 20;
/// What it calls itself when the scenario has no other name for it.
const VERSION: &str = concat!("loopwright-script ", env!("CARGO_PKG_VERSION"));
/// Every flag that an adapter may look for before it uses a CLI.
const HELP: &str = "Usage: exec [resume] [OPTIONS] [ID] [-]\n  --json\n  --skip-git-repo-check\n  \
                    -c, --config <key=value>\n  --dangerously-bypass-approvals-and-sandbox\n  -m, \
                    --model <MODEL>\n  --output-format <FORMAT>\n  --skip-trust\n  \
                    --approval-mode <MODE>\n  --resume <ID>\n  -p, --print\n  --verbose\n  \
                    --setting-sources <SOURCES>\n  --permission-mode <MODE>\n  \
                    --disallowedTools <TOOLS>\n  --allowedTools <TOOLS>\n  --mcp-config <FILES>\n  \
                    --strict-mcp-config\n  --dangerously-skip-permissions\n  \
                    --auth-type <TYPE>\n  --backend <BACKEND>\n  --lite\n  --progress\n";

/// Runs `drive script …`, given the words after `drive`.
#[must_use]
pub fn main(words: &[OsString]) -> u8 {
    let rest = words.get(1..).unwrap_or_default();
    match words.first().and_then(|word| word.to_str()) {
        Some(KIND) => run(rest).unwrap_or(EXIT_IO),
        Some(misbehave::REST) => after(rest, |ms| {
            std::thread::sleep(std::time::Duration::from_millis(ms));
            Ok(())
        }),
        Some(misbehave::ORPHAN) => after(rest, misbehave::bear_orphan),
        Some(_) | None => EXIT_USAGE,
    }
}

fn after(words: &[OsString], act: impl FnOnce(u64) -> io::Result<()>) -> u8 {
    let ms = words.first().and_then(|word| word.to_str()).and_then(|text| text.parse().ok());
    ms.map_or(EXIT_USAGE, |ms| if act(ms).is_ok() { 0 } else { EXIT_IO })
}

fn run(words: &[OsString]) -> io::Result<u8> {
    let Some(told) = args::read(words) else { return Ok(EXIT_USAGE) };
    let mut voice = Voice {
        cwd: std::env::current_dir()?.to_string_lossy().into_owned(),
        model: String::new(),
        prompt: String::new(),
        args: told.args.clone(),
        began: Instant::now(),
    };
    let memory = Memory::of(std::env::var_os("HOME").as_deref().map(Path::new));
    let scenario = match scenario::load(&told.scenario) {
        Ok(scenario) => scenario,
        Err(error) => return refuse(voice, &memory, "scenario", error.to_string()),
    };
    if let Some(page) = asked_about(&scenario, &told.args) {
        voice.bytes(Stream::Stdout, page.as_bytes())?;
        return Ok(0);
    }
    let call = match call(&told) {
        Ok(call) => call,
        Err(message) => return refuse(voice, &memory, "call", message),
    };
    voice.prompt = call.prompt;
    play(&scenario, voice, &memory, &told, call.id)
}

/// The page a CLI is asked for with `--version` or `--help`.
fn asked_about(scenario: &Scenario, args: &[String]) -> Option<String> {
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let page = |own: &Option<String>, usual: &str| {
        let page = own.as_deref().unwrap_or(usual);
        format!("{}\n", page.trim_end())
    };
    if has("--version") {
        return Some(page(&scenario.version, VERSION));
    }
    has("--help").then(|| page(&scenario.help, HELP))
}

/// The call this process was launched for.
struct Call {
    id: String,
    prompt: String,
}

fn call(told: &Told) -> Result<Call, String> {
    let named = std::env::var(procfs::CALL_ID_VAR).ok().filter(|id| !id.is_empty());
    match &told.source {
        Source::CallDir(dir) => {
            let refused = |why: &dyn std::fmt::Display| {
                say(Lang::En, "script-no-call-dir", &[("dir", &dir.display()), ("why", why)])
            };
            let bytes = durable::read(&dir.join(files::REQUEST), files::RECORD_BYTES_MAX)
                .map_err(|error| refused(&error))?;
            let request: files::Request =
                serde_json::from_slice(&bytes).map_err(|error| refused(&error))?;
            let prompt = durable::read(&dir.join(files::PROMPT), PROMPT_BYTES_MAX)
                .map_err(|error| no_prompt(&error))?;
            let prompt = String::from_utf8_lossy(&prompt).into_owned();
            Ok(Call { id: named.unwrap_or(request.call_id), prompt })
        }
        Source::Stdin => {
            let mut bytes = Vec::new();
            let mut stdin = io::stdin().lock();
            let read = stdin.by_ref().take(PROMPT_BYTES_MAX).read_to_end(&mut bytes);
            // The rest is taken too: a CLI reads all it is given.
            let read = read.and_then(|_| io::copy(&mut stdin, &mut io::sink()));
            read.map_err(|error| no_prompt(&error))?;
            let prompt = String::from_utf8_lossy(&bytes).into_owned();
            Ok(Call { id: named.unwrap_or_else(|| format!("call-{}", random_id())), prompt })
        }
    }
}

fn no_prompt(error: &io::Error) -> String {
    say(Lang::En, "script-no-prompt", &[("why", error)])
}

/// Says why nothing is played; in our own form, since no rule names another.
fn refuse(voice: Voice, memory: &Memory, kind: &str, message: String) -> io::Result<u8> {
    use super::dialect::Tongue;
    let effects = Effects { file: None, call: String::new(), launch: 0, rule: 0 };
    let mut play = Play::new(Tongue::Stream1, voice, effects, memory, String::new());
    play.unnamed();
    play.fail(kind, message)?;
    Ok(EXIT_USAGE)
}

fn play(
    scenario: &Scenario,
    mut voice: Voice,
    memory: &Memory,
    told: &Told,
    call: String,
) -> io::Result<u8> {
    let launch = std::env::var(LAUNCH_VAR).ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let chosen = scenario.choose(&voice.prompt, launch);
    let tongue = chosen.map_or(scenario.dialect, |(_, rule)| rule.dialect);
    voice.model = told.model.clone().unwrap_or_else(|| tongue.usual_model().to_owned());
    let auto = derived_id(&call);
    let effects = Effects {
        file: effects_file(scenario, &voice.cwd, &call, launch),
        call,
        launch,
        rule: chosen.map_or(0, |(number, _)| number),
    };
    let mut play = Play::new(tongue, voice, effects, memory, auto);
    if let Some(id) = &told.resume {
        if memory.recall(id).is_none() {
            return play.resume_unknown(id);
        }
        play.resume = Some(id.clone());
    }
    match chosen {
        Some((_, rule)) => play.steps(&rule.steps),
        None => {
            let file = scenario.path.display();
            let message = say(Lang::En, "script-no-rule", &[("file", &file), ("launch", &launch)]);
            play.unnamed();
            play.fail("no_rule", message)
        }
    }
}

/// Where effects are counted; what only a prompt or a conversation knows is empty there.
/// Which launch a scripted agent is made ready for.
pub struct Before<'a> {
    /// Its scenario.
    pub scenario: &'a Path,
    /// Its working directory.
    pub cwd: &'a Path,
    /// Its call.
    pub call: &'a str,
    /// The how-manieth launch of its owner this is.
    pub launch: u32,
    /// The home directory.
    pub home: Option<&'a Path>,
}

/// What a scripted agent keeps: its conversations, and the trail of its effects. Both are made
/// here, before the launch: a place that is not there cannot be let through the walls. One that
/// cannot be made is left out, and the agent says what it misses.
#[must_use]
pub fn own_state(before: &Before<'_>) -> Vec<PathBuf> {
    let memory = Memory::of(before.home).made();
    let effects = scenario::load(before.scenario).ok().and_then(|scenario| {
        let cwd = before.cwd.to_string_lossy();
        let file = effects_file(&scenario, &cwd, before.call, before.launch)?;
        OpenOptions::new().append(true).create(true).open(&file).ok()?;
        file.canonicalize().ok()
    });
    memory.into_iter().chain(effects).collect()
}

fn effects_file(scenario: &Scenario, cwd: &str, call: &str, launch: u32) -> Option<PathBuf> {
    let value = |var| match var {
        Var::Cwd => cwd.to_owned(),
        Var::Call => call.to_owned(),
        Var::Launch => launch.to_string(),
        Var::Prompt | Var::Session | Var::Args => String::new(),
    };
    scenario.effects.as_ref().map(|text| Path::new(cwd).join(text.fill(value)))
}

/// The id given in a call when the scenario leaves it to us: the same for the same call.
#[must_use]
pub fn derived_id(call: &str) -> String {
    let digest = Sha256::digest(format!("loopwright-script {call}"));
    let mut bytes = [0u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_sha1_bytes(bytes).into_uuid().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derived_id_is_a_uuid_of_its_call() {
        let id = derived_id("call-1");
        assert_eq!(id, derived_id("call-1"));
        assert_ne!(id, derived_id("call-2"));
        let parsed = uuid::Uuid::parse_str(&id).unwrap();
        assert_eq!((parsed.get_version_num(), parsed.is_nil()), (5, false));
    }
}
