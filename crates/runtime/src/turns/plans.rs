//! From what a planner, a file or a person gives to the plan it makes, judged. The kernel makes the
//! plan and decides what becomes of it; here it is only made the same way, to be looked at.

use std::io;
use std::path::Path;

use kernel::machine::At;
use kernel::policy::Backing;
use kernel::turn::{
    Answer, BadArgs, Fault, Flaw, Ground, Judged, Life, Phase, Plan, PlanPatch, Planned, State,
    Why, apply_patch, carried_plan, continued, made_plan, replace_plan,
};

use super::{gate, said, store};
use crate::plan_file;
use crate::policy::{Flow, Judge};

/// What plans are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// The judge.
    pub judge: &'a Judge,
    /// What was granted.
    pub flow: &'a Flow,
    /// The work tree.
    pub root: &'a Path,
}

/// Reads a planner's words and judges the plan that they make.
#[must_use]
pub fn heard(life: &Life, words: &str, at: At, bench: Bench<'_>) -> Planned {
    match said::planned(words) {
        Err(flaw) => Planned::Unread(flaw),
        Ok(answer) => weighed(life, answer, at, bench),
    }
}

/// Judges the plan that an answer makes here. One that makes none is left to the kernel, which says
/// what is wrong with it.
#[must_use]
pub fn weighed(life: &Life, answer: Answer, at: At, bench: Bench<'_>) -> Planned {
    let plan = made(life, &answer, at);
    let bad_args = plan.as_ref().map(plan_file::bad_args).unwrap_or_default();
    let judged = plan.filter(|_| bad_args.is_empty()).map(|plan| judged(life, &plan, bench));
    Planned::Read { answer, bad_args, judged }
}

/// Judges the plan that a person's edit makes. One that makes none is judged as nothing; the kernel
/// refuses it.
#[must_use]
pub fn edited(life: &Life, patch: &PlanPatch, bench: Bench<'_>) -> (Judged, Vec<BadArgs>) {
    let plan = patched(life, patch);
    let bad_args = plan.as_ref().map(plan_file::bad_args).unwrap_or_default();
    let old = life.body.work.as_deref().map(|work| &work.plan);
    let judged = plan.as_ref().or(old).map(|plan| judged(life, plan, bench));
    (
        judged.unwrap_or_else(|| gate::agent_step(&[], bench.judge, bench.flow, Backing::None)),
        bad_args,
    )
}

/// Loads the plan that the turn was given: the copy of a file, or the plan of the turn it goes on
/// from, which the caller has folded.
///
/// # Errors
/// Nothing of it can be read.
pub fn load(
    life: &Life,
    loop_dir: &Path,
    earlier: Option<&State>,
    at: At,
    bench: Bench<'_>,
) -> Result<Planned, Fault> {
    let Phase::Planning { why, .. } = &life.phase else { return Err(unread("not_planning")) };
    match why {
        Why::Given { sha256 } => {
            let copy = store::load(loop_dir, sha256).map_err(|why| lost(&why))?;
            let drafted = plan_file::read_copy(&copy, sha256).ok_or_else(|| unread("plan_copy"))?;
            Ok(weighed(life, Answer::Full(drafted), at, bench))
        }
        Why::Continued { .. } => {
            let old = earlier.ok_or_else(|| unread("no_such_turn"))?;
            let old = continued(old).map_err(|_refused| unread("not_continuable"))?;
            Ok(weighed(life, Answer::Carried(Box::new(old)), at, bench))
        }
        Why::First | Why::Direct | Why::Revise { .. } | Why::Correct { .. } => {
            Err(unread("not_given"))
        }
    }
}

fn unread(kind: &str) -> Fault {
    let signature = format!("E_IO:{kind}");
    Fault { code: "E_IO".to_owned(), kind: kind.to_owned(), signature, ..Fault::default() }
}

fn lost(why: &io::Error) -> Fault {
    unread(if why.kind() == io::ErrorKind::NotFound { "not_found" } else { "damaged" })
}

fn judged(life: &Life, plan: &Plan, bench: Bench<'_>) -> Judged {
    gate::judged(plan, &life.body.start.agents, bench.judge, bench.flow, bench.root)
}

fn made(life: &Life, answer: &Answer, at: At) -> Option<Plan> {
    let body = &life.body;
    let replans = matches!(life.phase, Phase::Recovering(_));
    match (answer, body.work.as_deref().filter(|_| replans)) {
        (Answer::Full(full), None) => Some(made_plan(body, full, at)),
        (Answer::Full(full), Some(work)) => {
            let new = made_plan(body, full, at);
            looked(life, |ground| replace_plan(&work.plan, &new, ground))
        }
        (Answer::Carried(old), _) => Some(carried_plan(body, old, at)),
        (Answer::Patch(patch), Some(_)) => patched(life, patch),
        (Answer::Patch(_), None) | (Answer::Questions(_), _) => None,
    }
}

fn patched(life: &Life, patch: &PlanPatch) -> Option<Plan> {
    let work = life.body.work.as_deref()?;
    looked(life, |ground| apply_patch(&work.plan, patch, ground))
}

