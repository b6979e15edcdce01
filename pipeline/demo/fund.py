"""The demo's fund domain: companies, funds, managers, weekly net asset values, holdings, dividends, flows."""

# ruff: noqa: E501  (a column is one line, so that a table reads as a table)

from collections.abc import Iterator
from datetime import date as Date
from datetime import timedelta
from random import Random
from typing import NamedTuple

from pipeline.demo.fund_questions import QUESTIONS
from pipeline.demo.model import Cell, Domain, Rows, Table, Words, choice, date, number, real, text
from pipeline.demo.people import people
from pipeline.demo.places import PLACE

TYPES = (
    Words("Equity", "股票型"),
    Words("Hybrid", "混合型"),
    Words("Bond", "债券型"),
    Words("Index", "指数型"),
    Words("Money Market", "货币市场型"),
)
EQUITY, HYBRID, BOND, INDEX, MONEY = TYPES
RISKS = (Words("Low", "低风险"), Words("Medium", "中风险"), Words("High", "高风险"))
DEGREES = (Words("Bachelor", "本科"), Words("Master", "硕士研究生"), Words("Doctor", "博士研究生"))

# fmt: off
TABLES = (
    Table(Words("fund_company", "基金公司"), (
        text("company_code", "公司代码", "four-digit company code, leading zeros kept", "四位公司代码，保留前导零", key=True),
        text("company_name", "公司名称", "short name of the fund company", "基金公司简称"),
        text("province", "省份", "province where the company is registered", "公司注册地所在省份"),
        text("city", "城市", "city where the company is registered", "公司注册地所在城市"),
        date("founded_date", "成立日期", "date the company was founded", "公司成立日期"),
        real("registered_capital_100m_cny", "注册资本_亿元", "registered capital, 100 million yuan", "注册资本，单位：亿元"),
        text("parent_code", "母公司代码", "company that controls this one; empty if independent", "控股母公司的代码，独立公司为空", refers="fund_company"),
    )),
    Table(Words("fund_manager", "基金经理"), (
        number("manager_id", "经理编号", "number of the manager", "基金经理编号", key=True),
        text("manager_name", "经理姓名", "full name of the manager", "基金经理姓名"),
        choice("degree", "学历", "highest degree; empty if not disclosed", "最高学历，未披露为空", DEGREES),
        date("career_start", "从业日期", "date the manager entered the industry", "开始从业的日期"),
    )),
    Table(Words("fund", "基金"), (
        text("fund_code", "基金代码", "six-digit fund code, leading zeros kept", "六位基金代码，保留前导零", key=True),
        text("fund_name", "基金名称", "full name of the fund", "基金全称"),
        choice("fund_type", "基金类型", "type of the fund", "基金类型", TYPES),
        text("company_code", "公司代码", "company that manages the fund", "基金管理公司的代码", refers="fund_company"),
        date("inception_date", "设立日期", "date the fund was set up", "基金成立日期"),
        real("scale_100m_cny", "规模_亿元", "net assets at the end of 2024, 100 million yuan", "2024年末资产净值，单位：亿元"),
        real("management_fee_pct", "管理费率_百分比", "management fee, percent a year", "年管理费率，单位：%"),
        choice("risk_level", "风险等级", "risk level of the fund", "基金风险等级", RISKS),
        date("termination_date", "终止日期", "date the fund was wound up; empty while it exists", "基金终止日期，存续期间为空"),
    )),
    Table(Words("fund_tenure", "任职记录"), (
        text("fund_code", "基金代码", "fund that is managed", "所管理的基金", key=True, refers="fund"),
        number("manager_id", "经理编号", "who manages it", "管理该基金的经理", key=True, refers="fund_manager"),
        date("tenure_start", "任职日期", "first day of the tenure", "任职起始日", key=True),
        date("tenure_end", "离任日期", "last day of the tenure; empty if still in office", "离任日期，在任为空"),
    )),
    Table(Words("fund_nav", "基金净值"), (
        text("fund_code", "基金代码", "fund that is valued", "估值的基金", key=True, refers="fund"),
        date("nav_date", "净值日期", "Friday of the valuation", "估值日（每周五）", key=True),
        real("unit_nav", "单位净值", "net asset value a unit, yuan", "每份基金单位净值，单位：元"),
        real("accumulated_nav", "累计净值", "unit value plus all dividends, yuan; empty for money market funds", "单位净值加历次分红，单位：元；货币市场型基金为空"),
    )),
    Table(Words("fund_holding", "基金持仓"), (
        text("fund_code", "基金代码", "fund that holds the stock", "持有股票的基金", key=True, refers="fund"),
        date("report_date", "报告期", "last day of the quarter", "季度末日期", key=True),
        text("stock_code", "股票代码", "six-digit stock code, leading zeros kept", "六位股票代码，保留前导零", key=True),
        text("stock_name", "股票名称", "short name of the stock", "股票简称"),
        real("weight_pct", "占净值比例_百分比", "market value as a percentage of the fund's net assets", "持仓市值占基金资产净值的百分比"),
        real("market_value_10k_cny", "持仓市值_万元", "market value held, 10,000 yuan", "持仓市值，单位：万元"),
    )),
    Table(Words("fund_dividend", "基金分红"), (
        text("fund_code", "基金代码", "fund that pays", "分红的基金", key=True, refers="fund"),
        date("ex_date", "除息日", "ex-dividend date", "除息日期", key=True),
        real("dividend_per_unit_cny", "每份分红_元", "dividend a unit, yuan", "每份基金份额分红，单位：元"),
    )),
    Table(Words("fund_flow", "申购赎回"), (
        text("fund_code", "基金代码", "fund", "基金", key=True, refers="fund"),
        date("report_date", "报告期", "last day of the quarter", "季度末日期", key=True),
        real("subscription_100m_units", "申购份额_亿份", "units bought in the quarter, 100 million", "当季申购份额，单位：亿份"),
        real("redemption_100m_units", "赎回份额_亿份", "units redeemed in the quarter, 100 million; empty if not published", "当季赎回份额，单位：亿份；未披露为空"),
    )),
)
# fmt: on

