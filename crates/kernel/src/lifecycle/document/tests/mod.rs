//! The documents of a lifecycle: tables of spellings, edits and problems, and pages made at random
//! that must come back as they went.

mod archive;
mod dice;
mod edits;
mod marks;
mod pages;
mod plans;
mod scratch;
