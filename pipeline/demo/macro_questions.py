"""The twelve questions of the macroeconomy domain with their gold SQL."""

from pipeline.demo.model import Question, Tag, Words

QUESTIONS = (
    Question(
        Words(
            "What were Shaanxi Province's gross domestic product in 100 million yuan and the share of services in it "
            "in percent, rounded to one decimal, in each quarter of 2024? Give the quarter's last day, the product "
            "and the share, in order of time.",
            "陕西省2024年各季度的生产总值（亿元）以及第三产业占比（%，保留一位小数）分别是多少？请给出季度末日期、"
            "生产总值和占比，按时间先后排列。",
        ),
        """
        SELECT g.[quarter_end], g.[gdp_100m_cny],
               ROUND(100.0 * g.[tertiary_100m_cny] / g.[gdp_100m_cny], 1) AS [services_pct|第三产业占比_百分比]
        FROM [quarterly_gdp] AS g JOIN [region] AS r ON r.[region_code] = g.[region_code]
        WHERE r.[region_name] = {Shaanxi Province} AND g.[quarter_end] BETWEEN '2024-01-01' AND '2024-12-31'
        ORDER BY g.[quarter_end]
        """,
        (Tag.DATE, Tag.PERCENT),
        Words("Services are the tertiary sector.", "服务业即第三产业。"),
    ),
    Question(
        Words(
            "Which five provinces had the largest gross domestic product in the whole of 2024? Give region code, "
            "region name and the product in 100 million yuan, rounded to one decimal, largest first.",
            "2024年全年生产总值最高的五个省级地区是哪些？请给出地区代码、地区名称和生产总值（亿元，保留一位小数），"
            "按生产总值从高到低排列。",
        ),
        """
        SELECT r.[region_code], r.[region_name], ROUND(SUM(g.[gdp_100m_cny]), 1) AS [gdp_2024|2024年生产总值_亿元]
        FROM [quarterly_gdp] AS g JOIN [region] AS r ON r.[region_code] = g.[region_code]
        WHERE strftime('%Y', g.[quarter_end]) = '2024'
        GROUP BY r.[region_code], r.[region_name] ORDER BY SUM(g.[gdp_100m_cny]) DESC LIMIT 5
        """,
        (Tag.GROUP, Tag.ORDER_LIMIT, Tag.DATE),
    ),
    Question(
        Words(
            "At which rank among all provinces by yearly gross domestic product did Shanxi Province and Shaanxi "
            "Province stand in each year? Give year, region name and rank (1 is the largest), ordered by year and "
            "region code.",
            "按全年生产总值在各省级地区中排名，山西省和陕西省历年分别排第几位？请给出年份、地区名称和名次"
            "（1为最高），按年份、地区代码升序排列。",
        ),
        """
        WITH yearly AS (
          SELECT [region_code], CAST(strftime('%Y', [quarter_end]) AS INTEGER) AS y, SUM([gdp_100m_cny]) AS total
          FROM [quarterly_gdp] GROUP BY [region_code], CAST(strftime('%Y', [quarter_end]) AS INTEGER)
        ), ranked AS (
          SELECT [region_code], y, RANK() OVER (PARTITION BY y ORDER BY total DESC) AS place FROM yearly
        )
        SELECT k.y AS [year|统计年份], r.[region_name], k.place AS [rank|名次]
        FROM ranked AS k JOIN [region] AS r ON r.[region_code] = k.[region_code]
        WHERE r.[region_name] IN ({Shanxi Province}, {Shaanxi Province})
        ORDER BY k.y, k.[region_code]
        """,
        (Tag.CTE, Tag.WINDOW, Tag.GROUP, Tag.DATE),
    ),
    Question(
        Words(
            "What was the gross domestic product of all provinces together in each year, in 100 million yuan rounded "
            "to whole numbers, and by how many percent, rounded to two decimals, did it change from the year before? "
            "Leave the change empty for the first year; order by year.",
            "各年度全部省级地区生产总值合计是多少亿元（四舍五入取整），比上年变动百分之多少（保留两位小数）？"
            "首个年份的变动留空；按年份升序排列。",
        ),
        """
        WITH yearly AS (
          SELECT CAST(strftime('%Y', [quarter_end]) AS INTEGER) AS y, SUM([gdp_100m_cny]) AS total
          FROM [quarterly_gdp] GROUP BY CAST(strftime('%Y', [quarter_end]) AS INTEGER)
        )
        SELECT a.y AS [year|统计年份], CAST(ROUND(a.total) AS INTEGER) AS [gdp|生产总值合计_亿元],
               ROUND(100.0 * (a.total / b.total - 1), 2) AS [change_pct|变动_百分比]
        FROM yearly AS a LEFT JOIN yearly AS b ON b.y = a.y - 1 ORDER BY a.y
        """,
        (Tag.CTE, Tag.SELF_JOIN, Tag.GROUP, Tag.DATE, Tag.PERCENT, Tag.NULL),
        Words("Nominal change, not adjusted for prices.", "按现价计算的名义变动。"),
    ),
    Question(
        Words(
            "In which provinces did consumer prices rise by more than 2 percent year on year in at least three "
            "months of 2023? Give region code, region name, number of such months and the highest index among "
            "them, ordered by number of months from most to fewest, then by region code.",
            "2023年哪些省级地区至少有三个月的居民消费价格同比涨幅超过2%？请给出地区代码、地区名称、这样的月份数"
            "以及这些月份中的最高指数，按月份数从多到少、再按地区代码升序排列。",
        ),
        """
        SELECT r.[region_code], r.[region_name], COUNT(*) AS [months|月份数], MAX(p.[cpi_yoy]) AS [highest|最高指数]
        FROM [monthly_cpi] AS p JOIN [region] AS r ON r.[region_code] = p.[region_code]
        WHERE r.[region_level] = {Province} AND p.[cpi_yoy] > 102 AND p.[stat_month] BETWEEN '2023-01' AND '2023-12'
        GROUP BY r.[region_code], r.[region_name] HAVING COUNT(*) >= 3
        ORDER BY COUNT(*) DESC, r.[region_code]
        """,
        (Tag.GROUP, Tag.HAVING),
        Words(
            "A rise of 2 percent year on year is an index of 102. A province has region level Province.",
            "同比涨幅2%对应指数102；省级地区的地区级别为省级。",
        ),
    ),
    Question(
        Words(
            "In which months since January 2019 was the consumer price index of Shaanxi Province above that of "
            "China? Give month, index of Shaanxi, index of China and their difference in index points, rounded to "
            "one decimal, in order of time.",
            "自2019年1月起，哪些月份陕西省的居民消费价格指数高于全国？请给出月份、陕西省指数、全国指数和二者之差"
            "（指数点，保留一位小数），按时间先后排列。",
        ),
        """
        SELECT a.[stat_month], a.[cpi_yoy] AS [shaanxi|陕西指数], b.[cpi_yoy] AS [china|全国指数],
               ROUND(a.[cpi_yoy] - b.[cpi_yoy], 1) AS [difference|指数差]
        FROM [monthly_cpi] AS a
        JOIN [monthly_cpi] AS b ON b.[stat_month] = a.[stat_month]
        JOIN [region] AS r ON r.[region_code] = a.[region_code]
        JOIN [region] AS n ON n.[region_code] = b.[region_code]
        WHERE r.[region_name] = {Shaanxi Province} AND n.[region_name] = {China}
          AND a.[stat_month] >= '2019-01' AND a.[cpi_yoy] > b.[cpi_yoy]
        ORDER BY a.[stat_month]
        """,
        (Tag.JOIN3, Tag.SELF_JOIN),
    ),
    Question(
        Words(
            "What were exports, imports and the trade balance (exports minus imports) with the partners of each "
            "continent in 2024, in 100 million US dollars rounded to two decimals? Largest surplus first.",
            "2024年与各大洲贸易伙伴的出口额、进口额和贸易差额（出口减进口）分别是多少亿美元（保留两位小数）？"
            "按贸易差额从大到小排列，首列为大洲。",
        ),
        """
        SELECT p.[continent], ROUND(SUM(t.[exports_100m_usd]), 2) AS [exports|出口_亿美元],
               ROUND(SUM(t.[imports_100m_usd]), 2) AS [imports|进口_亿美元],
               ROUND(SUM(t.[exports_100m_usd] - t.[imports_100m_usd]), 2) AS [balance|贸易差额_亿美元]
        FROM [monthly_trade] AS t JOIN [trade_partner] AS p ON p.[partner_code] = t.[partner_code]
        WHERE t.[stat_month] BETWEEN '2024-01' AND '2024-12'
        GROUP BY p.[continent] ORDER BY SUM(t.[exports_100m_usd] - t.[imports_100m_usd]) DESC
        """,
        (Tag.GROUP,),
    ),
    Question(
        Words(
            "With which trade partners did imports exceed exports in every month of 2024? Give partner code and "
            "partner name, ordered by partner code.",
            "2024年每个月进口额都大于出口额的贸易伙伴有哪些？请给出伙伴代码和伙伴名称，按伙伴代码升序排列。",
        ),
        """
        SELECT p.[partner_code], p.[partner_name] FROM [trade_partner] AS p
        WHERE NOT EXISTS (
          SELECT 1 FROM [monthly_trade] AS t WHERE t.[partner_code] = p.[partner_code]
            AND t.[stat_month] BETWEEN '2024-01' AND '2024-12' AND t.[imports_100m_usd] <= t.[exports_100m_usd]
        )
        ORDER BY p.[partner_code]
        """,
        (Tag.SUBQUERY, Tag.LEADING_ZERO),
    ),
    Question(
        Words(
            "Which ten provinces had the highest gross domestic product per person in 2024, on the year-end resident "
            "population? Give region name and product per person in yuan, rounded to whole yuan, highest first.",
            "按年末常住人口计算，2024年人均生产总值最高的十个省级地区是哪些？请给出地区名称和人均生产总值"
            "（元，四舍五入取整），从高到低排列。",
        ),
        """
        WITH output AS (
          SELECT [region_code], SUM([gdp_100m_cny]) AS total FROM [quarterly_gdp]
          WHERE [quarter_end] BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY [region_code]
        )
        SELECT r.[region_name], CAST(ROUND(o.total * 10000 / s.[stat_value]) AS INTEGER) AS [per_person|人均生产总值_元]
        FROM output AS o
        JOIN [annual_statistic] AS s ON s.[region_code] = o.[region_code]
        JOIN [indicator] AS i ON i.[indicator_code] = s.[indicator_code]
        JOIN [region] AS r ON r.[region_code] = o.[region_code]
        WHERE i.[indicator_name] = {Year-end resident population} AND s.[stat_year] = 2024
        ORDER BY o.total / s.[stat_value] DESC LIMIT 10
        """,
        (Tag.CTE, Tag.JOIN3, Tag.GROUP, Tag.ORDER_LIMIT, Tag.DATE),
        Words(
            "Indicator: Year-end resident population, in 10,000 persons; 100 million / 10,000 = 10,000.",
            "指标为年末常住人口，单位万人；亿元/万人=万元/人。",
        ),
    ),
    Question(
        Words(
            "On which dates did the one-year loan prime rate differ from the one published the time before? Give the "
            "date, the old and the new rate in percent and the change in basis points as a whole number, in order "
            "of time.",
            "一年期贷款市场报价利率在哪些公布日与上一次公布的不同？请给出公布日期、原利率和新利率（%）以及变动幅度"
            "（基点，整数），按时间先后排列。",
        ),
        """
        WITH steps AS (
          SELECT [published_date], LAG([one_year_pct]) OVER (ORDER BY [published_date]) AS old, [one_year_pct]
          FROM [loan_prime_rate]
        )
        SELECT [published_date], old AS [old_pct|原利率_百分比], [one_year_pct],
               CAST(ROUND(100 * ([one_year_pct] - old)) AS INTEGER) AS [change_bp|变动_基点]
        FROM steps WHERE [one_year_pct] <> old ORDER BY [published_date]
        """,
        (Tag.CTE, Tag.WINDOW),
        Words("One basis point is 0.01 percentage points; a fall is negative.", "1个基点=0.01个百分点，下调为负。"),
    ),
    Question(
        Words(
            "Which yearly figures of provinces have not been published? Give region name, indicator name and year, "
            "ordered by region code, indicator code and year.",
            "哪些省级地区的年度指标数据尚未公布？请给出地区名称、指标名称和年份，按地区代码、指标代码、年份升序排列。",
        ),
        """
        SELECT r.[region_name], i.[indicator_name], s.[stat_year]
        FROM [annual_statistic] AS s
        JOIN [region] AS r ON r.[region_code] = s.[region_code]
        JOIN [indicator] AS i ON i.[indicator_code] = s.[indicator_code]
        WHERE s.[stat_value] IS NULL ORDER BY s.[region_code], s.[indicator_code], s.[stat_year]
        """,
        (Tag.JOIN3, Tag.NULL),
    ),
    Question(
        Words(
            "Give name, head, date of approval and output in 2024 per square kilometre (100 million yuan, rounded to "
            "two decimals) of all development zones in Xi'an, and write high if that output is at least 30, "
            "otherwise low, in a last column; order by zone code.",
            "请给出西安所有开发区的名称、负责人、批准日期和2024年每平方公里产值（亿元，保留两位小数），"
            "并在最后一列注明：该产值不低于30的写“高”，否则写“低”；按开发区代码升序排列。",
        ),
        """
        SELECT z.[zone_name], z.[director], z.[approved_date],
               ROUND(z.[output_100m_cny] / z.[area_km2], 2) AS [output_per_km2|每平方公里产值_亿元],
               CASE WHEN z.[output_100m_cny] / z.[area_km2] >= 30 THEN {high|高} ELSE {low|低} END AS [class|档次]
        FROM [development_zone] AS z JOIN [region] AS r ON r.[region_code] = z.[region_code]
        WHERE r.[region_name] = {Xi'an} ORDER BY z.[zone_code]
        """,
        (Tag.CASE, Tag.WIDE_CHARACTERS),
    ),
)