/// The plan as far as its form goes; arguments are looked at afterwards.
fn looked(life: &Life, make: impl FnOnce(Ground<'_>) -> Result<Plan, Flaw>) -> Option<Plan> {
    let start = &life.body.start;
    let ground = Ground { steps_max: start.limits.steps, agents: &start.agents, bad_args: &[] };
    make(ground).ok()
}

#[cfg(test)]
mod tests {
    use kernel::machine::{By, Said};
    use kernel::policy::{Rules, Sandbox, Trust};
    use kernel::turn::{Command, Ended, Event, Payload, Planner, Spent, decide, samples};

    use super::*;
    use crate::policy::Standing;

    const READS: &str = r#"{"goal":"look","steps":[{"step_id":"s1","title":"t","runner":"tools",
        "tool_calls":[{"name":"read","args_hint":{"path":"a"}}]}],
        "verification":{"mode":"none","commands":[],"required":false,"stop_on_fail":false}}"#;

    fn trusted(root: &Path) -> Judge {
        Judge::fixed(Standing {
            trust: Trust::Trusted,
            sandbox: Sandbox::Held,
            rules: Rules::built_in(),
            ..Standing::unknown(root, Path::new("/home/nobody"))
        })
    }

    fn planning(why: Why) -> State {
        let mut all = samples::sample_states().into_iter();
        let state = all.find(|(name, _)| *name == "planning").unwrap().1;
        let mut life = state.life().unwrap().clone();
        if let Why::Given { sha256 } = &why {
            life.body.start.planner = Planner::File { sha256: sha256.clone() };
        }
        life.phase = Phase::Planning { why, n: 0, agent: 0 };
        State::Begun(Box::new(life))
    }

    /// What the machine makes of it.
    fn taken(state: &State, planned: Planned) -> Vec<&'static str> {
        let key = kernel::turn::awaited(state.life().unwrap()).unwrap();
        let ended = Ended::Ok(Box::new(Payload::Planner(Box::new(planned))));
        let command = Command::ToolCallResult { key, ended, spent: Spent::default() };
        let said = Said { by: By::Engine, at: At(9), command };
        decide(state, &said).unwrap().iter().map(Event::name).collect()
    }

    #[test]
    fn the_kernel_takes_our_judgement_for_the_same_plan() {
        let dir = tempfile::tempdir().unwrap();
        let (judge, flow) = (trusted(dir.path()), Flow::default());
        let bench = Bench { judge: &judge, flow: &flow, root: dir.path() };
        let state = planning(Why::First);
        let planned = heard(state.life().unwrap(), READS, At(5), bench);
        assert_eq!(taken(&state, planned), ["PlanAccepted", "StepStarted"], "nobody is asked");
        let asks = READS
            .replace("read", "delete")
            .replace(r#""path":"a""#, &format!(r#""path":"a","expect":"{}""#, "0".repeat(64)));
        let planned = heard(state.life().unwrap(), &asks, At(5), bench);
        assert_eq!(taken(&state, planned), ["PlanAccepted", "ConfirmationAsked"]);
        let bad = READS.replace(r#""path":"a""#, r#""path":7"#);
        let planned = heard(state.life().unwrap(), &bad, At(5), bench);
        assert_eq!(taken(&state, planned), ["PlanRejected"]);
        let planned = heard(state.life().unwrap(), "I can't", At(5), bench);
        assert_eq!(taken(&state, planned), ["PlanRejected"]);
    }

    #[test]
    fn a_plan_files_copy_is_loaded_by_its_hash() {
        let dir = tempfile::tempdir().unwrap();
        let (judge, flow) = (trusted(dir.path()), Flow::default());
        let bench = Bench { judge: &judge, flow: &flow, root: dir.path() };
        let sha256 = store::keep(dir.path(), READS).unwrap();
        let state = planning(Why::Given { sha256 });
        let planned = load(state.life().unwrap(), dir.path(), None, At(5), bench).unwrap();
        assert_eq!(taken(&state, planned), ["PlanAccepted", "StepStarted"]);
        let gone = planning(Why::Given { sha256: "0".repeat(64) });
        let fault = load(gone.life().unwrap(), dir.path(), None, At(5), bench).unwrap_err();
        assert_eq!((fault.code.as_str(), fault.kind.as_str()), ("E_IO", "not_found"));
    }

    #[test]
    fn a_turn_goes_on_from_one_that_ended_early() {
        let dir = tempfile::tempdir().unwrap();
        let (judge, flow) = (trusted(dir.path()), Flow::default());
        let bench = Bench { judge: &judge, flow: &flow, root: dir.path() };
        let mut state = planning(Why::Continued { turn: "turn-before".to_owned() });
        let State::Begun(life) = &mut state else { panic!("begun") };
        life.body.start.continues = Some("turn-before".to_owned());
        let done = samples::sample_states().into_iter();
        let over: Vec<State> = done.map(|(_, state)| state).filter(State::ended).collect();
        let (yes, no): (Vec<&State>, Vec<&State>) =
            over.iter().partition(|state| continued(state).is_ok());
        for old in no {
            let life = state.life().unwrap();
            let fault = load(life, dir.path(), Some(old), At(5), bench).unwrap_err();
            assert_eq!(fault.kind, "not_continuable");
        }
        for old in yes {
            let life = state.life().unwrap();
            let planned = load(life, dir.path(), Some(old), At(5), bench).unwrap();
            assert_eq!(taken(&state, planned)[0], "PlanAccepted");
        }
        assert!(load(state.life().unwrap(), dir.path(), None, At(5), bench).is_err());
    }
}
