//! Project tasks: gen, tidy, bench, prove, ci. Nothing here ships.

fn main() {}
