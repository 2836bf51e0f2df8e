//! The report of a flow, written once when it is accepted: what was delivered, what is done and
//! what is not, and everything that a person waived or accepted on the way.

use kernel::session::{self, Base, Flow, Gave, Outcome};
use serde_json::{Value, json};

use super::super::pool::Desk;
use super::{base, failed};
use crate::engine::Sitting;
use crate::sessions::{about, finding, knowledge, risks, waived};
use crate::shim::durable;
use crate::words::{Lang, say};

/// The room of the reports.
const ROOM: &str = "reports";

/// Writes it as JSON and as a page.
pub(super) fn write(desk: &Desk, sitting: &Sitting) -> Outcome {
    let Base::Flow { flow, .. } = sitting.life.base() else {
        return failed("E_INTERNAL", "no_flow", "");
    };
    let left = base::leftovers(desk, sitting);
    let told = told(flow, &left);
    let dir = desk.plan.loop_dir.join(ROOM);
    let name = format!("{}-{}", sitting.run, flow.n);
    let clean = |text: &str| desk.plan.redactor.redact_text(text);
    let written = std::fs::create_dir_all(&dir)
        .and_then(|()| {
            let text = clean(&told.to_string());
            durable::replace(&dir, &format!("{name}.json"), text.as_bytes())
        })
        .and_then(|()| {
            let text = clean(&page(flow));
            durable::replace(&dir, &format!("{name}.md"), text.as_bytes())
        });
    match written {
        Ok(()) => Outcome::Ok(Box::new(Gave::Done(told))),
        Err(why) => failed("E_IO", crate::io_kind(&why).unwrap_or("interrupted"), ROOM),
    }
}

fn told(flow: &Flow, leftovers: &[String]) -> Value {
    let developed = flow.developed.as_ref();
    json!({
        "score": flow.score, "total": flow.score.as_ref().map(session::Score::total),
        "verdict": session::verdict(flow), "requirement": flow.requirement(),
        "origin": flow.origin.word(),
        "deliverables": {
            "package": flow.created, "worked_on": flow.current, "files": flow.changed,
            "knowledge_base": flow.kb_skipped.map(|skipped| !skipped),
        },
        "knowledge_base": flow.kb_shown,
        "done": developed.map(|end| end.done.clone()).unwrap_or_default(),
        "undone": developed.map(|end| end.undone.clone()).unwrap_or_default(),
        "findings": flow.findings, "waivers": flow.waivers, "risks": flow.risks,
        "stops": flow.stops, "leftovers": leftovers,
    })
}

fn page(flow: &Flow) -> String {
    let lang = Lang::parse(&flow.setup.lang).unwrap_or_default();
    let heading = |name: &str| say(lang, name, &[]);
    let list = |items: Vec<String>| match items.as_slice() {
        [] => format!("{}\n", say(lang, "session-report-none", &[])),
        some => some.iter().map(|item| format!("- {item}\n")).collect(),
    };
    let (done, undone) = flow
        .developed
        .as_ref()
        .map(|end| (end.done.clone(), end.undone.clone()))
        .unwrap_or_default();
    let stops = flow.stops.iter().map(|one| format!("{} {}", one.stop.code(), one.question));
    let package = flow.current.as_ref().or(flow.created.as_ref());
    let package = package.map(|package| format!("`{}`", package.path));
    let accepted = waived(lang, flow).into_iter().chain(risks(lang, flow));
    let parts = [
        ("session-report-package", list(package.into_iter().collect())),
        ("session-report-files", list(flow.changed.clone())),
        (
            "session-report-kb",
            list(knowledge(lang, flow.kb_shown.as_deref()).into_iter().collect()),
        ),
        ("session-report-done", list(done)),
        ("session-report-undone", list(undone)),
        (
            "session-report-findings",
            list(flow.findings.iter().map(|one| finding(lang, one)).collect()),
        ),
        ("session-report-accepted", list(accepted.collect())),
        ("session-report-stops", list(stops.collect())),
    ];
    let mut text = format!("{}\n\n{}\n", heading("session-report"), flow.requirement());
    let score = flow.score.as_ref().map(|score| json!({ "score": score, "total": score.total() }));
    text.push_str(&score.map(|score| about(lang, &score.to_string())).unwrap_or_default());
    text.push('\n');
    let verdict = say(lang, &format!("session-status-{}", session::verdict(flow).word()), &[]);
    text.push_str(&format!("\n{}\n\n{verdict}\n", heading("session-report-verdict")));
    for (name, lines) in parts {
        text.push_str(&format!("\n{}\n\n{lines}", heading(name)));
    }
    text
}
