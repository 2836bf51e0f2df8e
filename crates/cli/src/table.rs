//! Text tables that stay readable at 80 columns: columns as wide as needed, the last one cut. It
//! knows display widths, because a Chinese letter takes two columns.

use unicode_width::UnicodeWidthStr as _;

/// Terminals are at least this wide; a table never needs more.
pub const COLUMNS: usize = 80;

/// Blanks between two columns.
const GAP: usize = 2;

/// Draws rows under a heading; the widest flexible column (the last) is cut to fit.
pub fn draw(heading: &[String], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = heading.iter().map(|cell| cell.width()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let fixed: usize = widths.iter().rev().skip(1).map(|width| width + GAP).sum();
    let room = COLUMNS.saturating_sub(fixed).max(MIN_LAST);
    let all = std::iter::once(heading).chain(rows.iter().map(Vec::as_slice));
    let lines: Vec<String> = all.map(|row| line(row, &widths, room)).collect();
    lines.join("\n")
}

/// The last column keeps at least this much, even if a long id pushes the line over.
const MIN_LAST: usize = 12;

fn line(row: &[String], widths: &[usize], room: usize) -> String {
    let mut text = String::new();
    for (at, cell) in row.iter().enumerate() {
        if at + 1 == row.len() {
            text.push_str(&cut(cell, room));
        } else {
            let pad = widths[at].saturating_sub(cell.width()) + GAP;
            text.push_str(cell);
            text.push_str(&" ".repeat(pad));
        }
    }
    text.trim_end().to_owned()
}

/// The beginning of a text, in one line, with an ellipsis where something was left out.
pub fn cut(text: &str, columns: usize) -> String {
    let flat: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if flat.width() <= columns {
        return flat;
    }
    let mut kept = String::new();
    for letter in flat.chars() {
        kept.push(letter);
        if kept.width() >= columns {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

/// Names and values, one below the other. A long value goes on in its own column, at blanks
/// only, so that a path or an id can be copied.
pub fn pairs(rows: &[(String, String)]) -> String {
    let name_width = rows.iter().map(|(name, _)| name.width()).max().unwrap_or(0) + GAP;
    let room = COLUMNS.saturating_sub(name_width).max(MIN_LAST);
    let mut lines = Vec::new();
    for (name, value) in rows {
        let mut margin = format!("{name}{}", " ".repeat(name_width - name.width()));
        for part in wrapped(value, room) {
            lines.push(format!("{margin}{part}"));
            margin = " ".repeat(name_width);
        }
    }
    lines.join("\n")
}

fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        let line = lines.last_mut().expect("it starts with one");
        if line.is_empty() {
            line.push_str(word);
        } else if line.width() + 1 + word.width() <= room {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_end_in_time() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let long = "x".repeat(200);
        let drawn = draw(
            &row(["编号", "b", "c"]),
            &[row(["1", "已暂停", "短"]), row(["loop-1", "z", &long])],
        );
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], "编号    b       c");
        assert_eq!(lines[1], "1       已暂停  短");
        assert_eq!(lines[2].width(), COLUMNS);
        assert!(lines[2].ends_with('…'));
    }

    #[test]
    fn values_go_on_in_their_column() {
        let row = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let path = "/".repeat(90);
        let drawn = pairs(&[row("a", &"word ".repeat(20)), row("路径", &path)]);
        let lines: Vec<&str> = drawn.lines().collect();
        assert!(
            lines[0].starts_with("a     word") && lines[1].starts_with("      word"),
            "{drawn}"
        );
        assert!(lines[..2].iter().all(|line| line.width() <= COLUMNS));
        assert_eq!(lines[2], format!("路径  {path}"), "what has no blank stays whole");
    }

    #[test]
    fn a_cell_is_one_line() {
        assert_eq!(cut("a\nb\u{1b}[31m", 20), "a b [31m");
        assert_eq!(cut("一二三四", 5), "一二…");
    }
}
