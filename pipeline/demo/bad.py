"""Questions that must not become tasks, each with the reason the builder should give."""

from dataclasses import dataclass

from pipeline.content import Reason
from pipeline.demo.fund import FUND
from pipeline.demo.health import HEALTH
from pipeline.demo.macro import MACRO
from pipeline.demo.model import Domain, Language, Rows, Table, Words, number, text
from pipeline.demo.stock import STOCK

BROKEN = "broken"
OUTSIDE = "../outside"
HOSTILE = "hostile"

HOSTILE_TABLES = (
    Table(
        Words("../x", "../x"),
        (
            number("bed", "床位", "number of the bed", "床位编号", key=True),
            text("../../ward", "../../病区", "ward of the bed", "床位所在病区"),
        ),
    ),
)
HOSTILE_ROWS: Rows = {"../x": [(1, "A"), (2, "A"), (3, "B")]}


@dataclass(frozen=True)
class Bad:
    """A question in one language. `reason` is None for one that is to be survived, not refused.

    `db` names another database than the domain's own.
    """

    domain: Domain
    language: Language
    ask: str
    sql: str
    reason: Reason | None
    db: str | None = None


BAD = (
    Bad(
        FUND,
        Language.EN,
        "Which three funds held the most stocks at the report date 2024-12-31? Give fund code and number of stocks.",
        """
        SELECT [fund_code], COUNT(*) AS [stocks|股票数] FROM [fund_holding] WHERE [report_date] = '2024-12-31'
        GROUP BY [fund_code] ORDER BY COUNT(*) DESC LIMIT 3
        """,
        Reason.LIMIT_CUTS_A_TIE,
    ),
    Bad(
        FUND,
        Language.EN,
        "For each fund type, give the fund name and the number of funds.",
        "SELECT [fund_type], [fund_name], COUNT(*) AS [funds|基金数量] FROM [fund] GROUP BY [fund_type]",
        Reason.BARE_COLUMN,
    ),
    Bad(
        FUND,
        Language.EN,
        "Which funds have been wound up, and when? Give fund code and date.",
        "SELECT [fund_code], [termination_date] FROM [fund] WHERE [termination_date] IS NOT NULL",
        Reason.NO_ROW,
    ),
    Bad(
        STOCK,
        Language.ZH,
        "各只股票自上市以来已有多少天？请给出股票代码和天数。",
        """
        SELECT [stock_code], CAST(julianday('now') - julianday([listed_date]) AS INTEGER) AS [days|天数] FROM [stock]
        """,
        Reason.READS_THE_CLOCK,
    ),
    Bad(
        STOCK,
        Language.ZH,
        "请列出全部股票的全部日收盘价，给出股票代码、交易日期和收盘价。",
        "SELECT [stock_code], [trade_date], [close_price] FROM [daily_quote]",
        Reason.TOO_MANY_ROWS,
    ),
    Bad(
        STOCK,
        Language.ZH,
        "各只股票的市盈率是多少？请给出股票代码和市盈率。",
        "SELECT [stock_code], 市盈率 FROM [stock]",
        Reason.DOES_NOT_EXECUTE,
    ),
    Bad(
        MACRO,
        Language.ZH,
        "季度生产总值最近一次修订是在哪一天？",
        "SELECT MAX([revised_date]) AS [last|最近修订日期] FROM [quarterly_gdp]",
        Reason.ONLY_NULL_OR_ZERO,
    ),
    Bad(
        MACRO,
        Language.ZH,
        "县级地区共有多少个？",
        "SELECT COUNT(*) AS [regions|地区数] FROM [region] WHERE [region_level] = '县级'",
        Reason.ONLY_NULL_OR_ZERO,
    ),
    Bad(
        MACRO,
        Language.ZH,
        "最大的自然数是多少？",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) AS [largest|最大值] FROM n",
        Reason.TIME_LIMIT,
    ),
    Bad(
        HEALTH,
        Language.EN,
        "How many patients live in Xi'an?",
        "SELECT COUNT(*) FROM [patient] WHERE [city] = 'Xi'an'",
        Reason.DOES_NOT_PARSE,
    ),
    Bad(
        HEALTH,
        Language.EN,
        "How many patients are there?",
        "SELECT COUNT(*) FROM [patient]",
        Reason.DATABASE_BROKEN,
        BROKEN,
    ),
    Bad(
        HEALTH,
        Language.EN,
        "How many patients are there?",
        "SELECT COUNT(*) FROM [patient]",
        Reason.UNSAFE_NAME,
        OUTSIDE,
    ),
    Bad(
        HEALTH,
        Language.EN,
        "How many beds does each ward have? Give ward and number of beds, ordered by ward.",
        """
        SELECT "../../ward", COUNT(*) AS [beds|床位数] FROM "../x" GROUP BY "../../ward" ORDER BY "../../ward"
        """,
        None,
        HOSTILE,
    ),
)
