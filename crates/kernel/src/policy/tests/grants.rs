//! Grants: what they cover, what voids them, who may give them, and how they end.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::kit::{facts, run, script, words};
use crate::machine::{At, By, Refusal as _};
use crate::policy::grant::{Bound, Now, On, Pin, Refusal, Scope, State, Subject, may_give};
use crate::policy::{
    Act, Asker, Facts, Grant, Granted, Network, PathClass, Program, Request, Rules, Run, Safety,
    Tool, Touched, Word, judge,
};

fn grant(bound: Bound, request: &Request, risks: Vec<String>) -> Grant {
    Grant {
        grant_id: "gr-1".to_string(),
        bound,
        subject: Subject::of(request, risks),
        by: "person:tty".to_string(),
        at: At(1),
        expires_at: None,
        uses: 0,
        state: State::Live,
    }
}

fn once(request: &Request) -> Bound {
    Bound::Once { request_hash: request.hash() }
}

fn plan(request: &Request) -> Bound {
    Bound::Plan { plan_hash: "p1".to_string(), pin: pin(request) }
}

fn session(request: &Request) -> Bound {
    Bound::Session { run: "s1".to_string(), permissions: "h".to_string(), pin: pin(request) }
}

fn pin(request: &Request) -> Pin {
    match &request.act {
        Act::Run(run) => Pin::of(&run.program),
        Act::Look { .. } | Act::Change { .. } | Act::Delete { .. } | Act::Agent { .. } => {
            Pin::default()
        }
    }
}

fn judged(request: &Request, grants: &[Grant], accepted: &[String]) -> Word {
    let rules = Rules::built_in();
    let now = Now { at: At(1_000), plan_hash: Some("p1"), session: Some(("s1", "h")) };
    judge(request, &Facts { grants, accepted, now, ..facts(&rules) }).verdict.word()
}

fn write(path: &str, class: PathClass) -> Request {
    let paths = [Touched::new(path, class)].into();
    Request::new(Act::Change { tool: Tool::Write, paths, lines: 1 }, Asker::Agent)
}

fn delete(path: &str) -> Request {
    let paths = [Touched::new(path, PathClass::Ordinary)].into();
    Request::new(Act::Delete { paths }, Asker::Agent)
}

#[test]
fn how_far_each_scope_reaches() {
    let open = Run { network: Network::Open, ..Run::argv(words("npm ci"), ".") };
    let open = Request::new(Act::Run(open), Asker::Agent);
    let yes = [true, true, true];
    let table = [
        (run("npm test"), yes),
        (write("a", PathClass::Ordinary), yes),
        (write("a", PathClass::Sensitive), [true, true, false]),
        (write("a", PathClass::Secret), [true, true, false]),
        (delete("a"), [true, true, false]),
        (run("git commit -m x"), [true, true, false]),
        (open, [true, true, false]),
        (run("sh -c ls"), [true, false, false]),
        (script("ls"), [true, false, false]),
        (run("rm -r x"), [false, false, false]),
        (run("rm -rf /"), [false, false, false]),
    ];
    for (request, expected) in table {
        let bounds = [once(&request), plan(&request), session(&request)];
        let found = bounds.map(|bound| {
            judged(&request, &[grant(bound, &request, Vec::new())], &[]) == Word::Allow
        });
        assert_eq!(found, expected, "{request:?}");
    }
}

#[test]
fn invariant_risk_once() {
    let rules = Rules::built_in();
    let request = run("git reset --hard");
    let found = judge(&request, &facts(&rules)).ehrb;
    let risks: Vec<String> = found.iter().map(|finding| finding.hash.clone()).collect();
    assert_eq!(risks.len(), 1);
    let held = grant(plan(&request), &request, risks.clone());
    assert_eq!(judged(&request, &[held], &[]), Word::Allow);
    let bare = grant(plan(&request), &request, Vec::new());
    assert_eq!(judged(&request, core::slice::from_ref(&bare), &[]), Word::Ask);
    assert_eq!(judged(&request, &[bare], &risks), Word::Allow);
    let more = run("git reset --hard HEAD");
    let other = grant(plan(&more), &more, risks.clone());
    assert_eq!(judged(&more, &[other], &risks), Word::Ask);
    assert_eq!(judged(&request, &[], &risks), Word::Ask, "accepting a risk is no grant");
}

