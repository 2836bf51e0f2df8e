//! Proofs of the loop: the table, the choice, the legs, people, outside skills, views, and the
//! invariants under random commands.

mod again;
mod agents;
mod auto;
mod choice;
mod chosen;
mod invariants;
mod labels;
mod legs;
mod merging;
mod outside;
mod people;
mod restores;
mod steering;
mod table;
mod views;
mod words;
mod world;
