# 引擎自带的工具，以及撤销一次调用。
cmd-tool = 读取与修改文件的工具，作为可以撤销的调用
cmd-tool-list = 所有工具：重复执行意味着什么，需要什么许可
cmd-tool-run = 运行一个工具并等待结果
    .name = 工具：read、list、search、write、apply_patch、delete
    .pairs = 它的参数；值能按 JSON 读就按 JSON 读，否则作为文本
    .args = 以一个 JSON 对象给出全部参数；- 表示从标准输入读取
    .headless = 不在终端上询问
cmd-undo = 撤销一次调用：恢复它改动的每一个字节
    .call = 调用
    .force = 先把此后被改动的内容移到一旁，再撤销
col-class = 类别
col-permission = 需要
col-also = 别名
tool-done = { $call }
tool-undone = { $call } 已撤销。
