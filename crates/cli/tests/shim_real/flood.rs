//! Output without measure: the spool is capped, the end survives, memory stays flat, the clocks
//! go on.

use runtime::shim::clock;
use runtime::shim::files::{self, Ended};
use runtime::shim::launch::Launched;

use crate::kit::{Call, until};

const MIB: u64 = 1 << 20;
/// The shim's own memory at its peak, program text included. A spool in memory would show.
const PEAK_KIB_MAX: u64 = 32 << 10;

/// The most memory the shim is seen to have had.
fn peak_kib(launched: &Launched, call: &Call) -> u64 {
    let status = format!("/proc/{}/status", launched.pid());
    let mut peak = 0;
    until("the shim ends", || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(kib) = line.and_then(|line| line.split_whitespace().next()?.parse().ok()) {
            peak = u64::max(peak, kib);
        }
        call.dir.join(files::EXIT).exists()
    });
    peak
}

fn flood(total_mib: u64) {
    let script = format!("head -c {}M /dev/zero | tr '\\0' x; echo '{{\"final\":1}}'", total_mib);
    let call = Call::sh(&script).with(|r| {
        r.spool_bytes = MIB;
        r.tail_bytes = 64 << 10;
    });
    let launched = call.prepare().launch();
    let peak = peak_kib(&launched, &call);
    launched.wait().unwrap();
    let record = call.exited();
    let all = total_mib * MIB + 12;
    assert_eq!((record.stdout_bytes, record.dropped_bytes), (MIB, all - MIB));
    assert_eq!(call.read(files::STDOUT).len() as u64, MIB);
    let tail = call.read(files::STDOUT_TAIL);
    assert_eq!(tail.len(), 64 << 10);
    assert!(tail.ends_with("x{\"final\":1}\n"), "the final event survives the flood");
    assert!(peak > 0 && peak < PEAK_KIB_MAX, "{peak} KiB");
}

#[test]
fn a_flood_is_capped_and_its_end_survives() {
    flood(200);
}

#[test]
#[ignore = "moves 16 GiB"]
fn prove_a_great_flood_is_capped() {
    flood(16 << 10);
}

#[test]
#[ignore = "moves 1 GiB"]
fn prove_a_gibibyte_on_one_line_is_capped() {
    flood(1 << 10);
}

#[test]
fn an_endless_line_does_not_keep_the_deadline_waiting() {
    let call = Call::sh("yes | tr -d '\\n'").with(|r| {
        r.spool_bytes = MIB;
        r.deadline_wall_ms = clock::wall_ms() + 700;
    });
    let launched = call.prepare().launch();
    // The tail is shown while the flood goes on, for whoever waits for a final event.
    until("a tail", || call.dir.join(files::STDOUT_TAIL).exists());
    let peak = peak_kib(&launched, &call);
    launched.wait().unwrap();
    let record = call.exited();
    assert_eq!(record.ended, Ended::Deadline);
    assert_eq!(record.stdout_bytes, MIB);
    assert!(record.dropped_bytes > 0 && peak < PEAK_KIB_MAX, "{peak} KiB");
}
