# What people read about a collab.
collab-table = | Model | Status | Elapsed | SESSION_ID |
collab-impact = What is missing, and what that means
