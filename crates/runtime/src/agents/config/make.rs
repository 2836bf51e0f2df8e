//! From settings that fit their shapes to an agent, or to what is wrong with it as a whole. It
//! reads no file; the settings' layers have.

use kernel::agent::{Access, Kind};

use super::agent::{AgentConfig, InnerSandbox, Own, Wrapped};
use super::owned;
use super::template::{
    self, Final, Output, Pointer, SessionFrom, Slot, StdinFrom, Template, TemplateError,
};
use crate::config::{self, KINDS, Problem, Value};

/// Agents that need no configuration: their name is their kind.
pub const BUILT_IN: &[&str] = &["codex", "gemini", "claude", "qwen", "wrapper"];
/// The variable that names the wrapper's program in older set-ups.
pub const BIN_VAR: &str = "CCG_BIN";

/// What is wrong, by the last part of the setting's name.
pub type Wrong = Vec<(&'static str, Problem)>;

/// Looks a setting of one agent up.
type Get<'a> = &'a dyn Fn(&str) -> Option<&'a Value>;

/// Settings that every kind takes.
const COMMON: &[&str] = &[
    "kind",
    "env",
    "model",
    "access_max",
    "wall",
    "idle",
    "spool_bytes",
    "unsandboxed",
    "resume_at_reset",
];

/// Settings that only some kinds take.
const fn own_keys(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Codex => &["bin", "args", "inner_sandbox", "tools"],
        Kind::Gemini => &["bin", "args", "mentions"],
        Kind::Claude => &["bin", "args", "mentions", "project_settings", "tools"],
        Kind::Qwen => &["bin", "args", "mentions", "auth_type"],
        Kind::Wrapper => &["bin", "mentions", "backend", "lite"],
        Kind::Command => &[
            "argv",
            "argv_resume",
            "stdin",
            "output",
            "text",
            "session",
            "error",
            "usage",
            "final",
            "ok_exit",
        ],
        Kind::Script => &["scenario"],
    }
}

