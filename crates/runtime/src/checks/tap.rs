//! Reads the Test Anything Protocol. Only leaves count: a point that follows a block of its own
//! stands for that block, unless it failed while nothing in it did. What is to do is skipped
//! whatever its end, a number that the plan promised and nobody reported has failed, and of two
//! points with one number the failed one stands.

use std::collections::BTreeMap;

use super::parse::{Form, Output};
use super::result::{Counts, RESULTS_KEPT, STACK_BYTES_MAX, Status, TestResult};
use super::tally::{NAME_BYTES_MAX, Tally};
use super::text::{Tail, head};

/// Columns that a subtest stands further in.
const INDENT: usize = 4;
/// Deeper than anybody nests; what is further in is output.
const DEPTH_MAX: usize = 32;

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    Reader::of(output).finish(tally)
}

/// The same of a command of unknown kind: a plan alone is just a line.
pub(super) fn read_unknown(output: &Output, tally: &mut Tally<'_>) -> Form {
    let reader = Reader::of(output);
    let is_tap = reader.has_version || reader.blocks.first().is_some_and(|b| !b.points.is_empty());
    if is_tap { reader.finish(tally) } else { Form::Other }
}

#[derive(Default)]
struct Block {
    plan: Option<u64>,
    last: u64,
    points: BTreeMap<u64, Point>,
}

struct Point {
    name: String,
    status: Status,
    inner: Option<Block>,
    detail: Tail,
}

/// The details below a point.
#[derive(Default)]
enum Detail {
    #[default]
    None,
    /// The line before was this point: depth and number.
    May(usize, u64),
    Open(usize, u64),
}

#[derive(Default)]
struct Reader {
    has_version: bool,
    bail: Option<String>,
    /// The block being read and those around it, outermost first.
    blocks: Vec<Block>,
    detail: Detail,
}

impl Reader {
    fn of(output: &Output) -> Self {
        let mut reader = Self::default();
        output.stdout.each_line(|line| reader.line(line));
        reader
    }

    fn line(&mut self, line: &str) {
        let body = line.trim_start_matches(' ');
        let indent = line.len() - body.len();
        let body = body.trim_end();
        if self.is_detail(indent, body) {
            return;
        }
        let depth = indent / INDENT;
        if !indent.is_multiple_of(INDENT) || depth > DEPTH_MAX {
            return;
        }
        if let Some(reason) = body.strip_prefix("Bail out!") {
            self.bail.get_or_insert_with(|| reason.trim().to_owned());
        } else if depth == 0 && body.starts_with("TAP version ") {
            self.has_version = true;
        } else if let Some(plan) = plan(body) {
            let block = self.block(depth);
            block.plan = block.plan.max(Some(plan));
        } else if let Some((number, name, status)) = point(body) {
            self.add(depth, number, name, status);
        }
    }

    /// Takes the lines between `---` and `...`, which stand two columns further in than the point.
    fn is_detail(&mut self, indent: usize, body: &str) -> bool {
        let (depth, number, open) = match std::mem::take(&mut self.detail) {
            Detail::None => return false,
            Detail::May(depth, number) => (depth, number, false),
            Detail::Open(depth, number) => (depth, number, true),
        };
        let own = depth * INDENT + 2;
        let inside = if open { indent >= own || body.is_empty() } else { body == "---" };
        if !inside || (!open && indent != own) {
            return false;
        }
        if open && indent == own && body == "..." {
            return true;
        }
        let point = self.blocks.get_mut(depth).and_then(|block| block.points.get_mut(&number));
        if let Some(point) = point.filter(|point| open && point.status == Status::Failed) {
            let further_in = " ".repeat(indent.saturating_sub(own));
            point.detail.push(&format!("{further_in}{body}"), STACK_BYTES_MAX);
        }
        self.detail = Detail::Open(depth, number);
        true
    }

    fn block(&mut self, depth: usize) -> &mut Block {
        if self.blocks.len() <= depth {
            self.blocks.resize_with(depth + 1, Block::default);
        }
        &mut self.blocks[depth]
    }

    fn add(&mut self, depth: usize, number: Option<u64>, name: &str, status: Status) {
        self.block(depth);
        // What was further in is this point's own; without a plan it was no block but output.
        let inner = self.blocks.drain(depth + 1..).next().filter(|block| block.plan.is_some());
        let block = &mut self.blocks[depth];
        let number = number.unwrap_or(block.last.saturating_add(1));
        block.last = number;
        let name = head(name, NAME_BYTES_MAX).to_owned();
        let new = Point { name, status, inner, detail: Tail::default() };
        let known = block.points.get(&number).map(|known| known.status);
        if known.is_none() || (status == Status::Failed && known != Some(Status::Failed)) {
            block.points.insert(number, new);
        }
        self.detail = Detail::May(depth, number);
    }

