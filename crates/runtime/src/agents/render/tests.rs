//! Command lines of every kind, word for word, and what is refused before there is one.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use kernel::agent::{Access, Ask, Kind, Tools};

use super::{Flags, Launch, Place, RenderError, Sandbox, Stdin, render};
use crate::agents::config::AgentConfig;
use crate::config::{File, Layers, resolve};

/// The one agent of a settings file, named `a` unless it is built in.
fn agent(text: &str) -> AgentConfig {
    let layers = Layers { user: Some(File { name: "u", text }), ..Layers::default() };
    let settings = resolve(&layers).map_err(|faults| format!("{faults:?}")).unwrap().settings;
    let name = text.trim_start_matches("[agents.").split(']').next().unwrap();
    settings.agents[name].clone()
}

fn ask(agent: &AgentConfig, access: Access, model: Option<&str>, resume: Option<&str>) -> Ask {
    Ask {
        agent: agent.name.clone(),
        kind: agent.kind(),
        talk: agent.talk(),
        access,
        model: model.map(str::to_owned),
        resume: resume.map(str::to_owned),
        prompt: Vec::new(),
        schema: None,
        lang: "en".to_owned(),
        tools: Tools::Own,
    }
}

type Vars<'a> = &'a [(&'a str, &'a str)];

struct Case<'a> {
    sandbox: Sandbox,
    flags: Flags,
    vars: Vars<'a>,
    prompt: &'a str,
    wall_ms: u64,
}

impl Default for Case<'_> {
    fn default() -> Self {
        let flags = Flags::Unasked;
        Self { sandbox: Sandbox::None, flags, vars: &[], prompt: "hello", wall_ms: u64::MAX }
    }
}

impl Case<'_> {
    fn render(&self, agent: &AgentConfig, ask: &Ask) -> Result<Launch, RenderError> {
        let var = |name: &str| -> Option<OsString> {
            self.vars.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        };
        let place = Place {
            root: Path::new("/w"),
            workdir: Path::new("/w/sub dir"),
            call_dir: Path::new("/w/.loop/calls/c1"),
            exe: Path::new("/opt/loopwright"),
            sandbox: self.sandbox,
            flags: &self.flags,
            prompt: self.prompt,
            launch: 2,
            wall_ms: self.wall_ms,
            var: &var,
        };
        render(ask, agent, &place)
    }

    fn line(&self, agent: &AgentConfig, ask: &Ask) -> String {
        match self.render(agent, ask) {
            Ok(launch) => {
                let words = std::iter::once(&launch.program).chain(&launch.argv);
                words.map(String::as_str).collect::<Vec<_>>().join(" ")
            }
            Err(why) => why.code().to_owned(),
        }
    }
}

const PLAIN: &str = "";

/// Agent, access, `m` with a model, `id` with a conversation; and the whole line.
const LINES: &[(&str, &str)] = &[
    ("codex read", {
        "codex exec --json --skip-git-repo-check -c sandbox_mode=\"read-only\" \
         -c approval_policy=\"never\" -"
    }),
    ("codex edit m", {
        "codex exec --json --skip-git-repo-check -c sandbox_mode=\"workspace-write\" \
         -c approval_policy=\"never\" -m m -"
    }),
    ("codex read m id", {
        "codex exec resume --json --skip-git-repo-check -c sandbox_mode=\"read-only\" \
         -c approval_policy=\"never\" -m m id -"
    }),
    ("codex edit id", {
        "codex exec resume --json --skip-git-repo-check -c sandbox_mode=\"workspace-write\" \
         -c approval_policy=\"never\" id -"
    }),
    ("gemini read", { "gemini --output-format stream-json --skip-trust --approval-mode default" }),
    ("gemini edit m", {
        "gemini --output-format stream-json --skip-trust --approval-mode auto_edit -m m"
    }),
    ("gemini read m id", {
        "gemini --output-format stream-json --skip-trust --approval-mode default -m m --resume id"
    }),
    ("claude read", {
        "claude -p --output-format stream-json --verbose --setting-sources user \
         --permission-mode dontAsk --disallowedTools Bash,Edit,Write,NotebookEdit"
    }),
    ("claude edit m id", {
        "claude -p --output-format stream-json --verbose --setting-sources user \
         --permission-mode acceptEdits --disallowedTools Bash --model m --resume id"
    }),
    ("qwen read", "qwen --output-format stream-json --approval-mode default"),
    ("qwen edit m id", {
        "qwen --output-format stream-json --approval-mode auto-edit --model m --resume id"
    }),
    ("wrapper read", "codeagent-wrapper --backend codex - /w/sub dir"),
    ("wrapper edit id", "codeagent-wrapper --backend codex resume id - /w/sub dir"),
];

