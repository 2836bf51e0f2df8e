//! Who is at the other end of a connection. It decides nothing about them.

use std::os::unix::net::UnixStream;

use kernel::machine::By;
use runtime::shim::speaker::{Speaker, speaker};

/// Who is at the other end, by the kernel's word and by descent.
pub(super) fn who(stream: &UnixStream) -> By {
    let unseen = By::Agent { call: String::new() };
    let Ok(peer) = rustix::net::sockopt::socket_peercred(stream) else { return unseen };
    match speaker(peer.pid.as_raw_nonzero().get()) {
        Speaker::Person => By::Person,
        Speaker::Agent { call_id } => By::Agent { call: call_id },
        // An agent's child that connects, hands the connection on and ends is not seen either: who
        // cannot be judged may do no more than an agent.
        Speaker::Unseen => unseen,
    }
}
