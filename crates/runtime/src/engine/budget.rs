//! Whether there is anything left to spend before a call is asked for. A turn looks at what its own
//! calls cost as it hears of each; those of several agents it hears of at their end alone, so these
//! are looked at here, before the next of them is asked.

use journal::Journal;
use kernel::call::Budget;
use kernel::collab::{self, Participant};
use kernel::run::State;
use kernel::turn::{Life, Spent};

use super::step::Engine;

/// What several agents have spent so far, as far as they told.
#[must_use]
pub fn spent(several: &collab::State) -> Spent {
    several.participants().iter().fold(Spent::default(), added)
}

fn added(sum: Spent, one: &Participant) -> Spent {
    let Some(usage) = one.usage else { return sum };
    let told = |part: Option<u64>| part.unwrap_or(0);
    let tokens = told(usage.input_tokens).saturating_add(told(usage.output_tokens));
    Spent {
        tokens: sum.tokens.saturating_add(tokens),
        cost_micros: sum.cost_micros.saturating_add(told(usage.cost_micros)),
    }
}

/// Which limit of a turn is reached by what it heard of and this besides.
fn reached(life: &Life, besides: Spent) -> Budget {
    let (ledger, limits) = (&life.body.ledger, &life.body.start.limits);
    let over = |spent: u64, more: u64, most: Option<u64>| {
        most.is_some_and(|most| spent.saturating_add(more) >= most)
    };
    if over(ledger.tokens, besides.tokens, limits.budget_tokens) {
        Budget::Spent("tokens".to_owned())
    } else if over(ledger.cost_micros, besides.cost_micros, limits.budget_micros) {
        Budget::Spent("cost".to_owned())
    } else {
        Budget::Left
    }
}

impl<J: Journal> Engine<J> {
    /// What is left for a further call of this run.
    pub(super) fn budget(&self, owner: &str) -> Budget {
        let Some(run) = self.runs.get(owner) else { return Budget::Left };
        let State::Collab(several) = &run.state else { return Budget::Left };
        let above = run.parent.as_ref().and_then(|id| self.runs.get(id));
        let Some(State::Turn(turn)) = above.map(|run| &run.state) else { return Budget::Left };
        turn.life().map_or(Budget::Left, |life| reached(life, spent(several)))
    }
}

#[cfg(test)]
mod tests {
    use kernel::turn::samples::sample_states;

    use super::*;

    #[test]
    fn a_limit_is_reached_by_what_was_heard_and_what_was_not() {
        let mut all = sample_states().into_iter();
        let state = all.find(|(name, _)| *name == "executing").unwrap().1;
        let mut life = state.life().unwrap().clone();
        life.body.ledger.tokens = 6;
        life.body.ledger.cost_micros = 60;
        let table = [
            (None, None, 100, 100, None),
            (Some(10), None, 3, 100, None),
            (Some(10), None, 4, 0, Some("tokens")),
            (None, Some(100), 100, 39, None),
            (None, Some(100), 100, 40, Some("cost")),
        ];
        for (tokens_max, micros_max, tokens, cost_micros, which) in table {
            life.body.start.limits.budget_tokens = tokens_max;
            life.body.start.limits.budget_micros = micros_max;
            let wanted = which.map_or(Budget::Left, |limit| Budget::Spent(limit.to_owned()));
            assert_eq!(reached(&life, Spent { tokens, cost_micros }), wanted);
        }
    }
}
