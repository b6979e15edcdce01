"""The demo's macroeconomy domain: regions, output, prices, yearly indicators, trade, rates, development zones."""
# ruff: noqa: E501  (a column is one line, so that a table reads as a table)

from collections.abc import Iterator
from random import Random

from pipeline.demo.macro_questions import QUESTIONS
from pipeline.demo.model import Cell, Domain, Rows, Table, Words, choice, date, number, real, text
from pipeline.demo.people import people
from pipeline.demo.places import PLACE, PLACES

LEVELS = (Words("Country", "国家"), Words("Province", "省级"), Words("City", "地级"))
CONTINENTS = {
    "AS": Words("Asia", "亚洲"),
    "EU": Words("Europe", "欧洲"),
    "NA": Words("North America", "北美洲"),
    "SA": Words("South America", "南美洲"),
    "AF": Words("Africa", "非洲"),
    "OC": Words("Oceania", "大洋洲"),
}

# fmt: off
TABLES = (
    Table(Words("region", "地区"), (
        text("region_code", "地区代码", "00 for the country, two digits for a province, four for a city", "全国为00，省级两位，地级四位", key=True),
        text("region_name", "地区名称", "name of the region", "地区名称"),
        choice("region_level", "地区级别", "level of the region", "地区级别", LEVELS),
        text("parent_code", "上级地区代码", "region it belongs to; empty for the country", "上级地区代码，全国为空", refers="region"),
    )),
    Table(Words("quarterly_gdp", "季度生产总值"), (
        text("region_code", "地区代码", "province", "省级地区代码", key=True, refers="region"),
        date("quarter_end", "季度末", "last day of the quarter", "季度最后一天", key=True),
        real("gdp_100m_cny", "生产总值_亿元", "gross domestic product of this quarter alone, 100 million yuan", "当季生产总值，单位：亿元"),
        real("primary_100m_cny", "第一产业_亿元", "value added of agriculture, 100 million yuan", "第一产业增加值，单位：亿元"),
        real("secondary_100m_cny", "第二产业_亿元", "value added of industry and construction, 100 million yuan", "第二产业增加值，单位：亿元"),
        real("tertiary_100m_cny", "第三产业_亿元", "value added of services, 100 million yuan", "第三产业增加值，单位：亿元"),
        date("revised_date", "修订日期", "date of the last revision; empty while not revised", "最近修订日期，未修订为空"),
    )),
    Table(Words("monthly_cpi", "月度居民消费价格"), (
        text("region_code", "地区代码", "country or province", "全国或省级地区代码", key=True, refers="region"),
        text("stat_month", "月份", "month as YYYY-MM", "月份，格式YYYY-MM", key=True),
        real("cpi_yoy", "价格指数_上年同月为100", "consumer price index, same month of the year before = 100", "居民消费价格指数，上年同月=100"),
        real("core_cpi_yoy", "核心指数_上年同月为100", "the index without food and energy; published for the country only", "不含食品和能源的指数，仅公布全国数据"),
    )),
    Table(Words("indicator", "指标"), (
        text("indicator_code", "指标代码", "four-digit code, leading zeros kept", "四位指标代码，保留前导零", key=True),
        text("indicator_name", "指标名称", "name of the indicator", "指标名称"),
        text("unit", "计量单位", "unit of its values", "数值的计量单位"),
    )),
    Table(Words("annual_statistic", "年度统计"), (
        text("region_code", "地区代码", "province", "省级地区代码", key=True, refers="region"),
        text("indicator_code", "指标代码", "what is measured", "指标代码", key=True, refers="indicator"),
        number("stat_year", "年份", "calendar year", "自然年", key=True),
        real("stat_value", "数值", "value in the unit of the indicator; empty if not published", "数值，单位见指标表；未公布为空"),
    )),
    Table(Words("trade_partner", "贸易伙伴"), (
        text("partner_code", "伙伴代码", "three-digit code, leading zeros kept", "三位代码，保留前导零", key=True),
        text("partner_name", "伙伴名称", "name of the country", "国家名称"),
        choice("continent", "大洲", "continent", "所在大洲", tuple(CONTINENTS.values())),
    )),
    Table(Words("monthly_trade", "月度进出口"), (
        text("partner_code", "伙伴代码", "trade partner", "贸易伙伴代码", key=True, refers="trade_partner"),
        text("stat_month", "月份", "month as YYYY-MM", "月份，格式YYYY-MM", key=True),
        real("exports_100m_usd", "出口额_亿美元", "exports to the partner, 100 million US dollars", "对该伙伴出口额，单位：亿美元"),
        real("imports_100m_usd", "进口额_亿美元", "imports from the partner, 100 million US dollars", "自该伙伴进口额，单位：亿美元"),
    )),
    Table(Words("loan_prime_rate", "贷款市场报价利率"), (
        date("published_date", "公布日期", "day of publication", "公布日期", key=True),
        real("one_year_pct", "一年期利率_百分比", "one-year rate, percent a year", "一年期利率，单位：%"),
        real("five_year_pct", "五年期以上利率_百分比", "rate above five years, percent a year", "五年期以上利率，单位：%"),
    )),
    Table(Words("development_zone", "开发区"), (
        text("zone_code", "开发区代码", "five-digit code, leading zeros kept", "五位代码，保留前导零", key=True),
        text("zone_name", "开发区名称", "name of the zone", "开发区名称"),
        text("region_code", "地区代码", "city or municipality where it lies", "所在城市（直辖市）的地区代码", refers="region"),
        text("director", "负责人", "head of its administration", "管理机构负责人"),
        date("approved_date", "批准日期", "date it was approved", "批准设立日期"),
        real("area_km2", "面积_平方公里", "area, square kilometres", "面积，单位：平方公里"),
        real("output_100m_cny", "产值_亿元", "output in 2024, 100 million yuan", "2024年产值，单位：亿元"),
    )),
)
# fmt: on

