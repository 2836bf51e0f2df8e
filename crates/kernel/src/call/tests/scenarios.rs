//! Cases with a story: each says a few commands and looks at where the call is, what it waits for
//! and what it cost.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::ending::failure;
use super::super::samples::{sample_commands, sample_states};
use super::super::{
    Answered, Ask, Budget, Call, Charge, Class, Command, Exit, Finding, Foreign, Launch, ParentNow,
    Request, Rules, SettleAs, State, StopWhy, TakeBack, UndoLevel, UndoResult, owed,
};
use super::describe::{apply, short};
use crate::machine::{At, By, Machine, Refusal as _, Said};
use crate::owed::Owed;
use crate::policy::{Verdict, grant::Scope};

/// A call that is told things, with a clock that only moves when told.
struct Told {
    state: State,
    now: At,
}

impl Told {
    fn from(sample: &str) -> Self {
        let found = sample_states().into_iter().find(|(name, _)| *name == sample);
        Self { state: found.expect("a sample of that name").1, now: At(2_000_000) }
    }

    fn asked(class: Class) -> Self {
        let mut told = Self { state: State::New, now: At(2_000_000) };
        told.say(ask(request(class), Rules::default())).unwrap();
        told
    }

    fn say(&mut self, command: Command) -> Result<String, &'static str> {
        self.say_by(By::Engine, command)
    }

    fn say_by(&mut self, by: By, command: Command) -> Result<String, &'static str> {
        let said = Said { by, at: self.now, command };
        let events = Call::decide(&self.state, &said).map_err(|refusal| refusal.reason())?;
        self.state = apply(&self.state, &events, &said);
        Ok(short(&self.state))
    }

    /// Says the sample command of that label.
    fn sample(&mut self, label: &str) -> Result<String, &'static str> {
        let found = sample_commands(&self.state).into_iter().find(|(name, _)| *name == label);
        let said = found.expect("a command of that label").1;
        self.say_by(said.by, said.command)
    }

    /// Lets the one owed timer fall due; answers how long that took.
    fn wait(&mut self) -> u64 {
        let timers: Vec<(String, At)> = owed(&self.state)
            .into_iter()
            .filter_map(|owed| match owed {
                Owed::Timer { slot, due } => Some((slot, due)),
                Owed::Child { .. } | Owed::Question { .. } | Owed::Effect { .. } => None,
            })
            .collect();
        let [(slot, due)] = timers.as_slice() else { panic!("not one timer: {timers:?}") };
        let waited_ms = due.since(self.now);
        self.now = *due;
        self.say_by(By::Timer, Command::Timeout { slot: slot.clone() }).unwrap();
        waited_ms
    }

    fn charge(&self) -> Charge {
        let State::Settled { charge, .. } = &self.state else {
            panic!("not settled: {:?}", self.state);
        };
        *charge
    }
}

fn request(class: Class) -> Request {
    let words = ["cargo", "test"].map(ToString::to_string);
    Request { argv: Vec::from(words), class, ..sample_request() }
}

fn sample_request() -> Request {
    Told::from("Asked").state.facts().expect("it was asked").request.clone()
}

fn ask(request: Request, rules: Rules) -> Command {
    Command::Ask(Box::new(Ask {
        key: "loop-1/leg/1".to_string(),
        request,
        parent: Some("loop-1".to_string()),
        parent_now: ParentNow::Active,
        verdict: Verdict::Allow { rule: "granted-at-start".to_string() },
        shown: None,
        pin: None,
        budget: Budget::Left,
        rules,
    }))
}

fn lost(told: &Told, launch: Launch) -> Command {
    Command::Lost { attempt: told.state.attempt().unwrap(), launch }
}

#[test]
fn a_read_that_fails_one_to_four_times() {
    for (failures, waited_ms, end) in [
        (1_u32, 200, "Ok"),
        (2, 700, "Ok"),
        (3, 1_700, "Ok"),
        (4, 1_700, "Failed E_IO/interrupted"),
    ] {
        let mut told = Told::asked(Class::Read);
        let mut waited = 0;
        for n in 1..=failures {
            told.sample("Prepared").unwrap();
            told.sample("Exited failed, retryable").unwrap();
            waited += if n <= 3 { told.wait() } else { 0 };
        }
        if failures < 4 {
            told.sample("Prepared").unwrap();
            told.sample("Exited ok").unwrap();
        }
        assert_eq!((short(&told.state).as_str(), waited), (end, waited_ms), "{failures} failures");
        let attempts = 4.min(failures + 1);
        let active_ms = 4_000 * u64::from(attempts);
        let charge = Charge { attempts, retries: attempts - 1, active_ms };
        assert_eq!(told.charge(), charge, "{failures} failures");
    }
}

