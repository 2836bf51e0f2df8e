# The engine process, as its own commands tell of it.
engine-none = no engine runs here
engine-left = the engine leaves; work in flight goes on and is found again by the next one
engine-status = engine { $version } runs, pid { $pid }, since { $since }
    in flight: { $in_flight }   clients: { $clients }   leaves after { $idle_exit } s of nothing
serve-listens = listening on { $url }
serve-token = token: { $token }
serve-ends = Ctrl-C ends it; work goes on
