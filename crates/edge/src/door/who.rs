//! Who is at the other end of a connection. It decides nothing about them.

use std::os::unix::net::UnixStream;

use kernel::machine::By;
use runtime::shim::speaker::{Speaker, speaker};

use super::wire::Speaks;

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

/// Whoever a client speaks for can do no more than the client itself.
pub(super) fn lesser(seen: &By, said: &Speaks) -> By {
    match (seen, said) {
        (By::Person, Speaks::Agent { call }) | (By::Guest, Speaks::Agent { call }) => {
            By::Agent { call: call.clone() }
        }
        (By::Person, Speaks::Guest) => By::Guest,
        (seen, Speaks::Person | Speaks::Guest | Speaks::Agent { .. }) => seen.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_rises_by_what_is_said() {
        let agent = |call: &str| By::Agent { call: call.to_owned() };
        let says = |call: &str| Speaks::Agent { call: call.to_owned() };
        let table = [
            (By::Person, Speaks::Person, By::Person),
            (By::Person, Speaks::Guest, By::Guest),
            (By::Person, says("c"), agent("c")),
            (By::Person, says(""), agent("")),
            (agent("c"), Speaks::Person, agent("c")),
            (agent("c"), Speaks::Guest, agent("c")),
            (agent("c"), says("d"), agent("c")),
        ];
        for (seen, said, expected) in table {
            assert_eq!(lesser(&seen, &said), expected, "{seen:?} {said:?}");
        }
    }
}
