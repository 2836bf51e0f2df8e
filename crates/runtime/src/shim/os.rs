//! The few things the safe system interface does not offer: forking, leaving without unwinding,
//! and turning signals into bytes on a pipe. Used by the shim process alone, which has exactly
//! one thread; nothing here may be called from the engine.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Signal};

unsafe extern "C" {
    fn fork() -> i32;
    fn _exit(code: i32) -> !;
    fn signal(number: i32, handler: usize) -> usize;
    fn write(fd: i32, bytes: *const u8, count: usize) -> isize;
}

/// The value by which `signal` restores the default.
const DEFAULT: usize = 0;
/// One past the largest signal number.
const SIGNALS_END: i32 = 65;

/// The write end for the handlers; -1 before there is one.
static WAKE: AtomicI32 = AtomicI32::new(-1);

extern "C" fn wake(number: i32) {
    let byte = u8::try_from(number).unwrap_or(0);
    // SAFETY: `write` is async-signal-safe and reads one byte of this frame. The pipe does not
    // block; a full one already wakes the reader, so the result does not matter.
    unsafe { write(WAKE.load(Ordering::Relaxed), &raw const byte, 1) };
}

/// Which side of a fork this is.
pub enum Fork {
    /// The shim, with the child's pid.
    Shim(Pid),
    /// The child.
    Child,
}

/// Splits the process in two.
pub fn split() -> io::Result<Fork> {
    // SAFETY: the shim has one thread, so no lock can be left held in the child, which may
    // therefore allocate like any other code before it execs.
    match unsafe { fork() } {
        0 => Ok(Fork::Child),
        pid => Pid::from_raw(pid)
            .filter(|_| pid > 0)
            .map(Fork::Shim)
            .ok_or_else(io::Error::last_os_error),
    }
}

/// Ends the child at once: no destructor of the shim's runs twice.
pub fn leave(code: i32) -> ! {
    // SAFETY: `_exit` takes any number and does not return.
    unsafe { _exit(code) }
}

/// What a shim is told by signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// End the call.
    Stop,
    /// Nothing more than that a child changed.
    Nothing,
}

/// The pipe on which signals arrive.
pub struct Signals {
    read: OwnedFd,
}

impl Signals {
    /// From here on TERM, INT and HUP ask for a stop, and CHLD wakes.
    pub fn install() -> io::Result<Self> {
        let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        // Left open for the rest of the process: a handler may run at any time.
        WAKE.store(write.into_raw_fd(), Ordering::Relaxed);
        for number in [Signal::TERM, Signal::INT, Signal::HUP, Signal::CHILD] {
            // SAFETY: the handler only writes to a pipe.
            unsafe { signal(number.as_raw(), wake as *const () as usize) };
        }
        Ok(Self { read })
    }

    /// Empties the pipe.
    pub fn take(&self) -> Told {
        let mut bytes = [0u8; 64];
        let mut told = Told::Nothing;
        while let Ok(count @ 1..) = rustix::io::read(&self.read, &mut bytes) {
            if bytes[..count].iter().any(|byte| i32::from(*byte) != Signal::CHILD.as_raw()) {
                told = Told::Stop;
            }
        }
        told
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.read.as_fd()
    }
}

/// In the child: no disposition of the shim or of whoever started it reaches the program.
pub fn default_signals() {
    for number in 1..SIGNALS_END {
        // SAFETY: restoring defaults is always allowed; those that cannot change just fail.
        unsafe { signal(number, DEFAULT) };
    }
}

/// In the child: keeps every descriptor but the standard three from the program.
pub fn seal_descriptors() {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else { return };
    let fds = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    for fd in fds.filter(|fd: &i32| *fd > 2) {
        // SAFETY: the number was just listed as open (but for the listing's own, whose failure
        // is ignored), and only its close-on-exec flag is set.
        let fd = unsafe { BorrowedFd::borrow_raw(fd) };
        let _ = rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::CLOEXEC);
    }
}