#[test]
fn invariant_every_kind_says_its_line() {
    for (asked, expected) in LINES {
        let words: Vec<&str> = asked.split(' ').collect();
        let agent = agent(&format!("[agents.{}]", words[0]));
        let with = |word: &'static str| words[2..].contains(&word).then_some(word);
        let ask = ask(&agent, Access::named(words[1]).unwrap(), with("m"), with("id"));
        assert_eq!(Case::default().line(&agent, &ask), *expected, "{asked}");
    }
}

#[test]
fn running_commands_needs_a_wall_or_a_person_s_word() {
    let lines = BTreeMap::from([
        (
            "codex",
            concat!(
                "codex exec --json --skip-git-repo-check ",
                "--dangerously-bypass-approvals-and-sandbox -",
            ),
        ),
        ("gemini", "gemini --output-format stream-json --skip-trust --approval-mode yolo"),
        (
            "claude",
            concat!(
                "claude -p --output-format stream-json --verbose --setting-sources user ",
                "--dangerously-skip-permissions",
            ),
        ),
        ("qwen", "qwen --output-format stream-json --approval-mode yolo"),
        ("wrapper", "codeagent-wrapper --backend codex - /w/sub dir"),
    ]);
    for (name, expected) in lines {
        let plain = agent(&format!("[agents.{name}]"));
        let open = agent(&format!("[agents.{name}]\nunsandboxed = true"));
        let held = Case { sandbox: Sandbox::InForce, ..Case::default() };
        let wanted = ask(&plain, Access::Full, None, None);
        assert_eq!(Case::default().line(&plain, &wanted), "agent.sandbox_required", "{name}");
        assert_eq!(Case::default().line(&open, &wanted), expected, "{name}");
        assert_eq!(held.line(&plain, &wanted), expected, "{name}");
        let low = agent(&format!("[agents.{name}]\naccess_max = \"edit\""));
        assert_eq!(held.line(&low, &wanted), "agent.access", "{name}");
    }
}

#[test]
fn codex_leaves_its_sandbox_out_inside_ours() {
    let (auto, on, off) = ("auto", "on", "off");
    let table = [
        (auto, PLAIN, Sandbox::None, Access::Read, "read-only"),
        (auto, PLAIN, Sandbox::InForce, Access::Read, "danger-full-access"),
        (auto, PLAIN, Sandbox::InForce, Access::Edit, "danger-full-access"),
        (on, PLAIN, Sandbox::InForce, Access::Edit, "workspace-write"),
        (off, PLAIN, Sandbox::InForce, Access::Read, "danger-full-access"),
        (off, PLAIN, Sandbox::None, Access::Read, "agent.sandbox_required"),
        (off, "unsandboxed = true", Sandbox::None, Access::Read, "danger-full-access"),
    ];
    for (inner, more, sandbox, access, expected) in table {
        let agent = agent(&format!("[agents.codex]\ninner_sandbox = \"{inner}\"\n{more}"));
        let case = Case { sandbox, ..Case::default() };
        let said = case.line(&agent, &ask(&agent, access, None, None));
        assert!(said.contains(expected), "{inner} {sandbox:?}: {said}");
    }
}

