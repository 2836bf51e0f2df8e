//! The same with a person at a terminal: the block, the menu, a yes, Ctrl-C. A pseudo-terminal
//! stands for it.

use rustix::process::Signal;

use crate::kit::{House, signal};
use crate::seat::Seat;

#[test]
fn a_person_chooses_allows_and_completes() {
    let house = House::new();
    let args = ["loop", "run", "x", "--interactive", "--task", "sleep 0.4", "--task"];
    let mut seat = Seat::take(&house, &[&args[..], &["echo 1 > proof"]].concat());
    seat.sees("What next?");
    seat.types("1");
    seat.sees("> develop / work");
    seat.sees("What next?");
    seat.types("nonsense");
    seat.sees("refused[loop.unknown_option]");
    seat.sees("What next?");
    seat.types("status");
    seat.sees("Develop: 1/2 (50%)");
    seat.sees("What next?");
    seat.types("develop");
    seat.sees("Allow it? [y/N]");
    assert!(!house.has("proof"));
    seat.types("y");
    seat.sees("What next?");
    seat.types("3");
    seat.sees("What next?");
    seat.types("complete");
    seat.sees("Validated by its checks.");
    assert_eq!(seat.leaves(), 0);
    assert!(house.has("proof"));
}

#[test]
fn an_answer_given_elsewhere_is_seen() {
    let house = House::new();
    let mut seat = Seat::take(&house, &["loop", "run", "x", "--task", "touch proof"]);
    seat.sees("What next?");
    let id = house.data(&["loop", "list"])["loops"][0]["loop_id"].as_str().unwrap().to_owned();
    house.data(&["loop", "mode", &id, "auto"]);
    seat.sees("Validated by its checks.");
    assert_eq!(seat.leaves(), 0);
}

#[test]
fn the_block_goes_away_and_a_no_is_heard() {
    let house = House::new();
    let id = house.create(&["sh gate.sh one", "echo 1 > proof"]);
    let mut seat = Seat::take(&house, &["loop", "start", &id, "--auto"]);
    seat.sees("> develop / work");
    signal(i32::try_from(seat.child.id()).unwrap(), Signal::INT);
    seat.sees("\u{1b}[J");
    seat.sees("Detached; the loop goes on.");
    assert_eq!(seat.leaves(), 130);
    let mut seat = Seat::take(&house, &["watch", &id]);
    house.write("go", "");
    seat.sees("Allow it? [y/N]");
    seat.types("");
    seat.sees("E_POLICY_DENIED");
    assert_eq!(seat.leaves(), 6);
    assert!(!house.has("proof"));
}

#[test]
fn who_says_headless_is_asked_nothing() {
    let house = House::new();
    let id = house.create(&["true"]);
    for args in [
        vec!["loop", "run", "x", "--interactive", "--task", "true", "--headless", "--lang", "en"],
        vec!["loop", "start", &id, "--interactive", "--headless", "--lang", "zh-CN"],
    ] {
        let mut seat = Seat::take(&house, &args);
        seat.sees("loopwright loop answer");
        assert_eq!(seat.leaves(), 4, "{args:?}");
        let running = house.data(&["loop", "list", "--status", "running"]);
        let other = running["loops"][0]["loop_id"].as_str().unwrap().to_owned();
        house.data(&["loop", "stop", &other]);
    }
}
