//! The process at the other end of a connection on this machine, found by its socket. Who that
//! process is, is judged where every speaker is judged.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use runtime::shim::procfs;
use runtime::shim::speaker::{Speaker, speaker};

use crate::door::Speaks;

/// Whom one speaks for who cannot be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remote {
    /// Nobody: such a caller may only read.
    Read,
    /// A person.
    Person,
}

/// Whom the caller at `theirs`, connected to `ours`, is.
pub(super) fn judge(theirs: SocketAddr, ours: SocketAddr, remote: Remote) -> Speaks {
    let unknown = || Speaks::Agent { call: String::new() };
    let found = if theirs.ip().to_canonical().is_loopback() {
        inode(theirs, ours).map(holders).unwrap_or_default()
    } else {
        Vec::new()
    };
    if found.is_empty() {
        return match remote {
            Remote::Read => unknown(),
            Remote::Person => Speaks::Person,
        };
    }
    // A socket that several hold speaks for the least of them.
    let mut all = Speaks::Person;
    for pid in found {
        match speaker(pid) {
            Speaker::Person => {}
            Speaker::Agent { call_id } => return Speaks::Agent { call: call_id },
            Speaker::Unseen => all = unknown(),
        }
    }
    all
}

/// The inode of the caller's socket, as the kernel lists it.
fn inode(theirs: SocketAddr, ours: SocketAddr) -> Option<u64> {
    ["/proc/net/tcp", "/proc/net/tcp6"].iter().find_map(|table| {
        let text = std::fs::read_to_string(table).ok()?;
        text.lines().skip(1).find_map(|line| listed(line, theirs, ours))
    })
}

/// The inode of a line, if it is of this connection as the caller has it.
fn listed(line: &str, theirs: SocketAddr, ours: SocketAddr) -> Option<u64> {
    /// Of the fields: number, local, remote, then the tenth is the inode.
    const INODE: usize = 9;
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    // Whoever listens everywhere does not know by which of its addresses it was reached.
    let same = |field: &str, address: SocketAddr| {
        parse(field).is_some_and(|(ip, port)| {
            let everywhere = address.ip().is_unspecified();
            port == address.port()
                && (everywhere || ip.to_canonical() == address.ip().to_canonical())
        })
    };
    let fits = same(fields.get(1)?, theirs) && same(fields.get(2)?, ours);
    fits.then(|| fields.get(INODE)?.parse().ok())?.filter(|inode| *inode != 0)
}

/// `0100007F:1CF3`: the address by words of the machine's own byte order, then the port.
fn parse(field: &str) -> Option<(IpAddr, u16)> {
    let (address, port) = field.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let word = |at: usize| {
        let digits = address.get(at * 8..at * 8 + 8)?;
        Some(u32::from_str_radix(digits, 16).ok()?.to_ne_bytes())
    };
    let ip = match address.len() {
        8 => IpAddr::V4(Ipv4Addr::from(word(0)?)),
        32 => {
            let words = [word(0)?, word(1)?, word(2)?, word(3)?];
            let bytes: [u8; 16] = words.concat().try_into().ok()?;
            IpAddr::V6(Ipv6Addr::from(bytes))
        }
        _other => return None,
    };
    Some((ip, port))
}

/// Every process that holds this socket.
fn holders(inode: u64) -> Vec<i32> {
    let name = format!("socket:[{inode}]");
    let holds = |pid: &i32| {
        let Ok(open) = std::fs::read_dir(procfs::path(*pid, "fd")) else { return false };
        open.flatten().any(|fd| {
            std::fs::read_link(fd.path()).is_ok_and(|target| target.as_os_str() == name.as_str())
        })
    };
    procfs::pids().into_iter().filter(holds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn lines_of_the_kernel_are_read() {
        let table = [
            ("0100007F:1CF3", Some(("127.0.0.1", 7411))),
            ("00000000000000000000000001000000:0050", Some(("::1", 80))),
            ("0000000000000000FFFF00000100007F:1CF3", Some(("::ffff:127.0.0.1", 7411))),
            ("0100007F", None),
            ("01:1", None),
            ("0100007F:x", None),
        ];
        for (field, expected) in table {
            let expected = expected.map(|(ip, port)| (ip.parse::<IpAddr>().unwrap(), port));
            assert_eq!(parse(field), expected, "{field}");
        }
    }

    #[test]
    fn a_caller_is_found_by_its_socket() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let ours = listener.local_addr().unwrap();
            let client = TcpStream::connect(ours).unwrap();
            let theirs = client.local_addr().unwrap();
            let _accepted = listener.accept().unwrap();
            let found = inode(theirs, ours).map(holders).unwrap_or_default();
            assert_eq!(found, [std::process::id().cast_signed()], "{address}");
            drop(client);
        }
    }

    #[test]
    fn who_cannot_be_found_may_read_unless_it_is_said() {
        let far: SocketAddr = "192.0.2.7:4000".parse().unwrap();
        let gone: SocketAddr = "127.0.0.1:1".parse().unwrap();
        let ours: SocketAddr = "127.0.0.1:2".parse().unwrap();
        for theirs in [far, gone] {
            assert_eq!(judge(theirs, ours, Remote::Person), Speaks::Person);
            let read = Speaks::Agent { call: String::new() };
            assert_eq!(judge(theirs, ours, Remote::Read), read);
        }
    }
}
