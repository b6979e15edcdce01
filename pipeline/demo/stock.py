"""The demo's stock domain: industries, listed companies, stocks, daily quotes, reports, shareholders, dividends."""
# ruff: noqa: E501  (a column is one line, so that a table reads as a table)

from collections.abc import Iterator
from datetime import date as Date
from datetime import timedelta
from random import Random
from typing import NamedTuple

from pipeline.demo.model import Cell, Domain, Rows, Table, Words, choice, date, number, real, text
from pipeline.demo.people import people
from pipeline.demo.places import PLACE
from pipeline.demo.stock_names import COMPANIES, HOLDERS, INDUSTRIES
from pipeline.demo.stock_questions import QUESTIONS

SHANGHAI, SHENZHEN = (
    Words("Shanghai Stock Exchange", "上海证券交易所"),
    Words("Shenzhen Stock Exchange", "深圳证券交易所"),
)
MAIN, CHINEXT, STAR = Words("Main Board", "主板"), Words("ChiNext", "创业板"), Words("STAR Market", "科创板")
CLEAN, QUALIFIED = Words("Unqualified", "标准无保留意见"), Words("Qualified", "保留意见")
HOLDER_TYPES = (
    Words("Natural person", "自然人"),
    Words("State-owned entity", "国有法人"),
    Words("Securities fund", "证券投资基金"),
    Words("Insurer", "保险机构"),
)

# fmt: off
TABLES = (
    Table(Words("industry", "行业"), (
        text("industry_code", "行业代码", "two digits for a sector, four for an industry; leading zeros kept", "一级行业两位、二级行业四位，保留前导零", key=True),
        text("industry_name", "行业名称", "name of the sector or industry", "行业名称"),
        text("parent_code", "上级行业代码", "sector of an industry; empty for a sector", "二级行业所属的一级行业代码，一级行业为空", refers="industry"),
    )),
    Table(Words("listed_company", "上市公司"), (
        number("company_id", "公司编号", "number of the company", "公司编号", key=True),
        text("company_name", "公司名称", "full name of the company", "公司全称"),
        text("industry_code", "行业代码", "four-digit industry of the company", "公司所属二级行业代码", refers="industry"),
        text("province", "省份", "province of registration", "注册地所在省份"),
        text("city", "城市", "city of registration", "注册地所在城市"),
        text("chairman", "董事长", "chairman of the board", "董事长姓名"),
        date("founded_date", "成立日期", "date of foundation", "公司成立日期"),
        number("employees", "员工人数", "number of employees at the end of 2024", "2024年末员工人数"),
    )),
    Table(Words("stock", "股票"), (
        text("stock_code", "股票代码", "six-digit stock code, leading zeros kept", "六位股票代码，保留前导零", key=True),
        text("stock_name", "股票简称", "short name of the stock", "股票简称"),
        number("company_id", "公司编号", "company that issued it", "发行公司编号", refers="listed_company"),
        choice("exchange", "交易所", "exchange where it is listed", "上市交易所", (SHANGHAI, SHENZHEN)),
        choice("board", "上市板块", "board of the exchange", "上市板块", (MAIN, CHINEXT, STAR)),
        date("listed_date", "上市日期", "first day of trading", "上市首日"),
        real("total_shares_100m", "总股本_亿股", "number of shares, 100 million", "总股本，单位：亿股"),
        date("delisted_date", "退市日期", "last day of trading; empty while listed", "退市日期，在市为空"),
    )),
    Table(Words("daily_quote", "日行情"), (
        text("stock_code", "股票代码", "stock", "股票代码", key=True, refers="stock"),
        date("trade_date", "交易日期", "day of trading", "交易日", key=True),
        real("open_price", "开盘价", "first price of the day, yuan", "开盘价，单位：元"),
        real("close_price", "收盘价", "last price of the day, yuan; the day before's if suspended", "收盘价，单位：元；停牌日为前一交易日收盘价"),
        real("volume_10k_shares", "成交量_万股", "shares traded, 10,000; empty if trading was suspended", "成交量，单位：万股；停牌为空"),
        real("turnover (%)", "换手率(%)", "shares traded as a percentage of all shares; empty if suspended", "成交股数占总股本的百分比；停牌为空"),
    )),
    Table(Words("financial_report", "财务报告"), (
        number("company_id", "公司编号", "company that reports", "公司编号", key=True, refers="listed_company"),
        date("period_end", "报告期", "last day of the period; figures count from 1 January", "报告期末，数据为年初至期末累计", key=True),
        real("revenue_100m_cny", "营业收入_亿元", "operating revenue, 100 million yuan", "营业收入，单位：亿元"),
        real("net_profit_100m_cny", "净利润_亿元", "net profit, 100 million yuan; negative for a loss", "净利润，单位：亿元；亏损为负"),
        real("total_assets_100m_cny", "总资产_亿元", "total assets at the end, 100 million yuan", "期末总资产，单位：亿元"),
        choice("audit_opinion", "审计意见", "opinion of the auditor; empty for half-years, which are not audited", "审计意见；半年报未经审计为空", (CLEAN, QUALIFIED)),
    )),
    Table(Words("shareholder", "股东"), (
        number("holder_id", "股东编号", "number of the shareholder", "股东编号", key=True),
        text("holder_name", "股东名称", "name of the shareholder", "股东名称"),
        choice("holder_type", "股东类型", "kind of shareholder", "股东类型", HOLDER_TYPES),
    )),
    Table(Words("shareholding", "持股明细"), (
        number("company_id", "公司编号", "company that is held", "被持股公司编号", key=True, refers="listed_company"),
        number("holder_id", "股东编号", "who holds", "股东编号", key=True, refers="shareholder"),
        date("report_date", "登记日期", "date of the register", "股东名册登记日", key=True),
        real("shares_10k", "持股数_万股", "shares held, 10,000", "持股数量，单位：万股"),
        real("ratio_pct", "持股比例_百分比", "shares held as a percentage of all shares", "持股数量占总股本的百分比"),
    )),
    Table(Words("cash_dividend", "现金分红"), (
        text("stock_code", "股票代码", "stock", "股票代码", key=True, refers="stock"),
        date("ex_date", "除息日", "ex-dividend date, a trading day", "除息日（交易日）", key=True),
        real("cash_per_10_shares_cny", "每10股派息_元", "cash for ten shares before tax, yuan", "每10股派发现金（含税），单位：元"),
    )),
)
# fmt: on

