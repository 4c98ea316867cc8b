"""Assertions in scenarios explain themselves as those in tests do."""

import pytest

pytest.register_assert_rewrite(*(f"tests.scenarios.{name}" for name in ("items", "finding", "several", "refusals")))