/// Makes an agent.
///
/// # Errors
/// Everything that is wrong with it.
pub fn make(name: &str, call: &config::Call, get: Get<'_>) -> Result<AgentConfig, Wrong> {
    let read = Reader(get);
    let kind = read.text("kind").unwrap_or(name);
    let Some(kind) = Kind::named(kind) else {
        return Err(vec![("kind", Problem::NotListed { known: KINDS })]);
    };
    let mut wrong = foreign_keys(kind, get);
    let args = read.texts("args");
    if let Some(flag) = owned::flag(kind, &args) {
        wrong.push(("args", Problem::OwnedFlag { flag }));
    }
    let own = match own(kind, &read) {
        Ok(own) => own,
        Err(more) => {
            wrong.extend(more);
            return Err(wrong);
        }
    };
    if let Own::Wrapper { backend, .. } = own
        && backend.kind() != Kind::Gemini
        && read.text("model").is_some()
    {
        wrong.push(("model", Problem::NotForKind { kind: backend.kind().name() }));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(AgentConfig {
        name: name.to_owned(),
        bin: read.text("bin").map(str::to_owned),
        model: read.text("model").map(str::to_owned),
        args,
        env: read.texts("env"),
        access_max: read.text("access_max").and_then(Access::named).unwrap_or(Access::Full),
        unsandboxed: read.bool("unsandboxed"),
        mentions: read.bool("mentions"),
        resume_at_reset: read.bool("resume_at_reset"),
        tools: read.bool("tools"),
        wall_ms: read.whole("wall").unwrap_or(call.timeout.agent_ms),
        idle_ms: read.whole("idle").unwrap_or(call.timeout.idle_ms),
        spool_bytes: read.whole("spool_bytes").unwrap_or(call.spool_bytes),
        own,
    })
}

/// Settings that this kind would not look at.
fn foreign_keys(kind: Kind, get: Get<'_>) -> Wrong {
    let keys = config::AGENTS.keys.iter().map(|key| key.name);
    let foreign = keys.filter(|leaf| {
        let known = [COMMON, own_keys(kind)].iter().any(|all| all.contains(leaf));
        !known && get(leaf).is_some()
    });
    foreign.map(|leaf| (leaf, Problem::NotForKind { kind: kind.name() })).collect()
}

fn own(kind: Kind, read: &Reader<'_>) -> Result<Own, Wrong> {
    match kind {
        Kind::Codex => Ok(Own::Codex {
            inner_sandbox: match read.text("inner_sandbox") {
                Some("on") => InnerSandbox::On,
                Some("off") => InnerSandbox::Off,
                Some(_) | None => InnerSandbox::Auto,
            },
        }),
        Kind::Gemini => Ok(Own::Gemini),
        Kind::Claude => Ok(Own::Claude { project_settings: read.bool("project_settings") }),
        Kind::Qwen => Ok(Own::Qwen { auth_type: read.text("auth_type").map(str::to_owned) }),
        Kind::Wrapper => {
            let word = read.text("backend").unwrap_or("codex");
            let found = Wrapped::ALL.into_iter().find(|one| one.kind().name() == word);
            let backend = found.unwrap_or(Wrapped::Codex);
            Ok(Own::Wrapper { backend, lite: read.bool("lite") })
        }
        Kind::Command => command(read).map(|template| Own::Command(Box::new(template))),
        Kind::Script => match read.text("scenario") {
            Some(path) => Ok(Own::Script { scenario: path.into() }),
            None => Err(vec![("scenario", Problem::Missing)]),
        },
    }
}

fn command(read: &Reader<'_>) -> Result<Template, Wrong> {
    let mut wrong = Wrong::new();
    let argv = line(read, "argv", Resumes::No, &mut wrong);
    if argv.is_none() && wrong.is_empty() {
        wrong.push(("argv", Problem::Missing));
    }
    let argv_resume = line(read, "argv_resume", Resumes::Yes, &mut wrong);
    let output = match read.text("output") {
        Some("json") => Output::Json,
        Some("jsonl") => Output::Jsonl { end: end(read) },
        Some(_) | None => Output::Text,
    };
    for leaf in unread(read, &output) {
        wrong.push((leaf, Problem::NotForKind { kind: "output = \"text\"" }));
    }
    // A conversation that we name is one call; nothing knows it by that name.
    if argv_resume.is_some() && read.text("session") == Some("local") {
        wrong.push(("argv_resume", Problem::NotForKind { kind: "session = \"local\"" }));
    }
    let pointer = |leaf: &str| read.text(leaf).map(|text| Pointer(text.to_owned()));
    match argv {
        Some(argv) if wrong.is_empty() => Ok(Template {
            argv,
            argv_resume,
            stdin: match read.text("stdin") {
                Some("none") => StdinFrom::Nothing,
                Some(_) | None => StdinFrom::Prompt,
            },
            output,
            text: pointer("text"),
            error: pointer("error"),
            usage: pointer("usage"),
            session: match read.text("session") {
                None | Some("none") => SessionFrom::Nothing,
                Some("local") => SessionFrom::Local,
                Some(text) => SessionFrom::Told(Pointer(text.to_owned())),
            },
            ok_exit: read.exits("ok_exit"),
        }),
        Some(_) | None => Err(wrong),
    }
}

/// Pointers mean nothing in plain text.
fn unread(read: &Reader<'_>, output: &Output) -> Vec<&'static str> {
    let set = |leaf: &&str| (read.0)(leaf).is_some();
    match output {
        Output::Text => ["text", "error", "usage", "final"].into_iter().filter(set).collect(),
        Output::Json => ["final"].into_iter().filter(set).collect(),
        Output::Jsonl { .. } => Vec::new(),
    }
}

/// Whether a command line goes on with a conversation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resumes {
    Yes,
    No,
}

fn line(
    read: &Reader<'_>,
    leaf: &'static str,
    resumes: Resumes,
    wrong: &mut Wrong,
) -> Option<Vec<template::Word>> {
    (read.0)(leaf)?;
    let all = read.texts(leaf);
    let filled = |slot: Slot| match slot {
        Slot::Model => read.text("model").is_some(),
        Slot::Session => resumes == Resumes::Yes,
        Slot::PromptFile | Slot::Prompt | Slot::Workdir | Slot::CallDir => true,
    };
    let good = all.first().is_some_and(|program| config::is_program(program));
    let problem = match template::words(&all, filled) {
        Ok(words) if good => return Some(words),
        Ok(_) | Err(TemplateError::Program) => {
            Problem::Shape { expected: "[\"program\", \"{prompt_file}\"]" }
        }
        Err(TemplateError::Unknown(_)) => Problem::UnknownHole { known: Slot::NAMES },
        Err(TemplateError::Unset(slot)) => Problem::UnsetHole { name: slot.name() },
    };
    wrong.push((leaf, problem));
    None
}

fn end(read: &Reader<'_>) -> Option<Final> {
    let Some(Value::Json(data)) = (read.0)("final") else { return None };
    let pointer = Pointer(data.get("pointer")?.as_str()?.to_owned());
    Some(Final { pointer, equals: data.get("equals")?.clone() })
}

/// Takes checked values out; one of another shape cannot be there and counts as not set.
struct Reader<'a>(Get<'a>);

