"""Times on screens: in the zone of the reader's browser."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from review_app.ui.heartbeat import short_time
from review_app.ui.page import Page
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


@pytest.mark.parametrize(
    ("minutes", "english", "chinese"),
    [
        (-5, "0 min", "0 分钟"),
        (59, "59 min", "59 分钟"),
        (60, "1 h 00 min", "1 小时 00 分钟"),
        (1439, "23 h 59 min", "23 小时 59 分钟"),
    ],
)
def test_a_span_is_shown_in_hours_and_minutes(minutes, english, chinese):
    pages = (Page(None, None, SimpleNamespace(locale=locale), {}) for locale in ("en", "zh"))
    assert [short_time(page, timedelta(minutes=minutes)) for page in pages] == [english, chinese]
