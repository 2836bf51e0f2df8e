# What is wrong with a scenario of the scripted agent, and what it says when it can't play one.
scenario-unreadable = { $at }: can't be read: { $why }
scenario-too-large = { $at }: larger than { $max } bytes
scenario-syntax = { $at }: not readable as TOML: { $why }
scenario-no-rules = { $at }: holds no rule; write at least one [[rule]]
scenario-unknown = { $at }: unknown key or step { $key }
scenario-unknown-near = { $at }: unknown key or step { $key }; nearest: { $nearest }
scenario-missing = { $at }: { $key } is missing
scenario-shape = { $at }: { $key } wants { $expected }
scenario-not-listed = { $at }: { $key } wants one of { $known }
scenario-range = { $at }: { $key } must be a whole number, { $min } to { $max }
scenario-pattern = { $at }: { $key } is no regular expression: { $why }
scenario-variable = { $at }: { $key } names an unknown variable { $name }; known: { $known }
scenario-outside = { $at }: { $key } leads out of the working directory
script-no-rule = no rule of { $file } fits this prompt at launch { $launch }
script-no-call-dir = { $dir } is no call directory: { $why }
script-no-prompt = the prompt can't be read: { $why }
