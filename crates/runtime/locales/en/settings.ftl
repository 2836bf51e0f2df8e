# What is wrong with a settings file. Values are never repeated.
settings-syntax = { $at }: not readable as TOML
settings-unknown = { $at }: unknown setting { $key }
settings-unknown-near = { $at }: unknown setting { $key }; nearest: { $nearest }
settings-shape = { $at }: { $key } wants { $expected }
settings-not-listed = { $at }: { $key } wants one of { $known }
settings-whole = { $at }: { $key } must be a whole number, { $min } to { $max }
settings-range = { $at }: { $key } must be { $min } to { $max }
settings-above = { $at }: { $key } must not be above { $other }
settings-credential = { $at }: { $key } holds a credential in clear text; name an environment variable instead
settings-source-built_in = built in
settings-source-user = user's file
settings-source-workspace = workspace file
settings-source-environment = environment
settings-source-flag = flag
