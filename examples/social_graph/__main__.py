"""Four people, some posts, and a farewell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import tablewright as tw
from examples.running import catch_up, run
from examples.showing import heading, names, tell
from examples.social_graph import app
from examples.social_graph.model import Post, User, graph

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def story(db: tw.Database) -> None:
    edges(db)
    feeds(db)
    liking(db)
    leaving(db)


def edges(db: tw.Database) -> None:
    heading("Followers")
    for user in ("ann", "bob", "cleo", "dan"):
        app.join(db, user)
    for user, other in (("ann", "bob"), ("ann", "cleo"), ("bob", "cleo"), ("cleo", "bob"), ("dan", "bob")):
        app.follow(db, user, other)
    tell("Ann follows", names(app.following(db, "ann")))
    tell("Bob is followed by", names(app.followers(db, "bob")))
    catch_up(db)
    tell("Ann and Bob both follow", names(app.both_follow(db, "ann", "bob")))
    tell("Ann follows Bob once more", "done" if app.follow(db, "ann", "bob") else "she did already")
    tell("Bob", profile(db, "bob"))


def profile(db: tw.Database, user: str) -> str:
    found = db.run(User.key(user).get())
    return f"{found.followers} followers, follows {found.following}" if found else "is not here"


def feeds(db: tw.Database) -> None:
    heading("Feeds")
    for minute, (user, text) in enumerate((("bob", "Hello"), ("cleo", "Tea?"), ("bob", "Yes"), ("ann", "Me too"))):
        with tw.time_held(NOON + timedelta(minutes=minute)):
            app.post(db, user, text)
    catch_up(db)
    with tw.time_held(NOON + timedelta(hours=1)):
        page = app.feed(db, "ann", size=2)
        tell("Ann's feed", said(page))
        tell("further down", said(app.feed(db, "ann", page.cursor)))
        app.follow(db, "dan", "cleo")
        catch_up(db)
        tell("Dan's, who has just found Cleo", said(app.feed(db, "dan")))
        app.unfollow(db, "dan", "bob")
        catch_up(db)
        tell("and is tired of Bob", said(app.feed(db, "dan")))
    tell("everybody", said(app.everyones(db)))


def said(posts: tw.Page[Post]) -> str:
    return names(f"{post.user} {post.text!r}" for post in posts)


def liking(db: tw.Database) -> None:
    heading("Likes")
    posts = app.everyones(db).items
    for user in ("ann", "bob", "cleo", "dan"):
        app.like(db, user, posts[0])
    tell("Dan likes it twice", "counted" if app.like(db, "dan", posts[0]) else "not counted")
    catch_up(db)
    liked = zip(posts, app.likes(db, posts), strict=True)
    tell("likes", names(f"{post.text!r} {count}" for post, count in liked))


def leaving(db: tw.Database) -> None:
    heading("Bob leaves")
    app.leave(db, "bob")
    catch_up(db)
    tell("Ann follows", names(app.following(db, "ann")))
    tell("Cleo", profile(db, "cleo"))
    with tw.time_held(NOON + timedelta(hours=2)):
        tell("Ann's feed", said(app.feed(db, "ann")))


if __name__ == "__main__":
    run(graph, story)
