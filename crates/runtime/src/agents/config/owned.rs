//! Flags that belong to us: those that fix the form of the output, the conversation, the model and
//! what the agent may do. A person's own words may not name them, or a launch would not be what its
//! record says. Everything else on a command line is the person's choice.

use kernel::agent::Kind;

/// Of every kind.
const ANY: &[&str] = &["--json", "--output-format", "--format", "--resume", "--session", "-p"];
/// Words that would end the flags or stand for the prompt.
const ENDS: &[&str] = &["-", "--"];

const CODEX: &[&str] = &[
    "--skip-git-repo-check",
    "--sandbox",
    "-s",
    "--ask-for-approval",
    "-a",
    "--full-auto",
    "--dangerously-bypass-approvals-and-sandbox",
    "--yolo",
    "--approve-for-me",
    "--dangerously-bypass-hook-trust",
    "--cd",
    "-C",
    "--worktree",
    "--last",
    "--model",
    "-m",
];
const GEMINI: &[&str] = &[
    "-o",
    "--approval-mode",
    "--yolo",
    "-y",
    "--allowed-tools",
    "--skip-trust",
    "-r",
    "--session-id",
    "--session-file",
    "--worktree",
    "-w",
    "--prompt",
    "--prompt-interactive",
    "-i",
    "--acp",
    "--experimental-acp",
    "--model",
    "-m",
];
const CLAUDE: &[&str] = &[
    "--print",
    "--input-format",
    "--verbose",
    "--setting-sources",
    "--permission-mode",
    "--permission-prompt-tool",
    "--permission-prompts",
    "--worktree",
    "-w",
    "--allowedTools",
    "--allowed-tools",
    "--disallowedTools",
    "--disallowed-tools",
    "--dangerously-skip-permissions",
    "--allow-dangerously-skip-permissions",
    "-r",
    "--continue",
    "-c",
    "--session-id",
    "--fork-session",
    "--model",
];
const QWEN: &[&str] = &[
    "-o",
    "--input-format",
    "--approval-mode",
    "--yolo",
    "-y",
    "--allowed-tools",
    "--auth-type",
    "-r",
    "--continue",
    "-c",
    "--session-id",
    "--prompt",
    "--prompt-interactive",
    "-i",
    "--acp",
    "--experimental-acp",
    "--model",
    "-m",
];
/// Settings of codex that `-c` may not touch.
const CODEX_SETTINGS: &[&str] = &["sandbox_mode", "approval_policy", "sandbox_workspace_write"];

/// The first flag of ours that the words name.
pub(super) fn flag(kind: Kind, args: &[String]) -> Option<&'static str> {
    let own = match kind {
        Kind::Codex => CODEX,
        Kind::Gemini => GEMINI,
        Kind::Claude => CLAUDE,
        Kind::Qwen => QWEN,
        Kind::Wrapper | Kind::Command | Kind::Script => &[],
    };
    let named = |word: &String| {
        let ends = ENDS.iter().find(|end| word == *end);
        ends.or_else(|| ANY.iter().chain(own).find(|flag| names(word, flag))).copied()
    };
    let setting = || (kind == Kind::Codex).then(|| codex_setting(args)).flatten();
    args.iter().find_map(named).or_else(setting)
}

/// A long flag alone or with `=`, a short one also with its value behind it.
fn names(word: &str, flag: &str) -> bool {
    let Some(rest) = word.strip_prefix(flag) else { return false };
    rest.is_empty() || rest.starts_with('=') || !flag.starts_with("--")
}

fn codex_setting(args: &[String]) -> Option<&'static str> {
    args.iter().enumerate().find_map(|(at, word)| {
        let said = match word.as_str() {
            "-c" | "--config" => args.get(at + 1)?.as_str(),
            other => other.strip_prefix("--config=").or_else(|| other.strip_prefix("-c"))?,
        };
        let name = said.trim_start_matches('=').split(['=', '.']).next().unwrap_or_default();
        let name = name.trim().trim_matches(['"', '\'']);
        CODEX_SETTINGS.iter().find(|setting| **setting == name).copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_a_flag_of_ours_are_found() {
        let table = [
            (Kind::Codex, "--profile fast -c model_provider=\"x\"", None),
            (Kind::Codex, "--json", Some("--json")),
            (Kind::Codex, "-sread-only", Some("-s")),
            (Kind::Codex, "--sandbox=read-only", Some("--sandbox")),
            (Kind::Codex, "-c sandbox_mode=\"x\"", Some("sandbox_mode")),
            (Kind::Codex, "-csandbox_mode=x", Some("sandbox_mode")),
            (Kind::Codex, "--config=approval_policy=x", Some("approval_policy")),
            (Kind::Codex, "--config \"sandbox_mode\"=x", Some("sandbox_mode")),
            (Kind::Codex, "-c sandbox_workspace_write.network_access=true", {
                Some("sandbox_workspace_write")
            }),
            (Kind::Codex, "-", Some("-")),
            (Kind::Gemini, "--include-directories /x", None),
            (Kind::Gemini, "-y", Some("-y")),
            (Kind::Gemini, "--approval-mode=yolo", Some("--approval-mode")),
            (Kind::Claude, "--add-dir /x --mcp-config y", None),
            (Kind::Claude, "-p", Some("-p")),
            (Kind::Claude, "--allowedTools Bash", Some("--allowedTools")),
            (Kind::Claude, "--resume=x", Some("--resume")),
            (Kind::Claude, "--resumed", None),
            (Kind::Qwen, "--session x", Some("--session")),
            (Kind::Qwen, "--", Some("--")),
        ];
        for (kind, line, expected) in table {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(flag(kind, &words), expected, "{} {line}", kind.name());
        }
    }
}
