//! The least a program with an argument parser can be: what our cold start is measured against.

use clap::Parser;

/// Nothing but a version.
#[derive(Parser)]
#[command(version)]
struct Args {}

fn main() {
    let Args {} = Args::parse();
}
