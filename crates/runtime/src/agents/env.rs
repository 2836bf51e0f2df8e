//! What an agent's process finds in its environment beyond the standing list: the names its kind
//! is known to need, those a person adds, and a few values that keep it in hand. Our own token and
//! socket are in none of these lists.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use kernel::agent::{Access, Kind};

use super::config::{AgentConfig, Own, Wrapped};
use super::render::Sandbox;
use crate::child_env::{self, Declared, Extra};

const CODEX: &[&str] = &["CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"];
const GEMINI: &[&str] = &[
    "GEMINI_API_KEY",
    "GEMINI_MODEL",
    "GOOGLE_API_KEY",
    "GOOGLE_GEMINI_BASE_URL",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_APPLICATION_CREDENTIALS",
];
const CLAUDE: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_MODEL",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    RETRIES,
];
const QWEN: &[&str] = &["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"];

/// Of all these, the ones whose value is a file.
const NAMES_OF_FILES: &[&str] = &["GOOGLE_APPLICATION_CREDENTIALS"];

/// How often claude asks again. Its own ten spend three minutes even on a wrong key.
const RETRIES: &str = "CLAUDE_CODE_MAX_RETRIES";
const RETRIES_DEFAULT: &str = "2";
/// The variable that tells a child which launch of its owner it is.
pub const LAUNCH: &str = "LOOPWRIGHT_LAUNCH";
/// Below this the wrapper takes its timeout for seconds.
const WRAPPER_MS_MIN: u64 = 10_001;
/// The wrapper's own timeout comes after ours: ours is the one that is proven.
const WRAPPER_SPARE_MS: u64 = 30_000;

/// Looks a variable of ours up.
pub type Var<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// What decides about the environment of one launch.
#[derive(Clone, Copy)]
pub struct Wants<'a> {
    /// The agent.
    pub agent: &'a AgentConfig,
    /// What it may do.
    pub access: Access,
    /// The model in force.
    pub model: Option<&'a str>,
    /// Whether our sandbox holds it.
    pub sandbox: Sandbox,
    /// Its longest life.
    pub wall_ms: u64,
    /// The how-manieth launch of its owner this is.
    pub launch: u32,
    /// Looks a variable of ours up.
    pub var: Var<'a>,
}

/// What the adapter declares for a launch.
#[must_use]
pub fn declared(wants: &Wants<'_>) -> Declared {
    Declared { pass: passed(wants.agent), set: set(wants) }
}

/// The whole environment of a launch.
pub fn build(
    ours: impl Iterator<Item = (OsString, OsString)>,
    extra: &Extra,
    wants: &Wants<'_>,
    place: &child_env::Place<'_>,
) -> Vec<(OsString, OsString)> {
    child_env::build_declared(ours, extra, &declared(wants), place)
}

