from __future__ import annotations

from tablewright.review.sources import GUIDE, REFERENCE, all_sources


def test_every_page_stands_once_and_in_the_documentation():
    found = all_sources()
    assert len(found) > 50
    assert len({each.url for each in found}) == len(found)
    assert len({each.title for each in found}) == len(found)
    assert all(each.url.startswith((f"{GUIDE}/", f"{REFERENCE}/")) and ".html" in each.url for each in found)
