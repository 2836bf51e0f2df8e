//! Whether anything is left to spend on an agent: what a run and those above it have spent, with
//! what is below them and not told of yet, against the limits that each was started with. Between
//! two calls a turn and a lifecycle see to their own; here it holds for whatever runs below them,
//! so that no more is overspent than what runs already.

use kernel::agent::Usage;
use kernel::run::State;
use kernel::turn::Spent;
use kernel::{collab, lifecycle, turn};

/// What several agents have spent so far, as far as they told.
#[must_use]
pub fn spent(several: &collab::State) -> Spent {
    let told = several.participants().iter().filter_map(|one| one.told);
    told.fold(Spent::default(), |sum, usage| {
        let Usage { input_tokens, output_tokens, cost_micros, .. } = usage;
        let tokens = input_tokens.unwrap_or(0).saturating_add(output_tokens.unwrap_or(0));
        plus(sum, tokens, cost_micros.unwrap_or(0))
    })
}

fn plus(sum: Spent, tokens: u64, cost_micros: u64) -> Spent {
    Spent {
        tokens: sum.tokens.saturating_add(tokens),
        cost_micros: sum.cost_micros.saturating_add(cost_micros),
    }
}

/// The limit that is reached by one of these: a run, the one above it, and so on.
pub(super) fn reached<'a>(upwards: impl Iterator<Item = &'a State>) -> Option<&'static str> {
    let mut below = Spent::default();
    for state in upwards {
        let limit;
        (below, limit) = match state {
            State::Collab(state) => (of_collab(state, below), None),
            State::Turn(state) => of_turn(state, below),
            State::Lifecycle(state) => of_lifecycle(state, below),
            // A session counts nothing of its own, and a loop's limits are of another kind.
            State::Call(_) | State::Loop(_) | State::Grant(_) | State::Session(_) => (below, None),
        };
        if limit.is_some() {
            return limit;
        }
    }
    None
}

fn of_collab(state: &collab::State, below: Spent) -> Spent {
    let Spent { tokens, cost_micros } = spent(state);
    plus(below, tokens, cost_micros)
}

fn over(spent: u64, most: Option<u64>) -> bool {
    most.is_some_and(|most| spent >= most)
}

fn of_turn(state: &turn::State, below: Spent) -> (Spent, Option<&'static str>) {
    let Some(life) = state.life() else { return (below, None) };
    let (ledger, limits) = (&life.body.ledger, &life.body.start.limits);
    let sum = plus(below, ledger.tokens, ledger.cost_micros);
    let limit = if matches!(life.phase, turn::Phase::Summarizing(_)) {
        None
    } else if over(sum.tokens, limits.budget_tokens) {
        Some("turn.budget_tokens")
    } else if over(sum.cost_micros, limits.budget_micros) {
        Some("turn.budget_usd")
    } else {
        None
    };
    (sum, limit)
}

fn of_lifecycle(state: &lifecycle::State, below: Spent) -> (Spent, Option<&'static str>) {
    let Some(life) = state.life() else { return (below, None) };
    let spent = life.body.spent;
    let sum = plus(below, spent.tokens, spent.cost_micros);
    let limit = over(sum.cost_micros, life.body.budget.cost_micros);
    (sum, limit.then_some("lifecycle.budget.cost_usd"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first sample of a machine that these can be made of.
    fn spending(tokens: u64, cost_micros: u64) -> State {
        let states = collab::samples::sample_states().into_iter().map(|(_, state)| state);
        let mut state = states
            .into_iter()
            .find(|state| matches!(state, collab::State::Running { .. }))
            .unwrap();
        if let collab::State::Running { participants, .. } = &mut state {
            let input_tokens = Some(tokens);
            let told = Usage { input_tokens, cost_micros: Some(cost_micros), ..Usage::default() };
            participants.iter_mut().for_each(|one| one.told = None);
            participants[0].told = Some(told);
        }
        State::Collab(state)
    }

    fn turn_of(spent: (u64, u64), tokens: Option<u64>, micros: Option<u64>) -> State {
        let states = turn::samples::sample_states().into_iter().map(|(_, state)| state);
        let mut state = states
            .into_iter()
            .find(|state| matches!(state.life().map(|l| &l.phase), Some(turn::Phase::Executing(_))))
            .unwrap();
        if let turn::State::Begun(life) = &mut state {
            (life.body.ledger.tokens, life.body.ledger.cost_micros) = spent;
            life.body.start.limits.budget_tokens = tokens;
            life.body.start.limits.budget_micros = micros;
        }
        State::Turn(state)
    }

    #[test]
    fn what_is_below_counts_towards_every_limit_above() {
        let table = [
            (spending(10, 5), turn_of((80, 0), Some(100), None), None),
            (spending(20, 5), turn_of((80, 0), Some(100), None), Some("turn.budget_tokens")),
            (spending(20, 5), turn_of((80, 95), None, Some(100)), Some("turn.budget_usd")),
            (spending(20, 5), turn_of((80, 94), None, Some(100)), None),
            (spending(20, 5), turn_of((u64::MAX, u64::MAX), None, None), None),
        ];
        for (index, (below, above, expected)) in table.iter().enumerate() {
            assert_eq!(reached([below, above].into_iter()), *expected, "row {index}");
        }
        assert_eq!(reached([&spending(1, 1)].into_iter()), None, "nobody set a limit");
    }
}
