//! The start gate of a collab: reads only, may run again. A program that is missing, too old or
//! unfit removes its participant; what that means for the run is the machine's to say.

use std::collections::BTreeMap;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use kernel::agent::{Ask, Tools};
use kernel::call::Failure;
use kernel::collab::{Checked, Flaw, Member, Plan};

use super::pool::Desk;
use super::{agent, prepare};
use crate::agents::session;
use crate::agents::sessions::Seen;

/// How long a host of the network probe may take to answer.
const REACH_WAIT: Duration = Duration::from_secs(5);

/// Looks whether a run can start.
pub(super) fn check(desk: &Desk, plan: &Plan) -> Checked {
    let workdir = prepare::working_directory(desk, &plan.cwd).err().map(|failure| Flaw {
        code: "E008".to_owned(),
        kind: failure.kind,
        detail: plan.workdir.clone(),
    });
    if plan.lite || workdir.is_some() {
        return Checked { workdir, ..Checked::default() };
    }
    let participants = flaws(desk, plan);
    Checked { workdir, network: unreachable(desk), participants }
}

/// Those that cannot be started. Some programs take seconds to say who they are, so all are asked
/// at once.
fn flaws(desk: &Desk, plan: &Plan) -> BTreeMap<String, Flaw> {
    std::thread::scope(|scope| {
        let members = plan.participants.iter();
        let looks: Vec<_> = members
            .map(|member| (member, scope.spawn(move || flaw_of(desk, plan, member))))
            .collect();
        let found = looks.into_iter().filter_map(|(member, look)| {
            let flaw = look.join().expect("a look does not panic")?;
            Some((member.name.clone(), flaw))
        });
        found.collect()
    })
}

fn flaw_of(desk: &Desk, plan: &Plan, member: &Member) -> Option<Flaw> {
    if let Some(id) = &member.resume {
        let known = desk.sessions.seen(id);
        let other = |seen: &Seen| seen.agent != member.agent || seen.cwd != plan.cwd;
        let kind = match known {
            Some(seen) if other(&seen) => Some("foreign_session"),
            Some(_) | None if !session::valid(member.kind, id) => Some("bad_session"),
            Some(Seen { live: Some(_), .. }) => Some(agent::BUSY),
            Some(Seen { live: None, .. }) | None => None,
        };
        if let Some(kind) = kind {
            return Some(flaw("E002", kind, &format!("{}: {kind} {id}", member.name)));
        }
    }
    let ask = Ask {
        agent: member.agent.clone(),
        kind: member.kind,
        talk: member.talk,
        access: member.access,
        model: member.model.clone(),
        resume: member.resume.clone(),
        prompt: Vec::new(),
        schema: plan.schema.clone(),
        lang: plan.lang.word().to_owned(),
        tools: Tools::Own,
    };
    let workdir = desk.plan.root.join(&plan.cwd);
    let found = agent::check(desk, &ask, &workdir, member.wall_ms);
    found.err().map(|Failure { code, kind, detail }| Flaw { code, kind, detail })
}

/// Whether none of the configured hosts can be reached.
fn unreachable(desk: &Desk) -> Option<Flaw> {
    let probes = &desk.plan.network_probe;
    let reached = |probe: &String| {
        let found = probe.to_socket_addrs().into_iter().flatten();
        found.take(2).any(|addr| TcpStream::connect_timeout(&addr, REACH_WAIT).is_ok())
    };
    if probes.is_empty() || probes.iter().any(reached) {
        return None;
    }
    Some(flaw("E010", "unreachable", &probes.join(", ")))
}

fn flaw(code: &str, kind: &str, detail: &str) -> Flaw {
    Flaw { code: code.to_owned(), kind: kind.to_owned(), detail: detail.to_owned() }
}