#[test]
fn settings_of_an_agent_are_heard() {
    let table = [
        ("[agents.codex]\nbin = \"/o/c\"\nargs = [\"--profile\", \"x y\"]\nmodel = \"d\"", {
            "/o/c exec --json --skip-git-repo-check -c sandbox_mode=\"read-only\" -c \
             approval_policy=\"never\" -m d --profile x y -"
        }),
        ("[agents.claude]\nproject_settings = true\nargs = [\"--add-dir\", \"/x\"]", {
            "claude -p --output-format stream-json --verbose --permission-mode dontAsk \
             --disallowedTools Bash,Edit,Write,NotebookEdit --add-dir /x"
        }),
        ("[agents.qwen]\nauth_type = \"openai\"", {
            "qwen --output-format stream-json --approval-mode default --auth-type openai"
        }),
        ("[agents.wrapper]\nlite = true\nbackend = \"gemini\"\nmodel = \"m\"", {
            "codeagent-wrapper --lite --backend gemini - /w/sub dir"
        }),
        ("[agents.script]\nscenario = \"s.toml\"\nmodel = \"m\"", {
            "/opt/loopwright drive script /w/.loop/calls/c1 --scenario /w/s.toml --model m"
        }),
    ];
    for (text, expected) in table {
        let agent = agent(text);
        assert_eq!(Case::default().line(&agent, &ask(&agent, Access::Read, None, None)), expected);
    }
}

#[test]
fn the_server_of_our_tools_is_given_where_a_call_says_so() {
    let vars: Vars<'_> = &[("XDG_RUNTIME_DIR", "/run/a b"), ("HOME", "/h")];
    let case = Case { vars, wall_ms: 90_500, ..Case::default() };
    let given = |text: &str, tools| {
        let agent = agent(text);
        let ask = Ask { tools, ..ask(&agent, Access::Edit, Some("m"), Some("id")) };
        (case.line(&agent, &ask), case.render(&agent, &ask).unwrap().servers)
    };
    let (line, file) = given("[agents.codex]\ntools = true", Tools::Ours);
    let server = "mcp_servers.loopwright={command=\"/opt/loopwright\",args=[\"mcp\",\"--call\",\
                  \"c1\",\"--workspace\",\"/w\"],env={XDG_RUNTIME_DIR=\"/run/a b\"},\
                  default_tools_approval_mode=\"approve\",tool_timeout_sec=91}";
    assert!(line.contains(&format!("-c {server} -m m id -")), "{line}");
    assert_eq!(file, None, "it is told by a setting");
    let (line, file) = given("[agents.claude]\ntools = true", Tools::Ours);
    let expected = "--disallowedTools Bash --mcp-config /w/.loop/calls/c1/mcp.json \
                    --allowedTools mcp__loopwright --strict-mcp-config --model m --resume id";
    assert!(line.ends_with(expected), "{line}");
    let file: serde_json::Value = serde_json::from_str(&file.unwrap()).unwrap();
    let server = &file["mcpServers"]["loopwright"];
    assert_eq!(server["args"], serde_json::json!(["mcp", "--call", "c1", "--workspace", "/w"]));
    assert_eq!(server["env"]["XDG_RUNTIME_DIR"], "/run/a b");
    for name in ["codex", "claude"] {
        let (line, file) = given(&format!("[agents.{name}]\ntools = true"), Tools::Own);
        assert!(!line.contains("mcp") && file.is_none(), "{line}");
    }
}

#[test]
fn a_program_without_the_flags_for_our_tools_is_not_given_them() {
    let help = "-p --output-format --verbose --permission-mode --disallowedTools \
                --setting-sources --dangerously-skip-permissions --model --resume";
    let case = Case { flags: Flags::of_help(help), ..Case::default() };
    let agent = agent("[agents.claude]\ntools = true");
    assert!(case.render(&agent, &ask(&agent, Access::Edit, None, None)).is_ok());
    let tools = Ask { tools: Tools::Ours, ..ask(&agent, Access::Edit, None, None) };
    let missing = RenderError::MissingFlag { flag: "--mcp-config" };
    assert_eq!(case.render(&agent, &tools), Err(missing));
}

