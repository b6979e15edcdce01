"""The words of the sign-in page, in both languages."""

WORDS = {
    "en": {
        "lang": "en",
        "title": "DataSpace Review",
        "lead": "Blind dual-expert review of benchmark tasks",
        "login": "Login",
        "password": "Password",
        "submit": "Sign in",
        "failed": "Login and password do not match an active account. After eight failures an account rests for "
        "a quarter of an hour.",
        "other": "中文",
        "other_lang": "zh",
        "help": "No account? Ask a lead or admin for one.",
    },
    "zh": {
        "lang": "zh",
        "title": "DataSpace 评审",
        "lead": "基准任务的双专家盲审",
        "login": "登录名",
        "password": "密码",
        "submit": "登录",
        "failed": "登录名与密码不匹配，或账号未启用。连续失败八次后，账号将暂停一刻钟。",
        "other": "English",
        "other_lang": "en",
        "help": "没有账号？请向负责人或管理员申请。",
    },
}


def words_for(chosen: str | None, accepted: str) -> dict[str, str]:
    """Return the words in the chosen language, else in the browser's first one that we speak."""
    if chosen in WORDS:
        return WORDS[chosen]
    wanted = [part.split(";")[0].strip()[:2].lower() for part in accepted.split(",")]
    return WORDS[next((language for language in wanted if language in WORDS), "en")]
