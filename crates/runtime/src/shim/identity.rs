//! A pid is not an identity. Here a process is known by host, boot, pid namespace, pid and start
//! time, and is signalled only through a pidfd that was opened before they were compared, so the
//! number cannot pass to a stranger in between.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal};

use super::files::{PidRecord, Process};
use super::procfs;

/// Where pids are numbers of the same kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the machine.
    pub host: String,
    /// Its boot.
    pub boot_id: String,
    /// The pid namespace.
    pub pidns: String,
}

impl Place {
    /// Where this process is.
    pub fn here() -> io::Result<Self> {
        let uname = rustix::system::uname();
        let pidns = std::fs::read_link("/proc/self/ns/pid")?;
        Ok(Self {
            host: uname.nodename().to_string_lossy().into_owned(),
            boot_id: boot_id()?,
            pidns: pidns.to_string_lossy().into_owned(),
        })
    }

    /// Where the processes of a record are.
    pub fn of(record: &PidRecord) -> Self {
        Self {
            host: record.host.clone(),
            boot_id: record.boot_id.clone(),
            pidns: record.pidns.clone(),
        }
    }
}

/// The id of this boot.
pub fn boot_id() -> io::Result<String> {
    Ok(std::fs::read_to_string("/proc/sys/kernel/random/boot_id")?.trim().to_owned())
}

/// A living process that is proven to be the one meant.
#[derive(Debug)]
pub struct Handle {
    fd: OwnedFd,
    process: Process,
}

impl Handle {
    /// Opens the process, or nothing when it is gone: any difference means gone.
    pub fn open(place: &Place, process: Process) -> io::Result<Option<Self>> {
        if *place == Place::here()? { Self::open_here(process) } else { Ok(None) }
    }

    /// Opens a process that is known to be of this very boot and pid namespace.
    pub fn open_here(process: Process) -> io::Result<Option<Self>> {
        let Some(pid) = Pid::from_raw(process.pid).filter(|_| process.pid > 0) else {
            return Ok(None);
        };
        let fd = match rustix::process::pidfd_open(pid, PidfdFlags::empty()) {
            Ok(fd) => fd,
            Err(Errno::SRCH | Errno::INVAL) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        // Compared after opening: if the number had been reused before, this sees the stranger;
        // if it is reused later, the descriptor still means the old process.
        let same = procfs::stat(process.pid).is_some_and(|stat| stat.process() == process);
        Ok(same.then_some(Self { fd, process }))
    }

    /// Sends a signal; a process that has just ended is no error.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        match rustix::process::pidfd_send_signal(&self.fd, signal) {
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Who it is.
    pub fn process(&self) -> Process {
        self.process
    }
}

impl AsFd for Handle {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn reg_a_reused_pid_is_never_opened() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let here = Place::here().unwrap();
        let right = procfs::stat(child.id().cast_signed()).unwrap().process();
        let stranger = Process { start_ticks: right.start_ticks + 1, ..right };
        let elsewhere = |change: fn(&mut Place)| {
            let mut place = here.clone();
            change(&mut place);
            place
        };
        let table = [
            ("itself", here.clone(), right, true),
            ("another start time", here.clone(), stranger, false),
            ("another boot", elsewhere(|p| p.boot_id.push('x')), right, false),
            ("another host", elsewhere(|p| p.host.push('x')), right, false),
            ("another namespace", elsewhere(|p| p.pidns.push('x')), right, false),
            ("no pid", here.clone(), Process { pid: 0, start_ticks: 1 }, false),
            ("a negative pid", here.clone(), Process { pid: -1, start_ticks: 1 }, false),
        ];
        for (name, place, process, opens) in table {
            assert_eq!(Handle::open(&place, process).unwrap().is_some(), opens, "{name}");
        }
        Handle::open(&here, right).unwrap().unwrap().signal(Signal::KILL).unwrap();
        child.wait().unwrap();
        assert!(Handle::open(&here, right).unwrap().is_none(), "gone after it was reaped");
    }
}