#[test]
fn what_is_not_retried() {
    let missing = failure("E_IO", "not_found", "src/list.rs");
    let mut told = Told::asked(Class::Read);
    let end = told.say(Command::PrepareFailed { attempt: 1, failure: missing }).unwrap();
    assert_eq!((end.as_str(), told.charge().attempts), ("Failed E_IO/not_found", 1));

    let mut told = Told::asked(Class::Once);
    told.sample("Prepared").unwrap();
    assert_eq!(told.sample("Exited failed").unwrap(), "Failed E_BUILD_FAIL/exit");
}

#[test]
fn which_failures_a_read_may_try_again() {
    let check = |code: &str, kind: &str, detail: &str, expected: &str| {
        let failure = failure(code, kind, detail);
        let mut told = Told::asked(Class::Read);
        let end = told.say(Command::PrepareFailed { attempt: 1, failure }).unwrap();
        assert_eq!(end, expected, "{code}/{kind} {detail}");
    };
    check("E_IO", "interrupted", "", "Allowed 2, 0 Wait");
    check("E_IO", "busy", "", "Allowed 2, 0 Wait");
    check("E_IO", "permission", "", "Failed E_IO/permission");
    check("E_IO", "no_space", "", "Failed E_IO/no_space");
    check("E_TOOL_TIMEOUT", "deadline", "", "Allowed 2, 0 Wait");
    check("E_MODEL", "provider", "429", "Allowed 2, 0 Wait");
    check("E_MODEL", "provider", "503", "Allowed 2, 0 Wait");
    check("E_MODEL", "provider", "400", "Failed E_MODEL/provider");
    check("E_MODEL", "schema", "503", "Failed E_MODEL/schema");
    check("E_CONFLICT", "changed_since_read", "", "Failed E_CONFLICT/changed_since_read");
}

#[test]
fn no_delays_means_no_retries() {
    let rules = Rules { retry_delays_ms: Vec::new(), ..Rules::default() };
    let mut told = Told { state: State::New, now: At(1) };
    told.say(ask(request(Class::Read), rules)).unwrap();
    let end = told.sample("PrepareFailed, retryable").unwrap();
    assert_eq!(end, "Failed E_IO/busy");
}

#[test]
fn lost_before_launch_three_times_runs_and_four_times_fails() {
    for class in [Class::Read, Class::Once] {
        let mut told = Told::asked(class);
        for n in 1..=3 {
            told.sample("Prepared").unwrap();
            let end = told.say(lost(&told, Launch::Never)).unwrap();
            assert_eq!(end, format!("Allowed {}, {n} Ready", n + 1), "{class:?}");
        }
        told.sample("Prepared").unwrap();
        let mut runs = Told { state: told.state.clone(), now: told.now };
        assert_eq!(runs.sample("Exited ok").unwrap(), "Ok", "{class:?}");
        assert_eq!(runs.charge().retries, 0, "a relaunch is no retry");
        let end = told.say(lost(&told, Launch::Never)).unwrap();
        assert_eq!(end, "Failed E_IO/not_applied", "{class:?}");
        assert!(matches!(told.state, State::Settled { relaunches: 3, .. }), "{class:?}");
    }
}

#[test]
fn a_lost_read_counts_as_an_attempt_beside_relaunches() {
    let mut told = Told::asked(Class::Read);
    for _ in 0..3 {
        told.sample("Prepared").unwrap();
        told.say(lost(&told, Launch::Never)).unwrap();
        told.sample("Prepared").unwrap();
        told.say(lost(&told, Launch::Perhaps)).unwrap();
        told.wait();
    }
    told.sample("Prepared").unwrap();
    assert_eq!(told.say(lost(&told, Launch::Perhaps)).unwrap(), "Failed E_IO/interrupted");
    assert_eq!((told.charge().attempts, told.charge().retries), (7, 3));
}

