"""Two workspaces, one of which is closed in the end."""

from __future__ import annotations

from datetime import date

import tablewright as tw
from examples.life_os import app
from examples.life_os.model import Asset, Task, Thing, User, Workspace, life
from examples.running import catch_up, run
from examples.showing import heading, names, tell

HOUSE = Thing(workspace="home", thing="house", title="House")
KITCHEN = Thing(workspace="home", thing="kitchen", title="Kitchen", parent=tw.ref(HOUSE))
CELLAR = Thing(workspace="home", thing="cellar", title="Cellar", parent=tw.ref(HOUSE))
OVEN = Thing(workspace="home", thing="oven", title="Oven", parent=tw.ref(KITCHEN))
RECIPES = Thing(workspace="home", thing="recipes", title="Recipes", kind="digital", parent=tw.ref(KITCHEN))
MANUAL = Asset(workspace="home", asset="manual", title="oven.pdf")
REPAIR = Task(workspace="home", task="t1", title="Repair the oven", assignee="ann", due=date(2026, 11, 20))
INVOICE = Task(workspace="work", task="t1", title="Send the invoice", assignee="ann", due=date(2026, 11, 18))


def story(db: tw.Database) -> None:
    home = beginnings(db)
    hierarchy(home)
    relations(home)
    across(db)
    notebook(home)
    closing(db)


def beginnings(db: tw.Database) -> app.Space:
    heading("Users and workspaces")
    app.sign_up(db, User(user="ann", name="Ann", email="ann@example.com"))
    app.sign_up(db, User(user="bob", name="Bob", email="bob@example.com"))
    app.found_workspace(db, "home", "Home", "ann")
    app.found_workspace(db, "work", "Work", "ann")
    catch_up(db)
    tell("Ann's workspaces", names(each.title for each in app.my_workspaces(db, "ann")))
    try:
        app.enter(db, "home", "bob")
    except app.NotAMember as error:
        tell("Bob wants to see her home", error)
    home = app.enter(db, "home", "ann")
    home.add(HOUSE, KITCHEN, CELLAR, OVEN, RECIPES, MANUAL, REPAIR)
    app.enter(db, "work", "ann").add(INVOICE)
    try:
        home.db.run(INVOICE.key.get())
    except tw.RequestError as error:
        tell("a task of Work, asked for at Home", error.message.partition(";")[0])
    catch_up(db)
    return home


def hierarchy(home: app.Space) -> None:
    heading("Things in things")
    tell("in the kitchen", names(each.title for each in home.inside(KITCHEN)))
    tell("where is the oven?", names(each.title for each in home.way_to(OVEN)))
    try:
        home.put_into(HOUSE, CELLAR)
    except app.Circle as error:
        tell("the house goes into the cellar", error)
    home.put_into(OVEN, CELLAR)
    catch_up(home.db)
    tell("the oven goes into the cellar, which holds", names(each.title for each in home.inside(CELLAR)))


def relations(home: app.Space) -> None:
    heading("Relations, and comments on anything")
    home.relate(MANUAL, OVEN, "describes")
    home.relate(REPAIR, OVEN, "is about")
    tell("to do with the oven", names(f"{note} {each.title}" for note, each in home.related_to(OVEN)))
    tell("to do with the manual", names(f"{note} {each.title}" for note, each in home.related_to(MANUAL)))
    home.comment(REPAIR, "It smokes.")
    home.comment(OVEN, "Twelve years old.")
    tell("said about the task", names(each.text for each in home.comments_on(REPAIR)))
    tell("said about the oven", names(each.text for each in home.comments_on(OVEN)))
    gone = Thing(workspace="home", thing="sofa", title="Sofa")
    try:
        home.comment(gone, "Nice colour.")
    except tw.TransactionCancelled as error:
        tell("said about what is not there", f"refused, {error.reasons[1].code}")


def across(db: tw.Database) -> None:
    heading("Across workspaces, on purpose")
    tasks = app.my_tasks(db, "ann", until=date(2026, 11, 30))
    tell("what Ann has to do this month", names(f"{task.title} ({task.workspace})" for task in tasks))


def notebook(home: app.Space) -> None:
    heading("The notebook, a tree in the sort key")
    for steps in (["food"], ["food", "bread"], ["food", "bread", "rye"], ["archive"]):
        home.write_page(*steps)
    home.db.run(home.chapter("food", "bread").move(tw.TreePath("archive", "bread")))
    catch_up(home.db)
    tell("food", names(str(page.path) for page in home.db.iter(home.chapter("food").subtree())))
    tell("archive", names(str(page.path) for page in home.db.iter(home.chapter("archive").subtree())))


def closing(db: tw.Database) -> None:
    heading("Closing a workspace")
    home = app.enter(db, "home", "ann")
    tell("the kitchen goes, with what is in it", counted(home.throw_away(KITCHEN)))
    tell("what would go with Home", counted(db.run(tw.cascade(Workspace.key("home")).dry_run())))
    for progress in app.close_workspace(db, "home"):
        tell("gone", f"{progress.items} items{', all done' if progress.is_done else ''}")
    catch_up(db)
    tell("Ann's workspaces", names(each.title for each in app.my_workspaces(db, "ann")))
    tell("her tasks", names(task.title for task in app.my_tasks(db, "ann", until=date(2026, 11, 30))))


def counted(progress: tw.Progress) -> str:
    return names(f"{count} {entity}" for entity, count in progress.counts.items())


if __name__ == "__main__":
    run(life, story)
