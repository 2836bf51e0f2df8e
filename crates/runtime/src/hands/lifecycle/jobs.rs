//! A job of a lifecycle, from being taken up to the command that tells its end.

use kernel::lifecycle::{Act, Command as LcCommand};
use kernel::machine::By;
use kernel::run::Command;

use super::super::pool::Desk;
use super::{acted, left};
use crate::engine::{Child, LifeScene, Origin, Saying};

/// Does for a lifecycle what is no run of its own.
pub(in crate::hands) fn act(desk: &Desk, scene: LifeScene, act: Act) {
    if let Some(command) = acted::act(desk, &scene, act) {
        tell(desk, scene, command);
    }
}

/// Reads what a child left.
pub(in crate::hands) fn read(desk: &Desk, scene: LifeScene, child: &Child) {
    if let Some(command) = left::read(desk, &scene, child) {
        tell(desk, scene, command);
    }
}

fn tell(desk: &Desk, scene: LifeScene, command: LcCommand) {
    let saying = Saying::own(&scene.run, By::Engine, Command::Lifecycle(command));
    desk.land(Saying { origin: Origin::Job(scene.key), ..saying });
}