#[test]
fn a_lost_command_is_looked_at_three_times_then_a_person_is_asked() {
    let mut told = Told::asked(Class::Once);
    told.sample("Prepared").unwrap();
    assert_eq!(told.say(lost(&told, Launch::Perhaps)).unwrap(), "Unknown Probe");
    assert_eq!(told.sample("Probed Inconclusive").unwrap(), "Unknown Wait");
    assert_eq!(told.wait(), 2_000);
    assert_eq!(told.sample("Probed Inconclusive").unwrap(), "Unknown Wait");
    assert_eq!(told.wait(), 10_000);
    assert_eq!(told.sample("Probed Inconclusive").unwrap(), "Unknown AskPerson");
    assert_eq!(told.sample("Stop"), Err("settle_first"));
    assert_eq!(told.sample("Settle, not by a person"), Err("needs_person"));
    let settle = Command::Settle {
        how: SettleAs::Undo,
        note: "take it back".to_string(),
        undo: TakeBack { call: "call-1".to_string(), foreign: Foreign::Refuse },
    };
    assert_eq!(told.say_by(By::Person, settle), Err("cannot_undo"), "no sandbox");
    assert_eq!(told.sample("Settle happened").unwrap(), "Ok by person");
}

#[test]
fn a_report_of_another_attempt_is_not_taken() {
    let mut told = Told::asked(Class::Read);
    told.sample("Prepared").unwrap();
    let early = sample_commands(&told.state)
        .into_iter()
        .find(|(label, _)| *label == "Exited ok")
        .map(|(_, said)| said.command)
        .unwrap();
    told.sample("Exited failed, retryable").unwrap();
    assert_eq!(told.say(early.clone()), Err("not_owed"));
    told.wait();
    told.sample("Prepared").unwrap();
    assert_eq!(told.say(early), Err("not_owed"));
    assert_eq!(told.sample("Exited ok").unwrap(), "Ok");
}

#[test]
fn finished_and_cancelled_together_keeps_the_result() {
    let mut told = Told::asked(Class::Once);
    told.sample("Prepared").unwrap();
    told.sample("Stop").unwrap();
    assert_eq!(told.sample("Exited ok").unwrap(), "Ok late");
}

#[test]
fn a_stop_is_not_forgotten_while_the_call_is_lost() {
    let mut told = Told::asked(Class::Once);
    told.sample("Prepared").unwrap();
    told.sample("Stop").unwrap();
    assert_eq!(told.wait(), 15_000);
    assert_eq!(short(&told.state), "Unknown Probe not proven dead []");
    let found = Command::Probed { attempt: 1, n: 1, finding: Finding::Running };
    assert_eq!(told.say(found).unwrap(), "Started Stopping");
    assert_eq!(told.sample("Exited stopped").unwrap(), "Stopped");
}

#[test]
fn the_owner_ends_while_the_call_is_anywhere() {
    let check = |sample: &str, expected: Result<&str, &'static str>| {
        let owner = By::Parent { run: "loop-1".to_string() };
        let said = Told::from(sample).say_by(owner, Command::Stop(StopWhy::Asked));
        assert_eq!(said.as_deref(), expected.as_ref().map(|word| *word), "{sample}");
    };
    check("Asked", Ok("Denied parent"));
    check("Allowed Ready", Ok("Stopped"));
    check("Started Running, Once", Ok("Started Stopping"));
    check("Unknown AskPerson", Err("settle_first"));
}

#[test]
fn who_may_allow() {
    let answer = |by: By| {
        let mut told = Told::from("Asked");
        let hash = told.state.facts().expect("it was asked").request_hash.clone();
        let (prompt, scope) = ("ask".to_string(), Scope::Once);
        told.say_by(by, Command::Allow(Answered { prompt, hash, scope, note: None }))
    };
    assert_eq!(answer(By::Person), Ok("Allowed 1, 0 Ready".to_string()));
    for by in [By::Agent { call: String::new() }, By::Guest, By::File, By::Timer, By::Engine] {
        assert_eq!(answer(by.clone()), Err("needs_person"), "{by:?}");
    }
}

#[test]
fn one_key_one_request() {
    let mut told = Told::asked(Class::Once);
    let before = told.state.clone();
    let alias = Request { name: "run_cmd".to_string(), ..request(Class::Once) };
    for same in [request(Class::Once), alias] {
        told.say(ask(same, Rules::default())).unwrap();
        assert_eq!(told.state, before);
    }
    let words = ["cargo", "build"].map(ToString::to_string);
    let env = Vec::from(["RUSTFLAGS".to_string()]);
    for other in [
        Request { argv: Vec::from(words), ..request(Class::Once) },
        Request { cwd: "crates".to_string(), ..request(Class::Once) },
        Request { env_names: env, ..request(Class::Once) },
        Request { version: "2.0.0".to_string(), ..request(Class::Once) },
    ] {
        assert_eq!(told.say(ask(other, Rules::default())), Err("key_reused"));
    }
}

