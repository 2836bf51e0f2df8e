//! What the run found: a table for the terminal and a file for programs. It judges nothing.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::cli::Cli;
use super::install::Installed;

/// What became of one case with one CLI.
pub struct Row {
    pub cli: Cli,
    pub case: &'static str,
    /// One line a launch: how it ended and how long it took.
    pub legs: Vec<String>,
    pub took_ms: u128,
    /// Requests about the task, and a CLI's own ones.
    pub requests: (usize, usize),
    /// Everything that differs from what was expected.
    pub wrong: Vec<String>,
}

impl Row {
    fn json(&self) -> Value {
        json!({"cli": self.cli.name(), "case": self.case, "ok": self.wrong.is_empty(),
            "wrong": self.wrong, "legs": self.legs, "took_ms": self.took_ms as u64,
            "requests": {"task": self.requests.0, "own": self.requests.1}})
    }

    /// One line, told when the case is done.
    pub fn line(&self) -> String {
        let word = if self.wrong.is_empty() { "ok" } else { "DIFFERS" };
        let seconds = self.took_ms as f64 / 1000.0;
        let (name, case) = (self.cli.name(), self.case);
        let mut text = format!("{name:<7} {case:<14} {word:<8} {seconds:>6.1} s");
        for wrong in &self.wrong {
            text.push_str("\n        ");
            text.push_str(wrong);
        }
        text
    }
}

/// The table: a line a case, a column a CLI.
pub fn table(clis: &[(Cli, Installed)], rows: &[Row]) -> String {
    let mut cases: Vec<&str> = Vec::new();
    for row in rows {
        if !cases.contains(&row.case) {
            cases.push(row.case);
        }
    }
    let mut text = format!("{:<15}", "case");
    for (cli, installed) in clis {
        text.push_str(&format!("{:<24}", format!("{} {}", cli.name(), installed.version)));
    }
    for case in cases {
        text.push_str(&format!("\n{case:<15}"));
        for (cli, _) in clis {
            let row = rows.iter().find(|row| row.cli == *cli && row.case == case);
            let cell = row.map_or_else(|| "-".to_owned(), cell);
            text.push_str(&format!("{cell:<24}"));
        }
    }
    text
}

fn cell(row: &Row) -> String {
    let word = if row.wrong.is_empty() { "ok" } else { "DIFFERS" };
    format!("{word} {:.1} s {} req", row.took_ms as f64 / 1000.0, row.requests.0)
}

/// Writes the file for programs.
pub fn write(file: &Path, clis: &[(Cli, Installed)], rows: &[Row]) -> Result<()> {
    let versions: Value =
        clis.iter().map(|(cli, had)| (cli.name().to_owned(), json!(had.version))).collect();
    let rows: Vec<Value> = rows.iter().map(Row::json).collect();
    let report = json!({"format": 1, "versions": versions, "cases": rows});
    std::fs::write(file, format!("{report:#}\n"))?;
    Ok(())
}
