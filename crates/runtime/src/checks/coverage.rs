//! Reads lcov and Cobertura files. Only files this run wrote count: an old report says nothing
//! about new code.

use std::path::{Path, PathBuf};

use kernel::loops::Covered;
use serde::{Deserialize, Serialize};

use super::cobertura;
use super::reports;
use super::text::Stream;

/// How much of the code the tests ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// Lines run of lines there are, in percent, cut to one decimal; 0 if not available.
    pub coverage: f64,
    /// Whether this run wrote a report with lines in it.
    pub coverage_available: bool,
}

/// Sums the coverage files among those a run wrote.
#[must_use]
pub fn coverage(written: &[PathBuf]) -> Coverage {
    let (mut hit, mut found) = (0u64, 0u64);
    for lines in written.iter().filter_map(|path| lines(path)) {
        hit = hit.saturating_add(lines.0);
        found = found.saturating_add(lines.1);
    }
    // A report that claims more lines run than there are is nonsense.
    if found == 0 || hit > found {
        return Coverage::default();
    }
    let tenths = u128::from(hit) * 1000 / u128::from(found);
    let coverage = u32::try_from(tenths).map_or(0.0, |tenths| f64::from(tenths) / 10.0);
    Coverage { coverage, coverage_available: true }
}

/// The lines of each coverage file among those a run wrote below the root, for a sum over several
/// runs.
#[must_use]
pub fn covered(root: &Path, written: &[PathBuf]) -> Vec<Covered> {
    // What was written is told by where it really lies.
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let of = |path: &PathBuf| {
        let (hit, found) = lines(path)?;
        let place = path.strip_prefix(&root).unwrap_or(path);
        Some(Covered { path: place.to_string_lossy().into_owned(), hit, found })
    };
    written.iter().filter_map(of).collect()
}

/// Lines run and lines there are; none if the file cannot be read.
fn lines(path: &Path) -> Option<(u64, u64)> {
    reports::open(path)?;
    Some(cobertura::read(path).unwrap_or_else(|| {
        let mut file = Lines::default();
        Stream::File(path.to_owned()).each_line(|line| file.line(line));
        file.end();
        (file.hit, file.found)
    }))
}

/// Sums over the source files of one report: their `LH` and `LF`, else their `DA` lines.
#[derive(Default)]
struct Lines {
    hit: u64,
    found: u64,
    summary: (Option<u64>, Option<u64>),
    counted: (u64, u64),
}

impl Lines {
    fn line(&mut self, line: &str) {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        if let Some(count) = line.strip_prefix("LH:") {
            self.summary.0 = number(count);
        } else if let Some(count) = line.strip_prefix("LF:") {
            self.summary.1 = number(count);
        } else if let Some((_, runs)) = line.strip_prefix("DA:").and_then(|da| da.split_once(',')) {
            let ran = runs.split(',').next().and_then(number).is_some_and(|runs| runs > 0);
            self.counted.0 += u64::from(ran);
            self.counted.1 += 1;
        } else if line == "end_of_record" {
            self.end();
        }
    }

    fn end(&mut self) {
        let (hit, found) = match std::mem::take(&mut self.summary) {
            (Some(hit), Some(found)) => (hit, found),
            _ => self.counted,
        };
        self.counted = (0, 0);
        self.hit = self.hit.saturating_add(hit);
        self.found = self.found.saturating_add(found);
    }
}
