"""Signing in and out. Everything is awaited, as in a web framework that serves many requests at a time.

A token is `user.secret`. The user is in it so that sessions can be kept by user: all of them are found with one
consistent read, and signing out everywhere misses none.
"""

from __future__ import annotations

import hashlib
import secrets

import tablewright as tw
from examples.sessions.model import IDLE, LONGEST, Session


class SignedOut(Exception):
    """There is no such session, or no more."""


async def sign_in(db: tw.AsyncDatabase, user: str, device: str) -> str:
    """A new session; the token is told once and kept nowhere."""
    secret = secrets.token_urlsafe(32)
    await db.run(Session(user=user, digest=digest_of(secret), device=device).create())
    return f"{user}.{secret}"


async def session_of(db: tw.AsyncDatabase, token: str) -> Session:
    """Whose request this is. Using a session prolongs it, though not for ever."""
    session = await db.run(key_of(token).get().consistent())
    if session is None:
        raise SignedOut
    expires = min(tw.now() + IDLE, session.since + LONGEST)
    prolonged = session.patch(Session.expires.set(expires)).where(Session.expires > tw.now())
    try:
        await db.run(prolonged)
    except tw.ConditionFailed as error:  # revoked at this very moment
        raise SignedOut from error
    session.expires = expires
    return session


async def sign_out(db: tw.AsyncDatabase, token: str) -> None:
    await db.run(key_of(token).delete())


async def sessions_of(db: tw.AsyncDatabase, user: str) -> list[Session]:
    return [session async for session in db.iter(Session.of_user(user).consistent())]


async def sign_out_everywhere(db: tw.AsyncDatabase, user: str) -> int:
    """After a change of password, say. How many sessions ended."""
    return await db.run(tw.delete_all(Session.of_user(user).consistent()))


def key_of(token: str) -> tw.Key[Session]:
    user, _, secret = token.rpartition(".")
    return Session.key(user, digest=digest_of(secret))


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
