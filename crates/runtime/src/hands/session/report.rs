//! The report of a flow, written once when it is accepted: what was delivered, what is done and
//! what is not, and everything that a person waived or accepted on the way.

use kernel::session::{Base, Flow, Gave, Outcome};
use serde_json::{Value, json};

use super::super::pool::Desk;
use super::failed;
use crate::engine::Sitting;
use crate::shim::durable;

/// The room of the reports.
const ROOM: &str = "reports";

/// Writes it as JSON and as a page.
pub(super) fn write(desk: &Desk, sitting: &Sitting) -> Outcome {
    let Base::Flow { flow, .. } = sitting.life.base() else {
        return failed("E_INTERNAL", "no_flow", "");
    };
    let told = told(flow);
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

fn told(flow: &Flow) -> Value {
    let developed = flow.developed.as_ref();
    json!({
        "requirement": flow.requirement(), "origin": flow.origin.word(),
        "deliverables": {
            "package": flow.created, "worked_on": flow.current, "files": flow.changed,
        },
        "done": developed.map(|end| end.done.clone()).unwrap_or_default(),
        "undone": developed.map(|end| end.undone.clone()).unwrap_or_default(),
        "findings": flow.findings, "waivers": flow.waivers, "risks": flow.risks,
    })
}

fn page(flow: &Flow) -> String {
    let list =
        |items: &[String]| items.iter().map(|item| format!("- {item}\n")).collect::<String>();
    let zh = flow.setup.lang.starts_with("zh");
    let (title, files, findings) = if zh {
        ("# 流程报告", "## 文件变更", "## 发现")
    } else {
        ("# Report", "## Files", "## Findings")
    };
    format!(
        "{title}\n\n{}\n\n{files}\n\n{}\n{findings}\n\n{}",
        flow.requirement(),
        list(&flow.changed),
        list(&flow.findings)
    )
}
