//! One page for each code in both languages, and their index. The sentences are the binary's own.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use edge::problem::example;
use kernel::errors::Code;
use runtime::words::{Explained, Lang, explain};

use super::page::{self, DRAWN, Page, code};

/// The pages of every code, and the index.
pub fn pages() -> Result<Vec<Page>> {
    let names = kernel::errors::names();
    let mut all = Vec::with_capacity(names.len() + 1);
    let mut rows = Vec::new();
    for name in &names {
        let page = |lang| explain(name, lang).map_err(|_| anyhow!("no page for {name}"));
        let (en, zh) = (page(Lang::En)?, page(Lang::Zh)?);
        rows.push(vec![
            format!("[`{name}`]({name}.md)"),
            en.class.to_owned(),
            en.exit.to_string(),
            en.http.to_string(),
            en.title_en.clone(),
            en.title_zh.clone(),
        ]);
        all.push(Page::new(format!("errors/{name}.md"), text(&en, &zh)));
    }
    let heading = ["code", "class", "exit", "HTTP", "meaning", "含义"];
    let index = format!(
        "# Codes / 错误码\n\n{DRAWN}\n\n{} codes. `loopwright explain CODE` shows the same.\n\n{}",
        names.len(),
        page::table(&heading, &rows)
    );
    all.push(Page::new("errors/README.md", index));
    Ok(all)
}

/// What a page calls its parts.
struct Words {
    when: &'static str,
    state: &'static str,
    next: &'static str,
    commands: &'static str,
    keys: &'static str,
    kinds: &'static str,
    example: &'static str,
    json: &'static str,
    web: &'static str,
}

const EN: Words = Words {
    when: "When",
    state: "What was and was not changed",
    next: "What to do",
    commands: "Commands",
    keys: "Settings",
    kinds: "Detail kinds",
    example: "On a terminal",
    json: "With `--json`",
    web: "Over HTTP",
};

const ZH: Words = Words {
    when: "何时出现",
    state: "改变与未改变",
    next: "下一步",
    commands: "命令",
    keys: "相关设置",
    kinds: "细分",
    example: "终端显示",
    json: "使用 `--json`",
    web: "HTTP 应答",
};

fn text(en: &Explained, zh: &Explained) -> String {
    let again = if en.retryable { "yes / 是" } else { "no / 否" };
    let facts = page::table(
        &["class / 类别", "exit / 退出码", "HTTP", "same request later / 稍后重试"],
        &[vec![format!("`{}`", en.class), en.exit.to_string(), en.http.to_string(), again.into()]],
    );
    format!(
        "# `{}`\n\n{DRAWN}\n\n{facts}\n## {}\n\n{}\n## {}\n\n{}",
        en.code,
        en.title_en,
        half(en, Lang::En, &EN),
        zh.title_zh,
        half(zh, Lang::Zh, &ZH)
    )
}

/// One language's half.
fn half(page: &Explained, lang: Lang, words: &Words) -> String {
    let mut out = String::new();
    let mut part = |name: &str, text: &str| {
        if !text.is_empty() {
            writeln!(out, "**{name}.** {text}\n").expect("a String takes all text");
        }
    };
    part(words.when, &page.when);
    part(words.state, &page.state);
    part(words.next, &page.next);
    let commands: Vec<&str> = page.commands.iter().map(String::as_str).collect();
    part(words.commands, &code(&commands));
    part(words.keys, &code(&page.keys));
    part(words.kinds, &code(&page.kinds));
    let code = Code::parse(&page.code).expect("a page is of a code");
    let (json, (status, body)) = example(code, lang);
    let web = format!("HTTP/1.1 {status}\ncontent-type: application/problem+json\n\n{body}");
    let blocks =
        [(words.example, page.example.clone()), (words.json, json.to_string()), (words.web, web)];
    for (name, block) in blocks {
        writeln!(out, "**{name}.**\n\n```\n{block}\n```\n").expect("a String takes all text");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_page_and_its_line_in_the_index() {
        let pages = pages().unwrap();
        let names = kernel::errors::names();
        assert_eq!(pages.len(), names.len() + 1);
        let index = pages.last().unwrap();
        for (name, page) in names.iter().zip(&pages) {
            assert_eq!(page.path, format!("errors/{name}.md"));
            assert!(page.text.contains(ZH.when) && page.text.contains(EN.when), "{name}");
            assert!(index.text.contains(&format!("[`{name}`]({name}.md)")), "{name}");
        }
    }
}
