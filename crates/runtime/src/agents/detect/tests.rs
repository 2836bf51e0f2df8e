//! Looks at small real programs: missing, locked, hanging, flooding, lacking, and one that the work
//! tree would like to be taken for.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::*;
use crate::config::{File, Layers, resolve};
use crate::shim::procfs;

/// A work tree, a directory of programs outside it, and an empty home.
struct World {
    dir: tempfile::TempDir,
}

const CODEX_HELP: &str = "--json --skip-git-repo-check -c, --config -m \
                          --dangerously-bypass-approvals-and-sandbox";

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["work/bin", "bin", "home", "cache"] {
            fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        Self { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a program through another process: a descriptor of ours, open for writing while some
    /// other test forks, would make it busy.
    fn program(&self, name: &str, body: &str) -> PathBuf {
        self.file(name, &format!("#!/bin/sh\n{body}\n"))
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        let mut tee =
            Command::new("tee").arg(&path).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let tee = tee.as_mut().unwrap();
        tee.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        tee.wait().unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn site(&self, wait_ms: u64) -> Site {
        let text = |name: &str| self.path(name).to_str().unwrap().to_owned();
        let path = format!("{}:{}:/usr/bin:/bin", text("work/bin"), text("bin"));
        let var = |name: &str, value: String| (OsString::from(name), OsString::from(value));
        Site {
            root: self.path("work"),
            exe: PathBuf::from("/opt/loopwright"),
            cache: self.path("cache"),
            env: vec![
                var("PATH", path),
                var("HOME", text("home")),
                var("OPENAI_API_KEY", "sk-1".to_owned()),
                var("LOOPWRIGHT_TOKEN", "t".to_owned()),
            ],
            extra: Extra::default(),
            sandbox: Sandbox::None,
            wait: Duration::from_millis(wait_ms),
        }
    }
}

fn agent(text: &str) -> AgentConfig {
    let layers = Layers { user: Some(File { name: "u", text }), ..Layers::default() };
    let name = text.trim_start_matches("[agents.").split(']').next().unwrap();
    resolve(&layers).unwrap().settings.agents[name].clone()
}

/// A program that answers as codex does.
fn answers_as_codex(help: &str) -> String {
    format!("case \"$1\" in --version) echo codex-cli 0.166.0;; *) echo '{help}';; esac")
}

/// Long enough for a shell script on a busy machine; a test that meets it has failed anyway.
const AMPLE_MS: u64 = 60_000;

#[test]
fn a_program_that_answers_is_ready() {
    let world = World::new();
    let path = world.program("bin/codex", &answers_as_codex(CODEX_HELP));
    let found = look(&world.site(AMPLE_MS), &agent("[agents.codex]"));
    assert_eq!((found.state, &found.hint), (State::Ready, &Hint::Nothing));
    assert_eq!(found.path, Some(path));
    assert_eq!(found.version.as_deref(), Some("0.166.0"));
    assert_eq!(found.access, [Access::Read, Access::Edit]);
    assert!(found.flags.lists("--json") && found.refusal().is_none());
}

#[test]
fn what_is_wrong_has_a_word_and_a_code() {
    let old = "case \"$1\" in --version) echo 0.1.0;; *) echo '--json -c';; esac";
    let lacks = Hint::Lacks { flag: "--skip-git-repo-check", package: Some("@openai/codex") };
    let table = [
        (None, State::Missing, Hint::Install { package: Some("@openai/codex") }, "E001"),
        (Some(old.to_owned()), State::TooOld, lacks.clone(), "E002"),
        (Some(answers_as_codex("--json -c")), State::Unusable, lacks, "E002"),
        (Some("exit 3".to_owned()), State::Unusable, Hint::Fails { code: Some(3) }, "E003"),
        (Some("kill -9 $$".to_owned()), State::Unusable, Hint::Fails { code: None }, "E003"),
        (Some("yes".to_owned()), State::Unusable, Hint::Floods, "E003"),
    ];
    for (body, state, hint, code) in table {
        let world = World::new();
        if let Some(body) = &body {
            world.program("bin/codex", body);
        }
        let site = world.site(AMPLE_MS);
        let found = look(&site, &agent("[agents.codex]"));
        assert_eq!((found.state, &found.hint), (state, &hint), "{body:?}");
        let (refused, known) = start_check(&site, &agent("[agents.codex]")).unwrap_err();
        assert_eq!((refused, *known), (code, found), "{body:?}");
    }
}

#[test]
fn a_file_that_may_not_run_is_named() {
    let world = World::new();
    let path = world.program("bin/codex", "exit 0");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let found = look(&world.site(AMPLE_MS), &agent("[agents.codex]"));
    assert_eq!((found.state, &found.hint), (State::Unusable, &Hint::NotExecutable));
    assert_eq!((found.refusal(), &found.path), (Some("E001"), &Some(path)));
}

#[test]
fn a_program_that_is_no_program_is_a_finding() {
    let world = World::new();
    world.file("bin/codex", "#!/no/such/interpreter\n");
    let found = look(&world.site(AMPLE_MS), &agent("[agents.codex]"));
    let hint = Hint::NotStarted { why: std::io::ErrorKind::NotFound };
    assert_eq!((found.state, found.hint), (State::Unusable, hint));
}

#[test]
fn a_program_that_hangs_is_left_in_time_and_leaves_nothing() {
    let world = World::new();
    let pids = world.path("pids");
    // A child of its own session, a child in the background, and the program itself.
    let body = format!(
        "setsid sleep 987 & echo $! >> {0}; sleep 986 & echo $! >> {0}; echo $$ >> {0}; wait",
        pids.display()
    );
    world.program("bin/codex", &body);
    let begun = Instant::now();
    let found = look(&world.site(1_000), &agent("[agents.codex]"));
    assert_eq!((found.state, found.hint), (State::Unusable, Hint::Hangs));
    assert!(begun.elapsed() < Duration::from_secs(300), "it must not wait for the sleepers");
    let text = fs::read_to_string(&pids).unwrap();
    let alive: Vec<&str> = text
        .lines()
        .filter(|pid| procfs::stat(pid.parse().unwrap()).is_some_and(|stat| !stat.is_dead()))
        .collect();
    assert!(text.lines().count() >= 3 && alive.is_empty(), "{text} left {alive:?}");
}

#[test]
fn what_a_program_leaves_behind_a_good_exit_is_ended_too() {
    let world = World::new();
    let pids = world.path("pids");
    let body = format!(
        "setsid sleep 985 & echo $! >> {}\n{}",
        pids.display(),
        answers_as_codex(CODEX_HELP)
    );
    world.program("bin/codex", &body);
    assert_eq!(look(&world.site(AMPLE_MS), &agent("[agents.codex]")).state, State::Ready);
    let text = fs::read_to_string(&pids).unwrap();
    let dead = |pid: &str| procfs::stat(pid.parse().unwrap()).is_none_or(|stat| stat.is_dead());
    assert!(text.lines().count() == 2 && text.lines().all(dead), "{text}");
}

#[test]
fn a_program_of_the_work_tree_is_not_used() {
    let world = World::new();
    let trap = world.path("ran");
    world.program("work/bin/codex", &format!("touch {}", trap.display()));
    let site = world.site(AMPLE_MS);
    assert_eq!(look(&site, &agent("[agents.codex]")).state, State::Missing);
    let outside = world.program("bin/codex", &answers_as_codex(CODEX_HELP));
    assert_eq!(look(&site, &agent("[agents.codex]")).path, Some(outside));
    assert!(!trap.exists());
}

#[test]
fn a_link_into_the_work_tree_is_no_way_around() {
    let world = World::new();
    world.program("work/bin/codex", "exit 0");
    std::os::unix::fs::symlink(world.path("work/bin"), world.path("link")).unwrap();
    let root = world.path("work");
    for path in [world.path("link"), root.join("../link"), root.join("../work/bin")] {
        assert_eq!(find("codex", path.as_os_str(), &root), Err(Missing::NotFound), "{path:?}");
    }
    assert_eq!(find("../codex", "/usr/bin".as_ref(), &root), Err(Missing::NotFound));
    assert_eq!(find("codex", ".:".as_ref(), &root), Err(Missing::NotFound));
}

#[test]
fn answers_are_kept_for_the_same_file_only() {
    let world = World::new();
    let count = world.path("count");
    let asked = format!("echo x >> {}\n", count.display());
    let codex = agent("[agents.codex]");
    let path = world.program("bin/codex", &(asked.clone() + &answers_as_codex(CODEX_HELP)));
    let site = world.site(AMPLE_MS);
    let lines = || fs::read_to_string(&count).unwrap().lines().count();
    let first = look(&site, &codex);
    assert_eq!(lines(), 2, "version and help");
    assert_eq!((look(&site, &codex), lines()), (first, 2));
    fs::remove_file(&path).unwrap();
    world.program("bin/codex", &(asked + &answers_as_codex("--json  -c")));
    assert_eq!(look(&site, &codex).state, State::Unusable);
    assert_eq!(lines(), 4, "another file is asked again");
    for entry in fs::read_dir(world.path("cache")).unwrap() {
        fs::write(entry.unwrap().path(), "{").unwrap();
    }
    assert_eq!(look(&site, &codex).state, State::Unusable);
    assert_eq!(lines(), 6, "an entry that cannot be read is not there");
}

#[test]
fn a_question_gets_nothing_to_read_and_a_closed_environment() {
    let world = World::new();
    let seen = world.path("seen");
    let body = format!(
        "{{ pwd; ls -A; cat; env | sed 's/=.*//'; }} > {}; {}",
        seen.display(),
        answers_as_codex(CODEX_HELP)
    );
    world.program("bin/codex", &body);
    assert_eq!(look(&world.site(AMPLE_MS), &agent("[agents.codex]")).state, State::Ready);
    let text = fs::read_to_string(seen).unwrap();
    let (dir, rest) = text.split_once('\n').unwrap();
    assert!(dir.contains("loopwright-doctor-") && !Path::new(dir).exists(), "{dir}");
    assert!(rest.contains("OPENAI_API_KEY\n") && !rest.contains("LOOPWRIGHT_TOKEN"), "{rest}");
}

#[test]
fn signs_of_a_login_are_looked_for_and_not_read() {
    let world = World::new();
    let help = "--output-format --approval-mode --resume -m";
    world.program("bin/gemini", &format!("echo '0.61.0 {help}'"));
    let site = world.site(AMPLE_MS);
    let plain = agent("[agents.gemini]");
    let found = look(&site, &plain);
    assert_eq!(found.state, State::NeedsAuth);
    assert!(matches!(found.hint, Hint::LogIn { variables: ["GEMINI_API_KEY", ..] }));
    assert!(start_check(&site, &plain).is_ok(), "a guess does not stop a start");
    let listed = agent("[agents.gemini]\nenv = [\"OPENAI_API_KEY\"]");
    assert_eq!(look(&site, &listed).state, State::Ready);
    fs::create_dir(world.path("home/.gemini")).unwrap();
    let kept = world.path("home/.gemini/oauth_creds.json");
    fs::write(&kept, "secret").unwrap();
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o000)).unwrap();
    assert_eq!(look(&site, &plain).state, State::Ready);
}

