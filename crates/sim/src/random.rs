//! Lives at random, by seed: longer and wilder than an exploration, with memory, so that what only
//! a whole life can show is looked at too.

use kernel::table::Shown as _;

use crate::dice::Dice;
use crate::subject::{Coverage, Heard, Step, Subject, say, stands};

/// Refusals in a row after which a life is over: it has ended, and only says so again.
const REFUSALS_MAX: usize = 6;

/// What lives came to.
#[derive(Clone, Debug, Default)]
pub struct Lived {
    /// Commands that were accepted.
    pub moves: usize,
    /// Commands that were refused.
    pub refusals: usize,
    /// What was reached.
    pub reached: Coverage,
}

/// Lives one life of at most `length` commands and adds what it reached.
///
/// # Errors
/// The invariant that broke, with the seed and everything that was said.
pub fn live<S: Subject>(
    subject: &S,
    seed: u64,
    length: usize,
    lived: &mut Lived,
) -> Result<(), String> {
    let mut dice = Dice::new(seed);
    let roots = subject.roots();
    let mut state = dice.one_of(&roots).clone();
    lived.reached.states.insert(S::Machine::column(&state));
    let mut past = S::Past::default();
    let mut way = Vec::new();
    let mut refused = 0;
    for _ in 0..length {
        if refused == REFUSALS_MAX {
            break;
        }
        let said = subject.pick(&state, &mut dice);
        let told = |way: &[String], why: String| {
            let words = format!("{} says {:?}", said.by.word(), said.command);
            format!("seed {seed}: {why}\nin {state:?}\nafter\n  {}\n  {words}", way.join("\n  "))
        };
        match say(subject, &state, &said, &mut lived.reached).map_err(|why| told(&way, why))? {
            Heard::Refused(_) => {
                lived.refusals += 1;
                refused += 1;
            }
            Heard::Accepted(events, after) => {
                lived.moves += 1;
                refused = 0;
                let step = Step { before: &state, said: &said, events: &events, after: &after };
                let checked = subject.remember(&mut past, &step);
                checked.and_then(|()| stands(subject, &after)).map_err(|why| told(&way, why))?;
                way.push(format!("{} says {:?}", said.by.word(), said.command));
                state = after;
            }
        }
    }
    Ok(())
}
