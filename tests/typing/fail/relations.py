"""Mistakes with tenants, trees, references and cascades."""

from __future__ import annotations

from forest import Comment, Folder, Space, Task, app

import tablewright as tw

db = tw.Database.embedded()
s1 = app.tenant("s1")
path = tw.TreePath("a")

s1.of(Task.key)(task="1")  # error: a number
s1.of(Task.key)()  # error: the task is missing
s1.of(Task.by_title)(name="x")  # error: no such composite
s1.of(Space)  # error: a class is no access pattern
db.tenant("s1")  # error: a tenant of a service

Comment(space="s1", comment="c", on=tw.ref(Space.key("s1")))  # error: not about spaces
Comment(space="s1", comment="c", on="task/s1/1")  # error: a reference
Comment.about("s1", tw.ref(Space.key("s1")))  # error: not about spaces
tw.ref("task/s1/1")  # error: an item or a key

Folder.key("s1", path=("a", "b"))  # error: a TreePath
tw.TreePath("a", 1)  # error: steps are texts
tw.tree(path)  # error: an item or a key
tw.tree(Folder.key("s1", path=path)).move("b")  # error: a TreePath

tw.cascade("s1")  # error: an item or a key
tw.cascade(Space.key("s1"), archive=1)  # error: a table's name or a function
