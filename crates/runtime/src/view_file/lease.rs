//! Asks the kernel whether anybody still has a file open for writing. A displaced view that looks
//! untouched may be about to be written by an editor that opened it before the exchange; removing
//! it then would lose that edit. Only Linux can say; elsewhere the answer is `Unknown`.

use std::fs::File;

/// Whether somebody may still write to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// Nobody has it open for writing.
    None,
    /// Somebody has.
    Open,
    /// The file system or the system can't tell.
    Unknown,
}

/// Which signal tells of a broken lease; the number is the same on every Linux.
#[cfg(target_os = "linux")]
const F_SETSIG: libc::c_int = 10;

/// Looks for writers of `file`, which must be open for reading only.
#[cfg(target_os = "linux")]
pub(crate) fn writer(file: &File) -> Writer {
    use std::os::fd::AsRawFd;
    let fd = file.as_raw_fd();
    // SAFETY: plain fcntl calls with integer arguments on a descriptor that lives here.
    // A read lease is granted only while nobody has the file open for writing. Its break would be
    // told by SIGIO, which kills by default: SIGURG is ignored by default instead.
    let granted = unsafe {
        libc::fcntl(fd, F_SETSIG, libc::SIGURG);
        libc::fcntl(fd, libc::F_SETLEASE, libc::F_RDLCK) == 0
    };
    if granted {
        // SAFETY: as above. Nobody but us knows the name, so it need not be held any longer.
        unsafe { libc::fcntl(fd, libc::F_SETLEASE, libc::F_UNLCK) };
        return Writer::None;
    }
    let refused = std::io::Error::last_os_error().kind();
    if refused == std::io::ErrorKind::WouldBlock { Writer::Open } else { Writer::Unknown }
}

/// Looks for writers of `file`.
#[cfg(not(target_os = "linux"))]
pub(crate) fn writer(_file: &File) -> Writer {
    Writer::Unknown
}
