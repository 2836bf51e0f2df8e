//! A judge with plain facts, for tests.

use alloc::string::String;
use alloc::vec::Vec;

use crate::machine::At;
use crate::paths;
use crate::policy::grant::Now;
use crate::policy::{
    Act, Asker, Changed, Command, Facts, Ground, Limits, PathClass, Request, Rules, Run, Sandbox,
    Trust, spelled,
};

pub const GROUND: Ground<'static> = Ground { root: "/home/u/w", home: "/home/u" };

/// A trusted work tree with a sandbox, and nothing granted.
pub fn facts(rules: &Rules) -> Facts<'_> {
    Facts {
        rules,
        trust: Trust::Trusted,
        sandbox: Sandbox::Held,
        limits: Limits::none(),
        changed: Changed::default(),
        grants: &[],
        now: Now { at: At(1_000), plan_hash: None, session: None },
        started: &[],
        accepted: &[],
        ground: GROUND,
        names: &|path| PathClass::of(paths::Names::default().classes(path)),
    }
}

pub fn words(text: &str) -> Vec<String> {
    spelled::words(text).unwrap()
}

pub fn run(text: &str) -> Request {
    Request::new(Act::Run(Run::argv(words(text), ".")), Asker::Agent)
}

pub fn script(text: &str) -> Request {
    let command = Command::Script(text.into());
    Request::new(Act::Run(Run { command, ..Run::argv(Vec::new(), ".") }), Asker::Agent)
}