#[test]
fn any_byte_changed_is_asked_again() {
    let program = Program {
        path: Some("/usr/bin/x".to_string()),
        sha256: Some("aa".to_string()),
        safety: Safety::Loose,
    };
    let base = Run {
        program,
        env_names: ["A".to_string()].into(),
        definition: Some("d".to_string()),
        ..Run::argv(words("x test"), "sub")
    };
    let of = |run: Run| Request::new(Act::Run(run), Asker::Agent);
    let request = of(base.clone());
    let mut others = Vec::new();
    for (at, word) in words("x test").iter().enumerate() {
        for byte in 0..=word.len() {
            let mut argv = words("x test");
            argv[at].insert(byte, '!');
            others.push(Run { command: crate::policy::Command::Argv(argv), ..base.clone() });
        }
    }
    others.push(Run { cwd: "sub2".to_string(), ..base.clone() });
    others.push(Run { env_names: ["B".to_string()].into(), ..base.clone() });
    others.push(Run { definition: Some("e".to_string()), ..base.clone() });
    let moved = Program { path: Some("/usr/bin/y".to_string()), ..base.program.clone() };
    others.push(Run { program: moved, ..base.clone() });
    let changed = Program { sha256: Some("ab".to_string()), ..base.program.clone() };
    others.push(Run { program: changed, ..base.clone() });
    for bound in [once(&request), plan(&request), session(&request)] {
        let held = [grant(bound, &request, Vec::new())];
        assert_eq!(judged(&request, &held, &[]), Word::Allow);
        for other in &others {
            assert_eq!(judged(&of(other.clone()), &held, &[]), Word::Ask, "{other:?}");
        }
    }
    let wrote =
        |given: &str| Request { given: Some(given.to_string()), ..write("a", PathClass::Ordinary) };
    let held = [grant(once(&wrote("aa")), &wrote("aa"), Vec::new())];
    assert_eq!(judged(&wrote("aa"), &held, &[]), Word::Allow);
    assert_eq!(judged(&wrote("ab"), &held, &[]), Word::Ask);
    let text = script("make all");
    let held = [grant(once(&text), &text, Vec::new())];
    assert_eq!(judged(&text, &held, &[]), Word::Allow);
    assert_eq!(judged(&script("make al"), &held, &[]), Word::Ask);
}

#[test]
fn a_grant_is_bound_to_what_is_in_force() {
    let request = run("npm test");
    let rules = Rules::built_in();
    let word = |grant: Grant, now: Now<'_>| {
        let grants = [grant];
        judge(&request, &Facts { grants: &grants, now, ..facts(&rules) }).verdict.word()
    };
    let now = Now { at: At(5), plan_hash: Some("p1"), session: Some(("s1", "h")) };
    let planned = grant(plan(&request), &request, Vec::new());
    assert_eq!(word(planned.clone(), now), Word::Allow);
    assert_eq!(word(planned.clone(), Now { plan_hash: Some("p2"), ..now }), Word::Ask);
    assert_eq!(word(planned.clone(), Now { plan_hash: None, ..now }), Word::Ask);
    let timed = Grant { expires_at: Some(At(5)), ..planned.clone() };
    assert_eq!(word(timed, now), Word::Ask);
    let flow = grant(session(&request), &request, Vec::new());
    assert_eq!(word(flow.clone(), Now { session: Some(("s2", "h")), ..now }), Word::Ask);
    assert_eq!(word(flow, Now { session: Some(("s1", "i")), ..now }), Word::Ask);
    for state in [State::Spent, State::Expired, State::Revoked, State::Void] {
        assert_eq!(word(Grant { state, ..planned.clone() }, now), Word::Ask, "{state:?}");
    }
}