#[test]
fn programs_that_might_do_anything_are_only_found() {
    let world = World::new();
    let trap = world.path("ran");
    let path = world.program("bin/mine", &format!("touch {}", trap.display()));
    let site = world.site(AMPLE_MS);
    let mine = agent("[agents.mine]\nkind = \"command\"\nargv = [\"mine\", \"{prompt_file}\"]");
    let found = look(&site, &mine);
    assert_eq!((found.state, found.path, found.version), (State::Ready, Some(path), None));
    assert!(!trap.exists());
    let script = agent("[agents.script]\nscenario = \"s.toml\"");
    let found = look(&site, &script);
    assert_eq!((found.state, found.hint), (State::Unusable, Hint::NoScenario));
    fs::write(world.path("work/s.toml"), "").unwrap();
    assert_eq!(look(&site, &script).state, State::Ready);
}

#[test]
fn several_are_looked_at_in_their_order() {
    let world = World::new();
    world.program("bin/codex", &answers_as_codex(CODEX_HELP));
    world.program("bin/codeagent-wrapper", "echo --progress; exit 1");
    let agents = [agent("[agents.wrapper]"), agent("[agents.qwen]"), agent("[agents.codex]")];
    let agents: Vec<&AgentConfig> = agents.iter().collect();
    let found = look_all(&world.site(AMPLE_MS), &agents);
    let words: Vec<(&str, &str)> =
        found.iter().map(|found| (found.agent.as_str(), found.state.word())).collect();
    assert_eq!(words, [("wrapper", "ready"), ("qwen", "missing"), ("codex", "ready")]);
    assert!(found[0].flags.lists("--progress"));
}
