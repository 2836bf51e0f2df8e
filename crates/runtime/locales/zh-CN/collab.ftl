# 关于协作的文字。
collab-table = | 模型 | 状态 | 耗时 | SESSION_ID |
collab-impact = 缺少的维度及其影响