# short name, city, year founded, parent's position in this list
_COMPANIES = (
    (Words("Huayue", "华岳"), "Xi'an", 2001, None),
    (Words("Qinchuan", "秦川"), "Xi'an", 2004, None),
    (Words("Taihang", "太行"), "Taiyuan", 2003, None),
    (Words("Binhai", "滨海"), "Tianjin", 2002, None),
    (Words("Lanting", "兰亭"), "Hangzhou", 2010, None),
    (Words("Pujiang", "浦江"), "Shanghai", 1999, None),
    (Words("Xinghe", "星河"), "Guangzhou", 2005, None),
    (Words("Yanyuan", "燕园"), "Beijing", 1998, None),
    (Words("Huayue Wealth", "华岳财富"), "Shanghai", 2014, 0),
    (Words("Pujiang Asset", "浦江资产"), "Shanghai", 2013, 5),
    (Words("Xinghe International", "星河国际"), "Haikou", 2016, 6),
    (Words("Yanyuan Pension", "燕园养老"), "Beijing", 2018, 7),
)

# theme, type; the Chinese index names carry full-width digits as in real prospectuses
_THEMES = (
    (Words("Steady Growth Hybrid", "稳健成长混合"), HYBRID),
    (Words("CSI 300 Index", "沪深３００指数"), INDEX),
    (Words("Pure Bond", "纯债债券"), BOND),
    (Words("Healthcare Equity", "医疗健康股票"), EQUITY),
    (Words("Daily Cash Money Market", "天天现金货币"), MONEY),
    (Words("New Energy Equity", "新能源股票"), EQUITY),
    (Words("CSI 500 Index", "中证５００指数"), INDEX),
    (Words("Balanced Selection Hybrid", "均衡优选混合"), HYBRID),
    (Words("Credit Enhanced Bond", "信用增强债券"), BOND),
    (Words("Consumer Upgrade Hybrid", "消费升级混合"), HYBRID),
)
_FEE = {EQUITY: (1.2, 1.5), HYBRID: (1.0, 1.5), BOND: (0.3, 0.7), INDEX: (0.15, 0.5), MONEY: (0.15, 0.33)}
_RISK = {EQUITY: RISKS[2], HYBRID: RISKS[1], BOND: RISKS[0], INDEX: RISKS[2], MONEY: RISKS[0]}
_SWING = {EQUITY: 0.028, HYBRID: 0.02, BOND: 0.003, INDEX: 0.024, MONEY: 0.0}

_STOCKS = (
    ("000021", Words("Guanzhong Power", "关中电力")),
    ("000058", Words("Weihe Motor", "渭河汽车")),
    ("000195", Words("Longmen Foods", "龙门食品")),
    ("000432", Words("Qinling Pharma", "秦岭制药")),
    ("000669", Words("Fenhe Coal", "汾河煤业")),
    ("000906", Words("Haihe Ports", "海河港口")),
    ("300143", Words("West Lake Software", "西湖软件")),
    ("300380", Words("Donghu Optics", "东湖光电")),
    ("600217", Words("Minjiang Paper", "闽江纸业")),
    ("600454", Words("Pearl Electric", "明珠电器")),
    ("600691", Words("Yandu Bank", "燕都银行")),
    ("600928", Words("Jinjiang Liquor", "锦江酒业")),
)
_QUARTERS = ("2024-03-31", "2024-06-30", "2024-09-30", "2024-12-31")
_FRIDAYS = tuple(Date(2023, 1, 6) + timedelta(weeks=week) for week in range(104))


class _Fund(NamedTuple):
    """A row of the table `fund`."""

    code: str
    name: Words
    type: Words
    company: str
    inception: str
    scale: float
    fee: float
    risk: Words
    termination: None


