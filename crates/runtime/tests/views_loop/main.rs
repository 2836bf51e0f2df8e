//! The views of a loop on a real disk: who may edit what, what is drawn, what a restart, a crash or
//! a storm of writers leaves. The engine is played by `world`, which says wishes to the machine.

mod files;
mod left;
mod ownership;
mod pages;
mod storm;
mod task_file;
mod world;
