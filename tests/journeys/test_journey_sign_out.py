"""Signing out in a real Chromium ends the sign-in everywhere."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("sign-out")]


def test_sign_out_leads_to_the_sign_in_page_and_the_old_page_is_dead(system):
    system.add("ann", "expert")
    ann = system.sign_in("ann")
    old = ann.context.new_page()
    old.goto(system.address)
    old.get_by_role("button", name="Next task").wait_for()
    ann.page.get_by_role("button", name="Sign out").click()
    ann.page.wait_for_url("**/sign-in")
    old.get_by_role("button", name="Next task").click()
    old.get_by_text("your sign-in has ended").first.wait_for()
