//! Proofs of the loop.
use super::*;
use alloc::vec::Vec;

#[test]
fn columns_are_what_they_say() {
    for (name, state) in samples::sample_states() {
        extern crate std;
        std::println!("{name} {}", state.variant());
        assert_eq!(name.trim_end_matches('?'), state.variant());
    }
}

#[test]
fn table_draft() {
    extern crate std;
    use crate::machine::Refusal as _;
    for (name, state) in samples::sample_states() {
        for (label, said) in samples::sample_commands(&state) {
            let answer = match decide(&state, &said) {
                Ok(events) => {
                    let mut next = state.clone();
                    for e in &events {
                        evolve(&mut next, e, said.at);
                    }
                    let names: Vec<_> = events.iter().map(|e| e.name()).collect();
                    std::format!("{} {:?}", next.variant(), names)
                }
                Err(r) => std::format!("✗ {} {:?}", r.reason(), r.allowed()),
            };
            std::println!("{name:10} {label:20} {answer}");
        }
    }
}