#[test]
fn which_arguments_are_sound() {
    let check = |change: &dyn Fn(&mut Request), expected: Result<&str, &'static str>| {
        let mut asked = request(Class::Once);
        change(&mut asked);
        let mut told = Told { state: State::New, now: At(1) };
        let said = told.say(ask(asked.clone(), Rules::default()));
        assert_eq!(said.as_deref(), expected.as_ref().map(|word| *word), "{asked:?}");
    };
    let fine = Ok("Allowed 1, 0 Ready");
    let wrong = Err("invalid_args");
    check(&|r| r.cwd = String::new(), fine);
    check(&|r| r.cwd = "a/..b/c".to_string(), fine);
    check(&|r| r.cwd = "/tmp".to_string(), wrong);
    check(&|r| r.cwd = "a/../..".to_string(), wrong);
    check(&|r| r.cwd = "..".to_string(), wrong);
    check(&|r| r.argv.clear(), wrong);
    check(&|r| r.argv[0].clear(), wrong);
    check(&|r| r.argv[1] = "a\0b".to_string(), wrong);
    check(&|r| r.env_names.push("A=1".to_string()), wrong);
    check(&|r| r.class = Class::Converge, wrong);
    check(&|r| r.class = Class::Read, fine);
    check(&|r| r.name = "git_push".to_string(), Err("unknown_tool"));
    check(&|r| r.name = "run_terminal_cmd".to_string(), fine);
}

#[test]
fn how_far_a_call_can_be_taken_back() {
    let check = |sandbox: &str, label: &str, expected: Result<&str, &'static str>| {
        let mut told = Told::asked(Class::Once);
        told.sample("Prepared").unwrap();
        let mut exit = None;
        for (name, said) in sample_commands(&told.state) {
            if let (true, Command::Exited { exit: record, .. }) = (name == label, said.command) {
                exit = Some(Box::new(Exit { sandbox: sandbox.to_string(), ..*record }));
            }
        }
        let exit = exit.expect("a record of that label");
        let epoch = told.state.epoch().unwrap();
        told.say(Command::Exited { attempt: 1, epoch, exit }).unwrap();
        let said = told.sample("Undo");
        assert_eq!(said.as_deref(), expected.as_ref().map(|word| *word), "{sandbox} {label}");
    };
    check("none", "Exited ok", Err("cannot_undo"));
    check("none", "Exited failed", Err("cannot_undo"));
    check("none", "Exited failed, never spawned", Err("nothing_to_undo"));
    check("landlock", "Exited ok", Ok("Undoing"));
    check("landlock", "Exited failed, never spawned", Err("nothing_to_undo"));
}

#[test]
fn an_undo_that_failed_may_be_tried_under_a_new_number() {
    let mut told = Told::from("Settled");
    told.sample("Undo").unwrap();
    assert_eq!(told.sample("UndoEnded failed").unwrap(), "Ok");
    told.sample("Undo").unwrap();
    assert_eq!(told.say(Command::UndoEnded { n: 1, result: UndoResult::Ok }), Err("not_owed"));
    told.say(Command::UndoEnded { n: 2, result: UndoResult::Ok }).unwrap();
    assert!(matches!(told.state, State::Undone { level: UndoLevel::BestEffort, .. }));
}

#[test]
fn undo_numbers_go_on_when_a_lost_call_is_found_or_launched_again() {
    for finding in ["Probed NeverLaunched", "Probed Running"] {
        let mut told = Told::from("Unknown Probe");
        told.sample("Undo").unwrap();
        told.sample("UndoEnded failed").unwrap();
        if told.sample(finding).unwrap() == "Allowed 2, 1 Ready" {
            told.sample("Prepared").unwrap();
        }
        told.sample("Exited ok").unwrap();
        told.sample("Undo").unwrap();
        assert!(matches!(told.state, State::Undoing { n: 2, .. }), "{finding}: {:?}", told.state);
    }
}

#[test]
fn a_question_without_expiry_owes_no_timer() {
    let mut state = Told::from("Asked").state;
    if let State::Asked { expires, .. } = &mut state {
        *expires = None;
    }
    assert!(owed(&state).iter().all(|owed| !matches!(owed, Owed::Timer { .. })));
    let mut told = Told { state, now: At(1) };
    assert_eq!(told.sample("Timeout expiry"), Err("not_owed"));
}