#[test]
fn a_request_s_model_goes_before_the_configured_one() {
    let agent = agent("[agents.gemini]\nmodel = \"d\"");
    let said = Case::default().line(&agent, &ask(&agent, Access::Read, Some("m"), None));
    assert!(said.ends_with("-m m"), "{said}");
}

#[test]
fn what_help_lacks_is_left_out_or_refused() {
    let listed = |words: &str| Flags::of_help(words);
    let table = [
        ("gemini", "--output-format --approval-mode", None, {
            "gemini --output-format stream-json --approval-mode default"
        }),
        ("gemini", "--output-format --skip-trust", None, "E002"),
        ("gemini", "--output-format --approval-mode", Some("id"), "E002"),
        ("wrapper", "--progress", None, {
            "codeagent-wrapper --progress --backend codex - /w/sub dir"
        }),
        ("wrapper", "--help", None, "codeagent-wrapper --backend codex - /w/sub dir"),
    ];
    for (name, help, resume, expected) in table {
        let agent = agent(&format!("[agents.{name}]"));
        let case = Case { flags: listed(help), ..Case::default() };
        let said = case.line(&agent, &ask(&agent, Access::Read, None, resume));
        assert_eq!(said, expected, "{name} {help}");
    }
}

#[test]
fn templates_are_filled_word_by_word() {
    let agent = agent(
        "[agents.a]\nkind = \"command\"\nmodel = \"d\"\n\
         argv = [\"p\", \"{prompt}\", \"-f={prompt_file}\", \"{workdir}\", \"{model}\", \
         \"{call_dir}\"]\n\
         argv_resume = [\"p\", \"{session}\"]\nstdin = \"none\"\n",
    );
    let prompt = "two words; $(x) {model} \"q\"";
    let case = Case { prompt, ..Case::default() };
    let launch = case.render(&agent, &ask(&agent, Access::Read, Some("m"), None)).unwrap();
    let expected = [prompt, "-f=/w/.loop/calls/c1/prompt", "/w/sub dir", "m", "/w/.loop/calls/c1"];
    assert_eq!(launch.argv, expected, "invariant_no_shell: one element, one argument");
    assert_eq!((launch.program.as_str(), launch.stdin), ("p", Stdin::Null));
    let again = case.render(&agent, &ask(&agent, Access::Read, None, Some("s-1"))).unwrap();
    assert_eq!(again.argv, ["s-1"]);
    let long = "x".repeat(100 * 1024 + 1);
    let case = Case { prompt: &long, ..Case::default() };
    let why = case.render(&agent, &ask(&agent, Access::Read, None, None)).unwrap_err();
    assert_eq!((why.code(), &why), ("E002", &RenderError::PromptTooLong { bytes: long.len() }));
}

#[test]
fn what_cannot_be_rendered_is_refused() {
    let codex = agent("[agents.codex]");
    let mine = agent("[agents.a]\nkind = \"command\"\nargv = [\"p\"]\n");
    let wrapper = agent("[agents.wrapper]");
    let case = Case::default();
    let why = |agent: &AgentConfig, model, resume| {
        case.render(agent, &ask(agent, Access::Read, model, resume)).unwrap_err()
    };
    assert_eq!(why(&mine, None, Some("id")), RenderError::NoResume);
    assert_eq!(why(&wrapper, Some("m"), None), RenderError::NoModel);
    assert_eq!(why(&codex, Some("-m"), None), RenderError::Unfit { what: "model" });
    assert_eq!(why(&codex, None, Some("--last")), RenderError::Unfit { what: "resume" });
    assert_eq!(why(&codex, None, Some("a\0b")), RenderError::Unfit { what: "resume" });
    let mut other = ask(&codex, Access::Read, None, None);
    other.kind = Kind::Gemini;
    let expected = RenderError::OtherKind { asked: Kind::Gemini, now: Kind::Codex };
    assert_eq!(case.render(&codex, &other), Err(expected));
}

