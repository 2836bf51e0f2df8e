//! What the call of a check left behind: its spools, its reports and how it ended. Only what its
//! own run wrote counts.

use std::path::Path;
use std::time::{Duration, SystemTime};

use kernel::call::{Ended as CallEnded, Exit};

use super::approved::REPORT_FILE;
use super::parse::{Ended, Output};
use super::reports::written;
use super::text::Stream;
use crate::shim::files;

/// When a call began, on the clock that stamps files.
#[must_use]
pub fn began(exit: &Exit) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(exit.started_at.0)
}

/// The output of the call with this directory, and the reports it wrote below `root`.
#[must_use]
pub fn left(dir: &Path, exit: &Exit, root: &Path, report_paths: &[String]) -> Output {
    let report = dir.join(files::COLLECTED).join(REPORT_FILE);
    Output {
        stdout: Stream::File(dir.join(files::STDOUT)),
        stderr: Stream::File(dir.join(files::STDERR)),
        ended: ended(exit),
        report: report.is_file().then_some(report),
        reports: written(root, report_paths, began(exit)),
    }
}

fn ended(exit: &Exit) -> Ended {
    match exit.ended {
        CallEnded::Deadline | CallEnded::Idle => Ended::TimedOut,
        CallEnded::Exit | CallEnded::Signal | CallEnded::Stopped | CallEnded::SpawnFailed => {
            match (exit.exit_code, exit.signal) {
                (Some(code), _) => Ended::Exited(code),
                (None, Some(signal)) => Ended::Signalled(signal),
                (None, None) => Ended::Exited(1),
            }
        }
    }
}
