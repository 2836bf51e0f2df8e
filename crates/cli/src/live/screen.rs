//! Where the view is written: lines that stay, and on a terminal a block below them that is drawn
//! again in place. What the lines say is not known here.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use crate::out;
use crate::table::{COLUMNS, cut};

/// A block is drawn at most so often.
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// How a view is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing until the end.
    Quiet,
    /// One line after the other.
    Lines,
    /// Lines, and a block that stays below them.
    Terminal,
}

/// Whether anybody still reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Yes.
    There,
    /// No.
    Gone,
}

/// The screen of one view.
pub struct Screen {
    kind: Kind,
    drawn: Vec<String>,
    drawn_at: Option<Instant>,
}

impl Screen {
    /// Lines, or a terminal's block where stdout is one.
    pub fn text() -> Self {
        let kind = if io::stdout().is_terminal() { Kind::Terminal } else { Kind::Lines };
        Self::of(kind)
    }

    /// A screen of that kind.
    pub const fn of(kind: Kind) -> Self {
        Self { kind, drawn: Vec::new(), drawn_at: None }
    }

    /// Whether a block can be drawn.
    pub fn has_block(&self) -> bool {
        self.kind == Kind::Terminal
    }

    /// A line that stays, above the block.
    pub fn line(&mut self, text: &str) -> Reader {
        if self.kind == Kind::Quiet {
            return Reader::There;
        }
        self.clear();
        read_by(out::line(text))
    }

    /// Draws the block again if it changed and the last drawing is not too fresh.
    pub fn block(&mut self, lines: Vec<String>) -> Reader {
        let fresh = self.drawn_at.is_some_and(|at| at.elapsed() < DRAW_EVERY);
        if self.kind != Kind::Terminal || fresh && !self.drawn.is_empty() {
            return Reader::There;
        }
        let width = width();
        let lines: Vec<String> = lines.iter().map(|line| cut(line, width)).collect();
        if lines == self.drawn {
            return Reader::There;
        }
        // One write, so that nobody sees the block half drawn.
        let written = out::raw(&format!("{}{}\n", self.away(), lines.join("\n")));
        self.drawn = lines;
        self.drawn_at = Some(Instant::now());
        read_by(written)
    }

    /// Takes the block away.
    pub fn clear(&mut self) {
        // A reader that has gone away sees nothing anyway.
        drop(out::raw(&self.away()));
        self.drawn.clear();
    }

    /// Up to the block's first line, and nothing of it stays.
    fn away(&self) -> String {
        match self.drawn.len() {
            0 => String::new(),
            lines => format!("\x1b[{lines}F\x1b[J"),
        }
    }
}

fn read_by(written: io::Result<()>) -> Reader {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Reader::Gone,
        Ok(()) | Err(_) => Reader::There,
    }
}

/// Columns of the terminal, less one so that no line wraps.
fn width() -> usize {
    let columns = rustix::termios::tcgetwinsize(io::stdout()).map_or(0, |size| size.ws_col);
    match usize::from(columns) {
        0 | 1 => COLUMNS - 1,
        columns => columns - 1,
    }
}
