//! Tests of the lifecycle's rules.
