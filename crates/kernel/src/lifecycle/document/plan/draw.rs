//! Draws a plan document: its four sections, the tasks in list form.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::super::check::Check;
use super::super::super::plan::Plan;
use super::super::super::task::{Spec, Verify};
use super::read::section_lines;
use super::sections::{Section, written};
use super::{Item, Outline};

/// The words for what stands below a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labels {
    verify: &'static str,
    depends: &'static str,
}

impl Labels {
    /// English.
    pub const EN: Self = Self { verify: "Verify: ", depends: "Depends: " };
    /// Chinese.
    pub const ZH: Self = Self { verify: "验证：", depends: "依赖：" };
}

/// The document.
#[must_use]
pub fn draw(outline: &Outline, labels: Labels) -> String {
    let mut out = format!("# {}\n", outline.goal);
    for section in [Section::Context, Section::Specs, Section::Tasks, Section::Risks] {
        out.push_str(&format!("\n{}\n", section.heading()));
        match section {
            Section::Context => lines(&mut out, &outline.context),
            Section::Specs => lines(&mut out, &outline.specs),
            Section::Risks => lines(&mut out, &outline.risks),
            Section::Tasks => {
                for item in &outline.tasks {
                    task(&mut out, item, labels);
                }
            }
        }
    }
    out
}

fn lines(out: &mut String, lines: &[String]) {
    for line in written(lines) {
        out.push_str(&line);
        out.push('\n');
    }
}

fn task(out: &mut String, item: &Item, labels: Labels) {
    let priority = item.priority.map_or_else(String::new, |p| format!("[{p:?}] "));
    let files = match item.files.is_empty() {
        true => String::new(),
        false => format!(" ({})", spans(&item.files)),
    };
    let (mark, Item { id, title, .. }) = (item.status.mark(), item);
    out.push_str(&format!("- [{mark}] {id}: {priority}{title}{files}\n"));
    if !item.verify.is_empty() {
        out.push_str(&format!("  - {}{}\n", labels.verify, spans(&item.verify)));
    }
    for prose in &item.acceptance {
        out.push_str(&format!("  - {}{prose}\n", labels.verify));
    }
    if !item.depends.is_empty() {
        out.push_str(&format!("  - {}{}\n", labels.depends, item.depends.join(", ")));
    }
    for detail in &item.detail {
        out.push_str(&format!("  - {detail}\n"));
    }
}

fn spans(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

impl Outline {
    /// A plan of a goal and what is known around it, each as text.
    #[must_use]
    pub fn new(goal: &str, context: &str, specs: &str, risks: &[String]) -> Self {
        let goal: Vec<&str> = goal.split_whitespace().collect();
        Self {
            goal: goal.join(" "),
            context: section_lines(context),
            specs: section_lines(specs),
            risks: risks.iter().map(|risk| format!("- {}", risk.trim())).collect(),
            ..Self::default()
        }
    }

    /// A plan as the document that shows it.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let risks: Vec<String> = plan.findings.iter().map(|one| one.what.clone()).collect();
        let outline = Self::new(&plan.goal, &plan.constraints.join("\n"), "", &risks);
        Self { tasks: plan.tasks.iter().map(Item::of).collect(), ..outline }
    }
}

impl Item {
    fn of(spec: &Spec) -> Self {
        let mut item = Self::new(&spec.id, &spec.title);
        item.priority = spec.priority;
        item.files.clone_from(&spec.files);
        item.depends.clone_from(&spec.depends);
        item.acceptance.clone_from(&spec.acceptance);
        item.detail = spec.detail.lines().map(|line| line.to_owned()).collect();
        if let Verify::Checks(checks) = &spec.verify {
            item.verify = checks.iter().map(Check::line).collect();
        }
        item.tidied()
    }

    /// Its text made such that a document keeps it: one line each, no stray blanks.
    #[must_use]
    pub fn tidied(mut self) -> Self {
        self.title = one_line(&self.title);
        for texts in [&mut self.acceptance, &mut self.detail] {
            let lines = texts.iter().flat_map(|text| text.lines());
            let kept = lines.map(one_line).filter(|line| !line.is_empty());
            *texts = kept.map(|line| line.to_owned()).collect();
        }
        self
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
