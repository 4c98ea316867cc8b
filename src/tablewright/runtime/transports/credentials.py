"""Where the keys come from that requests are signed with.

Keys of the environment and of containers are read without botocore. Whatever else there may be (profiles, SSO,
assumed roles, instance metadata) is botocore's business, and so is its refresh. The order is botocore's: arguments, the
environment, profiles and files, the container, the instance. Nothing is looked up before the first request.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from tablewright.errors import CredentialsMissing
from tablewright.runtime.transports.aws import container
from tablewright.runtime.transports.aws.headers import check_key
from tablewright.runtime.transports.aws.session import (
    CONFIG_FILES,
    CREDENTIAL_FILES,
    botocore_session,
    has_file,
    named_profile,
)
from tablewright.runtime.transports.forks import ForkedLock
from tablewright.runtime.transports.sigv4 import Keys

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.transports.aws.container import Lent
    from tablewright.runtime.transports.sigv4 import Credentials

ACCESS_KEY = "AWS_ACCESS_KEY_ID"
SECRET_KEY = "AWS_SECRET_ACCESS_KEY"
TOKENS = ("AWS_SECURITY_TOKEN", "AWS_SESSION_TOKEN")
WEB_IDENTITY = "AWS_WEB_IDENTITY_TOKEN_FILE"
PARTS = ("access key", "secret key", "token")

EARLY_SECONDS = 15 * 60.0
"""So long before they expire keys are renewed, or when half of their time is over if that is later."""
REST_SECONDS = 30.0
"""Keys that are still good are not asked for more often than this, whether or not the last time failed."""


class Fixed:
    """Keys that were given as arguments."""

    is_ready = True

    def __init__(self, keys: Keys) -> None:
        self._keys = _checked(keys, "aws_access_key_id", "aws_secret_access_key", "aws_session_token")

    def keys(self) -> Keys:
        return self._keys

    def renew(self, refused: str | None = None) -> None:
        """There are no others."""


class _FromEnvironment:
    """Keys of the environment; read again when they were refused, because a program may replace its own."""

    is_ready = True

    def __init__(self) -> None:
        self._keys = _keys_of_environment()

    def keys(self) -> Keys:
        return self._keys

    def renew(self, refused: str | None = None) -> None:  # noqa: ARG002 - to read costs nothing
        if os.environ.get(ACCESS_KEY):
            self._keys = _keys_of_environment()


class _Turns:
    """Lets one caller at a time look for new keys while the others go on with those they have, or wait for the outcome
    if they have none. Threads that wait for the same attempt hear of the same failure.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = ForkedLock()
        self._rests_until = 0.0
        self._looks = 0
        self._failure: str | None = None

    @property
    def is_idle(self) -> bool:
        """Whether it is time to look, and nobody does yet."""
        return self._clock() >= self._rests_until and not self._lock.locked()

    def offer(self, look: Callable[[], None]) -> None:
        """Look if nobody does; a failure is to be told only when there are no good keys left."""
        if not self.is_idle or not self._lock.acquire(blocking=False):
            return
        try:
            if self._clock() >= self._rests_until:  # nobody was faster
                self._look(look)
        except CredentialsMissing:
            _log_failure(self._failure or "")
        finally:
            self._lock.release()

    def demand(self, look: Callable[[], None], is_needed: Callable[[], bool]) -> None:
        """Look, or wait for who does, because nothing can be signed otherwise."""
        before = self._looks
        with self._lock:
            if self._looks == before:
                if is_needed():
                    self._look(look)
            elif self._failure is not None:  # of whom we waited for
                raise CredentialsMissing(self._failure)

    def _look(self, look: Callable[[], None]) -> None:
        self._failure = None
        try:
            look()
        except CredentialsMissing as failure:
            self._failure = failure.message
            raise
        finally:
            self._looks += 1
            self._rests_until = self._clock() + REST_SECONDS


