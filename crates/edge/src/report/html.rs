//! A report as one HTML file that needs nothing else: its style and its drawing are inside, it has
//! no script, and every value is escaped.

use kernel::run::Kind;
use runtime::words::{Lang, say};

use super::md::head;
use super::parts::Report;
use crate::draw;

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;\
margin:2rem auto;padding:0 1rem;color:#1b2430;background:#fff}h1{font-size:1.5rem}\
h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}\
td,th{border-bottom:1px solid #d5dce5;padding:.3rem .5rem;text-align:left;vertical-align:top;\
overflow-wrap:anywhere}code{font:13px ui-monospace,monospace}figure{margin:0;overflow:auto}\
.none{color:#56657a}@media(prefers-color-scheme:dark){body{color:#eef2f7;background:#12161c}\
td,th{border-color:#2c3745}.none{color:#8fa0b5}}";

/// The page.
#[must_use]
pub fn html(report: &Report, lang: Lang) -> String {
    let title =
        escaped(if report.title.trim().is_empty() { &report.run_id } else { &report.title });
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        lang.tag()
    );
    let facts: Vec<Vec<String>> =
        head(report).into_iter().map(|(name, value)| vec![say(lang, name, &[]), value]).collect();
    page.push_str(&table(&[], &facts));
    let asked: Vec<Vec<String>> = report.asked.iter().map(|line| vec![line.clone()]).collect();
    section(&mut page, lang, "report-asked", &[], &asked);
    let parts: Vec<Vec<String>> = report
        .parts
        .iter()
        .map(|part| vec![part.id.clone(), part.status.clone(), part.title.clone()])
        .collect();
    section(&mut page, lang, "report-parts", &["part", "status", "about"], &parts);
    drawing(&mut page, report, lang);
    let checks: Vec<Vec<String>> = report
        .checks
        .iter()
        .map(|check| vec![check.command.clone(), check.verdict.clone(), check.summary.clone()])
        .collect();
    section(&mut page, lang, "report-checks", &["command", "verdict", "about"], &checks);
    let changed: Vec<Vec<String>> = report
        .changed
        .iter()
        .map(|one| vec![one.path.clone(), one.action.clone(), one.call.clone()])
        .collect();
    section(&mut page, lang, "report-changed", &["path", "action", "call"], &changed);
    section(&mut page, lang, "report-calls", &["call", "end", "code", "about"], &calls(report));
    let open: Vec<Vec<String>> =
        report.open.iter().map(|line| vec![line.id.clone(), line.text.clone()]).collect();
    section(&mut page, lang, "report-open", &[], &open);
    let undo: Vec<Vec<String>> = report.undo.iter().map(|line| vec![line.clone()]).collect();
    section(&mut page, lang, "report-undo", &[], &undo);
    let headings = ["seq", "at", "by", "event", "about"];
    section(&mut page, lang, "report-timeline", &headings, &timeline(report));
    page.push_str("</body>\n</html>\n");
    page
}

fn calls(report: &Report) -> Vec<Vec<String>> {
    let row = |call: &super::parts::CallLine| {
        let end = call.outcome.clone().unwrap_or_else(|| call.state.clone());
        vec![call.id.clone(), end, call.code.clone().unwrap_or_default(), call.about.clone()]
    };
    report.calls.iter().map(row).collect()
}

fn timeline(report: &Report) -> Vec<Vec<String>> {
    let row = |one: &super::parts::Moment| {
        let [at, by] = [one.at.clone(), one.by.clone()];
        vec![one.seq.to_string(), at, by, one.event.clone(), one.summary.clone()]
    };
    report.timeline.iter().map(row).collect()
}

/// The machine, with the states that were passed; a page without it is still whole.
fn drawing(page: &mut String, report: &Report, lang: Lang) {
    page.push_str(&format!("<h2>{}</h2>\n", escaped(&say(lang, "report-passed", &[]))));
    page.push_str(&format!("<p>{}</p>\n", escaped(&report.passed.join(" → "))));
    if let Some(kind) = Kind::named(&report.machine) {
        let drawn = draw::svg_passed(&draw::kept(kind), &report.passed);
        page.push_str(&format!("<figure>\n{drawn}</figure>\n"));
    }
}

fn section(page: &mut String, lang: Lang, key: &str, names: &[&str], rows: &[Vec<String>]) {
    page.push_str(&format!("<h2>{}</h2>\n", escaped(&say(lang, key, &[]))));
    if rows.is_empty() {
        let none = escaped(&say(lang, "report-none", &[]));
        page.push_str(&format!("<p class=\"none\">{none}</p>\n"));
        return;
    }
    let names: Vec<String> =
        names.iter().map(|name| say(lang, &format!("report-col-{name}"), &[])).collect();
    page.push_str(&table(&names, rows));
}

fn table(names: &[String], rows: &[Vec<String>]) -> String {
    let row = |cells: &[String], tag: &str| {
        let cells: Vec<String> =
            cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{}</tr>\n", cells.concat())
    };
    let heading = if names.is_empty() { String::new() } else { row(names, "th") };
    let rows: Vec<String> = rows.iter().map(|cells| row(cells, "td")).collect();
    format!("<table>\n{heading}{}</table>\n", rows.concat())
}

/// A text in which nothing is markup, neither between tags nor in an attribute. Control characters
/// but the line break would only hide what is there.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::parts::{Change, Line, Moment, Part};
    use super::*;

    /// Every field filled with what would be markup.
    fn hostile() -> Report {
        let bad = || "<script>x</script>\"'&".to_owned();
        Report {
            run_id: bad(),
            machine: "turn".to_owned(),
            title: bad(),
            state: bad(),
            outcome: Some(bad()),
            code: Some(bad()),
            asked: vec![bad()],
            parts: vec![Part { id: bad(), status: bad(), title: bad() }],
            passed: vec!["IDLE".to_owned(), bad()],
            timeline: vec![Moment { seq: 1, at: bad(), by: bad(), event: bad(), summary: bad() }],
            changed: vec![Change { path: bad(), action: bad(), call: bad() }],
            open: vec![Line { id: bad(), text: bad() }],
            undo: vec![bad()],
            ..Report::default()
        }
    }

    #[test]
    fn invariant_nothing_of_a_run_is_markup() {
        for lang in Lang::ALL {
            let page = html(&hostile(), lang);
            assert!(!page.contains("<script"), "{page}");
            assert!(page.contains("&lt;script&gt;x&lt;/script&gt;&quot;&#39;&amp;"));
            let page = super::super::md::md(&hostile(), lang);
            let code = page.replace("`<script>x</script>\"'&`", "").replace("\\<script", "");
            assert!(!code.contains("<script"), "{page}");
        }
    }

    #[test]
    fn a_page_stands_alone_in_both_languages() {
        let (en, zh) = (html(&hostile(), Lang::En), html(&hostile(), Lang::Zh));
        assert_ne!(en, zh);
        assert_eq!(en.lines().count(), zh.lines().count());
        for page in [en, zh] {
            assert_eq!(page.matches("class=\"box passed\"").count(), 1, "IDLE was passed");
            for outside in ["src=", "href=", "@import", "url(http"] {
                assert!(!page.contains(outside), "{outside}");
            }
        }
    }
}
