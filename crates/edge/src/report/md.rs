//! A report as markdown. Values that come from outside are shown as code or with their markup made
//! harmless, so that no text of a run writes the page.

use runtime::words::{Lang, say};

use super::parts::Report;

/// The page.
#[must_use]
pub fn md(report: &Report, lang: Lang) -> String {
    let mut page = format!("# {}\n\n", plain(&report.title));
    for (name, value) in head(report) {
        page.push_str(&format!("- {}: {}\n", say(lang, name, &[]), code(&value)));
    }
    section(&mut page, lang, "report-asked", report.asked.iter().map(|line| plain(line)));
    section(
        &mut page,
        lang,
        "report-parts",
        report.parts.iter().map(|part| {
            format!("{} {}: {}", code(&part.status), code(&part.id), plain(&part.title))
        }),
    );
    let passed: Vec<String> = report.passed.iter().map(|state| code(state)).collect();
    section(&mut page, lang, "report-passed", [passed.join(" → ")].into_iter());
    section(
        &mut page,
        lang,
        "report-checks",
        report.checks.iter().map(|check| {
            let line = format!("{} {}", code(&check.verdict), code(&check.command));
            if check.summary.is_empty() {
                line
            } else {
                format!("{line}: {}", plain(&check.summary))
            }
        }),
    );
    section(
        &mut page,
        lang,
        "report-changed",
        report
            .changed
            .iter()
            .map(|one| format!("{} {} ({})", code(&one.action), code(&one.path), code(&one.call))),
    );
    calls(&mut page, lang, report);
    timeline(&mut page, lang, report);
    page
}

/// What was done, what is open and how to go back.
fn calls(page: &mut String, lang: Lang, report: &Report) {
    section(
        page,
        lang,
        "report-calls",
        report.calls.iter().map(|call| {
            let end = call.outcome.as_deref().unwrap_or(&call.state);
            let why = call.code.as_deref().map(|why| format!(" {}", code(why))).unwrap_or_default();
            format!("{} {}{why}: {}", code(&call.id), code(end), code(&call.about))
        }),
    );
    let open = report.open.iter().map(|line| format!("{}: {}", code(&line.id), plain(&line.text)));
    section(page, lang, "report-open", open);
    section(page, lang, "report-undo", report.undo.iter().map(|line| code(line)));
}

fn timeline(page: &mut String, lang: Lang, report: &Report) {
    section(
        page,
        lang,
        "report-timeline",
        report.timeline.iter().map(|one| {
            let summary = if one.summary.is_empty() { String::new() } else { code(&one.summary) };
            let line =
                format!("{} {} {} {}", one.seq, code(&one.at), code(&one.by), code(&one.event));
            format!("{line} {summary}").trim_end().to_owned()
        }),
    );
}

/// The facts on top, by the names of their words.
pub(super) fn head(report: &Report) -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("report-run", report.run_id.clone()),
        ("report-machine", report.machine.clone()),
        ("report-state", report.state.clone()),
    ];
    all.extend(report.outcome.clone().map(|outcome| ("report-outcome", outcome)));
    all.extend(report.code.clone().map(|code| ("report-code", code)));
    all.push(("report-began", report.created_at.clone()));
    all.push(("report-last", report.updated_at.clone()));
    all.push(("report-trace", report.trace_id.clone()));
    all
}

/// A heading and its lines; that there are none is said, because that is a fact too.
fn section(page: &mut String, lang: Lang, key: &str, lines: impl Iterator<Item = String>) {
    page.push_str(&format!("\n## {}\n\n", say(lang, key, &[])));
    let mut empty = true;
    for line in lines {
        empty = false;
        page.push_str(&format!("- {line}\n"));
    }
    if empty {
        page.push_str(&format!("{}\n", say(lang, "report-none", &[])));
    }
}

/// One line in which nothing is markup.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            c if c.is_control() => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '<' | '>' | '|' | '~' | '&' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out.trim().to_owned()
}

/// One line as code, with a fence that the text does not hold.
fn code(text: &str) -> String {
    let flat: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if flat.trim().is_empty() {
        return "-".to_owned();
    }
    let longest = flat.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{flat}`") } else { format!("{fence} {flat} {fence}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_writes_the_page() {
        let table = [
            ("a <b>x</b>", r"a \<b\>x\</b\>"),
            ("# heading\n- item", r"\# heading - item"),
            ("[a](javascript:x) `c`", r"\[a\](javascript:x) \`c\`"),
        ];
        for (text, expected) in table {
            assert_eq!(plain(text), expected);
        }
        let table =
            [("cargo test", "`cargo test`"), ("a`b``c", "``` a`b``c ```"), ("a\nb", "`a b`")];
        for (text, expected) in table {
            assert_eq!(code(text), expected);
        }
    }
}
