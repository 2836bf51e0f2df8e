//! The rules the binary brings: everyday commands that only look, and formatters. Running the
//! project's own code is neither, so builds and tests are not among them.

use alloc::vec::Vec;

use super::rule::Rule;

/// In the form in which anybody writes rules.
const RULES: &str = include_str!("builtin.json");

/// The built-in rules.
#[must_use]
pub fn rules() -> Vec<Rule> {
    serde_json::from_str(RULES).expect("the binary's own rules are well formed; a test reads them")
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::ToString as _;

    use super::*;
    use crate::policy::rules::{File, Source, check};

    #[test]
    fn every_built_in_rule_passes_its_own_examples() {
        let file = File { source: Source::BuiltIn, name: "built-in".to_string(), rules: rules() };
        assert_eq!(check(&file, &BTreeSet::new()), []);
        assert!(rules().len() > 15);
    }
}