#[test]
fn the_small_machine() {
    let request = run("npm test");
    let single = grant(once(&request), &request, Vec::new());
    let planned = Grant { expires_at: Some(At(9)), ..grant(plan(&request), &request, Vec::new()) };
    let agent = By::Agent { call: "c".to_string() };
    let next = |grant: &Grant, on: On| grant.after(&on).map(|after| (after.state, after.uses));
    assert_eq!(next(&single, On::Used), Ok((State::Spent, 1)));
    assert_eq!(next(&planned, On::Used), Ok((State::Live, 1)));
    assert_eq!(next(&planned, On::Deadline(At(9))), Ok((State::Expired, 0)));
    assert_eq!(next(&planned, On::Deadline(At(8))), Err(Refusal::NotNow { state: State::Live }));
    assert_eq!(next(&planned, On::Revoke(By::Person)), Ok((State::Revoked, 0)));
    assert_eq!(next(&planned, On::Revoke(agent.clone())), Err(Refusal::NeedsPerson));
    assert_eq!(next(&planned, On::BoundGone), Ok((State::Void, 0)));
    for state in [State::Spent, State::Expired, State::Revoked, State::Void] {
        let ended = Grant { state, ..planned.clone() };
        for on in [On::Used, On::Deadline(At(99)), On::Revoke(By::Person), On::BoundGone] {
            assert_eq!(next(&ended, on), Err(Refusal::NotNow { state }));
        }
    }
    assert_eq!(may_give(&By::Person, Scope::Plan, Scope::Session), Ok(()));
    assert_eq!(may_give(&agent, Scope::Once, Scope::Session), Err(Refusal::NeedsPerson));
    let wide = may_give(&By::Person, Scope::Session, Scope::Once);
    assert_eq!(wide, Err(Refusal::TooWide { widest: Scope::Once }));
    assert_eq!(wide.unwrap_err().reason(), "scope_too_wide");
}

#[test]
fn a_start_lifts_its_own_commands_and_no_risk() {
    let rules = Rules::built_in();
    let started = ["npm test", "sh -c ls", "rm -r x", "rm -rf /", "cat .env"]
        .map(|text| Granted::new(&words(text), "."));
    let facts = Facts { started: &started, ..facts(&rules) };
    let table = [
        ("npm test", "allow granted-at-start"),
        ("npm test x", "ask run-asks"),
        ("sh -c ls", "allow granted-at-start"),
        ("rm -r x", "ask ehrb-destructive"),
        ("rm -rf /", "deny whole-tree"),
        ("cat .env", "ask secret-asks"),
    ];
    for (text, expected) in table {
        let verdict = judge(&run(text), &facts).verdict;
        let found = alloc::format!("{} {}", verdict.word().name(), verdict.rule());
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_start_is_for_the_programs_that_were_there() {
    let rules = Rules::built_in();
    let pin = |path: Option<&str>, hash: Option<&str>| Pin {
        program: path.map(str::to_string),
        program_sha256: hash.map(str::to_string),
    };
    let then = pin(Some("/w/x"), Some("a1"));
    let started = [Granted { pin: then.clone(), ..Granted::new(&words("./x y"), ".") }];
    let facts = Facts { started: &started, ..facts(&rules) };
    let table = [
        (then, "granted-at-start"),
        (pin(Some("/w/x"), Some("b2")), "run-asks"),
        (pin(Some("/bin/x"), Some("a1")), "run-asks"),
        (pin(Some("/w/x"), None), "run-asks"),
        (pin(None, None), "run-asks"),
    ];
    for (now, expected) in table {
        let Act::Run(asked) = run("./x y").act else { panic!("a command") };
        let program = Program {
            path: now.program.clone(),
            sha256: now.program_sha256.clone(),
            safety: Safety::Loose,
        };
        let request = Request::new(Act::Run(Run { program, ..asked }), Asker::Agent);
        assert_eq!(judge(&request, &facts).verdict.rule(), expected, "{now:?}");
    }
}

#[test]
fn a_grant_is_written_as_documented() {
    let request = run("flutter test");
    let pin = Pin {
        program: Some("/usr/bin/flutter".to_string()),
        program_sha256: Some("e0d1".to_string()),
    };
    let bound = Bound::Plan { plan_hash: "51aa".to_string(), pin };
    let grant = grant(bound, &request, Vec::new());
    let value = serde_json::to_value(&grant).unwrap();
    assert_eq!(value["scope"], "plan");
    assert_eq!(value["bound"]["plan_hash"], "51aa");
    assert_eq!(value["bound"]["program"], "/usr/bin/flutter");
    assert_eq!(value["subject"]["argv"], serde_json::json!(["flutter", "test"]));
    assert_eq!(value["state"], "live");
    assert_eq!(serde_json::from_value::<Grant>(value).unwrap(), grant);
}