def _log_failure(message: str) -> None:
    import logging  # only where something is out of the ordinary

    logging.getLogger("tablewright").warning("%s; the keys at hand are still good and are used further", message)


class FromContainer:
    """Keys that a container was lent, renewed before they expire."""

    def __init__(self, fetch: Callable[[], Lent] = container.fetch, clock: Callable[[], float] = time.time) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lent: Lent | None = None
        self._due = 0.0
        self._turns = _Turns(clock)

    @property
    def is_ready(self) -> bool:
        now = self._clock()
        return self._is_good(now) and (now < self._due or not self._turns.is_idle)

    def keys(self) -> Keys:
        lent, now = self._lent, self._clock()
        if lent is not None and now < self._due:
            return lent.keys
        if self._is_good(now):
            self._turns.offer(self._take)
        else:
            self._turns.demand(self._take, lambda: not self._is_good(self._clock()))
        assert self._lent is not None
        return self._lent.keys

    def _is_good(self, now: float) -> bool:
        return self._lent is not None and now < self._lent.expires

    def _take(self) -> None:
        lent = self._fetch()
        _checked(lent.keys, "AccessKeyId of the container", "its SecretAccessKey", "its Token")
        now = self._clock()
        if lent.expires <= now:
            raise CredentialsMissing("container credentials: the keys that the endpoint gave have expired already")
        left = lent.expires - now
        self._due = now + max(left - EARLY_SECONDS, left / 2)
        self._lent = lent

    def renew(self, refused: str | None = None) -> None:
        self._turns.demand(self._take, lambda: refused is None or self._holds(refused))

    def _holds(self, access_key: str) -> bool:
        return self._lent is None or self._lent.keys.access_key == access_key


class FromBotocore:
    """Keys of a botocore session, asked for at every request so that its refresh works."""

    def __init__(self, session: Callable[[], Any], clock: Callable[[], float] = time.time) -> None:
        self._session = session
        self._credentials: Any = None
        self._frozen: Any = None
        self._keys: Keys | None = None
        self._clock = clock
        self._calm_until = 0.0
        self._turns = _Turns(clock)

    @property
    def is_ready(self) -> bool:
        if self._keys is None:
            return False
        return self._is_calm() or (not self._needs(0) and not self._turns.is_idle)

    def keys(self) -> Keys:
        if self._keys is None:
            self._turns.demand(self._take, lambda: self._keys is None)
        elif self._is_calm():
            self._take()
        elif self._needs(0):
            self._turns.demand(self._take, lambda: self._needs(0))
        else:
            self._turns.offer(self._take)
        assert self._keys is not None
        return self._keys

    def _is_calm(self) -> bool:
        """Whether the keys need not be renewed yet; looked up once a second, because botocore takes its time."""
        now = self._clock()
        if now >= self._calm_until and not self._needs(EARLY_SECONDS):
            self._calm_until = now + 1.0
        return now < self._calm_until

    def _needs(self, seconds: float) -> bool:
        """Whether so little is left of the time that the keys were lent for; 0: whether none is."""
        refresh_needed = getattr(self._credentials, "refresh_needed", None)
        return refresh_needed is not None and bool(refresh_needed(seconds))

    def _take(self) -> None:
        if self._credentials is None:
            self._credentials = self._look("get_credentials")
        frozen = self._freeze(self._credentials)
        if self._keys is None or frozen != self._frozen:
            given = Keys(frozen.access_key, frozen.secret_key, frozen.token or None)
            self._keys = _checked(given, *(f"the {part} of the AWS credentials" for part in PARTS))
            self._frozen = frozen

    def _freeze(self, credentials: Any) -> Any:
        try:
            return credentials.get_frozen_credentials()
        except Exception as error:
            raise _translated(error) from error

    def _look(self, method: str) -> Any:
        try:
            session = self._session()
            found = getattr(session if method == "get_credentials" else _provider_of(session), method)()
        except Exception as error:
            raise _translated(error) from error
        if found is None:
            raise CredentialsMissing(
                f"there are no AWS credentials: set {ACCESS_KEY} and {SECRET_KEY}, name a profile, or pass "
                "aws_access_key_id= and aws_secret_access_key= (any text will do for a local endpoint)"
            )
        return found

    def renew(self, refused: str | None = None) -> None:
        """Go through botocore's chain again, which reads files and asks services anew."""
        if getattr(self._credentials, "method", None) != "explicit":
            self._turns.demand(self._reload, lambda: refused is None or self._holds(refused))

    def _reload(self) -> None:
        self._credentials = self._look("load_credentials")
        self._take()

    def _holds(self, access_key: str) -> bool:
        return self._keys is None or self._keys.access_key == access_key


