//! Everything that must hold before a merge, in order, timed. It runs the same commands a person
//! would and adds no check of its own.

mod steps;
mod tools;

pub use steps::run;