_HOLIDAYS = """
    2024-01-01 2024-02-09 2024-02-12 2024-02-13 2024-02-14 2024-02-15 2024-02-16 2024-04-04 2024-04-05 2024-05-01
    2024-05-02 2024-05-03 2024-06-10 2024-09-16 2024-09-17 2024-10-01 2024-10-02 2024-10-03 2024-10-04 2024-10-07
"""
_WEEKDAYS = (day for day in (Date(2023, 12, 20) + timedelta(days=step) for step in range(378)) if day.weekday() < 5)
SESSIONS = tuple(str(day) for day in _WEEKDAYS if str(day) not in _HOLIDAYS.split())
"""The 250 trading days from 2023-12-20 to 2024-12-31."""


class _Stock(NamedTuple):
    """A row of the table `stock`."""

    code: str
    name: Words
    company: int
    exchange: Words
    board: Words
    listed: str
    shares: float
    delisted: None


class _Quote(NamedTuple):
    """A row of the table `daily_quote`."""

    code: str
    day: str
    opened: float
    close: float
    volume: float | None
    turnover: float | None


def rows(random: Random) -> Rows:
    """Return the rows of all stock tables, drawn from `random`."""
    lines = [line.split() for line in COMPANIES]
    names = people(random, len(lines) + 8)
    stocks = [_stock(random, number, line) for number, line in enumerate(lines)]
    quotes = [list(_quotes(random, stock)) for stock in stocks]
    return {
        "industry": [_industry(line) for line in INDUSTRIES],
        "listed_company": [
            _company(random, number, *pair) for number, pair in enumerate(zip(lines, names, strict=False), 101)
        ],
        "stock": list(stocks),
        "daily_quote": [quote for series in quotes for quote in series],
        "financial_report": [row for stock in stocks for row in _reports(random, stock)],
        "shareholder": _holders(names[len(lines) :]),
        "shareholding": [row for stock in stocks for row in _holdings(random, stock)],
        "cash_dividend": [row for series in quotes for row in _dividends(random, series)],
    }


def _words(en: str, zh: str) -> Words:
    return Words(en.replace("_", " "), zh)


def _industry(line: str) -> tuple[Cell, ...]:
    code, en, zh = line.split()
    return code, _words(en, zh), (code[:2] if len(code) > 2 else None)


