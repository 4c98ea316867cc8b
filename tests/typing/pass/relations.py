"""Tenants, trees, references and cascades: what a type checker knows of them."""

from __future__ import annotations

from typing import assert_type

from forest import Comment, Folder, Space, Task, app

import tablewright as tw

db = tw.Database.embedded()
db.create(app)
task = Task(space="s1", task=1)
path = tw.TreePath("a", "b") / "c"
folder = Folder(space="s1", path=path)

s1 = app.tenant("s1")
assert_type(s1.of(Task.key)(task=1), tw.Key[Task])
assert_type(s1.of(Task.by_title)(title="x"), tw.Query[Task])
assert_type(s1.of(Task.by_title)(), tw.Query[Task])
assert_type(db.tenant(s1).run(s1.of(Task.key)(task=1).get()), Task | None)
assert_type(db.run(tw.across_tenants(Task.scan())), tw.Page[Task])
assert_type(app.tenant_keys("s1"), list[str])

assert_type(tw.ref(task), tw.Ref[Task])
assert_type(tw.ref(Folder.key("s1", path=path)), tw.Ref[Folder])
comment = Comment(space="s1", comment="c", on=tw.ref(task))
assert_type(comment.on, tw.Ref[Task | Folder])
assert_type(db.run(comment.on.get()), Task | Folder | None)
assert_type(db.run(tw.resolve([comment.on])), dict[tw.Ref[Task | Folder], Task | Folder])
assert_type(Comment.about("s1", tw.ref(folder)), tw.Query[Comment])
Comment.about("s1", comment.on).where(Comment.on == comment.on)

assert_type(folder.path.parent, tw.TreePath | None)
assert_type(folder.path.depth, int)
assert_type(tw.tree(folder), tw.Tree[Folder])
around = tw.tree(Folder.key("s1", path=path))
assert_type(around.subtree(), tw.Query[Folder])
assert_type(db.run(around.children()), list[Folder])
assert_type(db.run(around.ancestors()), list[Folder | None])
for above in (*path.ancestors(), path):
    db.run(tw.tree(Folder(space="s1", path=above)).create())
assert_type(db.run(around.move(tw.TreePath("a", "z"))), tw.Progress)
assert_type(db.run(around.delete()), tw.Progress)

job = tw.cascade(Space.key("s1")).throttled(25)
assert_type(job, tw.Job)
assert_type(db.run(job.status()), tw.Progress | None)
assert_type([progress.items for progress in db.iter_job(job)], list[int])
