//! The answers put together: one section a dimension, its owner first, verbatim. It chooses
//! nothing between answers that differ, and changes no state.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use super::super::state::State;

/// The usable answers by dimension, from the texts of their files by participant; none if there is
/// nothing to show.
#[must_use]
pub fn merged(state: &State, texts: &BTreeMap<String, String>) -> Option<String> {
    let plan = &state.run()?.plan;
    let mut out = String::new();
    for dimension in plan.dimensions() {
        let owners = plan.participants.iter().filter(|one| one.dimension == dimension);
        for member in owners {
            let usable = state.participant(&member.name).is_some_and(|one| one.usable());
            let Some(text) = texts.get(&member.name).filter(|_| usable) else { continue };
            out.push_str(&format!("## {dimension} ({})\n\n{text}\n\n", member.name));
        }
    }
    if out.is_empty() { None } else { Some(out) }
}