def _provider_of(session: Any) -> Any:
    return session.get_component("credential_provider")


def _translated(error: Exception) -> Exception:
    """A complaint of botocore as ours; anything else is a defect."""
    from botocore.exceptions import BotoCoreError, ClientError  # pyright: ignore[reportMissingTypeStubs]

    if isinstance(error, (BotoCoreError, ClientError, OSError, RuntimeError, ValueError)):  # it raises all of these
        return CredentialsMissing(f"AWS credentials could not be fetched: {error}")
    return error


class Found:
    """The first source that has keys, chosen when they are needed first."""

    def __init__(self, profile_name: str | None = None) -> None:
        self._profile_name = profile_name
        self._source: Credentials | None = None

    @property
    def is_ready(self) -> bool:
        return self._source is not None and self._source.is_ready

    def keys(self) -> Keys:
        source = self._source
        if source is None:
            source = self._source = self._choose()
        return source.keys()

    def renew(self, refused: str | None = None) -> None:
        if self._source is not None:
            self._source.renew(refused)

    def _choose(self) -> Credentials:
        if self._profile_name is None and os.environ.get(ACCESS_KEY):
            return _FromEnvironment()
        if container.is_container() and not _comes_before_container(self._profile_name):
            return FromContainer()
        return FromBotocore(lambda: botocore_session(profile_name=self._profile_name))


def _comes_before_container(profile_name: str | None) -> bool:
    """Whether there is anything that botocore would look into first."""
    return (
        named_profile(profile_name) is not None
        or WEB_IDENTITY in os.environ
        or has_file(CONFIG_FILES)
        or has_file(CREDENTIAL_FILES)
    )


def _keys_of_environment() -> Keys:
    secret = os.environ.get(SECRET_KEY)
    if not secret:
        raise CredentialsMissing(f"{ACCESS_KEY} is set and {SECRET_KEY} is not; set both")
    token = next((name for name in TOKENS if os.environ.get(name)), TOKENS[-1])
    return _checked(Keys(os.environ[ACCESS_KEY], secret, os.environ.get(token) or None), ACCESS_KEY, SECRET_KEY, token)


def _checked(keys: Keys, *names: str) -> Keys:
    """The keys, if they can stand in a header; `names` say what each part is called where it came from."""
    for part, name in zip(keys, names, strict=True):
        check_key(part, name)
    return keys


def find_credentials(
    *,
    session: Any = None,
    profile_name: str | None = None,
    access_key: str | None = None,
    secret_key: str | None = None,
    token: str | None = None,
) -> Credentials:
    """Keys given as arguments, those of a session, or what can be found."""
    if (access_key is None) != (secret_key is None):
        lacking = "aws_access_key_id" if access_key is None else "aws_secret_access_key"
        raise CredentialsMissing(f"{lacking} is missing; aws_access_key_id and aws_secret_access_key go together")
    if access_key is not None and secret_key is not None:
        return Fixed(Keys(access_key, secret_key, token))
    if session is not None:
        inner = botocore_session(session)
        return FromBotocore(lambda: inner)
    return Found(profile_name)
