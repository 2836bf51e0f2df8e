//! How far a yes may reach: no further than what was shown, and nowhere without a flow.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::samples::sample_states;
use super::super::{Answered, Command, Facts, State, decide};
use crate::machine::{At, By, Refusal as _, Said};
use crate::policy::grant::{Pin, Scope, Subject};
use crate::policy::{self, Act, Asker, Run, Shown};

fn shown(widest: Scope) -> Box<Shown> {
    let run = Run::argv(Vec::from(["make".to_string()]), ".");
    let request = policy::Request::new(Act::Run(run), Asker::Agent);
    let subject = Subject::of(&request, Vec::new());
    Box::new(Shown { widest, subject, pin: Pin::default(), risks: Vec::new(), unkept: None })
}

fn answer(parent: Option<&str>, widest: Option<Scope>, scope: Scope) -> &'static str {
    let asked = sample_states().into_iter().find(|(name, _)| *name == "Asked");
    let Some((_, State::Asked { facts, prompt, expires })) = asked else { return "no sample" };
    let parent = parent.map(ToString::to_string);
    let facts = Box::new(Facts { parent, shown: widest.map(shown), ..*facts });
    let hash = facts.request_hash.clone();
    let answered = Answered { prompt: prompt.clone(), hash, scope, note: None };
    let said = Said { by: By::Person, at: At(2_000_000), command: Command::Allow(answered) };
    match decide(&State::Asked { facts, prompt, expires }, &said) {
        Ok(_) => "allowed",
        Err(refusal) => refusal.reason(),
    }
}

#[test]
fn a_yes_reaches_no_further_than_what_was_shown() {
    let table = [
        (Some("loop-1"), Some(Scope::Session), Scope::Session, "allowed"),
        (Some("loop-1"), Some(Scope::Session), Scope::Once, "allowed"),
        (Some("loop-1"), Some(Scope::Once), Scope::Session, "scope_too_wide"),
        (Some("loop-1"), None, Scope::Session, "scope_too_wide"),
        (None, Some(Scope::Session), Scope::Session, "scope_too_wide"),
        (None, Some(Scope::Session), Scope::Once, "allowed"),
    ];
    for (parent, widest, scope, expected) in table {
        assert_eq!(answer(parent, widest, scope), expected, "{parent:?} {widest:?} {scope:?}");
    }
}