# per place in the order of PLACES; orders of magnitude only, no statistics
_OUTPUT = (
    33, 13, 32, 16, 16, 23, 11, 13, 36, 93, 58, 34, 38, 22, 66, 48, 42, 36, 99, 20, 5, 21, 42, 15, 18, 1.5, 24, 8, 3, 3.5,
    12,
)  # fmt: skip
_PERSONS = (
    2190, 1390, 7460, 3490, 2400, 4260, 2410, 3190, 2490, 8470, 6460, 6100, 4150, 4520, 10150, 9940, 5780, 6640, 12600,
    5010, 1010, 3210, 8370, 3860, 4720, 360, 3950, 2500, 590, 720, 2590,
)  # fmt: skip

POPULATION, URBAN, INCOME, RETAIL, REVENUE, SPENDING, RESEARCH, INVESTMENT = (
    ("0101", Words("Year-end resident population", "年末常住人口"), Words("10,000 persons", "万人")),
    ("0102", Words("Urbanization rate", "城镇化率"), "%"),
    ("0201", Words("Disposable income per person", "居民人均可支配收入"), Words("yuan", "元")),
    ("0301", Words("Retail sales of consumer goods", "社会消费品零售总额"), Words("100 million yuan", "亿元")),
    ("0401", Words("Public budget revenue", "一般公共预算收入"), Words("100 million yuan", "亿元")),
    ("0402", Words("Public budget expenditure", "一般公共预算支出"), Words("100 million yuan", "亿元")),
    ("0501", Words("Research and development expenditure", "研发经费支出"), Words("100 million yuan", "亿元")),
    ("0601", Words("Growth of fixed-asset investment", "固定资产投资增速"), "%"),
)

# code, name, continent, exports and imports a month in 100 million US dollars
_PARTNERS = (
    ("004", Words("United States", "美国"), "NA", 410, 140),
    ("009", Words("Japan", "日本"), "AS", 130, 135),
    ("012", Words("South Korea", "韩国"), "AS", 122, 140),
    ("018", Words("Vietnam", "越南"), "AS", 118, 76),
    ("023", Words("Malaysia", "马来西亚"), "AS", 74, 90),
    ("031", Words("Germany", "德国"), "EU", 84, 88),
    ("035", Words("Netherlands", "荷兰"), "EU", 83, 14),
    ("040", Words("Russia", "俄罗斯"), "EU", 92, 107),
    ("052", Words("Brazil", "巴西"), "SA", 50, 101),
    ("057", Words("Chile", "智利"), "SA", 17, 36),
    ("066", Words("South Africa", "南非"), "AF", 19, 27),
    ("071", Words("Australia", "澳大利亚"), "OC", 61, 129),
)

_YEARS = range(2019, 2025)
_MONTHS = tuple(f"{year}-{month:02d}" for year in _YEARS for month in range(1, 13))
_QUARTER_ENDS = tuple(f"{year}-{end}" for year in _YEARS for end in ("03-31", "06-30", "09-30", "12-31"))


def rows(random: Random) -> Rows:
    """Return the rows of all tables of the macroeconomy, drawn from `random`."""
    return {
        "region": _regions(),
        "quarterly_gdp": [row for number in range(len(PLACES)) for row in _gdp(random, number)],
        "monthly_cpi": list(_prices(random)),
        "indicator": [POPULATION, URBAN, INCOME, RETAIL, REVENUE, SPENDING, RESEARCH, INVESTMENT],
        "annual_statistic": [row for number in range(len(PLACES)) for row in _yearly(random, number)],
        "trade_partner": [(code, name, CONTINENTS[continent]) for code, name, continent, _, _ in _PARTNERS],
        "monthly_trade": [row for partner in _PARTNERS for row in _trade(random, *partner)],
        "loan_prime_rate": list(_rates(random)),
        "development_zone": list(_zones(random)),
    }


