"""The admin's page: accounts."""

from functools import partial

import pandas as pd
import streamlit as st

from review_app.accounts import LOCALES, NewAccount
from review_app.domain.people import ANY_DOMAIN, Role
from review_app.ui.page import Page, act


def render(page: Page) -> None:
    """Draw the page."""
    st.title(page.t("People"))
    users = page.admin.users()
    rows = [
        {
            page.t("Login"): user.login,
            page.t("Name"): user.name,
            page.t("Roles"): ", ".join(page.word(role) for role in sorted(user.person.roles)),
            page.t("Domains"): ", ".join(sorted(user.person.domains)),
            page.t("Languages"): ", ".join(sorted(user.person.languages)),
            page.t("Active"): user.person.active,
        }
        for user in users
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True)
    left, right = st.columns(2, gap="large")
    with left:
        _add(page)
    with right, st.form("active"):
        st.markdown(f"**{page.t('Disable or enable an account')}**")
        login = st.selectbox(page.t("Login"), [user.login for user in users], index=None, key="active-login")
        with st.container(horizontal=True):
            disable = st.form_submit_button(page.t("Disable"), icon=":material/block:")
            enable = st.form_submit_button(page.t("Enable"), icon=":material/check:")
        if login and (disable or enable):
            act(page, partial(page.admin.set_active, login, enable))


def _add(page: Page) -> None:
    with st.form("add-user"):
        st.markdown(f"**{page.t('New account')}**")
        login = st.text_input(page.t("Login"), key="new-login")
        name = st.text_input(page.t("Name"), key="new-name")
        password = st.text_input(page.t("First password, 12 characters or more"), type="password", key="new-password")
        roles = st.multiselect(page.t("Roles"), list(Role), format_func=page.word, key="new-roles")
        domains = st.text_input(page.t("Domains, separated by commas; * for all"), ANY_DOMAIN, key="new-domains")
        languages = st.multiselect(page.t("Languages"), ["en", "zh"], ["en", "zh"], key="new-languages")
        locale = st.selectbox(page.t("Language of the screens"), LOCALES, key="new-locale")
        if st.form_submit_button(page.t("Make the account")):
            words = tuple(word.strip() for word in domains.split(","))
            new = NewAccount(login, name, password, tuple(roles), words, tuple(languages), str(locale))
            act(page, partial(page.admin.add_user, new))
