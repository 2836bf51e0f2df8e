//! Every refusal word on one page: shared ones first, then those of each machine.

use anyhow::{Context as _, Result};
use kernel::errors::{Code, Machine, REASONS, Reason, Scope};
use runtime::words::{Lang, title};

use super::page::{self, DRAWN, Page};

/// The page of refusals.
pub fn pages() -> Result<Vec<Page>> {
    let mut out = format!(
        "# Refusals\n\n{DRAWN}\n\nA refusal changes nothing and is recorded nowhere. Its code is \
         `<machine>.<reason>`; a shared reason means the same in every machine.\n\n## Shared\n\n"
    );
    let shared = |reason: &&Reason| reason.scope == Scope::Shared;
    out.push_str(&rows(Machine::Loop, REASONS.iter().filter(shared))?);
    for machine in Machine::ALL {
        let own: Vec<_> = REASONS.iter().filter(|r| r.scope == Scope::Own(machine)).collect();
        if !own.is_empty() {
            out.push_str(&format!("\n## `{}`\n\n", machine.name()));
            out.push_str(&rows(machine, own.into_iter())?);
        }
    }
    Ok(vec![Page::new("refusals.md", out)])
}

fn rows<'a>(machine: Machine, reasons: impl Iterator<Item = &'a Reason>) -> Result<String> {
    let rows = reasons.map(|reason| {
        let name = format!("{}.{}", machine.name(), reason.word);
        let code = Code::parse(&name).ok().with_context(|| name.clone())?;
        Ok(vec![
            format!("[`{}`](errors/{name}.md)", reason.word),
            format!("`{}`", reason.class.name()),
            reason.exit.code().to_string(),
            reason.http.to_string(),
            title(Lang::En, code),
            title(Lang::Zh, code),
        ])
    });
    let rows: Result<Vec<Vec<String>>> = rows.collect();
    Ok(page::table(&["reason", "class", "exit", "HTTP", "meaning", "含义"], &rows?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_stands_on_the_page_once() {
        let text = &pages().unwrap()[0].text;
        for reason in REASONS {
            let cell = format!("| [`{}`](", reason.word);
            assert_eq!(text.matches(&cell).count(), 1, "{}", reason.word);
        }
    }
}