def _regions() -> list[tuple[Cell, ...]]:
    country, province, city = LEVELS
    regions: list[tuple[Cell, ...]] = [("00", Words("China", "全国"), country, None)]
    regions += [(place.code, place.province, province, "00") for place in PLACES]
    regions += [(place.code + "01", place.city, city, place.code) for place in PLACES if not place.is_municipality]
    return regions


def _gdp(random: Random, number: int) -> Iterator[tuple[Cell, ...]]:
    level = _OUTPUT[number] * 1000 * random.uniform(0.95, 1.05)
    farming, industry = random.uniform(0.02, 0.14), random.uniform(0.3, 0.46)
    for position, quarter in enumerate(_QUARTER_ENDS):
        level *= 1 + random.gauss(0.014, 0.006)
        total = level * (0.22, 0.245, 0.255, 0.28)[position % 4]
        primary = round(total * farming * random.uniform(0.7, 1.3), 2)
        secondary = round(total * industry * random.uniform(0.97, 1.03), 2)
        tertiary = round(total - primary - secondary, 2)
        yield PLACES[number].code, quarter, round(primary + secondary + tertiary, 2), primary, secondary, tertiary, None


def _prices(random: Random) -> Iterator[tuple[Cell, ...]]:
    """Provinces follow the country with a distance of their own, which drifts slowly."""
    country = 102.0
    distance = [random.gauss(0, 0.4) for _ in PLACES]
    for month in _MONTHS:
        country += 0.12 * (101.8 - country) + random.gauss(0, 0.35)
        yield "00", month, round(country, 1), round(100 + (country - 100) * 0.6, 1)
        for position, place in enumerate(PLACES):
            distance[position] = 0.9 * distance[position] + random.gauss(0, 0.25)
            yield place.code, month, round(country + distance[position], 1), None


def _yearly(random: Random, number: int) -> Iterator[tuple[Cell, ...]]:
    persons, output = float(_PERSONS[number]), _OUTPUT[number] * 1000.0
    urban = random.uniform(48, 82)
    for year in _YEARS:
        persons *= 1 + random.gauss(0, 0.004)
        output *= 1.056
        urban += random.uniform(0.3, 1.1)
        unpublished = year == 2024 and random.random() < 0.25
        values = (
            (POPULATION, round(persons)),
            (URBAN, round(urban, 2)),
            (INCOME, round(output / persons * 10000 * random.uniform(0.4, 0.5))),
            (RETAIL, round(output * random.uniform(0.34, 0.42), 2)),
            (REVENUE, round(output * random.uniform(0.08, 0.12), 2)),
            (SPENDING, round(output * random.uniform(0.17, 0.26), 2)),
            (RESEARCH, None if unpublished else round(output * random.uniform(0.008, 0.03), 2)),
            (INVESTMENT, round(random.gauss(4, 4), 1)),
        )
        for (code, _, _), value in values:
            yield PLACES[number].code, code, year, value


def _trade(
    random: Random, code: str, name: Words, continent: str, out: float, back: float
) -> Iterator[tuple[Cell, ...]]:
    for month in _MONTHS[36:]:
        exports, imports = (round(mean * random.uniform(0.85, 1.15), 2) for mean in (out, back))
        yield code, month, exports, imports


def _rates(random: Random) -> Iterator[tuple[Cell, ...]]:
    """Rates in hundredths of a percent; they only fall, a few times in six years."""
    one, five = 425, 485
    for month in _MONTHS:
        if random.random() < 0.12:
            one -= random.choice((5, 10, 15))
            five -= random.choice((0, 5, 10))
        yield f"{month}-20", one / 100, five / 100


_ZONE_KINDS = (
    Words("High-Tech Zone", "高新技术产业开发区"),
    Words("Economic Zone", "经济技术开发区"),
    Words("Logistics Park No. 8", "８号物流园区"),
)


def _zones(random: Random) -> Iterator[tuple[Cell, ...]]:
    cities = [PLACE["Xi'an"], PLACE["Taiyuan"], *random.sample(PLACES, 14)]
    places = list(dict.fromkeys(cities))
    zones = [(place, kind) for place in places for kind in _ZONE_KINDS]
    for position, ((place, kind), director) in enumerate(zip(zones, people(random, len(zones)), strict=True)):
        name = Words(f"{place.city.en} {kind.en}", place.city.zh + kind.zh)
        region = place.code if place.is_municipality else place.code + "01"
        approved = f"{random.randint(1991, 2015)}-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"
        area = round(random.lognormvariate(3.6, 0.8), 2)
        yield (
            f"{305 + 211 * position:05d}",
            name,
            region,
            director,
            approved,
            area,
            round(area * random.uniform(4, 40), 2),
        )


MACRO = Domain("macro", "macroeconomy", TABLES, rows, QUESTIONS)
