//! Scenarios of the reading tools and their handle over real directories, links, fifos and races.

mod ground;
mod handle;
mod listing;
mod mapping;
mod races;
mod reading;
mod searching;
mod semantics;
