//! Whether an agent looks as if somebody had logged in: a variable is set, or the program's own
//! file is there. What is in either is never read, so this is a hint and no proof.

use std::path::PathBuf;

use kernel::agent::Kind;

use crate::agents::config::AgentConfig;
use crate::agents::env::{Var, own_state};

/// Variables of which one is enough.
pub(super) const fn variables(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Codex => &["OPENAI_API_KEY", "CODEX_API_KEY"],
        Kind::Gemini => &[
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "GOOGLE_GENAI_USE_VERTEXAI",
        ],
        Kind::Claude => &[
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "CLAUDE_CODE_OAUTH_TOKEN",
            "CLAUDE_CODE_USE_BEDROCK",
            "CLAUDE_CODE_USE_VERTEX",
        ],
        Kind::Qwen => &["OPENAI_API_KEY", "DASHSCOPE_API_KEY"],
        Kind::Wrapper | Kind::Command | Kind::Script => &[],
    }
}

/// The program's own files of which one is enough, below the first place of its own state.
const fn files(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Codex => &["auth.json"],
        Kind::Gemini => &["oauth_creds.json", "gemini-credentials.json"],
        Kind::Claude => &[".credentials.json"],
        Kind::Qwen => &["oauth_creds.json"],
        Kind::Wrapper | Kind::Command | Kind::Script => &[],
    }
}

/// Whether there is such a sign. An agent that a person described needs none that we know of.
pub(super) fn there(agent: &AgentConfig, var: Var<'_>) -> bool {
    let kind = agent.speaks();
    if variables(kind).is_empty() {
        return true;
    }
    let set = |name: &str| var(name).is_some_and(|value| !value.is_empty());
    let named = || variables(kind).iter().any(|name| set(name));
    // A provider of the person's own has its own variable, which must be listed to pass.
    let listed = || agent.env.iter().any(|name| set(name));
    let place: Option<PathBuf> = own_state(agent, var).into_iter().next();
    let kept =
        || place.is_some_and(|place| files(kind).iter().any(|file| place.join(file).is_file()));
    // There the key chain holds it, which is not looked into.
    let chained = cfg!(target_os = "macos") && kind == Kind::Claude;
    named() || listed() || kept() || chained
}
