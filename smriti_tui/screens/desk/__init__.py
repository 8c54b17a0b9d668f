"""What is behind the workspace's panes: one room for each job, wired together in `desk.py`.

Nothing here is imported before the first frame stands.
"""