def rows(random: Random) -> Rows:
    """Return the rows of all fund tables, drawn from `random`."""
    combinations = sorted(random.sample(range(len(_COMPANIES) * len(_THEMES)), 42))
    funds = [_fund(random, number, combination) for number, combination in enumerate(combinations)]
    dividends = [row for fund in funds for row in _dividends(random, fund)]
    return {
        "fund_company": [_company(random, number) for number in range(len(_COMPANIES))],
        "fund_manager": [_manager(random, number, name) for number, name in enumerate(people(random, 30))],
        "fund": list(funds),
        "fund_tenure": [row for number, fund in enumerate(funds) for row in _tenures(random, number, fund)],
        "fund_nav": [row for fund in funds for row in _navs(random, fund, dividends)],
        "fund_holding": [row for fund in funds for row in _holdings(random, fund)],
        "fund_dividend": list(dividends),
        "fund_flow": [row for fund in funds for row in _flows(random, fund)],
    }


def _day(random: Random, first_year: int, last_year: int) -> str:
    return str(Date(random.randint(first_year, last_year), 1, 1) + timedelta(days=random.randrange(365)))


def _company_code(number: int) -> str:
    return f"{12 + 17 * number:04d}"


def _company(random: Random, number: int) -> tuple[Cell, ...]:
    name, city, founded, parent = _COMPANIES[number]
    place = PLACE[city]
    parent_code = None if parent is None else _company_code(parent)
    capital = round(random.uniform(1, 13), 2)
    return (
        _company_code(number), name, place.province, place.city, _day(random, founded, founded), capital, parent_code,
    )  # fmt: skip


def _manager(random: Random, number: int, name: Words) -> tuple[Cell, ...]:
    degree = None if random.random() < 0.1 else random.choices(DEGREES, (2, 6, 2))[0]
    return 1001 + number, name, degree, _day(random, 2001, 2013)


def _fund(random: Random, number: int, combination: int) -> _Fund:
    company, theme = divmod(combination, len(_THEMES))
    short_name, _, founded, _ = _COMPANIES[company]
    words, kind = _THEMES[theme]
    return _Fund(
        code=f"{17 + 4111 * number:06d}",
        name=Words(f"{short_name.en} {words.en}", short_name.zh + words.zh),
        type=kind,
        company=_company_code(company),
        inception=_day(random, max(founded + 1, 2015), 2023),
        scale=round(random.lognormvariate(2.8, 0.9), 2),
        fee=round(random.uniform(*_FEE[kind]), 2),
        risk=_RISK[kind],
        termination=None,
    )


def _tenures(random: Random, number: int, fund: _Fund) -> Iterator[tuple[Cell, ...]]:
    """Managers follow each other without a gap; the first fund is now in the hands of the first manager."""
    start = Date.fromisoformat(fund.inception)
    managers = random.sample(range(1002, 1031), random.randint(1, 3))
    for manager in managers[1:]:
        end = start + timedelta(days=random.randint(200, 700))
        if end > Date(2024, 6, 30):
            break
        yield fund.code, manager, str(start), str(end)
        start = end + timedelta(days=1)
    current = 1001 if number % 14 == 0 else managers[0]
    yield fund.code, current, str(start), None


def _dividends(random: Random, fund: _Fund) -> list[tuple[str, str, float]]:
    if fund.type in (MONEY, INDEX) or random.random() < 0.35:
        return []
    days = sorted(random.sample(_FRIDAYS, random.randint(1, 4)))
    return [(fund.code, str(day), round(random.uniform(0.01, 0.12), 3)) for day in days if str(day) > fund.inception]


def _navs(random: Random, fund: _Fund, dividends: list[tuple[str, str, float]]) -> Iterator[tuple[Cell, ...]]:
    paid = {day: amount for code, day, amount in dividends if code == fund.code}
    value, total = (1.0 if fund.type == MONEY else random.uniform(0.9, 2.6)), 0.0
    for day in map(str, _FRIDAYS):
        if day < fund.inception:
            continue
        total += paid.get(day, 0.0)
        value = value * (1 + random.gauss(0.0006, _SWING[fund.type])) - paid.get(day, 0.0)
        if fund.type == MONEY:
            yield fund.code, day, 1.0, None
        else:
            yield fund.code, day, round(value, 4), round(value + total, 4)


def _holdings(random: Random, fund: _Fund) -> Iterator[tuple[Cell, ...]]:
    if fund.type in (MONEY, BOND):
        return
    for quarter in _QUARTERS:
        for code, name in sorted(random.sample(_STOCKS, 5)):
            weight = round(random.uniform(1.5, 9.8), 2)
            yield fund.code, quarter, code, name, weight, round(fund.scale * weight * 100, 2)


def _flows(random: Random, fund: _Fund) -> Iterator[tuple[Cell, ...]]:
    for quarter in _QUARTERS:
        bought, sold = (round(fund.scale * random.uniform(0.01, 0.2), 4) for _ in range(2))
        yield fund.code, quarter, bought, (None if random.random() < 0.07 else sold)


FUND = Domain("fund", "fund", TABLES, rows, QUESTIONS)
