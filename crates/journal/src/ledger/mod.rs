//! Where all runs stand, in memory, shared by both stores: which batch is taken and what it
//! becomes, what a recorded fact changes, and what of it is due to be stored. It writes nothing.

mod fold;
mod rows;
mod settle;
mod take;

pub(crate) use rows::Ledger;
pub(crate) use settle::{Novelty, Settling};
pub(crate) use take::{Prepared, Stamp};