#[test]
fn invariant_stdin_ends_at_the_prompt() {
    for name in ["codex", "gemini", "claude", "qwen", "wrapper"] {
        let agent = agent(&format!("[agents.{name}]"));
        let launch = Case::default().render(&agent, &ask(&agent, Access::Read, None, None));
        let launch = launch.unwrap();
        assert_eq!(launch.stdin, Stdin::Prompt, "{name}");
        assert!(!launch.argv.iter().any(|word| word == "hello"), "{name}: no prompt in argv");
    }
}

#[test]
fn values_keep_the_program_in_hand() {
    let table: [(&str, &str, Vars<'_>, &str); 8] = [
        ("[agents.codex]", PLAIN, &[], "LOOPWRIGHT_LAUNCH=2"),
        ("[agents.gemini]", PLAIN, &[], "LOOPWRIGHT_LAUNCH=2 GEMINI_CLI_NO_RELAUNCH=true"),
        ("[agents.qwen]", PLAIN, &[], "LOOPWRIGHT_LAUNCH=2 QWEN_CODE_NO_RELAUNCH=true"),
        ("[agents.claude]", PLAIN, &[], {
            "LOOPWRIGHT_LAUNCH=2 DISABLE_AUTOUPDATER=1 CLAUDE_CODE_MAX_RETRIES=2"
        }),
        ("[agents.claude]", "full", &[("CLAUDE_CODE_MAX_RETRIES", "9")], {
            "LOOPWRIGHT_LAUNCH=2 DISABLE_AUTOUPDATER=1 IS_SANDBOX=1"
        }),
        ("[agents.wrapper]", "5000", &[], "LOOPWRIGHT_LAUNCH=2 CODEX_TIMEOUT=35000"),
        ("[agents.wrapper]\nwall = \"3h\"", PLAIN, &[], {
            "LOOPWRIGHT_LAUNCH=2 CODEX_TIMEOUT=10830000"
        }),
        ("[agents.wrapper]\nbackend = \"gemini\"\nmodel = \"m\"", "5000", &[], {
            "LOOPWRIGHT_LAUNCH=2 GEMINI_CLI_NO_RELAUNCH=true CODEX_TIMEOUT=35000 GEMINI_MODEL=m"
        }),
    ];
    for (text, how, vars, expected) in table {
        let agent = agent(text);
        let full = how == "full";
        let case = Case {
            sandbox: if full { Sandbox::InForce } else { Sandbox::None },
            wall_ms: how.parse().unwrap_or(u64::MAX),
            vars,
            ..Case::default()
        };
        let access = if full { Access::Full } else { Access::Read };
        let launch = case.render(&agent, &ask(&agent, access, None, None)).unwrap();
        let said: Vec<String> =
            launch.env_set.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(said.join(" "), expected, "{text}");
    }
}

#[test]
fn own_state_is_where_the_program_keeps_it() {
    let home = ("HOME", "/h");
    let table: [(&str, Vars<'_>, &[&str]); 8] = [
        ("[agents.codex]", &[home], &["/h/.codex"]),
        ("[agents.codex]", &[home, ("CODEX_HOME", "/c")], &["/c"]),
        ("[agents.codex]", &[home, ("CODEX_HOME", "rel")], &["/h/.codex"]),
        ("[agents.gemini]", &[home], &["/h/.gemini"]),
        ("[agents.claude]", &[home, ("CLAUDE_CONFIG_DIR", "/d")], &["/d", "/h/.claude.json"]),
        ("[agents.qwen]", &[home], &["/h/.qwen"]),
        ("[agents.wrapper]\nbackend = \"gemini\"", &[home], &["/h/.gemini"]),
        ("[agents.codex]", &[], &[]),
    ];
    for (text, vars, expected) in table {
        let agent = agent(text);
        let case = Case { vars, ..Case::default() };
        let launch = case.render(&agent, &ask(&agent, Access::Read, None, None)).unwrap();
        let expected: Vec<&Path> = expected.iter().map(Path::new).collect();
        assert_eq!(launch.own_state, expected, "{text}");
    }
}