impl<'a> Reader<'a> {
    fn text(&self, leaf: &str) -> Option<&'a str> {
        if let Some(Value::Text(text)) = (self.0)(leaf) { Some(text) } else { None }
    }

    fn texts(&self, leaf: &str) -> Vec<String> {
        if let Some(Value::Texts(all)) = (self.0)(leaf) { all.clone() } else { Vec::new() }
    }

    fn bool(&self, leaf: &str) -> bool {
        matches!((self.0)(leaf), Some(Value::Bool(true)))
    }

    fn whole(&self, leaf: &str) -> Option<u64> {
        if let Some(Value::Whole(number)) = (self.0)(leaf) { Some(*number) } else { None }
    }

    fn exits(&self, leaf: &str) -> Vec<u8> {
        if let Some(Value::Exits(all)) = (self.0)(leaf) { all.clone() } else { vec![0] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{File, Layers, Resolved, Source, resolve};
    use crate::words::Lang;

    fn read(text: &str) -> Result<Resolved, Vec<config::Fault>> {
        let workspace = Some(File { name: "loopwright.toml", text });
        resolve(&Layers { workspace, ..Layers::default() })
    }

    fn fault(text: &str) -> (String, &'static str) {
        let faults = read(text).unwrap_err();
        (faults[0].say(Lang::En), faults[0].code())
    }

    const ARGS: &str = "E_INVALID_ARGS";

    /// A file, the beginning of what is said about it behind its name, and the code.
    const WRONG: &[(&str, &str, &str)] = &[
        ("[agents.codex]\nbn = \"x\"", "2: unknown setting agents.codex.bn; nearest: ", ARGS),
        ("[agents.codex.x]\nbin = \"x\"", "2: agents.codex.x must be named by", ARGS),
        ("[agents.Codex]", "1: agents.Codex must be named by small letters", ARGS),
        ("agents = 1", "1: unknown setting agents", ARGS),
        ("[agents.mine]", "1: agents.mine.kind wants one of codex, gemini, ", ARGS),
        ("[agents.mine]\nkind = \"acp\"", "2: agents.mine.kind wants one of", ARGS),
        ("[agents.codex]\nbin = \"./codex\"", "2: agents.codex.bin wants \"name\"", ARGS),
        ("[agents.codex]\nwall = \"25h\"", "2: agents.codex.wall must be 1 to", ARGS),
        ("[agents.codex]\nargs = \"-x\"", "2: agents.codex.args wants [\"a\"", ARGS),
        ("[agents.codex]\nenv = [\"A=1\"]", "2: agents.codex.env wants", ARGS),
        ("[agents.codex]\naccess_max = \"all\"", "2: agents.codex.access_max wants one", ARGS),
        ("[agents.codex]\nmentions = true", "2: agents.codex.mentions means nothing", ARGS),
        ("[agents.gemini]\nbackend = \"codex\"", "2: agents.gemini.backend means", ARGS),
        ("[agents.gemini]\ntools = true", "2: agents.gemini.tools means nothing", ARGS),
        ("[agents.wrapper]\nmodel = \"m\"", "2: agents.wrapper.model means nothing", ARGS),
        ("[agents.script]", "1: agents.script.scenario is needed", ARGS),
        ("[agents.x]\nkind = \"command\"", "2: agents.x.argv is needed", ARGS),
        (
            "[agents.claude]\nargs = [\"--add-dir\", \"x\", \"-p\"]",
            "2: agents.claude.args names -p, which",
            "agent.invalid_args",
        ),
        (
            "[agents.codex]\nargs = [\"-c\", \"sandbox_mode=x\"]",
            "2: agents.codex.args names sandbox_mode",
            "agent.invalid_args",
        ),
        (
            "[agents.x]\nkind = \"command\"\nargv = [\"p\", \"{promt}\"]",
            "3: agents.x.argv has an unknown placeholder; known: {prompt_file} {prompt} ",
            "E002",
        ),
        (
            "[agents.x]\nkind = \"command\"\nargv = [\"p\", \"{model}\"]",
            "3: agents.x.argv uses the placeholder \"model\"",
            "E002",
        ),
        (
            "[agents.x]\nkind = \"command\"\nargv = [\"p\", \"{session}\"]",
            "3: agents.x.argv uses the placeholder \"session\"",
            "E002",
        ),
        (
            "[agents.x]\nkind = \"command\"\nargv = [\"{workdir}/p\"]",
            "3: agents.x.argv wants",
            ARGS,
        ),
        ("[agents.x]\nkind = \"command\"\nargv = [\"./p\"]", "3: agents.x.argv wants", ARGS),
        (
            "[agents.x]\nkind = \"command\"\nargv = [\"p\"]\ntext = \"/a\"",
            "4: agents.x.text means nothing with output = \"text\"",
            ARGS,
        ),
        (
            "[agents.x]\nkind = \"command\"\nargv = [\"p\"]\nsession = \"local\"\n\
             argv_resume = [\"p\", \"{session}\"]",
            "5: agents.x.argv_resume means nothing with session = \"local\"",
            ARGS,
        ),
    ];

    #[test]
    fn what_is_wrong_with_an_agent_is_named() {
        for (text, expected, code) in WRONG {
            let (said, told) = fault(text);
            let said = said.strip_prefix("loopwright.toml:").unwrap_or(&said).to_owned();
            assert!(said.starts_with(expected), "{text:?}: {said}");
            assert_eq!(told, *code, "{text:?}");
        }
    }

    #[test]
    fn all_faults_of_an_agent_are_told_at_once() {
        let text = "[agents.codex]\nlite = true\nmentions = true\nargs = [\"--json\"]";
        assert_eq!(read(text).unwrap_err().len(), 3);
    }

    #[test]
    fn five_agents_need_no_configuration() {
        let settings = read("[call.timeout]\nagent = \"10m\"\n").unwrap().settings;
        let names: Vec<&str> = settings.agents.keys().map(String::as_str).collect();
        assert_eq!(names, ["claude", "codex", "gemini", "qwen", "wrapper"]);
        let codex = &settings.agents["codex"];
        assert_eq!((codex.kind(), codex.wall_ms, codex.idle_ms), (Kind::Codex, 600_000, 300_000));
        assert_eq!((codex.access_max, codex.unsandboxed), (Access::Full, false));
        assert_eq!(codex.own, Own::Codex { inner_sandbox: InnerSandbox::Auto });
    }

    #[test]
    fn a_command_is_read_whole() {
        let text = "[agents.mine]\nkind = \"command\"\nmodel = \"m\"\nidle = 0\n\
            argv = [\"p\", \"-m\", \"{model}\"]\nargv_resume = [\"p\", \"-r={session}\"]\n\
            stdin = \"none\"\noutput = \"jsonl\"\ntext = \"/t\"\nsession = \"/id\"\n\
            final = { pointer = \"/k\", equals = \"end\" }\nok_exit = [0, 3]\n";
        let settings = read(text).unwrap().settings;
        let mine = &settings.agents["mine"];
        assert_eq!((mine.kind(), mine.idle_ms), (Kind::Command, 0));
        let Own::Command(template) = &mine.own else { panic!("{mine:?}") };
        assert_eq!(
            (template.stdin, template.ok_exit.as_slice()),
            (StdinFrom::Nothing, &[0, 3][..])
        );
        assert_eq!(template.session, SessionFrom::Told(Pointer("/id".into())));
        let end = Final { pointer: Pointer("/k".into()), equals: "end".into() };
        assert_eq!(template.output, Output::Jsonl { end: Some(end) });
    }

    #[test]
    fn layers_speak_about_single_settings_of_an_agent() {
        let env = [("CCG_BIN".to_owned(), "/opt/wrapper".to_owned())];
        let layers = Layers {
            user: Some(File { name: "u", text: "[agents.codex]\nmodel = \"a\"\nlite = true\n" }),
            ..Layers::default()
        };
        assert!(resolve(&layers).is_err(), "a key of another kind");
        let layers = Layers {
            user: Some(File { name: "u", text: "[agents.codex]\nmodel = \"a\"\nwall = 5\n" }),
            workspace: Some(File { name: "w", text: "[agents.codex]\nmodel = \"b\"\n" }),
            env: &env,
            flags: &[("agents.codex.idle", "7s")],
            ..Layers::default()
        };
        let resolved = resolve(&layers).unwrap();
        let codex = &resolved.settings.agents["codex"];
        assert_eq!(codex.model.as_deref(), Some("b"));
        assert_eq!((codex.wall_ms, codex.idle_ms), (5, 7000));
        let told: Vec<(&str, Source)> = resolved
            .held
            .iter()
            .filter(|held| held.key.starts_with("agents."))
            .map(|held| (held.key.as_str(), held.source))
            .collect();
        let expected = [
            ("agents.claude.kind", Source::BuiltIn),
            ("agents.codex.kind", Source::BuiltIn),
            ("agents.codex.model", Source::Workspace),
            ("agents.codex.wall", Source::User),
            ("agents.codex.idle", Source::Flag),
            ("agents.gemini.kind", Source::BuiltIn),
            ("agents.qwen.kind", Source::BuiltIn),
            ("agents.wrapper.kind", Source::BuiltIn),
            ("agents.wrapper.bin", Source::Environment),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_file_names_the_wrapper_before_the_environment_does() {
        let env = [("CCG_BIN".to_owned(), "/opt/wrapper".to_owned())];
        let text = "[agents.wrapper]\nbin = \"mine\"\n[agents.two]\nkind = \"wrapper\"\n";
        let workspace = Some(File { name: "w", text });
        let resolved = resolve(&Layers { workspace, env: &env, ..Layers::default() }).unwrap();
        let bin = |name: &str| resolved.settings.agents[name].bin.clone();
        assert_eq!(bin("wrapper").as_deref(), Some("mine"));
        assert_eq!(bin("two").as_deref(), Some("/opt/wrapper"));
        assert_eq!(bin("codex"), None);
    }
}
