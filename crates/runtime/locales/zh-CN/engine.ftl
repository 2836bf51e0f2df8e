# 引擎进程，由它自己的命令说明。
engine-none = 这里没有引擎在运行
engine-left = 引擎即将退出；进行中的工作继续，下一个引擎会重新找到它
engine-status = 引擎 { $version } 正在运行，pid { $pid }，自 { $since }
    进行中：{ $in_flight }   客户端：{ $clients }   空闲 { $idle_exit } 秒后退出
serve-listens = 正在监听 { $url }
serve-token = 令牌：{ $token }
serve-ends = 按 Ctrl-C 结束；工作继续进行
