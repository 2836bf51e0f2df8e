//! Ctrl-C while something is followed: it ends the view and never the work. The first one is only
//! noted, so that the view can say how to come back.

use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::Signal;

unsafe extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
}

static ASKED: AtomicBool = AtomicBool::new(false);

extern "C" fn note(_number: i32) {
    ASKED.store(true, Ordering::SeqCst);
}

/// From here on an interrupt is noted instead of ending the process.
pub fn listen() {
    // SAFETY: the handler only stores to an atomic, which is async-signal-safe.
    unsafe { signal(Signal::INT.as_raw(), note as *const () as usize) };
}

/// Whether the person has pressed Ctrl-C.
pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
