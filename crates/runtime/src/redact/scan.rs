//! Walks over bytes as they arrive and holds back only what may still become a secret. The rules
//! themselves are elsewhere.

use std::collections::BTreeMap;

use super::ansi;
use super::marks::{Label, Mark};
use super::rules::{MATCH_BYTES_MAX, Redactor};

/// Rules look this far back, to see whether a word begins.
const CONTEXT_BYTES: usize = 2;

/// Whether more bytes may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    Open,
    Closed,
}

/// What a rule says about one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    No,
    /// Not yet, but more bytes may make it a match.
    More,
    /// This part is secret. What lies between the place looked at and `from` is shown.
    Yes {
        from: usize,
        to: usize,
        label: Label,
    },
}

pub(super) fn yes(from: usize, to: usize, label: Label) -> Verdict {
    Verdict::Yes { from, to, label }
}

/// Redacts output that arrives in pieces. The joined output does not depend on where the pieces
/// were cut.
pub struct Stream<'a> {
    rules: &'a Redactor,
    /// Raw bytes not yet given out.
    held: Vec<u8>,
    /// The last bytes given out, without escapes: context for what follows.
    before: Vec<u8>,
}

/// One walk over what is held.
struct Walk<'a> {
    rules: &'a Redactor,
    text: &'a [u8],
    lines: BTreeMap<usize, usize>,
    tail: Tail,
}

/// Where a walk stops and what it found before.
struct Found {
    secrets: Vec<(usize, usize, Label)>,
    stop: usize,
}

impl<'a> Stream<'a> {
    pub(super) fn new(rules: &'a Redactor) -> Self {
        Self { rules, held: Vec::new(), before: Vec::new() }
    }

    /// Takes the next bytes and gives out what is safe to show.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        self.advance(Tail::Open)
    }

    /// Gives out the rest: nothing more will come.
    pub fn finish(mut self) -> Vec<u8> {
        self.advance(Tail::Closed)
    }

    fn advance(&mut self, tail: Tail) -> Vec<u8> {
        let raw = std::mem::take(&mut self.held);
        let stripped = ansi::strip(&raw);
        let context = self.before.len();
        let mut text = std::mem::take(&mut self.before);
        text.extend_from_slice(&stripped.text);
        let lines = self.rules.lines(&text, context);
        let walk = Walk { rules: self.rules, text: &text, lines, tail };
        let found = walk.run(context);
        let place = |at: usize| stripped.places.get(at - context).copied();
        let stop = place(found.stop).unwrap_or(match tail {
            Tail::Open => stripped.end,
            Tail::Closed => raw.len(),
        });
        let mut out = Vec::with_capacity(stop);
        let mut shown = 0;
        for (from, to, label) in &found.secrets {
            let start = place(*from).unwrap_or(stop);
            out.extend_from_slice(&raw[shown..start]);
            out.extend_from_slice(label.mark().as_bytes());
            shown = place(to - 1).map_or(stop, |last| last + 1);
        }
        out.extend_from_slice(&raw[shown.min(stop)..stop]);
        self.held = raw[stop..].to_vec();
        text.truncate(found.stop);
        self.before = text.split_off(text.len().saturating_sub(CONTEXT_BYTES));
        out
    }
}

impl Walk<'_> {
    fn run(&self, start: usize) -> Found {
        let stop = self.last_line(start);
        let mut secrets = Vec::new();
        let mut at = start;
        while at < stop {
            match self.at(at) {
                Step::Show(bytes) => at += bytes,
                Step::Hold => return self.hold(secrets, start, at),
                Step::Hide { from, to, label } => {
                    secrets.push((from, to, label));
                    at = to;
                }
            }
        }
        Found { secrets, stop: at }
    }

    fn at(&self, at: usize) -> Step {
        if self.lines.is_empty() && self.rules.dull(self.text[at]) {
            return Step::Show(1);
        }
        match self.rules.mark_at(&self.text[at..]) {
            Mark::Of(bytes) => return Step::Show(bytes),
            Mark::More if self.tail == Tail::Open => return Step::Hold,
            Mark::More | Mark::None => {}
        }
        match self.secret(at) {
            Verdict::No => Step::Show(1),
            Verdict::More => Step::Hold,
            Verdict::Yes { from, to, label } => self.widened(from, to, label),
        }
    }

    /// A value may begin inside another secret and end behind it: then both go.
    fn widened(&self, from: usize, to: usize, label: Label) -> Step {
        let mut end = to;
        for at in from + 1..to {
            match self.rules.value_at(self.text, at, self.tail) {
                Verdict::No => {}
                Verdict::More => return Step::Hold,
                Verdict::Yes { from: _, to, label: _ } => end = end.max(to),
            }
            end = end.max(self.lines.get(&at).copied().unwrap_or(end));
        }
        Step::Hide { from, to: end, label }
    }

    fn secret(&self, at: usize) -> Verdict {
        match (self.rules.secret_at(self.text, at, self.tail), self.lines.get(&at)) {
            (Verdict::No, Some(end)) => yes(at, *end, Label::Token),
            (verdict, _) => verdict,
        }
    }

    /// With patterns, an unfinished line waits, unless it is longer than any match.
    fn last_line(&self, start: usize) -> usize {
        let length = self.text.len();
        if self.rules.patterns.is_none() || self.tail == Tail::Closed {
            return length;
        }
        let line =
            self.text[start..].iter().rposition(|b| *b == b'\n').map_or(start, |n| start + n + 1);
        if length - line > MATCH_BYTES_MAX { length } else { line }
    }

    /// With patterns, what is held begins with its line, as a pattern may look at all of it;
    /// unless that line began inside a secret that is given out already.
    fn hold(&self, mut secrets: Vec<(usize, usize, Label)>, start: usize, at: usize) -> Found {
        let mut stop = at;
        if self.rules.patterns.is_some() && at - start <= MATCH_BYTES_MAX {
            let newline = self.text[start..at].iter().rposition(|b| *b == b'\n');
            stop = newline.map_or(start, |n| start + n + 1);
        }
        if secrets.iter().any(|(from, to, _)| *from < stop && stop < *to) {
            stop = at;
        }
        secrets.retain(|(from, _, _)| *from < stop);
        Found { secrets, stop }
    }
}

enum Step {
    Show(usize),
    Hide { from: usize, to: usize, label: Label },
    Hold,
}
