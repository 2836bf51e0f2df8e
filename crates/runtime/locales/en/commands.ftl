# Help of the command tree: `cmd-<path>`, its arguments as attributes. One short line each.
cmd = A durable control plane for coding agents
    .json = one JSON value instead of text
    .lang = language: en or zh-CN
    .workspace = the directory to work in
    .allow-foreign-owner = take a directory that belongs to somebody else
    .help = show this page
    .version = show the version
cmd-explain = What a code means and what to do
    .code = a code, as errors show it
    .list = all codes
cmd-completions = The script that teaches a shell these commands
    .shell = bash, zsh or fish
cmd-help = The page of a command
    .path = the command
cmd-__cli-md = The command reference as markdown

help-usage = Usage:
help-commands = Commands
help-arguments = Arguments
help-options = Options
help-next = Next: loopwright runs

col-code = code
col-meaning = meaning