def _company(random: Random, number: int, line: list[str], chairman: Words) -> tuple[Cell, ...]:
    en, zh, city, industry = line
    name = Words(_words(en, zh).en + " Co., Ltd.", zh + "股份有限公司")
    founded = Date(random.randint(1986, 2005), random.randint(1, 12), random.randint(1, 28))
    place = PLACE[city]
    employees = round(random.lognormvariate(8.3, 0.7))
    return number, name, industry, place.province, place.city, chairman, str(founded), employees


def _stock(random: Random, number: int, line: list[str]) -> _Stock:
    en, zh, _, industry = line
    young = industry in ("0402", "0501", "0502")
    if number < 20:
        exchange, board, first = SHANGHAI, STAR if young else MAIN, 688011 if young else 600027
    else:
        exchange, board, first = SHENZHEN, CHINEXT if young else MAIN, 300009 if young else 27
    listed = Date(random.randint(2019 if young else 2006, 2022), random.randint(1, 12), random.randint(1, 28))
    return _Stock(
        code=f"{first + 13 * (number % 20):06d}",
        name=_words(en, zh),
        company=101 + number,
        exchange=exchange,
        board=board,
        listed=str(listed),
        shares=round(random.lognormvariate(2.2, 0.7), 2),
        delisted=None,
    )


def _quotes(random: Random, stock: _Stock) -> Iterator[_Quote]:
    """Prices move by at most ten percent a day; a few stocks are suspended for some days."""
    close = random.uniform(5, 90)
    drift = random.gauss(0.0003, 0.0008)
    pause = range(0)
    if random.random() < 0.3:
        start = random.randrange(20, 230)
        pause = range(start, start + random.randint(2, 9))
    for position, day in enumerate(SESSIONS):
        if position in pause:
            yield _Quote(stock.code, day, round(close, 2), round(close, 2), None, None)
            continue
        change = min(max(random.gauss(drift, 0.021), -0.1), 0.1)
        opened = close * (1 + change * random.random())
        close *= 1 + change
        turnover = round(random.lognormvariate(0.1, 0.6), 2)
        volume = round(stock.shares * turnover * 100, 2)
        yield _Quote(stock.code, day, round(opened, 2), round(close, 2), volume, turnover)


def _reports(random: Random, stock: _Stock) -> Iterator[tuple[Cell, ...]]:
    revenue = random.lognormvariate(3.6, 0.9)
    margin = random.gauss(0.09, 0.07)
    assets = revenue * random.uniform(1.2, 3.5)
    for year in (2021, 2022, 2023, 2024):
        revenue *= 1 + random.gauss(0.08, 0.12)
        assets *= 1 + random.gauss(0.06, 0.05)
        profit = revenue * (margin + random.gauss(0, 0.03))
        part = random.uniform(0.42, 0.52)
        opinion = QUALIFIED if random.random() < 0.08 else CLEAN
        half = (round(revenue * part, 2), round(profit * part, 2), round(assets * 0.97, 2))
        yield stock.company, f"{year}-06-30", *half, None
        yield stock.company, f"{year}-12-31", round(revenue, 2), round(profit, 2), round(assets, 2), opinion


def _holders(persons: list[Words]) -> list[tuple[Cell, ...]]:
    named = [(HOLDER_TYPES[0], person) for person in persons]
    for line in HOLDERS:
        kind, en, zh = line.split()
        named.append((HOLDER_TYPES[int(kind)], _words(en, zh)))
    return [(number, name, kind) for number, (kind, name) in enumerate(named, 1)]


def _holdings(random: Random, stock: _Stock) -> Iterator[tuple[Cell, ...]]:
    """Five holders at the end of 2023; a year later some of them have been replaced."""
    holders = random.sample(range(1, 21), 8)
    before, spare = holders[:5], holders[5:]
    after = [spare.pop() if spare and random.random() < 0.3 else holder for holder in before]
    for day, present in (("2023-12-31", before), ("2024-12-31", after)):
        ratio = random.uniform(15, 42)
        for holder in present:
            yield stock.company, holder, day, round(stock.shares * ratio * 100, 2), round(ratio, 2)
            ratio *= random.uniform(0.3, 0.8)


def _dividends(random: Random, quotes: list[_Quote]) -> Iterator[tuple[Cell, ...]]:
    season = [quote for quote in quotes if "2024-05-06" <= quote.day <= "2024-08-30"]
    times = random.choices((0, 1, 2), (25, 60, 15))[0]
    for quote in sorted(random.sample(season, times), key=lambda quote: quote.day):
        yield quote.code, quote.day, round(10 * quote.close * random.uniform(0.004, 0.045), 2)


STOCK = Domain("stock", "stock", TABLES, rows, QUESTIONS)
