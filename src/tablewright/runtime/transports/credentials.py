"""Where the keys come from that requests are signed with.

Keys of the environment and of containers are read without botocore. Whatever else there may be (profiles, SSO,
assumed roles, instance metadata) is botocore's business, and so is its refresh. The order is botocore's: arguments, the
environment, profiles and files, the container, the instance. Nothing is looked up before the first request.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Any

from tablewright.errors import CredentialsMissing
from tablewright.runtime.transports.aws import container
from tablewright.runtime.transports.aws.session import (
    CONFIG_FILES,
    CREDENTIAL_FILES,
    botocore_session,
    has_file,
    named_profile,
)
from tablewright.runtime.transports.sigv4 import Keys

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.transports.aws.container import Lent
    from tablewright.runtime.transports.sigv4 import Credentials

ACCESS_KEY = "AWS_ACCESS_KEY_ID"
SECRET_KEY = "AWS_SECRET_ACCESS_KEY"
TOKENS = ("AWS_SECURITY_TOKEN", "AWS_SESSION_TOKEN")
WEB_IDENTITY = "AWS_WEB_IDENTITY_TOKEN_FILE"

EARLY_SECONDS = 15 * 60.0
"""So long before they expire keys are renewed by whoever comes first, while the others go on with the old ones."""
LATEST_SECONDS = 10 * 60.0
"""So long before they expire everybody waits for new ones."""


class Fixed:
    """Keys that were given as arguments."""

    is_ready = True

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def keys(self) -> Keys:
        return self._keys

    def renew(self) -> None:
        """There are no others."""


class FromEnvironment:
    """Keys of the environment; read again when they were refused, because a program may replace its own."""

    is_ready = True

    def __init__(self) -> None:
        self._keys = keys_of_environment()

    def keys(self) -> Keys:
        return self._keys

    def renew(self) -> None:
        if os.environ.get(ACCESS_KEY):
            self._keys = keys_of_environment()


class FromContainer:
    """Keys that a container was lent, renewed before they expire."""

    def __init__(self, fetch: Callable[[], Lent] = container.fetch, clock: Callable[[], float] = time.time) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lent: Lent | None = None
        self._lock = threading.Lock()

    @property
    def is_ready(self) -> bool:
        return self._left_seconds() > EARLY_SECONDS

    def keys(self) -> Keys:
        lent = self._lent
        if lent is not None and lent.expires - self._clock() > EARLY_SECONDS:
            return lent.keys
        return self._renewed()

    def _left_seconds(self) -> float:
        return 0.0 if self._lent is None else self._lent.expires - self._clock()

    def _renewed(self) -> Keys:
        must = self._left_seconds() <= LATEST_SECONDS
        if self._lock.acquire(blocking=must):
            try:
                if self._left_seconds() <= (LATEST_SECONDS if must else EARLY_SECONDS):  # nobody was faster
                    self._lent = self._fetch()
            except CredentialsMissing:
                if self._left_seconds() <= 0:
                    raise
            finally:
                self._lock.release()
        assert self._lent is not None
        return self._lent.keys

    def renew(self) -> None:
        refused = self._lent
        with self._lock:
            if self._lent is refused:
                self._lent = self._fetch()


class FromBotocore:
    """Keys of a botocore session, asked for at every request so that its refresh works."""

    def __init__(self, session: Callable[[], Any]) -> None:
        self._session = session
        self._credentials: Any = None
        self._frozen: Any = None
        self._keys: Keys | None = None

    @property
    def is_ready(self) -> bool:
        refresh_needed = getattr(self._credentials, "refresh_needed", None)
        return self._credentials is not None and (refresh_needed is None or not refresh_needed())

    def keys(self) -> Keys:
        credentials = self._credentials
        if credentials is None:
            credentials = self._credentials = self._look("get_credentials")
        frozen = self._freeze(credentials)
        if self._keys is None or frozen != self._frozen:
            self._frozen = frozen
            self._keys = Keys(frozen.access_key, frozen.secret_key, frozen.token or None)
        return self._keys

    def _freeze(self, credentials: Any) -> Any:
        try:
            return credentials.get_frozen_credentials()
        except Exception as error:
            raise translated(error) from error

    def _look(self, method: str) -> Any:
        try:
            session = self._session()
            found = getattr(session if method == "get_credentials" else provider_of(session), method)()
        except Exception as error:
            raise translated(error) from error
        if found is None:
            raise CredentialsMissing(
                f"there are no AWS credentials: set {ACCESS_KEY} and {SECRET_KEY}, name a profile, or pass "
                "aws_access_key_id= and aws_secret_access_key= (any text will do for a local endpoint)"
            )
        return found

    def renew(self) -> None:
        """Go through botocore's chain again, which reads files and asks services anew."""
        if getattr(self._credentials, "method", None) != "explicit":
            self._credentials = self._look("load_credentials")


def provider_of(session: Any) -> Any:
    return session.get_component("credential_provider")


def translated(error: Exception) -> Exception:
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

    def renew(self) -> None:
        if self._source is not None:
            self._source.renew()

    def _choose(self) -> Credentials:
        if self._profile_name is None and os.environ.get(ACCESS_KEY):
            return FromEnvironment()
        if container.is_container() and not comes_before_container(self._profile_name):
            return FromContainer()
        return FromBotocore(lambda: botocore_session(profile_name=self._profile_name))


def comes_before_container(profile_name: str | None) -> bool:
    """Whether there is anything that botocore would look into first."""
    return (
        named_profile(profile_name) is not None
        or WEB_IDENTITY in os.environ
        or has_file(CONFIG_FILES)
        or has_file(CREDENTIAL_FILES)
    )


def keys_of_environment() -> Keys:
    secret = os.environ.get(SECRET_KEY)
    if not secret:
        raise CredentialsMissing(f"{ACCESS_KEY} is set and {SECRET_KEY} is not; set both")
    return Keys(
        os.environ[ACCESS_KEY], secret, next((os.environ[name] for name in TOKENS if os.environ.get(name)), None)
    )


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
