"""What the service does. Whoever asks enters a workspace first, and then cannot reach any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import tablewright as tw
from examples.life_os.model import Comment, Membership, Page, Relation, Task, Thing, User, Workspace, life

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from examples.life_os.model import Anything


class NotAMember(Exception):
    """They have no business in this workspace."""


class Circle(Exception):
    """A thing cannot be inside of itself."""


# ---- users and workspaces: across tenants, on purpose ----------------------------------------------------------------


def sign_up(db: tw.Database, user: User) -> None:
    """Raises `tw.NotUnique` where the address is another's."""
    db.run(user.create())


def found_workspace(db: tw.Database, workspace: str, title: str, founder: str) -> None:
    joined = Membership(workspace=workspace, user=founder)
    db.run(tw.transact(Workspace(workspace=workspace, title=title).create(), joined.create()))


def my_workspaces(db: tw.Database, user: str) -> list[Workspace]:
    """N:N: from the user to the workspaces; `Membership.members` goes the other way."""
    return db.run(tw.neighbours(Membership.of_user(user), lambda each: Workspace.key(each.workspace))).items


def my_tasks(db: tw.Database, user: str, until: date) -> list[Task]:
    """What someone has to do in all their workspaces, the most urgent first."""
    return list(db.iter(Task.of_user(user, status="open", due=tw.lte(until))))


def enter(db: tw.Database, workspace: str, user: str) -> Space:
    """The workspace as one of its members sees it, and nothing else of the table."""
    tenant = life.tenant(workspace)
    mine = db.tenant(tenant)
    if mine.run(Membership.key(workspace, user=user).get().consistent()) is None:
        raise NotAMember(f"{user} is not in {workspace}")
    return Space(mine, tenant, user)


def close_workspace(db: tw.Database, workspace: str, units_per_second: float = 500) -> Iterator[tw.Progress]:
    """Delete a workspace with everything in it, slowly. It may be stopped and asked for again."""
    return db.iter_job(tw.cascade(Workspace.key(workspace)).throttled(units_per_second))


# ---- inside of one workspace -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Space:
    """A workspace that somebody has entered; its database refuses what is not of this workspace."""

    db: tw.Database
    tenant: tw.Tenant
    user: str

    @property
    def workspace(self) -> str:
        return str(self.tenant.value)

    # ---- things in things --------------------------------------------------------------------------------------------

    def add(self, *items: Anything) -> None:
        self.db.run(tw.transact(*(item.create() for item in items)))

    def inside(self, thing: Thing) -> list[Thing]:
        return list(self.db.iter(self.tenant.of(Thing.within)(tw.ref(thing))))

    def way_to(self, thing: Thing) -> list[Thing]:
        """The things that a thing is in, the outermost first."""
        way: list[Thing] = []
        parent = thing.parent
        while parent is not None:
            found = self.db.run(parent.get())
            if found is None:
                break
            way.insert(0, found)
            parent = found.parent
        return way

    def put_into(self, thing: Thing, other: Thing) -> None:
        """One update: a thing keeps its key wherever it is, and takes along what is in it."""
        if thing.thing in {each.thing for each in (*self.way_to(other), other)}:
            raise Circle(f"{other.title} is in {thing.title}")
        self.db.run(thing.patch(Thing.parent.set(tw.ref(other))))

    def throw_away(self, thing: Thing) -> tw.Progress:
        """A thing, what is in it, and what was said about any of it."""
        return self.db.run(tw.cascade(thing))

    # ---- relations and comments --------------------------------------------------------------------------------------

    def relate(self, one: Anything, other: Anything, note: str) -> None:
        related = Relation(workspace=self.workspace, one=tw.ref(one), other=tw.ref(other), note=note)
        self.db.run(tw.transact(related.create(), self.there(one), self.there(other)))

    def related_to(self, item: Anything) -> list[tuple[str, Anything]]:
        """What has to do with something, whichever of the two was named first."""
        edges = list(self.db.iter(self.tenant.of(Relation.of)(one=tw.ref(item)).consistent()))
        found = self.db.run(tw.resolve(edge.other for edge in edges))
        return [(edge.note, found[edge.other]) for edge in edges if edge.other in found]

    def comment(self, item: Anything, text: str) -> None:
        said = Comment(workspace=self.workspace, on=tw.ref(item), author=self.user, text=text)
        self.db.run(tw.transact(said.create(), self.there(item)))

    def comments_on(self, item: Anything) -> list[Comment]:
        return list(self.db.iter(self.tenant.of(Comment.about)(on=tw.ref(item)).consistent()))

    def there(self, item: Anything) -> tw.Check[Anything]:
        """What is said about something that is being deleted is refused, not left behind."""
        return item.key.check(type(item).workspace.exists())

    # ---- tasks and the notebook --------------------------------------------------------------------------------------

    def tasks(self) -> list[Task]:
        return list(self.db.iter(self.tenant.of(Task.of_workspace)()))

    def write_page(self, *steps: str, text: str = "") -> None:
        """Below a page that exists, or at the top."""
        self.db.run(tw.tree(Page(workspace=self.workspace, path=tw.TreePath(*steps), text=text)).create())

    def chapter(self, *steps: str) -> tw.Tree[Page]:
        return tw.tree(self.tenant.of(Page.key)(path=tw.TreePath(*steps)))
