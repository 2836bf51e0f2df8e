//! The scripted session every crash is tried on: commands that follow one another, as a person
//! types them. A plan is cancelled, a flow stands at its design while others look and are refused,
//! one takes its place, and the next goes to its end and leaves nothing to the last.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use super::asked::effects;
use super::broken::{Broken, ensure};
use super::house::{Engine, House, LOOK_EVERY, PATIENCE, Tenant, ended};
use super::play::{Play, Story, Whose};
use super::script;

/// The session as a play.
pub const SESSIONS: Play = Play { whose: Whose::AnyHand, house, begin, go_on, story, holds };

/// The agent leaves its lines here, beside the work tree.
const DONE: &str = "done.jsonl";
const SETTINGS: &str = "[verify]\ncommands = [{ argv = [\"test\", \"-f\", \"main.sh\"], \
    parser = \"exit\", level = \"test\" }]\n";
const AGENT: &str = r#"
effects = "${CWD}/../done.jsonl"
[[rule]]
when = "Read this project"
steps = [ { session = "auto" }, { effect = "read" }, { say = "One shell script." }, "end" ]
[[rule]]
when = "Design a solution"
steps = [ { session = "auto" }, { effect = "design" },
  { say = '''{"feature":"greeting","type":"implementation","kind":"feature","goal":"greet",
    "approach":"write a file","tasks":[{"id":"1.1","title":"Write hello.txt",
    "files":["hello.txt"],"verify":"grep -q hello hello.txt","depends":[]}]}''' }, "end" ]
