"""Users and their posts: `USER#id` / `METADATA` and `USER#id` / `POST#id`, read apart or in one query."""

from __future__ import annotations

import tablewright as tw
from examples.showing import show_service
from tablewright import ANY, Attr, Range

blog = tw.Service(
    "blog", table=tw.Table("blog", pk="PK", sk="SK"), identifiers=tw.Identifiers(entity="Type", version=None)
)


class User(tw.Entity, service=blog, name="User"):
    """Someone who writes."""

    user: Attr[str]
    name: Attr[str]

    @tw.primary(pk="USER#{user}", sk="METADATA", collection="profile")
    def key(self, user: str) -> None:
        """A user by id."""


class Post(tw.Entity, service=blog, name="Post"):
    """What a user wrote."""

    user: Attr[str]
    post: Attr[str]
    text: Attr[str]

    @tw.primary(pk="USER#{user}", sk="POST#{post}", collection="profile")
    def key(self, user: str, *, post: str) -> None:
        """One post."""

    @tw.index("table")
    def of_user(self, user: str, *, post: Range[str] = ANY) -> None:
        """A user's posts."""


class Profile(tw.Collection, service=blog, name="profile"):
    """A user with all posts, in one query."""

    users: list[User]
    posts: list[Post]

    @tw.index("table")
    def of(self, user: str) -> None:
        """Everything of a user."""


def main() -> None:
    show_service(
        blog,
        {
            "A new user": User(user="u1", name="Ada").create(),
            "A user": User.key("u1").get(),
            "A user's posts, newest first": Post.of_user("u1").descending(),
            "Both in one query": Profile.of("u1"),
        },
    )


if __name__ == "__main__":
    main()
