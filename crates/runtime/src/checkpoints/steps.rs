//! The beats between two steps of long work. A person's cancel is heard there, and a proof cuts
//! the work off there as a crash would: then nothing is tidied up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether work goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// It does.
    On,
    /// It ends here, as it is.
    Stop,
}

/// Asked before every step.
pub trait Steps {
    /// Whether the next step is taken.
    fn next(&mut self) -> Go;

    /// Whether a stop is somebody's word. Then what waits is put where a person looks for it; what
    /// is cut off stays as it is.
    fn is_word(&self) -> bool {
        false
    }
}

/// Goes on until somebody says stop; its copies hear the same word.
#[derive(Debug, Clone, Default)]
pub struct UntilTold(Arc<AtomicBool>);

impl UntilTold {
    /// Says stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Steps for UntilTold {
    fn next(&mut self) -> Go {
        if self.0.load(Ordering::SeqCst) { Go::Stop } else { Go::On }
    }

    fn is_word(&self) -> bool {
        true
    }
}

/// Never stops.
#[derive(Debug, Default)]
pub struct Always;

impl Steps for Always {
    fn next(&mut self) -> Go {
        Go::On
    }
}

/// Stops once its time is over.
#[derive(Debug)]
pub struct Until(Instant);

impl Until {
    /// From now on so long.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    /// Whether its time is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.0
    }
}

impl Steps for Until {
    fn next(&mut self) -> Go {
        if self.is_over() { Go::Stop } else { Go::On }
    }
}

/// Stops after so many steps; proofs walk through every number.
#[derive(Debug)]
pub struct StopAfter(pub u64);

impl Steps for StopAfter {
    fn next(&mut self) -> Go {
        match self.0.checked_sub(1) {
            Some(left) => {
                self.0 = left;
                Go::On
            }
            None => Go::Stop,
        }
    }
}
