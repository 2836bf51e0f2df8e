# 演示的旁白。
demo-title = 五个必须恰好执行一次的步骤
demo-project = { $dir } 中的一个小项目：五个步骤各在 ran.log 留下一行，检查确认每行恰好出现一次。
demo-start = 循环 { $id } 启动，共 { $steps } 个步骤。由独立的引擎驱动，本终端只是旁观。
demo-wait-steps = 等待第二个步骤开始
demo-kill = 在步骤运行途中对引擎执行 kill -9（pid { $pid }）。
demo-orphan = 该步骤在其垫片进程下继续运行，此刻无人看管。
demo-again = 新引擎启动：读取日志，重新找到正在运行的步骤，继续执行。
demo-follow = 循环没有完成
demo-proof = 以步骤自己留下的痕迹为证：
demo-journal = 日志共 { $records } 条记录，全部哈希校验通过；{ $calls } 个调用，每个只启动一次。
demo-end = 用时 { $seconds } 秒：没有丢失，也没有重复执行。临时文件已全部删除。
cmd-demo = 在临时项目中演示一个经得起 kill -9 的循环