[[rule]]
when = "Write hello.txt"
steps = [ { session = "auto" }, { write = { path = "hello.txt", text = "hello\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;
const WISH: &str = "Add a `hello.txt` greeting file; it should contain hello and a test must show \
    it, errors should fail the check, only touch that file, no new dependencies";
/// What the agent did, each once: two flows came to a design, one of them went on.
const ONCE: [&str; 5] = ["design", "design", "hello.txt", "read", "read"];
/// Engines may die under one command, and what was not acknowledged is said again.
const TRIES_MAX: usize = 8;
/// What a child tells in between depends on when it is looked at.
const WHEN_SEEN: &str = "ChildAsked";

fn house(exe: &Path) -> Result<House, Broken> {
    let house = House::new(exe, SETTINGS, Tenant::Us)?;
    fs::write(house.work.join("main.sh"), "echo one\n")?;
    let file = house.top.join("home/alpha.toml");
    fs::write(&file, AGENT)?;
    house.configure(&format!(
        "[agents.alpha]\nkind = \"script\"\nscenario = {file:?}\n[turn]\nagents = [\"alpha\"]\n\
         [session]\ndesigners = [\"alpha\"]\n"
    ))?;
    for args in [
        &["init", "-q", "-b", "main"][..],
        &["add", "-A"],
        &["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "first"],
    ] {
        let made = Command::new("git").args(args).current_dir(&house.work).status()?;
        ensure(made.success(), || format!("git {args:?}"))?;
    }
    house.ask(&["workspace", "trust"])?;
    Ok(house)
}

/// Where the session stands: its view, and the kinds of its facts.
struct Stand {
    view: Value,
    facts: Vec<String>,
}

impl Stand {
    fn of(house: &House) -> Result<Self, Broken> {
        let view = house.ask(&["status"])?;
        let log = match view["session_id"].as_str() {
            Some(id) => house.run(&["log", id, "--json"])?.json()["data"].clone(),
            None => Value::Null,
        };
        let kinds = log.as_array().into_iter().flatten();
        let facts = kinds.map(|entry| entry["kind"].as_str().unwrap_or_default().to_owned());
        Ok(Self { facts: facts.collect(), view })
    }

    fn count(&self, kind: &str) -> usize {
        self.facts.iter().filter(|fact| *fact == kind).count()
    }

    /// The kind of the one open question, if there is one.
    fn asks(&self) -> &str {
        self.view["questions"][0]["kind"].as_str().unwrap_or_default()
    }

    /// Mode, stage and status, as the variables tell them.
    fn told(&self) -> String {
        let word = |name: &str| self.view["vars"][name].as_str().unwrap_or("-").to_owned();
        let names = ["WORKFLOW_MODE", "CURRENT_STAGE", "EXEC_STATUS"];
        names.map(word).join(" ")
    }
}

/// One thing that is typed, by nobody at a terminal: by which facts it is seen to have been taken,
/// and where it leads.
struct Typed<'a> {
    args: &'a [&'a str],
    /// A kind of fact, and how many of them there are once it was taken.
    taken: (&'a str, usize),
    /// The question that is open then, and what the variables tell.
    stands: (&'a str, &'a str),
}

/// Types it, again only where it was not taken, and waits until it has led where it leads.
fn typed(house: &House, typed: &Typed<'_>) -> Result<(), Broken> {
    let (kind, count) = typed.taken;
    for _ in 0..TRIES_MAX {
        if Stand::of(house)?.count(kind) >= count {
            break;
        }
        house.run(&[typed.args, &["--json"]].concat())?;
    }
    let mut own = None;
    let give_up = Instant::now() + PATIENCE;
    loop {
        // Whoever typed it may have gone with the engine: another one goes on by itself.
        if own.is_none() && house.ask(&["engine", "status"])?["running"] != true {
            own = Some(Engine::start(house, &[])?);
        }
        let now = Stand::of(house)?;
        if now.count(kind) >= count && (now.asks(), now.told().as_str()) == typed.stands {
            break;
        }
        ensure(Instant::now() < give_up, || {
            format!("{:?} stands at {} {}: {:?}", typed.args, now.asks(), now.told(), now.facts)
        })?;
        std::thread::sleep(LOOK_EVERY);
    }
    let Some(mut own) = own else { return Ok(()) };
    house.run(&["engine", "stop"])?;
    ended(&mut own.child, PATIENCE)?.ok_or_else(|| Broken("the engine stays".into())).map(drop)
}

const IDLE: (&str, &str) = ("", "INTERACTIVE - IDLE");
const AT_DESIGN: (&str, &str) = ("session.design_done", "INTERACTIVE DESIGN WAITING");

/// A plan that is confirmed by nobody.
fn begin(house: &House) -> Result<String, Broken> {
    let stands = ("session.complexity", "AUTO_PLAN EVALUATE WAITING");
    typed(house, &Typed { args: &["plan", WISH], taken: ("CommandAccepted", 1), stands })?;
    let view = Stand::of(house)?.view;
    Ok(view["session_id"].as_str().unwrap_or_default().to_owned())
}

fn go_on(house: &House, _: &str) -> Result<(), Broken> {
    let one = |args, taken, stands| typed(house, &Typed { args, taken, stands });
    one(&["cancel"], ("UnitCancelled", 1), IDLE)?;
    let designs = ["auto", WISH, "--answer", "complexity=interactive"];
    one(&designs, ("CommandAccepted", 2), AT_DESIGN)?;
    // What only looks changes nothing, and what would run beside it is refused.
    house.run(&["help"])?;
    one(&["validate", "all", "--answer", "validate_result=report"], ("FramePopped", 1), AT_DESIGN)?;
    let refused = house.run(&["plan", "x", "--json"])?;
    let code = refused.json()["error"]["code"].clone();
    ensure(refused.code != 0 && (code == json!("session.flow_active") || !code.is_null()), || {
        format!("a second flow began: {refused:?}")
    })?;
    let stands = ("session.complexity", "AUTO_PLAN EVALUATE WAITING");
    one(&["plan", WISH, "--replace"], ("CommandAccepted", 3), stands)?;
    one(&["cancel"], ("UnitCancelled", 3), IDLE)?;
    one(&["auto", WISH, "--yes"], ("CommandAccepted", 4), IDLE)?;
    one(&["exec", "no-such-package"], ("UnitFailed", 1), IDLE)
}

fn story(house: &House, _: &str) -> Result<Story, Broken> {
    let stand = Stand::of(house)?;
    let mut facts = stand.facts.clone();
    facts.retain(|fact| !fact.contains(WHEN_SEEN));
    // What a look finds first is the hands' whim.
    facts.sort();
    let read = |path: &str| fs::read_to_string(house.work.join(path)).unwrap_or_default();
    let index = read("loopwright/archive/_index.md");
    let ends = vec![
        stand.told(),
        format!("hello.txt {:?}", read("hello.txt")),
        // Two packages of one minute are two versions of a name.
        format!("archived {}", index.lines().filter(|line| line.starts_with("| 20")).count()),
        format!("logged {}", read("loopwright/CHANGELOG.md").matches("_greeting").count()),
    ];
    Ok(Story { facts, ends })
}

fn holds(house: &House, id: &str, expected: &Story) -> Result<(), Broken> {
    let told = story(house, id)?;
    ensure(told == *expected, || format!("another story: {told:?}, not {expected:?}"))?;
    let done = effects(&house.top.join(DONE))?;
    ensure(done == ONCE, || format!("done: {done:?}"))?;
    script::untouched(house)?;
    script::whole(house)
}