/// The names that pass to an agent if they are set.
#[must_use]
pub fn passed(agent: &AgentConfig) -> Vec<String> {
    let mut names: Vec<String> = of_kind(agent.speaks()).iter().map(|n| (*n).to_owned()).collect();
    for name in &agent.env {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The names that a kind is known to need.
pub(super) const fn of_kind(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Codex => CODEX,
        Kind::Gemini => GEMINI,
        Kind::Claude => CLAUDE,
        Kind::Qwen => QWEN,
        Kind::Wrapper | Kind::Command | Kind::Script => &[],
    }
}

fn set(wants: &Wants<'_>) -> Vec<(String, String)> {
    let mut all = vec![(LAUNCH.to_owned(), wants.launch.to_string())];
    let mut put = |name: &str, value: &str| all.push((name.to_owned(), value.to_owned()));
    match wants.agent.speaks() {
        // Without these a parent process ignores TERM, or ends alone and leaves the agent.
        Kind::Gemini => put("GEMINI_CLI_NO_RELAUNCH", "true"),
        Kind::Qwen => put("QWEN_CODE_NO_RELAUNCH", "true"),
        Kind::Claude => {
            put("DISABLE_AUTOUPDATER", "1");
            if (wants.var)(RETRIES).is_none() {
                put(RETRIES, RETRIES_DEFAULT);
            }
            // As root it refuses to go without questions unless it is told of a sandbox, which
            // must then be true.
            if wants.access == Access::Full && wants.sandbox == Sandbox::InForce {
                put("IS_SANDBOX", "1");
            }
        }
        Kind::Codex | Kind::Wrapper | Kind::Command | Kind::Script => {}
    }
    if let Own::Wrapper { backend, .. } = wants.agent.own {
        let timeout = wants.wall_ms.saturating_add(WRAPPER_SPARE_MS).max(WRAPPER_MS_MIN);
        put("CODEX_TIMEOUT", &timeout.to_string());
        if let (Wrapped::Gemini, Some(model)) = (backend, wants.model) {
            put("GEMINI_MODEL", model);
        }
    }
    all
}

/// Where an agent keeps its own state, writable in the sandbox at any access.
#[must_use]
pub fn own_state(agent: &AgentConfig, var: Var<'_>) -> Vec<PathBuf> {
    let absolute = |name: &str| var(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let below_home = |name: &str| absolute("HOME").map(|home| home.join(name));
    let found: Vec<Option<PathBuf>> = match agent.speaks() {
        Kind::Codex => vec![absolute("CODEX_HOME").or_else(|| below_home(".codex"))],
        Kind::Gemini => vec![below_home(".gemini")],
        Kind::Claude => vec![
            absolute("CLAUDE_CONFIG_DIR").or_else(|| below_home(".claude")),
            below_home(".claude.json"),
        ],
        Kind::Qwen => vec![below_home(".qwen")],
        Kind::Wrapper | Kind::Command | Kind::Script => Vec::new(),
    };
    found.into_iter().flatten().collect()
}

/// Files outside the work tree that an agent's settings or variables name, and that it must be
/// able to read.
#[must_use]
pub fn own_reads(agent: &AgentConfig, root: &Path, var: Var<'_>) -> Vec<PathBuf> {
    let named = passed(agent).into_iter().filter(|name| NAMES_OF_FILES.contains(&name.as_str()));
    let mut files: Vec<PathBuf> = named.filter_map(|name| var(&name)).map(PathBuf::from).collect();
    match &agent.own {
        Own::Script { scenario } => files.push(root.join(scenario)),
        Own::Codex { .. }
        | Own::Gemini
        | Own::Claude { .. }
        | Own::Qwen { .. }
        | Own::Wrapper { .. }
        | Own::Command(_) => {}
    }
    files.retain(|path| path.is_absolute());
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::config::{File, Layers, resolve};

    fn names(text: &str, ours: &[&str]) -> Vec<String> {
        let layers = Layers { user: Some(File { name: "u", text }), ..Layers::default() };
        let name = text.trim_start_matches("[agents.").split(']').next().unwrap();
        let agent = &resolve(&layers).unwrap().settings.agents[name];
        let var = |name: &str| ours.iter().find(|known| **known == name).map(OsString::from);
        let wants = Wants {
            agent,
            access: Access::Read,
            model: None,
            sandbox: Sandbox::None,
            wall_ms: 1000,
            launch: 1,
            var: &var,
        };
        let place = child_env::Place {
            root: Path::new("/w"),
            tmp: Path::new("/w/.loop/calls/c/tmp"),
            call: "call-1",
            run: "loop-1",
            trace: "",
        };
        let ours = ours.iter().map(|name| (OsString::from(name), OsString::from("v")));
        let built = build(ours, &Extra::default(), &wants, &place);
        built.into_iter().map(|(name, _)| name.into_string().unwrap()).collect()
    }

    const ALWAYS: [&str; 6] = [
        "TERM",
        "NO_COLOR",
        "TMPDIR",
        "LOOPWRIGHT_RUN_ID",
        "LOOPWRIGHT_CALL_ID",
        "LOOPWRIGHT_DEBUG_LOG",
    ];

    /// Everything that any kind knows, and what no kind may have.
    fn everything() -> Vec<&'static str> {
        let mut all = vec!["HOME", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];
        all.extend([CODEX, GEMINI, CLAUDE, QWEN].concat());
        all.extend(["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "MY_KEY", "HTTPS_PROXY"]);
        all.extend(["LD_PRELOAD", "NODE_OPTIONS", "GIT_DIR", "LOOPWRIGHT_TOKEN"]);
        all.extend(["LOOPWRIGHT_SOCKET", "LOOPWRIGHT_LAUNCH", "ANYTHING"]);
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn invariant_env_closed() {
        let standing = ["HOME", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", LAUNCH];
        let table: [(&str, &[&str], &[&str]); 8] = [
            ("[agents.codex]", CODEX, &[]),
            ("[agents.gemini]", GEMINI, &["GEMINI_CLI_NO_RELAUNCH"]),
            ("[agents.claude]", CLAUDE, &["DISABLE_AUTOUPDATER"]),
            ("[agents.qwen]", QWEN, &["QWEN_CODE_NO_RELAUNCH"]),
            ("[agents.wrapper]", CODEX, &["CODEX_TIMEOUT"]),
            ("[agents.wrapper]\nbackend = \"gemini\"", GEMINI, {
                &["GEMINI_CLI_NO_RELAUNCH", "CODEX_TIMEOUT"]
            }),
            ("[agents.a]\nkind = \"command\"\nargv = [\"p\"]", &[], &[]),
            ("[agents.codex]\nenv = [\"MY_KEY\", \"LD_PRELOAD\", \"LOOPWRIGHT_TOKEN\"]", CODEX, {
                &["MY_KEY"]
            }),
        ];
        for (text, kind, more) in table {
            let mut expected: Vec<&str> = [&standing[..], &ALWAYS, kind, more].concat();
            expected.sort_unstable();
            let mut found = names(text, &everything());
            found.sort_unstable();
            assert_eq!(found, expected, "{text}");
        }
    }
}