    fn finish(mut self, tally: &mut Tally<'_>) -> Form {
        let top = if self.blocks.is_empty() { Block::default() } else { self.blocks.remove(0) };
        let whole = top.plan.is_some();
        let bailed = self.bail.is_some() && !top.points.is_empty();
        if !(whole || self.has_version || bailed) {
            return Form::Other;
        }
        let before = tally.counts.failed;
        top.report("tap", tally);
        if let Some(reason) = self.bail.filter(|_| tally.counts.failed == before) {
            let mut result = TestResult::new("tap", "Bail out!", Status::Failed);
            result.error_message = Some(reason).filter(|reason| !reason.is_empty());
            tally.add(result);
        }
        if whole { Form::Fits } else { Form::Cut }
    }
}

impl Block {
    fn report(self, suite: &str, tally: &mut Tally<'_>) {
        let planned = self.plan.unwrap_or(u64::MAX);
        let mut reported = 0;
        for (number, point) in self.points {
            let is_planned = (1..=planned).contains(&number);
            reported += u64::from(is_planned);
            // Output may look like a point beyond the plan; a failed one is believed.
            if is_planned || point.status == Status::Failed {
                point.report(suite, tally);
            }
        }
        let missing = self.plan.unwrap_or(0).saturating_sub(reported);
        tally.counts = tally.counts.plus(Counts::of(0, missing, 0));
        for nth in 1..=missing.min(RESULTS_KEPT as u64) {
            let name = format!("missing {nth} of {missing}");
            tally.list(TestResult::new(suite, &name, Status::Failed));
        }
    }
}

impl Point {
    fn report(self, suite: &str, tally: &mut Tally<'_>) {
        if let Some(inner) = self.inner {
            let before = tally.counts;
            inner.report(&self.name, tally);
            let told = tally.counts.total > before.total;
            if tally.counts.failed > before.failed || (told && self.status != Status::Failed) {
                return;
            }
        }
        let mut result = TestResult::new(suite, &self.name, self.status);
        if let Some(detail) = self.detail.into_text(STACK_BYTES_MAX) {
            result.error_message = Some(message(&detail).unwrap_or_else(|| detail.clone()));
            result.stack_trace = Some(detail);
        }
        tally.add(result);
    }
}

/// `1..3`, perhaps with a reason for `1..0` behind it.
fn plan(body: &str) -> Option<u64> {
    let rest = body.strip_prefix("1..")?;
    let (count, rest) = rest.split_once(' ').unwrap_or((rest, "#"));
    rest.trim_start().starts_with('#').then(|| count.parse().ok())?
}

/// `not ok 2 - name # SKIP reason`
fn point(body: &str) -> Option<(Option<u64>, &str, Status)> {
    let (ok, rest) = match body.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, body.strip_prefix("ok")?),
    };
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let rest = rest.trim_start();
    let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    let number = word.parse().ok();
    let rest = if number.is_some() { behind } else { rest };
    let said = rest.trim_start().strip_prefix("- ").unwrap_or(rest).trim();
    let (name, directive) = directive(said).unwrap_or((said, ""));
    let status = match (directive, ok) {
        ("todo", _) | ("skip", true) => Status::Skipped,
        (_, true) => Status::Passed,
        (_, false) => Status::Failed,
    };
    Some((number, name, status))
}

/// The name before a directive, and the directive.
fn directive(said: &str) -> Option<(&str, &'static str)> {
    said.match_indices('#').find_map(|(at, _)| {
        let (name, rest) = (&said[..at], said[at + 1..].trim_start());
        let is = |word: &str| rest.get(..4).is_some_and(|found| found.eq_ignore_ascii_case(word));
        let word = ["skip", "todo"].into_iter().find(|word| is(word))?;
        (name.is_empty() || name.ends_with(' ')).then_some((name.trim_end(), word))
    })
}

/// What the details of a point call its error.
fn message(detail: &str) -> Option<String> {
    let mut lines = detail.lines();
    let keys = ["error:", "message:"];
    let said = lines.by_ref().find_map(|line| keys.iter().find_map(|k| line.strip_prefix(k)))?;
    let said = said.trim();
    if !said.starts_with(['|', '>']) {
        return Some(said.trim_matches(['\'', '"']).to_owned());
    }
    let block: Vec<&str> = lines.map_while(|line| line.strip_prefix("  ")).collect();
    Some(block.join("\n").trim().to_owned())
}
