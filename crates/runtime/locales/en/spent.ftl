# What runs cost: time, tokens, money. What is not known is said, never counted as nothing.
cmd-usage = Time, tokens and cost of a run and its children, or of all runs
    .run = a run, or a unique beginning of its id; without one, all runs
col-calls = calls
col-attempts = attempts
col-retries = retries
col-tokens-in = tokens in
col-tokens-out = tokens out
col-cached = cached
col-reasoning = reasoning
col-cost = cost in USD
col-active = active
usage-untold = not told
usage-at-least = { $told } or more
usage-unpriced = unpriced
usage-part-priced = { $told } + unpriced
