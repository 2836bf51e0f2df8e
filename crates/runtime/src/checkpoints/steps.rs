//! The beats between two steps of long work. A person's cancel is heard there, and a proof cuts
//! the work off there as a crash would: nothing is tidied up after a stop.

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
}

/// Never stops.
#[derive(Debug, Default)]
pub struct Always;

impl Steps for Always {
    fn next(&mut self) -> Go {
        Go::On
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
