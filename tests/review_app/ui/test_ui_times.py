"""Times on screens: in the zone of the reader's browser."""

from datetime import UTC, datetime

import pytest

from review_app.ui.plain import clock

NOON = datetime(2026, 8, 3, 12, 0, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "locale", "shown"),
    [
        ("Asia/Shanghai", "en", "2026-08-03 20:00:05 GMT+08:00"),
        ("Europe/Berlin", "zh", "2026-08-03 14:00:05 GMT+02:00"),
        (None, "en", "2026-08-03 12:00:05 GMT+00:00"),
        ("No/Where", "en", "2026-08-03 12:00:05 GMT+00:00"),
        ("../etc/passwd", "en", "2026-08-03 12:00:05 GMT+00:00"),
    ],
)
def test_a_time_is_shown_in_the_zone_that_the_browser_names(zone, locale, shown):
    assert clock(NOON, zone, locale) == shown


def test_no_time_is_a_dash():
    assert clock(None, "Asia/Shanghai") == "—"
