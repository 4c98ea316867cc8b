"""Ann signs in on two devices and loses one of them."""

from __future__ import annotations

from datetime import datetime, timedelta

import tablewright as tw
from examples.running import run_async
from examples.sessions import app
from examples.sessions.model import signing_in
from examples.showing import heading, names, tell


async def story(db: tw.AsyncDatabase) -> None:
    morning = tw.now()
    with tw.time_held(morning):
        heading("In the morning")
        laptop = await app.sign_in(db, "ann", "laptop")
        phone = await app.sign_in(db, "ann", "phone")
        other = await app.sign_in(db, "bob", "tablet")
        tell("Ann's devices", await devices(db, "ann"))
    await hours(db, morning, laptop)
    with tw.time_held(morning + timedelta(minutes=65)):
        heading("The phone is lost")
        phone = await app.sign_in(db, "ann", "phone")
        tell("signed in again", await devices(db, "ann"))
        tell("sessions ended", await app.sign_out_everywhere(db, "ann"))
        tell("the laptop", await state(db, laptop))
        tell("the phone", await state(db, phone))
        tell("a token that somebody made up", await state(db, "ann.guess"))
        heading("Bob")
        tell("his tablet, which nobody touched for an hour", await state(db, other))
        other = await app.sign_in(db, "bob", "tablet")
        tell("signed in again", await state(db, other))
        await app.sign_out(db, other)
        tell("and out", await state(db, other))


async def hours(db: tw.AsyncDatabase, morning: datetime, token: str) -> None:
    """The laptop is used every twenty minutes."""
    heading("Sliding expiry")
    for minutes in (20, 40, 60):
        with tw.time_held(morning + timedelta(minutes=minutes)):
            tell(f"after {minutes} minutes", f"the laptop is {await state(db, token)}; {await devices(db, 'ann')}")


async def state(db: tw.AsyncDatabase, token: str) -> str:
    try:
        session = await app.session_of(db, token)
    except app.SignedOut:
        return "signed out"
    assert session.expires is not None
    left = session.expires - tw.now()
    return f"signed in for another {left.total_seconds() / 60:.0f} minutes"


async def devices(db: tw.AsyncDatabase, user: str) -> str:
    return names(sorted(session.device for session in await app.sessions_of(db, user)))


if __name__ == "__main__":
    run_async(signing_in, story)
