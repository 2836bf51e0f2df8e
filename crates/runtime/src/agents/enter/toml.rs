//! An entry in settings written as TOML. The table of the entry is written anew; all other lines
//! stay as the person has them.

use toml::{Table, Value};

use super::client::{Entered, Entry, NAME, Unfit};

/// Where the client keeps its servers.
const SERVERS: &str = "mcp_servers";

/// The settings with the entry in them.
pub(super) fn entered(text: &str, entry: &Entry) -> Result<Entered, Unfit> {
    let whole: Table = text.parse().map_err(|_| Unfit)?;
    let servers = whole.get(SERVERS).and_then(Value::as_table);
    let old = servers.and_then(|servers| servers.get(NAME)).and_then(Value::as_table);
    let mut new = old.cloned().unwrap_or_default();
    new.insert("command".to_owned(), Value::String(entry.command.clone()));
    let args = entry.args.iter().map(|arg| Value::String(arg.clone())).collect();
    new.insert("args".to_owned(), Value::Array(args));
    if old == Some(&new) {
        return Ok(Entered::Same);
    }
    let text = placed(text, &new);
    // What the person had is there unchanged, or nothing is written.
    let mut wanted = whole;
    let servers = wanted.entry(SERVERS).or_insert_with(|| Value::Table(Table::new()));
    servers.as_table_mut().ok_or(Unfit)?.insert(NAME.to_owned(), Value::Table(new));
    let found: Table = text.parse().map_err(|_| Unfit)?;
    if found == wanted { Ok(Entered::Text(text)) } else { Err(Unfit) }
}

/// The lines without the old table, and the new one where it stood or at the end.
fn placed(text: &str, new: &Table) -> String {
    let header = format!("[{SERVERS}.{NAME}]");
    let is_header = |line: &str| line.trim_start().starts_with('[');
    let mut lines: Vec<&str> = text.lines().collect();
    let from = lines.iter().position(|line| line.trim() == header).unwrap_or(lines.len());
    let rest = lines.get(from + 1..).unwrap_or_default();
    // A multi-line value of the old table may begin a line with `[`; then what comes of it does
    // not read as wanted, and nothing is written.
    let count = rest.iter().take_while(|line| !is_header(line)).count();
    let old = if from < lines.len() { from..from + 1 + count } else { from..from };
    let mut block = vec![header];
    // Tables below it have headers of their own further down.
    for (name, value) in new.iter().filter(|(_, value)| !value.is_table()) {
        block.push(format!("{name} = {value}"));
    }
    if old.is_empty() && !lines.is_empty() {
        block.insert(0, String::new());
    } else if !rest[count.min(rest.len())..].is_empty() {
        block.push(String::new());
    }
    lines.splice(old, block.iter().map(String::as_str));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(old: &str) -> String {
        let entry = Entry { command: "/lw".into(), args: vec!["mcp".into()] };
        match entered(old, &entry) {
            Ok(Entered::Text(text)) => text,
            other => panic!("{old}: {other:?}"),
        }
    }

    #[test]
    fn the_other_lines_stay() {
        let block = "[mcp_servers.loopwright]\nargs = [\"mcp\"]\ncommand = \"/lw\"\n";
        let table = [
            ("", block.to_owned()),
            ("# mine\nmodel = \"x\"\n", format!("# mine\nmodel = \"x\"\n\n{block}")),
            (
                "[mcp_servers.loopwright]\ncommand = \"/old\" # why\n\n[a]\nb = 1\n",
                format!("{block}\n[a]\nb = 1\n"),
            ),
            (
                "[mcp_servers.loopwright]\ncommand = \"/old\"\n\
                 [mcp_servers.loopwright.env]\nA = \"1\"\n",
                format!("{block}\n[mcp_servers.loopwright.env]\nA = \"1\"\n"),
            ),
        ];
        for (old, expected) in table {
            assert_eq!(text(old), expected, "{old}");
        }
    }

    #[test]
    fn other_forms_are_left_alone() {
        let entry = Entry { command: "/lw".into(), args: vec![] };
        for old in [
            "mcp_servers = { x = { command = \"y\" } }\n",
            "mcp_servers = 1\n",
            "[mcp_servers]\nloopwright = { command = \"/old\" }\n",
            "a = \n",
        ] {
            assert_eq!(entered(old, &entry), Err(Unfit), "{old}");
        }
    }
}
